//! Ladders: captures by ataris alone, read to the end before a node is searched.
//!
//! The attacker plays on one of the target's two liberties, the defender has the moves that can
//! save a target in atari (head of `game.rs`), and so on to the capture. Few moves and long lines:
//! a reader that goes straight down is cheaper than a search that weighs numbers. What it finds is
//! a proof like any other: every position on the way gets its zone from the rules of `zone.rs`.
//! What it does not find says nothing.
//!
//! A move that threatens a ladder is a threat of the next order (Thomsen 2000); the first numbers
//! in `ahead.rs` know the one from the other.

use yomikiri_proof::game::{Coverage, NodeIdentity, ProofGame, Role};

use super::game::CaptureGame;
use super::zone_table::Ground;
use crate::board::{Move, Point};

/// Most ataris of one reading.
const MOST_ATARIS: u32 = 120;

impl CaptureGame {
    /// What the capture rests on if ataris alone bring it about.
    pub(super) fn ladder(&mut self) -> Option<Ground> {
        self.zones()?;
        let key = self.board_key();
        if self.ladder_read(key) == Some(false) {
            return None;
        }
        let mut left = MOST_ATARIS;
        let falls = self.reading(|game| match game.role() {
            Role::Attacker => game.falls_to_atari(&mut left),
            Role::Defender => game.falls_in_atari(&mut left),
        });
        self.note_ladder(key, falls);
        if falls { self.known(key, Role::Attacker) } else { None }
    }

    /// The attacker to move: an atari, or the capture itself.
    fn falls_to_atari(&mut self, left: &mut u32) -> bool {
        if self.capture_now().is_some() {
            self.note_settled(true);
            return true;
        }
        let Some(block) = self.board().block(self.target()) else { return false };
        let liberties = *block.liberties();
        let given_up = self.rules().give_up.is_some_and(|limit| limit <= 2);
        if liberties.len() != 2 || given_up {
            return false;
        }
        let key = self.board_key();
        if self.known(key, Role::Attacker).is_some() {
            return true;
        }
        if *left == 0 || self.ladder_read(key) == Some(false) {
            return false;
        }
        *left -= 1;
        let mut ataris: Vec<(u32, Point)> = self
            .legal(Some(liberties))
            .iter()
            .map(|point| (self.extensions().best_without(Some(point)), point))
            .collect();
        ataris.sort_by_key(|&(room, _)| room);
        for (_, point) in ataris {
            let atari = Move::from(point);
            self.play(atari);
            let falls = self.falls_in_atari(left);
            self.undo(atari);
            if falls {
                self.note_win_by(atari);
                return true;
            }
        }
        self.note_ladder(key, false);
        false
    }

    /// The defender to move, the target in atari.
    fn falls_in_atari(&mut self, left: &mut u32) -> bool {
        let Some(last) = self.narrowed() else { return false };
        if self.known(self.board_key(), Role::Attacker).is_some() {
            return true;
        }
        let escapes = self.legal(Some(self.escapes(last)));
        if escapes.iter().any(|point| self.liberties_after(point.into()) > 2) {
            return false;
        }
        let mut refuted: Vec<(Move, NodeIdentity<()>)> = Vec::new();
        for point in escapes.iter() {
            let escape = Move::from(point);
            let child = self.peek(escape);
            self.play(escape);
            let falls = self.falls_to_atari(left);
            self.undo(escape);
            if !falls {
                return false;
            }
            refuted.push((escape, child));
        }
        self.close(&refuted, &mut Vec::new()) == Coverage::BySome
    }
}
