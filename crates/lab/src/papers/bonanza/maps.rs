//! Figures 1 to 4: what single coefficients became, as maps of the board.

use serde::Deserialize;
use yomikiri_engine::eval::linear::{Relation, SCALE, Weights, balance_feature};
use yomikiri_shogi::{Color, Kind, Piece, Square};

use super::variants::{Learned, SPLIT};
use super::{Published, fault};
use crate::heat::HeatMap;
use crate::page::{Finding, FindingVerdict, Page};
use crate::run::{LabError, Run};

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
    opening: Vec<[Option<f64>; 9]>,
    endgame: Vec<[Option<f64>; 9]>,
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
    fn ours(&self, weights: &Weights, half: usize) -> Vec<[Option<f64>; 9]> {
        let rows = self.opening.len() as u8;
        let row = |rank: u8| {
            core::array::from_fn(|column| self.value(weights, half, 9 - column as u8, rank))
        };
        (self.first_rank..self.first_rank + rows).map(row).collect()
    }

    fn value(&self, weights: &Weights, half: usize, file: u8, rank: u8) -> Option<f64> {
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

fn coefficient(weights: &Weights, feature: usize, half: usize) -> f64 {
    f64::from(weights.pairs[feature][half]) / f64::from(SCALE)
}

/// Ours tells 0, 1 and 2 attacks of either side apart; the mean of those where black has fewer.
fn lost_balance(weights: &Weights, half: usize, king: Square, square: Square) -> f64 {
    let lost = [(0, 1), (0, 2), (1, 2)];
    let value = |(own, enemy)| {
        coefficient(weights, balance_feature(Color::Black, king, square, own, enemy), half)
    };
    lost.into_iter().map(value).sum::<f64>() / lost.len() as f64
}

/// Draws all figures and judges what the paper sees in them.
pub(super) fn report(
    run: &Run<'_>,
    page: &mut Page,
    published: &Published,
    learned: &[Learned],
) -> Result<(), LabError> {
    let Some(split) = learned.iter().find(|variant| variant.name == SPLIT) else { return Ok(()) };
    page.heading("What was learned");
    page.paragraph(&format!(
        "Numbers are centipawns for the owner of the piece, the king is marked K. Left published, right ours. The \
         published numbers: {}.",
        published.source
    ));
    for figure in &published.figures {
        for (half, phase) in ["opening", "endgame"].into_iter().enumerate() {
            let theirs = if half == 0 { &figure.opening } else { &figure.endgame };
            let ours = figure.ours(&split.weights, half);
            let [file, rank] = figure.king;
            let draw = |who: &str, rows: Vec<[Option<f64>; 9]>| {
                HeatMap::new(
                    &format!("{}, {phase}, {who}", figure.caption),
                    figure.first_rank,
                    rows,
                )
                .with_king(file, rank)
            };
            let maps = [draw("published", theirs.clone()), draw("ours", ours)];
            let name = format!("figure-{}-{phase}", figure.number);
            run.write(&format!("{name}.svg"), maps[1].to_svg().as_bytes())?;
            let png = maps[1].to_png().map_err(|error| fault(&name, &error.to_string()))?;
            run.write(&format!("{name}.png"), &png)?;
            let caption = format!("Figure {}, {phase}: {}.", figure.number, figure.caption);
            page.drawings(&caption, &maps.map(|map| map.to_svg()));
        }
    }
    page.finding(smaller_in_the_opening(&published.figures, &split.weights));
    if let Some(finding) = endgame_centres_on_the_king(&published.figures, &split.weights) {
        page.finding(finding);
    }
    Ok(())
}

/// The mean size of the numbers of a map.
fn mean_size(rows: &[[Option<f64>; 9]]) -> f64 {
    let sizes: Vec<f64> = rows.iter().flatten().flatten().map(|value| value.abs()).collect();
    sizes.iter().sum::<f64>() / sizes.len().max(1) as f64
}

fn smaller_in_the_opening(figures: &[Figure], weights: &Weights) -> Finding {
    let mean = |size: &dyn Fn(&Figure) -> f64| {
        figures.iter().map(size).sum::<f64>() / figures.len().max(1) as f64
    };
    let theirs = [mean(&|f| mean_size(&f.opening)), mean(&|f| mean_size(&f.endgame))];
    let ours = [0, 1].map(|half| mean(&|figure| mean_size(&figure.ours(weights, half))));
    Finding {
        claim: "Opening values are smaller than endgame values".into(),
        published: format!("mean size over figures 1 to 4: {:.0} and {:.0}", theirs[0], theirs[1]),
        ours: format!("{:.1} and {:.1}", ours[0], ours[1]),
        verdict: if ours[0] < ours[1] { FindingVerdict::Holds } else { FindingVerdict::Fails },
        words: "The barrier of M1 holds the opening tighter.".into(),
    }
}

/// How much larger the numbers within two steps of the king are than the others.
fn weight_near_king(figure: &Figure, rows: &[[Option<f64>; 9]]) -> [f64; 2] {
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

fn endgame_centres_on_the_king(figures: &[Figure], weights: &Weights) -> Option<Finding> {
    let figure = figures.iter().find(|figure| matches!(figure.shows, Shown::LostBalance))?;
    let told = |[near, far]: [f64; 2]| format!("{near:.0} near, {far:.0} far");
    let theirs = weight_near_king(figure, &figure.endgame);
    let ours = weight_near_king(figure, &figure.ours(weights, 1));
    Some(Finding {
        claim: "In the endgame only what happens near the king counts (figure 4)".into(),
        published: format!("mean size within two squares of the king: {}", told(theirs)),
        ours: told(ours),
        verdict: if ours[0] > 1.5 * ours[1] {
            FindingVerdict::Holds
        } else {
            FindingVerdict::Fails
        },
        words:
            "Holds where the numbers near the king are at least one and a half times the others."
                .into(),
    })
}
