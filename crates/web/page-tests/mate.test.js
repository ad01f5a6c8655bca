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
