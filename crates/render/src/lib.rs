//! Pictures, as SVG and, with the feature `png`, as PNG: boards, proof trees, the course of a
//! game, heat maps and, with the feature `plot`, plots. The characters of boards, trees and games
//! are outlines, so that no font is needed.

pub mod game_graph;
mod glyphs;
pub mod heat;
mod lettering;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "png")]
mod png;
pub mod proof_tree;
mod svg;

#[cfg(feature = "png")]
pub use png::{PictureError, by_name, render_png};
pub use svg::{Picture, draw};

/// Text as it stands in SVG and HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
