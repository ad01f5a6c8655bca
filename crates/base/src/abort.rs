//! The test hook of everything that can be killed: with `YOMIKIRI_ABORT_AFTER_APPENDS=N` in the
//! environment the process aborts after the `N`-th append to a log, or the `N`-th checkpoint; with
//! `N.5` in the middle of the next one.

/// When to die.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AbortAfter {
    pub(crate) units: u32,
    pub(crate) torn: bool,
}

impl AbortAfter {
    pub(crate) fn from_environment() -> Option<AbortAfter> {
        let text = std::env::var("YOMIKIRI_ABORT_AFTER_APPENDS").ok()?;
        let (units, torn) = match text.strip_suffix(".5") {
            Some(units) => (units, true),
            None => (text.as_str(), false),
        };
        Some(AbortAfter { units: units.parse().ok()?, torn })
    }
}

/// Counts the checkpoints of a run that has no log.
#[derive(Debug)]
pub struct Checkpoints {
    abort: Option<AbortAfter>,
    saved: u32,
}

impl Checkpoints {
    /// None yet.
    #[must_use]
    pub fn begin() -> Checkpoints {
        let begun = Checkpoints { abort: AbortAfter::from_environment(), saved: 0 };
        begun.abort_here(false);
        begun
    }

    /// Saves one.
    ///
    /// # Errors
    /// That of saving.
    pub fn save<E>(&mut self, save: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        self.abort_here(true);
        save()?;
        self.saved += 1;
        self.abort_here(false);
        Ok(())
    }

    fn abort_here(&self, torn: bool) {
        if self.abort == Some(AbortAfter { units: self.saved, torn }) {
            std::process::abort();
        }
    }
}
