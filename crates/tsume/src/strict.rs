//! The length by convention of a short mate, to the letter, and the line that has it.
//!
//! The search may leave an interposition uncounted wherever the mate goes on in time without the
//! piece. Convention asks for more: that the interposition prolongs nothing. So an interposition
//! against the check in P is useless within n plies only if some other defence in P lasts n plies
//! as well; otherwise it counts, the piece is gained, and the mate comes two plies later at most.
//! The search cannot see this, since "lasts n plies" is the defender's claim and not the
//! attacker's, but it gives a lower bound, and counting everything gives an upper one. Where the
//! two meet there is nothing to do (97 of 100 mates from games); in between this file walks the
//! positions in which they differ.
//!
//! With that rule a line of exactly the stated length always exists: some defence that counts lasts
//! all of it.

use std::collections::HashMap;

use yomikiri_proof::game::{Candidate, Game, Role, Stock};
use yomikiri_shogi::Move;

use crate::node::{Ply, Sort, Tsume};
use crate::solve::MateSolver;

/// Nodes for one question to the search, and for all of them.
const NODES_A_QUESTION: u64 = 100_000;
const NODES_IN_ALL: u64 = 1_000_000;
/// Most questions.
const QUESTIONS: u32 = 20_000;

/// The limits were not enough.
struct TooMuch;

type Answer<T> = Result<T, TooMuch>;

/// One problem under the strict rule. The game stands in the position to be judged and counts
/// everything.
struct Judge<'m> {
    solver: &'m mut MateSolver,
    game: Tsume,
    known: HashMap<(u64, u32, u16), bool>,
    nodes: u64,
    questions: u32,
}

/// The strict length, if it is found, with a line of that length. It lies between `low`, the length
/// that the search gives, and `high`, that with everything counted.
pub(crate) fn judge(
    solver: &mut MateSolver,
    game: &Tsume,
    low: u16,
    high: u16,
) -> Option<(u16, Vec<Move>)> {
    let game = game.counting_everything();
    let mut judge =
        Judge { solver, game, known: HashMap::new(), nodes: NODES_IN_ALL, questions: QUESTIONS };
    let mut length = low;
    while !judge.mate_within(length).ok()? {
        length += 2;
        if length > high {
            return None;
        }
    }
    let line = judge.line(length).ok()?;
    Some((length, line))
}

impl Judge<'_> {
    /// What the search says about the present position.
    fn ask(&mut self, game: &Tsume, plies: u16) -> Answer<bool> {
        self.questions = self.questions.checked_sub(1).ok_or(TooMuch)?;
        let most = self.nodes.min(NODES_A_QUESTION);
        let (answer, used) = self.solver.decide(game, plies, most);
        self.nodes = self.nodes.saturating_sub(used);
        answer.ok_or(TooMuch)
    }

    /// Whether the present position is mate within `plies` by the strict rule.
    fn mate_within(&mut self, plies: u16) -> Answer<bool> {
        let key = (self.game.board_key(), self.game.stock().to_bits(), plies);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let generous = self.game.by_convention();
        let answer = if !self.ask(&generous, plies)? {
            false
        } else if self.ask(&self.game.clone(), plies)? {
            true
        } else {
            match self.game.role() {
                Role::Attacker => self.attack(plies)?,
                Role::Defender => self.defend(plies)?,
            }
        };
        self.known.insert(key, answer);
        Ok(answer)
    }

    /// The same for the position behind `ply`. Fewer plies than none are never enough.
    fn behind(&mut self, ply: Ply, plies: Option<u16>) -> Answer<bool> {
        let Some(plies) = plies else { return Ok(false) };
        self.game.play(ply);
        let answer = self.mate_within(plies);
        self.game.undo(ply);
        answer
    }

    fn attack(&mut self, plies: u16) -> Answer<bool> {
        for check in self.candidates() {
            if self.behind(check.play, plies.checked_sub(1))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn defend(&mut self, plies: u16) -> Answer<bool> {
        let (interpositions, plain): (Vec<_>, Vec<_>) =
            self.candidates().into_iter().partition(|c| c.play.sort == Sort::Interposition);
        for defence in &plain {
            if !self.behind(defence.play, plies.checked_sub(1))? {
                return Ok(false);
            }
        }
        let mut lasting = plies == 0;
        for defence in &plain {
            lasting = lasting || !self.behind(defence.play, plies.checked_sub(3))?;
        }
        for interposition in &interpositions {
            let ply = Ply::new(interposition.play.played, Sort::Plain);
            let answered = self.behind(ply, plies.checked_sub(1))?
                || lasting && self.without(interposition.play, plies)?;
            if !answered {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether it is mate within `plies` once the checking piece has taken the interposed one and
    /// given it back.
    fn without(&mut self, interposition: Ply, plies: u16) -> Answer<bool> {
        let mut game = self.game.by_convention();
        game.play(interposition);
        let mut answers: Vec<Candidate<Ply>> = Vec::new();
        game.moves(&mut answers);
        let first = Ply::new(interposition.played, Sort::Plain);
        self.game.play(first);
        let mut found = Ok(false);
        for take in answers.iter().filter(|c| c.play.sort == Sort::NotCounted) {
            found = self.behind(take.play, Some(plies));
            if !matches!(found, Ok(false)) {
                break;
            }
        }
        self.game.undo(first);
        found
    }

    /// The moves of the present position; interpositions that look useless are marked.
    fn candidates(&self) -> Vec<Candidate<Ply>> {
        let mut candidates = Vec::new();
        self.game.by_convention().moves(&mut candidates);
        candidates
    }

    /// The attacker's shortest against the defender's longest, from a mate in exactly `plies`.
    fn line(&mut self, plies: u16) -> Answer<Vec<Move>> {
        let mut line = Vec::new();
        for left in (1..=plies).rev() {
            let mut candidates = self.candidates();
            // An interposition is shown only where nothing else lasts as long.
            candidates.sort_by_key(|c| c.play.sort == Sort::Interposition);
            let mut chosen = None;
            for candidate in candidates {
                let ply = Ply::new(candidate.play.played, Sort::Plain);
                let fits = match self.game.role() {
                    Role::Attacker => self.behind(ply, Some(left - 1))?,
                    Role::Defender => !self.behind(ply, left.checked_sub(3))?,
                };
                if fits {
                    chosen = Some(ply);
                    break;
                }
            }
            let ply = chosen.ok_or(TooMuch)?;
            self.game.play(ply);
            line.push(ply.played);
        }
        Ok(line)
    }
}
