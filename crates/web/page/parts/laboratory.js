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
/** @typedef {{id: string, title: string, question: string, claims: {text: string, verdict: Verdict, words: string}[], command: string}} Report */

const REPORTS = "reports/";
const RESULTS = "results/";
/** @type {Record<Verdict, import("../i18n.js").Key>} */
const VERDICTS = { holds: "claimHolds", partly: "claimPartly", fails: "claimFails", open: "claimOpen" };
/** The drawing that says most, by report. @type {Record<string, string>} */
const FIGURES = {
  probcut: "efficiency.svg", progress: "figure-1-endgame.svg", singular: "rating-nodes.svg", speculative: "survived-attacker.svg",
  widening: "figure-05.svg",
};
/** @type {Record<string, [title: string, question: string]>} */
const JAPANESE = {
  probcut: ["静止探索の中のProbCut", "深さ4の静止探索は、深さ8の結果を省略できるほどよく予測するか。（Takeuchi, Kaneko, Kawai 2006）"],
  progress: ["進行度つきボナンザメソッド", "序盤と終盤の係数を分けて進行度で混ぜると、棋譜から学習した評価関数は良くなるか。（Matsui, Hashimoto, Hashimoto, Noguchi 2008）"],
  singular: ["singular extensionのレーティング測定", "最善手だけが飛び抜けた葉を延長すると、使った局面数に見合うだけ強くなるか。（Nakayama, Iida, Inui, Kotani）"],
  speculative: ["負けの終盤の勝負手", "どの手も負けるとき、最も応じにくい手を選べば、相手は詰みを逃すか。（Kajihara, Hashimoto, Iida 2002）"],
  "hex-widening": ["ヘックスの動的ワイドニング", "空点がすべて合法手で、ほとんどは無意味な手のとき、上位の子だけを足し合わせると、より多くの局面が解けるか。"],
  "tsume-widening": ["詰将棋の動的ワイドニング", "合駒であふれる玉方の節点に、動的ワイドニングは効くか。"],
  widening: ["囲碁の捕獲探索の動的ワイドニング", "df-pn+で上位の子だけを足し合わせると、より多くの問題が解けるか。（Yoshizoe 2008）"],
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
    const others = experiments.filter((one) => !reports.some((report) => report.id === one.name))
      .map((one) => ({ id: one.name, title: one.title, question: one.question, claims: [], command: "" }));
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
    const japanese = settings.language === "ja" ? JAPANESE[report.id] : undefined;
    const count = (/** @type {Verdict} */ verdict) => report.claims.filter((claim) => claim.verdict === verdict).length;
    const title = japanese?.[0] ?? report.title;
    const figure = FIGURES[report.id];
    const known = report.claims.length > 0;
    const run = experiment && runs ? new ExperimentRun(app, experiment, (result) => this.showOwn(result)) : null;
    this.element = h("li", { id: `paper-${report.id}` },
      h("div", { class: "text" }, h("h3", {}, title), h("p", {}, japanese?.[1] ?? report.question),
        known ? h("p", { class: "verdict-words" }, t("labVerdict", count("holds"), count("partly"), count("fails"), count("open"))) : null,
        this.claims,
        known ? h("p", {}, h("a", { class: "as-button", href: `${REPORTS}${report.id}/index.html` }, t("labReport"))) : null,
        this.own, run?.element ?? null,
        !run && report.command ? h("p", { class: "quiet" }, t("labRunHelp"), " ", h("code", {}, report.command)) : null),
      figure ? h("img", { src: `${REPORTS}${report.id}/${figure}`, alt: title, loading: "lazy", class: "paper-figure" }) : null);
    this.showOwn(experiment?.own ?? null);
  }

  /** What was measured here, beside the report. @param {ResultView | null} own */
  showOwn(own) {
    const { claims, id } = this.report;
    const english = settings.language === "ja" ? "en" : null;
    const here = (/** @type {string} */ claim) => own?.findings.find((finding) => finding.claim === claim);
    const verdictCell = (/** @type {Verdict | undefined} */ verdict, /** @type {string} */ title) => h("td", { class: verdict ?? null, title }, verdict ? t(VERDICTS[verdict]) : "–");
    const rows = claims.length ? claims : (own?.findings ?? []).map((finding) => ({ text: finding.claim, verdict: /** @type {Verdict} */ ("open"), words: "" }));
    fill(this.claims, rows.length ? h("details", {}, h("summary", {}, t("labClaims", rows.length)),
      h("table", { class: "claims" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("labClaim")), claims.length ? h("th", { scope: "col" }, t("labInReport")) : null, own ? h("th", { scope: "col" }, t("labHere")) : null)),
        h("tbody", {}, rows.map((claim) => h("tr", {}, h("th", { scope: "row", lang: english }, claim.text), claims.length ? verdictCell(claim.verdict, claim.words) : null,
          own ? verdictCell(/** @type {Verdict | undefined} */ (here(claim.text)?.verdict), here(claim.text)?.ours ?? "") : null))))) : null);
    fill(this.own, own ? h("p", {}, t(own.quick ? "labOwnQuick" : "labOwn", own.started.slice(0, 10), duration(own.seconds)), " ",
      h("a", { href: `${RESULTS}${id}/index.html` }, t("labOwnReport"))) : null);
  }
}

/** The reports as their table of contents has them. @returns {Promise<Report[]>} */
async function readReports() {
  const response = await fetch(`${REPORTS}index.html`);
  if (!response.ok) throw new Error(response.statusText);
  // Its style sheet is its own; the policy of this page would complain of it.
  const text = (await response.text()).replace(/<style[\s\S]*?<\/style>/g, "");
  const page = new DOMParser().parseFromString(text, "text/html");
  return [...page.querySelectorAll("h2 > a[href]")].map((link) => {
    const section = following(link.parentElement);
    const commands = section.map((e) => /yomikiri lab run .*/.exec(e.textContent ?? "")?.[0] ?? "").filter(Boolean);
    return {
      id: (link.getAttribute("href") ?? "").split("/")[0] ?? "", title: link.textContent ?? "",
      question: section.find((e) => e.tagName === "P")?.textContent ?? "", claims: section.flatMap(claimsOf), command: commands.at(-1) ?? "",
    };
  });
}

/** What stands between a heading and the next. @param {Element | null} heading */
function following(heading) {
  const found = [];
  for (let next = heading?.nextElementSibling; next && next.tagName !== "H2"; next = next.nextElementSibling) found.push(next);
  return found;
}

/** @param {Element} list */
function claimsOf(list) {
  return [...list.querySelectorAll("li")].map((item) => {
    const strong = item.querySelector("strong");
    const words = strong?.textContent ?? "";
    const verdict = /** @type {Verdict[]} */ (["holds", "partly", "fails"]).find((name) => strong?.classList.contains(name)) ?? "open";
    return { text: (item.textContent ?? "").replace(words, "").replace(/:\s*$/, "").trim(), verdict, words };
  });
}
