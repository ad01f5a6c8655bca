//! Speculative play: what to play when every move loses.
//!
//! Paper: Kajihara, Hashimoto and Iida 2002. Minimax cannot tell lost moves apart; a person plays
//! the one that is hardest to answer. The [`defender`] plays the move whose mate costs the solver
//! the most; the [`attacker`], whose own king cannot be saved, gives the check after which most
//! answers lose ([`formula`]). Both begin only from what the solver has proven, and from an empty
//! table for each candidate, so that one does not profit from another.
//!
//! Ours beyond the paper: the formulas C (answers weighed by how likely they are played) and D
//! (nodes to disprove), the levels Lv1 and Lv2 ([`level`]), a proof that checks do not save the
//! game either ([`hunt`]), limits on time and nodes, and the use in games.

pub mod attacker;
pub mod defender;
pub mod formula;
pub mod hunt;
pub mod level;

use crate::search::limits::Limits;
use crate::time::Schedule;
use crate::value::Value;
use formula::{Formula, Share, WEIGHTS};
use level::Level;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use yomikiri_proof::limits::Limits as ProofLimits;
use yomikiri_proof::solver::Driver;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_tsume::{MateSolver, Settings as MateSettings, Solution, Tsume, Verdict};

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Speculation {
    /// Whose part.
    pub mode: Mode,
    /// How the attacker weighs answers.
    pub formula: Formula,
    /// Formula B's weights of escapes, recaptures and blocks.
    pub weights: [u32; 3],
    /// When the attacker leaves the threat against his king.
    pub level: Level,
    /// Whether mates are searched by df-pn instead of the paper's PDS.
    pub dfpn: bool,
}

impl Default for Speculation {
    fn default() -> Speculation {
        Speculation {
            mode: Mode::default(),
            formula: Formula::default(),
            weights: WEIGHTS,
            level: Level::default(),
            dfpn: false,
        }
    }
}

impl Speculation {
    /// The formula with the weights that were set.
    pub fn weighed(&self) -> Formula {
        match self.formula {
            Formula::B(_) => Formula::B(self.weights),
            other => other,
        }
    }
}

/// What was chosen, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// The reason.
    pub reason: Reason,
}

/// Why a move was chosen, all of them being proven to lose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side that is mated whatever it does: the mate after this move is the hardest to find.
    HardestMate {
        /// How many moves there are.
        moves: usize,
        /// Nodes that the solver takes for the mate.
        nodes: u64,
        /// Plies of the mate at most.
        length: u32,
    },
    /// No defence and no mate is left: after this check most answers lose.
    HardestCheck {
        /// How many checks there are.
        checks: usize,
        /// What compared them.
        formula: Formula,
        /// The answers where the king moves away, the piece is taken, and a piece comes between.
        answers: [Share; 3],
    },
    /// The same, and a quiet move promises more than the checks.
    Quiet {
        /// Whether it threatens mate in turn; it makes the mate that is threatened harder otherwise.
        threatens: bool,
        /// Nodes that the solver takes for the mate after it.
        nodes: u64,
        /// Nodes for the mate that is threatened.
        threatened: u64,
    },
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let played = self.played;
        match &self.reason {
            Reason::HardestMate { moves, nodes, length } => write!(
                f,
                "speculative: all {moves} moves are mated; after {played} the mate takes most \
                 nodes to find ({nodes}, at most {length} plies)"
            ),
            Reason::HardestCheck { checks, formula, answers } => {
                write!(
                    f,
                    "speculative: no defence and no mate; of {checks} checks {played} is best by \
                     formula {formula}: answers that lose:"
                )?;
                for (name, share) in ["escapes", "recaptures", "blocks"].iter().zip(answers) {
                    let comma = if *name == "blocks" { "" } else { "," };
                    write!(f, " {name} {}/{}{comma}", share.mated, share.all)?;
                }
                Ok(())
            }
            Reason::Quiet { threatens, nodes, threatened } => {
                let what = if *threatens { "threatens mate in return" } else { "parries" };
                write!(
                    f,
                    "speculative: no defence and no mate; {played} {what}: the mate after it takes \
                     {nodes} nodes, the one that is threatened {threatened}"
                )
            }
        }
    }
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
    /// Most nodes of one question.
    each: u64,
    until: Option<Instant>,
    stop: Arc<AtomicBool>,
    driver: Driver,
    /// Nodes spent so far.
    pub spent: u64,
    /// Bytes of the largest table that a question took.
    pub largest_table: usize,
}

impl Purse {
    /// So many nodes and so much time from now on.
    pub fn new(nodes: u64, time: Option<Duration>, stop: Arc<AtomicBool>, dfpn: bool) -> Purse {
        let until = time.and_then(|time| Instant::now().checked_add(time));
        let driver = if dfpn { Driver::DfPn } else { Driver::Pds };
        Purse { nodes, each: u64::MAX, until, stop, driver, spent: 0, largest_table: 0 }
    }

    /// The same, but no question may cost more than so many nodes.
    #[must_use]
    pub fn with_most(self, each: u64) -> Purse {
        Purse { each, ..self }
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

    /// What a solver may use now; `None` if nothing is left.
    fn limits(&self) -> Option<ProofLimits> {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        let stopped = self.stop.load(Ordering::Relaxed);
        if self.nodes == 0 || stopped || left.is_some_and(|left| left.is_zero()) {
            return None;
        }
        let stop = Arc::clone(&self.stop);
        Some(ProofLimits { nodes: self.nodes.min(self.each), time: left, memory: MEMORY, stop })
    }

    fn pay(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_sub(nodes.max(1));
        self.spent += nodes;
    }

    /// Asks whether `attacker` mates, with an empty table; pays for it.
    pub fn ask(&mut self, position: &Position, attacker: Color) -> Proof {
        let Some(limits) = self.limits() else { return Proof::unknown() };
        let checking = limits.time;
        let mut settings =
            MateSettings { limits, shortest: false, checking, ..MateSettings::default() };
        settings.options.driver = self.driver;
        let game = Tsume::new(position.clone(), attacker);
        let solution = MateSolver::new(settings).solve(&game, &mut |_| {});
        self.pay(solution.nodes);
        self.largest_table = self.largest_table.max(solution.table_bytes);
        let verdict = match solution.verdict {
            Verdict::Mate if solution.verified => Proven::Mate,
            Verdict::NoMate => Proven::NoMate,
            _ => Proven::Unknown,
        };
        let Solution { nodes, raw_length, line, .. } = solution;
        Proof { verdict, nodes, length: raw_length, line }
    }

    /// Asks whether the side to move is mated if it does nothing: a threat of mate (詰めろ).
    pub fn ask_threat(&mut self, position: &Position) -> Proof {
        if position.in_check() {
            return Proof::unknown();
        }
        let mut position = position.clone();
        position.pass();
        let attacker = position.side_to_move();
        self.ask(&position, attacker)
    }
}

/// A schedule that ends early enough for the tenth that speculating may take.
pub fn leaving_time(schedule: Schedule) -> Schedule {
    let less = |time: Option<Duration>| time.map(|time| time - time / SHARE);
    Schedule { optimum: less(schedule.optimum), maximum: less(schedule.maximum), ..schedule }
}

/// What the solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proven {
    /// Mate, its proof checked.
    Mate,
    /// No mate.
    NoMate,
    /// Neither was proven.
    Unknown,
}

/// An answer of the solver and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The answer.
    pub verdict: Proven,
    /// Nodes that it took.
    pub nodes: u64,
    /// Plies at most of a mate.
    pub length: u32,
    /// A line of a mate.
    pub line: Vec<Move>,
}

impl Proof {
    fn unknown() -> Proof {
        Proof { verdict: Proven::Unknown, nodes: 0, length: 0, line: Vec::new() }
    }

    /// Whether it is mate.
    pub fn is_mate(&self) -> bool {
        self.verdict == Proven::Mate
    }
}

/// The move to play where the solver proves that the position is lost; `None` if it does not, or
/// not within the purse.
pub fn choose(position: &Position, how: &Speculation, purse: &mut Purse) -> Option<Choice> {
    let attack = || how.mode.attacks() && !position.in_check();
    let choice = if attack() { level::choose(position, how, purse) } else { None };
    match choice {
        None if how.mode.defends() => defender::hardest(position, purse),
        choice => choice,
    }
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

    /// Both kings in the open with much in hand: nothing is proven in a hurry.
    const OPEN: &str = "9/4k4/9/9/9/9/9/4K4/9 b 2R2B2G2S2N2L9P2g2s2n2l9p 1";

    #[test]
    fn a_raised_flag_ends_it_at_once() {
        let position = Position::from_sfen(OPEN).unwrap();
        let how = Speculation { mode: Mode::Both, ..Speculation::default() };
        let stop = Arc::new(AtomicBool::new(true));
        let mut purse = Purse::new(u64::MAX, None, Arc::clone(&stop), false);
        assert_eq!(choose(&position, &how, &mut purse), None);
        assert_eq!(purse.spent, 0);
        // Raised while a proof without end is under way: this test ends because it does.
        stop.store(false, Ordering::Relaxed);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                stop.store(true, Ordering::Relaxed);
            });
            while choose(&position, &how, &mut purse).is_none() && !stop.load(Ordering::Relaxed) {}
        });
        let spent = purse.spent;
        assert_eq!(choose(&position, &how, &mut purse), None);
        assert_eq!(purse.spent, spent);
    }

    #[test]
    fn tables_stay_within_their_memory() {
        let position = Position::from_sfen(OPEN).unwrap();
        let mut purse = Purse::new(400_000, None, Arc::default(), true);
        purse.ask(&position, Color::Black);
        assert!(
            purse.largest_table > 0 && purse.largest_table <= MEMORY,
            "{}",
            purse.largest_table
        );
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
