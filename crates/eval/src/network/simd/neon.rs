//! aarch64: NEON.
//!
//! The one condition of every `unsafe fn` here is that the machine has its instructions.
#![allow(unsafe_op_in_unsafe_fn)]

use super::wide::{Wide, each, entries};
use super::{CacheLine, SimdLevel};
use core::arch::aarch64::*;

#[derive(Clone, Copy)]
pub struct Quad([int8x16_t; 4]);

entries!(SimdLevel::Neon, Quad, "neon");

impl Wide for Quad {
    const MANY: bool = true;

    #[inline(always)]
    unsafe fn load<A>(line: &CacheLine<A>) -> Quad {
        const { assert!(size_of::<CacheLine<A>>() == 64) }
        let start = (&raw const *line).cast::<i8>();
        Quad(each!(0 1 2 3, part => vld1q_s8(start.add(16 * part))))
    }
    #[inline(always)]
    unsafe fn store<A>(self, line: &mut CacheLine<A>) {
        const { assert!(size_of::<CacheLine<A>>() == 64) }
        let start = (&raw mut *line).cast::<i8>();
        each!(0 1 2 3, part => vst1q_s8(start.add(16 * part), self.0[part]));
    }
    #[inline(always)]
    unsafe fn zero() -> Quad {
        Quad([vdupq_n_s8(0); 4])
    }
    #[inline(always)]
    unsafe fn splat(group: [u8; 4]) -> Quad {
        Quad([vreinterpretq_s8_s32(vdupq_n_s32(i32::from_le_bytes(group))); 4])
    }
    #[inline(always)]
    unsafe fn add16(self, other: Quad) -> Quad {
        Quad(each!(0 1 2 3, part => {
            let [a, b] = [self.0[part], other.0[part]];
            vreinterpretq_s8_s16(vaddq_s16(vreinterpretq_s16_s8(a), vreinterpretq_s16_s8(b)))
        }))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Quad) -> Quad {
        Quad(each!(0 1 2 3, part => {
            let [a, b] = [self.0[part], other.0[part]];
            vreinterpretq_s8_s16(vsubq_s16(vreinterpretq_s16_s8(a), vreinterpretq_s16_s8(b)))
        }))
    }
    #[inline(always)]
    unsafe fn add32(self, other: Quad) -> Quad {
        Quad(each!(0 1 2 3, part => {
            let [a, b] = [self.0[part], other.0[part]];
            vreinterpretq_s8_s32(vaddq_s32(vreinterpretq_s32_s8(a), vreinterpretq_s32_s8(b)))
        }))
    }
    #[inline(always)]
    unsafe fn dot(self, activations: Quad, weights: Quad) -> Quad {
        // Activations are at most 127: as signed bytes they are the same numbers.
        Quad(each!(0 1 2 3, part => {
            let [x, w] = [activations.0[part], weights.0[part]];
            let low = vmull_s8(vget_low_s8(x), vget_low_s8(w));
            let high = vmull_high_s8(x, w);
            let sums = vreinterpretq_s32_s8(self.0[part]);
            vreinterpretq_s8_s32(vpadalq_s16(sums, vpaddq_s16(low, high)))
        }))
    }
    #[inline(always)]
    unsafe fn clip(low: Quad, high: Quad) -> Quad {
        let sums = [low.0, high.0];
        Quad(each!(0 1 2 3, part => {
            let first = vreinterpretq_s16_s8(sums[part / 2][part % 2 * 2]);
            let second = vreinterpretq_s16_s8(sums[part / 2][part % 2 * 2 + 1]);
            vmaxq_s8(vcombine_s8(vqmovn_s16(first), vqmovn_s16(second)), vdupq_n_s8(0))
        }))
    }
    #[inline(always)]
    unsafe fn narrow(sums: [Quad; 4]) -> Quad {
        Quad(each!(0 1 2 3, part => {
            let [a, b, c, d] = each!(0 1 2 3, quarter => {
                vqmovn_s32(vshrq_n_s32::<6>(vreinterpretq_s32_s8(sums[part].0[quarter])))
            });
            let low = vqmovn_s16(vcombine_s16(a, b));
            let high = vqmovn_s16(vcombine_s16(c, d));
            vmaxq_s8(vcombine_s8(low, high), vdupq_n_s8(0))
        }))
    }
}
