//! The subject of the experiment at a keyboard.

use super::human::{Subject, SubjectNotice, SubjectReply};
use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use yomikiri_play::Notation;
use yomikiri_play::person::{BoardView, PersonRequest, draw, read};
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::japanese::move_name;
use yomikiri_text::Language;

/// What the subject is shown before the first position.
#[must_use]
pub fn welcome(name: &str) -> String {
    format!(
        "{name}, you are the mating side: each position is a mate, to be played twice, once \
         against each of two programs. You have 30 seconds a move. Type moves as 7g7f, P*5e or \
         ７六歩; `resign` if you see no mate, `quit` to leave and go on another day."
    )
}

/// Somebody at a keyboard and a screen.
pub struct Keyboard<W> {
    /// What is typed, line by line.
    pub lines: Receiver<String>,
    /// The screen.
    pub screen: W,
    /// Whether it shows colours.
    pub colours: bool,
    /// The language of the board.
    pub language: Language,
    /// How pieces are written.
    pub notation: Notation,
}

impl<W: Write> Keyboard<W> {
    /// A screen that is gone shows nothing; the time runs out then.
    fn say(&mut self, text: &str) {
        let _ = self.screen.write_all(text.as_bytes()).and_then(|()| self.screen.flush());
    }

    fn show(&mut self, position: &Position) {
        let bottom = position.side_to_move();
        let (language, notation) = (self.language, self.notation);
        let names = ["", ""];
        let view = BoardView { position, bottom, colours: self.colours, names, language, notation };
        self.say(&format!("\n{}", draw(&view)));
    }
}

impl<W: Write + Send> Subject for Keyboard<W> {
    fn ask(&mut self, position: &Position, time: Duration) -> SubjectReply {
        self.show(position);
        let begun = Instant::now();
        loop {
            let left = time.saturating_sub(begun.elapsed());
            self.say(&format!("your move ({} s)> ", left.as_secs()));
            match self.lines.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) => {
                    self.say("\nthe time is up\n");
                    return SubjectReply::Fails;
                }
                Err(RecvTimeoutError::Disconnected) => return SubjectReply::Leaves,
                Ok(line) => match read(&line, position) {
                    Ok(PersonRequest::Play(played)) => return SubjectReply::Plays(played),
                    Ok(PersonRequest::Resign) => return SubjectReply::Fails,
                    Ok(PersonRequest::Quit) => return SubjectReply::Leaves,
                    Ok(_) => {}
                    Err(_) => self.say("that is no legal move here\n"),
                },
            }
        }
    }

    fn notify(&mut self, position: &Position, notice: &SubjectNotice) {
        match notice {
            SubjectNotice::Begins(number, all) => {
                self.say(&format!("\nposition {number} of {all}\n"))
            }
            SubjectNotice::Played(played) => {
                self.say(&format!("the program plays {}\n", move_name(position, *played)))
            }
            SubjectNotice::Repeats(Some(played)) => {
                self.say(&format!("you met this before: {} again\n", move_name(position, *played)));
            }
            SubjectNotice::Repeats(None) => self.say("you met this before and had no answer\n"),
            SubjectNotice::Over(true) => self.say("mate!\n"),
            SubjectNotice::Over(false) => self.say("the mate was missed\n"),
        }
    }
}
