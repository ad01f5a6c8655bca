//! Initial numbers of mate nodes (df-pn+).
//!
//! One unit of work is 2, so that a promising move can count 1. Looked at are only things that cost nothing: who guards
//! the square the piece arrives on, and what sort of answer a defence is.

use yomikiri_proof::number::Number;
use yomikiri_shogi::{Color, Move, Position, Square};

/// Numbers of the node behind a check.
#[must_use]
pub fn after_check(position: &Position, attacker: Color, king: Square, played: Move) -> Number {
    let to = played.to();
    let occupied = position.occupied();
    let guards = position.attackers(to, !attacker, occupied);
    let others = guards.count() - u32::from(guards.has(king));
    let support =
        position.attackers(to, attacker, occupied).count() - u32::from(!played.is_drop()).min(1);
    let capture = position.piece_on(to).is_some();
    match (others, support) {
        (0, s) if s > 0 || !guards.has(king) => Number { pn: 2, dn: if capture { 4 } else { 3 } },
        (0, _) => Number { pn: 5, dn: 2 },
        (d, s) if s > d || capture => Number { pn: 3, dn: 2 },
        _ => Number { pn: 5, dn: 1 },
    }
}

/// Numbers of the node behind a defence.
#[must_use]
pub fn after_defence(position: &Position, king: Square, played: Move) -> Number {
    let capture = position.piece_on(played.to()).is_some();
    if played.from() == Some(king) {
        if capture { Number { pn: 5, dn: 2 } } else { Number { pn: 4, dn: 2 } }
    } else if capture {
        Number { pn: 6, dn: 2 }
    } else if played.is_drop() {
        Number { pn: 2, dn: 4 }
    } else {
        Number { pn: 3, dn: 3 }
    }
}
