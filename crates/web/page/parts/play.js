// A game against the engine.

import { announce, button, choice, fill, h, toggle } from "../dom.js";
import { confirmDialog, openDialog, saveFile } from "../dialog.js";
import { number, t } from "../i18n.js";
import { control, layout, walkControls } from "../layout.js";
import { withPreview } from "../preview.js";
import { store, stored } from "../settings.js";
import { kindName } from "../shogi.js";
import { settings } from "../settings.js";
import { Table } from "../table.js";
import { toAddress } from "../record.js";
import { MoveTree } from "../tree.js";
import { endText, faultText, moveText, SessionFault, valueText } from "../words.js";
import { ClockFace } from "../clock.js";

/** @typedef {import("../session.js").GameView} GameView */
/** @typedef {import("../session.js").NewGameAsk} NewGameAsk */
/** @typedef {import("../session.js").SpeculativeView} SpeculativeView */
/** @typedef {import("../tree.js").TreeNode} TreeNode */
/** @typedef {import("../main.js").App} App */

/** The levels at which the words for strength change. */
const LEVEL_WORDS = [1, 2, 4, 7, 10, 13, 15, 16];
const CHOSEN = "yomikiri.play";
const BEFORE = "yomikiri.play.before";
/** Clocks to choose from: main minutes, byoyomi seconds, increment seconds. @type {Record<string, [number, number, number]>} */
const CLOCKS = {
  none: [0, 0, 0], b10: [0, 10, 0], b30: [0, 30, 0], "10b30": [10, 30, 0], "15b60": [15, 60, 0], "5f5": [5, 0, 5], "10f10": [10, 0, 10],
};

/** @param {App} app @returns {import("../main.js").Part} */
export function create(app) {
  return new Play(app);
}

class Play {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.connection = app.connection;
    /** @type {GameView | null} */
    this.game = app.opened.state.game;
    /** The ply in view; null for the present. @type {number | null} */
    this.viewed = null;
    this.chosen = {
      level: 3, side: "black", handicap: "平手", clock: "none", rule: "CSARule27",
      speculative: true, ...stored(CHOSEN, {}),
    };
    this.table = new Table({
      move: (usi) => void this.move(usi), illegal: (usi) => void this.explain(usi),
    });
    this.tree = new MoveTree((ply) => this.view(ply), () => this.table.board.flipped);
    this.clock = new ClockFace(this.table, () => void this.act({ kind: "claim" }));
    /** @type {HTMLElement | undefined} */
    this.moments = undefined;
    /** Whether the end of this game was looked at for what decided it. */
    this.looked = false;
    this.status = h("p", { class: "status", role: "status" });
    this.after = h("div", { class: "after" });
    this.hintButton = control("hint", t("hint"), () => void this.hint(), true);
    this.undoButton = control("undo", t("takeBack"), () => void this.takeBack(), true);
    this.resignButton = control("flag", t("resign"), () => this.resign(), true);
    this.declareButton = control("crown", t("declare"), () => this.declare(), true);
    const controls = h("div", { class: "controls" },
      walkControls({
        first: () => this.view(0), back: () => this.step(-1), forward: () => this.step(1), last: () => this.view(Infinity),
      }),
      h("div", { class: "acts" }, this.hintButton, this.undoButton, this.resignButton, this.declareButton,
        control("flip", t("flip"), () => this.flip())));
    this.formBox = h("div");
    this.drawForm();
    this.layout = layout({
      name: "play", table: this.table.element, controls,
      panels: [
        { id: "game", label: t("play"), element: h("div", {}, this.status, this.after) },
        { id: "moves", label: t("moves"), element: h("div", {}, this.tree.element, this.saveRow()) },
        { id: "new", label: t("newGame"), element: this.formBox },
      ],
    });
    this.element = this.layout.element;
    this.connection.listeners.add(this.onEvent);
    this.connection.onOpened.add(this.resumed);
    if (this.game) this.present(this.game, false);
    else void this.begin();
  }

  refresh() {
    this.table.refresh();
    if (this.game) this.present(this.game, false);
  }

  sfen() {
    return this.table.board.sfen;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.view(0),
      End: () => this.view(Infinity), f: () => this.flip(), h: () => void this.hint(), u: () => void this.takeBack(),
    });
    const action = keys[event.key];
    action?.();
    return action !== undefined;
  }

  // The new game: one row of choices.

  drawForm() {
    const { levels, handicaps, rules } = this.app.opened.choices;
    const words = h("output", { class: "level-words" });
    const slider = h("input", {
      type: "range", min: 1, max: levels.length || 15, value: this.chosen.level, "aria-label": t("level"),
      oninput: () => {
        this.choose({ level: Number(slider.value) });
        this.levelWords(words, slider);
      },
    });
    this.levelWords(words, slider);
    const before = stored(BEFORE, "");
    const even = handicaps.includes("平手") ? handicaps : ["平手", ...handicaps];
    fill(this.formBox, h("form", {
      class: "new-game", onsubmit: (event) => {
        event.preventDefault();
        void this.begin();
      },
    },
    h("label", { class: "field wide" }, h("span", {}, t("level")), slider, words),
    choice(t("yourSide"), [["black", t("black")], ["white", t("white")], ["lot", t("randomSide")]],
      this.chosen.side, (side) => this.choose({ side })),
    choice(t("handicap"), even.map((name) => [name, handicapName(name)]), this.chosen.handicap,
      (handicap) => this.choose({ handicap })),
    choice(t("clock"), Object.keys(CLOCKS).map((key) => [key, clockName(key)]), this.chosen.clock,
      (clock) => this.choose({ clock })),
    choice(t("rule"), rules.map((rule) => [rule, ruleName(rule)]), this.chosen.rule, (rule) => this.choose({ rule })),
    toggle(t("speculative"), this.chosen.speculative, (speculative) => this.choose({ speculative })),
    h("button", { type: "submit", class: "primary" }, t("startGame"))), before
      ? h("p", {}, button(t("gameBefore"), () => this.app.go("analyse", before), { class: "link" })) : null);
  }

  /** @param {HTMLElement} words @param {HTMLElement} slider */
  levelWords(words, slider) {
    const { level } = this.chosen;
    const group = LEVEL_WORDS.findIndex((from) => level < from);
    const word = t(/** @type {import("../i18n.js").Key} */ (`levelWords${group}`));
    const measured = this.app.opened.choices.levels.find((l) => l.number === level)?.eloAbove ?? null;
    const won = measured === null ? 0 : Math.round(100 / (1 + 10 ** (-measured / 400)));
    const top = level === this.app.opened.choices.levels.length;
    const detail = level === 1 ? t("levelFirst") : top ? t("levelFull") : measured === null ? t("levelUnmeasured") : t("levelMeasured", level - 1, won, measured);
    fill(words, h("b", {}, `${t("engineLevel", level)} – ${word}`), h("span", {}, detail));
    slider.setAttribute("aria-valuetext", `${level}, ${word}`);
  }

  /** @param {Partial<Play["chosen"]>} change */
  choose(change) {
    Object.assign(this.chosen, change);
    store(CHOSEN, this.chosen);
  }

  async begin() {
    this.keepGame();
    const { level, handicap, clock, rule, speculative } = this.chosen;
    const side = this.chosen.side === "lot" ? (Math.random() < 0.5 ? "black" : "white") : this.chosen.side;
    const [main, byoyomi, increment] = CLOCKS[clock] ?? [0, 0, 0];
    const ask = /** @type {import("../connection.js").Ask} */ ({
      kind: "new-game", level, side, rule, speculative, seed: Math.floor(Math.random() * 2 ** 31),
      ...(handicap === "平手" ? {} : { handicap }),
      ...(clock === "none" ? {} : { clock: { main: 60000 * main, byoyomi: 1000 * byoyomi, increment: 1000 * increment } }),
    });
    this.table.board.flip(side === "white");
    await this.act(ask);
    this.drawForm();
    this.layout.raise("game");
  }

  /** The game that a new one replaces can still be opened. */
  keepGame() {
    const { game } = this;
    if (game?.moves.length) store(BEFORE, toAddress(game.start, game.moves.map((m) => m.move.usi), game.moves.length));
  }

  // The game.

  /** Does something in the game; what cannot be done is said. @param {import("../connection.js").Ask} ask */
  async act(ask) {
    try {
      this.present(await this.connection.ask("game", ask), true);
    } catch (error) {
      if (error instanceof SessionFault && error.fault.code === "time-left") return;
      this.app.fail(error);
      if (this.game) this.present(this.game, false);
    }
  }

  /** @param {import("../session.js").Event} event */
  onEvent = (event) => {
    if (event.kind === "game") this.present(event.game, true);
  };

  /** @param {import("../session.js").Opened} opened */
  resumed = (opened) => {
    if (opened.state.game) this.present(opened.state.game, true);
  };

  hide() {
    this.clock.pause();
  }

  dispose() {
    this.hide();
    this.connection.listeners.delete(this.onEvent);
    this.connection.onOpened.delete(this.resumed);
  }

  show() {
    if (this.game) this.present(this.game, false);
  }

  /** @param {GameView} game @param {boolean} news */
  present(game, news) {
    const fresh = this.game?.moves.length !== game.moves.length || this.game.start !== game.start;
    const ended = game.end && !this.game?.end;
    this.game = game;
    this.app.opened.state.game = game;
    if (fresh) {
      this.viewed = null;
      this.table.board.setArrows([]);
    }
    const flipped = this.table.board.flipped;
    if (flipped !== (game.side === "white") && game.moves.length === 0) this.table.board.flip(game.side === "white");
    this.table.setNames(this.playerNames(game));
    this.drawPosition(news);
    this.drawTree(game);
    this.drawStatus(game);
    this.clock.show(game.clock);
    if (game.end && (ended || !this.looked)) void this.findMoments();
    this.looked = game.end !== null;
  }

  /** @param {GameView} game */
  playerNames(game) {
    const mine = game.side === "black" ? "b" : "w";
    const engine = t("engineLevel", game.level);
    return mine === "b" ? { b: t("you"), w: engine } : { b: engine, w: t("you") };
  }

  /** @param {boolean} [news] */
  drawPosition(news = false) {
    const { game, table } = this;
    if (!game || !table) return;
    if (this.viewed !== null && this.viewed < game.moves.length) {
      const before = game.moves[this.viewed - 1];
      table.showSfen(before?.sfen ?? game.start, before?.move.usi ?? null);
    } else {
      const mine = game.side === "black" ? "b" : "w";
      table.show(game.position, game.end || game.thinking !== null ? [] : [mine], { announce: news });
    }
    this.tree.select(this.viewed ?? game.moves.length);
  }

  /** @param {GameView} game */
  drawTree(game) {
    /** @type {TreeNode[]} */
    const nodes = [{ parent: -1, children: [], ply: 0, move: null, sfen: game.start, comments: [] }];
    game.moves.forEach((played, index) => {
      nodes[index]?.children.push(index + 1);
      const note = played.speculative ? "⚑" : undefined;
      nodes.push({
        parent: index, children: [], ply: index + 1, move: played.move, sfen: played.sfen, comments: [],
        ...(note ? { note } : {}),
      });
    });
    this.tree.show(nodes, this.viewed ?? game.moves.length);
  }

  /** @param {GameView} game */
  drawStatus(game) {
    const over = game.end !== null;
    const text = game.end ? this.resultText(game)
      : game.thinking !== null ? `${t("engineLevel", game.level)}${settings.language === "ja" ? "が" : " "}${t("thinking")}`
        : `${t("yourTurn")}${game.position.checkedKing ? ` – ${t("check")}` : ""}`;
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.classList.toggle("result", over);
    for (const control of [this.hintButton, this.resignButton]) control.toggleAttribute("disabled", over);
    this.hintButton.toggleAttribute("disabled", over || game.thinking !== null);
    this.undoButton.toggleAttribute("disabled", !game.canTakeBack);
    const { kingEntered, wins, noContest, tryMove } = game.position.declaration;
    this.declareButton.hidden = over || !(kingEntered || wins || noContest || tryMove);
    const last = [...game.moves].reverse().find((m) => m.move.side !== game.side);
    const reason = last?.speculative ? [h("h3", {}, t("speculativeTitle")), h("p", {}, speculativeText(last.speculative))] : [];
    fill(this.after, reason, over ? this.afterGame() : this.lastMoveWords(game));
  }

  /** What was played last, for those who look away from the board. @param {GameView} game */
  lastMoveWords(game) {
    const last = game.moves[game.moves.length - 1];
    const detail = this.app.opened.choices.levels.find((l) => l.number === game.level);
    return [
      last ? h("p", { class: "last-move" }, moveText(last.move)) : null,
      h("p", { class: "quiet" }, [
        handicapName(game.handicap ?? "平手"), t("engineLevel", game.level),
        detail?.nodes ? `${number(detail.nodes)} ${settings.language === "ja" ? "局面/手" : "nodes a move"}` : "",
      ].filter(Boolean).join(" · ")),
    ];
  }

  /** @param {GameView} game */
  resultText(game) {
    if (!game.end) return "";
    const who = game.end.winner === null ? "" : `${t(game.end.winner === game.side ? "youWin" : "youLose")} – `;
    return `${who}${endText(game.end)}${t("afterMoves", game.moves.length)}`;
  }

  afterGame() {
    this.moments ??= h("div", { class: "moments" });
    return [this.moments, h("div", { class: "row" },
      button(t("toAnalysis"), () => this.app.go("analyse", "game"), { class: "primary" }),
      button(t("again"), () => void this.begin()))];
  }

  /** The three moves that decided the game. */
  async findMoments() {
    this.moments = h("div", { class: "moments" });
    if (this.game) this.drawStatus(this.game);
    const box = this.moments;
    const busy = this.app.opened.state.tasks.some((task) => task.kind === "analyse-game" && task.running);
    if ((this.game?.moves.length ?? 0) < 4 || busy) return;
    try {
      await this.connection.startTask({ kind: "analyse-game", nodes: 5000 }, (event) => {
        if (event.kind !== "game-analysis") return;
        if (!event.finished) fill(box, h("p", { class: "quiet" }, t("analysing", event.done, event.total)));
        else this.drawMoments(box, event);
      });
    } catch (error) {
      fill(box, h("p", { class: "quiet" }, faultText(error)));
    }
  }

  /** @param {HTMLElement} box @param {import("../session.js").GameAnalysisEvent} event */
  drawMoments(box, event) {
    const points = event.moments.flatMap((ply) => event.points.filter((point) => point.ply === ply && point.move));
    if (points.length) fill(box, h("h3", {}, t("decided")), h("ul", { class: "plain-list" }, points.map((point) => this.moment(point))));
    else fill(box, h("p", { class: "quiet" }, t("noBlunders")));
  }

  /** @param {import("../session.js").AnalysedPoint} point */
  moment({ ply, move, value, better }) {
    const at = () => ({ sfen: this.game?.moves[ply - 1]?.sfen ?? "", last: move?.usi ?? null, flipped: this.table.board.flipped });
    const show = button(move ? `${ply} ${moveText(move)}` : "", () => this.view(ply), { class: "link" });
    const instead = better ? button(t("better", moveText(better)), () => {
      this.view(ply - 1);
      this.table.board.setArrows([{ usi: better.usi }]);
    }, { class: "link" }) : null;
    return h("li", {}, withPreview(show, at), ` ${valueText(value)}`, instead ? [" – ", instead] : "");
  }

  /** @param {string} usi */
  async move(usi) {
    await this.act({ kind: "move", move: usi, ply: this.game?.moves.length ?? 0 });
  }

  /** @param {string} usi */
  async explain(usi) {
    try {
      const at = { sfen: this.game?.start ?? "", moves: this.game?.moves.map((m) => m.move.usi) ?? [] };
      const tried = await this.connection.ask("tried", { kind: "try-move", at, move: usi });
      if (tried.illegal) this.table.explain(usi, tried.illegal);
    } catch (error) {
      this.app.fail(error);
    }
  }

  async hint() {
    if (!this.game || this.game.end || this.game.thinking !== null) return;
    this.view(Infinity);
    try {
      await this.connection.startTask({ kind: "hint" }, (event) => {
        if (event.kind !== "hint" || event.sfen !== this.table.board.sfen) return;
        const [move] = event.moves;
        const text = event.declare ? t("hintDeclare") : move ? t("hintIs", moveText(move), valueText(event.value)) : t("hintResign");
        if (move) this.table.board.setArrows([{ usi: move.usi }]);
        this.app.toast(text);
      });
    } catch (error) {
      this.app.fail(error);
    }
  }

  async takeBack() {
    this.table.board.setArrows([]);
    await this.act({ kind: "take-back" });
    announce(t("takenBack"));
  }

  resign() {
    confirmDialog(t("resignSure"), t("resign"), () => void this.act({ kind: "resign" }));
  }

  declare() {
    const d = this.game?.position.declaration;
    if (!d) return;
    const mark = (/** @type {boolean} */ good) => (good ? "✓ " : "– ");
    const parts = d.parts.map((part) => h("li", {},
      `${t(part.inHand ? "pointsInHand" : "pointsOnBoard")} ${kindName(part.piece, settings.language)} × ${part.count}: ${t("points", part.points)}`));
    const dialog = openDialog(t("declareTitle"), [
      h("p", {}, h("b", {}, t(d.wins ? "declareWins" : "declareNot"))),
      h("ul", { class: "plain-list" },
        h("li", {}, mark(d.kingEntered) + t("declareKing")),
        h("li", {}, mark(d.piecesEntered >= 10) + t("declarePieces", d.piecesEntered)),
        h("li", {}, mark(!d.inCheck) + t("declareNoCheck")),
        d.needed === null ? null : h("li", {}, mark(d.points >= d.needed) + t("declarePoints", d.points, d.needed))),
      parts.length ? h("ul", { class: "plain-list" }, parts) : null,
      h("p", { class: "quiet" }, ruleName(d.rule)),
    ], [
      button(t("close"), () => dialog.close()),
      h("button", {
        type: "button", class: "primary", disabled: !d.wins && !d.noContest, onclick: () => {
          dialog.close();
          void this.act({ kind: "declare" });
        },
      }, t("declare")),
    ]);
  }

  saveRow() {
    let format = "kifu";
    const { formats } = this.app.opened.choices;
    return h("div", { class: "row save-row" },
      choice(t("saveFormat"), formats.map((name) => [name, name.toUpperCase()]), format, (value) => (format = value)),
      button(t("saveAs"), () => void this.save(format)));
  }

  /** @param {string} format */
  async save(format) {
    try {
      saveFile(await this.connection.ask("file", { kind: "write-game", format }));
    } catch (error) {
      this.app.fail(error);
    }
  }

  // Looking back.

  /** @param {number} step */
  step(step) {
    this.view((this.viewed ?? this.game?.moves.length ?? 0) + step);
  }

  /** @param {number} ply */
  view(ply) {
    const length = this.game?.moves.length ?? 0;
    this.viewed = ply >= length ? null : Math.max(0, ply);
    this.table.board.setArrows([]);
    this.drawPosition();
  }

  flip() {
    this.table.flip(!this.table.board.flipped);
    this.clock.draw();
  }
}

/** @param {string} key */
function clockName(key) {
  const [main, byoyomi, increment] = CLOCKS[key] ?? [0, 0, 0];
  if (increment) return t("clockFischer", main, increment);
  if (main) return t("clockMain", main, byoyomi);
  return byoyomi ? t("clockByoyomi", byoyomi) : t("noClock");
}

/** @type {Record<string, import("../i18n.js").Key>} */
const RULES = {
  NoEnteringKing: "ruleNone", CSARule24: "rule24", CSARule24H: "rule24H", CSARule27: "rule27", CSARule27H: "rule27H", TryRule: "ruleTry",
};

/** @param {string} rule */
function ruleName(rule) {
  const key = RULES[rule];
  return key ? t(key) : rule;
}

/** @type {Record<string, string>} */
const HANDICAPS = {
  "平手": "even game", "香落ち": "lance", "右香落ち": "right lance", "角落ち": "bishop", "飛車落ち": "rook", "飛香落ち": "rook and lance",
  "二枚落ち": "two pieces", "三枚落ち": "three pieces", "四枚落ち": "four pieces", "五枚落ち": "five pieces",
  "左五枚落ち": "five pieces (left)", "六枚落ち": "six pieces", "七枚落ち": "seven pieces", "左七枚落ち": "seven pieces (left)",
  "右七枚落ち": "seven pieces (right)", "八枚落ち": "eight pieces", "十枚落ち": "ten pieces",
};

/** @param {string} name */
const handicapName = (name) => (settings.language === "ja" ? name : HANDICAPS[name] ?? name);

/** @param {SpeculativeView} view */
function speculativeText(view) {
  if (view.why === "hardest-mate") return t("specHardestMate", number(view.nodes), view.length);
  if (view.why === "quiet") return t("specQuiet", number(view.threatened), number(view.nodes));
  const shares = [view.escapes, view.recaptures, view.blocks];
  const sum = (/** @type {"mated" | "all"} */ key) => shares.reduce((total, share) => total + share[key], 0);
  return t("specHardestCheck", sum("mated"), sum("all"));
}

