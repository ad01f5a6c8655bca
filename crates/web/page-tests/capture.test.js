// Go captures, the reports and the practice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENCE, PHONE, dropFile, onPage, openFile, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

for (const [language, size, name] of [["ja", undefined, "desktop"], ["en", PHONE, "phone"]]) {
  test(`a ladder is solved and played out, in ${language} on a ${name}`, () => onPage({ part: "capture", language, ...(size ? { size } : {}) }, async (page) => {
    await page.locator(".go-number-back").first().waitFor();
    await page.getByRole("button", { name: language === "ja" ? "取れるか調べる" : "Can it be taken?" }).click();
    await page.locator(".capture .verdict").waitFor({ timeout: 3 * PATIENCE });
    assert.match(await page.locator(".capture .verdict").innerText(), /取れます|can be taken/);
    await page.keyboard.press("End");
    await screenshot(page, `capture-${name}-${language}`);
  }));
  test(`the practice and the reports open, in ${language} on a ${name}`, () => onPage({ part: "subject", language, ...(size ? { size } : {}) }, async (page) => {
    await poll(async () => (await page.locator(".piece").count()) > 2, "a position");
    await screenshot(page, `subject-${name}-${language}`);
    await page.evaluate(() => (location.hash = "#laboratory"));
    await page.locator(".papers h3").first().waitFor();
    assert.ok((await page.locator(".papers > li").count()) >= 6);
    for (const claims of await page.locator(".papers summary").all()) await claims.click();
    const claims = await page.locator(".claims tbody th").allInnerTexts();
    assert.ok(claims.length > 30, `${claims.length} claims`);
    if (language === "ja") {
      assert.deepEqual(claims.filter((claim) => !/[ぁ-ヿ]/.test(claim)), [], "claims that are not in Japanese");
      const titles = await page.locator(".papers h3, .papers h3 + p").allInnerTexts();
      assert.deepEqual(titles.filter((text) => !/[ぁ-ヿ]/.test(text)), [], "titles that are not in Japanese");
    }
    await screenshot(page, `laboratory-${name}-${language}`);
  }));
}

test("stones are set, taken away, and made the target by keys", () => onPage({ part: "capture" }, async (page) => {
  await page.locator(".go-number-back").first().waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "White", exact: true }).click();
  await page.locator(".go-cells .cell[tabindex='0']").focus();
  await page.keyboard.press("Enter");
  await poll(async () => (await page.locator(".go-stone.white").count()) === 1, "the stone");
  await page.keyboard.press("Enter");
  await page.locator(".go-target").waitFor();
  await page.keyboard.press("Shift+Enter");
  await poll(async () => (await page.locator(".go-stone").count()) === 0, "an empty board");
}));

const SGF = "(;GM[1]SZ[9]AB[dd][de][ed]AW[ee];B[ef])";

test("a game is opened and dropped, its block is marked and its candidates are numbered", () => onPage({ part: "capture" }, async (page) => {
  await page.locator(".go-number-back").first().waitFor();
  await openFile(page, page.getByRole("button", { name: "Open SGF" }), "game.sgf", Buffer.from(SGF));
  await poll(async () => (await page.locator(".go-stone").count()) === 5, "the stones of the file");
  assert.equal(await page.locator(".go-target").count(), 0);
  await page.locator(".go-cells .cell[aria-label^='E5']").click();
  await page.locator(".go-target").waitFor();
  await page.locator(".go-number-back").first().waitFor();
  await dropFile(page, "other.sgf", Buffer.from("(;GM[1]SZ[9]AB[aa]AW[bb][cc])"));
  await poll(async () => (await page.locator(".go-stone").count()) === 3, "the stones of the other file");
}));

for (const [moves, width] of [["zones", "5"], ["all", "3"], ["all", "all"]]) {
  test(`a block escapes by its ladder breaker: ${moves}, width ${width}`, () => onPage({ part: "capture" }, async (page) => {
    await page.locator(".go-number-back").first().waitFor();
    await page.getByRole("button", { name: "Ladder breaker" }).click();
    await page.getByLabel("Widening").selectOption(width);
    await page.getByLabel("Moves that are read").selectOption(moves);
    await page.getByRole("button", { name: "Can it be taken?" }).click();
    await page.locator(".capture .verdict").waitFor({ timeout: 3 * PATIENCE });
    assert.match(await page.locator(".capture .verdict").innerText(), /It escapes/);
    assert.match(await page.locator(".capture .facts").innerText(), /checked through \d+ positions/);
  }));
}

test("the defender moves first, candidates alone are no proof, and the line is walked", () => onPage({ part: "capture" }, async (page) => {
  await page.locator(".go-number-back").first().waitFor();
  await page.getByRole("button", { name: "Net" }).click();
  await page.getByRole("button", { name: "Can it be taken?" }).click();
  await page.locator(".capture .verdict").waitFor({ timeout: 3 * PATIENCE });
  assert.match(await page.locator(".capture .verdict").innerText(), /can be taken/);
  assert.match(await page.locator(".capture .facts").innerText(), /checked/);
  const line = page.locator(".capture .line-moves button");
  assert.ok((await line.count()) > 0, "a line");
  await line.first().hover();
  await page.locator(".preview svg").waitFor();
  await line.first().click();
  await poll(async () => (await page.locator(".go-step").count()) === 1, "the first step");
  await page.getByLabel("Moves that are read").selectOption("candidates");
  await page.getByLabel("First to move").selectOption("defender");
  await poll(async () => (await page.locator(".capture .verdict").count()) === 0, "what was found out to be given up");
  await page.getByRole("button", { name: "Can it be taken?" }).click();
  await page.locator(".capture .verdict").waitFor({ timeout: 3 * PATIENCE });
  assert.match(await page.locator(".capture .verdict").innerText(), /escapes/);
  assert.doesNotMatch(await page.locator(".capture .facts").innerText(), /checked/);
}));
