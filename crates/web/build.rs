//! Files that are embedded: a change of one of them builds the crate anew.
#![allow(clippy::print_stdout)]

fn main() {
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=../../docs/report");
}
