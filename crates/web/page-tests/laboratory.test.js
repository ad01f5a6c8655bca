// The laboratory and the experiment with people: with the server only.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENCE, PHONE, onPage, panel, poll, position, screenshot, withBrowser } from "./helpers.js";

withBrowser();

const WAIT = 4 * PATIENCE;

for (const [language, size, name] of [["en", undefined, "desktop"], ["ja", PHONE, "phone"]]) {
  test(`an experiment is run, compared and read, in ${language} on a ${name}`, () => onPage({ part: "laboratory", language, ...(size ? { size } : {}) }, async (page) => {
    const ja = language === "ja";
    const card = page.locator("#paper-widening");
    await card.locator("h3").waitFor();
    await card.getByRole("button", { name: ja ? "短い形で実験する" : "Run the short form" }).click();
    await card.locator("progress").waitFor();
    await card.locator("summary").click();
    await card.getByText(ja ? "終わりました" : "Done", { exact: true }).waitFor({ timeout: WAIT });
    await card.getByText(ja ? "このコンピューターでの結果" : "Measured on this computer").waitFor();
    await card.locator(".claims thead th").first().waitFor();
    const columns = await card.locator(".claims thead th").allInnerTexts();
    assert.deepEqual(columns, ja ? ["論文の主張", "報告書", "このコンピューター"] : ["What the paper says", "Report", "This computer"]);
    const claims = await card.locator(".claims tbody th").allInnerTexts();
    assert.ok(claims.length >= 10, claims.join("\n"));
    if (ja) assert.deepEqual(claims.filter((claim) => !/[ぁ-ヿ]/.test(claim)), [], "claims that are not in Japanese");
    await card.scrollIntoViewIfNeeded();
    await screenshot(page, `experiment-${name}-${language}`);
    await card.getByRole("link", { name: ja ? "結果を読む" : "Read it" }).click();
    await page.waitForURL(ja ? /results\/widening\/index\.ja\.html/ : /results\/widening\/index\.html/);
    await page.locator("h1").first().waitFor();
  }));
}

test("a run is stopped, and goes on under its name after a reload", () => onPage({ part: "laboratory" }, async (page) => {
  const card = page.locator("#paper-tsume-widening");
  // The short form might be done before it is stopped.
  await card.getByRole("button", { name: "Run all of it" }).click();
  await poll(async () => /of \d+/.test(await card.locator(".run p").innerText()), "progress", WAIT);
  await page.reload();
  await card.locator("progress").waitFor({ timeout: WAIT });
  await card.getByRole("button", { name: "Stop" }).click();
  await card.getByText(/Stopped/).waitFor({ timeout: WAIT });
}));

/** Begins the experiment, and waits for the first question. */
async function sit(page, { name, role, language }) {
  const ja = language === "ja";
  await page.getByLabel(ja ? "名前" : "Name").fill(name);
  await page.getByLabel(ja ? "役割" : "Your role").selectOption(role);
  await page.getByRole("button", { name: ja ? "はじめる" : "Start", exact: true }).click();
  await page.locator(".ring").waitFor({ timeout: WAIT });
}

for (const [language, size, name, role] of [["en", undefined, "desktop", "mate"], ["ja", PHONE, "phone", "withstand"]]) {
  test(`a subject (${role}) is asked, answers and stands in the table, in ${language} on a ${name}`, () => onPage({ part: "subject", language, ...(size ? { size } : {}) }, async (page) => {
    const ja = language === "ja";
    await sit(page, { name: `Tester ${name}`, role, language });
    assert.match(await page.locator(".ring").getAttribute("aria-label"), /\d/);
    await screenshot(page, `subject-asked-${name}-${language}`);
    // Whoever sees nothing says so; the paper's players are in the table from the start.
    const over = page.getByText(ja ? "ありがとうございました" : "Thank you");
    const give = page.getByRole("button", { name: ja ? "わからない" : "I don't see it" });
    while (!(await over.isVisible())) {
      await poll(async () => (await over.isVisible()) || (await give.isVisible()), "a question or the end", WAIT);
      // The time of the question may be over in this moment: then the button is gone.
      if (await give.isVisible()) await give.click({ timeout: 1000 }).catch(() => undefined);
    }
    const own = page.locator(".people .own").first();
    await own.waitFor({ timeout: WAIT });
    assert.match(await own.innerText(), /Tester/);
    await screenshot(page, `subject-thanks-${name}-${language}`);
    await panel(page, ja ? "結果の表" : "Results");
    if (role === "mate") assert.match(await page.locator(".people").last().innerText(), /4-dan/);
  }));
}

test("an answer by hand is taken, an illegal one is explained, and leaving keeps what is done", () => onPage({ part: "subject" }, async (page) => {
  await sit(page, { name: "Mover", role: "mate", language: "en" });
  const target = page.locator(".cell[aria-label*='legal target']");
  // Take up pieces until one can move.
  const cells = page.locator(".cell:not([aria-label*='empty'])");
  const takeUpAny = async () => {
    for (let at = 0; at < (await cells.count()) && !(await target.count()); at++) await cells.nth(at).click();
  };
  await takeUpAny();
  // An empty square that the piece cannot go to.
  await page.locator(".cell[aria-label*='empty']:not([aria-label*='legal target'])").first().click();
  await page.locator(".bubble").waitFor();
  await takeUpAny();
  const before = await position(page);
  await target.first().click();
  const promotion = page.getByRole("button", { name: "Promote", exact: true });
  if (await promotion.isVisible()) await promotion.click();
  await poll(async () => (await position(page)) !== before, "the answer to be taken");
  await page.getByRole("button", { name: /Leave/ }).click();
  await page.getByRole("button", { name: "Start", exact: true }).waitFor();
}));
