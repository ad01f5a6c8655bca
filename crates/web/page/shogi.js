// Positions as the page draws them. Nothing here decides what is legal: the session does.

/** @typedef {"b" | "w"} Side */
/**
 * A piece as SFEN writes it: `P`, `p`, `+R`.
 * @typedef {string} Piece
 */
/**
 * @typedef {object} Placement
 * @property {Map<string, Piece>} board  pieces by square, squares as USI writes them (`7g`)
 * @property {Record<Side, Map<string, number>>} hands  counts by capital letter
 * @property {Side} side  the side to move
 * @property {number} number  the number of the next move
 */

export const HAND_ORDER = ["R", "B", "G", "S", "N", "L", "P"];
export const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const RANKS = "abcdefghi";
const KANJI = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
const WIDE = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];

/** @type {Record<string, [one: string, two: string, english: string]>} */
const NAMES = {
  P: ["歩", "歩兵", "pawn"], L: ["香", "香車", "lance"], N: ["桂", "桂馬", "knight"],
  S: ["銀", "銀将", "silver"], G: ["金", "金将", "gold"], B: ["角", "角行", "bishop"],
  R: ["飛", "飛車", "rook"], K: ["玉", "玉将", "king"],
  "+P": ["と", "と金", "promoted pawn"], "+L": ["成香", "成香", "promoted lance"],
  "+N": ["成桂", "成桂", "promoted knight"], "+S": ["成銀", "成銀", "promoted silver"],
  "+B": ["馬", "龍馬", "horse"], "+R": ["龍", "龍王", "dragon"],
};

/** @param {Piece} piece @returns {Side} */
export function sideOf(piece) {
  const letter = piece[piece.length - 1] ?? "";
  return letter === letter.toUpperCase() ? "b" : "w";
}

/** @param {Piece} piece */
export const kindOf = (piece) => piece.toUpperCase();

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "b" ? "w" : "b");

/**
 * The characters on a piece.
 * @param {Piece} piece
 * @param {"one" | "two" | "western"} set
 */
export function inscription(piece, set) {
  const kind = kindOf(piece);
  if (set === "western") return kind;
  // By custom the higher-ranked player, shown as white, has the king 王.
  if (kind === "K" && sideOf(piece) === "w") return set === "two" ? "王将" : "王";
  return NAMES[kind]?.[set === "two" ? 1 : 0] ?? kind;
}

/** @param {string} kind @param {"ja" | "en"} language */
export function kindName(kind, language) {
  const names = NAMES[kind.toUpperCase()];
  return names ? names[language === "ja" ? 0 : 2] : kind;
}

/** @param {string} square @param {"ja" | "en"} language */
export function squareName(square, language) {
  if (language === "en") return square;
  const { file, rank } = coordinates(square);
  return `${WIDE[file - 1]}${KANJI[rank - 1]}`;
}

/**
 * File and rank of a square, both from 1.
 * @param {string} square
 */
export function coordinates(square) {
  return { file: Number(square[0]), rank: RANKS.indexOf(square[1] ?? "a") + 1 };
}

/** @param {number} file @param {number} rank */
export const squareAt = (file, rank) => `${file}${RANKS[rank - 1]}`;

/** @returns {Placement} */
function emptyPlacement() {
  return { board: new Map(), hands: { b: new Map(), w: new Map() }, side: "b", number: 1 };
}

/**
 * Reads an SFEN. The session checked it, so that nothing is checked here.
 * @param {string} sfen
 * @returns {Placement}
 */
export function parseSfen(sfen) {
  const placement = emptyPlacement();
  const [rows = "", side, hands = "-", number] = sfen.split(" ");
  rows.split("/").forEach((row, index) => {
    let file = 9;
    for (const token of row.match(/\+?[a-z]|\d/gi) ?? []) {
      if (/\d/.test(token)) file -= Number(token);
      else placement.board.set(squareAt(file--, index + 1), token);
    }
  });
  placement.side = side === "w" ? "w" : "b";
  for (const [, count, letter = ""] of hands.matchAll(/(\d*)([a-z])/gi)) {
    placement.hands[sideOf(letter)].set(letter.toUpperCase(), Number(count || 1));
  }
  placement.number = Number(number ?? 1);
  return placement;
}

/** @param {Placement} placement */
export function writeSfen(placement) {
  const rows = [];
  for (let rank = 1; rank <= 9; rank++) {
    let row = "";
    let empty = 0;
    for (let file = 9; file >= 1; file--) {
      const piece = placement.board.get(squareAt(file, rank));
      if (!piece) {
        empty++;
        continue;
      }
      row += (empty ? String(empty) : "") + piece;
      empty = 0;
    }
    rows.push(row + (empty ? String(empty) : ""));
  }
  const hand = ["b", "w"].map((side) => handText(placement, side === "w" ? "w" : "b")).join("");
  return `${rows.join("/")} ${placement.side} ${hand || "-"} ${placement.number}`;
}

/** @param {Placement} placement @param {Side} side */
function handText(placement, side) {
  return HAND_ORDER.map((kind) => {
    const count = placement.hands[side].get(kind) ?? 0;
    if (!count) return "";
    return (count > 1 ? String(count) : "") + (side === "b" ? kind : kind.toLowerCase());
  }).join("");
}

/**
 * The parts of a move in USI.
 * @param {string} usi
 */
export function moveParts(usi) {
  const drop = usi[1] === "*";
  return {
    from: drop ? null : usi.slice(0, 2),
    drop: drop ? (usi[0] ?? "P") : null,
    to: usi.slice(2, 4),
    promotes: usi.endsWith("+"),
  };
}

/** How many of each kind a full set has. @type {Record<string, number>} */
const FULL_SET = { K: 2, R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18 };

/**
 * Puts every piece that is nowhere into a hand (mate problems: the defender's).
 * @param {Placement} placement
 * @param {Side} side
 */
export function fillHand(placement, side) {
  for (const kind of HAND_ORDER) {
    const used = [...placement.board.values()].filter((p) => kindOf(p).endsWith(kind)).length;
    const held = placement.hands[other(side)].get(kind) ?? 0;
    const rest = Math.max(0, (FULL_SET[kind] ?? 0) - used - held);
    if (rest) placement.hands[side].set(kind, rest);
    else placement.hands[side].delete(kind);
  }
}

/**
 * The position rank by rank, in words.
 * @param {Placement} placement
 * @param {"ja" | "en"} language
 * @returns {string[]}
 */
export function describe(placement, language) {
  const lines = [];
  const sides = language === "ja" ? { b: "先手", w: "後手" } : { b: "black", w: "white" };
  for (let rank = 1; rank <= 9; rank++) {
    const pieces = [];
    for (let file = 9; file >= 1; file--) {
      const square = squareAt(file, rank);
      const piece = placement.board.get(square);
      if (!piece) continue;
      const name = kindName(piece, language);
      const side = sides[sideOf(piece)];
      pieces.push(language === "ja" ? `${squareName(square, "ja")}${side}${name}` : `${square} ${side} ${name}`);
    }
    const head = language === "ja" ? `${KANJI[rank - 1]}段目` : `Rank ${RANKS[rank - 1]}`;
    const none = language === "ja" ? "なし" : "empty";
    lines.push(`${head}: ${pieces.join(language === "ja" ? "、" : ", ") || none}`);
  }
  for (const side of /** @type {Side[]} */ (["b", "w"])) {
    lines.push(describeHand(placement, side, language));
  }
  return lines;
}

/** @param {Placement} placement @param {Side} side @param {"ja" | "en"} language */
export function describeHand(placement, side, language) {
  const held = HAND_ORDER.flatMap((kind) => {
    const count = placement.hands[side].get(kind) ?? 0;
    if (!count) return [];
    const name = kindName(kind, language);
    if (language === "ja") return [`${name}${count > 1 ? count : ""}`];
    return [count > 1 ? `${count} ${name}s` : name];
  });
  if (language === "ja") {
    return `${side === "b" ? "先手" : "後手"}の持駒: ${held.join("、") || "なし"}`;
  }
  return `${side === "b" ? "Black" : "White"} holds: ${held.join(", ") || "nothing"}`;
}
