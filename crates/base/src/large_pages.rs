//! Large pages for tables that are read at random.
//!
//! A table of 1 GiB has 262,144 pages of the usual size, and nearly every look-up had to search for
//! its page first. Linux gives pages of 2 MiB on request. Measured in the
//! engine's transposition table: after prefetching, most of the time spent in playing a move was
//! the search for the page of an entry (7 % of all).

/// An empty list with room for `count` values that never moves while it stays within them, on large
/// pages where the system has them. Room that is not used yet takes no memory. `None` if the system
/// has less memory.
pub fn reserve<T>(count: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).ok()?;
    ask_for_large_pages(list.spare_capacity_mut());
    Some(list)
}

/// A list of this many equal values, on large pages where the system has them.
pub fn large_list<T>(count: usize, make: impl FnMut() -> T) -> Vec<T> {
    let mut list = Vec::with_capacity(count);
    ask_for_large_pages(list.spare_capacity_mut());
    list.resize_with(count, make);
    list
}

/// Requests large pages under memory that was not written to yet: a new list, or zeros fresh from
/// the system. Where they are not granted, everything works as before.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub fn ask_for_large_pages<T>(memory: &mut [T]) {
    const LARGE: usize = 2 << 20;
    let skipped = memory.as_ptr().cast::<u8>().align_offset(LARGE);
    let length = size_of_val(memory).saturating_sub(skipped) / LARGE * LARGE;
    if length == 0 {
        return;
    }
    let start = memory.as_mut_ptr().cast::<u8>().wrapping_add(skipped);
    // SAFETY: the range begins and ends inside memory that is borrowed here alone; the advice
    // changes how it is mapped, never what it holds.
    let _ = unsafe { rustix::mm::madvise(start.cast(), length, rustix::mm::Advice::LinuxHugepage) };
}

/// Only Linux is asked.
#[cfg(not(target_os = "linux"))]
pub fn ask_for_large_pages<T>(_: &mut [T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_every_size_hold_their_values() {
        for count in [0, 1, 1000, (2 << 20) / 8, (9 << 20) / 8 + 3] {
            let mut next = 0_u64;
            let list = large_list(count, || {
                next += 1;
                next
            });
            assert_eq!(list.len(), count);
            assert!(list.iter().zip(1..).all(|(&value, expected)| value == expected));
        }
    }

    #[test]
    fn reserved_lists_grow_in_place() {
        let count = (5 << 20) / 8 + 3;
        let mut list = reserve::<u64>(count).expect("so little is there");
        list.push(1);
        let place = list.as_ptr();
        while list.len() < count {
            list.push(list.len() as u64 + 1);
        }
        assert_eq!(list.as_ptr(), place);
        assert!(list.iter().zip(1..).all(|(&value, expected)| value == expected));
        assert!(reserve::<u64>(usize::MAX / 16).is_none());
    }
}
