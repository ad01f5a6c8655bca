//! Pictures, as SVG and, with the feature `png`, as PNG: boards, proof trees, heat maps and, with
//! the feature `plot`, plots. The characters of boards are outlines, so that no font is needed.

mod glyphs;
pub mod heat;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "png")]
mod png;
pub mod proof_tree;
mod svg;

#[cfg(feature = "png")]
pub use png::{PictureError, render_png};
pub use svg::{Picture, draw};

/// Text as it stands in SVG and HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
