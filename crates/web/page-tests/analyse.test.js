// Analysis.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, clickMove, dropFile, expectLabel, onPage, openFile, panel, poll, saved, screenshot, withBrowser } from "./helpers.js";

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

const SHORT = "analyse/start~7g7f.3c3d.8h2b+~3";
const mainMoves = (page) => page.locator(".analyse .main-line > .move:not(.wide)").count();
const save = (page) => page.locator(".analyse").getByRole("button", { name: "Save" }).last();

/** A game of which every format holds the moves. */
for (const format of ["kif", "kifu", "ki2", "ki2u", "csa", "csa3", "jkf", "sfen", "usi"]) {
  test(`a file is opened, dropped on another part, and read: ${format}`, () => onPage({ part: SHORT }, async (page) => {
    await poll(async () => (await mainMoves(page)) === 3, "three moves");
    const formats = page.getByLabel("Export");
    const known = await formats.locator("option").evaluateAll((options) => options.map((option) => option.value));
    assert.ok(known.includes(format), known.join(" "));
    await formats.selectOption(format);
    const bytes = await saved(page, save(page));
    await page.getByRole("button", { name: "New record" }).click();
    await poll(async () => (await mainMoves(page)) === 0, "an empty record");
    await openFile(page, page.getByRole("button", { name: "Open" }).first(), `game.${format}`, bytes);
    // A list of positions holds no moves.
    if (format === "sfen") await poll(async () => (await page.locator("#toast").innerText()).includes("SFEN"), "the positions");
    else await poll(async () => (await mainMoves(page)) === 3, "three moves again");
    await page.evaluate(() => (location.hash = "#play"));
    await page.locator(".play .piece").first().waitFor();
    await page.evaluate(() => (document.getElementById("toast").textContent = ""));
    await dropFile(page, `game.${format}`, bytes);
    await page.locator(".analyse .piece").first().waitFor();
    await poll(async () => /moves|SFEN/.test(await page.locator("#toast").innerText()), "what was dropped");
    assert.match(page.url(), /#analyse$/, "the address says where the file is");
    await page.evaluate(() => (location.hash = "#play"));
    await page.locator(".play .piece").first().waitFor();
  }));
}

test("a comment is kept as it is typed, and written into the record", () => onPage({ part: SHORT }, async (page) => {
  await poll(async () => (await mainMoves(page)) === 3, "three moves");
  await page.getByRole("textbox", { name: /[Cc]omment/ }).pressSequentially("The bishops go.");
  await page.reload();
  await poll(async () => /The bishops go\./.test(await page.locator(".analyse .comment").first().innerText()), "the comment after a reload");
  await page.getByRole("button", { name: "日本語" }).click();
  await poll(async () => /The bishops go\./.test(await page.locator(".analyse .comment").first().innerText()), "the comment in the other language");
  await page.getByRole("button", { name: "English" }).click();
  await page.getByLabel("Export").selectOption("kifu");
  assert.match(String(await saved(page, save(page))), /\*The bishops go\./);
}));

test("as many lines as are wanted, with the value bar; moves of a line and digits play it out", () => onPage({ part: SHORT }, async (page) => {
  await poll(async () => (await mainMoves(page)) === 3, "three moves");
  await page.getByLabel("Lines").selectOption("5");
  await page.getByRole("button", { name: "Start analysis" }).click();
  await poll(async () => (await page.locator(".lines li").count()) === 5, "five lines");
  assert.match(await page.locator(".bar").getAttribute("aria-label"), /Evaluation: (Even|Black|White)/);
  assert.match(await page.locator(".effort").innerText(), /\d/);
  const first = page.locator(".lines li").first();
  const moves = first.locator("button");
  // The list stands still under the pointer; a line may be of one move for a while.
  await poll(async () => {
    await page.locator(".engine-head").hover();
    await first.locator(".line-value").hover();
    return (await moves.count()) >= 2;
  }, "a line of two moves");
  await moves.nth(1).hover();
  await page.locator(".preview").waitFor();
  await moves.nth(1).click();
  await poll(async () => (await mainMoves(page)) === 5, "the line to be played out");
  await page.getByRole("button", { name: "Stop" }).first().click();
  await page.getByRole("button", { name: "Start analysis" }).waitFor();
  await page.keyboard.press("Home");
  await expectLabel(page, "7g", /Black pawn/);
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press("Space");
  await page.locator(".lines li").first().waitFor();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Start analysis" }).waitFor();
  await page.keyboard.press("1");
  await poll(async () => (await page.locator(".analyse .move[aria-current]").innerText()).startsWith("1"), "the move of the first line");
}));

test("the graph shows winning rates or values, a board under the pointer, and leads there", () => onPage({ part: "analyse" }, async (page) => {
  await page.locator(".graph .black-area").waitFor();
  const path = page.locator(".graph .curve");
  const rates = await path.getAttribute("d");
  await page.locator(".graph-scale").click();
  await poll(async () => (await path.getAttribute("d")) !== rates, "the other scale");
  const box = await page.locator(".graph-area").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator(".preview svg").waitFor();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const range = page.getByRole("slider", { name: "Evaluation over the game" });
  await poll(async () => Number(await range.inputValue()) > 10, "the middle of the game");
  await range.focus();
  await page.keyboard.press("ArrowRight");
  assert.ok((await page.locator(".graph-mark").count()) > 0, "blunders are marked");
}));

/** Black has a mate in one and moves the king. */
const MISSED = "analyse/4k4,9,4P4,9,9,9,9,9,4K4_b_G2r2b3g4s4n4l17p_1~5i5h.5a4a~0";

for (const [language, size, name] of [["en", undefined, "desktop"], ["ja", PHONE, "phone"]]) {
  test(`a missed mate is found, listed, marked and mended, in ${language} on a ${name}`, () => onPage({ part: MISSED, language, ...(size ? { size } : {}) }, async (page) => {
    const ja = language === "ja";
    await poll(async () => (await mainMoves(page)) === 2, "two moves");
    await panel(page, ja ? "棋譜" : "Record");
    await page.getByRole("button", { name: ja ? "全体を解析" : "Analyse the game" }).click();
    const list = page.locator(".analyse .plain-list li");
    await list.first().waitFor();
    assert.match(await list.first().innerText(), ja ? /詰み逃し.*▲５二金打?/ : /missed mate.*G\*5b/);
    await poll(async () => (await page.locator(".graph-mark.missed-mate").count()) === 1, "the mark in the graph");
    await screenshot(page, `missed-mate-${name}-${language}`);
    await list.first().getByRole("button").last().click();
    await page.locator(".variation .move").waitFor({ state: "attached" });
  }));
}

test("what was replaced or deleted comes back", () => onPage({ part: SHORT }, async (page) => {
  await poll(async () => (await mainMoves(page)) === 3, "three moves");
  const undo = page.getByRole("button", { name: "Undo" });
  await page.getByRole("button", { name: "New record" }).click();
  await poll(async () => (await mainMoves(page)) === 0, "an empty record");
  await undo.click();
  await poll(async () => (await mainMoves(page)) === 3, "the record again");
  await page.keyboard.press("End");
  await page.getByRole("button", { name: /Delete/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: /Delete/ }).click();
  await poll(async () => (await mainMoves(page)) === 2, "two moves");
  await page.keyboard.press("u");
  await poll(async () => (await mainMoves(page)) === 3, "the move again");
}));

test("a position that is being set up survives a reload", () => onPage({ part: SHORT }, async (page) => {
  await poll(async () => (await mainMoves(page)) === 3, "three moves");
  await page.getByRole("button", { name: "Edit position" }).click();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "White king" }).click();
  await page.locator(".cell[data-square='5a']").click();
  await page.goto(page.url().replace(/#.*/, "#analyse"));
  await page.reload();
  await page.getByRole("button", { name: "Done" }).waitFor();
  await expectLabel(page, "5a", /White king/);
  await page.getByRole("button", { name: "Cancel" }).click();
  await poll(async () => (await mainMoves(page)) === 3, "the record as it was");
}));
