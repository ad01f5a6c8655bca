//! The fourth stage: the length by convention of a mate, to the letter, and the line that has it.
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

use yomikiri_proof::game::{Candidate, ProofGame, Role, Stock};
use yomikiri_proof::solver::Query;
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::Move;

use super::present;
use super::prove::Proven;
use super::run::Run;
use super::shorten::{Bounds, LONG};
use crate::game::node::{Ply, Sort, Tsume};

/// Nodes for one question to the search, and for all of them.
const NODES_A_QUESTION: u64 = 100_000;
const NODES_IN_ALL: u64 = 1_000_000;
/// Nodes for the question whether a long mate is one in time with everything counted: that is as
/// hard as the mate itself, and what is not plain is found by walking on.
const NODES_FOR_EVERYTHING: u64 = 1_000;
/// Most questions.
const QUESTIONS: u32 = 50_000;

/// The limits were not enough.
struct TooMuch;

type Decided<T> = Result<T, TooMuch>;

/// The length by convention, and a line that has it.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// No mate is shorter.
    pub(crate) low: u16,
    /// There is a mate of this length.
    pub(crate) high: u16,
    /// Whether the length is that of the rule to the letter, and not only of the search.
    pub(crate) by_the_rule: bool,
    /// The attacker's best and the defender's longest.
    pub(crate) line: Vec<Move>,
}

/// The length by convention of a mate that is proven within `bounds`, and its line. `checking` is
/// how to ask about single defences.
pub(crate) fn count(
    run: &Run<'_>,
    checking: &Query,
    game: &Tsume,
    proven: &Proven,
    bounds: Bounds,
) -> Counted {
    let raw = proven.proof.raw_length;
    // What was found just before the time ran out may have made the proof shorter still.
    let length = proven.tree.nodes[proven.tree.root()].length;
    let (mut low, mut high) = (bounds.low, within(length, raw));
    let exact = low == high;
    let mut line = present::line(run, checking, game, &proven.tree, exact);
    let generous = line.len() != usize::from(high) || raw > u32::from(high);
    let mut by_the_rule = !generous;
    if exact
        && generous
        && let Some(raw) = u16::try_from(raw).ok()
        && let Some((length, strict)) = judge(run, checking, game, (high, raw))
    {
        (low, high, by_the_rule) = (length, length, true);
        line = strict;
    }
    // A proof may come to a position in several ways and take longer there than it has to.
    if line.len() > raw as usize {
        line = proven.guide.line(game.position());
    }
    // What is shown is what is counted: an interposition that nothing else lasts as long as is not
    // useless.
    high = high.max(u16::try_from(line.len()).unwrap_or(UNBOUNDED));
    Counted { low, high, by_the_rule, line }
}

/// A length by convention, which is never above that with everything counted.
fn within(length: u16, raw: u32) -> u16 {
    u16::try_from(raw).map_or(length, |raw| length.min(raw))
}

/// Whether `game` is mate within `length`, if `nodes` are enough to know: part of the checking, not
/// of the search. Tells the nodes used as well.
pub(super) fn decide(
    run: &Run<'_>,
    checking: &Query,
    game: &Tsume,
    length: u16,
    nodes: u64,
) -> (Option<bool>, u64) {
    let outcome = run.solver.ask(game, &checking.clone().within(length).at_most(nodes), None);
    let number = outcome.number;
    (number.is_solved().then(|| number.is_proven()), outcome.nodes)
}

/// One problem under the strict rule. The game stands in the position to be judged and counts
/// everything.
struct Judge<'r> {
    run: &'r Run<'r>,
    checking: &'r Query,
    game: Tsume,
    known: HashMap<(u64, u32, u16), bool>,
    nodes: u64,
    questions: u32,
}

/// The strict length, if it is found, with a line of that length. It lies between the length that
/// the search gives and that with everything counted.
fn judge(
    run: &Run<'_>,
    checking: &Query,
    game: &Tsume,
    (low, high): (u16, u16),
) -> Option<(u16, Vec<Move>)> {
    let mut judge = Judge {
        run,
        checking,
        game: game.counting_everything(),
        known: HashMap::new(),
        nodes: NODES_IN_ALL,
        questions: QUESTIONS,
    };
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
    fn ask(&mut self, game: &Tsume, plies: u16, nodes: u64) -> Decided<Option<bool>> {
        self.questions = self.questions.checked_sub(1).ok_or(TooMuch)?;
        let most = self.nodes.min(nodes);
        let (answer, used) = decide(self.run, self.checking, game, plies, most);
        self.nodes = self.nodes.saturating_sub(used);
        Ok(answer)
    }

    /// Whether the present position is mate within `plies` by the strict rule.
    fn mate_within(&mut self, plies: u16) -> Decided<bool> {
        let key = (self.game.board_key(), self.game.stock().to_bits(), plies);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let generous = self.game.by_convention();
        let in_time = self.ask(&generous, plies, NODES_A_QUESTION)?.ok_or(TooMuch)?;
        let everything = self.game.clone();
        let nodes = if plies > LONG { NODES_FOR_EVERYTHING } else { NODES_A_QUESTION };
        let answer = if !in_time {
            false
        } else if self.ask(&everything, plies, nodes)? == Some(true) {
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
    fn behind(&mut self, ply: Ply, plies: Option<u16>) -> Decided<bool> {
        let Some(plies) = plies else { return Ok(false) };
        self.game.play(ply);
        let answer = self.mate_within(plies);
        self.game.undo(ply);
        answer
    }

    fn attack(&mut self, plies: u16) -> Decided<bool> {
        for check in self.candidates() {
            if self.behind(check.play, plies.checked_sub(1))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn defend(&mut self, plies: u16) -> Decided<bool> {
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
            let answered = lasting && self.without(interposition.play, plies)?
                || self.behind(ply, plies.checked_sub(1))?;
            if !answered {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether it is mate within `plies` once the checking piece has taken the interposed one and
    /// given it back.
    fn without(&mut self, interposition: Ply, plies: u16) -> Decided<bool> {
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
    fn line(&mut self, plies: u16) -> Decided<Vec<Move>> {
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
