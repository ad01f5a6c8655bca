//! The command line, declared once.

use crate::commands;
use clap::{Parser, Subcommand};
use yomikiri_base::packed::parse_size;
use yomikiri_play::Notation;
use yomikiri_text::Language;

/// The version and the processor level that this binary was compiled for.
const VERSION: &str = if cfg!(target_feature = "avx512bw") {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64-v4)")
} else if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64-v3)")
} else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64-v2)")
} else if cfg!(target_arch = "x86_64") {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64)")
} else {
    env!("CARGO_PKG_VERSION")
};

/// Yomikiri (読み切り): a shogi engine, mate solver and game-search laboratory.
#[derive(Parser)]
#[command(name = "yomikiri", version = VERSION, arg_required_else_help = true)]
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
