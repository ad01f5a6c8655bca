//! `yomikiri lab`: experiments that can be interrupted, repeated and cited.

use super::long_run::{BAR, Job, LongRunArgs, context, execute};
use crate::interrupt::stop_on_interrupt;
use crate::language;
use crate::output::make_folder;
use anyhow::{bail, ensure};
use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use yomikiri_base::process::processors;
use yomikiri_lab::manifest::Manifest;
use yomikiri_lab::papers::speculative::human::HumanSession;
use yomikiri_lab::papers::speculative::keyboard::{Keyboard, welcome};
use yomikiri_lab::papers::{list, named};
use yomikiri_lab::run::config_table;
use yomikiri_lab::stored::MANIFEST_FILE;
use yomikiri_lab::{Comparison, LabPlan, RunOptions};
use yomikiri_play::person::typed_lines;
use yomikiri_runs::{Front, Plan};

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
    /// Measure again what a manifest describes, and compare
    ///
    /// Settings and seed are those of the manifest, which lies beside every page; files that the
    /// program does not carry are read where they were.
    Rerun(RerunArgs),
    /// Compare two folders of results of one experiment: what was asked, verdicts, tables
    Compare {
        /// One folder, in which manifest.json is
        #[arg(value_name = "A")]
        first: PathBuf,
        /// The other
        #[arg(value_name = "B")]
        second: PathBuf,
    },
    /// Make the tables and pages of a folder again from the results stored in it, without
    /// measuring, and the index over all of them
    Report {
        /// The folder of results
        #[arg(value_name = "DIR", default_value = "lab-results")]
        folder: PathBuf,
        /// The folder of results
        #[arg(long, value_name = "DIR", hide = true)]
        out: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct RerunArgs {
    /// The manifest.json of a result
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// Where results go; each experiment has a folder in it
    #[arg(long, value_name = "DIR", default_value = "lab-rerun")]
    out: PathBuf,
    /// Threads at work [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    run: LongRunArgs,
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
    /// line, `startpos moves ...` in the first column, packed or not (probcut, bonanza,
    /// speculative-positions)
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Problems made by people, to be asked beside those that the project carries: one a line,
    /// a position and its right moves with a tab between them, or JSON with sfen and answers
    /// (probcut, singular)
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
    #[command(flatten)]
    run: LongRunArgs,
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

impl RunArgs {
    fn plan(&self, experiment: &str, settings: toml::Table) -> LabPlan {
        let (experiment, quick, seed) = (experiment.to_string(), self.quick, self.seed);
        let (games, problems) = (self.games.clone(), self.problems.clone());
        LabPlan { experiment, quick, seed, settings, games, problems }
    }
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::List => print!("{}", list(language::get())),
        Action::Run(args) => run_all(args)?,
        Action::Rerun(args) => rerun(args)?,
        Action::Compare { first, second } => print!("{}", Comparison::of(first, second)?),
        Action::Report { folder, out } => report(out.as_ref().unwrap_or(folder))?,
    }
    Ok(())
}

/// Does again what a manifest describes.
fn rerun(args: &RerunArgs) -> anyhow::Result<()> {
    let manifest = Manifest::read(&args.manifest)?;
    let plan = LabPlan::of_manifest(&manifest)?;
    let own = plan.folder(&args.out);
    let mut job = Job::new(&args.run, &args.out, args.threads.unwrap_or_else(processors));
    execute(&Plan::Lab(plan), &mut job, &mut Front::default())?;
    let before = args.manifest.parent().unwrap_or(Path::new("."));
    if own.join(MANIFEST_FILE).exists() {
        print!("{}", Comparison::of(before, &own)?);
    }
    Ok(())
}

/// Renders what is stored.
fn report(folder: &Path) -> anyhow::Result<()> {
    let count = yomikiri_runs::report(folder, &context())?;
    if count == 0 {
        bail!("{}: no experiment has left results here", folder.display());
    }
    let page = folder.join("index.html");
    say!("{} in {}", yomikiri_text::counted(count, "experiment"), page.display());
    Ok(())
}

fn run_all(args: &RunArgs) -> anyhow::Result<()> {
    let names = named(&args.names)?;
    ensure!(
        args.human.is_none() || names == ["speculative"],
        "--human belongs to `lab run speculative` alone"
    );
    ensure!(args.carry.is_none() || names.len() == 1, "--carry belongs to one experiment alone");
    ensure!(
        args.run.is_simple() || names.len() == 1,
        "--plan, --shard and --from take one experiment"
    );
    if let Some(name) = &args.human {
        return run_human(args, name);
    }
    let mut job = Job::new(&args.run, &args.out, args.threads.unwrap_or_else(processors));
    for name in names {
        let settings = args.config.as_deref().map(|path| config_table(path, name)).transpose()?;
        let plan = args.plan(name, settings.unwrap_or_default());
        job.carry.clone_from(&args.carry);
        execute(&Plan::Lab(plan), &mut job, &mut Front::default())?;
    }
    Ok(())
}

/// The person at the keyboard is the subject of one more experiment.
fn run_human(args: &RunArgs, name: &str) -> anyhow::Result<()> {
    make_folder(&args.out)?;
    let options = RunOptions {
        config: args.config.clone(),
        settings: None,
        threads: args.threads.unwrap_or_else(processors),
        input: crate::input::limits(),
        stop: stop_on_interrupt("")?,
        ..args.plan("speculative", toml::Table::new()).options(&args.out)
    };
    println!("{}", welcome(name));
    let keyboard = Keyboard {
        lines: typed_lines(BufReader::new(std::io::stdin())),
        screen: std::io::stdout(),
        colours: std::io::stdout().is_terminal(),
        language: language::get(),
        notation: language::notation(),
    };
    let session = HumanSession::of_attacker(name, args.human_positions, Box::new(keyboard));
    let summary = yomikiri_lab::run::run(&session, &options, &BAR)?;
    print!("{}", summary.to_text(language::get()));
    Ok(())
}
