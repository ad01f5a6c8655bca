//! `Evaluation`: what a position is worth without search, one by one or for whole arrays.

use crate::arrays::{for_each, layout};
use crate::board::position_of;
use crate::errors::{bad_value, engine};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;
use yomikiri_eval::linear::{Linear, LinearWeights};
use yomikiri_eval::network::{DEFAULT_SCALE, Network, NetworkEvaluation, NetworkParameters};
use yomikiri_eval::registry::{Visitor, linear_weights};
use yomikiri_eval::{Evaluation, EvaluationKind, Model};
use yomikiri_shogi::Position;

/// The weights behind a model, to be read and changed as arrays.
#[derive(Clone)]
enum Source {
    /// No arrays: material, king danger.
    Plain,
    Linear(Box<LinearWeights>),
    Network(Box<NetworkParameters>),
}

/// What positions are judged by: `'material'`, `'king-danger'`, `'linear'` or `'network'`. The last
/// two take a file (of YaneuraOu's form for a network); without one they have the weights in the
/// package. Values are centipawns for the side to move.
///
///     >>> from yomikiri import Board, Evaluation
///     >>> Evaluation("material").evaluate(Board())
///     0
///     >>> evaluation = Evaluation("linear")
///     >>> pairs = evaluation.arrays()["pairs"]
///     >>> flat = evaluation.replace(pairs=pairs * 0)      # material and progress are left
///     >>> flat.evaluate(Board())
///     0
#[pyclass(name = "Evaluation", module = "yomikiri", frozen)]
pub struct PyEvaluation {
    model: Model,
    source: Source,
}

/// Makes room for the parameters of a network by their names.
macro_rules! set_array {
    ($arrays:expr, $name:expr, $target:expr, $type:ty) => {
        if let Some(array) = $arrays.get_item($name)? {
            let array: PyReadonlyArrayDyn<'_, $type> = array.extract()?;
            let slice = array.as_slice().map_err(bad_value)?;
            if slice.len() != $target.len() {
                let (found, needed) = (slice.len(), $target.len());
                return Err(bad_value(format!("{} has {found} numbers, not {needed}", $name)));
            }
            $target.copy_from_slice(slice);
        }
    };
}

impl PyEvaluation {
    fn linear(weights: LinearWeights) -> PyEvaluation {
        let model = Model::Linear(Linear::new(&weights));
        PyEvaluation { model, source: Source::Linear(Box::new(weights)) }
    }

    /// A network from its parameters.
    pub fn network(parameters: NetworkParameters, scale: i32) -> PyResult<PyEvaluation> {
        let network = Network::new(&parameters).map_err(engine)?;
        let model = Model::Network(NetworkEvaluation::new(Arc::new(network)).with_scale(scale));
        Ok(PyEvaluation { model, source: Source::Network(Box::new(parameters)) })
    }

    /// The bytes of a file that the engine can load; `None` for what has no weights.
    pub fn file(&self) -> PyResult<Option<Vec<u8>>> {
        match &self.source {
            Source::Plain => Ok(None),
            Source::Linear(weights) => weights.to_bytes().map(Some).map_err(engine),
            Source::Network(parameters) => parameters.to_bytes().map(Some).map_err(engine),
        }
    }

    /// Which evaluation it is.
    pub fn model(&self) -> &Model {
        &self.model
    }
}

/// Evaluates one position with a fresh copy.
struct Once<'p>(&'p Position);

impl Visitor for Once<'_> {
    type Output = i32;
    fn visit<E: Evaluation>(self, mut eval: E) -> i32 {
        eval.reset(self.0);
        eval.evaluate(self.0)
    }
}

/// Evaluates packed positions.
struct Batch<'a, 'py> {
    py: Python<'py>,
    bytes: &'a [u8],
    format: &'a str,
}

impl Visitor for Batch<'_, '_> {
    type Output = PyResult<Vec<i32>>;
    fn visit<E: Evaluation>(self, eval: E) -> PyResult<Vec<i32>> {
        let layout = layout(self.format)?;
        let mut values = vec![0; layout.split(self.bytes)?.len()];
        // Shared between threads by a lock that is taken once a thread.
        let eval = std::sync::Mutex::new(eval);
        let copy = || eval.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let work = |eval: &mut E, position: &Position, part: &mut [i32]| {
            eval.reset(position);
            part[0] = eval.evaluate(position);
        };
        for_each(self.py, layout, self.bytes, (&mut values, 1), copy, work)?;
        Ok(values)
    }
}

#[pymethods]
impl PyEvaluation {
    #[new]
    #[pyo3(signature = (kind = "network", file = None, scale = None))]
    fn new(kind: &str, file: Option<PathBuf>, scale: Option<i32>) -> PyResult<PyEvaluation> {
        let kind: EvaluationKind = kind.parse().map_err(bad_value)?;
        let scale = scale.unwrap_or(DEFAULT_SCALE);
        if scale < 1 {
            return Err(bad_value(format!("scale is at least 1, not {scale}")));
        }
        let model = Model::load(kind, file.as_deref()).map_err(engine)?.with_scale(scale);
        let source = match (&model, file) {
            (Model::Network(_), Some(file)) => {
                let read = |error| engine(format!("{}: {error}", file.display()));
                let bytes = std::fs::read(&file).map_err(read)?;
                let parameters = NetworkParameters::from_bytes(&bytes).map_err(engine)?;
                Source::Network(Box::new(parameters))
            }
            (Model::Network(_), None) => Source::Network(Box::new(NetworkParameters::embedded())),
            (Model::Linear(_), Some(file)) => {
                Source::Linear(Box::new(linear_weights(&file).map_err(engine)?))
            }
            (Model::Linear(_), None) => Source::Linear(Box::new(LinearWeights::embedded())),
            _ => Source::Plain,
        };
        Ok(PyEvaluation { model, source })
    }

    /// Its name: `'material'`, `'king-danger'`, `'linear'` or `'network'`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.model.kind().name()
    }

    /// FV_SCALE: what a network's output is divided by to give centipawns; 1 for the others.
    #[getter]
    fn scale(&self) -> i32 {
        self.model.scale()
    }

    /// The form of a network, such as `'HalfKP 256x2-32-32'`; otherwise the kind.
    #[getter]
    fn architecture(&self) -> String {
        match &self.source {
            Source::Network(parameters) => parameters.architecture.to_string(),
            _ => self.kind().to_string(),
        }
    }

    /// The value of a position for the side to move, in centipawns.
    fn evaluate(&self, position: &Bound<'_, PyAny>) -> PyResult<i32> {
        Ok(self.model.visit(Once(&position_of(position)?)))
    }

    /// The values of packed positions, an array of int32; use `yomikiri.arrays.evaluate`.
    fn evaluate_packed<'py>(
        &self,
        py: Python<'py>,
        bytes: PyReadonlyArray1<'py, u8>,
        format: &str,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let bytes = bytes.as_slice().map_err(bad_value)?;
        Ok(self.model.visit(Batch { py, bytes, format })?.into_pyarray(py))
    }

    /// The weights as arrays by name, copies. A network has `first_weights` (inputs, units),
    /// `first_bias`, and `weights1`, `bias1` to `weights3`, `bias3` (a network with several stacks
    /// of later layers goes on with `weights4`); the linear evaluation `pairs` (features, opening
    /// and endgame, in eighths of a centipawn) and `material`.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        match &self.source {
            Source::Plain => {}
            Source::Linear(weights) => {
                let numbers: Vec<i16> = weights.pairs.iter().flatten().copied().collect();
                let pairs = numbers.into_pyarray(py).reshape([weights.pairs.len(), 2])?;
                arrays.set_item("pairs", pairs)?;
                arrays.set_item("material", weights.material.to_vec().into_pyarray(py))?;
            }
            Source::Network(network) => {
                let units = network.first_bias.len();
                let first = network.first_weights.clone().into_pyarray(py);
                let inputs = network.first_weights.len() / units;
                arrays.set_item("first_weights", first.reshape([inputs, units])?)?;
                arrays.set_item("first_bias", network.first_bias.clone().into_pyarray(py))?;
                for (layer, number) in network.layers.iter().flatten().zip(1..) {
                    let outputs = layer.bias.len();
                    let inputs = layer.weights.len() / outputs;
                    let weights = layer.weights.clone().into_pyarray(py);
                    arrays.set_item(
                        format!("weights{number}"),
                        weights.reshape([outputs, inputs])?,
                    )?;
                    let bias = layer.bias.clone().into_pyarray(py);
                    arrays.set_item(format!("bias{number}"), bias)?;
                }
            }
        }
        Ok(arrays)
    }

    /// The same evaluation with other arrays in the place of some; see `arrays`.
    #[pyo3(signature = (**arrays))]
    fn replace(&self, arrays: Option<&Bound<'_, PyDict>>) -> PyResult<PyEvaluation> {
        let py_arrays = match arrays {
            Some(arrays) => arrays,
            None => {
                return Ok(PyEvaluation { model: self.model.clone(), source: self.source.clone() });
            }
        };
        self.check_names(py_arrays)?;
        match self.source.clone() {
            Source::Plain => Ok(PyEvaluation { model: self.model.clone(), source: Source::Plain }),
            Source::Linear(mut weights) => {
                let mut flat: Vec<i16> = weights.pairs.iter().flatten().copied().collect();
                set_array!(py_arrays, "pairs", flat, i16);
                set_array!(py_arrays, "material", weights.material, i16);
                weights.pairs = flat.as_chunks::<2>().0.to_vec();
                Ok(PyEvaluation::linear(*weights))
            }
            Source::Network(mut network) => {
                set_array!(py_arrays, "first_weights", network.first_weights, i16);
                set_array!(py_arrays, "first_bias", network.first_bias, i16);
                for (layer, number) in network.layers.iter_mut().flatten().zip(1..) {
                    set_array!(py_arrays, &format!("weights{number}"), layer.weights, i8);
                    set_array!(py_arrays, &format!("bias{number}"), layer.bias, i32);
                }
                PyEvaluation::network(*network, self.model.scale())
            }
        }
    }

    /// The evaluation as a file that the engine reads (`EvalFile`).
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let none = || bad_value(format!("the evaluation '{}' has no weights", self.kind()));
        Ok(PyBytes::new(py, &self.file()?.ok_or_else(none)?))
    }

    fn __repr__(&self) -> String {
        format!("<Evaluation {}>", self.architecture())
    }
}

impl PyEvaluation {
    /// Refuses an array that the evaluation does not have.
    fn check_names(&self, given: &Bound<'_, PyDict>) -> PyResult<()> {
        let mine = self.arrays(given.py())?;
        for name in given.keys() {
            if !mine.contains(&name)? {
                let (kind, names) = (self.kind(), mine.keys());
                return Err(bad_value(format!("'{kind}' has no array {name}, only {names}")));
            }
        }
        Ok(())
    }
}
