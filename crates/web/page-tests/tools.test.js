// What stands around the board: arrows, hints, declarations, links, exports, explanations, sounds.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DESKTOP, PHONE, clickMove, expectLabel, onPage, panel, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

/** Each test once in each language, on a desktop and on a phone. */
const WAYS = /** @type {const} */ ([["en", DESKTOP, "desktop"], ["ja", PHONE, "phone"]]);

/** Black's king and ten pieces are in the far ranks, with 28 points and more. */
const ENTERED = "analyse/+B+RG1K1G+R+B,1SSS1S+N+N1,4P4,9,9,9,9,9,4k4_b_GL8Pg3l2n9p_1~~0";

for (const [language, size, name] of WAYS) {
  const ja = language === "ja";
  const opened = (part, work) => onPage({ part, language, size }, work);

  test(`a declaration explains its points and wins, in ${language} on a ${name}`, () => opened(ENTERED, async (page) => {
    await panel(page, ja ? "道具" : "Tools");
    await page.getByRole("button", { name: ja ? "ここから対局" : "Play from here" }).click();
    const declare = page.locator(".play .acts").getByRole("button", { name: ja ? "入玉宣言" : "Declare" });
    await declare.click();
    const dialog = page.getByRole("dialog");
    const text = await dialog.innerText();
    assert.match(text, ja ? /宣言すれば勝ちです[^]*点数 \d+ \/ 必要 28/ : /Declaring now wins[^]*points: \d+ of 28 needed/);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), size.width, "nothing scrolls sideways");
    await screenshot(page, `declare-${name}-${language}`);
    await dialog.getByRole("button", { name: ja ? "入玉宣言" : "Declare" }).click();
    await poll(async () => (ja ? /あなたの勝ち|勝ち/ : /You win/).test(await page.locator(".status").innerText()), "the result");
  }));

  test(`a hint shows its move in words and as an arrow, in ${language} on a ${name}`, () => opened("play", async (page) => {
    await expectLabel(page, "7g", ja ? /歩/ : /pawn/);
    await page.getByRole("button", { name: ja ? "ヒント" : "Hint" }).click();
    await page.locator(".arrow.engine").waitFor({ state: "attached" });
    await screenshot(page, `hint-${name}-${language}`);
  }));

  test(`engine arrows carry values, and the groups of the evaluation add up, in ${language} on a ${name}`, () => opened("analyse/start~7g7f.3c3d.2g2f~3", async (page) => {
    await panel(page, ja ? "エンジン" : "Engine");
    await page.getByRole("button", { name: ja ? "検討開始" : "Start analysis" }).click();
    await page.locator(".arrow.engine text").first().waitFor({ state: "attached" });
    await screenshot(page, `arrows-${name}-${language}`);
    await page.getByRole("button", { name: ja ? "停止" : "Stop" }).first().click();
    await panel(page, ja ? "道具" : "Tools");
    await page.getByRole("button", { name: ja ? "評価の内訳" : "What the evaluation sees" }).click();
    await page.locator(".explain .sum").waitFor();
    const values = (await page.locator(".explain td").allInnerTexts()).map((value) => Number(value.replace("−", "-")));
    const total = values.pop() ?? NaN;
    assert.ok(values.length > 3 && Math.abs(values.reduce((sum, value) => sum + value, 0) - total) <= values.length, `${values} is ${total}`);
    await screenshot(page, `explain-${name}-${language}`);
  }));

  test(`a link brings the game back, in ${language} on a ${name}`, () => opened("analyse/start~7g7f.3c3d.2g2f~2", async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await panel(page, ja ? "道具" : "Tools");
    await page.getByRole("button", { name: ja ? "共有リンク" : "Share link" }).click();
    let link = "";
    await poll(async () => {
      link = await page.evaluate(() => navigator.clipboard.readText());
      return /#analyse\/start~7g7f\.3c3d\.2g2f~2$/.test(link);
    }, "the link on the clipboard");
    await page.goto("about:blank");
    await page.goto(link);
    await expectLabel(page, "3d", ja ? /歩/ : /White pawn/);
  }));
}

test("every format is saved, and a picture", () => onPage({ part: "analyse/start~7g7f.3c3d.8h2b+~3" }, async (page) => {
  const formats = page.getByLabel("Export");
  await formats.waitFor();
  const names = await formats.locator("option").evaluateAll((options) => options.map((option) => option.value));
  assert.ok(names.includes("picture") && names.length > 8, names.join(" "));
  for (const name of names) {
    await formats.selectOption(name);
    const download = page.waitForEvent("download");
    await page.locator(".analyse").getByRole("button", { name: "Save" }).last().click();
    const bytes = readFileSync(await (await download).path());
    assert.ok(bytes.length > 20, `${name}: ${bytes.length} bytes`);
    if (name === "picture") assert.match(bytes.toString(), /^<svg/);
    if (name === "usi") assert.match(bytes.toString(), /7g7f 3c3d 8h2b\+/);
  }
}));

test("what is exported is read again", () => onPage({ part: "analyse/start~7g7f.3c3d.8h2b+~3" }, async (page) => {
  await page.getByLabel("Export").selectOption("kif");
  const download = page.waitForEvent("download");
  await page.locator(".analyse").getByRole("button", { name: "Save" }).last().click();
  const path = await (await download).path();
  await page.getByRole("button", { name: "New record" }).click();
  await expectLabel(page, "7g", /Black pawn/);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open" }).first().click();
  await (await chooser).setFiles({ name: "game.kif", mimeType: "text/plain", buffer: readFileSync(path) });
  await poll(async () => (await page.locator(".analyse .move:not(.wide)").count()) === 3, "three moves");
}));

test("a move makes a sound only where it is asked for", () => onPage({}, async (page) => {
  await page.evaluate(() => {
    window.knocks = 0;
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...when) {
      window.knocks++;
      return start.apply(this, when);
    };
  });
  await expectLabel(page, "7g", /Black pawn/);
  await clickMove(page, "7g", "7f");
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
  assert.equal(await page.evaluate(() => window.knocks), 0);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Sounds").check();
  await page.keyboard.press("Escape");
  await clickMove(page, "2g", "2f");
  await poll(async () => (await page.evaluate(() => window.knocks)) > 0, "a knock");
}));
