// The board: one SVG for the picture, and above it a grid of 81 cells for pointer, keyboard and
// screen reader. What is legal comes from outside as a list of moves in USI.

import { button, fill, h, s } from "./dom.js";
import { CELL, EDGE, SIZE, drawPiece, drawWood, pieceIcon } from "./draw.js";
import { settings } from "./settings.js";
import { coordinates, kindName, kindOf, moveParts, parseSfen, sideOf, squareAt, squareName } from "./shogi.js";
import { t } from "./i18n.js";
import { arrowShape } from "./arrows.js";

/**
 * What a person has taken up: a square, or a piece in hand (`P*`).
 * @typedef {string} Origin
 */
/**
 * @typedef {object} Handlers
 * @property {(usi: string) => void} [move]  a legal move was made
 * @property {(usi: string) => void} [illegal]  a move was tried that is not in the list
 * @property {(square: string, event: "primary" | "secondary") => void} [square]  editor: a square was pressed
 */
/** @typedef {{usi: string, label?: string, rank?: number}} EngineArrow */

const DRAG_DISTANCE = 6;
/** Milliseconds after which a finger rests. */
const HOLD = 450;

export class Board {
  /** @param {Handlers} handlers */
  constructor(handlers = {}) {
    this.handlers = handlers;
    this.flipped = false;
    this.sfen = "";
    this.placement = parseSfen("9/9/9/9/9/9/9/9/9 b - 1");
    /** @type {string[]} */
    this.legal = [];
    /** @type {string | null} */
    this.lastMove = null;
    /** @type {Origin | null} */
    this.selected = null;
    /** @type {EngineArrow[]} */
    this.engineArrows = [];
    /** Arrows of the user, by position. @type {Map<string, Set<string>>} */
    this.userArrows = new Map();
    /** @type {string[]} */
    this.warned = [];
    /** Where an arrow of the user begins that is being drawn. @type {string | null} */
    this.arrowFrom = null;
    /** @type {Map<string, SVGGElement>} */
    this.pieces = new Map();
    this.cursor = 40;
    /** @type {Set<() => void>} */
    this.onSelect = new Set();
    /** @type {HTMLElement | undefined} */
    this.choice = undefined;
    /** @type {HTMLElement | undefined} */
    this.ghost = undefined;
    this.wood = s("g");
    this.marks = s("g", { class: "marks" });
    this.pieceLayer = s("g", { class: "pieces" });
    this.dots = s("g", { class: "dots" });
    this.arrows = s("g", { class: "arrows" });
    this.svg = s("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, "aria-hidden": "true" },
      this.wood, this.marks, this.pieceLayer, this.dots, this.arrows);
    this.cells = Array.from({ length: 81 }, (_, index) => h("div", {
      role: "gridcell", tabindex: index === this.cursor ? 0 : -1, class: "cell",
    }));
    const rows = Array.from({ length: 9 }, (_, row) =>
      h("div", { role: "row" }, this.cells.slice(9 * row, 9 * row + 9)));
    this.grid = h("div", {
      role: "grid", class: "cells", "aria-label": t("board"),
      onkeydown: (event) => this.key(/** @type {KeyboardEvent} */ (event)),
      onpointerdown: (event) => this.press(/** @type {PointerEvent} */ (event)),
      oncontextmenu: (event) => event.preventDefault(),
    }, rows);
    this.element = h("div", { class: "board" }, this.svg, this.grid);
    this.drawWood();
  }

  drawWood() {
    fill(this.wood, drawWood({
      flipped: this.flipped, coordinates: settings.coordinates,
      western: settings.pieces === "western" || settings.notation !== "ja",
    }));
  }

  /** Draws everything again, after settings changed. */
  refresh() {
    this.pieces.clear();
    this.pieceLayer.replaceChildren();
    this.drawWood();
    this.grid.setAttribute("aria-label", t("board"));
    this.update();
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    this.refresh();
  }

  /**
   * Shows a position.
   * @param {string} sfen
   * @param {{legal?: string[], lastMove?: string | null}} [options]
   */
  show(sfen, { legal = [], lastMove = null } = {}) {
    this.sfen = sfen;
    this.placement = parseSfen(sfen);
    this.legal = legal;
    this.lastMove = lastMove;
    this.warned = [];
    this.arrowFrom = null;
    this.closeChoice(false);
    this.select(null);
    this.update();
  }

  update() {
    this.drawPieces();
    this.drawMarks();
    this.drawArrows();
    this.labelCells();
  }

  /** @param {string} square */
  centre(square) {
    const { file, rank } = coordinates(square);
    const column = this.flipped ? file - 1 : 9 - file;
    const row = this.flipped ? 9 - rank : rank - 1;
    return {
      x: EDGE.left + (column + 0.5) * CELL.width, y: EDGE.top + (row + 0.5) * CELL.height,
      index: 9 * row + column,
    };
  }

  /** @param {number} index */
  squareOfCell(index) {
    const [column, row] = [index % 9, Math.floor(index / 9)];
    return this.flipped ? squareAt(column + 1, 9 - row) : squareAt(9 - column, row + 1);
  }

  /** Pieces that stay, stay; a piece that left one square and stands on another moves there. */
  drawPieces() {
    /** @type {[string, SVGGElement, string][]} */
    const free = [];
    for (const [square, element] of this.pieces) {
      if (this.placement.board.get(square) === element.dataset.piece) continue;
      free.push([square, element, element.dataset.piece ?? ""]);
      this.pieces.delete(square);
    }
    for (const [square, piece] of this.placement.board) {
      if (!this.pieces.has(square)) this.place(square, piece, free);
    }
    for (const [, element] of free) element.remove();
  }

  /**
   * @param {string} square
   * @param {string} piece
   * @param {[string, SVGGElement, string][]} free
   */
  place(square, piece, free) {
    const base = (/** @type {string} */ p) => p.replace("+", "");
    const { x, y } = this.centre(square);
    const found = free.findIndex(([, , old]) => base(old) === base(piece));
    let element = found >= 0 ? free.splice(found, 1)[0]?.[1] : undefined;
    if (!element || element.dataset.piece !== piece) {
      const fresh = s("g", { class: "piece", "data-piece": piece });
      fresh.append(drawPiece(piece, settings.pieces));
      if (element) fresh.style.transform = element.style.transform;
      element?.remove();
      element = fresh;
    }
    this.pieceLayer.append(element);
    const turned = (sideOf(piece) === "w") !== this.flipped;
    const transform = `translate(${x}px, ${y}px) scale(1.07) rotate(${turned ? 180 : 0}deg)`;
    // Reading the layout makes the browser start the transition from the old place.
    if (found >= 0) element.getBoundingClientRect();
    element.style.transform = transform;
    this.pieces.set(square, element);
  }

  /** @param {string} square @param {string} kind */
  tint(square, kind) {
    const { x, y } = this.centre(square);
    return s("rect", {
      x: x - CELL.width / 2, y: y - CELL.height / 2, width: CELL.width, height: CELL.height, class: `tint ${kind}`,
    });
  }

  drawMarks() {
    /** @type {SVGElement[]} */
    const marks = [];
    if (this.lastMove) {
      const { from, to } = moveParts(this.lastMove);
      if (from) marks.push(this.tint(from, "from"));
      marks.push(this.tint(to, "to"));
    }
    if (this.selected && !this.selected.endsWith("*")) marks.push(this.tint(this.selected, "chosen"));
    for (const square of this.warned) marks.push(this.tint(square, "warned"));
    fill(this.marks, marks);
    const dots = settings.targets ? this.targets().map((square) => {
      const { x, y } = this.centre(square);
      const taken = this.placement.board.has(square);
      return s("circle", { cx: x, cy: y, r: taken ? 26 : 9, class: taken ? "dot taken" : "dot" });
    }) : [];
    fill(this.dots, dots);
  }

  /** Squares that what is taken up may go to. */
  targets() {
    const origin = this.selected;
    if (!origin) return [];
    return [...new Set(this.legal.filter((usi) => usi.startsWith(origin)).map((usi) => usi.slice(2, 4)))];
  }

  drawArrows() {
    const engine = settings.arrows ? this.engineArrows : [];
    const shapes = engine.map((arrow) => arrowShape(this, arrow.usi, "engine", arrow.label ?? "", arrow.rank ?? 0));
    for (const arrow of this.userArrows.get(this.sfen) ?? []) {
      shapes.push(arrowShape(this, arrow, "user", "", 0));
    }
    if (this.arrowFrom) shapes.push(arrowShape(this, `${this.arrowFrom}${this.arrowFrom}`, "user", "", 0));
    fill(this.arrows, shapes.reverse());
  }

  /** @param {EngineArrow[]} arrows */
  setArrows(arrows) {
    this.engineArrows = arrows;
    this.drawArrows();
  }

  /** @param {string[]} squares  squares that show why a move is not legal */
  warn(squares) {
    this.warned = squares;
    this.drawMarks();
  }

  labelCells() {
    const language = settings.language;
    const targets = new Set(this.targets());
    this.cells.forEach((cell, index) => {
      const square = this.squareOfCell(index);
      const piece = this.placement.board.get(square);
      const held = piece
        ? t("pieceOf", t(sideOf(piece) === "b" ? "black" : "white"), kindName(kindOf(piece), language))
        : t("emptySquare");
      const target = targets.has(square) ? `, ${t("legalTarget")}` : "";
      cell.setAttribute("aria-label", `${squareName(square, language)} ${held}${target}`);
      cell.setAttribute("aria-selected", String(this.selected === square));
      cell.dataset.square = square;
    });
  }

  /** @param {Origin | null} origin */
  select(origin) {
    if (this.selected === origin) return;
    this.selected = origin;
    this.warned = [];
    this.drawMarks();
    this.labelCells();
    for (const listener of this.onSelect) listener();
  }

  /** Whether what stands there can be taken up: a piece of the side that has legal moves. @param {Origin} origin */
  movable(origin) {
    if (this.legal.length === 0) return false;
    if (origin.endsWith("*")) return true;
    const piece = this.placement.board.get(origin);
    return piece !== undefined && sideOf(piece) === this.placement.side;
  }

  /**
   * Tries to go to a square with what is taken up.
   * @param {Origin} origin
   * @param {string} square
   */
  attempt(origin, square) {
    const tried = `${origin}${square}`;
    const moves = this.legal.filter((usi) => usi === tried || usi === `${tried}+`);
    const [first] = moves;
    if (moves.length === 2) this.choosePromotion(tried);
    else if (first !== undefined) this.play(first);
    else {
      this.select(null);
      this.handlers.illegal?.(tried);
    }
  }

  /** @param {string} usi */
  play(usi) {
    this.select(null);
    this.handlers.move?.(usi);
  }

  /** The choice appears at the square. @param {string} tried */
  choosePromotion(tried) {
    this.closeChoice(false);
    const square = tried.slice(2, 4);
    const piece = this.placement.board.get(tried.slice(0, 2)) ?? "P";
    const { x, y } = this.centre(square);
    const option = (/** @type {string} */ usi, /** @type {string} */ shown, /** @type {string} */ label) => {
      const element = button("", () => {
        this.closeChoice(true);
        this.play(usi);
      }, { "aria-label": label, title: label });
      element.append(pieceIcon(shown, settings.pieces), h("span", {}, label));
      return element;
    };
    const upper = kindOf(piece);
    this.choice = h("div", {
      class: "promotion", role: "dialog", "aria-label": t("promoteQuestion"),
      onkeydown: (event) => this.choiceKey(/** @type {KeyboardEvent} */ (event)),
    }, option(`${tried}+`, `+${upper}`, t("promote")), option(tried, upper, t("dontPromote")));
    const across = Math.min(Math.max(x / SIZE.width, 0.17), 0.83);
    this.choice.style.left = `${100 * across}%`;
    this.choice.style.top = `${100 * Math.min(Math.max(y / SIZE.height, 0.09), 0.91)}%`;
    this.element.append(this.choice);
    this.choice.querySelector("button")?.focus();
  }

  /** @param {KeyboardEvent} event */
  choiceKey(event) {
    if (event.key === "Escape") {
      this.closeChoice(true);
      this.select(null);
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const buttons = [...(this.choice?.querySelectorAll("button") ?? [])];
      buttons.find((b) => b !== document.activeElement)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {boolean} focus  whether the board takes the focus back */
  closeChoice(focus) {
    if (!this.choice) return;
    this.choice.remove();
    this.choice = undefined;
    if (focus) this.cells[this.cursor]?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 }[event.key];
    if (step !== undefined) {
      const column = this.cursor % 9;
      const wraps = (step === -1 && column === 0) || (step === 1 && column === 8);
      const next = this.cursor + step;
      if (!wraps && next >= 0 && next < 81) this.focusCell(next);
    } else if (event.key === "Enter") {
      const square = this.squareOfCell(this.cursor);
      if (this.handlers.square) this.handlers.square(square, event.shiftKey ? "secondary" : "primary");
      else if (event.shiftKey) this.arrowKey(square);
      else this.activate(square);
    } else if (event.key === "Escape") {
      this.select(null);
      this.beginArrow(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index */
  focusCell(index) {
    this.cells[this.cursor]?.setAttribute("tabindex", "-1");
    this.cursor = index;
    const cell = this.cells[index];
    cell?.setAttribute("tabindex", "0");
    cell?.focus({ preventScroll: true });
  }

  /** A square was chosen by keyboard, or clicked. @param {string} square */
  activate(square) {
    const origin = this.selected;
    if (origin === square) this.select(null);
    else if (origin && (this.targets().includes(square) || !this.movable(square))) this.attempt(origin, square);
    else if (this.movable(square)) this.select(square);
    else this.select(null);
  }

  /** The square under a point of the window. @param {number} x @param {number} y */
  squareUnder(x, y) {
    const cell = document.elementsFromPoint(x, y).find((e) => e instanceof HTMLElement && e.dataset.square
      && this.element.contains(e));
    return cell instanceof HTMLElement ? cell.dataset.square ?? null : null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const square = this.squareUnder(event.clientX, event.clientY);
    if (!square) return;
    this.closeChoice(false);
    this.focusCell(this.centre(square).index);
    if (this.handlers.square) {
      event.preventDefault();
      this.handlers.square(square, event.button === 2 ? "secondary" : "primary");
    } else if (event.button === 2) this.dragArrow(square, event);
    else if (event.button === 0) {
      this.take(square, event);
      if (event.pointerType === "touch") this.holdForArrow(square, event);
    }
  }

  /**
   * Takes up a piece: a click selects it, a longer way drags it.
   * @param {Origin} origin
   * @param {PointerEvent} event
   */
  take(origin, event) {
    event.preventDefault();
    const inHand = origin.endsWith("*");
    const goesThere = this.selected !== null && !inHand && this.targets().includes(origin);
    const again = this.selected === origin;
    if (goesThere || !this.movable(origin)) {
      if (!inHand) this.activate(origin);
      return;
    }
    this.select(origin);
    const piece = inHand ? origin.slice(0, 1) : this.placement.board.get(origin) ?? "P";
    followPointer(event, {
      start: () => this.lift(origin, piece),
      move: (x, y) => this.carry(x, y),
      end: (x, y, dragged) => {
        this.putDown(origin);
        if (this.arrowFrom) return;
        const square = this.squareUnder(x, y);
        if (dragged && square && square !== origin) this.attempt(origin, square);
        else if (dragged || again) this.select(null);
      },
      cancel: () => this.putDown(origin),
    });
  }

  /** @param {Origin} origin @param {string} piece */
  lift(origin, piece) {
    if (this.arrowFrom) return;
    this.pieces.get(origin)?.classList.add("lifted");
    const turned = (this.placement.side === "w") !== this.flipped;
    this.ghost = h("div", { class: turned ? "ghost turned" : "ghost" }, pieceIcon(piece, settings.pieces));
    const cell = this.cells[0]?.getBoundingClientRect();
    this.ghost.style.width = `${(cell?.width ?? 48) * 1.12}px`;
    document.body.append(this.ghost);
  }

  /** @param {number} x @param {number} y */
  carry(x, y) {
    if (this.ghost) this.ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -60%)`;
    const square = this.squareUnder(x, y);
    for (const cell of this.cells) cell.classList.toggle("over", cell.dataset.square === square);
  }

  /** @param {Origin} origin */
  putDown(origin) {
    this.pieces.get(origin)?.classList.remove("lifted");
    this.ghost?.remove();
    this.ghost = undefined;
    for (const cell of this.cells) cell.classList.remove("over");
  }

  /** The right button draws an arrow of one's own; the same again takes it away. @param {string} from @param {PointerEvent} event */
  dragArrow(from, event) {
    event.preventDefault();
    followPointer(event, { end: (x, y) => this.endArrow(from, this.squareUnder(x, y)) });
  }

  /** A finger that rests on a square draws an arrow from there. @param {string} from @param {PointerEvent} event */
  holdForArrow(from, event) {
    followPointer(event, {
      hold: () => {
        this.select(null);
        this.beginArrow(from);
      },
      end: (x, y) => this.arrowFrom && this.endArrow(from, this.squareUnder(x, y)),
      cancel: () => this.beginArrow(null),
    });
  }

  /** By keys: the first square, then the second. @param {string} square */
  arrowKey(square) {
    if (this.arrowFrom) this.endArrow(this.arrowFrom, square);
    else this.beginArrow(square);
  }

  /** @param {string | null} from */
  beginArrow(from) {
    this.arrowFrom = from;
    this.drawArrows();
  }

  /** Draws the arrow, or takes it away where it stands already. @param {string} from @param {string | null} to */
  endArrow(from, to) {
    this.arrowFrom = null;
    if (to) {
      const arrows = this.userArrows.get(this.sfen) ?? new Set();
      const arrow = `${from}${to}`;
      if (!arrows.delete(arrow)) arrows.add(arrow);
      this.userArrows.set(this.sfen, arrows);
    }
    this.drawArrows();
  }
}

/**
 * Follows a pointer until it is let go.
 * @param {PointerEvent} event
 * @param {object} handlers
 * @param {() => void} [handlers.start]  it went further than a click does
 * @param {() => void} [handlers.hold]  it rested where it was put down
 * @param {(x: number, y: number) => void} [handlers.move]
 * @param {(x: number, y: number, dragged: boolean) => void} handlers.end
 * @param {() => void} [handlers.cancel]
 */
function followPointer(event, handlers) {
  const id = event.pointerId;
  let dragged = false;
  const ended = new AbortController();
  const options = { signal: ended.signal };
  const timer = handlers.hold ? window.setTimeout(() => !dragged && handlers.hold?.(), HOLD) : 0;
  ended.signal.addEventListener("abort", () => clearTimeout(timer));
  const mine = (/** @type {PointerEvent} */ e) => e.pointerId === id;
  window.addEventListener("pointermove", (e) => {
    if (!mine(e)) return;
    const distance = Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY);
    if (!dragged && distance > DRAG_DISTANCE) {
      dragged = true;
      handlers.start?.();
    }
    if (dragged) handlers.move?.(e.clientX, e.clientY);
  }, options);
  window.addEventListener("pointerup", (e) => {
    if (!mine(e)) return;
    ended.abort();
    handlers.end(e.clientX, e.clientY, dragged);
  }, options);
  window.addEventListener("pointercancel", (e) => {
    if (!mine(e)) return;
    ended.abort();
    handlers.cancel?.();
  }, options);
}
