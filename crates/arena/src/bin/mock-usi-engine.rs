//! An engine for tests of everything that drives engines: it plays badly on purpose.
//!
//! `mock-usi-engine BEHAVIOUR [key=value ..]`, where the behaviour is
//! * `random`: legal moves by chance; `seed=N`. The same position always brings the same move.
//! * `greedy`: the best capture by piece value, with probability `skill=PERCENT`, else random.
//! * `scripted`: the moves of `moves=7g7f,3c3d,..` one after the other, then resigns.
//! * `illegal`, `garbage`, `crash`, `silent`: random up to the `at=N`-th `go`, then a move that is
//!   not legal, a word that is no move, the end of the process, no answer ever.
//! * `slow`: random, but every answer takes `ms=N`; `stop` is handled.
//! * `deaf`: never says `usiok`.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use yomikiri_shogi::{Kind, Move, Position};
use yomikiri_usi::{Checkmate, Command, Go};

struct Mock {
    behaviour: String,
    settings: HashMap<String, String>,
    position: Position,
    searches: u64,
}

impl Mock {
    fn number(&self, key: &str, default: u64) -> u64 {
        self.settings.get(key).and_then(|value| value.parse().ok()).unwrap_or(default)
    }

    /// The move, the same for the same position whatever happened before.
    fn choose(&self) -> Option<Move> {
        let moves = self.position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let seed =
            self.number("seed", 1) ^ self.position.key() ^ u64::from(self.position.move_number());
        let mut random = fastrand::Rng::with_seed(seed);
        let greedy = self.behaviour == "greedy" && random.u64(0..100) < self.number("skill", 100);
        if greedy {
            let best = moves.iter().copied().max_by_key(|&mv| self.gain(mv));
            return best
                .filter(|&mv| self.gain(mv) > 0)
                .or(Some(moves[random.usize(..moves.len())]));
        }
        Some(moves[random.usize(..moves.len())])
    }

    fn gain(&self, mv: Move) -> i32 {
        let mut after = self.position.clone();
        after.play(mv);
        if after.is_mate() {
            return 10_000;
        }
        let captured = self.position.piece_on(mv.to()).map_or(0, |piece| value(piece.kind()));
        captured + i32::from(mv.is_promotion())
    }

    /// Answers `go`; false if the process must end.
    fn go(&mut self, go: &Go, commands: &Receiver<String>, out: &mut impl Write) -> bool {
        if go.mate.is_some() {
            return say(out, &Checkmate::NotImplemented.to_string());
        }
        self.searches += 1;
        if go.infinite || go.ponder {
            // Held until the next line comes in.
            match commands.recv() {
                Ok(line) if line == "quit" => return false,
                Ok(line) if line.starts_with("gameover") => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        let now = self.searches >= self.number("at", 1);
        match self.behaviour.as_str() {
            "crash" if now => return false,
            "silent" if now => return true,
            "illegal" if now => return say(out, "bestmove 1a1a+"),
            "garbage" if now => return say(out, "bestmove hello"),
            "slow" => match commands.recv_timeout(Duration::from_millis(self.number("ms", 100))) {
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return false,
            },
            _ => {}
        }
        let best = match self.behaviour.as_str() {
            "scripted" => {
                let script = self.settings.get("moves").map_or("", String::as_str);
                let index = usize::try_from(self.searches - 1).unwrap_or(usize::MAX);
                script.split(',').nth(index).map(str::to_string)
            }
            "random" if go.nodes.is_none() && !go.searchmoves.is_empty() => {
                go.searchmoves.first().map(|mv| mv.to_string())
            }
            _ => self.choose().map(|mv| mv.to_string()),
        };
        match best {
            Some(best) => {
                say(out, &format!("info depth 1 score cp {} nodes 1 pv {best}", self.searches % 7))
                    && say(out, &format!("bestmove {best}"))
            }
            None => say(out, "bestmove resign"),
        }
    }
}

fn value(kind: Kind) -> i32 {
    match kind.unpromoted() {
        Kind::Pawn => 1,
        Kind::Lance | Kind::Knight => 3,
        Kind::Silver => 5,
        Kind::Gold => 6,
        Kind::Bishop => 8,
        _ => 10,
    }
}

fn say(out: &mut impl Write, line: &str) -> bool {
    writeln!(out, "{line}").and_then(|()| out.flush()).is_ok()
}

fn main() {
    let mut args = std::env::args().skip(1);
    let behaviour = args.next().unwrap_or_else(|| "random".into());
    let settings = args
        .filter_map(|arg| arg.split_once('=').map(|(key, value)| (key.into(), value.into())))
        .collect();
    let mut mock = Mock { behaviour, settings, position: Position::start(), searches: 0 };
    let (sender, commands) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut out = std::io::stdout().lock();
    while let Ok(line) = commands.recv() {
        let goes_on = match line.parse() {
            Ok(Command::Usi) if mock.behaviour == "deaf" => true,
            Ok(Command::Usi) => {
                say(&mut out, "id name Mock\nid author The Yomikiri developers\nusiok")
            }
            Ok(Command::IsReady) => say(&mut out, "readyok"),
            Ok(Command::UsiNewGame) => {
                if mock.behaviour == "scripted" {
                    mock.searches = 0;
                }
                true
            }
            Ok(Command::Position(setup)) => {
                if let Ok(position) = setup.position() {
                    mock.position = position;
                }
                true
            }
            Ok(Command::Go(go)) => mock.go(&go, &commands, &mut out),
            Ok(Command::Quit) => false,
            _ => true,
        };
        if !goes_on {
            return;
        }
    }
}
