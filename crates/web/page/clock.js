// Clocks. The session keeps the time; the page only counts down between its messages.

import { t } from "./i18n.js";

/** @typedef {import("./session.js").ClockView} ClockView */
/** @typedef {import("./session.js").ClockSide} ClockSide */

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const left = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

export class ClockFace {
  /**
   * @param {import("./table.js").Table} table
   * @param {() => void} over  the time of the running clock is over
   */
  constructor(table, over) {
    this.table = table;
    this.over = over;
    /** @type {ClockView | null} */
    this.clock = null;
    this.since = 0;
    this.timer = 0;
    this.claimed = false;
  }

  /** @param {ClockView | null} clock */
  show(clock) {
    this.clock = clock;
    this.since = performance.now();
    this.claimed = false;
    this.pause();
    if (clock?.running) this.timer = window.setInterval(() => this.draw(), 200);
    this.draw();
  }

  pause() {
    clearInterval(this.timer);
  }

  draw() {
    const { clock } = this;
    if (!clock) {
      this.table.setClocks({ b: null, w: null });
      return;
    }
    const face = (/** @type {"black" | "white"} */ side) => {
      const passed = clock.running === side ? performance.now() - this.since : 0;
      const left = clock.left[side];
      const main = left.main - passed;
      const byoyomi = main < 0 ? left.byoyomi + main : left.byoyomi;
      if (main <= 0 && byoyomi <= 0 && clock.running === side) this.claim();
      if (main > 0) return { text: clockText(main), urgent: main < 10000 && byoyomi === 0 };
      return { text: t("clockByoyomi", Math.max(0, Math.ceil(byoyomi / 1000))), urgent: byoyomi < 10000 };
    };
    this.table.setClocks({ b: face("black"), w: face("white") });
  }

  claim() {
    if (this.claimed) return;
    this.claimed = true;
    // A little later, so that the session sees the time as over, too.
    setTimeout(() => this.over(), 300);
  }
}
