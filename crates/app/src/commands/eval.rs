//! `yomikiri eval SFEN`: what the learned evaluation sees in a position, group by group.

use super::learn::read_weights;
use crate::input::read_bytes;
use anyhow::anyhow;
use std::path::{Path, PathBuf};
use yomikiri_engine::eval::linear::explain;
use yomikiri_shogi::{Color, Position};

/// Which position.
#[derive(clap::Args)]
pub struct Args {
    /// The position: an SFEN in quotes, or `startpos`, either with `moves ...` after it; `-` to
    /// read it from standard input
    #[arg(required = true, num_args = 1.., value_name = "SFEN")]
    position: Vec<String>,
    /// A weights file [default: the weights in this program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// Prints the table.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let text = match args.position.as_slice() {
        [name] if name == "-" => String::from_utf8(read_bytes(Path::new("-"))?)?,
        words => words.join(" "),
    };
    let text = text.trim();
    let usi = if text.starts_with("startpos") || text.starts_with("sfen ") {
        text.to_string()
    } else {
        format!("sfen {text}")
    };
    let position = Position::from_usi(&usi).map_err(|error| anyhow!("the position: {error}"))?;
    let weights = read_weights(args.weights.as_deref())?;
    let told = explain(&position, &weights);
    println!("centipawns, positive for black; {} to move", position.side_to_move());
    println!("{:<12} {:>9} {:>9} {:>9}", "", "opening", "endgame", "now");
    let line = |name: &str, opening: f64, endgame: f64, now: f64| {
        println!("{name:<12} {opening:>9.1} {endgame:>9.1} {now:>9.1}");
    };
    line("material", told.material, told.material, told.material);
    let mut sums = [told.material; 2];
    for &(group, pair) in &told.groups {
        line(group.name(), pair[0], pair[1], told.blended(pair));
        sums = [sums[0] + pair[0], sums[1] + pair[1]];
    }
    line("total", sums[0], sums[1], told.total());
    println!("progress {:.3}", told.progress);
    println!(
        "exchange {:.0} (what the side to move can win at once; search takes its place)",
        told.exchange
    );
    let own = if position.side_to_move() == Color::Black { told.total() } else { -told.total() };
    println!("value {own:.0} for {}", position.side_to_move());
    Ok(())
}
