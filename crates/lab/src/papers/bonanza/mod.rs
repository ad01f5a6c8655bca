//! The Bonanza method with game progress (Matsui et al. 2008), measured again.
//!
//! The question: is an evaluation with an opening and an endgame coefficient for each feature,
//! blended by the progress of the game, better than one vector? The experiment learns every variant
//! from the same games with the same constants (`variants`), shows what was learned as maps of the
//! board (`maps`, figures 1 to 4), asks how often each prefers the moves of games that it was not
//! trained on, and lets the variants play (`strength`).
//!
//! Ours, where the paper is silent or had no time: the split in real play and from early openings,
//! the blended value trained directly, intervals, and learning with search.

mod maps;
mod strength;
mod variants;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use yomikiri_learn::{Dataset, TrainingGame};

use crate::page::Page;
use crate::run::{Experiment, LabError, Run, fault};

/// The experiment.
pub struct Progress;

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgressSettings {
    /// The games that the project carries; `--games` takes others instead.
    pub games_file: PathBuf,
    /// Most games to learn from.
    pub train_games: usize,
    /// Most games to measure agreement on.
    pub test_games: usize,
    /// Games of a batch.
    pub batch: usize,
    /// Passes over the games.
    pub passes: usize,
    /// The learner's K in centipawns.
    pub k: f64,
    /// Openings of the matches.
    pub openings_file: PathBuf,
    /// Pairs of games of a match.
    pub match_pairs: usize,
    /// Nodes for a move.
    pub match_nodes: u64,
}

impl crate::run::ExperimentSettings for ProgressSettings {
    fn standard(quick: bool) -> ProgressSettings {
        let of = |short: usize, full: usize| if quick { short } else { full };
        ProgressSettings {
            games_file: "data/games_engine.tsv.zst".into(),
            train_games: of(20, 6_000),
            test_games: of(2, 300),
            batch: of(5, 25),
            passes: 1,
            k: 60.0,
            openings_file: "data/openings.sfen".into(),
            match_pairs: of(1, 200),
            match_nodes: of(100, 5_000) as u64,
        }
    }
}

/// The published figures.
#[derive(Debug, Deserialize)]
struct Published {
    source: String,
    figures: Vec<maps::Figure>,
    against_earlier: Record,
    /// Points of win rate in per cent.
    without_m1_points: f64,
    safety_points: f64,
}

#[derive(Debug, Deserialize)]
struct Record {
    won: u32,
    lost: u32,
    games: u32,
}

impl Experiment for Progress {
    fn name(&self) -> &'static str {
        "progress"
    }

    fn title(&self) -> &'static str {
        "The Bonanza method with game progress"
    }

    fn question(&self) -> &'static str {
        "Does an evaluation learned from game records gain from separate coefficients for opening and endgame, blended \
         by the progress of the game? After Matsui, Hashimoto, Hashimoto and Noguchi (2008)."
    }

    fn run(&self, run: &mut Run<'_>) -> Result<Page, LabError> {
        let settings: ProgressSettings = run.settings()?;
        let published: Published = serde_json::from_str(include_str!("published.json"))
            .map_err(|error| fault("published.json", &error))?;
        let path = run.games().unwrap_or_else(|| settings.games_file.clone());
        let bytes = run.read_data(&path)?;
        let mut dataset = Dataset::default();
        let read = dataset.add_bytes(&path, bytes, run.input_limits());
        read.map_err(|error| fault("games", &error))?;
        let (mut train, mut test) = dataset.split();
        sample(&mut train, settings.train_games, run.seed());
        sample(&mut test, settings.test_games, run.seed());
        let openings = strength::openings(run, &settings)?;

        let learned = variants::learn(run, &settings, &train)?;
        let mut page = Page::new();
        page.paragraph(&format!(
            "{} games to learn from, {} others to measure agreement on; {} lines of the file hold no game. One pass \
             means that every game is gone through once; all variants see the same batches in the same order.",
            train.len(),
            test.len(),
            dataset.skipped.len()
        ));
        variants::report_learning(run, &mut page, &learned)?;
        variants::report_agreement(run, &mut page, &learned, &test)?;
        maps::report(run, &mut page, &published, &learned)?;
        strength::report(run, &mut page, &settings, &published, &learned, &openings)?;
        Ok(page)
    }
}

/// So many games, drawn with the seed, in the order of the file.
fn sample(games: &mut Vec<&TrainingGame>, most: usize, seed: u64) {
    if games.len() > most {
        let mut numbered: Vec<(usize, &TrainingGame)> = games.drain(..).enumerate().collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut numbered);
        numbered.truncate(most);
        numbered.sort_by_key(|&(number, _)| number);
        games.extend(numbered.into_iter().map(|(_, game)| game));
    }
}
