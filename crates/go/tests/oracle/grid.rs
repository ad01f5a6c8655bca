//! The rules once more, for boards up to 7x7: stones as bits, every question answered by flooding.
//! It is as plain as the slow board and some twenty times as fast; `grid_plays_as_the_slow_board`
//! compares the two.

use yomikiri_go::board::{Board, Colour, Point};

/// Distance between a point and the one above it: a column stays empty on the largest board, so a
/// shift never leads into another row.
const STRIDE: usize = 8;

/// The stones of both sides, and the point that ko forbids (no bit: none).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub stones: [u64; 2],
    pub ko: u64,
}

/// The bit of a point.
pub fn bit(point: Point) -> u64 {
    1 << (point.row() * STRIDE + point.column())
}

/// The points of a board.
#[derive(Clone, Copy)]
pub struct Grid {
    all: u64,
}

impl Grid {
    pub fn new(size: usize) -> Grid {
        assert!(size <= 7, "a board that fits");
        Grid { all: super::points(size).into_iter().map(bit).sum() }
    }

    fn neighbours(self, set: u64) -> u64 {
        (set << 1 | set >> 1 | set << STRIDE | set >> STRIDE) & self.all
    }

    fn flood(self, seed: u64, within: u64) -> u64 {
        let mut set = seed;
        loop {
            let next = set | self.neighbours(set) & within;
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// The liberties of the block at a point of `colour`.
    pub fn liberties(self, position: &Position, colour: Colour, seed: u64) -> u64 {
        let block = self.flood(seed, position.stones[colour.index()]);
        self.neighbours(block) & !(position.stones[0] | position.stones[1])
    }

    /// The position after a stone of `colour`; `None` if the move is illegal.
    pub fn play(self, position: &Position, colour: Colour, stone: u64) -> Option<Position> {
        if (position.stones[0] | position.stones[1] | position.ko) & stone != 0 {
            return None;
        }
        let mut after = *position;
        after.stones[colour.index()] |= stone;
        let opponent = colour.other();
        let mut taken = 0;
        let mut beside = self.neighbours(stone) & position.stones[opponent.index()];
        while beside != 0 {
            let block = self.flood(beside & beside.wrapping_neg(), after.stones[opponent.index()]);
            beside &= !block;
            if self.liberties(&after, opponent, block) == 0 {
                taken |= block;
            }
        }
        after.stones[opponent.index()] &= !taken;
        let block = self.flood(stone, after.stones[colour.index()]);
        let liberties = self.liberties(&after, colour, stone);
        let in_ko = block == stone && taken.count_ones() == 1 && liberties.count_ones() == 1;
        after.ko = if in_ko { taken } else { 0 };
        (liberties != 0).then_some(after)
    }

    /// The position with `mover` to move: ko binds only a side that would retake.
    pub fn position(self, board: &Board, mover: Colour) -> Position {
        let stones = Colour::BOTH.map(|colour| board.stones(colour).iter().map(bit).sum());
        let free = Position { stones, ko: 0 };
        let takes = |ko: &u64| {
            let after = self.play(&free, mover, *ko);
            let theirs = mover.other().index();
            after.is_some_and(|after| after.stones[theirs] != free.stones[theirs])
        };
        Position { ko: board.ko().map(bit).filter(takes).unwrap_or(0), ..free }
    }
}
