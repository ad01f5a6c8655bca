//! The strict length of a mate read off its proof.
//!
//! The proof that the search gives may leave interpositions uncounted. Here it is walked with the
//! moves that it has: an interposition may stay uncounted only where some other defence lasts as
//! long, which is one question to the search, mostly answered by the table; or else it counts, and
//! two plies are added. What a proof takes with all of its interpositions counted is known from one
//! pass, so only the positions near the longest lines are walked. Where the proof takes longer than
//! it has to, the short ends of lines are judged by all moves. This serves mates of every length;
//! where it fails another proof might still do.

use std::collections::HashMap;

use yomikiri_proof::game::{ProofGame, Role};
use yomikiri_proof::proof_tree::ProofTree;
use yomikiri_proof::solver::Query;

use super::{Judge, LONG, decide};
use crate::game::dominance::Held;
use crate::game::node::{Ply, Sort, Tsume};
use crate::solve::run::Run;

type Tree = ProofTree<Ply, Held>;

/// Nodes for one question, and for all of them.
const NODES_A_QUESTION: u64 = 10_000;
const NODES_IN_ALL: u64 = 1_000_000;
/// Most questions.
const QUESTIONS: u32 = 20_000;

struct Reading<'r> {
    run: &'r Run<'r>,
    checking: &'r Query,
    tree: &'r Tree,
    /// Plies of every node at most with all interpositions counted.
    everything: Vec<u32>,
    game: Tsume,
    known: HashMap<(usize, u16), bool>,
    nodes: u64,
    questions: u32,
    /// For the short ends of lines on which the proof itself takes too long.
    judge: Judge<'r>,
}

/// Whether the proof mates within `plies` by the strict rule; no means that it was not seen.
pub(super) fn is_within<'r>(
    run: &'r Run<'r>,
    checking: &'r Query,
    game: &Tsume,
    tree: &'r Tree,
    plies: u16,
) -> bool {
    let everything = counting_everything(tree);
    let mut reading = Reading {
        run,
        checking,
        tree,
        everything,
        game: game.clone(),
        known: HashMap::new(),
        nodes: NODES_IN_ALL,
        questions: QUESTIONS,
        judge: Judge::new(run, checking, game),
    };
    reading.node(tree.root(), plies)
}

/// Plies of every node at most, interpositions counted. Who takes one and does not give it back
/// mates no later than who does.
fn counting_everything(tree: &Tree) -> Vec<u32> {
    let mut plies = vec![0_u32; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate() {
        plies[at] = node.moves.iter().map(|&(_, to)| plies[to as usize] + 1).max().unwrap_or(0);
    }
    plies
}

impl Reading<'_> {
    fn node(&mut self, at: usize, plies: u16) -> bool {
        if self.everything[at] <= u32::from(plies) {
            return true;
        }
        if let Some(&known) = self.known.get(&(at, plies)) {
            return known;
        }
        let answer = match self.tree.nodes[at].role {
            Role::Attacker => {
                let (ply, to) = self.tree.nodes[at].moves[0];
                plies.checked_sub(1).is_some_and(|left| self.behind(ply, to, left))
            }
            // A mate within fewer plies is one within these: what lasts all of them may be an
            // interposition alone.
            Role::Defender => {
                let least = self.tree.nodes[at].length;
                (least..=plies).step_by(2).any(|plies| self.defences(at, plies))
                    || plies <= LONG && self.judged(plies)
            }
        };
        self.known.insert((at, plies), answer);
        answer
    }

    /// The same by all moves and not only those of the proof, which takes longer than it has to in
    /// side lines.
    fn judged(&mut self, plies: u16) -> bool {
        self.judge.game = self.game.by_convention().counting_everything();
        matches!(self.judge.mate_within(plies), Ok(Some(true)))
    }

    fn behind(&mut self, ply: Ply, to: u32, plies: u16) -> bool {
        self.game.play(ply);
        let answer = self.node(to as usize, plies);
        self.game.undo(ply);
        answer
    }

    fn defences(&mut self, at: usize, plies: u16) -> bool {
        let tree = self.tree;
        let moves = &tree.nodes[at].moves;
        for &(ply, to) in moves.iter().filter(|(ply, _)| ply.sort != Sort::Interposition) {
            if !plies.checked_sub(1).is_some_and(|left| self.behind(ply, to, left)) {
                return false;
            }
        }
        let mut lasts = None;
        for &(ply, to) in moves.iter().filter(|(ply, _)| ply.sort == Sort::Interposition) {
            let counted = self.everything[to as usize] + 1;
            if counted <= u32::from(plies) {
                continue;
            }
            let (answer, behind) = tree.nodes[to as usize].moves[0];
            self.game.play(ply);
            let in_time = match answer.sort {
                Sort::NotCounted => self.behind(answer, behind, plies),
                _ => plies.checked_sub(2).is_some_and(|left| self.behind(answer, behind, left)),
            };
            self.game.undo(ply);
            let useless = answer.sort == Sort::NotCounted;
            if !in_time || useless && !*lasts.get_or_insert_with(|| self.lasts(at, plies)) {
                return false;
            }
        }
        true
    }

    /// Whether a defence that surely counts lasts all of `plies`.
    fn lasts(&mut self, at: usize, plies: u16) -> bool {
        if plies == 0 {
            return true;
        }
        let tree = self.tree;
        let plain = tree.nodes[at].moves.iter().filter(|(ply, _)| ply.sort == Sort::Plain);
        for &(ply, _) in plain {
            // Behind a defence the attacker needs a move at least.
            let Some(less) = plies.checked_sub(3) else { return true };
            let Some(questions) = self.questions.checked_sub(1) else { return false };
            self.questions = questions;
            self.game.play(ply);
            let most = self.nodes.min(NODES_A_QUESTION);
            let (answer, used) = decide(self.run, self.checking, &self.game, less, most);
            self.game.undo(ply);
            self.nodes = self.nodes.saturating_sub(used);
            if answer == Some(false) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge;
    use super::*;
    use crate::solve::prove::checking;
    use crate::solve::{MateSettings, MateSolver, Solution, attacker_of};
    use yomikiri_proof::limits::ProofLimits;
    use yomikiri_shogi::Position;

    /// A problem with a solver that has solved it and still knows it.
    struct Solved {
        solver: MateSolver,
        game: Tsume,
        solution: Solution,
    }

    impl Solved {
        fn new(sfen: &str, nodes: u64) -> Solved {
            let limits = ProofLimits { memory: 64 << 20, ..ProofLimits::nodes(nodes) };
            let position = Position::from_problem_sfen(sfen).unwrap();
            let attacker = attacker_of(&position);
            let game = Tsume::new(position, attacker);
            let mut solver = MateSolver::new(MateSettings { limits, ..MateSettings::default() });
            let solution = solver.solve(&game, &mut |_| {});
            Solved { solver, game, solution }
        }

        fn query(&self, run: &Run<'_>) -> Query {
            checking(run.settings, self.solution.high)
        }

        /// Whether the proof is read as a mate within `plies`.
        fn is_within(&self, plies: u16) -> bool {
            let run = self.solver.run();
            let tree = &self.solution.proven.as_ref().expect("a mate").tree;
            is_within(&run, &self.query(&run), &self.game, tree, plies)
        }

        /// The length by all moves.
        fn by_all_moves(&self) -> Option<u16> {
            let run = self.solver.run();
            let raw = u16::try_from(self.solution.raw_length).ok()?;
            let bounds = (self.solution.low, raw);
            judge(&run, &self.query(&run), &self.game, bounds).map(|(length, _)| length)
        }
    }

    #[test]
    fn a_long_mate_is_read_off_its_proof() {
        // Zuko 67: 47 plies by convention, more with every interposition counted.
        let sfen = "9/2s6/+B8/B1g6/3g5/2ls5/2g+R5/R8/1kS6 b GPs4n3l17p 1";
        let solved = Solved::new(sfen, 1_500_000);
        let solution = &solved.solution;
        assert!(solution.is_exact() && solution.high == 47, "{}", solution.high);
        assert!(solution.raw_length > 47 && solution.by_the_rule, "{}", solution.raw_length);
        assert!(solved.is_within(47));
        assert!(!solved.is_within(45));
    }

    #[test]
    fn no_proof_is_read_as_shorter_than_all_moves_have_it() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/tsume/mined.tsv");
        let rows = std::fs::read_to_string(path).unwrap();
        let rows = rows.lines().map(|row| row.split('\t').collect::<Vec<_>>());
        let (mut read, mut compared) = (0, 0);
        for row in rows.filter(|row| row.get(1) == Some(&"mate")) {
            let solved = Solved::new(row[0], 100_000);
            if solved.solution.raw_length == u32::from(solved.solution.low) {
                continue;
            }
            let Some(length) = solved.by_all_moves() else { continue };
            for shorter in (1..length).step_by(2) {
                assert!(!solved.is_within(shorter), "{} within {shorter}", row[0]);
            }
            read += usize::from(solved.is_within(length));
            compared += 1;
        }
        assert!(compared > 20 && read * 10 > compared * 9, "{read} of {compared}");
    }
}
