//! A game together with all that its record says beside the moves.

use crate::clock::GameClock;
use crate::ending::GameOver;
use crate::game::{Decision, Game};
use crate::rules::Rules;
use std::time::Duration;
use yomikiri_shogi::record::{Headers, Node, NodeId, Record, RecordStep, header};
use yomikiri_shogi::{Color, Handicap, Move, Position};

/// What a record says about a move, or before the first one.
#[derive(Clone, Default)]
struct Remarks {
    comments: Vec<String>,
    bookmarks: Vec<String>,
}

impl Remarks {
    fn of(node: &Node) -> Remarks {
        Remarks { comments: node.comments.clone(), bookmarks: node.bookmarks.clone() }
    }

    fn write(&self, node: &mut Node) {
        node.comments.clone_from(&self.comments);
        node.bookmarks.clone_from(&self.bookmarks);
    }
}

/// A game that goes on from a record, and becomes one.
pub struct RecordedGame {
    headers: Headers,
    /// What was said before the first move.
    before: Remarks,
    /// What was said about the moves of the record.
    remarks: Vec<Remarks>,
    game: Game,
}

impl RecordedGame {
    /// Goes on from the first moves of a record's main line; all of them if no number is given.
    pub fn new(record: &Record, moves: Option<usize>, rules: Rules) -> RecordedGame {
        let (mut timed, mut remarks) = (Vec::new(), Vec::new());
        for id in record.main_line().take(moves.unwrap_or(usize::MAX)) {
            let node = record.node(id);
            let Some(mv) = node.played() else { break };
            timed.push((mv, node.spent));
            remarks.push(Remarks::of(node));
        }
        RecordedGame {
            headers: record.headers.clone(),
            before: Remarks::of(record.node(NodeId::ROOT)),
            remarks,
            game: Game::resumed(record.start().clone(), &timed, rules),
        }
    }

    /// Sets the clocks.
    #[must_use]
    pub fn with_clock(mut self, clock: Option<GameClock>) -> RecordedGame {
        self.game = self.game.with_clock(clock);
        self
    }

    /// Sets the players' names.
    pub fn name(&mut self, names: [&str; 2]) {
        self.headers.set(header::BLACK, names[0]);
        self.headers.set(header::WHITE, names[1]);
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Whether one side gave pieces away.
    pub fn is_handicap(&self) -> bool {
        Handicap::of(self.game.start()).is_some_and(|handicap| handicap != Handicap::Even)
    }

    /// The moves so far, each with the position before it.
    pub fn walk(&self) -> impl Iterator<Item = (Position, Move)> + '_ {
        let mut position = self.game.start().clone();
        self.game.plies().iter().map(move |ply| {
            let before = position.clone();
            position.play(ply.mv);
            (before, ply.mv)
        })
    }

    /// The side to move decides, after this time.
    pub fn apply(&mut self, decision: Decision, elapsed: Duration) {
        self.game.apply(decision, elapsed);
    }

    /// Says something about the last move, or before the first one.
    pub fn remark(&mut self, comment: impl Into<String>) {
        let moves = self.game.plies().len();
        self.remarks.resize_with(moves, Remarks::default);
        let remarks = self.remarks.last_mut().unwrap_or(&mut self.before);
        remarks.comments.push(comment.into());
    }

    /// Ends the game as somebody else has ruled.
    pub fn end(&mut self, over: GameOver) {
        self.game.end(over);
    }

    /// Takes moves back until one of a given side has been taken; how many were.
    pub fn take_back(&mut self, wanted: impl Fn(Color) -> bool) -> usize {
        let taken = self.game.take_back(wanted);
        self.remarks.truncate(self.game.plies().len());
        taken
    }

    /// The game as a record; one that goes on is marked as broken off.
    pub fn record(&self) -> Record {
        let mut record = Record::new(self.game.start().clone());
        record.headers = self.headers.clone();
        self.before.write(record.node_mut(NodeId::ROOT));
        let mut at = NodeId::ROOT;
        let none = Remarks::default();
        let remarks = self.remarks.iter().chain(std::iter::repeat(&none));
        for (ply, remarks) in self.game.plies().iter().zip(remarks) {
            at = record.add(at, RecordStep::Move(ply.mv));
            let node = record.node_mut(at);
            node.spent = ply.elapsed;
            remarks.write(node);
        }
        record.add(at, RecordStep::End(self.game.record_ending()));
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_shogi::record::{Ending, usi};

    #[test]
    fn what_a_record_says_is_kept_but_for_moves_taken_back() {
        let mut record = usi::read_line("startpos moves 7g7f 3c3d 2g2f", 1).unwrap();
        record.node_mut(NodeId::ROOT).comments.push("before".into());
        let ids: Vec<NodeId> = record.main_line().collect();
        for (id, text) in ids.iter().zip(["first", "second", "third"]) {
            record.node_mut(*id).comments.push(text.into());
            record.node_mut(*id).spent = Some(Duration::from_secs(2));
        }
        let mut game = RecordedGame::new(&record, None, Rules::default());
        game.name(["you", "me"]);
        assert_eq!(game.take_back(|side| side == Color::White), 2);
        game.apply(Decision::play("8c8d".parse().unwrap()), Duration::from_secs(7));
        game.remark("new");
        let record = game.record();
        let line: Vec<&Node> = record.main_line().map(|id| record.node(id)).collect();
        assert_eq!(record.node(NodeId::ROOT).comments, ["before"]);
        assert_eq!((&*line[0].comments[0], &*line[1].comments[0]), ("first", "new"));
        assert_eq!(line[0].spent, Some(Duration::from_secs(2)));
        assert_eq!(line[1].spent, Some(Duration::from_secs(7)));
        assert_eq!(record.headers.get(header::WHITE), Some("me"));
        assert_eq!(game.walk().count(), 2);
        assert_eq!(game.game().record_ending(), Ending::Interrupted);
        assert!(!game.is_handicap());
    }

    #[test]
    fn a_game_goes_on_from_any_move_of_a_record() {
        let record = usi::read_line("startpos moves 7g7f 3c3d 2g2f", 1).unwrap();
        let game = RecordedGame::new(&record, Some(1), Rules::default());
        assert_eq!(game.game().turn(), Some(Color::White));
        let circle = [" 5i5h 5a5b 5h5i 5b5a"; 3].concat();
        let record = usi::read_line(&format!("startpos moves{circle}"), 1).unwrap();
        let game = RecordedGame::new(&record, None, Rules::default());
        assert_eq!(game.game().record_ending(), Ending::Repetition);
        assert_eq!(game.record().winner(), None);
    }
}
