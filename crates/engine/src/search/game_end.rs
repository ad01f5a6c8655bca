//! Ends of games inside the search: repetition, declaration, the greatest number of moves.
//!
//! A position that returns within the search is judged at its first return, since whoever profits
//! can go on repeating. The same board with a better hand counts as won for its holder.

use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::{SUPERIOR, Value, WON};
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::{Color, EnteringKingRule, Repetition};

/// The rules and wishes that decide how ended games count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndRules {
    /// Which entering-king rule is played.
    pub entering_king: EnteringKingRule,
    /// After this many moves the game is drawn; 0 for never.
    pub maximum_moves: u32,
    /// What a draw is worth to the engine when it plays black.
    pub draw_value_black: Value,
    /// What a draw is worth to the engine when it plays white.
    pub draw_value_white: Value,
    /// Generate also the non-promotions that nobody would choose.
    pub all_moves: bool,
}

impl Default for EndRules {
    fn default() -> EndRules {
        EndRules {
            entering_king: EnteringKingRule::default(),
            maximum_moves: 0,
            draw_value_black: -2,
            draw_value_white: -2,
            all_moves: false,
        }
    }
}

/// How far back the search looks for a repetition inside the tree and the game.
const REPETITION_WINDOW: usize = 16;

impl<E: Evaluation> Searcher<E> {
    /// What a draw is worth to the side to move: the engine's wish, seen from either side.
    #[inline]
    pub(super) fn draw(&self) -> Value {
        let wish = match self.root.side {
            Color::Black => self.rules.draw_value_black,
            Color::White => self.rules.draw_value_white,
        };
        if self.position.side_to_move() == self.root.side { wish } else { -wish }
    }

    /// The value of the node if the game has ended here or is sure to be claimed.
    #[inline]
    pub(super) fn game_end(&self) -> Option<Value> {
        if let Some(repetition) = self.position.repetition_within(REPETITION_WINDOW) {
            return Some(match repetition {
                Repetition::Draw => self.draw(),
                Repetition::Win => WON,
                Repetition::Loss => -WON,
                Repetition::Superior => SUPERIOR,
                Repetition::Inferior => -SUPERIOR,
            });
        }
        if self.rules.maximum_moves != 0
            && self.position.move_number() > self.rules.maximum_moves
            && !self.position.is_mate()
        {
            return Some(self.draw());
        }
        if self.may_declare() {
            return self.declared();
        }
        None
    }

    /// Whether the king has come far enough for a declaration to be thinkable.
    #[inline]
    fn may_declare(&self) -> bool {
        let side = self.position.side_to_move();
        let rank = |color: Color| self.position.king(color).map_or(8, |king| king.rank_for(color));
        match self.rules.entering_king {
            EnteringKingRule::NoEnteringKing => false,
            EnteringKingRule::TryRule => rank(side) <= 1,
            _ => rank(side) <= 2,
        }
    }

    #[cold]
    fn declared(&self) -> Option<Value> {
        match self.position.declaration(self.rules.entering_king)? {
            Declaration::Win | Declaration::Try(_) => Some(WON),
            Declaration::NoContest => Some(self.draw()).filter(|&value| value > 0),
        }
    }
}
