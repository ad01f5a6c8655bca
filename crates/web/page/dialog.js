// Dialogs: the settings, the list of keys, and the few questions that need an answer.

import { button, choice, h, toggle } from "./dom.js";
import { t } from "./i18n.js";
import { change, settings } from "./settings.js";
import { describe, parseSfen } from "./shogi.js";

/**
 * Opens a dialog; it goes when it is closed.
 * @param {string} title
 * @param {(import("./dom.js").Child)[]} content
 * @param {HTMLElement[]} [actions]
 */
export function openDialog(title, content, actions) {
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => dialog.remove() }, heading,
    h("div", { class: "dialog-body" }, content),
    h("div", { class: "dialog-actions" }, actions ?? [button(t("close"), () => dialog.close(), { class: "primary" })]));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks before something that cannot be undone.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} action
 */
export function confirmDialog(question, yes, action) {
  const dialog = openDialog(question, [], [
    button(t("cancel"), () => dialog.close()),
    button(yes, () => {
      dialog.close();
      action();
    }, { class: "primary" }),
  ]);
}

export function settingsDialog() {
  openDialog(t("settings"), [
    choice(t("language"), [["ja", "日本語"], ["en", "English"]], settings.language,
      (value) => change(value === "ja" ? { language: "ja", notation: "ja" } : { language: "en", notation: "en" })),
    choice(t("theme"), [["system", t("themeSystem")], ["light", t("themeLight")], ["dark", t("themeDark")]],
      settings.theme, (value) => change({ theme: /** @type {typeof settings.theme} */ (value) })),
    choice(t("pieceSet"), [["one", t("piecesOne")], ["two", t("piecesTwo")], ["western", t("piecesWestern")]],
      settings.pieces, (value) => change({ pieces: /** @type {typeof settings.pieces} */ (value) })),
    choice(t("notation"), [["ja", t("notationJapanese")], ["en", "P-7f"], ["usi", "7g7f"]],
      settings.notation, (value) => change({ notation: /** @type {typeof settings.notation} */ (value) })),
    toggle(t("showCoordinates"), settings.coordinates, (coordinates) => change({ coordinates })),
    toggle(t("showTargets"), settings.targets, (targets) => change({ targets })),
    toggle(t("showArrows"), settings.arrows, (arrows) => change({ arrows })),
    toggle(t("sounds"), settings.sounds, (sounds) => change({ sounds })),
  ]);
}

export function helpDialog() {
  /** @type {[string, string][]} */
  const keys = [
    ["← →", t("keyArrows")], ["Home End", t("keyHomeEnd")], ["↑ ↓", t("keyUpDown")], ["f", t("keyFlip")],
    ["Space", t("keySpace")], ["h", t("keyHint")], ["u", t("keyUndo")], ["1–9", t("keyDigits")], ["r", t("keyRead")], ["?", t("keyHelp")],
  ];
  openDialog(t("help"), [
    h("dl", { class: "keys" }, keys.flatMap(([key, what]) => [
      h("dt", {}, key.split(" ").map((part) => h("kbd", {}, part))), h("dd", {}, what),
    ])),
    h("p", {}, t("keyBoard")), h("p", {}, t("keyMouse")),
  ]);
}

/** The position rank by rank. @param {string} sfen */
export function positionDialog(sfen) {
  const placement = parseSfen(sfen);
  openDialog(t("positionText"), [
    h("p", {}, t("toMove", t(placement.side === "b" ? "black" : "white"))),
    h("ul", { class: "plain-list" }, describe(placement, settings.language).map((line) => h("li", {}, line))),
    h("p", {}, h("code", {}, sfen)),
  ]);
}

/**
 * Saves a file.
 * @param {import("./session.js").FileView} file
 */
export function saveFile(file) {
  const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: file.mime }));
  const link = h("a", { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
