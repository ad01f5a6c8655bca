//! `Move`: a value.

use crate::errors::notation;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;
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

/// One object for every move there is: a list of moves then takes no memory of its own, and is made
/// in a tenth of the time.
static OBJECTS: [PyOnceLock<Py<PyMove>>; 1 << 15] = [const { PyOnceLock::new() }; 1 << 15];

/// The object of a move.
pub fn object(py: Python<'_>, mv: Move) -> PyResult<&'static Py<PyMove>> {
    OBJECTS[usize::from(mv.bits()) & ((1 << 15) - 1)]
        .get_or_try_init(py, || Py::new(py, PyMove(mv)))
}

/// A list of moves.
pub fn list<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyList>> {
    let mut faults = Ok(());
    let list = PyList::new(
        py,
        moves.iter().map(|&mv| match object(py, mv) {
            Ok(object) => Some(object.bind(py)),
            Err(fault) => {
                faults = Err(fault);
                None
            }
        }),
    )?;
    faults.map(|()| list)
}

/// The object of a move that may be missing.
pub fn optional(py: Python<'_>, mv: Option<Move>) -> PyResult<Option<Py<PyMove>>> {
    mv.map(|mv| object(py, mv).map(|object| object.clone_ref(py))).transpose()
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
