//! `cargo xtask test`: what a change must pass, the quick checks first.

use crate::steps::{self, TestStep};
use crate::tools::{cargo, need_component, run};
use crate::{arrows, browser, python, style, technique, wasm};
use anyhow::Result;

/// The steps in their order.
pub fn steps() -> Vec<TestStep> {
    vec![
        step("format", "rustfmt would change nothing", format),
        step("arrows", "crates know only those that the table allows", arrows::check),
        step(
            "style",
            "sizes within their limits, no document names a file that is not there",
            style::check,
        ),
        step("clippy", "no lint speaks", clippy),
        step("docs", "the documentation builds without warnings", docs),
        step("technique", "the technique that the documents add compiles", technique::check),
        step("wasm", "the crates of the browser compile for wasm32", wasm::check),
        step("python", "the Python package: wheel, types, tests, notebooks", python::check),
        step("tests", "unit tests, integration tests, documentation examples", tests),
        step("browser", "the page in a real browser, with the server and without", browser::test),
    ]
}

fn step(name: &'static str, title: &'static str, work: fn() -> Result<()>) -> TestStep {
    TestStep { name, title, work: Box::new(work) }
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
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"])?)
}

fn docs() -> Result<()> {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])?;
    run(doc.env("RUSTDOCFLAGS", "-Dwarnings"))
}

fn tests() -> Result<()> {
    // What the program prints is compared in English, whatever the developer's language.
    run(cargo(&["test", "--workspace"])?.env("LC_ALL", "C.UTF-8"))
}
