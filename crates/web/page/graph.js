// The value over a game: black's area below, white's above; a click goes there.

import { button, fill, h, s } from "./dom.js";
import { t } from "./i18n.js";
import { store, stored } from "./settings.js";

/**
 * @typedef {object} GraphPoint
 * @property {number} ply
 * @property {number} rate  black's chance to win, 0 to 1
 * @property {number} centipawns  for black
 * @property {string} text  what is said of it
 * @property {"blunder" | "missed-mate" | null} mark
 * @property {"b" | "w"} mover  who made the move that led here
 */

const HEIGHT = 100;
/** The value at which the graph of values ends. */
const FULL = 2000;
const SCALE = "yomikiri.graph";

export class Graph {
  /**
   * @param {(ply: number) => void} go
   * @param {(ply: number, anchor: Element | null) => void} hover
   */
  constructor(go, hover) {
    this.go = go;
    this.hover = hover;
    /** @type {GraphPoint[]} */
    this.points = [];
    this.last = 1;
    this.ply = 0;
    this.drawing = s("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.cursor = h("div", { class: "graph-cursor", "aria-hidden": "true" });
    this.marks = h("div", { class: "graph-marks", "aria-hidden": "true" });
    this.words = h("p", { class: "graph-words" });
    /** @type {"rate" | "value"} */
    this.scale = stored(SCALE, "rate");
    this.scaleButton = button("", () => this.otherScale(), { class: "plain graph-scale" });
    this.range = h("input", {
      type: "range", min: 0, max: 1, value: 0, class: "graph-range", "aria-label": t("graph"),
      oninput: () => this.go(Number(this.range.value)),
    });
    this.area = h("div", {
      class: "graph-area",
      onpointermove: (event) => this.point(/** @type {PointerEvent} */ (event)),
      onpointerleave: () => this.hover(-1, null),
    }, this.drawing, this.marks, this.cursor, this.range);
    this.element = h("figure", { class: "graph" }, this.area, h("figcaption", {}, this.words, this.scaleButton));
    this.nameScale();
  }

  nameScale() {
    this.scaleButton.textContent = t(this.scale === "rate" ? "graphRate" : "graphValue");
  }

  otherScale() {
    this.scale = this.scale === "rate" ? "value" : "rate";
    store(SCALE, this.scale);
    this.nameScale();
    this.show(this.points, this.last);
  }

  /** How high a point stands, 0 to 1. @param {GraphPoint} point */
  level({ rate, centipawns }) {
    return this.scale === "rate" ? rate : 0.5 + Math.max(-FULL, Math.min(FULL, centipawns)) / (2 * FULL);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const box = this.area.getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * this.last);
    this.hover(Math.max(0, Math.min(ply, this.last)), this.area);
  }

  /** @param {GraphPoint[]} points @param {number} last  the last ply of the game */
  show(points, last) {
    this.points = points;
    this.last = Math.max(1, last);
    this.range.max = String(this.last);
    this.drawing.setAttribute("viewBox", `0 0 ${this.last} ${HEIGHT}`);
    const line = points.map((point) => `${point.ply} ${((1 - this.level(point)) * HEIGHT).toFixed(2)}`);
    const [first] = points;
    const end = points[points.length - 1];
    fill(this.drawing, s("path", { class: "half", d: `M0 ${HEIGHT / 2}H${this.last}` }));
    if (first && end && points.length > 1) {
      this.drawing.prepend(
        s("rect", { class: "white-area", x: first.ply, y: 0, width: end.ply - first.ply, height: HEIGHT }),
        s("path", { class: "black-area", d: `M${first.ply} ${HEIGHT}L${line.join("L")}L${end.ply} ${HEIGHT}Z` }),
        s("path", { class: "curve", d: `M${line.join("L")}` }));
    }
    fill(this.marks, points.filter((p) => p.mark).map((p) => {
      const mark = h("span", { class: `graph-mark ${p.mark} ${p.mover}` });
      mark.style.left = `${(100 * p.ply) / this.last}%`;
      mark.style.top = `${100 * (1 - this.level(p))}%`;
      return mark;
    }));
    this.at(this.ply);
  }

  /** @param {number} ply */
  at(ply) {
    this.ply = ply;
    this.range.value = String(ply);
    this.cursor.style.left = `${(100 * Math.min(ply, this.last)) / this.last}%`;
    const here = this.points.find((p) => p.ply === ply);
    const text = here ? t("graphAt", ply, here.text) : "";
    this.words.textContent = text;
    this.range.setAttribute("aria-valuetext", text || String(ply));
  }
}
