// Yomikiri as ShogiHome loads WebAssembly engines (shogihome-wasm-engine/1).
//
// The search runs in a worker of its own, so that `stop` is always received. Where memory can be
// shared the search is told; elsewhere its worker is ended and the best move of its last line is
// the answer.

import { fileName } from "./wasm.js";

/** Whether this is Node, which tests use. */
const IN_NODE = typeof globalThis.Worker === "undefined";

/** @param {string} address @returns {Promise<WebAssembly.Module>} */
async function compile(address) {
  if (!IN_NODE) return WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  const { fileURLToPath } = await import("node:url");
  return WebAssembly.compile(await readFile(address.startsWith("file:") ? fileURLToPath(address) : address));
}

/**
 * Starts the worker that searches.
 * @param {(message: {kind: "line" | "done" | "error", text: string}) => void} receive
 * @returns {Promise<{postMessage: (message: unknown) => void, terminate: () => unknown}>}
 */
async function spawn(receive) {
  const address = new URL("./usi.js", import.meta.url);
  if (IN_NODE) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(address);
    worker.on("message", receive);
    worker.on("error", (error) => receive({ kind: "error", text: String(error) }));
    return worker;
  }
  const worker = new Worker(address, { type: "module" });
  worker.addEventListener("message", ({ data }) => receive(data));
  worker.addEventListener("error", (event) => receive({ kind: "error", text: event.message }));
  return worker;
}

class Yomikiri {
  /** @param {WebAssembly.Module} module @param {boolean} shares @param {(line: string) => void} printErr */
  constructor(module, shares, printErr) {
    this.module = module;
    this.shares = shares;
    this.printErr = printErr;
    /** @type {((line: string) => void)[]} */
    this.listeners = [];
    this.ended = false;
    /** Commands that wait for the worker, or for the end of a search. @type {string[]} */
    this.waiting = [];
    /** Whether the worker is at work on a command. */
    this.busy = true;
    /** What a new worker has to be told. */
    this.options = new Map();
    this.position = "position startpos";
    /** The search that runs: its command, whether its answer has to wait, its last best move. */
    this.search = null;
    /** An answer that waits for `stop` or `ponderhit`. @type {string | null} */
    this.held = null;
    this.generation = 0;
  }

  async begin() {
    const generation = ++this.generation;
    const shared = this.shares ? new SharedArrayBuffer(4) : null;
    this.flag = shared && new Int32Array(shared);
    this.busy = true;
    this.worker = await spawn((message) => {
      if (generation === this.generation) this.receive(message);
    });
    this.worker.postMessage({ module: this.module, shared });
    this.busy = false;
    this.next();
  }

  /** @param {string} line */
  say(line) {
    if (!this.ended) for (const listener of [...this.listeners]) listener(line);
  }

  /** @param {{kind: string, text: string}} message */
  receive({ kind, text }) {
    if (kind === "error") this.printErr(text);
    else if (kind === "line") this.line(text);
    else {
      this.busy = false;
      this.search = null;
      this.next();
    }
  }

  /** @param {string} line */
  line(line) {
    const search = this.search;
    if (search && /^(bestmove|checkmate)\b/.test(line)) {
      if (search.silent) return;
      if (search.waits) this.held = line;
      else this.say(line);
      search.answered = true;
      return;
    }
    const moves = /^info .*\bpv (\S+)(?: (\S+))?/.exec(line);
    if (search && moves && !/ multipv (?!1\b)/.test(line)) search.best = moves[2] ? `${moves[1]} ponder ${moves[2]}` : moves[1];
    if (!search?.silent) this.say(line);
  }

  /** @param {string} command */
  postMessage(command) {
    const line = String(command).trim();
    const word = line.split(/\s+/)[0];
    if (this.ended) return;
    if (word === "quit") this.terminate();
    else if (word === "stop" || word === "gameover") this.stop();
    else if (word === "ponderhit") this.ponderHit(line);
    else {
      this.waiting.push(line);
      this.next();
    }
  }

  next() {
    if (this.busy || this.ended || this.held !== null) return;
    const line = this.waiting.shift();
    if (line === undefined) return;
    if (line.startsWith("setoption")) this.options.set(/name (\S+)/.exec(line)?.[1] ?? line, line);
    if (line.startsWith("position")) this.position = line;
    if (/^go\b/.test(line)) {
      const waits = /\b(infinite|ponder)\b/.test(line) && !/\bmate\b/.test(line);
      this.search = { line, waits, best: "", answered: false, silent: false, mate: /\bmate\b/.test(line) };
    }
    this.busy = true;
    if (this.flag) Atomics.store(this.flag, 0, 0);
    this.worker.postMessage({ line });
  }

  stop() {
    if (this.held !== null) this.release();
    else if (this.search && !this.search.answered) {
      this.search.waits = false;
      if (this.flag) Atomics.store(this.flag, 0, 1);
      else this.kill();
    } else this.changeQueued((line) => (/\bmate\b/.test(line) ? "go mate 1" : "go depth 1"));
  }

  /** A search that has not begun yet is asked for in other words. @param {(line: string) => string} change */
  changeQueued(change) {
    const at = this.waiting.findLastIndex((line) => /^go\b/.test(line));
    if (at >= 0) this.waiting[at] = change(this.waiting[at]);
  }

  release() {
    const line = this.held ?? "";
    this.held = null;
    this.say(line);
    this.next();
  }

  /** The search on the opponent's time ends; the one on ours begins with what it left in the table. */
  ponderHit(line) {
    if (this.held !== null) return this.release();
    const search = this.search;
    const clocks = line.replace(/^ponderhit\s*/, "");
    const without = (/** @type {string} */ go) => (clocks ? `go ${clocks}` : go.replace(/\bponder\b\s*/, ""));
    if (!search || search.answered) return this.changeQueued(without);
    search.silent = true;
    this.waiting.unshift(without(search.line));
    if (this.flag) Atomics.store(this.flag, 0, 1);
    else this.renew();
  }

  /** Ends the worker together with its search, and answers for it. */
  kill() {
    const search = this.search;
    if (search.mate) this.say("checkmate timeout");
    else if (search.best) this.say(`bestmove ${search.best}`);
    // Nothing was found yet: the shortest search there is gives a legal move.
    else this.waiting.unshift("go depth 1");
    this.renew();
  }

  renew() {
    void this.worker.terminate();
    this.search = null;
    this.waiting.unshift(...this.options.values(), this.position);
    void this.begin();
  }

  addMessageListener(listener) {
    this.listeners.push(listener);
  }

  removeMessageListener(listener) {
    this.listeners = this.listeners.filter((other) => other !== listener);
  }

  terminate() {
    this.ended = true;
    this.generation++;
    void this.worker?.terminate();
  }
}

/**
 * Makes an engine.
 * @param {{locateFile?: (path: string) => string, printErr?: (line: string) => void, shares?: boolean}} [options]
 *   `shares` overrules whether memory is shared with the worker, for tests
 */
export default async function createYomikiri(options = {}) {
  const locate = options.locateFile ?? ((path) => new URL(path, import.meta.url).href);
  const shares = options.shares ?? (IN_NODE || globalThis.crossOriginIsolated === true);
  const engine = new Yomikiri(await compile(locate(fileName())), shares, options.printErr ?? (() => undefined));
  await engine.begin();
  return engine;
}
