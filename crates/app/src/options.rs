//! The command line, declared once.

use crate::{commands, processor};
use clap::{Parser, Subcommand};
use std::sync::LazyLock;
use yomikiri_base::packed::parse_size;
use yomikiri_engine::eval::network::embedded_checksum;
use yomikiri_lab::frame::manifest::commit;
use yomikiri_play::Notation;
use yomikiri_text::Language;

/// The version, the processor level that this binary was compiled for, the commit it was built
/// from, and the network in it.
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let (version, commit) = (env!("CARGO_PKG_VERSION"), commit());
        let network = embedded_checksum();
        let network = network.get(..12).unwrap_or(network);
        format!("{version} ({}, commit {commit}, network {network})", processor::LEVEL)
    });
    &VERSION
}

/// Yomikiri (読み切り): a shogi engine, mate solver and game-search laboratory.
#[derive(Parser)]
#[command(name = "yomikiri", version = version(), arg_required_else_help = true)]
pub struct Cli {
    /// Language of the texts, en or ja; your system's (LANG) if not given
    #[arg(long, global = true, value_name = "LANG", value_parser = |text: &str| text.parse::<Language>())]
    pub lang: Option<Language>,
    /// How pieces and moves are written: kanji (７六歩) or western (P-7f)
    #[arg(long, global = true, value_name = "HOW", default_value_t, hide_default_value = true, value_parser = |text: &str| text.parse::<Notation>())]
    pub pieces: Notation,
    /// The largest size that a packed input file may have unpacked: bytes, or with K, M, G or T
    #[arg(long, global = true, value_name = "SIZE", default_value = "1G", value_parser = parse_size)]
    pub max_input: u64,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// Every command of the binary; each lives in a file of its own under `commands/`.
#[derive(Subcommand)]
pub enum Command {
    /// Speak USI on standard input and output, as GUIs do
    Usi(commands::usi::Args),
    /// Play against the engine in the terminal, from beginner's level to full strength
    Play(commands::play::Args),
    /// Play on a server that speaks the CSA protocol, such as floodgate
    Csa(commands::csa::Args),
    /// Open the board in the browser: play, analyse, solve
    Serve(commands::serve::Args),
    /// Search a fixed set of positions: node count as a checksum, and speed
    Bench(commands::bench::Args),
    /// Go through game records: evaluation, best line and blunders of every move
    Analyse(commands::analyse::Args),
    /// Let two or more engines play each other, with Elo, error bars and a sequential test
    Match(commands::match_::Args),
    /// Rate several engines by a round robin or a gauntlet
    Rate(commands::rate::Args),
    /// Do a long run from its plan, as --plan of match, rate, lab run and others writes it
    Run(commands::run::Args),
    /// Do a long run on a Ray cluster: match, rate, tune, lab run, solve, learn
    Cluster(commands::cluster::Args),
    /// Measure what a change of settings is worth, at a short and at a long control
    Measure(commands::measure::Args),
    /// Tune the numbers of the search by many short games (SPSA)
    Tune(commands::tune::Args),
    /// Join the parts of a run that were done with --shard
    Merge(commands::merge::Args),
    /// Make balanced openings for matches
    Openings(commands::openings::Args),
    /// Try next-move problems, or make a set of them from games
    Problems(commands::problems::Args),
    /// Check whether an engine keeps to the USI protocol
    UsiCheck(commands::usi_check::Args),
    /// Solve mate problems (詰将棋): shortest mates with verified proofs, cooks, hisshi
    Solve(commands::solve::Args),
    /// Check a proof written by `solve --proof`: every step and every number that it states
    Verify(commands::verify::Args),
    /// Learn from game records: evaluation, progress, move probabilities, patterns, book
    Learn(commands::learn::Args),
    /// Explain what the learned evaluation sees in a position
    Eval(commands::eval::Args),
    /// Solve capture problems of Go: can this block be taken?
    Go(commands::go::Args),
    /// List, run and report experiments
    Lab(commands::lab::Args),
    /// Show a position in the terminal, or draw it as SVG or PNG
    Show(commands::show::Args),
    /// Convert records from any format into any other, single files or whole folders
    Convert(commands::convert::Args),
    /// Count move sequences, the classic test of a move generator
    Perft(commands::perft::Args),
    /// Write a completion script for a shell to standard output
    Completions(commands::completions::Args),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;
    use std::path::{Path, PathBuf};

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
                match Cli::command().try_get_matches_from(line_words) {
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
}
