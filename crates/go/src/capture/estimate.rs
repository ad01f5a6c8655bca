//! First numbers of a node, from the liberties of the target.
//!
//! The paper starts a child with its threat level alone ([`FirstNumbers::Levels`]). What decides a
//! capture more than anything is how many liberties the target has and who moves next: a target in
//! atari with the attacker to move is taken, one with four liberties and the defender to move
//! hardly ever is. [`FirstNumbers::Liberties`] starts a child with what the move makes of the
//! target's liberties, and adds the level to the mover's number. Moves that leave fewer liberties
//! then come first for the attacker, so threats of a lower order are tried before those of a
//! higher one, as in lambda search (Thomsen 2000). With zones ladders are read, so that a move with
//! a ladder behind it is known from one without.

use yomikiri_proof::game::Role;
use yomikiri_proof::number::Number;

use super::game::CaptureGame;
use crate::board::{Move, PointSet};

/// Where the first numbers of a node come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstNumbers {
    /// From the threat level of the move, as in the paper.
    #[default]
    Levels,
    /// From the target's liberties after the move, and the level.
    Liberties,
}

/// Proof and disproof number with the attacker to move, by the target's liberties from 1.
const ATTACKER_NEXT: [(u32, u32); 5] = [(1, 64), (2, 8), (8, 3), (24, 1), (64, 1)];
/// The same with the defender to move.
const DEFENDER_NEXT: [(u32, u32); 5] = [(3, 4), (7, 3), (17, 2), (41, 1), (81, 1)];

/// Two liberties, the defender to move, and a ladder if it passes; or none, so that the attacker
/// needs more than ataris.
const LADDER_NEXT: [(u32, u32); 2] = [(14, 1), (3, 3)];

/// What a level adds to the mover's number.
fn urgency(level: u32) -> u32 {
    (1 << level.clamp(1, 16).saturating_sub(1)) - 1
}

impl CaptureGame {
    /// First numbers of the node behind a move.
    pub(super) fn by_liberties(&self, m: Move, level: u32) -> Number {
        let liberties = self.liberties_after(m);
        let urgency = urgency(level);
        let index = (liberties.max(1) as usize - 1).min(4);
        match self.turn() {
            Role::Attacker => {
                let (pn, dn) = DEFENDER_NEXT[index];
                Number::open(pn + urgency, dn)
            }
            Role::Defender => {
                let (pn, dn) = ATTACKER_NEXT[index];
                Number::open(pn, dn + urgency)
            }
        }
    }

    /// First numbers behind a move of the attacker that leaves two liberties, by whether it
    /// threatens a ladder.
    pub(super) fn by_threat(&self, threat: bool, level: u32) -> Number {
        let (pn, dn) = LADDER_NEXT[usize::from(threat)];
        Number::open(pn + urgency(level), dn)
    }

    /// How many liberties the target has after a legal move.
    pub(super) fn liberties_after(&self, m: Move) -> u32 {
        let board = self.board();
        let Some(target) = board.block(self.target()) else { return 0 };
        let Some(point) = m.point() else { return target.liberty_count() };
        let own = self.colour_of(Role::Defender);
        if self.turn() == Role::Attacker {
            return target.liberty_count() - u32::from(target.liberties().contains(point));
        }
        let taken = board.captured_by(own, point);
        let open = *board.empty() | taken;
        let mut stones = *target.stones();
        if target.liberties().contains(point) {
            stones.insert(point);
            for friend in board.blocks_touching(own, PointSet::of(point).neighbours()) {
                stones |= *friend.stones();
            }
        }
        (stones.neighbours() & open).minus(&stones).len()
    }
}
