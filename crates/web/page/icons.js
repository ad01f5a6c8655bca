// Icons as paths in a box of 24 by 24.

import { s } from "./dom.js";

const PATHS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M16 6l-8 6 8 6z",
  forward: "M8 6l8 6-8 6z",
  last: "M18 5v14M6 6l8 6-8 6z",
  flip: "M8 4v14m0 0l-3-3m3 3l3-3M16 20V6m0 0l-3 3m3-3l3 3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3z",
  undo: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  flag: "M6 21V4h11l-2.5 4L17 12H6",
  crown: "M4 18h16M5 15l-1-8 5 4 3-6 3 6 5-4-1 8z",
  engine: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  open: "M4 7V5h6l2 2h8v12H4z",
  paste: "M9 4h6v3H9zM7 5H5v16h14V5h-2",
  save: "M12 4v11m0 0l-4-4m4 4l4-4M5 20h14",
  share: "M9 12l6-4M9 12l6 4M7.5 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  plus: "M12 5v14M5 12h14",
  text: "M5 7h14M5 12h14M5 17h9",
  menu: "M4 7h16M4 12h16M4 17h16",
  gear: "M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M6 6l1.4 1.4M16.6 16.6L18 18M6 18l1.4-1.4M16.6 7.4L18 6",
  up: "M6 15l6-6 6 6",
  stop: "M7 7h10v10H7z",
  eraser: "M4 20h16M7 17l-3-3 9-9 6 6-6 6z",
};
/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
