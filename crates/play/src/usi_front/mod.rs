//! The engine as GUIs know it: a conversation in USI.
//!
//! The reading thread never searches: a search runs on a thread of its own and answers there. So
//! `stop` is handled at once, and every `go` gets its answer.

mod settings;
mod talk;
mod translate;

pub use settings::{FrontSettings, UsiSettings};
pub use talk::{Talker, Voice};
pub use translate::{is_ignored, limits, option_lines};

use std::io::BufRead;
use std::panic::AssertUnwindSafe;
use std::thread::JoinHandle;
use std::time::Duration;
use translate::clocks;
use yomikiri_base::{Clock, StopToken, Stopwatch};
use yomikiri_engine::{Engine, EngineError, Search, Settings, mate};
use yomikiri_shogi::Position;
use yomikiri_usi::{BestMove, Checkmate, Command, Go, Id, MateLimit, OptionDecl, Reply, UsiError};

/// Converses until `quit` or the end of input.
pub fn converse(mut input: impl BufRead, clock: Clock, voice: Voice) {
    let mut conversation = Conversation::new(clock, voice);
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
        let line = String::from_utf8_lossy(&line);
        if conversation.handle_line(line.trim()) == Flow::End {
            break;
        }
    }
    conversation.stop_and_join();
}

/// Why a search could not be begun.
#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error("the engine could not be made")]
    NoEngine,
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Thread(#[from] std::io::Error),
}

#[derive(PartialEq, Eq)]
enum Flow {
    GoOn,
    End,
}

/// What runs beside the reading thread.
enum Running {
    Nothing,
    Search(Search),
    /// The mate solver, which answers by itself.
    Mate {
        stop: StopToken,
        limit: MateLimit,
        thread: JoinHandle<()>,
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
    settings: UsiSettings,
    clock: Clock,
    voice: Voice,
    /// `None` as long as it is not needed: making it takes time that `usi` does not have.
    engine: Option<Engine>,
    running: Running,
    /// `None` after a position that could not be read.
    position: Option<Position>,
}

impl Conversation {
    fn new(clock: Clock, voice: Voice) -> Conversation {
        Conversation {
            settings: UsiSettings::default(),
            clock,
            voice,
            engine: None,
            running: Running::Nothing,
            position: Some(Position::start()),
        }
    }

    fn handle_line(&mut self, line: &str) -> Flow {
        match line.parse::<Command>() {
            Ok(Command::Quit) => return Flow::End,
            Ok(command) => self.dispatch(command),
            Err(UsiError::Empty) => {}
            Err(error) => {
                if line.split_whitespace().next() == Some("position") {
                    self.position = None;
                }
                self.voice.note(&error);
            }
        }
        Flow::GoOn
    }

    fn dispatch(&mut self, command: Command) {
        match command {
            Command::Usi => introduce(&self.voice, option_lines()),
            Command::SetOption { name, value } => {
                self.set_option(&name, value.as_deref().unwrap_or(""));
            }
            Command::IsReady => {
                // Here and not in `usinewgame`, after which no time is allowed for it.
                self.prepare(Memory::Clear);
                self.voice.say(&Reply::ReadyOk);
            }
            Command::UsiNewGame => {
                self.stop_and_join();
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
            Command::PonderHit(clock) => {
                if let Running::Search(search) = &self.running {
                    search.ponder_hit(clocks(&clock), self.clock.stopwatch());
                }
            }
            Command::Stop | Command::GameOver(_) => self.stop(),
            Command::Quit => {}
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        if is_ignored(name) {
            return;
        }
        // GUIs write an empty text so.
        let value = if value == "<empty>" { "" } else { value };
        if let Err(error) = self.settings.set(name, value) {
            self.voice.note(error);
        }
    }

    fn stop(&self) {
        match &self.running {
            Running::Nothing => {}
            Running::Search(search) => search.stop(),
            Running::Mate { stop, .. } => {
                stop.stop();
            }
        }
    }

    /// Waits for a search that ends by itself after a fixed effort: whoever pipes commands in wants
    /// its answer. Any other is left to be stopped, since nobody is there to wait for it.
    fn finish(&mut self) {
        let ends = match &self.running {
            Running::Nothing => false,
            Running::Search(search) => {
                let controller = search.controller();
                controller.is_fixed() && !controller.is_pondering()
            }
            Running::Mate { limit, .. } => *limit != MateLimit::Infinite,
        };
        if ends {
            self.join();
        }
    }

    fn stop_and_join(&mut self) {
        self.stop();
        self.join();
    }

    fn join(&mut self) {
        match core::mem::replace(&mut self.running, Running::Nothing) {
            Running::Nothing => {}
            // The observer has said everything, also about a fault.
            Running::Search(search) => drop(search.join()),
            Running::Mate { thread, .. } => drop(thread.join()),
        }
    }

    /// Makes the engine fit the settings, with signs of life while that takes long.
    fn prepare(&mut self, memory: Memory) {
        self.stop_and_join();
        if let Some(engine) = &self.engine
            && *engine.settings() == self.settings.engine
            && (memory == Memory::Keep || engine.is_fresh())
        {
            // Nothing to make: on a busy machine every thread waits for its turn.
            return;
        }
        let (engine, settings) = (self.engine.take(), self.settings.engine.clone());
        let clock = self.clock.clone();
        let (done, waiting) = std::sync::mpsc::channel();
        let maker = std::thread::spawn(move || {
            let made = make_engine(engine, settings, &clock, memory);
            // Nobody listens any more only if the whole process ends.
            let _ = done.send(());
            made
        });
        while waiting.recv_timeout(KEEP_ALIVE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            self.voice.sign_of_life();
        }
        let Ok((engine, faults)) = maker.join() else { return };
        faults.into_iter().for_each(|fault| self.voice.note(fault));
        if let Some(engine) = &engine {
            // Without the files that are at fault.
            self.settings.engine = engine.settings().clone();
            let asked = self.settings.engine.resources.hash_megabytes;
            let taken = engine.hash_megabytes();
            if taken < asked {
                let room = format_args!("memory has room for {taken} MB, which are taken");
                self.voice.note(format_args!("USI_Hash {asked}: {room}"));
            }
        }
        self.engine = engine;
    }

    fn go(&mut self, go: &Go) {
        // The GUI's clock runs while the engine takes its new settings.
        let asked = self.clock.stopwatch();
        self.prepare(Memory::Keep);
        let Some(position) = self.position.clone() else {
            self.voice.note("there is no valid position to search");
            self.voice.say(&match go.mate {
                Some(_) => Reply::Checkmate(Checkmate::NotImplemented),
                None => Reply::BestMove(BestMove::Resign),
            });
            return;
        };
        let started = match go.mate {
            Some(limit) => start_mate(position, limit, self.voice.clone()),
            None => self.start_search(&position, go, asked),
        };
        match started {
            Ok(running) => self.running = running,
            Err(error) => {
                self.voice.note(error);
                self.voice.say(&Reply::BestMove(BestMove::Resign));
            }
        }
    }

    fn start_search(
        &mut self,
        position: &Position,
        go: &Go,
        asked: Stopwatch,
    ) -> Result<Running, StartError> {
        let limits = limits(go);
        let talker =
            Talker::new(&self.settings.front, position, limits.infinite, self.voice.clone());
        let engine = self.engine.as_mut().ok_or(StartError::NoEngine)?;
        Ok(Running::Search(engine.start_observed(position, &limits, asked, talker)?))
    }
}

/// An engine with these settings. Files at fault are reported and left out: a GUI waits for an
/// answer.
fn make_engine(
    engine: Option<Engine>,
    mut settings: Settings,
    clock: &Clock,
    memory: Memory,
) -> (Option<Engine>, Vec<EngineError>) {
    let (mut engine, mut faults) = (engine, Vec::new());
    loop {
        let made = match &mut engine {
            Some(engine) => engine.configure(settings.clone()),
            None => Engine::new(settings.clone())
                .map(|made| engine = Some(made.with_clock(clock.clone()))),
        };
        let Err(fault) = made else { break };
        let before = settings.clone();
        fault.reset(&mut settings);
        faults.push(fault);
        if settings == before {
            break;
        }
    }
    if let Some(engine) = engine.as_mut().filter(|_| memory == Memory::Clear) {
        engine.new_game();
    }
    (engine, faults)
}

/// Starts the answer to `go mate`: moves only if the mate is proven and verified.
fn start_mate(position: Position, limit: MateLimit, voice: Voice) -> Result<Running, StartError> {
    let time = match limit {
        MateLimit::Infinite => None,
        MateLimit::Milliseconds(time) => Some(Duration::from_millis(time)),
    };
    let stop = StopToken::new();
    let limits = mate::time_limit(time, &stop);
    let work = move || {
        let ask = AssertUnwindSafe(|| mate::ask(&position, limits, true));
        let asked = std::panic::catch_unwind(ask);
        voice.say(&Reply::Checkmate(match asked {
            Ok((mate::MateAnswer::Mate(mate), _)) => Checkmate::Moves(mate.line),
            Ok((mate::MateAnswer::NoMate, _)) => Checkmate::NoMate,
            _ => Checkmate::Timeout,
        }));
    };
    let thread = std::thread::Builder::new().spawn(work)?;
    Ok(Running::Mate { stop, limit, thread })
}

/// Answers `usi`: who the engine is, and the options it has.
pub fn introduce(voice: &Voice, options: Vec<OptionDecl>) {
    voice.say(&Reply::Id(Id::Name(format!("Yomikiri {}", env!("CARGO_PKG_VERSION")))));
    voice.say(&Reply::Id(Id::Author(env!("CARGO_PKG_AUTHORS").to_string())));
    for option in options {
        voice.say(&Reply::Option(option));
    }
    voice.say(&Reply::UsiOk);
}
