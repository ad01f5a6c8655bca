// Analysis.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, clickMove, expectLabel, onPage, panel, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

for (const [language, size, name] of [["ja", undefined, "desktop"], ["en", PHONE, "phone"]]) {
  test(`it opens with a game and its graph, in ${language} on a ${name}`, () => onPage({ part: "analyse", language, ...(size ? { size } : {}) }, async (page) => {
    await page.locator(".graph .black-area").waitFor();
    assert.ok((await page.locator(".analyse .move").count()) > 90);
    await panel(page, language === "ja" ? "エンジン" : "Engine");
    await page.getByRole("button", { name: language === "ja" ? "検討開始" : "Start analysis" }).click();
    await page.locator(".lines li").first().waitFor();
    await screenshot(page, `analyse-${name}-${language}`);
    assert.match(await page.locator(".line-value").first().innerText(), /互角|有利|優勢|勝勢|勝ち|Even|better|winning|mates/);
    await page.getByRole("button", { name: language === "ja" ? "停止" : "Stop" }).first().click();
  }));
}

test("a record is pasted, a variation is played, and both survive a reload", () => onPage({ part: "analyse" }, async (page) => {
  await page.locator(".graph .black-area").waitFor();
  await page.getByRole("button", { name: "Paste" }).click();
  await page.getByRole("textbox", { name: "Record" }).fill("position startpos moves 7g7f 3c3d 2g2f");
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await poll(async () => (await page.locator(".analyse .move:not(.wide)").count()) === 3, "three moves");
  await expectLabel(page, "7g", /Black pawn/);
  await clickMove(page, "2g", "2f");
  await page.locator(".variation .move").waitFor();
  await page.reload();
  await page.locator(".variation .move").waitFor();
  await page.keyboard.press("Home");
  await expectLabel(page, "2g", /Black pawn/);
}));

test("a bad record is refused with its reason", () => onPage({ part: "analyse" }, async (page) => {
  await page.locator(".graph .black-area").waitFor();
  await page.getByRole("button", { name: "Paste" }).click();
  await page.getByRole("textbox", { name: "Record" }).fill("this is no record");
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await poll(async () => /cannot be read/.test(await page.getByRole("alert").innerText()), "the reason");
}));

test("the whole game is analysed, and its parts are explained", () => onPage({ part: "analyse/start~7g7f.3c3d.2g2f.8c8d~0" }, async (page) => {
  await poll(async () => (await page.locator(".analyse .move:not(.wide)").count()) === 4, "four moves");
  await page.getByRole("button", { name: "Analyse the game" }).click();
  await page.locator(".graph .black-area").waitFor();
  await page.getByRole("button", { name: "What the evaluation sees" }).click();
  await page.locator(".explain .sum").waitFor();
}));

test("the editor sets a position up", () => onPage({ part: "analyse" }, async (page) => {
  await page.locator(".graph .black-area").waitFor();
  await page.getByRole("button", { name: "Edit position" }).click();
  await page.getByRole("button", { name: "Starting position" }).click();
  await page.getByRole("button", { name: "Erase" }).click();
  await page.locator(".cell[data-square='8h']").click();
  await page.getByRole("button", { name: "Done" }).click();
  await expectLabel(page, "8h", /empty/);
  await expectLabel(page, "7g", /Black pawn/);
}));
