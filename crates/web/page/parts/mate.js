// Mate problems: let them be solved, solve them, defend, compose.

import { announce, button, fill, h } from "../dom.js";
import { ComposerChecks } from "../composer.js";
import { editPosition } from "../editor.js";
import { pasteDialog, toBase64 } from "../files.js";
import { number, t } from "../i18n.js";
import { control, layout, walkControls } from "../layout.js";
import { withPreview } from "../preview.js";
import { markSolved, OWN, ProblemChooser } from "../problems.js";
import { ProofGraph, ProofTree } from "../proof.js";
import { settings, store, stored } from "../settings.js";
import { kindName } from "../shogi.js";
import { Table } from "../table.js";
import { faultText, moveText, seconds, unknownText } from "../words.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../session.js").MateEvent} MateEvent */
/** @typedef {import("../session.js").MateReply} MateReply */
/** @typedef {import("../session.js").PositionView} PositionView */
/** @typedef {"look" | "solve" | "defend"} Mode */
/** @typedef {import("../problems.js").Problem} Problem */

const CHOSEN = "yomikiri.problem";
const DRAFT = "yomikiri.problem.draft";
const SOLVE_TIME = 120000;

/** @param {App} app @returns {import("../main.js").Part} */
export function create(app) {
  return new Mate(app);
}

class Mate {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.connection = app.connection;
    /** @type {Problem | null} */
    this.problem = stored(CHOSEN, null);
    /** @type {MateEvent | null} */
    this.result = app.opened.state.mate;
    /** @type {Mode} */
    this.mode = "look";
    /** @type {string[]} */
    this.moves = [];
    /** @type {number | null} */
    this.task = null;
    this.hidden = false;
    this.editing = false;
    this.visit = 0;
    this.table = new Table({ move: (usi) => void this.move(usi), illegal: (usi) => void this.explain(usi) });
    const flipped = () => this.table.board.flipped;
    this.tree = new ProofTree(this.connection, (moves) => this.walkTo(moves), flipped);
    this.graph = new ProofGraph();
    this.problems = new ProblemChooser(this.connection, {
      open: (collection, id) => void this.openProblem(collection, id), own: () => void this.setOwn(this.problem?.sfen ?? ""),
    });
    this.status = h("p", { class: "status", role: "status" });
    this.answer = h("div", { class: "after" });
    this.editBox = h("div", { hidden: true });
    this.checks = new ComposerChecks(app, (moves) => this.walkTo(moves), (sfen) => this.glance(sfen));
    this.solveButton = button(t("solve"), () => void this.solve(false));
    this.selfButton = button(t("solveYourself"), () => void this.begin("solve"), { class: "primary" });
    this.defendButton = button(t("defend"), () => void this.begin("defend"));
    this.hintButton = control("hint", t("attackerHint"), () => void this.hint(), true);
    const controls = h("div", { class: "controls" },
      walkControls({
        first: () => this.walkTo([]), back: () => this.walkTo(this.moves.slice(0, -1)),
        forward: () => this.forward(), last: () => this.walkTo(this.result ? this.line() : this.moves),
      }),
      h("div", { class: "acts" }, this.hintButton, control("undo", t("tryAgain"), () => this.again(), true),
        control("flip", t("flip"), () => this.table.flip(!flipped()))));
    this.chooser = h("div", { class: "after" }, this.problems.element, this.status,
      h("div", { class: "tools" }, this.selfButton, this.solveButton, this.defendButton),
      h("div", { class: "tools" }, button(t("edit"), () => this.edit()), button(t("pasteRecord"), () => pasteDialog((text) => this.read(text, null, null)))));
    this.layout = layout({
      name: "mate", table: this.table.element, controls,
      panels: [
        { id: "problem", label: t("problem"), element: h("div", { class: "after" }, this.editBox, this.chooser) },
        { id: "answer", label: t("solution"), element: h("div", { class: "after" }, this.answer, this.checks.element) },
        { id: "proof", label: t("proofTree"), element: h("div", {}, h("p", { class: "quiet" }, t("proofHelp")), this.tree.element) },
      ],
    });
    this.element = this.layout.element;
    void this.start();
  }

  async start() {
    try {
      const first = await this.problems.load();
      if (this.problem) {
        await this.setProblem(this.problem);
        this.goOn(this.problem);
        this.checks.goOn();
      } else if (first) await this.openProblem(first.collection, first.id);
      const draft = stored(DRAFT, "");
      if (draft) this.edit(draft);
    } catch (error) {
      this.app.fail(error);
    }
  }

  show() {
    // The session keeps one proof: the practice may have replaced ours.
    const proven = this.app.state.proven;
    if (!this.result || proven === undefined || proven === this.result.sfen) return;
    this.result = { ...this.result, proofNodes: 0 };
    this.tree.clear();
    this.draw();
  }

  hide() {
    void this.connection.stop(this.task);
    this.task = null;
  }

  refresh() {
    this.table.refresh();
    this.draw();
  }

  sfen() {
    return this.table.board.sfen;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.editing) return false;
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.walkTo(this.moves.slice(0, -1)), ArrowRight: () => this.forward(), Home: () => this.walkTo([]),
      End: () => this.walkTo(this.result ? this.line() : this.moves), f: () => this.table.flip(!this.table.board.flipped),
      h: () => void this.hint(), " ": () => void (this.task === null ? this.solve(false) : this.stop()),
    });
    const action = keys[event.key];
    action?.();
    return action !== undefined;
  }

  /** @param {string} rest */
  address(rest) {
    const [what, text = ""] = rest.split("/");
    if (what !== "position") return;
    history.replaceState(null, "", "#mate");
    void this.setOwn(decodeURIComponent(text).replaceAll("_", " ").replaceAll(",", "/"));
  }

  /** @param {string} text @param {string | null} name @param {ArrayBuffer | null} bytes */
  drop(text, name, bytes) {
    void this.read(text, name, bytes).then((wrong) => wrong && this.app.toast(wrong));
  }

  // Problems.

  /** @param {string} collection @param {string} id */
  async openProblem(collection, id) {
    try {
      const view = await this.connection.ask("problem", { kind: "problem", collection, problem: id });
      await this.setProblem({ collection, id, sfen: view.position.sfen, attacker: view.attacker, length: view.length });
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {string} sfen */
  async setOwn(sfen) {
    await this.setProblem({ collection: OWN, id: "", sfen, attacker: null, length: null });
  }

  /** @param {Problem} problem */
  async setProblem(problem) {
    this.stop();
    this.problem = problem;
    store(CHOSEN, problem);
    if (this.result?.sfen !== problem.sfen) this.result = null;
    this.hidden = false;
    this.mode = "look";
    this.checks.clear();
    this.tree.clear();
    this.graph.clear();
    this.say("");
    this.draw();
    await this.look([]);
    if (this.result?.proofNodes) void this.tree.show();
  }

  draw() {
    this.problems.draw(this.problem);
    this.drawAnswer();
  }

  // Looking and moving.

  /** @param {string[]} moves */
  async look(moves) {
    const { problem } = this;
    if (!problem) return;
    const visit = ++this.visit;
    this.moves = moves;
    this.table.board.setArrows([]);
    try {
      const view = await this.connection.ask("position", { kind: "position", at: { sfen: problem.sfen, moves } });
      if (visit === this.visit && !this.editing) this.present(view);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {PositionView} view */
  present(view) {
    const attacker = this.attacker();
    const side = this.mode === "look" ? null : (this.mode === "solve") === (attacker === "black") ? "b" : "w";
    this.table.setNames({
      b: t(attacker === "black" ? "attackerSide" : "defenderSide"), w: t(attacker === "white" ? "attackerSide" : "defenderSide"),
    });
    this.table.show(view, side ? [side] : ["b", "w"], { announce: true });
    this.markLine();
  }

  /** The solution in USI. */
  line() {
    return this.result?.line.map((m) => m.usi) ?? [];
  }

  attacker() {
    const side = this.problem?.sfen.split(" ")[1] === "w" ? "white" : "black";
    return this.problem?.attacker ?? this.result?.attacker ?? side;
  }

  /** @param {string[]} moves */
  walkTo(moves) {
    if (this.mode !== "look") this.setMode("look");
    void this.look(moves);
  }

  /** Shows a position that is not the problem's. @param {string} sfen */
  glance(sfen) {
    if (this.mode !== "look") this.setMode("look");
    this.visit++;
    this.moves = [];
    this.table.showSfen(sfen);
  }

  forward() {
    const line = this.hidden ? [] : this.line();
    if (this.moves.every((usi, index) => usi === line[index]) && line.length > this.moves.length) {
      this.walkTo(line.slice(0, this.moves.length + 1));
    }
  }

  /** @param {string} usi */
  async move(usi) {
    if (this.mode === "look") await this.look([...this.moves, usi]);
    else await this.playMove(usi);
  }

  /** @param {string} usi */
  async explain(usi) {
    try {
      const tried = await this.connection.ask("tried", { kind: "try-move", at: { sfen: this.problem?.sfen ?? "", moves: this.moves }, move: usi });
      if (tried.illegal) this.table.explain(usi, tried.illegal);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {string} text */
  say(text) {
    this.status.textContent = text;
  }

  // Solving.

  /** @param {boolean} secretly  the answer is not shown @returns {Promise<boolean>} whether there is a proof */
  async solve(secretly) {
    const { problem } = this;
    if (!problem) return false;
    if (this.result?.proofNodes && this.result.sfen === problem.sfen) {
      this.hidden = secretly;
      this.drawAnswer();
      if (!secretly) this.layout.raise("answer");
      return true;
    }
    this.stop();
    this.hidden = secretly;
    this.graph.clear();
    if (!secretly) this.layout.raise("answer");
    return new Promise((resolve) => {
      const ask = /** @type {const} */ ({ kind: "solve-mate", at: { sfen: problem.sfen }, time: SOLVE_TIME });
      this.connection.startTask(problem.attacker ? { ...ask, attacker: problem.attacker } : ask, this.solving(problem, resolve)).then((task) => {
        if (!this.result || this.result.sfen !== problem.sfen) this.task = task;
        this.drawAnswer();
      }).catch((error) => {
        this.app.fail(error);
        resolve(false);
      });
    });
  }

  /** Hears of a search. @param {Problem} problem @param {(proven: boolean) => void} done @returns {(event: import("../session.js").Event) => void} */
  solving(problem, done) {
    return (event) => {
      if (event.kind === "mate-progress") this.progress(event);
      else {
        this.task = null;
        if (event.kind === "mate" && this.problem === problem) this.found(event);
        else this.drawAnswer();
        done(event.kind === "mate" && event.proofNodes > 0);
      }
    };
  }

  /** What ran when the page was left goes on. @param {Problem} problem */
  goOn(problem) {
    const running = this.app.opened.state.tasks.find((task) => task.kind === "solve-mate" && task.running);
    if (!running) return;
    this.task = running.task;
    this.drawAnswer();
    this.layout.raise("answer");
    this.connection.follow(running.task, this.solving(problem, () => undefined));
  }

  stop() {
    void this.connection.stop(this.task);
    this.task = null;
  }

  /** @param {import("../session.js").ProofProgress} event */
  progress(event) {
    this.graph.add(event);
    if (this.effort) this.effort.textContent = t("solving", number(event.nodes), number(event.nps), seconds(event.time));
    if (this.numbers) this.numbers.textContent = t("proofNumbers", number(event.pn), number(event.dn));
  }

  /** @param {MateEvent} event */
  found(event) {
    this.result = event;
    this.app.opened.state.mate = event;
    this.app.state.proven = event.sfen;
    this.draw();
    if (!this.hidden) {
      announce(verdictText(event));
      if (event.proofNodes) void this.tree.show();
    }
  }

  drawAnswer() {
    const { result } = this;
    const running = this.task !== null;
    this.defendButton.toggleAttribute("disabled", running);
    this.selfButton.toggleAttribute("disabled", running);
    if (running) {
      this.effort = h("p", {}, t("solving", "0", "0", "0"));
      this.numbers = h("p", { class: "quiet" });
      fill(this.answer, this.effort, this.graph.element, this.numbers, button(t("stop"), () => this.stop(), { class: "primary" }));
    } else if (!result || this.hidden) {
      fill(this.answer, h("p", { class: "quiet" }, this.hidden ? t("answerHidden") : t("notSolvedYet")),
        h("div", { class: "tools" }, button(t(this.hidden ? "showAnswer" : "solve"), () => void this.solve(false)), this.hidden ? null : this.checks.judgeButton(() => this.problem)));
    } else fill(this.answer, this.resultView(result));
  }

  /** @param {MateEvent} result */
  resultView(result) {
    const facts = [
      result.verdict === "unknown" && result.why ? unknownText(result.why) : "",
      result.verdict === "mate" && result.exact ? t("exactShortest") : "",
      result.verified ? t(result.verdict === "mate" ? "verified" : "verifiedNoMate") : "",
      result.leftInHand.length ? t("leftInHand", result.leftInHand.map((p) => `${kindName(p.piece, settings.language)}${p.count > 1 ? p.count : ""}`).join("、")) : "",
      t("goStats", number(result.nodes), seconds(result.time)),
    ].filter(Boolean);
    const buttons = result.line.map((move, index) => {
      const moves = result.line.slice(0, index + 1).map((m) => m.usi);
      const element = button(moveText(move), () => this.walkTo(moves), { "data-step": String(index + 1) });
      /** @type {string | null} */
      let after = null;
      element.addEventListener("pointerenter", () => {
        if (!after) void this.connection.ask("line", { kind: "line", at: { sfen: result.sfen }, moves }).then((line) => (after = line.sfens.at(-1) ?? null)).catch(() => (after = null));
      });
      return withPreview(element, () => (after ? { sfen: after, last: move.usi, flipped: this.table.board.flipped } : null));
    });
    const proven = result.proofNodes > 0;
    return [
      h("p", { class: `verdict ${result.verdict}` }, verdictText(result)),
      h("p", { class: "facts" }, facts.map((fact) => h("span", {}, fact))),
      h("div", { class: "line-moves solution" }, buttons),
      h("div", { class: "tools" }, this.checks.judgeButton(() => this.problem),
        proven ? [button(t("verify"), () => void this.checks.verify()), button(t("saveAs"), () => this.checks.export())] : null),
      proven ? null : button(t("solve"), () => {
        this.result = null;
        void this.solve(false);
      }),
    ];
  }

  /** Marks the move of the solution that is in view. */
  markLine() {
    const line = this.line();
    const on = this.moves.every((usi, index) => usi === line[index]);
    for (const element of this.answer.querySelectorAll("[data-step]")) {
      const here = on && Number(element.getAttribute("data-step")) === this.moves.length;
      if (here) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    }
  }

  // Playing it.

  /** @param {Mode} mode */
  setMode(mode) {
    this.mode = mode;
    this.selfButton.setAttribute("aria-pressed", String(mode === "solve"));
    this.defendButton.setAttribute("aria-pressed", String(mode === "defend"));
    if (mode === "look") this.say("");
  }

  /** @param {"solve" | "defend"} mode */
  async begin(mode) {
    this.layout.raise("problem");
    this.tree.clear();
    this.say(t("preparing"));
    const proven = await this.solve(mode === "solve");
    if (!proven) {
      this.say(this.result && !this.hidden ? verdictText(this.result) : t("faultNoProof"));
      this.hidden = false;
      this.drawAnswer();
      return;
    }
    this.layout.raise("problem");
    this.setMode(mode);
    if (mode === "defend") {
      const hint = await this.connection.ask("mate-hint", { kind: "mate-hint", moves: [] });
      this.say(t("yourDefence"));
      await this.look([hint.move.usi]);
    } else {
      this.say(t("yourMoveMate"));
      await this.look([]);
    }
  }

  again() {
    if (this.mode === "look") this.walkTo([]);
    else void this.begin(this.mode);
  }

  /** @param {string} usi */
  async playMove(usi) {
    const before = this.moves;
    try {
      await this.connection.startTask({ kind: "mate-play", moves: before, move: usi }, (event) => {
        if (event.kind === "mate-reply") this.replied(event, before);
      });
    } catch (error) {
      this.app.fail(error);
      await this.look(before);
    }
  }

  /** @param {MateReply} reply @param {string[]} before */
  replied(reply, before) {
    this.visit++;
    this.moves = reply.moves;
    this.present(reply.position);
    const answer = reply.reply ? moveText(reply.reply) : "";
    if (this.mode === "defend") this.say(reply.verdict === "solved" ? t("defendMated", reply.moves.length) : `${answer} – ${t("yourDefence")}`);
    else this.sayAttack(reply, answer);
    if (this.mode === "solve" && (reply.verdict === "refuted" || reply.verdict === "no-check" || reply.verdict === "unknown")) {
      this.table.movable = [];
      // The refutation stays in view for a moment; then the move is the solver's again.
      setTimeout(() => this.mode === "solve" && this.moves === reply.moves && void this.look(before), 1800);
    }
  }

  /** @param {MateReply} reply @param {string} answer */
  sayAttack(reply, answer) {
    if (reply.verdict === "solved") {
      this.say(t("replySolved"));
      if (this.problem) markSolved(this.connection, this.problem);
      this.hidden = false;
      this.draw();
      void this.tree.show();
    } else if (reply.verdict === "mate-goes-on") this.say(t("replyGoesOn"));
    else if (reply.verdict === "refuted") this.say(answer ? t("replyRefuted", answer) : t("replyRefutedPlain"));
    else this.say(t(reply.verdict === "no-check" ? "replyNoCheck" : "replyUnknown"));
  }

  async hint() {
    if (!this.problem) return;
    try {
      if (!this.result?.proofNodes) {
        this.say(t("preparing"));
        if (!(await this.solve(true))) return;
      }
      const hint = await this.connection.ask("mate-hint", { kind: "mate-hint", moves: this.moves });
      this.table.board.setArrows([{ usi: hint.move.usi }]);
      this.say(t("hintMove", moveText(hint.move), hint.left));
    } catch (error) {
      this.say(faultText(error));
    }
  }

  // For composers.

  /** @param {string} [from]  what was set up when the page was left */
  edit(from = this.problem?.sfen ?? this.sfen()) {
    this.stop();
    this.setMode("look");
    this.editing = true;
    editPosition(this.app, { table: this.table, box: this.editBox, instead: this.chooser, draft: DRAFT }, from, true, (sfen) => {
      this.editing = false;
      if (sfen) void this.setOwn(sfen);
      else void this.look([]);
    });
  }

  /**
   * The first position of a record is the problem.
   * @param {string} text
   * @param {string | null} name
   * @param {ArrayBuffer | null} bytes  a file, in whichever encoding
   * @returns {Promise<string>} what is wrong
   */
  async read(text, name, bytes) {
    const data = bytes ? { base64: toBase64(bytes) } : { text };
    try {
      const records = await this.connection.ask("records", { kind: "read-record", ...data, ...(name ? { name } : {}) });
      const start = records.games[0]?.start;
      if (start) await this.setOwn(start);
      return "";
    } catch (error) {
      return faultText(error);
    }
  }
}

/** @param {MateEvent} event */
function verdictText(event) {
  if (event.verdict === "no-mate") return t("verdictNoMate");
  if (event.verdict === "unknown") return t("verdictUnknown");
  return t(event.exact ? "verdictMate" : "verdictMateAtMost", event.length ?? event.rawLength ?? 0);
}
