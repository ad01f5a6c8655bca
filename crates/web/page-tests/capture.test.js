// Go captures, the reports and the practice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, onPage, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

for (const [language, size, name] of [["ja", undefined, "desktop"], ["en", PHONE, "phone"]]) {
  test(`a ladder is solved and played out, in ${language} on a ${name}`, () => onPage({ part: "capture", language, ...(size ? { size } : {}) }, async (page) => {
    await page.locator(".go-number-back").first().waitFor();
    await page.getByRole("button", { name: language === "ja" ? "取れるか調べる" : "Can it be taken?" }).click();
    await page.locator(".capture .verdict").waitFor({ timeout: 60000 });
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
    await screenshot(page, `laboratory-${name}-${language}`);
  }));
}

test("stones are set, taken away, and made the target by keys", () => onPage({ part: "capture" }, async (page) => {
  await page.locator(".go-number-back").first().waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "White", exact: true }).click();
  await page.locator(".go-cells .cell[tabindex='0']").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".go-stone.white").count(), 1);
  await page.keyboard.press("Enter");
  await page.locator(".go-target").waitFor();
  await page.keyboard.press("Shift+Enter");
  assert.equal(await page.locator(".go-stone").count(), 0);
}));
