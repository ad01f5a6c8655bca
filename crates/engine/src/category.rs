//! Categories of moves and how likely each is played.
//!
//! Paper: Tsuruoka, Yokoyama and Chikayama 2002. The probability of a category is the number of
//! positions in which a move of it was played, out of those in which one could have been. The
//! default was counted over the project's engine games; `yomikiri learn move-probability` makes
//! others.

use crate::eval::material::value_of;
use yomikiri_shogi::{Kind, Move, Position};

/// A category, by index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Category(u8);

/// How many categories there are.
pub const COUNT: usize = 52;

const EVASIONS: u8 = 0;
const RECAPTURES: u8 = 4;
const CAPTURES: u8 = 6;
const PROMOTIONS: u8 = 12;
const CHECKS: u8 = 14;
const DROPS: u8 = 18;
const MOVES: u8 = 28;

impl Category {
    /// 0 to [`COUNT`] - 1.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The category of an index.
    pub fn from_index(index: usize) -> Option<Category> {
        (index < COUNT).then_some(Category(index as u8))
    }

    /// What moves it holds, in words.
    pub fn describe(self) -> String {
        let safe = |offset: u8| if offset.is_multiple_of(2) { "safe" } else { "losing" };
        match self.0 {
            0 => "evasion by capture".into(),
            1 => "evasion by the king".into(),
            2 => "evasion by interposing a piece of the board".into(),
            3 => "evasion by interposing a drop".into(),
            RECAPTURES => "recapture".into(),
            5 => "recapture with promotion".into(),
            CAPTURES..PROMOTIONS => {
                let offset = self.0 - CAPTURES;
                let what = ["a pawn", "a small piece", "a big piece"][usize::from(offset / 2)];
                format!("{} capture of {what}", safe(offset))
            }
            PROMOTIONS..CHECKS => format!("{} promotion", safe(self.0 - PROMOTIONS)),
            CHECKS..DROPS => {
                let offset = self.0 - CHECKS;
                let how = ["a move", "a drop"][usize::from(offset / 2)];
                format!("{} check by {how}", safe(offset))
            }
            DROPS..MOVES => {
                let offset = self.0 - DROPS;
                let what =
                    ["a pawn", "a lance", "a knight", "a silver or gold", "a bishop or rook"]
                        [usize::from(offset / 2)];
                format!("{} drop of {what}", safe(offset))
            }
            _ => {
                let offset = self.0 - MOVES;
                let what = ["pawn", "lance or knight", "silver", "gold", "big piece", "king"]
                    [usize::from(offset / 4)];
                let from = if offset / 2 % 2 == 1 { "an attacked" } else { "a" };
                format!("{} move of {from} {what}", safe(offset))
            }
        }
    }
}

/// The category of a legal move.
pub fn of(position: &Position, mv: Move) -> Category {
    let taken = position.piece_on(mv.to());
    let mover = mv.from().and_then(|from| position.piece_on(from)).map(|piece| piece.kind());
    if position.in_check() {
        return Category(
            EVASIONS
                + match (taken, mover) {
                    (Some(_), _) => 0,
                    (None, Some(Kind::King)) => 1,
                    (None, Some(_)) => 2,
                    (None, None) => 3,
                },
        );
    }
    let recapture = taken.is_some()
        && position.last_capture().is_some()
        && position.last_move().is_some_and(|last| last.to() == mv.to());
    if recapture {
        return Category(RECAPTURES + u8::from(mv.is_promotion()));
    }
    let losing = u8::from(!position.see_ge(mv, 0));
    if let Some(piece) = taken {
        let class = match value_of(piece.kind()) {
            ..200 => 0,
            200..600 => 1,
            _ => 2,
        };
        return Category(CAPTURES + 2 * class + losing);
    }
    if mv.is_promotion() {
        return Category(PROMOTIONS + losing);
    }
    if position.gives_check(mv) {
        return Category(CHECKS + 2 * u8::from(mover.is_none()) + losing);
    }
    match (mv.dropped(), mover) {
        (Some(kind), _) => Category(DROPS + 2 * drop_class(kind) + losing),
        (None, kind) => {
            let attacked =
                mv.from().is_some_and(|from| position.is_attacked(from, !position.side_to_move()));
            Category(MOVES + 4 * move_class(kind) + 2 * u8::from(attacked) + losing)
        }
    }
}

/// The legal moves, each with the probability of its category shared among the category's moves in
/// the position. In what unit depends on the table; the sum is not 1.
pub fn shares(position: &Position, table: &[u32; COUNT]) -> Vec<(Move, f64)> {
    let moves = position.legal_moves();
    let categories: Vec<usize> = moves.iter().map(|&mv| of(position, mv).index()).collect();
    let mut sizes = [0_u32; COUNT];
    categories.iter().for_each(|&category| sizes[category] += 1);
    let share = |category: usize| f64::from(table[category]) / f64::from(sizes[category]);
    moves.iter().zip(categories).map(|(&mv, category)| (mv, share(category))).collect()
}

fn drop_class(kind: Kind) -> u8 {
    match kind {
        Kind::Pawn => 0,
        Kind::Lance => 1,
        Kind::Knight => 2,
        Kind::Silver | Kind::Gold => 3,
        _ => 4,
    }
}

fn move_class(kind: Option<Kind>) -> u8 {
    match kind {
        Some(Kind::Pawn) => 0,
        Some(Kind::Lance | Kind::Knight) => 1,
        Some(Kind::Silver) => 2,
        Some(Kind::Bishop | Kind::Rook | Kind::Horse | Kind::Dragon) => 4,
        Some(Kind::King) => 5,
        _ => 3,
    }
}

/// Counts how often each category was possible and played.
#[derive(Clone, Debug)]
pub struct CategoryCounts {
    /// By category: positions with a move of it, and positions where one was played.
    pub seen: [(u64, u64); COUNT],
}

impl Default for CategoryCounts {
    fn default() -> CategoryCounts {
        CategoryCounts { seen: [(0, 0); COUNT] }
    }
}

impl CategoryCounts {
    /// Counts one position and the legal move played in it.
    pub fn add(&mut self, position: &Position, mv: Move) {
        let mut possible = [false; COUNT];
        for legal in position.legal_moves() {
            possible[of(position, legal).index()] = true;
        }
        for (count, possible) in self.seen.iter_mut().zip(possible) {
            count.0 += u64::from(possible);
        }
        self.seen[of(position, mv).index()].1 += 1;
    }

    /// The probabilities in millionths, smoothed so that none is 0 or 1.
    pub fn probabilities(&self) -> [u32; COUNT] {
        self.seen.map(|(possible, played)| {
            ((played as f64 + 0.5) / (possible as f64 + 1.0) * 1e6).clamp(1.0, 999_999.0) as u32
        })
    }
}

/// Why a table of probabilities is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// It is another kind of file.
    #[error("not a table of `yomikiri learn move-probability`")]
    Foreign,
    /// A line does not fit.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The table ends too soon.
    #[error("{found} of {COUNT} categories")]
    Cut {
        /// How many it has.
        found: usize,
    },
}

const HEAD: &str = "category\tpossible\tplayed\tmillionths\tdescription";

/// The counts as a table: index, positions with such a move, positions where one was played,
/// millionths, and the category in words. [`from_text`] reads it.
pub fn to_text(counts: &CategoryCounts) -> String {
    let probabilities = counts.probabilities();
    let line = |index: usize| {
        let (possible, played) = counts.seen[index];
        let words = Category::from_index(index).map(Category::describe).unwrap_or_default();
        format!("{index}\t{possible}\t{played}\t{}\t{words}\n", probabilities[index])
    };
    core::iter::once(format!("{HEAD}\n")).chain((0..COUNT).map(line)).collect()
}

/// The probabilities of a table, in millionths.
///
/// # Errors
/// If it is no such table, or a line of it does not fit.
pub fn from_text(text: &str) -> Result<[u32; COUNT], TableError> {
    let mut lines = text.lines().enumerate();
    if lines.next().is_none_or(|(_, head)| head != HEAD) {
        return Err(TableError::Foreign);
    }
    let mut table = [0; COUNT];
    let mut found = 0;
    for (number, line) in lines {
        let refused = |reason| TableError::Line { line: number + 1, reason };
        let columns: Vec<&str> = line.split('\t').collect();
        let [index, _, _, millionths, _] = columns[..] else {
            return Err(refused("not five columns"));
        };
        if index.parse() != Ok(found) || found >= COUNT {
            return Err(refused("not the category that comes next"));
        }
        table[found] = millionths
            .parse()
            .ok()
            .filter(|value| (1..1_000_000).contains(value))
            .ok_or_else(|| refused("the probability is not from 1 to 999,999 millionths"))?;
        found += 1;
    }
    if found == COUNT { Ok(table) } else { Err(TableError::Cut { found }) }
}

/// The probabilities that the engine carries, in millionths: counted by the example
/// `count_categories` over the first 1,200 of the project's engine games, 115,000 moves.
/// Categories that cannot occur (a king does not step into danger) have a placeholder.
#[rustfmt::skip]
pub const DEFAULT: [u32; COUNT] = [
    793_216, 431_304, 164_264, 558_711, 522_796, 481_853, 204_039, 16_692,
    224_851, 55_021, 347_401, 74_455, 77_081, 21_809, 160_386, 17_936,
    273_935, 49_203, 67_128, 44_304, 94_968, 9_781, 88_562, 9_377,
    112_623, 15_814, 117_193, 5_442, 85_315, 21_026, 19_964, 8_955,
    20_973, 1_606, 17_374, 3_085, 56_969, 1_574, 79_642, 3_313,
    44_274, 3_529, 71_623, 5_062, 51_074, 714, 223_639, 4_652,
    31_995, 5_000, 5_000, 5_000,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_fall_into_the_categories_meant_for_them() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d 8h2b+").unwrap();
        let describe = |text: &str| of(&position, text.parse().unwrap()).describe();
        assert_eq!(describe("3a2b"), "recapture");
        assert_eq!(describe("5a5b"), "safe move of a king");
        assert_eq!(describe("8b5b"), "safe move of a big piece");
    }

    #[test]
    fn counting_gives_shares_of_the_chances() {
        let mut counts = CategoryCounts::default();
        let mut position = Position::start();
        for word in ["7g7f", "3c3d", "8h2b+", "3a2b"] {
            let mv = word.parse().unwrap();
            counts.add(&position, mv);
            position.play(mv);
        }
        let pawn = of(&Position::start(), "7g7f".parse().unwrap());
        assert!(counts.seen[pawn.index()].1 >= 1);
        assert!(counts.seen.iter().all(|&(possible, played)| played <= possible));
        assert!(counts.probabilities().iter().all(|&p| p > 0 && p < 1_000_000));
    }

    #[test]
    fn a_table_is_read_as_it_was_written_and_others_are_refused() {
        let mut counts = CategoryCounts::default();
        counts.add(&Position::start(), "7g7f".parse().unwrap());
        let text = to_text(&counts);
        assert_eq!(from_text(&text), Ok(counts.probabilities()));
        assert_eq!(from_text("7g7f\n"), Err(TableError::Foreign));
        let short: String = text.lines().take(10).map(|line| format!("{line}\n")).collect();
        assert_eq!(from_text(&short), Err(TableError::Cut { found: 9 }));
        let swapped = text.replace("\n3\t", "\n4\t");
        assert!(matches!(from_text(&swapped), Err(TableError::Line { line: 5, .. })));
        let nothing = text.replace("\t500000\t", "\t0\t");
        assert!(matches!(from_text(&nothing), Err(TableError::Line { .. })));
    }

    #[test]
    fn shares_of_a_category_sum_to_its_probability() {
        let position = Position::start();
        let shares = shares(&position, &DEFAULT);
        assert_eq!(shares.len(), 30);
        let pawns = of(&position, "7g7f".parse().unwrap());
        let of_pawns = shares.iter().filter(|one| of(&position, one.0) == pawns);
        let sum: f64 = of_pawns.map(|one| one.1).sum();
        assert!((sum - f64::from(DEFAULT[pawns.index()])).abs() < 1e-6, "{sum}");
    }

    #[test]
    fn every_category_has_a_probability_and_words() {
        for (index, probability) in DEFAULT.into_iter().enumerate() {
            assert!((1..1_000_000).contains(&probability));
            assert!(!Category::from_index(index).unwrap().describe().is_empty());
        }
    }
}
