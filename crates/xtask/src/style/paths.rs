//! Files and folders that the documents name are there: paths in backquotes, and links.

use super::read_text;
use crate::technique;
use crate::tools::{command, output};
use anyhow::Result;
use std::path::Path;

/// Every path of the documents that leads nowhere, with its place.
pub fn missing(root: &Path) -> Result<Vec<String>> {
    let tracked =
        output(command("git")?.args(["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let tracked: Vec<&str> = tracked.lines().filter(|file| root.join(file).exists()).collect();
    let tree = Tree { root, tracked };
    let mut missing = Vec::new();
    for file in tree.tracked.iter().filter(|file| file.ends_with(".md")) {
        for (number, line) in read_text(&root.join(file))?.lines().enumerate() {
            let paths = quoted(line).filter(|path| !tree.has(path) && !tree.links(file, path));
            let links = links(line).filter(|link| !tree.links(file, link));
            missing.extend(
                paths.chain(links).map(|path| format!("{file}:{}: there is no {path}", number + 1)),
            );
        }
    }
    Ok(missing)
}

struct Tree<'a> {
    root: &'a Path,
    tracked: Vec<&'a str>,
}

impl Tree<'_> {
    /// Whether the path is there, or is none of this checkout. A path may begin at the root or with
    /// the name of a crate, then without `src`; one that ends in `.rs` may begin anywhere.
    fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let Some((head, rest)) = path.split_once('/') else { return true };
        if path.ends_with(technique::FILE) || path.starts_with(['/', '.']) {
            return true;
        }
        if path.ends_with(".rs")
            && self.tracked.iter().any(|file| file.ends_with(&format!("/{path}")))
        {
            return true;
        }
        let krate = self.root.join("crates").join(head);
        let folders = [self.root.join(path), krate.join(rest), krate.join("src").join(rest)];
        let ours = path.ends_with(".rs") || krate.is_dir() || self.is_folder(head);
        !ours || folders.iter().any(|path| path.exists() || path.with_extension("rs").exists())
    }

    /// Whether a folder of this name with tracked files stands at the root.
    fn is_folder(&self, name: &str) -> bool {
        self.tracked.iter().any(|file| file.split_once('/').is_some_and(|(head, _)| head == name))
    }

    fn links(&self, file: &str, link: &str) -> bool {
        let folder = self.root.join(file).with_file_name("");
        link.contains("://") || link.starts_with("mailto:") || folder.join(link).exists()
    }
}

/// What stands in backquotes and looks like paths, `{a,b}` spelled out.
fn quoted(line: &str) -> impl Iterator<Item = String> {
    let is_path = |text: &&str| {
        text.contains('/')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./{},".contains(c))
    };
    line.split('`').skip(1).step_by(2).filter(is_path).flat_map(spell_out)
}

fn spell_out(path: &str) -> Vec<String> {
    let braces =
        path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (words, after))) = braces else { return vec![path.to_string()] };
    words.split(',').flat_map(|word| spell_out(&format!("{before}{word}{after}"))).collect()
}

/// The targets of links, without the place in the page.
fn links(line: &str) -> impl Iterator<Item = String> {
    let targets = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let files = targets.filter_map(|target| target.split('#').next());
    files.filter(|file| !file.is_empty()).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::root;

    #[test]
    fn paths_and_links_are_taken_out_of_a_line() {
        let line =
            "see `a/{b,c}.rs`, `x y/z`, `plain` and [this](d.md#e), [that](#f), [those](g.md)";
        assert_eq!(quoted(line).collect::<Vec<_>>(), ["a/b.rs", "a/c.rs"]);
        assert_eq!(links(line).collect::<Vec<_>>(), ["d.md", "g.md"]);
    }

    #[test]
    fn paths_begin_at_the_root_or_with_a_crate() {
        let root = root().unwrap();
        let tree =
            Tree { root: &root, tracked: vec!["crates/xtask/src/style/paths.rs", "docs/a.md"] };
        for there in [
            "crates/xtask",
            "crates/xtask/src/",
            "xtask/style/paths",
            "style/paths.rs",
            "out/x",
            "9/9",
        ] {
            assert!(tree.has(there), "{there}");
        }
        for gone in ["crates/none", "xtask/none", "style/none.rs", "docs/none.md"] {
            assert!(!tree.has(gone), "{gone}");
        }
        assert!(
            tree.links("docs/a.md", "architecture.md")
                && tree.links("docs/a.md", "https://x.org/y")
        );
        assert!(!tree.links("docs/a.md", "none.md"));
    }
}
