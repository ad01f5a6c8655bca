//! `yomikiri usi`: speaks USI on standard input and output, as GUIs expect.
//!
//! The reading thread never searches: a search runs on a thread of its own and answers there. So
//! `stop` is heard at once, and every `go` gets its answer.

use std::io::{BufRead, Write};
use std::panic::AssertUnwindSafe;
use std::thread::JoinHandle;
use std::time::Duration;
use yomikiri_base::{Clock, StopToken, Stopwatch};
use yomikiri_engine::{Engine, EngineError, Search, Settings, mate};
use yomikiri_play::usi_front::{self, Talker, UsiSettings, clocks, is_ignored, limits};
use yomikiri_shogi::Position;
use yomikiri_usi::{BestMove, Checkmate, Command, Go, Info, MateLimit, Reply, UsiError, excerpt};

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
        let line = String::from_utf8_lossy(&line);
        if conversation.handle_line(line.trim()) == Flow::End {
            break;
        }
    }
    conversation.stop_and_join();
    Ok(())
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
    /// `None` as long as it is not needed: making it takes time that `usi` does not have.
    engine: Option<Engine>,
    running: Running,
    /// `None` after a position that could not be read.
    position: Option<Position>,
}

impl Conversation {
    fn new() -> Conversation {
        Conversation {
            settings: UsiSettings::default(),
            clock: Clock::system(),
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
                note(error.to_string());
            }
        }
        Flow::GoOn
    }

    fn dispatch(&mut self, command: Command) {
        match command {
            Command::Usi => {
                say_together(&usi_front::introduction(usi_front::option_lines()));
            }
            Command::SetOption { name, value } => {
                self.set_option(&name, value.as_deref().unwrap_or(""));
            }
            Command::IsReady => {
                // Here and not in `usinewgame`, after which no time is allowed for it.
                self.prepare(Memory::Clear);
                say(&Reply::ReadyOk);
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
                    note(format!("the position cannot be set up: {error}"));
                }
            },
            Command::Go(go) => self.go(&go),
            Command::PonderHit(clock) => {
                if let Running::Search(search) = &self.running {
                    search.ponder_hit(clocks(&clock));
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
            note(error.to_string());
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
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out).and_then(|()| out.flush());
        }
        let Ok((engine, faults)) = maker.join() else { return };
        faults.into_iter().for_each(|fault| note(fault.to_string()));
        if let Some(engine) = &engine {
            // Without the files that are at fault.
            self.settings.engine = engine.settings().clone();
            let asked = self.settings.engine.resources.hash_megabytes;
            let taken = engine.hash_megabytes();
            if taken < asked {
                note(format!("USI_Hash {asked}: memory has room for {taken} MB, which are taken"));
            }
        }
        self.engine = engine;
    }

    fn go(&mut self, go: &Go) {
        // The GUI's clock runs while the engine takes its new settings.
        let asked = self.clock.stopwatch();
        self.prepare(Memory::Keep);
        let Some(position) = self.position.clone() else {
            note("there is no valid position to search".to_string());
            say(&match go.mate {
                Some(_) => Reply::Checkmate(Checkmate::NotImplemented),
                None => Reply::BestMove(BestMove::Resign),
            });
            return;
        };
        let started = match go.mate {
            Some(limit) => start_mate(position, limit),
            None => self.start_search(&position, go, asked),
        };
        match started {
            Ok(running) => self.running = running,
            Err(error) => {
                note(error.to_string());
                say(&Reply::BestMove(BestMove::Resign));
            }
        }
    }

    fn start_search(
        &mut self,
        position: &Position,
        go: &Go,
        asked: Stopwatch,
    ) -> anyhow::Result<Running> {
        let limits = limits(go);
        let talker =
            Talker::new(&self.settings.front, position, limits.infinite, Box::new(say_together));
        let engine = self.engine.as_mut();
        let engine = engine.ok_or_else(|| anyhow::anyhow!("the engine could not be made"))?;
        Ok(Running::Search(engine.start_observed(position, &limits, asked, talker)?))
    }
}

/// An engine with these settings. Files at fault are told of, and left out: a GUI waits for an
/// answer.
fn make_engine(
    engine: Option<Engine>,
    settings: Settings,
    clock: &Clock,
    memory: Memory,
) -> (Option<Engine>, Vec<EngineError>) {
    let with_clock = |engine: Engine| engine.with_clock(clock.clone());
    let (mut engine, faults) = usi_front::configure(engine, settings, with_clock);
    if let Some(engine) = engine.as_mut().filter(|_| memory == Memory::Clear) {
        engine.new_game();
    }
    (engine, faults)
}

/// Starts the answer to `go mate`: moves only if the mate is proven and verified.
fn start_mate(position: Position, limit: MateLimit) -> anyhow::Result<Running> {
    let time = match limit {
        MateLimit::Infinite => None,
        MateLimit::Milliseconds(time) => Some(Duration::from_millis(time)),
    };
    let stop = StopToken::new();
    let limits = mate::time_limit(time, &stop);
    let work = move || {
        let ask = AssertUnwindSafe(|| mate::ask(&position, limits, true));
        let asked = std::panic::catch_unwind(ask);
        say(&Reply::Checkmate(match asked {
            Ok((mate::Answer::Mate(mate), _)) => Checkmate::Moves(mate.line),
            Ok((mate::Answer::NoMate, _)) => Checkmate::NoMate,
            _ => Checkmate::Timeout,
        }));
    };
    let thread = std::thread::Builder::new().spawn(work)?;
    Ok(Running::Mate { stop, limit, thread })
}

/// Writes one line and sends it off. A GUI that has gone is noticed at the end of input.
fn say(reply: &Reply) {
    say_together(core::slice::from_ref(reply));
}

/// Writes several lines and sends them off in one piece, so that the reader wakes up once: in
/// games of a millisecond a move that is a good part of a match runner's work.
fn say_together(replies: &[Reply]) {
    let text: String = replies.iter().map(|reply| format!("{reply}\n")).collect();
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Most characters of a message: some repeat what came in, which may be a megabyte.
const MOST_OF_NOTE: usize = 400;

fn note(text: String) {
    say(&Reply::Info(Info::string(excerpt(&text, MOST_OF_NOTE))));
}
