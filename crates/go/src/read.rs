//! Every question about a position at once: which blocks can be captured, and which of them saved.

use yomikiri_proof::game::Role;

use crate::board::{Block, Board, Colour, Point, PointError};
use crate::capture::{CaptureSettings, CaptureSolution, solve};
use crate::problem::{CaptureProblem, CaptureResult};

/// What becomes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It stands even if the attacker moves first, whatever threats there are.
    Safe,
    /// Who moves first decides, or a ko does.
    Critical,
    /// It falls even if the defender moves first, whatever threats there are.
    Lost,
    /// A search met its limit.
    Unknown,
}

/// What was found about a block.
#[derive(Clone, Debug)]
pub struct BlockReading {
    /// Its owner.
    pub colour: Colour,
    /// One of its stones, the first in reading order from A1.
    pub target: Point,
    /// Its stones.
    pub stones: u32,
    /// Its liberties.
    pub liberties: u32,
    /// The attacker moves first.
    pub attack: CaptureSolution,
    /// The defender moves first; not asked where the attack fails.
    pub defence: Option<CaptureSolution>,
}

impl BlockReading {
    /// What becomes of it.
    pub fn status(&self) -> Status {
        let defended = self.defence.as_ref().map(|found| found.answer);
        match (self.attack.answer, defended) {
            (Some(CaptureResult::Cannot), _) => Status::Safe,
            (Some(_), Some(Some(CaptureResult::Cannot))) => Status::Lost,
            (Some(_), Some(Some(_))) => Status::Critical,
            _ => Status::Unknown,
        }
    }

    /// The questions that were asked, each with its answer.
    pub fn questions(&self) -> impl Iterator<Item = (Role, &CaptureSolution)> {
        let attack = std::iter::once((Role::Attacker, &self.attack));
        attack.chain(self.defence.iter().map(|found| (Role::Defender, found)))
    }
}

/// The blocks below the liberty limit (all, if there is none), those with the fewest liberties
/// first.
pub fn blocks_in_question(board: &Board, give_up: Option<u32>) -> Vec<(Colour, Point)> {
    let of = |colour| board.blocks_of(colour).map(move |block| (colour, block));
    let mut blocks: Vec<(Colour, &Block)> = Colour::BOTH.into_iter().flat_map(of).collect();
    blocks.retain(|(_, block)| give_up.is_none_or(|limit| block.liberty_count() < limit));
    blocks.sort_by_key(|(_, block)| (block.liberty_count(), block.stones().first()));
    let named = blocks
        .into_iter()
        .filter_map(|(colour, block)| block.stones().first().map(|target| (colour, target)));
    named.collect()
}

/// The blocks with stones on these points, or else those in question.
///
/// # Errors
/// If a name is none of a point, or no stone stands there.
pub fn blocks_named(
    board: &Board,
    names: &[String],
    give_up: Option<u32>,
) -> Result<Vec<(Colour, Point)>, BlockError> {
    if names.is_empty() {
        return Ok(blocks_in_question(board, give_up));
    }
    let named = |name: &String| {
        let target = Point::parse(name, board.size())?;
        let colour = board.stone(target).ok_or(BlockError::NoStone(target))?;
        Ok((colour, target))
    };
    names.iter().map(named).collect()
}

/// Why a name does not lead to a block.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BlockError {
    /// It is no point of the board.
    #[error(transparent)]
    Point(#[from] PointError),
    /// The point is empty.
    #[error("there is no stone on {0}")]
    NoStone(Point),
}

/// Solves one block with each side first. `None` if there is no stone on `target`.
pub fn read_block(
    board: &Board,
    target: Point,
    settings: &CaptureSettings,
) -> Option<BlockReading> {
    let (colour, block) = (board.stone(target)?, board.block(target)?);
    let ask = |first| {
        let (id, board) = (target.to_string(), board.clone());
        let problem = CaptureProblem { id, board, target, first, expected: None, gnugo: None };
        solve(&problem, settings)
    };
    let attack = ask(Role::Attacker)?;
    let fails = attack.answer == Some(CaptureResult::Cannot);
    Some(BlockReading {
        colour,
        target,
        stones: block.stones().len(),
        liberties: block.liberty_count(),
        attack,
        defence: if fails { None } else { ask(Role::Defender) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Moves;
    use crate::sgf;

    fn reading(text: &str, target: &str) -> BlockReading {
        let board = sgf::read(text, None).expect("a position").board;
        let target = Point::parse(target, board.size()).expect("a point");
        read_block(&board, target, &CaptureSettings::with_moves(Moves::Zones)).expect("a stone")
    }

    /// The stone in the corner is in atari and can join the wall below it.
    const CORNER: &str = "(;SZ[9]AB[aa][ac][bc][cc][dc]AW[ba])";

    #[test]
    fn a_stone_in_atari_is_critical_and_one_without_a_way_out_is_lost() {
        let found = reading(CORNER, "A9");
        assert_eq!((found.status(), found.liberties), (Status::Critical, 1));
        assert!(found.questions().all(|(_, solution)| solution.line.len() == 1));
        let found = reading("(;SZ[9]AB[aa]AW[ba][bb])", "A9");
        assert_eq!(found.status(), Status::Lost);
        assert_eq!(found.questions().count(), 2);
    }

    #[test]
    fn a_wall_is_safe_and_its_defence_is_not_asked() {
        let found = reading(CORNER, "A7");
        assert_eq!((found.status(), found.stones), (Status::Safe, 4));
        assert!(found.defence.is_none());
    }

    #[test]
    fn blocks_come_with_the_fewest_liberties_first() {
        let text = "(;SZ[9]AB[aa][ee][ef][eg]AW[ba][bb])";
        let board = sgf::read(text, None).expect("a position").board;
        let asked = blocks_in_question(&board, Some(5));
        let names: Vec<String> = asked.iter().map(|(_, point)| point.to_string()).collect();
        assert_eq!(names, ["A9", "B8"]);
        assert_eq!(blocks_in_question(&board, None).len(), 3);
    }
}
