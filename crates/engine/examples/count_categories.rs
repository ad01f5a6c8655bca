//! Counts how often each category of moves is played in engine games.
//!
//! ```text
//! zstd -dc data/games_engine.tsv.zst | head -1500 | \
//!     cargo run --release -p yomikiri-engine --example count_categories
//! ```
//!
//! Reads games, one a line: `startpos moves ...`, result, opening plies. Moves after the opening
//! count. Prints the probability of each category in millionths, and what it holds.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::BufRead;
use yomikiri_engine::category::{Category, CategoryCounts};
use yomikiri_shogi::Position;

fn count(counts: &mut CategoryCounts, line: &str) -> Option<()> {
    let mut columns = line.split('\t');
    let moves = columns.next()?.strip_prefix("startpos moves ")?;
    let opening: usize = columns.nth(1)?.trim().parse().ok()?;
    let mut position = Position::start();
    for (ply, word) in moves.split_whitespace().enumerate() {
        let played = word.parse().ok().filter(|&played| position.is_legal(played))?;
        if ply >= opening {
            counts.add(&position, played);
        }
        position.play(played);
    }
    Some(())
}

fn main() {
    let mut counts = CategoryCounts::default();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        count(&mut counts, &line);
    }
    for (index, probability) in counts.probabilities().into_iter().enumerate() {
        let (possible, played) = counts.seen[index];
        let what = Category::from_index(index).map(Category::describe).unwrap_or_default();
        println!("{probability:>7} {played:>7} of {possible:>7}  {what}");
    }
}
