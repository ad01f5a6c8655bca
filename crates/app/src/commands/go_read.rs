//! `yomikiri go read`, `candidates` and `compare`: a position of one's own.

use crate::input::read_bytes;
use crate::interrupt::stop_on_interrupt;
use crate::language;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use yomikiri_base::Progress;
use yomikiri_go::board::{Colour, Move, Point};
use yomikiri_go::candidates::numbered_board;
use yomikiri_go::capture::{
    GIVE_UP, Ko, Moves, NODE_LIMIT, PAPER_VARIANTS, Settings, Solution, search,
};
use yomikiri_go::read::{BlockReading, Status, blocks_in_question, read_block};
use yomikiri_go::sgf::{self, Position};
use yomikiri_go::sgf_write::{Variation, mover, write};
use yomikiri_proof::game::Role;
use yomikiri_text::GoRead;

/// Positions of the independent check of one answer.
const MOST_POSITIONS: usize = 20_000;

/// A position out of an SGF.
#[derive(clap::Args)]
struct PositionArgs {
    /// An SGF file, or SGF text beginning with `(;`
    #[arg(value_name = "FILE|SGF")]
    input: String,
    /// The position after this many moves of the main line [default: the end]
    #[arg(long, value_name = "N")]
    until: Option<usize>,
    /// Most nodes of one search (a question can take three)
    #[arg(long, default_value_t = NODE_LIMIT)]
    nodes: u64,
    /// The attacker gives up when the block has this many liberties; 0 = never
    #[arg(long, value_name = "N", default_value_t = GIVE_UP)]
    give_up: u32,
}

impl PositionArgs {
    fn read(&self) -> anyhow::Result<Position> {
        if self.give_up == 1 {
            bail!("--give-up 1: a block has one liberty before it is taken; give 0 or at least 2");
        }
        let given = self.input.trim_start();
        let text = if given.starts_with('(') {
            given.to_string()
        } else {
            String::from_utf8_lossy(&read_bytes(Path::new(&self.input))?).into_owned()
        };
        let position = sgf::read(&text, self.until).context("SGF")?;
        position.notes.iter().for_each(|note| eprintln!("SGF: {note}"));
        Ok(position)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings {
            nodes: self.nodes,
            give_up: (self.give_up > 0).then_some(self.give_up),
            verify: MOST_POSITIONS,
            stop: stop_on_interrupt("")?.flag(),
            ..Settings::with_moves(Moves::Zones)
        })
    }
}

/// `go read`.
#[derive(clap::Args)]
pub struct ReadArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Only the block with this stone; may be given again
    #[arg(long, value_name = "POINT")]
    target: Vec<String>,
    /// Write the position with every line as a variation to this SGF file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

/// `go candidates` and `go compare`.
#[derive(clap::Args)]
pub struct BlockArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// A stone of the block in question, such as D4
    #[arg(long, value_name = "POINT")]
    target: String,
    /// The defender moves first, not the attacker
    #[arg(long)]
    defend: bool,
}

/// Asks about every block of a position.
pub fn read(args: &ReadArgs) -> anyhow::Result<()> {
    if let Some(path) = &args.sgf {
        ensure_writable(path, args.force)?;
    }
    let (position, settings) = (args.position.read()?, args.position.settings()?);
    let board = &position.board;
    let words = GoRead(language::get());
    let mut blocks = Vec::new();
    for name in &args.target {
        let target = Point::parse(name, board.size())?;
        let colour = board.stone(target).with_context(|| format!("no stone on {target}"))?;
        blocks.push((colour, target));
    }
    if args.target.is_empty() {
        blocks = blocks_in_question(board, settings.give_up);
    }
    println!("{board}");
    println!(
        "{}",
        match settings.give_up {
            Some(limit) if args.target.is_empty() => words.heading(blocks.len(), limit),
            _ => words.heading_all(blocks.len()),
        }
    );
    let (bar, mut readings) = (Progress::new(blocks.len(), 0), Vec::new());
    for (_, target) in blocks {
        let Some(reading) = read_block(board, target, &settings) else { continue };
        if settings.stop.load(Ordering::Relaxed) {
            break;
        }
        bar.suspend(|| println!("{}", described(&reading, words)));
        readings.push(reading);
        bar.advance();
    }
    bar.finish();
    let count = |status| readings.iter().filter(|reading| reading.status() == status).count();
    let [safe, critical, lost, unknown] =
        [Status::Safe, Status::Critical, Status::Lost, Status::Unknown].map(count);
    println!("{}", words.tally(safe, critical, lost, unknown));
    match &args.sgf {
        None => Ok(()),
        Some(path) => {
            let variations: Vec<Variation> =
                readings.iter().flat_map(|reading| variations(reading, words)).collect();
            let comment = words.tally(safe, critical, lost, unknown);
            write_file(path, write(board, &comment, &variations).as_bytes(), args.force)
        }
    }
}

fn status(reading: &BlockReading, words: GoRead) -> String {
    let ko = reading.questions().any(|(_, found)| found.answer.is_some_and(|a| a.is_ko()));
    match reading.status() {
        Status::Safe => words.safe(),
        Status::Critical if ko => words.by_ko(),
        Status::Critical => words.critical(),
        Status::Lost => words.lost(),
        Status::Unknown => words.unknown(),
    }
}

fn title(reading: &BlockReading, words: GoRead) -> String {
    let BlockReading { colour, target, stones, liberties, .. } = reading;
    let colour = match colour {
        Colour::Black => words.black(),
        Colour::White => words.white(),
    };
    words.block(colour, target, stones, liberties)
}

fn described(reading: &BlockReading, words: GoRead) -> String {
    let mut lines = vec![format!("{}: {}", title(reading, words), status(reading, words))];
    for (first, found) in reading.questions() {
        let checked = match found.check(first) {
            Some(Ok(positions)) => words.checked(positions),
            _ if found.answer.is_none() => continue,
            _ => words.not_checked(),
        };
        lines.push(format!("    {} [{checked}]", answer(reading, first, found, words)));
    }
    lines.join("\n")
}

fn answer(reading: &BlockReading, first: Role, found: &Solution, words: GoRead) -> String {
    let code = found.answer.map_or("?".to_string(), |answer| answer.code().to_string());
    let line = line(mover(reading.colour, first), &found.line);
    let line = if line.is_empty() { words.none() } else { line };
    match first {
        Role::Attacker => words.attack(code, line),
        Role::Defender => words.defence(code, line),
    }
}

fn line(mut colour: Colour, moves: &[Move]) -> String {
    let mut parts = Vec::new();
    for mv in moves {
        parts.push(format!("{}{mv}", if colour == Colour::Black { "B:" } else { "W:" }));
        colour = colour.other();
    }
    parts.join(" ")
}

/// The lines of a block, each with what it shows.
fn variations(reading: &BlockReading, words: GoRead) -> Vec<Variation> {
    let shown = reading.questions().filter(|(_, found)| !found.line.is_empty());
    let variation = |(first, found): (Role, &Solution)| Variation {
        comment: format!("{}: {}", title(reading, words), answer(reading, first, found, words)),
        target: reading.target,
        first: mover(reading.colour, first),
        moves: found.line.clone(),
    };
    shown.map(variation).collect()
}

fn block(args: &BlockArgs, position: &Position) -> anyhow::Result<Point> {
    let target = Point::parse(&args.target, position.board.size())?;
    let there = position.board.stone(target).is_some();
    if there { Ok(target) } else { bail!("there is no stone on {target}") }
}

/// Shows the candidates of a block and their first numbers.
pub fn candidates(args: &BlockArgs) -> anyhow::Result<()> {
    let position = args.position.read()?;
    println!("{}", numbered_board(&position.board, block(args, &position)?));
    Ok(())
}

/// Asks the paper's variants about a block, under simple ko as in the paper.
pub fn compare(args: &BlockArgs) -> anyhow::Result<()> {
    let position = args.position.read()?;
    let (target, words) = (block(args, &position)?, GoRead(language::get()));
    let settings = Settings { verify: 0, epsilon_percent: 0, ..args.position.settings()? };
    let first = if args.defend { Role::Defender } else { Role::Attacker };
    println!("{}\n{}\t{}\t{}", position.board, words.variant(), words.answer(), words.nodes());
    for variant in PAPER_VARIANTS {
        let how = variant.of(&settings);
        let found = search(&position.board, target, first, Ko::Simple, &how);
        let found = found.context("there is no stone")?;
        if settings.stop.load(Ordering::Relaxed) {
            break;
        }
        let captured = match found.captured {
            Some(true) => words.yes(),
            Some(false) => words.no(),
            None => words.over(),
        };
        println!("{}\t{captured}\t{}", variant.name, found.nodes);
    }
    Ok(())
}
