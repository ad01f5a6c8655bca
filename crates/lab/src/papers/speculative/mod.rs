//! Speculative play in lost endgames (Kajihara, Hashimoto, Iida 2002).
//!
//! **Question.** Where every move loses, does the move that is hardest to answer make limited
//! opponents miss more mates than other ways to choose, and which measure of hardness is best?
//!
//! **Data.** Lost positions of engine games with their proofs, found by `speculative-positions`:
//! the paper's figures survive without the pieces in hand.
//!
//! **Opponents.** The paper's three players are gone. In their place: the solver with few nodes,
//! and a reader of likely moves first. Three of the readers stand for the players: on positions
//! that are not measured afterwards, the node limit is sought at which a reader finds as many of
//! the mates against the engine's own choices as the player found against Non.
//!
//! **Measure.** A position is played on until the losing side is mated, or no loss can be proven
//! any more, or it can mate. Survived is what is not mated. Every policy meets the same positions
//! and opponents, so differences are taken position by position; how long the losing side lasts is
//! compared where both policies were mated in the end.

mod compare;
pub mod human;
pub mod keyboard;
pub mod mining;
mod opponents;
mod playout;
mod policies;
pub mod positions;
mod report;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use yomikiri_shogi::Position;

use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::searcher::SearcherFactory;
use crate::stored::{Results, Stored};
use opponents::{MateReader, ModelOpponent, Sight};
use playout::{KnownAnswers, PlayoutOutcome, play_out};
use policies::{LosingPolicy, Prospect, ProspectCache};
use positions::{Effort, Lost, ProgramRole};

/// The experiment.
pub struct Speculative;

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeculativeSettings {
    /// The file of lost positions.
    pub positions: PathBuf,
    /// Positions of a side that is being mated with which the grades are set.
    pub calibration: usize,
    /// Positions of a side that is being mated that are measured.
    pub defenders: usize,
    /// Positions of a side without defence that are measured; those in which it is not proven that
    /// checks do not save the game are passed over.
    pub attackers: usize,
    /// Node limits of the solvers.
    pub solver_nodes: Vec<u64>,
    /// Node limits of the readers from which the grades are taken.
    pub ladder: Vec<u64>,
    /// Nodes of the engine for its own choice.
    pub own_nodes: u64,
    /// How often chance is tried.
    pub rounds: u64,
    /// Plies after which a position counts as survived.
    pub most_plies: u32,
    /// How hard positions are looked into.
    pub effort: Effort,
}

impl crate::run::ExperimentSettings for SpeculativeSettings {
    fn standard(quick: bool) -> SpeculativeSettings {
        let effort = match quick {
            true => Effort { each: 2_000, all: 10_000, answers: 20_000 },
            false => Effort { each: 20_000, all: 150_000, answers: 300_000 },
        };
        SpeculativeSettings {
            positions: PathBuf::from("data/speculative.jsonl.zst"),
            calibration: if quick { 3 } else { 60 },
            defenders: if quick { 5 } else { 200 },
            attackers: if quick { 2 } else { 200 },
            solver_nodes: if quick { vec![20] } else { vec![10, 30, 100, 300] },
            ladder: match quick {
                true => vec![10, 100, 1_000],
                false => vec![10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000],
            },
            own_nodes: if quick { 200 } else { 5_000 },
            rounds: if quick { 1 } else { 3 },
            most_plies: 60,
            effort,
        }
    }
}

/// What is claimed before the run.
const CLAIMS: &str = include_str!("claims.toml");

/// A reader that stands for a player of the paper.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Grade {
    name: String,
    nodes: u64,
    /// The share of mates that it found while the grades were set, and the player's.
    found: f64,
    published: f64,
}

/// What was seen at one position.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Played {
    /// The first move of each policy.
    choices: Vec<String>,
    /// By opponent, then by policy.
    outcomes: Vec<Vec<PlayoutOutcome>>,
}

/// Everything that was measured of one kind of position.
#[derive(Serialize, Deserialize)]
struct Measured {
    kind: ProgramRole,
    positions: Vec<Lost>,
    /// The names of the policies, one for each try of a random one.
    policies: Vec<String>,
    opponents: Vec<(String, ModelOpponent)>,
    played: Vec<Played>,
}

/// How many nodes a reader needs for the mate after each move of a position; none if too many.
type Readings = Vec<Option<u64>>;

/// Everything that was measured.
#[derive(Serialize, Deserialize)]
struct SpeculativeResults {
    grades: Vec<Grade>,
    defenders: Measured,
    attackers: Measured,
    readings: Vec<Readings>,
    people: Vec<human::Trial>,
}

impl Experiment for Speculative {
    fn name(&self) -> &'static str {
        "speculative"
    }

    fn title(&self) -> &'static str {
        "Speculative play in lost endgames"
    }

    fn question(&self) -> &'static str {
        "When every move loses, minimax cannot tell them apart. Does the move that is hardest to answer make opponents of \
         limited strength miss the mate, and which measure of hardness does it best? After Kajihara, Hashimoto and Iida \
         (2002)."
    }

    fn paper(&self) -> Option<u8> {
        Some(3)
    }

    fn japanese(&self) -> [&'static str; 2] {
        [
            "負けの終盤の勝負手",
            "どの手も負けるとき、最も応じにくい手を選べば、相手は詰みを逃すか。（Kajihara, Hashimoto, Iida 2002）",
        ]
    }

    fn claims(&self) -> Option<&'static str> {
        Some(CLAIMS)
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        let settings: SpeculativeSettings = run.settings()?;
        let all = load(run, &settings)?;
        let searchers = SearcherFactory::default();
        let of_kind = |kind: ProgramRole| all.iter().filter(move |lost| lost.kind == kind).cloned();
        let mated: Vec<Lost> = of_kind(ProgramRole::Defender)
            .take(settings.calibration + settings.defenders)
            .collect();
        let (first, measured) = mated.split_at(settings.calibration.min(mated.len()));
        let grades = set_grades(run, &settings, first, &searchers)?;
        let opponents = opponents(&settings, &grades);
        let defenders = measure(
            run,
            &settings,
            ProgramRole::Defender,
            measured.to_vec(),
            &opponents,
            &searchers,
        )?;
        let dearest = settings.ladder.iter().copied().max().unwrap_or(0);
        let read = |lost: &Lost| readings(lost, dearest);
        let readings: Vec<Readings> =
            run.measure("readings", &defenders.positions, |lost| lost.id.clone(), read)?;
        let hunted = of_kind(ProgramRole::Attacker).filter(|lost| lost.hunted == Some(true));
        let bound: Vec<Lost> = hunted.take(settings.attackers).collect();
        let attackers =
            measure(run, &settings, ProgramRole::Attacker, bound, &opponents, &searchers)?;
        let people = human::results(run.directory(), run.is_quick())?;
        Results::new(&SpeculativeResults { grades, defenders, attackers, readings, people })
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        report::page(self, stored)
    }
}

/// Reads the positions.
fn load(run: &mut Run<'_>, settings: &SpeculativeSettings) -> Result<Vec<Lost>, LabError> {
    let fault =
        |fault: String| LabError::Data { name: settings.positions.display().to_string(), fault };
    let bytes = run.read_packed(&settings.positions)?;
    let text = String::from_utf8(bytes).map_err(|error| fault(error.to_string()))?;
    positions::read(&text).map_err(|error| fault(error.to_string()))
}

/// Seeks the readers that find as many mates as the players did.
fn set_grades(
    run: &mut Run<'_>,
    settings: &SpeculativeSettings,
    positions: &[Lost],
    searchers: &SearcherFactory,
) -> Result<Vec<Grade>, LabError> {
    let seed = run.seed();
    let work = |lost: &Lost| -> Vec<bool> {
        let Some((start, mut prospects)) = at_desk(lost, settings, searchers, seed) else {
            return vec![false; settings.ladder.len()];
        };
        let mut answers = KnownAnswers::default();
        let mut mates = |&nodes: &u64| {
            let reader = ModelOpponent { sight: Sight::Likely, nodes };
            let most = settings.most_plies;
            !play_out(&start, LosingPolicy::Own, reader, &mut prospects, &mut answers, most)
                .survived()
        };
        settings.ladder.iter().map(&mut mates).collect()
    };
    let found = run.measure("grades", positions, |lost| lost.id.clone(), work)?;
    let rate = |step: usize| {
        found.iter().filter(|mates| mates[step]).count() as f64 / found.len().max(1) as f64
    };
    let published = report::published();
    let grade = |player: &report::PlayerRow| {
        let wanted = f64::from(player.non) / f64::from(published.positions);
        let distance = |step: &usize| (rate(*step) - wanted).abs();
        let steps = 0..settings.ladder.len();
        let best = steps.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let step = best.unwrap_or_default();
        let nodes = settings.ladder.get(step).copied().unwrap_or(1);
        Grade { name: player.grade.clone(), nodes, found: rate(step), published: wanted }
    };
    Ok(published.players.iter().map(grade).collect())
}

/// Solvers first, then the grades, the weakest last.
fn opponents(settings: &SpeculativeSettings, grades: &[Grade]) -> Vec<(String, ModelOpponent)> {
    let solver = |&nodes: &u64| {
        (format!("solver, {nodes} nodes"), ModelOpponent { sight: Sight::Solver, nodes })
    };
    let reader = |grade: &Grade| {
        let name = format!("{} (reader, {} nodes)", grade.name, grade.nodes);
        (name, ModelOpponent { sight: Sight::Likely, nodes: grade.nodes })
    };
    settings.solver_nodes.iter().map(solver).chain(grades.iter().map(reader)).collect()
}

/// The position, and one who knows it.
fn at_desk<'a>(
    lost: &Lost,
    settings: &'a SpeculativeSettings,
    searchers: &SearcherFactory,
    seed: u64,
) -> Option<(Position, ProspectCache<'a>)> {
    let position = Position::from_sfen(&lost.sfen).ok()?;
    let mut prospects =
        ProspectCache::new(lost.kind, searchers, &settings.effort, settings.own_nodes, seed);
    let state = match lost.kind {
        ProgramRole::Defender => Prospect::Mated(
            lost.mated.iter().map(positions::Mated::candidate).collect::<Option<_>>()?,
        ),
        ProgramRole::Attacker => Prospect::Checks(lost.study()?),
    };
    prospects.insert(&position, state);
    Some((position, prospects))
}

/// Plays every position with every policy against every opponent.
fn measure(
    run: &mut Run<'_>,
    settings: &SpeculativeSettings,
    kind: ProgramRole,
    positions: Vec<Lost>,
    opponents: &[(String, ModelOpponent)],
    searchers: &SearcherFactory,
) -> Result<Measured, LabError> {
    let policies = LosingPolicy::of(kind, settings.rounds);
    let seed = run.seed();
    let work = |lost: &Lost| -> Played {
        let Some((start, mut prospects)) = at_desk(lost, settings, searchers, seed) else {
            return Played { choices: Vec::new(), outcomes: Vec::new() };
        };
        let mut answers = KnownAnswers::default();
        let choices = policies.iter().map(|&policy| {
            prospects.choose(&start, policy).map_or(String::new(), |m| m.to_string())
        });
        let choices = choices.collect();
        let mut outcomes = Vec::new();
        for &(_, opponent) in opponents {
            let mut play = |&policy: &LosingPolicy| {
                let most = settings.most_plies;
                play_out(&start, policy, opponent, &mut prospects, &mut answers, most)
            };
            outcomes.push(policies.iter().map(&mut play).collect());
        }
        Played { choices, outcomes }
    };
    let stage = format!("{kind:?}").to_lowercase();
    let played = run.measure(&stage, &positions, |lost| lost.id.clone(), work)?;
    let policies = policies.into_iter().map(LosingPolicy::name).collect();
    Ok(Measured { kind, positions, policies, opponents: opponents.to_vec(), played })
}

/// Nodes that a reader needs for the mate after each move.
fn readings(lost: &Lost, most: u64) -> Readings {
    let Ok(position) = Position::from_sfen(&lost.sfen) else { return Vec::new() };
    let need = |mated: &positions::Mated| {
        let mut after = position.clone();
        after.play(mated.played.parse().ok()?);
        let mut reader = MateReader::new(&after, most);
        reader.mate().map(|_| reader.nodes())
    };
    lost.mated.iter().map(need).collect()
}
