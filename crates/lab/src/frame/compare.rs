//! Two folders of results beside each other: what was asked, what came out, and where they differ.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde_json::Value;

use super::manifest::Manifest;
use super::page::Summary;
use super::run::{LabError, fault, file_error};
use super::stored::MANIFEST_FILE;

/// Cells that are shown of a table; the rest is counted.
const SHOWN: usize = 5;

/// Where two folders of results differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Settings, data, seeds and signatures of parts: name, here, there.
    pub origin: Vec<ResultDifference>,
    /// Findings: the claim, and both verdicts or figures.
    pub findings: Vec<ResultDifference>,
    /// Tables: name, and the cells that differ.
    pub tables: Vec<(String, Vec<ResultDifference>)>,
    /// How many tables are the same to the byte.
    pub same: usize,
}

/// One place where they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultDifference {
    /// Which.
    pub what: String,
    /// The first.
    pub first: String,
    /// The second.
    pub second: String,
}

impl Comparison {
    /// Compares two folders of one experiment.
    ///
    /// # Errors
    /// If one has no results.
    pub fn of(first: &Path, second: &Path) -> Result<Comparison, LabError> {
        let manifests = [
            Manifest::read(&first.join(MANIFEST_FILE))?,
            Manifest::read(&second.join(MANIFEST_FILE))?,
        ];
        let summaries = [summary(first)?, summary(second)?];
        let mut comparison = Comparison {
            origin: differences(&origin(&manifests[0]), &origin(&manifests[1])),
            findings: differences(&findings(&summaries[0]), &findings(&summaries[1])),
            ..Comparison::default()
        };
        for name in tables(first)? {
            let (ours, theirs) = (cells(&first.join(&name))?, cells(&second.join(&name)));
            let found = match theirs {
                Ok(theirs) => differences(&ours, &theirs),
                Err(_) => vec![ResultDifference::new("the whole table", "there", "missing")],
            };
            match found.is_empty() {
                true => comparison.same += 1,
                false => comparison.tables.push((name, found)),
            }
        }
        Ok(comparison)
    }

    /// Whether all results are the same; the origin may differ.
    pub fn is_same(&self) -> bool {
        self.findings.is_empty() && self.tables.is_empty()
    }
}

impl ResultDifference {
    fn new(what: &str, first: &str, second: &str) -> ResultDifference {
        ResultDifference {
            what: what.to_string(),
            first: first.to_string(),
            second: second.to_string(),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "origin: {}", listed(&self.origin))?;
        write_list(f, &self.origin, self.origin.len())?;
        writeln!(f, "findings: {}", listed(&self.findings))?;
        write_list(f, &self.findings, self.findings.len())?;
        writeln!(f, "tables: {} the same, {} differ", self.same, self.tables.len())?;
        for (name, found) in &self.tables {
            writeln!(f, "{name}: {} cells differ", found.len())?;
            write_list(f, found, SHOWN)?;
        }
        Ok(())
    }
}

fn listed(found: &[ResultDifference]) -> String {
    if found.is_empty() { "the same".into() } else { format!("{} differ", found.len()) }
}

fn write_list(f: &mut fmt::Formatter<'_>, found: &[ResultDifference], most: usize) -> fmt::Result {
    for difference in found.iter().take(most) {
        writeln!(f, "  {}", difference.what)?;
        writeln!(f, "    A {}", difference.first)?;
        writeln!(f, "    B {}", difference.second)?;
    }
    Ok(())
}

/// Names in their order with what they say.
type Named = BTreeMap<String, String>;

fn differences(first: &Named, second: &Named) -> Vec<ResultDifference> {
    let missing = "–".to_string();
    let mut names: Vec<&String> = first.keys().chain(second.keys()).collect();
    names.sort();
    names.dedup();
    let pairs = names.into_iter().map(|name| {
        let of = |all: &Named| all.get(name).unwrap_or(&missing).clone();
        ResultDifference { what: name.clone(), first: of(first), second: of(second) }
    });
    pairs.filter(|pair| pair.first != pair.second).collect()
}

fn origin(manifest: &Manifest) -> Named {
    let mut all = Named::new();
    all.insert("experiment".into(), manifest.experiment.clone());
    all.insert("commit".into(), manifest.commit.clone());
    all.insert("seed".into(), manifest.seed.to_string());
    all.insert("quick".into(), manifest.quick.to_string());
    if let Value::Object(settings) = &manifest.settings {
        all.extend(
            settings.iter().map(|(key, value)| (format!("setting {key}"), value.to_string())),
        );
    }
    all.extend(manifest.data.iter().map(|(name, sum)| (format!("data {name}"), sum.clone())));
    all.extend(manifest.parts.iter().map(|(name, sum)| (format!("part {name}"), sum.clone())));
    if let Some(claims) = &manifest.claims {
        all.insert("claims".into(), claims.measured.clone());
    }
    all
}

fn findings(summary: &Summary) -> Named {
    let row = |finding: &super::claims::Finding| {
        let text = format!("{}: {}", finding.verdict.word().en, finding.ours);
        (finding.claim.clone(), text)
    };
    summary.findings.iter().map(row).collect()
}

fn summary(folder: &Path) -> Result<Summary, LabError> {
    let path = folder.join("summary.json");
    let text = std::fs::read_to_string(&path).map_err(|error| file_error(&path, error))?;
    serde_json::from_str(&text).map_err(|error| fault(&path.display().to_string(), &error))
}

/// The names of the tables in a folder; those of times differ from run to run.
fn tables(folder: &Path) -> Result<Vec<String>, LabError> {
    let entries = std::fs::read_dir(folder).map_err(|error| file_error(folder, error))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(".csv") && !name.ends_with("-times.csv")).collect();
    names.sort();
    Ok(names)
}

/// The cells of a table by row and heading.
fn cells(path: &Path) -> Result<Named, LabError> {
    let wrong = |error: csv::Error| fault(&path.display().to_string(), &error);
    let mut reader = csv::Reader::from_path(path).map_err(wrong)?;
    let headings = reader.headers().map_err(wrong)?.clone();
    let mut all = Named::new();
    for (row, record) in (1..).zip(reader.records()) {
        let record = record.map_err(wrong)?;
        let first = record.get(0).unwrap_or_default().to_string();
        for (heading, cell) in headings.iter().zip(&record) {
            all.insert(format!("row {row:05} ({first}), {heading}"), cell.to_string());
        }
    }
    Ok(all)
}
