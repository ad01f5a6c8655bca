//! Threats of mate (詰めろ) and binds against which there is no defence (必至).

use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::{Move, Position};

use crate::game::node::Tsume;
use crate::solve::{MateSettings, MateSolver};

/// What a move threatens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threat {
    /// Nothing: if the opponent passes there is no mate.
    None,
    /// Mate, if the opponent does nothing (詰めろ).
    Mate,
    /// Mate whatever the opponent does (必至).
    Hisshi,
    /// Mate if the opponent passes; a limit was met on one of the answers.
    MateOrHisshi,
    /// A limit was met.
    Unknown,
}

/// What the side that has just moved threatens. The limits of `settings` hold for every single
/// search.
///
/// A position in check is judged by the answers alone.
#[must_use]
pub fn threat(position: &Position, settings: &MateSettings) -> Threat {
    let attacker = !position.side_to_move();
    let solver = MateSolver::new(settings.clone());
    let mut position = position.clone();
    if !position.in_check() {
        position.pass();
        let passed = solver.fresh(&Tsume::new(position.clone(), attacker), UNBOUNDED).number;
        position.undo_pass();
        if passed.is_disproven() {
            return Threat::None;
        }
        if !passed.is_proven() {
            return Threat::Unknown;
        }
    }
    let mut sure = true;
    for answer in position.legal_moves() {
        position.play(answer);
        let number = solver.fresh(&Tsume::new(position.clone(), attacker), UNBOUNDED).number;
        position.undo();
        if number.is_disproven() {
            return Threat::Mate;
        }
        sure &= number.is_proven();
    }
    if sure { Threat::Hisshi } else { Threat::MateOrHisshi }
}

/// A move that binds the opponent, or may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind {
    /// The move.
    pub played: Move,
    /// Whether every answer to it is known to lose; otherwise a limit was met before this was
    /// decided.
    pub sure: bool,
}

/// The moves of the side to move that bind the opponent (必至), checks left out, and those on which
/// the limits were too tight to say no.
#[must_use]
pub fn hisshi_moves(position: &Position, settings: &MateSettings) -> Vec<Bind> {
    let mut position = position.clone();
    let mut found = Vec::new();
    for played in position.legal_moves() {
        if position.gives_check(played) {
            continue;
        }
        position.play(played);
        let threat = threat(&position, settings);
        position.undo();
        match threat {
            Threat::None | Threat::Mate => {}
            Threat::Hisshi => found.push(Bind { played, sure: true }),
            Threat::MateOrHisshi | Threat::Unknown => found.push(Bind { played, sure: false }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_proof::limits::ProofLimits;

    fn settings() -> MateSettings {
        MateSettings {
            limits: ProofLimits { memory: 4 << 20, ..ProofLimits::nodes(20_000) },
            ..MateSettings::default()
        }
    }

    #[test]
    fn a_gold_that_waits_over_the_head_threatens_mate() {
        // White's king in the corner, black's gold in hand and a pawn on 1c: G*1b threatens nothing
        // more, it is mate.
        let position = Position::from_sfen("8k/9/8P/9/9/9/9/9/4K4 b G 1").unwrap();
        let mut quiet = position.clone();
        quiet.play("5i5h".parse().unwrap());
        assert_eq!(threat(&quiet, &settings()), Threat::Mate);
    }

    #[test]
    fn an_empty_board_holds_no_threat() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
        let mut quiet = position.clone();
        quiet.play("5i5h".parse().unwrap());
        assert_eq!(threat(&quiet, &settings()), Threat::None);
        assert!(hisshi_moves(&position, &settings()).is_empty());
    }

    #[test]
    fn what_a_limit_leaves_open_is_told() {
        let position = Position::from_sfen("8k/9/7P1/9/9/9/9/9/4K4 b 2G 1").unwrap();
        let hurried = MateSettings { limits: ProofLimits::nodes(1), ..settings() };
        let binds = hisshi_moves(&position, &hurried);
        assert!(binds.iter().any(|bind| !bind.sure), "{binds:?}");
    }

    #[test]
    fn a_bind_is_found() {
        // Two golds in hand against a bare king on the edge whose flight squares a bishop covers.
        let position = Position::from_sfen("8k/9/7P1/9/9/9/9/9/4K4 b 2G 1").unwrap();
        let binds = hisshi_moves(&position, &settings());
        assert!(binds.iter().any(|bind| bind.sure), "{binds:?}");
        for bind in binds.iter().filter(|bind| bind.sure) {
            let mut bound = position.clone();
            bound.play(bind.played);
            for answer in bound.legal_moves() {
                let mut after = bound.clone();
                after.play(answer);
                let attacker = after.side_to_move();
                let mut solver = MateSolver::new(settings());
                let solution = solver.solve(&Tsume::new(after, attacker), &mut |_| {});
                assert_eq!(solution.verdict, crate::Verdict::Mate);
                assert!(solution.verified);
            }
        }
    }
}
