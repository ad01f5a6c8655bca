// A board with its two players: hands, names, clocks and the value bar.

import { announce, fill, h, s } from "./dom.js";
import { Board } from "./board.js";
import { pieceIcon } from "./draw.js";
import { t } from "./i18n.js";
import { settings } from "./settings.js";
import { HAND_ORDER, describeHand, kindName, parseSfen } from "./shogi.js";
import { illegalText, moveText, verdict } from "./words.js";
import { moveSound } from "./sound.js";

/** @typedef {import("./session.js").PositionView} PositionView */
/** @typedef {import("./session.js").ValueView} ValueView */
/** @typedef {import("./session.js").Illegal} Illegal */
/** @typedef {import("./shogi.js").Side} Side */
/**
 * @typedef {object} Seat
 * @property {HTMLElement} element
 * @property {HTMLElement} name
 * @property {HTMLElement} clock
 * @property {HTMLElement} hand
 */

export class Table {
  /** @param {import("./board.js").Handlers} handlers */
  constructor(handlers = {}) {
    this.board = new Board(handlers);
    /** @type {Side[]} */
    this.movable = [];
    /** @type {Record<Side, string>} */
    this.names = { b: t("black"), w: t("white") };
    /** @type {{top: Seat, bottom: Seat}} */
    this.seats = { top: makeSeat("top"), bottom: makeSeat("bottom") };
    this.barFill = h("div", { class: "bar-fill" });
    this.bar = h("div", { class: "bar", role: "img", "aria-label": t("valueBar"), hidden: true }, this.barFill);
    this.bubble = h("div", { class: "bubble", role: "status", hidden: true });
    this.board.element.append(this.bubble);
    this.board.onSelect.add(() => this.drawHands());
    this.middle = h("div", { class: "middle" }, this.bar, this.board.element);
    this.element = h("div", { class: "table" }, this.seats.top.element, this.middle, this.seats.bottom.element);
    /** @type {number | undefined} */
    this.bubbleTimer = undefined;
  }

  /** @param {"top" | "bottom"} place @returns {Side} */
  sideAt(place) {
    return (place === "bottom") !== this.board.flipped ? "b" : "w";
  }

  /**
   * Shows a position; `movable` says whose pieces may be moved.
   * @param {PositionView} view
   * @param {Side[]} movable
   * @param {{announce?: boolean}} [options]
   */
  show(view, movable, options = {}) {
    const side = view.board.side === "black" ? "b" : "w";
    const before = this.board.sfen;
    this.movable = movable;
    this.hush();
    this.board.show(view.sfen, {
      legal: movable.includes(side) ? view.legal.map((m) => m.usi) : [],
      lastMove: view.last?.usi ?? null,
    });
    if (view.checkedKing) this.board.element.setAttribute("data-check", view.checkedKing);
    else this.board.element.removeAttribute("data-check");
    this.draw();
    if (options.announce && before !== view.sfen && view.last) {
      announce(moveText(view.last) + (view.checkedKing ? ` ${t("check")}` : ""));
      moveSound();
    }
  }

  /** Shows a position of which only the SFEN is known. @param {string} sfen @param {string | null} last */
  showSfen(sfen, last = null) {
    this.movable = [];
    this.hush();
    this.board.show(sfen, { lastMove: last });
    this.draw();
  }

  draw() {
    for (const place of /** @type {const} */ (["top", "bottom"])) {
      const seat = this.seats[place];
      const side = this.sideAt(place);
      fill(seat.name, sideMark(side), h("span", {}, this.names[side]));
      seat.element.classList.toggle("turn", this.board.placement.side === side);
      seat.element.dataset.side = side;
    }
    this.drawHands();
  }

  /** @param {Record<Side, string>} names */
  setNames(names) {
    this.names = names;
    this.draw();
  }

  /** @param {Record<Side, {text: string, urgent: boolean} | null>} clocks */
  setClocks(clocks) {
    for (const place of /** @type {const} */ (["top", "bottom"])) {
      const clock = clocks[this.sideAt(place)];
      const { clock: element } = this.seats[place];
      element.hidden = !clock;
      if (clock && element.textContent !== clock.text) element.textContent = clock.text;
      element.classList.toggle("urgent", clock?.urgent ?? false);
    }
  }

  drawHands() {
    for (const place of /** @type {const} */ (["top", "bottom"])) this.drawHand(place);
  }

  /** @param {"top" | "bottom"} place */
  drawHand(place) {
    const side = this.sideAt(place);
    const { hand } = this.seats[place];
    const { placement, legal } = this.board;
    const active = legal.length > 0 && placement.side === side;
    const kinds = HAND_ORDER.filter((kind) => placement.hands[side].get(kind));
    hand.setAttribute("aria-label", describeHand(placement, side, settings.language));
    const focused = hand.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.kind : undefined;
    fill(hand, kinds.map((kind) => this.heldPiece(side, kind, active)));
    if (focused) /** @type {HTMLElement | null} */ (hand.querySelector(`[data-kind="${focused}"]`))?.focus();
  }

  /** @param {Side} side @param {string} kind @param {boolean} active */
  heldPiece(side, kind, active) {
    const count = this.board.placement.hands[side].get(kind) ?? 0;
    const origin = `${kind}*`;
    const label = t("heldPiece", kindName(kind, settings.language), count);
    const children = [pieceIcon(kind, settings.pieces),
      count > 1 ? h("span", { class: "count", "aria-hidden": "true" }, count) : null];
    if (!active) return h("span", { class: "held", role: "img", "aria-label": label }, children);
    const chosen = this.board.selected === origin;
    return h("button", {
      type: "button", class: chosen ? "held chosen" : "held", "aria-label": label, "aria-pressed": String(chosen),
      "data-kind": kind,
      onpointerdown: (event) => this.board.take(origin, /** @type {PointerEvent} */ (event)),
      // A click without a pointer comes from the keyboard or a screen reader.
      onclick: (event) => {
        if (/** @type {PointerEvent} */ (event).detail === 0) this.board.select(chosen ? null : origin);
      },
    }, children);
  }

  /** @param {ValueView | null} value */
  setValue(value) {
    this.bar.hidden = value === null;
    this.element.classList.toggle("has-bar", value !== null);
    if (!value) return;
    const rate = value.mate !== null ? (value.centipawns > 0 ? 1 : 0) : value.winningRate;
    const below = this.board.flipped ? 1 - rate : rate;
    this.bar.classList.toggle("turned", this.board.flipped);
    this.barFill.style.height = `${100 * below}%`;
    this.bar.setAttribute("aria-label", `${t("valueBar")}: ${verdict(value)}`);
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    this.board.flip(flipped);
    this.draw();
  }

  /**
   * Says why a move is not legal, at the square where it was tried.
   * @param {string} usi
   * @param {Illegal} illegal
   */
  explain(usi, illegal) {
    this.board.warn(illegal.squares);
    this.say(illegalText(illegal.reason), usi.slice(2, 4));
  }

  /** Says something at a square. @param {string} text @param {string} square */
  say(text, square) {
    const { x, y } = this.board.centre(square);
    const view = this.board.svg.viewBox.baseVal;
    this.bubble.textContent = text;
    this.bubble.hidden = false;
    this.bubble.style.left = `${100 * Math.min(Math.max(x / view.width, 0.25), 0.75)}%`;
    this.bubble.style.top = `${100 * (y / view.height)}%`;
    this.bubble.classList.toggle("below", y / view.height < 0.15);
    clearTimeout(this.bubbleTimer);
    this.bubbleTimer = window.setTimeout(() => this.hush(), 4000);
  }

  hush() {
    clearTimeout(this.bubbleTimer);
    this.bubble.hidden = true;
    this.board.warn([]);
  }

  /** Draws everything again after settings changed. */
  refresh() {
    this.board.refresh();
    this.draw();
  }
}

/** A small piece, filled for black and open for white. @param {Side} side */
function sideMark(side) {
  return s("svg", { viewBox: "-26 -30 52 60", class: `side-mark ${side}`, "aria-hidden": "true" }, s("use", { href: "#shape" }));
}

/** @param {"top" | "bottom"} place @returns {Seat} */
function makeSeat(place) {
  const name = h("div", { class: "name" });
  const clock = h("div", { class: "clock", role: "timer", hidden: true });
  const hand = h("div", { class: "hand", role: "group" });
  return { name, clock, hand, element: h("div", { class: `seat ${place}` }, h("div", { class: "who" }, name, clock), hand) };
}

/**
 * A small board for previews.
 * @param {string} sfen
 * @param {string | null} lastMove
 * @param {boolean} flipped
 */
export function miniature(sfen, lastMove, flipped) {
  const board = new Board();
  board.flipped = flipped;
  board.drawWood();
  board.show(sfen, { lastMove });
  const lines = ["w", "b"].map((side) => describeHand(parseSfen(sfen), side === "w" ? "w" : "b", settings.language));
  return h("div", { class: "miniature", "aria-hidden": "true" },
    h("p", {}, lines[0] ?? ""), board.svg, h("p", {}, lines[1] ?? ""));
}

