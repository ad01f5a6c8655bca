// The moves of a game that lost much, as a list that leads to them.

import { button, h } from "./dom.js";
import { t } from "./i18n.js";
import { moveText } from "./words.js";

/** @typedef {import("./session.js").MoveView} MoveView */
/** @typedef {{node: number, ply: number, move: MoveView, lost: number, better: MoveView | null, judgement: "blunder" | "missed-mate" | null}} Marked */

/**
 * @param {Marked[]} marked
 * @param {number} known  how many positions have a value
 * @param {(node: number) => void} go
 */
export function blunderList(marked, known, go) {
  if (!marked.length) return known > 2 ? [h("p", { class: "quiet" }, t("noBlunders"))] : [];
  const count = (/** @type {"black" | "white"} */ side) => marked.filter(({ move }) => move.side === side).length;
  return [
    h("h3", {}, t("blunders")),
    h("p", { class: "quiet" }, t("blunderCounts", count("black"), count("white"))),
    h("ul", { class: "plain-list" }, marked.map(({ node, ply, move, lost, better, judgement }) => h("li", {},
      button(`${ply} ${moveText(move)}`, () => go(node), { class: "link" }), " ",
      judgement === "missed-mate" ? t("missedMate") : t("blunder", lost),
      better ? ` – ${t("better", moveText(better))}` : ""))),
  ];
}
