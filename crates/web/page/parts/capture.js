// Captures in Go: can this block be taken?

import { announce, button, choice, fill, h } from "../dom.js";
import { GoBoard, smallBoard } from "../goboard.js";
import { number, t } from "../i18n.js";
import { control, layout, walkControls } from "../layout.js";
import { withPicture } from "../preview.js";
import { ProofGraph } from "../proof.js";
import { store, stored } from "../settings.js";
import { faultText, seconds, unknownText } from "../words.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../session.js").GoBoard} GoPosition */
/** @typedef {import("../session.js").GoEvent} GoEvent */
/** @typedef {import("../session.js").GoCandidatesView} GoCandidatesView */
/** @typedef {"black" | "white"} Colour */
/** @typedef {Colour | "turns" | "erase"} Tool */
/** @typedef {import("../session.js").CaptureMoves} Moves */
/** @typedef {{board: GoPosition, target: string | null, first: "attacker" | "defender", width: string, moves: Moves}} Setup */

const KEPT = "yomikiri.go";

/** @type {Record<"goLadder" | "goBreaker" | "goNet", {black: string, white: string, target: string, first?: "defender"}>} */
const EXAMPLES = {
  goLadder: { black: "D5 D6 E4", white: "E5", target: "E5" },
  // With a stone in its way the ladder fails: the question is whether the block escapes.
  goBreaker: { black: "D5 D6 E4", white: "E5 H7", target: "E5", first: "defender" },
  goNet: { black: "D5 E4 D7 G4", white: "E5 H6", target: "E5" },
};

/** @param {App} app @returns {import("../main.js").Part} */
export function create(app) {
  return new Capture(app);
}

class Capture {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.connection = app.connection;
    /** @type {Setup} */
    this.setup = { ...example("goLadder"), ...stored(KEPT, {}) };
    /** @type {Tool} */
    this.tool = "turns";
    /** @type {Colour} */
    this.turn = "black";
    /** @type {GoCandidatesView | null} */
    this.candidates = null;
    /** @type {GoEvent | null} */
    this.result = null;
    /** How many moves of the line are shown. */
    this.step = 0;
    /** @type {number | null} */
    this.task = null;
    this.board = new GoBoard((point, erase) => void this.press(point, erase));
    this.graph = new ProofGraph();
    this.setupBox = h("div", { class: "after" });
    this.answer = h("div", { class: "after" });
    this.status = h("p", { class: "quiet", role: "status" });
    const controls = h("div", { class: "controls" },
      walkControls({ first: () => this.walk(0), back: () => this.walk(this.step - 1), forward: () => this.walk(this.step + 1), last: () => this.walk(Infinity) }),
      h("div", { class: "acts" }, control("open", t("goOpen"), () => this.openFile(), true)));
    this.layout = layout({
      name: "capture", table: h("div", { class: "go-middle" }, this.board.element), controls,
      panels: [
        { id: "answer", label: t("problem"), element: this.answer },
        { id: "setup", label: t("goSetup"), element: this.setupBox },
      ],
    });
    this.element = this.layout.element;
    this.drawSetup();
    void this.changed().then(() => this.goOn());
  }

  /** What ran when the page was left goes on. */
  goOn() {
    const running = this.app.opened.state.tasks.find((task) => task.kind === "solve-go" && task.running);
    if (!running || this.task !== null) return;
    this.task = running.task;
    this.draw();
    this.connection.follow(running.task, this.solving);
  }

  hide() {
    this.stop();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.walk(this.step - 1), ArrowRight: () => this.walk(this.step + 1), Home: () => this.walk(0),
      End: () => this.walk(Infinity), " ": () => void (this.task === null ? this.solve() : this.stop()),
    });
    const action = keys[event.key];
    action?.();
    return action !== undefined;
  }

  /** @param {string} text @param {string | null} _name @param {ArrayBuffer | null} bytes */
  drop(text, _name, bytes) {
    void this.read(bytes ? new TextDecoder().decode(bytes) : text);
  }

  // Setting up.

  /** @param {string} point @param {boolean} erase */
  async press(point, erase) {
    const { board } = this.setup;
    const stands = board.black.includes(point) || board.white.includes(point);
    if (erase || this.tool === "erase") {
      this.setup.board = { ...board, black: board.black.filter((p) => p !== point), white: board.white.filter((p) => p !== point), ko: null };
      if (this.setup.target === point) this.setup.target = null;
    } else if (stands) this.setup.target = point;
    else if (this.tool === "turns") await this.playStone(point);
    else this.setup.board = { ...board, [this.tool]: [...board[this.tool], point], ko: null };
    await this.changed();
  }

  /** @param {string} point */
  async playStone(point) {
    try {
      const view = await this.connection.ask("go-board", { kind: "play-go", board: this.setup.board, colour: this.turn, point });
      this.setup.board = view.board;
      this.turn = view.toMove;
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** The position or the target changed: what was found out does not hold any more. */
  async changed() {
    this.stop();
    this.result = null;
    this.candidates = null;
    this.step = 0;
    const { board, target } = this.setup;
    store(KEPT, this.setup);
    if (target && !board.black.includes(target) && !board.white.includes(target)) this.setup.target = null;
    this.draw();
    if (!this.setup.target) return;
    try {
      const view = await this.connection.ask("go-candidates", { kind: "go-candidates", board, target: this.setup.target });
      if (this.setup.board === board) this.candidates = view;
    } catch (error) {
      this.status.textContent = faultText(error);
    }
    this.draw();
  }

  drawSetup() {
    const { setup } = this;
    const tool = (/** @type {Tool} */ name, /** @type {string} */ label) => button(label, () => {
      this.tool = name;
      this.drawSetup();
    }, { "aria-pressed": String(this.tool === name) });
    const sizes = [7, 9, 11, 13, 19].map((n) => /** @type {[string, string]} */ ([String(n), `${n}×${n}`]));
    fill(this.setupBox,
      h("fieldset", { class: "segmented" }, h("legend", { class: "quiet" }, t("goPlace")), tool("turns", t("goAlternate")),
        tool("black", t("goBlack")), tool("white", t("goWhite")), tool("erase", t("goErase"))),
      h("p", { class: "quiet" }, t("goNoTarget")),
      h("div", { class: "row" },
        choice(t("goSize"), sizes, String(setup.board.size), (value) => this.clear(Number(value))),
        button(t("goClear"), () => this.clear(setup.board.size))),
      h("fieldset", { class: "segmented" }, h("legend", { class: "quiet" }, t("goProblems")),
        /** @type {(keyof typeof EXAMPLES)[]} */ (["goLadder", "goBreaker", "goNet"]).map((name) => button(t(name), () => {
          this.setup = example(name);
          this.drawSetup();
          void this.changed();
        }))));
  }

  /** @param {number} size */
  clear(size) {
    this.setup.board = { size, black: [], white: [], ko: null };
    this.setup.target = null;
    this.turn = "black";
    void this.changed();
  }

  openFile() {
    const input = h("input", { type: "file", accept: ".sgf", "aria-label": t("goOpen") });
    input.addEventListener("change", () => void input.files?.[0]?.text().then((text) => this.read(text)));
    input.click();
  }

  /** @param {string} sgf */
  async read(sgf) {
    try {
      const view = await this.connection.ask("go-board", { kind: "read-go", sgf });
      this.setup = { ...this.setup, board: view.board, target: null };
      this.turn = view.toMove;
      this.drawSetup();
      await this.changed();
    } catch (error) {
      this.app.fail(error);
    }
  }

  // The answer.

  async solve() {
    const { board, target, first, width, moves } = this.setup;
    if (!target) return;
    this.stop();
    this.graph.clear();
    this.result = null;
    this.step = 0;
    const top = Number(width);
    try {
      const task = await this.connection.startTask({
        kind: "solve-go", board, target, first, moves, width: width === "all" ? "all" : { top },
      }, this.solving);
      if (!this.result) this.task = task;
      this.draw();
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {import("../session.js").Event} event */
  solving = (event) => {
    if (event.kind === "go-progress") {
      this.graph.add(event);
      this.status.textContent = t("solving", number(event.nodes), number(event.nps), seconds(event.time));
      return;
    }
    this.task = null;
    if (event.kind === "go") {
      this.result = event;
      announce(this.sentence(event));
    }
    this.draw();
  };

  stop() {
    void this.connection.stop(this.task);
    this.task = null;
  }

  /** The answer in one sentence. @param {GoEvent} event */
  sentence(event) {
    const attacks = this.setup.first === "attacker";
    if (event.answer === "unconditional") return t(attacks ? "goCaptured" : "goEscapes");
    if (event.answer === "cannot") return t(attacks ? "goNotCaptured" : "goNoEscape");
    if (event.answer === "ko-opponent-threatens") return t("goKoGood");
    if (event.answer === "ko-must-threaten") return t("goKoBad");
    return t("goUnknown");
  }

  draw() {
    const line = this.result?.line.slice(0, this.step) ?? [];
    const shown = line.at(-1)?.board ?? this.setup.board;
    const stones = new Set([...shown.black, ...shown.white]);
    /** @type {Map<string, number>} */
    const steps = new Map();
    line.forEach((move, index) => stones.has(move.point) && steps.set(move.point, index + 1));
    const numbers = this.step === 0 ? this.candidates?.candidates.map((c) => ({ point: c.point, text: String(c.number) })) ?? [] : [];
    const block = this.candidates?.stones ?? (this.setup.target ? [this.setup.target] : []);
    this.board.show(shown, { target: block.filter((point) => stones.has(point)), numbers, steps });
    this.drawAnswer();
  }

  drawAnswer() {
    const { result, setup } = this;
    const running = this.task !== null;
    if (!running) this.status.textContent = result ? "" : setup.target ? t("goCandidateHelp") : t("goNoTarget");
    const facts = result ? [result.why ? unknownText(result.why) : "", t("goStats", number(result.nodes), seconds(result.time)),
      result.checked === null ? "" : t("goChecked", number(result.checked))].filter(Boolean) : [];
    fill(this.answer,
      result ? h("p", { class: `verdict ${result.answer === "unconditional" ? "mate" : ""}` }, this.sentence(result)) : null,
      h("p", { class: "facts" }, facts.map((fact) => h("span", {}, fact))),
      this.status,
      running ? this.graph.element : null,
      result?.line.length ? h("div", { class: "line-moves" }, result.line.map((move, index) => withPicture(button(
        `${index + 1} ${t(move.colour === "black" ? "goBlack" : "goWhite")} ${move.point === "pass" ? t("goPass") : move.point}`,
        () => this.walk(index + 1), { "aria-current": this.step === index + 1 ? "step" : null }), () => smallBoard(move.board, move.point)))) : null,
      h("div", { class: "row" },
        choice(t("goFirst"), [["attacker", t("goAttacker")], ["defender", t("goDefender")]], setup.first, (value) => {
          setup.first = value === "defender" ? "defender" : "attacker";
          void this.changed();
        }),
        choice(t("goWidth"), [["3", t("goWidthTop", 3)], ["5", t("goWidthTop", 5)], ["10", t("goWidthTop", 10)], ["all", t("goWidthAll")]],
          setup.width, (width) => {
            setup.width = width;
            void this.changed();
          })),
      choice(t("goMoves"), [["zones", t("goMovesZones")], ["all", t("goMovesAll")], ["candidates", t("goHeuristic")]], setup.moves, (moves) => {
        setup.moves = /** @type {Moves} */ (moves);
        void this.changed();
      }),
      h("button", {
        type: "button", class: "primary", disabled: !setup.target, onclick: () => (running ? (this.stop(), this.draw()) : void this.solve()),
      }, t(running ? "stop" : "goSolve")));
  }

  /** @param {number} step */
  walk(step) {
    const length = this.result?.line.length ?? 0;
    this.step = Math.max(0, Math.min(step, length));
    const move = this.result?.line[this.step - 1];
    if (move) announce(`${this.step} ${move.point}`);
    this.draw();
  }
}

/** @param {keyof typeof EXAMPLES} name @returns {Setup} */
function example(name) {
  const { black, white, target, first = "attacker" } = EXAMPLES[name];
  return {
    board: { size: 9, black: black.split(" "), white: white.split(" "), ko: null }, target, first, width: "5", moves: "zones",
  };
}
