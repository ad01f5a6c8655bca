// What the session says as data, in words.

import { number, t } from "./i18n.js";
import { settings } from "./settings.js";

/** @typedef {import("./session.js").MoveView} MoveView */
/** @typedef {import("./session.js").ValueView} ValueView */
/** @typedef {import("./session.js").EndView} EndView */
/** @typedef {import("./session.js").EndKind} EndKind */
/** @typedef {import("./session.js").IllegalReason} IllegalReason */
/** @typedef {import("./session.js").UnknownReason} UnknownReason */
/** @typedef {import("./session.js").Fault} Fault */
/** @typedef {import("./i18n.js").Key} Key */

/** A move as the reader likes it. @param {MoveView} move */
export function moveText(move) {
  if (settings.notation === "ja") return move.japanese;
  return settings.notation === "usi" ? move.usi : move.western;
}

/** @type {[number, Key, Key][]} */
const GRADES = [
  [1500, "blackWinning", "whiteWinning"], [800, "blackMuch", "whiteMuch"],
  [300, "blackBetter", "whiteBetter"], [120, "blackSlight", "whiteSlight"],
];

/** A value in words alone. @param {ValueView} value */
export function verdict(value) {
  const black = value.centipawns >= 0;
  if (value.mate !== null) {
    if (value.mate > 0) return t(black ? "blackMates" : "whiteMates", value.mate);
    return t(black ? "blackMatesSome" : "whiteMatesSome");
  }
  const grade = GRADES.find(([least]) => Math.abs(value.centipawns) >= least);
  return grade ? t(grade[black ? 1 : 2]) : t("even");
}

/** Words before numbers: 先手有利 +320 (62 %). @param {ValueView} value */
export function valueText(value) {
  if (value.mate !== null) return verdict(value);
  return `${verdict(value)} ${signed(value.centipawns)} (${Math.round(100 * value.winningRate)} %)`;
}

/** @param {ValueView} value */
export function shortValue(value) {
  if (value.mate !== null) {
    const mark = value.centipawns >= 0 ? "+" : "−";
    return settings.language === "ja" ? `${mark}詰${value.mate}` : `${mark}M${value.mate}`;
  }
  return signed(value.centipawns);
}

/** @param {number} centipawns */
export const signed = (centipawns) => (centipawns < 0 ? `−${-centipawns}` : `+${centipawns}`);

/** @type {Record<EndKind, Key>} */
const ENDS = {
  "mate": "endMate", "no-moves": "endNoMoves", "resign": "endResign", "timeout": "endTimeout",
  "repetition": "endRepetition", "perpetual-check": "endPerpetual", "declaration": "endDeclaration",
  "try": "endTry", "impasse": "endImpasse", "maximum-moves": "endMaximum", "illegal-move": "endIllegal",
  "interrupted": "endInterrupted", "no-mate": "endNoMate", "draw": "endDraw", "default": "endDefault",
  "other": "endOther",
};

/** How a game has ended. @param {EndView} end */
export function endText(end) {
  const how = t(ENDS[end.end]);
  if (end.winner) return t("wonBy", t(end.winner), how);
  return end.end === "interrupted" || end.end === "other" ? how : t("drawnBy", how);
}

/** @type {Record<IllegalReason, Key>} */
const ILLEGAL = {
  "not-a-move": "notAMove", "no-piece": "noPiece", "not-your-piece": "notYourPiece",
  "not-in-hand": "notInHand", "occupied": "occupied", "cannot-reach": "cannotReach",
  "no-moves-left": "noMovesLeft", "cannot-promote": "cannotPromote", "two-pawns": "twoPawns",
  "pawn-drop-mate": "pawnDropMate", "check-ignored": "checkIgnored", "king-exposed": "kingExposed",
};

/** @param {IllegalReason} reason */
export const illegalText = (reason) => t(ILLEGAL[reason]);

/** @type {Record<UnknownReason, Key>} */
const UNKNOWN = {
  "nodes": "whyNodes", "time": "whyTime", "stopped": "whyStopped", "memory": "whyMemory",
  "numbers": "whyNumbers", "not-verified": "whyNotVerified", "too-large": "whyTooLarge", "no-king": "whyNoKing",
};

/** @param {UnknownReason} reason */
export const unknownText = (reason) => t(UNKNOWN[reason]);

/** @type {Partial<Record<import("./session.js").FaultCode, Key>>} */
const FAULTS = {
  "bad-request": "faultBadRequest", "other-version": "faultOtherVersion", "bad-position": "badPosition",
  "bad-record": "badRecord", "no-game": "faultNoGame", "game-over": "faultGameOver",
  "not-your-turn": "faultNotYourTurn", "not-declarable": "faultNotDeclarable",
  "nothing-to-take-back": "faultNothingToTakeBack", "no-proof": "faultNoProof", "no-problem": "faultNoProblem",
  "bad-go": "goBad", "no-target": "faultNoTarget", "too-large": "faultTooLarge", "busy": "faultBusy",
  "internal": "faultInternal", "not-kept": "faultNotKept", "no-laboratory": "faultNoLaboratory",
};

/** What went wrong, for the reader. @param {unknown} error */
export function faultText(error) {
  if (!(error instanceof SessionFault)) return t("faultOther", String(error));
  const { fault } = error;
  if (fault.illegal) return illegalText(fault.illegal.reason);
  const message = settings.language === "ja" ? fault.japanese : fault.message;
  const detail = fault.line === null ? message : `${t("atLine", fault.line)}: ${message}`;
  return t(FAULTS[fault.code] ?? "faultOther", detail);
}

/** A request that the session could not answer. */
export class SessionFault extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Seconds with one digit. @param {number} milliseconds */
export const seconds = (milliseconds) => (milliseconds / 1000).toFixed(1);

/**
 * What a search has done so far.
 * @param {{depth: number, nodes: number, nps: number}} event
 */
export const effort = (event) => t("depthNodes", event.depth, number(event.nodes), number(event.nps));
