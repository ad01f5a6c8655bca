// What only the site without a server has: workers, use without a network, installing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SITE, clickMove, expectLabel, onPage, poll, seriousFaults, withBrowser } from "./helpers.js";

const skip = SITE ? false : "set YOMIKIRI_SITE to the folder that `cargo xtask site` writes";
if (SITE) withBrowser();

/** Starts an analysis, stops it at once, and starts another: both workers have to go on. */
async function startAndStop(page) {
  await page.getByRole("button", { name: "Start analysis" }).click();
  await page.locator(".lines li").first().waitFor();
  await page.getByRole("button", { name: "Stop" }).first().click();
  await page.getByRole("button", { name: "Start analysis" }).waitFor();
  assert.ok((await page.locator(".lines li").count()) > 0, "what was found stays");
  await page.locator(".effort").evaluate((effort) => (effort.textContent = ""));
  await page.getByRole("button", { name: "Start analysis" }).click();
  await poll(async () => /\d/.test(await page.locator(".effort").innerText()), "news of the second search");
}

test("a search is stopped without shared memory and with it", { skip }, () => onPage({ part: "analyse" }, async (page) => {
  await page.locator(".graph .black-area").waitFor();
  assert.equal(await page.evaluate(() => crossOriginIsolated), false, "a plain server isolates nothing");
  await startAndStop(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.locator(".graph .black-area").waitFor();
  assert.equal(await page.evaluate(() => crossOriginIsolated), true, "the service worker isolates the page");
  await startAndStop(page);
}));

test("the engine moves while an analysis of another part runs", { skip }, () => onPage({ part: "analyse" }, async (page) => {
  await page.locator(".graph .black-area").waitFor();
  await page.getByRole("button", { name: "Start analysis" }).click();
  await page.locator(".lines li").first().waitFor();
  await page.evaluate(() => (location.hash = "#play"));
  await expectLabel(page, "7g", /Black pawn/);
  await clickMove(page, "7g", "7f");
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
}));

test("without a network the site opens and plays", { skip }, () => onPage({}, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await expectLabel(page, "7g", /Black pawn/);
  await clickMove(page, "7g", "7f");
  await poll(async () => (await page.locator(".play .move:not(.wide)").count()) === 2, "the engine's answer");
  await page.evaluate(() => (location.hash = "#laboratory"));
  await page.locator(".papers h3").first().waitFor();
}));

test("the site can be installed, and its documents have no serious fault", { skip }, () => onPage({}, async (page) => {
  const manifest = await page.evaluate(async () => (await fetch("manifest.webmanifest")).json());
  assert.ok(manifest.name && manifest.start_url && manifest.display === "standalone");
  assert.ok(manifest.icons.some((icon) => icon.sizes === "512x512") && manifest.icons.some((icon) => icon.sizes === "192x192"));
  for (const icon of manifest.icons) readFileSync(join(SITE, icon.src));
  await page.goto(new URL("docs/index.html", page.url()).href);
  assert.match(await page.title(), /Yomikiri/);
  assert.deepEqual(await seriousFaults(page), []);
}));
