//! One self-contained HTML page per experiment, and the index of them.
//!
//! Pages open from disk, fetch nothing and print well. Each leads with the findings: what was
//! published, what we see, and the verdict in words.

use std::io;
use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use yomikiri_base::files::write_derived;

use super::manifest::Manifest;
use super::table::Table;
use crate::plot::Plot;

/// Whether a published finding is seen here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingVerdict {
    /// It is.
    Holds,
    /// In part.
    Partly,
    /// It is not.
    Fails,
    /// The run is too small to say.
    Open,
}

impl FindingVerdict {
    /// One word.
    pub fn word(self) -> &'static str {
        match self {
            FindingVerdict::Holds => "holds",
            FindingVerdict::Partly => "holds in part",
            FindingVerdict::Fails => "does not hold",
            FindingVerdict::Open => "not decided by this run",
        }
    }
}

/// A finding of a paper beside ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What the paper says.
    pub claim: String,
    /// Its figures.
    pub published: String,
    /// Ours, with error bars where there are any.
    pub ours: String,
    /// The verdict.
    pub verdict: FindingVerdict,
    /// Why.
    pub words: String,
}

/// The page of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Page {
    findings: Vec<Finding>,
    body: Vec<Markup>,
}

/// What the index needs to know of a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Name, which is also the folder.
    pub name: String,
    /// Title.
    pub title: String,
    /// The question asked.
    pub question: String,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The origin.
    pub manifest: Manifest,
}

impl Page {
    /// An empty page.
    pub fn new() -> Page {
        Page::default()
    }

    /// Adds a finding; findings stand at the top.
    pub fn finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// The findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Adds a heading.
    pub fn heading(&mut self, text: &str) {
        self.add(html! { h2 { (text) } });
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.add(html! { p { (text) } });
    }

    /// Adds a table with a caption.
    pub fn table(&mut self, caption: &str, table: &Table) {
        self.add(html! { div.table { p.caption { (caption) } (table.to_html()) } });
    }

    /// Adds a figure with a caption.
    pub fn figure(&mut self, caption: &str, plot: &Plot) {
        let svg = PreEscaped(plot.to_inline_svg());
        self.add(html! { figure { (svg) figcaption { (caption) } } });
    }

    /// Adds drawings side by side under one caption.
    pub fn drawings(&mut self, caption: &str, svgs: &[String]) {
        self.add(html! {
            figure.row {
                @for svg in svgs { div.drawing { (PreEscaped(svg)) } }
                figcaption { (caption) }
            }
        });
    }

    fn add(&mut self, part: Markup) {
        self.body.push(part);
    }

    /// The whole page.
    pub fn to_html(&self, summary: &Summary) -> String {
        let body = html! {
            p.lead { (summary.question) } "\n"
            (findings_html(&self.findings))
            @for part in &self.body { (part) "\n" }
            (manifest_html(&summary.manifest))
        };
        document(&summary.title, &body)
    }
}

fn findings_html(findings: &[Finding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            h2 { "Findings" }
            table.findings {
                thead { tr {
                    th { "Published finding" } th { "Published" } th { "Ours" } th { "Verdict" }
                } }
                tbody {
                    @for finding in findings {
                        "\n" tr {
                            td { (finding.claim) }
                            td { (lines(&finding.published)) }
                            td { (lines(&finding.ours)) }
                            td { (verdict_html(finding.verdict)) " " (finding.words) }
                        }
                    }
                }
            }
            "\n"
        }
    }
}

fn verdict_html(verdict: FindingVerdict) -> Markup {
    html! { strong class=(class_of(verdict)) { (verdict.word()) } }
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
        FindingVerdict::Partly => "partly",
        FindingVerdict::Fails => "fails",
        FindingVerdict::Open => "open",
    }
}

fn manifest_html(manifest: &Manifest) -> Markup {
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
    rows.row(["seed", &format!("{}", manifest.seed)]);
    rows.row(["processor", &manifest.cpu]);
    rows.row(["threads", &manifest.threads.to_string()]);
    rows.row(["begun", &manifest.started]);
    rows.row(["work, all units", &duration(manifest.work_seconds)]);
    for (name, sum) in &manifest.data {
        rows.row([format!("data: {name}"), format!("sha-256 {sum}")]);
    }
    rows.row(["settings", &manifest.settings.to_string()]);
    html! { h2 { "How this was made" } div.manifest { (rows.to_html()) } "\n" }
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
fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { "\n" h1 { (title) } "\n" (body) } }
        }
        "\n"
    };
    page.into_string()
}

const STYLE: &str = "
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1c1c1c; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.lead { font-size: 1.1rem; max-width: 48rem; }
.table, .manifest { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .5rem 0 1rem; }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #444; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.findings { table-layout: fixed; width: 100%; } .findings td { overflow-wrap: break-word; }
.findings th:nth-child(1) { width: 19%; } .findings th:nth-child(2) { width: 18%; } .findings th:nth-child(3) { width: 35%; }
.manifest td { overflow-wrap: anywhere; text-align: left; } .manifest thead { display: none; }
.caption, figcaption { font-size: .9rem; color: #444; }
figure { display: inline-block; width: 30rem; max-width: 100%; margin: .5rem .4rem 1rem 0; vertical-align: top; }
figure.row { display: block; width: auto; }
.drawing { display: inline-block; width: 26rem; max-width: 48%; margin-right: .4rem; }
figure svg { width: 100%; height: auto; }
.holds { color: #14662a; } .partly { color: #7a5200; } .fails { color: #a11414; } .open { color: #555; }
a { color: #0b4f9c; }
@media print { main { max-width: none; padding: 0; } .table, .manifest { overflow: visible; } table { font-size: .62rem; } th, td { padding: .15rem .3rem; } td.n { white-space: normal; } figure { width: 47%; } figure.row { width: auto; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; } }
";

/// Writes `index.html` over all experiments that have left a summary under `out`.
///
/// # Errors
/// If a summary cannot be read or the index cannot be written.
pub fn write_index(out: &Path) -> io::Result<usize> {
    let mut summaries = Vec::new();
    for entry in std::fs::read_dir(out)? {
        let path = entry?.path().join("summary.json");
        if path.is_file() {
            let text = std::fs::read_to_string(&path)?;
            let summary: Summary = serde_json::from_str(&text).map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
            })?;
            summaries.push(summary);
        }
    }
    summaries.sort_by(|a, b| a.name.cmp(&b.name));
    let body = html! { @for summary in &summaries { (summary_html(summary)) } };
    let page = document("Yomikiri: experiments", &body);
    write_derived(&out.join("index.html"), page.as_bytes())?;
    Ok(summaries.len())
}

fn summary_html(summary: &Summary) -> Markup {
    let manifest = &summary.manifest;
    let form = if manifest.quick { "short form; " } else { "" };
    let work = duration(manifest.work_seconds);
    html! {
        h2 { a href={ (summary.name) "/index.html" } { (summary.title) } } "\n"
        p { (summary.question) } "\n"
        ul {
            @for finding in &summary.findings {
                "\n" li { (finding.claim) ": " (verdict_html(finding.verdict)) }
            }
        }
        "\n"
        p.caption {
            (form) "commit " (manifest.commit) ", " (work) " of work on " (manifest.cpu) ": "
            (manifest.command)
        }
        "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::{document, duration};
    use maud::html;

    #[test]
    fn durations() {
        assert_eq!(duration(1.24), "1.2 s");
        assert_eq!(duration(61.0), "1 min 01 s");
        assert_eq!(duration(7260.0), "2 h 01 min");
    }

    #[test]
    fn a_page_has_its_title_escaped_and_its_style_as_it_is() {
        let page = document("a < b", &html! { p { "x & y" } });
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">"), "{page}");
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("<p>x &amp; y</p>"));
        assert!(page.contains("h1 { font-size: 1.7rem;"), "{page}");
    }
}
