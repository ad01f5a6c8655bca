// Infinite analysis: the switch, what the search does, and its lines in words.

import { button, choice, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { withPreview } from "./preview.js";
import { store, stored } from "./settings.js";
import { effort, faultText, moveText, shortValue, valueText } from "./words.js";

/** @typedef {import("./session.js").AnalysisEvent} AnalysisEvent */
/** @typedef {import("./session.js").AnalysisLine} AnalysisLine */
/** @typedef {import("./session.js").MoveView} MoveView */
/** @typedef {import("./session.js").Place} Place */

const LINES = "yomikiri.lines";

export class LinesPanel {
  /**
   * @param {import("./main.js").App} app
   * @param {object} handlers
   * @param {(event: AnalysisEvent) => void} handlers.news
   * @param {(moves: MoveView[]) => void} handlers.play  a move of a line was chosen: the moves up to it
   * @param {() => boolean} handlers.flipped
   * @param {() => void} handlers.off
   */
  constructor(app, handlers) {
    this.connection = app.connection;
    this.handlers = handlers;
    // What ran when the page was left goes on.
    this.on = app.opened.state.tasks.some((task) => task.kind === "analyse" && task.running);
    /** @type {number | null} */
    this.task = null;
    /** @type {Place | null} */
    this.place = null;
    /** @type {AnalysisEvent | null} */
    this.event = null;
    this.wanted = 0;
    this.count = Math.min(stored(LINES, 3), app.opened.choices.mostLines);
    this.switch = button("", () => this.toggle(), { class: "primary" });
    this.effort = h("p", { class: "effort" });
    this.list = h("ol", { class: "lines" });
    const counts = Array.from({ length: app.opened.choices.mostLines }, (_, n) => String(n + 1));
    this.element = h("div", {}, h("div", { class: "engine-head" },
      this.switch, choice(t("lines"), counts.map((n) => [n, n]), String(this.count), (value) => this.setCount(Number(value)))),
    this.effort, this.list);
    this.drawSwitch();
  }

  drawSwitch() {
    fill(this.switch, icon(this.on ? "pause" : "engine"), t(this.on ? "engineOff" : "engineOn"));
    this.switch.classList.toggle("primary", !this.on);
    this.switch.setAttribute("aria-pressed", String(this.on));
  }

  /** @param {number} count */
  setCount(count) {
    this.count = count;
    store(LINES, count);
    if (this.on && this.place) void this.restart();
  }

  toggle() {
    this.on = !this.on;
    this.drawSwitch();
    if (this.on) void this.restart();
    else {
      void this.connection.stop(this.task);
      this.task = null;
      this.handlers.off();
    }
  }

  /** Goes on with another position. @param {Place} place */
  follow(place) {
    this.place = place;
    this.event = null;
    fill(this.list);
    this.effort.textContent = "";
    if (this.on) void this.restart();
  }

  async restart() {
    if (!this.place) return;
    const wanted = ++this.wanted;
    const place = this.place;
    try {
      const old = this.task;
      this.task = null;
      await this.connection.stop(old);
      if (wanted !== this.wanted || !this.on) return;
      this.task = await this.connection.startTask({ kind: "analyse", at: place, lines: this.count }, (event) => {
        if (event.kind === "analysis" && wanted === this.wanted && this.place === place) this.show(event);
      });
    } catch (error) {
      this.effort.textContent = faultText(error);
    }
  }

  /** @param {AnalysisEvent} event */
  show(event) {
    this.event = event;
    this.effort.textContent = effort(event);
    // A list under the pointer would jump away while it is read.
    if (!this.list.matches(":hover") || !this.list.children.length) this.drawLines(event);
    this.handlers.news(event);
  }

  /** @param {AnalysisEvent} event */
  drawLines(event) {
    fill(this.list, event.lines.map((line) => h("li", {},
      h("span", { class: "line-value" }, `${line.number}. ${valueText(line.value)}`),
      h("div", { class: "line-moves" }, line.moves.slice(0, 16).map((move, index) => this.moveButton(event.sfen, line, move, index))))));
  }

  /** @param {string} sfen @param {AnalysisLine} line @param {MoveView} move @param {number} index */
  moveButton(sfen, line, move, index) {
    const moves = line.moves.slice(0, index + 1);
    const element = button(moveText(move), () => this.handlers.play(moves));
    /** @type {string | null} */
    let after = null;
    element.addEventListener("pointerenter", () => {
      if (after) return;
      void this.connection.ask("line", { kind: "line", at: { sfen }, moves: moves.map((m) => m.usi) })
        .then((answer) => (after = answer.sfens.at(-1) ?? null)).catch(() => (after = null));
    });
    return withPreview(element, () => (after ? { sfen: after, last: move.usi, flipped: this.handlers.flipped() } : null));
  }

  /** The first moves as arrows with their values. */
  arrows() {
    if (!this.on || !this.event) return [];
    return this.event.lines.flatMap((line, rank) => {
      const [move] = line.moves;
      return move ? [{ usi: move.usi, label: shortValue(line.value), rank }] : [];
    });
  }

  stop() {
    if (this.on) this.toggle();
  }
}
