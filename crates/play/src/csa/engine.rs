//! The engine of this program, as the client uses it: think, ponder, stop.

use super::connection::Signal;
use super::summary::GameSummary;
use std::sync::mpsc::Sender;
use std::time::Duration;
use yomikiri_base::{Clock, Stopwatch};
use yomikiri_engine::search::limits::Clocks;
use yomikiri_engine::time::Schedule;
use yomikiri_engine::{
    Engine, EngineError, Limits, Observer, Search, SearchEvent, SearchOutcome, Settings,
};
use yomikiri_shogi::{EnteringKingRule, Move, Position};

/// A search that is over, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchNumber(u64);

/// For a move of a game without a clock.
const WITHOUT_CLOCK: Duration = Duration::from_secs(5);

struct Running {
    search: Search,
    /// The move of the opponent on which it ponders.
    expected: Option<Move>,
}

/// The engine, and the search that runs.
pub(super) struct CsaEngine {
    settings: Settings,
    engine: Engine,
    ponders: bool,
    /// Of the search that runs, or the next one.
    number: u64,
    running: Option<Running>,
}

impl CsaEngine {
    pub fn new(settings: Settings, ponders: bool, clock: &Clock) -> Result<CsaEngine, EngineError> {
        let engine = Engine::new(settings.clone())?.with_clock(clock.clone());
        Ok(CsaEngine { settings, engine, ponders, number: 0, running: None })
    }

    /// Gets ready for a game by these conditions.
    pub fn prepare(&mut self, summary: &GameSummary) -> Result<(), EngineError> {
        self.stop();
        let mut settings = self.settings.clone();
        let game = &mut settings.game;
        if !summary.declarations {
            game.rules.entering_king = EnteringKingRule::NoEnteringKing;
        }
        game.rules.maximum_moves = summary.max_moves;
        let time = summary.own_time();
        // Only of clocks that count full seconds the rest of a second is free.
        game.time.round_up &= time.unit == Duration::from_secs(1) && !time.rounds_up;
        self.engine.configure(settings)?;
        self.engine.new_game();
        Ok(())
    }

    /// How long a move takes on its way as a rule.
    pub fn usual_delay(&self) -> Duration {
        self.settings.game.time.network_delay
    }

    /// The longest that a move may take by these clocks, as it is planned.
    pub fn longest(&self, position: &Position, clocks: Option<Clocks>) -> Duration {
        let limits = Limits { clocks, ..Limits::default() };
        let options = &self.settings.game.time;
        let (side, number) = (position.side_to_move(), position.move_number());
        Schedule::new(&limits, options, side, number).maximum.unwrap_or(Duration::MAX)
    }

    /// Thinks about a move whose time has been running. If the engine ponders on this very move,
    /// it goes on.
    pub fn think(
        &mut self,
        position: &Position,
        last: Option<Move>,
        clocks: Option<Clocks>,
        since: Stopwatch,
        to: Sender<Signal>,
    ) -> Result<(), EngineError> {
        if let Some(running) = &mut self.running
            && running.expected.is_some()
            && running.expected == last
        {
            running.expected = None;
            running.search.ponder_hit(clocks, since);
            return Ok(());
        }
        let move_time = clocks.is_none().then_some(WITHOUT_CLOCK);
        let limits = Limits { clocks, move_time, ..Limits::default() };
        self.start(position, &limits, None, since, to)
    }

    /// Thinks in the opponent's time, in the position after the move that is expected.
    pub fn ponder(
        &mut self,
        position: &Position,
        expected: Option<Move>,
        clocks: Option<Clocks>,
        since: Stopwatch,
        to: Sender<Signal>,
    ) -> Result<(), EngineError> {
        let Some(mv) = expected.filter(|&mv| self.ponders && position.is_legal(mv)) else {
            return Ok(());
        };
        let mut position = position.clone();
        position.play(mv);
        let limits = Limits { clocks, ponder: true, ..Limits::default() };
        self.start(&position, &limits, Some(mv), since, to)
    }

    fn start(
        &mut self,
        position: &Position,
        limits: &Limits,
        expected: Option<Move>,
        since: Stopwatch,
        to: Sender<Signal>,
    ) -> Result<(), EngineError> {
        self.stop();
        let observer = ToClient { number: self.number, to };
        let search = self.engine.start_observed(position, limits, since, observer)?;
        self.running = Some(Running { search, expected });
        Ok(())
    }

    /// What a finished search decided, or what went wrong; nothing if its decision is not waited
    /// for.
    pub fn take(&mut self, finished: SearchNumber) -> Option<Result<SearchOutcome, EngineError>> {
        let wanted = |running: &mut Running| running.expected.is_none();
        let running = match finished.0 == self.number {
            true => self.running.take_if(wanted)?,
            false => return None,
        };
        self.number += 1;
        Some(running.search.join())
    }

    /// Ends the search that runs.
    pub fn stop(&mut self) {
        self.number += 1;
        if let Some(Running { search, .. }) = self.running.take() {
            search.stop();
            // What it found does not matter any more.
            drop(search.join());
        }
    }
}

/// Signals that the search is over.
struct ToClient {
    number: u64,
    to: Sender<Signal>,
}

impl Observer for ToClient {
    fn event(&mut self, _: &SearchEvent) {}

    fn finished(&mut self, _: &Result<SearchOutcome, EngineError>) {
        // The connection may have ended meanwhile.
        let _ = self.to.send(Signal::Finished(SearchNumber(self.number)));
    }
}
