// A browser, a server, and what the tests do again and again.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** How long something may take that has to come: a slow or busy machine is no fault of the page. */
export const PATIENCE = Number(process.env.YOMIKIRI_PATIENCE_MS ?? 90000);
const SCREENSHOTS = process.env.YOMIKIRI_SCREENSHOTS ?? "screenshots";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** The site with the program in WebAssembly, as `cargo xtask site` writes it, instead of the server. */
export const SITE = process.env.YOMIKIRI_SITE ?? "";
const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json", ".json": "application/json", ".png": "image/png",
};

let address = process.env.YOMIKIRI_URL ?? "";
let browser;
let server;

/** Starts what is needed before the tests of a file, and ends it after them. */
export function withBrowser() {
  before(async () => {
    if (!address) await (SITE ? startFiles() : startServer());
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  after(async () => {
    await browser?.close();
    server?.kill();
  });
}

/** A server of static files, as plain as one can be had: it sends no header that the page could lean on. */
function startFiles() {
  const files = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "", "http://site").pathname)).replace(/\/$/, "/index.html");
    try {
      const body = readFileSync(join(SITE, path));
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server = { kill: () => files.closeAllConnections() ?? files.close() };
  return new Promise((resolve) => {
    files.listen(0, "127.0.0.1", () => {
      address = `http://127.0.0.1:${files.address().port}/`;
      resolve(undefined);
    });
  });
}

/** The server, with a folder of its own for what it keeps. */
async function startServer() {
  const data = mkdtempSync(join(tmpdir(), "yomikiri-"));
  const started = await spawnServer(data, 0);
  address = started.address;
  server = {
    kill: () => {
      started.process.kill();
      started.process.once("exit", () => rmSync(data, { recursive: true, force: true }));
    },
  };
}

/**
 * A server on a port, 0 for any. It prints its address as the only line.
 * @param {string} data
 * @param {number} port
 */
export function spawnServer(data, port) {
  const binary = process.env.YOMIKIRI_BIN;
  assert.ok(binary, "set YOMIKIRI_BIN to the binary, YOMIKIRI_SITE to the folder of the site, or YOMIKIRI_URL to a running server");
  const child = spawn(binary, ["serve", "--no-open", "--port", String(port), "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve({ process: child, address: String(line).trim() }));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/**
 * A page in a fresh browser context. Every error or warning of its console fails the test.
 * @param {{part?: string, size?: typeof DESKTOP, language?: "ja" | "en", theme?: "light" | "dark", at?: string, allowed?: RegExp}} [options]
 *   `at` is another server's address, `allowed` what the console may say
 * @param {(page: import("playwright-core").Page) => Promise<void>} test
 */
export async function onPage({ part = "play", size = DESKTOP, language = "en", theme = "light", at = address, allowed = /^$/ }, test) {
  const phone = size === PHONE;
  const context = await browser.newContext({
    viewport: size, colorScheme: theme, locale: language === "ja" ? "ja-JP" : "en-GB", hasTouch: phone, isMobile: phone,
  });
  context.setDefaultTimeout(PATIENCE);
  context.setDefaultNavigationTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !allowed.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  try {
    await page.goto(new URL(`#${part}`, at).href);
    await page.locator("main .part, main .page").first().waitFor();
    await test(page);
    assert.deepEqual(complaints, [], "the console is silent");
  } finally {
    await context.close();
  }
}

/** The cell of a square. */
export const cell = (page, square) => page.locator(`.cell[data-square="${square}"]`);

/** What a screen reader is told of a square. */
export const label = (page, square) => cell(page, square).getAttribute("aria-label");

/** Waits until a square is described so. */
export async function expectLabel(page, square, pattern) {
  await poll(async () => pattern.test((await label(page, square)) ?? ""), `${square} to be ${pattern}`);
}

/** Clicks a square until what stands there is taken up: a position may be in view before its legal moves are known. */
export async function takeUp(page, square) {
  await poll(async () => {
    if ((await cell(page, square).getAttribute("aria-selected")) === "true") return true;
    await cell(page, square).click();
    return (await cell(page, square).getAttribute("aria-selected")) === "true";
  }, `${square} to be taken up`);
}

/** Waits until what stands on a square can be taken up; it is put down again. */
export async function ready(page, square) {
  await takeUp(page, square);
  await page.keyboard.press("Escape");
  await poll(async () => (await cell(page, square).getAttribute("aria-selected")) === "false", `${square} to be put down`);
}

/** Moves by two clicks. */
export async function clickMove(page, from, to) {
  await takeUp(page, from);
  await cell(page, to).click();
}

/** What stands on every square, to see that a position has changed. */
export const position = (page) => page.locator(".cell").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")?.split(",")[0]).join("|"));

/** Moves by dragging. */
export async function drag(page, from, to) {
  const [start, end] = [await cell(page, from).boundingBox(), await cell(page, to).boundingBox()];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
  await page.mouse.up();
}

/** Waits for something to become true. */
export async function poll(condition, what, timeout = PATIENCE) {
  const end = Date.now() + timeout;
  while (!(await condition())) {
    if (Date.now() > end) assert.fail(`waited ${timeout} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Opens the sheet of a phone, or does nothing where the panels stand beside the board. */
export async function panel(page, name) {
  const tab = page.getByRole("tab", { name, exact: true });
  if (await tab.isVisible()) await tab.click();
}

export async function screenshot(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}/${SITE ? "site" : "server"}-${name}.png` });
}

/** The serious faults that axe-core finds. */
export async function seriousFaults(page) {
  // A script element would be refused by the content-security policy.
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 4).map((n) => n.html.slice(0, 160)).join(" | ")}`);
}

/** Opens a file by the page's chooser. */
export async function openFile(page, button, name, buffer) {
  const chooser = page.waitForEvent("filechooser");
  await button.click();
  await (await chooser).setFiles({ name, mimeType: "application/octet-stream", buffer });
}

/** Drops a file onto the page. */
export async function dropFile(page, name, buffer) {
  await page.evaluate(([name, base64]) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, [name, buffer.toString("base64")]);
}

/** What the page gives to save. */
export async function saved(page, button) {
  const download = page.waitForEvent("download");
  await button.click();
  return readFileSync(await (await download).path());
}

/** What a screen reader was told last. */
export const announced = (page) => page.locator("#announcer").textContent();
