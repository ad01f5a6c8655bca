//! The command line, declared once.

use crate::commands;
use clap::{Parser, Subcommand};
use yomikiri_base::packed::parse_size;
use yomikiri_lab::manifest::version_text;
use yomikiri_play::Notation;
use yomikiri_text::Language;

/// Yomikiri (読み切り): a shogi engine, mate solver and game-search laboratory.
#[derive(Parser)]
#[command(name = "yomikiri", version = version_text(env!("CARGO_PKG_VERSION")), arg_required_else_help = true)]
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

/// Declares the commands: each lives in a file of its own under `commands/`, with its `Args` and a
/// `run`.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($file:ident),)*) => {
        /// Every command of the binary.
        #[derive(Subcommand)]
        pub enum Command {
            $($(#[$about])* $name(commands::$file::Args),)*
        }

        impl Command {
            /// Does it.
            pub fn run(&self) -> anyhow::Result<()> {
                match self {
                    $(Command::$name(args) => commands::$file::run(args),)*
                }
            }
        }
    };
}

commands! {
    /// Speak USI on standard input and output, as GUIs do
    Usi(usi),
    /// Play against the engine in the terminal, from beginner's level to full strength
    Play(play),
    /// Play on a server that speaks the CSA protocol, such as floodgate
    Csa(csa),
    /// Open the board in the browser: play, analyse, solve
    Serve(serve),
    /// Search a fixed set of positions: node count as a checksum, and speed
    Bench(bench),
    /// Go through game records: evaluation, best line and blunders of every move
    Analyse(analyse),
    /// Let two or more engines play each other, with Elo, error bars and a sequential test
    Match(match_),
    /// Rate several engines by a round robin or a gauntlet
    Rate(rate),
    /// Do a long run from its plan, as --plan of match, rate, lab run and others writes it
    Run(run),
    /// Do a long run on a Ray cluster: match, rate, tune, lab run, solve, learn
    Cluster(cluster),
    /// Measure what a change of settings is worth, at a short and at a long control
    Measure(measure),
    /// Tune the numbers of the search by many short games (SPSA)
    Tune(tune),
    /// Join the parts of a run that were done with --shard
    Merge(merge),
    /// Make balanced openings for matches
    Openings(openings),
    /// Try next-move problems, or make a set of them from games
    Problems(problems),
    /// Check whether an engine keeps to the USI protocol
    UsiCheck(usi_check),
    /// Solve mate problems (詰将棋): shortest mates with verified proofs, cooks, hisshi
    Solve(solve),
    /// Check a proof written by `solve --proof`: every step and every number that it states
    Verify(verify),
    /// Learn from game records: evaluation, progress, move probabilities, patterns, book
    Learn(learn),
    /// Explain what the learned evaluation sees in a position
    Eval(eval),
    /// Solve capture problems of Go: can this block be taken?
    Go(go),
    /// List, run and report experiments
    Lab(lab),
    /// Show a position in the terminal, or draw it as SVG or PNG
    Show(show),
    /// Convert records from any format into any other, single files or whole folders
    Convert(convert),
    /// Count move sequences, the classic test of a move generator
    Perft(perft),
    /// Write a completion script for a shell to standard output
    Completions(completions),
}
