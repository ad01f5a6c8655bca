// The proof of a mate as a tree that opens where one looks, and the numbers while it is searched.

import { button, fill, h, s } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { withPreview } from "./preview.js";
import { faultText, moveText } from "./words.js";

/** @typedef {import("./session.js").MateChild} MateChild */
/** @typedef {import("./session.js").ProofProgress} ProofProgress */

export class ProofTree {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {(moves: string[]) => void} go
   * @param {() => boolean} flipped
   */
  constructor(connection, go, flipped) {
    this.connection = connection;
    this.go = go;
    this.flipped = flipped;
    this.element = h("ul", { class: "proof-tree" });
    /** @type {HTMLElement | null} */
    this.chosen = null;
  }

  clear() {
    fill(this.element);
  }

  /** Shows the proof from the problem on, its first moves open. */
  async show() {
    this.clear();
    await this.open(this.element, [], 3);
  }

  /**
   * @param {HTMLElement} list
   * @param {string[]} moves
   * @param {number} levels  how many levels of first moves to open
   */
  async open(list, moves, levels) {
    try {
      const node = await this.connection.ask("mate-node", { kind: "mate-node", moves });
      fill(list, node.children.map((child) => this.branch(moves, child, node.attacker)));
      const [first] = node.children;
      const branch = list.firstElementChild;
      if (levels > 0 && first && first.length > 0 && branch instanceof HTMLElement) {
        branch.querySelector("button")?.click();
        const inner = branch.querySelector("ul");
        if (inner && levels > 1) await this.open(inner, [...moves, first.move.usi], levels - 1);
      }
    } catch (error) {
      fill(list, h("li", { class: "quiet" }, faultText(error)));
    }
  }

  /** @param {string[]} moves @param {MateChild} child @param {boolean} attacker */
  branch(moves, child, attacker) {
    const path = [...moves, child.move.usi];
    const inner = h("ul", { hidden: true });
    const twist = button("", () => {
      inner.hidden = !inner.hidden;
      twist.setAttribute("aria-expanded", String(!inner.hidden));
      if (!inner.hidden && !inner.children.length) void this.open(inner, path, attacker ? 0 : 1);
    }, { class: "twist", "aria-expanded": "false", "aria-label": moveText(child.move) });
    twist.append(icon("up"));
    const move = button(moveText(child.move), () => {
      this.chosen?.removeAttribute("aria-current");
      move.setAttribute("aria-current", "step");
      this.chosen = move;
      this.go(path);
    });
    move.append(h("span", { class: "length" }, child.length === 0 ? t("isMate") : t("inPlies", child.length)));
    /** @type {string | null} */
    let after = null;
    move.addEventListener("pointerenter", () => {
      if (!after) void this.connection.ask("mate-node", { kind: "mate-node", moves: path }).then((node) => (after = node.position.sfen)).catch(() => (after = null));
    });
    withPreview(move, () => (after ? { sfen: after, last: child.move.usi, flipped: this.flipped() } : null));
    if (child.length === 0) twist.classList.add("leaf");
    return h("li", {}, child.length === 0 ? h("span", { class: "twist" }) : twist, move, inner);
  }
}

/** Proof and disproof number of the root, by the logarithm, while the search runs. */
export class ProofGraph {
  constructor() {
    /** @type {ProofProgress[]} */
    this.points = [];
    this.drawing = s("svg", { class: "proof-graph", preserveAspectRatio: "none", role: "img", "aria-label": t("proofGraph") });
    this.element = this.drawing;
  }

  clear() {
    this.points = [];
    fill(this.drawing);
  }

  /** @param {ProofProgress} progress */
  add(progress) {
    this.points.push(progress);
    // Half of the points tell the same story.
    if (this.points.length > 400) this.points = this.points.filter((_, index) => index % 2 === 1);
    const log = (/** @type {number} */ n) => Math.log2(1 + n);
    const top = Math.max(1, ...this.points.map((p) => Math.max(log(p.pn), log(p.dn))));
    const end = Math.max(1, progress.time);
    const line = (/** @type {"pn" | "dn"} */ key) =>
      `M${this.points.map((p) => `${((100 * p.time) / end).toFixed(2)} ${(96 - (92 * log(p[key])) / top).toFixed(2)}`).join("L")}`;
    this.drawing.setAttribute("viewBox", "0 0 100 100");
    fill(this.drawing, s("path", { class: "dn", d: line("dn") }), s("path", { class: "pn", d: line("pn") }));
  }
}
