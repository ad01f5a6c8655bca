// axe-core finds no serious fault in any part, light or dark, wide or narrow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, PATIENCE, PHONE, clickMove, expectLabel, onPage, seriousFaults, withBrowser } from "./helpers.js";

withBrowser();

/** What each part shows when it is there. */
const THERE = {
  play: ".play .piece", analyse: ".graph .black-area", mate: ".mate .piece", subject: ".subject .piece", capture: ".go-number-back", laboratory: ".papers h3",
};

for (const part of ["play", "analyse", "mate", "subject", "capture", "laboratory"]) {
  for (const [size, theme, language] of [[DESKTOP, "light", "en"], [PHONE, "dark", "ja"], [DESKTOP, "dark", "ja"], [PHONE, "light", "en"]]) {
    test(`${part}, ${theme}, ${size.width} wide, ${language}`, () => onPage({ part, size, theme, language }, async (page) => {
      await page.locator(THERE[part]).first().waitFor({ state: "attached" });
      await page.waitForTimeout(600);
      assert.deepEqual(await seriousFaults(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(wide, false, "nothing scrolls sideways");
    }));
  }
}

/** What opens over a part or after some work. @type {[string, string, (page: import("playwright-core").Page) => Promise<void>][]} */
const STATES = [
  ["the settings", "play", async (page) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog").waitFor();
  }],
  ["the list of keys", "play", async (page) => {
    await page.locator(".piece").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  }],
  ["a choice of promotion", "analyse/start~7g7f.3c3d~2", async (page) => {
    await expectLabel(page, "7f", /Black pawn/);
    await clickMove(page, "8h", "2b");
    await page.getByRole("dialog", { name: "Promote?" }).waitFor();
  }],
  ["an illegal attempt", "analyse/start~~0", async (page) => {
    await expectLabel(page, "7g", /Black pawn/);
    await clickMove(page, "7g", "7d");
    await page.locator(".bubble").waitFor();
  }],
  ["a running analysis", "analyse", async (page) => {
    await page.getByRole("button", { name: "Start analysis" }).click();
    await page.locator(".lines li").first().waitFor();
  }],
  ["the editor", "analyse", async (page) => {
    await page.locator(".graph .black-area").waitFor();
    await page.getByRole("button", { name: "Edit position" }).click();
    await page.locator(".palette").waitFor();
  }],
  ["a proof and a verdict", "mate/position/7nl,5B1k1,6Ppp,5+R3,9,9,9,9,9_b_GSr3g3s3n3lb15p_1", async (page) => {
    await page.getByRole("button", { name: "Let it solve" }).last().click();
    await page.locator(".verdict.mate").waitFor({ timeout: 3 * PATIENCE });
    await page.locator(".proof-tree li").first().waitFor();
    await page.getByRole("button", { name: "Judge it as a composition" }).click();
    await page.locator(".ruling").waitFor({ timeout: 3 * PATIENCE });
  }],
  ["an answer in Go", "capture", async (page) => {
    await page.getByRole("button", { name: "Can it be taken?" }).click();
    await page.locator(".capture .verdict").waitFor({ timeout: 3 * PATIENCE });
    await page.keyboard.press("End");
  }],
  ["claims of a report", "laboratory", async (page) => {
    await page.locator(".papers summary").first().click();
    await page.locator(".claims").first().waitFor();
  }],
];

for (const [what, part, work] of STATES) {
  for (const theme of ["light", "dark"]) {
    test(`${what}, ${theme}`, () => onPage({ part, theme }, async (page) => {
      await work(page);
      assert.deepEqual(await seriousFaults(page), []);
    }));
  }
}
