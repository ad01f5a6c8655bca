//! The declared command line beside what is written about it.

use clap::error::ErrorKind;
use std::path::{Path, PathBuf};
use yomikiri_app::command;
use yomikiri_text::{Language, help, option_help};

/// The words of a command as a shell would part them, up to a comment or another command.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for symbol in text.chars() {
        match (quote, symbol) {
            (Some(open), _) if symbol == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(symbol);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '#' | '|' | '<' | '>' | '&' | ';') if word.is_none() => break,
            _ => word.get_or_insert_default().push(symbol),
        }
    }
    words.extend(word);
    words
}

/// The commands of this program in the blocks of a document that are for a shell.
fn commands(text: &str) -> Vec<String> {
    let (mut block, mut found) = (None, Vec::new());
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            block = if block.is_none() { Some(language) } else { None };
            continue;
        }
        let inside = matches!(block, Some("" | "sh"));
        let line = line.trim();
        let starts = ["yomikiri ", "cargo run --release -- "];
        let after = |start: &&str| match line.strip_prefix(*start) {
            Some(rest) => Some(rest),
            // Behind a variable or a pipe.
            None => line.split_once(&format!(" {start}")).map(|(_, rest)| rest),
        };
        let is_comment = |line: &str| line.starts_with('#');
        if inside && !is_comment(line) {
            found.extend(starts.iter().find_map(after).map(str::to_string));
        }
    }
    found
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_dir(root.join("docs")).expect("the documents");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    found.extend(["README.md", "README.ja.md"].map(|name| root.join(name)));
    found
}

#[test]
fn the_documents_name_commands_and_options_that_exist() {
    let (mut count, mut wrong) = (0, Vec::new());
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a text");
        for line in commands(&text) {
            let line_words = std::iter::once("yomikiri".to_string()).chain(words(&line));
            count += 1;
            match command(Language::En).try_get_matches_from(line_words) {
                Err(error) if error.kind() != ErrorKind::DisplayHelp => {
                    let name = path.file_name().unwrap_or_default().display();
                    wrong.push(format!("{name}: yomikiri {line}\n{error}"));
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 80, "only {count} commands were found");
}

/// Every command, and every option of those that players use, has Japanese help.
/// What of a command and all below it has no Japanese help.
fn untranslated(command: &clap::Command, path: &str, missing: &mut Vec<String>) {
    if help(path).is_none() {
        missing.push(path.to_string());
    }
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let none = |id: &&str| option_help(path, id).is_none();
    let ids = shown.map(|argument| argument.get_id().as_str()).filter(none);
    missing.extend(ids.map(|id| format!("{path}.{id}")));
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let separator = if path.is_empty() { "" } else { "." };
        untranslated(sub, &format!("{path}{separator}{}", sub.get_name()), missing);
    }
}

#[test]
fn every_command_and_option_is_explained_in_japanese() {
    let mut missing = Vec::new();
    untranslated(&command(Language::En), "", &mut missing);
    assert!(missing.is_empty(), "{missing:#?}");
}
