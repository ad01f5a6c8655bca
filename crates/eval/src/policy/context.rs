//! What all moves of a position share.

use crate::linear::Linear;
use crate::stage::FULL;
use yomikiri_shogi::see::BY_VALUE;
use yomikiri_shogi::{Bitboard, Color, Kind, Move, Position, Square};

/// A square that does not exist: no king, no last move.
pub(super) const NO_SQUARE: u64 = 81;

/// The eight neighbours of a square as black counts, front row first.
const RING: [(i8, i8); 8] = [(1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1)];

/// Attacks on a square.
#[derive(Clone, Copy, Default)]
pub(super) struct Attacks {
    /// By the side to move: 0, 1, 2 or more.
    pub own: u64,
    /// By the other side: 0, 1, 2 or more.
    pub enemy: u64,
    /// The cheapest enemy attacker's kind, 0 if none.
    pub cheapest: u64,
}

/// A move that was played: where to and with what, as the side to move sees it now.
#[derive(Clone, Copy)]
pub(super) struct Played {
    pub to: u64,
    pub kind: u64,
    pub captured: bool,
    pub square: Option<Square>,
}

impl Played {
    const NONE: Played = Played { to: NO_SQUARE, kind: 0, captured: false, square: None };
}

/// A position as its side to move sees it.
pub(super) struct Context<'a> {
    pub position: &'a Position,
    pub side: Color,
    /// Thirds of progress.
    pub phase: u64,
    pub own_king: Option<Square>,
    pub enemy_king: Option<Square>,
    /// The opponent's last move.
    pub last: Played,
    /// The own move before it.
    pub previous: Played,
    /// Squares of the own and the enemy's first rook.
    pub rooks: [u64; 2],
    /// What stands around the own king.
    pub castle: u64,
    /// Which kinds the side to move holds.
    pub held: u64,
    attacks: [Option<Attacks>; 81],
}

impl<'a> Context<'a> {
    pub fn new(position: &'a Position, eval: &Linear) -> Context<'a> {
        let side = position.side_to_move();
        let hand = position.hand(side);
        let held = Kind::HAND.iter().filter(|&&kind| hand.count(kind) > 0);
        let mut context = Context {
            position,
            side,
            phase: (eval.progress(position) * 3 / FULL).clamp(0, 2) as u64,
            own_king: position.king(side),
            enemy_king: position.king(!side),
            last: Played::NONE,
            previous: Played::NONE,
            rooks: [NO_SQUARE; 2],
            castle: 0,
            held: held.fold(0, |sum, kind| sum | 1 << kind.index()),
            attacks: [None; 81],
        };
        let mut moves = [None; 2];
        position.moves_played().for_each(|mv| moves = [moves[1], Some(mv)]);
        let [previous, last] = moves.map(|mv| context.played(mv));
        context.last = Played { captured: position.last_capture().is_some(), ..last };
        context.previous = previous;
        context.rooks = [side, !side].map(|color| context.rook(color));
        context.castle = context.own_king.map_or(0, |king| context.ring(king));
        context
    }

    /// The square's number as the side to move counts.
    #[inline]
    pub fn seen(&self, square: Square) -> u64 {
        crate::linear::layout::turned(square, self.side == Color::Black) as u64
    }

    /// An optional square's number.
    #[inline]
    pub fn seen_or_nowhere(&self, square: Option<Square>) -> u64 {
        square.map_or(NO_SQUARE, |square| self.seen(square))
    }

    fn played(&self, mv: Option<Move>) -> Played {
        let Some(mv) = mv else { return Played::NONE };
        let kind = self.position.piece_on(mv.to()).map_or(0, |piece| piece.kind().index());
        Played { to: self.seen(mv.to()), kind: kind as u64, captured: false, square: Some(mv.to()) }
    }

    fn rook(&self, color: Color) -> u64 {
        let rooks =
            self.position.pieces(Kind::Rook, color) | self.position.pieces(Kind::Dragon, color);
        self.seen_or_nowhere(rooks.first())
    }

    /// What stands on a square `files` to the left and `ranks` back: 0 nothing, 1 to 14 own, 17 to
    /// 30 the enemy's, 31 off the board. Five bits.
    #[inline]
    pub fn code(&self, square: Square, files: i8, ranks: i8) -> u64 {
        let sign = if self.side == Color::Black { 1 } else { -1 };
        match square.offset(sign * files, sign * ranks) {
            None => 31,
            Some(square) => self.position.piece_on(square).map_or(0, |piece| {
                piece.kind().index() as u64 + if piece.color() == self.side { 0 } else { 16 }
            }),
        }
    }

    /// What stands on the eight squares around one, 40 bits.
    pub fn ring(&self, square: Square) -> u64 {
        RING.iter().fold(0, |sum, &(files, ranks)| sum << 5 | self.code(square, files, ranks))
    }

    /// The attacks on a square.
    pub fn attacks(&mut self, square: Square) -> Attacks {
        if let Some(known) = self.attacks[square.index()] {
            return known;
        }
        let occupied = self.position.occupied();
        let of = |color: Color| self.position.attackers(square, color, occupied);
        let (own, enemy) = (of(self.side), of(!self.side));
        let found = Attacks {
            own: u64::from(own.count().min(2)),
            enemy: u64::from(enemy.count().min(2)),
            cheapest: cheapest(self.position, enemy).map_or(0, |kind| kind.index() as u64),
        };
        self.attacks[square.index()] = Some(found);
        found
    }
}

/// The least valuable kind among some pieces.
pub(super) fn cheapest(position: &Position, among: Bitboard) -> Option<Kind> {
    if among.is_empty() {
        return None;
    }
    BY_VALUE.into_iter().find(|&kind| (position.kind(kind) & among).is_any())
}

/// Where one square lies from another as the side to move counts: 17 by 17 places.
#[inline]
pub(super) fn relative(from: u64, to: u64) -> u64 {
    if from >= NO_SQUARE || to >= NO_SQUARE {
        return 17 * 17;
    }
    let file = to / 9 + 8 - from / 9;
    let rank = to % 9 + 8 - from % 9;
    file * 17 + rank
}

/// King's steps between two squares; 9 if one does not exist.
#[inline]
pub(super) fn distance(a: u64, b: u64) -> u64 {
    if a >= NO_SQUARE || b >= NO_SQUARE {
        return 9;
    }
    (a / 9).abs_diff(b / 9).max((a % 9).abs_diff(b % 9))
}
