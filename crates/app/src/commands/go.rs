//! `yomikiri go solve`: can a block be captured?

use super::go_read::{self, BoundArgs, sgf_text};
use super::long_run::{Job, LongRunArgs, execute_in, print_line};
use crate::input::read_text;
use crate::interrupt::stop_on_interrupt;
use crate::language;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use yomikiri_base::output_files::same_file;
use yomikiri_go::capture::Moves;
use yomikiri_go::questions::{MOST_POSITIONS, QuestionSettings, of_sgf};
use yomikiri_proof::game::Role;
use yomikiri_proof::widening::Width;
use yomikiri_runs::{Front, GoSolvePlan, Plan, TIMES_FILE, go_text};
use yomikiri_text::Capture;

/// What to do with Go.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Solve a capture problem of an SGF file, or a whole set in JSON lines
    ///
    /// The answer is one of: unconditional (1), cannot (0), by ko with the opponent to find the
    /// first threat (2), by ko with the asking side to find it (3), unknown. With all legal moves
    /// it is a proof. "Cannot" means: not without letting the block reach the liberties given by
    /// --give-up.
    Solve(SolveArgs),
    /// Read every block of an SGF position: can it be captured, can it be saved?
    Read(go_read::ReadArgs),
    /// Show the candidates of a block with their first numbers, as in the paper's figures
    Candidates(go_read::BlockArgs),
    /// Ask the paper's variants of widening about a block of one's own
    Compare(go_read::BlockArgs),
}

#[derive(clap::Args)]
struct SolveArgs {
    /// An SGF file, SGF text beginning with `(;`, or a set (.jsonl, .jsonl.zst)
    #[arg(value_name = "FILE|SGF", required_unless_present = "json")]
    input: Option<String>,
    /// A stone of the block in question, such as D4 (SGF only)
    #[arg(long, value_name = "POINT")]
    target: Option<String>,
    /// The attacker moves first (the default for SGF)
    #[arg(long, conflicts_with = "defend")]
    attack: bool,
    /// The defender moves first
    #[arg(long)]
    defend: bool,
    #[command(flatten)]
    bounds: BoundArgs,
    /// Which moves are tried: `all` legal ones, each searched, as in the paper; `zones`, which
    /// leaves out those that change nothing on which the answer rests; `heuristic`, those near the
    /// block only, as in the paper, which proves nothing
    #[arg(long, default_value_t = Moves::All)]
    moves: Moves,
    /// Which children count in the search: all, top:N or rate:N
    #[arg(long, default_value = "top:5")]
    width: Width,
    /// Play with positional superko and no threats: the answer is then 1 or 0
    #[arg(long)]
    superko: bool,
    /// Check every solved search of a set on a slow, independent board; an SGF is always checked
    #[arg(long, conflicts_with = "superko")]
    verify: bool,
    /// Write one JSON object a line (id, result, line, nodes, seconds) to OUT; without OUT to
    /// standard output, and nothing else there
    #[arg(long, value_name = "OUT", num_args = 0..=1)]
    json: Option<Option<String>>,
    /// Replace the file that --json names if it exists
    #[arg(long)]
    force: bool,
    /// Keep the run of a set in this folder; the same command goes on after an interruption
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: LongRunArgs,
}

impl SolveArgs {
    /// What to solve, and the file for JSON lines; `--json SET` alone names what to solve.
    fn files(&self) -> anyhow::Result<(&str, Option<&Path>)> {
        let out = self.json.as_ref().and_then(Option::as_deref);
        let (input, out) = match (self.input.as_deref(), out) {
            (Some(input), out) => (input, out),
            (None, Some(input)) => (input, None),
            (None, None) => bail!("give an SGF or a set to solve"),
        };
        if let Some(out) = out.map(Path::new) {
            if same_file(Path::new(input), out) {
                bail!("--json {} would write over what is to be solved", out.display());
            }
            ensure_writable(out, self.force)?;
        }
        Ok((input, out.map(Path::new)))
    }

    /// Writes or prints the JSON that the options name.
    fn give_json(&self, lines: &str, file: Option<&Path>) -> anyhow::Result<()> {
        match (&self.json, file) {
            (None, _) => {}
            (Some(_), Some(file)) => write_file(file, lines.as_bytes(), self.force)?,
            (Some(_), None) => print!("{lines}"),
        }
        Ok(())
    }

    fn settings(&self, is_set: bool) -> anyhow::Result<QuestionSettings> {
        let proves = self.moves != Moves::Heuristic && !self.superko;
        let verify = if self.verify || !is_set && proves { MOST_POSITIONS } else { 0 };
        let &SolveArgs { moves, width, superko, .. } = self;
        let BoundArgs { nodes, give_up, .. } = self.bounds;
        let settings = QuestionSettings { moves, width, nodes, give_up, superko, verify };
        settings.check()?;
        Ok(settings)
    }
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let args = match &args.action {
        Action::Solve(args) => args,
        Action::Read(args) => return go_read::read(args),
        Action::Candidates(args) => return go_read::candidates(args),
        Action::Compare(args) => return go_read::compare(args),
    };
    let (input, json_file) = args.files()?;
    let is_set = input.ends_with(".jsonl") || input.ends_with(".jsonl.zst");
    let settings = args.settings(is_set)?;
    match is_set {
        true => solve_set(input, args, settings, json_file),
        false => solve_sgf(input, args, &settings, json_file),
    }
}

fn solve_set(
    input: &str,
    args: &SolveArgs,
    settings: QuestionSettings,
    json_file: Option<&Path>,
) -> anyhow::Result<()> {
    if args.target.is_some() || args.attack || args.defend || args.bounds.until.is_some() {
        bail!("--target, --attack, --defend and --until are for an SGF; a set carries its own");
    }
    let plan = Plan::GoSolve(GoSolvePlan { set: input.into(), settings });
    let words = args.json.is_none() || json_file.is_some();
    let line = words.then_some(&print_line as &(dyn Fn(&str) + Sync));
    let mut front = Front { line, ..Front::default() };
    let mut job = Job::new(&args.run, Path::new(""), 1);
    let done = execute_in(args.out.as_deref(), &plan, &mut job, &mut front)?;
    let Some(done) = done else { return Ok(()) };
    let path = done.folder.join(TIMES_FILE);
    args.give_json(&read_text(&path)?, json_file)?;
    if words {
        print!("{}", done.text);
    }
    Ok(())
}

fn solve_sgf(
    input: &str,
    args: &SolveArgs,
    settings: &QuestionSettings,
    json_file: Option<&Path>,
) -> anyhow::Result<()> {
    let name = if input.trim_start().starts_with('(') { "SGF" } else { input };
    let text = sgf_text(input)?;
    let target = args.target.as_deref().context("--target POINT says which block (such as D4)")?;
    let first = if args.defend { Role::Defender } else { Role::Attacker };
    let (problem, notes) = of_sgf(name, &text, args.bounds.until, target, first)?;
    for note in notes {
        eprintln!("{name}: {note}");
    }
    let words = Capture(language::get());
    let says = args.json.is_none() || json_file.is_some();
    if says {
        println!("{}\n{}", problem.board, go_text::question(&problem, words));
    }
    let solution = settings.answer(&problem, stop_on_interrupt("")?.flag())?;
    if says {
        print!("{}", go_text::report(&problem, &solution, settings, words));
    }
    args.give_json(&go_text::json_line(&problem, &solution), json_file)
}
