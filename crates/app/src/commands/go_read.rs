//! `yomikiri go read`, `candidates` and `compare`: a position of one's own.

use crate::input::read_bytes;
use crate::interrupt::stop_on_interrupt;
use crate::language;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use yomikiri_base::Progress;
use yomikiri_go::board::Point;
use yomikiri_go::candidates::numbered_board;
use yomikiri_go::capture::{CaptureSettings, GIVE_UP, Moves, NODE_LIMIT};
use yomikiri_go::questions::MOST_POSITIONS;
use yomikiri_go::read::{blocks_named, read_block};
use yomikiri_go::sgf::{self, SgfPosition};
use yomikiri_proof::game::Role;
use yomikiri_runs::go_read_text;
use yomikiri_text::GoRead;

/// The SGF of a file, or what is SGF itself.
pub fn sgf_text(input: &str) -> anyhow::Result<String> {
    match input.trim_start() {
        text if text.starts_with('(') => Ok(text.to_string()),
        _ => Ok(String::from_utf8_lossy(&read_bytes(Path::new(input))?).into_owned()),
    }
}

/// Where a question begins and a search ends.
#[derive(clap::Args)]
pub struct BoundArgs {
    /// The position after this many moves of the SGF's main line [default: the end]
    #[arg(long, value_name = "N")]
    pub until: Option<usize>,
    /// Most nodes of one search (a question can take three)
    #[arg(long, default_value_t = NODE_LIMIT)]
    pub nodes: u64,
    /// The attacker gives up when the block has this many liberties; 0 = never
    #[arg(long, value_name = "N", default_value_t = GIVE_UP)]
    pub give_up: u32,
}

/// A position out of an SGF.
#[derive(clap::Args)]
struct PositionArgs {
    /// An SGF file, or SGF text beginning with `(;`
    #[arg(value_name = "FILE|SGF")]
    input: String,
    #[command(flatten)]
    bounds: BoundArgs,
}

impl PositionArgs {
    fn read(&self) -> anyhow::Result<SgfPosition> {
        if self.bounds.give_up == 1 {
            bail!("--give-up 1: a block has one liberty before it is taken; give 0 or at least 2");
        }
        let position = sgf::read(&sgf_text(&self.input)?, self.bounds.until).context("SGF")?;
        position.notes.iter().for_each(|note| eprintln!("SGF: {note}"));
        Ok(position)
    }

    fn settings(&self) -> anyhow::Result<CaptureSettings> {
        Ok(CaptureSettings {
            nodes: self.bounds.nodes,
            give_up: (self.bounds.give_up > 0).then_some(self.bounds.give_up),
            verify: MOST_POSITIONS,
            stop: stop_on_interrupt("")?.flag(),
            ..CaptureSettings::with_moves(Moves::Zones)
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

/// Solves both questions for every block of a position.
pub fn read(args: &ReadArgs) -> anyhow::Result<()> {
    if let Some(path) = &args.sgf {
        ensure_writable(path, args.force)?;
    }
    let (position, settings) = (args.position.read()?, args.position.settings()?);
    let board = &position.board;
    let words = GoRead(language::get());
    let blocks = blocks_named(board, &args.target, settings.give_up)?;
    let limit = settings.give_up.filter(|_| args.target.is_empty());
    println!("{board}\n{}", go_read_text::heading(blocks.len(), limit, words));
    let (bar, mut readings) = (Progress::new(blocks.len(), 0), Vec::new());
    for (_, target) in blocks {
        let Some(reading) = read_block(board, target, &settings) else { continue };
        if settings.stop.load(Ordering::Relaxed) {
            break;
        }
        bar.suspend(|| println!("{}", go_read_text::block(&reading, words)));
        readings.push(reading);
        bar.advance();
    }
    bar.finish();
    println!("{}", go_read_text::tally(&readings, words));
    let Some(path) = &args.sgf else { return Ok(()) };
    write_file(path, go_read_text::sgf(board, &readings, words).as_bytes(), args.force)
}

fn block(args: &BlockArgs, position: &SgfPosition) -> anyhow::Result<Point> {
    let blocks = blocks_named(&position.board, std::slice::from_ref(&args.target), None)?;
    blocks.first().map(|&(_, target)| target).context("which block?")
}

/// Shows the candidates of a block and their first numbers.
pub fn candidates(args: &BlockArgs) -> anyhow::Result<()> {
    let position = args.position.read()?;
    println!("{}", numbered_board(&position.board, block(args, &position)?));
    Ok(())
}

/// Solves a block by each of the paper's variants.
pub fn compare(args: &BlockArgs) -> anyhow::Result<()> {
    let position = args.position.read()?;
    let first = if args.defend { Role::Defender } else { Role::Attacker };
    let question = (&position.board, block(args, &position)?, first);
    let settings = args.position.settings()?;
    println!("{}", position.board);
    let words = GoRead(language::get());
    go_read_text::variants(question, &settings, words, &mut |row| println!("{row}"));
    Ok(())
}
