//! How the levels of play err, beside people: how often a level plays what a person played, and
//! what both lose by a judge's reckoning.

use crate::dataset::{Dataset, TrainingGame};
use crate::eval_run::describe;
use crate::learner::LearnError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use yomikiri_base::files::write_derived;
use yomikiri_base::packed::UnpackLimits;
use yomikiri_base::stages::{PerThread, StageUnits, UnitKeys, Unwatched, all_units, unit_value};
use yomikiri_base::{Clock, Identity, Stages};
use yomikiri_engine::strength::Level;
use yomikiri_engine::value::{MATE_BOUND, Value};
use yomikiri_engine::{Engine, EngineError, Limits, Settings, signatures};
use yomikiri_shogi::{Move, Position};

/// What to measure with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LevelOptions {
    /// The levels.
    pub levels: Vec<u8>,
    /// The judge's nodes for a position, and for a move.
    pub judge_nodes: u64,
    /// Every N plies of a game a position is looked at.
    pub every: usize,
}

impl Default for LevelOptions {
    fn default() -> LevelOptions {
        LevelOptions { levels: (1..=14).collect(), judge_nodes: 3_000, every: 23 }
    }
}

/// What became of a move by the judge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Error {
    /// It loses less than [`CLEAR`].
    None,
    /// A mate was there and was missed, or is there now for the other side.
    Mate,
    /// The piece that moved is lost in the exchange.
    Exchange,
    /// Something could have been taken.
    Capture,
    /// Anything else.
    Other,
}

/// Least loss of an error.
pub const CLEAR: Value = 300;
/// What a mate counts in the mean.
const MOST: Value = 2_000;

/// The moves of one player over all positions.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LevelTally {
    /// Positions.
    pub positions: u64,
    /// Positions in which the move was the person's.
    pub agreed: u64,
    /// Sum of what was lost, each at most 2,000.
    pub lost: i64,
    /// Errors of 300 or more: mates missed or allowed, pieces lost in exchanges, captures
    /// overlooked, others.
    pub errors: [u64; 4],
}

impl LevelTally {
    fn note(&mut self, agreed: bool, lost: Value, error: Error) {
        self.positions += 1;
        self.agreed += u64::from(agreed);
        self.lost += i64::from(lost.min(MOST));
        if let Some(kind) = [Error::Mate, Error::Exchange, Error::Capture, Error::Other]
            .into_iter()
            .position(|kind| kind == error)
        {
            self.errors[kind] += 1;
        }
    }

    fn add(&mut self, other: &LevelTally) {
        self.positions += other.positions;
        self.agreed += other.agreed;
        self.lost += other.lost;
        for (sum, count) in self.errors.iter_mut().zip(other.errors) {
            *sum += count;
        }
    }

    /// Per cent of the positions.
    pub fn per_cent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.positions.max(1) as f64
    }

    /// The mean loss of a move.
    pub fn mean_loss(&self) -> f64 {
        self.lost as f64 / self.positions.max(1) as f64
    }
}

/// People and each level on the same positions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LevelReport {
    /// The moves that were played.
    pub people: LevelTally,
    /// Each level.
    pub levels: Vec<(u8, LevelTally)>,
}

impl LevelReport {
    /// Nothing yet, of these levels.
    fn of(levels: &[u8]) -> LevelReport {
        let levels = levels.iter().map(|&number| (number, LevelTally::default())).collect();
        LevelReport { people: LevelTally::default(), levels }
    }

    /// Adds the figures of other positions and the same levels.
    fn add(&mut self, other: &LevelReport) {
        self.people.add(&other.people);
        for ((_, sum), (_, tally)) in self.levels.iter_mut().zip(&other.levels) {
            sum.add(tally);
        }
    }

    /// A table: people, and a line for each level.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{:<8} {:>6} {:>7} {:>6} {:>6} {:>8} {:>8} {:>6}\n",
            "", "agrees", "lost cp", "errors", "mates", "exchange", "captures", "others"
        );
        text += &row("people", &self.people);
        for (number, tally) in &self.levels {
            text += &row(&format!("level {number}"), tally);
        }
        let positions = self.people.positions;
        text + &format!("{positions} positions; errors lose {CLEAR} or more, in per cent\n")
    }
}

fn row(name: &str, tally: &LevelTally) -> String {
    let [mates, exchanges, captures, others] = tally.errors.map(|count| tally.per_cent(count));
    format!(
        "{name:<8} {:>6.1} {:>7.0} {:>6.1} {mates:>6.1} {exchanges:>8.1} {captures:>8.1} \
         {others:>6.1}\n",
        tally.per_cent(tally.agreed),
        tally.mean_loss(),
        tally.per_cent(tally.errors.iter().sum())
    )
}

/// The file of the table in the folder of a run.
pub const TABLE_FILE: &str = "levels.txt";

/// Raised when the same settings would give other figures.
const REVISION: u32 = 1;

/// The stage of the games.
const STAGE: &str = "games";

/// A run that measures levels beside people.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LevelsPlan {
    /// Files of games; without any, those in the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<PathBuf>,
    /// Use at most this many games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// What to measure with.
    pub options: LevelOptions,
}

impl LevelsPlan {
    /// Measures in a folder, or goes on with it; `stages` sees to the games, a unit each. Returns
    /// the figures, and a remark about the games if there is one.
    ///
    /// # Errors
    /// See [`LearnError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        input: UnpackLimits,
    ) -> Result<(LevelReport, Option<String>), LearnError> {
        let dataset = Dataset::read_or_carried(&self.games, input)?;
        let games = dataset.to_compare(self.limit, false)?;
        let settings = serde_json::json!({ "options": self.options });
        let mut identity = Identity::new("learn-levels", REVISION, settings);
        identity.data.insert("games".into(), describe(&dataset, &games));
        identity.parts.insert("search".into(), signatures::of("search"));
        stages.begin(&out.join("log.jsonl"), &identity)?;
        let meters = PerThread::default();
        let measure = |at: usize| -> Result<LevelReport, EngineError> {
            meters.with(|| Meter::new(&self.options), |meter| meter.game(games[at]))
        };
        let units = StageUnits {
            name: STAGE,
            keys: UnitKeys::List((0..games.len()).map(|number| number.to_string()).collect()),
            group: 1,
            work: &|at| unit_value(&measure(at)?),
            watch: &Unwatched,
        };
        let mut sum = LevelReport::of(&self.options.levels);
        for unit in all_units::<LevelReport>(STAGE, stages.stage(&units)?)? {
            sum.add(&unit.value);
        }
        if stages.writes() {
            let path = out.join(TABLE_FILE);
            write_derived(&path, sum.to_text().as_bytes())
                .map_err(|error| LearnError::File { path, error })?;
        }
        Ok((sum, dataset.skipped_note()))
    }
}

/// The judge and the player of a thread.
struct Meter<'a> {
    options: &'a LevelOptions,
    settings: Settings,
    judge: Judge,
    player: Engine,
}

impl<'a> Meter<'a> {
    fn new(options: &'a LevelOptions) -> Result<Meter<'a>, EngineError> {
        let settings = Settings::with_hash(4);
        let judge = Judge { engine: Engine::new(settings.clone())?, nodes: options.judge_nodes };
        Ok(Meter { options, player: Engine::new(settings.clone())?, settings, judge })
    }

    /// Measures people and levels on the positions of a game.
    fn game(&mut self, game: &TrainingGame) -> Result<LevelReport, EngineError> {
        let mut found = LevelReport::of(&self.options.levels);
        let mut position = game.start.clone();
        let every = self.options.every.max(1);
        // Another first ply in each game, so that openings do not all fall out.
        let first = (game.hash % every as u64) as usize;
        for (ply, &played) in game.moves.iter().enumerate() {
            if ply % every == first && position.legal_moves().len() > 1 {
                self.position(&position, played, &mut found)?;
            }
            position.play(played);
        }
        Ok(found)
    }

    fn position(
        &mut self,
        position: &Position,
        played: Move,
        found: &mut LevelReport,
    ) -> Result<(), EngineError> {
        let Meter { settings, judge, player, .. } = self;
        let mut known = Vec::new();
        let (best, value) = judge.position(position);
        let mut weigh = |mv: Move| judge.error(position, mv, best, value, &mut known);
        let (lost, error) = weigh(played);
        found.people.note(true, lost, error);
        for (number, tally) in &mut found.levels {
            settings.game.level = Level { number: *number, seed: 0 };
            player.configure(settings.clone())?;
            if let Some(mv) = think(player, position, &Limits::default()).0 {
                let (lost, error) = weigh(mv);
                tally.note(mv == played, lost, error);
            }
        }
        Ok(())
    }
}

/// Searches from a fresh table, so that the answer does not depend on what was asked before.
fn think(engine: &mut Engine, position: &Position, limits: &Limits) -> (Option<Move>, Value) {
    engine.new_game();
    let outcome = engine.run(position, limits, &Clock::default(), &mut |_| {});
    (outcome.best, outcome.value)
}

/// Who says what a move loses.
struct Judge {
    engine: Engine,
    nodes: u64,
}

impl Judge {
    fn position(&mut self, position: &Position) -> (Option<Move>, Value) {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        think(&mut self.engine, position, &limits)
    }

    /// What a move loses, and by what kind of error. `known` keeps the answers of the position.
    fn error(
        &mut self,
        position: &Position,
        mv: Move,
        best: Option<Move>,
        value: Value,
        known: &mut Vec<(Move, Value)>,
    ) -> (Value, Error) {
        let after = match known.iter().find(|one| one.0 == mv) {
            Some(&(_, after)) => after,
            None if best == Some(mv) => value,
            None => {
                let search_moves = vec![mv];
                let limits = Limits { nodes: Some(self.nodes), search_moves, ..Limits::default() };
                let after = think(&mut self.engine, position, &limits).1;
                known.push((mv, after));
                after
            }
        };
        let lost = (value - after).max(0);
        let mates = value >= MATE_BOUND && after < MATE_BOUND;
        let mated = after <= -MATE_BOUND && value > -MATE_BOUND;
        let overlooked =
            |best: Move| position.piece_on(best.to()).is_some() && position.see_ge(best, 100);
        let error = match lost < CLEAR {
            true => Error::None,
            false if mates || mated => Error::Mate,
            false if !position.see_ge(mv, 0) => Error::Exchange,
            false if best.is_some_and(overlooked) => Error::Capture,
            false => Error::Other,
        };
        (lost, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_thrown_away_is_an_error_and_the_best_move_none() {
        // White takes the bishop that was moved next to a pawn for nothing.
        let mut dataset = Dataset::default();
        dataset.add_text("startpos moves 7g7f 3c3d 8h3c+\tW\n");
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let options = LevelOptions { levels: vec![1, 14], judge_nodes: 2_000, every: 1 };
        let measure = || Meter::new(&options).and_then(|mut meter| meter.game(games[0]));
        let found = measure().expect("an engine");
        assert_eq!((found.people.positions, found.people.agreed), (3, 3));
        assert_eq!(found.people.errors.iter().sum::<u64>(), 1, "{found:?}");
        assert_eq!(found.people.errors[1], 1, "{found:?}");
        assert_eq!(measure().ok(), Some(found.clone()));
        assert!(found.levels[1].1.mean_loss() < found.people.mean_loss());
    }
}
