// What the page itself knows of positions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, fillHand, moveParts, parseSfen, squareName, writeSfen } from "../page/shogi.js";

test("an SFEN is written as it was read", () => {
  for (const sfen of [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b GSr3g3s3n3lb15p 1",
  ]) {
    const [board, side] = sfen.split(" ");
    const written = writeSfen(parseSfen(sfen)).split(" ");
    assert.deepEqual(written.slice(0, 2), [board, side]);
    assert.equal(writeSfen(parseSfen(written.join(" "))), written.join(" "));
  }
});

test("the rest of the pieces goes to the defender", () => {
  const placement = parseSfen("7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b GS 1");
  fillHand(placement, "w");
  assert.deepEqual(Object.fromEntries(placement.hands.w), { R: 1, B: 1, G: 3, S: 3, N: 3, L: 3, P: 15 });
});

test("moves and squares", () => {
  assert.deepEqual(moveParts("8h2b+"), { from: "8h", drop: null, to: "2b", promotes: true });
  assert.deepEqual(moveParts("P*5e"), { from: null, drop: "P", to: "5e", promotes: false });
  assert.equal(squareName("7f", "ja"), "７六");
});

test("a position is read out rank by rank", () => {
  const lines = describe(parseSfen("4k4/9/9/9/9/9/9/9/4K4 b 2P 1"), "ja");
  assert.equal(lines.length, 11);
  assert.equal(lines[0], "一段目: ５一後手玉");
  assert.equal(lines[9], "先手の持駒: 歩2");
});
