// Thirty seconds for an answer: what the experiment with people asks, and practice for it.

import { button, fill, h, s, withCode } from "../dom.js";
import { number, t } from "../i18n.js";
import { layout } from "../layout.js";
import { store, stored } from "../settings.js";
import { Table } from "../table.js";
import { faultText, moveText } from "../words.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../session.js").ProblemView} ProblemView */
/** @typedef {{problem: string, verdict: "right" | "wrong" | "late", time: number}} Trial */

const SECONDS = 30;
const KEPT = "yomikiri.subject";
const ROUND = 2 * Math.PI * 44;
const TRIALS = 5;

/** @param {App} app @returns {import("../main.js").Part} */
export function create(app) {
  return new Subject(app);
}

class Subject {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.connection = app.connection;
    /** @type {Trial[]} */
    this.trials = [];
    /** @type {ProblemView | null} */
    this.problem = null;
    this.since = 0;
    this.timer = 0;
    this.table = new Table({ move: (usi) => void this.answer(usi), illegal: (usi) => void this.explain(usi) });
    this.left = s("circle", { class: "left", cx: 50, cy: 50, r: 44, "stroke-dasharray": ROUND });
    this.digits = s("text", { x: 50, y: 61 }, SECONDS);
    this.ring = s("svg", { class: "ring", viewBox: "0 0 100 100", role: "img", "aria-label": t("secondsLeft", SECONDS) },
      s("circle", { cx: 50, cy: 50, r: 44 }), this.left, this.digits);
    this.box = h("div", { class: "after" });
    this.rows = h("div", { class: "after" });
    this.layout = layout({
      name: "subject", table: this.table.element, controls: h("div", { class: "controls" }),
      panels: [
        { id: "task", label: t("subject"), element: this.box },
        { id: "rows", label: t("subjectRows"), element: this.rows },
      ],
    });
    this.element = this.layout.element;
    this.introduce();
    this.drawRows();
    void this.preview();
  }

  hide() {
    clearInterval(this.timer);
  }

  refresh() {
    this.table.refresh();
  }

  sfen() {
    return this.table.board.sfen;
  }

  introduce() {
    fill(this.box, h("h3", {}, t("subjectTitle")), h("p", {}, t("subjectText")), h("p", { class: "quiet" }, withCode(t("subjectNot"))),
      h("h3", {}, t("subjectTry")), h("p", {}, t("subjectTryText")),
      button(t("subjectStart"), () => {
        this.trials = [];
        void this.next();
      }, { class: "primary" }));
  }

  /** Some position to look at before it starts. */
  async preview() {
    try {
      const problem = await this.draw();
      if (problem) this.table.showSfen(problem.position.sfen);
    } catch (error) {
      this.app.fail(error);
    }
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
      fill(this.box, h("p", { class: "status" }, t("yourMoveMate")), this.ring, h("p", { class: "quiet" }, `${this.trials.length + 1} / ${TRIALS}`));
      this.since = performance.now();
      clearInterval(this.timer);
      this.timer = window.setInterval(() => this.tick(), 100);
      this.tick();
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

  tick() {
    const left = Math.max(0, SECONDS - (performance.now() - this.since) / 1000);
    this.left.setAttribute("stroke-dashoffset", String(ROUND * (1 - left / SECONDS)));
    this.digits.textContent = String(Math.ceil(left));
    this.ring.setAttribute("aria-label", t("secondsLeft", Math.ceil(left)));
    if (left === 0) this.finish("late", null);
  }

  /** @param {string} usi */
  async answer(usi) {
    clearInterval(this.timer);
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

  /** @param {string} usi */
  async explain(usi) {
    const tried = await this.connection.ask("tried", { kind: "try-move", at: { sfen: this.problem?.position.sfen ?? "" }, move: usi });
    if (tried.illegal) this.table.explain(usi, tried.illegal);
  }

  /** @param {Trial["verdict"]} verdict @param {string | null} reply */
  finish(verdict, reply) {
    clearInterval(this.timer);
    const time = Math.min(SECONDS, (performance.now() - this.since) / 1000);
    this.trials.push({ problem: this.problem?.id ?? "", verdict, time });
    if (verdict === "late") this.table.showSfen(this.table.board.sfen);
    if (this.trials.length < TRIALS) {
      fill(this.box, h("p", { class: "status", role: "status" }, reply ?? t("subjectNoted")),
        button(t("subjectNext"), () => void this.next(), { class: "primary" }));
      this.box.querySelector("button")?.focus();
    } else this.thank();
  }

  thank() {
    const row = summary(this.trials);
    store(KEPT, [...stored(KEPT, /** @type {typeof row[]} */ ([])), row]);
    fill(this.box, h("p", { class: "verdict" }, t("subjectThanks")), h("p", {}, rowText(row)),
      h("ol", {}, this.trials.map((trial) => h("li", {}, `${trial.problem}: ${t(trial.verdict === "right" ? "answerRight" : trial.verdict === "late" ? "answerLate" : "answerWrong")}, ${number(Math.round(trial.time))} s`))),
      button(t("again"), () => {
        this.trials = [];
        void this.next();
      }, { class: "primary" }));
    this.drawRows();
  }

  drawRows() {
    const rows = stored(KEPT, /** @type {ReturnType<typeof summary>[]} */ ([]));
    fill(this.rows, rows.length ? h("ol", {}, rows.slice(-10).map((row) => h("li", {}, rowText(row)))) : h("p", { class: "quiet" }, t("subjectNone")));
  }
}

/** @param {Trial[]} trials */
function summary(trials) {
  const right = trials.filter((trial) => trial.verdict === "right").length;
  const time = trials.reduce((sum, trial) => sum + trial.time, 0) / Math.max(1, trials.length);
  return { right, all: trials.length, time };
}

/** @param {ReturnType<typeof summary>} row */
const rowText = (row) => t("subjectRow", row.right, row.all, row.time.toFixed(1));
