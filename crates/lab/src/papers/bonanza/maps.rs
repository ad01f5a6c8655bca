//! Figures 1 to 4: what single coefficients became, as maps of the board.

use serde::Deserialize;
use yomikiri_arena::stats::rank_correlation;
use yomikiri_engine::eval::linear::{LinearWeights, Relation, SCALE, balance_feature};
use yomikiri_shogi::{Color, Kind, Piece, Square};

use super::arms::SPLIT;
use super::{Column, Grid, Published};
use crate::claims::{ClaimDirection, Estimate, Evidence};
use crate::heat::HeatMap;
use crate::page::Page;
use crate::table::Table;

/// All maps have one scale of colours; numbers beyond this have the deepest.
const FULL: f64 = 300.0;

/// A published figure.
#[derive(Debug, Deserialize)]
pub(super) struct Figure {
    number: u32,
    caption: String,
    /// File and rank.
    king: [u8; 2],
    shows: Shown,
    king_is: Owner,
    first_rank: u8,
    opening: Grid,
    endgame: Grid,
    /// Ranks of the endgame map whose print is not to be trusted.
    #[serde(default)]
    doubtful_ranks: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Shown {
    Silver,
    Pawn,
    Gold,
    LostBalance,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Owner {
    Own,
    Enemy,
}

impl Figure {
    fn king(&self) -> Square {
        square(self.king[0], self.king[1])
    }

    /// Our coefficients in the same form, for black in centipawns.
    pub(super) fn ours(&self, weights: &LinearWeights, half: usize) -> Grid {
        let rows = self.opening.len() as u8;
        let row = |rank: u8| {
            core::array::from_fn(|column| self.value(weights, half, 9 - column as u8, rank))
        };
        (self.first_rank..self.first_rank + rows).map(row).collect()
    }

    fn value(&self, weights: &LinearWeights, half: usize, file: u8, rank: u8) -> Option<f64> {
        let (king, square) = (self.king(), square(file, rank));
        if king == square {
            return None;
        }
        let piece = |kind| {
            let (owner, sign) = match self.king_is {
                Owner::Own => (Color::Black, 1.0),
                Owner::Enemy => (Color::White, -1.0),
            };
            let features =
                Relation::new(king, Piece::new(kind, Color::Black), square, owner).features();
            sign * features.iter().map(|&feature| coefficient(weights, feature, half)).sum::<f64>()
        };
        Some(match self.shows {
            Shown::Silver => piece(Kind::Silver),
            Shown::Pawn => piece(Kind::Pawn),
            Shown::Gold => piece(Kind::Gold),
            Shown::LostBalance => lost_balance(weights, half, king, square),
        })
    }
}

/// The square of a file and a rank, each 1 to 9.
fn square(file: u8, rank: u8) -> Square {
    Square::new(file.clamp(1, 9) - 1, rank.clamp(1, 9) - 1)
}

fn coefficient(weights: &LinearWeights, feature: usize, half: usize) -> f64 {
    f64::from(weights.pairs[feature][half]) / f64::from(SCALE)
}

/// Ours distinguishes 0, 1 and 2 attacks of either side; the mean of those where black has fewer.
fn lost_balance(weights: &LinearWeights, half: usize, king: Square, square: Square) -> f64 {
    let lost = [(0, 1), (0, 2), (1, 2)];
    let value = |(own, enemy)| {
        coefficient(weights, balance_feature(Color::Black, king, square, own, enemy), half)
    };
    lost.into_iter().map(value).sum::<f64>() / lost.len() as f64
}

impl Figure {
    fn published(&self, half: usize) -> &Grid {
        if half == 0 { &self.opening } else { &self.endgame }
    }

    /// The published and our numbers of every square of a map that is to be trusted.
    fn pairs(&self, ours: &Grid, half: usize) -> Vec<(f64, f64)> {
        let ranks = (self.first_rank..).zip(self.published(half).iter().zip(ours));
        let trusted = ranks.filter(|(rank, _)| half == 0 || !self.doubtful_ranks.contains(rank));
        let cells = trusted.flat_map(|(_, (theirs, ours))| theirs.iter().zip(ours));
        cells.filter_map(|(theirs, ours)| Some(((*theirs)?, (*ours)?))).collect()
    }
}

const HALVES: [&str; 2] = ["opening", "endgame"];
const HALVES_JA: [&str; 2] = ["序盤", "終盤"];

/// Our maps of a figure, the mean over the seeds.
fn mean_maps(column: &Column, figure: usize) -> Option<[Grid; 2]> {
    let arms = column.learned.iter().filter(|arm| arm.arm == SPLIT);
    let all: Vec<&[Grid; 2]> = arms.filter_map(|arm| arm.maps.get(figure)).collect();
    let first = all.first()?;
    let mean = |half: usize| -> Grid {
        let cell = |row: usize, file: usize| {
            let sum: Option<f64> = all.iter().map(|maps| maps[half][row][file]).sum();
            sum.map(|sum| sum / all.len() as f64)
        };
        let rows = 0..first[half].len();
        rows.map(|row| core::array::from_fn(|file| cell(row, file))).collect()
    };
    Some([mean(0), mean(1)])
}

/// The rank correlation of a map with the published one; the interval takes the squares as
/// independent (Fisher).
fn correlation(figure: &Figure, ours: &Grid, half: usize) -> Option<Estimate> {
    let pairs = figure.pairs(ours, half);
    let value = rank_correlation(&pairs)?.clamp(-0.999_999, 0.999_999);
    let half_width = 1.96 / (pairs.len() as f64 - 3.0).max(1.0).sqrt();
    let ends = (shifted(value, -half_width), shifted(value, half_width));
    Some(Estimate::new(value, ends, pairs.len()))
}

/// A correlation moved by `shift` on Fisher's scale.
fn shifted(value: f64, shift: f64) -> f64 {
    (value.atanh() + shift).tanh()
}

/// Draws all figures.
pub(super) fn write(page: &mut Page, published: &Published, column: &Column) {
    page.heading(("What was learned", "学習された係数"));
    let japanese = "数値は駒の持ち主から見た値（歩を100とする）、玉の位置をKで示す。測定値はseedの平均。左が公表値、右が測定値で、すべて同じ色の尺度を使い、\
         下に凡例を示す。図4の終盤の最下段は印刷で-162が八つ並び、誤植か読み取りの誤りと思われるので、図には示すが相関には数えない。";
    let english = format!(
        "Numbers are centipawns for the owner of the piece, the king is marked K; ours are the means over the seeds of the arm `{SPLIT}`. Left \
         published, right ours; all maps have one scale of colours, shown below each, whose ends also stand for what lies beyond. The \
         published numbers: {}. The last row of the endgame map of figure 4 has -162 eight times in print, which looks like an error of the \
         print or of the scan; it is shown and not counted.",
        published.source
    );
    page.paragraph((english, japanese));
    let mut table = Table::new(["figure", "half", "squares", "rank correlation, 95 %"]);
    for (number, figure) in published.figures.iter().enumerate() {
        let Some(ours) = mean_maps(column, number) else { continue };
        for (half, phase) in HALVES.into_iter().enumerate() {
            let [file, rank] = figure.king;
            let draw = |who: &str, rows: &Grid| {
                let title = format!("{}, {phase}, {who}", figure.caption);
                HeatMap::new(&title, figure.first_rank, rows.clone())
                    .with_king(file, rank)
                    .with_scale(FULL)
                    .to_svg()
            };
            let maps = [draw("published", figure.published(half)), draw("ours", &ours[half])];
            page.file(&format!("figure-{}-{phase}.svg", figure.number), maps[1].as_bytes());
            let seen = correlation(figure, &ours[half], half);
            let text = seen.map_or("–".to_string(), |seen| seen.text(2));
            page.drawings(
                (
                    format!(
                        "Figure {}, {phase}: {}. Rank correlation with the published map {text}.",
                        figure.number, figure.caption
                    ),
                    format!(
                        "図{}（{}）: {}。公表された図との順位相関 {text}。",
                        figure.number, HALVES_JA[half], figure.caption
                    ),
                ),
                &maps,
            );
            table.row([
                figure.number.to_string(),
                phase.to_string(),
                figure.pairs(&ours[half], half).len().to_string(),
                text,
            ]);
        }
    }
    page.table(
        "maps",
        (
            "Rank correlation of our maps with the published ones; the intervals take the squares as independent",
            "公表された図との順位相関。区間は升目を独立とみなす",
        ),
        &table,
    );
}

/// Whether every map rises and falls where the published one does.
pub(super) fn maps_agree(published: &Published, column: &Column) -> Evidence {
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for (number, figure) in published.figures.iter().enumerate() {
        let Some(ours) = mean_maps(column, number) else { continue };
        for (half, phase) in HALVES.into_iter().enumerate() {
            if let Some(seen) = correlation(figure, &ours[half], half) {
                cases.push(Evidence::estimate(seen, ClaimDirection::Above, 0.0, String::new()));
                shown.push(format!("figure {} {phase}: {}", figure.number, seen.text(2)));
            }
        }
    }
    Evidence::every(cases, shown.join("; "))
}

/// The mean size of the numbers of a map.
fn mean_size(rows: &Grid) -> f64 {
    let sizes: Vec<f64> = rows.iter().flatten().flatten().map(|value| value.abs()).collect();
    sizes.iter().sum::<f64>() / sizes.len().max(1) as f64
}

/// Whether opening values are smaller than endgame values, over all figures.
pub(super) fn smaller_in_the_opening(published: &Published, column: &Column) -> Evidence {
    let figures = &published.figures;
    let mean = |sizes: Vec<f64>| sizes.iter().sum::<f64>() / sizes.len().max(1) as f64;
    let theirs =
        [0, 1].map(|half| mean(figures.iter().map(|f| mean_size(f.published(half))).collect()));
    let all: Vec<[Grid; 2]> =
        (0..figures.len()).filter_map(|number| mean_maps(column, number)).collect();
    if all.is_empty() {
        return Evidence::missing("Nothing was learned.");
    }
    let ours = [0, 1].map(|half| mean(all.iter().map(|maps| mean_size(&maps[half])).collect()));
    let text = format!("mean size over figures 1 to 4: {:.1} and {:.1}", ours[0], ours[1]);
    Evidence::fact(ours[0] < ours[1], column.train, text)
        .beside(format!("{:.0} and {:.0}", theirs[0], theirs[1]))
}

/// How large the numbers within two steps of the king are, and the others.
fn weight_near_king(figure: &Figure, rows: &Grid) -> [f64; 2] {
    let mut sums = [(0.0, 0u32); 2];
    for (row, cells) in rows.iter().enumerate() {
        for (column, value) in cells.iter().enumerate() {
            let files = (9 - column as u8).abs_diff(figure.king[0]);
            let ranks = (figure.first_rank + row as u8).abs_diff(figure.king[1]);
            if let Some(value) = value {
                let (sum, count) = &mut sums[usize::from(files.max(ranks) > 2)];
                *sum += value.abs();
                *count += 1;
            }
        }
    }
    sums.map(|(sum, count)| sum / f64::from(count.max(1)))
}

/// Whether in figure 4 the numbers near the king exceed the others by this factor.
pub(super) fn endgame_centres_on_the_king(
    published: &Published,
    column: &Column,
    times: f64,
) -> Evidence {
    let place = published.figures.iter().position(|f| matches!(f.shows, Shown::LostBalance));
    let Some((figure, maps)) =
        place.and_then(|at| Some((&published.figures[at], mean_maps(column, at)?)))
    else {
        return Evidence::missing("Nothing was learned.");
    };
    let in_words = |[near, far]: [f64; 2]| format!("{near:.0} near, {far:.0} far");
    let ours = weight_near_king(figure, &maps[1]);
    let text = format!("mean size within two squares of the king: {}", in_words(ours));
    Evidence::fact(ours[0] > times * ours[1], column.train, text)
        .beside(in_words(weight_near_king(figure, &figure.endgame)))
}
