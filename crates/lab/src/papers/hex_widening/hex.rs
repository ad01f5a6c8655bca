//! Hex for the proof solvers: the attacker joins top and bottom, the defender left and right. One
//! of them does, so "proven" and "disproven" are the two ways to win.
//!
//! Cells are bits of one word, row by row. The threat level of a cell comes from the two distances
//! of old Hex programs: how many more stones each side needs for a chain through the cell.

use yomikiri_proof::estimate::by_level;
use yomikiri_proof::game::{Candidate, ProofGame, Role, Settled};

/// Largest board: its cells are the bits of a word.
pub const LARGEST: usize = 8;
/// Cells that need this many stones more than the best share one level.
const LEVELS: u32 = 6;

/// The board's shape: neighbours of each cell, and the four edges.
#[derive(Clone, Copy, Debug)]
struct Shape {
    cells: u64,
    neighbours: [u64; LARGEST * LARGEST],
    top: u64,
    bottom: u64,
    left: u64,
    right: u64,
}

impl Shape {
    fn new(size: usize) -> Shape {
        let mut shape =
            Shape { cells: 0, neighbours: [0; 64], top: 0, bottom: 0, left: 0, right: 0 };
        let bit = |row: usize, column: usize| 1u64 << (row * size + column);
        for row in 0..size {
            for column in 0..size {
                shape.cells |= bit(row, column);
                for (down, right) in [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)] {
                    let next = (row.checked_add_signed(down), column.checked_add_signed(right));
                    if let (Some(r), Some(c)) = next
                        && r < size
                        && c < size
                    {
                        shape.neighbours[row * size + column] |= bit(r, c);
                    }
                }
            }
            shape.left |= bit(row, 0);
            shape.right |= bit(row, size - 1);
            shape.top |= bit(0, row);
            shape.bottom |= bit(size - 1, row);
        }
        shape
    }

    /// All neighbours of a set.
    fn around(&self, set: u64) -> u64 {
        bits(set).fold(0, |all, cell| all | self.neighbours[cell])
    }

    /// The cells of `within` that hang together with `from`.
    fn flood(&self, from: u64, within: u64) -> u64 {
        let (mut reached, mut edge) = (from & within, from & within);
        while edge != 0 {
            edge = self.around(edge) & within & !reached;
            reached |= edge;
        }
        reached
    }

    /// For every empty cell the stones that this side needs for a chain from the edge to the cell,
    /// the cell included; a great number where there is no way.
    fn distances(&self, edge: u64, own: u64, empty: u64) -> [u8; 64] {
        let mut distances = [u8::MAX / 4; 64];
        let mut reached = self.flood(edge, own);
        let mut next = (edge | self.around(reached)) & empty;
        for distance in 1.. {
            if next == 0 {
                break;
            }
            bits(next).for_each(|cell| distances[cell] = distance);
            let joined = self.flood(self.around(next), own);
            reached |= next | joined;
            next = self.around(next | joined) & empty & !reached;
        }
        distances
    }
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cell)
    })
}

/// A position.
#[derive(Clone, Debug)]
pub struct Hex {
    shape: Shape,
    /// Stones of the attacker and of the defender.
    stones: [u64; 2],
    turn: Role,
}

impl Hex {
    /// The empty board with `size` cells a side.
    ///
    /// # Panics
    /// If the size is 0 or above [`LARGEST`].
    pub fn new(size: usize, turn: Role) -> Hex {
        assert!((1..=LARGEST).contains(&size), "a board of 1 to {LARGEST} cells a side");
        Hex { shape: Shape::new(size), stones: [0; 2], turn }
    }

    /// The empty cells.
    fn empty(&self) -> u64 {
        self.shape.cells & !(self.stones[0] | self.stones[1])
    }

    /// The same, each by its number.
    pub fn empty_cells(&self) -> Vec<u8> {
        bits(self.empty()).map(|cell| cell as u8).collect()
    }

    /// Who has a chain.
    pub fn winner(&self) -> Option<Role> {
        let Shape { top, bottom, left, right, .. } = self.shape;
        if self.shape.flood(top, self.stones[0]) & bottom != 0 {
            return Some(Role::Attacker);
        }
        (self.shape.flood(left, self.stones[1]) & right != 0).then_some(Role::Defender)
    }

    fn side(role: Role) -> usize {
        match role {
            Role::Attacker => 0,
            Role::Defender => 1,
        }
    }

    /// Stones that both sides together need for chains through each empty cell.
    fn needs(&self) -> Vec<(usize, u32)> {
        let Shape { top, bottom, left, right, .. } = self.shape;
        let empty = self.empty();
        let from = |edge, side: usize| self.shape.distances(edge, self.stones[side], empty);
        let ways = [from(top, 0), from(bottom, 0), from(left, 1), from(right, 1)];
        let need = |cell: usize| ways.iter().map(|way| u32::from(way[cell])).sum();
        bits(empty).map(|cell| (cell, need(cell))).collect()
    }
}

impl ProofGame for Hex {
    type Move = u8;
    type Stock = ();

    fn role(&self) -> Role {
        self.turn
    }

    fn board_key(&self) -> u64 {
        let mix = |key: u64| {
            let key = (key ^ (key >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            key ^ (key >> 29)
        };
        let turn = Hex::side(self.turn) as u64;
        mix(mix(self.stones[0] ^ 0x9e37_79b9_7f4a_7c15) ^ mix(self.stones[1]).rotate_left(17))
            ^ mix(turn + 1)
    }

    fn stock(&self) {}

    fn settle(&mut self) -> Option<Settled<()>> {
        self.winner().map(|winner| match winner {
            Role::Attacker => Settled::proven((), 0),
            Role::Defender => Settled::disproven(()),
        })
    }

    fn moves(&mut self, out: &mut Vec<Candidate<u8>>) {
        let mut needs = self.needs();
        needs.sort_by_key(|&(_, need)| need);
        let best = needs.first().map_or(0, |&(_, need)| need);
        out.extend(needs.into_iter().map(|(cell, need)| {
            let number = by_level(self.turn, 1 + (need - best).min(LEVELS - 1));
            Candidate::estimated(cell as u8, number.pn, number.dn)
        }));
    }

    fn play(&mut self, cell: u8) {
        self.stones[Hex::side(self.turn)] |= 1 << cell;
        self.turn = self.turn.other();
    }

    fn undo(&mut self, cell: u8) {
        self.turn = self.turn.other();
        self.stones[Hex::side(self.turn)] &= !(1 << cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_proof::conformance::{brute_force, check};
    use yomikiri_proof::limits::ProofLimits;
    use yomikiri_proof::solver::{Options, Solver};

    #[test]
    fn every_solver_agrees_with_brute_force_on_3x3() {
        for turn in [Role::Attacker, Role::Defender] {
            check(&Hex::new(3, turn), 20_000).expect("3x3 is small");
            let first_wins = brute_force(&Hex::new(3, turn), 20_000).expect("3x3 is small");
            assert_eq!(first_wins.is_some(), turn == Role::Attacker);
        }
    }

    #[test]
    fn who_moves_first_wins_on_every_empty_board() {
        for size in 1..=4 {
            for turn in [Role::Attacker, Role::Defender] {
                let solver = Solver::new(Options::default(), ProofLimits::nodes(2_000_000));
                let outcome = solver.solve(&Hex::new(size, turn));
                assert_eq!(outcome.number.is_proven(), turn == Role::Attacker, "{size}");
                assert!(outcome.number.is_solved(), "{size}");
            }
        }
    }

    #[test]
    fn a_full_board_has_one_winner() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let mut hex = Hex::new(6, Role::Attacker);
            while hex.empty() != 0 {
                let cells = hex.empty_cells();
                hex.play(cells[rng.usize(..cells.len())]);
            }
            let joined = [
                hex.shape.flood(hex.shape.top, hex.stones[0]) & hex.shape.bottom != 0,
                hex.shape.flood(hex.shape.left, hex.stones[1]) & hex.shape.right != 0,
            ];
            assert_eq!(joined.iter().filter(|&&joined| joined).count(), 1);
        }
    }

    #[test]
    fn distances_count_the_stones_that_are_missing() {
        let mut hex = Hex::new(3, Role::Attacker);
        // A stone of the attacker in the middle: one more above and one below.
        hex.play(4);
        let top = hex.shape.distances(hex.shape.top, hex.stones[0], hex.empty());
        assert_eq!((top[1], top[2], top[7], top[6]), (1, 1, 2, 2));
    }
}
