// Moves as a list: the main line in two columns, variations indented below the move they replace.

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { withPreview } from "./preview.js";
import { moveText } from "./words.js";

/** @typedef {import("./session.js").MoveView} MoveView */
/**
 * @typedef {object} TreeNode
 * @property {number} parent  −1 at the start
 * @property {number[]} children
 * @property {number} ply
 * @property {MoveView | null} move
 * @property {string} sfen
 * @property {string} [end]  the end of the game in words
 * @property {string[]} comments
 * @property {string} [note]  what is said of the move
 */

export class MoveTree {
  /**
   * @param {(node: number) => void} go
   * @param {() => boolean} flipped
   */
  constructor(go, flipped) {
    this.go = go;
    this.flipped = flipped;
    /** @type {TreeNode[]} */
    this.nodes = [];
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    this.current = 0;
    this.element = h("div", { class: "moves" });
  }

  /** @param {TreeNode[]} nodes @param {number} current */
  show(nodes, current) {
    this.nodes = nodes;
    this.buttons.clear();
    const list = h("div", { class: "main-line" });
    const [root] = nodes;
    if (root) {
      list.append(this.chip(0));
      this.comments(root, list);
      this.line(root.children, list, true);
    }
    fill(this.element, list);
    this.select(current);
  }

  /** @param {number} index */
  chip(index) {
    const node = this.nodes[index];
    const text = node?.move ? moveText(node.move) : node?.end ?? t("startPosition");
    const chip = h("button", {
      type: "button", class: `move${node?.move ? "" : " wide"}${node?.note ? " noted" : ""}`, tabindex: -1, onclick: () => this.go(index),
    }, node?.move ? h("span", { class: "ply" }, node.ply) : null, text,
    node?.note ? h("span", { class: "note" }, node.note) : null);
    withPreview(chip, () => (node ? { sfen: node.sfen, last: node.move?.usi ?? null, flipped: this.flipped() } : null));
    this.buttons.set(index, chip);
    return chip;
  }

  /** @param {TreeNode} node @param {HTMLElement} parent */
  comments(node, parent) {
    const text = node.comments.filter((line) => !line.startsWith("*")).join("\n");
    if (text) parent.append(h("p", { class: "comment" }, text));
  }

  /**
   * A line and what branches off from it.
   * @param {number[]} children
   * @param {HTMLElement} parent
   * @param {boolean} main
   */
  line(children, parent, main) {
    let next = children;
    while (next.length > 0) {
      const [first = 0, ...others] = next;
      const node = this.nodes[first];
      if (!node) return;
      const chip = this.chip(first);
      if (main && node.move?.side === "white" && this.needsGap(parent)) parent.append(h("span", { class: "gap" }, "…"));
      parent.append(chip);
      this.comments(node, parent);
      for (const other of others) {
        const block = h("div", { class: "variation", role: "group", "aria-label": t("variation") });
        this.line([other], block, false);
        parent.append(block);
      }
      next = node.children;
    }
  }

  /** White's move stands in the second column. @param {HTMLElement} parent */
  needsGap(parent) {
    const before = parent.lastElementChild;
    return !before || !before.classList.contains("move") || before.classList.contains("wide");
  }

  /** @param {number} index */
  select(index) {
    const before = this.buttons.get(this.current);
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    this.current = index;
    const chip = this.buttons.get(index);
    if (!chip) return;
    chip.setAttribute("aria-current", "step");
    // One stop for Tab, not one a move; from there arrows go through the game.
    chip.setAttribute("tabindex", "0");
    if (before && before !== chip && before === document.activeElement) chip.focus({ preventScroll: true });
    const box = this.element;
    const top = chip.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + chip.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }
}
