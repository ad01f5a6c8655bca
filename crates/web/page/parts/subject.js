// The experiment whose subject is the reader: half a minute a move, against two programs that one
// cannot tell apart. It needs the server; without it there is practice under the same conditions.

import { announce, button, choice, fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { layout } from "../layout.js";
import { Practice, practiceRows } from "../practice.js";
import { Ring } from "../ring.js";
import { settings, store, stored } from "../settings.js";
import { Table } from "../table.js";
import { faultText, moveText, SessionFault } from "../words.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../session.js").SubjectEvent} SubjectEvent */
/** @typedef {import("../session.js").SubjectRow} SubjectRow */
/** @typedef {import("../session.js").SubjectRole} SubjectRole */
/** @typedef {{name: string, role: SubjectRole, positions: number}} Choice */

const CHOSEN = "yomikiri.subject.choice";
/** Positions of the paper, and fewer for a short visit. */
const POSITIONS = [3, 5, 11];

/** @param {App} app @returns {import("../main.js").Part} */
export function create(app) {
  return new Subject(app);
}

class Subject {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.connection = app.connection;
    /** @type {Choice} */
    this.chosen = stored(CHOSEN, { name: "", role: "mate", positions: 3 });
    /** @type {number | null} */
    this.task = null;
    /** The question that is open. @type {SubjectEvent | null} */
    this.asked = null;
    /** @type {SubjectRow[]} */
    this.people = [];
    this.table = new Table({ move: (usi) => void this.answer(usi), illegal: (usi) => void this.explain(usi) });
    this.ring = new Ring(() => this.lock());
    this.box = h("div", { class: "after" });
    this.rows = h("div", { class: "after" });
    this.practice = new Practice(app, this.table, this.box, () => this.drawRows());
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
    void this.load();
  }

  async load() {
    try {
      if (this.app.opened.choices.server) {
        const view = await this.connection.ask("laboratory", { kind: "laboratory" });
        this.people = view.people;
        this.drawRows();
        const running = this.app.opened.state.tasks.find((task) => task.kind === "be-subject" && task.running);
        if (running) {
          this.follow(running.task);
          if (running.last?.kind === "subject") this.receive(running.last);
        }
      }
      if (this.task === null) await this.practice.preview();
    } catch (error) {
      this.app.fail(error);
    }
  }

  hide() {
    this.practice.stop();
    this.leave();
  }

  refresh() {
    this.table.refresh();
  }

  sfen() {
    return this.table.board.sfen;
  }

  // Before it starts.

  introduce() {
    const name = h("input", {
      type: "text", maxlength: 40, value: this.chosen.name, autocomplete: "nickname", id: "subject-name",
      oninput: () => this.choose({ name: name.value }),
    });
    const roles = /** @type {[SubjectRole, string][]} */ ([["mate", t("roleMate")], ["withstand", t("roleWithstand")]]);
    const counts = POSITIONS.map((count) => /** @type {[string, string]} */ ([String(count), t("positionsCount", count, 2 * count)]));
    const practice = [
      h("h3", {}, t("subjectTry")), h("p", {}, t("subjectTryText")),
      button(t("practiceStart"), () => this.practice.start(), this.app.opened.choices.server ? {} : { class: "primary" }),
    ];
    fill(this.box, h("h3", {}, t("subjectTitle")), h("p", {}, t("subjectText")),
      this.app.opened.choices.server ? [
        h("label", { class: "field" }, h("span", {}, t("subjectName")), name),
        choice(t("subjectRole"), roles, this.chosen.role, (role) => this.choose({ role: role === "withstand" ? "withstand" : "mate" })),
        choice(t("subjectPositions"), counts, String(this.chosen.positions), (count) => this.choose({ positions: Number(count) })),
        button(t("subjectStart"), () => void this.start(), { class: "primary" }),
      ] : h("p", { class: "quiet" }, t("subjectNot")), practice);
  }

  /** @param {Partial<Choice>} choice */
  choose(choice) {
    this.chosen = { ...this.chosen, ...choice };
    store(CHOSEN, this.chosen);
  }

  async start() {
    const name = this.chosen.name.trim();
    if (!name) {
      const field = /** @type {HTMLInputElement | null} */ (this.box.querySelector("#subject-name"));
      this.app.toast(t("subjectNameMissing"));
      field?.focus();
      return;
    }
    this.say(t("preparingPosition"));
    try {
      const { role, positions } = this.chosen;
      const { task } = await this.connection.ask("started", { kind: "be-subject", name, role, positions });
      this.follow(task);
    } catch (error) {
      this.app.fail(error);
      this.introduce();
    }
  }

  /** @param {number} task */
  follow(task) {
    this.task = task;
    this.connection.follow(task, (event) => {
      if (event.kind === "subject") this.receive(event);
      else if (event.kind === "ended") this.ended();
    });
  }

  // While it runs.

  /** @param {SubjectEvent} event */
  receive(event) {
    this.ring.stop();
    this.asked = null;
    const { position, what } = event;
    if (what === "finished") {
      this.finish(event);
      return;
    }
    if (!position) return;
    const mover = position.board.side === "black" ? "b" : "w";
    if (what === "begins") {
      // The program is to move: the subject sits on the other side.
      this.table.flip(mover === "b");
      this.table.setNames(mover === "b" ? { b: t("theProgram"), w: t("you") } : { b: t("you"), w: t("theProgram") });
    }
    this.table.show(position, what === "asked" ? [mover] : [], { announce: what === "played" });
    if (what === "asked") this.question(event);
    else if (what === "begins") this.say(t("preparingPosition"), event);
    else if (what === "repeats") this.say(event.move ? t("subjectRepeats", moveText(event.move)) : t("subjectRepeatsNone"), event);
    else if (what === "found" || what === "missed") this.say(t("subjectNoted"), event);
  }

  /** @param {SubjectEvent} event */
  question(event) {
    this.asked = event;
    const text = t(this.chosen.role === "mate" ? "subjectAsked" : "subjectAskedDefend");
    fill(this.box, h("p", { class: "status", role: "status" }, text), this.ring.element, this.count(event),
      h("div", { class: "tools" }, button(t("subjectGiveUp"), () => void this.send(null)), button(t("subjectLeave"), () => this.leave())));
    this.ring.start(event.time / 1000);
  }

  /** @param {SubjectEvent} event */
  count(event) {
    return h("p", { class: "quiet" }, t("subjectNumber", event.number, event.of));
  }

  /** @param {string} text @param {SubjectEvent} [event] */
  say(text, event) {
    fill(this.box, h("p", { class: "status", role: "status" }, text), event ? this.count(event) : null,
      h("div", { class: "tools" }, button(t("subjectLeave"), () => this.leave())));
  }

  /** The time is up: the session knows it, too. */
  lock() {
    this.asked = null;
    this.table.showSfen(this.table.board.sfen);
    this.say(t("answerLate"));
    announce(t("answerLate"));
  }

  /** @param {string} usi */
  async answer(usi) {
    if (this.practice.problem) {
      await this.practice.answer(usi);
      return;
    }
    const at = { sfen: this.asked?.position?.sfen ?? "" };
    void this.send(usi);
    try {
      const tried = await this.connection.ask("tried", { kind: "try-move", at, move: usi });
      // The program may have answered already.
      if (tried.after && this.table.board.sfen === at.sfen) this.table.show(tried.after, []);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {string | null} move */
  async send(move) {
    const { asked } = this;
    if (!asked) return;
    this.asked = null;
    this.ring.stop();
    this.say(t("preparingPosition"), asked);
    try {
      await this.connection.ask("done", { kind: "subject-move", turn: asked.turn, move });
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {string} usi */
  async explain(usi) {
    const tried = await this.connection.ask("tried", { kind: "try-move", at: { sfen: this.table.board.sfen }, move: usi });
    if (tried.illegal) this.table.explain(usi, tried.illegal);
  }

  leave() {
    void this.connection.stop(this.task);
    if (this.task !== null) this.ended();
  }

  ended() {
    this.ring.stop();
    this.task = null;
    this.asked = null;
    this.introduce();
  }

  /** @param {SubjectEvent} event */
  finish(event) {
    this.task = null;
    if (event.trouble) {
      fill(this.box, h("p", { role: "alert" }, faultText(new SessionFault(event.trouble))), button(t("subjectBack"), () => this.introduce()));
      return;
    }
    this.people = event.people;
    fill(this.box, h("p", { class: "verdict" }, t("subjectThanks")), h("p", { role: "status" }, t("subjectAllDone")),
      peopleTable(this.people.filter((row) => row.role === this.chosen.role), this.chosen.name.trim(), false),
      h("p", { class: "quiet" }, t("subjectPrograms")),
      h("div", { class: "tools" }, button(t("subjectBack"), () => this.introduce(), { class: "primary" })));
    this.drawRows();
    this.layout.raise("task");
  }

  drawRows() {
    const roles = /** @type {SubjectRole[]} */ (["mate", "withstand"]);
    const tables = roles.map((role) => this.people.filter((row) => row.role === role)).filter((rows) => rows.length);
    const legend = tables.length ? [h("p", { class: "quiet" }, t("subjectPrograms"))] : [];
    const content = [...tables.map((rows) => peopleTable(rows, this.chosen.name.trim(), true)), ...legend, ...practiceRows()];
    fill(this.rows, content.length ? content : h("p", { class: "quiet" }, t("subjectNone")));
  }
}

/** The rank of a player of the paper: 4-dan, 四段. @param {string} name */
function rank(name) {
  const [, number, grade] = /^(\d)-(dan|kyu)$/.exec(name) ?? [];
  return settings.language === "ja" && number ? `${"一二三四五六七八九".charAt(Number(number) - 1)}${grade === "dan" ? "段" : "級"}` : name;
}

/**
 * Who brought about how many mates, against both programs.
 * @param {SubjectRow[]} rows  of one role
 * @param {string} self
 * @param {boolean} titled
 */
function peopleTable(rows, self, titled) {
  const programs = [...new Set(rows.map((row) => row.program))];
  const names = [...new Set(rows.map((row) => `${row.published ? "p" : "o"}${row.name}`))];
  const cell = (/** @type {string} */ who, /** @type {string} */ program) => {
    const row = rows.find((r) => `${r.published ? "p" : "o"}${r.name}` === who && r.program === program);
    return h("td", {}, row ? t("ofCount", row.found, row.of) : "–");
  };
  return h("table", { class: "people" }, titled ? h("caption", {}, t(rows[0]?.role === "withstand" ? "roleWithstand" : "roleMate")) : null,
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("subjectWho")), programs.map((program) => h("th", { scope: "col" }, program)))),
    h("tbody", {}, names.map((who) => h("tr", { class: who === `o${self}` ? "own" : null },
      h("th", { scope: "row" }, who.startsWith("p") ? t("paperPlayer", rank(who.slice(1))) : who.slice(1)), programs.map((program) => cell(who, program))))));
}
