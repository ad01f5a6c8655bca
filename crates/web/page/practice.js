// Thirty seconds for the first move of a mate: practice under the conditions of the experiment.

import { button, fill, h } from "./dom.js";
import { number, t } from "./i18n.js";
import { keep, ROUNDS } from "./kept.js";
import { Ring } from "./ring.js";
import { stored } from "./settings.js";
import { faultText, moveText } from "./words.js";

/** @typedef {import("./session.js").ProblemView} ProblemView */
/** @typedef {{problem: string, verdict: "right" | "wrong" | "late", time: number}} Trial */
/** @typedef {{right: number, all: number, time: number}} Row */

const SECONDS = 30;
const TRIALS = 5;

export class Practice {
  /**
   * @param {import("./main.js").App} app
   * @param {import("./table.js").Table} table
   * @param {HTMLElement} box  where it speaks
   * @param {() => void} done  the last answer was given
   */
  constructor(app, table, box, done) {
    this.app = app;
    this.connection = app.connection;
    this.table = table;
    this.box = box;
    this.done = done;
    /** @type {Trial[]} */
    this.trials = [];
    /** @type {ProblemView | null} */
    this.problem = null;
    this.ring = new Ring(() => this.finish("late", null));
  }

  stop() {
    this.ring.stop();
    this.problem = null;
  }

  /** Some position to look at before it starts. */
  async preview() {
    const problem = await this.draw();
    if (problem) this.table.showSfen(problem.position.sfen);
  }

  start() {
    this.trials = [];
    void this.next();
  }

  /** A problem that can be read in thirty seconds, by lot. @returns {Promise<ProblemView | null>} */
  async draw() {
    const { collections } = await this.connection.ask("collections", { kind: "collections" });
    const short = collections.flatMap((c) => c.problems.filter((p) => p.length !== null && p.length >= 3 && p.length <= 7).map((p) => ({ collection: c.id, problem: p.id })));
    const choice = short[Math.floor(Math.random() * short.length)];
    return choice ? this.connection.ask("problem", { kind: "problem", ...choice }) : null;
  }

  async next() {
    try {
      const problem = await this.draw();
      if (!problem) return;
      this.table.showSfen(problem.position.sfen);
      fill(this.box, h("p", { class: "status", role: "status" }, t("preparing")));
      await this.prepare(problem);
      this.problem = problem;
      this.table.flip(problem.attacker === "white");
      this.table.show(problem.position, [problem.attacker === "black" ? "b" : "w"]);
      fill(this.box, h("p", { class: "status" }, t("yourMoveMate")), this.ring.element, h("p", { class: "quiet" }, `${this.trials.length + 1} / ${TRIALS}`));
      this.ring.start(SECONDS);
    } catch (error) {
      fill(this.box, h("p", {}, faultText(error)), button(t("subjectNext"), () => void this.next()));
    }
  }

  /** The proof is made first, so that an answer can be judged at once. @param {ProblemView} problem @returns {Promise<void>} */
  prepare(problem) {
    this.app.state.proven = problem.position.sfen;
    return new Promise((resolve, reject) => {
      this.connection.startTask({ kind: "solve-mate", at: { sfen: problem.position.sfen }, attacker: problem.attacker, time: 20000 }, (event) => {
        if (event.kind === "mate" && event.proofNodes > 0) resolve();
        else if (event.kind !== "mate-progress") reject(new Error(t("faultNoProof")));
      }).catch(reject);
    });
  }

  /** @param {string} usi */
  async answer(usi) {
    this.ring.stop();
    try {
      await this.connection.startTask({ kind: "mate-play", moves: [], move: usi }, (event) => {
        if (event.kind !== "mate-reply") return;
        this.table.show(event.position, []);
        this.finish(event.verdict === "solved" || event.verdict === "mate-goes-on" ? "right" : "wrong", event.reply ? moveText(event.reply) : null);
      });
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {Trial["verdict"]} verdict @param {string | null} reply */
  finish(verdict, reply) {
    this.ring.stop();
    this.trials.push({ problem: this.problem?.id ?? "", verdict, time: this.ring.used() });
    if (verdict === "late") this.table.showSfen(this.table.board.sfen);
    if (this.trials.length < TRIALS) {
      fill(this.box, h("p", { class: "status", role: "status" }, reply ?? t("subjectNoted")),
        button(t("subjectNext"), () => void this.next(), { class: "primary" }));
      this.box.querySelector("button")?.focus();
    } else this.thank();
  }

  thank() {
    const right = this.trials.filter((trial) => trial.verdict === "right").length;
    const time = this.trials.reduce((sum, trial) => sum + trial.time, 0) / TRIALS;
    const row = { right, all: TRIALS, time };
    keep(this.connection, ROUNDS, [...rows(), row]);
    this.problem = null;
    fill(this.box, h("p", { class: "verdict" }, t("subjectThanks")), h("p", {}, rowText(row)),
      h("ol", {}, this.trials.map((trial) => h("li", {}, `${trial.problem}: ${t(trial.verdict === "right" ? "answerRight" : trial.verdict === "late" ? "answerLate" : "answerWrong")}, ${number(Math.round(trial.time))} s`))),
      button(t("practiceAgain"), () => this.start(), { class: "primary" }));
    this.done();
  }
}

/** Earlier rounds. @returns {Row[]} */
const rows = () => stored(ROUNDS, /** @type {Row[]} */ ([]));

/** @param {Row} row */
const rowText = (row) => t("subjectRow", row.right, row.all, row.time.toFixed(1));

/** The earlier rounds as a list, or nothing. */
export function practiceRows() {
  const kept = rows();
  return kept.length ? [h("h3", {}, t("practice")), h("ol", {}, kept.slice(-10).map((row) => h("li", {}, rowText(row))))] : [];
}
