// Records in and out: files, paste, links, pictures, and what the evaluation sees.

import { button, fill, h } from "./dom.js";
import { openDialog, saveFile } from "./dialog.js";
import { t } from "./i18n.js";
import { recordAddress } from "./record.js";
import { store, stored } from "./settings.js";
import { signed } from "./words.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {import("./record.js").GameRecord} GameRecord */

/** A record that is being typed. */
const TYPED = "yomikiri.typed";

/** @param {(name: string, bytes: ArrayBuffer) => void} read */
export function openRecordFile(read) {
  const accept = ".kif,.kifu,.ki2,.ki2u,.csa,.jkf,.json,.sfen,.usi,.txt";
  const input = h("input", { type: "file", accept, "aria-label": t("openRecord") });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void file.arrayBuffer().then((bytes) => read(file.name, bytes));
  });
  input.click();
}

/**
 * Takes a record as text; what is wrong with it is said in the dialog.
 * @param {(text: string) => Promise<string>} read  answers what is wrong
 */
export function pasteDialog(read) {
  const text = h("textarea", { rows: 10, "aria-label": t("record"), spellcheck: "false", oninput: () => store(TYPED, text.value) });
  text.value = stored(TYPED, "");
  const error = h("p", { class: "note", role: "alert" });
  const dialog = openDialog(t("pasteRecord"), [h("p", { class: "quiet" }, t("pasteHelp")), text, error], [
    button(t("cancel"), () => dialog.close()),
    button(t("read"), () => void read(text.value).then((wrong) => {
      error.textContent = wrong;
      if (wrong) return;
      store(TYPED, "");
      dialog.close();
    }), { class: "primary" }),
  ]);
  text.focus();
}

/** The record in the address, and on the clipboard. @param {App} app @param {GameRecord} record @param {number} node */
export async function share(app, record, node) {
  const address = new URL(`#analyse/${recordAddress(record, node)}`, location.href);
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address.href);
    app.toast(t("copied"));
  } catch {
    app.toast(t("copyFailed"));
  }
}

/**
 * @param {App} app
 * @param {GameRecord} record
 * @param {number} node
 * @param {string} format  of records, or `picture`
 * @param {boolean} flipped
 */
export async function exportRecord(app, record, node, format, flipped) {
  try {
    if (format === "picture") {
      const { svg } = await app.connection.ask("picture", { kind: "picture", at: record.place(node), flipped });
      const base64 = toBase64(new TextEncoder().encode(svg).buffer);
      saveFile({ name: "position.svg", mime: "image/svg+xml", base64, text: svg });
    } else saveFile(await app.connection.ask("file", { kind: "write-record", record: record.toInput(), format }));
  } catch (error) {
    app.fail(error);
  }
}

/**
 * What each group of features gives.
 * @param {App} app
 * @param {import("./session.js").Place} at
 * @param {HTMLElement} box
 */
export async function explain(app, at, box) {
  try {
    const view = await app.connection.ask("explanation", { kind: "explain", at });
    const row = (/** @type {string} */ name, /** @type {number} */ value, sum = false) =>
      h("tr", { class: sum ? "sum" : null }, h("th", { scope: "row" }, name), h("td", {}, signed(Math.round(value))));
    fill(box, h("h3", {}, t("explain")),
      h("p", { class: "quiet" }, `${t("explainHelp")} · ${t("stage", Math.round(100 * view.stage))}`),
      h("table", { class: "explain" }, h("tbody", {}, row(t("material"), view.material),
        view.groups.map((group) => row(groupName(group.name), group.value)), row(t("total"), view.total, true))));
    box.scrollIntoView({ block: "nearest" });
  } catch (error) {
    app.fail(error);
  }
}

/** The name of a group of features in words: `king-file` has `groupKingFile`. @param {string} name */
function groupName(name) {
  const key = `group${name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
  return t(/** @type {import("./i18n.js").Key} */ (key));
}

/** @param {ArrayBuffer} bytes */
export function toBase64(bytes) {
  let text = "";
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}
