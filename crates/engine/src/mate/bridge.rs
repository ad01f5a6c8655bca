//! The mate solver beside the search: df-pn at the root, before the search begins.
//!
//! Alpha-beta sees mates as deep as it searches; proof-number search follows forced lines of
//! checks much farther. It gets a small share of the move's nodes or time. A mate counts only
//! after the solver has verified its proof; the engine then reports and plays it.

use crate::search::limits::Limits;
use crate::time::Schedule;
use std::time::Duration;
use yomikiri_base::StopToken;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::{Guide, MateSettings, MateSolver, Solution, Tsume, Verdict};

/// A verified mate by the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The line, by the attacker's best and the defender's longest.
    pub line: Vec<Move>,
}

/// What became of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateAnswer {
    /// There is a mate.
    Mate(Mate),
    /// There is none.
    NoMate,
    /// The limits were not enough to decide.
    Unknown,
}

/// Nodes spent where neither nodes nor time are limited.
const FREE_NODES: u64 = 20_000;

/// Most bytes of the solver's table beside a search.
const MEMORY: usize = 64 << 20;

/// What the solver may spend beside a search: `share` per cent of its nodes or time.
pub fn budget(limits: &Limits, schedule: &Schedule, used: Duration, share: i32) -> ProofLimits {
    let share = share.max(0) as u64;
    let nodes = limits.nodes.map_or(FREE_NODES, |nodes| nodes.saturating_mul(share) / 100);
    let left = schedule.optimum.map(|time| time.saturating_sub(used));
    let time = left.map(|left| left.saturating_mul(share as u32) / 100);
    // With a clock, time decides alone.
    let nodes = if time.is_some() && limits.nodes.is_none() { u64::MAX } else { nodes };
    ProofLimits { nodes, time, memory: MEMORY, ..ProofLimits::default() }
}

/// How long a mate may be checked when there is no clock: until a stop.
const UNHURRIED: Duration = Duration::from_secs(3600);
/// What is left of the move's time is divided by this: the proof is walked, perhaps with one more
/// search at the end, then verified, and time must remain for the search if there is no mate.
const CHECKING_SHARE: u32 = 4;

/// How long a mate found beside a search may be checked when `used` of the time has gone.
pub fn checking_time(schedule: &Schedule, used: Duration) -> Duration {
    schedule.maximum.map_or(UNHURRIED, |most| most.saturating_sub(used) / CHECKING_SHARE)
}

/// Solves whether the side to move mates; with the number of nodes.
pub fn ask(position: &Position, limits: ProofLimits, shortest: bool) -> (MateAnswer, u64) {
    let solution = solve(position, MateSettings { limits, shortest, ..MateSettings::default() });
    let answer = match solution.verdict {
        Verdict::Mate if solution.verified && !solution.line.is_empty() => {
            MateAnswer::Mate(Mate { line: playable(position, solution.line) })
        }
        Verdict::NoMate => MateAnswer::NoMate,
        _ => MateAnswer::Unknown,
    };
    (answer, solution.nodes)
}

/// The same beside a search: any mate will do, it is checked for no longer than `checking`, and the
/// answer is how to play it.
pub fn ask_beside_search(
    position: &Position,
    limits: ProofLimits,
    checking: Duration,
) -> (Option<Guide>, u64) {
    let checking = Some(checking);
    let settings = MateSettings { limits, shortest: false, checking, ..MateSettings::default() };
    let solution = solve(position, settings);
    (solution.proven.map(|proven| proven.guide), solution.nodes)
}

fn solve(position: &Position, settings: MateSettings) -> Solution {
    let game = Tsume::new(position.clone(), position.side_to_move());
    MateSolver::new(settings).solve(&game, &mut |_| {})
}

/// The line as far as it can be played from the position; nothing else is ever shown.
fn playable(position: &Position, mut line: Vec<Move>) -> Vec<Move> {
    let mut position = position.clone();
    let legal = line.iter().take_while(|&&mv| {
        let legal = position.is_legal(mv);
        if legal {
            position.play(mv);
        }
        legal
    });
    let length = legal.count();
    line.truncate(length);
    line
}

/// For `go mate`: as long as the time allows.
pub fn time_limit(time: Option<Duration>, stop: &StopToken) -> ProofLimits {
    ProofLimits { time, stop: stop.flag(), ..ProofLimits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_proof::limits::Stack;

    #[test]
    fn a_mate_in_three_is_found_and_ends_in_mate() {
        let position = Position::from_sfen("8k/9/6+R2/9/9/9/9/9/K8 b S 1").unwrap();
        let (answer, nodes) = ask(&position, ProofLimits::nodes(10_000), true);
        let MateAnswer::Mate(mate) = answer else { panic!("{answer:?}") };
        assert!(nodes > 0 && mate.line.len() == 3);
        let mut end = position.clone();
        for &mv in &mate.line {
            end.play(mv);
        }
        assert!(end.is_mate());
    }

    #[test]
    fn a_line_that_does_not_fit_into_the_stack_leaves_the_answer_open() {
        let position = Position::from_sfen("8k/9/6+R2/9/9/9/9/9/K8 b S 1").unwrap();
        let ask = |stack| ask(&position, ProofLimits { stack, ..ProofLimits::nodes(10_000) }, true);
        assert_eq!(ask(Stack::Callers(8 << 10)).0, MateAnswer::Unknown);
        let own = ask(Stack::Own);
        assert!(matches!(own.0, MateAnswer::Mate(_)));
        assert_eq!(ask(Stack::Callers(512 << 10)), own);
    }

    #[test]
    fn no_mate_is_said_where_there_is_none() {
        let (answer, _) = ask(&Position::start(), ProofLimits::nodes(10_000), false);
        assert_eq!(answer, MateAnswer::NoMate);
    }

    #[test]
    fn a_mate_that_is_not_checked_is_not_said() {
        let position = Position::from_sfen("8k/9/6+R2/9/9/9/9/9/K8 b S 1").unwrap();
        let ask = |checking| ask_beside_search(&position, ProofLimits::nodes(10_000), checking).0;
        assert!(ask(Duration::ZERO).is_none());
        let line = ask(UNHURRIED).expect("there is a mate").line(&position);
        assert_eq!((playable(&position, line.clone()), line.is_empty()), (line, false));
    }

    #[test]
    fn checking_leaves_time_to_search() {
        let most = Duration::from_secs(8);
        let schedule = Schedule { maximum: Some(most), ..Schedule::default() };
        let used = Duration::from_secs(4);
        assert!(checking_time(&schedule, used) < most - used);
        assert!(!checking_time(&schedule, used).is_zero());
        assert!(checking_time(&schedule, 2 * most).is_zero());
        assert_eq!(checking_time(&Schedule::default(), used), UNHURRIED);
    }

    #[test]
    fn the_budget_is_a_share() {
        let limits = Limits { nodes: Some(10_000), ..Limits::default() };
        assert_eq!(budget(&limits, &Schedule::default(), Duration::ZERO, 5).nodes, 500);
        let schedule = Schedule { optimum: Some(Duration::from_secs(2)), ..Schedule::default() };
        let timed = budget(&Limits::default(), &schedule, Duration::ZERO, 5);
        assert_eq!((timed.time, timed.nodes), (Some(Duration::from_millis(100)), u64::MAX));
    }
}
