//! One game as a state machine: whose turn it is, what was decided, and whether it is over.

use crate::clock::GameClock;
use crate::ending::{End, GameOver};
use crate::rules::{ByScore, Rules, by_score};
use std::time::Duration;
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::record::Ending;
use yomikiri_shogi::{Color, Move, Outcome, Position};

/// What a player said about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveInfo {
    /// The score for the mover, in hundredths of a pawn.
    pub score: Option<i32>,
    /// The nodes it says it searched.
    pub nodes: Option<u64>,
}

/// What a player does at its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Plays a move; one that is not legal loses.
    Move(Move, MoveInfo),
    /// Gives up.
    Resign,
    /// Claims the game by the entering-king rule; a claim that does not hold loses.
    Declare,
    /// Loses by a fault, and what it was.
    Forfeit(End, String),
}

impl Decision {
    /// A move of which nothing more is known.
    pub fn play(mv: Move) -> Decision {
        Decision::Move(mv, MoveInfo::default())
    }

    /// The time has run out.
    pub fn time_up() -> Decision {
        Decision::Forfeit(End::Time, String::new())
    }
}

/// A move of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedPly {
    /// The move.
    pub mv: Move,
    /// How long it took; unknown in openings.
    pub elapsed: Option<Duration>,
    /// What the player said about it.
    pub info: MoveInfo,
}

/// A game under way, or just ended.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    start: Position,
    position: Position,
    plies: Vec<PlayedPly>,
    /// How many plies were played before the players sat down.
    opening: usize,
    clock: Option<GameClock>,
    over: Option<GameOver>,
}

impl Game {
    /// A game that begins after the moves of an opening, which must be legal. It may be over there
    /// already.
    pub fn new(start: Position, opening: &[Move], rules: Rules) -> Game {
        let mut game = Game::before(start, rules);
        opening.iter().for_each(|&mv| game.push(mv, None, MoveInfo::default()));
        game.opening = game.plies.len();
        game.over = game.judge();
        game
    }

    /// The same with the times that are known of its moves.
    pub fn resumed(start: Position, moves: &[(Move, Option<Duration>)], rules: Rules) -> Game {
        let mut game = Game::before(start, rules);
        moves.iter().for_each(|&(mv, elapsed)| game.push(mv, elapsed, MoveInfo::default()));
        game.opening = game.plies.len();
        game.over = game.judge();
        game
    }

    fn before(start: Position, rules: Rules) -> Game {
        let position = start.clone();
        Game { rules, start, position, plies: Vec::new(), opening: 0, clock: None, over: None }
    }

    /// Sets the clocks.
    #[must_use]
    pub fn with_clock(mut self, clock: Option<GameClock>) -> Game {
        self.clock = clock;
        self
    }

    /// Whose turn it is; nobody's when the game is over.
    pub fn turn(&self) -> Option<Color> {
        self.over.is_none().then(|| self.position.side_to_move())
    }

    /// How the game is over, if it is.
    pub fn over(&self) -> Option<&GameOver> {
        self.over.as_ref()
    }

    /// Who won; nobody in a draw or before the end.
    pub fn winner(&self) -> Option<Color> {
        self.over.as_ref().and_then(|over| over.winner)
    }

    /// How records call the end; a game that goes on is broken off.
    pub fn record_ending(&self) -> Ending {
        let side = self.position.side_to_move();
        self.over.as_ref().map_or(Ending::Interrupted, |over| over.record_ending(side))
    }

    /// What it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// All moves, those of the opening included.
    pub fn plies(&self) -> &[PlayedPly] {
        &self.plies
    }

    /// The moves that the players made.
    pub fn played(&self) -> &[PlayedPly] {
        &self.plies[self.opening.min(self.plies.len())..]
    }

    /// The clocks, if there are any.
    pub fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// The longest that the side to move may think; `None` without a clock.
    pub fn allowance(&self) -> Option<Duration> {
        self.clock.as_ref()?.allowance(self.position.side_to_move())
    }

    /// The side to move decides, after this time. Nothing happens once the game is over.
    pub fn apply(&mut self, decision: Decision, elapsed: Duration) {
        if self.over.is_some() {
            return;
        }
        let side = self.position.side_to_move();
        self.over = match decision {
            Decision::Move(mv, info) => self.apply_move(side, mv, info, elapsed),
            Decision::Resign => Some(GameOver::new(Some(!side), End::Resignation)),
            Decision::Declare => Some(self.declared(side)),
            Decision::Forfeit(end, note) => Some(GameOver::fault(side, end, note)),
        };
    }

    fn apply_move(
        &mut self,
        side: Color,
        mv: Move,
        info: MoveInfo,
        elapsed: Duration,
    ) -> Option<GameOver> {
        if !self.position.is_legal(mv) {
            return Some(GameOver::fault(side, End::Illegal, format!("bestmove {mv}")));
        }
        if self.clock.as_mut().is_some_and(|clock| !clock.charge(side, elapsed)) {
            let note = format!("bestmove {mv} after {} ms", elapsed.as_millis());
            return Some(GameOver::fault(side, End::Time, note));
        }
        self.push(mv, Some(elapsed), info);
        self.judge()
    }

    fn declared(&self, side: Color) -> GameOver {
        match self.position.declaration(self.rules.entering_king) {
            Some(Declaration::Win | Declaration::Try(_)) => {
                GameOver::new(Some(side), End::Declaration)
            }
            Some(Declaration::NoContest) => GameOver::new(None, End::Declaration),
            None => GameOver::fault(side, End::WrongDeclaration, "bestmove win"),
        }
    }

    /// Ends the game by a ruling that is not among its rules: won for a side, or drawn. Nothing
    /// happens once it is over.
    pub fn adjudicate(&mut self, winner: Option<Color>) {
        let end = if winner.is_some() { End::ResignRule } else { End::DrawRule };
        self.over.get_or_insert(GameOver::new(winner, end));
    }

    /// Ends the game as somebody else has ruled, whatever it looked like here.
    pub fn end(&mut self, over: GameOver) {
        self.over = Some(over);
    }

    /// Takes moves back until one of a given side has been taken; how many were. The
    /// end, if there was one, is gone too. The clocks go on as they stand.
    pub fn take_back(&mut self, wanted: impl Fn(Color) -> bool) -> usize {
        let first = self.start.side_to_move();
        let mover = |at: usize| if at.is_multiple_of(2) { first } else { !first };
        let Some(to) = (0..self.plies.len()).rev().find(|&at| wanted(mover(at))) else {
            return 0;
        };
        let taken = self.plies.len() - to;
        self.plies.truncate(to);
        (0..taken).for_each(|_| self.position.undo());
        self.over = None;
        taken
    }

    fn push(&mut self, mv: Move, elapsed: Option<Duration>, info: MoveInfo) {
        self.position.play(mv);
        self.plies.push(PlayedPly { mv, elapsed, info });
    }

    /// Whether the rules end the game before the next move.
    fn judge(&self) -> Option<GameOver> {
        let rules = &self.rules;
        if let Some(outcome) = self.outcome() {
            return Some(GameOver::new(outcome.winner(), outcome.into()));
        }
        let side = self.position.side_to_move();
        if rules.declare_for_players
            && self.position.declaration(rules.entering_king) == Some(Declaration::Win)
        {
            return Some(GameOver::new(Some(side), End::Declaration));
        }
        match self.by_score(!side)? {
            ByScore::Won(winner) => Some(GameOver::new(Some(winner), End::ResignRule)),
            ByScore::Drawn => Some(GameOver::new(None, End::DrawRule)),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let (rule, most) = (self.rules.entering_king, self.rules.maximum_moves);
        match self.position.outcome(rule, most)? {
            Outcome::Repetition | Outcome::PerpetualCheck { .. } if !self.rules.repetition => {
                let too_long = most != 0 && self.position.move_number() > most;
                too_long.then_some(Outcome::MaximumMoves)
            }
            outcome => Some(outcome),
        }
    }

    fn by_score(&self, last_mover: Color) -> Option<ByScore> {
        let longest = 2 * self.rules.longest_row();
        let played = self.played();
        let recent = &played[played.len().saturating_sub(longest)..];
        if recent.is_empty() {
            return None;
        }
        let scores: Vec<Option<i32>> = recent.iter().map(|ply| ply.info.score).collect();
        by_score(&self.rules, &scores, last_mover, self.position.move_number())
    }
}

#[cfg(test)]
mod tests;
