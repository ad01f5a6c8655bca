// An experiment that is run again: its size, how far it is, and a stop.

import { announce, button, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { faultText, SessionFault } from "./words.js";

/** @typedef {import("./session.js").ExperimentView} ExperimentView */
/** @typedef {import("./session.js").ResultView} ResultView */
/** @typedef {import("./session.js").RunEvent} RunEvent */

export class ExperimentRun {
  /**
   * @param {import("./main.js").App} app
   * @param {ExperimentView} experiment
   * @param {(result: ResultView) => void} done
   */
  constructor(app, experiment, done) {
    this.app = app;
    this.connection = app.connection;
    this.experiment = experiment;
    this.done = done;
    /** @type {number | null} */
    this.task = null;
    this.element = h("div", { class: "after run" });
    const ours = (/** @type {import("./session.js").TaskView} */ task) => task.kind === "run-experiment" && task.last?.kind === "run" && task.last.experiment === experiment.name;
    const running = app.opened.state.tasks.find((task) => task.running && ours(task));
    if (running) this.follow(running.task, running.last?.kind === "run" ? running.last : null);
    else this.offer("");
  }

  /** @param {string} text  what became of the last run */
  offer(text) {
    const { quick, whole } = this.experiment;
    const size = (/** @type {import("./i18n.js").Key} */ key, /** @type {number | null} */ time) => t(key, time === null ? t("someMinutes") : duration(time));
    fill(this.element, text ? h("p", { role: "status" }, text) : null, h("div", { class: "tools" },
      button(size("labRunQuick", quick), () => void this.start(true)),
      button(size("labRunWhole", whole), () => void this.start(false))));
  }

  /** @param {boolean} quick */
  async start(quick) {
    try {
      const { task } = await this.connection.ask("started", { kind: "run-experiment", experiment: this.experiment.name, quick });
      this.follow(task, null);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** @param {number} task @param {RunEvent | null} last */
  follow(task, last) {
    this.task = task;
    this.words = h("p", { role: "status" }, t("labWaits"));
    this.bar = h("progress", { max: 1, "aria-label": t("labProgress") });
    fill(this.element, this.words, this.bar, h("div", { class: "tools" }, button(t("stop"), () => void this.connection.stop(this.task), { class: "primary" })));
    if (last) this.show(last);
    this.connection.follow(task, (event) => {
      if (event.kind === "run") this.show(event);
      else if (event.kind === "ended") this.offer(t("labStopped"));
    });
  }

  /** @param {RunEvent} event */
  show(event) {
    if (!event.finished) {
      if (event.stage && this.words && this.bar) {
        this.words.textContent = t("labStage", event.stage, event.done, event.total, duration(event.time / 1000));
        this.bar.max = Math.max(1, event.total);
        this.bar.value = event.done;
      }
      return;
    }
    this.task = null;
    const text = event.trouble ? faultText(new SessionFault(event.trouble)) : t(event.result ? "labDone" : "labStopped");
    announce(text);
    this.offer(text);
    if (event.result) this.done(event.result);
  }
}

/** A time in words: 40 s, 12 min, 3.5 h. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 90) return t("inSeconds", Math.max(1, Math.round(seconds)));
  if (seconds < 5400) return t("inMinutes", Math.round(seconds / 60));
  return t("inHours", (seconds / 3600).toFixed(1));
}
