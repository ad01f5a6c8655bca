//! Ends of games: the entering-king declaration (入玉宣言), mate, repetition, maximum moves.

use super::{Position, Repetition};
use crate::types::{Bitboard, Color, Kind, Move, Square};
use core::fmt;
use core::str::FromStr;

/// The entering-king rules that players use, under the names that engines use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnteringKingRule {
    /// No declaration.
    NoEnteringKing,
    /// 24 points: 31 or more win, 24 to 30 make no contest.
    CsaRule24,
    /// 24 points, and in handicap games white is given the missing pieces' points.
    CsaRule24H,
    /// 27 points: black wins with 28, white with 27.
    #[default]
    CsaRule27,
    /// 27 points, and in handicap games white is given the missing pieces' points.
    CsaRule27H,
    /// The king that reaches the enemy king's starting square wins.
    TryRule,
}

impl EnteringKingRule {
    /// Every rule.
    pub const ALL: [EnteringKingRule; 6] = [
        EnteringKingRule::NoEnteringKing,
        EnteringKingRule::CsaRule24,
        EnteringKingRule::CsaRule24H,
        EnteringKingRule::CsaRule27,
        EnteringKingRule::CsaRule27H,
        EnteringKingRule::TryRule,
    ];

    /// The name as the USI option has it.
    pub const fn name(self) -> &'static str {
        match self {
            EnteringKingRule::NoEnteringKing => "NoEnteringKing",
            EnteringKingRule::CsaRule24 => "CSARule24",
            EnteringKingRule::CsaRule24H => "CSARule24H",
            EnteringKingRule::CsaRule27 => "CSARule27",
            EnteringKingRule::CsaRule27H => "CSARule27H",
            EnteringKingRule::TryRule => "TryRule",
        }
    }

    const fn counts_handicap(self) -> bool {
        matches!(self, EnteringKingRule::CsaRule24H | EnteringKingRule::CsaRule27H)
    }
}

impl fmt::Display for EnteringKingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule(pub String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown entering-king rule '{}'", self.0)
    }
}

impl std::error::Error for UnknownRule {}

impl FromStr for EnteringKingRule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<EnteringKingRule, UnknownRule> {
        EnteringKingRule::ALL
            .into_iter()
            .find(|rule| rule.name() == text)
            .ok_or_else(|| UnknownRule(text.to_string()))
    }
}

/// What the side to move can claim by the entering-king rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// It declares and wins.
    Win,
    /// It declares and the game is no contest (24-point rule).
    NoContest,
    /// It wins by this move of the king (try rule).
    Try(Move),
}

/// How a game has ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The loser is in check and has no legal move.
    Mate {
        /// Who gave mate.
        winner: Color,
    },
    /// The loser is not in check but has no legal move.
    NoMoves {
        /// Who still could move.
        winner: Color,
    },
    /// The fourth occurrence of a position.
    Repetition,
    /// The fourth occurrence of a position, by checks of one side alone.
    PerpetualCheck {
        /// Who was in check.
        winner: Color,
    },
    /// The king has reached the enemy king's starting square under the try rule.
    Try {
        /// Whose king.
        winner: Color,
    },
    /// The greatest number of moves was reached.
    MaximumMoves,
}

impl Outcome {
    /// Who has won, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Mate { winner }
            | Outcome::NoMoves { winner }
            | Outcome::PerpetualCheck { winner }
            | Outcome::Try { winner } => Some(winner),
            Outcome::Repetition | Outcome::MaximumMoves => None,
        }
    }
}

/// Where the enemy's king stood at the start.
const fn try_square(color: Color) -> Square {
    match color {
        Color::Black => Square::new(4, 0),
        Color::White => Square::new(4, 8),
    }
}

const fn points_of(kind: Kind) -> u32 {
    match kind.unpromoted() {
        Kind::Bishop | Kind::Rook => 5,
        Kind::King => 0,
        _ => 1,
    }
}

/// The points of a full set without the kings.
const FULL_SET: u32 = 54;

impl Position {
    /// What the side to move can claim under the rule.
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<Declaration> {
        match rule {
            EnteringKingRule::NoEnteringKing => None,
            EnteringKingRule::TryRule => self.try_move().map(Declaration::Try),
            _ if !self.king_has_entered() => None,
            EnteringKingRule::CsaRule24 | EnteringKingRule::CsaRule24H => {
                match self.declaration_points(rule) {
                    31.. => Some(Declaration::Win),
                    24.. => Some(Declaration::NoContest),
                    _ => None,
                }
            }
            EnteringKingRule::CsaRule27 | EnteringKingRule::CsaRule27H => {
                let needed = if self.side == Color::Black { 28 } else { 27 };
                (self.declaration_points(rule) >= needed).then_some(Declaration::Win)
            }
        }
    }

    /// The king stands in the far three ranks, not in check, with ten other own pieces.
    fn king_has_entered(&self) -> bool {
        let zone = Bitboard::promotion_zone(self.side);
        self.king(self.side).is_some_and(|king| zone.has(king))
            && !self.in_check()
            && (zone & self.color(self.side)).count() > 10
    }

    /// The points of the side to move: its pieces in the far three ranks and its hand.
    pub fn declaration_points(&self, rule: EnteringKingRule) -> u32 {
        let entered = self.color(self.side) & Bitboard::promotion_zone(self.side);
        let given = if rule.counts_handicap() && self.side == Color::White {
            FULL_SET.saturating_sub(
                self.board_points(Bitboard::ALL)
                    + Color::ALL.map(|color| self.hand_points(color)).iter().sum::<u32>(),
            )
        } else {
            0
        };
        self.board_points(entered) + self.hand_points(self.side) + given
    }

    fn board_points(&self, squares: Bitboard) -> u32 {
        squares.iter().filter_map(|s| self.piece_on(s)).map(|piece| points_of(piece.kind())).sum()
    }

    fn hand_points(&self, color: Color) -> u32 {
        self.hand(color).iter().map(|(kind, count)| points_of(kind) * u32::from(count)).sum()
    }

    /// The legal move by which the king reaches the enemy king's starting square.
    fn try_move(&self) -> Option<Move> {
        let king = self.king(self.side)?;
        let target = try_square(self.side);
        if king == target {
            return None;
        }
        Some(Move::board(king, target, false)).filter(|&mv| self.is_legal(mv))
    }

    /// How the game has ended with the last move, if it has: by mate, repetition, try, or after
    /// `maximum_moves` (0 for no limit). A mate given by the last allowed move wins.
    pub fn outcome(&self, rule: EnteringKingRule, maximum_moves: u32) -> Option<Outcome> {
        let (us, winner) = (self.side, !self.side);
        if !self.has_legal_move() {
            return Some(match self.in_check() {
                true => Outcome::Mate { winner },
                false => Outcome::NoMoves { winner },
            });
        }
        if rule == EnteringKingRule::TryRule && self.has_just_tried() {
            return Some(Outcome::Try { winner });
        }
        match self.fourfold_repetition() {
            Some(Repetition::Win) => return Some(Outcome::PerpetualCheck { winner: us }),
            Some(Repetition::Loss) => return Some(Outcome::PerpetualCheck { winner }),
            Some(_) => return Some(Outcome::Repetition),
            None => {}
        }
        (maximum_moves != 0 && self.move_number > maximum_moves).then_some(Outcome::MaximumMoves)
    }

    fn has_just_tried(&self) -> bool {
        let target = try_square(!self.side);
        self.king(!self.side) == Some(target)
            && self.last_move().is_some_and(|mv| mv.to() == target)
    }
}
