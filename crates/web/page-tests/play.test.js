// Games against the engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, clickMove, expectLabel, onPage, panel, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

const moves = (page) => page.locator(".play .move:not(.wide)").count();

async function oneMove(page) {
  await poll(async () => (await page.locator(".cell[data-square='7g']").count()) === 1, "the board");
  await clickMove(page, "7g", "7f");
  await poll(async () => (await moves(page)) === 2, "the engine's answer");
}

for (const [language, size, name] of [["en", undefined, "desktop"], ["ja", PHONE, "phone"]]) {
  test(`a game opens at once and is played in ${language} on a ${name}`, () => onPage({ language, ...(size ? { size } : {}) }, async (page) => {
    await oneMove(page);
    await screenshot(page, `play-${name}-${language}`);
    await panel(page, language === "ja" ? "指し手" : "Moves");
    const first = await page.locator(".play .move:not(.wide)").first().innerText();
    assert.match(first, language === "ja" ? /▲７六歩/ : /P-7f/);
  }));
}

test("take back, look back, hint", () => onPage({}, async (page) => {
  await oneMove(page);
  await page.keyboard.press("Home");
  await expectLabel(page, "7g", /Black pawn/);
  await page.keyboard.press("End");
  await expectLabel(page, "7f", /Black pawn/);
  await page.keyboard.press("h");
  await page.locator(".arrow.engine").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Take back" }).click();
  await expectLabel(page, "7g", /Black pawn/);
}));

test("a game survives a reload", () => onPage({}, async (page) => {
  await oneMove(page);
  await page.reload();
  await expectLabel(page, "7f", /Black pawn/);
  // Without a server the answer may not have been kept yet; then it is given again.
  await poll(async () => (await moves(page)) === 2, "the engine's answer");
}));

test("white moves second, with a handicap and a clock", () => onPage({}, async (page) => {
  await page.getByLabel("You play").selectOption("white");
  await page.getByLabel("Clock").selectOption("b30");
  await page.getByRole("button", { name: "Start the game" }).click();
  await poll(async () => (await moves(page)) === 1, "the engine's first move");
  assert.match(await page.locator(".seat.bottom").innerText(), /You/);
  await page.locator(".seat.bottom .clock").waitFor();
}));

test("resigning is asked for and ends the game in words", () => onPage({}, async (page) => {
  await oneMove(page);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await poll(async () => /You lose/.test(await page.locator(".status").innerText()), "the result");
}));
