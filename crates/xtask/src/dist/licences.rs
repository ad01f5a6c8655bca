//! The licences of everything in the binary that is not ours, as one text.

use super::graph::{Graph, Package};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How the names of files with licences begin.
const BEGINNINGS: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

const RULE: &str = "\n----------------------------------------------------------------------\n";

/// The text. Files that several packages share stand once, after the names of all of them.
pub fn text(graph: &Graph, assets: &Path, mit: &Path) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in graph.foreign() {
        let name = format!("{} {} ({})", package.name, package.version, package.licence);
        for text in texts_of(package, mit)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for path in licence_files(assets)? {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        texts.entry(text).or_default().push(format!("outlines of {}", folder.display()));
    }
    let mut sections: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(text, names)| (names, text)).collect();
    sections.sort();
    let head =
        "This program contains the packages and outlines named below, under these licences.\n";
    let body = sections.iter().map(|(names, text)| format!("{RULE}{}\n\n{text}", names.join("\n")));
    Ok(head.to_string() + &body.collect::<String>())
}

fn texts_of(package: &Package, mit: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for path in licence_files_in(&package.folder)? {
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        texts.push(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
    }
    if texts.is_empty() {
        texts.push(standard_text(package, mit)?);
    }
    Ok(texts)
}

/// Some packages name the MIT licence and carry no text of it: then it is the standard one, with
/// the authors whom the package names.
fn standard_text(package: &Package, mit: &Path) -> Result<String> {
    if !package.licence.split(" OR ").any(|one| one == "MIT") {
        bail!("{} is under {} and carries no text of it", package.name, package.licence);
    }
    let text = fs::read_to_string(mit)?;
    let permission = text.find("Permission is hereby granted").context("LICENSE-MIT is not MIT")?;
    let authors = package.authors.join(", ");
    Ok(format!("MIT License\n\nCopyright (c) {authors}\n\n{}", &text[permission..]))
}

/// The licence files of a folder, sorted.
fn licence_files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_licence = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
            || name.starts_with("OFL");
        if path.is_file() && is_licence {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Those of the folders below a folder.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(licence_files_in(&path)?);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::graph::tests::example;
    use crate::tools::root;

    #[test]
    fn a_package_without_a_text_gets_the_standard_one_if_it_is_mit() {
        let graph = example();
        let mut package = graph.foreign().next().unwrap().clone();
        let mit = root().unwrap().join("LICENSE-MIT");
        let text = standard_text(&package, &mit).unwrap();
        assert!(text.contains("Copyright (c) A. U. Thor") && text.contains("WITHOUT WARRANTY"));
        package.licence = "GPL-3.0".into();
        assert!(standard_text(&package, &mit).is_err());
    }

    #[test]
    fn the_outlines_of_characters_carry_their_licence() {
        let files = licence_files(&root().unwrap().join(super::super::ASSETS)).unwrap();
        assert!(files.len() >= 2, "{files:?}");
    }
}
