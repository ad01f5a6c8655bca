//! Which crate may know which: the one table, and the check of `cargo metadata` against it.

use crate::tools;
use Knows::{All, AllBut, These};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;

/// What a crate may depend on.
enum Knows {
    /// These, and whatever these may know.
    These(&'static [&'static str]),
    /// Every crate above it in the table.
    All,
    /// Every crate above it but these.
    AllBut(&'static [&'static str]),
}

/// Every crate of the workspace, built or planned; a crate knows only crates above it.
const CRATES: &[(&str, Knows)] = &[
    ("data", These(&[])),
    ("base", These(&[])),
    ("text", These(&["base"])),
    ("shogi", These(&["base"])),
    ("proof", These(&["base"])),
    ("usi", These(&["shogi"])),
    ("go", These(&["proof"])),
    ("tsume", These(&["proof", "shogi"])),
    ("eval", These(&["shogi"])),
    ("engine", These(&["data", "eval", "tsume"])),
    ("render", These(&["shogi", "go", "tsume"])),
    ("play", These(&["engine", "usi", "text"])),
    ("learn", These(&["engine", "play"])),
    ("arena", These(&["play", "render"])),
    ("lab", All),
    ("runs", These(&["learn", "arena", "tsume", "go", "lab"])),
    ("session", These(&["play", "tsume", "go", "render", "text"])),
    ("web", These(&["session", "runs"])),
    ("wasm", These(&["session"])),
    ("python", AllBut(&["web", "wasm"])),
    ("app", All),
    ("xtask", These(&[])),
];

/// Fails if a package of the workspace depends on one that it may not know.
pub fn check() -> Result<()> {
    let mut metadata = tools::cargo(&["metadata", "--no-deps", "--format-version", "1"])?;
    let wrong = violations(&serde_json::from_str(&tools::output(&mut metadata)?)?)?;
    if !wrong.is_empty() {
        bail!("{}\nThe table is in crates/xtask/src/arrows.rs", wrong.join("\n"));
    }
    Ok(())
}

/// What is wrong in the output of `cargo metadata`, one sentence each.
fn violations(metadata: &Value) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for package in array(metadata, "packages")? {
        let name = short_name(text(package, "name")?);
        let Some(place) = place(name) else {
            wrong.push(format!("{name} is not in the table of crates"));
            continue;
        };
        let folder = text(package, "manifest_path")?.replace('\\', "/");
        // The package of the data is the root of the checkout: its files lie in several folders.
        if name != "data" && !folder.ends_with(&format!("/{name}/Cargo.toml")) {
            wrong.push(format!("{name} should live in a folder of this name, not in {folder}"));
        }
        let known = known(place);
        for dependency in array(package, "dependencies")? {
            // Only packages of this checkout have a path.
            if dependency["path"].is_null() {
                continue;
            }
            let other = short_name(text(dependency, "name")?);
            if !known.contains(other) {
                let kind = dependency["kind"].as_str().unwrap_or("normal");
                wrong.push(format!("{name} must not depend on {other} ({kind} dependency)"));
            }
        }
    }
    Ok(wrong)
}

fn short_name(package: &str) -> &str {
    package.strip_prefix("yomikiri-").unwrap_or(package)
}

fn place(name: &str) -> Option<usize> {
    CRATES.iter().position(|(other, _)| *other == name)
}

/// Every crate that the crate at this place may depend on.
fn known(place: usize) -> BTreeSet<&'static str> {
    let above = CRATES[..place].iter().map(|(name, _)| *name);
    match &CRATES[place].1 {
        All => above.collect(),
        AllBut(others) => above.filter(|name| !others.contains(name)).collect(),
        These(names) => above
            .enumerate()
            .filter(|(_, name)| names.contains(name))
            .flat_map(|(at, name)| known(at).into_iter().chain([name]))
            .collect(),
    }
}

fn array<'v>(value: &'v Value, field: &str) -> Result<&'v Vec<Value>> {
    value[field].as_array().with_context(|| format!("cargo metadata has no list '{field}'"))
}

fn text<'v>(value: &'v Value, field: &str) -> Result<&'v str> {
    value[field].as_str().with_context(|| format!("cargo metadata has no text '{field}'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_crates_of_this_checkout_keep_to_the_table() {
        check().unwrap();
    }

    #[test]
    fn the_table_names_only_crates_above() {
        for (at, (name, knows)) in CRATES.iter().enumerate() {
            let (These(others) | AllBut(others)) = knows else { continue };
            for other in *others {
                assert!(place(other).is_some_and(|above| above < at), "{name} -> {other}");
            }
        }
    }

    #[test]
    fn what_the_known_know_is_known() {
        let engine = known(place("engine").unwrap());
        assert_eq!(engine, BTreeSet::from(["data", "base", "shogi", "proof", "tsume", "eval"]));
        assert!(!known(place("python").unwrap()).contains("web"));
        assert!(known(place("app").unwrap()).contains("web"));
        assert!(known(place("xtask").unwrap()).is_empty());
    }

    /// A workspace of one package with one dependency.
    fn workspace(name: &str, folder: &str, dependency: Value) -> Value {
        let manifest = format!("/tree/crates/{folder}/Cargo.toml");
        json!({"packages": [
            {"name": name, "manifest_path": manifest, "dependencies": [dependency]}
        ]})
    }

    #[test]
    fn an_arrow_that_goes_up_is_found_whatever_its_kind() {
        for kind in [json!(null), json!("dev"), json!("build")] {
            let arrow = json!({"name": "yomikiri-engine", "path": "/x", "kind": kind});
            let wrong = violations(&workspace("yomikiri-shogi", "shogi", arrow)).unwrap();
            assert_eq!(wrong.len(), 1, "{wrong:?}");
            assert!(wrong[0].starts_with("shogi must not depend on engine"), "{wrong:?}");
        }
    }

    #[test]
    fn allowed_and_foreign_dependencies_pass() {
        let known = json!({"name": "yomikiri-proof", "path": "/x", "kind": null});
        let foreign = json!({"name": "serde", "kind": null});
        for arrow in [known, foreign] {
            let wrong = violations(&workspace("yomikiri-tsume", "tsume", arrow)).unwrap();
            assert_eq!(wrong, Vec::<String>::new());
        }
    }

    #[test]
    fn an_unknown_crate_and_a_wrong_folder_are_found() {
        let foreign = json!({"name": "serde", "kind": null});
        let wrong = violations(&workspace("yomikiri-toy", "toy", foreign.clone())).unwrap();
        assert_eq!(wrong, ["toy is not in the table of crates"]);
        let wrong = violations(&workspace("yomikiri-go", "baduk", foreign)).unwrap();
        assert!(wrong[0].contains("should live in a folder of this name"), "{wrong:?}");
    }
}
