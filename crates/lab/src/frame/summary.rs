//! The page over all experiments: of each paper one figure, one sentence and one verdict.

use std::io;
use std::path::Path;

use maud::{Markup, html};
use yomikiri_base::files::write_derived;
use yomikiri_text::Language;

use super::claims::FindingVerdict;
use super::markup::{document, duration, navigation, page_file, say, verdict_html};
use super::page::Summary;

/// Writes the index over all experiments that have left a summary under `out`, in both languages.
///
/// # Errors
/// If a summary cannot be read or the index cannot be written.
pub fn write_index(out: &Path) -> io::Result<usize> {
    let mut summaries = Vec::new();
    for entry in std::fs::read_dir(out)? {
        let folder = entry?;
        let path = folder.path().join("summary.json");
        if path.is_file() {
            let text = std::fs::read_to_string(&path)?;
            let mut summary: Summary = serde_json::from_str(&text).map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
            })?;
            // The links of the index lead to the folder, which may have an earlier name.
            summary.name = folder.file_name().to_string_lossy().into_owned();
            summaries.push(summary);
        }
    }
    summaries.sort_by_key(|summary| (summary.paper.unwrap_or(u8::MAX), summary.name.clone()));
    for language in [Language::En, Language::Ja] {
        let page = index(&summaries, language);
        write_derived(&out.join(page_file(language)), page.as_bytes())?;
    }
    Ok(summaries.len())
}

fn index(summaries: &[Summary], language: Language) -> String {
    let title = say(language, "Yomikiri: the papers, measured again", "読み切り: 論文の再測定");
    let body = html! {
        (navigation(language, None))
        h1 { (title) } "\n"
        p.lead { (say(
            language,
            "Of each experiment one figure, one sentence and the verdicts; the pages behind them show every table, the claims that were \
             written down before the run, and how to make them again.",
            "各実験について、図を一つ、一文、判定を示す。先のページに、すべての表、実行前に定めた主張、再現の方法がある。",
        )) } "\n"
        @for summary in summaries { (summary_html(summary, language)) }
    };
    document(title, &body, language)
}

fn summary_html(summary: &Summary, language: Language) -> Markup {
    let manifest = &summary.manifest;
    let form = if manifest.quick { say(language, "quick run; ", "短縮版; ") } else { "" };
    let work = duration(manifest.work_seconds);
    let count = |verdict| summary.findings.iter().filter(|f| f.verdict == verdict).count();
    let counts = [FindingVerdict::Holds, FindingVerdict::Fails, FindingVerdict::Open]
        .map(|verdict| format!("{} {}", count(verdict), verdict.word().of(language)))
        .join(", ");
    html! {
        h2 { a href={ (summary.name) "/" (page_file(language)) } { (summary.title_in(language)) } } "\n"
        p { (summary.question_in(language)) } "\n"
        @if let Some(headline) = &summary.headline {
            p { (verdict_html(headline.verdict, language)) ": " (headline.sentence.of(language)) } "\n"
            figure.key {
                img src={ (summary.name) "/" (headline.figure) } alt=(summary.title_in(language)) loading="lazy";
            } "\n"
        }
        @if !summary.findings.is_empty() {
            details {
                summary { (say(language, "All findings: ", "すべての結論: ")) (counts) }
                ul {
                    @for finding in &summary.findings {
                        "\n" li { (finding.claim_in(language)) ": " (verdict_html(finding.verdict, language)) }
                    }
                }
            } "\n"
        }
        p.caption {
            (form) "commit " (manifest.commit) ", " (work) " of work on " (manifest.cpu) ": "
            (manifest.command)
        }
        "\n"
    }
}
