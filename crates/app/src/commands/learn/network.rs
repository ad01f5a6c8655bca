//! `learn network`.

use super::ForceArgs;
use crate::commands::{long_run, processors};
use crate::interrupt::stop_on_interrupt;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, bail};
use core::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::{Progress, StopToken};
use yomikiri_lab::manifest::commit;
use yomikiri_learn::network::checkpoint::{self, CheckpointError};
use yomikiri_learn::network::lineage::Lineage;
use yomikiri_learn::network::trainer::Measurement;
use yomikiri_learn::network::{Config, Report, Trainer};
use yomikiri_runs::{NetworkPlan, Plan};

/// Options of `learn network`.
#[derive(clap::Args)]
pub struct NetworkArgs {
    /// A TOML file with every constant of the run; what it does not name keeps its default
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Files to learn from instead of those in the config: positions (.psv, .bin, .hcpe) or scored
    /// games; may be compressed with zstd
    #[arg(long, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Where the network goes; its lineage goes beside it, with the ending .json
    #[arg(long, value_name = "NETWORK")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// A file to save the run in now and then, and to go on from if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Threads; the result is the same for any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// End after so many minutes with what has been learned so far
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Write the plan of the run to this file and do nothing else; `yomikiri run FILE` does it
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
}

/// Between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(60);

impl NetworkArgs {
    fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            None => Config::default(),
            Some(path) => {
                let name = || path.display().to_string();
                Config::from_toml(&std::fs::read_to_string(path).with_context(name)?)
                    .with_context(name)?
            }
        };
        if !self.data.is_empty() {
            config.data.files.clone_from(&self.data);
        }
        if config.data.files.is_empty() {
            bail!("no files to learn from: name them with --data or in the config");
        }
        Ok(config)
    }

    fn trainer(&self, config: Config) -> anyhow::Result<Trainer> {
        match self.checkpoint.as_ref().filter(|path| path.exists()) {
            Some(path) => {
                let trainer = checkpoint::load(path, config)?;
                eprintln!("going on after {} positions", trainer.positions());
                Ok(trainer)
            }
            None => Ok(Trainer::new(config)?),
        }
    }
}

/// What a run looks at after each step.
struct Watch<'a> {
    args: &'a NetworkArgs,
    bar: Progress,
    stop: &'a StopToken,
    began: Instant,
    saved: Instant,
    last: Option<Measurement>,
    failure: Option<CheckpointError>,
}

impl Watch<'_> {
    fn step(&mut self, trainer: &Trainer, report: &Report) -> ControlFlow<()> {
        self.bar.set(report.positions as usize);
        if let Some(measurement) = report.measurement {
            self.last = Some(measurement);
            self.bar.suspend(|| eprintln!("{}", text(&measurement)));
        }
        let aside =
            self.last.map_or(String::new(), |it| format!(" aside {:.5}", it.quantised_loss));
        self.bar.message(format!("loss {:.5}{aside}", report.loss));
        let limit = self.args.minutes.map(|it| Duration::from_secs(it.saturating_mul(60)));
        let late = limit.is_some_and(|limit| self.began.elapsed() >= limit);
        let ends = late || self.stop.is_stopped() || report.step == report.steps;
        if let Some(path) = &self.args.checkpoint
            && (ends || self.saved.elapsed() >= SAVE_EVERY)
        {
            self.saved = Instant::now();
            self.failure = checkpoint::save(path, trainer).err();
        }
        match ends || self.failure.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

fn text(it: &Measurement) -> String {
    format!(
        "{} positions: loss {:.5}, on what is kept aside {:.5}, as written {:.5}",
        it.positions, it.training_loss, it.validation_loss, it.quantised_loss
    )
}

/// Learns a network.
pub fn network(args: &NetworkArgs) -> anyhow::Result<()> {
    let config = args.config()?;
    if let Some(file) = &args.plan {
        return long_run::write_plan(&Plan::LearnNetwork(NetworkPlan { config }), file);
    }
    let goes_on = args.checkpoint.as_ref().is_some_and(|path| path.exists());
    // A run that goes on replaces what it wrote when it was stopped.
    let force = args.force.force || goes_on;
    let sidecar = args.out.with_extension("json");
    ensure_writable(&args.out, force)?;
    ensure_writable(&sidecar, force)?;
    let mut trainer = args.trainer(config)?;
    let threads = args.threads.unwrap_or_else(processors);
    let stop = stop_on_interrupt("")?;
    let (began, before) = (Instant::now(), trainer.positions());
    let bar = Progress::new(trainer.config.optimizer.positions as usize, before as usize);
    let last = trainer.history.last().copied();
    let mut watch = Watch { args, bar, stop: &stop, began, saved: began, last, failure: None };
    let finished = trainer.run(threads, &mut |trainer, report| watch.step(trainer, report))?;
    watch.bar.finish();
    if let Some(error) = watch.failure {
        return Err(error.into());
    }
    write(&trainer, &args.out, &sidecar, force)?;
    let speed = (trainer.positions() - before) as f64 / began.elapsed().as_secs_f64();
    println!("{} positions, {speed:.0} a second on {threads} threads", trainer.positions());
    if let Some(measurement) = trainer.history.last() {
        println!("{}", text(measurement));
    }
    println!("network written to {}", args.out.display());
    if !finished && args.minutes.is_none() {
        bail!("interrupted; with --checkpoint the same command goes on from here");
    }
    Ok(())
}

fn write(trainer: &Trainer, out: &Path, sidecar: &Path, force: bool) -> anyhow::Result<()> {
    let bytes = trainer.parameters().to_bytes()?;
    let lineage = Lineage::new(trainer, sha256_hex(&bytes), Some(commit().to_string()));
    write_file(out, &bytes, force)?;
    write_file(sidecar, lineage.to_json()?.as_bytes(), force)
}
