//! How the levels of play err, beside people: how often a level plays what a person played, and
//! what both lose by a judge's reckoning.

use crate::dataset::TrainingGame;
use core::ops::ControlFlow;
use yomikiri_base::Clock;
use yomikiri_engine::strength::Level;
use yomikiri_engine::value::{MATE_BOUND, Value};
use yomikiri_engine::{Engine, EngineError, Limits, Settings};
use yomikiri_shogi::{Move, Position};

/// What to measure with.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// An error loses so much.
pub const CLEAR: Value = 300;
/// What a mate counts in the mean.
const MOST: Value = 2_000;

/// The moves of one player over all positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
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
    fn add(&mut self, agreed: bool, lost: Value, error: Error) {
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
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LevelReport {
    /// The moves that were played.
    pub people: LevelTally,
    /// Each level.
    pub levels: Vec<(u8, LevelTally)>,
}

impl LevelReport {
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

/// Measures people and levels. The callback runs after each game; breaking off ends it with what
/// there is.
///
/// # Errors
/// If the engine cannot be made.
pub fn measure(
    games: &[&TrainingGame],
    options: &LevelOptions,
    report: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<LevelReport, EngineError> {
    let mut settings = Settings::with_hash(4);
    let mut judge = Judge { engine: Engine::new(settings.clone())?, nodes: options.judge_nodes };
    let mut player = Engine::new(settings.clone())?;
    let mut found = LevelReport::default();
    found.levels.extend(options.levels.iter().map(|&number| (number, LevelTally::default())));
    for (index, game) in games.iter().enumerate() {
        let mut position = game.start.clone();
        // Another first ply in each game, so that openings do not all fall out.
        let first = (game.hash % options.every.max(1) as u64) as usize;
        for (ply, &played) in game.moves.iter().enumerate() {
            if ply % options.every.max(1) == first && position.legal_moves().len() > 1 {
                let mut known = Vec::new();
                let (best, value) = judge.position(&position);
                let mut weigh = |mv: Move| judge.error(&position, mv, best, value, &mut known);
                let (lost, error) = weigh(played);
                found.people.add(true, lost, error);
                for (number, tally) in &mut found.levels {
                    settings.game.level = Level { number: *number, seed: 0 };
                    player.configure(settings.clone())?;
                    if let Some(mv) = think(&mut player, &position, &Limits::default()).0 {
                        let (lost, error) = weigh(mv);
                        tally.add(mv == played, lost, error);
                    }
                }
            }
            position.play(played);
        }
        if report(index + 1).is_break() {
            break;
        }
    }
    Ok(found)
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
    use crate::dataset::Dataset;

    #[test]
    fn a_piece_thrown_away_is_an_error_and_the_best_move_none() {
        // White takes the bishop that was moved next to a pawn for nothing.
        let mut dataset = Dataset::default();
        dataset.add_text("startpos moves 7g7f 3c3d 8h3c+\tW\n");
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let options = LevelOptions { levels: vec![1, 14], judge_nodes: 2_000, every: 1 };
        let found =
            measure(&games, &options, &mut |_| ControlFlow::Continue(())).expect("an engine");
        assert_eq!((found.people.positions, found.people.agreed), (3, 3));
        assert_eq!(found.people.errors.iter().sum::<u64>(), 1, "{found:?}");
        assert_eq!(found.people.errors[1], 1, "{found:?}");
        let again = measure(&games, &options, &mut |_| ControlFlow::Continue(()));
        assert_eq!(again.ok(), Some(found.clone()));
        assert!(found.levels[1].1.mean_loss() < found.people.mean_loss());
    }
}
