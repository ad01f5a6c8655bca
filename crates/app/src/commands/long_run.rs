//! What all long runs share: the plan, shards, the bar, and where Ctrl-C leads.

use crate::input::{limits, source};
use crate::interrupt::stop_on_interrupt;
use crate::language;
use crate::output::{make_folder, write_file};
use anyhow::{Context as _, bail, ensure};
use std::path::{Path, PathBuf};
use yomikiri_base::stages::{NoProgress, StageBar, StageError};
use yomikiri_base::{Shard, StopToken};
use yomikiri_runs::{Context, Front, Local, Plan, RunReport, RunsError, run_local};

/// Options of every long run.
#[derive(clap::Args)]
pub struct LongRunArgs {
    /// Write the plan of the run to this file and do nothing else; `yomikiri run FILE` does it,
    /// here or elsewhere
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Do part I of N of the units, counted from 0; `yomikiri merge` joins the folders of all parts
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// Go on from the folder of the merged parts of the stages before
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
}

impl LongRunArgs {
    /// Whether it is an ordinary, whole run.
    pub fn is_simple(&self) -> bool {
        self.plan.is_none() && self.from.is_none() && self.shard.is_whole()
    }

    /// Whether only the plan is wanted.
    pub fn is_plan(&self) -> bool {
        self.plan.is_some()
    }
}

/// Options of every command that uses an engine.
#[derive(clap::Args)]
pub struct EngineArgs {
    /// The engine: words such as cmd="PROGRAM ARGS" dir=FOLDER option.NAME=VALUE; this program if
    /// not given
    #[arg(short, long, value_name = "ENGINE", default_value = "", hide_default_value = true)]
    pub engine: String,
    /// How many searches at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    pub concurrency: usize,
}

/// How a run is done here.
pub struct Job<'a> {
    /// The options that all runs have.
    pub args: &'a LongRunArgs,
    /// Where results go.
    pub out: &'a Path,
    /// Threads.
    pub threads: usize,
    /// Where it takes place.
    pub context: Context,
    /// A log of another run whose units are taken over.
    pub carry: Option<PathBuf>,
    /// Whether a bar is drawn.
    pub bar: bool,
    /// What Ctrl-C stops, once somebody listens: shared by the runs of one command.
    pub stop: Option<StopToken>,
}

impl<'a> Job<'a> {
    /// An ordinary run with a bar.
    pub fn new(args: &'a LongRunArgs, out: &'a Path, threads: usize) -> Job<'a> {
        Job { args, out, threads, context: context(), carry: None, bar: true, stop: None }
    }
}

/// Where a run keeps itself that gives its result elsewhere.
#[derive(clap::Args)]
pub struct Work {
    /// Keep the run in this folder, where the same command goes on after an interruption
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    run: LongRunArgs,
}

impl Work {
    /// Does a run on threads; nothing if only a part or a plan was requested.
    pub fn execute(&self, plan: &Plan, threads: usize) -> anyhow::Result<Option<Done>> {
        let remark = |line: &str| BAR.suspend(|| eprintln!("{line}"));
        let mut front = Front { line: Some(&remark), ..Front::default() };
        let mut job = Job::new(&self.run, Path::new(""), threads);
        execute_in(self.folder.as_deref(), plan, &mut job, &mut front)
    }
}

/// A run that is done.
pub struct Done {
    /// Where its files are.
    pub folder: PathBuf,
    /// The folder goes with it, where nobody named one.
    _kept: Option<tempfile::TempDir>,
    /// What it came to in words.
    pub text: String,
}

/// Does a run that gives its result elsewhere. Nothing if only a part or a plan was requested.
pub fn execute_in(
    folder: Option<&Path>,
    plan: &Plan,
    job: &mut Job<'_>,
    front: &mut Front<'_>,
) -> anyhow::Result<Option<Done>> {
    if let Some(file) = &job.args.plan {
        write_plan(plan, file)?;
        return Ok(None);
    }
    ensure!(
        folder.is_some() || job.args.is_simple(),
        "--shard and --from need a folder to keep the run in"
    );
    let (folder, kept) = match folder {
        Some(folder) => (folder.to_path_buf(), None),
        None => {
            let kept = tempfile::tempdir().context("no folder for the run")?;
            (kept.path().to_path_buf(), Some(kept))
        }
    };
    let report = report_in(&folder, plan, job, front)?;
    Ok(report.map(|report| Done { folder, _kept: kept, text: report.text }))
}

/// Writes the plan (`--plan`), or does it and prints its summary.
pub fn execute(plan: &Plan, job: &mut Job<'_>, front: &mut Front<'_>) -> anyhow::Result<()> {
    if let Some(file) = &job.args.plan {
        return write_plan(plan, file);
    }
    let out = job.out.to_path_buf();
    if let Some(report) = report_in(&out, plan, job, front)? {
        print!("{}", report.text);
    }
    Ok(())
}

/// Does a run; nothing where only a part of a stage was to be done.
fn report_in(
    out: &Path,
    plan: &Plan,
    job: &mut Job<'_>,
    front: &mut Front<'_>,
) -> anyhow::Result<Option<RunReport>> {
    make_folder(out)?;
    let stop = match &job.stop {
        Some(stop) => stop.clone(),
        None => {
            let listening = stop_on_interrupt("stopping; the same command goes on from here")?;
            job.stop.insert(listening).clone()
        }
    };
    let shard = job.args.shard;
    let local = Local {
        threads: job.threads,
        shard,
        stop: stop.clone(),
        progress: if job.bar { &BAR } else { &NoProgress },
        from: job.args.from.clone(),
        carry: job.carry.clone(),
        works: true,
    };
    let joins = "`yomikiri merge --out DIR PART..` joins the folders of all parts";
    match run_local(plan, out, &local, &job.context, front) {
        Ok(report) => {
            if stop.is_stopped() && !report.complete {
                print!("{}", report.text);
                bail!("interrupted; the same command goes on from here");
            }
            if !shard.is_whole() {
                eprintln!("part {shard} is done; {joins}");
            }
            Ok(Some(report))
        }
        Err(RunsError::Stage(StageError::Incomplete { stage, done, total })) => {
            if stop.is_stopped() || shard.is_whole() {
                bail!(
                    "stopped after {done} of {total} units of `{stage}`; the same command goes on from there"
                );
            }
            say!(
                "part {shard} of stage `{stage}` is done: {done} of its {total} units are here; {joins}"
            );
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Writes a plan to a file.
pub fn write_plan(plan: &Plan, file: &Path) -> anyhow::Result<()> {
    write_file(file, plan.to_text().as_bytes(), false)?;
    say!("plan written; `yomikiri run {}` does it", file.display());
    Ok(())
}

/// This process, with what the command line says about it.
pub fn context() -> Context {
    Context {
        input: limits(),
        language: language::get(),
        notation: language::notation(),
        ..Context::here()
    }
}

/// The same for a command that reads these files; one of them may be standard input.
pub fn context_for<'p>(paths: impl IntoIterator<Item = &'p Path>) -> anyhow::Result<Context> {
    Ok(Context { standard: source(paths)?.standard.map(Into::into), ..context() })
}

/// The bar of this process, which does one run at a time.
pub static BAR: StageBar = StageBar::new();

/// Prints a line above the bar.
pub fn print_line(line: &str) {
    BAR.suspend(|| println!("{line}"));
}

/// Says beside the bar what is going on.
pub fn note(text: String) {
    BAR.message(text);
}
