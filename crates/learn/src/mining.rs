//! Frequent three-piece patterns.
//!
//! Paper: Matsui et al. 2008, section 2.4: three-piece patterns that appear often in the records,
//! to distinguish castles. Ours: three pieces of one side, each within two steps of the others,
//! not all pawns, and not as the game begins; counted as the owner sees the board.

use crate::dataset::TrainingGame;
use core::fmt::Write;
use std::collections::{HashMap, HashSet};
use yomikiri_engine::eval::linear::{MAX_PATTERNS, Pattern, Patterns, PatternsError};
use yomikiri_shogi::{Color, Kind, Position, Square};

/// What to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MiningOptions {
    /// Patterns wanted.
    pub count: usize,
    /// Look at every N plies.
    pub stride: usize,
    /// At most this many patterns may need the same piece on the same square, which bounds the
    /// work of a move.
    pub crowd: usize,
}

impl Default for MiningOptions {
    fn default() -> MiningOptions {
        MiningOptions { count: MAX_PATTERNS, stride: 8, crowd: 40 }
    }
}

/// The most frequent patterns and how often each was seen, the most frequent first.
pub fn mine(games: &[&TrainingGame], options: MiningOptions) -> Vec<(Pattern, u64)> {
    let mut counts: HashMap<[u16; 3], u64> = HashMap::new();
    for game in games {
        let mut position = game.start.clone();
        for (ply, &played) in game.moves.iter().enumerate() {
            position.play(played);
            if ply % options.stride.max(1) == options.stride.max(1) - 1 {
                for color in Color::ALL {
                    triples(&position, color, |key| *counts.entry(key).or_default() += 1);
                }
            }
        }
    }
    let mut usual = HashSet::new();
    triples(&Position::start(), Color::Black, |key| {
        usual.insert(key);
    });
    let mut list: Vec<([u16; 3], u64)> =
        counts.into_iter().filter(|(key, _)| !usual.contains(key)).collect();
    list.sort_unstable_by_key(|&(key, count)| (core::cmp::Reverse(count), key));
    let mut crowds: HashMap<u16, usize> = HashMap::new();
    let mut chosen = Vec::new();
    for (key, count) in list {
        if chosen.len() >= options.count.min(MAX_PATTERNS) {
            break;
        }
        if key.iter().all(|piece| crowds.get(piece).copied().unwrap_or(0) < options.crowd) {
            key.iter().for_each(|&piece| *crowds.entry(piece).or_default() += 1);
            chosen.push((key.map(unpacked), count));
        }
    }
    chosen
}

/// Gives every triple of a side's pieces that stand close together, in a fixed order of pieces.
fn triples(position: &Position, color: Color, mut give: impl FnMut([u16; 3])) {
    let mut pieces: Vec<(u16, Square, bool)> = Vec::new();
    for square in position.color(color) {
        if let Some(piece) = position.piece_on(square) {
            let seen = if color == Color::Black { square } else { square.rotated() };
            let key = (piece.kind().index() * 81 + seen.index()) as u16;
            pieces.push((key, seen, piece.kind() == Kind::Pawn));
        }
    }
    pieces.sort_unstable_by_key(|&(key, ..)| key);
    let close =
        |a: Square, b: Square| a.file().abs_diff(b.file()) <= 2 && a.rank().abs_diff(b.rank()) <= 2;
    for (index, &(first, at, pawn)) in pieces.iter().enumerate() {
        for (offset, &(second, next, other_pawn)) in pieces[index + 1..].iter().enumerate() {
            if !close(at, next) {
                continue;
            }
            for &(third, last, third_pawn) in &pieces[index + offset + 2..] {
                let pawns = pawn && other_pawn && third_pawn;
                if !pawns && close(at, last) && close(next, last) {
                    give([first, second, third]);
                }
            }
        }
    }
}

fn unpacked(key: u16) -> (Kind, u8) {
    let (kind, square) = (usize::from(key) / 81, usize::from(key) % 81);
    (Kind::from_index(kind).unwrap_or(Kind::Pawn), square as u8)
}

/// Patterns as a text: three pieces as black has them and their squares, and the count.
pub fn to_text(patterns: &[(Pattern, u64)]) -> String {
    let mut text = String::new();
    for (pattern, count) in patterns {
        for (kind, square) in pattern {
            let square = Square::from_index(usize::from(*square));
            // Writing to a string cannot fail.
            let _ = write!(text, "{kind}{square} ");
        }
        let _ = writeln!(text, "{count}");
    }
    text
}

/// Why a text holds no patterns.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternError {
    /// A line that is none.
    #[error("line {number}: no pattern: '{text}'")]
    Line {
        /// Its number from 1.
        number: usize,
        /// What it holds.
        text: String,
    },
    /// Patterns that cannot be.
    #[error(transparent)]
    Impossible(#[from] PatternsError),
}

/// Reads what [`to_text`] wrote.
///
/// # Errors
/// Names the line that is no pattern.
pub fn from_text(text: &str) -> Result<Patterns, PatternError> {
    let mut list = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let pieces: Option<Vec<(Kind, u8)>> =
            line.split_whitespace().take(3).map(parse_piece).collect();
        let pattern = pieces.and_then(|pieces| <[(Kind, u8); 3]>::try_from(pieces).ok());
        let none = || PatternError::Line { number: index + 1, text: line.to_string() };
        list.push(pattern.ok_or_else(none)?);
    }
    Ok(Patterns::new(list)?)
}

fn parse_piece(word: &str) -> Option<(Kind, u8)> {
    let (promoted, rest) = match word.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let mut letters = rest.chars();
    let kind = Kind::from_letter(letters.next()?)?;
    let kind = if promoted { kind.promoted()? } else { kind };
    let file = letters.next()?.to_digit(10)?.checked_sub(1)?;
    let rank = (letters.next()? as u32).checked_sub('a' as u32)?;
    let square = Square::try_new(i8::try_from(file).ok()?, i8::try_from(rank).ok()?)?;
    letters.next().is_none().then_some((kind, square.index() as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    #[test]
    fn finds_what_games_share_and_reads_its_own_text() {
        let mut dataset = Dataset::default();
        // Both sides build the same corner; the count sees them as one.
        dataset.add_text("startpos moves 7i7h 3a3b 6i6h 4a4b 5i6i 5a4a\tB\n");
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let options = MiningOptions { stride: 6, ..MiningOptions::default() };
        let found = mine(&games, options);
        assert!(!found.is_empty());
        let wanted = [(Kind::Silver, "7h"), (Kind::Gold, "6h"), (Kind::King, "6i")];
        let count = found.iter().find(|(pattern, _)| {
            wanted.iter().all(|&(kind, square)| {
                let at = |&(one, place): &(Kind, u8)| {
                    let place = Square::from_index(usize::from(place));
                    one == kind && place.to_string() == square
                };
                pattern.iter().any(at)
            })
        });
        assert_eq!(count.map(|&(_, count)| count), Some(2));
        let read = from_text(&to_text(&found)).unwrap();
        let list: Vec<Pattern> = found.iter().map(|&(pattern, _)| pattern).collect();
        assert_eq!(read.list(), list);
        assert!(from_text("K5i G6i\n").unwrap_err().to_string().contains("line 1"));
        assert!(from_text("K5i G6i S0i 4\n").is_err());
    }

    #[test]
    fn no_piece_crowds_the_list() {
        let mut dataset = Dataset::default();
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..20 {
            let mut position = Position::start();
            let mut text = String::from("startpos moves");
            for _ in 0..60 {
                let Some(played) = random.choice(position.legal_moves()) else { break };
                position.play(played);
                text += &format!(" {played}");
            }
            dataset.add_text(&text);
        }
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let options = MiningOptions { count: 100, stride: 4, crowd: 5 };
        let found = mine(&games, options);
        assert!(
            found.len() <= 100 && found.is_sorted_by_key(|&(_, count)| core::cmp::Reverse(count))
        );
        let mut crowds: HashMap<(Kind, u8), usize> = HashMap::new();
        found.iter().flat_map(|(pattern, _)| pattern).for_each(|&piece| {
            *crowds.entry(piece).or_default() += 1;
        });
        assert!(crowds.values().all(|&count| count <= 5));
    }
}
