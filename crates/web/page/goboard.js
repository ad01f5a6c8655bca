// A Go board: picture below, cells for pointer, keyboard and screen reader above.

import { fill, h, s } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./session.js").GoBoard} GoPosition */
/**
 * @typedef {object} GoMarks
 * @property {string[]} [target]  stones of the block
 * @property {{point: string, text: string}[]} [numbers]  candidates
 * @property {Map<string, number>} [steps]  moves of a line, by point
 * @property {string | null} [last]
 */

/** What is cut off around a margin of one line's distance. */
const TRIM = 0.12;
const LETTERS = "ABCDEFGHJKLMNOPQRST";
/** @type {Record<number, number[]>} */
const STARS = { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] };

/** @param {number} column from 0 @param {number} row from 0 at the top @param {number} size */
export const pointName = (column, row, size) => `${LETTERS[column]}${size - row}`;

/** @param {string} point @param {number} size */
function pointPlace(point, size) {
  return { column: LETTERS.indexOf(point[0] ?? "A"), row: size - Number(point.slice(1)) };
}

export class GoBoard {
  /** @param {(point: string, erase: boolean) => void} press */
  constructor(press) {
    this.press = press;
    /** @type {GoPosition} */
    this.position = { size: 9, black: [], white: [], ko: null };
    /** @type {GoMarks} */
    this.marks = {};
    this.cursor = 0;
    this.size = 0;
    this.drawing = s("svg", { "aria-hidden": "true" });
    this.grid = h("div", {
      role: "grid", class: "go-cells", "aria-label": t("goBoard"),
      onkeydown: (event) => this.key(/** @type {KeyboardEvent} */ (event)),
      oncontextmenu: (event) => event.preventDefault(),
    });
    /** @type {HTMLElement[]} */
    this.cells = [];
    this.element = h("div", { class: "go-board" }, this.drawing, this.grid);
  }

  /** @param {GoPosition} position @param {GoMarks} marks */
  show(position, marks) {
    this.position = position;
    this.marks = marks;
    if (this.size !== position.size) this.makeCells(position.size);
    this.draw();
  }

  /** @param {number} size */
  makeCells(size) {
    this.size = size;
    this.cursor = Math.floor((size * size) / 2);
    this.cells = Array.from({ length: size * size }, (_, index) => h("div", {
      role: "gridcell", class: "cell", tabindex: index === this.cursor ? 0 : -1,
      onpointerdown: (event) => {
        event.preventDefault();
        this.focusCell(index);
        this.press(this.pointOf(index), /** @type {PointerEvent} */ (event).button === 2);
      },
    }));
    fill(this.grid, Array.from({ length: size }, (_, row) => h("div", { role: "row" }, this.cells.slice(size * row, size * (row + 1)))));
    this.grid.style.inset = `${(100 * (0.5 - TRIM)) / (size + 1 - 2 * TRIM)}%`;
    this.grid.style.gridTemplate = `repeat(${size}, 1fr) / repeat(${size}, 1fr)`;
  }

  /** @param {number} index */
  pointOf(index) {
    return pointName(index % this.size, Math.floor(index / this.size), this.size);
  }

  /** @param {number} index */
  focusCell(index) {
    this.cells[this.cursor]?.setAttribute("tabindex", "-1");
    this.cursor = index;
    this.cells[index]?.setAttribute("tabindex", "0");
    this.cells[index]?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { size, cursor } = this;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -size, ArrowDown: size }[event.key];
    if (step !== undefined) {
      const wraps = (step === -1 && cursor % size === 0) || (step === 1 && cursor % size === size - 1);
      const next = cursor + step;
      if (!wraps && next >= 0 && next < size * size) this.focusCell(next);
    } else if (event.key === "Enter") this.press(this.pointOf(cursor), event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  draw() {
    const { size, black, white } = this.position;
    const at = (/** @type {string} */ point) => {
      const { column, row } = pointPlace(point, size);
      return { cx: column + 1, cy: row + 1 };
    };
    this.drawing.setAttribute("viewBox", `${TRIM} ${TRIM} ${size + 1 - 2 * TRIM} ${size + 1 - 2 * TRIM}`);
    const stone = (/** @type {string} */ colour) => (/** @type {string} */ point) =>
      s("circle", { ...at(point), r: 0.47, class: `go-stone ${colour}` });
    fill(this.drawing, drawGrid(size), black.map(stone("black")), white.map(stone("white")),
      (this.marks.target ?? []).map((point) => s("circle", { ...at(point), r: 0.3, class: "go-target" })),
      (this.marks.numbers ?? []).map(({ point, text }) => this.number(at(point), text)),
      [...(this.marks.steps ?? [])].map(([point, step]) => this.step(point, at(point), step)));
    this.label();
  }

  /** @param {{cx: number, cy: number}} at @param {string} text */
  number({ cx, cy }, text) {
    return s("g", {}, s("circle", { cx, cy, r: 0.34, class: "go-number-back" }), s("text", { x: cx, y: cy + 0.15, class: "go-number" }, text));
  }

  /** @param {string} point @param {{cx: number, cy: number}} at @param {number} step */
  step(point, { cx, cy }, step) {
    const on = this.position.black.includes(point) ? "on-black" : "on-white";
    return s("text", { x: cx, y: cy + 0.15, class: `go-number go-step ${on}` }, step);
  }

  label() {
    const { black, white } = this.position;
    const target = new Set(this.marks.target ?? []);
    this.cells.forEach((cell, index) => {
      const point = this.pointOf(index);
      const held = black.includes(point) ? t("goBlack") : white.includes(point) ? t("goWhite") : t("goEmpty");
      const number = this.marks.numbers?.find((n) => n.point === point);
      cell.setAttribute("aria-label", [point, held, target.has(point) ? t("goTarget") : "", number?.text ?? ""].filter(Boolean).join(" "));
    });
  }
}

/**
 * A small board for previews.
 * @param {GoPosition} position
 * @param {string} last  the move that led there
 */
export function smallBoard(position, last) {
  const board = new GoBoard(() => undefined);
  board.show(position, { target: last === "pass" ? [] : [last] });
  return h("div", { class: "miniature", "aria-hidden": "true" }, board.drawing);
}

/** @param {number} size */
function drawGrid(size) {
  let lines = "";
  for (let n = 1; n <= size; n++) lines += `M${n} 1V${size}M1 ${n}H${size}`;
  const stars = (STARS[size] ?? []).flatMap((x) => (STARS[size] ?? []).map((y) => s("circle", { cx: x + 1, cy: y + 1, r: 0.09, class: "line-fill" })));
  const names = Array.from({ length: size }, (_, n) => [
    ...[0.44, size + 0.78].map((y) => s("text", { x: n + 1, y, class: "go-coordinate" }, LETTERS[n] ?? "")),
    ...[0.34, size + 0.66].map((x) => s("text", { x, y: n + 1.1, class: "go-coordinate" }, size - n)),
  ]).flat();
  return s("g", {}, s("rect", { x: TRIM, y: TRIM, width: size + 1 - 2 * TRIM, height: size + 1 - 2 * TRIM, rx: 0.08, class: "go-wood" }),
    s("path", { d: lines, class: "go-lines" }), stars, names);
}
