// Every part in both languages, on a desktop, on phones upright and turned: nothing scrolls sideways,
// everything can be hit by a finger, and a picture is left of each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, PHONE, SITE, onPage, poll, screenshot, withBrowser } from "./helpers.js";

withBrowser();

/** Parts, and what each shows when it is there. */
const PARTS = {
  play: ".play .piece", analyse: ".graph .black-area", mate: ".mate .piece", subject: ".subject .piece", capture: ".go-number-back", laboratory: ".papers h3",
};

/** The parts that the site without a server has, too. */
const names = Object.keys(PARTS).filter((name) => !SITE || !["subject", "laboratory"].includes(name));
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

for (const part of names) {
  for (const language of ["en", "ja"]) {
    for (const [size, name] of [[DESKTOP, "desktop"], [PHONE, "phone"]]) {
      test(`${part} opens with something to see, in ${language} on a ${name}`, () => onPage({ part, language, size }, async (page) => {
        await page.locator(PARTS[part]).first().waitFor({ state: "attached" });
        assert.equal(await sideways(page), 0, "nothing scrolls sideways");
        await page.waitForTimeout(300);
        await screenshot(page, `part-${part}-${name}-${language}`);
      }));
    }
  }
  test(`${part} fits 360 points, in dark`, () => onPage({ part, language: "ja", size: { width: 360, height: 740 }, theme: "dark" }, async (page) => {
    await page.locator(PARTS[part]).first().waitFor({ state: "attached" });
    assert.equal(await sideways(page), 0, "nothing scrolls sideways");
    await screenshot(page, `narrow-${part}`);
  }));
}

/** What a finger cannot hit: everything that can be pressed is 44 points high, but squares and pieces in hand. */
const small = (page) => page.evaluate(() => [...document.querySelectorAll("button, select, summary, a.as-button, nav a, input:not([type='checkbox'])")]
  .filter((e) => !e.closest(".hand, .cells, .go-cells, .graph") && e.checkVisibility())
  .map((e) => ({ e, box: e.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 0 && box.height < 43.5)
  .map(({ e, box }) => `${e.tagName} ${e.className} "${e.textContent?.slice(0, 20)}" is ${Math.round(box.height)} high`));

for (const part of names) {
  test(`${part}: a finger can hit what it wants on a phone`, () => onPage({ part, size: PHONE }, async (page) => {
    await page.locator(PARTS[part]).first().waitFor({ state: "attached" });
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      assert.deepEqual(await small(page), []);
    }
    assert.deepEqual(await small(page), []);
  }));
}

test("a phone that is turned has the hands beside the board", () => onPage({ part: "play", size: { width: 844, height: 390 } }, async (page) => {
  await page.locator(PARTS.play).first().waitFor();
  const [board, hand, side] = await Promise.all([".board", ".seat.bottom", ".side"].map((name) => page.locator(name).first().boundingBox()));
  assert.ok(board.y >= 0 && board.y + board.height <= 391, `the whole board is in view: ${JSON.stringify(board)}`);
  assert.ok(hand.x + hand.width <= board.x + 1, "the hands stand left of the board");
  assert.ok(side.x >= board.x + board.width - 1, "the panels stand right of it");
  assert.equal(await sideways(page), 0);
  await screenshot(page, "turned-phone");
}));

test("on a phone the board takes the whole width, hands above and below it", () => onPage({ part: "play", size: PHONE }, async (page) => {
  await page.locator(PARTS.play).first().waitFor();
  const [board, top, bottom] = await Promise.all([".board", ".seat.top", ".seat.bottom"].map((name) => page.locator(name).first().boundingBox()));
  assert.ok(board.width > 0.9 * PHONE.width, `${board.width}`);
  assert.ok(top.y + top.height <= board.y + 1 && bottom.y >= board.y + board.height - 1);
  const sheet = page.locator(".side");
  const low = (await sheet.boundingBox()).height;
  await page.getByRole("button", { name: "Show more" }).click();
  await poll(async () => (await sheet.boundingBox()).height > low + 50, "the sheet to rise");
}));
