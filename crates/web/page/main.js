// The page: header, parts, keys, language and colours.

import { Connection } from "./connection.js";
import { defineShapes } from "./draw.js";
import { button, fill, h } from "./dom.js";
import { helpDialog, positionDialog, settingsDialog } from "./dialog.js";
import { t } from "./i18n.js";
import { joinProgress } from "./kept.js";
import { icon } from "./icons.js";
import { hidePreview } from "./preview.js";
import { change, onChange, settings } from "./settings.js";
import { faultText } from "./words.js";

/** @typedef {import("./session.js").Opened} Opened */
/**
 * A part of the page. It is made when it is first shown, and again when the language changes; what
 * it shows is kept by the session or in the browser's storage.
 * @typedef {object} Part
 * @property {HTMLElement} element
 * @property {() => void} [show]  it comes into view
 * @property {() => void} [hide]  it goes out of view
 * @property {() => void} [dispose]  it will not be used again
 * @property {() => void} [refresh]  settings other than the language have changed
 * @property {(event: KeyboardEvent) => boolean} [key]  whether the key was used
 * @property {() => string | null} [sfen]  the position in view
 * @property {(text: string, name: string | null, bytes: ArrayBuffer | null) => void} [drop]  a file came
 * @property {(rest: string) => void} [address]  what the address says after the part's name
 */
/**
 * @typedef {object} App
 * @property {Connection} connection
 * @property {Opened} opened
 * @property {(part: PartName, rest?: string) => void} go
 * @property {(text: string) => void} toast
 * @property {(error: unknown) => void} fail
 * @property {{proven?: string}} state  the position whose proof the session keeps
 */
/** @typedef {"play" | "analyse" | "mate" | "subject" | "capture" | "laboratory"} PartName */

/** @type {PartName[]} */
const NAMES = ["play", "analyse", "mate", "subject", "capture", "laboratory"];

/** @type {Record<PartName, () => Promise<{create: (app: App) => Part}>>} */
const MODULES = {
  play: () => import("./parts/play.js"),
  analyse: () => import("./parts/analyse.js"),
  mate: () => import("./parts/mate.js"),
  subject: () => import("./parts/subject.js"),
  capture: () => import("./parts/capture.js"),
  laboratory: () => import("./parts/laboratory.js"),
};

/** Whose searches end when another part is shown. @type {Record<string, PartName>} */
const OWNERS = {
  "analyse": "analyse", "analyse-game": "analyse", "solve-mate": "mate", "judge": "mate", "solve-go": "capture", "be-subject": "subject",
};

const connection = new Connection();
/** @type {Map<PartName, Part>} */
const parts = new Map();
/** @type {PartName | null} */
let current = null;
let language = settings.language;
let toastTimer = 0;
/** @type {App | null} */
let app = null;

const header = /** @type {HTMLElement} */ (document.getElementById("header"));
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const toastBox = /** @type {HTMLElement} */ (document.getElementById("toast"));

/** @param {string} text @param {boolean} [stays] */
function toast(text, stays = false) {
  clearTimeout(toastTimer);
  toastBox.textContent = text;
  toastBox.hidden = false;
  if (!stays) toastTimer = window.setTimeout(() => (toastBox.hidden = true), 4500);
}

function applySettings() {
  const root = document.documentElement;
  root.lang = settings.language;
  root.dataset.theme = settings.theme;
  if (language !== settings.language) {
    language = settings.language;
    const rest = current ? addressRest() : "";
    if (current) parts.get(current)?.hide?.();
    for (const part of parts.values()) part.dispose?.();
    parts.clear();
    drawHeader();
    const name = current ?? "play";
    current = null;
    void show(name, rest);
  } else {
    drawHeader();
    for (const part of parts.values()) part.refresh?.();
  }
}

function drawHeader() {
  const focused = document.activeElement?.id;
  document.title = current ? `${t(current)} – ${t("title")}` : t("title");
  const links = NAMES.map((name) => h("a", {
    href: `#${name}`, "aria-current": name === current ? "page" : null, id: `nav-${name}`,
  }, t(name)));
  const menu = button("", () => nav.classList.toggle("open"), {
    class: "plain menu-button", id: "menu-button", "aria-label": `${current ? t(current) : ""} – ${t("menu")}`, "aria-controls": "nav",
  });
  menu.append(icon("menu"), h("span", {}, current ? t(current) : ""));
  const nav = h("nav", { id: "nav", "aria-label": t("parts"), onclick: () => nav.classList.remove("open") }, links);
  const themes = /** @type {const} */ (["system", "light", "dark"]);
  const themeName = t(settings.theme === "system" ? "themeSystem" : settings.theme === "light" ? "themeLight" : "themeDark");
  const themeButton = button("", () => change({ theme: themes[(themes.indexOf(settings.theme) + 1) % 3] ?? "system" }),
    { class: "plain theme-button", id: "theme-button", "aria-label": themeName, title: themeName });
  themeButton.append(icon("sun"));
  const helpButton = button("", helpDialog, { class: "plain help-button", "aria-label": t("help"), title: t("help") });
  helpButton.append(icon("help"));
  const settingsButton = button("", settingsDialog, { class: "plain", "aria-label": t("settings"), title: t("settings") });
  settingsButton.append(icon("gear"));
  const otherLanguage = settings.language === "ja" ? "en" : "ja";
  fill(header, h("a", { class: "skip", href: "#main", onclick: skip }, t("skip")),
    h("a", { class: "brand", href: "#play" }, h("span", {}, "Yomikiri"), h("span", { lang: "ja" }, "読み切り")),
    menu, nav, h("div", { class: "header-tools" },
      button(t("otherLanguage"), () => change({ language: otherLanguage, notation: otherLanguage }),
        { class: "plain", id: "language-button", lang: otherLanguage }),
      themeButton, helpButton, settingsButton));
  if (focused) document.getElementById(focused)?.focus();
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  const cell = main.querySelector(".cell[tabindex='0']");
  if (cell instanceof HTMLElement) cell.focus();
  else main.focus();
}

const addressRest = () => location.hash.slice(1).split("/").slice(1).join("/");

/** @param {PartName} name @param {string} rest */
async function show(name, rest) {
  if (!app) return;
  hidePreview();
  if (current !== name) {
    if (current) parts.get(current)?.hide?.();
    current = name;
    drawHeader();
    const module = await MODULES[name]();
    if (current !== name) return;
    const part = parts.get(name) ?? module.create(app);
    parts.set(name, part);
    fill(main, h("h1", { class: "unseen" }, t(name)), part.element);
    part.show?.();
  }
  if (rest) parts.get(name)?.address?.(rest);
}

/**
 * What ran for a part that is not shown any more would go on without anybody to stop it.
 * @param {Opened} opened
 * @param {PartName} shown
 */
function stopStrays(opened, shown) {
  for (const { task, kind, running } of opened.state.tasks) {
    const owner = OWNERS[kind];
    if (running && owner && owner !== shown) void connection.stop(task);
  }
}

function route() {
  const [name = ""] = location.hash.slice(1).split("/");
  const part = NAMES.find((known) => known === name);
  if (part) void show(part, addressRest());
  else if (!current) void show("play", "");
}

/** @param {KeyboardEvent} event */
function key(event) {
  const target = event.target;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    || target instanceof HTMLSelectElement;
  if (event.defaultPrevented || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const part = current ? parts.get(current) : undefined;
  const onButton = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
  if (onButton && (event.key === " " || event.key === "Enter")) return;
  const sfen = part?.sfen?.();
  if (event.key === "?") helpDialog();
  else if (event.key === "r" && sfen) positionDialog(sfen);
  else if (!part?.key?.(event)) return;
  event.preventDefault();
}

/** @param {DragEvent} event */
async function drop(event) {
  const file = event.dataTransfer?.files[0];
  const text = event.dataTransfer?.getData("text");
  if (!file && !text) return;
  event.preventDefault();
  if (!current || !parts.get(current)?.drop) {
    // By the address, so that the way back leads to the part that was left.
    history.pushState(null, "", "#analyse");
    await show("analyse", "");
  }
  const part = current ? parts.get(current) : undefined;
  if (file) part?.drop?.("", file.name, await file.arrayBuffer());
  else if (text) part?.drop?.(text, null, null);
}

connection.watchers.add((status) => {
  document.documentElement.dataset.connection = status;
  if (status === "lost") toast(t("lostConnection"), true);
  else if (status === "unreachable") toast(t("noServer"), true);
  else if (status === "open" && app) toast(t("reconnected"));
});
connection.onStray = (error) => toast(faultText(error));
connection.onRefused = (error) => fill(main, h("p", { class: "waiting", role: "alert" }, faultText(error)));
connection.onOpened.add((opened) => {
  joinProgress(connection, opened.state.kept);
  if (app) {
    app.opened = opened;
    return;
  }
  app = {
    connection, opened, state: {}, toast,
    go: (name, rest = "") => {
      const hash = rest ? `#${name}/${rest}` : `#${name}`;
      if (location.hash === hash) void show(name, rest);
      else location.hash = hash;
    },
    fail: (error) => toast(faultText(error)),
  };
  fill(main);
  const [name = ""] = location.hash.slice(1).split("/");
  stopStrays(opened, NAMES.find((known) => known === name) ?? "play");
  route();
});

defineShapes();
document.documentElement.lang = settings.language;
document.documentElement.dataset.theme = settings.theme;
drawHeader();
fill(main, h("p", { class: "waiting" }, t("connecting")));
onChange(applySettings);
addEventListener("hashchange", route);
addEventListener("keydown", key);
// The square in focus is shown to those who move by keys; a pointer needs no frame.
addEventListener("keydown", () => document.documentElement.classList.add("by-keys"), { capture: true });
addEventListener("pointerdown", () => document.documentElement.classList.remove("by-keys"), { capture: true });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => void drop(event));
addEventListener("pagehide", () => void connection.save());
connection.start();
// The site without a server opens without a network, too.
if (connection.worker && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("service-worker.js").catch((error) => toast(faultText(error)));
}
