//! Questions about the positions of one problem, asked of one table within the problem's limits.

use std::collections::HashMap;

use yomikiri_proof::game::{Candidate, ProofGame, Role, Stock};
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::Move;

use crate::game::node::{Ply, Sort, Tsume};
use crate::solve::{OnMateProgress, Proven, Run, checking, prove, refute};
use crate::verify::{Counting, Refutation};

/// Nodes for one question about a defence or the pieces left over.
const NODES_A_QUESTION: u64 = 200_000;
/// Most positions looked at for a line that leaves no pieces over.
const MOST_POSITIONS: u32 = 20_000;

/// Most positions of a refutation that shows how long a variation lasts.
const LARGEST_REFUTATION: usize = 20_000;

/// The limits were not enough.
struct TooMuch;

/// The questions about one problem.
pub(super) struct Inquiry<'s, 'r> {
    pub(super) run: Run<'s>,
    report: &'r mut OnMateProgress<'r>,
}

impl<'s, 'r> Inquiry<'s, 'r> {
    pub(super) fn new(run: Run<'s>, report: &'r mut OnMateProgress<'r>) -> Self {
        Self { run, report }
    }

    /// Whether the limits are used up.
    pub(super) fn is_over(&self) -> bool {
        let left = self.run.limits_left();
        left.nodes == 0
            || left.time.is_some_and(|time| time.is_zero())
            || left.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Whether the position is mate within `length`, and the length found, if `nodes` are enough to
    /// know.
    pub(super) fn ask(&mut self, game: &Tsume, length: u16, nodes: u64) -> Option<Option<u16>> {
        if self.is_over() {
            return None;
        }
        let epoch = if length == UNBOUNDED { 0 } else { length };
        let query = self.run.query().within(length).in_epoch(epoch).at_most(nodes);
        let outcome = self.run.ask(game, &query, self.report);
        let number = outcome.number;
        number.is_solved().then(|| number.is_proven().then_some(outcome.length))
    }

    /// Whether the position is mate within `length`.
    pub(super) fn is_mate_within(&mut self, game: &Tsume, length: u16) -> Option<bool> {
        self.ask(game, length, NODES_A_QUESTION).map(|found| found.is_some())
    }

    /// The proof of a mate that was found, checked.
    pub(super) fn prove(&self, game: &Tsume, length: u16) -> Option<Proven> {
        let epoch = if length == UNBOUNDED { 0 } else { length };
        prove(&self.run, game, &checking(self.run.settings, epoch).within(length)).ok()
    }

    /// That the position is no mate within `length` by convention, which was found before, written
    /// down and checked.
    pub(super) fn refute(&mut self, game: &Tsume, length: u16) -> Option<Refutation> {
        if self.is_over() {
            return None;
        }
        refute(&mut self.run, game, (length, LARGEST_REFUTATION), Counting::Convention)
    }

    /// The defences of the present position that convention counts where the mate takes `left`
    /// plies; `None` if that is not known.
    pub(super) fn counted_defences(&mut self, game: &mut Tsume, left: u16) -> Option<Vec<Move>> {
        let mut candidates: Vec<Candidate<Ply>> = Vec::new();
        game.moves(&mut candidates);
        let mut counted = Vec::new();
        for candidate in candidates {
            let ply = candidate.play;
            if ply.sort == Sort::Plain || !self.is_useless(game, ply, left)? {
                counted.push(ply.played);
            }
        }
        Some(counted)
    }

    /// Whether an interposition is simply taken and the mate goes on as before.
    fn is_useless(&mut self, game: &mut Tsume, interposition: Ply, left: u16) -> Option<bool> {
        game.play(interposition);
        let mut answers: Vec<Candidate<Ply>> = Vec::new();
        game.moves(&mut answers);
        let mut found = Some(false);
        for take in answers.iter().filter(|c| c.play.sort == Sort::NotCounted) {
            game.play(take.play);
            found = self.is_mate_within(game, left);
            game.undo(take.play);
            if found != Some(false) {
                break;
            }
        }
        game.undo(interposition);
        found
    }

    /// A line of exactly `length` plies after which the attacker has nothing left, the attacker's
    /// shortest against a defence that lasts: `None` if that is not known, nothing inside if there
    /// is none.
    pub(super) fn bare_line(&mut self, game: &Tsume, length: u16) -> Option<Option<Vec<Move>>> {
        let mut search = BareLines {
            inquiry: self,
            game: game.clone(),
            known: HashMap::new(),
            positions: MOST_POSITIONS,
            line: Vec::new(),
        };
        match search.exists(length) {
            Ok(true) => Some(Some(search.line.into_iter().rev().collect())),
            Ok(false) => Some(None),
            Err(TooMuch) => None,
        }
    }
}

/// The search for a line that leaves nothing over.
struct BareLines<'i, 's, 'r> {
    inquiry: &'i mut Inquiry<'s, 'r>,
    game: Tsume,
    /// Positions without such a line.
    known: HashMap<(u64, u32, u16), ()>,
    positions: u32,
    /// The line, last move first, once there is one.
    line: Vec<Move>,
}

impl BareLines<'_, '_, '_> {
    fn exists(&mut self, left: u16) -> Result<bool, TooMuch> {
        let hand = self.game.position().hand(self.game.attacker());
        let role = self.game.role();
        if role == Role::Defender && left == 0 {
            return Ok(hand.is_empty());
        }
        // A piece leaves the hand with a move of the attacker only.
        let pieces: u16 = hand.iter().map(|(_, count)| u16::from(count)).sum();
        let key = (self.game.board_key(), self.game.stock().to_bits(), left);
        if pieces > left.div_ceil(2) || self.known.contains_key(&key) {
            return Ok(false);
        }
        self.positions = self.positions.checked_sub(1).ok_or(TooMuch)?;
        let moves = match role {
            Role::Attacker => self.checks(left)?,
            Role::Defender => self.lasting(left)?,
        };
        for mv in moves {
            let ply = Ply::new(mv, Sort::Plain);
            self.game.play(ply);
            let found = self.exists(left - 1);
            self.game.undo(ply);
            if found? {
                self.line.push(mv);
                return Ok(true);
            }
        }
        self.known.insert(key, ());
        Ok(false)
    }

    /// The checks that mate in time.
    fn checks(&mut self, left: u16) -> Result<Vec<Move>, TooMuch> {
        let mut candidates: Vec<Candidate<Ply>> = Vec::new();
        self.game.moves(&mut candidates);
        let mut fitting = Vec::new();
        for candidate in candidates {
            self.game.play(candidate.play);
            let mates = self.inquiry.is_mate_within(&self.game, left - 1);
            self.game.undo(candidate.play);
            if mates.ok_or(TooMuch)? {
                fitting.push(candidate.play.played);
            }
        }
        Ok(fitting)
    }

    /// The defences that last all of `left` plies.
    fn lasting(&mut self, left: u16) -> Result<Vec<Move>, TooMuch> {
        let defences = self.inquiry.counted_defences(&mut self.game, left).ok_or(TooMuch)?;
        let mut lasting = Vec::new();
        for mv in defences {
            let ply = Ply::new(mv, Sort::Plain);
            self.game.play(ply);
            let shorter = match left.checked_sub(3) {
                Some(less) => self.inquiry.is_mate_within(&self.game, less),
                None => Some(false),
            };
            self.game.undo(ply);
            if !shorter.ok_or(TooMuch)? {
                lasting.push(mv);
            }
        }
        Ok(lasting)
    }
}
