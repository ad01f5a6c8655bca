// A worker that searches: it gets the program once, then one order after the other.

import { EVENT, FINISHED, PANIC, Program } from "./wasm.js";

/**
 * What it is sent.
 * @typedef {object} SearcherMessage
 * @property {WebAssembly.Module} [module]
 * @property {SharedArrayBuffer | null} [shared]  raised in its first number: stop
 * @property {number} [run]
 * @property {string} [order]
 */
/** @type {WebAssembly.Module | null} */
let module = null;
/** @type {Int32Array | null} */
let flag = null;
/** @type {Program | null} */
let program = null;
let run = 0;

/** @param {number} kind @param {string} text */
function emit(kind, text) {
  if (kind === EVENT) postMessage({ kind: "event", run, text });
  else if (kind === FINISHED) postMessage({ kind: "finished", run, text });
  else if (kind === PANIC) postMessage({ kind: "panic", run, text });
}

addEventListener("message", ({ data }) => {
  const message = /** @type {SearcherMessage} */ (data);
  if (message.module) {
    module = message.module;
    flag = message.shared ? new Int32Array(message.shared) : null;
    return;
  }
  if (!module || message.order === undefined || message.run === undefined) return;
  run = message.run;
  try {
    const stop = flag;
    program ??= new Program(module, emit, () => stop !== null && Atomics.load(stop, 0) === run);
    program.call("search", message.order);
  } catch (error) {
    // What is left of the program after a fault is not to be trusted.
    program = null;
    // A line that is too deep for the browser's stack is no fault of the program.
    const deep = error instanceof RangeError;
    if (!deep) postMessage({ kind: "panic", run, text: String(error) });
    postMessage({ kind: "failed", run, deep });
  }
});
