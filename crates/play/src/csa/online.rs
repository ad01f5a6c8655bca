//! One game on a server, from its conditions to its result.

use super::client::{CsaEvent, Link};
use super::connection::{ConnectionLoss, Signal};
use super::engine::CsaEngine;
use super::protocol::{CsaResult, ServerLine, ServerVerdict, consumed, move_line, remark};
use super::summary::GameSummary;
use crate::ending::GameOver;
use crate::game::{Decision, MoveInfo};
use crate::recorded::RecordedGame;
use crate::rules::Rules;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use yomikiri_base::Stopwatch;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_engine::{EngineError, SearchOutcome};
use yomikiri_shogi::notation::ParseError;
use yomikiri_shogi::notation::csa::read_move;
use yomikiri_shogi::record::{Record, header};
use yomikiri_shogi::{Color, Move};

/// How a game ended for us.
#[derive(Clone, Debug)]
pub enum OnlineEnd {
    /// By the server's word.
    Ruled(CsaResult, Option<ServerVerdict>),
    /// Somebody did not agree to play.
    Rejected(String),
    /// The connection ended first, and why.
    ConnectionLost(ConnectionLoss),
    /// Something that cannot be played on from, and what.
    Fault(OnlineFault),
}

/// Why a game cannot be played on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OnlineFault {
    /// The engine fails.
    #[error(transparent)]
    Engine(Arc<EngineError>),
    /// The server sends a move that is none.
    #[error("the server sent {text}: {error}")]
    Move {
        /// Its words.
        text: String,
        /// What is wrong with them.
        error: ParseError,
    },
}

impl From<EngineError> for OnlineEnd {
    fn from(error: EngineError) -> OnlineEnd {
        OnlineEnd::Fault(OnlineFault::Engine(Arc::new(error)))
    }
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Its conditions.
    pub summary: GameSummary,
    /// Its record.
    pub record: Record,
    /// How it ended.
    pub end: OnlineEnd,
    /// The file of its record, if one is kept.
    pub path: Option<PathBuf>,
}

/// How much later than planned our moves reached the server: on a busy machine the engine is late,
/// and a line takes its time. What passed before the server's clock stopped is not known, so all
/// of the time until the move is repeated counts.
#[derive(Default)]
struct OwnDelay {
    /// What is to be expected of any server.
    usual: Duration,
    longest: Duration,
}

impl OwnDelay {
    /// A move was repeated this much later than it was to be sent. What happened once is feared
    /// less and less.
    fn see(&mut self, delay: Duration) {
        self.longest = (self.longest - self.longest / 8).max(delay);
    }

    fn feared(&self) -> Duration {
        self.longest.max(self.usual)
    }
}

/// A move of ours on its way.
struct SaidMove {
    mv: Move,
    /// What is to be noted with it.
    remark: String,
    /// The answer expected.
    expected: Option<Move>,
    /// Our time when it was sent.
    used: Duration,
}

/// A game under way.
pub(super) struct OnlineGame<'g> {
    pub summary: &'g GameSummary,
    /// Whether values and lines are sent with the moves.
    pub remarks: bool,
    game: RecordedGame,
    verdict: Option<ServerVerdict>,
    /// Our move, until the server repeats it.
    said: Option<SaidMove>,
    /// How much later than planned a move of ours may be with the server.
    delay: OwnDelay,
    /// The longest that our present move may take.
    planned: Duration,
    /// Since the last move.
    since: Stopwatch,
}

impl<'g> OnlineGame<'g> {
    pub fn new(
        summary: &'g GameSummary,
        remarks: bool,
        date: Option<String>,
        since: Stopwatch,
    ) -> OnlineGame<'g> {
        let mut start = summary.start.clone();
        start.headers.set(header::BLACK, &summary.names[0]);
        start.headers.set(header::WHITE, &summary.names[1]);
        start.headers.set(header::EVENT, &summary.id);
        if let Some(date) = date {
            start.headers.set(header::START, &date);
        }
        let game =
            RecordedGame::new(&start, None, Rules::mate_only()).with_clock(Some(summary.clock()));
        OnlineGame {
            summary,
            remarks,
            game,
            verdict: None,
            said: None,
            delay: OwnDelay::default(),
            planned: Duration::MAX,
            since,
        }
    }

    /// The record as it stands.
    pub fn record(&self) -> Record {
        self.game.record()
    }

    /// Agrees, plays, and returns how it ended.
    pub fn play(&mut self, link: &mut Link<'_, '_>, engine: &mut CsaEngine) -> OnlineEnd {
        self.delay.usual = engine.usual_delay();
        if let Err(end) = link.send(&format!("AGREE:{}", self.summary.id)) {
            return end;
        }
        let end = loop {
            let signal = match link.wait() {
                Some(Signal::Closed(reason)) => break OnlineEnd::ConnectionLost(reason),
                Some(signal) => signal,
                None => continue,
            };
            if let Err(end) = self.react(signal, link, engine) {
                break end;
            }
        };
        engine.stop();
        self.conclude(&end);
        end
    }

    /// Reacts to a signal; the end of the game is its "error".
    fn react(
        &mut self,
        signal: Signal,
        link: &mut Link<'_, '_>,
        engine: &mut CsaEngine,
    ) -> Result<(), OnlineEnd> {
        let (text, since) = match signal {
            Signal::Line { text, since } => (text, since),
            Signal::Finished(number) => {
                return match engine.take(number) {
                    Some(outcome) => self.answer(&outcome?, link),
                    None => Ok(()),
                };
            }
            Signal::Closed(_) => return Ok(()),
        };
        match ServerLine::parse(&text) {
            ServerLine::Start(_) => {
                self.since = since;
                link.report(&CsaEvent::Started(self.summary));
                self.turn(None, link, engine)
            }
            ServerLine::Move { text, consumed } => self.moved(&text, consumed, since, link, engine),
            ServerLine::Verdict(verdict) => {
                self.verdict = Some(verdict);
                Ok(())
            }
            ServerLine::Result(result) => Err(OnlineEnd::Ruled(result, self.verdict)),
            ServerLine::Rejected { by, .. } => Err(OnlineEnd::Rejected(by)),
            _ => Ok(()),
        }
    }

    /// Sends what the engine decided.
    fn answer(
        &mut self,
        outcome: &SearchOutcome,
        link: &mut Link<'_, '_>,
    ) -> Result<(), OnlineEnd> {
        let mv = match outcome.best {
            _ if outcome.declares => return link.send("%KACHI"),
            None => return link.send("%TORYO"),
            Some(mv) => mv,
        };
        let position = self.game.position();
        let text = remark(position, outcome.value, line_of(outcome, mv));
        let line = move_line(position, mv, Some(text.as_str()).filter(|_| self.remarks));
        let (expected, used) = (outcome.ponder, self.since.elapsed());
        self.said = Some(SaidMove { mv, remark: text, expected, used });
        link.send(&line)
    }

    /// The server announces a move, ours or the opponent's.
    fn moved(
        &mut self,
        text: &str,
        number: Option<u64>,
        since: Stopwatch,
        link: &mut Link<'_, '_>,
        engine: &mut CsaEngine,
    ) -> Result<(), OnlineEnd> {
        let position = self.game.position();
        let side = position.side_to_move();
        let mv = read_move(position, text).map_err(|error| {
            OnlineEnd::Fault(OnlineFault::Move { text: text.to_string(), error })
        })?;
        let measured = since.start().saturating_sub(self.since.start());
        let unit = self.summary.times[side.index()].unit;
        let spent = number.map_or(measured, |number| consumed(number, unit, measured));
        self.since = since;
        let said = self.said.take().filter(|said| side == self.summary.own && said.mv == mv);
        self.game.apply(Decision::Move(mv, MoveInfo::default()), spent);
        let mut expected = None;
        if let Some(said) = said {
            self.delay.see(measured.saturating_sub(said.used.min(self.planned)));
            self.game.remark(said.remark);
            expected = said.expected;
        }
        link.report(&CsaEvent::Moved { text, ply: self.game.game().plies().len(), spent });
        if self.summary.own == self.game.position().side_to_move() {
            return self.turn(Some(mv), link, engine);
        }
        link.keep(&self.record(), false);
        let clocks = self.clocks();
        let position = self.game.position();
        Ok(engine.ponder(position, expected, clocks, self.since.clone(), link.sender())?)
    }

    /// Thinks, if it is our turn. After a mate there is nothing to think about.
    fn turn(
        &mut self,
        last: Option<Move>,
        link: &mut Link<'_, '_>,
        engine: &mut CsaEngine,
    ) -> Result<(), OnlineEnd> {
        let position = self.game.position();
        if position.side_to_move() != self.summary.own {
            return Ok(());
        }
        if self.game.game().over().is_some() {
            return link.send("%TORYO");
        }
        let clocks = self.clocks();
        self.planned = engine.longest(position, clocks);
        Ok(engine.think(position, last, clocks, self.since.clone(), link.sender())?)
    }

    /// The clocks as the engine receives them.
    fn clocks(&self) -> Option<Clocks> {
        let own = self.summary.own;
        let mut clocks = self.game.game().clock()?.for_engine(own)?;
        let left = &mut clocks.remaining[own.index()];
        *left = left.saturating_sub(self.summary.own_time().held_back());
        clocks.delay = self.delay.feared();
        Some(clocks)
    }

    /// Notes the end in the record.
    fn conclude(&mut self, end: &OnlineEnd) {
        let own = self.summary.own;
        let (result, verdict) = match end {
            OnlineEnd::Ruled(result, verdict) => (*result, *verdict),
            OnlineEnd::ConnectionLost(reason) => {
                return self.game.remark(format!("connection lost: {reason}"));
            }
            OnlineEnd::Rejected(by) => return self.game.remark(format!("rejected by {by}")),
            OnlineEnd::Fault(what) => return self.game.remark(what.to_string()),
        };
        let winner: Option<Color> = match result {
            CsaResult::Win => Some(own),
            CsaResult::Lose => Some(!own),
            CsaResult::Draw | CsaResult::Censored => None,
            CsaResult::Interrupted => return,
        };
        if let Some(verdict) = verdict {
            self.game.end(GameOver::new(winner, verdict.end()));
        }
    }
}

/// The line that begins with the move played.
fn line_of(outcome: &SearchOutcome, mv: Move) -> &[Move] {
    let found = outcome.lines.iter().find(|line| line.mv == mv);
    found.map_or(&[], |line| line.line.as_slice())
}

#[cfg(test)]
mod tests {
    use super::OwnDelay;
    use std::time::Duration;

    #[test]
    fn a_late_move_is_feared_and_slowly_forgotten() {
        let of = Duration::from_millis;
        let mut delay = OwnDelay { usual: of(120), ..OwnDelay::default() };
        delay.see(of(5));
        assert_eq!(delay.feared(), of(120));
        delay.see(of(400));
        assert_eq!(delay.feared(), of(400));
        delay.see(of(5));
        assert_eq!(delay.feared(), of(350));
        for _ in 0..20 {
            delay.see(of(5));
        }
        assert_eq!(delay.feared(), of(120));
    }
}
