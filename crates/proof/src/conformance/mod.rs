//! Tests that any game can run: every solver, with every rule of widening, must agree with brute
//! force.
//!
//! [`check`] takes a game whose reachable states are few enough to be listed. [`Puzzle`] makes
//! random games (trees, graphs that join, graphs with cycles, with a stock to gain and spend) on
//! which the solvers of this crate are tested.

mod puzzle;

use std::collections::HashMap;

pub use puzzle::{Coins, LastStone, Puzzle, Shape};

use crate::estimate::Initial;
use crate::game::{Candidate, ProofGame, Repetition, Role, Stock};
use crate::limits::ProofLimits;
use crate::number::Number;
use crate::solver::{Driver, Options, Solver};
use crate::widening::{Groups, Sum, Ties, Widening, Width};

/// What [`check`] finds wrong.
#[derive(Debug)]
pub enum Disagreement {
    /// The game has more states than may be listed.
    TooLarge(usize),
    /// An answer that brute force does not confirm.
    Answer {
        /// How it was searched.
        options: Options,
        /// The answer by brute force.
        proven: bool,
        /// The answer of the search.
        number: Number,
    },
    /// A solution that is shorter than the shortest one.
    Length {
        /// How it was searched.
        options: Options,
        /// The length that the search gave.
        claimed: u16,
        /// The length by brute force.
        shortest: u16,
    },
}

/// One listed state: who moves, and where the moves lead at which cost.
struct State {
    role: Role,
    settled: Option<Option<u16>>,
    moves: Vec<(usize, u16)>,
}

/// The length of the solution by brute force: `Ok(Some(length))`, `Ok(None)` if there is none, or
/// an error when the game has more than `most` states.
///
/// # Errors
/// Says how many states were listed when the game turned out too large.
pub fn brute_force<G: ProofGame>(game: &G, most: usize) -> Result<Option<u16>, Disagreement> {
    let states = list_states(game, most)?;
    let mut length: Vec<Option<u16>> = vec![None; states.len()];
    loop {
        let mut changed = false;
        for at in 0..states.len() {
            let new = value(&states[at], &length);
            if new != length[at] {
                length[at] = new;
                changed = true;
            }
        }
        if !changed {
            return Ok(length[0]);
        }
    }
}

fn value(state: &State, length: &[Option<u16>]) -> Option<u16> {
    if let Some(settled) = state.settled {
        return settled;
    }
    let reached = state.moves.iter().map(|&(to, plies)| length[to].map(|l| l + plies));
    match state.role {
        Role::Attacker => reached.flatten().min(),
        Role::Defender => {
            reached.collect::<Option<Vec<_>>>().map(|all| all.into_iter().max().unwrap_or(0))
        }
    }
}

fn list_states<G: ProofGame>(game: &G, most: usize) -> Result<Vec<State>, Disagreement> {
    let mut number = HashMap::new();
    let mut games = vec![game.clone()];
    number.insert((game.board_key(), game.stock().to_bits()), 0);
    let mut states = Vec::new();
    while states.len() < games.len() {
        if games.len() > most {
            return Err(Disagreement::TooLarge(most));
        }
        let mut here = games[states.len()].clone();
        let settled = here.settle().map(|s| s.proven.then_some(s.length));
        let mut candidates = Vec::new();
        if settled.is_none() {
            here.moves(&mut candidates);
        }
        let mut moves = Vec::new();
        for candidate in candidates {
            let mut next = here.clone();
            next.play(candidate.play);
            let key = (next.board_key(), next.stock().to_bits());
            let to = *number.entry(key).or_insert(games.len());
            if to == games.len() {
                games.push(next);
            }
            moves.push((to, u16::from(candidate.plies)));
        }
        states.push(State { role: here.role(), settled, moves });
    }
    Ok(states)
}

/// Whether the attacker wins, by following every path to its end: exponential, but right under
/// every repetition rule.
pub fn follow_every_path<G: ProofGame>(game: &G) -> bool {
    fn walk<G: ProofGame>(game: &mut G, path: &mut Vec<(u64, G::Stock)>) -> bool {
        if let Some(settled) = game.settle() {
            return settled.proven;
        }
        let role = game.role();
        let mut moves: Vec<Candidate<G::Move>> = Vec::new();
        game.moves(&mut moves);
        let mut won = false;
        for candidate in moves {
            game.play(candidate.play);
            let (key, stock) = match game.repetition() {
                Repetition::AttackerFails => (game.board_key(), game.stock()),
                Repetition::MoverFails => (game.repetition_key(), game.stock()),
            };
            let proven = if path.iter().any(|&(k, s)| k == key && s.covers(stock)) {
                game.repetition() == Repetition::MoverFails && role == Role::Defender
            } else {
                path.push((key, stock));
                let proven = walk(game, path);
                path.pop();
                proven
            };
            game.undo(candidate.play);
            won = proven == (role == Role::Attacker);
            if won {
                break;
            }
        }
        won == (role == Role::Attacker)
    }
    let mut game = game.clone();
    let root = match game.repetition() {
        Repetition::AttackerFails => game.board_key(),
        Repetition::MoverFails => game.repetition_key(),
    };
    let stock = game.stock();
    walk(&mut game, &mut vec![(root, stock)])
}

/// Every combination of search and widening that [`check`] runs.
#[must_use]
pub fn all_options() -> Vec<Options> {
    let mut rules = vec![Widening::default()];
    for width in [Width::Top(1), Width::Top(2), Width::Top(5), Width::Rate(2), Width::Rate(5)] {
        rules.push(Widening { width, ..Widening::default() });
    }
    for groups in [Groups::Independent, Groups::Greatest, Groups::Delayed] {
        rules.push(Widening { sum: Sum::Weak, groups, ..Widening::default() });
        rules.push(Widening { groups, ..Widening::default() });
    }
    rules.push(Widening {
        width: Width::Top(2),
        sum: Sum::Weak,
        groups: Groups::Delayed,
        ties: Ties::SoonestRefuted,
    });
    rules.push(Widening { ties: Ties::SoonestRefuted, ..Widening::default() });
    let mut all = Vec::new();
    for rule in rules {
        for driver in [Driver::DfPn, Driver::Pds, Driver::PdsByParent] {
            for initial in [Initial::Unit, Initial::Game] {
                all.push(Options { driver, initial, ..Options::default() }.with_widening(rule));
            }
        }
    }
    all
}

/// Runs every solver with every option on `game` and compares the answers, and the shortest length,
/// with brute force.
///
/// # Errors
/// Describes the first disagreement.
pub fn check<G: ProofGame>(game: &G, most_states: usize) -> Result<(), Disagreement> {
    let expected = brute_force(game, most_states)?;
    let limits = ProofLimits { memory: 1 << 20, ..ProofLimits::nodes(2_000_000) };
    for options in all_options() {
        let solver = Solver::new(options, limits.clone());
        let outcome = solver.solve(game);
        agree(outcome.number, expected.is_some(), &options)?;
        if let Some(shortest) = expected {
            if outcome.length < shortest {
                let claimed = outcome.length;
                return Err(Disagreement::Length { options, claimed, shortest });
            }
            agree(solver.solve_within(game, shortest, None).number, true, &options)?;
            if let Some(shorter) = shortest.checked_sub(1) {
                agree(solver.solve_within(game, shorter, None).number, false, &options)?;
            }
        } else {
            agree(solver.solve_within(game, 9, None).number, false, &options)?;
        }
    }
    Ok(())
}

/// Runs the best-first reference with every rule of widening.
///
/// # Errors
/// Describes the first disagreement.
pub fn check_best_first<G: ProofGame>(game: &G, proven: bool) -> Result<(), Disagreement> {
    for options in all_options() {
        if options.driver != Driver::DfPn {
            continue;
        }
        let outcome = crate::pn::search(game, &options, &ProofLimits::nodes(300_000));
        agree(outcome.number, proven, &options)?;
    }
    Ok(())
}

fn agree(number: Number, proven: bool, options: &Options) -> Result<(), Disagreement> {
    if number == (if proven { Number::PROVEN } else { Number::DISPROVEN }) {
        return Ok(());
    }
    Err(Disagreement::Answer { options: *options, proven, number })
}
