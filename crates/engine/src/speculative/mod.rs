//! Speculative play: what to play when every move loses.
//!
//! Paper: Kajihara, Hashimoto and Iida 2002. Minimax cannot tell lost moves apart; a person plays
//! the one that is hardest to answer. The [`defender`] plays the move whose mate costs the solver
//! the most; the [`attacker`], whose own king cannot be saved, gives the check after which most
//! answers lose ([`formula`]). Both begin only from what the solver has proven, and from an empty
//! table for each candidate, so that one does not profit from another.
//!
//! Ours beyond the paper: the formulas C (answers weighed by how likely they are played) and D
//! (nodes to disprove), limits on time and nodes, and the use in games. Of the levels, Lv0 is here:
//! a threat against one's own king is met by going for the other king at once.

pub mod attacker;
pub mod defender;
pub mod formula;

use crate::search::limits::Limits;
use crate::time::Schedule;
use crate::value::Value;
use formula::Formula;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use yomikiri_proof::limits::Limits as ProofLimits;
use yomikiri_proof::solver::Driver;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_tsume::{MateSolver, Settings as MateSettings, Tsume, Verdict};

/// Whose part is played speculatively.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Nobody's.
    #[default]
    Off,
    /// The side that is being mated.
    Defender,
    /// The side that has no defence but checks left.
    Attacker,
    /// Either.
    Both,
}

impl Mode {
    /// Every mode, by its name.
    pub const NAMES: &'static [&'static str] = &["off", "defender", "attacker", "both"];

    fn defends(self) -> bool {
        matches!(self, Mode::Defender | Mode::Both)
    }

    fn attacks(self) -> bool {
        matches!(self, Mode::Attacker | Mode::Both)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Mode::NAMES[*self as usize])
    }
}

impl FromStr for Mode {
    type Err = ();

    fn from_str(text: &str) -> Result<Mode, ()> {
        [Mode::Off, Mode::Defender, Mode::Attacker, Mode::Both]
            .into_iter()
            .find(|mode| mode.to_string() == text)
            .ok_or(())
    }
}

/// How to speculate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Speculation {
    /// Whose part.
    pub mode: Mode,
    /// How the attacker weighs answers.
    pub formula: Formula,
    /// Whether mates are searched by df-pn instead of the paper's PDS.
    pub dfpn: bool,
}

/// What was chosen, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// The reason, for people.
    pub reason: String,
}

/// From this value on a search is near certain of a loss, and the solver is asked for a proof.
pub const NEARLY_CERTAIN: Value = 2_500;
/// A tenth of the move's nodes or time.
const SHARE: u32 = 10;
/// Nodes where neither is limited.
const FREE_NODES: u64 = 200_000;
/// Most bytes of a solver's table.
const MEMORY: usize = 64 << 20;

/// What is left of the nodes and the time for speculating.
pub struct Purse {
    nodes: u64,
    until: Option<Instant>,
    stop: Arc<AtomicBool>,
    driver: Driver,
    /// Nodes spent so far.
    pub spent: u64,
}

impl Purse {
    /// So many nodes and so much time from now on.
    pub fn new(nodes: u64, time: Option<Duration>, stop: Arc<AtomicBool>, dfpn: bool) -> Purse {
        let until = time.map(|time| Instant::now() + time);
        let driver = if dfpn { Driver::DfPn } else { Driver::Pds };
        Purse { nodes, until, stop, driver, spent: 0 }
    }

    /// A tenth of what the move may cost.
    pub fn of_move(
        limits: &Limits,
        schedule: &Schedule,
        stop: Arc<AtomicBool>,
        dfpn: bool,
    ) -> Purse {
        let time = schedule.optimum.map(|time| time / SHARE);
        let free = if time.is_some() { u64::MAX } else { FREE_NODES };
        let nodes = limits.nodes.map_or(free, |nodes| nodes / u64::from(SHARE));
        Purse::new(nodes, time, stop, dfpn)
    }

    /// Asks whether `attacker` mates, with an empty table; pays for it.
    fn ask(&mut self, position: &Position, attacker: Color) -> Proof {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        if self.nodes == 0 || left.is_some_and(|left| left.is_zero()) {
            return Proof { verdict: Proven::Unknown, nodes: 0, length: 0 };
        }
        let limits = ProofLimits {
            nodes: self.nodes,
            time: left,
            memory: MEMORY,
            stop: Arc::clone(&self.stop),
        };
        let mut settings = MateSettings { limits, shortest: false, ..MateSettings::default() };
        settings.options.driver = self.driver;
        let game = Tsume::new(position.clone(), attacker);
        let solution = MateSolver::new(settings).solve(&game, &mut |_| {});
        self.nodes = self.nodes.saturating_sub(solution.nodes.max(1));
        self.spent += solution.nodes;
        let verdict = match solution.verdict {
            Verdict::Mate if solution.verified => Proven::Mate,
            Verdict::NoMate => Proven::NoMate,
            _ => Proven::Unknown,
        };
        Proof { verdict, nodes: solution.nodes, length: solution.raw_length }
    }
}

/// A schedule that ends early enough for the tenth that speculating may take.
pub fn leaving_time(schedule: Schedule) -> Schedule {
    let less = |time: Option<Duration>| time.map(|time| time - time / SHARE);
    Schedule { optimum: less(schedule.optimum), maximum: less(schedule.maximum), ..schedule }
}

/// What the solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proven {
    Mate,
    NoMate,
    Unknown,
}

/// An answer of the solver and what it took.
#[derive(Clone, Copy, Debug)]
struct Proof {
    verdict: Proven,
    nodes: u64,
    length: u32,
}

/// The move to play where the solver proves that the position is lost; `None` if it does not, or
/// not within the purse.
pub fn choose(position: &Position, how: &Speculation, purse: &mut Purse) -> Option<Choice> {
    if how.mode.defends() && position.in_check() {
        return defender::hardest(position, purse);
    }
    if how.mode.attacks() && !position.in_check() {
        return attacker::best_check(position, how.formula, purse);
    }
    if how.mode.defends() { defender::hardest(position, purse) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_have_names() {
        for name in Mode::NAMES {
            assert_eq!(name.parse::<Mode>().map(|mode| mode.to_string()), Ok(name.to_string()));
        }
        assert!("never".parse::<Mode>().is_err());
    }

    #[test]
    fn the_purse_is_a_tenth_and_gets_empty() {
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let mut purse = Purse::of_move(&limits, &Schedule::default(), stop, false);
        assert_eq!(purse.nodes, 100);
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1").unwrap();
        assert_eq!(purse.ask(&position, Color::Black).verdict, Proven::Mate);
        assert!(purse.nodes < 100 && purse.spent > 0);
        purse.nodes = 0;
        assert_eq!(purse.ask(&position, Color::Black).verdict, Proven::Unknown);
    }
}
