//! `Move`: a value.

use crate::errors::notation;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::OnceLock;
use yomikiri_shogi::{Kind, Move};

/// A move, as a value: equal moves are equal, can be compared, hashed and pickled.
///
/// A move says where a piece comes from and goes to, or which piece is dropped where; which piece
/// it moves is known by the board it is played on.
///
///     >>> from yomikiri import Move
///     >>> move = Move("8h2b+")
///     >>> move.from_square, move.to_square, move.promotion
///     ('8h', '2b', True)
///     >>> Move("P*5e").dropped
///     'P'
#[pyclass(name = "Move", module = "yomikiri", frozen, eq, hash, ord, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PyMove(pub Move);

/// One object for every move there is, by its bits: a list of moves takes no memory of its own.
static OBJECTS: OnceLock<Vec<Option<Py<PyMove>>>> = OnceLock::new();

/// How many bits there are, those of moves and others.
const BITS: u16 = 1 << 15;

/// The object of a move.
pub fn object(mv: Move) -> &'static Py<PyMove> {
    let objects = OBJECTS.get().expect("the module made them");
    objects[usize::from(mv.bits())].as_ref().expect("every move has an object")
}

/// A list of moves.
pub fn list<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, moves.iter().map(|&mv| object(mv).bind(py)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyMove>()?;
    let py = module.py();
    let made = |bits| Move::from_bits(bits).map(|mv| Py::new(py, PyMove(mv))).transpose();
    let objects = (0..BITS).map(made).collect::<PyResult<Vec<_>>>()?;
    // They are there already if the module is made a second time.
    let _ = OBJECTS.set(objects);
    Ok(())
}

#[pymethods]
impl PyMove {
    /// From USI.
    #[new]
    fn new(usi: &str) -> PyResult<PyMove> {
        usi.parse().map(PyMove).map_err(notation)
    }

    /// From the number that `int(move)` gives.
    #[staticmethod]
    fn from_bits(bits: u16) -> PyResult<PyMove> {
        let fault = || notation(format!("{bits} is not the number of a move"));
        Move::from_bits(bits).map(PyMove).ok_or_else(fault)
    }

    /// The move in USI, such as `7g7f`, `8h2b+` or `P*5e`.
    #[getter]
    fn usi(&self) -> String {
        self.0.to_string()
    }

    /// The square the piece goes to, such as `7f`.
    #[getter(to_square)]
    fn target(&self) -> String {
        self.0.to().to_string()
    }

    /// The square the piece comes from; `None` for a drop.
    #[getter(from_square)]
    fn origin(&self) -> Option<String> {
        self.0.from().map(|square| square.to_string())
    }

    /// The letter of the piece that is dropped; `None` for a move on the board.
    #[getter]
    fn dropped(&self) -> Option<char> {
        self.0.dropped().map(Kind::letter)
    }

    /// Whether the piece promotes.
    #[getter]
    fn promotion(&self) -> bool {
        self.0.is_promotion()
    }

    fn __int__(&self) -> u16 {
        self.0.bits()
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.usi(),)
    }
}
