//! The network in single precision: parameters in the order of the classic file.
//!
//! Units are chosen so that an activation of 1 is 127 in the file. Weights are kept within what
//! the file can hold all the time: training sees the limits that play will see.

use super::config::{Init, NetworkConfig, OutputConfig};
use super::kernels::LANES;
use core::ops::Range;
use yomikiri_eval::network::{Architecture, FeatureSet};

/// Activations of 1 in the file's units.
pub const ACTIVATION_ONE: f32 = 127.0;

/// Weights of 1 of the second and the third layer in the file's units.
pub const WEIGHT_ONE: f32 = 64.0;

/// Upper bound on inputs of one half that are set at once: all pieces of a set.
pub const MAX_ACTIVE: usize = 40;

/// Bound on weights and biases of the first layer: even if all inputs agree, the sum stays within
/// 16 bits.
pub const FIRST_LIMIT: f32 = (i16::MAX as usize / (MAX_ACTIVE + 1)) as f32 / ACTIVATION_ONE;

/// Bound on weights of the second and the third layer.
pub const SMALL_LIMIT: f32 = 127.0 / WEIGHT_ONE;

/// Where one layer's parameters lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerRange {
    /// Numbers that come in.
    pub inputs: usize,
    /// Numbers that go out.
    pub outputs: usize,
    /// Output by output, one for each input.
    pub weights: Range<usize>,
    /// One for each output.
    pub bias: Range<usize>,
}

impl LayerRange {
    /// Lines that hold the inputs.
    pub const fn input_lines(&self) -> usize {
        self.inputs.div_ceil(LANES)
    }

    /// Lines that hold the outputs.
    pub const fn output_lines(&self) -> usize {
        self.outputs.div_ceil(LANES)
    }
}

/// Where everything lies in the list of all parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterLayout {
    /// Input by input, one for each unit of a half; they come first.
    pub first_weights: Range<usize>,
    /// One for each unit of a half.
    pub first_bias: Range<usize>,
    /// The three layers after the first, for each stage of the game.
    pub stages: Vec<[LayerRange; 3]>,
}

impl ParameterLayout {
    /// Of a form.
    pub fn new(architecture: Architecture) -> ParameterLayout {
        let mut end = 0;
        let mut next = |length: usize| {
            end += length;
            end - length..end
        };
        let first_weights = next(architecture.features.inputs() * architecture.l1);
        let first_bias = next(architecture.l1);
        let mut stage = || {
            architecture.layers().map(|(inputs, outputs)| LayerRange {
                inputs,
                outputs,
                weights: next(inputs * outputs),
                bias: next(outputs),
            })
        };
        let stages = (0..architecture.stages).map(|_| stage()).collect();
        ParameterLayout { first_weights, first_bias, stages }
    }

    /// Where the parameters after the first layer begin.
    pub const fn rest(&self) -> usize {
        self.first_bias.end
    }

    /// How many parameters there are.
    pub fn total(&self) -> usize {
        self.stages.last().map_or(self.rest(), |layers| layers[2].bias.end)
    }
}

/// A network in single precision.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    /// The form.
    pub architecture: Architecture,
    /// Where what lies.
    pub layout: ParameterLayout,
    /// All parameters.
    pub parameters: Vec<f32>,
    /// Centipawns of an output of 1.
    pub output_scale: f32,
    /// FV_SCALE: output of the file for a centipawn.
    pub fv_scale: i32,
    /// Whether values are computed with weights and activations rounded as in the file.
    pub rounded: bool,
}

impl FloatNetwork {
    /// All zero.
    pub fn zero(architecture: Architecture, output: &OutputConfig) -> FloatNetwork {
        let layout = ParameterLayout::new(architecture);
        let parameters = vec![0.0; layout.total()];
        let OutputConfig { scale: output_scale, fv_scale, rounded } = *output;
        FloatNetwork { architecture, layout, parameters, output_scale, fv_scale, rounded }
    }

    /// Random, as a run begins.
    pub fn random(config: &NetworkConfig) -> FloatNetwork {
        let mut model = FloatNetwork::zero(config.architecture(), &config.output);
        model.randomise(&config.init, &mut fastrand::Rng::with_seed(config.seed));
        model
    }

    /// Draws all weights anew. Sums of the first layer get the standard deviation that is asked
    /// for; those of the later ones are spread by the number of inputs. Biases put the sums in the
    /// middle of the range where activations are not clipped.
    fn randomise(&mut self, init: &Init, random: &mut fastrand::Rng) {
        let layout = self.layout.clone();
        let mut fill = |list: &mut [f32], bound: f32| {
            for value in list {
                *value = (2.0 * random.f32() - 1.0) * bound;
            }
        };
        let first = init.first_deviation * (3.0 / MAX_ACTIVE as f32).sqrt();
        fill(&mut self.parameters[layout.first_weights], first);
        self.parameters[layout.first_bias].fill(init.bias);
        for (at, layer) in layout.stages[0].iter().enumerate() {
            let bound = init.layer_deviation * (3.0 / layer.inputs as f32).sqrt();
            fill(&mut self.parameters[layer.weights.clone()], bound);
            self.parameters[layer.bias.clone()].fill(if at < 2 { init.bias } else { 0.0 });
        }
        self.copy_stage();
        self.clip();
    }

    /// Gives all stages the layers of the first: they begin alike and part by what they learn.
    pub fn copy_stage(&mut self) {
        let [first, .., last] = &self.layout.stages[0];
        let first = first.weights.start..last.bias.end;
        for stage in &self.layout.stages[1..] {
            self.parameters.copy_within(first.clone(), stage[0].weights.start);
        }
    }

    /// An output weight of 1 in the file's units.
    pub const fn output_one(&self) -> f32 {
        self.output_scale * self.fv_scale as f32 / ACTIVATION_ONE
    }

    /// Bounds on the weights of the layers after the first.
    pub fn layer_limits(&self) -> [f32; 3] {
        [SMALL_LIMIT, SMALL_LIMIT, 127.0 / self.output_one()]
    }

    /// Brings all parameters within what a file can hold.
    pub fn clip(&mut self) {
        let limits = self.layer_limits();
        let layers = self.layout.stages.iter().flat_map(|it| it.iter().zip(limits));
        let weights = layers.map(|(layer, limit)| (layer.weights.clone(), limit));
        for (range, limit) in weights.chain([(0..self.layout.first_bias.end, FIRST_LIMIT)]) {
            for value in &mut self.parameters[range] {
                *value = value.clamp(-limit, limit);
            }
        }
    }

    /// Units of one half of the first layer.
    pub const fn width(&self) -> usize {
        self.architecture.l1
    }

    /// The inputs.
    pub const fn features(&self) -> FeatureSet {
        self.architecture.features
    }
}
