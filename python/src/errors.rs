//! What goes wrong, as exceptions of Python: each is a `ValueError` or a `RuntimeError` too.

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    yomikiri,
    NotationError,
    PyValueError,
    "A text or packed bytes that are no position, square or move."
);
create_exception!(
    yomikiri,
    IllegalMoveError,
    PyValueError,
    "A move that the rules do not allow in the position."
);
create_exception!(
    yomikiri,
    RecordError,
    PyValueError,
    "A game record that cannot be read or written."
);
create_exception!(
    yomikiri,
    SettingError,
    PyValueError,
    "A setting of the engine that does not exist or does not take the value."
);
create_exception!(yomikiri, ProofError, PyValueError, "A proof that does not stand the check.");
create_exception!(
    yomikiri,
    EngineError,
    PyRuntimeError,
    "The engine, a solver or a trainer cannot do what it is asked to."
);

/// Adds the exceptions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("NotationError", py.get_type::<NotationError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
    module.add("RecordError", py.get_type::<RecordError>())?;
    module.add("SettingError", py.get_type::<SettingError>())?;
    module.add("ProofError", py.get_type::<ProofError>())?;
    module.add("EngineError", py.get_type::<EngineError>())
}

/// A bad argument that has no exception of its own.
pub fn bad_value(message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

pub fn notation(error: impl std::fmt::Display) -> PyErr {
    NotationError::new_err(error.to_string())
}

pub fn engine(error: impl std::fmt::Display) -> PyErr {
    EngineError::new_err(error.to_string())
}
