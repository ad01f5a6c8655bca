//! The course of a game: black's winning rate move by move, with the moves that are remarkable.

use crate::lettering::{Anchor, Lettering, Style, width};
use std::fmt::Write;

/// What to draw.
#[derive(Clone, PartialEq, Debug)]
pub struct GameGraph {
    /// Above the graph: who played.
    pub title: String,
    /// What the dark and the light area stand for: black, then white.
    pub sides: [String; 2],
    /// What stands at the axes: of the moves, of the rates.
    pub axes: [String; 2],
    /// Black's winning rate in percent, at the start and after each move.
    pub rates: Vec<f64>,
    /// Moves that are marked, at most five kinds, the gravest last.
    pub marks: Vec<GameMark>,
}

/// A kind of remarkable moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameMark {
    /// What the legend calls it.
    pub label: String,
    /// The numbers of the moves, from 1.
    pub plies: Vec<usize>,
}

const HEIGHT: f64 = 470.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 876.0;
const TOP: f64 = 70.0;
const BOTTOM: f64 = 370.0;

/// The colours of the two areas, of lines and words, and of the marks.
const DARK: &str = "#3a3d42";
const LIGHT: &str = "#f6f3ea";
const INK: &str = "#26282b";
const COLOURS: [&str; 5] = ["#e3b505", "#f0801a", "#d7263d", "#8e2a8b", "#0b7fc4"];

impl GameGraph {
    /// How wide the picture is.
    pub const WIDTH: u32 = 900;

    /// The graph as a stand-alone SVG file.
    pub fn to_svg(&self) -> String {
        let mut lettering = Lettering::default();
        let mut body = String::new();
        let wide = f64::from(GameGraph::WIDTH);
        let title = Style { size: 21.0, fill: INK, anchor: Anchor::Middle };
        // A long title is written smaller, never cut.
        let size = (title.size * (wide - 40.0) / width(&self.title, title.size)).min(title.size);
        lettering.write(&mut body, (wide / 2.0, 34.0), &self.title, Style { size, ..title });
        self.draw_areas(&mut body);
        self.draw_axes(&mut body, &mut lettering);
        self.draw_marks(&mut body);
        self.draw_legend(&mut body, &mut lettering);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {HEIGHT}\" \
             width=\"{wide}\" height=\"{HEIGHT}\">\n<title>{}</title>\n{}\
             <rect width=\"{wide}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n{body}</svg>\n",
            crate::escape(&self.title),
            lettering.definitions()
        )
    }

    /// Where the position after a move stands.
    fn place(&self, ply: usize) -> (f64, f64) {
        let last = self.rates.len().saturating_sub(1).max(1);
        let x = LEFT + (RIGHT - LEFT) * ply as f64 / last as f64;
        (x, self.height(self.rates.get(ply).copied().unwrap_or(50.0)))
    }

    fn height(&self, rate: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * rate.clamp(0.0, 100.0) / 100.0
    }

    /// Black's area is below the curve, white's above it.
    fn draw_areas(&self, svg: &mut String) {
        let mut curve = String::new();
        for ply in 0..self.rates.len() {
            let (x, y) = self.place(ply);
            let _ = write!(curve, "{}{x:.1} {y:.1}", if ply == 0 { "M" } else { "L" });
        }
        let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\" \
             fill=\"{LIGHT}\"/>"
        );
        if self.rates.len() > 1 {
            let _ = writeln!(
                svg,
                "<path d=\"{curve}L{RIGHT} {BOTTOM}L{LEFT} {BOTTOM}Z\" fill=\"{DARK}\"/>\n\
                 <path d=\"{curve}\" fill=\"none\" stroke=\"#8a8d91\" stroke-width=\"1.5\" \
                 stroke-linejoin=\"round\"/>"
            );
        }
        let middle = self.height(50.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {middle}H{RIGHT}\" stroke=\"#c2410c\" stroke-width=\"1\" \
             stroke-dasharray=\"5 4\"/>\n<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" \
             height=\"{height}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.2\"/>"
        );
    }

    fn draw_axes(&self, svg: &mut String, lettering: &mut Lettering) {
        let small = Style { size: 14.0, fill: INK, anchor: Anchor::End };
        for rate in [0.0, 25.0, 50.0, 75.0, 100.0] {
            let y = self.height(rate);
            let _ = writeln!(svg, "<path d=\"M{} {y}h5\" stroke=\"{INK}\"/>", LEFT - 5.0);
            lettering.write(svg, (LEFT - 9.0, y + 5.0), &format!("{rate:.0}"), small);
        }
        let moves = self.rates.len().saturating_sub(1);
        let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| moves / step <= 12);
        for ply in (0..=moves).step_by(step.unwrap_or(200)) {
            let x = self.place(ply).0;
            let _ = writeln!(svg, "<path d=\"M{x:.1} {BOTTOM}v5\" stroke=\"{INK}\"/>");
            let style = Style { anchor: Anchor::Middle, ..small };
            lettering.write(svg, (x, BOTTOM + 20.0), &ply.to_string(), style);
        }
        let start = Style { anchor: Anchor::Start, ..small };
        lettering.write(svg, (LEFT - 34.0, TOP - 10.0), &self.axes[1], start);
        lettering.write(svg, (RIGHT, BOTTOM + 38.0), &self.axes[0], small);
    }

    fn draw_marks(&self, svg: &mut String) {
        for (kind, mark) in self.marks.iter().enumerate() {
            for &ply in &mark.plies {
                let (x, y) = self.place(ply);
                draw_mark(svg, kind, x, y);
            }
        }
    }

    /// Below everything else: it covers nothing.
    fn draw_legend(&self, svg: &mut String, lettering: &mut Lettering) {
        let style = Style { size: 15.0, fill: INK, anchor: Anchor::Start };
        let (mut x, mut y) = (LEFT, BOTTOM + 62.0);
        let mut item = |draw: &dyn Fn(&mut String, f64, f64), label: &str| {
            let wide = 26.0 + width(label, style.size);
            if x + wide > RIGHT && x > LEFT {
                (x, y) = (LEFT, y + 26.0);
            }
            draw(svg, x + 8.0, y - 5.0);
            lettering.write(svg, (x + 22.0, y), label, style);
            x += wide + 18.0;
        };
        for (side, fill) in self.sides.iter().zip([DARK, LIGHT]) {
            let square = |svg: &mut String, x: f64, y: f64| {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"14\" height=\"14\" fill=\"{fill}\" \
                     stroke=\"{INK}\"/>",
                    x - 7.0,
                    y - 7.0
                );
            };
            item(&square, side);
        }
        for (kind, mark) in self.marks.iter().enumerate().filter(|(_, m)| !m.plies.is_empty()) {
            let label = format!("{} {}", mark.label, mark.plies.len());
            item(&|svg: &mut String, x: f64, y: f64| draw_mark(svg, kind, x, y), &label);
        }
    }
}

/// Kinds differ in colour and in shape.
fn draw_mark(svg: &mut String, kind: usize, x: f64, y: f64) {
    let colour = COLOURS[kind.min(COLOURS.len() - 1)];
    let edge = "stroke=\"#ffffff\" stroke-width=\"1.2\"";
    let _ = match kind {
        0 => writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.2\" fill=\"{colour}\" {edge}/>"
        ),
        1 => writeln!(
            svg,
            "<path d=\"M{x:.1} {:.1}l6.2 10.6h-12.4Z\" fill=\"{colour}\" {edge}/>",
            y - 6.4
        ),
        2 => writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"10.4\" height=\"10.4\" fill=\"{colour}\" {edge}/>",
            x - 5.2,
            y - 5.2
        ),
        3 => writeln!(
            svg,
            "<path d=\"M{x:.1} {:.1}l7.6 7.6l-7.6 7.6l-7.6 -7.6Z\" fill=\"{colour}\" {edge}/>",
            y - 7.6
        ),
        _ => writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"3\"/>"
        ),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> GameGraph {
        let mark =
            |label: &str, plies: &[usize]| GameMark { label: label.into(), plies: plies.into() };
        GameGraph {
            title: "A & B 対 名人".into(),
            sides: ["先手".into(), "後手".into()],
            axes: ["手数".into(), "先手の勝率（%）".into()],
            rates: (0..80).map(|ply| f64::from(ply) * 1.3).collect(),
            marks: vec![mark("緩手", &[3, 9]), mark("疑問手", &[]), mark("悪手", &[40])],
        }
    }

    /// The heights at which something is drawn that belongs to a part of the text.
    fn baselines(svg: &str) -> Vec<f64> {
        let starts = svg.split("translate(").skip(1);
        starts.filter_map(|rest| rest.split([' ', ')']).nth(1)?.parse().ok()).collect()
    }

    #[test]
    fn names_areas_and_legend_are_there_and_nothing_is_covered() {
        let svg = graph().to_svg();
        assert!(svg.contains("<title>A &amp; B 対 名人</title>"));
        assert!(svg.contains(DARK) && svg.contains(LIGHT));
        // No word stands inside the graph, so no legend covers the curve.
        let inside = |&top: &f64| top > TOP + 15.0 && top < BOTTOM - 20.0;
        let middle: Vec<f64> = baselines(&svg).into_iter().filter(inside).collect();
        assert!(middle.len() <= 3, "only the numbers of the rates: {middle:?}");
        // A kind that did not happen is not in the legend.
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(!svg.contains("<text"), "every word is an outline");
    }

    #[test]
    fn a_game_without_moves_is_still_a_picture() {
        let svg = GameGraph { rates: vec![50.0], marks: Vec::new(), ..graph() }.to_svg();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
    }
}
