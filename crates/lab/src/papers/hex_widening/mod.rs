//! Dynamic widening in Hex: the third domain for the last sentence of Yoshizoe (2008).
//!
//! **Question.** Every empty cell is a legal move and most are hopeless. Does counting the best few
//! children help df-pn there, with first numbers that know something of the game and with none?
//!
//! **Data.** Positions by the seed: stones of both sides in turn on random cells of the empty
//! board, nobody joined, each side to move in half of them. The answers of all variants are
//! compared with each other; one contradiction fails the run.
//!
//! **Claims** stand in `claims.toml`, with the rule of their verdicts.

mod hex;

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use yomikiri_arena::stats::geometric_mean;
use yomikiri_proof::estimate::Initial;
use yomikiri_proof::game::{ProofGame, Role};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_proof::solver::{Options, Solver};
use yomikiri_proof::widening::{Widening, Width};

use crate::claims::{Claim, Evidence};
use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::stored::{Results, Stored};
use crate::table::Table;
use hex::Hex;

/// The experiment.
pub struct HexWidening;

const CLAIMS: &str = include_str!("claims.toml");

/// What can be set in a config file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HexWideningSettings {
    /// Cells a side, 3 to 8.
    pub size: usize,
    /// Positions.
    pub positions: usize,
    /// Stones on the board of a position.
    pub stones: usize,
    /// Nodes after which a search gives up.
    pub nodes: u64,
    /// Memory for each search in MiB.
    pub hash_mib: usize,
}

impl crate::run::ExperimentSettings for HexWideningSettings {
    fn standard(quick: bool) -> HexWideningSettings {
        HexWideningSettings {
            size: if quick { 5 } else { 7 },
            positions: if quick { 12 } else { 120 },
            stones: if quick { 4 } else { 8 },
            nodes: if quick { 2_000 } else { 100_000 },
            hash_mib: 64,
        }
    }
}

/// The rules compared, by name.
fn variants() -> Vec<(String, Options)> {
    let mut widths = vec![(String::new(), Width::All)];
    widths.extend([20, 10, 5, 2].map(|n| (format!(" top {n}"), Width::Top(n))));
    widths.extend([2, 5, 10, 20].map(|n| (format!(" rate {n}"), Width::Rate(n))));
    let mut all = Vec::new();
    for (numbers, initial) in [("levels", Initial::Game), ("unit", Initial::Unit)] {
        for (name, width) in &widths {
            let plain = Options { initial, epsilon_percent: 0, ..Options::default() };
            let widening = Widening { width: *width, ..Widening::default() };
            all.push((format!("{numbers}{name}"), plain.with_widening(widening)));
        }
    }
    all
}

/// A position by the seed: nobody has joined yet.
fn position(settings: &HexWideningSettings, seed: u64, number: u64) -> Hex {
    let mut rng = Rng::with_seed(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let turn = if number.is_multiple_of(2) { Role::Attacker } else { Role::Defender };
    loop {
        let mut hex = Hex::new(settings.size, turn);
        for _ in 0..settings.stones.min(settings.size * settings.size / 2) {
            let cells = hex.empty_cells();
            hex.play(cells[rng.usize(..cells.len())]);
        }
        if hex.winner().is_none() {
            return hex;
        }
    }
}

/// What one search gave.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Measured {
    proven: Option<bool>,
    nodes: u64,
}

fn measure(hex: &Hex, options: Options, settings: &HexWideningSettings) -> Measured {
    let limits =
        ProofLimits { memory: settings.hash_mib << 20, ..ProofLimits::nodes(settings.nodes) };
    let outcome = Solver::new(options, limits).solve(hex);
    let solved = outcome.number.is_solved();
    Measured { proven: solved.then(|| outcome.number.is_proven()), nodes: outcome.nodes }
}

/// All results, by variant and position.
#[derive(Serialize, Deserialize)]
struct Searches {
    names: Vec<String>,
    by_variant: Vec<Vec<Measured>>,
}

impl Searches {
    fn of(&self, name: &str) -> &[Measured] {
        let at = self.names.iter().position(|known| known == name);
        at.map_or(&[], |at| &self.by_variant[at])
    }

    fn solved(&self, name: &str) -> usize {
        self.of(name).iter().filter(|measured| measured.proven.is_some()).count()
    }

    /// Positions that only the one, and that only the other solves.
    fn only(&self, one: &str, other: &str) -> (usize, usize) {
        let pairs = || self.of(one).iter().zip(self.of(other));
        let count = |(a, b): (bool, bool)| {
            pairs().filter(|(x, y)| (x.proven.is_some(), y.proven.is_some()) == (a, b)).count()
        };
        (count((true, false)), count((false, true)))
    }

    /// Nodes of `other` over nodes of `one` where both solve.
    fn ratios(&self, one: &str, other: &str) -> Vec<f64> {
        let pairs = self.of(one).iter().zip(self.of(other));
        let both = pairs.filter(|(x, y)| x.proven.is_some() && y.proven.is_some());
        both.map(|(x, y)| y.nodes.max(1) as f64 / x.nodes.max(1) as f64).collect()
    }

    /// A position on which two variants contradict each other.
    fn contradiction(&self) -> Option<usize> {
        (0..self.by_variant.first().map_or(0, Vec::len)).find(|&at| {
            let answers = || self.by_variant.iter().filter_map(|found| found[at].proven);
            answers().any(|proven| proven) && answers().any(|proven| !proven)
        })
    }
}

impl Experiment for HexWidening {
    fn name(&self) -> &'static str {
        "hex-widening"
    }

    fn title(&self) -> &'static str {
        "Dynamic widening in Hex"
    }

    fn question(&self) -> &'static str {
        "Every empty cell is a move, and most are hopeless. Does df-pn solve more Hex positions if it adds up the best \
         few children only? A third domain after Go captures and mates."
    }

    fn parts(&self) -> &'static [&'static str] {
        &["go"]
    }

    fn japanese(&self) -> [&'static str; 2] {
        [
            "ヘックスの動的ワイドニング",
            "空点がすべて合法手で、ほとんどは無意味な手のとき、上位の子だけを足し合わせると、より多くの局面が解けるか。",
        ]
    }

    fn claims(&self) -> Option<&'static str> {
        Some(CLAIMS)
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        let settings: HexWideningSettings = run.settings()?;
        if !(3..=hex::LARGEST).contains(&settings.size) {
            let fault = format!("size {} is not 3 to {}", settings.size, hex::LARGEST);
            return Err(LabError::Data { name: "hex-widening".into(), fault });
        }
        let variants = variants();
        let seed = run.seed();
        let positions: Vec<Hex> = (0..settings.positions as u64)
            .map(|number| position(&settings, seed, number))
            .collect();
        let items: Vec<(usize, usize)> =
            (0..variants.len()).flat_map(|v| (0..positions.len()).map(move |p| (v, p))).collect();
        let key = |&(v, p): &(usize, usize)| format!("{}/{p}", variants[v].0);
        let ask = |&(v, p): &(usize, usize)| measure(&positions[p], variants[v].1, &settings);
        let measured: Vec<Measured> = run.measure("searches", &items, key, ask)?;
        let searches = Searches {
            names: variants.into_iter().map(|(name, _)| name).collect(),
            by_variant: measured.chunks(positions.len().max(1)).map(<[_]>::to_vec).collect(),
        };
        if let Some(at) = searches.contradiction() {
            let fault = format!("two variants contradict each other on position {at}");
            return Err(LabError::Data { name: "hex-widening".into(), fault });
        }
        Results::new(&searches)
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        let (settings, searches) = (stored.settings()?, stored.results()?);
        let mut page = Page::new();
        let claims = stored.claims(self)?;
        page.add_findings(claims.judge(|claim| evidence(claim, &searches)));
        page.heading(("Solved within the limit", "制限内で解けた局面"));
        page.table("solved", caption(&settings), &table(&searches));
        Ok(page)
    }
}

fn caption(settings: &HexWideningSettings) -> String {
    format!(
        "{} positions of {}x{} with {} stones, at most {} nodes; the ratio is a geometric mean",
        settings.positions, settings.size, settings.size, settings.stones, settings.nodes
    )
}

fn table(searches: &Searches) -> Table {
    let mut table = Table::new([
        "variant",
        "solved",
        "only this, not plain",
        "only plain",
        "nodes of plain / of this, both solve",
    ]);
    for name in &searches.names {
        let plain = name.split(' ').next().unwrap_or(name);
        let (gained, lost) = searches.only(name, plain);
        let ratio = geometric_mean(&searches.ratios(name, plain));
        table.row([
            name.clone(),
            searches.solved(name).to_string(),
            gained.to_string(),
            lost.to_string(),
            ratio.map_or(String::new(), |ratio| format!("{ratio:.2}")),
        ]);
    }
    table
}

/// Positions that exactly one of the two variants of a claim solves.
fn evidence(claim: &Claim, searches: &Searches) -> Evidence {
    let [more, fewer] = &claim.compare[..] else { return Evidence::missing("No two variants.") };
    let (gained, lost) = searches.only(more, fewer);
    let count = searches.of(more).len();
    let ours = format!(
        "{more} {}, {fewer} {} of {count}; only the first {gained}, only the second {lost}",
        searches.solved(more),
        searches.solved(fewer)
    );
    Evidence::sign(gained, lost, count, ours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Claims;

    #[test]
    fn every_claim_names_two_variants() {
        let claims = Claims::read(CLAIMS).expect("claims");
        let names: Vec<String> = variants().into_iter().map(|(name, _)| name).collect();
        assert!(!claims.claim.is_empty());
        for claim in &claims.claim {
            assert_eq!(claim.compare.len(), 2, "{}", claim.name);
            assert!(claim.compare.iter().all(|name| names.contains(name)), "{}", claim.name);
        }
    }

    #[test]
    fn positions_come_from_the_seed_and_are_not_over() {
        let settings = <HexWideningSettings as crate::run::ExperimentSettings>::standard(false);
        for number in 0..50 {
            let hex = position(&settings, 3, number);
            assert_eq!(hex.winner(), None);
            assert_eq!(hex.empty_cells().len(), settings.size.pow(2) - settings.stones);
            assert_eq!(hex.board_key(), position(&settings, 3, number).board_key());
        }
    }
}
