// The moves of a game that lost much, as a list that leads to them.

import { button, h } from "./dom.js";
import { t } from "./i18n.js";
import { withPreview } from "./preview.js";
import { moveText } from "./words.js";

/** @typedef {import("./session.js").MoveView} MoveView */
/** @typedef {{node: number, ply: number, move: MoveView, lost: number, better: MoveView | null, judgement: "blunder" | "missed-mate" | null}} Marked */

/**
 * @param {Marked[]} marked
 * @param {number} known  how many positions have a value
 * @param {object} to
 * @param {(node: number) => void} to.go  shows a move of the list
 * @param {(node: number, move: MoveView) => void} to.better  shows what was better in its place
 * @param {(node: number) => {sfen: string, last: string | null, flipped: boolean}} to.at  its board, for the preview
 */
export function blunderList(marked, known, to) {
  if (!marked.length) return known > 2 ? [h("p", { class: "quiet" }, t("noBlunders"))] : [];
  const count = (/** @type {"black" | "white"} */ side) => marked.filter(({ move }) => move.side === side).length;
  return [
    h("h3", {}, t("blunders")),
    h("p", { class: "quiet" }, t("blunderCounts", count("black"), count("white"))),
    h("ul", { class: "plain-list" }, marked.map(({ node, ply, move, lost, better, judgement }) => h("li", {},
      withPreview(button(`${ply} ${moveText(move)}`, () => to.go(node), { class: "link" }), () => to.at(node)), " ",
      judgement === "missed-mate" ? t("missedMate") : t("blunder", lost),
      better ? [" – ", button(t("better", moveText(better)), () => to.better(node, better), { class: "link" })] : ""))),
  ];
}
