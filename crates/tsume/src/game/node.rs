//! The mate game as the generic solvers see it.

use std::collections::HashSet;
use std::sync::Arc;

use yomikiri_proof::game::{Ahead, Candidate, NodeIdentity, ProofGame, Role, Settled};
use yomikiri_shogi::{Color, Hand, Kind, Move, Origin, Position, Square};

use crate::game::dominance::{self, Held};
use crate::game::{estimate, interpose};

/// What convention makes of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A move like any other.
    Plain,
    /// An interposition that looks useless; whether it counts is decided by the answer to it.
    Interposition,
    /// The checking piece takes the interposed one, which goes back to the defender; neither ply
    /// counts.
    NotCounted,
}

/// A move of the mate game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move on the board.
    pub played: Move,
    /// What convention makes of it.
    pub sort: Sort,
}

impl Ply {
    /// A ply.
    #[must_use]
    pub const fn new(played: Move, sort: Sort) -> Self {
        Self { played, sort }
    }
}

/// A mate problem in play: one side gives check on every move, the other side escapes.
#[derive(Clone, Debug)]
pub struct Tsume {
    position: Position,
    attacker: Color,
    /// For every ply since the root: the checker against which it interposed, if it looked useless.
    interposed: Vec<Option<Square>>,
    /// Whether useless interpositions count as well.
    everything_counts: bool,
    /// Boards on which the attacker, to move, has failed.
    closed: Option<Arc<HashSet<u64>>>,
    /// Keeps the nodes of games with other rules apart in one table.
    mark: u64,
    /// Whether defences are weighed by the checks behind them.
    weighs_defences: bool,
}

impl Tsume {
    /// `attacker` mates the other side, whoever is to move.
    #[must_use]
    pub fn new(position: Position, attacker: Color) -> Self {
        Self {
            position,
            attacker,
            interposed: Vec::new(),
            everything_counts: false,
            closed: None,
            mark: 0,
            weighs_defences: false,
        }
    }

    /// The same problem with every ply counted, useless interpositions too.
    #[must_use]
    pub fn counting_everything(&self) -> Self {
        let mark = if self.everything_counts { 0 } else { EVERYTHING_COUNTS_KEY };
        Self { everything_counts: true, mark: self.mark ^ mark, ..self.clone() }
    }

    /// The same problem for a question whose answer is probably no: defences are weighed by the
    /// checks behind them.
    pub(crate) fn weighing_defences(&self) -> Self {
        Self { weighs_defences: true, ..self.clone() }
    }

    /// The same problem, but the attacker fails where he is to move on one of these boards,
    /// whatever he holds.
    pub(crate) fn closing(&self, boards: HashSet<u64>) -> Self {
        let mark = boards.iter().fold(CLOSED_KEY, |key, &board| key ^ board.rotate_left(17));
        Self { closed: Some(Arc::new(boards)), mark: self.mark ^ mark, ..self.clone() }
    }

    /// The present position as a problem of its own, in which convention may leave interpositions
    /// uncounted.
    pub(crate) fn by_convention(&self) -> Self {
        let mark = if self.everything_counts { EVERYTHING_COUNTS_KEY } else { 0 };
        let mark = self.mark ^ mark;
        Self { interposed: Vec::new(), everything_counts: false, mark, ..self.clone() }
    }

    /// Whether convention may leave interpositions uncounted.
    pub(crate) fn knows_useless(&self) -> bool {
        !self.everything_counts
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side that mates.
    #[must_use]
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// The checker that the last move interposed against, if the interposition looks useless.
    #[must_use]
    pub fn interposed(&self) -> Option<Square> {
        self.interposed.last().copied().flatten()
    }

    /// The square of the last move.
    pub(crate) fn last_square(&self) -> Option<Square> {
        self.position.last_move().map(Move::to)
    }

    /// The attacker's hand after `ply`.
    fn hand_after(&self, ply: Ply) -> Hand {
        let hand = self.position.hand(self.attacker);
        if self.position.side_to_move() != self.attacker {
            return hand;
        }
        match (ply.played.origin(), dominance::captured(&self.position, ply.played)) {
            (Origin::Hand(kind), _) => hand.without(kind),
            (_, Some(kind)) if ply.sort != Sort::NotCounted => hand.with(kind),
            _ => hand,
        }
    }
}

impl Tsume {
    /// A closed board is a failure with any hand.
    fn failure(&self) -> Option<Settled<Held>> {
        let boards = self.closed.as_ref()?;
        let everything = dominance::all_in_hand(&self.position);
        boards.contains(&self.position.board_key()).then(|| Settled::disproven(Held(everything)))
    }

    /// Who cannot move and is not in check is not mated. Only the root can be such a node: after a
    /// move of the attacker the defender is in check.
    fn stalemate(&self) -> Option<Settled<Held>> {
        let stuck = !self.position.in_check() && !self.position.has_legal_move();
        stuck.then(|| Settled::disproven(self.stock()))
    }
}

impl Tsume {
    /// The present node, in which a check has just been given.
    fn after_check(&self) -> Ahead<Held> {
        let answers = estimate::after_check(&self.position, self.knows_useless());
        let needed = if answers.number.is_proven() {
            dominance::close_proof(&self.position, self.attacker, Hand::EMPTY)
        } else {
            Hand::EMPTY
        };
        Ahead { number: answers.number, least: answers.least, stock: Held(needed) }
    }

    /// The present node, in which the attacker has to give the next check.
    fn after_defence(&self) -> Ahead<Held> {
        let number = estimate::after_defence(&self.position);
        let allowed = if number.is_disproven() {
            dominance::close_disproof(&self.position, self.attacker, None)
        } else {
            Hand::EMPTY
        };
        Ahead { number, least: 0, stock: Held(allowed) }
    }
}

/// Keeps the lengths of the two ways of counting apart in one table.
const EVERYTHING_COUNTS_KEY: u64 = 0x3c6e_f372_fe94_f82b;

/// Marks the games with closed boards.
const CLOSED_KEY: u64 = 0x9b05_688c_2b3e_6c1f;

/// Marks the nodes after an interposition that looks useless: the attacker has one more choice
/// there.
fn interposition_key(checker: Square) -> u64 {
    (checker.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl ProofGame for Tsume {
    type Move = Ply;
    type Stock = Held;

    #[inline]
    fn role(&self) -> Role {
        if self.position.side_to_move() == self.attacker { Role::Attacker } else { Role::Defender }
    }

    #[inline]
    fn board_key(&self) -> u64 {
        let mark = self.interposed().map_or(0, interposition_key);
        self.position.board_key() ^ mark ^ self.mark
    }

    #[inline]
    fn stock(&self) -> Held {
        Held(self.position.hand(self.attacker))
    }

    fn moves(&mut self, out: &mut Vec<Candidate<Ply>>) {
        match self.role() {
            Role::Attacker => self.checks(out),
            Role::Defender => self.evasions(out),
        }
    }

    fn play(&mut self, ply: Ply) {
        let mark = match ply.sort {
            Sort::Interposition => interpose::distant_checker(&self.position),
            _ => None,
        };
        let back: Option<Kind> = if ply.sort == Sort::NotCounted {
            interpose::given_back(&self.position, ply.played)
        } else {
            None
        };
        self.position.play(ply.played);
        if let Some(kind) = back {
            self.position.hand_over(kind, self.attacker);
        }
        self.interposed.push(mark);
    }

    fn undo(&mut self, _ply: Ply) {
        self.position.undo();
        self.interposed.pop();
    }

    fn peek(&mut self, ply: Ply) -> NodeIdentity<Held> {
        let mark = match ply.sort {
            Sort::Interposition => {
                interpose::distant_checker(&self.position).map_or(0, interposition_key)
            }
            _ => 0,
        };
        let board = self.position.board_key_after(ply.played) ^ mark ^ self.mark;
        NodeIdentity { board, stock: Held(self.hand_after(ply)) }
    }

    fn look_ahead(&mut self, ply: Ply, left: u16) -> Option<Ahead<Held>> {
        let weighs = self.weighs_defences && estimate::is_worth_counting_checks(left);
        let look = match self.role() {
            Role::Attacker => Self::after_check,
            Role::Defender if weighs => Self::after_defence,
            Role::Defender => return None,
        };
        self.play(ply);
        let ahead = look(self);
        self.undo(ply);
        Some(ahead)
    }

    fn settle(&mut self) -> Option<Settled<Held>> {
        match self.role() {
            Role::Attacker => self.failure(),
            Role::Defender => self.stalemate(),
        }
    }

    fn stock_before_proof(&self, ply: Ply, after: Held) -> Held {
        match self.role() {
            Role::Attacker => {
                let gains = ply.sort != Sort::NotCounted;
                Held(dominance::before_attack(&self.position, ply.played, gains, after.0))
            }
            Role::Defender => after,
        }
    }

    fn stock_before_disproof(&self, ply: Ply, after: Held) -> Held {
        Held(match self.role() {
            Role::Attacker => {
                let gains = ply.sort != Sort::NotCounted;
                dominance::before_attack(&self.position, ply.played, gains, after.0)
            }
            Role::Defender => {
                dominance::before_defence(&self.position, self.attacker, ply.played, after.0)
            }
        })
    }

    fn close_proof(&self, needed: Held) -> Held {
        Held(dominance::close_proof(&self.position, self.attacker, needed.0))
    }

    fn close_disproof(&self, allowed: Option<Held>) -> Held {
        Held(dominance::close_disproof(&self.position, self.attacker, allowed.map(|held| held.0)))
    }

    fn empty_stock(&self) -> Held {
        Held(Hand::EMPTY)
    }
}
