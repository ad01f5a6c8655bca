//! One self-contained HTML page per experiment, and the index of them.
//!
//! Pages open from disk, fetch nothing and print well. Each leads with the findings: what was
//! published, what we see, and the verdict in words.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use yomikiri_base::files::write_derived;

use super::manifest::Manifest;
use super::table::Table;
use crate::plot::Plot;

/// Whether a published finding is seen here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is.
    Holds,
    /// In part.
    Partly,
    /// It is not.
    Fails,
    /// The run is too small to say.
    Open,
}

impl Verdict {
    /// One word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Partly => "holds in part",
            Verdict::Fails => "does not hold",
            Verdict::Open => "not decided by this run",
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
    pub verdict: Verdict,
    /// Why.
    pub words: String,
}

/// The page of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Page {
    findings: Vec<Finding>,
    body: String,
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
        self.body += &format!("<h2>{}</h2>\n", escape(text));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.body += &format!("<p>{}</p>\n", escape(text));
    }

    /// Adds a table with a caption.
    pub fn table(&mut self, caption: &str, table: &Table) {
        self.body += &format!(
            "<div class=\"table\"><p class=\"caption\">{}</p>{}</div>\n",
            escape(caption),
            table.to_html()
        );
    }

    /// Adds a figure with a caption.
    pub fn figure(&mut self, caption: &str, plot: &Plot) {
        self.body += &format!(
            "<figure>{}<figcaption>{}</figcaption></figure>\n",
            plot.to_inline_svg(),
            escape(caption)
        );
    }

    /// Adds drawings side by side under one caption.
    pub fn drawings(&mut self, caption: &str, svgs: &[String]) {
        let row: String =
            svgs.iter().map(|svg| format!("<div class=\"drawing\">{svg}</div>")).collect();
        self.body += &format!(
            "<figure class=\"row\">{row}<figcaption>{}</figcaption></figure>\n",
            escape(caption)
        );
    }

    /// The whole page.
    pub fn to_html(&self, summary: &Summary) -> String {
        let mut html = head(&summary.title);
        html += &format!("<p class=\"lead\">{}</p>\n", escape(&summary.question));
        html += &findings_html(&self.findings);
        html += &self.body;
        html += &manifest_html(&summary.manifest);
        html + "</main></body></html>\n"
    }
}

fn findings_html(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<h2>Findings</h2>\n<table class=\"findings\"><thead><tr><th>Published finding</th><th>Published</th><th>Ours</th><th>Verdict</th></tr></thead><tbody>\n",
    );
    for finding in findings {
        html += &format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td><strong class=\"{}\">{}</strong> {}</td></tr>\n",
            escape(&finding.claim),
            lines(&finding.published),
            lines(&finding.ours),
            class_of(finding.verdict),
            finding.verdict.word(),
            escape(&finding.words)
        );
    }
    html + "</tbody></table>\n"
}

/// A list of figures, one a line.
fn lines(text: &str) -> String {
    escape(text).replace("; ", ";<br>")
}

fn class_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Partly => "partly",
        Verdict::Fails => "fails",
        Verdict::Open => "open",
    }
}

fn manifest_html(manifest: &Manifest) -> String {
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
    format!("<h2>How this was made</h2>\n<div class=\"manifest\">{}</div>\n", rows.to_html())
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

fn head(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head><body><main>\n<h1>{title}</h1>\n"
    )
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

/// Gives a finished page the style of today, so that pages of different runs look alike.
fn restyle(path: &Path) -> io::Result<()> {
    let html = std::fs::read_to_string(path)?;
    let styled = html.split_once("<style>").and_then(|(before, rest)| {
        let (_, after) = rest.split_once("</style>")?;
        Some(format!("{before}<style>{STYLE}</style>{after}"))
    });
    match styled {
        Some(styled) if styled != html => write_derived(path, styled.as_bytes()),
        _ => Ok(()),
    }
}

/// Writes `index.html` over all experiments that have left a summary under `out`, and gives their
/// pages one style.
///
/// # Errors
/// If a summary or page cannot be read or the index cannot be written.
pub fn write_index(out: &Path) -> io::Result<usize> {
    let mut summaries = Vec::new();
    for entry in std::fs::read_dir(out)? {
        let folder = entry?.path();
        let path = folder.join("summary.json");
        if path.is_file() {
            restyle(&folder.join("index.html"))?;
            let text = std::fs::read_to_string(&path)?;
            let summary: Summary = serde_json::from_str(&text).map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
            })?;
            summaries.push(summary);
        }
    }
    summaries.sort_by(|a, b| a.name.cmp(&b.name));
    let mut html = head("Yomikiri: experiments");
    for summary in &summaries {
        html += &format!(
            "<h2><a href=\"{0}/index.html\">{1}</a></h2>\n",
            escape(&summary.name),
            escape(&summary.title)
        );
        html += &format!("<p>{}</p>\n", escape(&summary.question));
        let form = if summary.manifest.quick { "short form; " } else { "" };
        let made = format!(
            "{form}commit {}, {} of work on {}: {}",
            summary.manifest.commit,
            duration(summary.manifest.work_seconds),
            summary.manifest.cpu,
            summary.manifest.command
        );
        html += "<ul>\n";
        for finding in &summary.findings {
            html += &format!(
                "<li>{}: <strong class=\"{}\">{}</strong></li>\n",
                escape(&finding.claim),
                class_of(finding.verdict),
                finding.verdict.word()
            );
        }
        html += &format!("</ul>\n<p class=\"caption\">{}</p>\n", escape(&made));
    }
    html += "</main></body></html>\n";
    write_derived(&out.join("index.html"), html.as_bytes())?;
    Ok(summaries.len())
}

/// Text as HTML.
pub use yomikiri_render::escape;

#[cfg(test)]
mod tests {
    use super::{STYLE, duration, restyle};

    #[test]
    fn durations() {
        assert_eq!(duration(1.24), "1.2 s");
        assert_eq!(duration(61.0), "1 min 01 s");
        assert_eq!(duration(7260.0), "2 h 01 min");
    }

    #[test]
    fn an_old_page_gets_the_style_of_today_and_keeps_the_rest() {
        let path = std::env::temp_dir().join(format!("yomikiri-page-{}.html", std::process::id()));
        std::fs::write(&path, "<head><style>old</style></head><p>text</p>").unwrap();
        restyle(&path).unwrap();
        let html = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(html, format!("<head><style>{STYLE}</style></head><p>text</p>"));
    }
}
