//! The C interface. The host writes text into the buffer that [`reserve`] gives and calls a
//! function with its length in bytes; what comes out goes through the imported `emit`.
// Exported names and imported functions are unsafe by their nature; there is nothing else here.
#![allow(unsafe_code)]

use crate::holder::Holder;
use crate::searcher::{Outside, SearchMessage};
use crate::usi::Usi;
use crate::{measure, searcher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use yomikiri_base::Clock;
use yomikiri_play::usi_front::Voice;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
    /// Whether the search that runs is to stop.
    safe fn stopped() -> i32;
    /// Text comes out: its kind ([`Kind`]), where it begins, how many bytes it has.
    safe fn emit(kind: u32, start: *const u8, length: usize);
}

/// What comes out.
#[repr(u32)]
enum Kind {
    /// What the session's holder wants done: [`crate::holder::Out`] as JSON.
    Out = 0,
    /// News of a search.
    Event = 1,
    /// The end of a search.
    Finished = 2,
    /// A line of USI.
    Usi = 3,
    /// Figures of [`measure`].
    Figures = 4,
    /// What went wrong, in English, before the program ends itself.
    Panic = 5,
}

fn say(kind: Kind, text: &str) {
    emit(kind as u32, text.as_ptr(), text.len());
}

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static HOLDER: Mutex<Option<Holder>> = Mutex::new(None);
static USI: Mutex<Option<Usi>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was written into the buffer, of which text is made. The buffer is empty afterwards.
fn input(length: usize) -> String {
    let mut bytes = std::mem::take(&mut *lock(&BUFFER));
    bytes.truncate(length);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn time() -> Duration {
    Duration::from_secs_f64((now() / 1000.0).max(0.0))
}

const OUTSIDE: Outside = Outside { now: time, stopped: || stopped() != 0 };

/// Tells of panics before they end the program. To be called first.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    std::panic::set_hook(Box::new(|panic| say(Kind::Panic, &panic.to_string())));
}

/// A buffer for this many bytes of text; it is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    let mut buffer = lock(&BUFFER);
    buffer.clear();
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// Begins to hold a session.
#[unsafe(no_mangle)]
pub extern "C" fn hold(seed: u32) {
    *lock(&HOLDER) = Some(Holder::new(Clock::from_fn(time), seed));
}

/// Something for the holder of the session: a [`crate::holder::In`].
#[unsafe(no_mangle)]
pub extern "C" fn receive(length: usize) {
    let text = input(length);
    let outs = lock(&HOLDER).as_mut().map(|holder| holder.receive(&text)).unwrap_or_default();
    for out in outs {
        say(Kind::Out, &serde_json::to_string(&out).expect("plain data is JSON"));
    }
}

/// Carries out an order to its end.
#[unsafe(no_mangle)]
pub extern "C" fn search(length: usize) {
    let emit = |message| match message {
        SearchMessage::Event(text) => say(Kind::Event, &text),
        SearchMessage::Finished(text) => say(Kind::Finished, &text),
    };
    let done = searcher::carry_out(&input(length), &OUTSIDE, crate::resources(), Arc::new(emit));
    if let Err(why) = done {
        say(Kind::Panic, &why.to_string());
    }
}

/// A line of USI; a search is carried out to its end. 1 if the conversation is over.
#[unsafe(no_mangle)]
pub extern "C" fn usi(length: usize) -> u32 {
    let line = input(length);
    let mut usi = lock(&USI);
    let speak = |text: &str| text.lines().for_each(|line| say(Kind::Usi, line));
    let usi = usi.get_or_insert_with(|| Usi::new(OUTSIDE, Voice::new(speak)));
    u32::from(!usi.line(&line))
}

/// Measures: see [`measure`].
#[unsafe(no_mangle)]
pub extern "C" fn figures(length: usize) {
    say(Kind::Figures, &measure::answer(&input(length)));
}
