//! What all long runs share: the plan, shards, the bar, and where Ctrl-C leads.

use crate::input::limits;
use crate::interrupt::stop_on_interrupt;
use crate::output::{make_folder, write_file};
use anyhow::{Context as _, bail, ensure};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use yomikiri_base as base;
use yomikiri_base::stages::{NoProgress, StageError, StageProgress};
use yomikiri_base::{Shard, StopToken};
use yomikiri_runs::{Context, Front, Local, Plan, Report, RunsError, run_local};

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

/// How a run is done here.
pub struct Job<'a> {
    /// The options that all runs have.
    pub args: &'a LongRunArgs,
    /// Where results go.
    pub out: &'a Path,
    /// Threads.
    pub threads: usize,
    /// Whether each keeps to a core of its own.
    pub affinity: bool,
    /// A log of another run whose units are taken over.
    pub carry: Option<PathBuf>,
    /// Whether a bar is drawn.
    pub bar: bool,
}

/// Where a run keeps itself that gives its result elsewhere.
#[derive(clap::Args)]
pub struct Work {
    /// Keep the run in this folder, where the same command goes on after an interruption
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// A run that is done, in a folder that may be gone with it.
pub struct Done {
    folder: PathBuf,
    kept: Option<tempfile::TempDir>,
    /// What it came to in words.
    pub text: String,
}

impl Done {
    /// Where its files are.
    pub fn folder(&self) -> &Path {
        self.kept.as_ref().map_or(&self.folder, |kept| kept.path())
    }
}

/// Does a run that gives its result elsewhere. Nothing if only a part or a plan was asked for.
pub fn execute_in(
    work: &Work,
    plan: &Plan,
    args: &LongRunArgs,
    threads: usize,
) -> anyhow::Result<Option<Done>> {
    if let Some(file) = &args.plan {
        write_plan(plan, file)?;
        return Ok(None);
    }
    ensure!(
        work.folder.is_some() || args.is_simple(),
        "--shard and --from need a folder to keep the run in: give --folder DIR"
    );
    let kept = match &work.folder {
        Some(_) => None,
        None => Some(tempfile::tempdir().context("no folder for the run")?),
    };
    let folder = work.folder.clone().unwrap_or_default();
    let mut done = Done { folder, kept, text: String::new() };
    let out = done.folder().to_path_buf();
    let job = Job { args, out: &out, threads, affinity: false, carry: None, bar: true };
    let report = report_of(&mut None, plan, &job, &mut Front::default())?;
    Ok(report.map(|report| {
        done.text = report.text;
        done
    }))
}

impl LongRunArgs {
    /// Whether it is an ordinary, whole run.
    pub fn is_simple(&self) -> bool {
        self.plan.is_none() && self.from.is_none() && self.shard.is_whole()
    }
}

/// Writes the plan, if that was asked for, or does it and prints what it comes to.
pub fn execute(plan: &Plan, job: &Job<'_>, front: &mut Front<'_>) -> anyhow::Result<()> {
    execute_after(&mut None, plan, job, front)
}

/// The same for one of several runs of a command, which share what Ctrl-C stops.
pub fn execute_after(
    stop: &mut Option<StopToken>,
    plan: &Plan,
    job: &Job<'_>,
    front: &mut Front<'_>,
) -> anyhow::Result<()> {
    if let Some(file) = &job.args.plan {
        return write_plan(plan, file);
    }
    if let Some(report) = report_of(stop, plan, job, front)? {
        print!("{}", report.text);
    }
    Ok(())
}

/// Does a run; nothing where only a part of a stage was to be done.
fn report_of(
    stop: &mut Option<StopToken>,
    plan: &Plan,
    job: &Job<'_>,
    front: &mut Front<'_>,
) -> anyhow::Result<Option<Report>> {
    make_folder(job.out)?;
    let stop = match stop {
        Some(stop) => stop.clone(),
        None => {
            let listening = stop_on_interrupt("stopping; the same command goes on from here")?;
            stop.insert(listening).clone()
        }
    };
    let bar = Bar::default();
    let shard = job.args.shard;
    let local = Local {
        threads: job.threads,
        shard,
        stop: stop.clone(),
        progress: if job.bar { &bar } else { &NoProgress },
        from: job.args.from.clone(),
        carry: job.carry.clone(),
        works: true,
    };
    let joins = "`yomikiri merge --out DIR PART..` joins the folders of all parts";
    match run_local(plan, job.out, &local, &context(job.affinity), front) {
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
            println!(
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
    println!("plan written; `yomikiri run {}` does it", file.display());
    Ok(())
}

/// This process, with what the command line says about it.
pub fn context(affinity: bool) -> Context {
    Context { input: limits(), affinity, ..Context::here() }
}

/// A bar for each stage, with the time left.
#[derive(Default)]
pub struct Bar(Mutex<Option<base::Progress>>);

impl Bar {
    fn with(&self, action: impl FnOnce(&base::Progress)) {
        if let Some(bar) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            action(bar);
        }
    }
}

impl StageProgress for Bar {
    fn begin(&self, stage: &str, total: usize, done: usize) {
        let bar = base::Progress::new(total, done);
        bar.message(stage);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
    }

    fn advance(&self) {
        self.with(base::Progress::advance);
    }

    fn end(&self) {
        self.with(base::Progress::finish);
    }
}
