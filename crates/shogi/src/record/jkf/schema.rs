//! The JSON as JKF's schema has it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Jkf {
    #[serde(default)]
    pub header: serde_json::Map<String, serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Initial>,
    pub moves: Vec<Item>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Initial {
    pub preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Data {
    #[serde(default)]
    pub color: u8,
    pub board: Vec<Vec<Cell>>,
    #[serde(default)]
    pub hands: Vec<BTreeMap<String, u8>>,
}

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Cell {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Item {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub played: Option<Played>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forks: Vec<Vec<Item>>,
}

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Played {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    pub piece: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promote: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
pub(super) struct Place {
    pub x: u8,
    pub y: u8,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Time {
    pub now: Clock,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Clock>,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
pub(super) struct Clock {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h: Option<u32>,
    pub m: u32,
    pub s: f64,
}
