//! What a person does, as messages: one protocol for the server and the browser's worker.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod protocol;
#[cfg(test)]
mod typescript;
