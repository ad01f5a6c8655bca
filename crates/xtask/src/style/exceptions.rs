//! The list of exceptions: one a line, `WORD PATH [NAME] SIZE`, where SIZE is the most it may have.

use super::{COMMENT_COLUMNS, EXCEPTIONS, Item, Limit, Sizes, read_text};
use anyhow::{Context, Result, bail};
use std::path::Path;

const HEAD: &str = "\
# What is over a limit of style (cargo xtask style), with the most it may have. The list may only
# shrink: `cargo xtask style --shrink` lowers it, nothing adds to it.
";

pub fn read(root: &Path) -> Result<Sizes> {
    parse(&read_text(&root.join(EXCEPTIONS))?).with_context(|| EXCEPTIONS)
}

fn parse(text: &str) -> Result<Sizes> {
    let mut sizes = Sizes::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let (item, size) = parse_line(line).with_context(|| format!("line {}: {line}", at + 1))?;
        if sizes.insert(item, size).is_some() {
            bail!("line {}: {line}: named twice", at + 1);
        }
    }
    Ok(sizes)
}

fn parse_line(line: &str) -> Result<(Item, usize)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (word, path, name, size) = match words.as_slice() {
        [word, path, size] => (*word, *path, "", *size),
        [word, path, name, size] => (*word, *path, *name, *size),
        _ => bail!("not of the form `WORD PATH [NAME] SIZE`"),
    };
    let limit = Limit::ALL.into_iter().find(|limit| limit.word() == word);
    let limit = limit.with_context(|| format!("there is no limit '{word}'"))?;
    Ok((Item { limit, path: path.into(), name: name.into() }, size.parse()?))
}

pub fn write(sizes: &Sizes) -> String {
    let lines = sizes.iter().map(|(item, size)| format!("{item} {size}\n"));
    HEAD.to_owned() + &lines.collect::<String>()
}

/// What is over its limit and not excepted, or excepted and not over its limit.
pub fn compare(found: &Sizes, exceptions: &Sizes) -> Vec<String> {
    let mut complaints = Vec::new();
    for (item, size) in found {
        match exceptions.get(item) {
            Some(most) if size <= most => {}
            Some(most) => complaints.push(format!("{item}: grew from {most} to {size}")),
            None => complaints.push(complaint(item, *size)),
        }
    }
    let unneeded = exceptions.keys().filter(|item| !found.contains_key(item));
    complaints.extend(unneeded.map(|item| {
        format!("{item}: needs no exception any more (`cargo xtask style --shrink` removes it)")
    }));
    complaints
}

fn complaint(item: &Item, size: usize) -> String {
    let most = item.limit.most();
    match item.limit {
        Limit::File | Limit::Function => format!(
            "{item}: {size} lines, at most {most} (or the reason in one line above: `// Long: ..`)"
        ),
        Limit::Struct => format!("{item}: {size} fields, at most {most}"),
        Limit::Comments => format!("{item}: {size} comment lines over {COMMENT_COLUMNS} columns"),
    }
}

/// The exceptions still needed, each with its smaller size.
pub fn shrink(found: &Sizes, exceptions: Sizes) -> Sizes {
    let needed = |(item, most): (Item, usize)| {
        let size = *found.get(&item)?;
        Some((item, most.min(size)))
    };
    exceptions.into_iter().filter_map(needed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "file a.rs 700\nfunction a.rs Toy::long 80\ncomments b.rs 3\n";

    #[test]
    fn a_list_that_was_read_is_written_the_same() {
        assert_eq!(write(&parse(LIST).unwrap()), HEAD.to_owned() + LIST);
    }

    #[test]
    fn bad_lines_are_named() {
        for (line, what) in [
            ("folder a.rs 3", "no limit 'folder'"),
            ("file a.rs", "not of the form"),
            ("file a.rs many", "invalid digit"),
            ("file a.rs 600\nfile a.rs 700", "line 2: file a.rs 700: named twice"),
        ] {
            let error = format!("{:#}", parse(line).unwrap_err());
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn an_exception_covers_what_did_not_grow() {
        let exceptions = parse(LIST).unwrap();
        let smaller = parse("file a.rs 600\nfunction a.rs Toy::long 80\ncomments b.rs 1").unwrap();
        assert_eq!(compare(&smaller, &exceptions), Vec::<String>::new());
        let larger = parse("file a.rs 701\nfunction a.rs Toy::long 80\ncomments b.rs 3").unwrap();
        assert_eq!(compare(&larger, &exceptions), ["file a.rs: grew from 700 to 701"]);
    }

    #[test]
    fn what_is_not_excepted_and_what_needs_no_exception_are_both_faults() {
        let found = parse("file a.rs 700\nfunction a.rs Toy::long 80\nstruct b.rs Toy 21").unwrap();
        let complaints = compare(&found, &parse(LIST).unwrap());
        assert_eq!(complaints.len(), 2);
        assert_eq!(complaints[0], "struct b.rs Toy: 21 fields, at most 20");
        assert!(complaints[1].starts_with("comments b.rs: needs no exception"), "{complaints:?}");
    }

    #[test]
    fn shrinking_never_adds_or_raises() {
        let found = parse("file a.rs 701\nfunction a.rs Toy::long 70\nfile c.rs 900").unwrap();
        let shrunk = shrink(&found, parse(LIST).unwrap());
        assert_eq!(shrunk, parse("file a.rs 700\nfunction a.rs Toy::long 70").unwrap());
    }
}
