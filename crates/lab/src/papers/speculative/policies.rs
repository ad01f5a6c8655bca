//! What the losing side knows of a position, and the ways to choose by it.

use std::collections::HashMap;
use std::rc::Rc;
use yomikiri_base::StopToken;

use yomikiri_engine::Limits;
use yomikiri_engine::SearchParams;
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::speculative::attacker::{self, Study};
use yomikiri_engine::speculative::defender::{self, LosingMove};
use yomikiri_engine::speculative::formula::{Formula, earliest_best};
use yomikiri_engine::speculative::threat_policy::{self, ThreatPolicy};
use yomikiri_engine::speculative::{LossVerdict, ProofBudget, Speculation, hunt};
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Move, MoveList, Position};

use super::positions::{Effort, ProgramRole};
use crate::searcher::{LabSearcher, SearcherFactory};

/// How the losing side chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LosingPolicy {
    /// By lot among all moves; the number distinguishes the draws.
    Random(u64),
    /// By lot among the checks.
    RandomCheck(u64),
    /// The longest mate.
    Longest,
    /// The chess programs' bonus: how many of the opponent's moves go wrong, and the mate's length.
    Chess,
    /// What the engine plays by itself (the paper's Non).
    Own,
    /// The mate that takes PDS most nodes.
    Spec,
    /// The mate that takes df-pn most nodes.
    SpecDfpn,
    /// Checks by a formula, at level Lv0.
    By(Formula),
    /// With formula C.
    At(ThreatPolicy),
}

impl LosingPolicy {
    /// What tables call it.
    pub fn name(self) -> String {
        match self {
            LosingPolicy::Random(_) => "random".into(),
            LosingPolicy::RandomCheck(_) => "random check".into(),
            LosingPolicy::Longest => "longest mate".into(),
            LosingPolicy::Chess => "chess bonus".into(),
            LosingPolicy::Own => "Non".into(),
            LosingPolicy::Spec => "Spec".into(),
            LosingPolicy::SpecDfpn => "Spec, df-pn".into(),
            LosingPolicy::By(formula) => format!("Spec{formula}"),
            LosingPolicy::At(level) => format!("SpecC, {level}"),
        }
    }

    /// Those that are compared on positions of a kind; the random ones several times.
    pub fn of(kind: ProgramRole, rounds: u64) -> Vec<LosingPolicy> {
        let weights = yomikiri_engine::speculative::formula::WEIGHTS;
        let mut all: Vec<LosingPolicy> = (0..rounds).map(LosingPolicy::Random).collect();
        match kind {
            ProgramRole::Defender => all.extend([
                LosingPolicy::Longest,
                LosingPolicy::Chess,
                LosingPolicy::Own,
                LosingPolicy::Spec,
                LosingPolicy::SpecDfpn,
            ]),
            ProgramRole::Attacker => {
                all.extend((0..rounds).map(LosingPolicy::RandomCheck));
                all.extend([LosingPolicy::Longest, LosingPolicy::Chess, LosingPolicy::Own]);
                all.extend([
                    LosingPolicy::By(Formula::A),
                    LosingPolicy::By(Formula::B(weights)),
                    LosingPolicy::By(Formula::C),
                    LosingPolicy::By(Formula::D),
                    LosingPolicy::At(ThreatPolicy::Lv1),
                    LosingPolicy::At(ThreatPolicy::Lv2),
                ]);
            }
        }
        all
    }
}

/// How the side to move stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Prospect {
    /// It is mated.
    Over,
    /// It has a mate itself.
    Winning,
    /// Every move is proven to get mated.
    Mated(Vec<LosingMove>),
    /// Every move but checks is, and checks do not save the game.
    Checks(Study),
    /// It is proven to lose in some other way: in check, with counter-checks to come.
    Lost,
    /// No loss is proven: the mate was missed.
    Free,
}

/// Finds out how positions stand, each once.
pub struct ProspectCache<'a> {
    kind: ProgramRole,
    effort: &'a Effort,
    own: Limits,
    seed: u64,
    searcher: Box<dyn LabSearcher>,
    known: HashMap<u64, Rc<Prospect>>,
    chosen: HashMap<(u64, String), Move>,
}

/// Megabytes of the table behind the engine's own moves.
const TABLE: usize = 1;
/// Nodes for each question of the chess bonus.
const BONUS_NODES: u64 = 2_000;

impl<'a> ProspectCache<'a> {
    /// One that lets the engine search this many nodes for its own move.
    pub fn new(
        kind: ProgramRole,
        searchers: &SearcherFactory,
        effort: &'a Effort,
        own_nodes: u64,
        seed: u64,
    ) -> ProspectCache<'a> {
        let mut searcher = searchers.make(EvaluationKind::Linear, TABLE);
        searcher.configure(&SearchParams::default(), &QuiescenceModel::default());
        let own = Limits { nodes: Some(own_nodes), ..Limits::default() };
        let (known, chosen) = (HashMap::new(), HashMap::new());
        ProspectCache { kind, effort, own, seed, searcher, known, chosen }
    }

    /// Takes over what a file says of a position.
    pub fn insert(&mut self, position: &Position, state: Prospect) {
        self.known.insert(position.key(), Rc::new(state));
    }

    /// How the side to move stands.
    pub fn prospect(&mut self, position: &Position) -> Rc<Prospect> {
        if let Some(known) = self.known.get(&position.key()) {
            return Rc::clone(known);
        }
        let state = Rc::new(self.compute(position));
        self.known.insert(position.key(), Rc::clone(&state));
        state
    }

    fn compute(&self, position: &Position) -> Prospect {
        if !position.has_legal_move() {
            return Prospect::Over;
        }
        if self.effort.budget(self.effort.each).ask(position, position.side_to_move()).is_mate() {
            return Prospect::Winning;
        }
        if let Some(all) = defender::candidates(position, &mut self.effort.budget(self.effort.all))
        {
            return Prospect::Mated(all);
        }
        let left =
            attacker::only_checks_are_left(position, &mut self.effort.budget(self.effort.all));
        let Some((threat, quiet)) = left else {
            // Of a side that is being mated the question is whether the mate is still there.
            let asked = self.kind == ProgramRole::Attacker && position.in_check();
            let counter = asked && self.is_hunted(position);
            return if counter { Prospect::Lost } else { Prospect::Free };
        };
        if !self.is_hunted(position) {
            return Prospect::Free;
        }
        match attacker::compare(position, &mut self.effort.budget(self.effort.answers)) {
            Some(checks) => Prospect::Checks(Study { threat, quiet, checks }),
            None => Prospect::Lost,
        }
    }

    fn is_hunted(&self, position: &Position) -> bool {
        hunt::is_lost(position, &mut self.effort.budget(self.effort.all).with_most(self.effort.all))
    }

    /// What a policy plays in a lost position.
    pub fn choose(&mut self, position: &Position, policy: LosingPolicy) -> Option<Move> {
        let state = self.prospect(position);
        match (&*state, policy) {
            (Prospect::Over | Prospect::Winning | Prospect::Free, _) => None,
            (Prospect::Lost, _) | (_, LosingPolicy::Own) => self.own_move(position),
            (Prospect::Mated(all), policy) => self.among_mates(position, all, policy),
            (Prospect::Checks(study), policy) => self.without_defence(position, study, policy),
        }
    }

    fn among_mates(
        &mut self,
        position: &Position,
        all: &[LosingMove],
        policy: LosingPolicy,
    ) -> Option<Move> {
        let place = match policy {
            LosingPolicy::Random(round) | LosingPolicy::RandomCheck(round) => {
                Some(self.lot(position, round).usize(..all.len()))
            }
            LosingPolicy::Longest => earliest_best(all.iter().map(|one| one.length.into())),
            LosingPolicy::Chess => {
                return self.once(position, "chess", |_| {
                    let bonus = |one: &LosingMove| chess_bonus(position, one);
                    Some(all[earliest_best(all.iter().map(bonus))?].mv)
                });
            }
            LosingPolicy::SpecDfpn => {
                let nodes = self.effort.all;
                return self.once(position, "df-pn", |_| {
                    let all = defender::candidates(position, &mut budget(nodes, true))?;
                    Some(all[defender::hardest_of(&all)?].mv)
                });
            }
            LosingPolicy::Own | LosingPolicy::Spec | LosingPolicy::By(_) | LosingPolicy::At(_) => {
                defender::hardest_of(all)
            }
        };
        place.map(|place| all[place].mv)
    }

    fn without_defence(
        &mut self,
        position: &Position,
        study: &Study,
        policy: LosingPolicy,
    ) -> Option<Move> {
        let hardest = || defender::hardest_of(&study.quiet).map(|at| study.quiet[at].mv);
        let all_checks = || study.checks.iter().map(|check| check.mv);
        let moves: Vec<Move> = match policy {
            LosingPolicy::RandomCheck(_) if !study.checks.is_empty() => all_checks().collect(),
            _ => study.quiet.iter().map(|one| one.mv).chain(all_checks()).collect(),
        };
        match policy {
            LosingPolicy::Random(round) | LosingPolicy::RandomCheck(round) => {
                let place = self.lot(position, round).usize(..moves.len().max(1));
                moves.get(place).copied()
            }
            LosingPolicy::Longest => {
                let lengths = study.quiet.iter().map(|one| one.length.into());
                match earliest_best(lengths) {
                    Some(place) => Some(study.quiet[place].mv),
                    None => moves.first().copied(),
                }
            }
            LosingPolicy::Chess => {
                let bonus = |check: &attacker::CheckCandidate| {
                    100.0 * Formula::A.value(&check.answers) + f64::from(check.answers.longest_mate)
                };
                let place = earliest_best(study.checks.iter().map(bonus));
                place.map(|place| study.checks[place].mv).or_else(hardest)
            }
            LosingPolicy::By(formula) => {
                attacker::best_of(&study.checks, formula).map(|best| best.mv).or_else(hardest)
            }
            LosingPolicy::At(level) => self.at_level(position, study, level).or_else(hardest),
            LosingPolicy::Own | LosingPolicy::Spec | LosingPolicy::SpecDfpn => hardest(),
        }
    }

    fn at_level(
        &mut self,
        position: &Position,
        study: &Study,
        level: ThreatPolicy,
    ) -> Option<Move> {
        let how = Speculation { threat_policy: level, ..Speculation::default() };
        let nodes = self.effort.answers;
        self.once(position, &level.to_string(), |_| {
            let asked = level == ThreatPolicy::Lv2 && threat_policy::parry(study).is_none();
            let threats = match asked {
                true => threat_policy::threats(position, study, &mut budget(nodes, false)),
                false => Vec::new(),
            };
            threat_policy::pick(study, &threats, &how).map(|choice| choice.mv)
        })
    }

    fn own_move(&mut self, position: &Position) -> Option<Move> {
        self.once(position, "own", |prospects| {
            prospects.searcher.forget();
            prospects.searcher.search(position, &prospects.own, 1).best.first().copied()
        })
    }

    /// Works a choice out on first use only.
    fn once(
        &mut self,
        position: &Position,
        name: &str,
        work: impl FnOnce(&mut Self) -> Option<Move>,
    ) -> Option<Move> {
        let key = (position.key(), name.to_string());
        if let Some(&played) = self.chosen.get(&key) {
            return Some(played);
        }
        let played = work(self)?;
        self.chosen.insert(key, played);
        Some(played)
    }

    fn lot(&self, position: &Position, round: u64) -> fastrand::Rng {
        fastrand::Rng::with_seed(position.key() ^ self.seed.wrapping_mul(0x9e37_79b9) ^ round)
    }
}

/// The share of the opponent's moves that do not mate, in per cent, and the mate's length.
fn chess_bonus(position: &Position, candidate: &LosingMove) -> f64 {
    let mut after = position.clone();
    after.play(candidate.mv);
    let attacker = after.side_to_move();
    let moves = after.legal_moves().len();
    let mut checks = MoveList::new();
    after.generate_checks(NonPromotions::Useful, &mut checks);
    let mates = checks.iter().filter(|&&check| {
        let mut checked = after.clone();
        checked.play(check);
        budget(BONUS_NODES, false).ask(&checked, attacker).verdict == LossVerdict::Mate
    });
    let wrong = moves.saturating_sub(mates.count());
    100.0 * wrong as f64 / moves.max(1) as f64 + f64::from(candidate.length)
}

fn budget(nodes: u64, dfpn: bool) -> ProofBudget {
    ProofBudget::new(nodes, None, StopToken::new(), dfpn)
}
