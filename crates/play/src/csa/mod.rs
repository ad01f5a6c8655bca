//! Games on a server of the CSA protocol, such as floodgate: log in, agree, play, keep the
//! records, and come back for the next game.
//!
//! * [`protocol`]: what the server says, line by line, and what is sent to it; [`summary`]: the
//!   conditions of a game.
//! * [`connection`]: lines over TCP, with signs of life.
//! * [`client`]: the way from one game to the next; `words`: what it reports.
//!
//! The server keeps the clocks and judges: what it says about times and results is taken over.

pub mod client;
pub mod connection;
pub mod protocol;
pub mod summary;

mod engine;
mod online;
mod records;
mod words;

pub use client::{CsaClient, CsaError, CsaEvent, CsaOptions, Password, RetryReason};
pub use connection::ConnectionLoss;
pub use online::{GameReport, OnlineEnd, OnlineFault};
pub use protocol::{CsaResult, ServerLine, ServerVerdict};
pub use summary::{GameSummary, ServerTime, SummaryError, SummaryReader};
pub use words::{Notice, ResultTally, log_line, login_text, notice};
