// What a composer wants to know of a solved problem: other mates, the proof checked anew, files.

import { button, choice, fill, h } from "./dom.js";
import { openDialog, saveFile } from "./dialog.js";
import { number, t } from "./i18n.js";
import { faultText, moveText } from "./words.js";

/** @typedef {import("./session.js").Cooks} Cooks */
/** @typedef {import("./session.js").CookView} CookView */

export class ComposerChecks {
  /**
   * @param {import("./main.js").App} app
   * @param {(ply: number, usi: string) => void} go  to a move that departs from the solution
   */
  constructor(app, go) {
    this.app = app;
    this.connection = app.connection;
    this.go = go;
    this.element = h("div", { class: "after", role: "status" });
  }

  clear() {
    fill(this.element);
  }

  async cook() {
    fill(this.element, h("p", { class: "quiet" }, t("cooking")));
    try {
      await this.connection.startTask({ kind: "cook" }, (event) => {
        if (event.kind === "cooks") this.showCooks(event);
        else if (event.kind === "ended") this.clear();
      });
    } catch (error) {
      fill(this.element, h("p", {}, faultText(error)));
    }
  }

  /** @param {Cooks} cooks */
  showCooks(cooks) {
    const title = cooks.sound ? t("cookSound") : cooks.cooks.length ? t("cookFound", cooks.cooks.length) : t("cookNone");
    fill(this.element, h("h3", {}, title), h("ul", { class: "plain-list" }, cooks.cooks.map((cook) => h("li", {},
      button(cookText(cook), () => this.go(cook.ply, cook.move.usi), { class: "link" }),
      cook.minor ? ` (${t("cookMinor")})` : ""))));
  }

  async verify() {
    try {
      await this.connection.startTask({ kind: "verify-mate" }, (event) => {
        if (event.kind !== "mate-verified") return;
        const text = event.verified ? t("verifiedOk", number(event.positions)) : t("verifiedBad", event.flaw ?? "");
        fill(this.element, h("p", {}, text));
      });
    } catch (error) {
      this.app.fail(error);
    }
  }

  export() {
    let format = "kifu";
    const formats = /** @type {[string, string][]} */ (["proof", ...this.app.opened.choices.formats]
      .map((name) => [name, name === "proof" ? t("proofTree") : name.toUpperCase()]));
    const dialog = openDialog(t("saveAs"), [choice(t("saveFormat"), formats, format, (value) => (format = value))], [
      button(t("cancel"), () => dialog.close()),
      button(t("saveAs"), () => {
        dialog.close();
        this.connection.ask("file", { kind: "write-mate", format }).then(saveFile, this.app.fail);
      }, { class: "primary" }),
    ]);
  }
}

/** @param {CookView} cook */
function cookText(cook) {
  if (cook.length === null) return t("cookMaybe", cook.ply, moveText(cook.move));
  return t("cookAt", cook.ply, moveText(cook.move), cook.length, cook.intended);
}
