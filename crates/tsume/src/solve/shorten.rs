//! The second stage: the search for the shortest mate, once there is one.
//!
//! The question "within n plies?" is asked for a budget in the middle of the bounds, with few
//! nodes; what stays open is taken for a no and the upper half is asked, and when everything is
//! asked the nodes are doubled. Both ends hurt: from above alone, a first proof that is a detour of
//! twenty plies takes a search for each step down, and from below every answer but the last is a no
//! that has to be proven. Each budget has an epoch of its own in the table, since numbers that
//! belong to one budget mislead the search with another, while facts serve all of them. Mates of 9
//! plies from games, 700 problems with raw lengths: 8.9 M nodes (11.2 M when both ends were tried
//! in turn); of 703 mates of 11 plies none stays longer with 300,000 nodes (seven did).
//!
//! A long mate is asked for two plies less each time.

use std::collections::HashMap;

use yomikiri_proof::game::{Candidate, ProofGame, Role, Stock};
use yomikiri_proof::proof_tree::{self, ProofTree};

use super::run::{OnMateProgress, Run};
use super::{Solution, present, prove};
use crate::game::dominance::Held;
use crate::game::node::{Ply, Tsume};
use crate::verify::Proof;

/// Longer mates are shortened from above alone, and by extracting them again first.
pub(crate) const LONG: u16 = 41;
/// Nodes for each budget at first; they grow with every round.
const FIRST_QUOTA: u64 = 1 << 13;
const QUOTA_GROWTH: u64 = 4;
/// From here on the question at the root is hopeless, and all the time goes to the lines.
const VERY_LONG: u16 = 401;
/// Nodes for each position on the longest lines of a long proof, more once fewer shorten nothing:
/// what can be shortened mostly shows at once. Microcosmos with 20,000 for each: of 2,583 questions
/// that were answered by a shorter mate 2,536 took fewer than 128 nodes, none as many as 8,192,
/// while 766 in vain took a third of all nodes. 1,525 plies with 47.4 M nodes in all; 51.7 M with
/// 256, 2,048 and 8,192 for each.
const NODES_A_LINE: [u64; 3] = [64, 1_024, 4_096];

/// What is known of the shortest length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// No mate is shorter.
    pub(crate) low: u16,
    /// There is a mate of this length.
    pub(crate) high: u16,
    /// The epoch of the last question: its numbers serve the next ones about the same mate.
    pub(crate) epoch: u16,
}

/// Shortens a long proof by its own means: extracts it again and again while it gets shorter, and
/// asks at every move of the attacker on its longest lines, the last ones first, whether two plies
/// less will do.
///
/// Every extraction chooses the shortest of the known mates by the lengths that the one before has
/// found. The questions are small, since what lies behind a position has been shortened before it,
/// and each begins with fresh numbers, in the epoch of its length. Microcosmos: the first proof
/// has 1,551 plies (35 M nodes); with the numbers of the first search it took 36 M more to 1,529.
pub(crate) fn lines(
    run: &mut Run<'_>,
    game: &Tsume,
    bounds: Bounds,
    report: &mut OnMateProgress<'_>,
) -> Bounds {
    let mut bounds = bounds;
    let mut asked = HashMap::new();
    while bounds.high >= LONG {
        let query = run.query().within(bounds.high).in_epoch(bounds.epoch);
        let most = run.settings.largest_proof;
        let Ok(tree) = proof_tree::extract(run.solver, game, &query, most, |_| {}) else { break };
        let length = tree.nodes[tree.root()].length;
        if length >= bounds.high {
            let mut lines = Lines::Same;
            for nodes in NODES_A_LINE {
                if lines == Lines::Same {
                    let found = shorten_lines(run, game, &tree, nodes, &mut asked, report);
                    (lines, bounds.epoch) = (found.lines, found.epoch.unwrap_or(bounds.epoch));
                }
            }
            if lines != Lines::Shorter {
                break;
            }
        }
        bounds.high = length;
    }
    bounds
}

/// What became of the longest lines of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    /// Some are shorter.
    Shorter,
    /// None is.
    Same,
    /// A limit of the whole question was met.
    LimitMet,
}

/// What asking along the longest lines has brought, and the epoch of the last question.
struct Asked {
    lines: Lines,
    epoch: Option<u16>,
}

/// Asks at the attacker's moves on the longest lines of a proof, the last ones first, for two plies
/// less, with `nodes` for each. `asked` are the questions that were asked before in vain, and with
/// how many nodes.
fn shorten_lines(
    run: &mut Run<'_>,
    game: &Tsume,
    tree: &ProofTree<Ply, Held>,
    nodes: u64,
    asked: &mut HashMap<(u64, u32, u16), u64>,
    report: &mut OnMateProgress<'_>,
) -> Asked {
    let mut game = game.clone();
    let mut seen = vec![false; tree.nodes.len()];
    let mut path: Vec<(usize, Vec<(Ply, u32)>)> =
        vec![(tree.root(), longest(&mut game, tree, tree.root()))];
    let mut played: Vec<Ply> = Vec::new();
    let (mut lines, mut epoch) = (Lines::Same, None);
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
        if node.role == Role::Attacker
            && node.length > 2
            && asked.get(&key).is_none_or(|&most| most < nodes)
        {
            let less = node.length - 2;
            epoch = Some(less);
            let query = run.query().within(less).in_epoch(less).at_most(nodes);
            let outcome = run.ask(&game, &query, report);
            if outcome.number.is_proven() {
                lines = Lines::Shorter;
            } else if outcome.gave_up.is_some() && outcome.nodes < nodes {
                return Asked { lines: Lines::LimitMet, epoch };
            } else {
                asked.insert(key, nodes);
            }
        }
        if let Some(ply) = played.pop() {
            game.undo(ply);
        }
    }
    Asked { lines, epoch }
}

/// Brings the bounds of the shortest length together, as far as the limits allow. The greater one
/// is proven.
pub(crate) fn root(
    run: &mut Run<'_>,
    game: &Tsume,
    bounds: Bounds,
    report: &mut OnMateProgress<'_>,
) -> Bounds {
    let parity = u16::from(game.role() == Role::Attacker);
    let game = &game.weighing_defences();
    let mut bounds = Bounds { low: bounds.low.max(parity), ..bounds };
    let mut quota = FIRST_QUOTA;
    while bounds.low < bounds.high && bounds.high < VERY_LONG {
        // Budgets below this were asked in this round.
        let mut from = bounds.low;
        while from < bounds.high {
            let (budget, most) = next_budget(from, bounds.high, quota);
            bounds.epoch = budget;
            let query = run.query().within(budget).in_epoch(budget).at_most(most);
            let outcome = run.ask(game, &query, report);
            if outcome.number.is_proven() {
                bounds.high = outcome.length;
            } else if outcome.number.is_disproven() {
                bounds.low = budget + 2;
                from = bounds.low;
            } else if outcome.nodes < most {
                return bounds;
            } else {
                from = budget + 2;
            }
        }
        quota *= QUOTA_GROWTH;
    }
    bounds
}

/// Brings the raw length down as far as the time left allows; what is shorter is verified before it
/// is reported. No mate by convention is longer than one with everything counted, so the length and
/// the line may become shorter as well.
pub(crate) fn raw(
    run: &mut Run<'_>,
    game: &Tsume,
    solution: &mut Solution,
    epoch: u16,
    report: &mut OnMateProgress<'_>,
) {
    let known = solution.raw_length;
    let Some(high) = u16::try_from(known).ok().filter(|&raw| raw <= LONG) else { return };
    let raw_game = game.counting_everything();
    let bounds = root(run, &raw_game, Bounds { low: solution.low, high, epoch }, report);
    if u32::from(bounds.high) >= known {
        return;
    }
    let query = run.query().within(bounds.high).in_epoch(bounds.epoch);
    let Ok(proven) = prove::prove(run, &raw_game, &query) else { return };
    solution.raw_length = proven.proof.raw_length.min(known);
    let line = proven.guide.line(game.position());
    if line.len() < usize::from(solution.high) {
        solution.high = line.len() as u16;
        solution.left_in_hand = present::hand_after(game, &line);
        solution.line = line;
    }
    // With everything counted no convention is needed.
    solution.by_the_rule |= u32::from(solution.high) == solution.raw_length;
    let length = solution.is_exact().then_some(solution.high);
    if let Some(own) = solution.proven.as_deref_mut().filter(|_| solution.raw_length < known) {
        own.proof = Proof { length, ..proven.proof }.sealed();
        own.guide = proven.guide;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_asked_in_the_middle_and_long_ones_from_above() {
        assert_eq!(next_budget(1, 11, 100), (5, 100));
        assert_eq!(next_budget(9, 11, 100), (9, 100));
        assert_eq!(next_budget(1, 43, 100), (41, u64::MAX));
        for high in (3..=LONG).step_by(2) {
            for from in (1..high).step_by(2) {
                let (budget, _) = next_budget(from, high, 1);
                assert!(budget >= from && budget <= high - 2 && budget % 2 == 1);
            }
        }
    }
}
