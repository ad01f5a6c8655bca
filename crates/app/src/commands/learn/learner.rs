//! What `learn eval`, `learn network` and `learn policy` share: checkpoints, limits, the bar.

use crate::commands::long_run::write_plan;
use crate::input::{limits, name, read_bytes};
use crate::interrupt::stop_on_interrupt;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, bail};
use core::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use yomikiri_base::Progress;
use yomikiri_base::process::processors;
use yomikiri_lab::manifest::commit;
use yomikiri_learn::learner::{LearnPlan, LearnerHost, LearnerProgress};
use yomikiri_runs::Plan;
use yomikiri_text::counted;

/// Options of a learner.
#[derive(clap::Args)]
pub struct LearnerArgs {
    /// Where the result goes; the lineage of a network goes beside it, with the ending .json
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file that --out names if it exists
    #[arg(long)]
    force: bool,
    /// A TOML file with the learner's constants; what it does not name keeps its default
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A file to save the run in now and then, and to go on from if it exists: a run can be stopped
    /// at any moment (Ctrl-C), and comes to the result of an unbroken one
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Threads; the result is the same for any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// End after this many minutes with what has been learned so far
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Write the plan of the run to this file and do nothing else; `yomikiri run FILE` does it
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
}

/// Reads the constants of a learner.
pub fn config<C: Default, E: std::error::Error + Send + Sync + 'static>(
    args: &LearnerArgs,
    read: fn(&str) -> Result<C, E>,
) -> anyhow::Result<C> {
    let Some(path) = &args.config else { return Ok(C::default()) };
    let text = String::from_utf8_lossy(&read_bytes(path)?).into_owned();
    read(&text).with_context(|| name(path))
}

/// Learns what a plan says. A run that goes on replaces what it wrote when it was stopped, if that
/// is what `ours` knows.
pub fn learn<P: LearnPlan>(
    args: &LearnerArgs,
    plan: P,
    wrap: fn(P) -> Plan,
    ours: fn(&[u8]) -> bool,
) -> anyhow::Result<()> {
    if let Some(file) = &args.plan {
        return write_plan(&wrap(plan), file);
    }
    let goes_on = args.checkpoint.as_ref().is_some_and(|path| path.exists());
    let force = args.force || goes_on && std::fs::read(&args.out).is_ok_and(|it| ours(&it));
    let sidecar = args.out.with_extension("json");
    ensure_writable(&args.out, force)?;
    let threads = args.threads.unwrap_or_else(processors);
    let learner = plan.load(limits())?;
    for note in learner.notes() {
        eprintln!("{note}");
    }
    let stop = stop_on_interrupt("")?;
    let (bar, began) = (Progress::new(0, 0), Instant::now());
    let limit = args.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
    let mut before = None;
    let mut done = 0;
    let mut on_step = |step: &LearnerProgress| {
        let earlier = step.done - 1;
        if before.is_none() && earlier > 0 {
            bar.suspend(|| eprintln!("going on after {}", counted(earlier, "step")));
        }
        before.get_or_insert(earlier);
        done = step.done;
        bar.set_total(step.total);
        bar.set(step.done);
        bar.message(&step.text);
        if let Some(measured) = &step.measured {
            bar.suspend(|| eprintln!("{measured}"));
        }
        let late = limit.is_some_and(|limit| began.elapsed() >= limit);
        if late || stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (checkpoint, commit) = (args.checkpoint.as_deref(), commit());
    let host = LearnerHost { checkpoint, threads, commit, on_step: &mut on_step, elsewhere: None };
    let learned = learner.run(host)?;
    bar.finish();
    write_file(&args.out, &learned.bytes, force)?;
    if let Some(lineage) = &learned.lineage {
        write_file(&sidecar, lineage, force)?;
    }
    let (now, seconds) = (done - before.unwrap_or(done), began.elapsed().as_secs_f64());
    let (steps, threads) = (counted(now, "step"), counted(threads, "thread"));
    let out = args.out.display();
    say!("{}\n{steps} in {seconds:.1} s on {threads}\nwritten to {out}", learned.text);
    if !learned.finished && args.minutes.is_none() {
        let how = if checkpoint.is_some() { "" } else { "with --checkpoint " };
        bail!("interrupted; {how}the same command goes on from here");
    }
    Ok(())
}
