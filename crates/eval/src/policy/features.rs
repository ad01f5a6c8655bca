//! The features of every legal move of a position.
//!
//! A feature is a template and what it says of the move, hashed together. Squares are counted as
//! the side to move sees them, so that black's and white's moves share their features.

use super::context::{Attacks, Context, cheapest, distance, relative};
use crate::Evaluation;
use crate::linear::{Linear, LinearWeights, maximum_exchange};
use std::sync::OnceLock;
use yomikiri_shogi::{Bitboard, Kind, Move, Piece, Position, Square, attacks};

/// The hashed features of all moves of a position.
#[derive(Clone, Default, Debug)]
pub struct MoveFeatures {
    moves: Vec<Move>,
    /// Where the features of each move end.
    ends: Vec<usize>,
    hashes: Vec<u32>,
}

impl MoveFeatures {
    /// Each move with its features.
    pub fn iter(&self) -> impl Iterator<Item = (Move, &[u32])> {
        let begins = core::iter::once(0).chain(self.ends.iter().copied());
        let spans = begins.zip(self.ends.iter().copied());
        self.moves.iter().zip(spans).map(|(&mv, (begin, end))| (mv, &self.hashes[begin..end]))
    }

    /// How many moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no legal move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The place of a move among the legal ones.
    pub fn place(&self, mv: Move) -> Option<usize> {
        self.moves.iter().position(|&other| other == mv)
    }
}

/// Makes features. It carries the learned evaluation, whose value of the position after a move is
/// one of them.
#[derive(Clone)]
pub struct Extractor {
    eval: Linear,
}

impl Default for Extractor {
    fn default() -> Extractor {
        Extractor::new()
    }
}

/// What is known of a move before its features are written down.
struct Candidate {
    mv: Move,
    /// Static value after the move with the opponent's best exchange taken off.
    value: i32,
    /// 0 no check, 1 check, 2 mate.
    check: u64,
    /// Whether the opponent then mates at once.
    mated: bool,
}

impl Extractor {
    /// With the evaluation in the program.
    pub fn new() -> Extractor {
        static EVAL: OnceLock<Linear> = OnceLock::new();
        Extractor { eval: EVAL.get_or_init(|| Linear::new(&LinearWeights::embedded())).clone() }
    }

    /// Writes the features of all legal moves of a position.
    pub fn extract(&mut self, position: &Position, out: &mut MoveFeatures) {
        out.moves.clear();
        out.ends.clear();
        out.hashes.clear();
        let mut board = position.clone();
        self.eval.reset(&board);
        let mut context = Context::new(position, &self.eval);
        let candidates: Vec<Candidate> =
            position.legal_moves().into_iter().map(|mv| self.candidate(&mut board, mv)).collect();
        let mut values: Vec<i32> = candidates.iter().map(|one| one.value).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        for candidate in candidates {
            let rank = values.partition_point(|&value| value > candidate.value);
            let gap = values[0] - candidate.value;
            let standing = [bucket(rank as i32, &RANKS), bucket(gap, &GAPS)];
            Writer::new(&mut context, &candidate, standing, &mut out.hashes).write();
            out.moves.push(candidate.mv);
            out.ends.push(out.hashes.len());
        }
    }

    fn candidate(&mut self, board: &mut Position, mv: Move) -> Candidate {
        let change = board.play(mv);
        self.eval.push(board, &change);
        let value = -(self.eval.evaluate(board) + maximum_exchange(board));
        let check = match board.in_check() {
            false => 0,
            true if !board.has_legal_move() => 2,
            true => 1,
        };
        let mated = check == 0 && board.mate_in_one().is_some();
        self.eval.pop();
        board.undo();
        Candidate { mv, value, check, mated }
    }
}

/// Upper ends of the places by static value, best 0.
const RANKS: [i32; 11] = [1, 2, 3, 4, 5, 7, 10, 15, 25, 40, 70];
/// Upper ends of what is missing to the best static value.
const GAPS: [i32; 12] = [1, 10, 25, 50, 80, 120, 180, 260, 400, 700, 1_200, 2_000];
/// Upper ends of what an exchange gives.
const EXCHANGES: [i32; 9] = [-800, -400, -150, 0, 1, 150, 400, 800, 1_400];
/// Upper ends of the number of legal moves.
const CHOICES: [i32; 6] = [2, 3, 4, 6, 9, 14];

/// How many of the upper ends a value has reached.
fn bucket(value: i32, ends: &[i32]) -> u64 {
    ends.iter().take_while(|&&end| value >= end).count() as u64
}

/// Puts values side by side, each below its size.
macro_rules! joined {
    ($($value:expr, $size:expr);+) => {{
        let mut sum = 0_u64;
        $( debug_assert!($value < $size); sum = sum * $size + $value; )+
        sum
    }};
}

/// Sizes of values: a moving piece, a square or an origin, a relation, a kind, a phase.
const MOVER: u64 = 64;
const SQUARE: u64 = 96;
const RELATION: u64 = 290;
const KIND: u64 = 16;
const PHASE: u64 = 3;

/// Writes the features of one move.
struct Writer<'a, 'b> {
    context: &'a mut Context<'b>,
    out: &'a mut Vec<u32>,
    mv: Move,
    square: Square,
    kind: Kind,
    /// Kind, promotion and drop.
    mover: u64,
    from: u64,
    to: u64,
    taken: u64,
    exchange: u64,
    /// Whether the exchange loses.
    loses: u64,
    check: u64,
    mated: bool,
    rank: u64,
    gap: u64,
}

impl<'a, 'b> Writer<'a, 'b> {
    fn new(
        context: &'a mut Context<'b>,
        candidate: &Candidate,
        standing: [u64; 2],
        out: &'a mut Vec<u32>,
    ) -> Writer<'a, 'b> {
        let mv = candidate.mv;
        let position = context.position;
        let origin = mv.from();
        let moving = origin.and_then(|from| position.piece_on(from)).map(Piece::kind);
        let kind = mv.dropped().or(moving).unwrap_or(Kind::Pawn);
        let index = kind.index() as u64;
        let exchange = bucket(position.exchange_value(mv), &EXCHANGES);
        let from = origin.map_or(81 + index, |from| context.seen(from));
        Writer {
            mv,
            square: mv.to(),
            kind,
            mover: index | u64::from(mv.is_promotion()) << 4 | u64::from(origin.is_none()) << 5,
            from,
            to: context.seen(mv.to()),
            taken: position.piece_on(mv.to()).map_or(0, |piece| piece.kind().index() as u64),
            exchange,
            loses: u64::from(exchange < 4),
            check: candidate.check,
            mated: candidate.mated,
            rank: standing[0],
            gap: standing[1],
            context,
            out,
        }
    }

    /// SplitMix64's finaliser over what the template says.
    #[inline]
    fn feature(&mut self, template: u64, says: u64) {
        let mut mixed = says.wrapping_add(template.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.out.push(((mixed ^ mixed >> 31) >> 32) as u32);
    }

    fn write(mut self) {
        self.places();
        self.history();
        self.surroundings();
        self.exchanges();
        self.static_value();
        if self.check > 0 {
            self.checks();
        }
        if self.context.position.in_check() {
            self.evasion();
        }
        self.threats();
    }

    /// Piece, origin, destination, and the kings and rooks.
    fn places(&mut self) {
        let Writer { mover, from, to, .. } = *self;
        let phase = self.context.phase;
        let own = self.context.seen_or_nowhere(self.context.own_king);
        let enemy = self.context.seen_or_nowhere(self.context.enemy_king);
        let rooks = self.context.rooks;
        let (castle, held) = (self.context.castle, self.context.held);
        let path = joined!(mover, MOVER; from, SQUARE; to, SQUARE);
        self.feature(0, joined!(mover, MOVER; to, SQUARE));
        self.feature(1, path);
        self.feature(2, joined!(path, 1 << 20; phase, PHASE));
        self.feature(3, joined!(mover, MOVER; to, SQUARE; own, SQUARE));
        self.feature(4, joined!(mover, MOVER; relative(enemy, to), RELATION));
        let to_own = relative(own, to);
        self.feature(5, joined!(mover, MOVER; to_own, RELATION; relative(own, from), RELATION));
        self.feature(6, joined!(path, 1 << 20; rooks[0], SQUARE; rooks[1], SQUARE));
        self.feature(7, joined!(path, 1 << 20; castle, 1 << 40));
        self.feature(8, joined!(path, 1 << 20; enemy, SQUARE));
        self.feature(9, joined!(path, 1 << 20; rooks[0], SQUARE; own, SQUARE));
        self.feature(10, joined!(path, 1 << 20; rooks[1], SQUARE; enemy, SQUARE));
        self.feature(11, joined!(mover, MOVER; to, SQUARE; held, 256));
        let near = [distance(own, to), distance(enemy, to)];
        let loses = self.loses;
        self.feature(12, joined!(mover, MOVER; near[0], 10; near[1], 10; phase, PHASE; loses, 2));
    }

    /// The last two moves.
    fn history(&mut self) {
        let Writer { mover, from, to, taken, .. } = *self;
        let path = joined!(mover, MOVER; from, SQUARE; to, SQUARE);
        let (last, previous) = (self.context.last, self.context.previous);
        self.feature(20, joined!(path, 1 << 20; last.kind, KIND; last.to, SQUARE));
        let reply = relative(last.to, to);
        let took = u64::from(last.captured);
        self.feature(21, joined!(mover, MOVER; reply, RELATION; last.kind, KIND; took, 2));
        self.feature(22, joined!(path, 1 << 20; previous.kind, KIND; previous.to, SQUARE));
        let again = u64::from(from == previous.to);
        self.feature(23, joined!(again, 2; self.kind.index() as u64, KIND; taken.min(1), 2));
        if taken > 0 && last.to == to {
            let own =
                self.context.position.attackers(self.square, self.context.side, self.occupied());
            let least = u64::from(cheapest(self.context.position, own) == Some(self.kind));
            self.feature(
                24,
                joined!(mover, MOVER; taken, KIND; least, 2; took, 2; self.exchange, KIND),
            );
        }
        if let (Some(square), Some(origin)) = (last.square, self.mv.from())
            && let Some(piece) = self.context.position.piece_on(square)
            && attacks::attacks(piece, square, self.occupied()).has(origin)
        {
            let protected = self.context.attacks(origin).own.min(1);
            let safe = self.context.attacks(self.square).enemy.min(1);
            self.feature(
                25,
                joined!(mover, MOVER; last.kind, KIND; protected, 2; safe, 2; taken.min(1), 2),
            );
        }
    }

    fn occupied(&self) -> Bitboard {
        self.context.position.occupied()
    }

    /// What stands around destination and origin.
    fn surroundings(&mut self) {
        let (mover, square) = (self.mover, self.square);
        let ring = self.context.ring(square);
        self.feature(30, joined!(mover, MOVER; ring, 1 << 40));
        // The front row of the ring and the square behind.
        let front = (ring >> 25) * 32 + self.context.code(square, 0, 1);
        self.feature(31, joined!(mover, MOVER; front, 1 << 20));
        let ahead = (1..4).fold(0, |sum, steps| sum * 32 + self.context.code(square, 0, -steps));
        self.feature(32, joined!(mover, MOVER; ahead, 1 << 15));
        let sides = self.context.code(square, 1, 0) * 32 + self.context.code(square, -1, 0);
        self.feature(33, joined!(mover, MOVER; sides, 1 << 10; self.taken, KIND));
        match self.mv.from() {
            Some(from) => {
                let ring = self.context.ring(from);
                let step = relative(self.from, self.to);
                self.feature(34, joined!(mover, MOVER; ring, 1 << 40; step, RELATION));
            }
            None => {
                let rank = self.to % 9;
                let phase = self.context.phase;
                self.feature(35, joined!(mover, MOVER; front, 1 << 20; rank, 9; phase, PHASE));
            }
        }
    }

    /// What exchanges give, and what attacks where.
    fn exchanges(&mut self) {
        let Writer { mover, taken, exchange, loses, .. } = *self;
        let phase = self.context.phase;
        self.feature(40, joined!(mover, MOVER; taken, KIND; exchange, KIND));
        let Attacks { own, enemy, cheapest } = self.context.attacks(self.square);
        let on_square = joined!(own, 3; enemy, 3; cheapest, KIND);
        self.feature(41, joined!(mover, MOVER; on_square, 144; taken.min(1), 2; phase, PHASE));
        self.feature(42, joined!(exchange, KIND; phase, PHASE));
        if let Some(from) = self.mv.from() {
            let Attacks { own, enemy, cheapest } = self.context.attacks(from);
            let left = joined!(own, 3; enemy, 3; cheapest, KIND);
            self.feature(43, joined!(mover, MOVER; left, 144; loses, 2; taken.min(1), 2));
        }
    }

    /// Where the move stands among the others.
    fn static_value(&mut self) {
        let Writer { mover, rank, gap, .. } = *self;
        let phase = self.context.phase;
        let in_check = u64::from(self.context.position.in_check());
        self.feature(50, joined!(rank, KIND; phase, PHASE; in_check, 2));
        self.feature(51, joined!(gap, KIND; phase, PHASE; in_check, 2));
        self.feature(52, joined!(mover, MOVER; rank, KIND));
        self.feature(53, joined!(mover, MOVER; gap, KIND));
        self.feature(54, joined!(rank, KIND; gap, KIND));
        if self.mated {
            self.feature(55, in_check);
        }
    }

    fn checks(&mut self) {
        let Writer { mover, loses, check, .. } = *self;
        let enemy = self.context.seen_or_nowhere(self.context.enemy_king);
        let in_check = u64::from(self.context.position.in_check());
        let phase = self.context.phase;
        self.feature(60, joined!(mover, MOVER; check, 3; loses, 2; in_check, 2; phase, PHASE));
        let from_king = relative(enemy, self.to);
        self.feature(61, joined!(mover, MOVER; from_king, RELATION; loses, 2));
        self.feature(62, check);
    }

    fn evasion(&mut self) {
        let Writer { mover, taken, .. } = *self;
        let choices = bucket(self.context.position.legal_moves().len() as i32, &CHOICES);
        let own = self.context.seen_or_nowhere(self.context.own_king);
        let checker = self.context.position.checkers().first();
        let kind = checker.and_then(|square| self.context.position.piece_on(square));
        let kind = kind.map_or(0, |piece| piece.kind().index() as u64);
        let far = distance(own, self.context.seen_or_nowhere(checker));
        self.feature(70, joined!(mover, MOVER; taken.min(1), 2; choices, 7));
        self.feature(71, joined!(mover, MOVER; taken.min(1), 2; kind, KIND; far, 10));
        let step = relative(own, self.to);
        self.feature(72, joined!(mover, MOVER; step, RELATION; kind, KIND));
    }

    /// The enemy's pieces that the moved piece attacks from where it goes.
    fn threats(&mut self) {
        let position = self.context.position;
        let after = match self.mv.is_promotion() {
            true => self.kind.promoted().unwrap_or(self.kind),
            false => self.kind,
        };
        let moved = Piece::new(after, self.context.side);
        let mut occupied = self.occupied();
        if let Some(from) = self.mv.from() {
            occupied = occupied.without(Bitboard::of(from));
        }
        let targets =
            attacks::attacks(moved, self.square, occupied) & position.color(!self.context.side);
        let hangs = self.context.attacks(self.square).enemy.min(1);
        let mover = self.mover;
        for target in targets {
            let Some(piece) = position.piece_on(target) else { continue };
            if piece.kind() == Kind::King {
                continue;
            }
            let protected = self.context.attacks(target).enemy.min(1);
            let kind = piece.kind().index() as u64;
            self.feature(80, joined!(mover, MOVER; kind, KIND; protected, 2; hangs, 2));
        }
    }
}
