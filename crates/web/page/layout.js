// How a part is laid out: table, controls, panels (a sheet with tabs on a phone), graph.

import { button, h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/**
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} label
 * @property {HTMLElement} element
 */

/**
 * @param {object} parts
 * @param {string} parts.name
 * @param {HTMLElement} parts.table
 * @param {HTMLElement} parts.controls
 * @param {Panel[]} parts.panels
 * @param {HTMLElement} [parts.graph]
 */
export function layout({ name, table, controls, panels, graph }) {
  const sections = panels.map(({ id, label, element }) => h("section", {
    class: "panel", id: `${name}-${id}`, "aria-labelledby": `${name}-${id}-title`,
  }, h("h2", { id: `${name}-${id}-title` }, label), element));
  const tabs = panels.map(({ label }, index) => h("button", {
    type: "button", class: "tab", role: "tab", "aria-selected": "false",
    onclick: () => choose(index, true),
    onkeydown: (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[/** @type {KeyboardEvent} */ (event).key];
      if (step === undefined) return;
      const next = (index + step + tabs.length) % tabs.length;
      choose(next, false);
      tabs[next]?.focus();
      event.stopPropagation();
    },
  }, label));
  const grip = button("", () => spread(!side.classList.contains("tall")), { class: "grip plain" });
  grip.append(icon("up"));
  const side = h("div", { class: "side" },
    h("div", { class: "sheet-head" }, h("div", { class: "tabs", role: "tablist", "aria-label": t("panels") }, tabs), grip),
    h("div", { class: "panel-stack" }, sections));

  /** @param {boolean} tall */
  function spread(tall) {
    side.classList.toggle("tall", tall);
    grip.setAttribute("aria-label", t(tall ? "sheetDown" : "sheetUp"));
    grip.setAttribute("aria-expanded", String(tall));
  }
  /** @param {number} chosen @param {boolean} raise */
  function choose(chosen, raise) {
    const was = tabs[chosen]?.getAttribute("aria-selected") === "true";
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(index === chosen));
      tab.setAttribute("tabindex", index === chosen ? "0" : "-1");
      sections[index]?.classList.toggle("shown", index === chosen);
    });
    if (raise && was) spread(!side.classList.contains("tall"));
  }
  spread(false);
  choose(0, false);
  const element = h("div", { class: `part ${name}` },
    h("div", { class: "stage" }, table, controls), side, graph ?? null);
  return {
    element,
    /** Brings a panel to the front of the sheet. @param {string} id */
    raise: (id) => choose(panels.findIndex((panel) => panel.id === id), false),
  };
}

/**
 * A button of the control row: a picture with its name.
 * @param {import("./icons.js").IconName} name
 * @param {string} label
 * @param {() => void} action
 * @param {boolean} [worded]  whether the name is written beside it
 */
export function control(name, label, action, worded = false) {
  const element = button("", action, worded ? { class: "control worded" } : { class: "control", "aria-label": label, title: label });
  element.append(icon(name));
  if (worded) element.append(h("span", {}, label));
  return element;
}

/**
 * The four buttons that walk through a game.
 * @param {{first: () => void, back: () => void, forward: () => void, last: () => void}} go
 */
export function walkControls(go) {
  return h("div", { class: "walk", role: "group", "aria-label": t("moves") },
    control("first", t("first"), go.first), control("back", t("back"), go.back),
    control("forward", t("forward"), go.forward), control("last", t("last"), go.last));
}
