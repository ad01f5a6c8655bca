//! USI without threads: a line goes in, lines come out, and `go` searches to its end before the
//! next line is looked at. The host stops a search through [`Outside`].
//!
//! A search without an end of its own (`infinite`, `ponder`) answers when there is nothing more to
//! search; to hold the answer back until the GUI says `stop` is left to the host, which reads it.

use crate::searcher::Outside;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use yomikiri_base::{Clock, StopToken};
use yomikiri_engine::{Control, Engine, Limits, Observer, mate};
use yomikiri_play::usi_front::{
    Talker, UsiSettings, Voice, introduce, is_ignored, limits, option_lines,
};
use yomikiri_shogi::Position;
use yomikiri_usi::{
    BestMove, Checkmate, Command, Go, MateLimit, OptionDecl, OptionKind, Reply, UsiError,
};

/// Megabytes of the table by default.
const HASH: usize = 64;
/// Most megabytes of the table: a browser ends a page that takes too much.
const MOST_HASH: usize = 256;
/// The limit of a search that has none, so that it looks at its clock.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Options that need files or threads, which there are none of.
const WITHOUT: [&str; 6] =
    ["Threads", "EvalFile", "EvalDir", "BookFile", "BookDir", "quiescence.probcut_file"];

/// The options, as far as they mean something here.
#[must_use]
pub fn options() -> Vec<OptionDecl> {
    let mut options = option_lines();
    options.retain(|option| !WITHOUT.contains(&option.name.as_str()));
    for option in options.iter_mut().filter(|option| option.name == "USI_Hash") {
        if let OptionKind::Spin { default, max, .. } = &mut option.kind {
            (*default, *max) = (HASH as i64, MOST_HASH as i64);
        }
    }
    options
}

/// A conversation.
pub struct Usi {
    outside: Outside,
    voice: Voice,
    settings: UsiSettings,
    engine: Option<Engine>,
    /// `None` after a position that could not be read.
    position: Option<Position>,
    stop: Arc<Mutex<StopToken>>,
}

impl Usi {
    /// Begins; answers go to `voice`.
    #[must_use]
    pub fn new(outside: Outside, voice: Voice) -> Usi {
        let mut settings = UsiSettings::default();
        settings.engine.resources.hash_megabytes = HASH;
        let position = Some(Position::start());
        Usi { outside, voice, settings, engine: None, position, stop: Arc::default() }
    }

    /// Takes a line; whether the conversation goes on.
    pub fn line(&mut self, line: &str) -> bool {
        match line.trim().parse::<Command>() {
            Ok(Command::Quit) => return false,
            Ok(command) => self.dispatch(command),
            Err(UsiError::Empty) => {}
            Err(error) => {
                if line.split_whitespace().next() == Some("position") {
                    self.position = None;
                }
                self.voice.note(&error);
            }
        }
        true
    }

    fn dispatch(&mut self, command: Command) {
        match command {
            Command::Usi => introduce(&self.voice, options()),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::IsReady => {
                self.prepare();
                if let Some(engine) = &mut self.engine {
                    engine.new_game();
                }
                self.voice.say(&Reply::ReadyOk);
            }
            Command::UsiNewGame => {
                if let Some(engine) = &mut self.engine {
                    engine.new_game();
                }
            }
            Command::Position(setup) => match setup.position() {
                Ok(position) => self.position = Some(position),
                Err(error) => {
                    self.position = None;
                    self.voice.note(format_args!("the position cannot be set up: {error}"));
                }
            },
            Command::Go(go) => self.go(&go),
            // A search that could hear these has ended by now.
            Command::Stop | Command::PonderHit(_) | Command::GameOver(_) | Command::Quit => {}
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if is_ignored(name) {
            return;
        }
        let value = value.filter(|&value| value != "<empty>").unwrap_or("");
        if let Err(error) = self.settings.set(name, value) {
            self.voice.note(error);
        }
        let resources = &mut self.settings.engine.resources;
        resources.threads = 1;
        resources.hash_megabytes = resources.hash_megabytes.min(MOST_HASH);
    }

    /// The clock, which also brings the news of a stop.
    fn clock(&self) -> Clock {
        let (stop, Outside { now, stopped }) = (Arc::clone(&self.stop), self.outside.clone());
        Clock::from_fn(move || {
            if stopped()
                && let Ok(stop) = stop.lock()
            {
                stop.stop();
            }
            now()
        })
    }

    /// A token for a search to come.
    fn fresh_stop(&mut self) -> StopToken {
        let token = StopToken::new();
        if let Ok(mut stop) = self.stop.lock() {
            *stop = token.clone();
        }
        token
    }

    /// Makes the engine fit the settings.
    fn prepare(&mut self) {
        let settings = self.settings.engine.clone();
        let made = match &mut self.engine {
            Some(engine) => engine.configure(settings),
            None => Engine::new(settings).map(|engine| self.engine = Some(engine)),
        };
        if let Err(error) = made {
            self.voice.note(error);
        }
    }

    fn go(&mut self, go: &Go) {
        self.prepare();
        let stop = self.fresh_stop();
        let clock = self.clock();
        let Some(position) = self.position.clone() else {
            self.voice.note("there is no valid position to search");
            return self.voice.say(&match go.mate {
                Some(_) => Reply::Checkmate(Checkmate::NotImplemented),
                None => Reply::BestMove(BestMove::Resign),
            });
        };
        if let Some(limit) = go.mate {
            let answer = checkmate(&position, limit, &stop, clock);
            return self.voice.say(&Reply::Checkmate(answer));
        }
        let Some(engine) = &mut self.engine else {
            return self.voice.say(&Reply::BestMove(BestMove::Resign));
        };
        let (front, voice) = (&self.settings.front, self.voice.clone());
        let mut talker = Talker::new(front, &position, go.infinite, voice);
        let control = Arc::new(Control::new(&clock, false, stop));
        let outcome = engine.run_controlled(&position, &allowed(go), &control, &mut |event| {
            talker.event(event);
        });
        talker.finished(&Ok(outcome));
    }
}

/// What `go` allows, with a limit in any case; nobody could tell of a ponder hit.
fn allowed(go: &Go) -> Limits {
    let asked = limits(go);
    match asked.ponder || (asked.move_time.is_none() && asked.clocks.is_none()) {
        true => Limits {
            ponder: false,
            infinite: false,
            clocks: None,
            move_time: Some(LONGEST),
            ..asked
        },
        false => asked,
    }
}

fn checkmate(position: &Position, limit: MateLimit, stop: &StopToken, clock: Clock) -> Checkmate {
    let time = match limit {
        MateLimit::Infinite => LONGEST,
        MateLimit::Milliseconds(time) => Duration::from_millis(time),
    };
    let mut limits = mate::time_limit(Some(time), stop);
    limits.time_source = clock;
    match mate::ask(position, limits, true).0 {
        mate::MateAnswer::Mate(mate) => Checkmate::Moves(mate.line),
        mate::MateAnswer::NoMate => Checkmate::NoMate,
        _ => Checkmate::Timeout,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTSIDE: Outside = Outside { now: || Duration::ZERO, stopped: || false };

    /// A conversation, and what was said in it.
    struct Gui {
        usi: Usi,
        lines: Arc<Mutex<Vec<String>>>,
    }

    fn begin(outside: Outside) -> Gui {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&lines);
        let voice = Voice::new(move |text| {
            into.lock().unwrap().extend(text.lines().map(ToString::to_string));
        });
        Gui { usi: Usi::new(outside, voice), lines }
    }

    fn send(gui: &mut Gui, line: &str) -> Vec<String> {
        assert!(gui.usi.line(line));
        std::mem::take(&mut gui.lines.lock().unwrap())
    }

    #[test]
    fn a_conversation_gets_its_answers() {
        let mut usi = begin(OUTSIDE);
        let said = send(&mut usi, "usi");
        assert!(said[0].starts_with("id name Yomikiri") && said.last().unwrap() == "usiok");
        let hash = said.iter().find(|line| line.contains("USI_Hash")).unwrap();
        assert!(hash.ends_with("max 256"), "{hash}");
        assert!(
            WITHOUT.iter().all(|name| !said.iter().any(|line| line.contains(&format!(" {name} "))))
        );
        send(&mut usi, "setoption name USI_Hash value 4");
        assert_eq!(send(&mut usi, "isready"), ["readyok"]);
        send(&mut usi, "position startpos moves 7g7f");
        let said = send(&mut usi, "go depth 3");
        assert!(said.last().unwrap().starts_with("bestmove "), "{said:?}");
        assert!(said.iter().any(|line| line.starts_with("info depth")), "{said:?}");
        send(&mut usi, "position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
        assert_eq!(send(&mut usi, "go mate infinite"), ["checkmate G*5b"]);
        assert!(!usi.usi.line("quit"));
    }

    #[test]
    fn a_stop_ends_an_endless_search_with_a_move() {
        let mut usi = begin(Outside { stopped: || true, ..OUTSIDE });
        send(&mut usi, "setoption name USI_Hash value 4");
        let said = send(&mut usi, "go infinite");
        assert!(said.last().unwrap().starts_with("bestmove "), "{said:?}");
    }

    #[test]
    fn nonsense_is_noted_and_leaves_no_position() {
        let mut usi = begin(OUTSIDE);
        assert!(send(&mut usi, "position sfen x")[0].starts_with("info string"));
        assert_eq!(send(&mut usi, "go nodes 10").last().unwrap(), "bestmove resign");
        assert_eq!(send(&mut usi, "setoption name Threads value 8"), Vec::<String>::new());
        assert_eq!(usi.usi.settings.engine.resources.threads, 1);
    }
}
