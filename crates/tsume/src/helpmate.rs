//! Helpmates (協力詰, ばか詰): both sides work together for the shortest mate.
//!
//! The attacker gives check on every move, the defender makes any legal move, and both want the
//! mate to come soon. So there is one player in truth, and the search is a depth-first one that
//! deepens ply by ply, with a table of positions that are known to fail within this many plies. It
//! finds the shortest length and counts the lines of that length: a helpmate is sound if there is
//! exactly one.

use std::collections::HashMap;

use yomikiri_proof::limits::{LimitClock, ProofLimits, Reason};
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Color, Move, MoveList, Position};

/// What was found out about a helpmate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helpmate {
    /// The answer.
    pub verdict: HelpVerdict,
    /// A shortest line, if there is a mate.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpVerdict {
    /// A mate, and how many shortest lines there are; nothing if a limit was met while they were
    /// counted.
    Mate(Option<u64>),
    /// No mate of any length.
    NoMate,
    /// No mate within this many plies; longer ones were not looked for.
    NotWithin(u16),
    /// A limit was met; there is no mate within this many plies.
    Unknown(Reason, u16),
}

impl Helpmate {
    /// Whether there is exactly one solution.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.verdict == HelpVerdict::Mate(Some(1))
    }
}

/// Bytes that an entry of a table takes, with the room that a hash map leaves free.
const ENTRY_BYTES: usize = 40;
/// Nodes between two looks at the clock.
const STRIDE: u64 = 256;
/// A position that fails within any number of plies.
const FOR_EVER: u16 = u16::MAX;

/// Looks for the shortest helpmate of at most `most` plies from the position, whoever is to move.
#[must_use]
pub fn helpmate(position: &Position, attacker: Color, most: u16, limits: &ProofLimits) -> Helpmate {
    let clock = LimitClock::start(limits.clone());
    let mut search = Search {
        position: position.clone(),
        attacker,
        clock: &clock,
        until_tick: STRIDE,
        nodes: 0,
        failed: HashMap::new(),
        entries: (limits.memory / ENTRY_BYTES / 2).max(1),
        line: Vec::new(),
    };
    let found = search.deepen(most);
    let verdict = match found {
        Ok(Found::Mate(plies)) => HelpVerdict::Mate(Counter::new(&mut search).count(plies).ok()),
        Ok(Found::Never) => HelpVerdict::NoMate,
        Ok(Found::NotWithin) => HelpVerdict::NotWithin(most),
        Err((reason, within)) => HelpVerdict::Unknown(reason, within),
    };
    search.line.reverse();
    Helpmate { verdict, line: search.line, nodes: search.nodes }
}

/// What deepening found.
enum Found {
    Mate(u16),
    Never,
    NotWithin,
}

struct Search<'c> {
    position: Position,
    attacker: Color,
    clock: &'c LimitClock,
    until_tick: u64,
    nodes: u64,
    /// Plies within which a position is known to fail.
    failed: HashMap<u64, u16>,
    /// Most entries of a table.
    entries: usize,
    /// The solution, last move first.
    line: Vec<Move>,
}

impl Search<'_> {
    fn deepen(&mut self, most: u16) -> Result<Found, (Reason, u16)> {
        // The attacker makes the last move.
        let first = u16::from(self.position.side_to_move() == self.attacker);
        let mut done = 0;
        for plies in (first..=most).step_by(2) {
            match self.within(plies).map_err(|reason| (reason, done))? {
                None => return Ok(Found::Mate(plies)),
                Some(FOR_EVER) => return Ok(Found::Never),
                Some(_) => done = plies,
            }
        }
        Ok(Found::NotWithin)
    }

    /// Counts a node; fails at a limit.
    fn tick(&mut self) -> Result<(), Reason> {
        self.nodes += 1;
        self.until_tick -= 1;
        if self.until_tick > 0 {
            return Ok(());
        }
        self.until_tick = STRIDE.min(self.clock.stride()).max(1);
        self.clock.tick(STRIDE).map_or(Ok(()), Err)
    }

    /// The moves of the present position: checks, or everything of the defender.
    fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if self.position.side_to_move() == self.attacker {
            self.position.generate_checks(NonPromotions::All, &mut moves);
        } else {
            moves = self.position.legal_moves();
        }
        moves
    }

    /// Whether it is mate now.
    fn is_mate(&self) -> bool {
        self.position.side_to_move() != self.attacker && self.position.is_mate()
    }

    /// Nothing if there is a mate within `left` plies, its line is put down then; otherwise the
    /// plies within which there is none, `left` at least.
    fn within(&mut self, left: u16) -> Result<Option<u16>, Reason> {
        let key = self.position.key();
        if let Some(&failed) = self.failed.get(&key)
            && failed >= left
        {
            return Ok(Some(failed));
        }
        self.tick()?;
        if self.is_mate() {
            return Ok(None);
        }
        let moves = self.moves();
        let mut fails = FOR_EVER;
        if left == 0 {
            fails = if moves.is_empty() { FOR_EVER } else { 0 };
        } else {
            for &mv in &moves {
                self.position.play(mv);
                let below = self.within(left - 1);
                self.position.undo();
                match below? {
                    None => {
                        self.line.push(mv);
                        return Ok(None);
                    }
                    Some(FOR_EVER) => {}
                    Some(plies) => fails = fails.min(plies + 1),
                }
            }
        }
        if self.failed.len() < self.entries || self.failed.contains_key(&key) {
            self.failed.insert(key, fails);
        }
        Ok(Some(fails))
    }
}

/// Counts the shortest lines.
struct Counter<'s, 'c> {
    search: &'s mut Search<'c>,
    known: HashMap<(u64, u16), u64>,
}

impl<'s, 'c> Counter<'s, 'c> {
    fn new(search: &'s mut Search<'c>) -> Self {
        Self { search, known: HashMap::new() }
    }

    /// Lines of exactly `left` plies up to mate.
    fn count(&mut self, left: u16) -> Result<u64, Reason> {
        let key = self.search.position.key();
        if self.search.failed.get(&key).is_some_and(|&failed| failed >= left) {
            return Ok(0);
        }
        if let Some(&known) = self.known.get(&(key, left)) {
            return Ok(known);
        }
        self.search.tick()?;
        if left == 0 {
            return Ok(u64::from(self.search.is_mate()));
        }
        let mut lines = 0_u64;
        for &mv in &self.search.moves() {
            self.search.position.play(mv);
            let below = self.count(left - 1);
            self.search.position.undo();
            lines = lines.saturating_add(below?);
        }
        if self.known.len() >= self.search.entries {
            return Err(Reason::Memory);
        }
        self.known.insert((key, left), lines);
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(sfen: &str, most: u16) -> Helpmate {
        let position = Position::from_problem_sfen(sfen).unwrap();
        let attacker = crate::attacker_of(&position);
        helpmate(&position, attacker, most, &ProofLimits::nodes(1_000_000))
    }

    #[test]
    fn a_mate_in_one_with_two_last_moves_has_two_solutions() {
        let answer = solve("4k4/9/4P4/9/9/9/9/9/9 b G 1", 9);
        assert_eq!(answer.verdict, HelpVerdict::Mate(Some(1)));
        assert_eq!(answer.line[0].to_string(), "G*5b");
        let answer = solve("8k/9/8P/9/9/9/9/9/9 b GS 1", 9);
        assert!(matches!(answer.verdict, HelpVerdict::Mate(Some(1..))), "{answer:?}");
        assert_eq!(answer.line.len(), 1);
    }

    #[test]
    fn without_a_check_there_is_never_a_mate() {
        assert_eq!(solve("4k4/9/9/9/9/9/9/9/9 b - 1", 9).verdict, HelpVerdict::NoMate);
        // A lone pawn never mates, but it goes on checking for a while.
        assert_eq!(solve("9/9/9/9/4k4/9/9/9/9 b P 1", 3).verdict, HelpVerdict::NotWithin(3));
    }

    #[test]
    fn limits_are_told_from_answers() {
        let position = Position::from_problem_sfen("4k4/9/9/9/9/9/9/9/9 b 2G 1").unwrap();
        let short = helpmate(&position, Color::Black, 1, &ProofLimits::nodes(100_000));
        assert_eq!((short.verdict, short.line.len()), (HelpVerdict::NotWithin(1), 0));
        let cut = helpmate(&position, Color::Black, 99, &ProofLimits::nodes(1));
        assert!(matches!(cut.verdict, HelpVerdict::Unknown(Reason::Nodes, _)), "{cut:?}");
    }
}
