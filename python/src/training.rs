//! `NetworkTrainer`: learning a network from positions.

use crate::errors::{bad_value, engine};
use crate::evaluation::PyEvaluation;
use crate::interrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use yomikiri_learn::network::trainer::LossMeasurement;
use yomikiri_learn::network::{NetworkConfig, NetworkReport, Trainer};

/// Trains a network from files of positions (PSV, HCPE) or of scored games.
///
/// The configuration is that of `yomikiri learn network`, as TOML or as a dictionary; what it does
/// not name keeps its default. The same configuration gives the same network, whatever the number
/// of threads.
#[pyclass(name = "NetworkTrainer", module = "yomikiri", frozen)]
pub struct PyTrainer(Mutex<Trainer>);

/// The configuration as TOML.
fn toml_of(config: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = config.extract::<String>() {
        return Ok(text);
    }
    let json: String = config.py().import("json")?.call_method1("dumps", (config,))?.extract()?;
    let value: serde_json::Value = serde_json::from_str(&json).map_err(bad_value)?;
    toml::to_string(&value).map_err(bad_value)
}

fn row<'py>(py: Python<'py>, it: &LossMeasurement) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("positions", it.positions)?;
    row.set_item("training_loss", it.training_loss)?;
    row.set_item("validation_loss", it.validation_loss)?;
    row.set_item("quantised_loss", it.quantised_loss)?;
    Ok(row)
}

impl PyTrainer {
    fn trainer(&self) -> MutexGuard<'_, Trainer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyTrainer {
    #[new]
    fn new(config: &Bound<'_, PyAny>) -> PyResult<PyTrainer> {
        let config = NetworkConfig::from_toml(&toml_of(config)?).map_err(bad_value)?;
        let trainer = Trainer::new(config).map_err(engine)?;
        Ok(PyTrainer(Mutex::new(trainer)))
    }

    /// Trains up to the end of the run, or for this many steps; gives whether the run is finished.
    /// `on_step` is called with (step, steps, loss) after every step. Ctrl-C ends it after a step,
    /// and it can be gone on with.
    #[pyo3(signature = (steps = None, *, threads = 1, on_step = None))]
    fn run(
        &self,
        py: Python<'_>,
        steps: Option<u64>,
        threads: usize,
        on_step: Option<Py<PyAny>>,
    ) -> PyResult<bool> {
        let stop = AtomicBool::new(false);
        let mut failed: Option<PyErr> = None;
        let mut left = steps;
        let finished = interrupt::run(py, &stop, || {
            let mut progress = |_: &Trainer, report: &NetworkReport| {
                if let Some(called) = &on_step {
                    let step = (report.step, report.steps, report.loss);
                    failed = Python::attach(|py| called.call1(py, step).err());
                }
                if let Some(left) = &mut left {
                    *left = left.saturating_sub(1);
                }
                let ends = stop.load(Relaxed) || left == Some(0) || failed.is_some();
                if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            self.trainer().run(threads.clamp(1, 512), &mut progress)
        })?;
        match failed {
            Some(error) => Err(error),
            None => finished.map_err(engine),
        }
    }

    /// Positions trained on so far.
    #[getter]
    fn positions(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.trainer().positions())
    }

    /// The measurements so far, one dictionary each: `positions`, `training_loss`,
    /// `validation_loss`, `quantised_loss`.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let history = py.detach(|| self.trainer().history.clone());
        let list = PyList::empty(py);
        for measurement in &history {
            list.append(row(py, measurement)?)?;
        }
        Ok(list)
    }

    /// The network as it is now.
    fn network(&self, py: Python<'_>) -> PyResult<PyEvaluation> {
        let (parameters, scale) = py.detach(|| {
            let trainer = self.trainer();
            (trainer.parameters(), trainer.model.fv_scale)
        });
        PyEvaluation::network(parameters, scale)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (form, positions) = py.detach(|| {
            let trainer = self.trainer();
            (trainer.model.architecture.to_string(), trainer.positions())
        });
        format!("<NetworkTrainer {form}, {positions} positions>")
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyTrainer>()
}
