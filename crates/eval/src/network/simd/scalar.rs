//! The arithmetic in plain code: the twin of all others. Loops run over indices, since adapters of
//! iterators are not inlined in every build.
#![allow(clippy::needless_range_loop)]

use super::{CacheLine, I8Line, I16Line, I32Line, Kernels, SimdLevel, U8Line, column};
use crate::network::features::Changes;
use crate::network::layers::{Affine, Layers, MAX_ACTIVATIONS, MAX_SUMS};

pub(super) const KERNELS: Kernels = Kernels { level: SimdLevel::Scalar, update, refresh, forward };

#[inline(always)]
fn combine(target: &mut [I16Line], column: &[I16Line], operation: impl Fn(i16, i16) -> i16) {
    for line in 0..target.len() {
        for unit in 0..32 {
            target[line].0[unit] = operation(target[line].0[unit], column[line].0[unit]);
        }
    }
}

fn update(weights: &[I16Line], source: &[I16Line], target: &mut [I16Line], changes: &Changes) {
    let width = target.len();
    target.copy_from_slice(source);
    for &index in changes.removed() {
        combine(target, column(weights, index, width), i16::wrapping_sub);
    }
    for &index in changes.added() {
        combine(target, column(weights, index, width), i16::wrapping_add);
    }
}

fn refresh(weights: &[I16Line], bias: &[I16Line], target: &mut [I16Line], indices: &[u32]) {
    let width = target.len();
    target.copy_from_slice(bias);
    for &index in indices {
        combine(target, column(weights, index, width), i16::wrapping_add);
    }
}

fn forward(layers: &Layers, halves: [&[I16Line]; 2], scratch: &mut [U8Line]) -> i32 {
    let (own, other) = scratch.split_at_mut(halves[0].len() / 2);
    clip(halves[0], own);
    clip(halves[1], other);
    let mut sums = [CacheLine([0; 16]); MAX_SUMS];
    let mut activations = [CacheLine([0; 64]); MAX_ACTIVATIONS];
    affine(&layers.second, scratch, &mut sums);
    activate(&sums, &mut activations);
    affine(&layers.third, &activations, &mut sums);
    activate(&sums, &mut activations);
    affine(&layers.output, &activations, &mut sums);
    sums[0].0[0]
}

fn affine(layer: &Affine, input: &[U8Line], sums: &mut [I32Line; MAX_SUMS]) {
    let (pairs, single) = sums[..layer.lines()].as_chunks_mut::<2>();
    let (pair_biases, single_bias) = layer.bias.as_chunks::<2>();
    for pair in 0..pairs.len() {
        let weights = &layer.pairs[pair * layer.groups..][..layer.groups];
        pairs[pair] = pair_biases[pair];
        block(input, weights, &mut pairs[pair]);
    }
    if let ([sums], [bias]) = (single, single_bias) {
        *sums = *bias;
        block(input, &layer.single, core::array::from_mut(sums));
    }
}

fn block<const N: usize>(input: &[U8Line], weights: &[[I8Line; N]], sums: &mut [I32Line; N]) {
    for group in 0..weights.len() {
        let activations = input[group / 16].0.as_chunks::<4>().0[group % 16];
        for line in 0..N {
            let weights = &weights[group][line].0;
            let sums = &mut sums[line].0;
            for output in 0..16 {
                let mut sum = 0;
                for input in 0..4 {
                    sum += i32::from(activations[input]) * i32::from(weights[4 * output + input]);
                }
                sums[output] = sums[output].wrapping_add(sum);
            }
        }
    }
}

/// Sums of one half become activations.
fn clip(sums: &[I16Line], activations: &mut [U8Line]) {
    for line in 0..sums.len() {
        let half = line % 2 * 32;
        for unit in 0..32 {
            activations[line / 2].0[half + unit] = sums[line].0[unit].clamp(0, 127) as u8;
        }
    }
}

/// Sums of a small layer become activations. Sums beyond the layer's own may be left over from
/// the layer before; no group of inputs reaches as far.
fn activate(sums: &[I32Line; MAX_SUMS], activations: &mut [U8Line; MAX_ACTIVATIONS]) {
    for line in 0..MAX_SUMS {
        let quarter = line % 4 * 16;
        for unit in 0..16 {
            let activation = (sums[line].0[unit] >> 6).clamp(0, 127);
            activations[line / 4].0[quarter + unit] = activation as u8;
        }
    }
}
