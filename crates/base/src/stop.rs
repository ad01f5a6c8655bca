//! One way to stop everything.
//!
//! A token is a shared flag. A child is stopped by its parent, not the other way round: a command
//! gives each search a child of its own token, so that Ctrl-C ends all of them and a time limit
//! one. A parent passes the stop on when it is stopped, so that asking is one relaxed load in a hot
//! loop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A shared request to stop. Clones are the same token.
#[derive(Clone, Default)]
pub struct StopToken {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    flag: Arc<AtomicBool>,
    children: Mutex<Vec<Weak<Inner>>>,
}

impl StopToken {
    /// A token that nobody has stopped.
    #[must_use]
    pub fn new() -> StopToken {
        StopToken::default()
    }

    /// A token that stops with this one, and can be stopped without it.
    #[must_use]
    pub fn child(&self) -> StopToken {
        let child = StopToken::new();
        let mut children = self.inner.children();
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&child.inner));
        // Under the lock: a stop that came before it is seen here, a later one sees the child.
        if self.is_stopped() {
            child.inner.flag.store(true, Ordering::Relaxed);
        }
        drop(children);
        child
    }

    /// Whether to stop.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.inner.flag.load(Ordering::Relaxed)
    }

    /// Stops this token and its children. Says whether it was stopped before.
    pub fn stop(&self) -> bool {
        self.inner.stop()
    }

    /// The flag of this token, for code that takes a plain one. Raising the flag itself does not
    /// reach the children: use [`StopToken::stop`].
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.inner.flag)
    }
}

impl Inner {
    fn children(&self) -> std::sync::MutexGuard<'_, Vec<Weak<Inner>>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) -> bool {
        let children = self.children();
        let before = self.flag.swap(true, Ordering::Relaxed);
        for child in children.iter().filter_map(Weak::upgrade) {
            child.stop();
        }
        before
    }
}

impl std::fmt::Debug for StopToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StopToken").field("stopped", &self.is_stopped()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_stops_its_children_and_not_the_other_way_round() {
        let parent = StopToken::new();
        let (first, second) = (parent.child(), parent.child());
        let grandchild = first.child();
        assert!(!second.stop());
        assert!(second.is_stopped() && !parent.is_stopped() && !first.is_stopped());
        assert!(!parent.clone().stop(), "a clone is the same token");
        assert!(parent.is_stopped() && first.is_stopped() && grandchild.is_stopped());
        assert!(grandchild.flag().load(Ordering::Relaxed));
        assert!(parent.stop(), "it was stopped before");
        assert!(parent.child().is_stopped(), "born too late to go on");
    }

    #[test]
    fn dropped_children_are_forgotten() {
        let parent = StopToken::new();
        for _ in 0..1000 {
            let _ = parent.child();
        }
        assert!(parent.inner.children().len() <= 2);
        parent.stop();
    }

    #[test]
    fn every_child_hears_of_a_stop_from_another_thread() {
        for _ in 0..100 {
            let parent = StopToken::new();
            let stopper = parent.clone();
            let thread = std::thread::spawn(move || stopper.stop());
            let children: Vec<StopToken> = (0..50).map(|_| parent.child()).collect();
            thread.join().expect("it only stops");
            assert!(children.iter().all(StopToken::is_stopped));
        }
    }
}
