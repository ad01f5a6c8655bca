//! `KingDanger`: material, and king danger blended by the progress of the game (the papers'
//! ProgressEval).
//!
//! Paper: Takeuchi, Kaneko and Kawai name an evaluation of this kind without giving it; Matsui et
//! al. give the blend, (1 - a) * opening + a * endgame with a the progress from 0 to 1. Ours
//! counts every piece by where it stands relative to either king (so that attackers near a king
//! and defenders around it are distinguished), by where it stands on the board, and the pieces in
//! hand by how many there are. Both halves of the blend travel in one word, so that a move costs
//! one addition a king.

use crate::Evaluation;
use crate::material::{self, signed};
use crate::value::{EVAL_LIMIT, Value};
use std::sync::Arc;
use yomikiri_shogi::{BoardChange, Color, Kind, Piece, Position, Square};

mod weights;

pub use weights::{Distance, KingDangerError, KingDangerWeights, Term, active_terms, progress_of};

/// Progress runs from 0 to this.
pub const FULL: i32 = 256;

/// An opening and an endgame value in one word; sums of pairs are pairs of sums as long as each
/// half stays within 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PhasePair(i32);

impl PhasePair {
    /// The pair of an opening and an endgame value.
    pub const fn new(opening: i16, endgame: i16) -> PhasePair {
        PhasePair(((endgame as i32) << 16).wrapping_add(opening as i32))
    }

    /// The opening half.
    #[inline]
    pub const fn opening(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half.
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    #[inline]
    fn plus(self, other: PhasePair) -> PhasePair {
        PhasePair(self.0.wrapping_add(other.0))
    }

    #[inline]
    fn minus(self, other: PhasePair) -> PhasePair {
        PhasePair(self.0.wrapping_sub(other.0))
    }
}

/// The weights laid out for look-up.
struct Tables {
    /// By the king's square: every piece on every square, as the king's owner black sees it.
    kings: Vec<[[PhasePair; 81]; 32]>,
    /// By kind and count.
    hands: [[PhasePair; 20]; 8],
    /// How far a piece on a square, and a piece in hand, show the game to have come.
    progress: [[i32; 81]; 32],
    hand_progress: [i32; 8],
    tempo: PhasePair,
}

impl Tables {
    fn new(weights: &KingDangerWeights) -> Tables {
        let mut kings = vec![[[PhasePair::default(); 81]; 32]; 81];
        let mut progress = [[0; 81]; 32];
        let mut hands = [[PhasePair::default(); 20]; 8];
        for king in Square::all() {
            for (piece, square) in pieces_and_squares() {
                kings[king.index()][piece.index()][square.index()] =
                    weights.piece(king, piece, square);
            }
        }
        for (piece, square) in pieces_and_squares() {
            progress[piece.index()][square.index()] = KingDangerWeights::progress(piece, square);
        }
        for kind in Kind::HAND {
            for count in 0..=kind.set_size() {
                hands[kind.index()][usize::from(count)] = weights.hand(kind, count);
            }
        }
        let hand_progress = core::array::from_fn(KingDangerWeights::hand_progress);
        Tables { kings, hands, progress, hand_progress, tempo: weights.tempo() }
    }
}

fn pieces_and_squares() -> impl Iterator<Item = (Piece, Square)> {
    Color::ALL.into_iter().flat_map(|color| {
        Kind::ALL.into_iter().flat_map(move |kind| {
            Square::all().map(move |square| (Piece::new(kind, color), square))
        })
    })
}

/// What a move changes and its taking back restores.
#[derive(Clone, Copy)]
struct State {
    /// Of board and hands, black's less white's.
    material: Value,
    /// Black's hand less white's.
    hands: PhasePair,
    /// Where the kings stand (white's rotated); moves of a king make the sum stale.
    kings: [u8; 2],
    stale: [bool; 2],
    /// The value of all pieces as each king's owner sees it.
    sums: [PhasePair; 2],
    progress: i32,
}

impl State {
    /// An empty board; no king has been looked from.
    const EMPTY: State = State {
        material: 0,
        hands: PhasePair(0),
        kings: [0; 2],
        stale: [true; 2],
        sums: [PhasePair(0); 2],
        progress: 0,
    };
}

/// Material, king danger and progress, kept while the board changes.
#[derive(Clone)]
pub struct KingDanger {
    tables: Arc<Tables>,
    state: State,
    /// The state before each move that was pushed.
    stack: Vec<State>,
}

impl Default for KingDanger {
    fn default() -> KingDanger {
        KingDanger::new(&KingDangerWeights::embedded())
    }
}

/// The index of the piece as the other side sees it.
#[inline]
const fn flipped(piece: Piece) -> usize {
    piece.index() ^ 16
}

impl KingDanger {
    /// An evaluation with the given weights.
    pub fn new(weights: &KingDangerWeights) -> KingDanger {
        let tables = Arc::new(Tables::new(weights));
        KingDanger { tables, state: State::EMPTY, stack: Vec::new() }
    }

    /// How far the game has come, 0 to [`FULL`].
    #[inline]
    pub fn progress(&self) -> i32 {
        self.state.progress.clamp(0, FULL)
    }

    /// A piece's pair as each king's owner sees it.
    #[inline]
    fn pairs(&self, piece: Piece, square: Square) -> [PhasePair; 2] {
        let kings = self.state.kings.map(usize::from);
        let black = self.tables.kings[kings[0]][piece.index()][square.index().min(80)];
        let turned = 80 - square.index().min(80);
        let white = self.tables.kings[kings[1]][flipped(piece)][turned];
        [black, white]
    }

    #[cold]
    fn follow_king(&mut self, piece: Piece) {
        self.state.stale[piece.color().index()] = true;
    }

    /// Sums up anew what one king sees.
    fn look_from(&mut self, position: &Position, color: Color) {
        let king = position.king(color);
        self.state.stale[color.index()] = false;
        let Some(king) = king else {
            self.state.sums[color.index()] = PhasePair::default();
            return;
        };
        let turn = |square: Square| if color == Color::Black { square } else { square.rotated() };
        self.state.kings[color.index()] = turn(king).index() as u8;
        let row = &self.tables.kings[turn(king).index()];
        let mut sum = PhasePair::default();
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            let seen = if color == Color::Black { piece.index() } else { flipped(piece) };
            sum = sum.plus(row[seen][turn(square).index().min(80)]);
        }
        self.state.sums[color.index()] = sum;
    }

    /// The number of pieces of a kind in a hand has changed.
    #[inline]
    fn hold(&mut self, color: Color, kind: Kind, before: u8, after: u8) {
        let more = i32::from(after) - i32::from(before);
        let row = &self.tables.hands[kind.index() & 7];
        let change = row[usize::from(after)].minus(row[usize::from(before)]);
        let state = &mut self.state;
        state.material += signed(color, more * material::value_of(kind));
        state.progress += more * self.tables.hand_progress[kind.index() & 7];
        state.hands = match color {
            Color::Black => state.hands.plus(change),
            Color::White => state.hands.minus(change),
        };
    }
}

impl KingDanger {
    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        if piece.kind() == Kind::King {
            self.follow_king(piece);
        }
        let [black, white] = self.pairs(piece, square);
        let state = &mut self.state;
        state.material += signed(piece.color(), material::value_of(piece.kind()));
        state.progress += self.tables.progress[piece.index()][square.index().min(80)];
        state.sums = [state.sums[0].plus(black), state.sums[1].plus(white)];
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        let [black, white] = self.pairs(piece, square);
        let state = &mut self.state;
        state.material -= signed(piece.color(), material::value_of(piece.kind()));
        state.progress -= self.tables.progress[piece.index()][square.index().min(80)];
        state.sums = [state.sums[0].minus(black), state.sums[1].minus(white)];
    }
}

impl Evaluation for KingDanger {
    fn reset(&mut self, position: &Position) {
        self.state = State::EMPTY;
        self.stack.clear();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                self.add(piece, square);
            }
        }
        for color in Color::ALL {
            self.look_from(position, color);
            for (kind, count) in position.hand(color).iter() {
                self.hold(color, kind, 0, count);
            }
        }
    }

    #[inline]
    fn push(&mut self, position: &Position, change: &BoardChange) {
        self.stack.push(self.state);
        let mover = change.mover();
        match change.from {
            Some(from) => self.remove(change.before, from),
            None => {
                let kind = change.before.kind();
                let held = position.hand(mover).count(kind);
                self.hold(mover, kind, held + 1, held);
            }
        }
        if let Some(captured) = change.captured {
            self.remove(captured, change.to);
            let kind = captured.kind().unpromoted();
            let held = position.hand(mover).count(kind);
            self.hold(mover, kind, held - 1, held);
        }
        self.add(change.after, change.to);
    }

    #[inline]
    fn push_null(&mut self, _: &Position) {
        self.stack.push(self.state);
    }

    #[inline]
    fn pop(&mut self) {
        self.state = self.stack.pop().expect("a move was pushed");
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        for color in Color::ALL {
            if self.state.stale[color.index()] {
                self.look_from(position, color);
            }
        }
        let state = &self.state;
        let sum = state.sums[0].minus(state.sums[1]).plus(state.hands);
        let progress = self.progress();
        let blend = ((FULL - progress) * sum.opening() + progress * sum.endgame()) / FULL;
        let tempo = self.tables.tempo.opening();
        let value = signed(position.side_to_move(), state.material + blend) + tempo;
        value.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    /// The value by its definition.
    fn slow(weights: &KingDangerWeights, position: &Position) -> Value {
        let (mut opening, mut endgame) = (0, 0);
        active_terms(position, |term, sign| {
            if term != Term::Tempo {
                opening += sign * weights.term(term).opening();
                endgame += sign * weights.term(term).endgame();
            }
        });
        let mut material = Material::default();
        material.reset(position);
        let progress = progress_of(position);
        let blend = ((FULL - progress) * opening + progress * endgame) / FULL;
        signed(position.side_to_move(), blend)
            + material.evaluate(position)
            + weights.tempo().opening()
    }

    #[test]
    fn running_sums_equal_the_definition_along_random_games() {
        let weights = KingDangerWeights::embedded();
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..30 {
            let mut position = Position::start();
            let mut eval = KingDanger::new(&weights);
            eval.reset(&position);
            for _ in 0..200 {
                let Some(mv) = random.choice(position.legal_moves()) else { break };
                let change = position.play(mv);
                eval.push(&position, &change);
                assert_eq!(eval.evaluate(&position), slow(&weights, &position), "{position:?}");
                assert_eq!(eval.progress(), progress_of(&position));
            }
        }
    }

    #[test]
    fn pairs_keep_their_halves_apart() {
        for (opening, endgame) in [(0, 0), (5, -7), (-300, 200), (-1, -1), (32_000, -32_000)] {
            let pair = PhasePair::new(opening, endgame);
            assert_eq!((pair.opening(), pair.endgame()), (opening.into(), endgame.into()));
        }
        let sum =
            PhasePair::new(-5, 100).plus(PhasePair::new(3, -250)).minus(PhasePair::new(10, -1));
        assert_eq!((sum.opening(), sum.endgame()), (-12, -149));
    }
}
