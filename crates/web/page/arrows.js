// Arrows on the board: the engine's best moves with their values, and those of the user.

import { s } from "./dom.js";
import { SIZE } from "./draw.js";
import { moveParts } from "./shogi.js";

/** @typedef {{flipped: boolean, centre(square: string): {x: number, y: number}}} Geometry */

/**
 * An arrow for a move; a drop comes in from the edge of the player who drops.
 * @param {Geometry & {placement: {side: "b" | "w"}}} board
 * @param {string} usi
 * @param {"engine" | "user"} kind
 * @param {string} label
 * @param {number} rank  0 for the best move
 */
export function arrowShape(board, usi, kind, label, rank) {
  const { from, to } = moveParts(usi);
  const end = board.centre(to);
  const start = from ? board.centre(from) : dropStart(board, end);
  const group = s("g", { class: `arrow ${kind} rank-${Math.min(rank, 3)}` });
  if (from === to) {
    group.append(s("circle", { cx: end.x, cy: end.y, r: 27, class: "ring" }));
    return group;
  }
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const tip = { x: end.x - 12 * dx, y: end.y - 12 * dy };
  const back = Math.min(14, length / 4);
  group.append(s("path", {
    d: `M${start.x + back * dx} ${start.y + back * dy}L${tip.x} ${tip.y}`, "marker-end": "url(#arrow-head)",
  }));
  if (label) group.append(tag(start, end, label));
  return group;
}

/** @param {{x: number, y: number}} start @param {{x: number, y: number}} end @param {string} label */
function tag(start, end, label) {
  // On a short arrow the tag stands behind its start, so that the head can be seen.
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const share = length < 110 ? -18 / length : 0.5;
  const [x, y] = [start.x + share * (end.x - start.x), start.y + share * (end.y - start.y)];
  const width = 12 + 8.2 * label.length;
  return s("g", { transform: `translate(${x} ${y})`, class: "tag" },
    s("rect", { x: -width / 2, y: -10, width, height: 20, rx: 10 }),
    s("text", { y: 4.8, "text-anchor": "middle" }, label));
}

/** @param {Geometry & {placement: {side: "b" | "w"}}} board @param {{x: number, y: number}} end */
function dropStart(board, end) {
  const below = (board.placement.side === "b") !== board.flipped;
  return below
    ? { x: SIZE.width - 8, y: Math.min(end.y + 150, SIZE.height - 8) }
    : { x: 8, y: Math.max(end.y - 150, 8) };
}
