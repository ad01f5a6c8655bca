//! The top of a proof tree as a picture: the problem and the mate as boards, the moves from left to
//! right as books print them, every defence on a row of its own, the longest first.

use crate::lettering::{Anchor, Lettering, Style};
use crate::svg::{HEIGHT as BOARD_HEIGHT, Picture, WIDTH as BOARD_WIDTH, draw};
use std::fmt::Write as _;
use yomikiri_proof::game::ProofGame;
use yomikiri_proof::proof_tree::ProofTree;
use yomikiri_shogi::Position;
use yomikiri_tsume::dominance::Held;
use yomikiri_tsume::{Ply, Tsume, japanese};

const ROW: f64 = 30.0;
const COLUMN: f64 = 148.0;
const MARGIN: f64 = 24.0;
/// How wide a board is drawn, and how high it is then.
const BOARD: f64 = 400.0;
const BOARD_SCALE: f64 = BOARD / BOARD_WIDTH;

const INK: &str = "#1c1b19";
const GREY: &str = "#8b8880";
const ATTACK: &str = "#9c2a1b";

struct Drawing<'t> {
    tree: &'t ProofTree<Ply, Held>,
    game: Tsume,
    depth: usize,
    most: usize,
    rows: usize,
    body: String,
    lettering: Lettering,
}

/// Where a branch begins: its column and row, where the move before it ends, and whether it
/// belongs to the longest line.
#[derive(Clone, Copy)]
struct Place {
    ply: usize,
    row: usize,
    end: f64,
    main: bool,
}

/// Draws the first `depth` plies, at most `most` rows. The number behind a move says how many plies
/// are left after it; the longest line is drawn strong.
#[must_use]
pub fn svg(game: &Tsume, tree: &ProofTree<Ply, Held>, depth: usize, most: usize) -> String {
    let line = tree.longest_line();
    let depth = depth.min(line.len()).max(1);
    let mut drawing = Drawing {
        tree,
        game: game.clone(),
        depth,
        most,
        rows: 0,
        body: String::new(),
        lettering: Lettering::default(),
    };
    drawing.node(tree.root(), Place { ply: 0, row: 0, end: -14.0, main: true });
    let boards = boards(game.position(), &line, &mut drawing.lettering);
    let left = MARGIN + BOARD + 2.0 * MARGIN;
    let width = left + COLUMN * depth as f64 + 70.0;
    let tree_height = ROW * drawing.rows as f64;
    let height = (tree_height + 2.0 * MARGIN).max(boards.1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\">\n<title>{}</title>\n{}\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#fffdf8\"/>\n{}\
         <g transform=\"translate({left} {MARGIN})\">\n{}</g>\n</svg>\n",
        game.position().to_sfen(),
        drawing.lettering.definitions(),
        boards.0,
        drawing.body
    )
}

/// The problem and the mate at the end of the longest line, one below the other, and how high
/// they are together.
fn boards(start: &Position, line: &[Ply], lettering: &mut Lettering) -> (String, f64) {
    let mut end = start.clone();
    for ply in line {
        // A piece that the proof gives back to the defender cannot be shown.
        if !end.is_legal(ply.played) {
            break;
        }
        end.play(ply.played);
    }
    let mut svg = String::new();
    let mut top = MARGIN;
    let caption = Style { size: 20.0, fill: INK, anchor: Anchor::Middle };
    let titles = ["問題図".to_string(), format!("詰め上がり図（{}手）", line.len())];
    for (position, title) in [start, &end].into_iter().zip(titles) {
        lettering.write(&mut svg, (MARGIN + BOARD / 2.0, top + 16.0), &title, caption);
        top += 26.0;
        let board = draw(&Picture { position, flipped: false });
        let inside = board.split_once('>').map_or("", |(_, rest)| rest);
        let inside = inside.trim_end().trim_end_matches("</svg>");
        let _ = writeln!(
            svg,
            "<g transform=\"translate({MARGIN} {top:.1}) scale({BOARD_SCALE:.4})\">{inside}</g>"
        );
        top += BOARD_HEIGHT * BOARD_SCALE + MARGIN;
    }
    (svg, top)
}

impl Drawing<'_> {
    /// Draws what follows a node.
    fn node(&mut self, at: usize, from: Place) {
        let moves = &self.tree.nodes[at].moves;
        if from.ply >= self.depth || moves.is_empty() {
            self.rows += 1;
            return;
        }
        let mut ordered: Vec<(Ply, u32)> = moves.clone();
        ordered.sort_by_key(|&(_, to)| std::cmp::Reverse(self.tree.nodes[to as usize].length));
        for (number, &(play, to)) in ordered.iter().enumerate() {
            let row = self.rows;
            self.edge(from, row, from.main && number == 0);
            if row >= self.most && number > 0 {
                let style = Style { size: 16.0, fill: GREY, anchor: Anchor::Start };
                let text = format!("他{}手", ordered.len() - number);
                self.text(from.ply, row, &text, style);
                self.rows += 1;
                return;
            }
            let main = from.main && number == 0;
            let end = self.label(from.ply, row, play, to as usize, main);
            self.game.play(play);
            self.node(to as usize, Place { ply: from.ply + 1, row, end, main });
            self.game.undo(play);
        }
    }

    /// A move, the plies left after it, and 詰 where none are; returns where it ends.
    fn label(&mut self, ply: usize, row: usize, play: Ply, to: usize, main: bool) -> f64 {
        let position = self.game.position();
        let attacks = position.side_to_move() == self.game.attacker();
        let name = japanese::line(position, &[play.played]).join("");
        let fill = if attacks { ATTACK } else { INK };
        let size = if main { 19.0 } else { 17.0 };
        let wide = self.text(ply, row, &name, Style { size, fill, anchor: Anchor::Start });
        let left = self.tree.nodes[to].length;
        let mated = self.tree.nodes[to].moves.is_empty();
        let (text, fill) = if mated { ("詰".into(), ATTACK) } else { (left.to_string(), GREY) };
        let (x, y) = place(ply, row);
        let style = Style { size: 13.0, fill, anchor: Anchor::Start };
        let end = x + 18.0 + wide;
        end + self.lettering.write(&mut self.body, (end, y), &text, style)
    }

    fn text(&mut self, ply: usize, row: usize, text: &str, style: Style<'_>) -> f64 {
        let (x, y) = place(ply, row);
        self.lettering.write(&mut self.body, (x + 14.0, y), text, style)
    }

    /// The branch from the column before to a row.
    fn edge(&mut self, from: Place, row: usize, main: bool) {
        let (x, y0) = place(from.ply, from.row);
        let (_, y1) = place(from.ply, row);
        let (y0, y1) = (y0 - 6.0, y1 - 6.0);
        let (stroke, width) = if main { (INK, 2.2) } else { ("#b9b4a8", 1.3) };
        let path = match row == from.row {
            true => format!("M{:.1} {y0:.1}H{:.1}", from.end + 7.0, x + 10.0),
            false => format!("M{:.1} {y0:.1}V{:.1}q0 6 6 6H{:.1}", x + 1.0, y1 - 6.0, x + 10.0),
        };
        let _ = writeln!(
            self.body,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>"
        );
    }
}

/// The left end of a column and the baseline of a row.
fn place(ply: usize, row: usize) -> (f64, f64) {
    (ply as f64 * COLUMN, row as f64 * ROW + 22.0)
}
