// The whole page by keys alone: no pointer is used in this file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SITE, expectLabel, label, onPage, poll, withBrowser } from "./helpers.js";

withBrowser();

/** Presses Tab until something is in focus. */
async function tabTo(page, what, most = 80) {
  for (let presses = 0; presses < most; presses++) {
    if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, what)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${what} cannot be reached by Tab`);
}

/** Moves the focus of the board to a square. */
async function toSquare(page, square) {
  await page.locator(".cell[tabindex='0']").focus();
  const at = (name) => [Number(name[0]), name.charCodeAt(1) - 96];
  for (let steps = 0; steps < 20; steps++) {
    const here = await page.evaluate(() => document.activeElement?.getAttribute("data-square"));
    if (here === square) return;
    const [[file, rank], [toFile, toRank]] = [at(here), at(square)];
    await page.keyboard.press(file !== toFile ? (file < toFile ? "ArrowLeft" : "ArrowRight") : rank < toRank ? "ArrowDown" : "ArrowUp");
  }
  assert.fail(`${square} cannot be reached by arrows`);
}

const go = async (page, part) => {
  await page.evaluate(() => document.body.focus());
  await tabTo(page, `#nav-${part}`);
  await page.keyboard.press("Enter");
  await page.locator(`#nav-${part}[aria-current="page"]`).waitFor();
};

test("a move is made, taken back, and an illegal one explained", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await poll(() => page.evaluate(() => document.activeElement?.classList.contains("cell") ?? false), "the skip link to lead to the board");
  await toSquare(page, "7g");
  await page.keyboard.press("Enter");
  await toSquare(page, "7d");
  await page.keyboard.press("Enter");
  await page.locator(".bubble:not([hidden])").waitFor();
  await toSquare(page, "7g");
  await page.keyboard.press("Enter");
  await toSquare(page, "7f");
  await page.keyboard.press("Enter");
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
  await page.keyboard.press("u");
  await poll(async () => /Black pawn/.test(await label(page, "7g")), "the move to be taken back");
}));

test("every part is opened from the header, and its main button is reached", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await tabTo(page, ".new-game button[type='submit']");
  await go(page, "analyse");
  await page.locator(".graph .black-area").waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await tabTo(page, ".engine-head button");
  await page.keyboard.press("Enter");
  await page.locator(".lines li").first().waitFor();
  await page.keyboard.press("Enter");
  await go(page, "mate");
  await poll(async () => (await page.locator(".piece").count()) > 2, "a problem");
  await tabTo(page, ".mate .tools button.primary");
  await go(page, "subject");
  await tabTo(page, SITE ? ".subject button.primary" : "#subject-name");
  await go(page, "capture");
  await tabTo(page, ".go-cells .cell");
  await tabTo(page, ".capture button.primary");
  await go(page, "laboratory");
  await tabTo(page, ".papers a.as-button");
}));

test("settings and the list of keys open and close", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await poll(async () => (await page.getByRole("dialog").count()) === 0, "the dialog to close");
  await page.keyboard.press("r");
  await poll(async () => /Black/.test(await page.getByRole("dialog").innerText()), "the position in words");
  await page.keyboard.press("Escape");
  await tabTo(page, "#language-button");
  await page.keyboard.press("Enter");
  await expectLabel(page, "7g", /先手の歩/);
}));
