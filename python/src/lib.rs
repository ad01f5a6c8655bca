//! The Python package of Yomikiri: the libraries below, translated. `yomikiri/__init__.py` gives
//! them their places, `yomikiri/_yomikiri.pyi` their types.

// Documentation comments here are docstrings of Python; their examples are run by `tests`.
#![allow(clippy::doc_markdown)]

mod arrays;
mod board;
mod engine;
mod errors;
mod evaluation;
mod go;
mod interrupt;
mod moves;
mod proof;
mod record;
mod results;
mod runs;
mod statistics;
mod training;
mod tsume;

use pyo3::prelude::*;

/// The compiled part of the package `yomikiri`.
#[pymodule]
fn _yomikiri(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::register(module)?;
    moves::register(module)?;
    module.add_class::<board::PyBoard>()?;
    record::register(module)?;
    engine::register(module)?;
    tsume::register(module)?;
    arrays::register(module)?;
    proof::register(module)?;
    go::register(module)?;
    training::register(module)?;
    runs::register(module)?;
    statistics::register(module)
}
