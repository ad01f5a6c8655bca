// The board by pointer and by keyboard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, cell, clickMove, drag, expectLabel, onPage, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

test("two clicks move a piece and the engine answers", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await cell(page, "7g").click();
  await expectLabel(page, "7f", /legal target/);
  assert.equal(await page.locator(".dot").count(), 1);
  await cell(page, "7f").click();
  await expectLabel(page, "7f", /Black pawn/);
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
}));

test("fingers move pieces on a phone, in Japanese", () => onPage({ language: "ja", size: PHONE }, async (page) => {
  await expectLabel(page, "7g", /先手/);
  await cell(page, "7g").tap();
  assert.equal(await page.locator(".dot").count(), 1);
  await screenshot(page, "board-phone-ja");
  await cell(page, "7f").tap();
  await expectLabel(page, "7f", /先手/);
}));

test("a dragged piece moves, and dropped back it stays", () => onPage({}, async (page) => {
  await expectLabel(page, "2g", /Black pawn/);
  await drag(page, "2g", "2f");
  await expectLabel(page, "2f", /Black pawn/);
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
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
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-square")), "5e");
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
  await page.getByLabel("Pieces").selectOption("western");
  assert.ok((await page.locator(`.piece use[href="#glyph-${"P".codePointAt(0)}"]`).count()) === 18);
  await page.getByLabel("Pieces").selectOption("two");
  assert.ok((await page.locator(`.piece use[href="#glyph-${"兵".codePointAt(0)}"]`).count()) === 18);
}));

test("the right button draws an arrow and takes it away", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  for (const count of [1, 0]) {
    const [start, end] = [await cell(page, "7g").boundingBox(), await cell(page, "5e").boundingBox()];
    await page.mouse.move(start.x + 9, start.y + 9);
    await page.mouse.down({ button: "right" });
    await page.mouse.move(end.x + 9, end.y + 9, { steps: 3 });
    await page.mouse.up({ button: "right" });
    assert.equal(await page.locator(".arrow.user").count(), count);
  }
}));

test("a choice of promotion appears at the square", () => onPage({ part: "analyse/start~7g7f.3c3d~2" }, async (page) => {
  await expectLabel(page, "7f", /Black pawn/);
  await expectLabel(page, "8h", /Black bishop/);
  await cell(page, "8h").click();
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
