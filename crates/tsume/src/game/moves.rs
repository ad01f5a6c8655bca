//! Checks and evasions in the order in which they are tried, with their groups.
//!
//! A group holds variations of one idea: drops in between that nothing guards, whatever the square;
//! the other interpositions on one square; a move with and without promotion.

use yomikiri_proof::game::Candidate;
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Move, MoveList, Position, Square, attacks};

use crate::game::node::{Ply, Sort, Tsume};
use crate::game::{estimate, interpose};

/// Groups 1 to 8 are interpositions by distance from the king; this one is that of unguarded drops.
const UNGUARDED_GROUP: u8 = 9;
/// Groups from here on are promotion pairs.
const PAIR_GROUP: u8 = 16;

impl Tsume {
    /// The attacker's checks.
    pub(crate) fn checks(&self, out: &mut Vec<Candidate<Ply>>) {
        let position = self.position();
        let Some(king) = position.king(!self.attacker()) else { return };
        let mut list = MoveList::new();
        position.generate_checks(NonPromotions::All, &mut list);
        let fresh = self.interposed();
        // The two plies of an interposition that counts are both counted at the answer.
        let plies = if fresh.is_some() { 2 } else { 1 };
        for (number, &played) in list.iter().enumerate() {
            if let Some(checker) = fresh
                && played.from() == Some(checker)
                && Some(played.to()) == self.last_square()
            {
                let free =
                    Candidate { plies: 0, ..Candidate::plain(Ply::new(played, Sort::NotCounted)) };
                out.push(free);
            }
            let candidate = Candidate::plain(Ply::new(played, Sort::Plain));
            let group = pair_group(&list, number, played);
            out.push(Candidate { plies, group, ..candidate });
        }
        let order = |ply: Ply| match ply.sort {
            Sort::NotCounted => 1,
            _ => estimate::distance(king, ply.played.to()),
        };
        out.sort_by_key(|candidate| order(candidate.play));
    }

    /// The defender's moves.
    pub(crate) fn evasions(&self, out: &mut Vec<Candidate<Ply>>) {
        let position = self.position();
        let Some(king) = position.king(!self.attacker()) else { return };
        let mut list = MoveList::new();
        position.generate(yomikiri_shogi::movegen::Which::All, NonPromotions::All, &mut list);
        let checker = interpose::distant_checker(position);
        // What is dropped makes no difference to these: they are found once for each square.
        let mut dropped: [Option<Blocking>; 9] = [None; 9];
        for (number, &played) in list.iter().enumerate() {
            let mut candidate = Candidate::plain(Ply::new(played, Sort::Plain));
            if let Some(checker) = checker
                && played.from() != Some(king)
                && attacks::between(king, checker).has(played.to())
            {
                let known = &mut dropped[usize::from(estimate::distance(king, played.to()))];
                let blocking = known
                    .filter(|_| played.is_drop())
                    .unwrap_or_else(|| self.blocking(king, checker, played));
                if played.is_drop() {
                    *known = Some(blocking);
                }
                (candidate.group, candidate.dn) = (blocking.group, blocking.dn);
                if blocking.looks_useless {
                    candidate.play = Ply::new(played, Sort::Interposition);
                    candidate.plies = 0;
                }
            } else {
                candidate.group = pair_group(&list, number, played);
            }
            out.push(candidate);
        }
    }

    fn blocking(&self, king: Square, checker: Square, played: Move) -> Blocking {
        let position = self.position();
        Blocking {
            group: interposition_group(position, king, played),
            dn: estimate::after_interposition(position, played),
            looks_useless: self.knows_useless()
                && interpose::looks_useless(position, checker, played),
        }
    }
}

/// What is known of an interposition before it is played.
#[derive(Clone, Copy)]
struct Blocking {
    group: u8,
    dn: u32,
    looks_useless: bool,
}

/// The group of an interposition.
fn interposition_group(position: &Position, king: Square, played: Move) -> u8 {
    let guards = || position.attackers(played.to(), position.side_to_move(), position.occupied());
    if played.is_drop() && guards().is_empty() {
        UNGUARDED_GROUP
    } else {
        estimate::distance(king, played.to())
    }
}

/// The group of a move whose twin with or without promotion stands in the list as well.
fn pair_group(list: &[Move], number: usize, played: Move) -> u8 {
    let Some(from) = played.from() else { return 0 };
    let twin = Move::board(from, played.to(), !played.is_promotion());
    match list.iter().position(|&other| other == twin) {
        Some(at) => PAIR_GROUP + (at.min(number) % 16) as u8,
        None => 0,
    }
}
