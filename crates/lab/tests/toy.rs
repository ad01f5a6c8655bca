//! The experiment that `docs/architecture.md` shows is one file, and resumes, shards and reports.

use yomikiri_lab::run::run;
use yomikiri_lab::{LabPlan, NoProgress, RunOptions};

// begin
use serde::{Deserialize, Serialize};
use yomikiri_lab::page::Page;
use yomikiri_lab::run::ExperimentSettings;
use yomikiri_lab::table::Table;
use yomikiri_lab::{Experiment, LabError, Results, Run, Stored};

/// How many legal moves do random positions have?
pub struct Mobility;

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MobilitySettings {
    positions: u64,
}

impl ExperimentSettings for MobilitySettings {
    fn standard(quick: bool) -> Self {
        MobilitySettings { positions: if quick { 4 } else { 10_000 } }
    }
}

impl Experiment for Mobility {
    fn name(&self) -> &'static str {
        "mobility"
    }
    fn title(&self) -> &'static str {
        "Legal moves of random positions"
    }
    fn question(&self) -> &'static str {
        "How many legal moves does a position have after 20 random moves?"
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        let settings: MobilitySettings = run.settings()?;
        let seeds: Vec<u64> = (0..settings.positions).map(|n| run.seed() + n).collect();
        let counts = run.measure("moves", &seeds, u64::to_string, |&seed| moves(seed))?;
        Results::new(&seeds.into_iter().zip(counts).collect::<Vec<_>>())
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        let counts: Vec<(u64, usize)> = stored.results()?;
        let mut table = Table::new(["position", "moves"]);
        for (seed, count) in counts {
            table.row([seed.to_string(), count.to_string()]);
        }
        let mut page = Page::new();
        page.table("moves", "Legal moves", &table);
        Ok(page)
    }
}

fn moves(seed: u64) -> usize {
    let mut position = yomikiri_shogi::Position::start();
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..20 {
        let Some(mv) = random.choice(position.legal_moves().iter().copied()) else { break };
        position.play(mv);
    }
    position.legal_moves().len()
}
// end

fn options(out: &std::path::Path) -> RunOptions {
    let plan = LabPlan {
        experiment: "mobility".into(),
        quick: true,
        seed: 1,
        settings: Default::default(),
        games: None,
        problems: None,
    };
    plan.options(out)
}

#[test]
fn a_toy_experiment_runs_and_is_the_one_in_the_documentation() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = ["0/2", "1/2", "0/1"].map(|shard| {
        let out = folder.path().join(shard.replace('/', "-"));
        let options = RunOptions { shard: shard.parse().expect("a shard"), ..options(&out) };
        (run(&Mobility, &options, &NoProgress).is_ok(), out)
    });
    assert_eq!(parts.each_ref().map(|(whole, _)| *whole), [false, false, true]);
    let table = std::fs::read_to_string(parts[2].1.join("mobility/moves.csv")).expect("a table");
    assert_eq!(table.lines().count(), 5, "{table}");
    let page = include_str!("../../../docs/architecture.md");
    let (_, code) = include_str!("toy.rs").split_once("// begin\n").expect("a beginning");
    let (code, _) = code.split_once("// end\n").expect("an end");
    assert!(page.contains(code), "docs/architecture.md shows another experiment");
}
