//! The classic network file of YaneuraOu.
//!
//! Little-endian: version, hash, length of the description, description; hash of the first layer,
//! its biases and weights (i16, input by input); hash of the rest, then for each of three layers
//! biases (i32) and weights (i8, output by output, each row filled up to a multiple of 32).
//! What a file holds is decided by its hashes and its size; descriptions are known to lie.
//!
//! An extension of our own has several sets of layers after the first, chosen by how far the game
//! has come: another version, after the first layer the number of stages, then for each stage the
//! hash and the layers of a classic file.

mod error;

pub use error::NetworkError;

use super::features::FeatureSet;
use core::fmt;
use core::ops::RangeInclusive;

/// The first number of every file.
pub const VERSION: u32 = 0x7AF3_2F16;

/// The first number of a file with layers by stage of the game.
pub const STAGED_VERSION: u32 = 0x7AF3_5947;

/// How many stages a file may have.
pub const STAGES: RangeInclusive<usize> = 1..=16;

/// How wide one side's half of the first layer may be, in steps of [`FIRST_LAYER_STEP`].
pub const FIRST_LAYER: RangeInclusive<usize> = 256..=1024;

/// The first layer is a multiple of this, so that both halves fill whole cache lines.
pub const FIRST_LAYER_STEP: usize = 64;

/// How wide the second and the third layer may be.
pub const SMALL_LAYER: RangeInclusive<usize> = 1..=128;

/// Upper bound on the size of a file: the largest network and a generous description.
pub const MAX_SIZE: usize = {
    let l = *SMALL_LAYER.end();
    let largest = Architecture {
        features: FeatureSet::HalfKp,
        l1: *FIRST_LAYER.end(),
        l2: l,
        l3: l,
        stages: *STAGES.end(),
    };
    largest.file_size(1 << 16)
};

/// Inputs of the later layers are filled up to a multiple of this in the file.
const ROW_STEP: usize = 32;

/// Version, hash and length of the description.
const HEADER: usize = 12;

/// The form of a network: inputs, units of one half of the first layer, of the second and of the
/// third; the output is one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Architecture {
    /// The inputs.
    pub features: FeatureSet,
    /// Units of one side's half of the first layer.
    pub l1: usize,
    /// Units of the second layer.
    pub l2: usize,
    /// Units of the third layer.
    pub l3: usize,
    /// Sets of layers after the first, one for each stage of the game; 1 in a classic file.
    pub stages: usize,
}

impl fmt::Display for Architecture {
    /// As `K+P 256x2-32-32-1`, with stages as `K+P 256x2-32-32-1, 8 stages`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x2-{}-{}-1", self.features.name(), self.l1, self.l2, self.l3)?;
        if self.is_classic() { Ok(()) } else { write!(f, ", {} stages", self.stages) }
    }
}

/// The hash of a layer after one with the hash `before`.
const fn affine_hash(before: u32, outputs: usize) -> u32 {
    0xCC03_DAE4u32.wrapping_add(outputs as u32) ^ (before >> 1) ^ (before << 31)
}

/// The hash of an activation after a layer with the hash `before`.
const fn activation_hash(before: u32) -> u32 {
    before.wrapping_add(0x538D_24C7)
}

impl Architecture {
    /// Inputs and outputs of the three layers after the first.
    pub const fn layers(&self) -> [(usize, usize); 3] {
        [(2 * self.l1, self.l2), (self.l2, self.l3), (self.l3, 1)]
    }

    /// The hash of the first layer.
    pub const fn first_hash(&self) -> u32 {
        self.features.hash() ^ (2 * self.l1) as u32
    }

    /// The hash of the layers after the first.
    pub const fn rest_hash(&self) -> u32 {
        let input = 0xEC42_E90D ^ (2 * self.l1) as u32;
        let second = activation_hash(affine_hash(input, self.l2));
        let third = activation_hash(affine_hash(second, self.l3));
        affine_hash(third, 1)
    }

    /// The hash of the whole file.
    pub const fn file_hash(&self) -> u32 {
        self.first_hash() ^ self.rest_hash()
    }

    /// Whether a classic file holds it, which has no stages.
    pub const fn is_classic(&self) -> bool {
        self.stages == 1
    }

    /// The first number of its file.
    pub const fn version(&self) -> u32 {
        if self.is_classic() { VERSION } else { STAGED_VERSION }
    }

    /// Bytes of the first layer without its hash.
    const fn first_size(&self) -> usize {
        2 * self.l1 * (1 + self.features.inputs())
    }

    /// Bytes of one stage's layers after the first without their hash.
    const fn rest_size(&self) -> usize {
        let [second, third, output] = self.layers();
        layer_size(second) + layer_size(third) + layer_size(output)
    }

    /// Bytes of a file with a description of this length.
    pub const fn file_size(&self, description: usize) -> usize {
        let number = if self.is_classic() { 0 } else { 4 };
        HEADER + description + 4 + self.first_size() + number + self.stages * (4 + self.rest_size())
    }

    /// Whether it is within what can be used here.
    pub fn is_supported(&self) -> bool {
        FIRST_LAYER.contains(&self.l1)
            && self.l1.is_multiple_of(FIRST_LAYER_STEP)
            && SMALL_LAYER.contains(&self.l2)
            && SMALL_LAYER.contains(&self.l3)
            && STAGES.contains(&self.stages)
    }

    /// The inputs and the first layer that have this hash; the others are still unknown.
    fn of_first_hash(hash: u32) -> Option<Architecture> {
        FeatureSet::ALL.into_iter().find_map(|features| {
            let outputs = (hash ^ features.hash()) as usize;
            let found = Architecture { features, l1: outputs / 2, l2: 1, l3: 1, stages: 1 };
            (outputs.is_multiple_of(2) && found.is_supported()).then_some(found)
        })
    }

    /// The same first layer with the later layers that have this hash and, where that is not
    /// enough to decide, this size of one stage's layers.
    fn with_rest(self, hash: u32, size: usize) -> Option<Architecture> {
        let fitting = SMALL_LAYER
            .flat_map(|l2| SMALL_LAYER.map(move |l3| Architecture { l2, l3, ..self }))
            .filter(|it| it.rest_hash() == hash);
        fitting.min_by_key(|it| it.rest_size().abs_diff(size))
    }
}

const fn padded(inputs: usize) -> usize {
    inputs.next_multiple_of(ROW_STEP)
}

const fn layer_size((inputs, outputs): (usize, usize)) -> usize {
    outputs * (4 + padded(inputs))
}

/// A file taken apart, nothing copied.
pub(super) struct View<'a> {
    pub architecture: Architecture,
    pub description: &'a [u8],
    pub first_bias: &'a [u8],
    pub first_weights: &'a [u8],
    /// For each stage.
    pub layers: Vec<[LayerView<'a>; 3]>,
}

/// One later layer of a file.
pub(super) struct LayerView<'a> {
    pub inputs: usize,
    pub outputs: usize,
    bias: &'a [u8],
    weights: &'a [u8],
}

impl<'a> LayerView<'a> {
    /// The biases, output by output.
    pub fn bias(&self) -> impl Iterator<Item = i32> + use<'a> {
        self.bias.as_chunks::<4>().0.iter().map(|&bytes| i32::from_le_bytes(bytes))
    }

    /// The weights of one output, without what fills the row up.
    pub fn row(&self, output: usize) -> impl Iterator<Item = i8> + use<'a> {
        let row = &self.weights[output * padded(self.inputs)..][..self.inputs];
        row.iter().map(|&byte| byte as i8)
    }
}

/// The i16 numbers in a piece of a file.
pub(super) fn shorts(bytes: &[u8]) -> impl Iterator<Item = i16> + '_ {
    bytes.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes))
}

/// Takes pieces off the front of a file whose size is kept for messages.
struct Reader<'a> {
    rest: &'a [u8],
    size: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let needed = (self.size - self.rest.len()).saturating_add(count);
        let truncated = NetworkError::Truncated { needed, size: self.size };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, NetworkError> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    /// The number of stages.
    fn stages(&mut self) -> Result<usize, NetworkError> {
        let found = self.number()?;
        let stages = found as usize;
        // One stage has a classic file, so that every network has one form.
        let fits = STAGES.contains(&stages) && stages > 1;
        if fits { Ok(stages) } else { Err(NetworkError::WrongStages { found }) }
    }

    fn layers(&mut self, form: Architecture) -> Result<[LayerView<'a>; 3], NetworkError> {
        let [second, third, output] = form.layers();
        Ok([self.layer(second)?, self.layer(third)?, self.layer(output)?])
    }

    fn layer(&mut self, (inputs, outputs): (usize, usize)) -> Result<LayerView<'a>, NetworkError> {
        let bias = self.take(4 * outputs)?;
        let weights = self.take(outputs * padded(inputs))?;
        Ok(LayerView { inputs, outputs, bias, weights })
    }
}

impl<'a> View<'a> {
    /// Takes a file apart.
    pub fn new(bytes: &'a [u8]) -> Result<View<'a>, NetworkError> {
        let size = bytes.len();
        if size > MAX_SIZE {
            return Err(NetworkError::TooLarge { size, limit: MAX_SIZE });
        }
        let mut reader = Reader { rest: bytes, size };
        let version = reader.number()?;
        if version != VERSION && version != STAGED_VERSION {
            return Err(NetworkError::WrongVersion { found: version });
        }
        let file_hash = reader.number()?;
        let length = reader.number()? as usize;
        let description = reader.take(length)?;
        let first_hash = reader.number()?;
        let half = Architecture::of_first_hash(first_hash)
            .ok_or(NetworkError::UnknownFirstLayer { found: first_hash, size })?;
        let first_bias = reader.take(2 * half.l1)?;
        let first_weights = reader.take(half.first_size() - 2 * half.l1)?;
        let stages = if version == VERSION { 1 } else { reader.stages()? };
        let rest_hash = reader.number()?;
        let unknown = NetworkError::UnknownLayers {
            features: half.features,
            l1: half.l1,
            found: rest_hash,
            size,
        };
        let one = ((reader.rest.len() + 4) / stages).saturating_sub(4);
        let architecture = half.with_rest(rest_hash, one).ok_or(unknown)?;
        let architecture = Architecture { stages, ..architecture };
        let expected = architecture.file_size(length);
        if expected != size {
            return Err(NetworkError::WrongSize { architecture, expected, size });
        }
        if file_hash != architecture.file_hash() {
            let expected = architecture.file_hash();
            return Err(NetworkError::WrongHash { found: file_hash, expected });
        }
        let mut layers = vec![reader.layers(architecture)?];
        while layers.len() < stages {
            let found = reader.number()?;
            if found != rest_hash {
                return Err(NetworkError::WrongHash { found, expected: rest_hash });
            }
            layers.push(reader.layers(architecture)?);
        }
        Ok(View { architecture, description, first_bias, first_weights, layers })
    }
}

/// The parameters of a layer after the first, as a trainer has them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayerParameters {
    /// One for each output.
    pub bias: Vec<i32>,
    /// Output by output, one for each input.
    pub weights: Vec<i8>,
}

/// The parameters of a network, as a trainer has them: in the file's order, nothing rearranged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkParameters {
    /// The form.
    pub architecture: Architecture,
    /// Free text, by custom ASCII.
    pub description: Vec<u8>,
    /// One for each unit of a half.
    pub first_bias: Vec<i16>,
    /// Input by input, one for each unit of a half.
    pub first_weights: Vec<i16>,
    /// The second, the third and the output layer of each stage.
    pub layers: Vec<[LayerParameters; 3]>,
}

impl NetworkParameters {
    /// Those of the program's own network.
    pub fn embedded() -> NetworkParameters {
        NetworkParameters::from_bytes(&super::EMBEDDED.0).expect("the embedded network is whole")
    }

    /// All zero, with an empty description.
    pub fn zero(architecture: Architecture) -> NetworkParameters {
        let layers = architecture.layers().map(|(inputs, outputs)| LayerParameters {
            bias: vec![0; outputs],
            weights: vec![0; inputs * outputs],
        });
        NetworkParameters {
            architecture,
            description: Vec::new(),
            first_bias: vec![0; architecture.l1],
            first_weights: vec![0; architecture.l1 * architecture.features.inputs()],
            layers: vec![layers; architecture.stages],
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not one, or of a form that is not known here.
    pub fn from_bytes(bytes: &[u8]) -> Result<NetworkParameters, NetworkError> {
        let view = View::new(bytes)?;
        let parameters = |layer: &LayerView<'_>| LayerParameters {
            bias: layer.bias().collect(),
            weights: (0..layer.outputs).flat_map(|output| layer.row(output)).collect(),
        };
        Ok(NetworkParameters {
            architecture: view.architecture,
            description: view.description.to_vec(),
            first_bias: shorts(view.first_bias).collect(),
            first_weights: shorts(view.first_weights).collect(),
            layers: view.layers.iter().map(|stage| stage.each_ref().map(parameters)).collect(),
        })
    }

    /// Writes a classic file, or one with stages where there are several.
    ///
    /// # Errors
    /// If a list is not as long as the architecture says, or the architecture is none that can be
    /// read again.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetworkError> {
        self.check()?;
        let architecture = self.architecture;
        let mut bytes = Vec::with_capacity(architecture.file_size(self.description.len()));
        let header =
            [architecture.version(), architecture.file_hash(), self.description.len() as u32];
        bytes.extend(header.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(&self.description);
        bytes.extend(architecture.first_hash().to_le_bytes());
        bytes.extend(self.first_bias.iter().flat_map(|it| it.to_le_bytes()));
        bytes.extend(self.first_weights.iter().flat_map(|it| it.to_le_bytes()));
        if !architecture.is_classic() {
            bytes.extend((architecture.stages as u32).to_le_bytes());
        }
        for stage in &self.layers {
            bytes.extend(architecture.rest_hash().to_le_bytes());
            for (layer, (inputs, _)) in stage.iter().zip(architecture.layers()) {
                bytes.extend(layer.bias.iter().flat_map(|it| it.to_le_bytes()));
                for row in layer.weights.chunks_exact(inputs) {
                    bytes.extend(row.iter().map(|&it| it as u8));
                    bytes.resize(bytes.len() + padded(inputs) - inputs, 0);
                }
            }
        }
        Ok(bytes)
    }

    /// Sets the description, filled up with spaces so that the weights of the first layer begin
    /// at a multiple of 64 bytes: an embedded file can then be used where it lies.
    pub fn set_description(&mut self, text: &str) {
        self.description = text.as_bytes().to_vec();
        let before = HEADER + self.description.len() + 4;
        self.description
            .resize(self.description.len() + before.next_multiple_of(64) - before, b' ');
    }

    fn check(&self) -> Result<(), NetworkError> {
        let architecture = self.architecture;
        let small = architecture.is_supported()
            && architecture.file_size(self.description.len()) <= MAX_SIZE;
        let first = self.first_bias.len() == architecture.l1
            && self.first_weights.len() == architecture.l1 * architecture.features.inputs();
        let mut layers = self.layers.iter().flat_map(|it| it.iter().zip(architecture.layers()));
        let rest = layers.all(|(layer, (inputs, outputs))| {
            layer.bias.len() == outputs && layer.weights.len() == inputs * outputs
        });
        let fits = small && first && rest && self.layers.len() == architecture.stages;
        if fits { Ok(()) } else { Err(NetworkError::WrongShape { architecture }) }
    }
}

#[cfg(test)]
mod tests;
