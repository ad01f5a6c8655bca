//! The tests of the page in a real browser: against the server, and against the site with the
//! program in WebAssembly. What is missing is installed where that can be done, or else named.

use crate::site::{self, Programs};
use crate::tools;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Types, then every test of `crates/web/page-tests`. Pictures are left in the target folder.
pub fn test() -> Result<()> {
    let browser = browser()?;
    japanese_font()?;
    need_program("npm", &["nodejs", "npm"])?;
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["run", "types"])?;
    let site = tools::target()?.join("site-test");
    site::write(&site, Programs::Test)?;
    tools::run(&mut tools::cargo(&["build", "--package", "yomikiri-app", "--bin", "yomikiri"])?)?;
    let example = ["build", "--package", "yomikiri-wasm", "--example", "measure"];
    tools::run(&mut tools::cargo(&example)?)?;
    let built = tools::target()?.join("debug");
    let pictures = tools::target()?.join("screenshots");
    let test = |script: &str| -> Result<Command> {
        let mut test = node_command("npm")?;
        test.args(["run", script]).env("CHROMIUM", &browser).env("YOMIKIRI_SCREENSHOTS", &pictures);
        Ok(test)
    };
    tools::run(test("server")?.env("YOMIKIRI_BIN", built.join("yomikiri")))?;
    let measure = built.join("examples/measure");
    tools::run(test("site")?.env("YOMIKIRI_SITE", site).env("YOMIKIRI_MEASURE", measure))
}

/// A command in the folder of the page's tests.
fn node_command(program: &str) -> Result<Command> {
    let mut command = tools::command(program)?;
    command.current_dir(tools::root()?.join("crates/web/page-tests"));
    Ok(command)
}

fn npm(args: &[&str]) -> Result<()> {
    tools::run(node_command("npm")?.args(args))
}

/// The browser that `CHROMIUM` names, or one that is there, or Debian's.
fn browser() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(named.into());
    }
    if let Some(found) = BROWSERS.iter().find_map(|name| find(name)) {
        return Ok(found);
    }
    need_program("chromium", &["chromium"])?;
    find("chromium").context("chromium was installed and is not to be found")
}

/// A program in one of the folders of `PATH`.
fn find(name: &str) -> Option<PathBuf> {
    which::which(name).ok()
}

/// Makes sure that a program is there, by Debian's packages where it is not.
fn need_program(name: &str, packages: &[&str]) -> Result<()> {
    if find(name).is_some() {
        return Ok(());
    }
    tools::install(packages).with_context(|| {
        let wanted = packages.join(" ");
        format!("`{name}` is missing; install {wanted}, or set CHROMIUM to a browser's path")
    })
}

/// Makes sure that there is a font for the Japanese page: without one its pictures show boxes.
fn japanese_font() -> Result<()> {
    let listed = tools::output(tools::command("fc-list")?.arg(":lang=ja"));
    if listed.is_ok_and(|fonts| fonts.trim().is_empty())
        && let Err(error) = tools::install(&["fonts-ipafont-gothic"])
    {
        println!("no Japanese font: pictures of the Japanese page show boxes ({error:#})");
    }
    Ok(())
}
