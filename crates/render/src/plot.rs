//! Plots with axes, units and a legend, as SVG (drawn by `plotters`) and PNG (the SVG rendered by
//! `resvg`).
//!
//! Logarithmic axes are drawn as linear ones over the exponent, with labels of their own: one code
//! path for every mix of scales.

use crate::escape;
use crate::png::{PictureError, render_png};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Circle, EmptyElement, IntoDrawingArea, IntoFont,
    LineSeries, PathElement, RGBColor, Rectangle, SVGBackend, SeriesLabelPosition, WHITE,
};
use plotters::style::Color;

const WIDTH: u32 = 640;
const HEIGHT: u32 = 520;
/// Dark enough to print, apart for the colour-blind.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 90, 160),
    RGBColor(200, 80, 0),
    RGBColor(0, 130, 90),
    RGBColor(150, 50, 130),
    RGBColor(110, 110, 110),
    RGBColor(170, 140, 0),
    RGBColor(30, 30, 30),
];

/// How values lie on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of ten; values must be positive.
    Log,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    scale: Scale,
    range: Option<(f64, f64)>,
}

impl Axis {
    /// An evenly divided axis.
    pub fn linear(label: &str) -> Axis {
        Axis { label: label.to_string(), scale: Scale::Linear, range: None }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Axis {
        Axis { label: label.to_string(), scale: Scale::Log, range: None }
    }

    /// Fixes the ends.
    #[must_use]
    pub fn from_to(mut self, low: f64, high: f64) -> Axis {
        self.range = Some((low, high));
        self
    }

    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Log => value.max(f64::MIN_POSITIVE).log10(),
        }
    }

    fn name(&self, place: f64) -> String {
        match self.scale {
            Scale::Linear if place.abs() >= 1e4 || place.fract() == 0.0 => format!("{place:.0}"),
            Scale::Linear => format!("{place:.2}"),
            Scale::Log => {
                let value = 10f64.powf(place);
                if value >= 0.995 { format!("{value:.0}") } else { format!("{value:.3}") }
            }
        }
    }

    /// The ends in drawing units, with a little air.
    fn ends(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        if let Some((low, high)) = self.range {
            return (self.place(low), self.place(high));
        }
        let places: Vec<f64> = values.map(|value| self.place(value)).collect();
        let low = places.iter().copied().fold(f64::INFINITY, f64::min);
        let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !low.is_finite() || !high.is_finite() {
            return (0.0, 1.0);
        }
        let air = ((high - low) * 0.05).max(if high == low { 0.5 } else { 0.0 });
        (low - air, high + air)
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Small circles.
    Points,
    /// A line from point to point.
    Line,
    /// Bars from zero; the width is the distance of the first two points.
    Bars,
    /// Points with a vertical bar of the given errors.
    Errors,
    /// The same, joined by a thin line.
    JoinedErrors,
}

#[derive(Clone, Debug)]
struct Series {
    label: String,
    mark: Mark,
    data: Vec<(f64, f64)>,
    errors: Vec<(f64, f64)>,
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    diagonal: bool,
    legend: SeriesLabelPosition,
    series: Vec<Series>,
}

type Fault = String;

impl Plot {
    /// A plot without data.
    pub fn new(title: &str, x: Axis, y: Axis) -> Plot {
        let legend = SeriesLabelPosition::UpperLeft;
        Plot { title: title.to_string(), x, y, diagonal: false, legend, series: Vec::new() }
    }

    /// Draws the line x = y.
    #[must_use]
    pub fn with_diagonal(mut self) -> Plot {
        self.diagonal = true;
        self
    }

    /// Puts the legend on the right, where the data fall from left to right.
    #[must_use]
    pub fn with_legend_right(mut self) -> Plot {
        self.legend = SeriesLabelPosition::UpperRight;
        self
    }

    /// Puts the legend below on the right, where the data rise.
    #[must_use]
    pub fn with_legend_low(mut self) -> Plot {
        self.legend = SeriesLabelPosition::LowerRight;
        self
    }

    /// Adds a series.
    #[must_use]
    pub fn series(mut self, label: &str, mark: Mark, data: Vec<(f64, f64)>) -> Plot {
        self.series.push(Series { label: label.to_string(), mark, data, errors: Vec::new() });
        self
    }

    /// Adds points with their intervals (low, high).
    #[must_use]
    pub fn with_errors(
        mut self,
        label: &str,
        data: Vec<(f64, f64)>,
        errors: Vec<(f64, f64)>,
    ) -> Plot {
        self.series.push(Series { label: label.to_string(), mark: Mark::Errors, data, errors });
        self
    }

    /// Adds points with their intervals (low, high), joined in their order.
    #[must_use]
    pub fn with_joined_errors(
        self,
        label: &str,
        data: Vec<(f64, f64)>,
        errors: Vec<(f64, f64)>,
    ) -> Plot {
        let mut plot = self.with_errors(label, data, errors);
        if let Some(last) = plot.series.last_mut() {
            last.mark = Mark::JoinedErrors;
        }
        plot
    }

    /// The plot as a stand-alone SVG file.
    pub fn to_svg(&self) -> String {
        // Drawing into a string cannot fail; an empty plot is still a plot.
        let mut svg = String::new();
        if let Err(fault) = self.draw(&mut svg) {
            return format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\"><desc>{}</desc></svg>",
                escape(&fault)
            );
        }
        svg
    }

    /// The plot as SVG for an HTML page: scalable, with a description.
    pub fn to_inline_svg(&self) -> String {
        let svg = self.to_svg();
        let start = svg.find("<svg").unwrap_or(0);
        let label = format!("<svg role=\"img\" aria-label=\"{}\" ", escape(&self.title));
        let size = format!("width=\"{WIDTH}\" height=\"{HEIGHT}\" ");
        svg[start..].replacen("<svg ", &label, 1).replacen(&size, "", 1)
    }

    /// The plot as PNG.
    ///
    /// # Errors
    /// If the renderer refuses it.
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        render_png(&self.to_svg(), 2 * WIDTH)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Fault> {
        let (left, right, low, high) = self.ends();
        let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
        area.fill(&WHITE).map_err(plot_fault)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, ("sans-serif", 17).into_font())
            .margin(12)
            .x_label_area_size(48)
            .y_label_area_size(70)
            .build_cartesian_2d(left..right, low..high)
            .map_err(plot_fault)?;
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .x_label_formatter(&|place| self.x.name(*place))
            .y_label_formatter(&|place| self.y.name(*place))
            .x_labels(ticks(&self.x, left, right))
            .y_labels(ticks(&self.y, low, high))
            .light_line_style(WHITE)
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13))
            .draw()
            .map_err(plot_fault)?;
        if self.diagonal {
            let (from, to) = (left.max(low), right.min(high));
            let grey = RGBColor(150, 150, 150);
            let line = LineSeries::new([(from, from), (to, to)], grey.stroke_width(1));
            chart.draw_series(line).map_err(plot_fault)?;
        }
        for (number, series) in self.series.iter().enumerate() {
            self.draw_series(&mut chart, series, COLOURS[number % COLOURS.len()], (low, high))?;
        }
        if self.series.iter().any(|series| !series.label.is_empty()) {
            chart
                .configure_series_labels()
                .position(self.legend.clone())
                .background_style(WHITE.mix(0.85))
                .label_font(("sans-serif", 13))
                .draw()
                .map_err(plot_fault)?;
        }
        area.present().map_err(plot_fault)
    }

    /// The ends of both axes: left, right, low, high.
    fn ends(&self) -> (f64, f64, f64, f64) {
        let all = || self.series.iter().flat_map(|series| series.data.iter());
        let mut heights: Vec<f64> = all().map(|point| point.1).collect();
        heights.extend(self.series.iter().flat_map(|s| s.errors.iter().flat_map(|e| [e.0, e.1])));
        let bars = self.series.iter().any(|series| series.mark == Mark::Bars);
        if bars && self.y.scale == Scale::Linear {
            heights.push(0.0);
        }
        let (left, right) = self.x.ends(all().map(|point| point.0));
        let (low, high) = self.y.ends(heights.into_iter());
        (left, right, low, high)
    }

    fn draw_series<'a>(
        &self,
        chart: &mut Chart<'a, 'a>,
        series: &Series,
        colour: RGBColor,
        (low, high): (f64, f64),
    ) -> Result<(), Fault> {
        let place = |&(x, y): &(f64, f64)| (self.x.place(x), self.y.place(y));
        let places: Vec<(f64, f64)> = series.data.iter().map(place).collect();
        let drawn = match series.mark {
            Mark::Points => {
                let dot = |&at: &(f64, f64)| Circle::new(at, 3, colour.mix(0.65).filled());
                chart.draw_series(places.iter().map(dot))
            }
            Mark::Line => chart.draw_series(LineSeries::new(places, colour.stroke_width(2))),
            Mark::Bars => {
                let half = places.get(1).map_or(0.4, |next| (next.0 - places[0].0).abs() * 0.45);
                let foot = low.max(self.y.place(0.0)).min(high);
                let bar = |&(x, y): &(f64, f64)| {
                    Rectangle::new([(x - half, foot), (x + half, y)], colour.mix(0.6).filled())
                };
                chart.draw_series(places.iter().map(bar))
            }
            Mark::Errors | Mark::JoinedErrors => {
                if series.mark == Mark::JoinedErrors {
                    let line = LineSeries::new(places.clone(), colour.mix(0.5).stroke_width(1));
                    chart.draw_series(line).map_err(plot_fault)?;
                }
                let ends = series.errors.iter().map(|&(l, h)| (self.y.place(l), self.y.place(h)));
                let bar = |(&(x, _), (l, h)): (&(f64, f64), (f64, f64))| {
                    PathElement::new([(x, l), (x, h)], colour)
                };
                chart.draw_series(places.iter().zip(ends).map(bar)).map_err(plot_fault)?;
                chart.draw_series(places.iter().map(|&at| Circle::new(at, 4, colour.filled())))
            }
        };
        let legend = drawn.map_err(plot_fault)?;
        if !series.label.is_empty() {
            legend.label(&series.label).legend(move |(x, y)| {
                EmptyElement::at((x, y)) + Circle::new((8, 0), 4, colour.filled())
            });
        }
        Ok(())
    }
}

/// The charts that are drawn here.
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The drawing library's errors have types of their own; their text is enough.
fn plot_fault(error: impl std::fmt::Display) -> Fault {
    error.to_string()
}

/// One label for each power of ten, or about eight.
fn ticks(axis: &Axis, low: f64, high: f64) -> usize {
    match axis.scale {
        Scale::Linear => 8,
        Scale::Log => ((high - low).ceil() as usize + 1).max(2),
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Mark, Plot};

    fn plot() -> Plot {
        Plot::new("A & B", Axis::log("nodes, A"), Axis::log("nodes, B")).with_diagonal().series(
            "solved by both",
            Mark::Points,
            vec![(10.0, 100.0), (2000.0, 30.0)],
        )
    }

    #[test]
    fn joined_errors_have_a_line() {
        let (data, bars) = (vec![(1.0, 2.0), (3.0, 4.0)], vec![(1.0, 3.0), (3.0, 5.0)]);
        let plot = || Plot::new("A", Axis::linear("x"), Axis::linear("y"));
        let apart = plot().with_errors("a", data.clone(), bars.clone()).to_svg();
        let joined = plot().with_joined_errors("a", data, bars).to_svg();
        assert_eq!(joined.matches("<polyline").count(), apart.matches("<polyline").count() + 1);
    }

    #[test]
    fn svg_has_title_axes_and_data() {
        let svg = plot().to_svg();
        for part in ["A &amp; B", "nodes, A", "nodes, B", "<circle", "solved by both"] {
            assert!(svg.contains(part), "{part}");
        }
    }

    #[test]
    fn png_is_a_picture_with_ink() {
        let png = plot().to_png().expect("a picture");
        assert_eq!(&png[1..4], b"PNG");
        let empty =
            Plot::new("", Axis::log(""), Axis::log("")).to_png().expect("an empty plot is a plot");
        assert!(png.len() > empty.len());
    }
}
