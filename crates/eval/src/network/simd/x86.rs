//! x86-64: SSE4.1, AVX2, AVX-512 and AVX-512 with VNNI.
//!
//! The one condition of every `unsafe fn` here is that the machine has its instructions.
#![allow(unsafe_op_in_unsafe_fn)]

use super::wide::{Wide, each, entries};
use super::{CacheLine, Kernels, SimdLevel};
use core::arch::x86_64::*;

/// The arithmetic of a level, if this machine has its instructions.
pub(super) fn kernels(level: SimdLevel) -> Option<Kernels> {
    let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
    let (has, kernels) = match level {
        SimdLevel::Sse41 => {
            let has = is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("sse4.1");
            (has, sse41::KERNELS)
        }
        SimdLevel::Avx2 => (is_x86_feature_detected!("avx2"), avx2::KERNELS),
        SimdLevel::Avx512 => (avx512, avx512::KERNELS),
        SimdLevel::Avx512Vnni => {
            (avx512 && is_x86_feature_detected!("avx512vnni"), avx512_vnni::KERNELS)
        }
        SimdLevel::Scalar | SimdLevel::Neon | SimdLevel::Wasm => return None,
    };
    has.then_some(kernels)
}

mod sse41 {
    use super::*;

    #[derive(Clone, Copy)]
    pub struct Quad([__m128i; 4]);

    entries!(SimdLevel::Sse41, Quad, "ssse3,sse4.1");

    impl Wide for Quad {
        const MANY: bool = false;

        #[inline(always)]
        unsafe fn load<A>(line: &CacheLine<A>) -> Quad {
            const { assert!(size_of::<CacheLine<A>>() == 64) }
            let start = (&raw const *line).cast::<__m128i>();
            Quad(each!(0 1 2 3, part => _mm_load_si128(start.add(part))))
        }
        #[inline(always)]
        unsafe fn store<A>(self, line: &mut CacheLine<A>) {
            const { assert!(size_of::<CacheLine<A>>() == 64) }
            let start = (&raw mut *line).cast::<__m128i>();
            each!(0 1 2 3, part => _mm_store_si128(start.add(part), self.0[part]));
        }
        #[inline(always)]
        unsafe fn zero() -> Quad {
            Quad([_mm_setzero_si128(); 4])
        }
        #[inline(always)]
        unsafe fn splat(group: [u8; 4]) -> Quad {
            Quad([_mm_set1_epi32(i32::from_le_bytes(group)); 4])
        }
        #[inline(always)]
        unsafe fn add16(self, other: Quad) -> Quad {
            Quad(each!(0 1 2 3, part => _mm_add_epi16(self.0[part], other.0[part])))
        }
        #[inline(always)]
        unsafe fn sub16(self, other: Quad) -> Quad {
            Quad(each!(0 1 2 3, part => _mm_sub_epi16(self.0[part], other.0[part])))
        }
        #[inline(always)]
        unsafe fn add32(self, other: Quad) -> Quad {
            Quad(each!(0 1 2 3, part => _mm_add_epi32(self.0[part], other.0[part])))
        }
        #[inline(always)]
        unsafe fn dot(self, activations: Quad, weights: Quad) -> Quad {
            Quad(each!(0 1 2 3, part => {
                let pairs = _mm_maddubs_epi16(activations.0[part], weights.0[part]);
                _mm_add_epi32(self.0[part], _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
            }))
        }
        #[inline(always)]
        unsafe fn clip(low: Quad, high: Quad) -> Quad {
            let sums = [low.0, high.0];
            Quad(each!(0 1 2 3, part => {
                let [low, high] = [sums[part / 2][part % 2 * 2], sums[part / 2][part % 2 * 2 + 1]];
                _mm_max_epi8(_mm_packs_epi16(low, high), _mm_setzero_si128())
            }))
        }
        #[inline(always)]
        unsafe fn narrow(sums: [Quad; 4]) -> Quad {
            Quad(each!(0 1 2 3, part => {
                let [a, b, c, d] =
                    each!(0 1 2 3, quarter => _mm_srai_epi32::<6>(sums[part].0[quarter]));
                let packed = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
                _mm_max_epi8(packed, _mm_setzero_si128())
            }))
        }
    }
}

mod avx2 {
    use super::*;

    #[derive(Clone, Copy)]
    pub struct Pair([__m256i; 2]);

    entries!(SimdLevel::Avx2, Pair, "avx2");

    impl Wide for Pair {
        const MANY: bool = false;

        #[inline(always)]
        unsafe fn load<A>(line: &CacheLine<A>) -> Pair {
            const { assert!(size_of::<CacheLine<A>>() == 64) }
            let start = (&raw const *line).cast::<__m256i>();
            Pair(each!(0 1, part => _mm256_load_si256(start.add(part))))
        }
        #[inline(always)]
        unsafe fn store<A>(self, line: &mut CacheLine<A>) {
            const { assert!(size_of::<CacheLine<A>>() == 64) }
            let start = (&raw mut *line).cast::<__m256i>();
            each!(0 1, part => _mm256_store_si256(start.add(part), self.0[part]));
        }
        #[inline(always)]
        unsafe fn zero() -> Pair {
            Pair([_mm256_setzero_si256(); 2])
        }
        #[inline(always)]
        unsafe fn splat(group: [u8; 4]) -> Pair {
            Pair([_mm256_set1_epi32(i32::from_le_bytes(group)); 2])
        }
        #[inline(always)]
        unsafe fn add16(self, other: Pair) -> Pair {
            Pair(each!(0 1, part => _mm256_add_epi16(self.0[part], other.0[part])))
        }
        #[inline(always)]
        unsafe fn sub16(self, other: Pair) -> Pair {
            Pair(each!(0 1, part => _mm256_sub_epi16(self.0[part], other.0[part])))
        }
        #[inline(always)]
        unsafe fn add32(self, other: Pair) -> Pair {
            Pair(each!(0 1, part => _mm256_add_epi32(self.0[part], other.0[part])))
        }
        #[inline(always)]
        unsafe fn dot(self, activations: Pair, weights: Pair) -> Pair {
            Pair(each!(0 1, part => {
                let pairs = _mm256_maddubs_epi16(activations.0[part], weights.0[part]);
                _mm256_add_epi32(self.0[part], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
            }))
        }
        #[inline(always)]
        unsafe fn clip(low: Pair, high: Pair) -> Pair {
            // Packing works within 128 bits: the middle quarters change places.
            let sums = [low.0, high.0];
            Pair(each!(0 1, part => {
                let packed = _mm256_packs_epi16(sums[part][0], sums[part][1]);
                let clipped = _mm256_max_epi8(packed, _mm256_setzero_si256());
                _mm256_permute4x64_epi64::<0b11_01_10_00>(clipped)
            }))
        }
        #[inline(always)]
        unsafe fn narrow(sums: [Pair; 4]) -> Pair {
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            Pair(each!(0 1, part => {
                let sums = [sums[2 * part].0, sums[2 * part + 1].0];
                let [a, b] = each!(0 1, half => _mm256_srai_epi32::<6>(sums[0][half]));
                let [c, d] = each!(0 1, half => _mm256_srai_epi32::<6>(sums[1][half]));
                let shorts = [_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)];
                let packed = _mm256_packs_epi16(shorts[0], shorts[1]);
                let clipped = _mm256_max_epi8(packed, _mm256_setzero_si256());
                _mm256_permutevar8x32_epi32(clipped, order)
            }))
        }
    }
}

/// The two levels of AVX-512 differ in one instruction.
macro_rules! avx512 {
    ($level:expr, $features:literal, $sums:ident, $activations:ident, $weights:ident => $dot:expr) => {
        use super::*;

        #[derive(Clone, Copy)]
        pub struct One(__m512i);

        entries!($level, One, $features);

        impl Wide for One {
            const MANY: bool = true;

            #[inline(always)]
            unsafe fn load<A>(line: &CacheLine<A>) -> One {
                const { assert!(size_of::<CacheLine<A>>() == 64) }
                One(_mm512_load_si512((&raw const *line).cast()))
            }
            #[inline(always)]
            unsafe fn store<A>(self, line: &mut CacheLine<A>) {
                const { assert!(size_of::<CacheLine<A>>() == 64) }
                _mm512_store_si512((&raw mut *line).cast(), self.0);
            }
            #[inline(always)]
            unsafe fn zero() -> One {
                One(_mm512_setzero_si512())
            }
            #[inline(always)]
            unsafe fn splat(group: [u8; 4]) -> One {
                One(_mm512_set1_epi32(i32::from_le_bytes(group)))
            }
            #[inline(always)]
            unsafe fn add16(self, other: One) -> One {
                One(_mm512_add_epi16(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn sub16(self, other: One) -> One {
                One(_mm512_sub_epi16(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn add32(self, other: One) -> One {
                One(_mm512_add_epi32(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn dot(self, activations: One, weights: One) -> One {
                let ($sums, $activations, $weights) = (self.0, activations.0, weights.0);
                One($dot)
            }
            #[inline(always)]
            unsafe fn clip(One(low): One, One(high): One) -> One {
                // Packing works within 128 bits: the eighths are put back in order.
                let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
                let packed = _mm512_packs_epi16(low, high);
                let clipped = _mm512_max_epi8(packed, _mm512_setzero_si512());
                One(_mm512_permutexvar_epi64(order, clipped))
            }
            #[inline(always)]
            unsafe fn narrow(sums: [One; 4]) -> One {
                let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
                let [a, b, c, d] =
                    each!(0 1 2 3, part => _mm512_srai_epi32::<6>(sums[part].0));
                let shorts = [_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d)];
                let packed = _mm512_packs_epi16(shorts[0], shorts[1]);
                let clipped = _mm512_max_epi8(packed, _mm512_setzero_si512());
                One(_mm512_permutexvar_epi32(order, clipped))
            }
        }
    };
}

mod avx512 {
    avx512!(SimdLevel::Avx512, "avx512f,avx512bw", sums, activations, weights => {
        let pairs = _mm512_maddubs_epi16(activations, weights);
        _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
    });
}

mod avx512_vnni {
    avx512!(SimdLevel::Avx512Vnni, "avx512f,avx512bw,avx512vnni", sums, activations, weights => {
        _mm512_dpbusd_epi32(sums, activations, weights)
    });
}
