//! Long work with the interpreter free for other threads, which Ctrl-C ends.

use crate::errors::engine;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often a signal is looked for.
const LOOK: Duration = Duration::from_millis(30);

/// Does the work on a thread of its own while other Python threads run. A signal raises `stop`, and
/// the exception comes once the work has ended: no thread is left behind.
pub fn run<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    run_until(py, || stop.store(true, Relaxed), work)
}

/// The same with something else that a signal does to end the work.
pub fn run_until<T: Send>(
    py: Python<'_>,
    on_signal: impl Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        // A receiver may be used by one thread at a time, which is not said by its type.
        let receiver = Mutex::new(receiver);
        let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK);
        let thread = scope.spawn(move || {
            let result = work();
            // The receiver waits until the thread has ended.
            let _ = sender.send(());
            result
        });
        let mut signal = Ok(());
        while let Err(RecvTimeoutError::Timeout) = py.detach(wait) {
            if let Err(raised) = py.check_signals() {
                on_signal();
                signal = Err(raised);
            }
        }
        let result = py.detach(|| thread.join());
        signal?;
        result.map_err(|panic| engine(format!("a fault worth reporting: {}", message(&*panic))))
    })
}

/// What a panic says.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
