// axe-core finds no serious fault in any part, light or dark, wide or narrow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, PHONE, onPage, seriousFaults, withBrowser } from "./helpers.js";

withBrowser();

for (const part of ["play", "analyse", "mate", "subject", "capture", "laboratory"]) {
  for (const [size, theme, language] of [[DESKTOP, "light", "en"], [PHONE, "dark", "ja"]]) {
    test(`${part}, ${theme}, ${size.width} wide`, () => onPage({ part, size, theme, language }, async (page) => {
      await page.waitForTimeout(600);
      assert.deepEqual(await seriousFaults(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(wide, false, "nothing scrolls sideways");
    }));
  }
}
