// Analysis of positions and games.

import { announce, button, choice, fill, h } from "../dom.js";
import { confirmDialog, positionDialog } from "../dialog.js";
import { explain, exportRecord, openRecordFile, pasteDialog, share, toBase64 } from "../files.js";
import { blunderList } from "../blunders.js";
import { editPosition } from "../editor.js";
import { Graph } from "../graph.js";
import { t } from "../i18n.js";
import { control, layout, walkControls } from "../layout.js";
import { LinesPanel } from "../lines.js";
import { hidePreview, showPreview } from "../preview.js";
import { fromAddress, GameRecord } from "../record.js";
import { SAMPLE_FIRST_VALUE, SAMPLE_MOVES, SAMPLE_VALUES } from "../sample.js";
import { store, stored } from "../settings.js";
import { Table } from "../table.js";
import { MoveTree } from "../tree.js";
import { faultText, moveText, valueText } from "../words.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../session.js").ValueView} ValueView */
/** @typedef {import("../session.js").MoveView} MoveView */
/** @typedef {import("../session.js").AnalysedPoint} AnalysedPoint */
/**
 * What is known of a ply of the main line.
 * @typedef {{value: ValueView, depth: number, lost: number, better: MoveView | null, judgement: AnalysedPoint["judgement"]}} Point
 */
/** @typedef {{record: GameRecord, at: number, points: [number, Point][]}} Kept */

const KEPT = "yomikiri.record";
const DRAFT = "yomikiri.record.draft";
const MOST_PAST = 20;
const BLUNDER = 300;

/** @param {App} app @returns {import("../main.js").Part} */
export function create(app) {
  return new Analyse(app);
}

class Analyse {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.connection = app.connection;
    const kept = stored(KEPT, /** @type {Kept | null} */ (null));
    this.record = kept ? GameRecord.revive(kept.record) : new GameRecord();
    this.at = kept?.at ?? 0;
    /** @type {Map<number, Point>} */
    this.points = new Map(kept?.points ?? []);
    this.editing = false;
    /** @type {number | null} */
    this.task = null;
    this.visit = 0;
    /** What the record was before it was replaced or cut, the latest last. @type {Kept[]} */
    this.past = [];
    this.table = new Table({ move: (usi) => void this.move(usi), illegal: (usi) => void this.explainIllegal(usi) });
    const flipped = () => this.table.board.flipped;
    this.tree = new MoveTree((node) => this.go(node), flipped);
    this.lines = new LinesPanel(app, {
      news: (event) => this.news(event), play: (moves) => void this.playLine(moves), flipped,
      off: () => this.table.board.setArrows([]),
    });
    this.graph = new Graph((ply) => this.goPly(ply), (ply, anchor) => this.peek(ply, anchor));
    this.comment = h("textarea", { rows: 2, "aria-label": t("comment"), placeholder: t("comment"), oninput: () => this.setComment() });
    this.gameBox = h("div", { class: "after" });
    this.toolBox = h("div", { class: "after" });
    this.editBox = h("div", { hidden: true });
    this.explainBox = h("div");
    this.undoButton = control("undo", t("undo"), () => this.undo());
    const controls = h("div", { class: "controls" },
      walkControls({
        first: () => this.go(0), back: () => this.step(-1), forward: () => this.step(1), last: () => this.end(),
      }),
      h("div", { class: "acts" }, control("flip", t("flip"), () => this.flip()),
        control("open", t("openRecord"), () => openRecordFile((name, bytes) => void this.read("", name, bytes)), true),
        control("paste", t("pasteRecord"), () => pasteDialog((text) => this.read(text, null, null)), true), this.undoButton));
    this.layout = layout({
      name: "analyse", table: this.table.element, controls, graph: this.graph.element,
      panels: [
        { id: "moves", label: t("moves"), element: h("div", { class: "after" }, this.tree.element, this.comment) },
        { id: "engine", label: t("engine"), element: this.lines.element },
        { id: "record", label: t("record"), element: this.gameBox },
        { id: "tools", label: t("tools"), element: h("div", { class: "after" }, this.editBox, this.toolBox, this.explainBox) },
      ],
    });
    this.element = this.layout.element;
    this.drawTools();
    this.drawUndo();
    this.connection.onOpened.add(this.reopened);
    /** Whether a link or a game said what to open. */
    this.addressed = false;
    if (kept) this.showRecord(this.at);
    else queueMicrotask(() => this.addressed || void this.openSample());
    const draft = stored(DRAFT, "");
    if (draft && kept) {
      this.edit(draft);
      this.layout.raise("tools");
    }
    const running = app.opened.state.tasks.find((task) => task.kind === "analyse-game" && task.running);
    if (running && kept) {
      this.task = running.task;
      this.connection.follow(running.task, this.analysed);
    }
  }

  hide() {
    this.lines.stop();
  }

  dispose() {
    this.connection.onOpened.delete(this.reopened);
  }

  /** The session may have been begun anew, and its tasks be gone. */
  reopened = () => {
    this.task = null;
    if (this.lines.on) void this.lines.restart();
  };

  refresh() {
    this.table.refresh();
    this.showRecord(this.at);
  }

  sfen() {
    return this.table.board.sfen;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.editing) return false;
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0), End: () => this.end(),
      ArrowUp: () => this.sibling(-1), ArrowDown: () => this.sibling(1), f: () => this.flip(), " ": () => this.lines.toggle(),
      h: () => this.playNumber(1), u: () => this.undo(),
    });
    if (/^[1-9]$/.test(event.key)) this.playNumber(Number(event.key));
    else if (keys[event.key]) keys[event.key]?.();
    else return false;
    return true;
  }

  /** @param {string} rest */
  address(rest) {
    // What is done from here on belongs to the record that is kept, not to the link.
    history.replaceState(null, "", "#analyse");
    const found = rest === "game" ? null : fromAddress(rest);
    this.addressed = rest === "game" || found !== null;
    if (found) void this.openLine(found.sfen, found.moves, found.ply);
    else if (this.addressed) void this.openGame();
  }

  // Records.

  async openSample() {
    await this.openLine(undefined, SAMPLE_MOVES, 0, () => {
      this.record.headers = [{ key: "表題", value: t("sampleGame") }];
      SAMPLE_VALUES.forEach((centipawns, index) => this.setSampleValue(SAMPLE_FIRST_VALUE + index, centipawns));
      this.at = this.record.mainLine()[72] ?? 0;
    });
  }

  /** @param {number} ply @param {number} centipawns */
  setSampleValue(ply, centipawns) {
    const mate = Math.abs(centipawns) === 30000 ? 0 : null;
    const value = { centipawns, mate, winningRate: 1 / (1 + Math.exp(-centipawns / 600)), bound: /** @type {const} */ ("exact") };
    const before = this.points.get(ply - 1)?.value.centipawns ?? centipawns;
    const lost = Math.max(0, (ply % 2 === 1 ? 1 : -1) * (before - centipawns));
    const close = Math.abs(before) < 2000;
    this.points.set(ply, { value, depth: 0, lost, better: null, judgement: lost >= BLUNDER && close ? "blunder" : null });
  }

  /** @param {string | undefined} sfen @param {string[]} moves @param {number} ply @param {() => void} [then] */
  async openLine(sfen, moves, ply, then) {
    try {
      const line = await this.connection.ask("line", { kind: "line", at: sfen ? { sfen } : {}, moves });
      const record = new GameRecord(sfen);
      let at = 0;
      line.moves.forEach((move, index) => (at = record.add(at, move, line.sfens[index] ?? "")));
      this.setRecord(record, 0);
      this.at = record.mainLine()[ply] ?? 0;
      then?.();
      this.showRecord(this.at);
    } catch (error) {
      this.app.fail(error);
    }
  }

  async openGame() {
    try {
      const game = await this.connection.ask("game", { kind: "game" });
      await this.openLine(game.start, game.moves.map((m) => m.move.usi), game.moves.length, () => {
        const mine = t("you");
        const engine = `Yomikiri ${t("engineLevel", game.level)}`;
        this.record.headers = [{ key: "先手", value: game.side === "black" ? mine : engine }, { key: "後手", value: game.side === "black" ? engine : mine }];
      });
      void this.analyseGame();
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {string} text @param {string | null} name @param {ArrayBuffer | null} bytes */
  drop(text, name, bytes) {
    void this.read(text, name, bytes);
  }

  /** @param {string} text @param {string | null} name @param {ArrayBuffer | null} bytes @returns {Promise<string>} what is wrong */
  async read(text, name, bytes) {
    const data = bytes ? { base64: toBase64(bytes) } : { text };
    try {
      const records = await this.connection.ask("records", { kind: "read-record", ...data, ...(name ? { name } : {}) });
      this.games = records.games;
      this.setRecord(GameRecord.fromView(records.games[0] ?? { start: "", headers: [], handicap: null, nodes: [], winner: null }), 0);
      this.showRecord(0);
      this.app.toast(t("opened", records.format.toUpperCase(), this.record.mainLine().length - 1));
      return "";
    } catch (error) {
      this.app.fail(error);
      return faultText(error);
    }
  }

  /** @param {GameRecord} record @param {number} at */
  setRecord(record, at) {
    this.remember();
    void this.connection.stop(this.task);
    this.task = null;
    this.record = record;
    this.at = at;
    this.points = new Map();
  }

  /** Keeps the record as it is, before something happens to it. */
  remember() {
    if (this.record.nodes.length > 1) this.past.push(structuredClone({ record: this.record, at: this.at, points: [...this.points] }));
    this.past.splice(0, this.past.length - MOST_PAST);
    this.drawUndo();
  }

  drawUndo() {
    this.undoButton.toggleAttribute("disabled", this.past.length === 0);
  }

  /** Brings back what was replaced or cut last. */
  undo() {
    const before = this.past.pop();
    if (!before || this.editing) return;
    void this.connection.stop(this.task);
    this.task = null;
    this.record = GameRecord.revive(before.record);
    this.points = new Map(before.points);
    this.showRecord(before.at);
    this.drawUndo();
    announce(t("undone"));
  }

  keep() {
    store(KEPT, { record: this.record, at: this.at, points: [...this.points] });
  }

  // Going through the record.

  /** @param {number} at */
  showRecord(at) {
    this.drawTree();
    this.drawGraph();
    this.drawGame();
    const title = (/** @type {string[]} */ keys) => this.record.headers.find((header) => keys.includes(header.key))?.value;
    this.table.setNames({ b: title(["先手", "下手"]) ?? t("black"), w: title(["後手", "上手"]) ?? t("white") });
    this.go(at);
  }

  drawTree() {
    const main = new Map(this.record.mainLine().map((node, ply) => [node, ply]));
    const nodes = this.record.nodes.map((node, index) => {
      const ply = main.get(index);
      const judgement = ply === undefined ? null : this.points.get(ply)?.judgement;
      return judgement ? { ...node, note: judgement === "blunder" ? "?" : "?!" } : node;
    });
    this.tree.show(nodes, this.at);
  }

  /** @param {number} node */
  go(node) {
    const shown = this.record.nodes[node];
    if (!shown || this.editing) return;
    this.at = node;
    this.tree.select(node);
    this.comment.value = shown.comments.join("\n");
    const path = this.record.path(node);
    this.graph.at(this.mainPly(path));
    this.table.board.setArrows([]);
    this.table.setValue(this.points.get(this.mainLineHas(node) ? shown.ply : -1)?.value ?? null);
    const before = this.table.board.sfen;
    if (before !== shown.sfen) this.table.showSfen(shown.sfen, shown.move?.usi ?? null);
    fill(this.explainBox);
    this.keep();
    void this.look(node);
  }

  /** Asks what is legal here. @param {number} node */
  async look(node) {
    const visit = ++this.visit;
    const place = this.record.place(node);
    this.lines.follow(place);
    try {
      const view = await this.connection.ask("position", { kind: "position", at: place });
      if (visit === this.visit && !this.editing) this.table.show(view, ["b", "w"]);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {number} node */
  mainLineHas(node) {
    return this.record.mainLine().includes(node);
  }

  /** How far a path follows the main line. @param {number[]} path */
  mainPly(path) {
    const main = this.record.mainLine();
    let ply = 0;
    while (ply + 1 < path.length && path[ply + 1] === main[ply + 1]) ply++;
    return ply;
  }

  /** @param {number} ply */
  goPly(ply) {
    const node = this.record.mainLine()[ply];
    if (node !== undefined) this.go(node);
  }

  /** @param {number} step */
  step(step) {
    const node = this.record.nodes[this.at];
    const next = step < 0 ? node?.parent ?? -1 : node?.children[0] ?? -1;
    if (next >= 0) this.go(next);
  }

  end() {
    let at = this.at;
    for (let next = at; next !== undefined; next = this.record.nodes[at]?.children[0] ?? -1) {
      if (next < 0) break;
      at = next;
    }
    this.go(at);
  }

  /** The variation beside this one. @param {number} step */
  sibling(step) {
    const siblings = this.record.nodes[this.record.nodes[this.at]?.parent ?? -1]?.children ?? [];
    const next = siblings[siblings.indexOf(this.at) + step];
    if (next !== undefined) this.go(next);
  }

  flip() {
    this.table.flip(!this.table.board.flipped);
    this.table.setValue(this.lines.event?.lines[0]?.value ?? this.points.get(this.record.nodes[this.at]?.ply ?? 0)?.value ?? null);
  }

  /** @param {string} usi */
  async move(usi) {
    try {
      const tried = await this.connection.ask("tried", { kind: "try-move", at: this.record.place(this.at), move: usi });
      if (!tried.move || !tried.after) return;
      const node = this.record.add(this.at, tried.move, tried.after.sfen);
      this.at = node;
      this.drawTree();
      this.go(node);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {string} usi */
  async explainIllegal(usi) {
    const tried = await this.connection.ask("tried", { kind: "try-move", at: this.record.place(this.at), move: usi });
    if (tried.illegal) this.table.explain(usi, tried.illegal);
  }

  /** Plays a line of the engine out as a variation. @param {MoveView[]} moves */
  async playLine(moves) {
    try {
      const line = await this.connection.ask("line", { kind: "line", at: this.record.place(this.at), moves: moves.map((m) => m.usi) });
      let at = this.at;
      line.moves.forEach((move, index) => (at = this.record.add(at, move, line.sfens[index] ?? "")));
      this.at = at;
      this.drawTree();
      this.go(at);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** A move in the place of one of the game, as a variation. @param {number} node @param {MoveView} move */
  playInstead(node, move) {
    this.go(this.record.nodes[node]?.parent ?? 0);
    void this.playLine([move]);
  }

  /** @param {number} number */
  playNumber(number) {
    const move = this.lines.event?.lines[number - 1]?.moves[0];
    if (move) void this.playLine([move]);
  }

  setComment() {
    const node = this.record.nodes[this.at];
    if (node) node.comments = this.comment.value ? this.comment.value.split("\n") : [];
    this.drawTree();
    this.keep();
  }

  /** Every line of the engine as a line of the comment. */
  linesToComment() {
    const node = this.record.nodes[this.at];
    const event = this.lines.event;
    if (!node || !event) return;
    node.comments.push(...event.lines.map((line) => `${line.number}. ${valueText(line.value)} ${line.moves.map(moveText).join(" ")}`));
    this.drawTree();
    this.comment.value = node.comments.join("\n");
    this.keep();
  }

  // What the engine says.

  /** @param {import("../session.js").AnalysisEvent} event */
  news(event) {
    const [best] = event.lines;
    if (!best) return;
    this.table.board.setArrows(this.lines.arrows());
    this.table.setValue(best.value);
    const ply = this.record.nodes[this.at]?.ply ?? 0;
    const known = this.points.get(ply);
    if (!this.mainLineHas(this.at) || (known && known.depth >= event.depth)) return;
    this.points.set(ply, { value: best.value, depth: event.depth, lost: known?.lost ?? 0, better: known?.better ?? null, judgement: known?.judgement ?? null });
    this.drawGraph();
  }

  async analyseGame() {
    if (this.task !== null) {
      void this.connection.stop(this.task);
      this.task = null;
      this.drawGame();
      return;
    }
    try {
      this.task = await this.connection.startTask({ kind: "analyse-game", record: this.record.toInput() }, this.analysed);
      this.drawGame(t("analysing", 0, this.record.mainLine().length));
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {import("../session.js").Event} event */
  analysed = (event) => {
    if (event.kind === "ended") this.task = null;
    if (event.kind === "game-analysis") this.takePoints(event);
    this.drawGame(event.kind === "game-analysis" && !event.finished ? t("analysing", event.done, event.total) : "");
  };

  /** @param {import("../session.js").GameAnalysisEvent} event */
  takePoints(event) {
    for (const { ply, value, lost, better, judgement } of event.points) {
      this.points.set(ply, { value, depth: 1, lost, better, judgement });
    }
    if (event.finished) {
      this.task = null;
      this.drawTree();
      this.keep();
    }
    this.drawGraph();
  }

  drawGraph() {
    const points = [...this.points].sort(([a], [b]) => a - b).map(([ply, point]) => ({
      ply, rate: point.value.mate !== null ? (point.value.centipawns > 0 ? 1 : 0) : point.value.winningRate,
      centipawns: point.value.centipawns, text: valueText(point.value), mark: point.judgement, mover: /** @type {"b" | "w"} */ (ply % 2 === 1 ? "b" : "w"),
    }));
    this.graph.show(points, this.record.mainLine().length - 1);
  }

  /** @param {number} ply @param {Element | null} anchor */
  peek(ply, anchor) {
    const node = this.record.nodes[this.record.mainLine()[ply] ?? -1];
    if (!node || !anchor) hidePreview();
    else showPreview(anchor, { sfen: node.sfen, last: node.move?.usi ?? null, flipped: this.table.board.flipped }, ply / Math.max(1, this.graph.last));
  }

  /** @param {string} [progress] */
  drawGame(progress = "") {
    const marked = this.record.mainLine().flatMap((node, ply) => {
      const point = this.points.get(ply);
      const move = this.record.nodes[node]?.move;
      return point?.judgement && move ? [{ node, ply, move, ...point }] : [];
    });
    const games = this.games ?? [];
    fill(this.gameBox,
      h("p", { class: "record-title" }, this.record.title() || t("newRecord")),
      h("div", { class: "row" },
        button(this.task === null ? t("analyseGame") : t("stop"), () => void this.analyseGame(), { class: this.task === null ? null : "primary" }),
        games.length > 1 ? choice(t("record"), games.map((_, n) => [String(n), t("gamesInFile", n + 1, games.length)]), "0", (n) => this.chooseGame(Number(n))) : null),
      h("p", { class: "quiet", role: "status" }, progress),
      blunderList(marked, this.points.size, {
        go: (node) => this.go(node), better: (node, move) => this.playInstead(node, move),
        at: (node) => ({ sfen: this.record.nodes[node]?.sfen ?? this.record.start, last: this.record.nodes[node]?.move?.usi ?? null, flipped: this.table.board.flipped }),
      }));
  }

  /** @param {number} index */
  chooseGame(index) {
    const game = this.games?.[index];
    if (!game) return;
    this.setRecord(GameRecord.fromView(game), 0);
    this.showRecord(0);
  }

  // Tools.

  drawTools() {
    const { formats } = this.app.opened.choices;
    let format = formats.includes("kifu") ? "kifu" : formats[0] ?? "kif";
    fill(this.toolBox, h("div", { class: "tools" },
      button(t("newRecord"), () => {
        this.setRecord(new GameRecord(), 0);
        this.showRecord(0);
      }),
      button(t("sampleGame"), () => void this.openSample()),
      button(t("edit"), () => this.edit()),
      button(t("share"), () => void share(this.app, this.record, this.at)),
      button(t("explain"), () => void explain(this.app, this.record.place(this.at), this.explainBox)),
      button(t("playFromHere"), () => void this.playFromHere()),
      button(t("mateFromHere"), () => this.app.go("mate", `position/${this.sfen().replaceAll(" ", "_").replaceAll("/", ",")}`)),
      button(t("promoteVariation"), () => {
        this.remember();
        this.record.promote(this.at);
        this.points.clear();
        this.showRecord(this.at);
      }),
      button(t("deleteVariation"), () => this.remove()),
      button(t("linesToComment"), () => this.linesToComment()),
      button(t("readAloud"), () => positionDialog(this.sfen()))),
    h("div", { class: "row" },
      choice(t("exportAs"), [...formats.map((name) => /** @type {[string, string]} */ ([name, name.toUpperCase()])), ["picture", t("picture")]], format, (value) => (format = value)),
      button(t("saveAs"), () => void exportRecord(this.app, this.record, this.at, format, this.table.board.flipped))));
  }

  remove() {
    const parent = this.record.nodes[this.at]?.parent ?? -1;
    if (parent < 0) return;
    confirmDialog(t("deleteSure"), t("deleteVariation"), () => {
      this.remember();
      this.record.remove(this.at);
      this.points.clear();
      this.showRecord(Math.min(parent, this.record.nodes.length - 1));
    });
  }

  async playFromHere() {
    const side = this.table.board.placement.side === "b" ? "black" : "white";
    try {
      await this.connection.ask("game", { kind: "new-game", level: 5, side, from: { sfen: this.sfen() } });
      const game = await this.connection.ask("game", { kind: "game" });
      this.connection.receiveEvent(0, { kind: "game", game });
      this.app.opened.state.game = game;
      this.app.go("play");
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {string} [from]  what was set up when the page was left */
  edit(from = this.sfen()) {
    this.lines.stop();
    this.table.board.setArrows([]);
    this.editing = true;
    editPosition(this.app, { table: this.table, box: this.editBox, instead: this.toolBox, draft: DRAFT }, from, false, (sfen) => {
      this.editing = false;
      if (sfen) this.setRecord(new GameRecord(sfen), 0);
      this.showRecord(this.at);
    });
  }
}
