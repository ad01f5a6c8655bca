// The collections of mate problems, and which of them the reader has solved.

import { choice, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { keep, SOLVED } from "./kept.js";
import { control } from "./layout.js";
import { settings, stored } from "./settings.js";

/** @typedef {import("./session.js").CollectionView} CollectionView */
/** @typedef {{collection: string, id: string, sfen: string, attacker: "black" | "white" | null, length: number | null}} Problem */

/** The collection of what was pasted or set up. */
export const OWN = "own";
/** A famous one to begin with: eleven plies, which a person can hope to find and the solver proves at once. */
const FIRST = "musou-077";

/** @returns {Record<string, boolean>} */
const solvedProblems = () => stored(SOLVED, {});

/** @param {import("./connection.js").Connection} connection @param {Problem} problem */
export function markSolved(connection, problem) {
  if (problem.collection !== OWN) keep(connection, SOLVED, { ...solvedProblems(), [`${problem.collection}/${problem.id}`]: true });
}

export class ProblemChooser {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {{open: (collection: string, id: string) => void, own: () => void}} handlers
   */
  constructor(connection, handlers) {
    this.connection = connection;
    this.handlers = handlers;
    /** @type {CollectionView[]} */
    this.collections = [];
    this.element = h("div", { class: "after" });
  }

  /** Learns what there is, and answers with a problem to begin with. */
  async load() {
    this.collections = (await this.connection.ask("collections", { kind: "collections" })).collections;
    const [first] = this.collections;
    const collection = this.collections.find(({ problems }) => problems.some(({ id }) => id === FIRST)) ?? first;
    const problem = collection?.problems.find(({ id }) => id === FIRST) ?? collection?.problems[0];
    return collection && problem ? { collection: collection.id, id: problem.id } : null;
  }

  /** @param {Problem} problem @param {number} step */
  neighbour(problem, step) {
    const problems = this.collections.find((c) => c.id === problem.collection)?.problems ?? [];
    const next = problems[problems.findIndex((p) => p.id === problem.id) + step];
    if (next) this.handlers.open(problem.collection, next.id);
  }

  /** @param {Problem | null} problem */
  draw(problem) {
    const ja = settings.language === "ja";
    const names = /** @type {[string, string][]} */ ([
      ...this.collections.map((c) => [c.id, ja ? c.japanese : c.english]), [OWN, t("ownProblem")],
    ]);
    const collection = this.collections.find((c) => c.id === problem?.collection);
    fill(this.element,
      choice(t("collection"), names, problem?.collection ?? "", (id) => {
        const first = this.collections.find((c) => c.id === id)?.problems[0];
        if (first) this.handlers.open(id, first.id);
        else this.handlers.own();
      }),
      collection && problem ? this.problemRow(collection, problem) : null);
  }

  /** @param {CollectionView} collection @param {Problem} problem */
  problemRow(collection, problem) {
    const solved = solvedProblems();
    const done = (/** @type {string} */ id) => solved[`${collection.id}/${id}`] ?? false;
    const entries = /** @type {[string, string][]} */ (collection.problems.map(({ id, length }) =>
      [id, (done(id) ? "✓ " : "") + (length ? t("problemPlies", id, length) : id)]));
    const count = collection.problems.filter(({ id }) => done(id)).length;
    return [
      h("div", { class: "row" },
        choice(t("problem"), entries, problem.id, (id) => this.handlers.open(collection.id, id)),
        control("back", t("previousProblem"), () => this.neighbour(problem, -1)),
        control("forward", t("nextProblem"), () => this.neighbour(problem, 1))),
      h("p", { class: "quiet" }, t("solvedCount", count, collection.problems.length)),
    ];
  }
}
