//! Which points matter for the capture of a block, and how much.
//!
//! Thomsen's surrounding stones (Lambda-search, ICGA Journal 2000) as used by Yoshizoe (2008): the blocks around the
//! target are order 1, the blocks of the other side around those order 2, and so on up to order 5. Liberties of these
//! blocks, liberties of friends that share one with the target, and the points one step around are the candidates. Each
//! has a threat level, 1 the most urgent; the solvers start a child of level n with the number 2^(n-1).
//!
//! The paper does not print its levels or which of the blocks of higher order it drops. Ours are in [`levels`]; a block
//! of higher order counts only while it is short of liberties ([`MOST_LIBERTIES`]), for a block with many liberties
//! cannot be attacked in time. This gives about as many candidates as the paper reports (19.14 on average).

use crate::board::{Board, Colour, Point, PointSet};

/// Levels of the heuristic, 1 to this.
pub const LEVELS: usize = 5;
/// Level of the points outside the heuristic, and of the defender's pass.
pub const OUTSIDE: u32 = LEVELS as u32 + 1;

/// Blocks of order 1 to 5 with more liberties than this are left out.
const MOST_LIBERTIES: [u32; 5] = [4, 3, 2, 2, 1];

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
    let around = board.blocks_touching(owner.other(), block.stones().neighbours());
    let mut pressing = PointSet::EMPTY;
    levels.add(1, *block.liberties());
    for enemy in around {
        match enemy.liberty_count() {
            1 => levels.add(1, *enemy.liberties()),
            n if n <= MOST_LIBERTIES[0] => pressing |= *enemy.liberties(),
            _ => {}
        }
    }
    levels.add(2, pressing);
    let empty = *board.empty();
    levels.add(2, block.liberties().neighbours() & empty);
    levels.add(3, friends(board, owner, block.liberties(), block.stones()));
    levels.add(3, pressing.neighbours() & empty & block.liberties().neighbours().dilated());
    higher_orders(board, owner, *block.stones(), &mut levels);
    levels
}

/// The liberties of friendly blocks that share one with the target.
fn friends(board: &Board, owner: Colour, liberties: &PointSet, stones: &PointSet) -> PointSet {
    let mut out = PointSet::EMPTY;
    for friend in board.blocks_touching(owner, liberties.neighbours().minus(stones)) {
        if friend.liberty_count() <= MOST_LIBERTIES[0] {
            out |= *friend.liberties();
        }
    }
    out
}

/// Order 2 and up: the blocks around the blocks around the target.
fn higher_orders(board: &Board, owner: Colour, target: PointSet, levels: &mut Levels) {
    let mut seen = target;
    let mut frontier = target;
    let mut colour = owner.other();
    for (order, most) in MOST_LIBERTIES.iter().enumerate() {
        let mut next = PointSet::EMPTY;
        for block in board.blocks_touching(colour, frontier.neighbours().minus(&seen)) {
            if block.liberty_count() > *most {
                continue;
            }
            next |= *block.stones();
            if order > 0 {
                levels.add(order + 2, *block.liberties());
            }
        }
        seen |= next;
        frontier = next;
        colour = colour.other();
        if frontier.is_empty() {
            return;
        }
    }
}
