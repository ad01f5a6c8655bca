//! What each move lost, and what is to be said about it.

use super::view::{MATE, View};
use serde::{Deserialize, Serialize};
use yomikiri_shogi::notation::japanese::move_name;
use yomikiri_shogi::record::{Record, header};
use yomikiri_shogi::{Color, Move, Position};

/// How bad a move was, by what it lost in winning rate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// 緩手.
    Inaccuracy,
    /// 疑問手.
    Mistake,
    /// 悪手.
    Blunder,
    /// 大悪手.
    GraveBlunder,
}

impl Grade {
    /// Every grade, the slightest first.
    pub const ALL: [Grade; 4] =
        [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder, Grade::GraveBlunder];
}

/// What is to be said about a move and mates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MateRemark {
    /// The mover had a mate, of this length if it is known, and has none now.
    Missed(Option<u32>),
    /// The other side has a mate now that it did not have before.
    Allowed(Option<u32>),
}

/// How scores become winning rates and losses become grades.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Grading {
    /// Centipawns that are worth one unit of the logistic curve.
    pub scale: f64,
    /// The losses in percentage points from which on a move has a grade, by [`Grade::ALL`].
    pub least: [f64; 4],
}

/// Four numbers that make no grades.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("give four rising numbers from 0 to 100, as in 5,10,20,50")]
pub struct NoGrades;

/// A text that is no scale of the curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("give a number from 1 to 100000")]
pub struct NoScale;

impl Grading {
    /// The least losses of the grades as text: `5,10,20,50`.
    ///
    /// # Errors
    /// If they are not four rising numbers from 0 to 100.
    pub fn parse_least(text: &str) -> Result<[f64; 4], NoGrades> {
        let numbers = text.split(',').filter_map(|word| word.trim().parse().ok());
        let numbers: Vec<f64> = numbers.collect();
        match <[f64; 4]>::try_from(numbers) {
            Ok(least) if least[0] > 0.0 && least.is_sorted() && least[3] <= 100.0 => Ok(least),
            _ => Err(NoGrades),
        }
    }
}

impl Grading {
    /// The centipawns of the curve.
    ///
    /// # Errors
    /// If it is no number from 1 to 100000.
    pub fn parse_scale(text: &str) -> Result<f64, NoScale> {
        let number = text.parse::<f64>().ok().filter(|scale| (1.0..=100_000.0).contains(scale));
        number.ok_or(NoScale)
    }
}

impl Default for Grading {
    /// The curve of Ponanza, and grades as ShogiHome has them.
    fn default() -> Grading {
        Grading { scale: 600.0, least: [5.0, 10.0, 20.0, 50.0] }
    }
}

impl Grading {
    /// The grade of a loss in percentage points.
    pub fn grade(&self, loss: f64) -> Option<Grade> {
        let reached = |(_, least): &(Grade, f64)| loss >= *least;
        Grade::ALL.into_iter().zip(self.least).rev().find(reached).map(|(grade, _)| grade)
    }
}

/// A move of the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JudgedMove {
    /// Its number, from 1.
    pub number: usize,
    /// The move as USI.
    pub played: String,
    /// Its name in Japanese.
    pub name: String,
    /// The best move instead, as USI.
    pub best: Option<String>,
    /// Its name in Japanese.
    pub best_name: Option<String>,
    /// Whether there was another legal move.
    pub choice: bool,
    /// Black's winning rate after it, in percent with one digit behind the point.
    pub rate: f64,
    /// What the mover lost by it in percentage points of winning rate; never negative.
    pub lost_rate: f64,
    /// The same in centipawns, where no mate is in the way.
    pub lost: Option<i32>,
    /// How bad it was.
    pub grade: Option<Grade>,
    /// Mates that came or went with it.
    pub mate: Option<MateRemark>,
    /// The view of the position after it.
    pub after: View,
}

impl JudgedMove {
    /// Whether it was the engine's own choice.
    pub fn agreed(&self) -> bool {
        self.best.as_deref() == Some(self.played.as_str())
    }

    /// Whether there is something to say about it.
    pub fn is_remarkable(&self) -> bool {
        self.grade.is_some() || self.mate.is_some()
    }
}

/// A game with its evaluations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysedGame {
    /// The player with the black pieces.
    pub black: String,
    /// The player with the white pieces.
    pub white: String,
    /// The position before the first move, as SFEN.
    pub sfen: String,
    /// How moves were graded.
    pub grading: Grading,
    /// The view of the start.
    pub start: View,
    /// Black's winning rate at the start, in percent.
    pub start_rate: f64,
    /// The moves.
    pub moves: Vec<JudgedMove>,
}

/// How a side played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SideSummary {
    /// Its moves that were not forced.
    pub choices: usize,
    /// Those of them that the engine would have played.
    pub agreed: usize,
    /// The mean of what those lost, in percentage points of winning rate.
    pub average_loss: f64,
    /// How many moves got each grade, by [`Grade::ALL`].
    pub grades: [usize; 4],
    /// How many mates it missed.
    pub missed_mates: usize,
}

impl AnalysedGame {
    /// The position before the first move. That of a whole game if the file was changed by hand.
    pub fn start_position(&self) -> Position {
        Position::from_sfen(&self.sfen).unwrap_or_else(|_| Position::start())
    }

    /// The moves, each with the position before it and the view of that position. Ends before a
    /// move that is not legal, which no analysis writes.
    pub fn walk(&self) -> Vec<(Position, &View, Move, &JudgedMove)> {
        let mut position = self.start_position();
        let mut before = &self.start;
        let mut walked = Vec::with_capacity(self.moves.len());
        for judged in &self.moves {
            let mv = judged.played.parse::<Move>().ok().filter(|&mv| position.is_legal(mv));
            let Some(mv) = mv else { break };
            walked.push((position.clone(), before, mv, judged));
            position.play(mv);
            before = &judged.after;
        }
        walked
    }

    /// How a side played.
    pub fn side(&self, side: Color) -> SideSummary {
        let mut summary = SideSummary::default();
        let mut lost = 0.0;
        for (position, _, _, judged) in self.walk() {
            if position.side_to_move() != side || !judged.choice {
                continue;
            }
            summary.choices += 1;
            summary.agreed += usize::from(judged.agreed());
            lost += judged.lost_rate;
            if let Some(grade) = judged.grade {
                summary.grades[grade as usize] += 1;
            }
            summary.missed_mates += usize::from(matches!(judged.mate, Some(MateRemark::Missed(_))));
        }
        summary.average_loss = tenth(lost / summary.choices.max(1) as f64);
        summary
    }
}

/// Black's winning rate by a view, in percent.
pub fn winning_rate(view: &View, scale: f64) -> f64 {
    match view.mater() {
        Some(Color::Black) => 100.0,
        Some(Color::White) => 0.0,
        None => 100.0 / (1.0 + libm::exp(-f64::from(view.score) / scale)),
    }
}

/// Rounded to one digit behind the point.
fn tenth(value: f64) -> f64 {
    libm::round(value * 10.0) / 10.0
}

/// Joins a record's main line with the views of all its positions, the start first.
pub fn judge(record: &Record, views: &[View], grading: Grading) -> AnalysedGame {
    let mut position = record.start().clone();
    let mut moves = Vec::new();
    let pairs = views.iter().zip(views.iter().skip(1));
    for (index, (mv, (before, after))) in record.main_moves().zip(pairs).enumerate() {
        moves.push(judge_move(&position, index + 1, mv, (before, after), grading));
        position.play(mv);
    }
    let header = |key: &str| record.headers.get(key).unwrap_or_default().to_string();
    let start = views.first().cloned().unwrap_or_else(|| View::of_end(record.start()));
    AnalysedGame {
        black: header(header::BLACK),
        white: header(header::WHITE),
        sfen: record.start().to_sfen(),
        grading,
        start_rate: tenth(winning_rate(&start, grading.scale)),
        start,
        moves,
    }
}

fn judge_move(
    position: &Position,
    number: usize,
    mv: Move,
    (before, after): (&View, &View),
    grading: Grading,
) -> JudgedMove {
    let side = position.side_to_move();
    let sign = if side == Color::Black { 1 } else { -1 };
    let choice = position.legal_moves().len() > 1;
    let best = before.line.first().and_then(|text| text.parse::<Move>().ok());
    // After the engine's own move a change of the score is its change of mind, and a forced move
    // is nobody's fault.
    let blameless = best == Some(mv) || !choice;
    let rates = [before, after].map(|view| winning_rate(view, grading.scale));
    let fell = f64::from(sign) * (rates[0] - rates[1]);
    let lost_rate = if blameless { 0.0 } else { tenth(fell.max(0.0)) };
    let mates = before.score.abs() == MATE || after.score.abs() == MATE;
    let lost = match (blameless, mates) {
        (true, _) => Some(0),
        (false, true) => None,
        (false, false) => Some((sign * (before.score - after.score)).max(0)),
    };
    let mate = match (before.mater(), after.mater()) {
        _ if blameless => None,
        (Some(mater), now) if mater == side && now != Some(side) => {
            Some(MateRemark::Missed(before.mate))
        }
        (then, Some(mater)) if mater != side && then != Some(mater) => {
            Some(MateRemark::Allowed(after.mate))
        }
        _ => None,
    };
    JudgedMove {
        number,
        played: mv.to_string(),
        name: move_name(position, mv),
        best: best.map(|best| best.to_string()),
        best_name: best.map(|best| move_name(position, best)),
        choice,
        rate: tenth(rates[1]),
        lost_rate,
        lost,
        grade: grading.grade(lost_rate),
        mate,
        after: after.clone(),
    }
}
