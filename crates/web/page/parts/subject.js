import { h } from "../dom.js";
/** @param {import("../main.js").App} _app @returns {import("../main.js").Part} */
export function create(_app) { return { element: h("div") }; }
