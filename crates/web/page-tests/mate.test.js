// Mate problems.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { PATIENCE, PHONE, cell, dropFile, expectLabel, onPage, panel, poll, position, saved, screenshot, takeUp, withBrowser } from "./helpers.js";

withBrowser();

/** For a solver in WebAssembly that shares a slow core. */
const LONG = 3 * PATIENCE;
const PROBLEM = "mate/position/7nl,5B1k1,6Ppp,5+R3,9,9,9,9,9_b_GSr3g3s3n3lb15p_1";

for (const [language, size, name] of [["ja", undefined, "desktop"], ["en", PHONE, "phone"]]) {
  test(`a problem is solved, with its verdict and proof tree, in ${language} on a ${name}`, () => onPage({ part: PROBLEM, language, ...(size ? { size } : {}) }, async (page) => {
    await poll(async () => (await page.locator(".piece").count()) === 8, "the problem");
    await panel(page, language === "ja" ? "正解手順" : "Solution");
    await page.getByRole("button", { name: language === "ja" ? "解かせる" : "Let it solve" }).last().click();
    await page.locator(".verdict.mate").waitFor({ timeout: LONG });
    assert.match(await page.locator(".verdict").innerText(), language === "ja" ? /手詰/ : /Mate in/);
    await screenshot(page, `mate-${name}-${language}`);
    await panel(page, language === "ja" ? "証明木" : "Proof tree");
    await page.locator(".proof-tree li").first().waitFor();
  }));
}

/** The bishop mates from the first move as well: a fault that leads to its position. */
const COOKED = PROBLEM;
/** A gold mates on two squares: of a last move that is a flaw only. */
const FLAWED = "mate/position/4k4,9,3GP4,9,9,9,9,9,9_b_G2r2b2g4s4n4l17p_1";

for (const [language, size, name] of [["ja", PHONE, "phone"], ["en", undefined, "desktop"]]) {
  test(`the composer's verdict, its faults and where they are, in ${language} on a ${name}`, () => onPage({ part: COOKED, language, ...(size ? { size } : {}) }, async (page) => {
    await poll(async () => (await page.locator(".piece").count()) === 8, "the problem");
    await panel(page, language === "ja" ? "正解手順" : "Solution");
    await page.getByRole("button", { name: language === "ja" ? "作品として判定" : "Judge it as a composition" }).click();
    await page.locator(".ruling").waitFor({ timeout: LONG });
    assert.match(await page.locator(".ruling").innerText(), language === "ja" ? /^不完全作/ : /^Faulty/);
    const faults = page.locator(".faults button");
    assert.ok((await faults.count()) > 0, "a fault is listed");
    await faults.first().click();
    await poll(async () => (await page.locator(".tint.to").count()) === 1, "the move of the fault on the board");
    await screenshot(page, `verdict-${name}-${language}`);
  }));
}

test("a sound problem is called sound, and one with a flaw too", () => onPage({ part: "mate/position/7p1,8k,9,7S1,9,9,9,9,9_b_SN2r2b4g2s3n4l17p_1" }, async (page) => {
  await poll(async () => (await page.locator(".piece").count()) === 3, "the problem");
  await page.getByRole("button", { name: "Judge it as a composition" }).click();
  await page.locator(".ruling").waitFor({ timeout: LONG });
  assert.match(await page.locator(".ruling").innerText(), /^Sound/);
  assert.match(await page.locator(".mate .facts").last().innerText(), /5 pieces/);
  assert.equal(await page.locator(".faults button").count(), 0);
  await page.evaluate((part) => (location.hash = part), FLAWED);
  await expectLabel(page, "5c", /Black pawn/);
  await poll(async () => (await page.locator(".ruling").count()) === 0, "the flawed problem");
  await page.getByRole("button", { name: "Judge it as a composition" }).click();
  await page.locator(".faults button").first().waitFor({ timeout: LONG });
  assert.match(await page.locator(".ruling").innerText(), /^Sound/);
}));

test("the editor gives the rest of the pieces to the defender", () => onPage({ part: COOKED }, async (page) => {
  await page.getByRole("button", { name: "Edit position" }).click();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "White king" }).click();
  await page.locator(".cell[data-square='5a']").click();
  await page.getByRole("button", { name: "Black rook" }).click();
  await page.locator(".cell[data-square='1i']").click();
  await page.getByRole("button", { name: "Done" }).click();
  await poll(async () => /4 in hand/.test((await page.locator(".seat.top .hand").innerHTML())), "the defender's hand");
}));

test("the solution is walked by keys", () => onPage({ part: PROBLEM }, async (page) => {
  await page.getByRole("button", { name: "Let it solve" }).last().click();
  await page.locator(".verdict.mate").waitFor({ timeout: LONG });
  await page.keyboard.press("ArrowRight");
  await page.locator(".solution [aria-current]").waitFor();
  await page.keyboard.press("End");
  await poll(async () => (await page.locator(".solution button").last().getAttribute("aria-current")) === "step", "the last move");
}));

test("a hint shows the attacker's move, and the answer stays hidden", () => onPage({ part: PROBLEM }, async (page) => {
  await page.getByRole("button", { name: "Solve it yourself" }).click();
  await poll(async () => /Find the attacker/.test(await page.locator(".mate .status").innerText()), "the problem to be ready", LONG);
  assert.equal(await page.locator(".verdict").count(), 0);
  await page.keyboard.press("h");
  await page.locator(".arrow.engine").waitFor({ state: "attached" });
}));

test("collections open at a problem of their own", () => onPage({ part: "mate" }, async (page) => {
  await poll(async () => (await page.locator(".piece").count()) > 2, "a problem");
  const chosen = page.getByRole("combobox", { name: "Problem", exact: true });
  const name = await chosen.inputValue();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await poll(async () => (await chosen.inputValue()) !== name, "the next problem");
}));

/** The moves as they are written in USI, so that a hint can be played. */
async function inUsi(page) {
  await page.evaluate(() => localStorage.setItem("yomikiri.settings", JSON.stringify({ notation: "usi" })));
  await page.reload();
}

/** Plays a move in USI by clicks. */
async function playUsi(page, usi) {
  const drop = usi[1] === "*";
  if (drop) await page.locator(`.hand [data-kind="${usi[0]}"]`).click();
  else await takeUp(page, usi.slice(0, 2));
  await cell(page, usi.slice(2, 4)).click();
  const choice = page.getByRole("dialog", { name: "Promote?" });
  if (await choice.isVisible()) await choice.getByRole("button", { name: usi.endsWith("+") ? "Promote" : "Don't promote", exact: true }).click();
}

test("the proof tree is walked, with every defence below its move", () => onPage({ part: "mate" }, async (page) => {
  await poll(async () => (await page.locator(".mate .board .piece").count()) > 2, "a problem");
  await page.getByRole("button", { name: "Let it solve" }).last().click();
  await page.locator(".verdict.mate").waitFor({ timeout: LONG });
  const tree = page.locator(".proof-tree");
  await poll(async () => (await tree.locator("li").count()) > 2, "the tree");
  const sfen = await page.locator(".mate .board .piece").count();
  await tree.locator("li > button:not(.twist)").nth(1).click();
  await poll(async () => (await page.locator(".tint.to").count()) === 1, "the position of the move");
  assert.ok(sfen > 0 && (await tree.locator("[aria-current='step']").count()) === 1);
  // Every closed branch opens.
  const closed = tree.locator(".twist[aria-expanded='false']").first();
  await closed.click();
  await poll(async () => (await tree.locator(".twist[aria-expanded='true']").count()) > 0, "an open branch");
  assert.match(await tree.innerText(), /to go|mate/);
  await page.getByRole("button", { name: "Check the proof again" }).click();
  await poll(async () => /The proof stands/.test(await page.locator(".part.mate").innerText()), "the check");
}));

test("the proof is saved as a file, and the solution as a record", () => onPage({ part: PROBLEM }, async (page) => {
  await page.getByRole("button", { name: "Let it solve" }).last().click();
  await page.locator(".verdict.mate").waitFor({ timeout: LONG });
  for (const [format, pattern] of [["proof", /yomikiri-mate-proof/], ["kifu", /手数/]]) {
    await page.locator(".part.mate").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByLabel("Format").selectOption(format);
    assert.match(String(await saved(page, page.getByRole("dialog").getByRole("button", { name: "Save" }))), pattern);
  }
}));

test("one defends against the proof until mate", () => onPage({ part: PROBLEM }, async (page) => {
  await page.getByRole("button", { name: "Defend" }).click();
  const status = page.locator(".mate .status");
  await poll(async () => /Choose a defence/.test(await status.innerText()), "the first attack", LONG);
  const target = page.locator(".cell[aria-label*='legal target']");
  for (let defences = 0; defences < 20 && !/Your king held out for \d+/.test(await status.innerText()); defences++) {
    const before = await position(page);
    // Any defence will do: whichever piece has a move, on the board or in hand.
    const pieces = page.locator(".cell[aria-label*='White'], .seat.top button.held");
    await poll(async () => {
      for (let at = 0; at < (await pieces.count()) && !(await target.count()); at++) await pieces.nth(at).click();
      return (await target.count()) > 0;
    }, "a defence");
    await target.first().click();
    const dont = page.getByRole("button", { name: "Don't promote", exact: true });
    if (await dont.isVisible()) await dont.click();
    // Both moves come into view together.
    await poll(async () => (await position(page)) !== before, "the attacker's answer");
  }
  assert.match(await status.innerText(), /Mate\. Your king held out for \d+/);
}));

test("a wrong move is refuted, hints lead to the mate, and progress is kept", () => onPage({ part: "mate" }, async (page) => {
  await inUsi(page);
  await poll(async () => (await page.locator(".piece").count()) > 2, "a problem");
  const kept = () => page.locator(".mate .panel").first().innerText();
  assert.match(await kept(), /0 of \d+ solved/);
  await page.getByRole("button", { name: "Solve it yourself" }).click();
  const status = page.locator(".mate .status");
  await poll(async () => /Find the attacker/.test(await status.innerText()), "the problem to be ready", LONG);
  for (let move = 0; move < 12 && !/Solved/.test(await status.innerText()); move++) {
    await page.keyboard.press("h");
    await poll(async () => /at most \d+ to go/.test(await status.innerText()), "a hint");
    const [usi = ""] = (await status.innerText()).split(" ");
    await playUsi(page, usi);
    await poll(async () => /Go on|Solved/.test(await status.innerText()), `the answer to ${usi}`);
  }
  assert.match(await status.innerText(), /Solved/);
  assert.match(await kept(), /1 of \d+ solved/);
  await page.reload();
  await poll(async () => /1 of \d+ solved/.test(await kept()), "the progress after a reload");
  await page.evaluate(() => localStorage.removeItem("yomikiri.solved"));
  await page.reload();
  await poll(async () => /1 of \d+ solved/.test(await kept()), "the progress that the session kept");
}));

test("a move that gives no check and one that does not mate are told", () => onPage({ part: "mate/position/8k,9,6+R2,9,9,9,9,9,9_b_Sr2b4g3s4n4l18p_1" }, async (page) => {
  await poll(async () => (await page.locator(".piece").count()) === 2, "the problem");
  await page.getByRole("button", { name: "Solve it yourself" }).click();
  const status = page.locator(".mate .status");
  await poll(async () => /Find the attacker/.test(await status.innerText()), "the problem to be ready", LONG);
  await playUsi(page, "3c4c");
  await poll(async () => /no check/.test(await status.innerText()), "no check");
  await expectLabel(page, "3c", /dragon/);
  await playUsi(page, "3c3a");
  await poll(async () => /does not mate/.test(await status.innerText()), "the refutation");
}));

test("a problem with no mate is told so, and a running search can be stopped", () => onPage({ part: "mate/position/4k4,9,9,9,9,9,9,9,9_b_P2r2b4g4s4n4l17p_1" }, async (page) => {
  await poll(async () => (await page.locator(".piece").count()) === 1, "the problem");
  await page.getByRole("button", { name: "Let it solve" }).last().click();
  await page.locator(".verdict.no-mate").waitFor({ timeout: LONG });
  await page.evaluate(() => (location.hash = "#mate/position/9,9,9,9,4k4,9,9,9,9_b_2R2B4G4S4N4L18P_1"));
  await poll(async () => (await page.locator(".verdict").count()) === 0, "the other problem");
  await page.getByRole("button", { name: "Let it solve" }).last().click();
  await page.locator(".proof-graph path").first().waitFor({ state: "attached" });
  assert.match(await page.locator(".mate .after").filter({ has: page.locator(".proof-graph") }).last().innerText(), /nodes .* s[^]*proof number/);
  const began = Date.now();
  await page.getByRole("button", { name: "Stop" }).click();
  await poll(async () => (await page.locator(".proof-graph").count()) === 0, "the end of the search", 2000);
  console.log(`a search for a mate was stopped within ${Date.now() - began} ms`);
}));

test("a file in Shift-JIS is dropped as a problem", () => onPage({ part: "mate" }, async (page) => {
  await poll(async () => (await page.locator(".piece").count()) > 2, "a problem");
  const lines = ["手合割：平手", "手数----指手---------消費時間--", "   1 ７六歩(77)"].join("\n");
  const bytes = execFileSync("iconv", ["-f", "UTF-8", "-t", "CP932"], { input: lines });
  await dropFile(page, "game.kif", bytes);
  await poll(async () => (await page.locator(".piece").count()) === 40, "the position of the file");
}));
