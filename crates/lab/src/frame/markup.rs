//! The HTML of the parts of pages.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use yomikiri_text::Language;

use super::claims::{CLAIMS_FILE, Finding, FindingVerdict};
use super::manifest::Manifest;
use super::page::Part;
use super::stored::{MANIFEST_FILE, RESULTS_FILE};
use super::style::STYLE;
use super::table::Table;

/// The name of a page's file.
pub(super) fn page_file(language: Language) -> &'static str {
    match language {
        Language::En => "index.html",
        Language::Ja => "index.ja.html",
    }
}

/// The words of a language.
pub(super) fn say(language: Language, en: &'static str, ja: &'static str) -> &'static str {
    match language {
        Language::En => en,
        Language::Ja => ja,
    }
}

/// The way back to all experiments, and to the other language.
pub(super) fn navigation(language: Language, back: Option<&str>) -> Markup {
    let (other, word) = match language {
        Language::En => (Language::Ja, "日本語"),
        Language::Ja => (Language::En, "English"),
    };
    html! {
        nav.top {
            @if let Some(folder) = back {
                a href={ (folder) (page_file(language)) } {
                    (say(language, "All experiments", "すべての実験"))
                }
            }
            a href=(page_file(other)) { (word) }
        } "\n"
    }
}

pub(super) fn quick_banner(manifest: &Manifest, language: Language) -> Markup {
    html! {
        @if manifest.quick {
            p.quick { (say(
                language,
                "This is a quick run: it shows that everything works, and is far too small to decide anything.",
                "これは短縮版の実行です。動作を示すだけで、結論を出すには小さすぎます。",
            )) } "\n"
        }
    }
}

pub(super) fn part_html(at: usize, part: &Part, language: Language) -> Markup {
    match part {
        Part::Heading(words) => html! { h2 id={ "part-" (at) } { (words.of(language)) } },
        Part::Paragraph(words) => html! { p { (words.of(language)) } },
        Part::Table(name, caption, table) => html! {
            div.table {
                p.caption {
                    (caption.of(language))
                    @if let Some(name) = name { " " a href={ (name) ".csv" } { (name) ".csv" } }
                }
                (table.to_html())
            }
        },
        Part::Figure(name, caption, svg) => html! {
            figure id={ "figure-of-" (name) } {
                (PreEscaped(svg))
                figcaption { (caption.of(language)) " " a href={ (name) ".svg" } { "SVG" } }
            }
        },
        Part::Drawings(caption, svgs) => html! {
            figure.row {
                @for svg in svgs { div.drawing { (PreEscaped(svg)) } }
                figcaption { (caption.of(language)) }
            }
        },
    }
}

pub(super) fn findings_html(findings: &[Finding], language: Language) -> Markup {
    let say = |en, ja| say(language, en, ja);
    let labels = [
        say("Claim", "主張"),
        say("Published", "公表値"),
        say("Predicted", "予想"),
        say("Ours", "測定値"),
        say("Verdict", "判定"),
    ];
    html! {
        @if !findings.is_empty() {
            h2 id="findings" { (say("Findings", "結論")) }
            table.findings {
                thead { tr { @for label in labels { th { (label) } } } }
                tbody {
                    @for finding in findings {
                        "\n" tr {
                            td data-label=(labels[0]) { (finding.claim_in(language)) }
                            td data-label=(labels[1]) { (lines(&finding.published)) }
                            td data-label=(labels[2]) { (finding.predicted_in(language)) }
                            td data-label=(labels[3]) {
                                (lines(&finding.ours))
                                @if let Some(chance) = finding.chance { " (" (chance_text(chance)) ")" }
                            }
                            td data-label=(labels[4]) {
                                (verdict_html(finding.verdict, language)) " " (finding.words_in(language))
                            }
                        }
                    }
                }
            }
            "\n"
        }
    }
}

/// A chance as papers print it.
pub(super) fn chance_text(chance: f64) -> String {
    if chance < 0.0001 { "p < .0001".into() } else { format!("p = {chance:.4}") }
}

pub(super) fn verdict_html(verdict: FindingVerdict, language: Language) -> Markup {
    html! { strong class=(class_of(verdict)) { (verdict.word().of(language)) } }
}

/// A list of figures, one a line.
fn lines(text: &str) -> Markup {
    html! {
        @for (at, line) in text.split("; ").enumerate() {
            @if at > 0 { ";" br; }
            (line)
        }
    }
}

fn class_of(verdict: FindingVerdict) -> &'static str {
    match verdict {
        FindingVerdict::Holds => "holds",
        FindingVerdict::Fails => "fails",
        FindingVerdict::Open => "open",
    }
}

/// By which claims the findings were judged, and whether they are those of the run.
pub(super) fn claims_html(manifest: &Manifest, language: Language) -> Markup {
    let Some(claims) = &manifest.claims else { return html! {} };
    let rule = say(
        language,
        "Claims, thresholds, sample sizes and the order of tests were written down before the run; over all tests of this page \
         Holm's rule keeps the chance of one wrong decision below 5 %.",
        "主張・閾値・標本数・検定の順序は実行前に定めた。このページの検定全体で、誤った判定が一つでも出る確率をHolmの方法で5 %未満に抑える。",
    );
    html! {
        p.caption {
            (rule) " " a href=(claims.file) { (CLAIMS_FILE) } " SHA-256 " code { (claims.measured) }
            @if claims.judged != claims.measured {
                ". "
                strong.fails { (say(
                    language,
                    "The verdicts here are by a later version of the claims:",
                    "ここでの判定は、その後に改めた主張による:",
                )) }
                " " code { (claims.judged) }
            }
        } "\n"
    }
}

/// Every file of the page, also those that it does not show.
pub(super) fn files_html(names: &[String], language: Language) -> Markup {
    html! {
        @if !names.is_empty() {
            p.caption {
                (say(language, "Files of this page:", "このページのファイル:"))
                @for name in names { " " a href=(name) { (name) } }
            } "\n"
        }
    }
}

pub(super) fn manifest_html(manifest: &Manifest, language: Language) -> Markup {
    let mut rows = Table::new(["", ""]);
    rows.row(["command", &manifest.command]);
    rows.row(["version", &manifest.version]);
    rows.row(["commit", &manifest.commit]);
    if manifest.measured_by.keys().any(|commit| *commit != manifest.commit) {
        let parts = manifest.measured_by.iter();
        let parts: Vec<String> =
            parts.map(|(commit, units)| format!("{commit}: {units} units")).collect();
        rows.row(["measured by", &parts.join("; ")]);
    }
    if let Some(commit) = &manifest.reported_by {
        rows.row(["page made by", commit]);
    }
    for (part, signature) in &manifest.parts {
        rows.row([format!("part: {part}"), signature.clone()]);
    }
    rows.row(["seed", &format!("{}", manifest.seed)]);
    rows.row(["processor", &manifest.cpu]);
    rows.row(["threads", &manifest.threads.to_string()]);
    rows.row(["begun", &manifest.started]);
    rows.row(["work, all units", &duration(manifest.work_seconds)]);
    for (name, sum) in &manifest.data {
        rows.row([format!("data: {name}"), format!("sha-256 {sum}")]);
    }
    rows.row(["settings", &manifest.settings.to_string()]);
    html! {
        h2 id="made" { (say(language, "How this was made", "作り方")) }
        p {
            a href=(MANIFEST_FILE) { (MANIFEST_FILE) } ", " a href=(RESULTS_FILE) { (RESULTS_FILE) } ". "
            (say(
                language,
                "`yomikiri lab rerun manifest.json` measures it again, `yomikiri lab report DIR` makes the page again from the results, \
                 `yomikiri lab compare A B` compares two folders of results.",
                "`yomikiri lab rerun manifest.json` で再測定、`yomikiri lab report DIR` で結果からページを再生成、\
                 `yomikiri lab compare A B` で二つの結果を比較します。",
            ))
        }
        div.manifest { (rows.to_html()) } "\n"
    }
}

/// Seconds as people say them.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

/// A page with its title and style.
pub(super) fn document(title: &str, body: &Markup, language: Language) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(say(language, "en", "ja")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { "\n" (body) } }
        }
        "\n"
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::{chance_text, document, duration};
    use maud::html;
    use yomikiri_text::Language;

    #[test]
    fn durations_and_chances() {
        assert_eq!(duration(1.24), "1.2 s");
        assert_eq!(duration(61.0), "1 min 01 s");
        assert_eq!(duration(7260.0), "2 h 01 min");
        assert_eq!(
            (chance_text(0.031), chance_text(1e-9)),
            ("p = 0.0310".into(), "p < .0001".into())
        );
    }

    #[test]
    fn a_page_has_its_title_escaped_and_its_style_as_it_is() {
        let page = document("a < b", &html! { p { "x & y" } }, Language::En);
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">"), "{page}");
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("<p>x &amp; y</p>"));
        assert!(page.contains("h1 { font-size: 1.7rem;"), "{page}");
    }
}
