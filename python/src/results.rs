//! `Info` and `SearchResult`: what a search reports and what it comes to.

use crate::moves::{self, PyMove};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::time::Duration;
use yomikiri_engine::tt::Bound as ValueBound;
use yomikiri_engine::{Score, SearchEvent, SearchOutcome};
use yomikiri_shogi::Move;

/// Something that happened in a search.
///
/// `kind` is `'line'`, `'mate'` (proven at the root), `'book'` or `'speculation'` (all moves lose,
/// and the hardest to answer is played).
#[pyclass(name = "Info", module = "yomikiri", frozen, get_all, skip_from_py_object)]
#[derive(Clone)]
pub struct PyInfo {
    /// What happened.
    kind: &'static str,
    /// Plies searched.
    depth: i32,
    /// The farthest ply reached.
    seldepth: usize,
    /// The number of the line, from 1.
    multipv: usize,
    /// Centipawns for the side to move; `None` for a mate.
    cp: Option<i32>,
    /// Plies to mate, negative where the side to move is mated; `None` otherwise.
    mate: Option<i32>,
    /// `'exact'`, `'lower'` or `'upper'`.
    bound: &'static str,
    /// Nodes of all threads.
    nodes: u64,
    /// Seconds since the start.
    time: f64,
    /// How full the transposition table is, per mille.
    hashfull: u32,
    /// The principal variation.
    pv: LazyMoves,
}

/// Moves that become a list when Python asks for them.
#[derive(Clone)]
pub struct LazyMoves(Vec<Move>);

impl<'py> IntoPyObject<'py> for LazyMoves {
    type Target = PyList;
    type Output = Bound<'py, PyList>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, &self.0)
    }
}

impl<'py> IntoPyObject<'py> for &LazyMoves {
    type Target = PyList;
    type Output = Bound<'py, PyList>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, &self.0)
    }
}

/// A value as centipawns or plies to mate.
fn score(value: i32) -> (Option<i32>, Option<i32>) {
    match Score::from(value) {
        Score::Centipawns(cp) => (Some(cp), None),
        Score::Mate(plies) => (None, Some(plies)),
    }
}

const fn bound_word(bound: ValueBound) -> &'static str {
    match bound {
        ValueBound::Exact => "exact",
        ValueBound::Lower => "lower",
        ValueBound::Upper => "upper",
        ValueBound::None => "none",
    }
}

impl PyInfo {
    pub fn new(event: &SearchEvent) -> PyInfo {
        let plain = PyInfo {
            kind: "line",
            depth: 0,
            seldepth: 0,
            multipv: 1,
            cp: None,
            mate: None,
            bound: "exact",
            nodes: 0,
            time: 0.0,
            hashfull: 0,
            pv: LazyMoves(Vec::new()),
        };
        match event {
            SearchEvent::Line(info) | SearchEvent::Mate(info) => {
                let (cp, mate) = score(info.value);
                PyInfo {
                    kind: if matches!(event, SearchEvent::Mate(_)) { "mate" } else { "line" },
                    depth: info.depth,
                    seldepth: info.selective_depth,
                    multipv: info.line,
                    cp,
                    mate,
                    bound: bound_word(info.bound),
                    nodes: info.nodes,
                    time: info.time.as_secs_f64(),
                    hashfull: info.fullness,
                    pv: LazyMoves(info.pv.clone()),
                }
            }
            SearchEvent::Book { mv, answer, value } => {
                let (cp, mate) = score(*value);
                let pv = LazyMoves([*mv].into_iter().chain(*answer).collect());
                PyInfo { kind: "book", cp, mate, pv, ..plain }
            }
            SearchEvent::Speculation(choice) => {
                PyInfo { kind: "speculation", pv: LazyMoves(vec![choice.mv]), ..plain }
            }
        }
    }
}

#[pymethods]
impl PyInfo {
    fn __repr__(&self) -> String {
        let value = match (self.cp, self.mate) {
            (_, Some(mate)) => format!("mate {mate}"),
            (cp, None) => format!("cp {}", cp.unwrap_or(0)),
        };
        let pv: Vec<String> = self.pv.0.iter().map(ToString::to_string).collect();
        format!("<Info {} depth {} {value} {}>", self.kind, self.depth, pv.join(" "))
    }
}

/// An outcome with the time it took.
#[derive(Clone)]
pub struct Clocked {
    pub outcome: SearchOutcome,
    pub time: Duration,
}

/// What a search came to.
#[pyclass(name = "SearchResult", module = "yomikiri", frozen)]
pub struct PySearchResult {
    found: Clocked,
    events: Vec<PyInfo>,
}

impl PySearchResult {
    pub fn new(found: Clocked, events: &[SearchEvent]) -> PySearchResult {
        PySearchResult { found, events: events.iter().map(PyInfo::new).collect() }
    }
}

#[pymethods]
impl PySearchResult {
    /// The move to play; `None` if there is none or the engine resigns or declares.
    #[getter]
    fn best_move(&self) -> Option<&'static Py<PyMove>> {
        self.found.outcome.best.map(moves::object)
    }

    /// The answer expected to it.
    #[getter]
    fn ponder(&self) -> Option<&'static Py<PyMove>> {
        self.found.outcome.ponder.map(moves::object)
    }

    /// Whether the engine declares a win by the entering-king rule instead of moving.
    #[getter]
    fn declares(&self) -> bool {
        self.found.outcome.declares
    }

    /// Centipawns for the side to move; `None` for a mate.
    #[getter]
    fn cp(&self) -> Option<i32> {
        score(self.found.outcome.value).0
    }

    /// Plies to mate, negative where the side to move is mated; `None` otherwise.
    #[getter]
    fn mate(&self) -> Option<i32> {
        score(self.found.outcome.value).1
    }

    /// The best line.
    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let line = self.found.outcome.lines.first().map_or(&[][..], |line| &line.line);
        moves::list(py, line)
    }

    /// How deep the best line was searched.
    #[getter]
    fn depth(&self) -> i32 {
        self.found.outcome.lines.first().map_or(0, |line| line.depth)
    }

    /// Nodes of all threads.
    #[getter]
    fn nodes(&self) -> u64 {
        self.found.outcome.nodes
    }

    /// Seconds from the start to the end.
    #[getter]
    fn time(&self) -> f64 {
        self.found.time.as_secs_f64()
    }

    /// The root moves, best first: dictionaries of `move`, `cp`, `mate`, `pv`, `depth`, `nodes`.
    /// Those that the search refuted without a value of their own have neither `cp` nor `mate`.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for line in &self.found.outcome.lines {
            let row = PyDict::new(py);
            let valued = line.value.abs() <= yomikiri_engine::value::MATE;
            let (cp, mate) = if valued { score(line.value) } else { (None, None) };
            row.set_item("move", moves::object(line.mv))?;
            row.set_item("cp", cp)?;
            row.set_item("mate", mate)?;
            row.set_item("pv", moves::list(py, &line.line)?)?;
            row.set_item("depth", line.depth)?;
            row.set_item("nodes", line.nodes)?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// Every event of the search.
    #[getter]
    fn events(&self) -> Vec<PyInfo> {
        self.events.clone()
    }

    /// How often each technique was tried and how often it decided, over all threads.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = &self.found.outcome.counters;
        let values = PyDict::new(py);
        values.set_item("quiescence.nodes", counters.quiescence_nodes)?;
        for (name, [tried, decided]) in [
            ("quiescence.probcut", counters.quiescence_probcut),
            ("probcut", counters.probcut),
            ("null_move", counters.null_move),
            ("singular", counters.singular),
        ] {
            values.set_item(format!("{name}.tried"), tried)?;
            values.set_item(format!("{name}.decided"), decided)?;
        }
        values.set_item("frontier.nodes", counters.frontier_nodes)?;
        values.set_item("frontier.values_changed", counters.frontier_changes[0])?;
        values.set_item("frontier.moves_changed", counters.frontier_changes[1])?;
        Ok(values)
    }

    fn __repr__(&self) -> String {
        let outcome = &self.found.outcome;
        let best = outcome.best.map_or_else(|| "no move".to_string(), |mv| mv.to_string());
        format!("<SearchResult {best} {} nodes {}>", Score::from(outcome.value), outcome.nodes)
    }
}
