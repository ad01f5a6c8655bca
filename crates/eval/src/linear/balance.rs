//! All balances of a position added up without a branch.
//!
//! A search comes from anywhere in the tree, so that nearly every balance must be looked up again:
//! more than a hundred in a position. Going through the squares of each pair of attack counts costs
//! a mispredicted branch at the end of every set. Instead the four sets of attacked squares are
//! spread into one byte a square, and every square is looked up in a table of its king.

use super::attacks::{Balances, balance_feature};
use super::packed;
use yomikiri_shogi::{Color, Square};

/// Squares that are looked at together.
const GROUP: usize = 8;
const GROUPS: usize = Square::COUNT.div_ceil(GROUP);

/// Black's attacks (0 to 2) times this, plus white's, is the code of a square.
const BLACK: usize = 3;

/// By square, in groups, and code.
type Rows = [[[i64; 16]; GROUP]; GROUPS];

/// What the codes of all squares are worth, by where a king stands; the last entry serves for none.
pub(super) struct BalanceTables {
    kings: [Vec<Rows>; 2],
}

impl BalanceTables {
    pub fn new(pairs: &[[i16; 2]]) -> BalanceTables {
        BalanceTables { kings: Color::ALL.map(|owner| all_rows(pairs, owner)) }
    }

    /// The sum of all balances, black's less white's.
    #[inline]
    pub fn sum(&self, balances: &Balances) -> i64 {
        let rows = |color: Color| {
            let king = balances.kings()[color.index()].map_or(Square::COUNT, Square::index);
            &self.kings[color.index()][king]
        };
        let (black, white) = (rows(Color::Black), rows(Color::White));
        let mut sums = [0; 2];
        for (group, codes) in codes(balances).into_iter().enumerate() {
            for place in 0..GROUP {
                let code = (codes >> (8 * place)) as usize & 0xff;
                sums[0] += black[group][place][code];
                sums[1] += white[group][place][code];
            }
        }
        sums[0] + sums[1]
    }
}

fn all_rows(pairs: &[[i16; 2]], owner: Color) -> Vec<Rows> {
    let mut table = vec![[[[0; 16]; GROUP]; GROUPS]; Square::COUNT + 1];
    for king in Square::all() {
        for square in Square::all() {
            let row = &mut table[king.index()][square.index() / GROUP][square.index() % GROUP];
            for (code, value) in row.iter_mut().enumerate().take(3 * BLACK).skip(1) {
                let (black, white) = (code / BLACK, code % BLACK);
                *value = match owner {
                    Color::Black => {
                        packed(pairs[balance_feature(owner, king, square, black, white)])
                    }
                    Color::White => {
                        -packed(pairs[balance_feature(owner, king, square, white, black)])
                    }
                };
            }
        }
    }
    table
}

/// The bits of a byte, each in a byte of its own.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The codes of all squares, eight to a word.
#[inline]
fn codes(balances: &Balances) -> [u64; GROUPS] {
    let [black, white] = balances.words();
    core::array::from_fn(|group| {
        let spread = |words: [u64; 2]| {
            let byte = words[group / 8] >> (8 * (group % 8));
            SPREAD[byte as usize & 0xff]
        };
        let count = |words: [[u64; 2]; 2]| spread(words[0]) + spread(words[1]);
        // No code is above 8; the mask lets the compiler drop the bounds check.
        (BLACK as u64 * count(black) + count(white)) & 0x0f0f_0f0f_0f0f_0f0f
    })
}
