// The program compiled to WebAssembly, in a worker: text goes in, text comes out.

/** What comes out, by the number that the program gives it. */
export const OUT = 0, EVENT = 1, FINISHED = 2, USI = 3, FIGURES = 4, PANIC = 5;

/**
 * The functions that the program exports.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} start
 * @property {(length: number) => number} reserve
 * @property {(seed: number) => void} hold
 * @property {(length: number) => void} receive
 * @property {(length: number) => void} search
 * @property {(length: number) => number} usi
 * @property {(length: number) => void} figures
 */
/** @typedef {"receive" | "search" | "usi" | "figures"} Entry */

/** A module of one function with a vector instruction: valid where there is simd128. */
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The name of the file that this browser can run. */
export function fileName() {
  return WebAssembly.validate(VECTORS) ? "yomikiri.wasm" : "yomikiri-plain.wasm";
}

/**
 * Compiles the program, also where the server does not know the type of the file.
 * @param {URL | string} address
 */
export async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

export class Program {
  /**
   * @param {WebAssembly.Module} module
   * @param {(kind: number, text: string) => void} emit  takes what comes out
   * @param {() => boolean} stopped  whether the search that runs is to stop
   */
  constructor(module, emit, stopped = () => false) {
    this.decoder = new TextDecoder();
    this.encoder = new TextEncoder();
    const host = {
      now: () => performance.now(),
      stopped: () => (stopped() ? 1 : 0),
      emit: (/** @type {number} */ kind, /** @type {number} */ start, /** @type {number} */ length) => {
        emit(kind, this.decoder.decode(new Uint8Array(this.exports.memory.buffer, start, length)));
      },
    };
    const instance = new WebAssembly.Instance(module, { host });
    this.exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    this.exports.start();
  }

  /** Hands text to the program. @param {Entry} entry @param {string} text */
  call(entry, text) {
    const bytes = this.encoder.encode(text);
    const start = this.exports.reserve(bytes.length);
    new Uint8Array(this.exports.memory.buffer, start, bytes.length).set(bytes);
    return this.exports[entry](bytes.length);
  }
}
