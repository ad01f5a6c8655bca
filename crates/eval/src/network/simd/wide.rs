//! The arithmetic written once over vectors of 64 bytes, which every instruction set has as one,
//! two or four registers.
//!
//! All functions are inlined into one entry for each level, where the instructions are switched
//! on. Calling them is sound only on machines that have the instructions of `V`; that is the one
//! condition of every `unsafe fn` here. Loops run over indices: adapters of iterators are not
//! inlined in every build, and then each step is a call.
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc, clippy::needless_range_loop)]

use super::{CacheLine, I8Line, I16Line, I32Line, U8Line, column};
use crate::network::features::Changes;
use crate::network::layers::{Affine, Layers, MAX_ACTIVATIONS, MAX_SUMS};

/// A vector of 64 bytes.
pub(super) trait Wide: Copy {
    /// Whether eight of them fit into the registers at once.
    const MANY: bool;

    unsafe fn load<A>(line: &CacheLine<A>) -> Self;
    unsafe fn store<A>(self, line: &mut CacheLine<A>);
    unsafe fn zero() -> Self;
    /// Four bytes in all lanes.
    unsafe fn splat(group: [u8; 4]) -> Self;
    unsafe fn add16(self, other: Self) -> Self;
    unsafe fn sub16(self, other: Self) -> Self;
    unsafe fn add32(self, other: Self) -> Self;
    /// Adds to each 32-bit lane the sum of four products of activations and weights.
    unsafe fn dot(self, activations: Self, weights: Self) -> Self;
    /// Two vectors of 16-bit sums to one of activations, in order.
    unsafe fn clip(low: Self, high: Self) -> Self;
    /// Four vectors of 32-bit sums to one of activations, in order.
    unsafe fn narrow(sums: [Self; 4]) -> Self;
}

#[inline(always)]
pub(super) unsafe fn update<V: Wide>(
    weights: &[I16Line],
    source: &[I16Line],
    target: &mut [I16Line],
    changes: &Changes,
) {
    let width = target.len();
    let source = &source[..width];
    let get = |index| &column(weights, index, width)[..width];
    match (changes.removed(), changes.added()) {
        (&[removed], &[added]) => {
            let (removed, added) = (get(removed), get(added));
            for line in 0..width {
                let sum = V::load(&source[line]).sub16(V::load(&removed[line]));
                sum.add16(V::load(&added[line])).store(&mut target[line]);
            }
        }
        (&[removed, taken], &[added, held]) => {
            let (removed, taken) = (get(removed), get(taken));
            let (added, held) = (get(added), get(held));
            for line in 0..width {
                let sum = V::load(&source[line]).sub16(V::load(&removed[line]));
                let sum = sum.add16(V::load(&added[line])).sub16(V::load(&taken[line]));
                sum.add16(V::load(&held[line])).store(&mut target[line]);
            }
        }
        _ => target.copy_from_slice(source),
    }
}

#[inline(always)]
pub(super) unsafe fn refresh<V: Wide>(
    weights: &[I16Line],
    bias: &[I16Line],
    target: &mut [I16Line],
    indices: &[u32],
) {
    let width = target.len();
    let bias = &bias[..width];
    let whole = width / 4 * 4;
    for first in (0..whole).step_by(4) {
        tile::<V, 4>(weights, bias, target, indices, first);
    }
    for first in whole..width {
        tile::<V, 1>(weights, bias, target, indices, first);
    }
}

/// The sums of `N` lines, kept in registers.
#[inline(always)]
unsafe fn tile<V: Wide, const N: usize>(
    weights: &[I16Line],
    bias: &[I16Line],
    target: &mut [I16Line],
    indices: &[u32],
    first: usize,
) {
    let width = target.len();
    let mut sums = [V::zero(); N];
    for line in 0..N {
        sums[line] = V::load(&bias[first + line]);
    }
    for &index in indices {
        let column = &column(weights, index, width)[first..first + N];
        for line in 0..N {
            sums[line] = sums[line].add16(V::load(&column[line]));
        }
    }
    for line in 0..N {
        sums[line].store(&mut target[first + line]);
    }
}

#[inline(always)]
pub(super) unsafe fn forward<V: Wide>(
    layers: &Layers,
    halves: [&[I16Line]; 2],
    scratch: &mut [U8Line],
) -> i32 {
    let (own, other) = scratch.split_at_mut(halves[0].len() / 2);
    clip::<V>(halves[0], own);
    clip::<V>(halves[1], other);
    let mut sums = [CacheLine([0; 16]); MAX_SUMS];
    let mut activations = [CacheLine([0; 64]); MAX_ACTIVATIONS];
    affine::<V>(&layers.second, scratch, &mut sums);
    activate::<V>(&layers.second, &sums, &mut activations);
    affine::<V>(&layers.third, &activations, &mut sums);
    activate::<V>(&layers.third, &sums, &mut activations);
    affine::<V>(&layers.output, &activations, &mut sums);
    sums[0].0[0]
}

/// Sums of one half become activations.
#[inline(always)]
unsafe fn clip<V: Wide>(sums: &[I16Line], activations: &mut [U8Line]) {
    let sums = sums.as_chunks::<2>().0;
    for line in 0..sums.len().min(activations.len()) {
        let [low, high] = &sums[line];
        V::clip(V::load(low), V::load(high)).store(&mut activations[line]);
    }
}

/// Sums of a small layer become activations. Sums beyond the layer's own may be left over from
/// the layer before; no group of inputs reaches as far.
#[inline(always)]
unsafe fn activate<V: Wide>(
    layer: &Affine,
    sums: &[I32Line; MAX_SUMS],
    activations: &mut [U8Line; MAX_ACTIVATIONS],
) {
    for line in 0..layer.lines().div_ceil(4).min(MAX_ACTIVATIONS) {
        let [a, b, c, d] = &sums.as_chunks::<4>().0[line];
        let sums = [V::load(a), V::load(b), V::load(c), V::load(d)];
        V::narrow(sums).store(&mut activations[line]);
    }
}

#[inline(always)]
unsafe fn affine<V: Wide>(layer: &Affine, input: &[U8Line], sums: &mut [I32Line; MAX_SUMS]) {
    let (pairs, single) = sums[..layer.lines()].as_chunks_mut::<2>();
    let (pair_biases, single_bias) = layer.bias.as_chunks::<2>();
    for pair in 0..pairs.len() {
        let weights = &layer.pairs[pair * layer.groups..][..layer.groups];
        if V::MANY {
            block::<V, 2, 4>(input, weights, &pair_biases[pair], &mut pairs[pair]);
        } else {
            block::<V, 2, 1>(input, weights, &pair_biases[pair], &mut pairs[pair]);
        }
    }
    if let ([sums], [bias]) = (single, single_bias) {
        let (bias, sums) = (core::array::from_ref(bias), core::array::from_mut(sums));
        block::<V, 1, 2>(input, &layer.single, bias, sums);
    }
}

/// `N` lines of sums over all groups of inputs, in `CHAINS` independent chains.
#[inline(always)]
unsafe fn block<V: Wide, const N: usize, const CHAINS: usize>(
    input: &[U8Line],
    weights: &[[I8Line; N]],
    bias: &[I32Line; N],
    sums: &mut [I32Line; N],
) {
    let mut chains = [[V::zero(); N]; CHAINS];
    for line in 0..N {
        chains[0][line] = V::load(&bias[line]);
    }
    let (whole, rest) = weights.as_chunks::<16>();
    for index in 0..whole.len().min(input.len()) {
        let groups = input[index].0.as_chunks::<4>().0;
        let rows = &whole[index];
        for group in 0..16 {
            let activations = V::splat(groups[group]);
            for line in 0..N {
                let chain = &mut chains[group % CHAINS][line];
                *chain = chain.dot(activations, V::load(&rows[group][line]));
            }
        }
    }
    if let Some(activations) = input.get(whole.len()) {
        let groups = activations.0.as_chunks::<4>().0;
        for group in 0..rest.len() {
            let activations = V::splat(groups[group]);
            for line in 0..N {
                chains[0][line] = chains[0][line].dot(activations, V::load(&rest[group][line]));
            }
        }
    }
    for line in 0..N {
        let mut sum = chains[0][line];
        for chain in 1..CHAINS {
            sum = sum.add32(chains[chain][line]);
        }
        sum.store(&mut sums[line]);
    }
}

/// The entries of one level, with its instructions switched on.
macro_rules! entries {
    ($level:expr, $wide:ty, $features:literal) => {
        pub(super) const KERNELS: $crate::network::simd::Kernels =
            $crate::network::simd::Kernels { level: $level, update, refresh, forward };

        #[target_feature(enable = $features)]
        unsafe fn update(
            weights: &[$crate::network::simd::I16Line],
            source: &[$crate::network::simd::I16Line],
            target: &mut [$crate::network::simd::I16Line],
            changes: &$crate::network::features::Changes,
        ) {
            $crate::network::simd::wide::update::<$wide>(weights, source, target, changes)
        }

        #[target_feature(enable = $features)]
        unsafe fn refresh(
            weights: &[$crate::network::simd::I16Line],
            bias: &[$crate::network::simd::I16Line],
            target: &mut [$crate::network::simd::I16Line],
            indices: &[u32],
        ) {
            $crate::network::simd::wide::refresh::<$wide>(weights, bias, target, indices)
        }

        #[target_feature(enable = $features)]
        unsafe fn forward(
            layers: &$crate::network::layers::Layers,
            halves: [&[$crate::network::simd::I16Line]; 2],
            scratch: &mut [$crate::network::simd::U8Line],
        ) -> i32 {
            $crate::network::simd::wide::forward::<$wide>(layers, halves, scratch)
        }
    };
}
pub(super) use entries;

/// Does something with each of several registers. A closure would not be compiled with the
/// instructions of the function around it.
macro_rules! each {
    ($($index:literal)+, $part:ident => $value:expr) => {
        [$({
            let $part: usize = $index;
            $value
        }),+]
    };
}
pub(super) use each;
