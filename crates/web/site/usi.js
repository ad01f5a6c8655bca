// The worker behind engine.js: one line of USI after the other, each carried out to its end.

import { PANIC, Program, USI } from "./wasm.js";

const inNode = typeof globalThis.postMessage === "undefined";
const port = inNode ? (await import("node:worker_threads")).parentPort : globalThis;
const tell = (kind, text) => port.postMessage({ kind, text });
let module = null;
let program = null;
let flag = null;

function heard(message) {
  if (message.module) {
    module = message.module;
    flag = message.shared ? new Int32Array(message.shared) : null;
    return;
  }
  try {
    program ??= new Program(module, (kind, text) => {
      if (kind === USI) tell("line", text);
      else if (kind === PANIC) tell("error", text);
    }, () => flag !== null && Atomics.load(flag, 0) === 1);
    program.call("usi", message.line);
  } catch (error) {
    program = null;
    tell("error", String(error));
    if (message.line.startsWith("go")) tell("line", / mate/.test(message.line) ? "checkmate timeout" : "bestmove resign");
  }
  tell("done", "");
}

if (inNode) port.on("message", heard);
else addEventListener("message", ({ data }) => heard(data));
