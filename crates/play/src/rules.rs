//! What a game is played by, and when it is over although nobody is mated.

use yomikiri_shogi::{Color, EnteringKingRule};

/// A game is given up for a player when both sides have seen it lost for so long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// At least this much for one side, in hundredths of a pawn.
    pub score: i32,
    /// For this many moves of each side in a row.
    pub moves: usize,
}

/// A game is called drawn when both sides have seen it even for so long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this move.
    pub from_move: u32,
    /// At most this much for either side, in hundredths of a pawn.
    pub score: i32,
    /// For this many moves of each side in a row.
    pub moves: usize,
}

/// What a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The entering-king rule.
    pub entering_king: EnteringKingRule,
    /// Whether a player that could declare wins without saying so.
    pub declare_for_players: bool,
    /// Whether the fourth occurrence of a position ends the game.
    pub repetition: bool,
    /// The number of moves after which a game is drawn; 0 for no limit.
    pub maximum_moves: u32,
    /// When a player is taken to have resigned.
    pub resign: Option<ResignRule>,
    /// When a game is taken to be drawn.
    pub draw: Option<DrawRule>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            entering_king: EnteringKingRule::CsaRule27,
            declare_for_players: false,
            repetition: true,
            maximum_moves: 512,
            resign: None,
            draw: None,
        }
    }
}

impl Rules {
    /// Nothing but mate ends the game: for trials that have an end of their own.
    pub fn mate_only() -> Rules {
        Rules {
            entering_king: EnteringKingRule::NoEnteringKing,
            repetition: false,
            maximum_moves: 0,
            ..Rules::default()
        }
    }

    /// The longest row of moves of each side that a rule about scores looks at.
    pub fn longest_row(&self) -> usize {
        let resign = self.resign.map_or(0, |rule| rule.moves);
        resign.max(self.draw.map_or(0, |rule| rule.moves))
    }
}

/// A decision by scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByScore {
    /// A side has won.
    Won(Color),
    /// Neither has.
    Drawn,
}

/// Decides by the scores that the players gave, the last one last. `last_mover` gave it;
/// `move_number` is that of the next move. A move without a score breaks every row.
pub fn by_score(
    rules: &Rules,
    scores: &[Option<i32>],
    last_mover: Color,
    move_number: u32,
) -> Option<ByScore> {
    let row = |moves: usize, holds: &dyn Fn(Color, i32) -> bool| {
        let plies = 2 * moves;
        moves > 0
            && scores.len() >= plies
            && scores.iter().rev().take(plies).enumerate().all(|(back, score)| {
                let side = if back % 2 == 0 { last_mover } else { !last_mover };
                score.is_some_and(|score| holds(side, score))
            })
    };
    if let Some(rule) = rules.resign {
        for winner in Color::ALL {
            let sees = |side: Color, score: i32| {
                if side == winner { score >= rule.score } else { score <= -rule.score }
            };
            if row(rule.moves, &sees) {
                return Some(ByScore::Won(winner));
            }
        }
    }
    if let Some(rule) = rules.draw
        && move_number > rule.from_move
        && row(rule.moves, &|_, score| score.abs() <= rule.score)
    {
        return Some(ByScore::Drawn);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{ByScore, DrawRule, ResignRule, Rules, by_score};
    use yomikiri_shogi::Color;

    fn rules() -> Rules {
        Rules {
            resign: Some(ResignRule { score: 1000, moves: 2 }),
            draw: Some(DrawRule { from_move: 50, score: 10, moves: 2 }),
            ..Rules::default()
        }
    }

    #[test]
    fn both_sides_must_agree() {
        let decide = |scores: &[i32]| {
            let scores: Vec<Option<i32>> = scores.iter().map(|&score| Some(score)).collect();
            by_score(&rules(), &scores, Color::White, 20)
        };
        // White moved last: the last score is white's.
        assert_eq!(decide(&[1000, -1200, 1500, -1600]), Some(ByScore::Won(Color::Black)));
        assert_eq!(decide(&[-1000, 1200, -1500, 1600]), Some(ByScore::Won(Color::White)));
        assert_eq!(decide(&[1000, -900, 1500, -1600]), None);
        assert_eq!(decide(&[1500, -1600]), None);
    }

    #[test]
    fn draws_wait_for_their_move() {
        let even = [Some(0), Some(-5), Some(10), Some(0)];
        assert_eq!(by_score(&rules(), &even, Color::Black, 50), None);
        assert_eq!(by_score(&rules(), &even, Color::Black, 51), Some(ByScore::Drawn));
        let gap = [Some(0), None, Some(10), Some(0)];
        assert_eq!(by_score(&rules(), &gap, Color::Black, 51), None);
        assert_eq!(by_score(&Rules::default(), &even, Color::Black, 400), None);
    }
}
