// Setting up a position piece by piece.

import { button, choice, fill, h } from "./dom.js";
import { pieceIcon } from "./draw.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { settings, store } from "./settings.js";
import { HAND_ORDER, START, fillHand, kindName, kindOf, other, parseSfen, sideOf, squareAt, writeSfen } from "./shogi.js";

/** @typedef {import("./shogi.js").Placement} Placement */
/** @typedef {import("./shogi.js").Side} Side */

const EMPTY = "9/9/9/9/9/9/9/9/9 b - 1";
const KINDS = ["K", "R", "B", "G", "S", "N", "L", "P"];
const PROMOTED = ["", "+R", "+B", "", "+S", "+N", "+L", "+P"];

export class Editor {
  /**
   * @param {import("./table.js").Table} table
   * @param {string} sfen
   * @param {(placement: Placement | null) => void} done  null if nothing is to change
   * @param {(sfen: string) => void} changed
   */
  constructor(table, sfen, done, changed) {
    this.table = table;
    this.done = done;
    this.changed = changed;
    this.placement = parseSfen(sfen);
    /** The piece to put down, `x` to take away, null to change what stands there. @type {string | null} */
    this.brush = null;
    this.element = h("div", { class: "panel-stack" });
    table.board.handlers.square = (square, event) => this.press(square, event);
    this.update();
  }

  /** @param {string} square @param {"primary" | "secondary"} event */
  press(square, event) {
    const { board } = this.placement;
    const there = board.get(square);
    if (event === "secondary" || this.brush === "x") board.delete(square);
    else if (this.brush && this.brush !== there) board.set(square, this.brush);
    else if (there) {
      const next = nextForm(there);
      if (next) board.set(square, next);
      else board.delete(square);
    }
    this.update();
  }

  /** @param {Side} side @param {string} kind @param {number} step */
  hold(side, kind, step) {
    const count = (this.placement.hands[side].get(kind) ?? 0) + step;
    if (count > 0) this.placement.hands[side].set(kind, Math.min(count, 18));
    else this.placement.hands[side].delete(kind);
    this.update();
  }

  close() {
    delete this.table.board.handlers.square;
  }

  update() {
    const now = writeSfen(this.placement);
    this.table.showSfen(now);
    this.changed(now);
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.edit : undefined;
    const set = (/** @type {string} */ sfen) => () => {
      this.placement = parseSfen(sfen);
      this.update();
    };
    fill(this.element,
      h("p", { class: "quiet" }, t("editHelp")),
      h("div", { class: "palette" }, this.brushes("b"), this.brushes("w"), this.brushButton("x")),
      this.hands(),
      choice(t("turn"), [["b", t("toMove", t("black"))], ["w", t("toMove", t("white"))]], this.placement.side, (side) => {
        this.placement.side = side === "w" ? "w" : "b";
        this.update();
      }),
      h("div", { class: "tools" }, button(t("editClear"), set(EMPTY)), button(t("editStart"), set(START)),
        button(t("editFill"), () => {
          fillHand(this.placement, other(this.placement.side));
          this.update();
        })),
      h("div", { class: "row" }, button(t("cancel"), () => this.done(null)),
        button(t("editDone"), () => this.done(this.placement), { class: "primary" })));
    if (focused) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-edit="${focused}"]`))?.focus();
  }

  /** @param {Side} side */
  brushes(side) {
    return [...KINDS, ...PROMOTED].map((kind) => (kind ? this.brushButton(side === "b" ? kind : kind.toLowerCase()) : h("span")));
  }

  /** @param {string} piece */
  brushButton(piece) {
    const chosen = this.brush === piece;
    const erases = piece === "x";
    const label = erases ? t("eraser")
      : t("pieceOf", t(sideOf(piece) === "b" ? "black" : "white"), kindName(kindOf(piece), settings.language));
    const element = button("", () => {
      this.brush = chosen ? null : piece;
      this.update();
    }, {
      "aria-label": label, title: label, "aria-pressed": String(chosen), "data-edit": piece,
      class: !erases && sideOf(piece) === "w" ? "turned" : null,
    });
    element.append(erases ? icon("eraser") : pieceIcon(piece, settings.pieces));
    return element;
  }

  hands() {
    return /** @type {Side[]} */ (["b", "w"]).map((side) => h("div", { class: "hand-editor" },
      h("span", { class: "quiet" }, t("hand", t(side === "b" ? "black" : "white"))),
      h("div", { class: "steps" }, HAND_ORDER.map((kind) => {
        const name = kindName(kind, settings.language);
        const count = this.placement.hands[side].get(kind) ?? 0;
        return h("span", { class: "stepper" },
          button("−", () => this.hold(side, kind, -1), { "aria-label": t("editRemove", name), "data-edit": `${side}${kind}-` }),
          h("span", {}, `${settings.language === "ja" ? name : kind}${count}`),
          button("+", () => this.hold(side, kind, 1), { "aria-label": t("editAdd", name), "data-edit": `${side}${kind}p` }));
      }))));
  }
}

/**
 * Edits a position in a panel until the session takes it, or it is left as it was.
 * @param {import("./main.js").App} app
 * @param {object} place
 * @param {import("./table.js").Table} place.table
 * @param {HTMLElement} place.box  where the editor stands
 * @param {HTMLElement} place.instead  what it stands in place of
 * @param {string} place.draft  under which name the browser keeps what is set up until it is done
 * @param {string} sfen
 * @param {boolean} problem  whether the rest of the pieces goes to the defender
 * @param {(sfen: string | null) => void} done
 */
export function editPosition(app, { table, box, instead, draft }, sfen, problem, done) {
  const show = (/** @type {boolean} */ editing) => {
    box.hidden = !editing;
    instead.hidden = editing;
  };
  const end = (/** @type {string | null} */ result) => {
    editor.close();
    store(draft, "");
    show(false);
    done(result);
  };
  const editor = new Editor(table, sfen, (placement) => {
    if (!placement) {
      end(null);
      return;
    }
    app.connection.ask("position", { kind: "edit", board: sessionBoard(placement), fill: problem })
      .then((view) => end(view.sfen), (error) => app.fail(error));
  }, (now) => store(draft, now));
  fill(box, editor.element);
  show(true);
}

/** The next form of a piece that is pressed again: promoted, the other side's, gone. @param {string} piece */
function nextForm(piece) {
  const kind = kindOf(piece).replace("+", "");
  const promotes = !["K", "G"].includes(kind);
  if (promotes && !piece.startsWith("+")) return `+${piece}`;
  const letter = piece.replace("+", "");
  return sideOf(piece) === "b" ? letter.toLowerCase() : null;
}

/**
 * A board for the session.
 * @param {Placement} placement
 * @returns {import("./session.js").Board}
 */
function sessionBoard(placement) {
  /** @type {import("./session.js").PieceOn[]} */
  const pieces = [];
  for (let rank = 1; rank <= 9; rank++) {
    for (let file = 9; file >= 1; file--) {
      const square = squareAt(file, rank);
      const piece = placement.board.get(square);
      if (piece) pieces.push({ square, piece: /** @type {any} */ (kindOf(piece)), side: sideOf(piece) === "b" ? "black" : "white" });
    }
  }
  const hand = (/** @type {Side} */ side) => HAND_ORDER.flatMap((kind) => {
    const count = placement.hands[side].get(kind) ?? 0;
    return count ? [{ piece: /** @type {any} */ (kind), count }] : [];
  });
  return {
    pieces, hands: { black: hand("b"), white: hand("w") }, side: placement.side === "b" ? "black" : "white",
    moveNumber: placement.number,
  };
}
