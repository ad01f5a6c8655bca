//! Initial numbers of mate nodes (df-pn+).
//!
//! The node behind a check counts as many units as the defender has answers there: what the next
//! visit would find out anyway (df-pn+, Nagai 2002). Interpositions count as [`crate::game::moves`]
//! groups them, a move with and without promotion once. Every other number is 1. Asked for only
//! where a node has no numbers yet, the count costs a fifth of the time.
//!
//! Every other problem of Shogi Zuko and Muso's odd numbers, 3 M nodes each: all 49 with 9.6 M
//! nodes in all; with the distance of the checking move from the king as the number, 47 with 19.0
//! M. Microcosmos: 33 M nodes, 82 M before. Counting the checks after an answer as its disproof
//! number in the same way changed nothing.

use std::ops::ControlFlow;

use yomikiri_proof::game::Ahead;
use yomikiri_proof::number::Number;
use yomikiri_shogi::movegen::{Kinds, NonPromotions, Sink, Which};
use yomikiri_shogi::{Bitboard, Color, Position, Square, attacks};

use crate::game::interpose;

/// The node after a check, the defender to move. An answer that is surely counted by convention
/// makes the mate at least two plies long; an interposition is not one if some may be left out.
/// With fewer than that `left` one is enough to know.
#[must_use]
pub fn after_check(position: &Position, some_left_out: bool, left: u16) -> Ahead {
    let line = match (position.king(position.side_to_move()), interpose::distant_checker(position))
    {
        (Some(king), Some(checker)) => attacks::between(king, checker),
        _ => Bitboard::EMPTY,
    };
    let one_is_enough = left < SHORTEST_ANSWERED;
    let mut answers = Answers { line, one_is_enough, ..Answers::default() };
    let over = position.generate_into(Which::All, NonPromotions::All, &mut answers);
    if over.is_break() {
        return Ahead { number: Number::UNIT, least: SHORTEST_ANSWERED };
    }
    let guarded = |&square: &Square| {
        position.attackers(square, position.side_to_move(), position.occupied()).is_any()
    };
    let chains: Bitboard = answers.dropped.iter().filter(guarded).collect();
    let groups =
        (answers.moved | chains).count() + u32::from(answers.dropped.without(chains).is_any());
    let all = answers.plain + groups;
    let counted = if some_left_out { answers.plain } else { all };
    let number = Number { pn: all.max(1), dn: 1 };
    Ahead { number, least: if counted > 0 { SHORTEST_ANSWERED } else { 0 } }
}

/// The shortest mate after an answer: the answer and the move that mates.
const SHORTEST_ANSWERED: u16 = 2;

/// Counts answers to a check, those in between by their squares.
#[derive(Default)]
struct Answers {
    /// Squares between the king and a distant checker.
    line: Bitboard,
    /// Whether to stop at the first one that is no interposition.
    one_is_enough: bool,
    plain: u32,
    moved: Bitboard,
    dropped: Bitboard,
}

impl Answers {
    #[inline]
    fn add(&mut self, to: Bitboard) -> ControlFlow<()> {
        self.plain += to.without(self.line).count();
        self.moved |= to & self.line;
        if self.one_is_enough && self.plain > 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Sink for Answers {
    #[inline]
    fn moves(&mut self, _: Square, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        self.add(stay | promote)
    }

    #[inline]
    fn pawns(&mut self, _: Color, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        self.add(stay | promote)
    }

    #[inline]
    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()> {
        if !kinds.is_empty() {
            self.dropped |= to;
        }
        ControlFlow::Continue(())
    }
}

/// Steps of a king from one square to the other.
pub(crate) fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::node::{Sort, Tsume};
    use yomikiri_proof::game::{Candidate, Game, Role};

    /// The same count from the list of moves and their groups.
    fn slowly(game: &mut Tsume) -> u32 {
        let mut answers: Vec<Candidate<_>> = Vec::new();
        game.moves(&mut answers);
        let mut groups: Vec<u8> =
            answers.iter().map(|answer| answer.group).filter(|&group| group != 0).collect();
        groups.sort_unstable();
        groups.dedup();
        let alone = answers.iter().filter(|answer| answer.group == 0).count();
        (alone + groups.len()).max(1) as u32
    }

    #[test]
    fn answers_are_counted_as_they_are_grouped() {
        let problems = [
            "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1",
            "k1+P4n1/2L+P2sL1/r4+P+P1P/+BpP+Pl1+Rg1/NP1S+PP+p1g/2L+p1g+P1+P/Ps1G1+P1N1/1sN1P4/B8 b - 1",
            "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1",
        ];
        let mut compared = 0;
        let mut random = 1_u64;
        for sfen in problems.into_iter().cycle().take(300) {
            let position = Position::from_problem_sfen(sfen).unwrap();
            let mut game = Tsume::new(position, Color::Black);
            for _ in 0..20 {
                if game.role() == Role::Defender {
                    let ahead = after_check(game.position(), true, u16::MAX);
                    assert_eq!(ahead.number.pn, slowly(&mut game));
                    compared += 1;
                }
                let mut moves = Vec::new();
                game.moves(&mut moves);
                moves.retain(|candidate| candidate.play.sort != Sort::NotCounted);
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(moves[(random >> 33) as usize % moves.len()].play);
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
