//! One game between two engines.

use super::adjudicate::{ByScore, Rules, by_score};
use super::player::Control;
use super::record::{End, Thought};
use std::fmt::Write;
use std::time::{Duration, Instant};
use yomikiri_base::StopToken;
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::{Color, Move, Outcome, Position};
use yomikiri_usi::client::{Client, ClientError, Searched};
use yomikiri_usi::{BestMove, Command, GameResult, Setup, Value};

/// How long the runner waits for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// So much later than its limit a move may come.
    pub margin: Duration,
    /// A move without a time limit may take so long.
    pub unlimited: Duration,
    /// After `stop`, the answer may take so long.
    pub stop: Duration,
    /// The introduction and `isready` may take so long without a word.
    pub start: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            margin: Duration::from_millis(200),
            unlimited: Duration::from_secs(120),
            stop: Duration::from_secs(3),
            start: Duration::from_secs(60),
        }
    }
}

/// A player at the board.
pub struct Seat<'a> {
    /// Its engine.
    pub client: &'a mut Client,
    /// How much it may think.
    pub control: Control,
}

/// A game that has been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The start and all moves.
    pub moves: Setup,
    /// One for each move after the opening.
    pub thoughts: Vec<Thought>,
    /// Who won.
    pub winner: Option<Color>,
    /// How it ended.
    pub end: End,
    /// What an engine answered or did, where that ended the game.
    pub note: String,
    /// Whose engine must be started anew.
    pub broken: Option<Color>,
}

/// The game was given up because the match is being interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// The state of a game.
struct Table<'a> {
    rules: &'a Rules,
    patience: &'a Patience,
    position: Position,
    /// What follows `position` in USI.
    text: String,
    moves: Setup,
    thoughts: Vec<Thought>,
    left: [u64; 2],
}

/// How a game ends, before it is written up.
struct Finish {
    winner: Option<Color>,
    end: End,
    note: String,
    broken: bool,
}

impl Finish {
    fn new(winner: Option<Color>, end: End) -> Finish {
        Finish { winner, end, note: String::new(), broken: false }
    }

    fn fault(loser: Color, end: End, note: impl Into<String>) -> Finish {
        Finish { winner: Some(!loser), end, note: note.into(), broken: false }
    }
}

/// Plays a game from the opening, whose position must be sound. The engines must be ready.
///
/// # Errors
/// If `stop` was set meanwhile.
pub fn play(
    mut seats: [Seat<'_>; 2],
    opening: &Setup,
    rules: &Rules,
    patience: &Patience,
    stop: &StopToken,
) -> Result<Played, Interrupted> {
    let position = opening.position().unwrap_or_else(|_| Position::start());
    let text = opening.to_string();
    let left = [0, 1].map(|side: usize| seats[side].control.time.unwrap_or(0));
    let mut table = Table {
        rules,
        patience,
        position,
        text,
        moves: opening.clone(),
        thoughts: Vec::new(),
        left,
    };
    let finish = loop {
        if stop.is_stopped() {
            return Err(Interrupted);
        }
        let side = table.position.side_to_move();
        if let Some(finish) = table.over().or_else(|| table.ply(&mut seats[side.index()])) {
            break finish;
        }
    };
    let side = table.position.side_to_move();
    let broken = finish.broken.then_some(side);
    tell_result(&mut seats, finish.winner, broken);
    Ok(Played {
        moves: table.moves,
        thoughts: table.thoughts,
        winner: finish.winner,
        end: finish.end,
        note: finish.note,
        broken,
    })
}

/// Tells both engines how it ended. One that is gone cannot hear it; the next game will see.
fn tell_result(seats: &mut [Seat<'_>; 2], winner: Option<Color>, broken: Option<Color>) {
    for color in Color::ALL.into_iter().filter(|&color| Some(color) != broken) {
        let result = match winner {
            None => GameResult::Draw,
            Some(winner) if winner == color => GameResult::Win,
            Some(_) => GameResult::Lose,
        };
        let _ = seats[color.index()].client.send(&Command::GameOver(result));
    }
}

impl Table<'_> {
    /// Whether the game is over before the next move.
    fn over(&self) -> Option<Finish> {
        let rules = self.rules;
        if let Some(outcome) = self.position.outcome(rules.entering_king, rules.maximum_moves) {
            let end = match outcome {
                Outcome::Mate { .. } => End::Mate,
                Outcome::NoMoves { .. } => End::NoMoves,
                Outcome::Repetition => End::Repetition,
                Outcome::PerpetualCheck { .. } => End::PerpetualCheck,
                Outcome::Try { .. } => End::Declaration,
                Outcome::MaximumMoves => End::MaximumMoves,
            };
            return Some(Finish::new(outcome.winner(), end));
        }
        let side = self.position.side_to_move();
        if rules.declare_for_players
            && self.position.declaration(rules.entering_king) == Some(Declaration::Win)
        {
            return Some(Finish::new(Some(side), End::Declaration));
        }
        if rules.resign.is_none() && rules.draw.is_none() {
            return None;
        }
        let longest = rules.resign.map_or(0, |rule| rule.moves);
        let longest = 2 * longest.max(rules.draw.map_or(0, |rule| rule.moves));
        let recent = &self.thoughts[self.thoughts.len().saturating_sub(longest)..];
        let scores: Vec<Option<i32>> = recent.iter().map(|thought| thought.score).collect();
        match by_score(rules, &scores, !side, self.position.move_number())? {
            ByScore::Won(winner) => Some(Finish::new(Some(winner), End::ResignRule)),
            ByScore::Drawn => Some(Finish::new(None, End::DrawRule)),
        }
    }

    /// Asks for a move and plays it, unless that ends the game.
    fn ply(&mut self, seat: &mut Seat<'_>) -> Option<Finish> {
        let side = self.position.side_to_move();
        let left = self.left[side.index()];
        let limit = seat.control.limit(left).map(Duration::from_millis);
        let timeout = limit.map_or(self.patience.unlimited, |limit| limit + self.patience.margin);
        let go = seat.control.go(self.left);
        let asked = match seat.client.ask(&self.text, &go) {
            Ok(asked) => asked,
            Err(error) => return Some(failure(side, &error)),
        };
        match seat.client.answer(asked, timeout) {
            Ok(searched) => {
                let used = u64::try_from(searched.elapsed.as_millis()).unwrap_or(u64::MAX);
                self.left[side.index()] = seat.control.after_move(left, used);
                self.accept(side, &searched)
            }
            Err(ClientError::Silent { .. }) => {
                Some(self.overdue(side, seat, limit.is_some(), asked))
            }
            Err(error) => Some(failure(side, &error)),
        }
    }

    fn accept(&mut self, side: Color, searched: &Searched) -> Option<Finish> {
        match searched.best {
            BestMove::Resign => Some(Finish::new(Some(!side), End::Resignation)),
            BestMove::Win => Some(match self.position.declaration(self.rules.entering_king) {
                Some(Declaration::Win | Declaration::Try(_)) => {
                    Finish::new(Some(side), End::Declaration)
                }
                Some(Declaration::NoContest) => Finish::new(None, End::Declaration),
                None => Finish::fault(side, End::WrongDeclaration, "bestmove win"),
            }),
            BestMove::Move { best, .. } if !self.position.is_legal(best) => {
                Some(Finish::fault(side, End::Illegal, format!("bestmove {best}")))
            }
            BestMove::Move { best, .. } => {
                self.play(best, searched);
                None
            }
        }
    }

    fn play(&mut self, played: Move, searched: &Searched) {
        let info = searched.info.as_ref();
        self.thoughts.push(Thought {
            score: info.and_then(|info| info.score).map(|score| match score.value {
                Value::Centipawns(score) => score.clamp(-29_999, 29_999),
                Value::Mate(mate) if mate.winning => 30_000,
                Value::Mate(_) => -30_000,
            }),
            nodes: info.and_then(|info| info.nodes),
            micros: u64::try_from(searched.elapsed.as_micros()).unwrap_or(u64::MAX),
        });
        self.position.play(played);
        if self.moves.moves.is_empty() {
            self.text.push_str(" moves");
        }
        self.moves.moves.push(played);
        // Writing to a string cannot fail.
        let _ = write!(self.text, " {played}");
    }

    /// The answer is late. An engine that still answers to `stop` can go on.
    fn overdue(&self, side: Color, seat: &mut Seat<'_>, had_limit: bool, asked: Instant) -> Finish {
        let waited = asked.elapsed();
        if seat.client.send(&Command::Stop).is_ok() {
            match seat.client.answer(Instant::now(), self.patience.stop) {
                Ok(_) if had_limit => {
                    let note = format!("no answer after {} ms", waited.as_millis());
                    return Finish::fault(side, End::Time, note);
                }
                Ok(_) => return Finish::fault(side, End::Time, "no answer before stop"),
                Err(ClientError::Silent { .. }) => {}
                Err(error) => return failure(side, &error),
            }
        }
        let note = format!("silent for {} ms", asked.elapsed().as_millis());
        Finish { broken: true, ..Finish::fault(side, End::Silence, note) }
    }
}

fn failure(side: Color, error: &ClientError) -> Finish {
    match error {
        ClientError::BadAnswer { line } => Finish::fault(side, End::Illegal, line.clone()),
        ClientError::Silent { .. } => {
            Finish { broken: true, ..Finish::fault(side, End::Silence, error.to_string()) }
        }
        ClientError::Spawn { .. } | ClientError::Exited { .. } => {
            Finish { broken: true, ..Finish::fault(side, End::Crash, error.to_string()) }
        }
    }
}
