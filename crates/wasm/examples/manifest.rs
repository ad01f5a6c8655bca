//! The manifest of the engine for ShogiHome's interface `shogihome-wasm-engine/1`.
#![allow(clippy::print_stdout)]

use serde_json::{Value, json};
use yomikiri_usi::{OptionDecl, OptionKind};

/// Levels that a phone's menu offers.
const LEVELS: [u8; 5] = [1, 4, 7, 10, 13];

fn main() {
    let options: Vec<Value> = yomikiri_wasm::usi::options().iter().map(option).collect();
    let mut presets = vec![json!({
        "id": "yomikiri-v1",
        "displayName": "Yomikiri",
        "tags": ["game", "research", "mate"],
    })];
    presets.extend(LEVELS.iter().map(|level| {
        json!({
            "id": format!("yomikiri-v1-level-{level}"),
            "displayName": format!("Yomikiri Level {level}"),
            "values": { "Level": level },
            "tags": ["game"],
            "mobileGame": { "label": format!("Yomikiri Lv.{level}") },
        })
    }));
    let manifest = json!({
        "abi": "shogihome-wasm-engine/1",
        "module": "engine.js",
        "moduleFormat": "esm",
        "name": format!("Yomikiri {}", env!("CARGO_PKG_VERSION")),
        "author": env!("CARGO_PKG_AUTHORS"),
        "licenses": [{ "spdx": env!("CARGO_PKG_LICENSE"), "file": "LICENSE.txt" }],
        "options": options,
        "presets": presets,
    });
    println!("{manifest:#}");
}

fn option(option: &OptionDecl) -> Value {
    let mut value = match &option.kind {
        OptionKind::Check { default } => json!({ "type": "check", "default": default.to_string() }),
        OptionKind::Spin { default, min, max } => {
            json!({ "type": "spin", "default": default, "min": min, "max": max })
        }
        OptionKind::Combo { default, choices } => {
            json!({ "type": "combo", "default": default, "vars": choices })
        }
        OptionKind::Button => json!({ "type": "button" }),
        OptionKind::Text { default } => json!({ "type": "string", "default": default }),
        OptionKind::FileName { default } => json!({ "type": "filename", "default": default }),
    };
    value["name"] = json!(option.name);
    value
}
