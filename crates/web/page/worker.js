// The worker that holds the session. What takes long it hands to other workers, so that it answers
// at once, also while they search.

import { OUT, PANIC, Program, compile, fileName } from "./wasm.js";

/** @typedef {{run: number, short: boolean, text: string}} Order */
/** What the program wants done. @typedef {{kind: "page", text: string} | {kind: "order"} & Order | {kind: "stop", run: number}} Out */
/** What a searching worker sends. @typedef {{kind: "event" | "finished" | "panic" | "failed", run: number, text: string, deep?: boolean}} News */
/** @typedef {{worker: Worker, flag: Int32Array | null, run: number}} Searcher */

/** Searches at a time; each has tables of its own. */
const MOST = 3;

/** Where memory can be shared, a search sees its stop; elsewhere its worker is ended. */
const shares = globalThis.crossOriginIsolated === true;
const module = await compile(new URL(fileName(), import.meta.url));
/** @type {Searcher[]} */
let busy = [];
/** @type {Searcher | null} */
let idle = null;
/** @type {Order[]} */
let waiting = [];
/** What the page kept last: the session begins again with it after a fault. @type {string | null} */
let saved = null;
let program = begin();

function begin() {
  const begun = new Program(module, (kind, text) => {
    if (kind === OUT) act(/** @type {Out} */ (JSON.parse(text)));
    else if (kind === PANIC) console.error(text);
  });
  begun.exports.hold(crypto.getRandomValues(new Uint32Array(1))[0] ?? 1);
  return begun;
}

/** @param {Out} out */
function act(out) {
  if (out.kind === "page") {
    if (out.text.includes('"kind":"saved"')) saved = JSON.parse(out.text).answer?.saved ?? saved;
    postMessage(out.text);
  } else if (out.kind === "order") {
    // Somebody waits for the short ones.
    waiting = out.short ? [out, ...waiting] : [...waiting, out];
    // The program is still in a call: what follows may call it again.
    queueMicrotask(next);
  } else {
    queueMicrotask(() => stop(out.run));
  }
}

/** @param {object} input */
function receive(input) {
  try {
    program.call("receive", JSON.stringify(input));
  } catch (error) {
    console.error(error);
    recover();
  }
}

/** After a fault in the program itself: a new one takes up what was kept last. */
function recover() {
  for (const { worker } of busy) worker.terminate();
  busy = [];
  waiting = [];
  const fault = {
    code: "internal", message: "the session broke down and was begun again",
    japanese: "エンジンの内部で問題が起き、最後に保存したところから始め直しました", line: null, illegal: null,
  };
  postMessage(JSON.stringify({ type: "fault", id: null, fault }));
  program = begin();
  const open = JSON.stringify({ id: 0, kind: "open", version: 1, saved });
  program.call("receive", JSON.stringify({ kind: "page", text: open }));
}

/** @returns {Searcher} */
function recruit() {
  const worker = new Worker(new URL("searcher.js", import.meta.url), { type: "module" });
  const shared = shares ? new SharedArrayBuffer(4) : null;
  worker.postMessage({ module, shared });
  const searcher = { worker, flag: shared && new Int32Array(shared), run: 0 };
  worker.addEventListener("message", ({ data }) => onNews(searcher, data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    onNews(searcher, { kind: "failed", run: searcher.run, text: event.message });
  });
  return searcher;
}

/** Begins what waits, as far as there is room. */
function next() {
  while (waiting.length > 0 && (busy.length < MOST || waiting[0]?.short)) {
    const order = /** @type {Order} */ (waiting.shift());
    const searcher = idle ?? recruit();
    idle = null;
    searcher.run = order.run;
    busy.push(searcher);
    searcher.worker.postMessage({ run: order.run, order: order.text });
  }
}

/** @param {Searcher} searcher @param {News} news */
function onNews(searcher, news) {
  if (news.kind === "panic") {
    console.error(news.text);
  } else if (busy.includes(searcher) && news.run === searcher.run) {
    if (news.kind === "event") receive({ kind: "event", text: news.text });
    else release(searcher, news);
  }
}

/** @param {Searcher} searcher @param {News} news */
function release(searcher, news) {
  busy = busy.filter((other) => other !== searcher);
  // One stays at hand; the tables of the others are given back.
  if (idle || news.kind === "failed") searcher.worker.terminate();
  else idle = searcher;
  if (news.kind === "finished") receive({ kind: "finished", text: news.text });
  else receive({ kind: "ended", run: news.run, failed: true, deep: news.deep === true });
  next();
}

/** @param {number} run */
function stop(run) {
  const searcher = busy.find((other) => other.run === run);
  if (searcher?.flag) {
    Atomics.store(searcher.flag, 0, run);
    return;
  }
  if (!searcher && !waiting.some((order) => order.run === run)) return;
  searcher?.worker.terminate();
  busy = busy.filter((other) => other !== searcher);
  waiting = waiting.filter((order) => order.run !== run);
  receive({ kind: "ended", run, failed: false });
  next();
}

addEventListener("message", ({ data }) => receive({ kind: "page", text: String(data) }));
postMessage("ready");
