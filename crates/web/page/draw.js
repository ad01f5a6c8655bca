// The pieces and the wood of `yomikiri show`, as SVG elements. Definitions stand once in the page.

import { s } from "./dom.js";
import { OUTLINES } from "./glyphs.js";
import { inscription, kindOf } from "./shogi.js";

export const CELL = { width: 60, height: 65 };
/** Where the squares begin and end in the picture of a board. */
export const EDGE = { left: 16, top: 28, right: 28, bottom: 16 };
export const SIZE = {
  width: EDGE.left + 9 * CELL.width + EDGE.right,
  height: EDGE.top + 9 * CELL.height + EDGE.bottom,
};
const RANKS = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
const FILES = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];

/**
 * @param {string} id
 * @param {string[]} stops  offset and colour class by turns
 * @param {boolean} slanted
 */
function gradient(id, stops, slanted) {
  return s("linearGradient", { id, x1: 0, y1: 0, x2: slanted ? 1 : 0, y2: 1 },
    stops.map((color, index) => s("stop", { offset: index, "stop-color": color })));
}

/** Puts the shared definitions into the page; once. */
export function defineShapes() {
  const glyphs = Object.entries(OUTLINES).map(([character, path]) =>
    s("path", { id: glyphId(character), d: path }));
  const head = s("marker", {
    id: "arrow-head", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.2, markerHeight: 3.2,
    orient: "auto-start-reverse",
  }, s("path", { d: "M0 0L10 5L0 10Z", class: "arrow-head" }));
  document.body.append(s("svg", { width: 0, height: 0, class: "definitions", "aria-hidden": "true" },
    s("defs", {},
      gradient("wood", ["#f3cf8b", "#e3b363"], true),
      gradient("stand", ["#e6bd78", "#d2a155"], true),
      gradient("piece", ["#fdeecb", "#efcb8a"], false),
      s("path", { id: "shape", d: "M0 -27 L17.5 -20.5 L24 27 L-24 27 L-17.5 -20.5 Z" }),
      head, glyphs)));
}

/** @param {string} character */
const glyphId = (character) => `glyph-${character.codePointAt(0)}`;

/**
 * A character with its middle at a point.
 * @param {string} character
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function glyph(character, x, y, size) {
  const scale = size / 1000;
  return s("use", {
    href: `#${glyphId(character)}`,
    transform: `translate(${x - size / 2} ${y - size / 2}) scale(${scale})`,
  });
}

/** @param {string} text */
function inscriptionGlyphs(text) {
  const characters = [...text];
  const [first = "", second] = characters;
  if (second === undefined) {
    const latin = /[A-Z]/.test(first);
    return [glyph(first, 0, latin ? 1 : 3.5, latin ? 38 : 34)];
  }
  if (first === "+") return [glyph("+", -15, -1, 20), glyph(second, 4, 1, 34)];
  return [glyph(first, 0, -8.5, 21), glyph(second, 0, 13, 22)];
}

/**
 * A piece with its middle at the origin, upright.
 * @param {string} piece
 * @param {"one" | "two" | "western"} set
 */
export function drawPiece(piece, set) {
  const promoted = kindOf(piece).startsWith("+");
  return s("g", {},
    s("use", { href: "#shape", transform: "translate(1.2 1.8)", class: "piece-shadow" }),
    s("use", { href: "#shape", class: "piece-wood" }),
    s("g", { class: promoted ? "ink promoted" : "ink" }, inscriptionGlyphs(inscription(piece, set))));
}

/**
 * A piece alone, as a picture of its own.
 * @param {string} piece
 * @param {"one" | "two" | "western"} set
 */
export function pieceIcon(piece, set) {
  return s("svg", { viewBox: "-30 -32 60 65", class: "piece-icon", "aria-hidden": "true" },
    drawPiece(piece, set));
}

/**
 * The wood with its lines, star points and coordinates.
 * @param {{flipped: boolean, coordinates: boolean, western: boolean}} options
 */
export function drawWood({ flipped, coordinates, western }) {
  const { width, height } = CELL;
  const { left, top } = EDGE;
  let lines = "";
  for (let n = 1; n < 9; n++) {
    lines += `M${left + n * width} ${top}v${9 * height}M${left} ${top + n * height}h${9 * width}`;
  }
  const stars = [3, 6].flatMap((column) => [3, 6].map((row) =>
    s("circle", { cx: left + column * width, cy: top + row * height, r: 3.4, class: "line-fill" })));
  /** @type {SVGElement[]} */
  const names = [];
  for (let n = 0; coordinates && n < 9; n++) {
    const along = flipped ? 8 - n : n;
    const file = FILES[8 - along] ?? "";
    const rank = western ? "abcdefghi"[along] ?? "" : RANKS[along] ?? "";
    names.push(glyph(file, left + (n + 0.5) * width, top - 13, 15));
    names.push(glyph(rank, left + 9 * width + 14, top + (n + 0.5) * height, western ? 19 : 15));
  }
  return s("g", {},
    s("rect", { x: 0.75, y: 0.75, width: SIZE.width - 1.5, height: SIZE.height - 1.5, rx: 4, class: "wood" }),
    s("path", { d: lines, class: "line" }),
    s("rect", { x: left, y: top, width: 9 * width, height: 9 * height, class: "line outer" }),
    stars, s("g", { class: "line-fill" }, names));
}
