//! Asks the processor to fetch a cache line before it is needed.
//!
//! Measured: a fifth of the search's time went into waiting for the transposition table; see
//! `docs/algorithms.md`. Unsafe code is only here.

/// Begins to bring the value into the cache. A hint: nothing depends on it.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault; the address comes from a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
