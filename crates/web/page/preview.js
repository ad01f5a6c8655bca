// A small board beside a move of a list, while the pointer rests on it or a finger holds it.

import { h } from "./dom.js";
import { miniature } from "./table.js";

const REST = 220;
const WIDTH = 232;

/** @type {HTMLElement | null} */
let shown = null;
let timer = 0;

export function hidePreview() {
  clearTimeout(timer);
  shown?.remove();
  shown = null;
}

/**
 * @param {Element} anchor
 * @param {HTMLElement} content
 */
function place(anchor, content) {
  hidePreview();
  const box = anchor.getBoundingClientRect();
  shown = h("div", { class: "preview" }, content);
  document.body.append(shown);
  const height = shown.offsetHeight;
  const left = box.left - WIDTH - 12 >= 0 ? box.left - WIDTH - 12 : Math.min(box.right + 12, innerWidth - WIDTH - 8);
  shown.style.left = `${Math.max(8, left)}px`;
  shown.style.top = `${Math.max(8, Math.min(box.top - height / 2, innerHeight - height - 8))}px`;
}

/**
 * Shows a position above an element, at a share of its width.
 * @param {Element} anchor
 * @param {{sfen: string, last: string | null, flipped: boolean}} at
 * @param {number} share
 */
export function showPreview(anchor, at, share) {
  const key = `${at.sfen} ${at.flipped}`;
  if (shown?.dataset.key !== key) {
    place(anchor, miniature(at.sfen, at.last, at.flipped));
    if (shown) shown.dataset.key = key;
  }
  if (!shown) return;
  const box = anchor.getBoundingClientRect();
  const left = box.left + share * box.width - WIDTH / 2;
  shown.style.left = `${Math.max(8, Math.min(left, innerWidth - WIDTH - 8))}px`;
  shown.style.top = `${Math.max(8, box.top - shown.offsetHeight - 12)}px`;
}

/**
 * Shows a position while the pointer is over an element.
 * @param {HTMLElement} element
 * @param {() => {sfen: string, last: string | null, flipped: boolean} | null} position
 */
export function withPreview(element, position) {
  return withPicture(element, () => {
    const at = position();
    return at && miniature(at.sfen, at.last, at.flipped);
  });
}

/**
 * Shows a picture while the pointer is over an element.
 * @param {HTMLElement} element
 * @param {() => HTMLElement | null} picture
 */
export function withPicture(element, picture) {
  const start = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const content = element.isConnected ? picture() : null;
      if (content) place(element, content);
    }, REST);
  };
  element.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && start());
  element.addEventListener("pointerdown", (event) => event.pointerType === "touch" && start());
  for (const end of ["pointerleave", "pointerup", "pointercancel", "click"]) element.addEventListener(end, hidePreview);
  return element;
}
