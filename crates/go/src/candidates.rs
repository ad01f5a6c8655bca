//! Which points matter for the capture of a block, and how much.
//!
//! Thomsen's surrounding stones (Lambda-search, ICGA Journal 2000) as used by Yoshizoe (2008): the
//! blocks around the target are order 1, the blocks of the other side around those order 2, and so
//! on up to order 5. Liberties of these blocks, liberties of friends that share one with the
//! target, and the points one step around are the candidates. Each has a threat level, 1 the most
//! urgent; the solvers start a child of level n with the number 2^(n-1).
//!
//! The paper does not print its levels or which of the blocks of higher order it drops. Ours are in
//! [`levels`]: friends that share a liberty with the target count as part of it, and a block of
//! higher order counts only while it is short of liberties (`MOST_LIBERTIES`), for a block with
//! many liberties cannot be attacked in time. The limits were set so that the mean number of
//! candidates on the GNU Go problems comes near the 19.14 that the paper has on its own (on the
//! questions of `lab run widening` it is 24.18); tighter ones solve more problems within a node
//! limit and make more errors. On the 155 GNU Go problems at 50,000 nodes: limits 4-3-2-2-1 give
//! 9.9 candidates, 100 right and 10 wrong; 8-5-4-3-2 give 16.3, 76 and 6; 20-20-4-3-2 give 22.9, 67
//! and none.

use yomikiri_proof::estimate::by_level;
use yomikiri_proof::game::Role;

use crate::board::{Block, Board, Colour, Point, PointSet};

/// Levels of the heuristic, 1 to this.
pub const LEVELS: usize = 5;
/// Level of the points outside the heuristic, and of the defender's pass.
pub const OUTSIDE: u32 = LEVELS as u32 + 1;

/// Blocks of order 1 to 5 with more liberties than this are left out.
const MOST_LIBERTIES: [u32; 5] = [10, 6, 4, 3, 2];

/// Friends of the target with more liberties than this are safe, and not looked at.
const FRIEND_LIBERTIES: u32 = 8;

/// The candidates by level, without overlap.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    sets: [PointSet; LEVELS],
    all: PointSet,
}

impl Levels {
    fn new() -> Levels {
        Levels { sets: [PointSet::EMPTY; LEVELS], all: PointSet::EMPTY }
    }

    fn add(&mut self, level: usize, points: PointSet) {
        let new = points.minus(&self.all);
        self.sets[level.min(LEVELS) - 1] |= new;
        self.all |= new;
    }

    /// The points of a level, 1 to [`LEVELS`].
    pub fn at(&self, level: usize) -> &PointSet {
        &self.sets[level - 1]
    }

    /// The level of a point, [`OUTSIDE`] if it has none.
    pub fn of(&self, point: Point) -> u32 {
        let level = (1..=LEVELS).find(|&level| self.at(level).contains(point));
        level.map_or(OUTSIDE, |level| level as u32)
    }

    /// The points of all levels.
    pub fn all(&self) -> &PointSet {
        &self.all
    }
}

/// The candidates for the block at `target`, empty points only, legality not looked at.
pub fn levels(board: &Board, target: Point) -> Levels {
    let mut levels = Levels::new();
    let (Some(owner), Some(block)) = (board.stone(target), board.block(target)) else {
        return levels;
    };
    let empty = *board.empty();
    let own = *block.liberties();
    let friends = friends(board, owner, block);
    levels.add(1, own);
    let mut frontier = *block.stones() | friends.stones;
    let mut seen = frontier;
    let mut colour = owner.other();
    for (order, most) in (1..).zip(MOST_LIBERTIES) {
        let mut next = PointSet::EMPTY;
        let mut liberties = PointSet::EMPTY;
        for around in board.blocks_touching(colour, frontier.neighbours().minus(&seen)) {
            if around.liberty_count() > most {
                continue;
            }
            next |= *around.stones();
            if order == 1 && around.liberty_count() == 1 {
                levels.add(1, *around.liberties());
            }
            liberties |= *around.liberties();
        }
        levels.add(order + 1, liberties);
        if order == 1 {
            let ring = own.neighbours() & empty;
            levels.add(2, ring);
            levels.add(3, friends.liberties);
            levels.add(3, liberties.neighbours() & ring.neighbours() & empty);
        }
        seen |= next;
        frontier = next;
        colour = colour.other();
    }
    levels
}

/// The board as text, with the first number of each candidate, 2^(level - 1), on its point; the
/// target's stones are `#`. The figures of the paper show the same.
pub fn numbered_board(board: &Board, target: Point) -> String {
    let levels = levels(board, target);
    let block = board.block(target).map_or(PointSet::EMPTY, |block| *block.stones());
    let size = board.size();
    let letters: String = (0..size)
        .map(|column| format!("{:>3}", Point::new(column, 0).to_string().replace('1', "")))
        .collect();
    let cell = |point: Point| match board.stone(point) {
        _ if block.contains(point) => "#".to_string(),
        Some(Colour::Black) => "X".into(),
        Some(Colour::White) => "O".into(),
        None => match levels.of(point) {
            OUTSIDE => ".".into(),
            level => by_level(Role::Attacker, level).pn.to_string(),
        },
    };
    let row = |row: usize| {
        let cells: String =
            (0..size).map(|column| format!("{:>3}", cell(Point::new(column, row)))).collect();
        format!("{:>3}{cells}  {}", row + 1, row + 1)
    };
    let rows = (0..size).rev().map(row);
    let lines: Vec<String> = std::iter::once(format!("   {letters}")).chain(rows).collect();
    lines.join("\n")
}

struct Friends {
    stones: PointSet,
    liberties: PointSet,
}

/// The friendly blocks that share a liberty with the target.
fn friends(board: &Board, owner: Colour, target: &Block) -> Friends {
    let mut out = Friends { stones: PointSet::EMPTY, liberties: PointSet::EMPTY };
    let near = target.liberties().neighbours().minus(target.stones());
    for friend in board.blocks_touching(owner, near) {
        if friend.liberty_count() <= FRIEND_LIBERTIES {
            out.stones |= *friend.stones();
            out.liberties |= *friend.liberties();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbered_board_shows_liberties_as_1_and_the_target() {
        let position = crate::sgf::read("(;SZ[5]AB[cc]AW[bc])", None).expect("a position");
        let target = Point::parse("C3", 5).expect("a point");
        let shown = numbered_board(&position.board, target);
        let middle: Vec<&str> = shown.lines().nth(3).expect("row 3").split_whitespace().collect();
        assert_eq!(middle[2..5], ["O", "#", "1"]);
        assert_eq!(shown.lines().count(), 6);
    }
}
