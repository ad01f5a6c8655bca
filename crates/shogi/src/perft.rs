//! Counting the leaves of the move tree, the classic test of a move generator.

use crate::movegen::{NonPromotions, Which};
use crate::position::Position;
use crate::types::{Move, MoveList};

/// How the last ply is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The moves of the last ply are counted, not made.
    Counted,
    /// Every move is made and taken back.
    Played,
}

/// The number of move sequences of the given length.
///
/// ```
/// use yomikiri_shogi::{Position, perft::{Leaves, perft}};
///
/// assert_eq!(perft(&mut Position::start(), 3, Leaves::Counted), 25_470);
/// ```
pub fn perft(position: &mut Position, depth: u32, leaves: Leaves) -> u64 {
    match leaves {
        Leaves::Counted => count::<true>(position, depth),
        Leaves::Played => count::<false>(position, depth),
    }
}

/// [`perft`] for each move of the root apart.
pub fn divide(position: &mut Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    moves
        .into_iter()
        .map(|mv| {
            position.play(mv);
            let nodes = perft(position, depth.saturating_sub(1), leaves);
            position.undo();
            (mv, nodes)
        })
        .collect()
}

fn count<const BULK: bool>(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 if BULK => return position.count_legal_moves() as u64,
        _ => {}
    }
    let mut list = MoveList::new();
    position.generate(Which::All, NonPromotions::All, &mut list);
    let mut nodes = 0;
    for &mv in &list {
        position.play(mv);
        nodes += if depth == 1 { 1 } else { count::<BULK>(position, depth - 1) };
        position.undo();
    }
    nodes
}
