//! Training positions from self-play: an engine with any evaluation plays against itself at fixed
//! nodes, and the quiet positions of the games are kept with the value that the search found, the
//! move it chose and the result of the game.
//!
//! Games begin from openings cut at a random ply, continued by moves drawn from the best few, and
//! are played only if a search finds the start balanced. A position is quiet if the side to move
//! is not in check and its best move neither captures nor promotes; values beyond a bound are not
//! kept. The games of a unit depend on nothing but the settings and the unit's number.
//!
//! Side positions, where the settings have them, leave each position of a game by a few random
//! moves and carry the teacher's static value: what a search evaluates is mostly such positions,
//! and they cost next to nothing. No game was played on from them, so that they count as drawn:
//! learn from them with `loss.lambda = 1`.

mod run;
mod side;

pub use run::{PositionRun, RunError, RunState};

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use side::Teacher;
use std::collections::HashSet;
use std::time::Duration;
use yomikiri_base::{Clock, StopToken};
use yomikiri_engine::value::Value;
use yomikiri_engine::{Engine, EngineError, Limits, SearchOutcome, Settings as EngineSettings};
use yomikiri_play::player::engine::decision;
use yomikiri_play::{Decision, Game, Rules};
use yomikiri_shogi::notation::packed::{PSV_BYTES, PackedEntry, PackedFormat};
use yomikiri_shogi::{Color, EnteringKingRule, Move, ParseError, Position};

/// How positions are made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PositionSettings {
    /// Random seed.
    pub seed: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Games of a unit, the smallest piece of work that is kept.
    pub games_per_unit: usize,
    /// Openings are cut at a random ply up to this.
    pub opening_plies: usize,
    /// Random plies after the opening: at least and at most.
    pub random_plies: [usize; 2],
    /// Nodes of the searches that propose random plies.
    pub random_nodes: u64,
    /// Random plies are drawn from this many of the best moves.
    pub random_lines: usize,
    /// Greatest loss of a random ply against the best move, in centipawns.
    pub random_loss: Value,
    /// Games start only within this value, in centipawns.
    pub balance: Value,
    /// A position beyond this value is not kept, in centipawns.
    pub keep_within: Value,
    /// A game is over when both sides see at least this value, in centipawns.
    pub adjudicate: Value,
    /// For this many plies in a row.
    pub adjudicate_plies: usize,
    /// Games are drawn after this many moves.
    pub maximum_moves: u32,
    /// Side positions of each position of a game.
    pub sides: usize,
    /// Random moves that lead to a side position: at least and at most.
    pub side_plies: [usize; 2],
}

impl Default for PositionSettings {
    fn default() -> PositionSettings {
        PositionSettings {
            seed: 1,
            nodes: 1_000,
            games_per_unit: 16,
            opening_plies: 24,
            random_plies: [2, 8],
            random_nodes: 200,
            random_lines: 6,
            random_loss: 150,
            balance: 400,
            keep_within: 3_000,
            adjudicate: 3_000,
            adjudicate_plies: 6,
            maximum_moves: 320,
            sides: 0,
            side_plies: [1, 4],
        }
    }
}

/// What became of the positions of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PositionTally {
    /// Games played.
    pub games: u64,
    /// Games drawn.
    pub draws: u64,
    /// Starts that a search did not find balanced.
    pub unbalanced: u64,
    /// Positions searched.
    pub searched: u64,
    /// Positions that were in check or whose best move captures or promotes.
    pub noisy: u64,
    /// Quiet positions whose value lies beyond the bound.
    pub decided: u64,
    /// Quiet positions seen before in the same unit.
    pub repeated: u64,
    /// Side positions kept.
    #[serde(default)]
    pub sides: u64,
    /// Positions kept.
    pub kept: u64,
}

impl PositionTally {
    /// Adds the counts of other games.
    pub fn add(&mut self, other: &PositionTally) {
        self.games += other.games;
        self.draws += other.draws;
        self.unbalanced += other.unbalanced;
        self.searched += other.searched;
        self.noisy += other.noisy;
        self.decided += other.decided;
        self.repeated += other.repeated;
        self.sides += other.sides;
        self.kept += other.kept;
    }
}

/// Plays games and keeps their quiet positions.
pub struct PositionMaker {
    settings: PositionSettings,
    openings: Vec<Position>,
    /// The rule by which the engine declares.
    entering_king: EnteringKingRule,
    player: Engine,
    proposer: Engine,
    teacher: Teacher,
    clock: Clock,
    tally: PositionTally,
}

/// A position of the game being played.
struct Sample {
    position: Position,
    value: Value,
    mv: Move,
}

/// The quiet positions of a game, and its winner.
type Played = (Vec<Sample>, Option<Color>);

impl PositionMaker {
    /// A maker that uses the evaluation and the search of `engine`. An opening is its last
    /// position with its history; without any, games start from the initial position.
    ///
    /// # Errors
    /// If a file that the engine needs cannot be read or is not what it should be.
    pub fn new(
        settings: PositionSettings,
        engine: &EngineSettings,
        openings: Vec<Position>,
    ) -> Result<PositionMaker, EngineError> {
        let mut player = engine.clone();
        // A game of small searches fills no more, and the table is cleared before each.
        player.resources.hash_megabytes = 1;
        player.resources.threads = 1;
        player.resources.book.own = false;
        player.game.lines = 1;
        player.search.mate.root = false;
        let mut proposer = player.clone();
        proposer.game.lines = settings.random_lines;
        Ok(PositionMaker {
            settings,
            openings,
            entering_king: engine.game.rules.entering_king,
            teacher: Teacher::new(player.resources.evaluation.load()?),
            player: Engine::new(player)?,
            proposer: Engine::new(proposer)?,
            clock: Clock::default(),
            tally: PositionTally::default(),
        })
    }

    /// Plays the games of a unit. Returns their positions as PSV entries, in the order of the
    /// games, and what became of the others; nothing if it was stopped before the end.
    ///
    /// # Errors
    /// If a position cannot be packed, which would be a fault of the program.
    pub fn unit(
        &mut self,
        number: usize,
        stop: &StopToken,
    ) -> Result<Option<(Vec<u8>, PositionTally)>, ParseError> {
        self.tally = PositionTally::default();
        let mut random = Rng::with_seed(self.settings.seed ^ mixed(number as u64));
        let (mut bytes, mut seen) = (Vec::new(), HashSet::new());
        for _ in 0..self.settings.games_per_unit {
            let Some(start) = self.start(&mut random, stop) else { return Ok(None) };
            let Some(played) = self.play(start, stop) else { return Ok(None) };
            self.keep(played, &mut random, &mut seen, &mut bytes)?;
        }
        self.tally.kept = (bytes.len() / PSV_BYTES) as u64;
        Ok(Some((bytes, self.tally)))
    }

    /// A balanced start; nothing if it was stopped.
    fn start(&mut self, random: &mut Rng, stop: &StopToken) -> Option<Position> {
        self.proposer.new_game();
        self.player.new_game();
        while !stop.is_stopped() {
            let mut position = self.opening(random);
            let [least, most] = self.settings.random_plies;
            for _ in 0..random.usize(least..=most.max(least)) {
                let Some(mv) = self.propose(&position, random) else { break };
                position.play(mv);
            }
            let over = position.outcome(EnteringKingRule::CsaRule27, 0).is_some();
            if !over && self.think(&position).value.abs() <= self.settings.balance {
                return Some(position);
            }
            self.tally.unbalanced += 1;
        }
        None
    }

    /// A drawn opening, cut at a random ply.
    fn opening(&self, random: &mut Rng) -> Position {
        let Some(opening) = random.choice(&self.openings) else { return Position::start() };
        let mut position = opening.clone();
        let plies = position.plies_played();
        let keep = random.usize(0..=self.settings.opening_plies.min(plies));
        for _ in keep..plies {
            position.undo();
        }
        position
    }

    /// One of the best moves that loses little.
    fn propose(&mut self, position: &Position, random: &mut Rng) -> Option<Move> {
        let limits = Limits { nodes: Some(self.settings.random_nodes), ..Limits::default() };
        let thought = self.proposer.run(position, &limits, &self.clock, &mut |_: &_| {});
        let best = thought.lines.first()?.value;
        let good = thought.lines.iter().take(self.settings.random_lines);
        let good = good.filter(|line| line.value >= best - self.settings.random_loss);
        random.choice(good.map(|line| line.mv).collect::<Vec<_>>())
    }

    fn think(&mut self, position: &Position) -> SearchOutcome {
        let limits = Limits { nodes: Some(self.settings.nodes), ..Limits::default() };
        self.player.run(position, &limits, &self.clock, &mut |_: &_| {})
    }

    /// Appends the quiet positions of a game.
    fn keep(
        &mut self,
        (samples, winner): Played,
        random: &mut Rng,
        seen: &mut HashSet<u64>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), ParseError> {
        self.tally.games += 1;
        self.tally.draws += u64::from(winner.is_none());
        for sample in &samples {
            for _ in 0..self.settings.sides {
                self.side_position(&sample.position, random, seen, bytes)?;
            }
        }
        for Sample { position, value, mv } in samples {
            if value.abs() > self.settings.keep_within {
                self.tally.decided += 1;
            } else if !seen.insert(position.key()) {
                self.tally.repeated += 1;
            } else {
                let score = value as i16;
                let entry = PackedEntry { position, score, played: Some(mv), winner };
                entry.write(PackedFormat::Psv, bytes)?;
            }
        }
        Ok(())
    }

    /// Appends a position that some random moves lead to, with the teacher's static value.
    fn side_position(
        &mut self,
        position: &Position,
        random: &mut Rng,
        seen: &mut HashSet<u64>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), ParseError> {
        let [least, most] = self.settings.side_plies;
        let plies = random.usize(least..=most.max(least));
        let Some(side) = side::leave(position, plies, random) else { return Ok(()) };
        let value = self.teacher.value(&side);
        if value.abs() > self.settings.keep_within || !seen.insert(side.key()) {
            return Ok(());
        }
        self.tally.sides += 1;
        let entry = PackedEntry { position: side, score: value as i16, played: None, winner: None };
        entry.write(PackedFormat::Psv, bytes)
    }

    /// Plays a game to its end; nothing if it was stopped.
    fn play(&mut self, start: Position, stop: &StopToken) -> Option<Played> {
        let mut samples = Vec::new();
        let mut decided = 0;
        let mut game = Game::new(start, &[], self.rules());
        while let Some(side) = game.turn() {
            if stop.is_stopped() {
                return None;
            }
            let position = game.position();
            let thought = self.think(position);
            let decision = decision(&thought);
            if let Decision::Move(mv, _) = decision {
                let is_decided = thought.value.abs() >= self.settings.adjudicate;
                decided = if is_decided { decided + 1 } else { 0 };
                if decided >= self.settings.adjudicate_plies {
                    game.adjudicate(Some(if thought.value > 0 { side } else { !side }));
                    break;
                }
                self.tally.searched += 1;
                if is_noisy(position, mv) {
                    self.tally.noisy += 1;
                } else {
                    let quiet = position.clone();
                    samples.push(Sample { position: quiet, value: thought.value, mv });
                }
            }
            game.apply(decision, Duration::ZERO);
        }
        Some((samples, game.winner()))
    }

    fn rules(&self) -> Rules {
        Rules {
            entering_king: self.entering_king,
            maximum_moves: self.settings.maximum_moves,
            ..Rules::default()
        }
    }
}

/// Whether the side to move is in check, or its best move captures or promotes.
fn is_noisy(position: &Position, mv: Move) -> bool {
    position.in_check() || mv.is_promotion() || position.piece_on(mv.to()).is_some()
}

/// Spreads unit numbers over all seeds (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_engine::eval::EvaluationKind;

    fn maker() -> PositionMaker {
        let settings = PositionSettings {
            nodes: 60,
            random_nodes: 30,
            games_per_unit: 2,
            maximum_moves: 80,
            ..PositionSettings::default()
        };
        let mut engine = EngineSettings::with_hash(1);
        engine.resources.evaluation.kind = EvaluationKind::Material;
        let opening = Position::from_usi("startpos moves 7g7f 3c3d 2g2f 8c8d").unwrap();
        PositionMaker::new(settings, &engine, vec![opening]).unwrap()
    }

    #[test]
    fn units_depend_on_their_number_alone() {
        let (mut one, go_on) = (maker(), StopToken::new());
        let first = one.unit(0, &go_on).unwrap().unwrap();
        let second = one.unit(1, &go_on).unwrap().unwrap();
        assert_ne!(first.0, second.0);
        let mut other = maker();
        assert_eq!(other.unit(1, &go_on).unwrap().unwrap(), second);
        assert_eq!(other.unit(0, &go_on).unwrap().unwrap(), first);
    }

    #[test]
    fn a_unit_that_was_stopped_is_none_and_is_made_anew() {
        let (mut maker, stop) = (maker(), StopToken::new());
        let whole = maker.unit(0, &stop).unwrap();
        stop.stop();
        assert_eq!(maker.unit(0, &stop).unwrap(), None);
        assert_eq!(maker.unit(0, &StopToken::new()).unwrap(), whole);
    }

    #[test]
    fn side_positions_carry_the_static_value() {
        let mut maker = maker();
        maker.settings.sides = 3;
        let (bytes, tally) = maker.unit(5, &StopToken::new()).unwrap().unwrap();
        assert!(tally.sides > 2 * (tally.kept - tally.sides) && tally.sides < tally.kept);
        let entries =
            bytes.chunks(PSV_BYTES).map(|it| PackedEntry::read(it, PackedFormat::Psv).unwrap());
        let sides: Vec<_> = entries.filter(|entry| entry.played.is_none()).collect();
        assert_eq!(sides.len() as u64, tally.sides);
        for side in sides {
            assert_eq!(maker.teacher.value(&side.position), i32::from(side.score));
            assert!(!side.position.in_check() && side.winner.is_none());
        }
    }

    #[test]
    fn kept_positions_are_quiet_and_whole() {
        let (bytes, tally) = maker().unit(3, &StopToken::new()).unwrap().unwrap();
        assert!(tally.games == 2 && tally.kept > 20);
        assert_eq!(tally.searched, tally.kept + tally.noisy + tally.decided + tally.repeated);
        for entry in bytes.chunks(PSV_BYTES) {
            let entry = PackedEntry::read(entry, PackedFormat::Psv).unwrap();
            let mv = entry.played.expect("the move is legal");
            assert!(!entry.position.in_check() && !mv.is_promotion());
            assert_eq!(entry.position.piece_on(mv.to()), None);
            assert!(i32::from(entry.score).abs() <= 3_000);
        }
    }
}
