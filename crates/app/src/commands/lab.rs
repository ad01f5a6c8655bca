//! `yomikiri lab`: experiments that can be interrupted, repeated and cited.

mod human;

use super::processors;
use crate::interrupt::stop_on_interrupt;
use crate::output::make_folder;
use anyhow::{Context, bail, ensure};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use yomikiri_base as base;
use yomikiri_lab::experiments::{ALL, find};
use yomikiri_lab::page::{duration, write_index};
use yomikiri_lab::{Progress, RunOptions};

/// What to do with experiments.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Name every experiment and what it asks
    List,
    /// Run experiments and write tables, plots and an HTML page each
    ///
    /// A run can be stopped at any moment (Ctrl-C) and goes on where it was when the same command
    /// is given again.
    Run(RunArgs),
    /// Write the index page again over all results in a folder
    Report {
        /// The folder of results
        #[arg(long, value_name = "DIR", default_value = "lab-results")]
        out: PathBuf,
    },
}

#[derive(clap::Args)]
struct RunArgs {
    /// Names of experiments, or `all`
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// A short form that takes minutes, for a first look and for continuous integration
    #[arg(long)]
    quick: bool,
    /// Where results go; each experiment has a folder in it
    #[arg(long, value_name = "DIR", default_value = "lab-results")]
    out: PathBuf,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads at work [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// A TOML file with a table of settings for each experiment
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Games to measure beside those that the project carries, or to mine instead of them: one a
    /// line, `startpos moves ...` in the first column, packed or not (probcut,
    /// progress, speculative-positions)
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Take finished units over from the log (work-….jsonl) of a run of another build or with
    /// other sizes; the page says which commit measured how much. Units whose measurement has
    /// changed since must not be in it
    #[arg(long, value_name = "FILE")]
    carry: Option<PathBuf>,
    /// You are the subject: mate lost positions at this keyboard, 30 seconds a move; your results
    /// join the table under this name (speculative)
    #[arg(long, value_name = "NAME")]
    human: Option<String>,
    /// Positions for the subject, those of earlier sessions included
    #[arg(long, value_name = "N", default_value_t = 11, requires = "human")]
    human_positions: usize,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::List => {
            for experiment in ALL {
                println!("{:<12} {}", experiment.name(), experiment.title());
                println!("{:<12} {}\n", "", experiment.question());
            }
            Ok(())
        }
        Action::Run(args) => run_all(args),
        Action::Report { out } => {
            let count = write_index(out).with_context(|| out.display().to_string())?;
            if count == 0 {
                bail!("{}: no experiment has left results here", out.display());
            }
            println!("{count} experiments in {}", out.join("index.html").display());
            Ok(())
        }
    }
}

fn run_all(args: &RunArgs) -> anyhow::Result<()> {
    let names: Vec<&str> = match args.names.iter().any(|name| name == "all") {
        true => ALL.iter().map(|experiment| experiment.name()).collect(),
        false => args.names.iter().map(String::as_str).collect(),
    };
    let mut experiments = Vec::new();
    ensure!(
        args.human.is_none() || names == ["speculative"],
        "--human belongs to `lab run speculative` alone"
    );
    ensure!(args.carry.is_none() || names.len() == 1, "--carry belongs to one experiment alone");
    let session = args.human.as_ref().map(|name| human::session(name, args.human_positions));
    for name in names {
        experiments.push(find(name).with_context(|| {
            format!("there is no experiment `{name}`; `yomikiri lab list` names them")
        })?);
    }
    make_folder(&args.out)?;
    let stop = stop_on_interrupt("")?;
    for experiment in experiments {
        let options = RunOptions {
            quick: args.quick,
            out: args.out.clone(),
            seed: args.seed,
            threads: args.threads.unwrap_or_else(processors),
            config: args.config.clone(),
            games: args.games.clone(),
            carry: args.carry.clone(),
            command: command_line(experiment.name(), args),
            input: crate::input::limits(),
            stop: stop.clone(),
        };
        let bar = Bar::default();
        let experiment = session.as_ref().map_or(experiment, |session| session);
        let summary = yomikiri_lab::run::run(experiment, &options, &bar)?;
        println!("{}", summary.title);
        for finding in &summary.findings {
            println!("  {}: {}. {}", finding.claim, finding.verdict.word(), finding.words);
        }
        let page = args.out.join(experiment.name()).join("index.html");
        println!("  {} of work; {}", duration(summary.manifest.work_seconds), page.display());
    }
    Ok(())
}

/// The command that makes one experiment again.
fn command_line(name: &str, args: &RunArgs) -> String {
    let mut command = format!("yomikiri lab run {name}");
    if args.quick {
        command += " --quick";
    }
    if args.seed != 1 {
        command += &format!(" --seed {}", args.seed);
    }
    if let Some(config) = &args.config {
        command += &format!(" --config {}", config.display());
    }
    if let Some(games) = &args.games {
        command += &format!(" --games {}", games.display());
    }
    command
}

/// A bar for each stage, with the time left.
#[derive(Default)]
struct Bar(Mutex<Option<base::Progress>>);

impl Bar {
    fn with(&self, action: impl FnOnce(&base::Progress)) {
        if let Some(bar) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            action(bar);
        }
    }
}

impl Progress for Bar {
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
