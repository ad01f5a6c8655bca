//! One handle to the engine: settings, and searches that are started, followed, stopped and joined.

use crate::book::BookError;
use crate::eval::LoadError;
use crate::events::{OnEvent, Report, SearchEvent};
use crate::run::{Core, Request, SearchOutcome};
use crate::search::limits::{Clocks, Control, Limits};
use crate::search::probcut::ModelError;
use crate::settings::Settings;
use crate::threads::{self, RUN_STACK};
use crate::time::Planner;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use yomikiri_base::{Clock, StopToken, Stopwatch};
use yomikiri_shogi::Position;

/// Why the engine cannot do what it is asked to.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The evaluation cannot be loaded.
    #[error(transparent)]
    Evaluation(#[from] LoadError),
    /// The opening book cannot be read.
    #[error("book {}: {source}", path.display())]
    ReadBook {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no opening book.
    #[error("book {}: {reason}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: BookError,
    },
    /// The model of ProbCut cannot be read.
    #[error("{}: {source}", path.display())]
    ReadProbcutModel {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no model of ProbCut.
    #[error("{}: {reason}", path.display())]
    ProbcutModel {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: ModelError,
    },
    /// The probabilities of moves cannot be read.
    #[error("{}: {source}", path.display())]
    ReadMoveProbabilities {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no table of probabilities of moves.
    #[error("{}: {reason}", path.display())]
    MoveProbabilities {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: crate::category::TableError,
    },
    /// The system gives no thread to search in.
    #[error("no thread to search in: {0}")]
    Thread(std::io::Error),
    /// The search failed; the engine makes itself anew before the next one.
    #[error("the search failed, which is a fault worth reporting: {0}")]
    SearchFailed(String),
}

impl EngineError {
    /// Puts the settings whose files are at fault back to their defaults. For front ends that must
    /// go on; they say so.
    pub fn reset(&self, settings: &mut Settings) {
        let (resources, defaults) = (&mut settings.resources, Settings::default().resources);
        match self {
            EngineError::Evaluation(_) => resources.evaluation = defaults.evaluation,
            EngineError::ReadBook { .. } | EngineError::Book { .. } => {
                resources.book.file = defaults.book.file;
            }
            EngineError::ReadProbcutModel { .. } | EngineError::ProbcutModel { .. } => {
                resources.probcut_model = defaults.probcut_model;
            }
            EngineError::ReadMoveProbabilities { .. } | EngineError::MoveProbabilities { .. } => {
                resources.move_probabilities = defaults.move_probabilities;
            }
            EngineError::Thread(_) | EngineError::SearchFailed(_) => {}
        }
    }
}

/// The engine. One search runs at a time: what is asked of the engine meanwhile waits for its end.
pub struct Engine {
    settings: Settings,
    clock: Clock,
    /// Bytes of the caller's stack that [`run`](Engine::run) may use.
    stack: usize,
    core: Arc<Mutex<Core>>,
}

impl Engine {
    /// An engine with these settings.
    ///
    /// # Errors
    /// If a file that the settings name cannot be read or is not what it should be.
    pub fn new(settings: Settings) -> Result<Engine, EngineError> {
        let core = Arc::new(Mutex::new(Core::new(settings.clone())?));
        Ok(Engine { settings, clock: Clock::default(), stack: RUN_STACK, core })
    }

    /// The same engine with another clock for the searches that it starts.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Engine {
        Engine { clock, ..self }
    }

    /// The clock of the searches that it starts.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Says how many bytes of the caller's stack [`run`](Engine::run) may use: so deep it searches.
    pub fn set_stack(&mut self, bytes: usize) {
        self.stack = bytes;
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The size of the transposition table in megabytes: less than the settings say where
    /// memory has no room for that.
    pub fn hash_megabytes(&self) -> usize {
        self.core().table_megabytes()
    }

    /// Takes new settings, and makes anew only what they concern.
    ///
    /// # Errors
    /// If a file that the settings name cannot be read or is not what it should be; the settings
    /// before stay in force then.
    pub fn configure(&mut self, settings: Settings) -> Result<(), EngineError> {
        if settings != self.settings {
            self.core().configure(settings.clone())?;
            self.settings = settings;
        }
        Ok(())
    }

    /// Forgets everything learned from earlier games; at once if there is nothing to forget.
    pub fn new_game(&mut self) {
        self.core().new_game();
    }

    /// Whether there is nothing to forget. Clearing a large table takes time.
    pub fn is_fresh(&self) -> bool {
        self.core().is_fresh()
    }

    /// Searches on the caller's thread until the search ends, and spawns no other with one thread
    /// in the settings. It goes no deeper than the stack allows ([`set_stack`](Engine::set_stack)).
    pub fn run(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &Clock,
        on_event: &mut OnEvent<'_>,
    ) -> SearchOutcome {
        let control = Arc::new(Control::new(clock, limits.ponder, StopToken::new()));
        self.run_controlled(position, limits, &control, on_event)
    }

    /// The same with signals that the caller keeps, to stop the search from elsewhere.
    pub fn run_controlled(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Arc<Control>,
        on_event: &mut OnEvent<'_>,
    ) -> SearchOutcome {
        let request = Request::new(&self.settings, position, limits, Arc::clone(control));
        self.core().run(&request, self.stack, on_event)
    }

    /// Searches until the search ends, with a deep stack where there are threads.
    pub fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut (dyn Report + Send),
    ) -> SearchOutcome {
        let control = Arc::new(Control::new(&self.clock, limits.ponder, StopToken::new()));
        let request = Request::new(&self.settings, position, limits, control);
        let core = &self.core;
        threads::on_deep_stack(|stack| {
            lock(core).run(&request, stack, &mut |event: &SearchEvent| report.event(event))
        })
    }

    /// Starts a search on a thread of its own. Its events wait to be read.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(&mut self, position: &Position, limits: &Limits) -> Result<Search, EngineError> {
        let (sender, events) = channel();
        let since = self.clock.stopwatch();
        let mut search = self.start_observed(position, limits, since, ToChannel(sender))?;
        search.events = Some(events);
        Ok(search)
    }

    /// Starts a search on a thread of its own that was requested earlier: its clock runs from
    /// then on. The observer receives the events on that thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start_observed(
        &mut self,
        position: &Position,
        limits: &Limits,
        since: Stopwatch,
        mut observer: impl Observer + 'static,
    ) -> Result<Search, EngineError> {
        let control = Control::new(&self.clock, limits.ponder, StopToken::new()).since(since);
        let request = Request::new(&self.settings, position, limits, Arc::new(control));
        let controller = Controller {
            control: Arc::clone(&request.control),
            planner: Arc::new(request.planner.clone()),
        };
        let core = Arc::clone(&self.core);
        let work = move |stack| {
            let result = catch_unwind(AssertUnwindSafe(|| {
                lock(&core).run(&request, stack, &mut |event: &SearchEvent| observer.event(event))
            }));
            let result = result.map_err(|panic| EngineError::SearchFailed(message(&*panic)));
            observer.finished(&result);
            result
        };
        let thread = threads::spawn_deep(work).map_err(EngineError::Thread)?;
        Ok(Search { controller, events: None, thread: Some(thread) })
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        lock(&self.core)
    }
}

/// What the engine keeps, made anew where the last search failed in the middle.
fn lock(core: &Mutex<Core>) -> MutexGuard<'_, Core> {
    core.lock().unwrap_or_else(|poisoned| {
        core.clear_poison();
        let mut core = poisoned.into_inner();
        core.rebuild();
        core
    })
}

/// What a panic says.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Follows a search on its own thread.
pub trait Observer: Send {
    /// Something happened.
    fn event(&mut self, event: &SearchEvent);

    /// The search has ended; nothing comes after this.
    fn finished(&mut self, result: &Result<SearchOutcome, EngineError>);
}

struct ToChannel(Sender<SearchEvent>);

impl Observer for ToChannel {
    fn event(&mut self, event: &SearchEvent) {
        // Nobody has to listen.
        let _ = self.0.send(event.clone());
    }

    fn finished(&mut self, _: &Result<SearchOutcome, EngineError>) {}
}

/// A running search; dropped, it is stopped.
pub struct Search {
    controller: Controller,
    events: Option<Receiver<SearchEvent>>,
    thread: Option<JoinHandle<Result<SearchOutcome, EngineError>>>,
}

impl Search {
    /// The events, as they come, up to the end of the search. What was read does not come again.
    pub fn events(&self) -> impl Iterator<Item = SearchEvent> + '_ {
        self.events.iter().flat_map(|events| events.iter())
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.controller.stop();
    }

    /// See [`Controller::ponder_hit`].
    pub fn ponder_hit(&self, clocks: Option<Clocks>, since: Stopwatch) {
        self.controller.ponder_hit(clocks, since);
    }

    /// What stops the search from anywhere.
    pub fn controller(&self) -> Controller {
        self.controller.clone()
    }

    /// Waits for the end of the search.
    ///
    /// # Errors
    /// If the search failed.
    pub fn join(mut self) -> Result<SearchOutcome, EngineError> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panic)) => Err(EngineError::SearchFailed(message(&*panic))),
            None => Err(EngineError::SearchFailed(String::new())),
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.stop();
        }
    }
}

/// Stops and hits a search from anywhere. Clones control the same search.
#[derive(Clone)]
pub struct Controller {
    control: Arc<Control>,
    planner: Arc<Planner>,
}

impl Controller {
    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The opponent played the expected move: the search's time runs since then, by these clocks or
    /// by those that it was started with. Does nothing to a search that does not ponder.
    pub fn ponder_hit(&self, clocks: Option<Clocks>, since: Stopwatch) {
        self.control.ponder_hit(self.planner.on_ponder_hit(clocks), since);
    }

    /// Whether the opponent's move is still awaited.
    pub fn is_pondering(&self) -> bool {
        self.control.is_pondering()
    }

    /// Whether the search ends by itself after a fixed effort.
    pub fn is_fixed(&self) -> bool {
        self.planner.limits.is_fixed()
    }
}
