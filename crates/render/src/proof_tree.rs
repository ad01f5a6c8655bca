//! A picture of the top of a proof tree, as SVG.

use std::fmt::Write as _;

use yomikiri_proof::game::Game;
use yomikiri_proof::proof_tree::ProofTree;
use yomikiri_tsume::dominance::Held;
use yomikiri_tsume::japanese;
use yomikiri_tsume::{Ply, Tsume};

const ROW: usize = 22;
const COLUMN: usize = 150;

struct Drawing<'t> {
    tree: &'t ProofTree<Ply, Held>,
    game: Tsume,
    depth: usize,
    most: usize,
    rows: usize,
    text: String,
}

/// Draws the first `depth` plies, at most `most` rows: the moves from left to right, every defence
/// on a row of its own, each with the plies that are left after it.
#[must_use]
pub fn svg(game: &Tsume, tree: &ProofTree<Ply, Held>, depth: usize, most: usize) -> String {
    let mut drawing =
        Drawing { tree, game: game.clone(), depth, most, rows: 0, text: String::new() };
    drawing.node(tree.root(), 0);
    let (width, height) = (COLUMN * (depth + 1), ROW * (drawing.rows + 1));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>{}</title>\n{}</svg>\n",
        game.position().to_sfen(),
        drawing.text
    )
}

impl Drawing<'_> {
    /// Draws what follows a node; gives the row of its first child.
    fn node(&mut self, at: usize, ply: usize) {
        let moves = &self.tree.nodes[at].moves;
        if ply >= self.depth || moves.is_empty() {
            self.rows += 1;
            return;
        }
        let parent_row = self.rows;
        let mut ordered: Vec<(Ply, u32)> = moves.clone();
        ordered.sort_by_key(|&(_, to)| std::cmp::Reverse(self.tree.nodes[to as usize].length));
        for (number, &(play, to)) in ordered.iter().enumerate() {
            if self.rows >= self.most {
                self.label(ply, self.rows, &format!("… {} more", ordered.len() - number));
                self.rows += 1;
                return;
            }
            let row = self.rows;
            let name = japanese::line(self.game.position(), &[play.played]).join("");
            let left = self.tree.nodes[to as usize].length;
            self.edge(ply, parent_row, row);
            self.label(ply, row, &format!("{name} {left}"));
            self.game.play(play);
            self.node(to as usize, ply + 1);
            self.game.undo(play);
        }
    }

    fn label(&mut self, ply: usize, row: usize, text: &str) {
        let (x, y) = (ply * COLUMN + 14, (row + 1) * ROW);
        let _ = writeln!(self.text, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
    }

    fn edge(&mut self, ply: usize, from: usize, to: usize) {
        let (x, y0, y1) = (ply * COLUMN + 6, (from + 1) * ROW - 5, (to + 1) * ROW - 5);
        let _ = writeln!(self.text, "<path d=\"M{x} {y0}V{y1}h6\" fill=\"none\" stroke=\"gray\"/>");
    }
}
