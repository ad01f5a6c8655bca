//! Games between engines: each thread has engines of its own and plays one game after the other.

use crate::affinity::stay_on_one_core;
use crate::contestant::Contestant;
use crate::record::{GameRecord, Thought};
use crate::schedule::Fixture;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use yomikiri_base::StopToken;
use yomikiri_base::stages::PerThread;
use yomikiri_play::player::{Timeouts, UsiPlayer};
use yomikiri_play::{Game, GameClock, GameOver, PlayedPly, Rules, TimeControl, play};
use yomikiri_shogi::{Move, Position};
use yomikiri_usi::client::{Client, ClientError};
use yomikiri_usi::{Command, Setup};

/// What a match is made of.
pub struct Match {
    /// Who plays.
    pub players: Vec<Contestant>,
    /// How much those may think who do not say so themselves.
    pub control: TimeControl,
    /// Where games begin.
    pub openings: Vec<Setup>,
    /// What they play by.
    pub rules: Rules,
    /// How long to wait for engines.
    pub timeouts: Timeouts,
    /// How many games at once.
    pub concurrency: usize,
    /// Whether each of them keeps to a core of its own; for engines with one thread.
    pub affinity: bool,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine cannot be made ready for a game.
    #[error("{player} cannot play: {reason}")]
    CannotStart {
        /// Its name.
        player: String,
        /// What happened.
        reason: ClientError,
    },
}

/// An engine that fails to start is tried again this often, since memory or processes may be
/// short for a moment.
const STARTS: usize = 3;

/// More engines than this are not kept running beside those of the game.
const KEPT_ENGINES: usize = 4;

impl Match {
    /// Plays the games, in order but for what runs at once, and hands each to `finished` as it
    /// ends. Stops between moves when `stop` is set; what was being played is then lost.
    ///
    /// # Errors
    /// If an engine cannot be made ready.
    pub fn run(
        &self,
        fixtures: &[Fixture],
        finished: &(dyn Fn(GameRecord) + Sync),
        stop: &StopToken,
    ) -> Result<(), MatchError> {
        let (next, seats) = (AtomicUsize::new(0), self.seats());
        let play = || -> Result<(), MatchError> {
            while !stop.is_stopped()
                && let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed))
            {
                match seats.game(fixture, stop) {
                    Ok(Some(game)) => finished(game),
                    Ok(None) => break,
                    Err(error) => {
                        stop.stop();
                        return Err(error);
                    }
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads = 0..self.concurrency.clamp(1, fixtures.len().max(1));
            let start = |number| {
                let play = &play;
                scope.spawn(move || {
                    if self.affinity {
                        stay_on_one_core(number);
                    }
                    play()
                })
            };
            let threads: Vec<_> = threads.map(start).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).fold(Ok(()), Result::and)
        })
    }

    /// Engines for the games of this match.
    pub fn seats(&self) -> Seats<'_> {
        Seats { setting: self, workers: PerThread::default() }
    }

    /// A game from an opening, which must be sound.
    fn new_game(&self, opening: &Setup, controls: [TimeControl; 2]) -> Game {
        let start = opening.start_position().unwrap_or_else(|_| Position::start());
        let clocks = controls.map(|control| control.clock(self.timeouts.margin));
        Game::new(start, &opening.moves, self.rules).with_clock(Some(GameClock::new(clocks)))
    }

    fn control_of(&self, player: usize) -> TimeControl {
        let own = self.players[player].control;
        if own.is_empty() { self.control } else { own }
    }
}

/// The engines of a match, which wait between games. Each thread that plays has its own.
pub struct Seats<'a> {
    setting: &'a Match,
    workers: PerThread<Worker<'a>>,
}

impl Seats<'_> {
    /// Plays a game; nothing if it was stopped between moves.
    ///
    /// # Errors
    /// If an engine cannot be made ready.
    pub fn game(
        &self,
        fixture: &Fixture,
        stop: &StopToken,
    ) -> Result<Option<GameRecord>, MatchError> {
        let make = || {
            let mut worker = Worker { setting: self.setting, engines: Vec::new() };
            worker.engines.resize_with(self.setting.players.len(), || None);
            Ok(worker)
        };
        self.workers.with(make, |worker| worker.game(fixture, stop))
    }
}

/// What a player said and took for a move.
fn thought(ply: &PlayedPly) -> Thought {
    let micros = ply.elapsed.map_or(0, |elapsed| elapsed.as_micros());
    Thought {
        score: ply.info.score,
        nodes: ply.info.nodes,
        micros: u64::try_from(micros).unwrap_or(u64::MAX),
    }
}

struct Worker<'a> {
    setting: &'a Match,
    engines: Vec<Option<Client>>,
}

impl Worker<'_> {
    /// Plays a game; nothing if the match was interrupted.
    fn game(
        &mut self,
        fixture: &Fixture,
        stop: &StopToken,
    ) -> Result<Option<GameRecord>, MatchError> {
        let setting = self.setting;
        let sides = [fixture.black, fixture.white];
        if self.engines.len() > KEPT_ENGINES {
            let others = (0..self.engines.len()).filter(|player| !sides.contains(player));
            others.for_each(|player| self.engines[player] = None);
        }
        let mut clients = [self.ready_engine(sides[0])?, self.ready_engine(sides[1])?];
        clients.iter_mut().for_each(|client| client.stop_on(stop));
        let opening = &setting.openings[fixture.opening];
        let controls = sides.map(|player| setting.control_of(player));
        let mut game = setting.new_game(opening, controls);
        let [black, white] = &mut clients;
        let seat = |client, side: usize| {
            UsiPlayer::new(client, controls[side], setting.timeouts, &opening.start)
        };
        let (mut black, mut white) = (seat(black, 0), seat(white, 1));
        let played = play(&mut game, [&mut black, &mut white], stop);
        let broken = [black.is_broken(), white.is_broken()];
        for ((client, player), broken) in clients.into_iter().zip(sides).zip(broken) {
            if !broken && !setting.players[player].restart {
                self.engines[player] = Some(client);
            }
        }
        Ok(played.ok().map(|over| self.write_up(fixture, &game, over, opening)))
    }

    fn write_up(
        &self,
        fixture: &Fixture,
        game: &Game,
        over: GameOver,
        opening: &Setup,
    ) -> GameRecord {
        let name = |player: usize| self.setting.players[player].name.clone();
        let moves: Vec<Move> = game.plies().iter().map(|ply| ply.mv).collect();
        GameRecord {
            number: fixture.number,
            black: name(fixture.black),
            white: name(fixture.white),
            moves: Setup { start: opening.start.clone(), moves },
            opening_plies: opening.moves.len(),
            thoughts: game.played().iter().map(thought).collect(),
            winner: over.winner,
            end: over.end,
            note: over.note,
        }
    }

    /// The player's engine, ready for a new game: the one that runs, or a new one.
    fn ready_engine(&mut self, player: usize) -> Result<Client, MatchError> {
        if let Some(mut client) = self.engines[player].take()
            && self.prepare(&mut client).is_ok()
        {
            return Ok(client);
        }
        let mut attempt = 1;
        loop {
            match self.start(player) {
                Ok(client) => return Ok(client),
                Err(reason) if attempt == STARTS => {
                    let player = self.setting.players[player].name.clone();
                    return Err(MatchError::CannotStart { player, reason });
                }
                Err(_) => {
                    std::thread::sleep(Duration::from_millis(100 * attempt as u64));
                    attempt += 1;
                }
            }
        }
    }

    fn start(&self, player: usize) -> Result<Client, ClientError> {
        let mut client = self.setting.players[player].start(self.setting.timeouts.start)?;
        self.prepare(&mut client)?;
        Ok(client)
    }

    fn prepare(&self, client: &mut Client) -> Result<(), ClientError> {
        client.ready(self.setting.timeouts.start)?;
        client.send(&Command::UsiNewGame)
    }
}
