//! A game against the engine as a state machine: no clock of its own, no search of its own.

use crate::clock::SessionClock;
use crate::protocol::{
    EndKind, EndView, Fault, FaultCode, GameView, NewGameAsk, PlayedMove, Side, SpeculativeView,
};
use crate::view::{move_view, outcome_view, position_view};
use crate::{illegal, place};
use std::time::Duration;
use yomikiri_engine::strength::FULL;
use yomikiri_shogi::record::{Ending, NodeId, Record, RecordStep, header};
use yomikiri_shogi::{Color, EnteringKingRule, Handicap, Move, Position};

/// How long the highest level thinks without a clock, and a hint takes, unless it is said.
const THINK: u32 = 1_000;
/// The longest time it may be given to think.
const LONGEST_THINK: u32 = 60_000;

/// What a game is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The engine's level.
    pub level: u8,
    /// Where its chance begins.
    pub seed: u32,
    /// The user's side.
    pub user: Color,
    /// The entering-king rule.
    pub rule: EnteringKingRule,
    /// Whether the engine sets problems in lost endgames.
    pub speculative: bool,
    /// How long the highest level thinks without a clock.
    pub think: Duration,
}

/// A move and what belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ply {
    mv: Move,
    spent: Duration,
    speculative: Option<SpeculativeView>,
    /// The clocks when its turn began.
    clock: Option<SessionClock>,
}

/// What the engine decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineDecision {
    /// It plays.
    Move(Move, Option<SpeculativeView>),
    /// It gives up.
    Resign,
    /// It declares.
    Declare,
}

/// A game under way, or just ended.
#[derive(Clone, PartialEq, Debug)]
pub struct SessionGame {
    terms: Terms,
    start: Position,
    position: Position,
    plies: Vec<Ply>,
    clock: Option<SessionClock>,
    /// When the present turn began, by the session's clock.
    since: Duration,
    end: Option<EndView>,
}

fn value(message: impl Into<String>) -> Fault {
    Fault::new(FaultCode::BadValue, message)
}

fn start_of(ask: &NewGameAsk) -> Result<Position, Fault> {
    if ask.from.is_some() {
        let start = place::position(ask.from.as_ref())?;
        let kings = Color::ALL.iter().all(|&side| start.king(side).is_some());
        return kings
            .then_some(start)
            .ok_or_else(|| Fault::new(FaultCode::BadPosition, "a game needs both kings"));
    }
    let Some(name) = &ask.handicap else { return Ok(Position::start()) };
    let handicap = Handicap::ALL.into_iter().find(|handicap| handicap.name() == name);
    handicap.map(Handicap::position).ok_or_else(|| value(format!("there is no handicap '{name}'")))
}

impl SessionGame {
    /// Begins a game at `now`.
    pub fn new(ask: &NewGameAsk, seed: u32, now: Duration) -> Result<SessionGame, Fault> {
        if !(1..=FULL).contains(&ask.level) {
            return Err(value(format!("levels are 1 to {FULL}")));
        }
        let clock = match ask.clock {
            Some(agreed) => {
                Some(SessionClock::new(agreed).ok_or_else(|| value("the clocks leave no time"))?)
            }
            None => None,
        };
        let terms = Terms {
            level: ask.level,
            seed: ask.seed.unwrap_or(seed),
            user: ask.side.into(),
            rule: place::rule(ask.rule.as_deref())?,
            speculative: ask.speculative.unwrap_or(true),
            think: Duration::from_millis(
                ask.think.unwrap_or(THINK).clamp(10, LONGEST_THINK).into(),
            ),
        };
        let position = start_of(ask)?;
        // The moves before the game are part of its record, and of repetition.
        let mut start = position.clone();
        let before: Vec<Move> = position.moves_played().collect();
        before.iter().for_each(|_| start.undo());
        let mut game = SessionGame {
            terms,
            position: start.clone(),
            start,
            plies: Vec::new(),
            clock,
            since: now,
            end: None,
        };
        for mv in before {
            game.play(mv, Duration::ZERO, None);
        }
        game.end = game.position.outcome(game.terms.rule, 0).map(outcome_view);
        Ok(game)
    }

    /// What the game is about.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The clocks as the engine receives them.
    pub fn clock(&self) -> Option<&SessionClock> {
        self.clock.as_ref()
    }

    /// Whether the engine is to move.
    pub fn engine_to_move(&self) -> bool {
        self.end.is_none() && self.position.side_to_move() != self.terms.user
    }

    /// How many moves were played.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    fn play(&mut self, mv: Move, spent: Duration, speculative: Option<SpeculativeView>) {
        self.plies.push(Ply { mv, spent, speculative, clock: self.clock.clone() });
        self.position.play(mv);
        self.end = self.position.outcome(self.terms.rule, 0).map(outcome_view);
    }

    /// The side to move has moved at `now`; it may have lost on time instead.
    fn turn(&mut self, mv: Move, speculative: Option<SpeculativeView>, now: Duration) {
        let spent = now.saturating_sub(self.since);
        let before = self.clock.clone();
        let side = self.position.side_to_move();
        if self.clock.as_mut().is_some_and(|clock| !clock.spend(side, spent)) {
            self.time_is_over();
            return;
        }
        self.play(mv, spent, speculative);
        if let Some(ply) = self.plies.last_mut() {
            ply.clock = before;
        }
        self.since = now;
    }

    fn over(&mut self, end: EndKind, name: &str, winner: Option<Color>) {
        let winner = winner.map(Side::from);
        self.end = Some(EndView { end, japanese: name.to_string(), winner });
    }

    fn time_is_over(&mut self) {
        self.over(EndKind::Timeout, "切れ負け", Some(!self.position.side_to_move()));
    }

    fn goes_on(&self) -> Result<(), Fault> {
        match self.end {
            None => Ok(()),
            Some(_) => Err(Fault::new(FaultCode::GameOver, "the game is over")),
        }
    }

    fn is_users_turn(&self) -> Result<(), Fault> {
        self.goes_on()?;
        match self.engine_to_move() {
            true => Err(Fault::new(FaultCode::NotYourTurn, "the engine is to move")),
            false => Ok(()),
        }
    }

    /// The user moves. A message that comes again (`ply` moves were played before it and the same
    /// move follows them) changes nothing.
    pub fn user_moves(&mut self, text: &str, ply: Option<u32>, now: Duration) -> Result<(), Fault> {
        if let Some(ply) = ply.map(|ply| ply as usize)
            && ply < self.plies.len()
        {
            let same = self.plies[ply].mv.to_string() == text;
            return same.then_some(()).ok_or_else(|| {
                Fault::new(FaultCode::NotYourTurn, format!("move {ply} was played already"))
            });
        }
        self.is_users_turn()?;
        let mv = illegal::check(&self.position, text).map_err(|illegal| Fault {
            illegal: Some(illegal),
            ..Fault::new(FaultCode::IllegalMove, format!("{text} is illegal"))
        })?;
        self.turn(mv, None, now);
        Ok(())
    }

    /// The engine has decided about the present position.
    pub fn engine_decides(&mut self, decision: EngineDecision, now: Duration) {
        if !self.engine_to_move() {
            return;
        }
        let side = self.position.side_to_move();
        match decision {
            EngineDecision::Move(mv, why) if self.position.is_legal(mv) => self.turn(mv, why, now),
            EngineDecision::Move(..) | EngineDecision::Resign => {
                self.over(EndKind::Resign, "投了", Some(!side));
            }
            EngineDecision::Declare => self.over(EndKind::Declaration, "入玉勝ち", Some(side)),
        }
    }

    /// Takes moves back until one of the user has been taken; the clocks go back, too.
    pub fn take_back(&mut self, now: Duration) -> Result<(), Fault> {
        let Some(to) = self.last_of_user() else {
            return Err(Fault::new(FaultCode::NothingToTakeBack, "there is no move to take back"));
        };
        for ply in self.plies.drain(to..).rev() {
            self.position.undo();
            self.clock = ply.clock;
        }
        self.end = None;
        self.since = now;
        Ok(())
    }

    /// The place of the user's last move.
    fn last_of_user(&self) -> Option<usize> {
        let mover = |place: usize| match place.is_multiple_of(2) {
            true => self.start.side_to_move(),
            false => !self.start.side_to_move(),
        };
        (0..self.plies.len()).rev().find(|&place| mover(place) == self.terms.user)
    }

    /// The user gives up, whoever is to move.
    pub fn resign(&mut self) -> Result<(), Fault> {
        self.goes_on()?;
        self.over(EndKind::Resign, "投了", Some(!self.terms.user));
        Ok(())
    }

    /// The user declares a win.
    pub fn declare(&mut self) -> Result<(), Fault> {
        self.is_users_turn()?;
        let view = crate::view::declaration_view(&self.position, self.terms.rule);
        if view.wins {
            self.over(EndKind::Declaration, "入玉勝ち", Some(self.terms.user));
        } else if view.no_contest {
            self.over(EndKind::Impasse, "持将棋", None);
        } else {
            let needed = view.needed.map_or("a try".into(), |needed| format!("{needed} points"));
            let message = format!("{} points, and {needed} are needed", view.points);
            return Err(Fault::new(FaultCode::NotDeclarable, message));
        }
        Ok(())
    }

    /// Somebody claims that the time of the side to move is over.
    pub fn claim(&mut self, now: Duration) -> Result<(), Fault> {
        self.goes_on()?;
        let side = self.position.side_to_move();
        let used = now.saturating_sub(self.since);
        match &self.clock {
            Some(clock) if used > clock.allowance(side) => {
                self.time_is_over();
                Ok(())
            }
            _ => Err(Fault::new(FaultCode::TimeLeft, "there is time left")),
        }
    }

    /// The clock stands still from `now` on, as if the present turn began when
    /// [`SessionGame::go_on`] is called; what was used is used.
    pub fn pause(&mut self, now: Duration) {
        let used = now.saturating_sub(self.since);
        let side = self.position.side_to_move();
        if let Some(clock) = self.clock.as_mut().filter(|_| self.end.is_none()) {
            clock.pause(side, used);
        }
        self.since = now;
    }

    /// The clock goes on at `now`.
    pub fn go_on(&mut self, now: Duration) {
        self.since = now;
    }

    /// The game as the page sees it at `now`.
    pub fn view(&self, thinking: Option<u32>, now: Duration) -> GameView {
        let mut position = self.start.clone();
        let moves = self.plies.iter().map(|ply| {
            let mv = move_view(&position, ply.mv);
            position.play(ply.mv);
            PlayedMove {
                mv,
                spent: ply.spent.as_millis() as u64,
                sfen: position.to_sfen(),
                speculative: ply.speculative.clone(),
            }
        });
        let moves = moves.collect();
        let running = self.end.is_none().then(|| self.position.side_to_move());
        let used = now.saturating_sub(self.since);
        GameView {
            level: self.terms.level,
            side: self.terms.user.into(),
            handicap: Handicap::of(&self.start).map(|handicap| handicap.name().to_string()),
            rule: self.terms.rule.name().to_string(),
            start: self.start.to_sfen(),
            moves,
            position: position_view(&self.position, self.terms.rule),
            clock: self.clock.as_ref().map(|clock| clock.view(running, used)),
            thinking,
            end: self.end.clone(),
            can_take_back: self.last_of_user().is_some(),
        }
    }

    /// The game as a record; one that goes on is marked as broken off.
    pub fn record(&self) -> Record {
        let mut record = Record::new(self.start.clone());
        let engine = format!("Yomikiri (level {})", self.terms.level);
        let names = match self.terms.user {
            Color::Black => ["", engine.as_str()],
            Color::White => [engine.as_str(), ""],
        };
        record.headers.set(header::BLACK, names[0]);
        record.headers.set(header::WHITE, names[1]);
        let mut at = NodeId::ROOT;
        for ply in &self.plies {
            at = record.add(at, RecordStep::Move(ply.mv));
            record.node_mut(at).spent = Some(ply.spent);
        }
        record.add(at, RecordStep::End(self.ending()));
        record
    }

    /// The end in the words of records, said of the side to move.
    fn ending(&self) -> Ending {
        let Some(end) = &self.end else { return Ending::Interrupted };
        let side = Side::from(self.position.side_to_move());
        let won = end.winner == Some(side);
        match end.end {
            EndKind::Mate => Ending::Mate,
            EndKind::Timeout => Ending::Timeout,
            EndKind::Repetition => Ending::Repetition,
            EndKind::PerpetualCheck if won => Ending::IllegalWin,
            EndKind::PerpetualCheck => Ending::IllegalLoss,
            EndKind::Impasse => Ending::Impasse,
            EndKind::MaximumMoves => Ending::MaximumMoves,
            EndKind::Declaration if won => Ending::EnteringKing,
            // Who resigns while the other is to move ends the game as one who has lost by default.
            EndKind::Resign if won => Ending::WinByDefault,
            // Records have no word for a try or for having no move left.
            _ => Ending::Resign,
        }
    }
}

mod saved;
pub use saved::SavedGame;

#[cfg(test)]
mod tests;
