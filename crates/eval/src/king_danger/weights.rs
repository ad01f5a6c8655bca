//! The weights of [`KingDanger`](super::KingDanger), by distance to the kings.

use super::PhasePair;
use core::fmt;
use core::str::FromStr;
use yomikiri_shogi::{Color, Kind, Piece, Position, Square};

/// Fitted to the project's engine games; the file's first lines say how.
const EMBEDDED: &str = include_str!("../../weights/king_danger.txt");

/// Where a piece stands as seen from a king: files apart (0 to 8, both sides alike) and ranks
/// ahead of it (-8 to 8, positive towards the enemy).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Files apart.
    pub files: usize,
    /// Ranks ahead of the king, plus 8.
    pub ranks: usize,
}

impl Distance {
    /// How a king of black's on `king` sees `square`.
    pub const fn new(king: Square, square: Square) -> Distance {
        Distance {
            files: king.file().abs_diff(square.file()) as usize,
            ranks: (8 + king.rank() - square.rank()) as usize,
        }
    }
}

/// One weight of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A piece of the king's owner (`own`) or of the enemy, at a distance from the king.
    King {
        /// Whether the piece belongs to the king's owner.
        own: bool,
        /// What it is.
        kind: Kind,
        /// Where it stands.
        distance: Distance,
    },
    /// A piece of its owner on a rank (0 = far side) and file (0 = edge, 4 = centre).
    Square {
        /// What it is.
        kind: Kind,
        /// The rank as its owner counts.
        rank: usize,
        /// Files from the nearer edge.
        file: usize,
    },
    /// This many pieces of a kind in hand.
    Hand {
        /// What is held.
        kind: Kind,
        /// How many.
        count: usize,
    },
    /// The right to move.
    Tempo,
}

/// Weights of king terms: owner, kind, files, ranks.
const KING_TERMS: usize = 2 * 16 * 9 * 17;
/// Weights of square terms: kind, rank, file.
const SQUARE_TERMS: usize = 16 * 9 * 5;
/// Weights of hand terms: kind, count.
const HAND_TERMS: usize = 8 * 20;

impl Term {
    /// How many terms there are.
    pub const COUNT: usize = KING_TERMS + SQUARE_TERMS + HAND_TERMS + 1;

    /// The place of the term in a flat list.
    pub const fn index(self) -> usize {
        match self {
            Term::King { own, kind, distance } => {
                ((own as usize * 16 + kind.index()) * 9 + distance.files) * 17 + distance.ranks
            }
            Term::Square { kind, rank, file } => KING_TERMS + (kind.index() * 9 + rank) * 5 + file,
            Term::Hand { kind, count } => KING_TERMS + SQUARE_TERMS + kind.index() * 20 + count,
            Term::Tempo => Term::COUNT - 1,
        }
    }
}

/// All weights, in hundredths of a pawn.
#[derive(Clone)]
pub struct KingDangerWeights {
    terms: Vec<PhasePair>,
}

impl KingDangerWeights {
    /// Weights from an opening and an endgame value for each [`Term`] by index.
    pub fn from_fn(mut value: impl FnMut(usize) -> PhasePair) -> KingDangerWeights {
        KingDangerWeights { terms: (0..Term::COUNT).map(&mut value).collect() }
    }

    /// The weights that the engine carries.
    pub fn embedded() -> KingDangerWeights {
        EMBEDDED.parse().unwrap_or_else(|error: KingDangerError| {
            unreachable!("the embedded weights are checked by a test: {error}")
        })
    }

    pub(super) fn term(&self, term: Term) -> PhasePair {
        self.terms[term.index()]
    }

    /// What a piece adds, as the black king on `king` sees it. A piece's own square counts with
    /// its owner's king alone.
    pub(super) fn piece(&self, king: Square, piece: Piece, square: Square) -> PhasePair {
        let own = piece.color() == Color::Black;
        let kind = piece.kind();
        let distance = Distance::new(king, square);
        let seen = self.term(Term::King { own, kind, distance });
        if !own {
            return seen;
        }
        let file = usize::from(square.file().min(8 - square.file()));
        seen.plus(self.term(Term::Square { kind, rank: usize::from(square.rank()), file }))
    }

    /// What this many pieces in hand add.
    pub(super) fn hand(&self, kind: Kind, count: u8) -> PhasePair {
        self.term(Term::Hand { kind, count: usize::from(count) })
    }

    /// What the right to move adds.
    pub(super) fn tempo(&self) -> PhasePair {
        self.term(Term::Tempo)
    }

    /// How far a piece on a square shows the game to have come: pieces in the enemy's camp, the
    /// more so promoted ones, and pieces that have left the first ranks.
    pub(super) fn progress(piece: Piece, square: Square) -> i32 {
        let rank = square.rank_for(piece.color());
        match (piece.kind(), rank) {
            (Kind::King, _) => 0,
            (kind, ..3) if kind.is_promoted() => 20,
            (_, ..3) => 12,
            (kind, _) if kind.is_promoted() => 16,
            (_, 3..5) => 5,
            _ => 0,
        }
    }

    /// How far a piece in hand shows the game to have come.
    pub(super) fn hand_progress(kind: usize) -> i32 {
        match Kind::from_index(kind) {
            Some(Kind::Pawn) => 5,
            Some(_) => 12,
            None => 0,
        }
    }
}

/// Why a text holds no weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KingDangerError {
    /// A word that is no number, or too large.
    #[error("line {0}: '{1}' is not a small number")]
    NoNumber(usize, String),
    /// Too few or too many numbers.
    #[error("{0} numbers, but {needed} are needed", needed = 2 * Term::COUNT)]
    Count(usize),
}

/// Pairs of whole numbers, opening and endgame, in the order of [`Term::index`]; lines that begin
/// with `#` say where they come from.
impl FromStr for KingDangerWeights {
    type Err = KingDangerError;

    fn from_str(text: &str) -> Result<KingDangerWeights, KingDangerError> {
        let mut numbers = Vec::with_capacity(2 * Term::COUNT);
        for (line, content) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            for word in content.split_whitespace() {
                let number: i16 = word
                    .parse()
                    .map_err(|_| KingDangerError::NoNumber(line + 1, word.to_string()))?;
                numbers.push(number);
            }
        }
        if numbers.len() != 2 * Term::COUNT {
            return Err(KingDangerError::Count(numbers.len()));
        }
        let terms = numbers.chunks_exact(2).map(|pair| PhasePair::new(pair[0], pair[1])).collect();
        Ok(KingDangerWeights { terms })
    }
}

impl fmt::Display for KingDangerWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.terms.chunks(17) {
            for (index, pair) in row.iter().enumerate() {
                let space = if index == 0 { "" } else { " " };
                write!(f, "{space}{} {}", pair.opening(), pair.endgame())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Hands out every term of a position with its sign: 1 where it counts for black, -1 for white.
/// The slow, obvious way; the running sums are tested against it.
pub fn active_terms(position: &Position, mut take: impl FnMut(Term, i32)) {
    for color in Color::ALL {
        let sign = if color == Color::Black { 1 } else { -1 };
        let turn = |square: Square| if color == Color::Black { square } else { square.rotated() };
        if let Some(king) = position.king(color) {
            for square in position.occupied() {
                let Some(piece) = position.piece_on(square) else { continue };
                let (kind, own) = (piece.kind(), piece.color() == color);
                let distance = Distance::new(turn(king), turn(square));
                take(Term::King { own, kind, distance }, sign);
                if own {
                    let rank = usize::from(square.rank_for(color));
                    let file = usize::from(square.file().min(8 - square.file()));
                    take(Term::Square { kind, rank, file }, sign);
                }
            }
        }
        for kind in Kind::HAND {
            let count = usize::from(position.hand(color).count(kind));
            take(Term::Hand { kind, count }, sign);
        }
    }
    take(Term::Tempo, if position.side_to_move() == Color::Black { 1 } else { -1 });
}

/// How far the game has come, 0 to [`FULL`](super::FULL).
pub fn progress_of(position: &Position) -> i32 {
    let board: i32 = position
        .occupied()
        .iter()
        .filter_map(|square| Some(KingDangerWeights::progress(position.piece_on(square)?, square)))
        .sum();
    let hands: i32 = Color::ALL
        .into_iter()
        .flat_map(|color| position.hand(color).iter())
        .map(|(kind, count)| KingDangerWeights::hand_progress(kind.index()) * i32::from(count))
        .sum();
    (board + hands).clamp(0, super::FULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_weights_can_be_read() {
        let weights: KingDangerWeights = EMBEDDED.parse().unwrap();
        let again: KingDangerWeights = weights.to_string().parse().unwrap();
        assert!(weights.terms == again.terms);
    }

    #[test]
    fn every_term_has_a_place_of_its_own() {
        let mut seen = vec![false; Term::COUNT];
        let mut mark = |term: Term| {
            assert!(!core::mem::replace(&mut seen[term.index()], true), "{term:?}");
        };
        for kind in Kind::ALL {
            for own in [false, true] {
                for (files, ranks) in (0..9).flat_map(|files| (0..17).map(move |r| (files, r))) {
                    mark(Term::King { own, kind, distance: Distance { files, ranks } });
                }
            }
            for (rank, file) in (0..9).flat_map(|rank| (0..5).map(move |file| (rank, file))) {
                mark(Term::Square { kind, rank, file });
            }
        }
        for kind in Kind::HAND {
            (0..=18).for_each(|count| mark(Term::Hand { kind, count }));
        }
        mark(Term::Tempo);
    }

    #[test]
    fn bad_weights_are_refused() {
        assert!("1 2 3".parse::<KingDangerWeights>().is_err());
        assert!("1 x".parse::<KingDangerWeights>().err().unwrap().to_string().contains("line 1"));
    }
}
