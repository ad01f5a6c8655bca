//! The board as SVG.

use super::glyphs::{BOX, outline};
use std::fmt::Write;
use yomikiri_shogi::notation::japanese::kind_name;
use yomikiri_shogi::{Color, Kind, Piece, Position, Square};

/// What to draw.
pub struct Picture<'a> {
    /// The position; its last move is marked.
    pub position: &'a Position,
    /// Whether white sits at the bottom.
    pub flipped: bool,
}

const CELL_WIDTH: f64 = 60.0;
const CELL_HEIGHT: f64 = 65.0;
const STAND: f64 = 132.0;
const MARGIN: f64 = 26.0;
const FRAME: f64 = 18.0;
const BOARD_WIDTH: f64 = 9.0 * CELL_WIDTH;
const BOARD_HEIGHT: f64 = 9.0 * CELL_HEIGHT;
const BOARD_LEFT: f64 = MARGIN + STAND + FRAME + 12.0;
const BOARD_TOP: f64 = MARGIN + FRAME + 8.0;
pub(crate) const WIDTH: f64 = 2.0 * BOARD_LEFT + BOARD_WIDTH;
pub(crate) const HEIGHT: f64 = BOARD_TOP + BOARD_HEIGHT + FRAME + MARGIN;

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

const DEFINITIONS: &str = r##"<defs>
<linearGradient id="wood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f3cf8b"/><stop offset="1" stop-color="#e3b363"/></linearGradient>
<linearGradient id="stand" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#e6bd78"/><stop offset="1" stop-color="#d2a155"/></linearGradient>
<linearGradient id="piece" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fdeecb"/><stop offset="1" stop-color="#efcb8a"/></linearGradient>
<path id="shape" d="M0 -27 L17.5 -20.5 L24 27 L-24 27 L-17.5 -20.5 Z"/>
</defs>
"##;

/// Draws the picture.
pub fn draw(picture: &Picture<'_>) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\">\n{DEFINITIONS}\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f7f2e7\"/>\n"
    );
    draw_board(picture, &mut svg);
    let position = picture.position;
    for square in Square::all() {
        if let Some(piece) = position.piece_on(square) {
            let (x, y) = centre(square, picture.flipped);
            draw_piece(&mut svg, piece.kind(), x, y, 1.07, upside_down(piece, picture.flipped));
        }
    }
    for color in Color::ALL {
        draw_stand(picture, color, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

fn upside_down(piece: Piece, flipped: bool) -> bool {
    (piece.color() == Color::White) != flipped
}

/// The middle of a square in the picture.
fn centre(square: Square, flipped: bool) -> (f64, f64) {
    let square = if flipped { square.rotated() } else { square };
    let x = BOARD_LEFT + (8.5 - f64::from(square.file())) * CELL_WIDTH;
    let y = BOARD_TOP + (f64::from(square.rank()) + 0.5) * CELL_HEIGHT;
    (x, y)
}

fn draw_board(picture: &Picture<'_>, svg: &mut String) {
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"url(#wood)\" \
         stroke=\"#8a6a35\" stroke-width=\"1.5\"/>",
        BOARD_LEFT - FRAME,
        BOARD_TOP - FRAME - 6.0,
        BOARD_WIDTH + 2.0 * FRAME + 6.0,
        BOARD_HEIGHT + 2.0 * FRAME,
    );
    if let Some(last) = picture.position.last_move() {
        mark(svg, last.to(), picture.flipped, 0.55);
        if let Some(from) = last.from() {
            mark(svg, from, picture.flipped, 0.28);
        }
    }
    let mut lines = String::new();
    for n in 1..9 {
        let (x, y) =
            (BOARD_LEFT + f64::from(n) * CELL_WIDTH, BOARD_TOP + f64::from(n) * CELL_HEIGHT);
        let _ = write!(lines, "M{x} {BOARD_TOP}v{BOARD_HEIGHT}M{BOARD_LEFT} {y}h{BOARD_WIDTH}");
    }
    let _ = writeln!(svg, "<path d=\"{lines}\" stroke=\"#3a2a12\" stroke-width=\"1\"/>");
    let _ = writeln!(
        svg,
        "<rect x=\"{BOARD_LEFT}\" y=\"{BOARD_TOP}\" width=\"{BOARD_WIDTH}\" \
         height=\"{BOARD_HEIGHT}\" fill=\"none\" stroke=\"#3a2a12\" stroke-width=\"2.4\"/>"
    );
    for (column, row) in [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] {
        let (x, y) = (BOARD_LEFT + column * CELL_WIDTH, BOARD_TOP + row * CELL_HEIGHT);
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.4\" fill=\"#3a2a12\"/>");
    }
    for n in 0..9u8 {
        let square = Square::new(n, n);
        let (x, y) = centre(square, picture.flipped);
        let index = usize::from(n);
        draw_character(svg, FILES[index], x, BOARD_TOP - 12.0, 15.0, "#3a2a12");
        let right = BOARD_LEFT + BOARD_WIDTH + 12.0;
        draw_character(svg, RANKS[index], right, y, 15.0, "#3a2a12");
    }
}

fn mark(svg: &mut String, square: Square, flipped: bool, opacity: f64) {
    let (x, y) = centre(square, flipped);
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{CELL_WIDTH}\" height=\"{CELL_HEIGHT}\" \
         fill=\"#ff8c1a\" fill-opacity=\"{opacity}\"/>",
        x - CELL_WIDTH / 2.0,
        y - CELL_HEIGHT / 2.0,
    );
}

/// A character with its middle at a point.
fn draw_character(svg: &mut String, character: char, x: f64, y: f64, size: f64, fill: &str) {
    let Some(path) = outline(character) else { return };
    let scale = size / BOX;
    let _ = writeln!(
        svg,
        "<path transform=\"translate({:.2} {:.2}) scale({scale:.5})\" d=\"{path}\" fill=\"{fill}\"/>",
        x - size / 2.0,
        y - size / 2.0,
    );
}

/// A piece with its middle at a point.
fn draw_piece(svg: &mut String, kind: Kind, x: f64, y: f64, scale: f64, upside_down: bool) {
    let turn = if upside_down { 180 } else { 0 };
    let _ = writeln!(
        svg,
        "<g transform=\"translate({x:.2} {y:.2}) scale({scale:.3}) rotate({turn})\">\n\
         <use href=\"#shape\" transform=\"translate(1.2 1.8)\" fill=\"#000000\" fill-opacity=\"0.22\"/>\n\
         <use href=\"#shape\" fill=\"url(#piece)\" stroke=\"#8a6226\" stroke-width=\"1.1\" \
         stroke-linejoin=\"round\"/>"
    );
    let fill = if kind.is_promoted() { "#b3201c" } else { "#17120b" };
    let name: Vec<char> = kind_name(kind).chars().collect();
    match name.as_slice() {
        [first, second] => {
            draw_character(svg, *first, 0.0, -8.5, 21.0, fill);
            draw_character(svg, *second, 0.0, 13.0, 22.0, fill);
        }
        single => {
            for &character in single {
                draw_character(svg, character, 0.0, 3.5, 34.0, fill);
            }
        }
    }
    svg.push_str("</g>\n");
}

/// The stand for the pieces in hand: at the right of its player.
fn draw_stand(picture: &Picture<'_>, color: Color, svg: &mut String) {
    let at_bottom = (color == Color::Black) != picture.flipped;
    let left = if at_bottom { WIDTH - MARGIN - STAND } else { MARGIN };
    let height = 4.0 * CELL_HEIGHT + 12.0;
    let top = if at_bottom { BOARD_TOP + BOARD_HEIGHT - height } else { BOARD_TOP };
    let to_move = picture.position.side_to_move() == color;
    let (edge, width) = if to_move { ("#c2410c", 3.0) } else { ("#8a6a35", 1.5) };
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{STAND}\" height=\"{height}\" rx=\"4\" \
         fill=\"url(#stand)\" stroke=\"{edge}\" stroke-width=\"{width}\"/>"
    );
    let held: Vec<(Kind, u8)> = picture.position.hand(color).iter().rev().collect();
    for (index, &(kind, count)) in held.iter().enumerate() {
        let (column, row) = ((index % 2) as f64, (index / 2) as f64);
        let (dx, dy) = (STAND * (0.24 + 0.5 * column), 36.0 + CELL_HEIGHT * row);
        // The other player's stand is the same, turned round.
        let (x, y) = match at_bottom {
            true => (left + dx - 4.0, top + dy),
            false => (left + STAND - dx + 4.0, top + height - dy),
        };
        draw_piece(svg, kind, x, y, 0.88, !at_bottom);
        if count > 1 {
            let side = if at_bottom { 1.0 } else { -1.0 };
            draw_count(svg, count, x + side * 29.0, y + side * 9.0);
        }
    }
}

/// A number in kanji, one character below the other.
fn draw_count(svg: &mut String, count: u8, x: f64, y: f64) {
    let mut characters = Vec::new();
    if count >= 10 {
        characters.push('十');
    }
    if !count.is_multiple_of(10) {
        characters.push(RANKS[usize::from(count % 10) - 1]);
    }
    let above = 7.5 * (characters.len() as f64 - 1.0);
    for (index, character) in characters.into_iter().enumerate() {
        draw_character(svg, character, x, y - above + 15.0 * index as f64, 16.0, "#3a2a12");
    }
}
