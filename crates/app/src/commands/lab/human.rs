//! `yomikiri lab run speculative --human NAME`: the person at the keyboard as the subject.

use crate::commands::play::lines;
use crate::language;
use crate::output::{flush, print_styled};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use yomikiri_lab::experiments::speculative::human::{Notice, Reply, Seat, Session, Subject};
use yomikiri_lab::experiments::speculative::positions::Kind;
use yomikiri_play::person::{Request, View, draw, read};
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::japanese::move_name;

/// A session with the person at the keyboard.
pub fn session(name: &str, positions: usize) -> Session {
    println!(
        "{name}, you are the mating side: each position is a mate, to be played twice, once against each of two programs. \
         You have 30 seconds a move. Type moves as 7g7f, P*5e or ７六歩; `resign` if you see no mate, `quit` to leave and \
         go on another day."
    );
    let keyboard = Keyboard { lines: lines(), colours: std::io::stdout().is_terminal() };
    let seat = Seat { name: name.to_string(), kind: Kind::Defender, positions };
    Session { seat, subject: Mutex::new(Box::new(keyboard)) }
}

struct Keyboard {
    lines: Receiver<String>,
    colours: bool,
}

impl Keyboard {
    fn show(&self, position: &Position) {
        let bottom = position.side_to_move();
        let (language, notation) = (language::get(), language::notation());
        let names = ["", ""];
        let view = View { position, bottom, colours: self.colours, names, language, notation };
        print_styled(&format!("\n{}", draw(&view)));
    }
}

impl Subject for Keyboard {
    fn ask(&mut self, position: &Position, time: Duration) -> Reply {
        self.show(position);
        let begun = Instant::now();
        loop {
            let left = time.saturating_sub(begun.elapsed());
            print!("your move ({} s)> ", left.as_secs());
            flush();
            match self.lines.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) => {
                    println!("\nthe time is up");
                    return Reply::Fails;
                }
                Err(RecvTimeoutError::Disconnected) => return Reply::Leaves,
                Ok(line) => match read(&line, position) {
                    Ok(Request::Play(played)) => return Reply::Plays(played),
                    Ok(Request::Resign) => return Reply::Fails,
                    Ok(Request::Quit) => return Reply::Leaves,
                    Ok(_) => {}
                    Err(_) => println!("that is no legal move here"),
                },
            }
        }
    }

    fn hear(&mut self, position: &Position, notice: &Notice) {
        match notice {
            Notice::Begins(number, all) => println!("\nposition {number} of {all}"),
            Notice::Played(played) => {
                println!("the program plays {}", move_name(position, *played))
            }
            Notice::Repeats(Some(played)) => {
                println!("you met this before: {} again", move_name(position, *played));
            }
            Notice::Repeats(None) => println!("you met this before and had no answer"),
            Notice::Over(true) => println!("mate!"),
            Notice::Over(false) => println!("the mate was missed"),
        }
    }
}
