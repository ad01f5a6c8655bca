//! The layers after the first, laid out for SIMD.
//!
//! Outputs are filled up to a multiple of 16 and cut into blocks of two cache lines of sums (32
//! outputs), with a block of one line (16 outputs) at the end where needed. A block holds for each
//! group of four inputs the weights of all its outputs, four bytes each: one group of inputs is
//! copied to all lanes and multiplied with a whole line.

use super::file::{LayerView, SMALL_LAYER};
use super::simd::{CacheLine, I8Line, I32Line};

/// Lines of sums of the widest small layer.
pub const MAX_SUMS: usize = SMALL_LAYER.end().div_ceil(16);

/// Lines of activations of the widest small layer.
pub const MAX_ACTIVATIONS: usize = SMALL_LAYER.end().div_ceil(64);

/// Inputs of a group.
const GROUP: usize = 4;

/// One affine layer: biases and weights.
#[derive(Clone, Debug)]
pub struct Affine {
    /// Groups of four inputs, which is rows of a block.
    pub groups: usize,
    /// 16 outputs a line.
    pub bias: Vec<I32Line>,
    /// The blocks of 32 outputs, one after the other.
    pub pairs: Vec<[I8Line; 2]>,
    /// The block of 16 outputs at the end, or nothing.
    pub single: Vec<[I8Line; 1]>,
}

impl Affine {
    pub(super) fn new(layer: &LayerView<'_>) -> Affine {
        let groups = layer.inputs.div_ceil(GROUP);
        let lines = layer.outputs.div_ceil(16);
        let mut affine = Affine {
            groups,
            bias: vec![CacheLine([0; 16]); lines],
            pairs: vec![[CacheLine([0; 64]); 2]; lines / 2 * groups],
            single: vec![[CacheLine([0; 64])]; lines % 2 * groups],
        };
        for (output, bias) in layer.bias().enumerate() {
            affine.bias[output / 16].0[output % 16] = bias;
            for (input, weight) in layer.row(output).enumerate() {
                affine.line_mut(output / 16, input / GROUP).0
                    [output % 16 * GROUP + input % GROUP] = weight;
            }
        }
        affine
    }

    /// The weights between 16 outputs and a group of inputs.
    fn line_mut(&mut self, line: usize, group: usize) -> &mut I8Line {
        let block = line / 2 * self.groups;
        match self.pairs.get_mut(block + group) {
            Some(pair) => &mut pair[line % 2],
            None => &mut self.single[group][0],
        }
    }

    /// Lines of sums.
    #[inline]
    pub const fn lines(&self) -> usize {
        self.bias.len()
    }
}

/// The three layers after the first.
#[derive(Clone, Debug)]
pub struct Layers {
    /// From both halves of the first layer to the second.
    pub second: Affine,
    /// From the second layer to the third.
    pub third: Affine,
    /// From the third layer to the one number.
    pub output: Affine,
}
