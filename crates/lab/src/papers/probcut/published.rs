//! The published figures, as they stand in `published.json`.

use serde::Deserialize;

/// The published figures.
#[derive(Debug, Deserialize)]
pub(super) struct Published {
    pub(super) positions: Vec<PublishedPositions>,
    pub(super) correlations: Vec<PublishedCorrelation>,
    pub(super) other_games: Vec<OtherGame>,
    pub(super) risk: Vec<PublishedRisk>,
    pub(super) efficiency: Vec<PublishedEfficiency>,
    pub(super) problems: Vec<PublishedProblems>,
    pub(super) selfplay: Vec<PublishedGames>,
}

impl Published {
    /// Where the print is mended or interpreted.
    pub(super) fn notes(&self) -> Vec<String> {
        let table = |number: usize, note: &Option<String>| {
            note.as_ref().map(|note| format!("table {number}: {note}"))
        };
        let second = self.correlations.iter().filter_map(|row| table(2, &row.note));
        let fourth = self.risk.iter().filter_map(|row| table(4, &row.note));
        let sixth = self.efficiency.iter().filter_map(|row| table(6, &row.note));
        second.chain(fourth).chain(sixth).collect()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct PublishedPositions {
    pub(super) phase: String,
    pub(super) all: usize,
    pub(super) left_out: [usize; 2],
}

/// All positions first, then the phases.
#[derive(Debug, Deserialize)]
pub(super) struct PublishedCorrelation {
    pub(super) search: String,
    pub(super) evaluation: String,
    pub(super) r2: [f64; 4],
    pub(super) sigma: [f64; 4],
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OtherGame {
    pub(super) game: String,
    pub(super) search: String,
    pub(super) phase: String,
    pub(super) r2: Option<f64>,
    pub(super) sigma: Option<f64>,
}

/// Count, rate in per cent, nodes without and with ProbCut.
#[derive(Debug, Deserialize)]
pub(super) struct PublishedRisk {
    pub(super) margin: f64,
    pub(super) class: String,
    pub(super) material: [f64; 4],
    pub(super) progress: [f64; 4],
    pub(super) note: Option<String>,
}

/// The three phases, then all positions.
#[derive(Debug, Deserialize)]
pub(super) struct PublishedEfficiency {
    pub(super) aggregation: String,
    pub(super) evaluation: String,
    pub(super) margin: f64,
    pub(super) values: [f64; 4],
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PublishedProblems {
    pub(super) variant: String,
    pub(super) right: u32,
    pub(super) nodes: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct PublishedGames {
    pub(super) margin: f64,
    pub(super) won: u32,
    pub(super) lost: u32,
    pub(super) drawn: u32,
}
