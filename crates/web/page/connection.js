// The session, wherever it lives: behind a WebSocket of the server, or in a worker of this page
// with WebAssembly. Both carry the same JSON; nothing else in the page knows which it is.

import { stored, store } from "./settings.js";
import { SessionFault } from "./words.js";

/** @typedef {import("./session.js").Request} Request */
/** A request without its number. @typedef {Request extends infer R ? R extends unknown ? Omit<R, "id"> : never : never} Ask */
/** @typedef {import("./session.js").Answer} Answer */
/** @typedef {import("./session.js").Event} SessionEvent */
/** @typedef {import("./session.js").Message} Message */
/** @typedef {import("./session.js").Opened} Opened */
/**
 * The answer of one kind.
 * @template {Answer["kind"]} K
 * @typedef {Extract<Answer, {kind: K}>} AnswerOf
 */
/**
 * A way to carry messages.
 * @typedef {object} Channel
 * @property {(text: string) => void} send
 * @property {() => void} close
 */
/** @typedef {(text: string) => void} Receive */
/** @typedef {"connecting" | "open" | "lost" | "unreachable"} Status */

const VERSION = 1;
const TOKEN = "yomikiri.token";
const SAVED = "yomikiri.saved";
const LONGEST_WAIT = 8000;
/** The wait after which the page says that nobody answers. */
const LONG_WAIT = 2000;
const SAVE_WAIT = 100;

export class Connection {
  constructor() {
    this.next = 1;
    /** @type {Map<number, {text: string, resolve: (answer: Answer) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    /** Events of tasks that nobody listens to yet. @type {Map<number, SessionEvent[]>} */
    this.early = new Map();
    /** @type {Map<number, (event: SessionEvent) => void>} */
    this.tasks = new Map();
    /** @type {Set<(event: SessionEvent, task: number) => void>} */
    this.listeners = new Set();
    /** @type {Set<(status: Status) => void>} */
    this.watchers = new Set();
    /** @type {Set<(opened: Opened) => void>} */
    this.onOpened = new Set();
    /** A fault that belongs to no request of ours. @type {(error: SessionFault) => void} */
    this.onStray = () => undefined;
    /** The session will not have us. @type {(error: unknown) => void} */
    this.onRefused = () => undefined;
    /** @type {Channel | null} */
    this.channel = null;
    this.open = false;
    this.wait = 250;
    /** Whether the session is being saved, and whether it has changed since. */
    this.saving = false;
    this.changed = false;
    this.worker = document.documentElement.dataset.session === "worker";
  }

  /** Connects, and again whenever the connection is lost. */
  start() {
    this.report("connecting");
    const receive = (/** @type {string} */ text) => this.receive(JSON.parse(text));
    const greet = () => void this.greet().catch((error) => this.onRefused(error));
    this.channel = this.worker ? workerChannel(receive, greet) : socketChannel(receive, greet, () => this.lost());
  }

  async greet() {
    const token = stored(TOKEN, /** @type {string | null} */ (null));
    const saved = this.worker ? stored(SAVED, /** @type {string | null} */ (null)) : null;
    const ask = /** @type {Ask} */ ({ kind: "open", version: VERSION, token, saved });
    const opened = await this.send(ask, true);
    if (opened.kind !== "opened") throw new Error("the session did not open");
    store(TOKEN, opened.token);
    this.wait = 250;
    this.open = true;
    for (const { text } of this.waiting.values()) this.channel?.send(text);
    this.report("open");
    for (const listener of this.onOpened) listener(opened);
  }

  lost() {
    if (this.open) this.report("lost");
    else if (this.wait === LONG_WAIT) this.report("unreachable");
    this.open = false;
    this.channel = null;
    setTimeout(() => this.start(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** @param {Status} status */
  report(status) {
    for (const watcher of this.watchers) watcher(status);
  }

  /** @param {Message} message */
  receive(message) {
    if (this.worker && changes(message)) this.saveSoon();
    if (message.type === "event") this.receiveEvent(message.task, message.event);
    else if (message.type === "fault" && message.id === null) this.onStray(new SessionFault(message.fault));
    else if (message.id !== null) {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.type === "answer") waiting?.resolve(message.answer);
      else waiting?.reject(new SessionFault(message.fault));
    }
  }

  /** @param {number} task @param {SessionEvent} event */
  receiveEvent(task, event) {
    for (const listener of this.listeners) listener(event, task);
    const handler = this.tasks.get(task);
    if (handler) handler(event);
    else {
      const early = this.early.get(task) ?? [];
      this.early.set(task, [...early.slice(-20), event]);
      if (this.early.size > 20) this.early.delete([...this.early.keys()][0] ?? 0);
    }
  }

  /**
   * @param {Ask} ask
   * @param {boolean} first  whether it may go before the session is open
   * @returns {Promise<Answer>}
   */
  send(ask, first = false) {
    const id = this.next++;
    const text = JSON.stringify({ id, ...ask });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { text: first ? "" : text, resolve, reject });
      if (first || this.open) this.channel?.send(text);
    });
  }

  /**
   * Asks the session, and answers with an answer of the kind that is expected.
   * @template {Answer["kind"]} K
   * @param {K} kind
   * @param {Ask} ask
   * @returns {Promise<AnswerOf<K>>}
   */
  async ask(kind, ask) {
    const answer = await this.send(ask);
    if (answer.kind !== kind) throw new Error(`${answer.kind} instead of ${kind}`);
    return /** @type {AnswerOf<K>} */ (answer);
  }

  /**
   * Starts a task and receives its events.
   * @param {Ask} ask
   * @param {(event: SessionEvent) => void} handler
   * @returns {Promise<number>} the task
   */
  async startTask(ask, handler) {
    const { task } = await this.ask("started", ask);
    this.follow(task, handler);
    return task;
  }

  /** @param {number} task @param {(event: SessionEvent) => void} handler */
  follow(task, handler) {
    this.tasks.set(task, handler);
    const early = this.early.get(task) ?? [];
    this.early.delete(task);
    for (const event of early) handler(event);
  }

  /** Stops a task; it may have ended by itself. @param {number | null} task */
  async stop(task) {
    if (task === null) return;
    try {
      await this.ask("done", { kind: "stop", task });
    } catch (error) {
      if (!(error instanceof SessionFault && error.fault.code === "no-task")) throw error;
    }
  }

  /** In a worker nobody else keeps the session: the page does, at once, and again a moment later where more has changed. */
  saveSoon() {
    this.changed = true;
    if (this.saving) return;
    this.saving = true;
    this.changed = false;
    this.save().catch(this.onRefused);
    setTimeout(() => {
      this.saving = false;
      if (this.changed) this.saveSoon();
    }, SAVE_WAIT);
  }

  async save() {
    if (!this.worker || !this.open) return;
    const answer = await this.ask("saved", { kind: "save" });
    store(SAVED, answer.saved);
  }
}

/** Whether a message reports something that is kept. @param {Message} message */
function changes(message) {
  if (message.type === "answer") return message.answer.kind === "game" || message.answer.kind === "done";
  return message.type === "event" && (message.event.kind === "game" || message.event.kind === "mate");
}

/**
 * @param {Receive} receive
 * @param {() => void} opened
 * @param {() => void} lost
 * @returns {Channel}
 */
function socketChannel(receive, opened, lost) {
  const address = new URL("session", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.addEventListener("open", opened);
  socket.addEventListener("message", (event) => receive(String(event.data)));
  socket.addEventListener("close", lost);
  return { send: (text) => text && socket.send(text), close: () => socket.close() };
}

/**
 * @param {Receive} receive
 * @param {() => void} opened
 * @returns {Channel}
 */
function workerChannel(receive, opened) {
  const worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
  worker.addEventListener("message", (event) => {
    if (event.data === "ready") opened();
    else receive(String(event.data));
  });
  return { send: (text) => text && worker.postMessage(text), close: () => worker.terminate() };
}
