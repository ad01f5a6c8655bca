//! What is learned, and how often it agrees with games that were not learned from.

use core::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::linear::Weights;
use yomikiri_learn::agreement::{Agreement, Method, agreement};
use yomikiri_learn::config::{Constraint, Variant};
use yomikiri_learn::trainer::Trainer;
use yomikiri_learn::{Config, TrainingGame};

use super::{ProgressSettings, fault};
use crate::page::{Finding, FindingVerdict, Page};
use crate::run::{LabError, Run};
use crate::table::Table;
use yomikiri_arena::stats::bootstrap;

pub(super) const SINGLE: &str = "single";
pub(super) const SPLIT: &str = "split";
pub(super) const MIXED: &str = "mixed";
pub(super) const HOKI: &str = "split, Hoki's constraint";
pub(super) const FREE: &str = "split, no constraint";
pub(super) const WITHOUT_M2: &str = "split, without M2";
pub(super) const WITHOUT_SAFETY: &str = "split, without king safety";
pub(super) const SEARCH: &str = "mixed, with search";

/// Every variant by name.
fn all(settings: &ProgressSettings) -> Vec<(&'static str, Config)> {
    let base = Config {
        k: settings.k,
        batch: settings.batch,
        passes: settings.passes,
        ..Config::default()
    };
    let split = || Config { variant: Variant::Split, ..base.clone() };
    let mixed = || Config { variant: Variant::Mixed, ..base.clone() };
    vec![
        (SINGLE, Config { variant: Variant::Single, ..base.clone() }),
        (SPLIT, split()),
        (MIXED, mixed()),
        (HOKI, Config { constraint: Constraint::Hoki, ..split() }),
        (FREE, Config { constraint: Constraint::None, ..split() }),
        (WITHOUT_M2, Config { m2: false, ..split() }),
        (WITHOUT_SAFETY, Config { safety: false, ..split() }),
        (SEARCH, Config { search: true, ..mixed() }),
    ]
}

/// What a training run gave.
#[derive(Serialize, Deserialize)]
struct VariantOutcome {
    /// The weights file in hexadecimal digits.
    weights: String,
    /// Of the last batch.
    loss: f64,
    siblings: u64,
}

/// A variant after learning.
pub(super) struct Learned {
    pub(super) name: &'static str,
    pub(super) weights: Weights,
    loss: f64,
    siblings: u64,
}

/// Learns every variant. Progress and patterns are those of the weights in this program.
pub(super) fn learn(
    run: &mut Run<'_>,
    settings: &ProgressSettings,
    games: &[&TrainingGame],
) -> Result<Vec<Learned>, LabError> {
    let embedded = Weights::embedded();
    let start = Weights {
        progress: embedded.progress.clone(),
        patterns: std::sync::Arc::clone(&embedded.patterns),
        ..Weights::default()
    };
    let variants = all(settings);
    let train = |(name, config): &(&str, Config)| {
        let mut trainer = Trainer::new(config.clone(), &start, games, 1);
        let (mut loss, mut siblings) = (0.0, 0);
        trainer.run(games, 1, &mut |_, report| {
            loss = report.loss;
            siblings += report.siblings;
            ControlFlow::Continue(())
        });
        let bytes = trainer.weights(format!("lab run progress, {name}")).to_bytes();
        let weights = bytes.unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect();
        VariantOutcome { weights, loss, siblings }
    };
    let outcomes = run.measure("learning", &variants, |(name, _)| (*name).to_string(), train)?;
    let mut learned = Vec::new();
    for ((name, _), outcome) in variants.iter().zip(outcomes) {
        let bytes = bytes_of(&outcome.weights);
        let weights = Weights::from_bytes(&bytes).map_err(|error| fault(name, &error))?;
        run.write(&format!("{}.weights", name.replace([' ', ',', '\''], "-")), &bytes)?;
        let VariantOutcome { loss, siblings, .. } = outcome;
        learned.push(Learned { name, weights, loss, siblings });
    }
    Ok(learned)
}

fn bytes_of(digits: &str) -> Vec<u8> {
    let pair = |at: usize| digits.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    (0..digits.len()).step_by(2).map_while(pair).collect()
}

/// Writes down how far each variant came.
pub(super) fn report_learning(
    run: &Run<'_>,
    page: &mut Page,
    learned: &[Learned],
) -> Result<(), LabError> {
    page.heading("Learning");
    let mut table = Table::new(["variant", "mean T of the last batch", "pairs of moves"]);
    for variant in learned {
        table.row([
            variant.name.to_string(),
            format!("{:.4}", variant.loss),
            variant.siblings.to_string(),
        ]);
    }
    page.table("How the objective stood at the end; 0.5 is chance", &table);
    run.write_table("learning", &table)
}

/// Agreement game by game: points for the first place and positions, in all and by phase.
#[derive(Clone, Serialize, Deserialize)]
struct ByGame {
    top: [f64; 3],
    positions: u64,
    phases: [(f64, u64); 3],
}

impl ByGame {
    fn new(found: &Agreement) -> ByGame {
        ByGame {
            top: found.all.top,
            positions: found.all.positions,
            phases: found.phases.map(|tally| (tally.top[0], tally.positions)),
        }
    }
}

const METHODS: [(Method, &str); 2] =
    [(Method::Exchange, "static with exchange"), (Method::Quiescence, "quiescence")];

/// Measures agreement and judges the paper's finding about it.
pub(super) fn report_agreement(
    run: &mut Run<'_>,
    page: &mut Page,
    learned: &[Learned],
    test: &[&TrainingGame],
) -> Result<(), LabError> {
    page.heading("Agreement with games that were not learned from");
    let mut table = Table::new([
        "variant",
        "valued by",
        "top 1 %",
        "top 3 %",
        "top 5 %",
        "opening %",
        "middle %",
        "endgame %",
        "positions",
    ]);
    let mut first_places = Vec::new();
    for (method, told) in METHODS {
        let games = measure(run, learned, test, method, told)?;
        for (variant, games) in learned.iter().zip(&games) {
            table.row(row(variant.name, told, games));
        }
        first_places.push((told, games));
    }
    page.table("Positions with one legal move are left out; ties count a half; phases by thirds of progress", &table);
    run.write_table("agreement", &table)?;
    let mut differences = Table::new(["compared", "valued by", "difference in points, 95 %"]);
    let place = |name: &str| learned.iter().position(|variant| variant.name == name);
    let mut split_gain = None;
    for (told, games) in &first_places {
        for (better, worse) in [
            (SPLIT, SINGLE),
            (MIXED, SINGLE),
            (MIXED, SPLIT),
            (SEARCH, MIXED),
            (SPLIT, FREE),
            (SPLIT, WITHOUT_M2),
            (SPLIT, WITHOUT_SAFETY),
        ] {
            let (Some(a), Some(b)) = (place(better), place(worse)) else { continue };
            let gain = difference(&games[a], &games[b]);
            if let Some((mean, (low, high))) = gain {
                let words = format!("{mean:+.2} [{low:+.2}, {high:+.2}]");
                differences.row([format!("{better} – {worse}"), (*told).to_string(), words]);
            }
            if (better, worse) == (SPLIT, SINGLE) {
                split_gain = split_gain.or(gain);
            }
        }
    }
    page.table("First places, paired by position; intervals by drawing games anew", &differences);
    run.write_table("agreement-differences", &differences)?;
    page.finding(judge(split_gain));
    Ok(())
}

fn measure(
    run: &mut Run<'_>,
    learned: &[Learned],
    test: &[&TrainingGame],
    method: Method,
    told: &str,
) -> Result<Vec<Vec<ByGame>>, LabError> {
    let ask = |variant: &Learned| -> Vec<ByGame> {
        let one =
            |game: &&TrainingGame| {
                let found = agreement(&[*game], &variant.weights, method, &mut |_, _| {
                    ControlFlow::Continue(())
                });
                ByGame::new(&found)
            };
        test.iter().map(one).collect()
    };
    run.measure(&format!("agreement, {told}"), learned, |variant| variant.name.to_string(), ask)
}

fn row(name: &str, told: &str, games: &[ByGame]) -> Vec<String> {
    let positions: u64 = games.iter().map(|game| game.positions).sum();
    let share = |sum: f64, of: u64| format!("{:.2}", 100.0 * sum / of.max(1) as f64);
    let mut row = vec![name.to_string(), told.to_string()];
    row.extend(
        (0..3).map(|place| share(games.iter().map(|game| game.top[place]).sum(), positions)),
    );
    row.extend((0..3).map(|phase| {
        let of = games.iter().map(|game| game.phases[phase].1).sum();
        share(games.iter().map(|game| game.phases[phase].0).sum(), of)
    }));
    row.push(positions.to_string());
    row
}

/// The difference of first places in points, with its interval.
fn difference(ours: &[ByGame], theirs: &[ByGame]) -> Option<(f64, (f64, f64))> {
    let mean = |places: &[f64]| {
        let at = |&place: &f64| (&ours[place as usize], &theirs[place as usize]);
        let points: f64 = places.iter().map(at).map(|(a, b)| a.top[0] - b.top[0]).sum();
        let positions: u64 = places.iter().map(at).map(|(a, _)| a.positions).sum();
        (positions > 0).then(|| 100.0 * points / positions as f64)
    };
    let places: Vec<f64> = (0..ours.len()).map(|place| place as f64).collect();
    Some((mean(&places)?, bootstrap(&places, 1_000, 1, mean)?))
}

fn judge(gain: Option<(f64, (f64, f64))>) -> Finding {
    let (ours, verdict) = match gain {
        None => ("not measured".to_string(), FindingVerdict::Open),
        Some((mean, (low, high))) => {
            let verdict = match (low > 0.0, high < 0.0) {
                (true, _) => FindingVerdict::Holds,
                (_, true) => FindingVerdict::Fails,
                _ => FindingVerdict::Open,
            };
            (format!("{mean:+.2} points [{low:+.2}, {high:+.2}], static with exchange"), verdict)
        }
    };
    Finding {
        claim: "Agreement with record moves rises with the split by progress".into(),
        published: "rises (no figure given)".into(),
        ours,
        verdict,
        words: "Both variants learned from the same games with the same constants; the interval draws test games anew.".into(),
    }
}
