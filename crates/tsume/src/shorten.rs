//! The search for the shortest mate, once there is one.
//!
//! The question "within n plies?" is asked for a budget in the middle of the bounds, with few
//! nodes; what stays open is taken for a no and the upper half is asked, and when everything is
//! asked the nodes are doubled. Both ends hurt: from above alone, a first proof that is a detour of
//! twenty plies takes a search for each step down, and from below every answer but the last is a no
//! that has to be proven. Each budget has a season of its own in the table, since numbers that
//! belong to one budget mislead the search with another, while facts serve all of them. Mates of 9
//! plies from games, 700 problems with raw lengths: 8.9 M nodes (11.2 M when both ends were tried
//! in turn); of 703 mates of 11 plies none stays longer with 300,000 nodes (seven did).
//!
//! A long mate is asked for two plies less each time.

use std::collections::HashSet;

use yomikiri_proof::game::{Candidate, Game, Role, Stock};
use yomikiri_proof::proof_tree::{self, ProofTree};

use crate::dominance::Held;
use crate::node::{Ply, Tsume};
use crate::solve::{MateSolver, Report, Solution, hand_after};
use crate::verify;

/// Longer mates are shortened from above alone, and by extracting them again first.
pub(crate) const LONG: u16 = 41;
/// Nodes for each budget at first; they grow with every round.
const FIRST_QUOTA: u64 = 1 << 13;
const QUOTA_GROWTH: u64 = 4;
/// From here on the question at the root is hopeless, and all the time goes to the lines.
const VERY_LONG: u16 = 401;
/// Nodes for each position on the longest lines of a long proof.
const NODES_A_LINE: u64 = 20_000;

impl MateSolver {
    /// Shortens a long proof by its own means: extracts it again and again while it gets shorter,
    /// and asks at every move of the attacker on its longest lines, the last ones first, whether
    /// two plies less will do.
    ///
    /// Every extraction chooses the shortest of the known mates by the lengths that the one before
    /// has found. The questions are small, since what lies behind a position has been shortened
    /// before it, and each begins with fresh numbers, in the season of its length. Microcosmos: the
    /// first proof has 1,561 plies (35 M nodes), 0.7 M nodes bring it to 1,533, 14 M more to 1,525;
    /// with the numbers of the first search it took 36 M to 1,529.
    pub(crate) fn refine(&mut self, game: &Tsume, found: u16, report: &mut Report<'_>) -> u16 {
        let mut high = found;
        let mut asked = HashSet::new();
        while high >= LONG {
            self.limit_nodes(u64::MAX);
            let most = self.settings.largest_proof;
            let Ok(tree) = proof_tree::extract(&self.solver, game, high, most, |_| {}) else {
                break;
            };
            let length = tree.nodes[tree.root()].length;
            if length >= high && !self.shorten_lines(game, &tree, &mut asked, report) {
                break;
            }
            high = length;
        }
        high
    }

    /// Asks at the attacker's moves on the longest lines of a proof, the last ones first, for two
    /// plies less, and tells whether some became shorter. `asked` are the questions that were asked
    /// before in vain.
    fn shorten_lines(
        &mut self,
        game: &Tsume,
        tree: &ProofTree<Ply, Held>,
        asked: &mut HashSet<(u64, u32, u16)>,
        report: &mut Report<'_>,
    ) -> bool {
        let mut game = game.clone();
        let mut seen = vec![false; tree.nodes.len()];
        let mut path: Vec<(usize, Vec<(Ply, u32)>)> =
            vec![(tree.root(), longest(&mut game, tree, tree.root()))];
        let mut played: Vec<Ply> = Vec::new();
        let mut shorter = false;
        while let Some((at, moves)) = path.last_mut() {
            if let Some((ply, to)) = moves.pop() {
                let to = to as usize;
                if !std::mem::replace(&mut seen[to], true) {
                    game.play(ply);
                    played.push(ply);
                    let moves = longest(&mut game, tree, to);
                    path.push((to, moves));
                }
                continue;
            }
            let node = &tree.nodes[*at];
            path.pop();
            let key = (node.identity.board, node.identity.stock.to_bits(), node.length);
            if node.role == Role::Attacker && node.length > 2 && !asked.contains(&key) {
                self.solver.begin_season(node.length - 2);
                let outcome = self.ask_briefly(&game, node.length - 2, NODES_A_LINE, report);
                if outcome.number.is_proven() {
                    shorter = true;
                } else if outcome.gave_up.is_some() && outcome.nodes < NODES_A_LINE {
                    // A limit of the whole question.
                    return false;
                } else {
                    asked.insert(key);
                }
            }
            if let Some(ply) = played.pop() {
                game.undo(ply);
            }
        }
        shorter
    }

    /// Brings the bounds of the shortest length together, as far as the limits allow. The greater
    /// one is proven.
    pub(crate) fn shorten(
        &mut self,
        game: &Tsume,
        bounds: (u16, u16),
        report: &mut Report<'_>,
    ) -> (u16, u16) {
        let parity = u16::from(game.position().side_to_move() == game.attacker());
        let (mut low, mut high) = (bounds.0.max(parity), bounds.1);
        let mut quota = FIRST_QUOTA;
        while low < high && high < VERY_LONG {
            // Budgets below this were asked in this round.
            let mut from = low;
            while from < high {
                let (budget, most) = next_budget(from, high, quota);
                self.solver.begin_season(budget);
                let outcome = self.ask_briefly(game, budget, most, report);
                if outcome.number.is_proven() {
                    high = outcome.length;
                } else if outcome.number.is_disproven() {
                    low = budget + 2;
                    from = low;
                } else if outcome.nodes < most {
                    return (low, high);
                } else {
                    from = budget + 2;
                }
            }
            quota *= QUOTA_GROWTH;
        }
        (low, high)
    }

    /// Brings the raw length down as far as the time left allows; what is shorter is verified
    /// before it is told. No mate by convention is longer than one with everything counted, so the
    /// length and the line may become shorter as well.
    pub(crate) fn shorten_raw(
        &mut self,
        game: &Tsume,
        solution: &mut Solution,
        report: &mut Report<'_>,
    ) {
        let known = solution.raw_length;
        let Some(bound) = u16::try_from(known).ok().filter(|&raw| raw <= LONG) else { return };
        let raw_game = game.counting_everything();
        let (_, high) = self.shorten(&raw_game, (solution.low, bound), report);
        if u32::from(high) >= known {
            return;
        }
        let Ok((_, proof)) = self.extract(&raw_game, high) else { return };
        let stack = self.settings.limits.stack;
        let Ok((verified, guide)) = verify::verify_for_play(&proof, stack) else { return };
        solution.raw_length = verified.plies.min(known);
        let line = guide.line(game.position());
        if line.len() < usize::from(solution.high) {
            solution.high = line.len() as u16;
            solution.left_in_hand = hand_after(game, &line);
            solution.line = line;
        }
    }
}

/// The budget to ask for next, and the nodes for it: `high` is proven, everything below `from` was
/// asked.
fn next_budget(from: u16, high: u16, quota: u64) -> (u16, u64) {
    if high > LONG { (high - 2, u64::MAX) } else { (from + (high - 2 - from) / 4 * 2, quota) }
}

/// The moves of a node of the proof on which its length rests: the attacker's one, the defender's
/// longest.
fn longest(game: &mut Tsume, tree: &ProofTree<Ply, Held>, at: usize) -> Vec<(Ply, u32)> {
    let node = &tree.nodes[at];
    if node.role == Role::Attacker {
        return node.moves.clone();
    }
    let mut candidates: Vec<Candidate<Ply>> = Vec::new();
    game.moves(&mut candidates);
    let lasts = |&&(ply, to): &&(Ply, u32)| {
        let plies = candidates.iter().find(|c| c.play == ply).map_or(1, |c| u16::from(c.plies));
        tree.nodes[to as usize].length + plies == node.length
    };
    node.moves.iter().filter(lasts).copied().collect()
}
