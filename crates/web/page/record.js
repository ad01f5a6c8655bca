// A game record as a tree, as the page keeps it.

import { START } from "./shogi.js";
import { endText } from "./words.js";

/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("./session.js").RecordView} RecordView */
/** @typedef {import("./session.js").RecordInput} RecordInput */
/** @typedef {import("./session.js").MoveView} MoveView */
/** @typedef {import("./session.js").EndView} EndView */
/** @typedef {{key: string, value: string}} Header */

export class GameRecord {
  /** @param {string} start */
  constructor(start = START) {
    this.start = start;
    /** @type {Header[]} */
    this.headers = [];
    /** @type {(TreeNode & {ending?: EndView | null, spent?: number | null})[]} */
    this.nodes = [{ parent: -1, children: [], ply: 0, move: null, sfen: start, comments: [] }];
  }

  /** @param {RecordView} view */
  static fromView(view) {
    const record = new GameRecord(view.start);
    record.headers = view.headers;
    record.nodes = view.nodes.map((node) => ({
      parent: node.parent ?? -1, children: node.children, ply: node.ply, move: node.move, sfen: node.sfen,
      comments: node.comments, spent: node.spent, ending: node.end, ...(node.end ? { end: endText(node.end) } : {}),
    }));
    return record;
  }

  /** @param {GameRecord} data  what `JSON` made of a record */
  static revive(data) {
    return Object.assign(new GameRecord(data.start), data);
  }

  /** @returns {RecordInput} */
  toInput() {
    return {
      headers: this.headers, start: this.start,
      nodes: this.nodes.map((node) => ({
        parent: node.parent < 0 ? null : node.parent, move: node.move, end: node.ending ?? null,
        comments: node.comments, spent: node.spent ?? null,
      })),
    };
  }

  /** The node after a move, which is added if it is not there. @param {number} at @param {MoveView} move @param {string} sfen */
  add(at, move, sfen) {
    const parent = this.nodes[at];
    if (!parent) return at;
    const known = parent.children.find((child) => this.nodes[child]?.move?.usi === move.usi);
    if (known !== undefined) return known;
    this.nodes.push({ parent: at, children: [], ply: parent.ply + 1, move, sfen, comments: [] });
    parent.children.push(this.nodes.length - 1);
    return this.nodes.length - 1;
  }

  /** The nodes from the start to one. @param {number} node */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.nodes[at]?.parent ?? -1) path.unshift(at);
    return path;
  }

  /** The moves that lead to a node, in USI. @param {number} node */
  moves(node) {
    return this.path(node).flatMap((at) => this.nodes[at]?.move?.usi ?? []);
  }

  /** A position for the session. @param {number} node */
  place(node) {
    return { sfen: this.start, moves: this.moves(node) };
  }

  mainLine() {
    const line = [0];
    for (let next = this.nodes[0]?.children[0]; next !== undefined; next = this.nodes[next]?.children[0]) line.push(next);
    return line;
  }

  /** Takes a node and everything after it away. @param {number} index */
  remove(index) {
    const gone = new Set([index]);
    this.nodes.forEach((node, at) => gone.has(node.parent) && gone.add(at));
    /** @type {Map<number, number>} */
    const renamed = new Map();
    this.nodes.forEach((_, at) => !gone.has(at) && renamed.set(at, renamed.size));
    this.nodes = this.nodes.filter((_, at) => !gone.has(at)).map((node) => ({
      ...node, parent: renamed.get(node.parent) ?? -1, children: node.children.flatMap((child) => renamed.get(child) ?? []),
    }));
  }

  /** Makes the line of a node the main line. @param {number} index */
  promote(index) {
    for (const at of this.path(index)) {
      const parent = this.nodes[this.nodes[at]?.parent ?? -1];
      if (parent) parent.children = [at, ...parent.children.filter((child) => child !== at)];
    }
  }

  title() {
    const value = (/** @type {string[]} */ keys) => this.headers.find((header) => keys.includes(header.key))?.value;
    const players = [value(["先手", "下手"]), value(["後手", "上手"])].filter(Boolean);
    return players.length ? players.join(" – ") : value(["棋戦", "表題"]) ?? "";
  }
}

/** A record in the address. @param {GameRecord} record @param {number} node */
export function recordAddress(record, node) {
  const moves = record.mainLine().includes(node) ? record.moves(record.mainLine().at(-1) ?? 0) : record.moves(node);
  return toAddress(record.start, moves, record.nodes[node]?.ply ?? 0);
}

/** Moves in USI from a position in the address. @param {string} from @param {string[]} moves @param {number} ply */
export function toAddress(from, moves, ply) {
  const start = from === START ? "start" : from.replaceAll(" ", "_").replaceAll("/", ",");
  return `${start}~${moves.join(".")}~${ply}`;
}

/** @param {string} rest @returns {{sfen: string, moves: string[], ply: number} | null} */
export function fromAddress(rest) {
  const [start, moves, ply] = decodeURIComponent(rest).split("~");
  if (!start || moves === undefined) return null;
  return {
    sfen: start === "start" ? START : start.replaceAll("_", " ").replaceAll(",", "/"),
    moves: moves ? moves.split(".") : [], ply: Number(ply) || 0,
  };
}
