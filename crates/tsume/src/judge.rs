//! The composer's verdict on a problem: sound, or its faults, each with a proof where it is a mate.
//!
//! The rules of judgement are in `docs/decisions/0005`. Whatever limits leave undecided is listed
//! as open, and nothing that has something open is called sound.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::{Hand, Move, Position};

use crate::game::node::Tsume;
use crate::solve::{MateSettings, MateSolver, OnMateProgress, Proven, Solution, Verdict};
use crate::verify::Certificate;

mod cooks;
mod defences;
mod facts;
mod inquiry;
mod useless;

pub use facts::{Facts, Form};
use inquiry::Inquiry;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// There is no mate (不詰).
    NoMate,
    /// Another move mates sooner (早詰).
    EarlyMate,
    /// Another move mates on a way of its own (別詰).
    OtherMate,
    /// Another order of moves (手順前後).
    Transposition,
    /// A way round that comes back to the main line (迂回手順).
    Detour,
    /// Another last move (最終手余詰).
    LastMove,
    /// The distance of a check does not matter (非限定).
    FreeDistance,
    /// Promotion does not matter (非限定).
    FreePromotion,
    /// A variation that lasts longer than the main line (変長).
    LongVariation,
    /// A variation as long as the main line (変同).
    EqualVariation,
    /// The attacker has pieces left over (駒余り).
    Leftover,
    /// A piece that is not needed (不要駒).
    UselessPiece,
}

/// A word that names no kind of fault that custom could decide about.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no kind of fault; there are {names}", names = FaultKind::customary().map(FaultKind::id).collect::<Vec<_>>().join(", "))]
pub struct UnknownKind(pub String);

impl std::str::FromStr for FaultKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<FaultKind, UnknownKind> {
        let found = FaultKind::customary().find(|kind| kind.id() == text);
        found.ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 12] = [
        FaultKind::NoMate,
        FaultKind::EarlyMate,
        FaultKind::OtherMate,
        FaultKind::Transposition,
        FaultKind::Detour,
        FaultKind::LastMove,
        FaultKind::FreeDistance,
        FaultKind::FreePromotion,
        FaultKind::LongVariation,
        FaultKind::EqualVariation,
        FaultKind::Leftover,
        FaultKind::UselessPiece,
    ];

    /// Those that custom decides about: all but no mate at all, which comes first.
    pub fn customary() -> impl Iterator<Item = FaultKind> {
        FaultKind::ALL.into_iter().skip(1)
    }

    /// Its name in JSON and options.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            FaultKind::NoMate => "no-mate",
            FaultKind::EarlyMate => "early-mate",
            FaultKind::OtherMate => "other-mate",
            FaultKind::Transposition => "transposition",
            FaultKind::Detour => "detour",
            FaultKind::LastMove => "last-move",
            FaultKind::FreeDistance => "free-distance",
            FaultKind::FreePromotion => "free-promotion",
            FaultKind::LongVariation => "long-variation",
            FaultKind::EqualVariation => "equal-variation",
            FaultKind::Leftover => "leftover",
            FaultKind::UselessPiece => "useless-piece",
        }
    }
}

/// The customs where composers differ: the kinds that are flaws and leave a problem sound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customs {
    /// Kinds that are flaws only.
    pub flaws: BTreeSet<FaultKind>,
}

impl Default for Customs {
    fn default() -> Self {
        let flaws = [
            FaultKind::Detour,
            FaultKind::LastMove,
            FaultKind::FreeDistance,
            FaultKind::FreePromotion,
            FaultKind::EqualVariation,
            FaultKind::UselessPiece,
        ];
        Self { flaws: flaws.into() }
    }
}

/// How to judge.
#[derive(Clone, Debug, Default)]
pub struct JudgeSettings {
    /// The solver; its limits hold for the whole verdict on a problem.
    pub solve: MateSettings,
    /// The customs.
    pub customs: Customs,
    /// Whether to look for pieces that are not needed.
    pub useless: bool,
}

/// The answer in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// No fault, and nothing is open (完全作).
    Sound,
    /// At least one fault.
    Faulty,
    /// No fault so far, but something is open.
    Undecided,
    /// No mate.
    NoMate,
}

impl Ruling {
    /// Its name in JSON and tables.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Ruling::Sound => "sound",
            Ruling::Faulty => "faulty",
            Ruling::Undecided => "undecided",
            Ruling::NoMate => "no-mate",
        }
    }
}

/// A fault or a flaw.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgedFault {
    /// What it is.
    pub kind: FaultKind,
    /// Whether custom makes it a flaw that leaves the problem sound.
    pub minor: bool,
    /// The ply at which it departs from the main line, 1 for the first.
    pub ply: usize,
    /// The move in USI, where there is one.
    #[serde(rename = "move")]
    pub play: Option<String>,
    /// The position in which it is made.
    pub sfen: String,
    /// Plies to mate with this move, by the proof or at least known; the move is counted.
    pub length: Option<u16>,
    /// The proof of the mate behind the move; of the whole problem where there is no move. Of a
    /// variation: that there is no mate behind it within the plies that it has to last.
    pub proof: Option<Certificate>,
}

/// What a limit left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// Whether there is a mate.
    Mate,
    /// Whether the main line is the shortest.
    Length,
    /// Whether another move mates.
    OtherMove,
    /// Another move mates, but its proof was not made or did not stand the check.
    Proof,
    /// Another move mates, but what kind of fault that is, is not known: whether it is sooner, or
    /// depends on the main line, or which of the two begins the main line.
    Kind,
    /// Whether a defence lasts as long or longer, or leaves a piece.
    Variation,
    /// Whether a solution leaves no piece over.
    Leftover,
    /// Whether a piece is needed.
    UselessPiece,
}

/// Something that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// What.
    pub what: Doubt,
    /// The ply, 1 for the first.
    pub ply: usize,
    /// The move in USI, where there is one.
    #[serde(rename = "move")]
    pub play: Option<String>,
    /// The position in which it is made.
    pub sfen: String,
}

/// The verdict on a problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// In one word.
    pub verdict: Ruling,
    /// The main line in USI.
    pub main_line: Vec<String>,
    /// Faults and flaws in the order of the plies.
    pub faults: Vec<JudgedFault>,
    /// What the limits left open.
    pub open: Vec<Open>,
    /// What else there is to say.
    pub facts: Facts,
}

/// A problem with its solution and the verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The solution.
    pub solution: Solution,
    /// The verdict.
    pub judgement: Judgement,
}

/// The part of the limits that solving the problem itself may take: without an exact length there
/// is little to be said about anything else.
const SOLVING_SHARE: (u32, u32) = (3, 4);
/// Most nodes of the proof of another mate.
const LARGEST_PROOF: usize = 2_000_000;

/// Judges a problem. `recorded` is the line to judge against, if it is not the solver's.
pub fn judge(
    game: &Tsume,
    recorded: Option<&[Move]>,
    settings: &JudgeSettings,
    report: &mut OnMateProgress<'_>,
) -> Judged {
    let whole = MateSettings { largest_proof: LARGEST_PROOF, ..settings.solve.clone() };
    let limits = ProofLimits {
        time: whole.limits.time.map(|time| time / SOLVING_SHARE.1 * SOLVING_SHARE.0),
        nodes: match whole.limits.nodes {
            u64::MAX => u64::MAX,
            nodes => nodes / u64::from(SOLVING_SHARE.1) * u64::from(SOLVING_SHARE.0),
        },
        ..whole.limits.clone()
    };
    let watch = limits.time_source.stopwatch();
    let mut solver = MateSolver::new(MateSettings { limits, ..settings.solve.clone() });
    let mut solution = solver.solve(game, report);
    let mut inquiry = Inquiry::new(solver.go_on(&whole, watch, solution.nodes), report);
    let mut work = Work {
        game,
        customs: &settings.customs,
        line: Vec::new(),
        exact: solution.is_exact() && solution.by_the_rule,
        recorded: recorded.is_some(),
        faults: Vec::new(),
        open: Vec::new(),
    };
    match solution.verdict {
        Verdict::NoMate => {
            let refutation = solution.refutation.as_deref().cloned();
            work.fault(0, None, FaultKind::NoMate, None, refutation.map(Certificate::NoMate));
        }
        Verdict::Unknown(_) => work.doubt(0, None, Doubt::Mate),
        Verdict::Mate => work.mate(&mut inquiry, &solution, recorded),
    }
    let usable = work.open.is_empty() && !work.is_faulty();
    if settings.useless && usable && solution.verdict == Verdict::Mate {
        useless::pieces(&mut work, &mut inquiry, settings);
    }
    if !work.recorded && solution.verdict == Verdict::Mate {
        solution.left_in_hand = hand_after(game, &work.line);
        solution.line.clone_from(&work.line);
    }
    (solution.nodes, solution.elapsed) = (inquiry.run.nodes, inquiry.run.watch.elapsed());
    let judgement = work.judgement(solution.verdict);
    Judged { solution, judgement }
}

/// A verdict in the making.
struct Work<'g> {
    game: &'g Tsume,
    customs: &'g Customs,
    /// The main line.
    line: Vec<Move>,
    /// Whether it is known to be the shortest.
    exact: bool,
    /// Whether it is a recorded one.
    recorded: bool,
    faults: Vec<JudgedFault>,
    open: Vec<Open>,
}

impl Work<'_> {
    /// Judges a mate.
    fn mate(
        &mut self,
        inquiry: &mut Inquiry<'_, '_>,
        solution: &Solution,
        recorded: Option<&[Move]>,
    ) {
        self.line = recorded.map_or_else(|| solution.line.clone(), <[Move]>::to_vec);
        if self.has_main_line() {
            self.leftover(inquiry, solution);
            // What is bounded takes few nodes, so it comes first.
            let lasting = defences::look(self, inquiry);
            cooks::look(self, inquiry);
            defences::certify(self, inquiry, &lasting);
        } else {
            self.doubt(0, None, Doubt::Length);
            cooks::look_at_first_move(self, inquiry);
        }
        self.faults.sort_by_key(|fault| (fault.ply, fault.kind));
        self.open.sort_by_key(|open| open.ply);
    }

    /// Whether the line is one to judge by: a recorded one, or one that is known to be the
    /// shortest. Of any other nothing that depends on it is a fault of the problem.
    fn has_main_line(&self) -> bool {
        self.exact || self.recorded
    }

    /// Whether the main line has to leave pieces over; takes another of the same length if it need
    /// not.
    fn leftover(&mut self, inquiry: &mut Inquiry<'_, '_>, solution: &Solution) {
        if hand_after(self.game, &self.line).is_empty() {
            return;
        }
        if self.recorded {
            return self.fault(0, None, FaultKind::Leftover, None, None);
        }
        match inquiry.bare_line(self.game, solution.high) {
            Some(Some(line)) => self.line = line,
            Some(None) => {
                let proof = solution
                    .proven
                    .as_deref()
                    .map(|Proven { proof, .. }| Certificate::Mate(proof.clone()));
                self.fault(0, None, FaultKind::Leftover, Some(solution.high), proof);
            }
            None => self.doubt(0, None, Doubt::Leftover),
        }
    }

    /// The position before a ply of the main line, 1 for the first; 0 is the same.
    fn sfen_before(&self, ply: usize) -> String {
        let mut position = self.game.position().clone();
        for &mv in self.line.iter().take(ply.saturating_sub(1)) {
            position.play(mv);
        }
        position.to_sfen()
    }

    fn fault(
        &mut self,
        ply: usize,
        mv: Option<Move>,
        kind: FaultKind,
        length: Option<u16>,
        proof: Option<Certificate>,
    ) {
        let (sfen, play) = (self.sfen_before(ply), mv.map(|mv| mv.to_string()));
        let minor = self.customs.flaws.contains(&kind);
        self.faults.push(JudgedFault { kind, minor, ply, play, sfen, length, proof });
    }

    fn doubt(&mut self, ply: usize, mv: Option<Move>, what: Doubt) {
        let (sfen, play) = (self.sfen_before(ply), mv.map(|mv| mv.to_string()));
        self.open.push(Open { what, ply, play, sfen });
    }

    fn is_faulty(&self) -> bool {
        self.faults.iter().any(|fault| !fault.minor)
    }

    fn judgement(self, verdict: Verdict) -> Judgement {
        let ruling = match verdict {
            Verdict::NoMate => Ruling::NoMate,
            _ if self.is_faulty() => Ruling::Faulty,
            _ if !self.open.is_empty() => Ruling::Undecided,
            _ => Ruling::Sound,
        };
        let facts = Facts::new(self.game, &self.line);
        let main_line = self.line.iter().map(ToString::to_string).collect();
        Judgement { verdict: ruling, main_line, faults: self.faults, open: self.open, facts }
    }
}

/// The attacker's hand at the end of a line.
fn hand_after(game: &Tsume, line: &[Move]) -> Hand {
    let mut position: Position = game.position().clone();
    for &mv in line {
        position.play(mv);
    }
    position.hand(game.attacker())
}
