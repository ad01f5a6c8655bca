//! How far a long command is: one bar in one style, on the standard error stream, and silent where
//! that is no terminal.

#[cfg(not(target_arch = "wasm32"))]
use bar::Bar;
#[cfg(target_arch = "wasm32")]
use silent::Bar;

/// A progress bar, or nothing. Clones show the same bar.
#[derive(Clone)]
pub struct Progress(Bar);

impl Progress {
    /// A bar over `total` units, `done` of which are known from before. The time left is estimated
    /// from the units that are done from now on.
    #[must_use]
    pub fn new(total: usize, done: usize) -> Progress {
        Progress(Bar::new(total, done))
    }

    /// No bar at all.
    #[must_use]
    pub fn silent() -> Progress {
        Progress(Bar::silent())
    }

    /// One more unit is done.
    pub fn advance(&self) {
        self.0.advance();
    }

    /// Sets how many units are done.
    pub fn set(&self, done: usize) {
        self.0.set(done);
    }

    /// Sets how many units there are.
    pub fn set_total(&self, total: usize) {
        self.0.set_total(total);
    }

    /// The text behind the bar.
    pub fn message(&self, text: impl Into<String>) {
        self.0.message(text.into());
    }

    /// Takes the bar away while something else is written to the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }

    /// Takes the bar away for good.
    pub fn finish(&self) {
        self.0.finish();
    }

    /// How many units are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.0.done()
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod bar {
    use indicatif::{ProgressBar, ProgressStyle};

    const STYLE: &str = "{bar:30} {pos} of {len}, {eta} left {wide_msg}";

    #[derive(Clone)]
    pub(super) struct Bar(ProgressBar);

    impl Bar {
        pub(super) fn new(total: usize, done: usize) -> Bar {
            // The bar writes to standard error, and only if that is a terminal.
            let style = ProgressStyle::with_template(STYLE)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total as u64).with_style(style);
            bar.set_position(done as u64);
            bar.reset_eta();
            Bar(bar)
        }

        pub(super) fn silent() -> Bar {
            Bar(ProgressBar::hidden())
        }

        pub(super) fn advance(&self) {
            self.0.inc(1);
        }

        pub(super) fn set(&self, done: usize) {
            self.0.set_position(done as u64);
        }

        pub(super) fn set_total(&self, total: usize) {
            self.0.set_length(total as u64);
        }

        pub(super) fn message(&self, text: String) {
            self.0.set_message(text);
        }

        pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
            self.0.suspend(write)
        }

        pub(super) fn finish(&self) {
            self.0.finish_and_clear();
        }

        pub(super) fn done(&self) -> usize {
            usize::try_from(self.0.position()).unwrap_or(usize::MAX)
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod silent {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Clone, Default)]
    pub(super) struct Bar(Arc<AtomicUsize>);

    impl Bar {
        pub(super) fn new(_total: usize, done: usize) -> Bar {
            Bar(Arc::new(AtomicUsize::new(done)))
        }

        pub(super) fn silent() -> Bar {
            Bar::default()
        }

        pub(super) fn advance(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        pub(super) fn set(&self, done: usize) {
            self.0.store(done, Ordering::Relaxed);
        }

        pub(super) fn set_total(&self, _total: usize) {}

        pub(super) fn message(&self, _text: String) {}

        pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
            write()
        }

        pub(super) fn finish(&self) {}

        pub(super) fn done(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn bars_count_with_and_without_a_terminal() {
        for bar in [Progress::new(10, 3), Progress::silent()] {
            let before = bar.done();
            bar.clone().advance();
            bar.message("text");
            assert_eq!(bar.suspend(|| 7), 7);
            assert_eq!(bar.done(), before + 1);
            bar.set(9);
            bar.set_total(12);
            assert_eq!(bar.done(), 9);
            bar.finish();
        }
    }
}
