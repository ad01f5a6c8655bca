//! wasm32 with simd128, which a program has or has not when it is compiled.
//!
//! The one condition of every `unsafe fn` here is that the machine has its instructions.
#![allow(unsafe_op_in_unsafe_fn)]

use super::wide::{Wide, each, entries};
use super::{CacheLine, SimdLevel};
use core::arch::wasm32::*;

#[derive(Clone, Copy)]
pub struct Quad([v128; 4]);

entries!(SimdLevel::Wasm, Quad, "simd128");

impl Wide for Quad {
    const MANY: bool = false;

    #[inline(always)]
    unsafe fn load<A>(line: &CacheLine<A>) -> Quad {
        const { assert!(size_of::<CacheLine<A>>() == 64) }
        let start = (&raw const *line).cast::<v128>();
        Quad(each!(0 1 2 3, part => v128_load(start.add(part))))
    }
    #[inline(always)]
    unsafe fn store<A>(self, line: &mut CacheLine<A>) {
        const { assert!(size_of::<CacheLine<A>>() == 64) }
        let start = (&raw mut *line).cast::<v128>();
        each!(0 1 2 3, part => v128_store(start.add(part), self.0[part]));
    }
    #[inline(always)]
    unsafe fn zero() -> Quad {
        Quad([i32x4_splat(0); 4])
    }
    #[inline(always)]
    unsafe fn splat(group: [u8; 4]) -> Quad {
        Quad([i32x4_splat(i32::from_le_bytes(group)); 4])
    }
    #[inline(always)]
    unsafe fn add16(self, other: Quad) -> Quad {
        Quad(each!(0 1 2 3, part => i16x8_add(self.0[part], other.0[part])))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Quad) -> Quad {
        Quad(each!(0 1 2 3, part => i16x8_sub(self.0[part], other.0[part])))
    }
    #[inline(always)]
    unsafe fn add32(self, other: Quad) -> Quad {
        Quad(each!(0 1 2 3, part => i32x4_add(self.0[part], other.0[part])))
    }
    #[inline(always)]
    unsafe fn dot(self, activations: Quad, weights: Quad) -> Quad {
        // Each step is exact. Sums of pairs in 16 bits would do as well, but LLVM makes the relaxed
        // dot product of them, also where relaxed instructions are not enabled: a browser may
        // lack it, and its sums are left to the machine.
        Quad(each!(0 1 2 3, part => {
            let [x, w] = [activations.0[part], weights.0[part]];
            let low = i32x4_dot_i16x8(i16x8_extend_low_i8x16(x), i16x8_extend_low_i8x16(w));
            let high = i32x4_dot_i16x8(i16x8_extend_high_i8x16(x), i16x8_extend_high_i8x16(w));
            let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
            let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
            i32x4_add(self.0[part], i32x4_add(even, odd))
        }))
    }
    #[inline(always)]
    unsafe fn clip(low: Quad, high: Quad) -> Quad {
        let sums = [low.0, high.0];
        Quad(each!(0 1 2 3, part => {
            let [low, high] = [sums[part / 2][part % 2 * 2], sums[part / 2][part % 2 * 2 + 1]];
            i8x16_max(i8x16_narrow_i16x8(low, high), i8x16_splat(0))
        }))
    }
    #[inline(always)]
    unsafe fn narrow(sums: [Quad; 4]) -> Quad {
        Quad(each!(0 1 2 3, part => {
            let [a, b, c, d] = each!(0 1 2 3, quarter => i32x4_shr(sums[part].0[quarter], 6));
            let packed =
                i8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d));
            i8x16_max(packed, i8x16_splat(0))
        }))
    }
}
