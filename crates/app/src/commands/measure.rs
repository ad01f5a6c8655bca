//! `yomikiri measure`: what a change of settings is worth at a short and at a long control.

use super::contest::{self, OwnArgs};
use super::long_run::Job;
use crate::input::{limits, name};
use crate::output::write_file;
use anyhow::{Context, ensure};
use std::path::PathBuf;
use yomikiri_arena::measure::{MeasureControl, MeasureResults, Question};
use yomikiri_runs::Plan;

/// What to do.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Play the engine with a change against the engine without it, and note the outcome
    Play(PlayArgs),
    /// Print the table of a results file, or put it into a document
    Table(TableArgs),
}

#[derive(clap::Args)]
struct PlayArgs {
    /// What is measured, in a few words
    #[arg(long, value_name = "TEXT")]
    technique: String,
    /// A setting that is changed, as NAME=VALUE; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", required = true)]
    set: Vec<String>,
    /// A control, as nodes a move and pairs of games; may be given several times
    #[arg(long = "control", value_name = "NODESxPAIRS", default_values = ["10000x500", "100000x200"])]
    controls: Vec<MeasureControl>,
    /// The results file, which gets a row for each control
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    #[command(flatten)]
    own: OwnArgs,
}

#[derive(clap::Args)]
struct TableArgs {
    /// The results file
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    /// A document with marks where the table goes; if not given, it is printed
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
}

/// Plays or prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Play(args) => play(args),
        Action::Table(args) => table(args),
    }
}

fn table(args: &TableArgs) -> anyhow::Result<()> {
    ensure!(args.results.exists(), "{}: no such file", args.results.display());
    let results = MeasureResults::read(&args.results).with_context(|| name(&args.results))?;
    let Some(path) = &args.document else {
        print!("{}", results.table());
        return Ok(());
    };
    let old = std::fs::read_to_string(path).with_context(|| name(path))?;
    let fresh = results.into_document(&old).with_context(|| name(path))?;
    write_file(path, fresh.as_bytes(), true)
}

fn play(args: &PlayArgs) -> anyhow::Result<()> {
    let own = &args.own;
    let question = Question {
        technique: args.technique.clone(),
        changed: args.set.clone(),
        common: own.common.clone(),
        openings: own.openings.clone(),
        resign: own.resign,
    };
    let single = own.run.is_simple() || args.controls.len() == 1;
    ensure!(single, "--plan and --shard take one --control");
    let mut stop = None;
    for &control in &args.controls {
        let mut results =
            MeasureResults::read(&args.results).with_context(|| name(&args.results))?;
        let (plan, openings) = question.next_match(&results, control, limits())?;
        std::fs::create_dir_all(&own.out)
            .with_context(|| format!("cannot make the folder {}", own.out.display()))?;
        let folder = own.out.join(format!("{}-{}", control.nodes, openings.first));
        let mut job = Job::new(&own.run, &folder, own.concurrency);
        job.stop = stop.take();
        contest::play(&Plan::Match(plan), &mut job)?;
        if !own.run.is_simple() {
            // The row is noted by the command on the merged folder.
            return Ok(());
        }
        stop = job.stop.take();
        let row = question.row(&folder, control, openings)?;
        println!("{}", MeasureResults { rows: vec![row.clone()] }.table());
        results.rows.push(row);
        write_file(&args.results, results.to_text()?.as_bytes(), true)?;
    }
    Ok(())
}
