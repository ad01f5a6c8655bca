//! The chores of the workspace: `cargo xtask test` runs every check a change must pass,
//! `cargo xtask soak` the long ones; `cargo xtask site` writes the page that needs no server,
//! `cargo xtask dist` the archives of a release.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arrows;
mod browser;
mod dist;
mod python;
mod site;
mod soak;
mod steps;
mod style;
mod technique;
mod test;
mod tools;
mod wasm;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test [STEP..]     every check a change must pass, or the steps named
cargo xtask soak [RUN..]      the long tests, or those named
cargo xtask site [FOLDER]     the page without a server, reports, documents, ShogiHome's engine
cargo xtask site --test FOLDER
                              the same for tests of the page: soon compiled, and slower
cargo xtask dist [--target TRIPLE] [LEVEL..]
                              the archives of a release: binary, licences, bill of materials
cargo xtask wheel [FOLDER]    the portable wheel, tried in an empty environment of every Python here
cargo xtask style             the size limits of functions, files, structs and comments
cargo xtask style --shrink    lower the list of exceptions to what is still needed";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test", names @ ..] => steps::run(test::steps(), names),
        ["soak", names @ ..] => steps::run(soak::steps(), names),
        ["site"] => site::folder().and_then(|folder| site::write(&folder, site::Programs::Both)),
        ["site", "--test", folder] => site::write(folder.as_ref(), site::Programs::Test),
        ["site", folder] => site::write(folder.as_ref(), site::Programs::Both),
        ["dist", words @ ..] => dist::make(words),
        ["wheel"] => python::wheel(None),
        ["wheel", folder] => python::wheel(Some(folder.as_ref())),
        ["style"] => style::check(),
        ["style", "--shrink"] => style::shrink(),
        _ => {
            eprintln!("{USAGE}\n\n{}\n{}", test::list(), soak::list());
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
