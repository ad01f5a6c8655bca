//! Heat maps of the board: a number on every square, coloured by its sign and size.

use crate::escape;
#[cfg(feature = "png")]
use crate::png::{PictureError, render_png};

/// Pixels of a square, and around the board.
const CELL: u32 = 46;
const MARGIN: u32 = 40;
const TOP: u32 = 60;
/// Pixels for the legend, and the shares of the deepest colour that it shows.
const LEGEND: u32 = 36;
const LEGEND_STEPS: [f64; 9] = [-1.0, -0.5, -0.25, -0.1, 0.0, 0.1, 0.25, 0.5, 1.0];

/// A board with numbers.
#[derive(Clone, Debug)]
pub struct HeatMap {
    title: String,
    /// Of the first rank shown, 1 to 9.
    first_rank: u8,
    /// Rank by rank, from the ninth file to the first; nothing where the piece cannot stand.
    rows: Vec<[Option<f64>; 9]>,
    /// A square with a mark, as file and rank.
    mark: Option<(u8, u8)>,
    /// The number that has the deepest colour.
    full: f64,
}

impl HeatMap {
    /// A map of the ranks from `first_rank` on.
    pub fn new(title: &str, first_rank: u8, rows: Vec<[Option<f64>; 9]>) -> HeatMap {
        let values = rows.iter().flatten().flatten().map(|value| value.abs());
        let full = values.fold(1.0, f64::max);
        HeatMap { title: title.to_string(), first_rank, rows, mark: None, full }
    }

    /// Gives the deepest colour to this number and those beyond it, so that several maps can be
    /// compared.
    #[must_use]
    pub fn with_scale(mut self, full: f64) -> HeatMap {
        self.full = full.max(1.0);
        self
    }

    /// Marks a square with 玉.
    #[must_use]
    pub fn with_king(mut self, file: u8, rank: u8) -> HeatMap {
        self.mark = Some((file, rank));
        self
    }

    /// The map as a stand-alone SVG file.
    pub fn to_svg(&self) -> String {
        let (width, height) = self.size();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
             <text x=\"{}\" y=\"24\" font-size=\"15\" text-anchor=\"middle\">{}</text>\n",
            width / 2,
            escape(&self.title)
        );
        for (column, file) in (1..=9).rev().enumerate() {
            svg += &text(MARGIN + column as u32 * CELL + CELL / 2, TOP - 8, 12, &format!("{file}"));
        }
        for (row, cells) in self.rows.iter().enumerate() {
            let rank = self.first_rank + row as u8;
            let y = TOP + row as u32 * CELL;
            svg += &text(MARGIN + 9 * CELL + 14, y + CELL / 2 + 4, 12, &format!("{rank}"));
            for (column, &value) in cells.iter().enumerate() {
                let marked = self.mark == Some((9 - column as u8, rank));
                svg += &self.cell(MARGIN + column as u32 * CELL, y, value, marked);
            }
        }
        svg + &self.legend() + "</svg>\n"
    }

    fn size(&self) -> (u32, u32) {
        (9 * CELL + 2 * MARGIN, self.rows.len() as u32 * CELL + TOP + 16 + LEGEND)
    }

    /// The colours and the numbers that they stand for.
    fn legend(&self) -> String {
        let y = TOP + self.rows.len() as u32 * CELL + 14;
        let width = 9 * CELL / LEGEND_STEPS.len() as u32;
        let step = |(at, share): (usize, &f64)| {
            let (x, value) = (MARGIN + at as u32 * width, share * self.full);
            let colour = self.colour(Some(value));
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"12\" fill=\"{colour}\" stroke=\"rgb(120,120,120)\"/>\n{}",
                text(x + width / 2, y + 26, 11, &format!("{value:.0}"))
            )
        };
        LEGEND_STEPS.iter().enumerate().map(step).collect()
    }

    fn cell(&self, x: u32, y: u32, value: Option<f64>, marked: bool) -> String {
        let shown = match (marked, value) {
            (true, _) => "K".to_string(),
            (false, Some(value)) => format!("{value:.0}"),
            (false, None) => "–".to_string(),
        };
        let colour = if marked { "rgb(255,235,150)".into() } else { self.colour(value) };
        format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" stroke=\"rgb(120,120,120)\"/>\n{}",
            text(x + CELL / 2, y + CELL / 2 + 5, 13, &shown)
        )
    }

    /// Red for the owner's good, blue for bad.
    fn colour(&self, value: Option<f64>) -> String {
        let share = (value.unwrap_or(0.0) / self.full).clamp(-1.0, 1.0);
        let pale = 255 - (share.abs().sqrt() * 130.0) as u8;
        if share >= 0.0 {
            format!("rgb(255,{pale},{pale})")
        } else {
            format!("rgb({pale},{pale},255)")
        }
    }

    /// The map as PNG.
    ///
    /// # Errors
    /// If the renderer refuses it.
    #[cfg(feature = "png")]
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        render_png(&self.to_svg(), 2 * self.size().0)
    }
}

fn text(x: u32, y: u32, size: u32, words: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"middle\">{words}</text>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::HeatMap;

    #[test]
    fn a_map_has_its_numbers_its_king_and_ink() {
        let map = HeatMap::new("a & b", 5, vec![[Some(-137.0); 9], [None; 9]]).with_king(9, 6);
        let svg = map.to_svg();
        // Nine squares, and the end of the legend.
        let of_size = |size: u32| format!("font-size=\"{size}\" text-anchor=\"middle\">-137<");
        assert_eq!(svg.matches(&of_size(13)).count(), 9);
        assert_eq!(svg.matches(&of_size(11)).count(), 1);
        assert!(svg.contains("a &amp; b") && svg.contains(">K<"));
        assert_eq!(svg.matches(">–<").count(), 8);
        let scaled = map.clone().with_scale(400.0).to_svg();
        assert!(scaled.contains(">400<") && scaled.contains(">-400<") && !svg.contains(">400<"));
        #[cfg(feature = "png")]
        assert_eq!(&map.to_png().expect("a picture")[1..4], b"PNG");
    }
}
