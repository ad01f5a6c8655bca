//! The bar of a run, stage by stage.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::StageProgress;
use crate::Progress;

/// A bar for each stage, with the time left.
pub struct StageBar(Mutex<Option<Progress>>);

impl StageBar {
    /// None yet.
    #[must_use]
    pub const fn new() -> StageBar {
        StageBar(Mutex::new(None))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Progress>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes above the bar.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.lock().as_ref() {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Says beside the bar what is going on.
    pub fn message(&self, text: String) {
        if let Some(bar) = self.lock().as_ref() {
            bar.message(text);
        }
    }
}

impl Default for StageBar {
    fn default() -> StageBar {
        StageBar::new()
    }
}

impl StageProgress for StageBar {
    fn begin(&self, stage: &str, total: usize, done: usize) {
        let bar = Progress::new(total, done);
        bar.message(stage);
        *self.lock() = Some(bar);
    }

    fn advance(&self) {
        if let Some(bar) = self.lock().as_ref() {
            bar.advance();
        }
    }

    fn end(&self) {
        if let Some(bar) = self.lock().as_ref() {
            bar.finish();
        }
    }
}
