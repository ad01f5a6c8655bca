// What runs or was played survives a reload, a lost connection and a killed server.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PATIENCE, clickMove, expectLabel, onPage, poll, spawnServer, withBrowser } from "./helpers.js";

withBrowser();

/** A mate that takes the solver long. */
const HARD = "mate/position/9,9,9,9,4k4,9,9,9,9_b_2R2B4G4S4N4L18P_1";
const LOST = /WebSocket connection|ERR_CONNECTION|ERR_SOCKET/;

const moves = (page) => page.locator(".play .move:not(.wide)").count();

test("an analysis goes on after a reload, and ends when another part is opened", () => onPage({ part: "analyse" }, async (page) => {
  await page.locator(".graph .black-area").waitFor();
  await page.getByRole("button", { name: "Start analysis" }).click();
  await page.locator(".lines li").first().waitFor();
  const sent = page.waitForEvent("websocket");
  await page.reload();
  await page.getByRole("button", { name: "Stop" }).first().waitFor();
  await page.locator(".lines li").first().waitFor();
  // A reload at once may overtake the message that ends the analysis.
  const stopped = sent.then((socket) => socket.waitForEvent("framesent", { predicate: ({ payload }) => String(payload).includes('"stop"'), timeout: PATIENCE }));
  await page.goto(page.url().replace("#analyse", "#play"));
  await stopped;
  await page.reload();
  await page.evaluate(() => (location.hash = "#analyse"));
  await page.getByRole("button", { name: "Start analysis" }).waitFor();
}));

test("a search for a mate goes on after a reload", () => onPage({ part: HARD }, async (page) => {
  await poll(async () => (await page.locator(".piece").count()) === 1, "the problem");
  await page.getByRole("button", { name: "Let it solve" }).last().click();
  await page.locator(".proof-graph").waitFor();
  await page.goto(page.url().replace(/#.*/, "#mate"));
  await page.reload();
  await page.locator(".proof-graph").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await poll(async () => (await page.locator(".proof-graph").count()) === 0, "the end of the search");
}));

test("a server that is killed in a game and in a search loses no game", async () => {
  const data = mkdtempSync(join(tmpdir(), "yomikiri-"));
  const first = await spawnServer(data, 0);
  let second;
  try {
    await onPage({ at: first.address, allowed: LOST }, async (page) => {
      await expectLabel(page, "7g", /Black pawn/);
      await clickMove(page, "7g", "7f");
      await poll(async () => (await moves(page)) === 2, "the engine's answer");
      await page.evaluate((hash) => (location.hash = hash), `#${HARD}`);
      await page.getByRole("button", { name: "Let it solve" }).last().click();
      await page.locator(".proof-graph").waitFor();
      const ended = new Promise((resolve) => first.process.once("exit", resolve));
      first.process.kill("SIGKILL");
      await ended;
      await page.locator("#toast:not([hidden])").waitFor();
      // The folder remembers the port, without which the browser would not find its session.
      second = await spawnServer(data, 0);
      assert.equal(second.address, first.address);
      await page.evaluate(() => (location.hash = "#play"));
      await poll(async () => (await page.evaluate(() => document.documentElement.dataset.connection)) === "open", "the connection");
      await expectLabel(page, "7f", /Black pawn/);
      assert.equal(await moves(page), 2);
      await clickMove(page, "2g", "2f");
      await poll(async () => (await moves(page)) === 4, "the game to go on");
    });
  } finally {
    const gone = second && new Promise((resolve) => second.process.once("exit", resolve));
    second?.process.kill();
    await gone;
    rmSync(data, { recursive: true, force: true });
  }
});

test("the first paint comes within a second", async () => {
  const most = Number(process.env.YOMIKIRI_PAINT_MS ?? 1000);
  const visit = async (page) => {
    await expectLabel(page, "7g", /Black pawn/);
    return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity);
  };
  const [first, again] = [[], []];
  // Each in a browser context of its own, which has nothing of the page yet; then once more with what it kept.
  for (let visits = 0; visits < 5; visits++) {
    await onPage({}, async (page) => {
      first.push(await visit(page));
      await page.reload();
      again.push(await visit(page));
    });
  }
  const load = existsSync("/proc/loadavg") ? readFileSync("/proc/loadavg", "utf8").split(" ")[0] : "unknown";
  const middle = (times) => Math.round([...times].sort((a, b) => a - b)[2]);
  console.log(`first paint after ${middle(first)} ms, ${middle(again)} ms after a reload (medians of 5: ${[...first, ...again].map(Math.round).join(", ")}); load average ${load}`);
  assert.ok(middle(first) < most && middle(again) < most, `${first} ${again}`);
});
