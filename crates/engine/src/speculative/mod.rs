//! Speculative play: what to play when every move loses.
//!
//! Paper: Kajihara, Hashimoto and Iida 2002. Minimax cannot distinguish lost moves; a person plays
//! the one that is hardest to answer. The [`defender`] plays the move whose mate costs the solver
//! the most; the [`attacker`], whose own king cannot be saved, gives the check after which most
//! answers lose ([`formula`]). Both begin only from what the solver has proven, and from an empty
//! table for each candidate, so that one does not profit from another.
//!
//! Ours beyond the paper: the formulas C (answers weighed by how likely they are played), D (nodes
//! to disprove), P and E (by the move policy), a defender that hides the mate, the levels Lv1 and
//! Lv2 ([`threat_policy`]), a proof that checks do not save the game either ([`hunt`]), limits on
//! time and nodes, and the use in games.

pub mod attacker;
pub mod defender;
pub mod formula;
pub mod hunt;
pub mod threat_policy;

use crate::search::limits::{Control, Limits};
use crate::time::Schedule;
use crate::value::Value;
use formula::{AnswersToCheck, Formula, Share, WEIGHTS};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use threat_policy::ThreatPolicy;
use yomikiri_base::{Clock, StopToken};
use yomikiri_proof::limits::{ProofLimits, Stack};
use yomikiri_proof::solver::Driver;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_tsume::{MateSettings, MateSolver, Solution, Tsume, Verdict};

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
    pub threat_policy: ThreatPolicy,
    /// Whether mates are searched by df-pn instead of the paper's PDS.
    pub dfpn: bool,
    /// Whether the defender hides the mate where people do not look, instead of choosing the one
    /// that takes most nodes.
    pub hides: bool,
}

impl Default for Speculation {
    fn default() -> Speculation {
        Speculation {
            mode: Mode::default(),
            formula: Formula::default(),
            weights: WEIGHTS,
            threat_policy: ThreatPolicy::default(),
            dfpn: false,
            hides: false,
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
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The reason.
    pub reason: SpeculationReason,
}

/// Why a move was chosen among those that lose.
#[derive(Clone, PartialEq, Debug)]
pub enum SpeculationReason {
    /// All moves are mated; after this one the mate takes most nodes to find.
    HardestMate {
        /// How many moves there are.
        moves: usize,
        /// Nodes to find the mate.
        nodes: u64,
        /// Plies of the mate at most.
        length: u32,
    },
    /// All moves are mated; after this one the attacker's moves are together the least likely.
    HiddenMate {
        /// How many moves there are.
        moves: usize,
        /// How unlikely, in bits.
        bits: f64,
        /// Nodes to find the mate.
        nodes: u64,
        /// Plies of the mate at most.
        length: u32,
    },
    /// No defence and no mate: this check is the hardest to answer.
    HardestCheck {
        /// How many checks there are.
        checks: usize,
        /// By which formula they were compared.
        formula: Formula,
        /// What the answers to it lead to.
        answers: AnswersToCheck,
    },
    /// No defence and no mate: this move makes the mate much harder to find.
    Parry {
        /// Nodes to find the mate after it.
        nodes: u64,
        /// Nodes to find the mate that is threatened.
        threatened: u64,
    },
    /// No defence and no mate: this move threatens mate in return.
    CounterThreat {
        /// Nodes to find the mate after it.
        nodes: u64,
        /// Nodes to find the mate that is threatened.
        threatened: u64,
    },
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv;
        match &self.reason {
            SpeculationReason::HardestMate { moves, nodes, length } => write!(
                f,
                "speculative: all {moves} moves are mated; after {mv} the mate takes most nodes \
                 to find ({nodes}, at most {length} plies)"
            ),
            SpeculationReason::HiddenMate { moves, bits, length, .. } => write!(
                f,
                "speculative: all {moves} moves are mated; after {mv} the mate is the least \
                 likely to be looked for ({bits:.1} bits, at most {length} plies)"
            ),
            SpeculationReason::HardestCheck { checks, formula, answers } => {
                let AnswersToCheck { escapes, recaptures, blocks, .. } = answers;
                let share = |share: &Share| format!("{}/{}", share.mated, share.all);
                write!(
                    f,
                    "speculative: no defence and no mate; of {checks} checks {mv} is best by \
                     formula {formula}: answers that lose: escapes {}, recaptures {}, blocks {}",
                    share(escapes),
                    share(recaptures),
                    share(blocks)
                )
            }
            SpeculationReason::Parry { nodes, threatened } => write!(
                f,
                "speculative: no defence and no mate; {mv} parries: the mate after it takes \
                 {nodes} nodes, the one that is threatened {threatened}"
            ),
            SpeculationReason::CounterThreat { nodes, threatened } => write!(
                f,
                "speculative: no defence and no mate; {mv} threatens mate in return: the mate \
                 after it takes {nodes} nodes, the one that is threatened {threatened}"
            ),
        }
    }
}

/// From this value on a search is near certain of a loss, and the solver looks for a proof.
pub const NEARLY_CERTAIN: Value = 2_500;
/// A tenth of the move's nodes or time.
const SHARE: u32 = 10;
/// Nodes where neither is limited.
const FREE_NODES: u64 = 200_000;
/// Most bytes of a solver's table.
const MEMORY: usize = 64 << 20;

/// What is left of the nodes and the time for speculating.
pub struct ProofBudget {
    nodes: u64,
    /// Most nodes of one question.
    each: u64,
    /// When the time is over, by the clock.
    until: Option<Duration>,
    clock: Clock,
    stop: StopToken,
    driver: Driver,
    stack: Stack,
    /// Nodes spent so far.
    pub spent: u64,
    /// Bytes of the largest table that a question took.
    pub largest_table: usize,
}

impl ProofBudget {
    /// This many nodes and this much time from now on.
    pub fn new(nodes: u64, time: Option<Duration>, stop: StopToken, dfpn: bool) -> ProofBudget {
        ProofBudget::by_clock(nodes, time, &Clock::default(), stop, dfpn)
    }

    fn by_clock(
        nodes: u64,
        time: Option<Duration>,
        clock: &Clock,
        stop: StopToken,
        dfpn: bool,
    ) -> ProofBudget {
        ProofBudget {
            nodes,
            each: u64::MAX,
            until: time.and_then(|time| clock.now().checked_add(time)),
            clock: clock.clone(),
            stop,
            driver: if dfpn { Driver::DfPn } else { Driver::Pds },
            stack: Stack::default(),
            spent: 0,
            largest_table: 0,
        }
    }

    /// The same, but no question may cost more than this many nodes.
    #[must_use]
    pub fn with_most(self, each: u64) -> ProofBudget {
        ProofBudget { each, ..self }
    }

    /// A tenth of what the move may cost.
    pub fn of_move(
        limits: &Limits,
        schedule: &Schedule,
        control: &Control,
        dfpn: bool,
        stack: usize,
    ) -> ProofBudget {
        let time = schedule.optimum.map(|time| time / SHARE);
        let free = if time.is_some() { u64::MAX } else { FREE_NODES };
        let nodes = limits.nodes.map_or(free, |nodes| nodes / u64::from(SHARE));
        let stop = control.stop_token().clone();
        let budget = ProofBudget::by_clock(nodes, time, control.clock(), stop, dfpn);
        ProofBudget { stack: Stack::Callers(stack), ..budget }
    }

    /// What a solver may use now; `None` if nothing is left.
    fn limits(&self) -> Option<ProofLimits> {
        let left = self.until.map(|until| until.saturating_sub(self.clock.now()));
        if self.nodes == 0 || self.stop.is_stopped() || left.is_some_and(|left| left.is_zero()) {
            return None;
        }
        Some(ProofLimits {
            nodes: self.nodes.min(self.each),
            time: left,
            memory: MEMORY,
            stop: self.stop.flag(),
            time_source: self.clock.clone(),
            stack: self.stack,
        })
    }

    fn charge(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_sub(nodes.max(1));
        self.spent += nodes;
    }

    /// Solves whether `attacker` mates, with an empty table; charges the budget.
    pub fn ask(&mut self, position: &Position, attacker: Color) -> LossProof {
        let Some(limits) = self.limits() else { return LossProof::unknown() };
        let checking = limits.time;
        let mut settings =
            MateSettings { limits, shortest: false, checking, ..MateSettings::default() };
        settings.options.driver = self.driver;
        let game = Tsume::new(position.clone(), attacker);
        let solution = MateSolver::new(settings).solve(&game, &mut |_| {});
        self.charge(solution.nodes);
        self.largest_table = self.largest_table.max(solution.table_bytes);
        let verdict = match solution.verdict {
            Verdict::Mate if solution.verified => LossVerdict::Mate,
            Verdict::NoMate => LossVerdict::NoMate,
            _ => LossVerdict::Unknown,
        };
        let Solution { nodes, raw_length, line, .. } = solution;
        LossProof { verdict, nodes, length: raw_length, line }
    }

    /// Solves whether the side to move is mated if it does nothing: a threat of mate (詰めろ).
    pub fn ask_threat(&mut self, position: &Position) -> LossProof {
        if position.in_check() {
            return LossProof::unknown();
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
pub enum LossVerdict {
    /// Mate, its proof checked.
    Mate,
    /// No mate.
    NoMate,
    /// Neither was proven.
    Unknown,
}

/// An answer of the solver and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LossProof {
    /// The answer.
    pub verdict: LossVerdict,
    /// Nodes that it took.
    pub nodes: u64,
    /// Plies at most of a mate.
    pub length: u32,
    /// A line of a mate.
    pub line: Vec<Move>,
}

impl LossProof {
    fn unknown() -> LossProof {
        LossProof { verdict: LossVerdict::Unknown, nodes: 0, length: 0, line: Vec::new() }
    }

    /// Whether it is mate.
    pub fn is_mate(&self) -> bool {
        self.verdict == LossVerdict::Mate
    }
}

/// The move to play where the solver proves that the position is lost; `None` if it does not, or
/// not within the budget.
pub fn choose(position: &Position, how: &Speculation, budget: &mut ProofBudget) -> Option<Choice> {
    let attack = || how.mode.attacks() && !position.in_check();
    let choice = if attack() { threat_policy::choose(position, how, budget) } else { None };
    match choice {
        None if how.mode.defends() && how.hides => defender::best_hidden(position, budget),
        None if how.mode.defends() => defender::hardest(position, budget),
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
        let stop = StopToken::new();
        stop.stop();
        let mut budget = ProofBudget::new(u64::MAX, None, stop, false);
        assert_eq!(choose(&position, &how, &mut budget), None);
        assert_eq!(budget.spent, 0);
        // Raised while a proof without end is under way: this test ends because it does.
        let stop = StopToken::new();
        let mut budget = ProofBudget::new(u64::MAX, None, stop.clone(), false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                stop.stop();
            });
            while choose(&position, &how, &mut budget).is_none() && !stop.is_stopped() {}
        });
        let spent = budget.spent;
        assert_eq!(choose(&position, &how, &mut budget), None);
        assert_eq!(budget.spent, spent);
    }

    #[test]
    fn tables_stay_within_their_memory() {
        let position = Position::from_sfen(OPEN).unwrap();
        let mut budget = ProofBudget::new(400_000, None, StopToken::new(), true);
        budget.ask(&position, Color::Black);
        assert!(
            budget.largest_table > 0 && budget.largest_table <= MEMORY,
            "{}",
            budget.largest_table
        );
    }

    #[test]
    fn the_purse_is_a_tenth_and_gets_empty() {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let mut budget = ProofBudget::of_move(
            &limits,
            &Schedule::default(),
            &Control::default(),
            false,
            1 << 20,
        );
        assert_eq!(budget.nodes, 100);
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1").unwrap();
        assert_eq!(budget.ask(&position, Color::Black).verdict, LossVerdict::Mate);
        assert!(budget.nodes < 100 && budget.spent > 0);
        budget.nodes = 0;
        assert_eq!(budget.ask(&position, Color::Black).verdict, LossVerdict::Unknown);
    }
}
