// The reports: a paper each, its question, a figure, the verdict.

import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {"holds" | "partly" | "fails" | "open"} Verdict */
/** @typedef {{id: string, title: string, question: string, claims: {text: string, verdict: Verdict, words: string}[], command: string}} Report */

const REPORTS = "reports/";
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
  const list = h("ul", { class: "papers" });
  const element = h("div", { class: "scroll" }, h("div", { class: "page" }, h("h2", {}, t("laboratory")), h("p", {}, t("labIntro")), list));
  readReports().then((reports) => fill(list, reports.map(card)), () => fill(list, h("li", {}, t("labNone")))).catch(app.fail);
  return { element };
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

/** @param {Report} report */
function card(report) {
  const japanese = settings.language === "ja" ? JAPANESE[report.id] : undefined;
  const count = (/** @type {Verdict} */ verdict) => report.claims.filter((claim) => claim.verdict === verdict).length;
  const title = japanese?.[0] ?? report.title;
  const figure = FIGURES[report.id];
  const english = settings.language === "ja" ? "en" : null;
  return h("li", {},
    h("div", { class: "text" }, h("h3", {}, title), h("p", {}, japanese?.[1] ?? report.question),
      h("p", { class: "verdict-words" }, t("labVerdict", count("holds"), count("partly"), count("fails"), count("open"))),
      h("details", {}, h("summary", {}, t("labClaims", report.claims.length)), h("ul", { class: "claims", lang: english },
        report.claims.map((claim) => h("li", { class: claim.verdict }, `${claim.text}: `, h("b", {}, claim.words))))),
      h("p", {}, h("a", { class: "as-button", href: `${REPORTS}${report.id}/index.html` }, t("labReport"))),
      report.command ? h("p", { class: "quiet" }, t("labRunHelp"), " ", h("code", {}, report.command)) : null),
    figure ? h("img", { src: `${REPORTS}${report.id}/${figure}`, alt: title, loading: "lazy", class: "paper-figure" }) : null);
}
