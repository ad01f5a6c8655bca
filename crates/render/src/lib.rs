//! Pictures of positions, as SVG and, with the feature `png`, as PNG. The characters are outlines,
//! so that no font is needed.

mod glyphs;
#[cfg(feature = "png")]
mod png;
mod svg;

#[cfg(feature = "png")]
pub use png::{PictureError, render_png};
pub use svg::{Picture, draw};
