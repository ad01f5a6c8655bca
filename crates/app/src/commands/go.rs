//! `yomikiri go solve`: can a block be captured?

use crate::input::read_text;
use crate::interrupt::stop_on_interrupt;
use crate::output::{StandardOutput, ensure_writable, printable, same_file};
use anyhow::{Context, bail};
use clap::ValueEnum;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::Ordering;
use yomikiri_base::Progress;
use yomikiri_go::board::{Colour, Move, Point};
use yomikiri_go::capture::{
    Doubt, GIVE_UP, Ko, Moves, NODE_LIMIT, Settings, Solution, search, solve,
};
use yomikiri_go::problem::{Answer, Problem};
use yomikiri_go::{problem, sgf};
use yomikiri_proof::game::Role;
use yomikiri_proof::widening::Width;

/// The independent check gives up beyond this many positions.
const MOST_POSITIONS: usize = 20_000;

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
    Read(super::go_read::ReadArgs),
    /// Show the candidates of a block with their first numbers, as in the paper's figures
    Candidates(super::go_read::BlockArgs),
    /// Ask the paper's variants of widening about a block of one's own
    Compare(super::go_read::BlockArgs),
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
    /// The position after this many moves of the SGF's main line [default: the end]
    #[arg(long, value_name = "N")]
    until: Option<usize>,
    /// Which moves are tried: `all` and `zones` give proofs, `heuristic` can be wrong
    #[arg(long, value_enum, default_value_t = MovesArg::All)]
    moves: MovesArg,
    /// Which children count in the search: all, top:N or rate:N
    #[arg(long, default_value = "top:5", value_parser = parse_width)]
    width: Width,
    /// Most nodes of one search (a question can take three)
    #[arg(long, default_value_t = NODE_LIMIT)]
    nodes: u64,
    /// The attacker gives up when the block has this many liberties; 0 = never
    #[arg(long, value_name = "N", default_value_t = GIVE_UP)]
    give_up: u32,
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
}

impl SolveArgs {
    /// What to solve, and the file for JSON lines; `--json SET` alone names what to solve.
    fn files(&self) -> anyhow::Result<(&str, Option<&str>)> {
        let out = self.json.as_ref().and_then(Option::as_deref);
        let (input, out) = match (self.input.as_deref(), out) {
            (Some(input), out) => (input, out),
            (None, Some(input)) => (input, None),
            (None, None) => bail!("give an SGF or a set to solve"),
        };
        if let Some(out) = out {
            if same_file(Path::new(input), Path::new(out)) {
                bail!("--json {out} would write over what is to be solved");
            }
            ensure_writable(Path::new(out), self.force)?;
        }
        Ok((input, out))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MovesArg {
    /// All legal moves, but those left out that change nothing on which the answer rests
    Zones,
    /// All legal moves, each searched, as in the paper
    All,
    /// Moves near the block only, as in the paper
    Heuristic,
}

fn parse_width(text: &str) -> Result<Width, String> {
    let number = |text: &str| match text.parse::<u32>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is not a positive number")),
    };
    match text.split_once(':') {
        None if text == "all" => Ok(Width::All),
        Some(("top", n)) => number(n).map(Width::Top),
        Some(("rate", n)) => number(n).map(Width::Rate),
        _ => Err("expected all, top:N or rate:N".into()),
    }
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let args = match &args.action {
        Action::Solve(args) => args,
        Action::Read(args) => return super::go_read::read(args),
        Action::Candidates(args) => return super::go_read::candidates(args),
        Action::Compare(args) => return super::go_read::compare(args),
    };
    let stop = stop_on_interrupt("")?.flag();
    let (input, json_file) = args.files()?;
    let is_set = input.ends_with(".jsonl") || input.ends_with(".jsonl.zst");
    let heuristic = args.moves == MovesArg::Heuristic;
    if args.verify && heuristic {
        bail!("--verify checks proofs, and heuristic moves give none: leave one of them out");
    }
    if args.give_up == 1 {
        bail!("--give-up 1: a block has one liberty before it is taken; give 0 or at least 2");
    }
    let check = !heuristic && !args.superko && (args.verify || !is_set);
    let settings = Settings {
        verify: if check { MOST_POSITIONS } else { 0 },
        give_up: (args.give_up > 0).then_some(args.give_up),
        nodes: args.nodes,
        width: args.width,
        stop,
        ..Settings::with_moves(match args.moves {
            MovesArg::Zones => Moves::Zones,
            MovesArg::All => Moves::All,
            MovesArg::Heuristic => Moves::Heuristic,
        })
    };
    let problems = if is_set { read_set(input, args)? } else { vec![read_sgf(input, args)?] };
    let mut report = Report::new(args.json.is_some(), json_file)?;
    if is_set {
        solve_set(&problems, args, &settings, &mut report)
    } else {
        solve_one(&problems[0], args, &settings, &mut report)
    }
}

fn read_set(input: &str, args: &SolveArgs) -> anyhow::Result<Vec<Problem>> {
    if args.target.is_some() || args.attack || args.defend || args.until.is_some() {
        bail!("--target, --attack, --defend and --until are for an SGF; a set carries its own");
    }
    let text = read_text(Path::new(input))?;
    problem::read(&text).with_context(|| input.to_string())
}

fn read_sgf(input: &str, args: &SolveArgs) -> anyhow::Result<Problem> {
    let given = input.trim_start();
    let (name, text) = if given.starts_with('(') {
        ("SGF".to_string(), given.to_string())
    } else {
        let bytes = std::fs::read(input).with_context(|| input.to_string())?;
        (input.to_string(), String::from_utf8_lossy(&bytes).into_owned())
    };
    let position = sgf::read(&text, args.until).with_context(|| name.clone())?;
    for note in &position.notes {
        eprintln!("{name}: {note}");
    }
    let target = args.target.as_deref().context("--target POINT says which block (such as D4)")?;
    let target = Point::parse(target, position.board.size())?;
    if position.board.stone(target).is_none() {
        bail!("there is no stone on {target}");
    }
    let first = if args.defend { Role::Defender } else { Role::Attacker };
    Ok(Problem { id: name, board: position.board, target, first, expected: None, gnugo: None })
}

fn answer(problem: &Problem, args: &SolveArgs, settings: &Settings) -> anyhow::Result<Solution> {
    let missing = || format!("{}: there is no stone on {}", problem.id, problem.target);
    if !args.superko {
        return solve(problem, settings).with_context(missing);
    }
    let found = search(&problem.board, problem.target, problem.first, Ko::Superko, settings)
        .with_context(missing)?;
    let succeeds = found.captured.map(|captured| captured == (problem.first == Role::Attacker));
    let answer = succeeds.map(|yes| if yes { Answer::Unconditional } else { Answer::Cannot });
    Ok(Solution { answer, line: found.line.clone(), searches: vec![found] })
}

fn solve_one(
    problem: &Problem,
    args: &SolveArgs,
    settings: &Settings,
    report: &mut Report,
) -> anyhow::Result<()> {
    let asks = match problem.first {
        Role::Attacker => "to capture",
        Role::Defender => "to save",
    };
    report.say(&problem.board.to_string());
    report.say(&format!("{} moves first, {asks} {}", mover(problem), problem.target));
    let solution = answer(problem, args, settings)?;
    report.say(&words(problem, &solution, settings));
    if !solution.line.is_empty() {
        report.say(&format!("line: {}", line_text(problem, &solution.line)));
    }
    let seconds = solution.elapsed().as_secs_f64();
    report.say(&format!("{} nodes, {seconds:.2} s", solution.nodes()));
    if solution.answer.is_some() {
        report.say(&match check(problem, &solution)? {
            Ok(positions) => format!("checked on the slow board: {positions} positions"),
            Err(why) => format!("not checked{why}"),
        });
    }
    report.write(problem, &solution)
}

/// How many positions the independent check looked at in all games that the answer rests on, or why
/// it did not see the end. A refuted answer is a fault of the program and is not shown as an
/// answer.
fn check(problem: &Problem, solution: &Solution) -> anyhow::Result<Result<usize, String>> {
    let refutation = solution.searches.iter().find_map(|search| match &search.verified {
        Some(Err(Doubt::Refuted(line))) => Some(line),
        _ => None,
    });
    if let Some(line) = refutation {
        bail!(
            "{}: the independent check refutes the answer after {line:?}; please report this",
            problem.id
        );
    }
    Ok(match solution.check(problem.first) {
        Some(Ok(positions)) => Ok(positions),
        Some(Err(Doubt::TooLarge)) => Err(format!(": more than {MOST_POSITIONS} positions")),
        Some(Err(Doubt::Forgotten(_))) => Err(": the table no longer holds the whole proof".into()),
        Some(Err(Doubt::Unsearched(_) | Doubt::Unsupported | Doubt::Refuted(_))) | None => {
            Err(String::new())
        }
    })
}

/// The colour that moves first.
fn mover(problem: &Problem) -> Colour {
    let owner = problem.board.stone(problem.target).unwrap_or(Colour::Black);
    match problem.first {
        Role::Attacker => owner.other(),
        Role::Defender => owner,
    }
}

/// Moves with colours, a pass where one side waits.
fn line_text(problem: &Problem, line: &[Move]) -> String {
    let mut colour = mover(problem);
    let mut parts = Vec::new();
    for mv in line {
        parts.push(format!("{}{mv}", if colour == Colour::Black { "B:" } else { "W:" }));
        colour = colour.other();
    }
    parts.join(" ")
}

fn words(problem: &Problem, solution: &Solution, settings: &Settings) -> String {
    let (verb, other) = match problem.first {
        Role::Attacker => ("captured", "the defender"),
        Role::Defender => ("saved", "the attacker"),
    };
    let fewer = settings.give_up.map_or(String::new(), |most| {
        let side = if problem.first == Role::Attacker { "not " } else { "" };
        let known = solution.answer.is_some_and(|a| !a.captured(problem.first));
        if known && side.is_empty() {
            format!(" (it reaches {most} liberties or lives)")
        } else if known {
            format!(" (not below {most} liberties)")
        } else {
            String::new()
        }
    });
    let text = match solution.answer {
        Some(Answer::Unconditional) => format!("1: can be {verb}, unconditionally{fewer}"),
        Some(Answer::Cannot) => format!("0: cannot be {verb}{fewer}"),
        Some(Answer::KoOpponentThreatens) => {
            format!("2: can be {verb} by ko; {other} must find the first threat")
        }
        Some(Answer::KoMustThreaten) => {
            format!("3: can be {verb} by ko; the side that moves first must find the first threat")
        }
        None => {
            let why = solution.searches.iter().rev().find_map(|search| search.gave_up);
            format!("unknown ({})", why.map_or("no reason given".into(), |why| why.to_string()))
        }
    };
    match settings.moves {
        Moves::All | Moves::Zones => text,
        Moves::Heuristic => text + " [heuristic moves: not a proof]",
    }
}

/// How a set's answers compare with what it expects.
#[derive(Default)]
struct Tally {
    agree: usize,
    differ: usize,
    unknown: usize,
    unasked: usize,
    /// Answers that the independent check confirmed.
    checked: usize,
    /// Answers whose check did not come to an end.
    unchecked: usize,
}

impl Tally {
    fn done(&self) -> usize {
        self.agree + self.differ + self.unknown + self.unasked
    }
}

fn solve_set(
    problems: &[Problem],
    args: &SolveArgs,
    settings: &Settings,
    report: &mut Report,
) -> anyhow::Result<()> {
    let bar = Progress::new(problems.len(), 0);
    let mut tally = Tally::default();
    let (mut nodes, mut seconds) = (0, 0.0);
    for problem in problems {
        bar.message(printable(&problem.id));
        let solution = answer(problem, args, settings)?;
        if settings.stop.load(Ordering::Relaxed) {
            break;
        }
        if settings.verify > 0 && solution.answer.is_some() {
            match check(problem, &solution)? {
                Ok(_) => tally.checked += 1,
                Err(_) => tally.unchecked += 1,
            }
        }
        nodes += solution.nodes();
        seconds += solution.elapsed().as_secs_f64();
        let line = set_line(problem, &solution, &mut tally);
        if std::io::stderr().is_terminal() {
            bar.suspend(|| report.say(&line));
        } else {
            report.say(&line);
        }
        report.write(problem, &solution)?;
        bar.advance();
    }
    bar.finish();
    report.say(&format!(
        "{} of {} problems: {} as expected, {} otherwise, {} unknown, {} without expectation; {nodes} nodes, {seconds:.1} s",
        tally.done(),
        problems.len(),
        tally.agree,
        tally.differ,
        tally.unknown,
        tally.unasked
    ));
    if settings.verify > 0 {
        report.say(&format!(
            "{} answers checked on the slow board, {} not checked (more than {MOST_POSITIONS} positions, or a proof no longer in the table)",
            tally.checked, tally.unchecked
        ));
    }
    Ok(())
}

fn set_line(problem: &Problem, solution: &Solution, tally: &mut Tally) -> String {
    let expected = problem.expected.as_ref().or(problem.gnugo.as_ref());
    let verdict = match (solution.answer, expected) {
        (None, _) => {
            tally.unknown += 1;
            "unknown"
        }
        (Some(_), None) => {
            tally.unasked += 1;
            ""
        }
        (Some(answer), Some(expected)) if expected.answers.contains(&answer) => {
            tally.agree += 1;
            "as expected"
        }
        _ => {
            tally.differ += 1;
            "OTHERWISE"
        }
    };
    let code = solution.answer.map_or("?".into(), |answer| answer.code().to_string());
    format!(
        "{:<24} {:<5} {} {:<12} {:>9} nodes  {}",
        problem.id,
        problem.target.to_string(),
        code,
        verdict,
        solution.nodes(),
        line_text(problem, &solution.line[..solution.line.len().min(8)])
    )
}

/// Where answers go: words to standard output, JSON lines to a file or in place of the words.
struct Report {
    words: bool,
    json: Option<(String, Box<dyn Write>)>,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    id: &'a str,
    result: Option<u8>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
}

impl Report {
    fn new(json: bool, file: Option<&str>) -> anyhow::Result<Report> {
        let json: Option<(String, Box<dyn Write>)> = match (json, file) {
            (false, _) => None,
            (true, None) => Some(("standard output".into(), Box::new(StandardOutput))),
            (true, Some(path)) => {
                let file = File::create(path).with_context(|| path.to_string())?;
                Some((path.to_string(), Box::new(BufWriter::new(file))))
            }
        };
        Ok(Report { words: json.is_none() || file.is_some(), json })
    }

    fn say(&self, text: &str) {
        if self.words {
            println!("{text}");
        }
    }

    fn write(&mut self, problem: &Problem, solution: &Solution) -> anyhow::Result<()> {
        let Some((name, out)) = &mut self.json else { return Ok(()) };
        let line = JsonLine {
            id: &problem.id,
            result: solution.answer.map(Answer::code),
            line: solution.line.iter().map(Move::to_string).collect(),
            nodes: solution.nodes(),
            seconds: solution.elapsed().as_secs_f64(),
        };
        let text = serde_json::to_string(&line)?;
        writeln!(out, "{text}").and_then(|()| out.flush()).with_context(|| name.clone())
    }
}
