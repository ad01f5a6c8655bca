// The program in WebAssembly gives bit for bit what the native program gives, never breaks down by
// its stack, and speaks USI as ShogiHome expects. Needs neither browser nor server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const SITE = process.env.YOMIKIRI_SITE ?? "";
const NATIVE = process.env.YOMIKIRI_MEASURE ?? "";
const skip = SITE && NATIVE ? false : "set YOMIKIRI_SITE and YOMIKIRI_MEASURE";
const SIGNATURES = readFileSync(new URL("../../../bench/signature.txt", import.meta.url), "utf8");
const EVALUATIONS = ["network", "linear", "king-danger", "material"];
const POSITIONS = 2000;

async function program(emit) {
  const { Program } = await import(pathToFileURL(join(SITE, "wasm.js")).href);
  return new Program(new WebAssembly.Module(readFileSync(join(SITE, "yomikiri.wasm"))), emit);
}

/** The figures of the native program. */
function native(ask) {
  const folder = mkdtempSync(join(tmpdir(), "yomikiri-"));
  const file = join(folder, "ask.json");
  writeFileSync(file, JSON.stringify(ask));
  return JSON.parse(execFileSync(NATIVE, [`@${file}`], { encoding: "utf8", maxBuffer: 1 << 28 }).split("\n")[0]);
}

/** The figures of both programs for one question. */
async function both(ask) {
  let wasm = "";
  const { FIGURES } = await import(pathToFileURL(join(SITE, "wasm.js")).href);
  (await program((kind, text) => {
    assert.equal(kind, FIGURES, text);
    wasm = text;
  })).call("figures", JSON.stringify(ask));
  return [JSON.parse(wasm), native(ask)];
}

/** Bytes of stack that a recursion may use in a browser (`proof::limits`): with them both programs have the same limits. */
const STACK = 1536 << 10;
/** A line that does not fit there is given up. */
const DEEP = "Unknown(Limit(Depth))";

/** Solves problems with both programs under the same limits; and by the native one as it is, which may only know more. */
async function solveBoth(problems) {
  const [wasm, same] = await both({ kind: "mates", problems, stack: STACK });
  assert.deepEqual(wasm, same);
  const free = native({ kind: "mates", problems });
  const differing = wasm.map((found, index) => [found, free[index]]).filter(([found, other]) => JSON.stringify(found) !== JSON.stringify(other));
  assert.deepEqual(differing.filter(([found]) => found.verdict !== DEEP), [], "nothing but the depth of the stack makes a difference");
  const count = (verdict) => wasm.filter((found) => found.verdict.startsWith(verdict)).length;
  console.log(`${wasm.length} problems the same: ${["Mate", "NoMate", "Unknown"].map((verdict) => `${count(verdict)} ${verdict}`).join(", ")}; `
    + `${differing.length} deeper than the stack of a browser`);
  return wasm;
}

for (const evaluation of EVALUATIONS) {
  test(`the bench positions: nodes, values and lines with ${evaluation}`, { skip }, async () => {
    const [wasm, native] = await both({ kind: "bench", depth: 10, evaluation });
    assert.equal(wasm.length, 8);
    assert.ok(wasm.every((search) => search.nodes > 1000));
    assert.deepEqual(wasm, native);
    // The first is the engine's own.
    const nodes = wasm.reduce((sum, search) => sum + search.nodes, 0);
    if (evaluation === EVALUATIONS[0]) assert.match(SIGNATURES, new RegExp(`^search ${nodes}$`, "m"));
  });
}

test("the nodes of mate and capture problems are those of bench/signature.txt", { skip }, async () => {
  const [wasm, native] = await both({ kind: "signatures" });
  assert.deepEqual(wasm, native);
  for (const [name, nodes] of Object.entries(wasm)) assert.match(SIGNATURES, new RegExp(`^${name} ${nodes}$`, "m"));
});

test("the fixed mate problems: each one's answer, length, line and nodes", { skip }, async () => {
  const [wasm, native] = await both({ kind: "mates" });
  assert.equal(wasm.length, 20);
  assert.deepEqual(wasm, native);
  const nodes = wasm.reduce((sum, found) => sum + found.nodes, 0);
  assert.match(SIGNATURES, new RegExp(`^tsume ${nodes}$`, "m"));
});

/** A carried set: each row's position, and what stands beside it. */
function carried(name) {
  const lines = readFileSync(new URL(`../../../data/tsume/${name}.tsv`, import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));
}

test("every problem of the mined set: answer, length, line and nodes", { skip }, async () => {
  const rows = carried("mined");
  const wasm = await solveBoth(rows.map(([sfen]) => sfen));
  assert.equal(wasm.length, rows.length);
  const solved = rows.filter(([, result, length], index) => result === "mate" && wasm[index].verdict === "Mate"
    && wasm[index].length.every((plies) => plies === Number(length)));
  const mates = rows.filter(([, result]) => result === "mate").length;
  // The rest has bounds at this effort.
  assert.ok(rows.length > 400 && solved.length > 0.8 * mates, `${solved.length} of ${mates} mates`);
  const wrong = rows.filter(([, result], index) => result !== "mate" && wasm[index].verdict === "Mate");
  assert.deepEqual(wrong, []);
});

for (const name of ["zukou_odd", "musou_odd"]) {
  test(`every problem of the classics: ${name}`, { skip }, async () => {
    const problems = carried(name).map((cells) => cells.find((cell) => / [bw] /.test(cell)));
    assert.ok(problems.length > 40 && (await solveBoth(problems)).length === problems.length);
  });
}

for (const evaluation of EVALUATIONS) {
  test(`${POSITIONS} positions along random games, followed and afresh: ${evaluation}`, { skip }, async () => {
    const [wasm, native] = await both({ kind: "evaluate", positions: POSITIONS, seed: 26, evaluation });
    assert.equal(wasm.length, POSITIONS, JSON.stringify(wasm).slice(0, 200));
    assert.ok(new Set(wasm).size > 100, "the values differ");
    assert.deepEqual(wasm, native);
  });
}

/** What an order of the session comes to, carried out by a second instance. */
async function ask(asked) {
  const { OUT, FINISHED, EVENT } = await import(pathToFileURL(join(SITE, "wasm.js")).href);
  const outs = [];
  const news = [];
  const holder = await program((kind, text) => outs.push([kind, text]));
  holder.exports.hold(1);
  const receive = (input) => holder.call("receive", JSON.stringify(input));
  receive({ kind: "page", text: JSON.stringify({ id: 1, kind: "open", version: 1 }) });
  receive({ kind: "page", text: JSON.stringify({ id: 2, ...asked }) });
  const orders = outs.map(([kind, text]) => (assert.equal(kind, OUT, text), JSON.parse(text))).filter((out) => out.kind === "order");
  const searcher = await program((kind, text) => {
    assert.ok(kind === EVENT || kind === FINISHED, text);
    news.push({ kind: kind === EVENT ? "event" : "finished", text });
  });
  for (const order of orders) searcher.call("search", order.text);
  outs.length = 0;
  news.forEach(receive);
  return outs.map(([, text]) => JSON.parse(JSON.parse(text).text)).at(-1).event;
}

test("a mate deeper than the stack is unknown, and nothing breaks down", { skip }, async () => {
  // Kings that are chased for hundreds of plies: the longest classics of the collections.
  const problems = readFileSync(new URL("../../../data/tsume/zukou_odd.tsv", import.meta.url), "utf8").split("\n");
  const longest = problems.filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"))
    .map((cells) => ({ sfen: cells.find((cell) => / [bw] /.test(cell)), plies: Math.max(...cells.map(Number).filter(Number.isFinite)) }))
    .filter((problem) => problem.sfen).sort((a, b) => b.plies - a.plies).slice(0, 3);
  assert.ok(longest.length === 3);
  for (const { sfen } of longest) {
    const event = await ask({ kind: "solve-mate", at: { sfen }, nodes: 200000 });
    assert.ok(event.kind === "mate" && ["mate", "unknown"].includes(event.verdict), JSON.stringify(event).slice(0, 300));
  }
});

for (const shares of [true, false]) {
  test(`an engine as ShogiHome drives it, ${shares ? "with" : "without"} shared memory`, { skip }, () => drive(shares));
}

async function drive(shares) {
  const folder = join(SITE, "shogihome/yomikiri");
  const manifest = JSON.parse(readFileSync(join(folder, "engine.json"), "utf8"));
  const { default: create } = await import(pathToFileURL(join(folder, manifest.module)).href);
  const engine = await create({ shares, locateFile: (path) => pathToFileURL(join(folder, path)).href });
  const lines = [];
  const waiting = [];
  engine.addMessageListener((line) => {
    lines.push(line);
    for (const [index, [pattern, resolve]] of [...waiting.entries()].reverse()) {
      if (pattern.test(line)) waiting.splice(index, 1), resolve(line);
    }
  });
  const answer = (command, pattern) => new Promise((resolve) => {
    waiting.push([pattern, resolve]);
    engine.postMessage(command);
  });
  await answer("usi", /^usiok/);
  assert.equal(lines[0], `id name ${manifest.name}`);
  const declared = lines.filter((line) => line.startsWith("option")).map((line) => /name (\S+) type (\S+)/.exec(line)?.slice(1));
  assert.deepEqual(manifest.options.map((option) => [option.name, option.type]), declared);
  for (const preset of manifest.presets) {
    for (const [name, value] of Object.entries(preset.values ?? {})) engine.postMessage(`setoption name ${name} value ${value}`);
  }
  engine.postMessage("setoption name Level value 15");
  engine.postMessage("setoption name USI_OwnBook value false");
  await answer("isready", /^readyok/);
  engine.postMessage("position startpos moves 7g7f");
  assert.match(await answer("go nodes 2000", /^bestmove/), /^bestmove \d[a-i]\d[a-i]/);
  engine.postMessage("go infinite");
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(!lines.slice(-1)[0].startsWith("bestmove") || lines.filter((line) => line.startsWith("bestmove")).length === 1);
  assert.match(await answer("stop", /^bestmove/), /^bestmove \d[a-i]\d[a-i]/);
  engine.postMessage("go ponder btime 1000 wtime 1000 byoyomi 100");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.match(await answer("ponderhit", /^bestmove/), /^bestmove \d[a-i]\d[a-i]/);
  engine.postMessage("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
  assert.equal(await answer("go mate infinite", /^checkmate/), "checkmate G*5b");
  engine.postMessage("position startpos");
  engine.postMessage("go infinite");
  await new Promise((resolve) => setTimeout(resolve, 200));
  const said = lines.length;
  engine.postMessage("quit");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(lines.length, said, "nothing is said after quit");
}
