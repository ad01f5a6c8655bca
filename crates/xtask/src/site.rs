//! `cargo xtask site`: the page without a server, the reports, the documents, and the engine for
//! ShogiHome, as a folder of files that any web server can hand out.

use crate::tools;
use crate::wasm::{self, Build};
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

mod documents;

/// What the page may load: its own files. A server of static files sends no such header.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
    worker-src 'self'; base-uri 'none'; form-action 'none'";

/// Which programs are built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Programs {
    /// With vector instructions, and without for older browsers.
    Both,
    /// With vector instructions alone, built for tests.
    Test,
}

/// Where the site is written by default.
pub fn folder() -> Result<PathBuf> {
    Ok(tools::target()?.join("site"))
}

/// Writes the site into a folder, which is made anew.
pub fn write(folder: &Path, programs: Programs) -> Result<()> {
    let root = tools::root()?;
    let page = root.join("crates/web/page");
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    copy_tree(&page, folder, &|path| !path.ends_with("session.d.ts"))?;
    rewrite(&folder.join("index.html"), |text| worker_page(&text))?;
    let vectors = if programs == Programs::Test { Build::Test } else { Build::Vectors };
    fs::copy(wasm::build(vectors)?, folder.join("yomikiri.wasm"))?;
    if programs == Programs::Both {
        fs::copy(wasm::build(Build::Plain)?, folder.join("yomikiri-plain.wasm"))?;
    }
    copy_tree(&root.join("docs/report"), &folder.join("reports"), &|_| true)?;
    documents::write(&root, &folder.join("docs"))?;
    write_shogihome(&root, folder)?;
    write_service_worker(&root, folder)?;
    println!("the site is in {}", folder.display());
    Ok(())
}

/// The page with its session in a worker.
fn worker_page(text: &str) -> Result<String> {
    let socket = "data-session=\"socket\"";
    anyhow::ensure!(text.contains(socket), "index.html does not say {socket}");
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let charset = "<meta charset=\"utf-8\">";
    Ok(text.replace(socket, "data-session=\"worker\"").replacen(
        charset,
        &format!("{charset}\n{policy}"),
        1,
    ))
}

fn rewrite(path: &Path, change: impl FnOnce(String) -> Result<String>) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    fs::write(path, change(text)?)?;
    Ok(())
}

/// Copies the files of a folder and those below it.
fn copy_tree(from: &Path, to: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().context("an entry without a name")?;
        if path.is_dir() {
            copy_tree(&path, &to.join(name), wanted)?;
        } else if wanted(&path) {
            fs::copy(&path, to.join(name)).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// The folder that ShogiHome takes as `public/engines/yomikiri`.
fn write_shogihome(root: &Path, site: &Path) -> Result<()> {
    let folder = site.join("shogihome/yomikiri");
    fs::create_dir_all(&folder)?;
    for name in ["yomikiri.wasm", "yomikiri-plain.wasm", "wasm.js"] {
        if site.join(name).exists() {
            fs::copy(site.join(name), folder.join(name))?;
        }
    }
    for name in ["engine.js", "usi.js"] {
        fs::copy(root.join("crates/web/site").join(name), folder.join(name))?;
    }
    let mut manifest =
        tools::cargo(&["run", "--quiet", "--package", "yomikiri-wasm", "--example", "manifest"])?;
    fs::write(folder.join("engine.json"), tools::output(&mut manifest)?)?;
    let licences =
        ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| fs::read_to_string(root.join(name)));
    let [mit, apache] = licences;
    let line = "=".repeat(78);
    let text = format!("MIT OR Apache-2.0, at your choice.\n\n{}\n{line}\n\n{}", mit?, apache?);
    fs::write(folder.join("LICENSE.txt"), text)?;
    Ok(())
}

/// The worker that keeps the site for use without a network: the names of the files, and a version
/// that changes with any of them.
fn write_service_worker(root: &Path, site: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(site, site, &mut files)?;
    files.retain(|name| is_kept(name));
    files.sort();
    let mut hash = Sha256::new();
    for name in &files {
        hash.update(name.as_bytes());
        hash.update(fs::read(site.join(name))?);
    }
    let digest = hash.finalize();
    let version = digest.iter().take(8).fold(String::new(), |mut text, byte| {
        // Writing into a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    let worker = fs::read_to_string(root.join("crates/web/site/service-worker.js"))?;
    let names = serde_json::to_string_pretty(&files)?;
    let text = format!("const VERSION = \"{version}\";\nconst FILES = {names};\n\n{worker}");
    fs::write(site.join("service-worker.js"), text)?;
    Ok(())
}

/// Whether a file is kept for use without a network: not what only other programs or very old
/// browsers ask for, and not the tables behind the reports.
fn is_kept(name: &str) -> bool {
    let other = name.starts_with("shogihome/") || name == "yomikiri-plain.wasm";
    let endings = [".png", ".csv", ".txt", ".toml", ".json", ".zst"];
    let behind = name.starts_with("reports/") && endings.iter().any(|end| name.ends_with(end));
    !other && !behind
}

/// The files below a folder, named from the site's root.
fn list(site: &Path, folder: &Path, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(site, &path, names)?;
        } else {
            let name = path.strip_prefix(site)?.to_str().context("a name that is not UTF-8")?;
            names.push(name.replace('\\', "/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_the_site_has_its_session_in_a_worker() {
        let page = tools::root().unwrap().join("crates/web/page/index.html");
        let text = worker_page(&fs::read_to_string(page).unwrap()).unwrap();
        assert!(text.contains("data-session=\"worker\"") && !text.contains("socket"));
        assert!(text.contains("Content-Security-Policy"));
        assert!(worker_page("<html>").is_err());
    }

    #[test]
    fn what_only_other_programs_load_is_not_kept() {
        for name in
            ["index.html", "yomikiri.wasm", "reports/probcut/figure-1.svg", "docs/tsume.html"]
        {
            assert!(is_kept(name), "{name}");
        }
        for name in ["shogihome/yomikiri/engine.js", "yomikiri-plain.wasm", "reports/x/figure.png"]
        {
            assert!(!is_kept(name), "{name}");
        }
    }
}
