//! Long runs by their plans: whole in this process, or as an owner and its workers, which
//! `yomikiri.cluster` brings together.

use crate::errors::bad_value;
use crate::interrupt::run_until;
use pyo3::create_exception;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use yomikiri_base::stages::{AwaitedUnits, FinishedStage, OpenStage, OpenStep, Owner, UnitWorker};
use yomikiri_base::{Clock, Provenance, StopToken};
use yomikiri_play::usi_front::{Voice, converse};
use yomikiri_runs::{Context, Front, Local, Plan, RunReport, RunsError};
use yomikiri_usi::client::Launch;

create_exception!(
    yomikiri,
    RunError,
    PyRuntimeError,
    "A long run that cannot be begun or gone on with."
);

fn failed(error: impl std::fmt::Display) -> PyErr {
    RunError::new_err(error.to_string())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn plan_of(text: &str) -> PyResult<Plan> {
    Plan::parse(text).map_err(bad_value)
}

/// Starts a program that speaks USI with this interpreter and this package, wherever they lie.
fn own_program(py: Python<'_>) -> PyResult<Launch> {
    let python: PathBuf = py.import("sys")?.getattr("executable")?.extract()?;
    let package: PathBuf = py.import("yomikiri")?.getattr("__file__")?.extract()?;
    let folder = package.ancestors().nth(2).unwrap_or(Path::new("")).display().to_string();
    let folder = serde_json::to_string(&folder).expect("plain data is JSON");
    // The first place to look for modules would be the folder that it is started in.
    let code = format!(
        "import sys; sys.path[0] = {folder}; from yomikiri import _yomikiri; _yomikiri.usi()"
    );
    Ok(Launch { program: python, args: vec!["-c".into(), code], dir: None })
}

/// This process. A program that plays is this package, unless `YOMIKIRI_PROGRAM` names another.
fn context(py: Python<'_>, threads: usize) -> PyResult<Context> {
    let mut context = Context { threads, ..Context::here() };
    if std::env::var_os("YOMIKIRI_PROGRAM").is_none() {
        context.program = own_program(py)?;
    }
    Ok(context)
}

/// Speaks USI on standard input and output until `quit`, as the program does.
#[pyfunction]
fn usi(py: Python<'_>) {
    py.detach(|| {
        let voice = Voice::new(|text| {
            // A listener that has gone is noticed at the end of input.
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        });
        converse(std::io::stdin().lock(), Clock::system(), voice);
    });
}

/// The files that a worker needs for a plan.
#[pyfunction]
fn plan_files(plan: &str) -> PyResult<Vec<PathBuf>> {
    Ok(plan_of(plan)?.files())
}

/// Does a plan (the text that `--plan` writes) in a folder, or goes on with it, on threads of this
/// process. Gives what it came to in words, and whether nothing is missing.
#[pyfunction]
#[pyo3(signature = (plan, out, *, threads = 1))]
fn run_plan(py: Python<'_>, plan: &str, out: PathBuf, threads: usize) -> PyResult<(String, bool)> {
    let (plan, context) = (plan_of(plan)?, context(py, threads.clamp(1, 512))?);
    let stop = StopToken::new();
    let work = || {
        let local = Local { threads: context.threads, stop: stop.clone(), ..Local::default() };
        yomikiri_runs::run_local(&plan, &out, &local, &context, &mut Front::default())
    };
    let stop_it = || {
        stop.stop();
    };
    let RunReport { text, complete } = run_until(py, stop_it, work)?.map_err(failed)?;
    Ok((text, complete))
}

/// A stage of a run whose units are to be done.
#[pyclass(name = "OpenStage", module = "yomikiri", frozen)]
struct PyOpenStage(OpenStage);

#[pymethods]
impl PyOpenStage {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The units to do, in their order.
    #[getter]
    fn missing(&self) -> Vec<&str> {
        self.0.missing.iter().map(|&at| self.0.keys[at].as_str()).collect()
    }

    /// How many units it has in all.
    #[getter]
    fn total(&self) -> usize {
        self.0.keys.len()
    }

    /// So many units in a row are best done by one worker.
    #[getter]
    fn group(&self) -> usize {
        self.0.group
    }

    /// The results of the stages before it, for `RunWorker.units`.
    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let before = serde_json::to_vec(self.0.before.as_slice()).map_err(failed)?;
        Ok(PyBytes::new(py, &before))
    }
}

/// A step of a learner whose units are to be done.
#[pyclass(name = "OpenStep", module = "yomikiri", frozen)]
struct PyOpenStep(OpenStep);

#[pymethods]
impl PyOpenStep {
    /// Which one.
    #[getter]
    fn number(&self) -> u64 {
        self.0.number
    }

    /// What all its units need.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.state)
    }

    /// The units, in the order of their results.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.units.iter().map(|unit| PyBytes::new(py, unit)))
    }
}

type RunOwner = Owner<Result<RunReport, RunsError>>;

/// The owner of a run in a folder: it has the log, says which units are missing, and appends what
/// workers did. A run that was begun before goes on.
#[pyclass(name = "RunOwner", module = "yomikiri", frozen)]
struct PyRunOwner(Mutex<Option<RunOwner>>);

impl PyRunOwner {
    /// Works with the owner; an error after its end. A signal is heard when the owner has answered,
    /// which waits for nobody.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&RunOwner) -> T + Send,
    ) -> PyResult<T> {
        let done = run_until(py, || (), || lock(&self.0).as_ref().map(work))?;
        done.ok_or_else(|| failed("the run is over"))
    }
}

#[pymethods]
impl PyRunOwner {
    /// Begins, or goes on with, a plan in a folder. The threads are for what workers do not do.
    #[new]
    #[pyo3(signature = (plan, out, *, threads = 1))]
    fn new(py: Python<'_>, plan: &str, out: PathBuf, threads: usize) -> PyResult<PyRunOwner> {
        let (plan, context) = (plan_of(plan)?, context(py, threads.clamp(1, 512))?);
        let owner = py.detach(|| yomikiri_runs::owner(&plan, &out, &context)).map_err(failed)?;
        Ok(PyRunOwner(Mutex::new(Some(owner))))
    }

    /// What makes the run the one it is, as JSON: a worker must have the same. Once; `None` if the
    /// run failed before it began, which `finish` explains.
    fn identity(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let identity = self.with(py, Owner::identity)?;
        identity.map(|it| serde_json::to_string(&it).map_err(failed)).transpose()
    }

    /// Waits for the next stage or step that has units to do. `None` when the run is over.
    fn next_stage(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(match self.with(py, Owner::next_stage)? {
            None => None,
            Some(AwaitedUnits::Stage(stage)) => Some(Py::new(py, PyOpenStage(stage))?.into_any()),
            Some(AwaitedUnits::Step(step)) => Some(Py::new(py, PyOpenStep(step))?.into_any()),
        })
    }

    /// Appends results, each as `RunWorker.units` gives them, in one write. Units that are finished
    /// already are passed over. Gives how many were new; `None` if the stage is over.
    fn put(
        &self,
        py: Python<'_>,
        stage: &str,
        results: Vec<PyBackedBytes>,
        provenance: &str,
    ) -> PyResult<Option<usize>> {
        let by: Provenance = serde_json::from_str(provenance).map_err(bad_value)?;
        let put = self.with(py, |owner| {
            let mut units: Vec<(String, Value, f64)> = Vec::new();
            for result in &results {
                units.extend(serde_json::from_slice::<Vec<(String, Value, f64)>>(result)?);
            }
            Ok::<_, serde_json::Error>(owner.put(stage, units, &by))
        })?;
        put.map_err(bad_value)
    }

    /// Gives all results of a step, in the order of its units, to the learner.
    fn put_step(&self, py: Python<'_>, number: u64, results: Vec<PyBackedBytes>) -> PyResult<()> {
        let results = results.iter().map(|result| result.to_vec()).collect();
        self.with(py, |owner| owner.put_step(number, results))
    }

    /// Asks the run to end: a learner saves itself after the step that it waits for.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, Owner::stop)
    }

    /// Ends the run: what it came to in words, and whether nothing is missing.
    fn finish(&self, py: Python<'_>) -> PyResult<(String, bool)> {
        let owner = py.detach(|| lock(&self.0).take()).ok_or_else(|| failed("the run is over"))?;
        let finished = run_until(py, || (), || owner.finish())?;
        let RunReport { text, complete } = finished.map_err(failed)?;
        Ok((text, complete))
    }
}

/// Does units of a run for an owner elsewhere; it writes nothing.
#[pyclass(name = "RunWorker", module = "yomikiri", frozen)]
struct PyRunWorker {
    worker: Mutex<UnitWorker>,
    stop: StopToken,
    provenance: Provenance,
}

impl PyRunWorker {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut UnitWorker) -> T + Send,
    ) -> PyResult<T> {
        let stop_it = || {
            self.stop.stop();
        };
        run_until(py, stop_it, || work(&mut lock(&self.worker)))
    }
}

#[pymethods]
impl PyRunWorker {
    /// For a plan. Nothing is read before it is asked for something.
    #[new]
    fn new(py: Python<'_>, plan: &str) -> PyResult<PyRunWorker> {
        let (plan, context) = (plan_of(plan)?, context(py, 1)?);
        let worker = yomikiri_runs::worker(&plan, &context);
        let (stop, provenance) = (worker.stop_token(), context.provenance);
        Ok(PyRunWorker { worker: Mutex::new(worker), stop, provenance })
    }

    /// What makes the run the one it is, from the data as this process sees it, as JSON.
    fn identity(&self, py: Python<'_>) -> PyResult<String> {
        let identity = self.with(py, UnitWorker::identity)?.map_err(failed)?;
        serde_json::to_string(&identity).map_err(failed)
    }

    /// Who does the units, as JSON for `RunOwner.put`.
    #[getter]
    fn provenance(&self) -> PyResult<String> {
        serde_json::to_string(&self.provenance).map_err(failed)
    }

    /// Does the units of these keys; `before` are the results of the stages before, as
    /// `OpenStage.before` gives them.
    fn units<'py>(
        &self,
        py: Python<'py>,
        stage: &str,
        keys: Vec<String>,
        before: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let before: Vec<FinishedStage> = serde_json::from_slice(before).map_err(bad_value)?;
        let done = self.with(py, |worker| {
            let mut results = Vec::with_capacity(keys.len());
            for key in keys {
                let (value, seconds) = worker.unit(&before, stage, &key)?;
                results.push((key, value, seconds));
            }
            Ok(serde_json::to_vec(&results).expect("plain data is JSON"))
        })?;
        let done = done.map_err(|error: yomikiri_base::stages::WorkerError| failed(error))?;
        Ok(PyBytes::new(py, &done))
    }

    /// Does units of a learner's step; `state` is that of the step.
    fn step_units<'py>(
        &self,
        py: Python<'py>,
        number: u64,
        state: &[u8],
        units: Vec<PyBackedBytes>,
    ) -> PyResult<Bound<'py, PyList>> {
        let state = Arc::new(state.to_vec());
        let done = self.with(py, |worker| {
            let do_unit = |unit: &PyBackedBytes| worker.step_unit(number, &state, unit.to_vec());
            units.iter().map(do_unit).collect::<Result<Vec<_>, _>>()
        })?;
        let done = done.map_err(failed)?;
        PyList::new(py, done.iter().map(|result| PyBytes::new(py, result)))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<RunWorker {}>", self.provenance()?))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("RunError", module.py().get_type::<RunError>())?;
    module.add_class::<PyOpenStage>()?;
    module.add_class::<PyOpenStep>()?;
    module.add_class::<PyRunOwner>()?;
    module.add_class::<PyRunWorker>()?;
    module.add_function(wrap_pyfunction!(plan_files, module)?)?;
    module.add_function(wrap_pyfunction!(run_plan, module)?)?;
    module.add_function(wrap_pyfunction!(usi, module)?)
}
