//! The capture problem as a game for the proof solvers.
//!
//! The attacker wants to take the target block, the defender wants to keep it. The attacker never
//! passes (a pass would be "cannot"), the defender may. Going round in circles captures nothing, so
//! a repetition is a failure of the attacker.
//!
//! # Ko without threats to count
//!
//! How a capture by ko ends depends on threats elsewhere, which no local search knows. Three games
//! bracket it:
//!
//! * [`Ko::Simple`]: nobody has a threat. A ko may not be retaken at once.
//! * [`Ko::AttackerYields`]: the defender has threats without end and may retake at once.
//! * [`Ko::DefenderYields`]: the attacker has threats without end and may retake at once.
//!
//! [`Ko::Superko`] is the fourth: nobody has threats, and no position may come back at all; its
//! keys hold the whole history, so no result is ever carried from one history to another.
//!
//! In [`Ko::AttackerYields`] the attacker never takes a ko. That is exact: the defender retakes,
//! and the board is the old one with the attacker to move and one move fewer to choose from. To
//! win, the attacker must at last play something else, which was open to it before; to take kos for
//! ever is a repetition, and fails. It holds for the target too: a target that is taken in a ko
//! comes back the same way. The argument does not hold for the defender with the roles exchanged,
//! because a repetition is what the defender wants: with two kos it takes one while the other is
//! forbidden, and no number of threats ends that. So in [`Ko::DefenderYields`] the defender takes
//! kos as the rule allows.
//!
//! What is captured in one game is captured in the next of `AttackerYields`, `Simple`,
//! `DefenderYields`: from the first to the second the attacker keeps its strategy, which takes no
//! ko and so forbids the defender nothing, and the defender gains no move; from the second to the
//! third only the attacker gains moves.
//!
//! # Narrowing
//!
//! Two narrowings, both exact:
//!
//! * The target is in atari and the attacker to move: it takes the target if ko allows it. That is
//!   the aim of the game.
//! * The target is in atari and the defender to move: only a stone on the last liberty L, or the
//!   capture of a block that touches the target, is tried. After any other move, or a pass, the
//!   target still stands in atari with the liberty L: stones join it only on L, and new liberties
//!   come only from stones that touched it. The attacker then takes on L. No suicide rule is in the
//!   way of a capture; no position of this search had the target's point empty, so superko is not
//!   either; and ko forbids only the point of a lone stone just taken, which is not L, since L
//!   touches the target. What remains is that the capture itself is in a ko and the attacker
//!   yields. Only a lone stone is taken so; against an attacker who yields, a lone target has all
//!   moves.

use std::sync::{Arc, Mutex, PoisonError};

use yomikiri_proof::estimate::by_level;
use yomikiri_proof::game::{Ahead, Candidate, Coverage, NodeIdentity, ProofGame, Role, Settled};

use super::ahead::{Extensions, LevelsAt};
use super::estimate::FirstNumbers;
use super::moves::Moves;
use super::zone::Zones;
use crate::board::{Block, Board, Colour, KoRule, Move, Point, PointSet};
use crate::candidates::{LEVELS, OUTSIDE, levels};

/// Who has ko threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ko {
    /// Nobody.
    Simple,
    /// The defender, without end.
    AttackerYields,
    /// The attacker, without end.
    DefenderYields,
    /// Nobody, and no position may come back.
    Superko,
}

impl Ko {
    /// Whether a ko just taken may not be retaken by this side.
    fn binds(self, side: Role) -> bool {
        match self {
            Ko::Simple | Ko::Superko => true,
            Ko::AttackerYields => side == Role::Attacker,
            Ko::DefenderYields => side == Role::Defender,
        }
    }
}

/// What the search of one capture is about.
#[derive(Clone, Copy, Debug)]
pub struct CaptureRules {
    /// The ko rule.
    pub ko: Ko,
    /// Which moves are tried.
    pub moves: Moves,
    /// The attacker gives up when the target has this many liberties, 2 or more.
    pub give_up: Option<u32>,
    /// The first numbers of a node.
    pub numbers: FirstNumbers,
}

/// Counts that the solvers do not keep.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaptureCounts {
    /// Nodes whose moves were generated.
    pub expanded: u64,
    /// Moves generated there.
    pub candidates: u64,
}

/// What all copies of a game have counted, one for each thread of a search; a copy reports when it
/// is dropped.
#[derive(Clone, Debug, Default)]
pub struct Totals(Arc<Mutex<CaptureCounts>>);

impl Totals {
    /// The sum so far.
    pub fn get(&self) -> CaptureCounts {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, counts: CaptureCounts) {
        let mut sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sum.expanded += counts.expanded;
        sum.candidates += counts.candidates;
    }
}

/// The game. See the module text.
pub struct CaptureGame {
    board: Board,
    target: Point,
    attacker: Colour,
    turn: Role,
    rules: CaptureRules,
    /// Hash of the positions so far (superko only).
    history: u64,
    counts: CaptureCounts,
    totals: Totals,
    /// For [`ProofGame::peek`]: the node for which `plain` holds, and its points where a stone
    /// captures nothing.
    peek_key: u64,
    plain: PointSet,
    /// The defender's extensions at the node last asked about.
    pub(super) extensions: Extensions,
    /// The threat levels there.
    pub(super) levels_at: LevelsAt,
    /// What solved positions rest on, for [`Moves::Zones`].
    zones: Option<Zones>,
}

const SIDE: u64 = 0x6a09_e667_f3bc_c909;

impl CaptureGame {
    /// The problem on `board`, with `turn` to move. `None` if there is no stone at `target`.
    pub fn new(
        board: &Board,
        target: Point,
        turn: Role,
        rules: CaptureRules,
    ) -> Option<CaptureGame> {
        let attacker = board.stone(target)?.other();
        let mut board = board.clone();
        board.set_rule(if rules.ko == Ko::Superko { KoRule::Superko } else { KoRule::Simple });
        let mover = if turn == Role::Attacker { attacker } else { attacker.other() };
        // Ko forbids the retake; the side that took may move again, and fill the point.
        let retakes = board.ko().is_some_and(|ko| board.ko_capture(mover, ko).is_some());
        if !rules.ko.binds(turn) || !retakes {
            board.set_ko(None);
        }
        let zoned = rules.moves == Moves::Zones && rules.ko != Ko::Superko;
        Some(CaptureGame {
            zones: zoned.then(Zones::default),
            board,
            target,
            attacker,
            turn,
            rules,
            history: 0,
            counts: CaptureCounts::default(),
            totals: Totals::default(),
            peek_key: 0,
            plain: PointSet::EMPTY,
            extensions: Extensions::default(),
            levels_at: LevelsAt::default(),
        })
    }

    /// The problem, and where its copies report what they count.
    pub fn counted(
        board: &Board,
        target: Point,
        turn: Role,
        rules: CaptureRules,
    ) -> Option<(CaptureGame, Totals)> {
        let game = CaptureGame::new(board, target, turn, rules)?;
        let totals = game.totals.clone();
        Some((game, totals))
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The move that takes the target now, if there is one.
    pub fn capture_now(&self) -> Option<Move> {
        let last = self.last_liberty().filter(|_| self.turn == Role::Attacker)?;
        let forbidden = self.board.ko() == Some(last)
            || self.yields() && self.board.ko_capture(self.attacker, last).is_some();
        (!forbidden).then(|| last.into())
    }

    /// The same position with every legal move, and the same keys.
    pub fn with_all_moves(&self) -> CaptureGame {
        let mut game = self.clone();
        if game.rules.moves == Moves::Zones {
            game.rules.moves = Moves::All;
        }
        game
    }

    /// Whether the search of this game rests on zones.
    fn zoned(&self) -> bool {
        self.zones.is_some() && self.rules.moves == Moves::Zones
    }

    pub(super) fn target(&self) -> Point {
        self.target
    }

    pub(super) fn turn(&self) -> Role {
        self.turn
    }

    pub(super) fn rules(&self) -> &CaptureRules {
        &self.rules
    }

    pub(super) fn zones(&self) -> Option<&Zones> {
        self.zones.as_ref()
    }

    pub(super) fn zones_mut(&mut self) -> &mut Option<Zones> {
        &mut self.zones
    }

    pub(super) fn colour_of(&self, role: Role) -> Colour {
        match role {
            Role::Attacker => self.attacker,
            Role::Defender => self.attacker.other(),
        }
    }

    fn colour(&self) -> Colour {
        self.colour_of(self.turn)
    }

    /// The last liberty of a target in atari, where the defender to move looks at escapes only.
    pub(super) fn narrowed(&self) -> Option<Point> {
        self.last_liberty().filter(|_| self.turn == Role::Defender && !self.safe_in_ko())
    }

    /// Whether the side to move takes no kos.
    pub(super) fn yields(&self) -> bool {
        self.turn == Role::Attacker && self.rules.ko == Ko::AttackerYields
    }

    /// The target's last liberty, if it is in atari.
    fn last_liberty(&self) -> Option<Point> {
        let block = self.board.block(self.target)?;
        if block.liberty_count() == 1 { block.liberties().first() } else { None }
    }

    /// Whether the narrowing in atari is void: the attacker yields, and a target of one stone can
    /// be, or be made, one that only a ko capture takes.
    fn safe_in_ko(&self) -> bool {
        let single = |block: &Block| block.stones().len() == 1;
        self.rules.ko == Ko::AttackerYields && self.board.block(self.target).is_some_and(single)
    }

    /// The moves that can save a target in atari.
    pub(super) fn escapes(&self, last: Point) -> PointSet {
        let mut out = PointSet::of(last);
        let Some(block) = self.board.block(self.target) else { return out };
        for enemy in self.board.blocks_touching(self.attacker, block.stones().neighbours()) {
            if enemy.liberty_count() == 1 {
                out |= *enemy.liberties();
            }
        }
        out
    }

    /// The legal points of the side to move under the ko rule of the game.
    pub(super) fn legal(&self, within: Option<PointSet>) -> PointSet {
        let colour = self.colour();
        let legal = match within {
            Some(points) => self.board.legal_among(colour, points),
            None => self.board.legal_points(colour),
        };
        if self.yields() { legal.minus(&self.ko_captures(colour, &legal)) } else { legal }
    }

    /// The points where a stone takes in a ko. Their neighbours are all of the other side or
    /// border.
    fn ko_captures(&self, colour: Colour, legal: &PointSet) -> PointSet {
        let shut = legal.minus(&(*self.board.empty() | *self.board.stones(colour)).neighbours());
        let takes = |point: &Point| self.board.ko_capture(colour, *point).is_some();
        shut.iter().filter(takes).collect()
    }

    fn push(&self, points: PointSet, level: u32, out: &mut Vec<Candidate<Move>>) {
        out.extend(points.iter().map(|point| self.candidate(point.into(), level)));
    }

    /// A move with the first numbers of the node behind it.
    pub(super) fn candidate(&self, m: Move, level: u32) -> Candidate<Move> {
        let number = match self.rules.numbers {
            FirstNumbers::Levels => by_level(self.turn, level),
            FirstNumbers::Liberties => self.by_liberties(m, level),
        };
        Candidate::estimated(m, number.pn, number.dn)
    }

    /// The points where the side to move captures nothing, for cheap child keys.
    fn note_plain_points(&mut self) {
        let opponent = self.board.stones(self.colour().other());
        self.plain = self.board.empty().minus(&opponent.neighbours());
        self.peek_key = self.board.stones_key();
    }

    /// The sum (not xor: a pass leaves the same position twice) of what was on the board up to now.
    fn history_after(&self) -> u64 {
        self.history.wrapping_add(self.history_term())
    }

    fn history_before(&self) -> u64 {
        self.history.wrapping_sub(self.history_term())
    }

    fn history_term(&self) -> u64 {
        if self.rules.ko == Ko::Superko { spread(self.board.stones_key() ^ SIDE) } else { 0 }
    }

    /// The key of the positions whose zones are compared with this one: the ko, the side to move.
    pub(super) fn family_key(&self, block: u64) -> u64 {
        self.key_of(block, self.board.ko(), self.turn, 0)
    }

    fn key_of(&self, stones: u64, ko: Option<Point>, turn: Role, history: u64) -> u64 {
        // Superko has the history instead; an attacker who yields takes no ko, forbidden or not.
        let matters = match self.rules.ko {
            Ko::Simple => true,
            Ko::DefenderYields => turn == Role::Defender,
            Ko::AttackerYields | Ko::Superko => false,
        };
        let ko = ko.filter(|_| matters);
        let side = if turn == Role::Attacker { 0 } else { SIDE };
        spread(stones ^ Board::ko_key(ko) ^ side ^ history)
    }
}

impl Clone for CaptureGame {
    /// The copy counts from zero and reports to the same totals.
    fn clone(&self) -> CaptureGame {
        CaptureGame {
            board: self.board.clone(),
            counts: CaptureCounts::default(),
            totals: self.totals.clone(),
            zones: self.zones.clone(),
            extensions: Extensions::default(),
            levels_at: LevelsAt::default(),
            ..*self
        }
    }
}

impl Drop for CaptureGame {
    fn drop(&mut self) {
        self.totals.add(self.counts);
    }
}

/// The tables index with high bits and compare low ones: mix the sum of words once more.
fn spread(key: u64) -> u64 {
    let key = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key ^ (key >> 29)
}

impl ProofGame for CaptureGame {
    type Move = Move;
    type Stock = ();

    fn role(&self) -> Role {
        self.turn
    }

    fn board_key(&self) -> u64 {
        self.key_of(self.board.stones_key(), self.board.ko(), self.turn, self.history)
    }

    fn stock(&self) {}

    fn settle(&mut self) -> Option<Settled<()>> {
        if let Some(captured) = self.plainly_captured() {
            return Some(if captured { Settled::proven((), 1) } else { Settled::disproven(()) });
        }
        if !self.zoned() {
            return None;
        }
        let by_pattern = self.settle_by_pattern();
        let found =
            by_pattern.or_else(|| self.ladder().map(|ground| (Role::Attacker, ground.length)));
        found.map(|(winner, length)| match winner {
            Role::Attacker => Settled::proven((), length),
            Role::Defender => Settled::disproven(()),
        })
    }

    fn moves(&mut self, out: &mut Vec<Candidate<Move>>) {
        let before = out.len();
        self.note_plain_points();
        if let Some(last) = self.narrowed() {
            let legal = self.legal(Some(self.escapes(last)));
            self.push(legal, 1, out);
        } else {
            let levels = levels(&self.board, self.target);
            let near = self.rules.moves == Moves::Heuristic || self.zoned();
            let legal = self.legal(near.then(|| *levels.all()));
            if self.zoned() && self.turn == Role::Defender {
                // Its refutation answers most of the others.
                out.push(self.candidate(Move::PASS, 1));
            }
            for level in 1..=LEVELS {
                self.push(*levels.at(level) & legal, level as u32, out);
            }
            self.push(legal.minus(levels.all()), OUTSIDE, out);
            if self.turn == Role::Defender && !self.zoned() {
                out.push(self.candidate(Move::PASS, OUTSIDE));
            }
        }
        self.counts.expanded += 1;
        self.counts.candidates += (out.len() - before) as u64;
    }

    fn play(&mut self, m: Move) {
        self.history = self.history_after();
        self.board.play_legal(self.colour(), m);
        self.turn = self.turn.other();
        if !self.rules.ko.binds(self.turn) {
            self.board.set_ko(None);
        }
    }

    fn undo(&mut self, _m: Move) {
        self.board.undo();
        self.turn = self.turn.other();
        self.history = self.history_before();
    }

    #[inline]
    fn peek(&mut self, m: Move) -> NodeIdentity<()> {
        let colour = self.colour();
        let history = self.history_after();
        let (stones, ko) = match m.point() {
            None => (self.board.stones_key(), None),
            Some(point)
                if self.peek_key == self.board.stones_key() && self.plain.contains(point) =>
            {
                (self.board.key_with(colour, point), None)
            }
            Some(point) => {
                (self.board.key_after(colour, point), self.board.ko_capture(colour, point))
            }
        };
        NodeIdentity { board: self.key_of(stones, ko, self.turn.other(), history), stock: () }
    }

    fn look_ahead(&mut self, m: Move, _left: u16) -> Option<Ahead<()>> {
        if self.zoned() { self.behind(m) } else { None }
    }

    fn carries_refutations(&self) -> bool {
        self.zoned()
    }

    fn unanswered(
        &mut self,
        refuted: &[(Move, NodeIdentity<()>)],
        out: &mut Vec<Candidate<Move>>,
    ) -> Coverage {
        self.close(refuted, out)
    }

    fn answers(&self, m: Move) -> bool {
        self.is_answered(m)
    }

    fn note_win(&mut self, m: Move) {
        self.note_win_by(m);
    }
}
