//! Cooks (余詰): other mates than the intended one, at every move of the attacker on the line.
//!
//! At the last move another mate is a minor flaw; before it, a second way to mate spoils the
//! problem. A way that is longer than the intended one may be a detour that comes back to it, so
//! its length is given with it.

use yomikiri_proof::game::ProofGame;
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::Move;

use crate::game::node::{Sort, Tsume};
use crate::solve::{MateSettings, MateSolver, ply_of};

/// Another move that mates, or may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cook {
    /// Number of the ply at which it departs, 1 for the first.
    pub ply: usize,
    /// The other move.
    pub played: Move,
    /// Plies to mate with it, the move included; `None` if the search gave up on it.
    pub length: Option<u16>,
    /// Plies that the intended move takes from here.
    pub intended: u16,
}

impl Cook {
    /// Whether it only concerns the last move.
    #[must_use]
    pub fn is_minor(&self) -> bool {
        self.intended == 1
    }

    /// Whether it mates sooner than the intended line.
    #[must_use]
    pub fn is_shorter(&self) -> bool {
        self.length.is_some_and(|length| length < self.intended)
    }
}

/// Looks for cooks along `line`, the solution of `game`. The limits of `settings` hold for every
/// single move tried.
#[must_use]
pub fn cooks(game: &Tsume, line: &[Move], settings: &MateSettings) -> Vec<Cook> {
    let mut game = game.clone();
    let mut found = Vec::new();
    let solver = MateSolver::new(settings.clone());
    for (at, &played) in line.iter().enumerate() {
        let intended = (line.len() - at) as u16;
        if game.position().side_to_move() == game.attacker() {
            at_move(&solver, &mut game, at + 1, played, intended, &mut found);
        }
        let Some(ply) = ply_of(&mut game, played) else { break };
        game.play(ply);
    }
    found
}

fn at_move(
    solver: &MateSolver,
    game: &mut Tsume,
    ply: usize,
    intended_move: Move,
    intended: u16,
    found: &mut Vec<Cook>,
) {
    let mut candidates = Vec::new();
    game.moves(&mut candidates);
    for candidate in candidates {
        let play = candidate.play;
        if play.played == intended_move || play.sort == Sort::NotCounted {
            continue;
        }
        game.play(play);
        let answer = solver.fresh(game, UNBOUNDED);
        game.undo(play);
        let number = answer.number;
        if !number.is_disproven() {
            let length = number.is_proven().then_some(answer.length + 1);
            found.push(Cook { ply, played: play.played, length, intended });
        }
    }
}
