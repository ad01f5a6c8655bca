//! How games end: the one list of ends, their results, their words in files, and what they are
//! called in game records.

use core::fmt;
use core::str::FromStr;
use yomikiri_shogi::record::Ending;
use yomikiri_shogi::{Color, Outcome};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// Mate.
    Mate,
    /// No legal move, without a check.
    NoMoves,
    /// A player gave up.
    Resignation,
    /// Fourth occurrence of a position.
    Repetition,
    /// Fourth occurrence, by checks of one side alone.
    PerpetualCheck,
    /// A declaration that holds, or a try.
    Declaration,
    /// A declaration that does not hold.
    WrongDeclaration,
    /// Too many moves.
    MaximumMoves,
    /// Given up for a player, by the scores.
    ResignRule,
    /// Called drawn, by the scores.
    DrawRule,
    /// A move came too late.
    Time,
    /// A move that the rules do not allow, or no move at all.
    Illegal,
    /// The engine's process ended.
    Crash,
    /// The engine did not answer, not even to `stop`.
    Silence,
}

impl End {
    /// Every end.
    pub const ALL: [End; 14] = [
        End::Mate,
        End::NoMoves,
        End::Resignation,
        End::Repetition,
        End::PerpetualCheck,
        End::Declaration,
        End::WrongDeclaration,
        End::MaximumMoves,
        End::ResignRule,
        End::DrawRule,
        End::Time,
        End::Illegal,
        End::Crash,
        End::Silence,
    ];

    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            End::Mate => "mate",
            End::NoMoves => "no-moves",
            End::Resignation => "resignation",
            End::Repetition => "repetition",
            End::PerpetualCheck => "perpetual-check",
            End::Declaration => "declaration",
            End::WrongDeclaration => "wrong-declaration",
            End::MaximumMoves => "maximum-moves",
            End::ResignRule => "resign-rule",
            End::DrawRule => "draw-rule",
            End::Time => "time",
            End::Illegal => "illegal",
            End::Crash => "crash",
            End::Silence => "silence",
        }
    }

    /// Whether the loser did something that no engine should do.
    pub const fn is_fault(self) -> bool {
        matches!(self, End::Time | End::Illegal | End::Crash | End::Silence | End::WrongDeclaration)
    }

    /// What records call it, said of the side to move. Where formats have no word of their own for
    /// it, the nearest one with the same winner.
    pub fn record_ending(self, winner: Option<Color>, side: Color) -> Ending {
        match self {
            End::Mate => Ending::Mate,
            End::Repetition => Ending::Repetition,
            End::MaximumMoves => Ending::MaximumMoves,
            End::DrawRule => Ending::Draw,
            End::Time | End::Silence => Ending::Timeout,
            End::Crash => Ending::LossByDefault,
            End::Illegal | End::PerpetualCheck if winner == Some(side) => Ending::IllegalWin,
            End::Illegal | End::WrongDeclaration => Ending::IllegalLoss,
            End::Declaration if winner == Some(side) => Ending::EnteringKing,
            End::Declaration if winner.is_none() => Ending::Impasse,
            End::PerpetualCheck => Ending::IllegalLoss,
            // Given up for a player while the other was to move.
            _ if winner == Some(side) => Ending::WinByDefault,
            // Records have no word for a try or for having no move left.
            End::Resignation | End::ResignRule | End::NoMoves | End::Declaration => Ending::Resign,
        }
    }
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> End {
        match outcome {
            Outcome::Mate { .. } => End::Mate,
            Outcome::NoMoves { .. } => End::NoMoves,
            Outcome::Repetition => End::Repetition,
            Outcome::PerpetualCheck { .. } => End::PerpetualCheck,
            Outcome::Try { .. } => End::Declaration,
            Outcome::MaximumMoves => End::MaximumMoves,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no end of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no end of a game")]
pub struct UnknownEnd(String);

impl FromStr for End {
    type Err = UnknownEnd;

    fn from_str(text: &str) -> Result<End, UnknownEnd> {
        let found = End::ALL.into_iter().find(|end| end.name() == text);
        found.ok_or_else(|| UnknownEnd(text.to_string()))
    }
}

/// How a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOver {
    /// Who won, if anybody.
    pub winner: Option<Color>,
    /// How it ended.
    pub end: End,
    /// What a player answered or did, where that ended the game.
    pub note: String,
}

impl GameOver {
    /// An end that needs no note.
    pub fn new(winner: Option<Color>, end: End) -> GameOver {
        GameOver { winner, end, note: String::new() }
    }

    /// A game lost by what a player did.
    pub fn fault(loser: Color, end: End, note: impl Into<String>) -> GameOver {
        GameOver { winner: Some(!loser), end, note: note.into() }
    }

    /// What records call it, said of the side to move.
    pub fn record_ending(&self, side: Color) -> Ending {
        self.end.record_ending(self.winner, side)
    }
}

#[cfg(test)]
mod tests {
    use super::End;
    use yomikiri_shogi::Color;

    #[test]
    fn every_end_keeps_its_winner_in_records() {
        for end in End::ALL {
            for side in Color::ALL {
                for winner in [Some(side), Some(!side)] {
                    let recorded = end.record_ending(winner, side).winner(side);
                    let drawn = matches!(end, End::Repetition | End::MaximumMoves | End::DrawRule);
                    let always_lost = end.is_fault() || end == End::Mate;
                    let cannot_be = drawn || (always_lost && winner == Some(side));
                    assert!(cannot_be || recorded == winner, "{end} with {side} to move");
                }
            }
        }
    }

    #[test]
    fn every_end_is_read_back_from_its_word() {
        for end in End::ALL {
            assert_eq!(end.name().parse(), Ok(end));
        }
        assert!("lost".parse::<End>().is_err());
    }
}
