//! The generic solvers over a game that is written in Python. `yomikiri/proof.py` is its face.

use crate::errors::bad_value;
use crate::interrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use yomikiri_proof::game::{Candidate, ProofGame, Repetition, Role, Settled};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_proof::proof_tree::{self, ProofTree};
use yomikiri_proof::solver::{Driver, Options, ProofOutcome, Query, Solver};
use yomikiri_proof::widening::{Sum, Widening, Width};

/// What all copies of a game share: numbers for its keys and moves, and the first exception.
struct Shared {
    keys: Py<PyDict>,
    moves: Py<PyDict>,
    numbered: Mutex<Vec<Py<PyAny>>>,
    error: Mutex<Option<PyErr>>,
    stop: Arc<AtomicBool>,
    estimates: bool,
    repetition: Repetition,
}

/// A state of the game with what the solvers ask most.
struct State {
    /// There until it is dropped.
    object: Option<Py<PyAny>>,
    role: Role,
    key: u64,
}

impl State {
    fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.object.as_ref().expect("it is not dropped").bind(py)
    }

    fn copy(&self, py: Python<'_>) -> State {
        let object = self.object.as_ref().map(|object| object.clone_ref(py));
        State { object, role: self.role, key: self.key }
    }
}

impl Drop for State {
    /// The solvers drop states on a thread that is not attached to the interpreter, where a
    /// reference cannot be given back: see `.cargo/config.toml`.
    fn drop(&mut self) {
        Python::attach(|_| drop(self.object.take()));
    }
}

/// A game in Python: the states from the root to here.
struct PyGame {
    states: Vec<State>,
    shared: Arc<Shared>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Spreads a number over all 64 bits, one to one: equal keys of Python are equal here and different
/// ones different, so that no collision can spoil a proof.
const fn spread(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl Shared {
    /// Keeps the first exception and ends the search.
    fn fail(&self, error: PyErr) {
        lock(&self.error).get_or_insert(error);
        self.stop.store(true, Relaxed);
    }

    fn state(&self, object: Bound<'_, PyAny>) -> PyResult<State> {
        let py = object.py();
        let attacks: bool = object.call_method0("attacker_to_move")?.extract()?;
        let key = (attacks, object.call_method0("key")?);
        let keys = self.keys.bind(py);
        let number = match keys.get_item(&key)? {
            Some(number) => number.extract::<u64>()?,
            None => {
                let number = keys.len() as u64;
                keys.set_item(&key, number)?;
                number
            }
        };
        let role = if attacks { Role::Attacker } else { Role::Defender };
        Ok(State { object: Some(object.unbind()), role, key: spread(number) })
    }

    fn number(&self, mv: &Bound<'_, PyAny>) -> PyResult<u32> {
        let moves = self.moves.bind(mv.py());
        if let Some(number) = moves.get_item(mv)? {
            return number.extract();
        }
        let mut numbered = lock(&self.numbered);
        let number = u32::try_from(numbered.len()).map_err(bad_value)?;
        numbered.push(mv.clone().unbind());
        moves.set_item(mv, number)?;
        Ok(number)
    }

    fn move_of(&self, py: Python<'_>, number: u32) -> Py<PyAny> {
        lock(&self.numbered)[number as usize].clone_ref(py)
    }
}

impl PyGame {
    fn new(game: &Bound<'_, PyAny>, stop: &Arc<AtomicBool>) -> PyResult<PyGame> {
        let py = game.py();
        let repetition = match game.hasattr("repetition_loses")? {
            true => match game.getattr("repetition_loses")?.extract::<String>()?.as_str() {
                "attacker" => Repetition::AttackerFails,
                "mover" => Repetition::MoverFails,
                other => return Err(bad_value(format!("'{other}' is neither attacker nor mover"))),
            },
            false => Repetition::AttackerFails,
        };
        let shared = Shared {
            keys: PyDict::new(py).unbind(),
            moves: PyDict::new(py).unbind(),
            numbered: Mutex::default(),
            error: Mutex::default(),
            stop: Arc::clone(stop),
            estimates: game.hasattr("estimate")?,
            repetition,
        };
        let root = shared.state(game.clone())?;
        Ok(PyGame { states: vec![root], shared: Arc::new(shared) })
    }

    fn here(&self) -> &State {
        self.states.last().expect("the root is never left")
    }

    fn candidates(&self, py: Python<'_>) -> PyResult<Vec<Candidate<u32>>> {
        let state = self.here().object(py);
        let mut found = Vec::new();
        for mv in state.call_method0("moves")?.try_iter()? {
            let mv = mv?;
            let number = self.shared.number(&mv)?;
            let (pn, dn) = match self.shared.estimates {
                true => state.call_method1("estimate", (&mv,))?.extract::<(u32, u32)>()?,
                false => (1, 1),
            };
            found.push(Candidate::estimated(number, pn.max(1), dn.max(1)));
        }
        Ok(found)
    }

    fn settled(&self, py: Python<'_>) -> PyResult<Option<bool>> {
        self.here().object(py).call_method0("settled")?.extract()
    }

    fn child(&self, py: Python<'_>, number: u32) -> PyResult<State> {
        let mv = self.shared.move_of(py, number);
        self.shared.state(self.here().object(py).call_method1("play", (mv,))?)
    }

    fn failed(&self) -> bool {
        lock(&self.shared.error).is_some()
    }
}

impl Clone for PyGame {
    fn clone(&self) -> PyGame {
        Python::attach(|py| PyGame {
            states: self.states.iter().map(|state| state.copy(py)).collect(),
            shared: Arc::clone(&self.shared),
        })
    }
}

impl ProofGame for PyGame {
    type Move = u32;
    type Stock = ();

    fn role(&self) -> Role {
        self.here().role
    }

    fn board_key(&self) -> u64 {
        self.here().key
    }

    fn stock(&self) {}

    fn moves(&mut self, out: &mut Vec<Candidate<u32>>) {
        match Python::attach(|py| self.candidates(py)) {
            Ok(found) => out.extend(found),
            Err(error) => self.shared.fail(error),
        }
    }

    fn play(&mut self, m: u32) {
        let state = Python::attach(|py| {
            self.child(py, m).unwrap_or_else(|error| {
                self.shared.fail(error);
                // The search is over; somewhere it has to stand until it looks.
                self.here().copy(py)
            })
        });
        self.states.push(state);
    }

    fn undo(&mut self, _m: u32) {
        self.states.pop();
    }

    fn settle(&mut self) -> Option<Settled<()>> {
        if self.failed() {
            return Some(Settled::disproven(()));
        }
        let settled = Python::attach(|py| self.settled(py));
        settled
            .unwrap_or_else(|error| {
                self.shared.fail(error);
                Some(false)
            })
            .map(|proven| if proven { Settled::proven((), 0) } else { Settled::disproven(()) })
    }

    fn repetition(&self) -> Repetition {
        self.shared.repetition
    }
}

/// How to search, by words.
struct Wishes {
    algorithm: String,
    options: Options,
    limits: ProofLimits,
}

/// Which children count: `all`, `top:N` or `rate:N`.
pub fn width_of(width: &str) -> PyResult<Width> {
    let fault = || bad_value(format!("'{width}' is not all, top:N or rate:N"));
    let number = |text: &str| text.parse::<u32>().ok().filter(|&n| n > 0).ok_or_else(fault);
    match width.split_once(':') {
        None if width == "all" => Ok(Width::All),
        Some(("top", n)) => Ok(Width::Top(number(n)?)),
        Some(("rate", n)) => Ok(Width::Rate(number(n)?)),
        _ => Err(fault()),
    }
}

type Found = (ProofOutcome<()>, Option<ProofTree<u32, ()>>);

/// Most nodes of a proof that is handed to Python.
const LARGEST_PROOF: usize = 1_000_000;

fn run(game: &PyGame, wishes: Wishes) -> Found {
    if wishes.algorithm == "pn" {
        return (yomikiri_proof::pn::search(game, &wishes.options, &wishes.limits), None);
    }
    let again = Query::new(wishes.options, wishes.limits.clone());
    let solver = Solver::new(wishes.options, wishes.limits);
    let outcome = solver.solve(game);
    let proven = outcome.number.is_proven() && !game.failed();
    let query = again.within(outcome.length);
    let tree =
        proven.then(|| proof_tree::extract(&solver, game, &query, LARGEST_PROOF, |_| {}).ok());
    (outcome, tree.flatten())
}

/// Does the attacker reach the goal? See `yomikiri.proof.search`.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn search_game<'py>(
    game: &Bound<'py, PyAny>,
    algorithm: &str,
    width: &str,
    weak: bool,
    epsilon_percent: u32,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let py = game.py();
    let driver = match algorithm {
        "pn" | "dfpn" => Driver::DfPn,
        "pds" => Driver::Pds,
        other => return Err(bad_value(format!("'{other}' is none of pn, pds, dfpn"))),
    };
    let sum = if weak { Sum::Weak } else { Sum::Total };
    let rule = Widening { width: width_of(width)?, sum, ..Widening::default() };
    let options = Options { driver, epsilon_percent, ..Options::default() }.with_widening(rule);
    let stop = Arc::default();
    let limits = ProofLimits {
        nodes: nodes.unwrap_or(u64::MAX),
        time: time.map(Duration::try_from_secs_f64).transpose().map_err(bad_value)?,
        memory: memory.clamp(1, 1 << 20) << 20,
        stop: Arc::clone(&stop),
        ..ProofLimits::default()
    };
    let root = PyGame::new(game, &stop)?;
    let wishes = Wishes { algorithm: algorithm.to_string(), options, limits };
    let (outcome, tree) = interrupt::run(py, &stop, || run(&root, wishes))?;
    if let Some(error) = lock(&root.shared.error).take() {
        return Err(error);
    }
    let result = PyDict::new(py);
    result.set_item("proven", outcome.number.is_solved().then(|| outcome.number.is_proven()))?;
    result.set_item("pn", outcome.number.pn)?;
    result.set_item("dn", outcome.number.dn)?;
    result.set_item("nodes", outcome.nodes)?;
    result.set_item("time", outcome.elapsed.as_secs_f64())?;
    result.set_item("reason", outcome.gave_up.map(|reason| reason.to_string()))?;
    result.set_item("tree", tree.map(|tree| tree_of(py, &root, &tree)).transpose()?)?;
    Ok(result)
}

/// A proof as a list of (attacker to move, plies, [(move, node)]), children before their parents.
fn tree_of<'py>(
    py: Python<'py>,
    game: &PyGame,
    tree: &ProofTree<u32, ()>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for node in &tree.nodes {
        let moves: Vec<(Py<PyAny>, u32)> =
            node.moves.iter().map(|&(number, to)| (game.shared.move_of(py, number), to)).collect();
        list.append((node.role == Role::Attacker, node.length, moves))?;
    }
    Ok(list)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(search_game, module)?)
}
