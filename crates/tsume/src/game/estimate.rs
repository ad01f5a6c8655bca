//! Initial numbers of mate nodes (df-pn+).
//!
//! The node behind a check counts as many units as the defender has answers there: what the next
//! visit would find out anyway (df-pn+, Nagai 2002). Interpositions count as [`crate::game::moves`]
//! groups them, a move with and without promotion once. One more unit if the checking piece is
//! outnumbered where it stands; an interposition that is outnumbered has disproof number 2 (after
//! GPS Shogi). Numbers are computed only where a node has none yet.
//!
//! In the search for the shortest mate, which mostly is one disproof, the node behind a defence
//! counts two units for each check that the attacker has there: a defence has to be chosen and
//! every check refuted. Every other number is 1.
//!
//! Every other problem of Shogi Zuko and Muso's odd numbers, 3 M nodes each: all 49 with 9.6 M
//! nodes in all; with the distance of the checking move from the king as the number, 47 with 19.0
//! M. Microcosmos: 33 M nodes, 82 M before. Being outnumbered: 82 problems of both books, at most
//! 1.5 M nodes each, 15.6 M nodes in all against 17.2 M, the mean problem 0.88 times as many.
//!
//! Checks counted: the smoke mate (Zuko 99), exact, takes 7.05 M nodes in place of 15.88 M; mates
//! of 9 plies from games with their raw lengths, 2.30 M in place of 2.36 M. Without a bound, all 98
//! problems of both books: 20.6 M nodes to a first mate in place of 21.5 M, but no less time.

use std::ops::ControlFlow;

use yomikiri_proof::number::Number;
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::movegen::{Kinds, MoveSink, NonPromotions};
use yomikiri_shogi::{Bitboard, Color, Move, Position, Square};

/// What a look at the answers to a check gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepliesToCheck {
    /// The first numbers of the node; proven if there is no answer.
    pub number: Number,
    /// Plies to mate at least.
    pub least: u16,
}

/// The node after a check, the defender to move. An answer that is surely counted by convention
/// makes the mate at least two plies long; an interposition is not one if some may be left out.
#[must_use]
pub fn after_check(position: &Position, some_left_out: bool) -> RepliesToCheck {
    let evasions = position.evasions();
    let plain = evasions.flights.count() + evasions.takers.count();
    let chains = evasions.drops & evasions.guarded;
    let groups =
        (evasions.blocks | chains).count() + u32::from(evasions.drops.without(chains).is_any());
    let all = plain + groups;
    let counted = if some_left_out { plain } else { all };
    if all == 0 {
        return RepliesToCheck { number: Number::PROVEN, least: 0 };
    }
    let outnumbered = is_outnumbered(position, evasions.facing);
    let number = Number { pn: all + u32::from(outnumbered), dn: 1 };
    RepliesToCheck { number, least: if counted > 0 { SHORTEST_ANSWERED } else { 0 } }
}

/// With fewer plies left a disproof is near without an order among the defences.
const FEWEST_PLIES: u16 = 7;

/// Whether [`after_defence`] is worth its time where `left` plies are left. Without a bound a mate
/// is looked for, and there it is not.
#[must_use]
pub fn is_worth_counting_checks(left: u16) -> bool {
    (FEWEST_PLIES..UNBOUNDED).contains(&left)
}

/// What a check counts that nobody has looked at yet: two, so that the defence that is under way is
/// left later.
const UNITS_A_CHECK: u32 = 2;

/// The node after an answer to a check, the attacker to move: disproven if he has no check.
#[must_use]
pub fn after_defence(position: &Position) -> Number {
    let mut checks = CheckCount(0);
    let _ = position.generate_checks_into(NonPromotions::All, &mut checks);
    if checks.0 == 0 { Number::DISPROVEN } else { Number { pn: 1, dn: UNITS_A_CHECK * checks.0 } }
}

/// Counts checks, a move with and without promotion once.
struct CheckCount(u32);

impl MoveSink for CheckCount {
    #[inline]
    fn moves(&mut self, _: Square, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        self.0 += (stay | promote).count();
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(&mut self, _: Color, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        self.0 += (stay | promote).count();
        ControlFlow::Continue(())
    }

    #[inline]
    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()> {
        self.0 += kinds.count() as u32 * to.count();
        ControlFlow::Continue(())
    }
}

/// Whether the piece that has just given check took nothing and stands where the defender has at
/// least as many pieces as the attacker, itself counted. `facing` are those of the defender that
/// reach the only checker.
fn is_outnumbered(position: &Position, facing: Bitboard) -> bool {
    let Some(mv) = position.last_move().filter(|_| position.last_capture().is_none()) else {
        return false;
    };
    let count = |color| position.attackers(mv.to(), color, position.occupied()).count();
    let defender = position.side_to_move();
    let alone = position.checkers() == Bitboard::of(mv.to());
    let takers = if alone { facing.count() } else { count(defender) };
    // Mostly there is none, and the other half of the work is saved.
    takers > 0 && count(!defender) < takers
}

/// The pieces of the attacker and of the defender that reach a square.
fn guards(position: &Position, square: Square, defender: Color) -> (u32, u32) {
    let count = |color| position.attackers(square, color, position.occupied()).count();
    (count(!defender), count(defender))
}

/// The disproof number of the node behind an interposition: 2 if the attacker has at least as many
/// pieces there as the defender, an interposed piece from the hand counted.
pub(crate) fn after_interposition(position: &Position, mv: Move) -> u32 {
    let (attackers, guards) = guards(position, mv.to(), position.side_to_move());
    1 + u32::from(attackers >= guards + u32::from(mv.is_drop()))
}

/// The shortest mate after an answer: the answer and the move that mates.
const SHORTEST_ANSWERED: u16 = 2;

/// Steps of a king from one square to the other.
pub(crate) fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::node::{Ply, Sort, Tsume};
    use std::collections::HashSet;
    use yomikiri_proof::game::{Candidate, ProofGame, Role};

    /// The same count from the list of moves and their groups.
    fn slowly(game: &mut Tsume) -> u32 {
        let mut answers: Vec<Candidate<_>> = Vec::new();
        game.moves(&mut answers);
        let mut groups: Vec<u8> =
            answers.iter().map(|answer| answer.group).filter(|&group| group != 0).collect();
        groups.sort_unstable();
        groups.dedup();
        let alone = answers.iter().filter(|answer| answer.group == 0).count();
        (alone + groups.len()) as u32
    }

    /// The same count of checks from the list.
    fn slowly_without_promotion(checks: &[Candidate<Ply>]) -> u32 {
        let plain = |played: Move| match played.from() {
            Some(from) => Move::board(from, played.to(), false),
            None => played,
        };
        let plain: HashSet<String> =
            checks.iter().map(|check| plain(check.play.played).to_string()).collect();
        plain.len() as u32
    }

    fn slowly_outnumbered(position: &Position) -> bool {
        let mv = position.last_move().expect("a check");
        let (supporters, takers) = guards(position, mv.to(), position.side_to_move());
        position.last_capture().is_none() && supporters < takers
    }

    #[test]
    fn answers_and_checks_are_counted_as_they_are_grouped() {
        let problems = [
            "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1",
            "k1+P4n1/2L+P2sL1/r4+P+P1P/+BpP+Pl1+Rg1/NP1S+PP+p1g/2L+p1g+P1+P/Ps1G1+P1N1/1sN1P4/B8 b - 1",
            "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1",
        ];
        let (mut compared, mut checks) = (0, 0);
        let mut random = 1_u64;
        for sfen in problems.into_iter().cycle().take(300) {
            let position = Position::from_problem_sfen(sfen).unwrap();
            let mut game = Tsume::new(position, Color::Black);
            for _ in 0..20 {
                if game.role() == Role::Defender {
                    let ahead = after_check(game.position(), true);
                    let position = game.position();
                    let answers = position.legal_moves().len();
                    assert_eq!(ahead.number.is_proven(), answers == 0);
                    if answers > 0 {
                        let facing = position.evasions().facing;
                        let outnumbered = u32::from(is_outnumbered(position, facing));
                        assert_eq!(outnumbered == 1, slowly_outnumbered(position));
                        assert_eq!(ahead.number.pn, slowly(&mut game) + outnumbered);
                    }
                    compared += 1;
                }
                let mut moves = Vec::new();
                game.moves(&mut moves);
                moves.retain(|candidate| candidate.play.sort != Sort::NotCounted);
                if game.role() == Role::Attacker {
                    let number = after_defence(game.position());
                    assert_eq!(number.is_disproven(), moves.is_empty());
                    if !moves.is_empty() {
                        assert_eq!(number.dn, UNITS_A_CHECK * slowly_without_promotion(&moves));
                    }
                    checks += 1;
                }
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(moves[(random >> 33) as usize % moves.len()].play);
            }
        }
        assert!(compared > 1000 && checks > 1000, "{compared} {checks}");
    }
}
