// What a composer wants to know of a problem: the verdict with every fault, the proof checked anew,
// files.

import { button, choice, fill, h, toggle } from "./dom.js";
import { openDialog, saveFile } from "./dialog.js";
import { number, t } from "./i18n.js";
import { withPreview } from "./preview.js";
import { store, stored } from "./settings.js";
import { faultText, moveText, seconds } from "./words.js";

/** @typedef {import("./session.js").CompositionView} CompositionView */
/** @typedef {import("./session.js").FaultView} FaultView */
/** @typedef {import("./session.js").OpenView} OpenView */
/** @typedef {import("./session.js").FactsView} FactsView */
/** @typedef {import("./i18n.js").Key} Key */

const USELESS = "yomikiri.useless";
const JUDGE_TIME = 300000;

/** @type {Record<CompositionView["ruling"], Key>} */
const RULINGS = { sound: "judgeSound", faulty: "judgeFaulty", undecided: "judgeUndecided", "no-mate": "verdictNoMate" };
/** @type {Record<FaultView["kind"], Key>} */
const FAULTS = {
  "no-mate": "verdictNoMate", "early-mate": "faultEarlyMate", "other-mate": "faultOtherMate", "transposition": "faultTransposition",
  "detour": "faultDetour", "last-move": "faultLastMove", "free-distance": "faultFreeDistance", "free-promotion": "faultFreePromotion",
  "long-variation": "faultLongVariation", "equal-variation": "faultEqualVariation", "leftover": "faultLeftover", "useless-piece": "faultUselessPiece",
};
/** @type {Record<OpenView["what"], Key>} */
const DOUBTS = {
  "mate": "doubtMate", "length": "doubtLength", "other-move": "doubtOtherMove", "proof": "doubtProof", "kind": "doubtKind",
  "variation": "doubtVariation", "leftover": "doubtLeftover", "useless-piece": "doubtUselessPiece",
};
/** @type {Record<FactsView["forms"][number], Key>} */
const FORMS = { "smoke": "formSmoke", "naked-king": "formNakedKing", "no-attackers": "formNoAttackers", "centre": "formCentre" };

export class ComposerChecks {
  /**
   * @param {import("./main.js").App} app
   * @param {(moves: string[]) => void} go  to the position after moves from the problem
   * @param {(sfen: string) => void} look  at another position
   */
  constructor(app, go, look) {
    this.app = app;
    this.connection = app.connection;
    this.go = go;
    this.look = look;
    /** @type {number | null} */
    this.task = null;
    this.effort = h("p", { class: "quiet", role: "status" });
    this.element = h("div", { class: "after" });
  }

  /** What ran when the page was left goes on. */
  goOn() {
    const running = this.app.opened.state.tasks.find((task) => task.kind === "judge" && task.running);
    if (!running) return;
    this.task = running.task;
    this.wait();
    this.connection.follow(running.task, this.judging);
  }

  clear() {
    void this.connection.stop(this.task);
    this.task = null;
    fill(this.element);
  }

  /** The button that asks for the verdict. @param {() => import("./problems.js").Problem | null} problem */
  judgeButton(problem) {
    return button(t("judge"), () => {
      const chosen = problem();
      if (chosen) void this.judge(chosen.sfen, chosen.attacker);
    });
  }

  /** @param {string} sfen @param {"black" | "white" | null} attacker */
  async judge(sfen, attacker) {
    this.wait();
    try {
      const ask = /** @type {const} */ ({ kind: "judge", at: { sfen }, time: JUDGE_TIME, useless: stored(USELESS, false) });
      this.task = await this.connection.startTask(attacker ? { ...ask, attacker } : ask, this.judging);
    } catch (error) {
      fill(this.element, h("p", {}, faultText(error)));
    }
  }

  wait() {
    this.effort.textContent = t("judging", "0", "0");
    fill(this.element, this.effort, button(t("stop"), () => void this.connection.stop(this.task)));
  }

  /** @param {import("./session.js").Event} event */
  judging = (event) => {
    if (event.kind === "mate-progress") this.effort.textContent = t("judging", number(event.nodes), seconds(event.time));
    else if (event.kind === "judgement") this.showVerdict(event);
    else if (event.kind === "ended") fill(this.element);
  };

  /** @param {CompositionView} verdict */
  showVerdict(verdict) {
    const line = verdict.line.map((move) => move.usi);
    const jump = (/** @type {FaultView | OpenView} */ one) => {
      if (one.move && one.ply > 0) this.go([...line.slice(0, one.ply - 1), one.move.usi]);
      else if (one.ply > 0) this.go(line.slice(0, one.ply - 1));
      else this.look(one.sfen);
    };
    const item = (/** @type {FaultView | OpenView} */ one, /** @type {string} */ text) => h("li", {}, withPreview(button(text, () => jump(one), { class: "link" }), () => ({ sfen: one.sfen, last: null, flipped: false })));
    const faults = verdict.faults.filter((fault) => !fault.minor);
    const flaws = verdict.faults.filter((fault) => fault.minor);
    const list = (/** @type {string} */ title, /** @type {HTMLElement[]} */ items) => (items.length ? [h("h4", {}, title), h("ul", { class: "plain-list faults" }, items)] : []);
    fill(this.element, h("h3", {}, t("judgement")), h("p", { class: `verdict ruling ${verdict.ruling}`, role: "status" }, t(RULINGS[verdict.ruling])),
      h("p", { class: "facts" }, factTexts(verdict).map((fact) => h("span", {}, fact))),
      list(t("judgeFaults", faults.length), faults.map((fault) => item(fault, faultLine(fault)))),
      list(t("judgeFlaws", flaws.length), flaws.map((fault) => item(fault, faultLine(fault)))),
      list(t("judgeOpen", verdict.open.length), verdict.open.map((open) => item(open, where(open) + t(DOUBTS[open.what])))),
      toggle(t("judgeUseless"), stored(USELESS, false), (value) => store(USELESS, value)));
  }

  async verify() {
    try {
      await this.connection.startTask({ kind: "verify-mate" }, (event) => {
        if (event.kind !== "mate-verified") return;
        const text = event.verified ? t("verifiedOk", number(event.positions)) : t("verifiedBad", event.flaw ?? "");
        fill(this.element, h("p", {}, text));
      });
    } catch (error) {
      this.app.fail(error);
    }
  }

  export() {
    let format = "kifu";
    const formats = /** @type {[string, string][]} */ (["proof", ...this.app.opened.choices.formats]
      .map((name) => [name, name === "proof" ? t("proofTree") : name.toUpperCase()]));
    const dialog = openDialog(t("saveAs"), [choice(t("saveFormat"), formats, format, (value) => (format = value))], [
      button(t("cancel"), () => dialog.close()),
      button(t("saveAs"), () => {
        dialog.close();
        this.connection.ask("file", { kind: "write-mate", format }).then(saveFile, this.app.fail);
      }, { class: "primary" }),
    ]);
  }
}

/** @param {FaultView | OpenView} one */
const where = (one) => (one.ply ? t("atPlace", `${t("atPly", one.ply)}${one.move ? ` ${moveText(one.move)}` : ""}`) : "");

/** @param {FaultView} fault */
function faultLine(fault) {
  const length = fault.length === null ? "" : t("faultPlies", fault.length);
  const proof = fault.proof ? t("faultProof", number(fault.proof)) : "";
  return `${where(fault)}${t(FAULTS[fault.kind])}${length}${proof}`;
}

/** @param {CompositionView} verdict */
function factTexts({ facts, nodes, time }) {
  return [
    t("factPieces", facts.pieces), facts.bothKings ? t("factBothKings") : "",
    facts.pawnDropMates.length ? t("factPawnDrop", facts.pawnDropMates.join(", ")) : "",
    facts.declinedPromotions.length ? t("factDeclined", facts.declinedPromotions.join(", ")) : "",
    ...facts.forms.map((form) => t(FORMS[form])), t("goStats", number(nodes), seconds(time)),
  ].filter(Boolean);
}
