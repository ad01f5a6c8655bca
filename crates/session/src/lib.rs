//! What a person does, as messages: one protocol for the server and the browser's worker.
//!
//! # The protocol
//!
//! Everything is JSON. A page sends [`Request`]s: an `id` of its own choice, a `kind`, and what
//! belongs to it. It receives [`Message`]s of three types:
//!
//! * `answer` with the `id` of the request, and what was asked for (by `kind`);
//! * `fault` with the `id` of the request, a `code` to be said in the reader's language, and where
//!   it is a move the rule that forbids it with the squares that show it;
//! * `event` with the number of a `task`, and its news (by `kind`).
//!
//! Every request gets exactly one answer or fault, in the order of the requests. What takes long is
//! a task: the answer `started` names it, events tell of its progress, and its last event is its
//! answer (`finished`, or a kind that comes once), or `ended` where it was stopped or broke down.
//! One task of a kind runs at a time: a new analysis ends the one before, which then reports
//! nothing any more. The engine's move in a game is a task, too; the game's `thinking` names it.
//!
//! The first request of a connection is `open`, with the `token` of the session to come back to.
//! The answer holds the whole state. What ran when the connection was lost is started anew under
//! its old number; the clock of a game stands still meanwhile.
//!
//! # The host
//!
//! A [`Session`] has no thread, no clock and no file of its own. The host hands in a
//! [`Clock`](yomikiri_base::Clock), calls [`Session::handle`] for each request, sends the messages
//! that come out and runs the [`Task`]s on threads with [`STACK`] bytes of stack. Events of a task
//! go through [`Session::observe`], its end through [`Session::finish`]. A host whose searches
//! share no memory with the session carries tasks and their ends as text ([`Order`]). A host that
//! has experiments hands in a [`Laboratory`]. The types of
//! the messages for the page are in `crates/web/page/session.d.ts`, which a test keeps current.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod analysis;
mod capture;
mod choices;
mod clock;
mod collections;
mod game;
mod illegal;
mod laboratory;
mod mate;
mod order;
mod place;
pub mod protocol;
pub mod records;
mod restore_error;
mod search;
mod session;
mod task;
#[cfg(test)]
mod typescript;
mod view;

pub use laboratory::Laboratory;
pub use order::Order;
pub use protocol::{Message, Request};
pub use restore_error::RestoreError;
pub use session::{Session, SessionReply};
pub use task::{Emitter, Finished, Stopper, Task, TaskClass, TaskKey};
pub use view::{move_view, position_view};

use std::time::Duration;

/// Bytes of stack that a task needs.
pub const STACK: usize = 64 << 20;

/// What the searches of a session may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionResources {
    /// The engine's table.
    pub hash_megabytes: usize,
    /// The mate solver's table.
    pub mate_megabytes: usize,
    /// Threads of a search.
    pub threads: usize,
    /// The longest that one search may take; `None` for no limit.
    pub longest: Option<Duration>,
    /// Whether there is a server with reports and long runs.
    pub server: bool,
}

impl Default for SessionResources {
    fn default() -> SessionResources {
        SessionResources {
            hash_megabytes: 64,
            mate_megabytes: 256,
            threads: 1,
            longest: None,
            server: false,
        }
    }
}
