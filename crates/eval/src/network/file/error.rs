//! What can be wrong with a network file.

use super::{Architecture, FeatureSet, STAGED_VERSION, STAGES, VERSION};

/// Why bytes are not a network that can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// Larger than any network of the kinds known here.
    #[error("{size} bytes are too many for a network; the largest has {limit}")]
    TooLarge {
        /// The file's size.
        size: usize,
        /// [`MAX_SIZE`](super::MAX_SIZE).
        limit: usize,
    },
    /// Ends before its own header says that it does.
    #[error("truncated: {size} bytes, at least {needed} are needed")]
    Truncated {
        /// What must be there.
        needed: usize,
        /// The file's size.
        size: usize,
    },
    /// Not a network file, or of another generation.
    #[error(
        "version {found:#010X} is neither {VERSION:#010X}, that of a classic network file, nor \
         {STAGED_VERSION:#010X}, that of one with stages"
    )]
    WrongVersion {
        /// What the file begins with.
        found: u32,
    },
    /// Inputs or a first layer that are not known here.
    #[error(
        "first layer with hash {found:#010X} in a file of {size} bytes: neither K+P ({kp:#010X} \
         for 256 units) nor HalfKP ({half_kp:#010X}) with 256 to 1024 units in steps of 64",
        kp = FeatureSet::Kp.hash() ^ 512,
        half_kp = FeatureSet::HalfKp.hash() ^ 512
    )]
    UnknownFirstLayer {
        /// The hash in the file.
        found: u32,
        /// The file's size.
        size: usize,
    },
    /// More stages than a file may have, or fewer.
    #[error("{found} stages, not 2 to {most}", most = STAGES.end())]
    WrongStages {
        /// The number in the file.
        found: u32,
    },
    /// Other layers after the first than two small ones and an output.
    #[error(
        "{features} with {l1} units, then layers with hash {found:#010X} in a file of {size} \
         bytes: not two layers of 1 to 128 units and one output",
        features = features.name()
    )]
    UnknownLayers {
        /// The inputs.
        features: FeatureSet,
        /// Units of the first layer.
        l1: usize,
        /// The hash in the file.
        found: u32,
        /// The file's size.
        size: usize,
    },
    /// The file's hash does not belong to its layers.
    #[error("the file's hash is {found:#010X}, that of its layers {expected:#010X}")]
    WrongHash {
        /// The hash in the file's header.
        found: u32,
        /// What its parts come to.
        expected: u32,
    },
    /// The hashes name one network, the size another.
    #[error("{size} bytes, but {architecture} takes {expected}")]
    WrongSize {
        /// What the hashes say.
        architecture: Architecture,
        /// Its size.
        expected: usize,
        /// The file's size.
        size: usize,
    },
    /// Parameters whose lists are not as long as their architecture says.
    #[error("the parameters do not have the lengths of {architecture}")]
    WrongShape {
        /// What the parameters claim to be.
        architecture: Architecture,
    },
}
