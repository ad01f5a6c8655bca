//! Repetition (千日手) and perpetual check.

use super::Position;
use super::play::Undo;

/// What a repeated position means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// The same position: a draw.
    Draw,
    /// The opponent gave check with every move in between, and loses.
    Win,
    /// The side to move gave check with every move in between, and loses.
    Loss,
    /// The same board, but the side to move holds more than before.
    Superior,
    /// The same board, but the side to move holds less than before.
    Inferior,
}

impl Position {
    /// How the game ends by repetition, if it does: at the fourth occurrence of a position, looked
    /// for back to the start of the game. Never [`Superior`](Repetition::Superior) or
    /// [`Inferior`](Repetition::Inferior).
    pub fn fourfold_repetition(&self) -> Option<Repetition> {
        let mut seen = 1;
        for (distance, earlier) in self.same_side_history() {
            if earlier.board_key == self.board_key && earlier.hands == self.hands {
                seen += 1;
                if seen == 4 {
                    return Some(self.cycle_result(distance));
                }
            }
        }
        None
    }

    /// How search should judge the position if its board stood before, at most `window` plies ago:
    /// the first return counts, since whoever profits from it can go on repeating.
    #[inline]
    pub fn repetition_within(&self, window: usize) -> Option<Repetition> {
        let us = self.side.index();
        self.same_side_history()
            .take_while(|&(distance, _)| distance <= window)
            .find(|(_, earlier)| earlier.board_key == self.board_key)
            .and_then(|(distance, earlier)| {
                let (now, then) = (self.hands[us], earlier.hands[us]);
                if self.hands == earlier.hands {
                    Some(self.cycle_result(distance))
                } else if now.dominates(then) {
                    Some(Repetition::Superior)
                } else if then.dominates(now) {
                    Some(Repetition::Inferior)
                } else {
                    None
                }
            })
    }

    /// Earlier positions with the same side to move, newest first, with their distance in plies.
    /// A pass is no move of the game: nothing before it counts.
    #[inline]
    fn same_side_history(&self) -> impl Iterator<Item = (usize, &Undo)> {
        self.history
            .iter()
            .rev()
            .take_while(|undo| undo.played.is_some())
            .enumerate()
            .skip(3)
            .step_by(2)
            .map(|(before, undo)| (before + 1, undo))
    }

    /// Who gave check all along, in a cycle of `distance` plies that ends here.
    fn cycle_result(&self, distance: usize) -> Repetition {
        let start = self.history.len() - distance;
        let in_check = |ply: usize| match self.history.get(ply) {
            Some(undo) => undo.checkers.is_any(),
            None => self.in_check(),
        };
        let ours = (start + 2..=self.history.len()).step_by(2).all(in_check);
        let theirs = (start + 1..self.history.len()).step_by(2).all(in_check);
        match (ours, theirs) {
            (true, false) => Repetition::Win,
            (false, true) => Repetition::Loss,
            _ => Repetition::Draw,
        }
    }
}
