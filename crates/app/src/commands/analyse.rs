//! `yomikiri analyse GAME|FOLDER`: an engine's view of every move, as a record with comments, a
//! graph and JSON.

use super::long_run::{EngineArgs, Job, LongRunArgs, context, context_for, execute, print_line};
use crate::language;
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use yomikiri_base::packed::is_standard;
use yomikiri_play::analyse::Grading;
use yomikiri_runs::{AnalysePlan, Front, Plan, summaries};
use yomikiri_text::{Analyse, Files};

/// What to analyse, and how.
#[derive(clap::Args)]
pub struct Args {
    /// A game record (KIF, KI2, CSA, JKF, USI, TSV), a folder of them, or `-` for standard input
    #[arg(required_unless_present = "summary")]
    game: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    /// The folder for the results; games that were analysed there in the same way are passed over
    #[arg(long, value_name = "FOLDER", default_value = "analysis")]
    out: PathBuf,
    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Replace files that are not results of an earlier analysis
    #[arg(long)]
    force: bool,
    /// The losses of winning rate, in percentage points, that make an inaccuracy, a mistake, a
    /// blunder and a grave blunder
    #[arg(long, value_name = "A,B,C,D", default_value = "5,10,20,50", value_parser = |text: &str| Grading::parse_least(text).map(Grades))]
    grades: Grades,
    /// Centipawns by which scores become winning rates: rate = 1 / (1 + exp(-score / CP))
    #[arg(long, value_name = "CP", default_value_t = 600.0, value_parser = Grading::parse_scale)]
    scale: f64,
    /// Show the summary of a folder of results once more instead of analysing
    #[arg(long, value_name = "FOLDER", conflicts_with = "game")]
    summary: Option<PathBuf>,
    #[command(flatten)]
    run: LongRunArgs,
    /// Of an earlier version, which graded by centipawns.
    #[arg(long, hide = true)]
    blunder: Option<i32>,
    /// Of an earlier version, whose graph showed centipawns.
    #[arg(long, hide = true)]
    graph_limit: Option<i32>,
}

/// Four numbers as one value of an option.
#[derive(Clone, Copy)]
struct Grades([f64; 4]);

/// Analyses what is not yet there.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let words = Analyse(language::get());
    if let Some(folder) = &args.summary {
        let texts = summaries(folder, &context())?;
        ensure!(!texts.is_empty(), words.no_summary(folder.display()));
        texts.iter().for_each(|text| println!("{text}"));
        return Ok(());
    }
    if args.blunder.is_some() || args.graph_limit.is_some() {
        eprintln!("{}", words.blunder_option());
    }
    let games = args.game.as_deref().unwrap_or(Path::new("-"));
    // Before a folder for the results is made.
    let there = if is_standard(games) { Ok(()) } else { games.metadata().map(drop) };
    there.with_context(|| Files(language::get()).cannot_read(games.display()))?;
    let plan = AnalysePlan {
        games: games.to_path_buf(),
        engine: args.engine.engine.clone(),
        nodes: args.nodes,
        movetime: args.movetime,
        grading: Grading { scale: args.scale, least: args.grades.0 },
        language: language::get().code().to_string(),
        force: args.force,
    };
    let mut job = Job::new(&args.run, &args.out, args.engine.concurrency);
    job.context = context_for([games])?;
    let mut front = Front { line: Some(&print_line), ..Front::default() };
    execute(&Plan::Analyse(plan), &mut job, &mut front)
}
