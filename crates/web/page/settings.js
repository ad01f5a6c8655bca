// What the reader chose, kept in this browser.

/**
 * @typedef {object} Settings
 * @property {"ja" | "en"} language
 * @property {"system" | "light" | "dark"} theme
 * @property {"one" | "two" | "western"} pieces
 * @property {"ja" | "en" | "usi"} notation
 * @property {boolean} coordinates
 * @property {boolean} targets  legal targets as dots
 * @property {boolean} arrows  the engine's moves as arrows
 * @property {boolean} sounds
 */

const KEY = "yomikiri.settings";
const japanese = navigator.language.startsWith("ja");

/** @type {Settings} */
export const settings = {
  language: japanese ? "ja" : "en",
  theme: "system",
  pieces: "one",
  notation: japanese ? "ja" : "en",
  coordinates: true,
  targets: true,
  arrows: true,
  sounds: false,
  ...stored(KEY, {}),
};

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Changes settings and calls everyone who draws by them.
 * @param {Partial<Settings>} change
 */
export function change(change) {
  Object.assign(settings, change);
  store(KEY, settings);
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export function onChange(listener) {
  listeners.add(listener);
}

/**
 * A value of this browser's storage, or another where there is none or it cannot be read.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function stored(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    // Storage is refused (private windows) or the text is not ours: go on without it.
    return otherwise;
  }
}

/** @param {string} key @param {unknown} value */
export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or refused: the page works, it only forgets.
  }
}
