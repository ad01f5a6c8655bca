//! What the outcome of a move rests on, by the slow board alone: the checker's own zones.
//!
//! The rules are those of `docs/decisions/0006-relevance-zones.md`, written once more, and coarser
//! where that is simpler. Nothing here knows the zones of the search.

use crate::board::reference::ReferenceBoard;
use crate::board::{Colour, Point, PointSet};

/// The points of a block and all points beside it.
pub(super) fn around(board: &ReferenceBoard, stone: Point) -> PointSet {
    let (stones, _) = board.block(stone);
    let beside = stones.iter().flat_map(|&stone| board.neighbours(stone));
    beside.chain(stones.iter().copied()).collect()
}

/// What a stone of the winner on `point` rests on: the points beside it; the blocks of the loser
/// there, whole if they fall and with a liberty that stays if not; and, if it takes nothing and has
/// no empty point beside it, the friends that it joins.
pub(super) fn winners_stone(board: &ReferenceBoard, colour: Colour, point: Point) -> PointSet {
    let mut rests = PointSet::of(point);
    let beside = board.neighbours(point);
    let (mut takes, mut open) = (false, false);
    for &next in &beside {
        rests.insert(next);
        open |= board.stone(next).is_none();
        if board.stone(next) == Some(colour.other()) {
            let (stones, liberties) = board.block(next);
            if liberties.len() == 1 {
                takes = true;
                rests |= around(board, next);
            } else {
                rests |= stones.into_iter().collect();
                let stays = liberties.into_iter().find(|&liberty| liberty != point);
                rests |= stays.into_iter().collect();
            }
        }
    }
    for &next in &beside {
        if !takes && !open && board.stone(next) == Some(colour) {
            rests |= around(board, next);
        }
    }
    rests
}

/// What the effect of a stone of the loser on `point` rests on, or that it cannot be played: the
/// blocks of the winner beside it that have no other liberty, and with `illegal` its own blocks.
pub(super) fn losers_stone(
    board: &ReferenceBoard,
    colour: Colour,
    point: Point,
    illegal: bool,
) -> PointSet {
    let mut rests = PointSet::EMPTY;
    let beside = board.neighbours(point);
    for &next in &beside {
        let takes = board.stone(next) == Some(colour.other()) && board.block(next).1.len() == 1;
        if takes || illegal && board.stone(next) == Some(colour) {
            rests |= around(board, next);
        }
    }
    if illegal || !rests.is_empty() {
        rests |= beside.into_iter().collect();
    }
    rests
}

/// Takes the winner's blocks that meet the points into them, with two liberties each, so that no
/// stone elsewhere takes them.
pub(super) fn protect(board: &ReferenceBoard, winner: Colour, rests: &mut PointSet) {
    let mut seen = PointSet::EMPTY;
    for point in rests.iter() {
        if board.stone(point) != Some(winner) || seen.contains(point) {
            continue;
        }
        let (stones, liberties) = board.block(point);
        let stones: PointSet = stones.into_iter().collect();
        seen |= stones;
        *rests |= stones;
        let inside = liberties.iter().filter(|&&liberty| rests.contains(liberty)).count();
        let outside = liberties.iter().filter(|&&liberty| !rests.contains(liberty));
        let more: Vec<Point> = outside.take(2usize.saturating_sub(inside)).copied().collect();
        *rests |= more.into_iter().collect();
    }
}

/// Whether two positions have the same stones on these points.
pub(super) fn agree(a: &ReferenceBoard, b: &ReferenceBoard, points: &PointSet) -> bool {
    points.iter().all(|point| a.stone(point) == b.stone(point))
}
