//! Moving in a proven problem oneself, as the attacker or as the defender: the proof answers, and a
//! search where the person has left it.

use crate::{Guide, MateSettings, MateSolver, Solution, Tsume, Verdict};
use std::sync::atomic::Ordering;
use yomikiri_shogi::{Move, Position};

/// What a move of the person is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PracticeVerdict {
    /// The defender is mated: solved.
    Solved,
    /// The mate goes on.
    MateGoesOn,
    /// The attacker's move does not mate: the answer refutes it.
    Refuted,
    /// The attacker's move gives no check.
    NoCheck,
    /// Not known within the limits.
    Unknown,
}

/// The answer to a move of the person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PracticeReply {
    /// What the move was worth.
    pub verdict: PracticeVerdict,
    /// The answer, unless there is none.
    pub reply: Option<Move>,
    /// Plies to mate after the answer, if they are known.
    pub left: Option<u32>,
}

impl PracticeReply {
    fn without(verdict: PracticeVerdict) -> PracticeReply {
        PracticeReply { verdict, reply: None, left: None }
    }
}

/// A problem with its proof.
pub struct Practice<'a> {
    /// The problem.
    pub game: &'a Tsume,
    /// The moves of its proof.
    pub guide: &'a Guide,
    /// What one search off the proof may use.
    pub settings: MateSettings,
}

struct NoMate;

impl Practice<'_> {
    /// The answer to a legal move.
    #[must_use]
    pub fn answer(&self, position: &Position, mv: Move) -> PracticeReply {
        let attacks = position.side_to_move() == self.game.attacker();
        let checks = position.gives_check(mv);
        let mut after = position.clone();
        after.play(mv);
        match (attacks, checks) {
            (true, false) => PracticeReply::without(PracticeVerdict::NoCheck),
            (true, true) => self.defend(&after),
            (false, _) => self.attack(&after),
        }
    }

    /// The attacker's next move and the plies to mate with it.
    #[must_use]
    pub fn mating_move(&self, position: &Position) -> Option<(Move, u32)> {
        self.guide.step(position).or_else(|| {
            let solution = self.solve(position);
            Some((*solution.line.first()?, solution.raw_length))
        })
    }

    fn solve(&self, position: &Position) -> Solution {
        let game = Tsume::new(position.clone(), self.game.attacker());
        MateSolver::new(self.settings.clone()).solve(&game, &mut |_| {})
    }

    /// The person attacks: the defence that refutes the move, or the one that lasts longest.
    fn defend(&self, position: &Position) -> PracticeReply {
        let mut position = position.clone();
        let defences = position.legal_moves();
        if defences.is_empty() {
            let solved = PracticeReply::without(PracticeVerdict::Solved);
            return PracticeReply { left: Some(0), ..solved };
        }
        let (mut longest, mut open) = (None, None);
        for mv in defences {
            position.play(mv);
            let known = self.guide.step(&position).map(|(_, plies)| plies);
            let left = known.map_or_else(|| self.plies(&position), |plies| Ok(Some(plies)));
            position.undo();
            match left {
                Ok(Some(plies)) if longest.is_none_or(|(_, most)| plies > most) => {
                    longest = Some((mv, plies));
                }
                Ok(Some(_)) => {}
                Ok(None) => open = Some(mv),
                Err(NoMate) => {
                    let refuted = PracticeReply::without(PracticeVerdict::Refuted);
                    return PracticeReply { reply: Some(mv), ..refuted };
                }
            }
            if self.settings.limits.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        let unknown = PracticeReply::without(PracticeVerdict::Unknown);
        match (open, longest) {
            (None, Some((mv, plies))) => PracticeReply {
                verdict: PracticeVerdict::MateGoesOn,
                reply: Some(mv),
                left: Some(plies),
            },
            (reply, _) => PracticeReply { reply, ..unknown },
        }
    }

    /// Plies to mate with the attacker to move, if they are known.
    fn plies(&self, position: &Position) -> Result<Option<u32>, NoMate> {
        let solution = self.solve(position);
        match solution.verdict {
            Verdict::Mate => Ok(Some(solution.raw_length)),
            Verdict::NoMate => Err(NoMate),
            Verdict::Unknown(_) => Ok(None),
        }
    }

    /// The person defends: the attacker's next move.
    fn attack(&self, position: &Position) -> PracticeReply {
        let Some((mv, plies)) = self.mating_move(position) else {
            return PracticeReply::without(PracticeVerdict::Unknown);
        };
        let mut after = position.clone();
        after.play(mv);
        let verdict = match after.is_mate() {
            true => PracticeVerdict::Solved,
            false => PracticeVerdict::MateGoesOn,
        };
        PracticeReply { verdict, reply: Some(mv), left: Some(plies.saturating_sub(1)) }
    }
}
