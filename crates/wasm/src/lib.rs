//! The same session as behind the server, in a browser's workers.
//!
//! One worker holds the session ([`holder`]), others search ([`searcher`]): a search blocks its
//! worker, and the session has to answer meanwhile. They share no memory, so tasks and their ends
//! travel as text. The interface is plain C (`abi`, on wasm32 only): text goes in through a buffer,
//! text comes out through an imported function, and nothing is generated. [`usi`] speaks USI for
//! programs that load engines, and [`measure`] gives figures that must be those of a native build.
//!
//! There are no threads, and the stack is small: recursions are bounded by depth, and what does not
//! fit is *unknown*.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(target_arch = "wasm32")]
pub mod abi;
pub mod holder;
pub mod measure;
pub mod searcher;
pub mod usi;

use std::time::Duration;
use yomikiri_session::SessionResources;

/// The longest search. A limit is needed: where there is none the engine never looks at the clock,
/// and with the clock comes the news that it was stopped.
const LONGEST: Duration = Duration::from_secs(6 * 3600);

/// What a search may use in a browser.
#[must_use]
pub fn resources() -> SessionResources {
    SessionResources {
        hash_megabytes: 64,
        mate_megabytes: 128,
        threads: 1,
        longest: Some(LONGEST),
        server: false,
    }
}
