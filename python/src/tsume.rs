//! `solve`, `cook_check`, `hisshi`: mates in shogi, with proofs that can be checked.

use crate::board::{color_word, play, position_of};
use crate::errors::{ProofError, bad_value};
use crate::interrupt;
use crate::moves::{self, PyMove};
use crate::record::{PyRecord, move_of};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::record::Record;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::verify::{Proof, verify};
use yomikiri_tsume::{MateSettings, MateSolver, Solution, Tsume, Verdict, attacker_of};
use yomikiri_tsume::{cook, hisshi as binds, variations};

/// How much a solver may use.
struct Budget {
    nodes: Option<u64>,
    time: Option<f64>,
    memory: usize,
}

impl Budget {
    fn limits(&self, stop: &Arc<AtomicBool>) -> PyResult<ProofLimits> {
        let time = self.time.map(Duration::try_from_secs_f64).transpose().map_err(bad_value)?;
        if self.nodes == Some(0) {
            return Err(bad_value("nodes are at least 1"));
        }
        if !(1..=1 << 24).contains(&self.memory) {
            let memory = self.memory;
            return Err(bad_value(format!(
                "memory is from 1 to {} megabytes, not {memory}",
                1 << 24
            )));
        }
        Ok(ProofLimits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            time,
            memory: self.memory << 20,
            stop: Arc::clone(stop),
            ..ProofLimits::default()
        })
    }

    fn settings(&self, stop: &Arc<AtomicBool>) -> PyResult<MateSettings> {
        Ok(MateSettings { limits: self.limits(stop)?, ..MateSettings::default() })
    }
}

/// A proof of a mate: the attacker's move in every position that the defender can bring about.
///
///     >>> from yomikiri import solve, Proof
///     >>> proof = solve("8k/9/8P/9/9/9/9/9/4K4 b G 1").proof
///     >>> proof.verify()
///     (1, 1)
///     >>> Proof.from_json(proof.to_json()).verify()
///     (1, 1)
#[pyclass(name = "Proof", module = "yomikiri", frozen)]
pub struct PyProof(Proof);

#[pymethods]
impl PyProof {
    /// Reads what `to_json` and `yomikiri solve --proof` write.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyProof> {
        let fault = |error: serde_json::Error| ProofError::new_err(error.to_string());
        serde_json::from_str(text).map(PyProof).map_err(fault)
    }

    /// The proof as a JSON text.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(|error| ProofError::new_err(error.to_string()))
    }

    /// Checks every move of the proof with the slow reference generator, which shares no code with
    /// the solver, and searches the stated length anew. Gives the positions walked through and the
    /// plies until mate at most; raises `ProofError` with what is wrong.
    #[pyo3(signature = (*, nodes = None, time = None, memory = 256))]
    fn verify(
        &self,
        py: Python<'_>,
        nodes: Option<u64>,
        time: Option<f64>,
        memory: usize,
    ) -> PyResult<(usize, u32)> {
        let stop = Arc::default();
        let limits = Budget { nodes, time, memory }.limits(&stop)?;
        let verified = interrupt::run(py, &stop, || verify(&self.0, &limits))?;
        let verified = verified.map_err(|flaw| ProofError::new_err(flaw.to_string()))?;
        Ok((verified.positions, verified.plies))
    }

    /// The position, in SFEN.
    #[getter]
    fn sfen(&self) -> &str {
        &self.0.sfen
    }

    /// The shortest length by convention, if it is known.
    #[getter]
    fn length(&self) -> Option<u16> {
        self.0.length
    }

    /// Plies at most by this proof, everything counted.
    #[getter]
    fn raw_length(&self) -> u32 {
        self.0.raw_length
    }

    /// The steps: (board, least hand, move, plies until mate).
    #[getter]
    fn steps(&self) -> Vec<(String, String, String, u32)> {
        let row = |step: &yomikiri_tsume::verify::ProofStep| {
            (step.board.clone(), step.hand.clone(), step.play.clone(), step.plies)
        };
        self.0.steps.iter().map(row).collect()
    }

    fn __len__(&self) -> usize {
        self.0.steps.len()
    }

    fn __repr__(&self) -> String {
        format!("<Proof of {} steps, {} plies>", self.0.steps.len(), self.0.raw_length)
    }
}

/// Everything found out about a mate problem.
#[pyclass(name = "Solution", module = "yomikiri", frozen)]
pub struct PySolution {
    found: Solution,
    attacker: &'static str,
    proof: Option<Py<PyProof>>,
    record: Option<Record>,
}

#[pymethods]
impl PySolution {
    /// `'mate'`, `'nomate'` or `'unknown'`. A mate is only reported after its proof was checked.
    #[getter]
    fn result(&self) -> &'static str {
        match self.found.verdict {
            Verdict::Mate => "mate",
            Verdict::NoMate => "nomate",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Why the answer is not known; `None` if it is.
    #[getter]
    fn reason(&self) -> Option<String> {
        match self.found.verdict {
            Verdict::Unknown(why) => Some(why.to_string()),
            _ => None,
        }
    }

    /// Plies of the mate by convention: the shortest if `exact`, else what is proven; `None`
    /// without a mate.
    #[getter]
    fn length(&self) -> Option<u16> {
        (self.found.verdict == Verdict::Mate).then_some(self.found.high)
    }

    /// The least and the greatest length possible; `None` without a mate.
    #[getter]
    fn bounds(&self) -> Option<(u16, u16)> {
        (self.found.verdict == Verdict::Mate).then_some((self.found.low, self.found.high))
    }

    /// Whether the length is the shortest.
    #[getter]
    fn exact(&self) -> bool {
        self.found.is_exact()
    }

    /// Plies at most when useless interpositions count too.
    #[getter]
    fn raw_length(&self) -> Option<u32> {
        (self.found.verdict == Verdict::Mate).then_some(self.found.raw_length)
    }

    /// The attacker's best and the defender's longest moves.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, &self.found.line)
    }

    /// Who mates: `'black'` or `'white'`.
    #[getter]
    fn attacker(&self) -> &'static str {
        self.attacker
    }

    /// How many pieces the attacker has left in hand at the end of the line.
    #[getter]
    fn left_in_hand(&self) -> u8 {
        self.found.left_in_hand.total()
    }

    /// Whether an independent check walked through the proof, or through the refutation of a
    /// *no mate* if one was asked for.
    #[getter]
    fn verified(&self) -> bool {
        self.found.verified
    }

    /// Nodes visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.found.nodes
    }

    /// Seconds taken.
    #[getter]
    fn time(&self) -> f64 {
        self.found.elapsed.as_secs_f64()
    }

    /// The proof, if there is a mate and it was asked for.
    #[getter]
    fn proof(&self, py: Python<'_>) -> Option<Py<PyProof>> {
        self.proof.as_ref().map(|proof| proof.clone_ref(py))
    }

    /// The line with every other defence as a variation, if there is a mate and the proof was asked
    /// for.
    fn record(&self) -> Option<PyRecord> {
        self.record.clone().map(PyRecord)
    }

    fn __bool__(&self) -> bool {
        self.found.verdict == Verdict::Mate
    }

    fn __repr__(&self) -> String {
        let nodes = self.found.nodes;
        match self.length() {
            Some(length) => format!("<Solution mate in {length}, nodes {nodes}>"),
            None => format!("<Solution {}, nodes {nodes}>", self.result()),
        }
    }
}

/// Is there a mate? Finds it, shortens it, and checks its proof. Without a limit it goes on until
/// it knows, or until Ctrl-C; `memory` is in megabytes. `refute` shows a *no mate*
/// by a refutation, which is checked.
///
///     >>> from yomikiri import solve
///     >>> solution = solve("8k/9/8P/9/9/9/9/9/4K4 b G 1")
///     >>> solution.result, solution.length, solution.moves
///     ('mate', 1, [Move('G*1b')])
#[pyfunction]
#[pyo3(signature = (position, *, nodes = None, time = None, memory = 256, threads = 1,
    shortest = true, proof = true, refute = false))]
#[allow(clippy::too_many_arguments)]
fn solve(
    position: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: usize,
    threads: usize,
    shortest: bool,
    proof: bool,
    refute: bool,
) -> PyResult<PySolution> {
    let py = position.py();
    let position = position_of(position)?;
    if !(1..=512).contains(&threads) {
        return Err(bad_value(format!("threads are from 1 to 512, not {threads}")));
    }
    let stop = Arc::default();
    let mut settings = Budget { nodes, time, memory }.settings(&stop)?;
    settings.shortest = shortest;
    settings.refute = refute;
    settings.options.threads = threads;
    let attacker = attacker_of(&position);
    let game = Tsume::new(position, attacker);
    let (found, proven) = interrupt::run(py, &stop, || {
        let mut solver = MateSolver::new(settings);
        let mut found = solver.solve(&game, &mut |_| {});
        // The proof goes its own way; a solution that is kept does not hold it twice.
        let proven = found
            .proven
            .take()
            .filter(|_| proof)
            .map(|proven| (variations::record(&game, &proven.tree, &found.line), proven.proof));
        (found, proven)
    })?;
    let (record, proof) = proven.unzip();
    let proof = proof.map(|proof| Py::new(py, PyProof(proof))).transpose()?;
    Ok(PySolution { found, attacker: color_word(attacker), proof, record })
}

/// Another mate than the intended one.
#[pyclass(name = "Cook", module = "yomikiri", frozen, skip_from_py_object)]
#[derive(Clone)]
pub struct PyCook(cook::Cook);

#[pymethods]
impl PyCook {
    /// The number of the ply at which it departs, 1 for the first.
    #[getter]
    fn ply(&self) -> usize {
        self.0.ply
    }

    /// The other move.
    #[getter(r#move)]
    fn mv(&self) -> &'static Py<PyMove> {
        moves::object(self.0.played)
    }

    /// Plies to mate with it; `None` if the search gave up on it.
    #[getter]
    fn length(&self) -> Option<u16> {
        self.0.length
    }

    /// Plies that the intended move takes from there.
    #[getter]
    fn intended(&self) -> u16 {
        self.0.intended
    }

    /// Whether it only concerns the last move.
    #[getter]
    fn minor(&self) -> bool {
        self.0.is_minor()
    }

    fn __repr__(&self) -> String {
        let length = self.0.length.map_or_else(|| "unknown".to_string(), |it| it.to_string());
        format!("<Cook {} at ply {}, length {length}>", self.0.played, self.0.ply)
    }
}

/// The moves of a line that can be played one after the other.
fn legal_line(position: &Position, line: &[Bound<'_, PyAny>]) -> PyResult<Vec<Move>> {
    let mut position = position.clone();
    let step = |mv| {
        let mv = move_of(mv)?;
        play(&mut position, mv)?;
        Ok(mv)
    };
    line.iter().map(step).collect()
}

/// Looks for cooks (余詰): other moves that mate, at every move of the attacker on the solution.
/// `line` is the solution; without it the problem is solved first. The limits hold for every move
/// that is tried.
#[pyfunction]
#[pyo3(signature = (position, line = None, *, nodes = Some(1_000_000), time = None, memory = 256))]
fn cook_check(
    position: &Bound<'_, PyAny>,
    line: Option<Vec<Bound<'_, PyAny>>>,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: usize,
) -> PyResult<Vec<PyCook>> {
    let py = position.py();
    let position = position_of(position)?;
    let stop = Arc::default();
    let settings = Budget { nodes, time, memory }.settings(&stop)?;
    let given = line.map(|line| legal_line(&position, &line)).transpose()?;
    let attacker = attacker_of(&position);
    let game = Tsume::new(position, attacker);
    let cooks = interrupt::run(py, &stop, || {
        let line = given.or_else(|| {
            let found = MateSolver::new(settings.clone()).solve(&game, &mut |_| {});
            (found.verdict == Verdict::Mate).then_some(found.line)
        })?;
        Some(cook::cooks(&game, &line, &settings))
    })?;
    let cooks = cooks.ok_or_else(|| bad_value("no mate was found that could have a cook"))?;
    Ok(cooks.into_iter().map(PyCook).collect())
}

/// The moves after which there is no defence (必至), checks left out: pairs of a move and whether
/// it is sure. Those on which the limits were too tight to say no are there too. The limits hold
/// for every single search.
#[pyfunction]
#[pyo3(signature = (position, *, nodes = Some(20_000), time = None, memory = 64))]
fn hisshi(
    position: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: usize,
) -> PyResult<Vec<(&'static Py<PyMove>, bool)>> {
    let py = position.py();
    let position = position_of(position)?;
    let stop = Arc::default();
    let settings = Budget { nodes, time, memory }.settings(&stop)?;
    let found = interrupt::run(py, &stop, || binds::hisshi_moves(&position, &settings))?;
    Ok(found.into_iter().map(|bind| (moves::object(bind.played), bind.sure)).collect())
}

/// What the side that has just moved threatens: `'none'`, `'mate'` (詰めろ), `'hisshi'`
/// (必至), `'mate or hisshi'` where a limit was met on an answer, or `'unknown'`.
#[pyfunction]
#[pyo3(signature = (position, *, nodes = Some(20_000), time = None, memory = 64))]
fn threat(
    position: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: usize,
) -> PyResult<&'static str> {
    let py = position.py();
    let position = position_of(position)?;
    let stop = Arc::default();
    let settings = Budget { nodes, time, memory }.settings(&stop)?;
    Ok(match interrupt::run(py, &stop, || binds::threat(&position, &settings))? {
        binds::Threat::None => "none",
        binds::Threat::Mate => "mate",
        binds::Threat::Hisshi => "hisshi",
        binds::Threat::MateOrHisshi => "mate or hisshi",
        binds::Threat::Unknown => "unknown",
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyProof>()?;
    module.add_class::<PySolution>()?;
    module.add_class::<PyCook>()?;
    module.add_function(wrap_pyfunction!(solve, module)?)?;
    module.add_function(wrap_pyfunction!(cook_check, module)?)?;
    module.add_function(wrap_pyfunction!(hisshi, module)?)?;
    module.add_function(wrap_pyfunction!(threat, module)?)
}
