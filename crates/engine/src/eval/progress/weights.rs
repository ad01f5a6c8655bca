//! The weights of [`Progress`](super::Progress), by distance to the kings.

use super::Pair;
use yomikiri_shogi::{Color, Kind, Piece, Square};

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
    /// So many pieces of a kind in hand.
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
pub struct Weights {
    terms: Vec<Pair>,
}

impl Weights {
    /// Weights from an opening and an endgame value for each [`Term`] by index.
    pub fn from_fn(mut value: impl FnMut(usize) -> Pair) -> Weights {
        Weights { terms: (0..Term::COUNT).map(&mut value).collect() }
    }

    /// The weights that the engine carries.
    pub fn embedded() -> Weights {
        let mut terms = vec![Pair::default(); Term::COUNT];
        for kind in Kind::ALL {
            for own in [false, true] {
                for files in 0..9 {
                    for ranks in 0..17 {
                        let distance = Distance { files, ranks };
                        terms[Term::King { own, kind, distance }.index()] =
                            guess(own, kind, files, ranks);
                    }
                }
            }
        }
        terms[Term::Tempo.index()] = Pair::new(20, 20);
        Weights { terms }
    }

    fn term(&self, term: Term) -> Pair {
        self.terms[term.index()]
    }

    /// What a piece adds, as the black king on `king` sees it. A piece's own square counts with
    /// its owner's king alone.
    pub(super) fn piece(&self, king: Square, piece: Piece, square: Square) -> Pair {
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

    /// What so many pieces in hand add.
    pub(super) fn hand(&self, kind: Kind, count: u8) -> Pair {
        self.term(Term::Hand { kind, count: usize::from(count) })
    }

    /// What the right to move adds.
    pub(super) fn tempo(&self) -> Pair {
        self.term(Term::Tempo)
    }

    /// How far a piece on a square shows the game to have come: pieces in the enemy's camp, the
    /// more so promoted ones, and pieces that have left the first ranks.
    pub(super) fn progress(&self, piece: Piece, square: Square) -> i32 {
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
    pub(super) fn hand_progress(&self, kind: usize) -> i32 {
        match Kind::from_index(kind) {
            Some(Kind::Pawn) => 5,
            Some(_) => 12,
            None => 0,
        }
    }
}

/// A first guess: defenders close to their king, attackers close to the enemy's.
fn guess(own: bool, kind: Kind, files: usize, ranks: usize) -> Pair {
    let closeness = 5 - (files.max(ranks.abs_diff(8)) as i32).min(5);
    let weight = match kind {
        Kind::King => 0,
        Kind::Pawn => 1,
        Kind::Lance | Kind::Knight => 2,
        Kind::Bishop | Kind::Rook => 2,
        Kind::Silver => 4,
        Kind::Gold => 5,
        Kind::Horse => 6,
        Kind::Dragon => 7,
        _ => 6,
    };
    let value = (closeness * weight) as i16;
    if own { Pair::new(value, value) } else { Pair::new(-value, -2 * value) }
}
