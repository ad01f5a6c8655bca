//! What is measured: learning, agreement with games that were not learned from, and games.

use core::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use yomikiri_arena::openings as opening_files;
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::eval::linear::LinearWeights;
use yomikiri_engine::eval::stage::ProgressModel;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_learn::agreement::{Agreement, Method, agreement};
use yomikiri_learn::trainer::LinearTrainer;
use yomikiri_learn::{Dataset, TrainingGame};
use yomikiri_usi::Setup;

use super::arms::{self, Arm, KING_DANGER, MATCHES, MATERIAL, MIDDLE_MATCHES};
use super::{
    ArmAgreement, ArmMatch, BonanzaResults, BonanzaSettings, ByGame, Column, LearnedArm, Published,
};
use crate::run::{LabError, Run, fault};
use crate::searcher::{SearcherFactory, is_decided};
use crate::selfplay::{GamePair, SelfPlayer, play_pair_of};

/// How the value of a move is computed, with the name in tables.
pub(super) const METHODS: [(Method, &str); 2] =
    [(Method::Exchange, "static with exchange"), (Method::Quiescence, "quiescence")];
/// A middle-game start is not further from even than this, in centipawns of the hand-made
/// evaluation.
const EVEN: i32 = 300;

/// Measures everything.
pub(super) fn all(run: &mut Run<'_>) -> Result<BonanzaResults, LabError> {
    let settings: BonanzaSettings = run.settings()?;
    let published: Published = serde_json::from_str(include_str!("published.json"))
        .map_err(|error| fault("published.json", &error))?;
    let openings = openings(run, &settings)?;
    let mut files: Vec<PathBuf> = run.games().into_iter().collect();
    files.push(settings.games_file.clone());
    let mut sets = Vec::new();
    for file in &files {
        let bytes = run.read_data(file)?;
        let mut dataset = Dataset::default();
        let read = dataset.add_bytes(file, bytes, run.input_limits());
        read.map_err(|error| fault("games", &error))?;
        sets.push((name_of(file), dataset));
    }
    let mut columns = Vec::new();
    for (number, (source, dataset)) in sets.iter().enumerate() {
        let mut arms = arms::all(&settings);
        arms.retain(|arm| number == 0 || arm.papers);
        let training =
            FileTraining { settings: &settings, published: &published, source, arms: &arms };
        columns.push(training.column(run, dataset, &openings)?);
    }
    Ok(BonanzaResults { columns })
}

fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    name.split('.').next().unwrap_or_default().to_string()
}

/// The openings of the matches.
fn openings(run: &mut Run<'_>, settings: &BonanzaSettings) -> Result<Vec<Setup>, LabError> {
    let bytes = run.read_data(&settings.openings_file)?;
    let text = String::from_utf8(bytes).map_err(|error| fault("openings", &error))?;
    let mut all = opening_files::read(&text).map_err(|error| fault("openings", &error))?;
    fastrand::Rng::with_seed(run.seed()).shuffle(&mut all);
    Ok(all)
}

/// What learning gave, as it is logged.
#[derive(Serialize, Deserialize)]
struct TrainingOutcome {
    /// The weights file in hexadecimal digits.
    weights: String,
    loss: f64,
    siblings: u64,
}

/// An arm with one seed, and its weights.
struct TrainedArm<'a> {
    arm: &'a str,
    seed: u64,
    weights: LinearWeights,
}

/// Learning from one file of games.
struct FileTraining<'a> {
    settings: &'a BonanzaSettings,
    published: &'a Published,
    source: &'a str,
    arms: &'a [Arm],
}

impl FileTraining<'_> {
    fn column(
        &self,
        run: &mut Run<'_>,
        dataset: &Dataset,
        openings: &[Setup],
    ) -> Result<Column, LabError> {
        let settings = self.settings;
        let (mut train, mut test) = dataset.split();
        let middle = middle_starts(&test, settings, run.seed());
        sample(&mut train, settings.train_games, run.seed());
        sample(&mut test, settings.test_games, run.seed());
        let (learned, trained_arms) = self.learn(run, &train)?;
        let agreement = self.agreement(run, &trained_arms, &test)?;
        let mut matches = Vec::new();
        let plan = MATCHES.into_iter().map(|players| (players, false, settings.match_pairs));
        let middle_plan =
            MIDDLE_MATCHES.into_iter().map(|players| (players, true, settings.middle_pairs));
        for ((first, second), from_middle, pairs) in plan.chain(middle_plan) {
            let starts = if from_middle { &middle } else { openings };
            if let Some(pairs) =
                self.play(run, &trained_arms, (first, second), from_middle, starts, pairs)?
            {
                let (first, second) = (first.to_string(), second.to_string());
                matches.push(ArmMatch { first, second, middle: from_middle, pairs });
            }
        }
        Ok(Column {
            source: self.source.to_string(),
            train: train.len(),
            test: test.len(),
            skipped: dataset.skipped.len(),
            learned,
            agreement,
            matches,
        })
    }

    /// Learns every arm with every seed. Patterns are those of the weights in this program.
    fn learn(
        &self,
        run: &mut Run<'_>,
        games: &[&TrainingGame],
    ) -> Result<(Vec<LearnedArm>, Vec<TrainedArm<'_>>), LabError> {
        let embedded = LinearWeights::embedded();
        let trainings: Vec<(&Arm, u64)> = self
            .arms
            .iter()
            .flat_map(|arm| {
                let seeds = self.settings.seeds.iter();
                seeds.take(if arm.once { 1 } else { usize::MAX }).map(move |&seed| (arm, seed))
            })
            .collect();
        let source = self.source;
        let train = |&(arm, seed): &(&Arm, u64)| {
            let start = start_of(&embedded, arm);
            let config = yomikiri_learn::Config { seed, ..arm.config.clone() };
            let mut trainer = LinearTrainer::new(config, &start, games, 1);
            let (mut loss, mut siblings) = (0.0, 0);
            trainer.run(games, 1, &mut |_, report| {
                loss = report.loss;
                siblings += report.siblings;
                ControlFlow::Continue(())
            });
            let lineage = format!("lab run bonanza, {source}, {}, seed {seed}", arm.name);
            let bytes = trainer.weights(lineage).to_bytes().unwrap_or_default();
            let weights = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            TrainingOutcome { weights, loss, siblings }
        };
        let key = |(arm, seed): &(&Arm, u64)| format!("{}/{seed}", arm.name);
        let stage = format!("learning, {source}");
        let outcomes = run.measure(&stage, &trainings, key, train)?;
        let (mut learned, mut trained_arms) = (Vec::new(), Vec::new());
        for (&(arm, seed), TrainingOutcome { weights, loss, siblings }) in
            trainings.iter().zip(outcomes)
        {
            let bytes = bytes_of(&weights);
            let weights =
                LinearWeights::from_bytes(&bytes).map_err(|error| fault(&arm.name, &error))?;
            let file = format!("{source}-{}-{seed}.weights", arm.name);
            run.write(&file.replace([' ', ',', '\'', '='], "-"), &bytes)?;
            let figures = self.published.figures.iter();
            let maps = figures.map(|figure| [0, 1].map(|half| figure.ours(&weights, half)));
            learned.push(LearnedArm {
                arm: arm.name.clone(),
                seed,
                loss,
                siblings,
                maps: if arm.name == arms::SPLIT { maps.collect() } else { Vec::new() },
            });
            trained_arms.push(TrainedArm { arm: &arm.name, seed, weights });
        }
        Ok((learned, trained_arms))
    }

    /// Agreement with the moves of games, summed over the seeds of an arm.
    fn agreement(
        &self,
        run: &mut Run<'_>,
        trained_arms: &[TrainedArm<'_>],
        test: &[&TrainingGame],
    ) -> Result<Vec<ArmAgreement>, LabError> {
        let mut all: Vec<ArmAgreement> = Vec::new();
        for (method, name) in METHODS {
            let agree = |trained: &TrainedArm<'_>| -> Vec<ByGame> {
                let one = |game: &&TrainingGame| {
                    let go_on = &mut |_, _: &Agreement| ControlFlow::Continue(());
                    ByGame::new(&agreement(&[*game], &trained.weights, method, go_on))
                };
                test.iter().map(one).collect()
            };
            let key = |trained: &TrainedArm<'_>| format!("{}/{}", trained.arm, trained.seed);
            let stage = format!("agreement, {}, {name}", self.source);
            let found = run.measure(&stage, trained_arms, key, agree)?;
            for (trained, games) in trained_arms.iter().zip(found) {
                let same = |a: &&mut ArmAgreement| a.arm == trained.arm && a.method == name;
                match all.iter_mut().find(same) {
                    Some(sum) => sum.games.iter_mut().zip(&games).for_each(|(a, b)| a.add(b)),
                    None => {
                        let (arm, method) = (trained.arm.to_string(), name.to_string());
                        all.push(ArmAgreement { arm, method, games });
                    }
                }
            }
        }
        Ok(all)
    }

    /// One match, pair by pair, the seeds of the arms in turn; nothing if an arm was not learned.
    fn play(
        &self,
        run: &mut Run<'_>,
        trained_arms: &[TrainedArm<'_>],
        (first, second): (&str, &str),
        middle: bool,
        starts: &[Setup],
        pairs: usize,
    ) -> Result<Option<Vec<GamePair>>, LabError> {
        let sides = [first, second].map(|name| self.side(trained_arms, name));
        let [Some(ours), Some(theirs)] = sides else { return Ok(None) };
        if starts.is_empty() {
            return Ok(None);
        }
        let place = if middle { ", middle game" } else { "" };
        let stage = format!("{}, {first} against {second}{place}", self.source);
        let numbers: Vec<usize> = (0..pairs).collect();
        let play = |&number: &usize| {
            let turn = number % ours.len().max(theirs.len());
            let [(a, thinks_a), (b, thinks_b)] =
                [&ours[turn % ours.len()], &theirs[turn % theirs.len()]];
            play_pair_of([thinks_a, thinks_b], [a, b], &starts[number % starts.len()])
        };
        run.measure(&stage, &numbers, usize::to_string, play).map(Some)
    }

    /// A player for each seed of an arm, or one that was not learned.
    fn side(
        &self,
        trained_arms: &[TrainedArm<'_>],
        name: &str,
    ) -> Option<Vec<(SelfPlayer, SearcherFactory)>> {
        let evaluator = match name {
            MATERIAL => EvaluationKind::Material,
            KING_DANGER => EvaluationKind::KingDanger,
            _ => EvaluationKind::Linear,
        };
        let player = || SelfPlayer {
            name: name.to_string(),
            evaluator,
            params: SearchParams::default(),
            model: QuiescenceModel::default(),
            limits: Limits { nodes: Some(self.settings.match_nodes), ..Limits::default() },
        };
        if evaluator != EvaluationKind::Linear {
            return Some(vec![(player(), SearcherFactory::default())]);
        }
        let mine = trained_arms.iter().filter(|trained| trained.arm == name);
        let all: Vec<(SelfPlayer, SearcherFactory)> = mine
            .map(|trained| (player(), SearcherFactory::with_linear(&trained.weights)))
            .collect();
        (!all.is_empty()).then_some(all)
    }
}

/// What an arm begins with.
fn start_of(embedded: &LinearWeights, arm: &Arm) -> LinearWeights {
    let progress = match arm.hand_made {
        true => ProgressModel::HandMade,
        false => embedded.progress.clone(),
    };
    LinearWeights { progress, patterns: Arc::clone(&embedded.patterns), ..LinearWeights::default() }
}

fn bytes_of(digits: &str) -> Vec<u8> {
    let pair = |at: usize| digits.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    (0..digits.len()).step_by(2).map_while(pair).collect()
}

impl ByGame {
    fn new(found: &Agreement) -> ByGame {
        ByGame {
            top: found.all.top,
            positions: found.all.positions,
            phases: found.phases.map(|tally| (tally.top[0], tally.positions)),
        }
    }

    fn add(&mut self, other: &ByGame) {
        (0..3).for_each(|place| self.top[place] += other.top[place]);
        self.positions += other.positions;
        for (sum, phase) in self.phases.iter_mut().zip(&other.phases) {
            *sum = (sum.0 + phase.0, sum.1 + phase.1);
        }
    }
}

/// Positions of games that are not learned from, as starts: one a game, about even by the hand-made
/// evaluation after its quiescence, the side to move not in check.
fn middle_starts(test: &[&TrainingGame], settings: &BonanzaSettings, seed: u64) -> Vec<Setup> {
    let searchers = SearcherFactory::default();
    let mut searcher = searchers.make(EvaluationKind::KingDanger, 1);
    searcher.configure(&SearchParams::default(), &QuiescenceModel::default());
    let mut games: Vec<&&TrainingGame> = test.iter().collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut games);
    let plies = settings.middle_move.saturating_sub(1) as usize;
    let mut starts = Vec::new();
    for game in games {
        if starts.len() >= settings.middle_pairs {
            break;
        }
        let Some(moves) = game.moves.get(..plies) else { continue };
        let mut position = game.start.clone();
        moves.iter().for_each(|&mv| {
            position.play(mv);
        });
        let window = (-yomikiri_engine::value::INFINITE, yomikiri_engine::value::INFINITE);
        let value = searcher.quiesce(&position, window, 8).value;
        if position.in_check() || is_decided(value) || value.abs() > EVEN {
            continue;
        }
        if let Ok(setup) = position.to_sfen().parse() {
            starts.push(setup);
        }
    }
    starts
}

/// This many games, drawn with the seed, in the order of the file.
fn sample(games: &mut Vec<&TrainingGame>, most: usize, seed: u64) {
    if games.len() > most {
        let mut numbered: Vec<(usize, &TrainingGame)> = games.drain(..).enumerate().collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut numbered);
        numbered.truncate(most);
        numbered.sort_by_key(|&(number, _)| number);
        games.extend(numbered.into_iter().map(|(_, game)| game));
    }
}
