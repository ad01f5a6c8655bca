//! What happened to moves before: history, continuation history, captures, counter moves.
//!
//! Papers: Schaeffer 1989 (history), Uiterwijk 1992 (counter moves); continuation history looks
//! moves up by the moves that came one to six plies before. Next to the root a history of this
//! search alone counts beside them. Every value decays towards a bound as it is updated, so that
//! recent events weigh more. How much a cut-off gives and takes follows Stockfish: little and
//! slowly rising for its move, much and at once for the moves that were tried before it.

use yomikiri_base::large_pages::large_list;
use yomikiri_shogi::{Color, Kind, Move, Origin, Piece, Position};

/// How many indices a [`PieceTo`] has: 32 pieces times 81 squares.
pub const PIECE_TO: usize = 32 * 81;

/// A piece and the square to which a move brings it: what the histories know moves by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(usize);

/// No value of the plain histories exceeds this.
const QUIET_BOUND: i32 = 7_183;
/// Nor any of the continuation history this.
const CONTINUATION_BOUND: i32 = 30_000;
/// Nor any of captures this.
const CAPTURE_BOUND: i32 = 10_692;

impl PieceTo {
    /// No move, or a pass: rows and columns of its index stay zero, since no piece has it.
    pub const NONE: PieceTo = PieceTo(0);

    /// The piece that a move brings to its square.
    #[inline]
    pub fn new(position: &Position, mv: Move) -> PieceTo {
        let piece = match mv.origin() {
            Origin::Hand(kind) => Piece::new(kind, position.side_to_move()).index(),
            Origin::Board(from) => {
                let mover = position.piece_on(from).map_or(0, Piece::index);
                // A promoted kind is 8 above its plain one.
                (mover + 8 * usize::from(mv.is_promotion())) & 31
            }
        };
        PieceTo(piece * 81 + mv.to().index().min(80))
    }

    #[cfg(test)]
    pub(super) fn from_index(index: usize) -> PieceTo {
        PieceTo(index)
    }

    /// Its place in tables of [`PIECE_TO`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Moves by origin and destination.
const MOVES: usize = 1 << 14;

/// Its place in tables of [`MOVES`] entries.
#[inline]
fn move_index(mv: Move) -> usize {
    usize::from(mv.bits()) % MOVES
}

/// Quiet moves are ordered by how they followed the moves of these plies before.
const ORDERING_PLIES: [usize; 5] = [1, 2, 3, 4, 6];

/// The rows of the histories that order the quiet moves of one node, looked up once for all.
pub struct QuietRows<'a> {
    main: &'a [i16; MOVES],
    continuation: Option<[&'a [i16; PIECE_TO]; ORDERING_PLIES.len()]>,
    /// With what its values are divided by: the nearer to the root, the heavier.
    low_ply: Option<(&'a [i16; MOVES], i32)>,
}

impl QuietRows<'_> {
    /// The sum of what is known about a move.
    #[inline]
    pub fn score(&self, position: &Position, mv: Move) -> i32 {
        let index = move_index(mv);
        let mut score = 2 * i32::from(self.main[index]);
        if let Some(rows) = self.continuation {
            let now = PieceTo::new(position, mv).0;
            score += rows.iter().map(|row| i32::from(row[now])).sum::<i32>();
        }
        if let Some((row, divisor)) = self.low_ply {
            score += 8 * i32::from(row[index]) / divisor;
        }
        score
    }
}

#[inline]
fn update(value: &mut i16, bonus: i32, bound: i32) {
    let bonus = bonus.clamp(-bound, bound);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / bound) as i16;
}

/// The tables of one thread.
pub struct Histories {
    /// By side, origin and destination.
    quiet: Vec<i16>,
    /// By an earlier move's piece and square, then this one's.
    continuation: Vec<i16>,
    /// By piece and square, and the kind taken.
    capture: Vec<i16>,
    /// By the last move's piece and square.
    counter: Vec<Option<Move>>,
    /// By ply, origin and destination, next to the root of this search.
    low_ply: Vec<i16>,
}

/// Plies next to the root that have a history of their own.
const LOW_PLIES: usize = 5;

/// How many earlier moves the continuation history looks at.
pub const CONTINUATIONS: usize = 6;

/// How much of a bonus the history after each of them takes, in 1024ths, the last move first.
const WEIGHTS: [i32; CONTINUATIONS] = [1105, 619, 275, 550, 134, 421];

/// In check only the first of them learn: what came before had other threats.
const IN_CHECK: usize = 2;

/// What the history after the last move gains with every update: moves that are tried at all are
/// better than those that are not.
const TRIED: i32 = 88;

/// What stands for a move that was never tried: most moves are bad.
const UNTRIED: i16 = -523;
/// The same for captures.
const UNTRIED_CAPTURE: i16 = -678;
/// The same next to the root.
const LOW_PLY: i16 = 98;

impl Histories {
    /// Empty tables.
    pub fn new() -> Histories {
        Histories {
            quiet: vec![0; 2 * MOVES],
            continuation: large_list(PIECE_TO * PIECE_TO, || UNTRIED),
            capture: vec![UNTRIED_CAPTURE; PIECE_TO * 16],
            counter: vec![None; PIECE_TO],
            low_ply: vec![LOW_PLY; LOW_PLIES * MOVES],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(UNTRIED);
        self.capture.fill(UNTRIED_CAPTURE);
        self.counter.fill(None);
    }

    /// A new search begins: what was learned next to its root counts no more.
    pub fn forget_low_plies(&mut self) {
        self.low_ply.fill(LOW_PLY);
    }

    fn low_ply_index(ply: usize, mv: Move) -> Option<usize> {
        (ply < LOW_PLIES).then(|| ply << 14 | move_index(mv))
    }

    /// What orders the quiet moves of a node: by themselves, as answers to the moves before if
    /// these count, and next to the root by ply if that counts.
    #[inline]
    pub fn quiet_rows(
        &self,
        side: Color,
        keys: Option<[PieceTo; CONTINUATIONS]>,
        low_ply: Option<usize>,
    ) -> QuietRows<'_> {
        let (main, _) = self.quiet.as_chunks();
        let (continuation, _) = self.continuation.as_chunks();
        let (low, _) = self.low_ply.as_chunks();
        QuietRows {
            main: &main[side.index()],
            continuation: keys
                .map(|keys| ORDERING_PLIES.map(|back| &continuation[keys[back - 1].0])),
            low_ply: low_ply.and_then(|ply| Some((low.get(ply)?, 1 + ply as i32))),
        }
    }

    /// Rewards or punishes a quiet move next to the root.
    pub fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if let Some(index) = Self::low_ply_index(ply, mv) {
            update(&mut self.low_ply[index], bonus * 3 / 4, QUIET_BOUND);
        }
    }

    #[inline]
    fn quiet_index(side: Color, mv: Move) -> usize {
        side.index() << 14 | move_index(mv)
    }

    /// The history of a quiet move.
    #[inline]
    pub fn quiet(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.quiet[Self::quiet_index(position.side_to_move(), mv)])
    }

    /// The history of a move after an earlier one.
    #[inline]
    pub fn continuation(&self, earlier: PieceTo, now: PieceTo) -> i32 {
        i32::from(self.continuation[earlier.0 * PIECE_TO + now.0])
    }

    /// The history of a capture.
    #[inline]
    pub fn capture(&self, now: PieceTo, taken: Option<Piece>) -> i32 {
        i32::from(self.capture[now.0 * 16 + taken_index(taken)])
    }

    /// The move that last refuted this one.
    #[inline]
    pub fn counter(&self, last: PieceTo) -> Option<Move> {
        self.counter[last.0]
    }

    /// Notes the move that refuted this one.
    pub fn set_counter(&mut self, last: PieceTo, mv: Move) {
        self.counter[last.0] = Some(mv);
    }

    /// Rewards or punishes a quiet move.
    pub fn update_quiet(
        &mut self,
        position: &Position,
        keys: [PieceTo; CONTINUATIONS],
        mv: Move,
        bonus: i32,
    ) {
        let now = PieceTo::new(position, mv);
        self.update_main(position.side_to_move(), mv, bonus);
        self.update_continuation(keys, now, bonus, position.in_check());
    }

    /// Rewards or punishes a move by itself.
    #[inline]
    pub fn update_main(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.quiet[Self::quiet_index(side, mv)], bonus, QUIET_BOUND);
    }

    /// Rewards or punishes a move as an answer to those before it.
    pub fn update_continuation(
        &mut self,
        keys: [PieceTo; CONTINUATIONS],
        now: PieceTo,
        bonus: i32,
        in_check: bool,
    ) {
        let count = if in_check { IN_CHECK } else { CONTINUATIONS };
        for (back, (earlier, weight)) in keys.into_iter().zip(WEIGHTS).take(count).enumerate() {
            if earlier != PieceTo::NONE {
                let tried = if back == 0 { TRIED } else { 0 };
                let value = &mut self.continuation[earlier.0 * PIECE_TO + now.0];
                update(value, bonus * weight / 1024 + tried, CONTINUATION_BOUND);
            }
        }
    }

    /// Rewards or punishes a capture or promotion.
    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let now = PieceTo::new(position, mv);
        self.update_taken(now, position.piece_on(mv.to()), bonus);
    }

    /// The same of a move whose piece and what it took are known.
    pub fn update_taken(&mut self, now: PieceTo, taken: Option<Piece>, bonus: i32) {
        update(&mut self.capture[now.0 * 16 + taken_index(taken)], bonus, CAPTURE_BOUND);
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

#[inline]
fn taken_index(taken: Option<Piece>) -> usize {
    taken.map_or(0, |piece| Kind::index(piece.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_bound() {
        let mut value = 0;
        for round in 0..1000 {
            update(&mut value, if round < 500 { 1_800 } else { -1_800 }, QUIET_BOUND);
            assert!(i32::from(value).abs() <= QUIET_BOUND);
        }
        assert!(value < 0);
    }

    #[test]
    fn a_promoting_move_arrives_as_the_promoted_piece() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let plain: Move = "8h2b".parse().unwrap();
        let promoting: Move = "8h2b+".parse().unwrap();
        let index = |mv| PieceTo::new(&position, mv).index();
        let distance = index(promoting) - index(plain);
        assert_eq!(distance, 8 * 81);
    }
}
