//! Mates at the root, played to the end.
//!
//! The solver beside the search answers with any mate. Asked anew on every move it may find another
//! one each time, none of them nearer, and the game ends by perpetual check. So the engine keeps
//! the proof that it began to play: its moves answer every defence, and each brings the mate
//! nearer. The proof knows the laws of moving and nothing else; where another rule of the game
//! comes first, the search decides.
//!
//! Measured, Elo at 10,000 nodes against none, 410 games given up at 15 pawns, which hides what it
//! finds: -14 [-46, 18].

use crate::mate::bridge;
use crate::search::EndRules;
use crate::search::driver::SearchJob;
use yomikiri_proof::limits::{ProofLimits, Stack};
use yomikiri_shogi::position::EnteringKingRule;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::Guide;

/// The mate that is being played, if there is one.
#[derive(Default)]
pub(crate) struct RootMate {
    guide: Option<Guide>,
}

impl RootMate {
    /// Whether no mate is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.guide.is_none()
    }

    /// Forgets the mate.
    pub(crate) fn forget(&mut self) {
        self.guide = None;
    }

    /// The line of a mate by the side to move: that of the proof kept if it knows the position,
    /// else of one that the solver finds for `share` per cent of the move's nodes or time.
    pub(crate) fn find(
        &mut self,
        job: &SearchJob<'_>,
        rules: &EndRules,
        share: i32,
        stack: usize,
    ) -> Option<Vec<Move>> {
        // A king in check may reach the square of his try, and has won.
        if rules.entering_king == EnteringKingRule::TryRule {
            return None;
        }
        let position = job.position;
        if !self.knows(position) {
            if position.in_check() {
                return None;
            }
            let control = job.control;
            let budget = ProofLimits {
                stop: control.solver_token().flag(),
                time_source: control.clock().clone(),
                stack: Stack::Callers(stack),
                ..bridge::budget(job.limits, &job.schedule, control.used(), share)
            };
            let checking = bridge::checking_time(&job.schedule, control.used());
            let (found, nodes) = bridge::ask_beside_search(position, budget, checking);
            control.add_nodes(nodes);
            self.guide = Some(found?);
        }
        let guide = self.guide.as_ref()?;
        let (mv, plies) = guide.step(position)?;
        let counts = comes_in_time(position, plies, rules) && !may_repeat(position, mv);
        counts.then(|| guide.line(position))
    }

    fn knows(&self, position: &Position) -> bool {
        self.guide.as_ref().is_some_and(|guide| guide.step(position).is_some())
    }
}

/// Whether a mate in this many plies comes before the game is drawn by its length.
fn comes_in_time(position: &Position, plies: u32, rules: &EndRules) -> bool {
    let last = position.move_number() - 1 + plies;
    rules.maximum_moves == 0 || last <= rules.maximum_moves
}

/// Whether the move or an answer to it may end the game by repetition. Within a proof nothing comes
/// back, but a position may have stood three times before the mate was found.
fn may_repeat(position: &Position, mv: Move) -> bool {
    let mut position = position.clone();
    position.play(mv);
    position.fourfold_repetition().is_some()
        || position.legal_moves().into_iter().any(|answer| {
            position.play(answer);
            let repeated = position.fourfold_repetition().is_some();
            position.undo();
            repeated
        })
}
