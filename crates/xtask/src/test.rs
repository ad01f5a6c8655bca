//! `cargo xtask test`: what a change must pass, the quick checks first.

use crate::steps::{self, Step};
use crate::tools::{cargo, need_component, run};
use crate::{arrows, style, wasm};
use anyhow::Result;

/// The steps in their order.
pub fn steps() -> Vec<Step> {
    let table: [(_, _, fn() -> Result<()>); 7] = [
        ("format", "rustfmt would change nothing", format),
        ("arrows", "crates know only those that the table allows", arrows::check),
        ("style", "functions, files, structs and comment lines within their limits", style::check),
        ("clippy", "no lint speaks", clippy),
        ("docs", "the documentation builds without warnings", docs),
        ("wasm", "the crates of the browser compile for wasm32", wasm::check),
        ("tests", "unit tests, integration tests, documentation examples", tests),
    ];
    table.map(|(name, title, work)| Step { name, title, work: Box::new(work) }).into()
}

pub fn list() -> String {
    steps::list("Steps of the test", &steps())
}

fn format() -> Result<()> {
    need_component("fmt", "rustfmt")?;
    run(&mut cargo(&["fmt", "--all", "--check"])?)?;
    run(&mut cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"])?)
}

fn clippy() -> Result<()> {
    need_component("clippy", "clippy")?;
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-Dwarnings"])?)
}

fn docs() -> Result<()> {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--quiet"])?;
    run(doc.env("RUSTDOCFLAGS", "-Dwarnings"))
}

fn tests() -> Result<()> {
    run(&mut cargo(&["test", "--workspace"])?)
}
