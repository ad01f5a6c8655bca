//! The arithmetic of networks, once in plain code and once for each instruction set.
//!
//! All of them give the same numbers bit for bit: sums wrap, activations are 0 to 127, and the
//! sum of two products of such an activation with a weight fits into 16 bits (2 * 127 * 128 =
//! 32,512), so that the saturating instructions never saturate.
//!
//! The instruction set is chosen once, when a network is made ready. This folder is the one place
//! of the crate with `unsafe`: vector instructions may only be used where the machine has them,
//! which [`Kernels`] asserts by being made only there.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod wide;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::features::Changes;
use super::layers::Layers;
use core::fmt;

/// A cache line, as the widest vector registers load it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct CacheLine<A>(pub A);

/// Sums and weights of the first layer.
pub type I16Line = CacheLine<[i16; 32]>;
/// Weights of the later layers.
pub type I8Line = CacheLine<[i8; 64]>;
/// Sums and biases of the later layers.
pub type I32Line = CacheLine<[i32; 16]>;
/// Activations.
pub type U8Line = CacheLine<[u8; 64]>;

/// A level of SIMD instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SimdLevel {
    /// Plain code, the twin that all others are compared with.
    Scalar,
    /// aarch64.
    Neon,
    /// wasm32 with simd128, which is fixed at compile time.
    Wasm,
    /// x86-64-v2.
    Sse41,
    /// x86-64-v3.
    Avx2,
    /// x86-64-v4.
    Avx512,
    /// AVX-512 with the instruction for sums of byte products.
    Avx512Vnni,
}

impl SimdLevel {
    /// All levels, slowest first on each machine.
    pub const ALL: [SimdLevel; 7] = [
        SimdLevel::Scalar,
        SimdLevel::Neon,
        SimdLevel::Wasm,
        SimdLevel::Sse41,
        SimdLevel::Avx2,
        SimdLevel::Avx512,
        SimdLevel::Avx512Vnni,
    ];

    /// Those that this machine has, slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = SimdLevel> {
        SimdLevel::ALL.into_iter().filter(|&level| Kernels::new(level).is_some())
    }

    /// The name, as reports have it.
    pub const fn name(self) -> &'static str {
        match self {
            SimdLevel::Scalar => "scalar",
            SimdLevel::Neon => "neon",
            SimdLevel::Wasm => "simd128",
            SimdLevel::Sse41 => "sse4.1",
            SimdLevel::Avx2 => "avx2",
            SimdLevel::Avx512 => "avx512",
            SimdLevel::Avx512Vnni => "avx512-vnni",
        }
    }
}

/// `target = source - columns removed + columns added`.
type Update = unsafe fn(&[I16Line], &[I16Line], &mut [I16Line], &Changes);
/// `target = bias + columns`.
type Refresh = unsafe fn(&[I16Line], &[I16Line], &mut [I16Line], &[u32]);
/// All layers after the first, from the halves of the side to move and of the other.
type Forward = unsafe fn(&Layers, [&[I16Line]; 2], &mut [U8Line]) -> i32;

/// The arithmetic of one level. It exists only on machines that have the level's instructions.
#[derive(Clone, Copy)]
pub struct Kernels {
    level: SimdLevel,
    update: Update,
    refresh: Refresh,
    forward: Forward,
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernels({})", self.level.name())
    }
}

impl Kernels {
    /// The arithmetic of a level, if this machine has its instructions.
    pub fn new(level: SimdLevel) -> Option<Kernels> {
        match level {
            SimdLevel::Scalar => Some(scalar::KERNELS),
            #[cfg(target_arch = "aarch64")]
            SimdLevel::Neon => {
                std::arch::is_aarch64_feature_detected!("neon").then_some(neon::KERNELS)
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            SimdLevel::Wasm => Some(wasm::KERNELS),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Sse41 | SimdLevel::Avx2 | SimdLevel::Avx512 | SimdLevel::Avx512Vnni => {
                x86::kernels(level)
            }
            _ => None,
        }
    }

    /// The fastest arithmetic that this machine has.
    pub fn best() -> Kernels {
        SimdLevel::ALL.into_iter().rev().find_map(Kernels::new).unwrap_or(scalar::KERNELS)
    }

    /// Which one it is.
    pub const fn level(&self) -> SimdLevel {
        self.level
    }

    /// Follows a move: `target = source - removed + added`, columns of `weights`.
    #[inline]
    pub fn update(
        &self,
        weights: &[I16Line],
        source: &[I16Line],
        target: &mut [I16Line],
        changes: &Changes,
    ) {
        // SAFETY: the machine has the level's instructions, or these kernels would not exist.
        unsafe { (self.update)(weights, source, target, changes) }
    }

    /// Sums from nothing: `target = bias + columns`.
    #[inline]
    pub fn refresh(
        &self,
        weights: &[I16Line],
        bias: &[I16Line],
        target: &mut [I16Line],
        indices: &[u32],
    ) {
        // SAFETY: the machine has the level's instructions, or these kernels would not exist.
        unsafe { (self.refresh)(weights, bias, target, indices) }
    }

    /// The output for the sums of the side to move and of the other; `scratch` takes both
    /// halves' activations.
    #[inline]
    pub fn forward(&self, layers: &Layers, halves: [&[I16Line]; 2], scratch: &mut [U8Line]) -> i32 {
        // SAFETY: the machine has the level's instructions, or these kernels would not exist.
        unsafe { (self.forward)(layers, halves, scratch) }
    }
}

/// The bytes as lines of sums, if they are aligned as such and the machine reads numbers as the
/// file has them.
pub fn as_lines(bytes: &[u8]) -> Option<&[I16Line]> {
    if cfg!(target_endian = "big") {
        return None;
    }
    // SAFETY: every bit pattern is an i16, and `align_to` keeps size and alignment.
    let (before, lines, after) = unsafe { bytes.align_to::<I16Line>() };
    (before.is_empty() && after.is_empty()).then_some(lines)
}

/// The column of an input.
#[inline(always)]
fn column(weights: &[I16Line], index: u32, width: usize) -> &[I16Line] {
    &weights[index as usize * width..][..width]
}
