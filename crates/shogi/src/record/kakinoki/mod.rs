//! KIF, KI2 and BOD, the formats of Kakinoki Shogi that nearly all Japanese programs exchange.
//!
//! One reader takes all: a line of KIF begins with the number of its move, one of KI2 with the
//! mark of the player, and real files mix them.

mod clock;
mod line;
mod read;
mod setup;
mod write;

pub(super) use line::keeps_header;
pub use read::read;
pub(super) use read::{keeps_ending, keeps_summary};
pub use write::{write_bod, write_ki2, write_kif};

use crate::types::Color;

/// What the players are called, in an even game and with a handicap.
const fn side_name(color: Color, handicap: bool) -> &'static str {
    match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

/// The side that a text begins with, under either name, and the rest.
fn strip_side(text: &str) -> Option<(Color, &str)> {
    [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)]
        .into_iter()
        .find_map(|(name, color)| text.strip_prefix(name).map(|rest| (color, rest)))
}
