//! What a record of a problem says beside its solution.

use serde::{Deserialize, Serialize};
use yomikiri_shogi::{Kind, Move, Position, Square};

use crate::game::node::Tsume;

/// Problems that have a name for what they look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// All pieces stand on the board at first and hardly any at the end (煙詰).
    Smoke,
    /// Nothing but the king stands on the board (裸玉).
    NakedKing,
    /// The attacker has nothing on the board (無仕掛).
    NoAttackers,
    /// The king is mated on the centre square (都詰).
    Centre,
}

/// The facts of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Plies of the main line.
    pub plies: usize,
    /// Pieces on the board, kings included, and in the attacker's hand.
    pub pieces: usize,
    /// Whether both kings stand on the board (双玉).
    pub both_kings: bool,
    /// Plies of the main line at which a pawn dropped before the king would mate and is illegal
    /// (打歩詰).
    pub pawn_drop_mates: Vec<usize>,
    /// Plies of the main line at which the attacker declines to promote (不成).
    pub declined_promotions: Vec<usize>,
    /// What the attacker has left at the end of the main line, in all.
    pub left_over: usize,
    /// Named forms.
    pub forms: Vec<Form>,
}

impl Facts {
    /// The facts of a problem with its main line, which may be empty.
    #[must_use]
    pub fn new(game: &Tsume, line: &[Move]) -> Self {
        let start = game.position();
        let attacker = game.attacker();
        let mut position = start.clone();
        let (mut pawn_drop_mates, mut declined_promotions) = (Vec::new(), Vec::new());
        for (ply, &mv) in (1..).zip(line) {
            if position.side_to_move() == attacker {
                if is_pawn_drop_mate(&position) {
                    pawn_drop_mates.push(ply);
                }
                if declines_promotion(&position, mv) {
                    declined_promotions.push(ply);
                }
            }
            position.play(mv);
        }
        Self {
            plies: line.len(),
            pieces: on_board(start) + in_hand(start, game),
            both_kings: start.king(attacker).is_some() && start.king(!attacker).is_some(),
            pawn_drop_mates,
            declined_promotions,
            left_over: in_hand(&position, game),
            forms: forms(game, (!line.is_empty()).then_some(&position)),
        }
    }
}

fn on_board(position: &Position) -> usize {
    Square::all().filter(|&square| position.piece_on(square).is_some()).count()
}

fn in_hand(position: &Position, game: &Tsume) -> usize {
    position.hand(game.attacker()).iter().map(|(_, count)| usize::from(count)).sum()
}

/// Whether a pawn dropped before the king would be mate, which the laws forbid.
fn is_pawn_drop_mate(position: &Position) -> bool {
    let side = position.side_to_move();
    let Some(king) = position.king(!side) else { return false };
    let forward = if side == yomikiri_shogi::Color::Black { 1 } else { -1 };
    let Some(square) = king.offset(0, forward) else { return false };
    let own_pawn = |at: Square| {
        at.file() == king.file()
            && position
                .piece_on(at)
                .is_some_and(|piece| piece.kind() == Kind::Pawn && piece.color() == side)
    };
    position.hand(side).has(Kind::Pawn)
        && position.piece_on(square).is_none()
        && !position.in_check()
        && !Square::all().any(own_pawn)
        && !position.is_legal(Move::drop(Kind::Pawn, square))
}

/// Whether a move could promote and does not.
fn declines_promotion(position: &Position, mv: Move) -> bool {
    let Some(from) = mv.from() else { return false };
    !mv.is_promotion() && position.is_legal(Move::board(from, mv.to(), true))
}

/// Pieces that are left at the end of a smoke mate, one more with both kings.
const SMOKE_END: usize = 3;
/// Pieces of a set but the attacker's king.
const ALL_PIECES: usize = 39;

fn forms(game: &Tsume, end: Option<&Position>) -> Vec<Form> {
    let start = game.position();
    let attacker = game.attacker();
    let kings_beside = usize::from(start.king(attacker).is_some());
    let mut forms = Vec::new();
    let own = |at: &Square| start.piece_on(*at).is_some_and(|piece| piece.color() == attacker);
    if on_board(start) == 1 {
        forms.push(Form::NakedKing);
    } else if Square::all().filter(own).count() == kings_beside {
        forms.push(Form::NoAttackers);
    }
    let Some(end) = end else { return forms };
    let all = ALL_PIECES + kings_beside;
    if on_board(start) == all && on_board(end) <= SMOKE_END + kings_beside {
        forms.push(Form::Smoke);
    }
    if end.king(!attacker).is_some_and(|king| (king.file(), king.rank()) == (4, 4)) {
        forms.push(Form::Centre);
    }
    forms
}
