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
pub use png::{PictureError, by_name, is_picture_name, render_png};
pub use svg::{Picture, draw};

/// Text as it stands in SVG and HTML. Control characters, which records may hold and XML may not,
/// become the sign for what cannot be shown.
pub fn escape(text: &str) -> String {
    let forbidden = |symbol: char| symbol.is_control() && !matches!(symbol, '\t' | '\n' | '\r');
    let text = text.replace(forbidden, "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_from_records_do_not_break_pictures() {
        assert_eq!(super::escape("a<\u{1b}]0;\u{7}&"), "a&lt;\u{fffd}]0;\u{fffd}&amp;");
    }
}
