//! Work in any order on any number of threads.

use std::sync::{Mutex, PoisonError};

/// Does something with every item. Items must not depend on each other: which thread takes which
/// is chance.
pub fn for_each<T: Send>(
    threads: usize,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) + Sync,
) {
    let items: Vec<T> = items.into_iter().collect();
    if threads <= 1 || items.len() <= 1 {
        items.into_iter().for_each(work);
        return;
    }
    let helpers = threads.min(items.len()) - 1;
    let queue = Mutex::new(items.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(run);
        }
        run();
    });
}
