//! The messages as TypeScript, for the page: one file that a test keeps current.

use crate::protocol::{Message, Request};
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};

/// Where the page finds it.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/page/session.d.ts");

const HEAD: &str = "\
// The messages between the page and its session, made from crates/session/src/protocol.
// `YOMIKIRI_BLESS=1 cargo test -p yomikiri-session typescript` writes this file anew.

";

/// Collects the declarations of everything that a type mentions, by name.
struct Declarations<'c> {
    config: &'c Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(self.config);
        if self.found.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("{docs}export {}\n", T::decl(self.config));
        self.found.insert(name, text);
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut all = Declarations { config: &config, found: BTreeMap::new() };
    all.visit::<Request>();
    all.visit::<Message>();
    let texts: Vec<String> = all.found.into_values().collect();
    format!("{HEAD}{}", texts.join("\n"))
}

#[test]
fn the_typescript_of_the_page_is_current() {
    let text = declarations();
    if std::env::var_os("YOMIKIRI_BLESS").is_some() {
        std::fs::create_dir_all(Path::new(FILE).parent().unwrap()).unwrap();
        std::fs::write(FILE, &text).unwrap();
    }
    let written = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(written == text, "{FILE} is not current; its first line says how to write it anew");
}
