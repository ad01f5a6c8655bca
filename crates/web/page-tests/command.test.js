// `yomikiri serve` as it is typed: what it prints, what it opens, whom it lets in, how it ends.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { PATIENCE, clickMove, expectLabel, onPage, poll, withBrowser } from "./helpers.js";

withBrowser();

const BINARY = process.env.YOMIKIRI_BIN ?? "";
const skip = BINARY ? false : "set YOMIKIRI_BIN";
const folder = mkdtempSync(join(tmpdir(), "yomikiri-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the server with a `xdg-open` that only writes down what it was asked to open. */
async function serve(...args) {
  const opened = join(mkdtempSync(join(folder, "run-")), "opened");
  const open = join(folder, "xdg-open");
  writeFileSync(open, `#!/bin/sh\nprintf '%s' "$1" > "${opened}"\n`);
  chmodSync(open, 0o755);
  const child = spawn(BINARY, ["serve", ...args], {
    stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, XDG_DATA_HOME: join(folder, "home") },
  });
  let printed = "";
  child.stdout.on("data", (bytes) => (printed += bytes));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await poll(() => printed.includes("\n"), "the address");
  return { child, ended, opened, printed: () => printed, address: printed.trim() };
}

test("the address is all that is printed, the browser is opened there, and Ctrl-C ends it well", { skip }, async () => {
  const server = await serve("--data", join(folder, "data"));
  assert.match(server.printed(), /^http:\/\/127\.0\.0\.1:\d+\/\n$/);
  await poll(() => existsSync(server.opened) && readFileSync(server.opened, "utf8") === server.address, "the browser to be opened");
  await onPage({ at: server.address }, async (page) => {
    await expectLabel(page, "7g", /Black pawn/);
    await clickMove(page, "7g", "7f");
    await expectLabel(page, "7f", /Black pawn/);
  });
  server.child.kill("SIGINT");
  assert.equal(await server.ended, 0);
  assert.match(server.printed(), /^http:\S+\n$/, "nothing else was printed");
  assert.ok(readdirSync(join(folder, "data/sessions")).length > 0, "the game is kept");
});

test("no browser is opened where none is wanted, and a port can be chosen", { skip }, async () => {
  const first = await serve("--no-open", "--no-data");
  const port = new URL(first.address).port;
  const second = spawnSync(BINARY, ["serve", "--no-open", "--no-data", "--port", port], { encoding: "utf8", timeout: PATIENCE });
  assert.notEqual(second.status, 0, "the port is taken");
  assert.match(second.stderr, new RegExp(port));
  first.child.kill("SIGINT");
  assert.equal(await first.ended, 0);
  assert.equal(existsSync(first.opened), false);
});

test("beyond loopback a token is asked for, and the page works with it", { skip }, async () => {
  const refused = spawnSync(BINARY, ["serve", "--no-open", "--listen", "0.0.0.0"], { encoding: "utf8", timeout: PATIENCE });
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /token-file/);
  const token = join(folder, "token");
  writeFileSync(token, "short\n");
  assert.notEqual(spawnSync(BINARY, ["serve", "--no-open", "--listen", "0.0.0.0", "--token-file", token], { timeout: PATIENCE }).status, 0);
  writeFileSync(token, "correct-horse-battery-staple\n");
  const server = await serve("--listen", "0.0.0.0", "--no-data", "--token-file", token);
  const address = `http://127.0.0.1:${new URL(server.address).port}/`;
  assert.equal(server.printed().includes("staple"), false, "the token is not printed");
  await poll(() => existsSync(server.opened) && readFileSync(server.opened, "utf8").includes("staple"), "the browser to be opened with it");
  for (const path of ["", "main.js", "reports/index.html", "?token=wrong-horse-battery-staple"]) {
    assert.equal((await fetch(address + path)).status, 401, path);
  }
  const way = await fetch(`${address}?token=correct-horse-battery-staple`, { redirect: "manual" });
  assert.equal(way.status, 303);
  await onPage({ at: `${address}?token=correct-horse-battery-staple` }, async (page) => {
    await expectLabel(page, "7g", /Black pawn/);
    assert.equal(page.url().includes("token"), false, "the token does not stay in the address");
  });
  server.child.kill("SIGINT");
  assert.equal(await server.ended, 0);
});
