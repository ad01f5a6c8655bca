//! The arithmetic in plain code: the twin of all others.

use super::{I16Line, I32Line, Kernels, Level, Line, U8Line, column};
use crate::network::features::Changes;
use crate::network::layers::{Affine, Layers, MAX_ACTIVATIONS, MAX_SUMS};

pub(super) const KERNELS: Kernels = Kernels { level: Level::Scalar, update, refresh, forward };

fn combine(target: &mut [I16Line], column: &[I16Line], operation: impl Fn(i16, i16) -> i16) {
    for (target, column) in target.iter_mut().zip(column) {
        for (sum, &weight) in target.0.iter_mut().zip(&column.0) {
            *sum = operation(*sum, weight);
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
    let mut sums = [Line([0; 16]); MAX_SUMS];
    let mut activations = [Line([0; 64]); MAX_ACTIVATIONS];
    affine(&layers.second, scratch, &mut sums);
    activate(&sums, &mut activations);
    affine(&layers.third, &activations, &mut sums);
    activate(&sums, &mut activations);
    affine(&layers.output, &activations, &mut sums);
    sums[0].0[0]
}

fn affine(layer: &Affine, input: &[U8Line], sums: &mut [I32Line]) {
    let (pairs, single) = sums[..layer.lines()].as_chunks_mut::<2>();
    let (pair_biases, single_bias) = layer.bias.as_chunks::<2>();
    let blocks = layer.pairs.chunks_exact(layer.groups);
    for ((sums, bias), weights) in pairs.iter_mut().zip(pair_biases).zip(blocks) {
        *sums = *bias;
        block(input, weights, sums);
    }
    if let ([sums], [bias]) = (single, single_bias) {
        *sums = *bias;
        block(input, &layer.single, core::array::from_mut(sums));
    }
}

fn block<const N: usize>(
    input: &[U8Line],
    weights: &[[Line<[i8; 64]>; N]],
    sums: &mut [I32Line; N],
) {
    for (activations, rows) in input.iter().zip(weights.chunks(16)) {
        for (group, row) in activations.0.as_chunks::<4>().0.iter().zip(rows) {
            let group = group.map(i32::from);
            for (sums, weights) in sums.iter_mut().zip(row) {
                let weights = weights.0.as_chunks::<4>().0;
                for (sum, weights) in sums.0.iter_mut().zip(weights) {
                    let [a, b, c, d] = weights.map(i32::from);
                    let products = group[0] * a + group[1] * b + group[2] * c + group[3] * d;
                    *sum = sum.wrapping_add(products);
                }
            }
        }
    }
}

/// Sums of one half become activations.
fn clip(sums: &[I16Line], activations: &mut [U8Line]) {
    for (activations, sums) in activations.iter_mut().zip(sums.as_chunks::<2>().0) {
        let (low, high) = activations.0.split_at_mut(32);
        for (activations, sums) in [low, high].into_iter().zip(sums) {
            for (activation, sum) in activations.iter_mut().zip(sums.0) {
                *activation = sum.clamp(0, 127) as u8;
            }
        }
    }
}

/// Sums of a small layer become activations. Those beyond the layer's own may be left over from
/// the layer before; no group of inputs reaches as far.
fn activate(sums: &[I32Line; MAX_SUMS], activations: &mut [U8Line; MAX_ACTIVATIONS]) {
    for (activations, sums) in activations.iter_mut().zip(sums.as_chunks::<4>().0) {
        for (activations, sums) in activations.0.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
            for (activation, sum) in activations.iter_mut().zip(sums.0) {
                *activation = (sum >> 6).clamp(0, 127) as u8;
            }
        }
    }
}
