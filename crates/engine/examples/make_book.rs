//! Makes an opening book from engine games.
//!
//! ```text
//! zstd -dc data/games_engine.tsv.zst | \
//!     cargo run --release -p yomikiri-engine --example make_book > data/book.db
//! ```
//!
//! Reads games, one a line: `startpos moves ...`, result, opening plies, scores. Only moves that
//! the engine chose itself count, those after the opening; moves played at least three times in
//! the first thirty plies are kept, with their mean score.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::BufRead;
use yomikiri_engine::book::Book;
use yomikiri_shogi::Position;

const PLIES: usize = 30;
const LEAST: u64 = 3;

fn add_game(book: &mut Book, line: &str) -> Option<()> {
    let mut columns = line.split('\t');
    let moves = columns.next()?.strip_prefix("startpos moves ")?;
    let opening: usize = columns.nth(1)?.trim().parse().ok()?;
    let scores: Vec<i32> =
        columns.next()?.split(',').filter_map(|word| word.parse().ok()).collect();
    let mut position = Position::start();
    for (ply, word) in moves.split_whitespace().take(PLIES).enumerate() {
        let played = word.parse().ok().filter(|&played| position.is_legal(played))?;
        if let Some(&score) = ply.checked_sub(opening).and_then(|index| scores.get(index)) {
            book.add(&position, played, score);
        }
        position.play(played);
    }
    Some(())
}

fn main() {
    let mut book = Book::default();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        add_game(&mut book, &line);
    }
    book.retain_count(LEAST);
    eprintln!("{} positions", book.len());
    print!("{book}");
}
