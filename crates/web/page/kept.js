// Progress: kept in this browser, and with the session, so that a server's data folder has it, too.

import { store, stored } from "./settings.js";

/** @typedef {import("./connection.js").Connection} Connection */

/** Problems that were solved, by collection and name. */
export const SOLVED = "yomikiri.solved";
/** Rounds of practice, the latest last. */
export const ROUNDS = "yomikiri.subject";

/** @param {unknown} value */
const size = (value) => Object.keys(value ?? {}).length;

/** @param {Connection} connection @param {string} name @param {object} value */
export function keep(connection, name, value) {
  store(name, value);
  // Where the session has no room for it, this browser still has it.
  connection.ask("done", { kind: "keep", name, value }).catch(() => undefined);
}

/**
 * Joins what this browser and the session know.
 * @param {Connection} connection
 * @param {Record<string, unknown>} kept  what the session knows
 */
export function joinProgress(connection, kept) {
  for (const name of [SOLVED, ROUNDS]) {
    const there = /** @type {object | undefined} */ (kept[name]);
    const here = stored(name, /** @type {object | null} */ (null));
    // A list only grows; of marks by name each counts.
    const both = Array.isArray(there ?? here) ? (size(here) < size(there) ? there : here) : { ...there, ...here };
    if (!both || !size(both)) continue;
    if (size(both) > size(there)) keep(connection, name, both);
    else store(name, both);
  }
}
