//! Which processors this binary is for. One that lacks an instruction would end the program in the
//! middle of something, without a word; so it is asked before anything else.
//!
//! What runs before the answer is known must itself need nothing special: plain integers, no text
//! that is put together, no collections.

/// The level of x86-64 that the binary is compiled for, or the architecture where there are none.
pub const LEVEL: &str = if !cfg!(target_arch = "x86_64") {
    std::env::consts::ARCH
} else if cfg!(all(target_feature = "avx512bw", target_feature = "avx512vl")) {
    "x86-64-v4"
} else if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
    "x86-64-v3"
} else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
    "x86-64-v2"
} else {
    "x86-64"
};

/// Whether this processor, and the system, have what the binary is compiled for.
#[inline(always)]
#[must_use]
pub fn has_level() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        x86::has_level()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        true
    }
}

/// What to say to whoever starts the binary on a processor that lacks something.
pub const REFUSAL: &str = match LEVEL.as_bytes() {
    b"x86-64-v4" => {
        "yomikiri: this program is for x86-64-v4 processors (AVX-512), which this one is not. \
         Take the x86-64-v3 or x86-64-v2 one.\n\
         このプログラムは x86-64-v4（AVX-512）用です。x86-64-v3 または v2 版をお使いください。\n"
    }
    b"x86-64-v3" => {
        "yomikiri: this program is for x86-64-v3 processors (AVX2), which this one is not. \
         Take the x86-64-v2 one.\n\
         このプログラムは x86-64-v3（AVX2）用です。x86-64-v2 版をお使いください。\n"
    }
    _ => {
        "yomikiri: this program is for x86-64-v2 processors (SSE4.2), which this one is not.\n\
         このプログラムは x86-64-v2（SSE4.2）用です。\n"
    }
};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    /// Bits of `ecx` of leaf 1: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT.
    const LEVEL_2: u32 = 1 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23;
    /// Bits of `ecx` of leaf 1: FMA, MOVBE, OSXSAVE, AVX, F16C.
    const LEVEL_3: u32 = 1 << 12 | 1 << 22 | OS_SAVES | 1 << 28 | 1 << 29;
    const OS_SAVES: u32 = 1 << 27;
    /// Bits of `ebx` of leaf 7: BMI1, AVX2, BMI2.
    const LEVEL_3_MORE: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    /// Bits of `ebx` of leaf 7: AVX-512 F, DQ, CD, BW, VL.
    const LEVEL_4: u32 = 1 << 16 | 1 << 17 | 1 << 28 | 1 << 30 | 1 << 31;
    /// Bit of `ecx` of leaf 0x8000_0001: LZCNT.
    const LZCNT: u32 = 1 << 5;
    /// What the system keeps for each thread: 128 and 256 bits; the registers of AVX-512.
    const WIDE: u32 = 0b110;
    const WIDEST: u32 = 0b1110_0000;

    const fn needs(level: &[u8]) -> bool {
        // Levels are named `x86-64-vN`; plain `x86-64` needs nothing.
        let own = super::LEVEL.as_bytes();
        own.len() == level.len() && own[own.len() - 1] >= level[level.len() - 1]
    }

    /// Whether the processor and the system have what the binary is compiled for.
    #[inline(never)]
    pub fn has_level() -> bool {
        let first = __cpuid(1).ecx;
        let most = __cpuid(0).eax;
        if needs(b"x86-64-v2") && first & LEVEL_2 != LEVEL_2 {
            return false;
        }
        if needs(b"x86-64-v3") {
            if first & LEVEL_3 != LEVEL_3 || most < 7 {
                return false;
            }
            if __cpuid_count(7, 0).ebx & LEVEL_3_MORE != LEVEL_3_MORE
                || __cpuid(0x8000_0001).ecx & LZCNT != LZCNT
                || saved() & WIDE != WIDE
            {
                return false;
            }
        }
        !needs(b"x86-64-v4")
            || __cpuid_count(7, 0).ebx & LEVEL_4 == LEVEL_4 && saved() & WIDEST == WIDEST
    }

    /// The registers that the system saves, once OSXSAVE says that it can be asked.
    #[allow(unsafe_code)]
    fn saved() -> u32 {
        let low: u32;
        // SAFETY: `xgetbv` with 0 only reads, and OSXSAVE was seen, so that it exists.
        unsafe {
            core::arch::asm!(
                "xgetbv",
                in("ecx") 0,
                out("eax") low,
                out("edx") _,
                options(nomem, nostack, preserves_flags)
            );
        }
        low
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_that_tests_has_the_level_that_it_compiles_for() {
        assert!(super::has_level());
        assert!(super::LEVEL.starts_with("x86-64") || !cfg!(target_arch = "x86_64"));
    }
}
