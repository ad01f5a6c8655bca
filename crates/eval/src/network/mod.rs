//! Networks as YaneuraOu and its relatives use them, read from their classic files.
//!
//! Nasu, "Efficiently Updatable Neural-Network-based Evaluation Function for computer Shogi",
//! 2018: a wide first layer whose sums are followed move by move, once from each side's view, and
//! three small layers of bytes after it. The side to move's half comes first.
//!
//! A network may have several sets of those layers, one for each stage of the game as
//! computed by [`stage::hand_made`]: the split by game progress of Matsui et al. 2008, carried
//! over.
//!
//! The output is divided by FV_SCALE, which belongs to the network but is not in its file: 16 by
//! custom. A position without both kings, as tsume problems have, is outside of what networks
//! were made from: its value is material, by the prices of [`crate::material`].

mod accumulator;
pub mod features;
pub mod file;
mod layers;
pub mod simd;
#[cfg(test)]
mod tests;

pub use features::FeatureSet;
pub use file::{Architecture, LayerParameters, NetworkError, NetworkParameters};
pub use simd::SimdLevel;

use crate::Evaluation;
use crate::material::Material;
use crate::stage;
use crate::value::{EVAL_LIMIT, Value};
use accumulator::Accumulators;
use file::{View, shorts};
use layers::{Affine, Layers};
use simd::{CacheLine, I16Line, Kernels, U8Line};
use std::sync::{Arc, LazyLock};
use yomikiri_shogi::{BoardChange, Color, Position};

/// FV_SCALE where nothing else is known.
pub const DEFAULT_SCALE: i32 = 16;

/// The program's own network, placed so that its weights can be used where they lie: after the
/// header, the description and the biases they begin at a multiple of 64 bytes.
static EMBEDDED: CacheLine<[u8; include_bytes!("../../networks/default.nn").len()]> =
    CacheLine(*include_bytes!("../../networks/default.nn"));

/// The lineage of the program's own network.
const LINEAGE: &str = include_str!("../../networks/default.json");

/// The SHA-256 of the program's own network in hexadecimal, as its lineage states it.
pub fn embedded_checksum() -> &'static str {
    let stated = LINEAGE.split_once("\"sha256\": \"").map_or("", |(_, rest)| rest);
    stated.split('"').next().unwrap_or_default()
}

/// The weights of the first layer: a copy, or the file itself where it lies in the program.
#[derive(Clone, Debug)]
enum FirstWeights {
    Owned(Arc<[I16Line]>),
    Static(&'static [I16Line]),
}

/// A network made ready for this machine. It is shared by all threads that use it.
#[derive(Clone, Debug)]
pub struct Network {
    architecture: Architecture,
    description: Box<[u8]>,
    first_bias: Arc<[I16Line]>,
    first_weights: FirstWeights,
    /// For each stage of the game.
    layers: Vec<Layers>,
    kernels: Kernels,
}

impl Network {
    /// Makes parameters ready.
    ///
    /// # Errors
    /// If a list is not as long as the architecture says.
    pub fn new(parameters: &NetworkParameters) -> Result<Network, NetworkError> {
        Network::from_bytes(&parameters.to_bytes()?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not one, or of a form that is not known here.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let view = View::new(bytes)?;
        let weights = FirstWeights::Owned(lines(view.first_weights));
        Ok(Network::from_view(&view, weights))
    }

    /// Reads a file that is part of the program. The weights of the first layer are used
    /// where they lie if that is a multiple of 64 bytes, see
    /// [`NetworkParameters::set_description`].
    ///
    /// # Errors
    /// If it is not one, or of a form that is not known here.
    pub fn from_static(bytes: &'static [u8]) -> Result<Network, NetworkError> {
        let view = View::new(bytes)?;
        let weights = match simd::as_lines(view.first_weights) {
            Some(in_place) => FirstWeights::Static(in_place),
            None => FirstWeights::Owned(lines(view.first_weights)),
        };
        Ok(Network::from_view(&view, weights))
    }

    /// The program's own network, which all who use it share.
    pub fn embedded() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            Arc::new(Network::from_static(&EMBEDDED.0).expect("the embedded network is whole"))
        });
        Arc::clone(&NETWORK)
    }

    fn from_view(view: &View<'_>, first_weights: FirstWeights) -> Network {
        let layers = view.layers.iter().map(|stage| {
            let [second, third, output] = stage.each_ref().map(Affine::new);
            Layers { second, third, output }
        });
        Network {
            architecture: view.architecture,
            description: view.description.into(),
            first_bias: lines(view.first_bias),
            first_weights,
            layers: layers.collect(),
            kernels: Kernels::best(),
        }
    }

    /// The same network with the instructions of another level, for tests and measurements.
    /// `None` if this machine does not have them.
    pub fn with_level(mut self, level: SimdLevel) -> Option<Network> {
        self.kernels = Kernels::new(level)?;
        Some(self)
    }

    /// The instructions in use.
    pub const fn level(&self) -> SimdLevel {
        self.kernels.level()
    }

    /// The form.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// What the file says about itself; by custom ASCII, and often wrong.
    pub const fn description(&self) -> &[u8] {
        &self.description
    }

    /// Whether the weights of the first layer are those in the program, not a copy.
    pub const fn is_in_place(&self) -> bool {
        matches!(self.first_weights, FirstWeights::Static(_))
    }

    /// Which set of layers a position is evaluated by.
    #[inline]
    fn stage(&self, position: &Position) -> usize {
        if self.layers.len() == 1 { 0 } else { stage_of(position, self.layers.len()) }
    }

    #[inline]
    fn first_weights(&self) -> &[I16Line] {
        match &self.first_weights {
            FirstWeights::Owned(weights) => weights,
            FirstWeights::Static(weights) => weights,
        }
    }

    #[inline]
    fn first_bias(&self) -> &[I16Line] {
        &self.first_bias
    }

    #[inline]
    const fn kernels(&self) -> &Kernels {
        &self.kernels
    }
}

/// The stage of a position among this many equal parts of a game, counted from 0.
pub fn stage_of(position: &Position, stages: usize) -> usize {
    stage::hand_made(position) as usize * stages / (stage::FULL as usize + 1)
}

/// The i16 numbers of a file as aligned lines.
fn lines(bytes: &[u8]) -> Arc<[I16Line]> {
    let line = |bytes: &[u8; 64]| {
        let mut line = CacheLine([0; 32]);
        for (number, value) in line.0.iter_mut().zip(shorts(bytes)) {
            *number = value;
        }
        line
    };
    bytes.as_chunks::<64>().0.iter().map(line).collect()
}

/// A network that follows the board.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    network: Arc<Network>,
    scale: i32,
    accumulators: Accumulators,
    /// Activations of both halves.
    scratch: Vec<U8Line>,
}

impl NetworkEvaluation {
    /// With [`DEFAULT_SCALE`], at an empty board.
    pub fn new(network: Arc<Network>) -> NetworkEvaluation {
        let l1 = network.architecture.l1;
        let mut evaluation = NetworkEvaluation {
            network,
            scale: DEFAULT_SCALE,
            accumulators: Accumulators::new(l1 / 32),
            scratch: vec![CacheLine([0; 64]); l1 / 32],
        };
        evaluation.reset(&Position::empty());
        evaluation
    }

    /// The same with another FV_SCALE, at least 1.
    pub fn with_scale(mut self, scale: i32) -> NetworkEvaluation {
        self.scale = scale.max(1);
        self
    }

    /// FV_SCALE: what the output is divided by to give centipawns.
    pub const fn scale(&self) -> i32 {
        self.scale
    }

    /// The network, which clones share.
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The network's output for the side to move, before the division by FV_SCALE. The position
    /// is the one that was followed.
    #[inline]
    pub fn raw(&mut self, position: &Position) -> i32 {
        let network = &*self.network;
        let halves = self.accumulators.halves(network, position);
        let layers = &network.layers[network.stage(position)];
        network.kernels.forward(layers, halves, &mut self.scratch)
    }
}

/// The value of a position that no network was made for.
#[cold]
fn without_kings(position: &Position) -> Value {
    let mut material = Material::default();
    material.reset(position);
    material.evaluate(position)
}

impl Evaluation for NetworkEvaluation {
    fn reset(&mut self, position: &Position) {
        self.accumulators.reset(&self.network, position);
    }

    #[inline]
    fn push(&mut self, position: &Position, change: &BoardChange) {
        self.accumulators.push(position, change);
    }

    #[inline]
    fn push_null(&mut self, _: &Position) {
        self.accumulators.push_null();
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        if Color::ALL.iter().any(|&color| position.king(color).is_none()) {
            return without_kings(position);
        }
        (self.raw(position) / self.scale).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}
