//! The weights laid out for look-up. A pair of coefficients is one word, so that one addition does
//! for both, and what white sees has its sign already.

use super::balance::BalanceTables;
use super::tracker::{self, Neighbours, Relation};
use super::{FEATURES, LinearWeights, layout, packed};
use crate::stage::{LOGIT, ProgressModel, logistic};
use yomikiri_shogi::{Color, Kind, Piece, Square};

/// Arguments of the logistic function beyond this are 0 or 1.
pub(super) const LOGISTIC_RANGE: i32 = 8 * LOGIT;
/// Units of the learned progress between two entries of its table.
pub(super) const LOGISTIC_STEP: i32 = 16;

/// Every piece on every square.
type ByPlace<T> = [[T; Square::COUNT]; 32];

/// By piece, other piece and direction.
type NeighbourRows = [[[i64; tracker::DIRECTIONS]; 32]; 32];

pub(super) struct Tables {
    pub weights: LinearWeights,
    /// File and rank coefficients added up: by the king's square, as the king's owner black sees
    /// it. Kings among the pieces are worth nothing.
    king_piece: Vec<ByPlace<i64>>,
    /// Two neighbours, black's features less white's: by rank, piece, other piece and direction.
    /// No piece, 0, is worth nothing. The directions last: then all empty squares around a piece
    /// share a cache line, and so do all neighbours of one kind.
    neighbours: Vec<NeighbourRows>,
    /// Every feature's pair, for the many that evaluating adds up.
    pub packed: Box<[i64; FEATURES]>,
    /// What a long piece attacks or protects: by its owner and row, and the other piece.
    targets: [[[i64; 32]; layout::TARGET_ROWS]; 2],
    pub balances: BalanceTables,
    /// White's pieces below zero.
    pub material: [i32; 32],
    /// What a piece adds to the learned progress.
    progress: ByPlace<i16>,
    logistic: Vec<u16>,
}

impl Tables {
    pub fn new(weights: &LinearWeights) -> Tables {
        let mut material = [0; 32];
        let mut progress = [[0; Square::COUNT]; 32];
        for piece in all_pieces() {
            let value = i32::from(weights.material[piece.kind().index()]);
            material[piece.index()] = super::signed(piece.color(), value);
            if let ProgressModel::Learned(learned) = &weights.progress {
                progress[piece.index()] =
                    core::array::from_fn(|at| learned.piece(piece, Square::from_index(at)) as i16);
            }
        }
        let steps = 2 * LOGISTIC_RANGE / LOGISTIC_STEP;
        let logistic =
            (0..=steps).map(|step| logistic(step * LOGISTIC_STEP - LOGISTIC_RANGE) as u16);
        Tables {
            weights: weights.clone(),
            king_piece: king_piece_table(weights),
            neighbours: neighbour_table(weights),
            packed: packed_pairs(weights),
            targets: target_table(weights),
            balances: BalanceTables::new(&weights.pairs),
            material,
            progress,
            logistic: logistic.collect(),
        }
    }

    /// What every piece on every square is worth to the owner of a king there.
    #[inline]
    pub fn seen_by(&self, king: Square, owner: Color) -> SeenBy<'_> {
        let place = layout::turned(king, owner == Color::Black);
        SeenBy { row: &self.king_piece[place], owner }
    }

    /// What the pieces around a square are worth to a piece there.
    #[inline]
    pub fn neighbourhood(
        &self,
        piece: Piece,
        square: Square,
        others: [Option<Piece>; tracker::DIRECTIONS],
    ) -> i64 {
        let rows = &self.neighbours[usize::from(square.rank())][piece.index()];
        let value = |direction: usize| rows[others[direction].map_or(0, Piece::index)][direction];
        (0..tracker::DIRECTIONS).map(value).sum()
    }

    /// What it is worth that a long piece attacks or protects another.
    #[inline]
    pub fn target(&self, kind: Kind, owner: Color, other: Piece) -> i64 {
        self.targets[owner.index()][layout::target_row(kind)][other.index()]
    }

    /// What a piece adds to the learned progress.
    #[inline]
    pub fn progress(&self, piece: Piece, square: Square) -> i32 {
        i32::from(self.progress[piece.index()][square.index().min(80)])
    }

    /// The logistic function of a sum, 0 to [`FULL`](super::FULL).
    #[inline]
    pub fn logistic(&self, sum: i32) -> i32 {
        let sum = sum.clamp(-LOGISTIC_RANGE, LOGISTIC_RANGE);
        let step = (sum + LOGISTIC_RANGE + LOGISTIC_STEP / 2) / LOGISTIC_STEP;
        i32::from(self.logistic[step as usize])
    }
}

/// The pieces as the owner of a king values them.
#[derive(Clone, Copy)]
pub(super) struct SeenBy<'a> {
    row: &'a ByPlace<i64>,
    owner: Color,
}

impl SeenBy<'_> {
    /// A piece on a square; below zero for what is good for white.
    #[inline]
    pub fn piece(self, piece: Piece, square: Square) -> i64 {
        let square = square.index().min(80);
        match self.owner {
            Color::Black => self.row[piece.index()][square],
            // The other side's index is 16 away.
            Color::White => -self.row[piece.index() ^ 16][80 - square],
        }
    }
}

/// Of a fixed size, so that places known to be within it need no check.
fn packed_pairs(weights: &LinearWeights) -> Box<[i64; FEATURES]> {
    let mut pairs: Box<[i64; FEATURES]> =
        vec![0; FEATURES].try_into().expect("as many as features");
    for (word, &pair) in pairs.iter_mut().zip(&weights.pairs) {
        *word = packed(pair);
    }
    pairs
}

fn king_piece_table(weights: &LinearWeights) -> Vec<ByPlace<i64>> {
    let mut table = vec![[[0; Square::COUNT]; 32]; Square::COUNT];
    for king in Square::all() {
        for piece in all_pieces().filter(|piece| piece.kind() != Kind::King) {
            for square in Square::all() {
                let relation = Relation::new(king, piece, square, Color::Black);
                let [file, rank] = relation.features().map(|feature| weights.pairs[feature]);
                let sum = [file[0].saturating_add(rank[0]), file[1].saturating_add(rank[1])];
                table[king.index()][piece.index()][square.index()] = packed(sum);
            }
        }
    }
    table
}

/// The values of all pairs of neighbours, on a file from which every step stays on the board.
fn neighbour_table(weights: &LinearWeights) -> Vec<NeighbourRows> {
    let mut table = vec![[[[0; tracker::DIRECTIONS]; 32]; 32]; 9];
    for (rank, rows) in table.iter_mut().enumerate() {
        let square = Square::new(4, rank as u8);
        for piece in all_pieces() {
            for other in all_pieces() {
                for (direction, value) in rows[piece.index()][other.index()].iter_mut().enumerate()
                {
                    let pair = Neighbours { piece, square, direction, other };
                    pair.features(|feature, owner| {
                        let pair = packed(weights.pairs[feature]);
                        *value += if owner == Color::Black { pair } else { -pair };
                    });
                }
            }
        }
    }
    table
}

fn target_table(weights: &LinearWeights) -> [[[i64; 32]; layout::TARGET_ROWS]; 2] {
    let mut table = [[[0; 32]; layout::TARGET_ROWS]; 2];
    for owner in Color::ALL {
        for kind in super::attacks::LONG {
            for other in all_pieces() {
                let feature = layout::target(kind, other.color() == owner, other.kind());
                let value = packed(weights.pairs[feature]);
                table[owner.index()][layout::target_row(kind)][other.index()] =
                    if owner == Color::Black { value } else { -value };
            }
        }
    }
    table
}

fn all_pieces() -> impl Iterator<Item = Piece> {
    let pieces = |color| Kind::ALL.into_iter().map(move |kind| Piece::new(kind, color));
    Color::ALL.into_iter().flat_map(pieces)
}
