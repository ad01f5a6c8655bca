//! Opponents of limited strength: they stand in for the paper's players.
//!
//! Each looks for a mate within a number of nodes and plays it if it finds one. One kind is the
//! solver itself; the other reads likely moves first, as people do: a line costs what its moves are
//! unlikely (realization probability), and cheap lines are read before dear ones. All are
//! deterministic, so a position met again is answered as before.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use yomikiri_base::StopToken;
use yomikiri_engine::category;
use yomikiri_engine::speculative::ProofBudget;
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Color, Move, MoveList, Position};

/// How an opponent looks for mates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Sight {
    /// Df-pn.
    Solver,
    /// Likely moves first.
    Likely,
}

/// An opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ModelOpponent {
    /// How it looks for mates.
    pub sight: Sight,
    /// Nodes a move.
    pub nodes: u64,
}

impl ModelOpponent {
    /// What it plays: a mate if it sees one; else, in check, the likeliest answer after which it
    /// sees no mate against itself; else the likeliest check, or the likeliest move.
    pub fn answer(&self, position: &Position) -> Option<Move> {
        if let Some(mate) = self.mate(position) {
            return Some(mate);
        }
        let moves = by_likelihood(position, position.legal_moves().iter().copied());
        let first = moves.first().map(|&(played, _)| played);
        let mut moves = moves.into_iter().map(|(played, _)| played);
        let chosen = if position.in_check() {
            moves.find(|&played| !self.sees_loss(position, played))
        } else {
            moves.find(|&played| position.gives_check(played))
        };
        chosen.or(first)
    }

    /// The first move of a mate that it sees.
    pub fn mate(&self, position: &Position) -> Option<Move> {
        match self.sight {
            Sight::Solver => {
                let mut budget = ProofBudget::new(self.nodes, None, StopToken::new(), true);
                let proof = budget.ask(position, position.side_to_move());
                proof.is_mate().then(|| proof.line.first().copied()).flatten()
            }
            Sight::Likely => MateReader::new(position, self.nodes).mate(),
        }
    }

    fn sees_loss(&self, position: &Position, played: Move) -> bool {
        let mut after = position.clone();
        after.play(played);
        self.mate(&after).is_some()
    }
}

/// Moves with what they cost, the likeliest first; of equals the earlier.
fn by_likelihood(position: &Position, moves: impl Iterator<Item = Move>) -> Vec<(Move, f64)> {
    let cost = |played: Move| {
        let probability = category::DEFAULT[category::of(position, played).index()];
        -(f64::from(probability) / 1e6).ln()
    };
    let mut all: Vec<(Move, f64)> = moves.map(|played| (played, cost(played))).collect();
    all.sort_by(|a, b| a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal));
    all
}

/// Reads mates by likely checks, every answer to each.
pub struct MateReader {
    position: Position,
    attacker: Color,
    left: u64,
    given: u64,
}

/// Steps in which the cost of lines is raised, and the dearest line.
const STEP: f64 = 1.5;
const DEAREST: f64 = 24.0;

impl MateReader {
    /// A reader with a limit of nodes.
    pub fn new(position: &Position, nodes: u64) -> MateReader {
        let attacker = position.side_to_move();
        MateReader { position: position.clone(), attacker, left: nodes, given: nodes }
    }

    /// The first move of a mate, if it is found.
    pub fn mate(&mut self) -> Option<Move> {
        let mut dearest = STEP;
        while dearest <= DEAREST && self.left > 0 {
            if let Some(played) = self.attack(dearest) {
                return Some(played);
            }
            dearest += STEP;
        }
        None
    }

    /// Nodes read so far.
    pub fn nodes(&self) -> u64 {
        self.given - self.left
    }

    fn attack(&mut self, left: f64) -> Option<Move> {
        if !self.spend() {
            return None;
        }
        let mut checks = MoveList::new();
        self.position.generate_checks(NonPromotions::Useful, &mut checks);
        for (played, cost) in by_likelihood(&self.position, checks.iter().copied()) {
            if cost > left {
                break;
            }
            self.position.play(played);
            let mates = self.all_answers_lose(left - cost);
            self.position.undo();
            if mates {
                return Some(played);
            }
        }
        None
    }

    fn all_answers_lose(&mut self, left: f64) -> bool {
        debug_assert_ne!(self.position.side_to_move(), self.attacker);
        if !self.spend() {
            return false;
        }
        for played in self.position.legal_moves() {
            self.position.play(played);
            let mates = self.attack(left).is_some();
            self.position.undo();
            if !mates {
                return false;
            }
        }
        true
    }

    fn spend(&mut self) -> bool {
        let some = self.left > 0;
        self.left = self.left.saturating_sub(1);
        some
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).expect("a position")
    }

    #[test]
    fn a_mate_that_is_seen_is_played() {
        let mate = position("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
        for sight in [Sight::Solver, Sight::Likely] {
            let opponent = ModelOpponent { sight, nodes: 1_000 };
            assert_eq!(
                opponent.answer(&mate).map(|played| played.to_string()),
                Some("G*5b".into())
            );
            assert_eq!(opponent.answer(&mate), opponent.answer(&mate));
        }
        assert_eq!(ModelOpponent { sight: Sight::Likely, nodes: 1 }.mate(&mate), None);
    }

    #[test]
    fn an_answer_that_is_seen_to_lose_is_avoided() {
        // White's king is in check by a pawn and can take it or step aside.
        let check = position("4k4/4P4/9/9/9/9/9/9/4K4 w 2G2r2b2g4s4n4l17p 1");
        let opponent = ModelOpponent { sight: Sight::Likely, nodes: 10_000 };
        let played = opponent.answer(&check).expect("an answer");
        let mut after = check.clone();
        after.play(played);
        let seen = opponent.mate(&after).is_some();
        let all_lose = check.legal_moves().iter().all(|&other| opponent.sees_loss(&check, other));
        assert!(!seen || all_lose);
    }

    #[test]
    fn the_reader_finds_only_true_mates() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..40 {
            let mut game = Position::start();
            for _ in 0..120 {
                let moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let played = moves.iter().copied().nth(rng.usize(..moves.len()));
                game.play(played.expect("one of them"));
            }
            let mut reader = MateReader::new(&game, 300);
            if reader.mate().is_some() {
                let mut budget = ProofBudget::new(1_000_000, None, StopToken::new(), true);
                assert!(budget.ask(&game, game.side_to_move()).is_mate(), "{}", game.to_sfen());
            }
            assert!(reader.nodes() <= 300);
        }
    }
}
