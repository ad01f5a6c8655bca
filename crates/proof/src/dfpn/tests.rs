//! The visit of df-pn on toy games: thresholds, limits, loops, and what becomes a fact.

use std::collections::HashMap;

use super::*;
use crate::conformance::{LastStone, Puzzle, Shape, brute_force};
use crate::limits::ProofLimits;
use crate::path::mix;
use crate::solver::Solver;
use crate::table::ProofTable;

const MEMORY: usize = 1 << 20;

/// Asks a question of a table.
fn run<G: ProofGame>(
    game: &G,
    table: &ProofTable,
    nodes: u64,
) -> (Visit<G::Stock>, u64, Option<Reason>) {
    let clock = LimitClock::start(ProofLimits { memory: MEMORY, ..ProofLimits::nodes(nodes) });
    let mut worker = Worker::new(game.clone(), table.handle(), &clock, Options::default());
    let visit = worker.run(UNBOUNDED, false);
    (visit, worker.nodes, worker.stopped)
}

/// Visits the root once with these thresholds, as a parent would.
fn visit_root<G: ProofGame>(game: &G, threshold: Number) -> (Visit<G::Stock>, u64) {
    let table = ProofTable::new(MEMORY);
    let clock = LimitClock::start(ProofLimits::nodes(1_000_000));
    let mut worker = Worker::new(game.clone(), table.handle(), &clock, Options::default());
    let node = identity(game);
    worker.path.push(node.board, node.stock);
    let visit = worker.visit(node, threshold, UNBOUNDED, true, &mut 0);
    assert_eq!(worker.stopped, None);
    (visit, worker.nodes)
}

fn identity<G: ProofGame>(game: &G) -> NodeIdentity<G::Stock> {
    NodeIdentity { board: game.board_key(), stock: game.stock() }
}

/// Every position that can come about.
fn reachable<G: ProofGame>(game: &G) -> Vec<G> {
    let mut found = HashMap::new();
    let mut waiting = vec![game.clone()];
    while let Some(mut next) = waiting.pop() {
        let key = (next.board_key(), next.stock().to_bits());
        if found.contains_key(&key) {
            continue;
        }
        let mut moves = Vec::new();
        next.moves(&mut moves);
        found.insert(key, next.clone());
        for candidate in moves {
            let mut after = next.clone();
            after.play(candidate.play);
            waiting.push(after);
        }
    }
    found.into_values().collect()
}

/// A graph with the attacker to move at even numbers; the defender loses where it has no move.
#[derive(Clone)]
struct Graph {
    edges: Vec<Vec<usize>>,
    path: Vec<usize>,
}

impl Graph {
    fn new(edges: &[&[usize]], at: usize) -> Self {
        Self { edges: edges.iter().map(|to| to.to_vec()).collect(), path: vec![at] }
    }

    fn at(&self) -> usize {
        self.path[self.path.len() - 1]
    }
}

impl ProofGame for Graph {
    type Move = usize;
    type Stock = ();

    fn role(&self) -> Role {
        if self.at().is_multiple_of(2) { Role::Attacker } else { Role::Defender }
    }
    fn board_key(&self) -> u64 {
        mix(self.at() as u64 + 1)
    }
    fn stock(&self) {}
    fn moves(&mut self, out: &mut Vec<Candidate<usize>>) {
        out.extend(self.edges[self.at()].iter().map(|&to| Candidate::plain(to)));
    }
    fn play(&mut self, to: usize) {
        self.path.push(to);
    }
    fn undo(&mut self, _to: usize) {
        self.path.pop();
    }
}

#[test]
fn a_visit_ends_solved_or_at_its_threshold() {
    let (mut ended, mut solved) = (0, 0);
    for shape in [Shape::Tree, Shape::Dag, Shape::Cyclic] {
        for seed in 0..60 {
            let puzzle = Puzzle::random(shape, 40, seed);
            let truth = brute_force(&puzzle, 100_000).expect("small").is_some();
            for threshold in [(2, 2), (3, 2), (2, 5), (60, 60)].map(|(pn, dn)| Number { pn, dn }) {
                let (visit, _) = visit_root(&puzzle, threshold);
                if visit.number.is_solved() {
                    assert_eq!(visit.number.is_proven(), truth, "{shape:?} seed {seed}");
                    solved += 1;
                } else {
                    let number = visit.number;
                    assert!(number.reaches(threshold), "{shape:?} seed {seed}: {number:?}");
                    ended += 1;
                }
            }
        }
    }
    assert!(ended > 50 && solved > 20, "{ended} ended at a threshold, {solved} solved");
}

#[test]
fn a_visit_whose_threshold_is_already_reached_looks_at_no_child() {
    let heap = LastStone::new(20);
    let (visit, nodes) = visit_root(&heap, Number { pn: 1, dn: 1 });
    assert!(!visit.number.is_solved());
    assert_eq!(nodes, 1);
    let (visit, more) = visit_root(&heap, Number { pn: 2, dn: 3 });
    assert!(!visit.number.is_solved());
    assert!(more > nodes);
    let (visit, all) = visit_root(&heap, Number::UNLIMITED);
    assert!(visit.number.is_proven());
    assert!(all > more);
}

#[test]
fn at_the_node_limit_the_answer_is_unknown_and_never_another_one() {
    let heap = LastStone::new(14);
    let solver = |nodes| Solver::new(Options::default(), ProofLimits::nodes(nodes));
    let needed = solver(100_000).solve(&heap).nodes;
    assert!(needed > 10);
    for nodes in 1..needed {
        let outcome = solver(nodes).solve(&heap);
        assert!(!outcome.number.is_solved(), "{nodes} of {needed}");
        assert_eq!((outcome.nodes, outcome.gave_up), (nodes, Some(Reason::Nodes)));
    }
    let outcome = solver(needed + 1).solve(&heap);
    assert!(outcome.number.is_proven());
    assert_eq!((outcome.nodes, outcome.gave_up), (needed, None));
}

#[test]
fn a_search_that_was_cut_off_goes_on_with_what_it_found() {
    let heap = LastStone::new(20);
    let table = ProofTable::new(MEMORY);
    let (_, alone, _) = run(&heap, &ProofTable::new(MEMORY), 1_000_000);
    let (first, nodes, stopped) = run(&heap, &table, alone / 2);
    assert!(!first.number.is_solved());
    assert_eq!((nodes, stopped), (alone / 2, Some(Reason::Nodes)));
    let (second, rest, _) = run(&heap, &table, 1_000_000);
    assert!(second.number.is_proven() && rest < alone, "{rest} of {alone}");
}

#[test]
fn going_round_for_ever_is_a_failure_of_the_attacker() {
    // 0 and 2 lead the defender on; it has no way out, but no end either.
    let ring = Graph::new(&[&[1], &[2], &[3], &[0]], 0);
    let (visit, nodes, stopped) = run(&ring, &ProofTable::new(MEMORY), 1_000);
    assert!(visit.number.is_disproven());
    assert_eq!(stopped, None);
    assert!(nodes < 100, "{nodes}");
    // With an exit for the attacker at the far end it is a win.
    let exit = Graph::new(&[&[1], &[2], &[3, 5], &[0], &[], &[]], 0);
    assert!(run(&exit, &ProofTable::new(MEMORY), 1_000).0.number.is_proven());
}

#[test]
fn a_disproof_by_repetition_is_no_fact_on_another_path() {
    // On the path 0-1-2-3 the defender goes back to 0. But 0 is won by way of 5, 6, 7, and so is
    // everything that leads to it.
    let edges: &[&[usize]] = &[&[1, 5], &[2], &[3], &[0], &[], &[6], &[7], &[]];
    let table = ProofTable::new(MEMORY);
    let game = Graph::new(edges, 0);
    let (visit, _, _) = run(&game, &table, 1_000);
    assert!(visit.number.is_proven());
    let handle = table.handle();
    let found = |at| handle.look_up(identity(&Graph::new(edges, at)), UNBOUNDED, Number::UNIT);
    assert!((1..4).any(|at| found(at).path_dependent), "the search went round");
    for at in 1..4 {
        assert!(!found(at).number.is_disproven(), "{at}");
        let (visit, _, _) = run(&Graph::new(edges, at), &table, 1_000);
        assert!(visit.number.is_proven(), "{at}");
    }
}

#[test]
fn every_fact_left_in_the_table_is_true() {
    let (mut proven, mut disproven, mut path_dependent) = (0, 0, 0);
    for seed in 0..150 {
        let puzzle = Puzzle::random(Shape::Cyclic, 14, seed);
        let table = ProofTable::new(MEMORY);
        let (visit, _, _) = run(&puzzle, &table, 1_000_000);
        assert!(visit.number.is_solved(), "seed {seed}");
        let handle = table.handle();
        for state in reachable(&puzzle) {
            let found = handle.look_up(identity(&state), UNBOUNDED, Number::UNIT);
            path_dependent += usize::from(found.path_dependent);
            if !found.number.is_solved() {
                continue;
            }
            let truth = brute_force(&state, 100_000).expect("small").is_some();
            assert_eq!(found.number.is_proven(), truth, "seed {seed}");
            *if truth { &mut proven } else { &mut disproven } += 1;
        }
    }
    assert!(
        proven > 100 && disproven > 100 && path_dependent > 20,
        "{proven} {disproven} {path_dependent}"
    );
}
