//! The one place that knows all evaluations: names, files, and the step from a name to a type.
//!
//! To add an evaluation, write its file, then a row in [`EvaluationKind`] and in [`Model`] here.

use crate::Evaluation;
use crate::king_danger::KingDanger;
use crate::linear::{Linear, Weights, WeightsError};
use crate::material::Material;
use core::fmt;
use core::str::FromStr;
use std::path::{Path, PathBuf};

/// The evaluations that can be chosen by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum EvaluationKind {
    /// Material alone (the papers' PieceEval).
    Material,
    /// Material and king danger, blended by game progress (the papers' ProgressEval).
    KingDanger,
    /// Some 83,000 features with coefficients learned from professional games.
    #[default]
    Linear,
}

impl EvaluationKind {
    /// Every evaluation.
    pub const ALL: [EvaluationKind; 3] =
        [EvaluationKind::Material, EvaluationKind::KingDanger, EvaluationKind::Linear];

    /// Their names, as the option has them.
    pub const NAMES: [&'static str; 3] = ["material", "king-danger", "linear"];

    /// The name as the option has it.
    pub const fn name(self) -> &'static str {
        EvaluationKind::NAMES[self as usize]
    }
}

impl fmt::Display for EvaluationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no evaluation has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown evaluation '{0}'; there are {names}", names = EvaluationKind::NAMES.join(", "))]
pub struct UnknownEvaluation(pub String);

impl FromStr for EvaluationKind {
    type Err = UnknownEvaluation;

    /// Also takes the name that king danger had in earlier versions.
    fn from_str(text: &str) -> Result<EvaluationKind, UnknownEvaluation> {
        let name = if text == "progress" { "king-danger" } else { text };
        let known = EvaluationKind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| UnknownEvaluation(text.to_string()))
    }
}

/// Why an evaluation could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{}: {source}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WeightsError,
    },
}

/// An evaluation with its weights, ready to be used by any number of threads: clones share them.
#[derive(Clone)]
pub enum Model {
    /// See [`EvaluationKind::Material`].
    Material(Material),
    /// See [`EvaluationKind::KingDanger`].
    KingDanger(KingDanger),
    /// See [`EvaluationKind::Linear`].
    Linear(Linear),
}

/// Something to do with an evaluation whose type is not known beforehand.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<E: Evaluation>(self, eval: E) -> Self::Output;
}

impl Model {
    /// The evaluation of this kind with the weights in the program.
    pub fn embedded(kind: EvaluationKind) -> Model {
        match kind {
            EvaluationKind::Material => Model::Material(Material::default()),
            EvaluationKind::KingDanger => Model::KingDanger(KingDanger::default()),
            EvaluationKind::Linear => Model::Linear(Linear::new(&Weights::embedded())),
        }
    }

    /// The evaluation of this kind, with the weights of a file where one is named and the kind
    /// takes one.
    ///
    /// # Errors
    /// If the file cannot be read or does not hold such weights.
    pub fn load(kind: EvaluationKind, file: Option<&Path>) -> Result<Model, LoadError> {
        match (kind, file) {
            (EvaluationKind::Linear, Some(path)) => {
                Ok(Model::Linear(Linear::new(&linear_weights(path)?)))
            }
            _ => Ok(Model::embedded(kind)),
        }
    }

    /// Which evaluation it is.
    pub fn kind(&self) -> EvaluationKind {
        match self {
            Model::Material(_) => EvaluationKind::Material,
            Model::KingDanger(_) => EvaluationKind::KingDanger,
            Model::Linear(_) => EvaluationKind::Linear,
        }
    }

    /// Hands a copy of the evaluation, as its own type, to the visitor.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        match self {
            Model::Material(eval) => visitor.visit(eval.clone()),
            Model::KingDanger(eval) => visitor.visit(eval.clone()),
            Model::Linear(eval) => visitor.visit(eval.clone()),
        }
    }
}

/// The linear weights in a file.
///
/// # Errors
/// If the file cannot be read or does not hold such weights.
pub fn linear_weights(path: &Path) -> Result<Weights, LoadError> {
    let bytes = std::fs::read(path)
        .map_err(|source| LoadError::Read { path: path.to_path_buf(), source })?;
    Weights::from_bytes(&bytes)
        .map_err(|source| LoadError::Weights { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_name_and_model() {
        for kind in EvaluationKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(Model::embedded(kind).kind(), kind);
        }
        assert_eq!("progress".parse(), Ok(EvaluationKind::KingDanger));
        assert!("oracle".parse::<EvaluationKind>().is_err());
    }

    #[test]
    fn every_evaluation_conforms() {
        struct Check;
        impl Visitor for Check {
            type Output = ();
            fn visit<E: Evaluation>(self, eval: E) {
                crate::conformance::check(&eval);
            }
        }
        for kind in EvaluationKind::ALL {
            Model::embedded(kind).visit(Check);
        }
    }
}
