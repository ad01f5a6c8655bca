//! Figures that must be the same in every build: nodes, values and lines of fixed searches, and the
//! values of many positions. The test of the WebAssembly build compares them with a native one.

use serde::Deserialize;
use serde_json::{Value, json};
use yomikiri_base::Clock;
use yomikiri_engine::settings::declared::SetError;
use yomikiri_engine::{Engine, EngineError, Limits, Settings, bench};
use yomikiri_eval::Evaluation;
use yomikiri_eval::registry::{EvaluationKind, Model, UnknownEvaluation, Visitor};
use yomikiri_shogi::{ParseError, Position};
use yomikiri_tsume::bench as bench_mates;

/// Longest random game.
const LONGEST: usize = 200;

/// What to measure.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Measure {
    /// The bench positions, each from an empty table.
    Bench {
        /// To this depth.
        depth: i32,
        /// With this evaluation.
        evaluation: String,
    },
    /// The nodes of the fixed mate problems and capture problems.
    Signatures,
    /// What mate problems come to: answers, lengths, lines, nodes.
    Mates {
        /// Their positions; those of the signature if absent.
        problems: Option<Vec<String>>,
        /// Bytes of stack that the recursion may use; as the build has it if absent.
        stack: Option<usize>,
    },
    /// The values of positions along random games, followed move by move and made afresh.
    Evaluate {
        /// How many positions.
        positions: usize,
        /// Random seed.
        seed: u64,
        /// By this evaluation.
        evaluation: String,
    },
}

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
enum MeasureError {
    #[error("this is nothing to measure: {0}")]
    Order(#[from] serde_json::Error),
    #[error(transparent)]
    Setting(#[from] SetError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Evaluation(#[from] UnknownEvaluation),
    #[error(transparent)]
    Problem(#[from] ParseError),
}

/// The figures as JSON; an `error` if there are none.
#[must_use]
pub fn answer(ask: &str) -> String {
    figures(ask).unwrap_or_else(|error| json!({ "error": error.to_string() })).to_string()
}

fn figures(ask: &str) -> Result<Value, MeasureError> {
    match serde_json::from_str(ask)? {
        Measure::Bench { depth, evaluation } => searches(depth, &evaluation),
        Measure::Signatures => Ok(json!({
            "tsume": bench_mates::signature(),
            "go": yomikiri_go::capture::signature(),
        })),
        Measure::Mates { problems: None, stack } => mates(&bench_mates::PROBLEMS, stack),
        Measure::Mates { problems: Some(problems), stack } => mates(&problems, stack),
        Measure::Evaluate { positions, seed, evaluation } => {
            let kind: EvaluationKind = evaluation.parse()?;
            Ok(Model::embedded(kind).visit(Follow { positions, seed }))
        }
    }
}

fn searches(depth: i32, evaluation: &str) -> Result<Value, MeasureError> {
    let mut settings = Settings::with_hash(64);
    settings.set("Evaluation", evaluation)?;
    let mut engine = Engine::new(settings)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let searched = bench::positions().map(|(name, position)| {
        engine.new_game();
        let clock = Clock::from_fn(|| std::time::Duration::ZERO);
        let found = engine.run(&position, &limits, &clock, &mut |_| {});
        let line = found.lines.first().map(|line| line.line.clone()).unwrap_or_default();
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        json!({ "name": name, "nodes": found.nodes, "value": found.value, "line": line })
    });
    Ok(Value::Array(searched.collect()))
}

fn mates(problems: &[impl AsRef<str>], stack: Option<usize>) -> Result<Value, MeasureError> {
    let mates = bench_mates::solutions(problems.iter().map(AsRef::as_ref), stack).map(|found| {
        let found = found?;
        let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
        Ok(json!({
            "verdict": format!("{:?}", found.verdict),
            "length": [found.low, found.high],
            "raw_length": found.raw_length,
            "line": line,
            "verified": found.verified,
            "nodes": found.nodes,
        }))
    });
    mates.collect::<Result<_, MeasureError>>().map(Value::Array)
}

/// Follows random games with an evaluation.
struct Follow {
    positions: usize,
    seed: u64,
}

impl Visitor for Follow {
    type Output = Value;

    fn visit<E: Evaluation>(self, mut followed: E) -> Value {
        let mut fresh = followed.clone();
        let mut chance = fastrand::Rng::with_seed(self.seed);
        let mut values = Vec::with_capacity(self.positions);
        while values.len() < self.positions {
            let mut position = Position::start();
            followed.reset(&position);
            for _ in 0..LONGEST {
                let moves = position.legal_moves();
                if moves.is_empty() || values.len() == self.positions {
                    break;
                }
                // The numbers of a `usize` depend on its width.
                let chosen = chance.u32(..moves.len() as u32) as usize;
                let change = position.play(moves[chosen]);
                followed.push(&position, &change);
                let value = followed.evaluate(&position);
                fresh.reset(&position);
                let again = fresh.evaluate(&position);
                if value != again {
                    let sfen = position.to_sfen();
                    return json!({ "error": format!("{value} is not {again} in {sfen}") });
                }
                values.push(value);
            }
        }
        json!(values)
    }
}
