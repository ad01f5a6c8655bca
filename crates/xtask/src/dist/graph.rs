//! What goes into the binary: the packages that it depends on, by `cargo metadata`.

use crate::tools::{cargo, output, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A package in the binary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// The licence as an SPDX expression.
    pub licence: String,
    pub authors: Vec<String>,
    pub folder: PathBuf,
    /// Whether it is part of this checkout.
    pub own: bool,
    /// The SHA-256 of the published package, from the lock file.
    pub checksum: Option<String>,
    /// The packages it depends on, by their place in the list.
    pub depends_on: Vec<usize>,
}

/// The packages of the binary, sorted by name and version.
pub struct Graph {
    pub version: String,
    pub packages: Vec<Package>,
}

impl Graph {
    /// The packages that a package needs to run on a target.
    pub fn read(package: &str, target: &str) -> Result<Graph> {
        let mut command = cargo(&["metadata", "--format-version", "1", "--locked"])?;
        command.args(["--filter-platform", target]);
        let metadata: Value = serde_json::from_str(&output(&mut command)?)?;
        let lock = std::fs::read_to_string(root()?.join("Cargo.lock"))?;
        Graph::from_metadata(&metadata, package, &checksums(&lock))
    }

    fn from_metadata(
        metadata: &Value,
        package: &str,
        checksums: &BTreeMap<(String, String), String>,
    ) -> Result<Graph> {
        let by_id: BTreeMap<&str, &Value> = list(&metadata["packages"])
            .map(|package| (package["id"].as_str().unwrap_or_default(), package))
            .collect();
        let needs: BTreeMap<&str, Vec<&str>> = list(&metadata["resolve"]["nodes"])
            .map(|node| (node["id"].as_str().unwrap_or_default(), needed(node)))
            .collect();
        let root = by_id.iter().find(|(_, found)| found["name"] == package);
        let (&root, _) = root.with_context(|| format!("there is no package {package}"))?;
        let (mut reached, mut open) = (BTreeSet::from([root]), vec![root]);
        while let Some(id) = open.pop() {
            for &next in needs.get(id).into_iter().flatten() {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        let mut ids: Vec<&str> = reached.into_iter().collect();
        let key = |id: &str| (text(by_id[id], "name"), text(by_id[id], "version"));
        ids.sort_by_key(|id| key(id));
        let place: BTreeMap<&str, usize> =
            ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let packages = ids.iter().map(|id| {
            let depends_on = needs.get(id).into_iter().flatten().map(|next| place[next]).collect();
            Package { depends_on, checksum: checksums.get(&key(id)).cloned(), ..read(by_id[id]) }
        });
        let packages = packages.collect();
        Ok(Graph { version: text(by_id[root], "version"), packages })
    }

    /// The packages of others.
    pub fn foreign(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| !package.own)
    }
}

fn read(package: &Value) -> Package {
    let manifest = PathBuf::from(text(package, "manifest_path"));
    Package {
        name: text(package, "name"),
        version: text(package, "version"),
        // A slash is the older way to say OR.
        licence: text(package, "license").replace('/', " OR "),
        authors: list(&package["authors"]).filter_map(|one| Some(one.as_str()?.into())).collect(),
        folder: manifest.parent().unwrap_or(Path::new("")).to_path_buf(),
        own: package["source"].is_null(),
        checksum: None,
        depends_on: Vec::new(),
    }
}

/// The packages that one needs to run; those of its build and its tests are not in the binary.
fn needed(node: &Value) -> Vec<&str> {
    let runs =
        |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
    list(&node["deps"]).filter(runs).filter_map(|dependency| dependency["pkg"].as_str()).collect()
}

/// The checksums of a lock file by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for package in lock.split("[[package]]") {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.strip_prefix(" = \"")?.strip_suffix('"'))
        };
        if let (Some(name), Some(version), Some(sum)) =
            (field("name"), field("version"), field("checksum"))
        {
            found.insert((name.to_string(), version.to_string()), sum.to_string());
        }
    }
    found
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_string()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use serde_json::json;

    /// Ours needs one package to run, one to test and one that nobody needs.
    pub fn example() -> Graph {
        let package = |id: &str, source: Value| {
            json!({ "id": id, "name": id, "version": "1.0.0", "source": source,
                "license": "MIT/Apache-2.0", "authors": ["A. U. Thor"], "manifest_path": "/p/Cargo.toml" })
        };
        let metadata = json!({
            "packages": [package("ours", Value::Null), package("runs", json!("r")), package("tests", json!("r"))],
            "resolve": { "nodes": [{ "id": "ours", "deps": [
                { "pkg": "runs", "dep_kinds": [{ "kind": null }] },
                { "pkg": "tests", "dep_kinds": [{ "kind": "dev" }] },
            ] }] },
        });
        let lock = "[[package]]\nname = \"runs\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        Graph::from_metadata(&metadata, "ours", &checksums(lock)).unwrap()
    }

    #[test]
    fn only_what_runs_is_in_the_binary() {
        let graph = example();
        let names: Vec<&str> = graph.packages.iter().map(|package| &*package.name).collect();
        assert_eq!(names, ["ours", "runs"]);
        assert_eq!(graph.packages[0].depends_on, [1]);
        let runs = graph.foreign().next().unwrap();
        assert_eq!((&*runs.licence, runs.checksum.as_deref()), ("MIT OR Apache-2.0", Some("abc")));
    }
}
