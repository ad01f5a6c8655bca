//! Files that are embedded: a change of one of them builds the crate anew. The reports lie outside
//! of the package: away from the checkout there are none.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};

fn main() {
    let reports = Path::new("../../docs/report");
    let folder = match reports.canonicalize() {
        Ok(folder) => folder,
        Err(_) => empty_folder(),
    };
    println!("cargo::rustc-env=YOMIKIRI_REPORTS={}", folder.display());
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=../../docs/report");
}

fn empty_folder() -> PathBuf {
    let out = std::env::var_os("OUT_DIR").expect("cargo names a folder");
    let folder = PathBuf::from(out).join("no-reports");
    std::fs::create_dir_all(&folder).expect("cargo's folder can be written");
    folder
}
