//! Pictures of positions, as SVG and PNG. The characters are outlines, so that no font is needed.

mod glyphs;
mod svg;

pub use svg::{Picture, draw};

use anyhow::Context;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Renders an SVG as a PNG of the given width in pixels.
pub fn render_png(svg: &str, width: u32) -> anyhow::Result<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default()).context("the picture cannot be drawn")?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).ceil() as u32;
    let mut pixmap = Pixmap::new(width, height).context("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().context("the picture cannot be written as PNG")
}
