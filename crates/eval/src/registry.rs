//! The one place that knows all evaluations: names, files, and the step from a name to a type.
//!
//! To add an evaluation, write its file, then a line in the table `evaluations!` here.

use crate::Evaluation;
use crate::king_danger::KingDanger;
use crate::linear::{Linear, LinearWeights, WeightsError};
use crate::material::Material;
use crate::network::{Network, NetworkError, NetworkEvaluation, file};
use core::fmt;
use core::str::FromStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Declares every evaluation once: the name of its kind, its type, the word of the option, and how
/// it is made with the weights in the program.
macro_rules! evaluations {
    ($($(#[$about:meta])* $kind:ident($type:ty), $name:literal, $embedded:expr;)*) => {
        /// The evaluations that can be chosen by name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum EvaluationKind {
            $($(#[$about])* $kind,)*
        }

        impl EvaluationKind {
            /// Every evaluation whose weights are in the program.
            pub const ALL: [EvaluationKind; [$($name),*].len()] = [$(EvaluationKind::$kind),*];

            /// The names of all evaluations, as the option has them.
            pub const NAMES: [&'static str; EvaluationKind::ALL.len()] = [$($name),*];
        }

        /// An evaluation with its weights, ready to be used by any number of threads: clones share
        /// them.
        // A program has a handful of models; boxes would buy nothing.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone)]
        pub enum Model {
            $($(#[$about])* $kind($type),)*
        }

        impl Model {
            /// The evaluation of this kind with the weights in the program.
            pub fn embedded(kind: EvaluationKind) -> Model {
                match kind {
                    $(EvaluationKind::$kind => Model::$kind($embedded),)*
                }
            }

            /// Which evaluation it is.
            pub fn kind(&self) -> EvaluationKind {
                match self {
                    $(Model::$kind(_) => EvaluationKind::$kind,)*
                }
            }

            /// Hands a copy of the evaluation, as its own type, to the visitor.
            pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
                match self {
                    $(Model::$kind(eval) => visitor.visit(eval.clone()),)*
                }
            }
        }
    };
}

evaluations! {
    /// Material alone (the papers' PieceEval).
    Material(Material), "material", Material::default();
    /// Material and king danger, blended by game progress (the papers' ProgressEval).
    KingDanger(KingDanger), "king-danger", KingDanger::default();
    /// Some 83,000 features with coefficients learned from professional games.
    Linear(Linear), "linear", Linear::new(&LinearWeights::embedded());
    /// A network: the program's own, or one from a file.
    Network(NetworkEvaluation), "network", NetworkEvaluation::new(Network::embedded());
}

// The table names the evaluations; which of them is the default is another matter.
#[allow(clippy::derivable_impls)]
impl Default for EvaluationKind {
    fn default() -> EvaluationKind {
        EvaluationKind::Network
    }
}

impl EvaluationKind {
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
    /// The file is not a network that can be used.
    #[error("{}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NetworkError,
    },
}

/// Something to do with an evaluation whose type is not known beforehand.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<E: Evaluation>(self, eval: E) -> Self::Output;
}

impl Model {
    /// The evaluation of this kind, with the weights of a file where one is named and the kind
    /// takes one. Linear weights or network: the file's first bytes decide, not the kind.
    ///
    /// # Errors
    /// If the file cannot be read or does not hold such weights.
    pub fn load(kind: EvaluationKind, file: Option<&Path>) -> Result<Model, LoadError> {
        let takes_file = matches!(kind, EvaluationKind::Linear | EvaluationKind::Network);
        match file.filter(|_| takes_file) {
            Some(path) if begins_as_network(path)? => network(path),
            Some(path) => Ok(Model::Linear(Linear::new(&linear_weights(path)?))),
            None => Ok(Model::embedded(kind)),
        }
    }

    /// What the evaluation divides its own numbers by to give centipawns: FV_SCALE of a network,
    /// 1 for those that count in centipawns.
    pub const fn scale(&self) -> i32 {
        match self {
            Model::Network(eval) => eval.scale(),
            _ => 1,
        }
    }

    /// The same with another scale; only networks have one.
    pub fn with_scale(self, scale: i32) -> Model {
        match self {
            Model::Network(eval) => Model::Network(eval.with_scale(scale)),
            other => other,
        }
    }
}

/// At most this many bytes from the front of a file.
fn front(path: &Path, limit: usize) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(limit as u64).read_to_end(&mut bytes))
        .map_err(|source| LoadError::Read { path: path.to_path_buf(), source })?;
    Ok(bytes)
}

fn begins_as_network(path: &Path) -> Result<bool, LoadError> {
    let start = front(path, 4)?;
    Ok([file::VERSION, file::STAGED_VERSION].iter().any(|version| start == version.to_le_bytes()))
}

/// The network in a file. Of one that is too large no more is read than shows it.
fn network(path: &Path) -> Result<Model, LoadError> {
    let bytes = front(path, file::MAX_SIZE + 1)?;
    let network = Network::from_bytes(&bytes)
        .map_err(|source| LoadError::Network { path: path.to_path_buf(), source })?;
    Ok(Model::Network(NetworkEvaluation::new(Arc::new(network))))
}

/// The linear weights in a file.
///
/// # Errors
/// If the file cannot be read or does not hold such weights.
pub fn linear_weights(path: &Path) -> Result<LinearWeights, LoadError> {
    let bytes = std::fs::read(path)
        .map_err(|source| LoadError::Read { path: path.to_path_buf(), source })?;
    LinearWeights::from_bytes(&bytes)
        .map_err(|source| LoadError::Weights { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Architecture, FeatureSet, NetworkParameters};

    #[test]
    fn every_kind_has_its_name_and_model() {
        for kind in EvaluationKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(Model::embedded(kind).kind(), kind);
        }
        assert_eq!("progress".parse(), Ok(EvaluationKind::KingDanger));
        assert_eq!("network".parse(), Ok(EvaluationKind::Network));
        assert!("oracle".parse::<EvaluationKind>().is_err());
    }

    #[test]
    fn a_network_is_known_by_its_first_bytes() {
        let architecture =
            Architecture { features: FeatureSet::Kp, l1: 256, l2: 8, l3: 8, stages: 1 };
        let bytes = NetworkParameters::zero(architecture).to_bytes().expect("whole");
        let path = std::env::temp_dir().join(format!("network-{}.bin", std::process::id()));
        std::fs::write(&path, &bytes).expect("a file can be written");
        for kind in [EvaluationKind::Linear, EvaluationKind::Network] {
            let model = Model::load(kind, Some(&path)).expect("a good network");
            assert_eq!((model.kind(), model.scale()), (EvaluationKind::Network, 16));
            assert_eq!(model.with_scale(24).scale(), 24);
        }
        std::fs::write(&path, &bytes[..1000]).expect("a file can be written");
        let error = Model::load(EvaluationKind::Linear, Some(&path)).err();
        std::fs::remove_file(&path).expect("it was written");
        assert!(matches!(error, Some(LoadError::Network { .. })), "{error:?}");
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
