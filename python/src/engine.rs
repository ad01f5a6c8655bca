//! `Engine` and `Search`: the alpha-beta engine behind its one handle.

use crate::board::{illegal, position_of};
use crate::errors::{SettingError, bad_value, engine};
use crate::evaluation::PyEvaluation;
use crate::record::move_of;
use crate::results::{Clocked, PyInfo, PySearchResult};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;
use yomikiri_engine::settings::declared::Range;
use yomikiri_engine::{
    Controller, Engine, EngineError, Limits, Observer, Search, SearchEvent, SearchOutcome, Settings,
};
use yomikiri_shogi::Position;

/// How often a signal is looked for while a search runs.
const LOOK: Duration = Duration::from_millis(30);

/// The shogi engine. One search runs at a time; what is asked meanwhile waits for its end.
///
/// `hash` is the transposition table in megabytes. `evaluation` is the name of one, or an
/// `Evaluation`. Every other setting goes by its name as `Engine.parameters()` lists them; in
/// keywords two underscores stand for the dot, and a technique's own name switches it on or off:
///
///     >>> from yomikiri import Board, Engine
///     >>> engine = Engine(hash=16, null_move=True, lmr__divisor=250)
///     >>> result = engine.search(Board(), nodes=2000)
///     >>> result.best_move in Board().legal_moves and result.nodes >= 1
///     True
///     >>> engine.search(Board(), nodes=500, null_move=False).best_move is not None
///     True
#[pyclass(name = "Engine", module = "yomikiri")]
pub struct PyEngine {
    engine: Engine,
    /// What was set, without the wishes of a single search.
    base: Settings,
    /// The weights of an `Evaluation`, as a file that the settings name.
    _weights: Option<NamedTempFile>,
}

/// The settings' name of a keyword.
fn setting_name(settings: &Settings, keyword: &str) -> PyResult<String> {
    let dotted = keyword.replace("__", ".");
    let candidates = [keyword.to_string(), dotted.clone(), format!("{dotted}.enabled")];
    let known = |name: &String| settings.get(name).is_some();
    candidates.into_iter().find(known).ok_or_else(|| {
        let text = format!("there is no setting '{keyword}'; Engine.parameters() lists them");
        SettingError::new_err(text)
    })
}

/// Sets one setting from a value of Python.
fn set(settings: &mut Settings, keyword: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(inner) = value.cast::<PyDict>() {
        for (name, value) in inner {
            set(settings, &format!("{keyword}.{}", name.extract::<String>()?), &value)?;
        }
        return Ok(());
    }
    let name = setting_name(settings, keyword)?;
    let text = match value.cast::<PyBool>() {
        Ok(switch) => switch.is_true().to_string(),
        Err(_) => value.str()?.to_string(),
    };
    settings.set(&name, &text).map_err(|error| SettingError::new_err(error.to_string()))
}

fn set_all(settings: &mut Settings, wishes: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    for (name, value) in wishes.iter().flat_map(|wishes| wishes.iter()) {
        set(settings, &name.extract::<String>()?, &value)?;
    }
    Ok(())
}

/// Writes the weights of an evaluation where the engine finds them, and names them.
fn use_evaluation(
    settings: &mut Settings,
    evaluation: &Bound<'_, PyAny>,
) -> PyResult<Option<NamedTempFile>> {
    let Ok(evaluation) = evaluation.cast::<PyEvaluation>() else {
        set(settings, "Evaluation", evaluation)?;
        return Ok(None);
    };
    let evaluation = evaluation.get();
    let resources = &mut settings.resources.evaluation;
    resources.kind = evaluation.model().kind();
    resources.network_scale = evaluation.model().scale();
    let Some(bytes) = evaluation.file()? else { return Ok(None) };
    let file = NamedTempFile::new().map_err(engine)?;
    std::fs::write(file.path(), bytes).map_err(engine)?;
    resources.file = file.path().to_string_lossy().into_owned();
    resources.folder = String::new();
    Ok(Some(file))
}

/// What a search may spend.
fn limits_of(
    position: &Position,
    nodes: Option<u64>,
    time: Option<f64>,
    depth: Option<i32>,
    moves: Option<Vec<Bound<'_, PyAny>>>,
) -> PyResult<Limits> {
    let move_time = time.map(Duration::try_from_secs_f64).transpose().map_err(bad_value)?;
    if nodes == Some(0) || depth.is_some_and(|depth| depth < 1) {
        return Err(bad_value("nodes and depth are at least 1"));
    }
    let legal = |mv| {
        let mv = move_of(mv)?;
        if position.is_legal(mv) { Ok(mv) } else { Err(illegal(position, mv)) }
    };
    let search_moves = moves.unwrap_or_default().iter().map(legal).collect::<PyResult<_>>()?;
    Ok(Limits { nodes, depth, move_time, search_moves, ..Limits::default() })
}

impl PyEngine {
    /// Starts a search with the settings of the engine and the wishes of the caller.
    fn begin(
        &mut self,
        py: Python<'_>,
        position: Position,
        limits: &Limits,
        multipv: Option<usize>,
        techniques: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PySearch> {
        let mut settings = self.base.clone();
        set_all(&mut settings, techniques)?;
        if let Some(lines) = multipv {
            settings.set("MultiPV", &lines.to_string()).map_err(bad_value)?;
        }
        let inner = &mut self.engine;
        // Waits for a search that is running, without the interpreter.
        py.detach(|| inner.configure(settings)).map_err(engine)?;
        let (sender, messages) = channel();
        let since = self.engine.clock().stopwatch();
        let started = self
            .engine
            .start_observed(&position, limits, since, ToChannel(sender))
            .map_err(engine)?;
        Ok(PySearch {
            controller: started.controller(),
            state: Mutex::new(State {
                search: Some(started),
                messages,
                since: Instant::now(),
                events: Vec::new(),
                result: None,
            }),
        })
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (*, hash = 16, threads = 1, evaluation = None, **settings))]
    fn new(
        py: Python<'_>,
        hash: usize,
        threads: usize,
        evaluation: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyEngine> {
        let mut base = Settings::default();
        for (name, value) in [("USI_Hash", hash), ("Threads", threads)] {
            let refused = |error: yomikiri_engine::settings::declared::SetError| {
                SettingError::new_err(error.to_string())
            };
            base.set(name, &value.to_string()).map_err(refused)?;
        }
        let weights = match evaluation {
            Some(evaluation) => use_evaluation(&mut base, evaluation)?,
            None => None,
        };
        set_all(&mut base, settings)?;
        let made = base.clone();
        let engine = py.detach(|| Engine::new(made)).map_err(engine)?;
        Ok(PyEngine { engine, base, _weights: weights })
    }

    /// Every setting: `name`, `about`, `default`, and `range` (`'switch'`, `'text'`, (min, max), or
    /// the list of words).
    #[staticmethod]
    fn parameters(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
        let list = PyList::empty(py);
        for declared in Settings::declared() {
            let row = PyDict::new(py);
            row.set_item("name", declared.name)?;
            row.set_item("about", declared.about)?;
            row.set_item("default", &declared.default)?;
            match declared.range {
                Range::Switch => row.set_item("range", "switch")?,
                Range::Number { min, max, .. } => row.set_item("range", (min, max))?,
                Range::Choice(words) => row.set_item("range", words.to_vec())?,
                Range::Text => row.set_item("range", "text")?,
            }
            list.append(row)?;
        }
        Ok(list)
    }

    /// The settings in force, as text by name.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for declared in Settings::declared() {
            values.set_item(declared.name, self.base.get(declared.name))?;
        }
        Ok(values)
    }

    /// Sets a setting for all searches to come.
    fn set(&mut self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut base = self.base.clone();
        set(&mut base, name, value)?;
        let (inner, made) = (&mut self.engine, base.clone());
        py.detach(|| inner.configure(made)).map_err(engine)?;
        self.base = base;
        Ok(())
    }

    /// Forgets everything learned from earlier searches.
    fn new_game(&mut self, py: Python<'_>) {
        let inner = &mut self.engine;
        py.detach(|| inner.new_game());
    }

    /// Searches a position until the nodes, the seconds or the depth are used up, and gives the
    /// result. Other Python threads run meanwhile; Ctrl-C ends the search. `on_event` is called
    /// with every event (an `Info`); `moves` restricts the root to these moves. The other keywords
    /// set techniques for this search alone.
    #[pyo3(signature = (position, *, nodes = None, time = None, depth = None, multipv = None,
        moves = None, on_event = None, **techniques))]
    #[allow(clippy::too_many_arguments)]
    fn search<'py>(
        slf: &Bound<'py, PyEngine>,
        position: &Bound<'py, PyAny>,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<i32>,
        multipv: Option<usize>,
        moves: Option<Vec<Bound<'py, PyAny>>>,
        on_event: Option<Bound<'py, PyAny>>,
        techniques: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<PySearchResult> {
        let py = slf.py();
        let position = position_of(position)?;
        let limits = limits_of(&position, nodes, time, depth, moves)?;
        if !limits.is_fixed() {
            return Err(bad_value("say how much to search: nodes=, time= or depth="));
        }
        let running = slf.borrow_mut().begin(py, position, &limits, multipv, techniques)?;
        let outcome = running.follow(py, |info| match &on_event {
            Some(hear) => hear.call1((info,)).map(|_| ()),
            None => Ok(()),
        });
        if outcome.is_err() {
            running.end(py);
        }
        outcome?;
        running.take_result(py)
    }

    /// Starts a search and gives it back at once: iterate over it for its events, `stop()` it, ask
    /// for its `result()`. Without a limit it goes on until it is stopped.
    ///
    ///     >>> from yomikiri import Board, Engine
    ///     >>> with Engine(hash=1).start(Board()) as search:
    ///     ...     for info in search:
    ///     ...         if info.depth >= 3:
    ///     ...             search.stop()
    ///     ...     result = search.result()
    ///     >>> result.depth >= 3
    ///     True
    #[pyo3(signature = (position, *, nodes = None, time = None, depth = None, multipv = None,
        moves = None, **techniques))]
    #[allow(clippy::too_many_arguments)]
    fn start<'py>(
        &mut self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<i32>,
        multipv: Option<usize>,
        moves: Option<Vec<Bound<'py, PyAny>>>,
        techniques: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<PySearch> {
        let position = position_of(position)?;
        let mut limits = limits_of(&position, nodes, time, depth, moves)?;
        limits.infinite = !limits.is_fixed();
        self.begin(py, position, &limits, multipv, techniques)
    }

    fn __repr__(&self) -> String {
        let resources = &self.base.resources;
        let (hash, threads) = (resources.hash_megabytes, resources.threads);
        let kind = resources.evaluation.kind;
        format!("<Engine {kind}, hash {hash} MB, threads {threads}>")
    }
}

/// What comes from the thread of a search.
enum Message {
    Event(SearchEvent),
    Finished,
}

struct ToChannel(Sender<Message>);

impl Observer for ToChannel {
    fn event(&mut self, event: &SearchEvent) {
        // Nobody has to listen.
        let _ = self.0.send(Message::Event(event.clone()));
    }

    fn finished(&mut self, _: &Result<SearchOutcome, EngineError>) {
        let _ = self.0.send(Message::Finished);
    }
}

/// A search that runs, see `Engine.start`.
#[pyclass(name = "Search", module = "yomikiri", frozen)]
pub struct PySearch {
    controller: Controller,
    state: Mutex<State>,
}

struct State {
    search: Option<Search>,
    messages: Receiver<Message>,
    since: Instant,
    events: Vec<SearchEvent>,
    result: Option<Clocked>,
}

impl PySearch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next event; `None` at the end of the search. Looks for signals meanwhile.
    fn next(&self, py: Python<'_>) -> PyResult<Option<SearchEvent>> {
        loop {
            let message = py.detach(|| self.state().messages.recv_timeout(LOOK));
            match message {
                Ok(Message::Event(event)) => {
                    self.state().events.push(event.clone());
                    return Ok(Some(event));
                }
                Ok(Message::Finished) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }

    /// Hears every event up to the end.
    fn follow(&self, py: Python<'_>, hear: impl Fn(PyInfo) -> PyResult<()>) -> PyResult<()> {
        while let Some(event) = self.next(py)? {
            hear(PyInfo::new(&event))?;
        }
        Ok(())
    }

    /// Stops the search and waits for its thread.
    fn end(&self, py: Python<'_>) {
        self.controller.stop();
        let search = self.state().search.take();
        py.detach(|| search.map(Search::join));
    }

    /// The result of a search whose events have all come.
    fn take_result(&self, py: Python<'_>) -> PyResult<PySearchResult> {
        let search = self.state().search.take();
        if let Some(search) = search {
            let outcome = py.detach(|| search.join()).map_err(engine)?;
            let mut state = self.state();
            let time = state.since.elapsed();
            state.result = Some(Clocked { outcome, time });
        }
        let state = self.state();
        match &state.result {
            Some(result) => Ok(PySearchResult::new(result.clone(), &state.events)),
            None => Err(engine("the search was ended and has no result")),
        }
    }
}

#[pymethods]
impl PySearch {
    /// Ends the search as soon as it looks; its result can still be had.
    fn stop(&self) {
        self.controller.stop();
    }

    /// Waits for the end of the search and gives its result.
    fn result(&self, py: Python<'_>) -> PyResult<PySearchResult> {
        self.follow(py, |_| Ok(()))?;
        self.take_result(py)
    }

    fn __iter__(slf: PyRef<'_, PySearch>) -> PyRef<'_, PySearch> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyInfo>> {
        Ok(self.next(py)?.map(|event| PyInfo::new(&event)))
    }

    fn __enter__(slf: PyRef<'_, PySearch>) -> PyRef<'_, PySearch> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.end(py);
    }
}

impl Drop for PySearch {
    /// Leaves no thread behind: the search never waits for the interpreter.
    fn drop(&mut self) {
        self.controller.stop();
        if let Some(search) = self.state().search.take() {
            let _ = search.join();
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyEngine>()?;
    module.add_class::<PySearch>()?;
    module.add_class::<PyInfo>()?;
    module.add_class::<PySearchResult>()?;
    module.add_class::<PyEvaluation>()
}
