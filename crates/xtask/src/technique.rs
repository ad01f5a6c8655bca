//! The search technique that `docs/architecture.md` shows, added to a copy of the checkout: one
//! file, one block of parameters and one call, and it compiles.

use crate::tools::{cargo, command, output, root, run, target};
use anyhow::{Context, Result, ensure};
use std::path::Path;

const PAGE: &str = "docs/architecture.md";
/// The page that adds the same technique step by step.
const LESSON: &str = "docs/technique.md";
const SEARCH: &str = "crates/engine/src/search";
const PARAMETERS: &str = "crates/engine/src/settings/search.rs";

/// The file that it adds there: the documents name it, and it is not in the tree.
pub const FILE: &str = "search/empty_hand.rs";

/// The mark of the line that is added; the lines beside it say where.
const NEW: &str = " // new";

/// Adds the technique to a copy of the tracked files and compiles the engine there.
pub fn check() -> Result<()> {
    let (root, copy) = (root()?, target()?.join("technique/checkout"));
    let files = output(command("git")?.args(["ls-files", "--recurse-submodules"]))?;
    if copy.exists() {
        std::fs::remove_dir_all(&copy)?;
    }
    for file in files.lines().filter(|file| root.join(file).is_file()) {
        let to = copy.join(file);
        std::fs::create_dir_all(to.parent().context("a file in a folder")?)?;
        std::fs::copy(root.join(file), to).with_context(|| file.to_string())?;
    }
    for (file, text) in changes(&root)? {
        std::fs::write(copy.join(file), text)?;
    }
    let mut check = cargo(&["check", "--locked", "--package", "yomikiri-engine"])?;
    // The dependencies are compiled once for both.
    run(check.current_dir(&copy).env("CARGO_TARGET_DIR", target()?))
}

/// The files that the technique makes or changes, with their text afterwards.
fn changes(root: &Path) -> Result<Vec<(String, String)>> {
    let read = |file: &str| {
        std::fs::read_to_string(root.join(file)).with_context(|| format!("{file} cannot be read"))
    };
    let (page, lesson) = (read(PAGE)?, read(LESSON)?);
    let section = page.split_once("### A search technique\n").context("the page shows none")?.1;
    let shown: Vec<&str> = section.split("```").skip(1).step_by(2).collect();
    let shown: Vec<&str> = shown.iter().filter_map(|code| code.strip_prefix("rust\n")).collect();
    let [file, block, call] = shown[..] else {
        anyhow::bail!("{PAGE} shows {} pieces of a technique, not three", shown.len());
    };
    for piece in [file, block, call] {
        ensure!(lesson.contains(piece), "{LESSON} shows another technique:\n{piece}");
    }
    let (modules, negamax) = (format!("{SEARCH}/mod.rs"), format!("{SEARCH}/negamax.rs"));
    let around: String = call.split_inclusive('\n').filter(|line| !line.contains(NEW)).collect();
    Ok(vec![
        (format!("crates/engine/src/{FILE}"), file.to_string()),
        (PARAMETERS.into(), insert(&read(PARAMETERS)?, "\nparameters! {\n", block)?),
        (modules.clone(), insert(&read(&modules)?, "pub mod driver;\n", "mod empty_hand;\n")?),
        (negamax.clone(), replace(&read(&negamax)?, &around, &call.replace(NEW, ""))?),
    ])
}

/// A text with more after a place that it has once.
fn insert(text: &str, place: &str, more: &str) -> Result<String> {
    replace(text, place, &format!("{place}{more}"))
}

fn replace(text: &str, old: &str, new: &str) -> Result<String> {
    let count = text.matches(old).count();
    ensure!(count == 1, "the place of a technique is there {count} times, not once:\n{old}");
    Ok(text.replace(old, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_technique_of_the_page_is_a_file_a_block_and_a_call() {
        let root = root().unwrap();
        let changes = changes(&root).unwrap();
        let added = |(file, text): &(String, String)| {
            let before = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            text.lines().count() - before.lines().count()
        };
        assert_eq!(changes[2..].iter().map(added).collect::<Vec<_>>(), [1, 1]);
        assert!(!root.join(&changes[0].0).exists(), "the exercise is not in the tree");
    }

    #[test]
    fn a_place_that_is_gone_or_there_twice_is_named() {
        assert_eq!(insert("a\nb\n", "a\n", "c\n").unwrap(), "a\nc\nb\n");
        for text in ["b\n", "a\na\n"] {
            assert!(insert(text, "a\n", "c\n").unwrap_err().to_string().contains("not once"));
        }
    }
}
