//! Pictures in pixels.

use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The SVG is none.
    #[error("the picture cannot be drawn: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// More pixels than memory holds.
    #[error("the picture is too large")]
    TooLarge,
    /// The name of the file names no kind of picture.
    #[error("a picture must end in .svg or .png")]
    Ending,
    /// The pixels cannot be packed.
    #[error("the picture cannot be written as PNG: {0}")]
    Png(String),
}

/// Whether a name ends as that of a picture does.
#[must_use]
pub fn is_picture_name(path: &Path) -> bool {
    ending(path).is_some_and(|ending| ["svg", "png"].contains(&ending.as_str()))
}

fn ending(path: &Path) -> Option<String> {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase())
}

/// A picture as its file holds it, by the ending of its name: SVG or, rendered at a width in
/// pixels, PNG.
///
/// # Errors
/// If the ending is another one, or the picture cannot be rendered.
pub fn by_name(path: &Path, svg: String, width: u32) -> Result<Vec<u8>, PictureError> {
    match ending(path).as_deref() {
        Some("svg") => Ok(svg.into_bytes()),
        Some("png") => render_png(&svg, width),
        _ => Err(PictureError::Ending),
    }
}

/// Renders an SVG as a PNG of the given width in pixels.
///
/// # Errors
/// If the SVG cannot be read or the picture is too large.
pub fn render_png(svg: &str, width: u32) -> Result<Vec<u8>, PictureError> {
    let mut options = Options { font_family: "DejaVu Sans".into(), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let tree = Tree::from_str(svg, &options)?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).ceil() as u32;
    let mut pixmap = Pixmap::new(width, height).ok_or(PictureError::TooLarge)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| PictureError::Png(error.to_string()))
}
