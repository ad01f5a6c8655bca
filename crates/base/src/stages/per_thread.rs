//! What a unit needs and is costly to make, kept for the next unit of the same thread.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

/// One `T` for each thread that works, made when it is first needed.
pub struct PerThread<T> {
    idle: Mutex<HashMap<ThreadId, T>>,
}

impl<T> Default for PerThread<T> {
    fn default() -> PerThread<T> {
        PerThread { idle: Mutex::new(HashMap::new()) }
    }
}

impl<T> PerThread<T> {
    /// Works with the one of this thread. It is kept also where the work fails.
    ///
    /// # Errors
    /// Those of making it and of the work.
    pub fn with<R, E>(
        &self,
        make: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> Result<R, E>,
    ) -> Result<R, E> {
        let thread = std::thread::current().id();
        let waiting = self.lock().remove(&thread);
        let mut it = match waiting {
            Some(it) => it,
            None => make()?,
        };
        let done = work(&mut it);
        self.lock().insert(thread, it);
        done
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, T>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
