// Mate problems.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, onPage, panel, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

const PROBLEM = "mate/position/7nl,5B1k1,6Ppp,5+R3,9,9,9,9,9_b_GSr3g3s3n3lb15p_1";

for (const [language, size, name] of [["ja", undefined, "desktop"], ["en", PHONE, "phone"]]) {
  test(`a problem is solved, with its verdict and proof tree, in ${language} on a ${name}`, () => onPage({ part: PROBLEM, language, ...(size ? { size } : {}) }, async (page) => {
    await poll(async () => (await page.locator(".piece").count()) === 8, "the problem");
    await panel(page, language === "ja" ? "正解手順" : "Solution");
    await page.getByRole("button", { name: language === "ja" ? "解かせる" : "Let it solve" }).last().click();
    await page.locator(".verdict.mate").waitFor({ timeout: 30000 });
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
    await page.locator(".ruling").waitFor({ timeout: 60000 });
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
  await page.locator(".ruling").waitFor({ timeout: 60000 });
  assert.match(await page.locator(".ruling").innerText(), /^Sound/);
  assert.match(await page.locator(".mate .facts").last().innerText(), /5 pieces/);
  assert.equal(await page.locator(".faults button").count(), 0);
  await page.evaluate((part) => (location.hash = part), FLAWED);
  await poll(async () => (await page.locator(".piece").count()) === 3, "the flawed problem");
  await page.getByRole("button", { name: "Judge it as a composition" }).click();
  await page.locator(".faults button").first().waitFor({ timeout: 60000 });
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
  await page.locator(".verdict.mate").waitFor({ timeout: 30000 });
  await page.keyboard.press("ArrowRight");
  await page.locator(".solution [aria-current]").waitFor();
  await page.keyboard.press("End");
  await poll(async () => (await page.locator(".solution button").last().getAttribute("aria-current")) === "step", "the last move");
}));

test("a hint shows the attacker's move, and the answer stays hidden", () => onPage({ part: PROBLEM }, async (page) => {
  await page.getByRole("button", { name: "Solve it yourself" }).click();
  await poll(async () => /Find the attacker/.test(await page.locator(".mate .status").innerText()), "the problem to be ready", 30000);
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
