//! `yomikiri show`: a position in the terminal, or as a picture.

use crate::input::{parse_position, read_game};
use crate::language;
use crate::output::{ensure_writable, write_file};
use anyhow::anyhow;
use std::path::{Path, PathBuf};
use yomikiri_play::person::describe;
use yomikiri_render::{Picture, PictureError, by_name, draw};
use yomikiri_shogi::Position;
use yomikiri_text::Files;

/// Which position, and how to show it.
#[derive(clap::Args)]
pub struct Args {
    /// A position: SFEN, or `startpos moves ...` as USI has it; `-` for a record from standard
    /// input
    #[arg(conflicts_with = "file")]
    position: Vec<String>,
    /// Take the position from a record (KIF, KI2, CSA, JKF, ...)
    #[arg(long, value_name = "RECORD")]
    file: Option<PathBuf>,
    /// Which game of the record, from 1
    #[arg(long, default_value_t = 1, requires = "file")]
    game: usize,
    /// The position after this many moves of the record; the last one if not given
    #[arg(long, requires = "file")]
    ply: Option<usize>,
    /// Write a picture instead: a file that ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Width of a PNG in pixels
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(50..=8000))]
    width: u32,
    /// Put white at the bottom of the picture
    #[arg(long, requires = "output")]
    flip: bool,
    /// Replace a picture that exists
    #[arg(long)]
    force: bool,
}

/// Shows the position.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.output {
        ensure_writable(path, args.force)?;
    }
    let position = position(args)?;
    match &args.output {
        None => {
            print!("{}", describe(&position, language::get(), language::notation()));
            Ok(())
        }
        Some(path) => write_picture(&position, path, args),
    }
}

fn position(args: &Args) -> anyhow::Result<Position> {
    let standard = matches!(args.position.as_slice(), [name] if name == "-");
    if let Some(path) = args.file.as_deref().or(standard.then_some(Path::new("-"))) {
        let (record, ply) = read_game(path, (args.game, args.ply))?;
        let mut position = record.start().clone();
        for mv in record.main_moves().take(ply) {
            position.play(mv);
        }
        return Ok(position);
    }
    if args.position.is_empty() {
        return Ok(Position::start());
    }
    Ok(parse_position(&args.position.join(" "))?.final_position())
}

fn write_picture(position: &Position, path: &Path, args: &Args) -> anyhow::Result<()> {
    let svg = draw(&Picture { position, flipped: args.flip });
    let bytes = by_name(path, svg, args.width).map_err(|error| match error {
        PictureError::Ending => anyhow!(Files(language::get()).picture_ending(path.display())),
        error => error.into(),
    })?;
    write_file(path, &bytes, args.force)
}
