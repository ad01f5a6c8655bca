//! The game that is played: its moves and times, how it ends, and its record.

use std::time::Duration;
use yomikiri_shogi::record::{Ending, Headers, NodeId, Record, Step, header};
use yomikiri_shogi::{Color, EnteringKingRule, Handicap, Move, Outcome, Position};

/// A move and what belongs to it.
struct Ply {
    played: Move,
    spent: Option<Duration>,
    comments: Vec<String>,
    bookmarks: Vec<String>,
}

/// A game under way, or just ended.
pub struct Game {
    headers: Headers,
    /// What was said before the first move.
    comments: Vec<String>,
    bookmarks: Vec<String>,
    start: Position,
    position: Position,
    plies: Vec<Ply>,
    ending: Option<Ending>,
    rule: EnteringKingRule,
}

impl Game {
    /// Goes on from the first moves of a record's main line; all of them if no number is given.
    pub fn new(record: &Record, moves: Option<usize>, rule: EnteringKingRule) -> Game {
        let mut game = Game {
            headers: record.headers.clone(),
            comments: record.node(NodeId::ROOT).comments.clone(),
            bookmarks: record.node(NodeId::ROOT).bookmarks.clone(),
            start: record.start().clone(),
            position: record.start().clone(),
            plies: Vec::new(),
            ending: None,
            rule,
        };
        for id in record.main_line().take(moves.unwrap_or(usize::MAX)) {
            let node = record.node(id);
            let Some(played) = node.played() else { break };
            game.play(played, node.spent);
            if let Some(ply) = game.plies.last_mut() {
                ply.comments = node.comments.clone();
                ply.bookmarks = node.bookmarks.clone();
            }
        }
        game
    }

    /// Sets the players' names.
    pub fn name(&mut self, names: [&str; 2]) {
        self.headers.set(header::BLACK, names[0]);
        self.headers.set(header::WHITE, names[1]);
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether one side gave pieces away.
    pub fn is_handicap(&self) -> bool {
        Handicap::of(&self.start).is_some_and(|handicap| handicap != Handicap::Even)
    }

    /// The moves so far, each with the position before it.
    pub fn walk(&self) -> impl Iterator<Item = (Position, Move)> + '_ {
        let mut position = self.start.clone();
        self.plies.iter().map(move |ply| {
            let before = position.clone();
            position.play(ply.played);
            (before, ply.played)
        })
    }

    /// How many moves were played.
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    /// Plays a legal move; the rules may end the game with it.
    pub fn play(&mut self, played: Move, spent: Option<Duration>) {
        self.plies.push(Ply { played, spent, comments: Vec::new(), bookmarks: Vec::new() });
        self.position.play(played);
        self.ending = self.position.outcome(self.rule, 0).map(|o| ending(o, &self.position));
    }

    /// Takes moves back until one of the given side has been taken; how many were. The ending, if
    /// there was one, is gone too.
    pub fn take_back(&mut self, wants: impl Fn(Color) -> bool) -> usize {
        let side_before = |count: usize| match count.is_multiple_of(2) {
            true => self.start.side_to_move(),
            false => !self.start.side_to_move(),
        };
        let Some(to) = (0..self.plies.len()).rev().find(|&count| wants(side_before(count))) else {
            return 0;
        };
        let taken = self.plies.len() - to;
        self.plies.truncate(to);
        (0..taken).for_each(|_| self.position.undo());
        self.ending = None;
        taken
    }

    /// Ends the game, said of the side to move.
    pub fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
    }

    /// How it ended.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Who won; nobody in a draw or before the end.
    pub fn winner(&self) -> Option<Color> {
        self.ending.as_ref().and_then(|ending| ending.winner(self.position.side_to_move()))
    }

    /// The game as a record; one that goes on is marked as broken off.
    pub fn record(&self) -> Record {
        let mut record = Record::new(self.start.clone());
        record.headers = self.headers.clone();
        let root = record.node_mut(NodeId::ROOT);
        root.comments = self.comments.clone();
        root.bookmarks = self.bookmarks.clone();
        let mut at = NodeId::ROOT;
        for ply in &self.plies {
            at = record.add(at, Step::Move(ply.played));
            let node = record.node_mut(at);
            node.spent = ply.spent;
            node.comments = ply.comments.clone();
            node.bookmarks = ply.bookmarks.clone();
        }
        record.add(at, Step::End(self.ending.clone().unwrap_or(Ending::Interrupted)));
        record
    }
}

/// The end that the rules make, said of the side to move.
fn ending(outcome: Outcome, position: &Position) -> Ending {
    let won = outcome.winner() == Some(position.side_to_move());
    match outcome {
        Outcome::Mate { .. } => Ending::Mate,
        Outcome::Repetition => Ending::Repetition,
        Outcome::MaximumMoves => Ending::MaximumMoves,
        Outcome::PerpetualCheck { .. } if won => Ending::IllegalWin,
        Outcome::PerpetualCheck { .. } => Ending::IllegalLoss,
        // Records have no word for a try or for having no move left.
        Outcome::NoMoves { .. } | Outcome::Try { .. } => Ending::Resign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_shogi::record::usi;

    fn game(text: &str) -> Game {
        Game::new(&usi::read_line(text, 1).unwrap(), None, EnteringKingRule::CsaRule27)
    }

    #[test]
    fn taking_back_goes_to_the_players_own_last_move() {
        let mut game = game("startpos moves 7g7f 3c3d 2g2f");
        assert_eq!(game.take_back(|side| side == Color::White), 2);
        assert_eq!(game.position().side_to_move(), Color::White);
        assert_eq!(game.take_back(|side| side == Color::White), 0);
        assert_eq!(game.take_back(|side| side == Color::Black), 1);
        assert_eq!(game.position().to_sfen(), Position::start().to_sfen());
    }

    #[test]
    fn mate_ends_the_game_and_can_be_taken_back() {
        let mut game = game("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        game.play("G*5b".parse().unwrap(), Some(Duration::from_secs(3)));
        assert_eq!((game.ending(), game.winner()), (Some(&Ending::Mate), Some(Color::Black)));
        let record = game.record();
        assert_eq!(record.winner(), Some(Color::Black));
        assert_eq!(game.take_back(|_| true), 1);
        assert_eq!((game.ending(), game.winner()), (None, None));
    }

    #[test]
    fn the_fourth_repetition_is_a_draw() {
        let circle = "5i5h 5a5b 5h5i 5b5a";
        let moves = [circle; 3].join(" ");
        let game = game(&format!("startpos moves {moves}"));
        assert_eq!(game.ending(), Some(&Ending::Repetition));
        assert_eq!(game.winner(), None);
    }
}
