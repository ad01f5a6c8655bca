// A ring that counts down the seconds for an answer.

import { s } from "./dom.js";
import { t } from "./i18n.js";

const ROUND = 2 * Math.PI * 44;

export class Ring {
  /** @param {() => void} over  the time is up */
  constructor(over) {
    this.over = over;
    this.all = 0;
    this.since = 0;
    this.timer = 0;
    this.left = s("circle", { class: "left", cx: 50, cy: 50, r: 44, "stroke-dasharray": ROUND });
    this.digits = s("text", { x: 50, y: 61 });
    this.element = s("svg", { class: "ring", viewBox: "0 0 100 100", role: "img" },
      s("circle", { cx: 50, cy: 50, r: 44 }), this.left, this.digits);
  }

  /** @param {number} seconds */
  start(seconds) {
    this.stop();
    this.all = seconds;
    this.since = performance.now();
    this.timer = window.setInterval(() => this.tick(), 100);
    this.tick();
  }

  /** Seconds since the start. */
  used() {
    return Math.min(this.all, (performance.now() - this.since) / 1000);
  }

  stop() {
    clearInterval(this.timer);
  }

  tick() {
    const left = Math.max(0, this.all - this.used());
    this.left.setAttribute("stroke-dashoffset", String(ROUND * (1 - left / this.all)));
    this.digits.textContent = String(Math.ceil(left));
    this.element.setAttribute("aria-label", t("secondsLeft", Math.ceil(left)));
    if (left > 0) return;
    this.stop();
    this.over();
  }
}
