//! `yomikiri usi`: speaks USI on standard input and output, as GUIs expect.
//!
//! The reading thread never searches: while a search runs, the engine belongs to the thread that
//! thinks, and comes back with it. So `stop` is heard at once, and every `go` gets its answer.

mod talk;
mod translate;

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use talk::{Talker, say, say_together};
use translate::{clocks, limits, option_lines};
use yomikiri_engine::time::Planner;
use yomikiri_engine::{Control, Engine, Limits, Settings, mate};
use yomikiri_shogi::Position;
use yomikiri_usi::{
    BestMove, Checkmate, Command, Go, Id, Info, MateLimit, Reply, UsiError, excerpt,
};

/// Nothing to choose: the protocol sets everything.
#[derive(clap::Args)]
pub struct Args {}

/// Converses until `quit` or the end of input.
pub fn run(_: &Args) -> anyhow::Result<()> {
    let mut conversation = Conversation::new();
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => {
                conversation.finish();
                break;
            }
        }
        if conversation.hear(String::from_utf8_lossy(&line).trim()) == Then::End {
            break;
        }
    }
    conversation.rest();
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Then {
    GoOn,
    End,
}

/// Where the engine is.
enum Mind {
    /// Not made yet: making it takes time that `usi` does not have.
    Absent,
    Idle(Box<Engine>),
    Thinking {
        control: Arc<Control>,
        /// For the ponder hit.
        planner: Box<Planner>,
        /// Whether the search ends by itself after a fixed effort.
        fixed: bool,
        thread: JoinHandle<Box<Engine>>,
    },
}

/// What becomes of what earlier searches learned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Keep,
    Clear,
}

/// Seconds between two signs of life while the engine prepares.
const KEEP_ALIVE: Duration = Duration::from_secs(4);

struct Conversation {
    settings: Settings,
    mind: Mind,
    /// `None` after a position that could not be read.
    position: Option<Position>,
}

impl Conversation {
    fn new() -> Conversation {
        Conversation {
            settings: Settings::default(),
            mind: Mind::Absent,
            position: Some(Position::start()),
        }
    }

    fn hear(&mut self, line: &str) -> Then {
        match line.parse::<Command>() {
            Ok(Command::Quit) => return Then::End,
            Ok(command) => self.obey(command),
            Err(UsiError::Empty) => {}
            Err(error) => {
                if line.split_whitespace().next() == Some("position") {
                    self.position = None;
                }
                note(error.to_string());
            }
        }
        Then::GoOn
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Usi => introduce(),
            Command::SetOption { name, value } => {
                self.set_option(&name, value.as_deref().unwrap_or(""));
            }
            Command::IsReady => {
                // Here and not in `usinewgame`, after which no time is allowed for it.
                self.prepare(Memory::Clear);
                self.settings.faults().into_iter().for_each(note);
                say(&Reply::ReadyOk);
            }
            Command::UsiNewGame => {
                self.rest();
                if let Mind::Idle(engine) = &mut self.mind {
                    engine.new_game();
                }
            }
            Command::Position(setup) => match setup.position() {
                Ok(position) => self.position = Some(position),
                Err(error) => {
                    self.position = None;
                    note(format!("the position cannot be set up: {error}"));
                }
            },
            Command::Go(go) => self.go(&go),
            Command::PonderHit(clock) => {
                if let Mind::Thinking { control, planner, .. } = &self.mind {
                    control.ponder_hit(planner.on_ponder_hit(clocks(&clock)));
                }
            }
            Command::Stop | Command::GameOver(_) => self.stop(),
            Command::Quit => {}
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        if translate::is_ignored(name) {
            return;
        }
        // GUIs write an empty text so.
        let value = if value == "<empty>" { "" } else { value };
        if let Err(error) = self.settings.set(name, value) {
            note(error.to_string());
        }
    }

    fn stop(&self) {
        if let Mind::Thinking { control, .. } = &self.mind {
            control.stop();
        }
    }

    /// Waits for a search that ends by itself after a fixed effort: whoever pipes commands in wants
    /// its answer. Any other is left to be stopped, since nobody is there to wait for it.
    fn finish(&mut self) {
        self.mind = match core::mem::replace(&mut self.mind, Mind::Absent) {
            Mind::Thinking { control, thread, fixed: true, .. } if !control.is_pondering() => {
                thread.join().map_or(Mind::Absent, Mind::Idle)
            }
            mind => mind,
        };
    }

    /// Ends a running search and takes the engine back.
    fn rest(&mut self) {
        self.stop();
        self.mind = match core::mem::replace(&mut self.mind, Mind::Absent) {
            Mind::Thinking { thread, .. } => thread.join().map_or(Mind::Absent, Mind::Idle),
            mind => mind,
        };
    }

    /// Makes the engine fit the settings, with signs of life while that takes long.
    fn prepare(&mut self, memory: Memory) {
        self.rest();
        if let Mind::Idle(engine) = &self.mind
            && *engine.settings() == self.settings
            && (memory == Memory::Keep || engine.is_fresh())
        {
            // Nothing to make: on a busy machine every thread waits for its turn.
            return;
        }
        let mind = core::mem::replace(&mut self.mind, Mind::Absent);
        let settings = self.settings.clone();
        let (done, waiting) = std::sync::mpsc::channel();
        let maker = std::thread::spawn(move || {
            let engine = match mind {
                Mind::Idle(mut engine) => {
                    engine.configure(settings);
                    if memory == Memory::Clear {
                        engine.new_game();
                    }
                    engine
                }
                _ => Box::new(Engine::new(settings)),
            };
            // Nobody listens any more only if the whole process ends.
            let _ = done.send(());
            engine
        });
        while waiting.recv_timeout(KEEP_ALIVE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out).and_then(|()| out.flush());
        }
        if let Ok(engine) = maker.join() {
            let (asked, taken) = (self.settings.hash_megabytes, engine.hash_megabytes());
            if taken < asked {
                note(format!("USI_Hash {asked}: memory has room for {taken} MB, which are taken"));
            }
            self.mind = Mind::Idle(engine);
        }
    }

    fn go(&mut self, go: &Go) {
        // The GUI's clock runs while the engine takes its new settings.
        let asked = Instant::now();
        self.prepare(Memory::Keep);
        let Some(position) = self.position.clone() else {
            note("there is no valid position to search".to_string());
            say(&match go.mate {
                Some(_) => Reply::Checkmate(Checkmate::NotImplemented),
                None => Reply::BestMove(BestMove::Resign),
            });
            return;
        };
        let Mind::Idle(engine) = core::mem::replace(&mut self.mind, Mind::Absent) else {
            note("the engine could not be made".to_string());
            say(&Reply::BestMove(BestMove::Resign));
            return;
        };
        let control = engine.control();
        // Before the thread starts, so that a stop that follows at once is not lost.
        control.prepare_since(asked, go.ponder);
        let mate = go.mate;
        let limits = limits(go);
        let planner = Box::new(engine.planner(&position, &limits));
        let fixed = match mate {
            Some(limit) => limit != MateLimit::Infinite,
            None => planner.limits.is_fixed(),
        };
        let builder = std::thread::Builder::new().stack_size(64 << 20);
        let talker = Talker::new(&self.settings.front, limits.infinite);
        let work = move || match mate {
            Some(limit) => solve(engine, &position, limit),
            None => think(engine, &position, &limits, talker),
        };
        match builder.spawn(work) {
            Ok(thread) => self.mind = Mind::Thinking { control, planner, fixed, thread },
            Err(error) => {
                note(format!("no thread to think with: {error}"));
                say(&Reply::BestMove(BestMove::Resign));
            }
        }
    }
}

/// Thinks and answers. Even a fault in the search leaves no GUI waiting.
fn think(
    mut engine: Box<Engine>,
    position: &Position,
    limits: &Limits,
    mut talker: Talker,
) -> Box<Engine> {
    let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        engine.think_prepared(position, limits, &mut talker)
    }));
    let mut replies = Vec::new();
    let best = match thought {
        Ok(thought) => {
            replies.extend(talker.finish(&thought));
            translate::answer(&thought)
        }
        Err(_) => {
            note("the search failed; this is a fault worth reporting".to_string());
            let settings = engine.settings().clone();
            // Memory may have no room for two tables.
            drop(engine);
            engine = Box::new(Engine::new(settings));
            match position.legal_moves().first() {
                Some(&best) => BestMove::Move { best, ponder: None },
                None => BestMove::Resign,
            }
        }
    };
    replies.push(Reply::BestMove(best));
    say_together(&replies);
    engine
}

/// Answers `go mate`: moves only if the mate is proven and verified.
fn solve(engine: Box<Engine>, position: &Position, limit: MateLimit) -> Box<Engine> {
    let time = match limit {
        MateLimit::Infinite => None,
        MateLimit::Milliseconds(time) => Some(Duration::from_millis(time)),
    };
    let limits = mate::time_limit(time, engine.control().stop_flag());
    let asked = std::panic::catch_unwind(|| mate::ask(position, limits, true));
    say(&Reply::Checkmate(match asked {
        Ok((mate::Answer::Mate(mate), _)) => Checkmate::Moves(mate.line),
        Ok((mate::Answer::NoMate, _)) => Checkmate::NoMate,
        _ => Checkmate::Timeout,
    }));
    engine
}

fn introduce() {
    say(&Reply::Id(Id::Name(format!("Yomikiri {}", env!("CARGO_PKG_VERSION")))));
    say(&Reply::Id(Id::Author(env!("CARGO_PKG_AUTHORS").to_string())));
    for option in option_lines() {
        say(&Reply::Option(option));
    }
    say(&Reply::UsiOk);
}

/// Most characters of a message: some repeat what came in, which may be a megabyte.
const MOST_OF_NOTE: usize = 400;

fn note(text: String) {
    say(&Reply::Info(Info::string(excerpt(&text, MOST_OF_NOTE))));
}
