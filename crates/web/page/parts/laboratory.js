// The reports: a paper each, its question, a figure, the verdict; and with a server the experiments
// run again, their findings beside those of the report.

import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { ExperimentRun, duration } from "../experiment.js";
import { settings } from "../settings.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../session.js").ExperimentView} ExperimentView */
/** @typedef {import("../session.js").ResultView} ResultView */
/** @typedef {"holds" | "partly" | "fails" | "open"} Verdict */
/** A claim; `english` is how results name it. @typedef {{text: string, english: string, verdict: Verdict, words: string}} Claim */
/** @typedef {{id: string, page: string, language: "en" | "ja", title: string, question: string, sentence: string, figure: string, claims: Claim[], command: string}} Report */

const REPORTS = "reports/";
const RESULTS = "results/";
/** @type {Record<Verdict, import("../i18n.js").Key>} */
const VERDICTS = { holds: "claimHolds", partly: "claimPartly", fails: "claimFails", open: "claimOpen" };
/** The drawing that says most, by report. @type {Record<string, string>} */
const FIGURES = {
  probcut: "efficiency.svg", progress: "figure-1-endgame.svg", singular: "rating-nodes.svg", speculative: "survived-attacker.svg",
  widening: "figure-05.svg",
};
/** @param {App} app @returns {import("../main.js").Part} */
export function create(app) {
  return new Laboratory(app);
}

class Laboratory {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.list = h("ul", { class: "papers" });
    this.note = h("p", { class: "quiet", hidden: true }, t("labNoFolder"));
    this.element = h("div", { class: "scroll" }, h("div", { class: "page" }, h("h2", {}, t("laboratory")), h("p", {}, t("labIntro")), this.note, this.list));
    void this.load();
  }

  async load() {
    /** @type {Report[]} */
    let reports = [];
    /** @type {ExperimentView[]} */
    let experiments = [];
    let runs = false;
    try {
      reports = await readReports().catch(() => []);
      if (this.app.opened.choices.server) {
        const view = await this.app.connection.ask("laboratory", { kind: "laboratory" });
        ({ experiments, runs } = view);
        this.note.hidden = runs;
      }
    } catch (error) {
      this.app.fail(error);
    }
    const others = experiments.filter((one) => !reports.some((report) => report.id === one.name)).map(unpublished);
    const cards = [...reports, ...others].map((report) => new Card(this.app, report, experiments.find((one) => one.name === report.id) ?? null, runs).element);
    fill(this.list, cards.length ? cards : h("li", {}, t("labNone")));
  }
}

/** A paper. */
class Card {
  /** @param {App} app @param {Report} report @param {ExperimentView | null} experiment @param {boolean} runs */
  constructor(app, report, experiment, runs) {
    this.report = report;
    this.claims = h("div", {});
    this.own = h("div", { class: "after" });
    const count = (/** @type {Verdict} */ verdict) => report.claims.filter((claim) => claim.verdict === verdict).length;
    const { title } = report;
    const foreign = report.language === settings.language ? null : report.language;
    const figure = report.figure || (FIGURES[report.id] ? `${report.id}/${FIGURES[report.id]}` : "");
    const known = report.claims.length > 0;
    const run = experiment && runs ? new ExperimentRun(app, experiment, (result) => this.showOwn(result)) : null;
    this.element = h("li", { id: `paper-${report.id}` },
      h("div", { class: "text" }, h("h3", { lang: foreign }, title), h("p", { lang: foreign }, report.question),
        report.sentence ? h("p", { lang: foreign }, report.sentence) : null,
        known ? h("p", { class: "verdict-words" }, t("labVerdict", count("holds"), count("partly"), count("fails"), count("open"))) : null,
        this.claims,
        known ? h("p", {}, this.link(report)) : null,
        this.own, run?.element ?? null,
        !run && report.command ? h("p", { class: "quiet" }, t("labRunHelp"), " ", h("code", {}, report.command)) : null),
      figure ? h("img", { src: `${REPORTS}${figure}`, alt: title, loading: "lazy", class: "paper-figure" }) : null);
    this.showOwn(experiment?.own ?? null);
  }

  /** The way to the report; it may be there in English only. @param {Report} report */
  link({ page }) {
    const english = settings.language === "ja" && !page.endsWith(".ja.html");
    return h("a", { class: "as-button", href: `${REPORTS}${page}`, hreflang: english ? "en" : null }, t(english ? "labReportEnglish" : "labReport"));
  }

  /** What was measured here, beside the report. @param {ResultView | null} own */
  showOwn(own) {
    const { claims, id } = this.report;
    const ja = settings.language === "ja";
    const here = (/** @type {string} */ claim) => own?.findings.find((finding) => finding.claim === claim);
    const verdictCell = (/** @type {Verdict | undefined} */ verdict, /** @type {string} */ title) => h("td", { class: verdict ?? null, title }, verdict ? t(VERDICTS[verdict]) : "–");
    /** @type {Claim[]} */
    const measured = (own?.findings ?? []).map((finding) => ({ text: (ja && finding.claimJa) || finding.claim, english: finding.claim, verdict: finding.verdict, words: finding.words }));
    // What the report says nothing of was claimed after it.
    const rows = [...claims, ...measured.filter((claim) => !claims.some(({ english }) => english === claim.english))];
    // What the reader has opened stays open.
    const open = this.claims.querySelector("details")?.open ?? false;
    fill(this.claims, rows.length ? h("details", { open }, h("summary", {}, t("labClaims", rows.length)),
      h("table", { class: "claims" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("labClaim")), claims.length ? h("th", { scope: "col" }, t("labInReport")) : null, own ? h("th", { scope: "col" }, t("labHere")) : null)),
        h("tbody", {}, rows.map((claim) => h("tr", {}, h("th", { scope: "row", lang: ja && claim.text === claim.english ? "en" : null }, claim.text),
          claims.length ? verdictCell(claims.includes(claim) ? claim.verdict : undefined, claim.words) : null,
          own ? verdictCell(here(claim.english)?.verdict, here(claim.english)?.ours ?? "") : null))))) : null);
    fill(this.own, own ? h("p", {}, t(own.quick ? "labOwnQuick" : "labOwn", own.started.slice(0, 10), duration(own.seconds)), " ",
      h("a", { href: `${RESULTS}${id}/${ja ? "index.ja.html" : "index.html"}` }, t("labOwnReport"))) : null);
  }
}

/** An experiment without a report. @param {ExperimentView} experiment @returns {Report} */
function unpublished({ name, title, titleJa, question, questionJa }) {
  const ja = settings.language === "ja" && titleJa !== "";
  return {
    id: name, page: "", language: ja ? "ja" : "en", title: ja ? titleJa : title, question: ja ? questionJa : question,
    sentence: "", figure: "", claims: [], command: "",
  };
}

/** The reports in the reader's language, where they are there in it. @returns {Promise<Report[]>} */
async function readReports() {
  const english = await readIndex("index.html", "en");
  if (settings.language !== "ja") return english;
  // Both are made of the same results: a claim of one is that of the other at the same place.
  const japanese = await readIndex("index.ja.html", "ja").catch(() => []);
  return english.map((report) => {
    const translated = japanese.find(({ id }) => id === report.id);
    if (translated?.claims.length !== report.claims.length) return report;
    const claims = report.claims.map((claim, index) => ({ ...claim, ...translated.claims[index], english: claim.english }));
    return { ...translated, claims };
  });
}

/** The reports as their table of contents has them. @param {string} name @param {"en" | "ja"} language @returns {Promise<Report[]>} */
async function readIndex(name, language) {
  const response = await fetch(`${REPORTS}${name}`);
  if (!response.ok) throw new Error(response.statusText);
  // Its style sheet is its own; the policy of this page would complain of it.
  const text = (await response.text()).replace(/<style[\s\S]*?<\/style>/g, "");
  const page = new DOMParser().parseFromString(text, "text/html");
  return [...page.querySelectorAll("h2 > a[href]")].map((link) => {
    const section = following(link.parentElement);
    const commands = section.map((e) => /yomikiri lab run .*/.exec(e.textContent ?? "")?.[0] ?? "").filter(Boolean);
    const address = link.getAttribute("href") ?? "";
    const [question, sentence] = section.filter((e) => e.tagName === "P" && !e.classList.contains("caption"));
    return {
      id: address.split("/")[0] ?? "", page: address, language, title: link.textContent ?? "",
      question: question?.textContent ?? "", sentence: sentence?.textContent ?? "",
      figure: section.map((e) => e.querySelector("img")?.getAttribute("src") ?? "").find(Boolean) ?? "",
      claims: section.flatMap(claimsOf), command: commands.at(-1) ?? "",
    };
  });
}

/** What stands between a heading and the next. @param {Element | null} heading */
function following(heading) {
  const found = [];
  for (let next = heading?.nextElementSibling; next && next.tagName !== "H2"; next = next.nextElementSibling) found.push(next);
  return found;
}

/** @param {Element} list @returns {Claim[]} */
function claimsOf(list) {
  return [...list.querySelectorAll("li")].map((item) => {
    const strong = item.querySelector("strong");
    const words = strong?.textContent ?? "";
    const verdict = /** @type {Verdict[]} */ (["holds", "partly", "fails"]).find((name) => strong?.classList.contains(name)) ?? "open";
    const text = (item.textContent ?? "").replace(words, "").replace(/:\s*$/, "").trim();
    return { text, english: text, verdict, words };
  });
}
