//! Questions about captures as front ends ask them: settings that can be written down, an SGF with
//! a block in it, and the answer with its independent check.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use yomikiri_proof::game::Role;
use yomikiri_proof::widening::Width;

use crate::board::{Colour, Move, Point, PointError};
use crate::capture::{
    CaptureSettings, CaptureSolution, CheckFailure, GIVE_UP, Ko, Moves, NODE_LIMIT, search, solve,
};
use crate::problem::{CaptureProblem, CaptureResult};
use crate::sgf::{self, SgfError};

/// The independent check gives up beyond this many positions.
pub const MOST_POSITIONS: usize = 20_000;

/// How questions are answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuestionSettings {
    /// Which moves are tried.
    pub moves: Moves,
    /// Which children count in the search: `all`, `top:N` or `rate:N`.
    #[serde(serialize_with = "write_width", deserialize_with = "read_width")]
    pub width: Width,
    /// Most nodes of one search; a question can take three.
    pub nodes: u64,
    /// The attacker gives up when the block has this many liberties; 0 = never.
    pub give_up: u32,
    /// Positional superko and no threats: the answer is then 1 or 0.
    pub superko: bool,
    /// Check every answer on a slow board of this many positions at most; 0 = do not.
    pub verify: usize,
}

impl Default for QuestionSettings {
    fn default() -> Self {
        QuestionSettings {
            moves: Moves::All,
            width: CaptureSettings::default().width,
            nodes: NODE_LIMIT,
            give_up: GIVE_UP,
            superko: false,
            verify: 0,
        }
    }
}

fn write_width<S: serde::Serializer>(width: &Width, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(width)
}

fn read_width<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Width, D::Error> {
    String::deserialize(input)?.parse().map_err(serde::de::Error::custom)
}

/// Why a question has no answer that could be shown.
#[derive(Debug, Error)]
pub enum QuestionError {
    /// No block to ask about.
    #[error("{id}: there is no stone on {target}")]
    NoStone {
        /// The problem.
        id: String,
        /// Where the block should be.
        target: Point,
    },
    /// A fault of the program: such an answer is not shown.
    #[error("{id}: the independent check refutes the answer after {line:?}; please report this")]
    Refuted {
        /// The problem.
        id: String,
        /// Where it differs.
        line: Vec<Move>,
    },
    /// A check of what is no proof.
    #[error(
        "--verify checks proofs, and heuristic moves and superko give none that it knows: leave \
         one of them out"
    )]
    NoProof,
    /// A block has one liberty before it is taken.
    #[error("--give-up 1: a block has one liberty before it is taken; give 0 or at least 2")]
    GiveUp,
    /// The file.
    #[error("{name}: {error}")]
    Sgf {
        /// The file.
        name: String,
        /// What is wrong.
        error: SgfError,
    },
    /// No such point.
    #[error(transparent)]
    Point(#[from] PointError),
}

impl QuestionSettings {
    /// Refuses what cannot be asked.
    ///
    /// # Errors
    /// See [`QuestionError`].
    pub fn check(&self) -> Result<(), QuestionError> {
        if self.verify > 0 && (self.superko || self.moves == Moves::Heuristic) {
            return Err(QuestionError::NoProof);
        }
        if self.give_up == 1 {
            return Err(QuestionError::GiveUp);
        }
        Ok(())
    }

    /// The settings of the search. `stop` ends it.
    #[must_use]
    pub fn search(&self, stop: Arc<AtomicBool>) -> CaptureSettings {
        CaptureSettings {
            verify: self.verify,
            give_up: (self.give_up > 0).then_some(self.give_up),
            nodes: self.nodes,
            width: self.width,
            stop,
            ..CaptureSettings::with_moves(self.moves)
        }
    }

    /// Answers a question.
    ///
    /// # Errors
    /// If there is no stone on its target, or the independent check refutes the answer.
    pub fn answer(
        &self,
        problem: &CaptureProblem,
        stop: Arc<AtomicBool>,
    ) -> Result<CaptureSolution, QuestionError> {
        let settings = self.search(stop);
        let solution = match self.superko {
            true => by_superko(problem, &settings),
            false => solve(problem, &settings),
        };
        let missing = || QuestionError::NoStone { id: problem.id.clone(), target: problem.target };
        let solution = solution.ok_or_else(missing)?;
        let refutation = solution.searches.iter().find_map(|search| match &search.verified {
            Some(Err(CheckFailure::Refuted(line))) => Some(line.clone()),
            _ => None,
        });
        match refutation {
            Some(line) => Err(QuestionError::Refuted { id: problem.id.clone(), line }),
            None => Ok(solution),
        }
    }
}

/// The answer of the one search where no position may come back.
fn by_superko(problem: &CaptureProblem, settings: &CaptureSettings) -> Option<CaptureSolution> {
    let found = search(&problem.board, problem.target, problem.first, Ko::Superko, settings)?;
    let succeeds = found.captured.map(|captured| captured == (problem.first == Role::Attacker));
    let answer =
        succeeds.map(|yes| if yes { CaptureResult::Unconditional } else { CaptureResult::Cannot });
    Some(CaptureSolution { answer, line: found.line.clone(), searches: vec![found] })
}

/// The question about a block of an SGF's position, and what is odd about the file.
///
/// # Errors
/// If the text is no SGF, or there is no such block.
pub fn of_sgf(
    name: &str,
    text: &str,
    until: Option<usize>,
    target: &str,
    first: Role,
) -> Result<(CaptureProblem, Vec<String>), QuestionError> {
    let wrong = |error| QuestionError::Sgf { name: name.to_string(), error };
    let position = sgf::read(text, until).map_err(wrong)?;
    let notes = position.notes;
    let target = Point::parse(target, position.board.size())?;
    let id = name.to_string();
    if position.board.stone(target).is_none() {
        return Err(QuestionError::NoStone { id, target });
    }
    let board = position.board;
    Ok((CaptureProblem { id, board, target, first, expected: None, gnugo: None }, notes))
}

impl CaptureProblem {
    /// The colour that moves first.
    #[must_use]
    pub fn mover(&self) -> Colour {
        let owner = self.board.stone(self.target).unwrap_or(Colour::Black);
        match self.first {
            Role::Attacker => owner.other(),
            Role::Defender => owner,
        }
    }

    /// Whether an answer is what the set expects, if it expects one.
    #[must_use]
    pub fn is_expected(&self, answer: CaptureResult) -> Option<bool> {
        let expected = self.expected.as_ref().or(self.gnugo.as_ref())?;
        Some(expected.answers.contains(&answer))
    }
}
