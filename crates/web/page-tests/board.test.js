// The board by pointer and by keyboard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, cell, clickMove, drag, expectLabel, onPage, poll, ready, screenshot, takeUp, withBrowser } from "./helpers.js";

withBrowser();

test("two clicks move a piece and the engine answers", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await takeUp(page, "7g");
  await expectLabel(page, "7f", /legal target/);
  assert.equal(await page.locator(".dot").count(), 1);
  await cell(page, "7f").click();
  await expectLabel(page, "7f", /Black pawn/);
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
}));

test("fingers move pieces on a phone, in Japanese", () => onPage({ language: "ja", size: PHONE }, async (page) => {
  await expectLabel(page, "7g", /先手/);
  await cell(page, "7g").tap();
  await poll(async () => (await page.locator(".dot").count()) === 1, "the legal target");
  await screenshot(page, "board-phone-ja");
  await cell(page, "7f").tap();
  await expectLabel(page, "7f", /先手/);
}));

test("a dragged piece moves, and dropped back it stays", () => onPage({}, async (page) => {
  await ready(page, "2g");
  await drag(page, "2g", "2f");
  await expectLabel(page, "2f", /Black pawn/);
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
  await ready(page, "1g");
  await drag(page, "1g", "1g");
  await expectLabel(page, "1g", /Black pawn/);
}));

test("an illegal attempt is explained at the square", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await clickMove(page, "7g", "7d");
  await page.locator(".bubble").waitFor();
  assert.match(await page.locator(".bubble").innerText(), /does not move there/);
}));

test("the keyboard alone moves a piece", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await poll(async () => (await page.evaluate(() => document.activeElement?.getAttribute("data-square"))) === "5e", "the board to have the focus");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await expectLabel(page, "7f", /Black pawn/);
}));

test("the board flips, and shows western letters and two kanji", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  const before = await cell(page, "9a").boundingBox();
  await page.keyboard.press("f");
  const after = await cell(page, "9a").boundingBox();
  assert.ok(after.y > before.y && after.x > before.x);
  await page.getByRole("button", { name: "Settings" }).click();
  const pawns = (text) => page.locator(`.piece use[href="#glyph-${text.codePointAt(0)}"]`).count();
  await page.getByLabel("Pieces").selectOption("western");
  await poll(async () => (await pawns("P")) === 18, "western letters");
  await page.getByLabel("Pieces").selectOption("two");
  await poll(async () => (await pawns("兵")) === 18, "two kanji");
}));

test("the right button draws an arrow and takes it away", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  for (const count of [1, 0]) {
    const [start, end] = [await cell(page, "7g").boundingBox(), await cell(page, "5e").boundingBox()];
    await page.mouse.move(start.x + 9, start.y + 9);
    await page.mouse.down({ button: "right" });
    await page.mouse.move(end.x + 9, end.y + 9, { steps: 3 });
    await page.mouse.up({ button: "right" });
    await poll(async () => (await page.locator(".arrow.user").count()) === count, `${count} arrows`);
  }
}));

test("a choice of promotion appears at the square", () => onPage({ part: "analyse/start~7g7f.3c3d~2" }, async (page) => {
  await expectLabel(page, "7f", /Black pawn/);
  await expectLabel(page, "8h", /Black bishop/);
  await takeUp(page, "8h");
  await expectLabel(page, "2b", /legal target/);
  await cell(page, "2b").click();
  const dialog = page.getByRole("dialog", { name: "Promote?" });
  const [box, square] = [await dialog.boundingBox(), await cell(page, "2b").boundingBox()];
  assert.ok(Math.abs(box.x + box.width / 2 - square.x) < 140);
  await page.keyboard.press("Enter");
  await expectLabel(page, "2b", /Black horse/);
  await expectLabel(page, "3a", /White silver/);
  await clickMove(page, "3a", "2b");
  await page.getByRole("button", { name: "bishop, 1 in hand" }).click();
  await expectLabel(page, "5e", /legal target/);
  await cell(page, "5e").click();
  await expectLabel(page, "5e", /Black bishop/);
}));

/** A position of the analysis by its SFEN. */
const at = (sfen) => `analyse/${sfen.replaceAll("/", ",").replaceAll(" ", "_")}~~0`;

/** Illegal attempts: the position, the piece in hand or the square that is taken up, where to, what is said, what is marked. */
const ILLEGAL = [
  ["nifu", "lnsgkgsnl/1r5b1/pppp1pppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1", "pawn, 1 in hand", "5e", /nifu/, /二歩/],
  ["uchifuzume", "ln5kl/1p1r1+N3/p1p2p2G/3p4s/2P2Psg1/1+R2S1p2/PP2P4/5S3/LN1GKG2+b b 2Pbnl5p 85", "pawn, 2 in hand", "2b", /uchifuzume/, /打ち歩詰め/],
  ["a piece without a move", "4k4/9/9/9/9/9/9/9/4K4 b N 1", "knight, 1 in hand", "9b", /never move again/, /行き所のない駒/],
  ["a check that is ignored", "4k4/9/9/9/4r4/9/9/9/P3K4 b - 1", "9i", "9h", /in check/, /王手放置/],
  ["a pinned piece", "4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h", "4h", /in check/, /玉が取られ/],
];

for (const [what, sfen, origin, to, english, japanese] of ILLEGAL) {
  test(`${what} is explained in both languages, with the squares that show it`, async () => {
    for (const language of ["en", "ja"]) {
      await onPage({ part: at(sfen), language }, async (page) => {
        const pieces = sfen.split(" ")[0].replace(/[^a-z]/gi, "").length;
        await poll(async () => (await page.locator(".analyse .board .piece").count()) === pieces, "the position");
        if (origin.length === 2) await takeUp(page, origin);
        else await page.locator(".seat.bottom button.held").last().click();
        await page.locator(".tint.chosen, .held.chosen").first().waitFor({ state: "attached" });
        await cell(page, to).click();
        await page.locator(".bubble").waitFor();
        assert.match(await page.locator(".bubble").innerText(), language === "ja" ? japanese : english);
        assert.ok((await page.locator(".tint.warned").count()) > 0, "squares are marked");
      });
    }
  });
}

test("the last move is tinted, and what is legal is shown as dots only where that is wanted", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await clickMove(page, "7g", "7f");
  await poll(async () => (await page.locator(".tint.from, .tint.to").count()) === 2, "the tint of the last move");
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Show legal targets").uncheck();
  await page.keyboard.press("Escape");
  await takeUp(page, "2g");
  await expectLabel(page, "2f", /legal target/);
  assert.equal(await page.locator(".dot").count(), 0);
}));

test("coordinates are shown or not", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  const names = page.locator(".play .board svg").first().locator("g.line-fill use");
  await poll(async () => (await names.count()) === 18, "the names of files and ranks");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Show coordinates").uncheck();
  await poll(async () => (await names.count()) === 0, "no names");
}));

test("pieces move in 120 ms, and at once where less motion is asked for", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  const duration = () => page.evaluate(() => getComputedStyle(document.querySelector(".piece")).transitionDuration);
  assert.equal(await duration(), "0.12s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await duration(), "0s");
}));

test("a lifted piece follows the pointer with a shadow", () => onPage({}, async (page) => {
  await ready(page, "7g");
  const box = await cell(page, "7g").boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y - 60, { steps: 4 });
  assert.match(await page.evaluate(() => getComputedStyle(document.querySelector(".ghost")).filter), /drop-shadow/);
  assert.equal(await page.locator(".piece.lifted").count(), 1);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.equal(await page.locator(".ghost").count(), 0);
}));

for (const [language, said] of [["en", /P-7f/], ["ja", /▲７六歩/]]) {
  test(`a screen reader hears the moves, in ${language}`, () => onPage({ language }, async (page) => {
    await expectLabel(page, "7g", language === "ja" ? /歩/ : /pawn/);
    await page.evaluate(() => {
      window.said = [];
      const box = document.getElementById("announcer");
      new MutationObserver(() => window.said.push(box.textContent)).observe(box, { childList: true, characterData: true, subtree: true });
    });
    await clickMove(page, "7g", "7f");
    await poll(async () => (await page.evaluate(() => window.said)).some((text) => said.test(text)), "the move to be announced");
    await poll(async () => (await page.evaluate(() => window.said)).some((text) => (language === "ja" ? /^△/ : /^[PNLSGBRK]/).test(text) && !said.test(text)), "the answer to be announced");
  }));
}

test("an arrow of one's own is drawn by keys, and by a finger that rests", async () => {
  await onPage({}, async (page) => {
    await expectLabel(page, "7g", /Black pawn/);
    await page.locator(".cell[tabindex='0']").focus();
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Shift+Enter");
    assert.equal(await page.locator(".arrow.user").count(), 1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".arrow.user").count(), 1, "Escape lets it be");
  });
  await onPage({ size: PHONE }, async (page) => {
    await expectLabel(page, "7g", /Black pawn/);
    const touch = await page.context().newCDPSession(page);
    const middle = async (square) => {
      const box = await cell(page, square).boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const [from, to] = [await middle("7g"), await middle("5e")];
    const send = (type, touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", [from]);
    // The finger rests until the ring on its square is drawn.
    await page.locator(".arrow.user").waitFor({ state: "attached" });
    await send("touchMove", [{ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }]);
    await send("touchMove", [to]);
    await send("touchEnd", []);
    await poll(async () => (await page.locator(".arrow.user path").count()) === 1, "the arrow");
    await expectLabel(page, "7g", /Black pawn/);
    assert.equal(await page.locator(".tint.chosen").count(), 0);
  });
});
