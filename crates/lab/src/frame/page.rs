//! One self-contained HTML page per experiment, in English and in Japanese, with the files behind
//! it.
//!
//! Pages open from disk, fetch nothing and print well. Each leads with the findings: what was
//! published, what we predicted, what we see, and the verdict in words.

use std::path::Path;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use yomikiri_base::files::write_derived;
use yomikiri_text::Language;

pub use super::claims::{Finding, FindingVerdict};
use super::manifest::Manifest;
pub use super::markup::duration;
use super::markup::{
    claims_html, document, files_html, findings_html, manifest_html, navigation, page_file,
    part_html, quick_banner, say, verdict_html,
};
use super::run::{LabError, file_error};
use super::table::Table;
pub use super::words::Words;
use crate::plot::Plot;

/// The page of an experiment, and its files.
#[derive(Clone, Debug, Default)]
pub struct Page {
    findings: Vec<Finding>,
    parts: Vec<Part>,
    files: Vec<(String, Content)>,
    headline: Option<Headline>,
}

/// A part of the page.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Heading(Words),
    Paragraph(Words),
    /// A table with its caption, and the name of its file if it has one.
    Table(Option<String>, Words, Table),
    /// A figure with its caption, and the name of its file.
    Figure(String, Words, String),
    Drawings(Words, Vec<String>),
}

/// What a file holds.
#[derive(Clone, Debug)]
enum Content {
    Bytes(Vec<u8>),
    Table(Table),
    /// Drawn as SVG and as PNG.
    Plot(Plot),
}

/// The one sentence and the one figure of an experiment on the page over all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Headline {
    /// What came out.
    pub sentence: Words,
    /// Whether the paper's main claim is borne out.
    pub verdict: FindingVerdict,
    /// The file of the figure.
    pub figure: String,
}

/// What the index needs to know of a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Name, which is also the folder.
    pub name: String,
    /// The paper's number, if it is one of the five.
    #[serde(default)]
    pub paper: Option<u8>,
    /// Title.
    pub title: String,
    /// The title in Japanese.
    #[serde(default)]
    pub title_ja: String,
    /// The question asked.
    pub question: String,
    /// The question in Japanese.
    #[serde(default)]
    pub question_ja: String,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The one sentence and the one figure.
    #[serde(default)]
    pub headline: Option<Headline>,
    /// The origin.
    pub manifest: Manifest,
}

impl Summary {
    /// The title in a language.
    pub fn title_in(&self, language: Language) -> String {
        Words::from((&*self.title, &*self.title_ja)).of(language).to_string()
    }

    /// The question in a language.
    pub fn question_in(&self, language: Language) -> String {
        Words::from((&*self.question, &*self.question_ja)).of(language).to_string()
    }
}

impl Finding {
    /// The claim in a language.
    pub fn claim_in(&self, language: Language) -> String {
        Words::from((&*self.claim, &*self.claim_ja)).of(language).to_string()
    }

    /// The prediction in a language.
    pub fn predicted_in(&self, language: Language) -> String {
        Words::from((&*self.predicted, &*self.predicted_ja)).of(language).to_string()
    }

    /// Why, in a language.
    pub fn words_in(&self, language: Language) -> String {
        Words::from((&*self.words, &*self.words_ja)).of(language).to_string()
    }
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

    /// Adds findings.
    pub fn add_findings(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    /// The findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Says in one sentence what came out; the figure is one of the page's.
    pub fn headline(&mut self, sentence: impl Into<Words>, verdict: FindingVerdict, figure: &str) {
        let (sentence, figure) = (sentence.into(), figure.to_string());
        self.headline = Some(Headline { sentence, verdict, figure });
    }

    pub(super) fn headline_part(&self) -> Option<&Headline> {
        self.headline.as_ref()
    }

    /// Adds a heading, which also stands in the contents.
    pub fn heading(&mut self, text: impl Into<Words>) {
        self.parts.push(Part::Heading(text.into()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Words>) {
        self.parts.push(Part::Paragraph(text.into()));
    }

    /// Adds a table with a caption, and its file `NAME.csv`.
    pub fn table(&mut self, name: &str, caption: impl Into<Words>, table: &Table) {
        self.csv(name, table);
        self.parts.push(Part::Table(Some(name.to_string()), caption.into(), table.clone()));
    }

    /// Adds a table that has no file.
    pub fn plain_table(&mut self, caption: impl Into<Words>, table: &Table) {
        self.parts.push(Part::Table(None, caption.into(), table.clone()));
    }

    /// Adds a figure with a caption, and its files `NAME.svg` and `NAME.png`.
    pub fn figure(&mut self, name: &str, caption: impl Into<Words>, plot: &Plot) {
        self.files.push((name.to_string(), Content::Plot(plot.clone())));
        self.parts.push(Part::Figure(name.to_string(), caption.into(), plot.to_inline_svg()));
    }

    /// Adds drawings side by side under one caption.
    pub fn drawings(&mut self, caption: impl Into<Words>, svgs: &[String]) {
        self.parts.push(Part::Drawings(caption.into(), svgs.to_vec()));
    }

    /// Adds a file `NAME.csv` that the page does not show.
    pub fn csv(&mut self, name: &str, table: &Table) {
        self.files.push((format!("{name}.csv"), Content::Table(table.clone())));
    }

    /// Adds any other file.
    pub fn file(&mut self, name: &str, bytes: &[u8]) {
        self.files.push((name.to_string(), Content::Bytes(bytes.to_vec())));
    }

    /// Writes the page and its files into a folder.
    ///
    /// # Errors
    /// If something cannot be drawn or written.
    pub fn write(&self, folder: &Path, summary: &Summary) -> Result<(), LabError> {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            write_derived(&path, bytes).map_err(|error| file_error(&path, error))
        };
        for (name, content) in &self.files {
            match content {
                Content::Bytes(bytes) => write(name, bytes)?,
                Content::Table(table) => {
                    let path = folder.join(name);
                    table.write_csv(&path).map_err(|error| file_error(&path, error))?;
                }
                Content::Plot(plot) => {
                    write(&format!("{name}.svg"), plot.to_svg().as_bytes())?;
                    let png = plot.to_png().map_err(|error| LabError::Figure {
                        name: name.clone(),
                        fault: error.to_string(),
                    })?;
                    write(&format!("{name}.png"), &png)?;
                }
            }
        }
        for language in [Language::En, Language::Ja] {
            write(page_file(language), self.to_html(summary, language).as_bytes())?;
        }
        Ok(())
    }

    /// The whole page.
    pub fn to_html(&self, summary: &Summary, language: Language) -> String {
        let body = html! {
            (navigation(language, Some("../")))
            h1 { (summary.title_in(language)) } "\n"
            (quick_banner(&summary.manifest, language))
            p.lead { (summary.question_in(language)) } "\n"
            @if let Some(headline) = &self.headline {
                p { (verdict_html(headline.verdict, language)) ": " (headline.sentence.of(language)) } "\n"
            }
            (self.contents(language))
            (findings_html(&self.findings, language))
            (claims_html(&summary.manifest, language))
            @for (at, part) in self.parts.iter().enumerate() { (part_html(at, part, language)) "\n" }
            (files_html(&self.file_names(), language))
            (manifest_html(&summary.manifest, language))
        };
        document(&summary.title_in(language), &body, language)
    }

    /// The files that are written beside the page.
    fn file_names(&self) -> Vec<String> {
        let of = |(name, content): &(String, Content)| match content {
            Content::Plot(_) => vec![format!("{name}.svg"), format!("{name}.png")],
            Content::Bytes(_) | Content::Table(_) => vec![name.clone()],
        };
        self.files.iter().flat_map(of).collect()
    }

    fn contents(&self, language: Language) -> Markup {
        let headings = self.parts.iter().enumerate().filter_map(|(at, part)| match part {
            Part::Heading(words) => Some((at, words.of(language))),
            _ => None,
        });
        html! {
            nav.contents { ol {
                @if !self.findings.is_empty() {
                    li { a href="#findings" { (say(language, "Findings", "結論")) } }
                }
                @for (at, words) in headings { li { a href={ "#part-" (at) } { (words) } } }
                li { a href="#made" { (say(language, "How this was made", "作り方")) } }
            } } "\n"
        }
    }
}
