//! The fourth stage: the length by convention of a mate, to the letter, and the line that has it.
//!
//! The search may leave an interposition uncounted wherever the mate goes on in time without the
//! piece. Convention demands more: that the interposition prolongs nothing. So an interposition
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

mod in_proof;

use super::present;
use super::prove::Proven;
use super::run::Run;
use super::shorten::{Bounds, LONG};
use crate::game::node::{Ply, Sort, Tsume};

/// Nodes for one question to the search, and for all of them; few are enough for what the table
/// knows.
const NODES_A_QUESTION: u64 = 100_000;
const NODES_TO_RECALL: u64 = 100;
const NODES_IN_ALL: u64 = 1_000_000;
/// Nodes for the question whether a long mate is one in time with everything counted: that is as
/// hard as the mate itself, and what is not plain is found by walking on.
const NODES_FOR_EVERYTHING: u64 = 1_000;
/// Most questions.
const QUESTIONS: u32 = 20_000;

/// The limits were not enough.
struct TooMuch;

/// An answer, `None` if the question took too many nodes. Not every question matters.
type Decided<T> = Result<Option<T>, TooMuch>;

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
    // Of a short mate every position is judged, so that the line is that of the rule too.
    let mut by_the_rule = !generous
        || exact
            && high > LONG
            && line.len() == usize::from(high)
            && in_proof::is_within(run, checking, game, &proven.tree, high);
    if exact
        && !by_the_rule
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
/// of the search. Returns the nodes used as well.
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
    known: HashMap<(u64, u32, u16), Option<bool>>,
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
    let mut judge = Judge::new(run, checking, game);
    let mut length = low;
    while !judge.mate_within(length).ok()?? {
        length += 2;
        if length > high {
            return None;
        }
    }
    let line = judge.line(length).ok()??;
    Some((length, line))
}

impl<'r> Judge<'r> {
    fn new(run: &'r Run<'r>, checking: &'r Query, game: &Tsume) -> Self {
        Self {
            run,
            checking,
            game: game.counting_everything(),
            known: HashMap::new(),
            nodes: NODES_IN_ALL,
            questions: QUESTIONS,
        }
    }

    /// What the search says about a position.
    fn ask(&mut self, game: &Tsume, plies: u16, nodes: u64) -> Decided<bool> {
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
        let in_time = self.ask(&generous, plies, NODES_A_QUESTION)?;
        let everything = self.game.clone();
        let nodes = if plies > LONG { NODES_FOR_EVERYTHING } else { NODES_A_QUESTION };
        let answer = if in_time != Some(true) {
            in_time
        } else if self.ask(&everything, plies, nodes)? == Some(true) {
            Some(true)
        } else {
            match self.game.role() {
                Role::Attacker => self.mating_move(plies)?.map(|found| found.is_some()),
                Role::Defender => self.defend(plies)?,
            }
        };
        self.known.insert(key, answer);
        Ok(answer)
    }

    /// The same for the position behind `ply`. Fewer plies than none are never enough.
    fn behind(&mut self, ply: Ply, plies: Option<u16>) -> Decided<bool> {
        let Some(plies) = plies else { return Ok(Some(false)) };
        self.game.play(ply);
        let answer = self.mate_within(plies);
        self.game.undo(ply);
        answer
    }

    /// A check that mates within `plies`, if there is one. What the table knows to mate comes
    /// first: that another check does not is often hard to know.
    fn mating_move(&mut self, plies: u16) -> Decided<Option<Ply>> {
        let Some(left) = plies.checked_sub(1) else { return Ok(Some(None)) };
        let mut later = Vec::new();
        for check in self.candidates() {
            let mut after = self.game.by_convention();
            after.play(check.play);
            match self.ask(&after, left, NODES_TO_RECALL)? {
                Some(true) if self.behind(check.play, Some(left))? == Some(true) => {
                    return Ok(Some(Some(check.play)));
                }
                Some(false) => {}
                _ => later.push(check.play),
            }
        }
        let mut decided = Some(None);
        for check in later {
            match self.behind(check, Some(left))? {
                Some(true) => return Ok(Some(Some(check))),
                Some(false) => {}
                None => decided = None,
            }
        }
        Ok(decided)
    }

    fn defend(&mut self, plies: u16) -> Decided<bool> {
        let (interpositions, plain): (Vec<_>, Vec<_>) =
            self.candidates().into_iter().partition(|c| c.play.sort == Sort::Interposition);
        let mut decided = Some(true);
        for defence in &plain {
            match self.behind(defence.play, plies.checked_sub(1))? {
                Some(false) => return Ok(Some(false)),
                answer => decided = decided.and(answer),
            }
        }
        if interpositions.is_empty() {
            return Ok(decided);
        }
        let lasting = self.lasts(&plain, plies)?;
        for interposition in &interpositions {
            let ply = Ply::new(interposition.play.played, Sort::Plain);
            let useless = match lasting {
                Some(true) => self.without(interposition.play, plies)?,
                other => other,
            };
            if useless == Some(true) {
                continue;
            }
            match self.behind(ply, plies.checked_sub(1))? {
                Some(true) => {}
                Some(false) if useless == Some(false) => return Ok(Some(false)),
                _ => decided = None,
            }
        }
        Ok(decided)
    }

    /// Whether one of these defences lasts all of `plies`.
    fn lasts(&mut self, defences: &[Candidate<Ply>], plies: u16) -> Decided<bool> {
        let mut decided = Some(plies == 0);
        for defence in defences {
            match self.behind(defence.play, plies.checked_sub(3))? {
                Some(false) => return Ok(Some(true)),
                Some(true) => {}
                None => decided = None,
            }
        }
        Ok(decided)
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
        let mut found = Ok(Some(false));
        for take in answers.iter().filter(|c| c.play.sort == Sort::NotCounted) {
            found = self.behind(take.play, Some(plies));
            if !matches!(found, Ok(Some(false))) {
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
            let chosen = match self.game.role() {
                Role::Attacker => self.mating_move(left)?.flatten(),
                Role::Defender => self.lasting_move(left)?,
            };
            let Some(ply) = chosen else { return Ok(None) };
            let ply = Ply::new(ply.played, Sort::Plain);
            self.game.play(ply);
            line.push(ply.played);
        }
        Ok(Some(line))
    }

    /// A defence that lasts all of `left` plies; an interposition only where nothing else does.
    fn lasting_move(&mut self, left: u16) -> Decided<Ply> {
        let mut candidates = self.candidates();
        candidates.sort_by_key(|c| c.play.sort == Sort::Interposition);
        for candidate in candidates {
            let ply = Ply::new(candidate.play.played, Sort::Plain);
            if self.behind(ply, left.checked_sub(3))? == Some(false) {
                return Ok(Some(ply));
            }
        }
        Ok(None)
    }
}
