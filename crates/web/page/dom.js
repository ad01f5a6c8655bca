// Small helpers to build elements. No markup is ever parsed from a string.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | EventListener>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {ParentNode} parent
 * @param {(Child | Child[])[]} children
 */
function add(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(typeof child === "number" ? String(child) : child);
  }
}

/**
 * An HTML element. Attributes that are functions are listeners (`onclick`).
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, attributes);
  add(element, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  assign(element, attributes);
  add(element, children);
  return element;
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/**
 * A button with a text.
 * @param {string} label
 * @param {() => void} action
 * @param {Attributes} [attributes]
 */
export function button(label, action, attributes = {}) {
  return h("button", { type: "button", ...attributes, onclick: () => action() }, label);
}

/**
 * A labelled choice among values.
 * @param {string} label
 * @param {[string, string][]} choices  value and text
 * @param {string} value
 * @param {(value: string) => void} changed
 */
export function choice(label, choices, value, changed) {
  const select = h("select", { "aria-label": label, onchange: () => changed(select.value) },
    choices.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return h("label", { class: "field" }, h("span", { "aria-hidden": "true" }, label), select);
}

/**
 * A labelled switch.
 * @param {string} label
 * @param {boolean} value
 * @param {(value: boolean) => void} changed
 */
export function toggle(label, value, changed) {
  const input = h("input", {
    type: "checkbox", checked: value, onchange: () => changed(input.checked),
  });
  return h("label", { class: "switch" }, input, h("span", {}, label));
}

/**
 * A text whose parts between backquotes are code.
 * @param {string} text
 */
export const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));

/**
 * Says something to a screen reader, once.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}
