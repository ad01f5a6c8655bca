// Games against the engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, clickMove, expectLabel, onPage, panel, poll, saved, screenshot, withBrowser } from "./helpers.js";

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

const start = (page) => page.getByRole("button", { name: "Start the game" }).click();

test("every level says what is measured of its strength", () => onPage({}, async (page) => {
  const slider = page.getByRole("slider", { name: "Strength" });
  const words = page.locator(".level-words");
  await slider.waitFor();
  for (let level = 1; level <= Number(await slider.getAttribute("max")); level++) {
    await slider.fill(String(level));
    assert.match(await words.innerText(), new RegExp(`Level ${level} . `));
    assert.match(await words.innerText(), /the weakest|wins about \d+ of 100 games .* measured|not measured yet|no restraint/);
  }
  await slider.fill("4");
  assert.match(await words.innerText(), /wins about \d+ of 100 games/);
}));

test("with a handicap the engine gives pieces and moves first", () => onPage({}, async (page) => {
  await expectLabel(page, "7g", /Black pawn/);
  await page.getByLabel("Handicap").selectOption({ label: "two pieces" });
  await start(page);
  await poll(async () => (await moves(page)) === 1, "the engine's first move");
  // The engine may already have moved another piece there.
  await expectLabel(page, "8b", /^(?!.*rook)/);
  await expectLabel(page, "2b", /^(?!.*bishop)/);
  await clickMove(page, "7g", "7f");
  await poll(async () => (await moves(page)) === 3, "the engine's answer");
}));

// Some seconds may pass before the page is read.
for (const [value, first] of [["10b30", /^(10:00|9:[3-5]\d)$/], ["5f5", /^(5:0[0-5]|4:[3-5]\d)$/], ["b10", /^([1-9]|10) s/]]) {
  test(`a clock of its kind runs: ${value}`, () => onPage({}, async (page) => {
    await expectLabel(page, "7g", /Black pawn/);
    await page.getByLabel("Clock").selectOption(value);
    await start(page);
    const clock = page.locator(".seat.bottom .clock");
    await clock.waitFor();
    const text = await clock.innerText();
    assert.match(text, first);
    await poll(async () => (await clock.innerText()) !== text, "the clock to run");
    if (value !== "b10") return;
    // Nobody moves: the time is lost.
    await poll(async () => /You lose.*Time is over/.test(await page.locator(".play .status").innerText()), "the end by time");
  }));
}

/** White is mated in three whatever it plays after 9a8a. */
const LOST = "analyse/+Rsksn+R3,Gl2g4,2bpp3p,1pp6,3P5,2P1PP3,1PNG1+p2P,LKG6,1LS5+p_b_SN5Pbnl_135~~0";

for (const [language, size, name] of [["en", undefined, "desktop"], ["ja", PHONE, "phone"]]) {
  test(`a speculative move is shown with its reason, in ${language} on a ${name}`, () => onPage({ part: LOST, language, ...(size ? { size } : {}) }, async (page) => {
    const ja = language === "ja";
    await expectLabel(page, "9a", ja ? /龍/ : /dragon/);
    await panel(page, ja ? "道具" : "Tools");
    await page.getByRole("button", { name: ja ? "ここから対局" : "Play from here" }).click();
    await page.locator(".play .piece").first().waitFor();
    await expectLabel(page, "9a", ja ? /龍/ : /dragon/);
    await clickMove(page, "9a", "8a");
    await poll(async () => (await moves(page)) >= 2, "the engine's answer");
    await panel(page, ja ? "対局" : "Play");
    await page.locator(".play .after h3").waitFor();
    assert.match(await page.locator(".play .after").innerText(), ja ? /勝負手[^]*最も見つけにくい/ : /Every move is mated[^]*hardest to find/);
    await screenshot(page, `speculative-${name}-${language}`);
  }));
}

/** Black has a mate in one, or gives the gold away: then white has one move, and nothing to mate with after it. */
const MATE = "analyse/8k,9,8P,9,9,9,9,9,4K4_b_G_1~~0";

test("after the end: the result in words, what decided it also after a reload, and the game before", () => onPage({ part: MATE }, async (page) => {
  await expectLabel(page, "1c", /Black pawn/);
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.locator(".play .piece").first().waitFor();
  await expectLabel(page, "1c", /Black pawn/);
  await page.locator(".play .seat.bottom button.held").click();
  await page.locator(".play .cell[data-square='2b']").click();
  await poll(async () => (await moves(page)) === 2, "the engine's answer");
  await expectLabel(page, "2b", /White king/);
  await clickMove(page, "5i", "5h");
  await poll(async () => (await moves(page)) === 4, "the engine's second answer");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await poll(async () => /You lose.*Resignation/.test(await page.locator(".play .status").innerText()), "the result");
  const moments = page.locator(".moments li");
  await moments.first().waitFor();
  assert.ok((await moments.count()) <= 3);
  await page.goto(page.url().replace(/#.*/, "#play"));
  await page.reload();
  await moments.first().waitFor();
  assert.match(await moments.first().innerText(), /1 G\*2b .*better: G\*1b/);
  await moments.first().getByRole("button").last().click();
  await page.locator(".arrow.engine").waitFor({ state: "attached" });
  await screenshot(page, "after-the-end");
  await page.getByRole("button", { name: "Play again" }).click();
  await poll(async () => !/You lose/.test(await page.locator(".play .status").innerText()), "the new game");
  await page.getByRole("button", { name: /game before/ }).click();
  await poll(async () => (await page.locator(".analyse .move:not(.wide)").count()) === 4, "the game before");
}));

test("one click leads from a finished game to its analysis", () => onPage({}, async (page) => {
  await oneMove(page);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.locator(".play .after button.primary").click();
  await poll(async () => (await page.locator(".analyse .move:not(.wide)").count()) === 2, "the game");
  await page.locator(".graph .black-area").waitFor();
}));

test("the game is saved as a record", () => onPage({}, async (page) => {
  await oneMove(page);
  const text = String(await saved(page, page.locator(".play .save-row").getByRole("button")));
  assert.match(text, /７六歩/);
}));
