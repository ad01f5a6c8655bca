//! `lab run speculative-positions`: mines lost positions for the experiment.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use super::positions::{self, Effort, Lost, ProgramRole, mine};
use crate::games::{self, LabGame};
use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::stored::{Results, Stored};
use crate::table::Table;

/// The mining.
pub struct Positions;

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MiningSettings {
    /// Games, where `--games` names no others.
    pub games_file: PathBuf,
    /// How many of them, drawn by the seed, to look for a side without defence.
    pub games: usize,
    /// How many of these to look at for a side that is being mated.
    pub mated_games: usize,
    /// Positions before the end of each that are looked at.
    pub plies: usize,
    /// How hard to look.
    pub effort: Effort,
}

impl crate::run::ExperimentSettings for MiningSettings {
    fn standard(quick: bool) -> MiningSettings {
        MiningSettings {
            games_file: PathBuf::from("data/games_engine.tsv.zst"),
            games: if quick { 4 } else { 2_000 },
            mated_games: if quick { 4 } else { 420 },
            plies: if quick { 6 } else { 24 },
            effort: Effort {
                each: if quick { 2_000 } else { 20_000 },
                all: if quick { 10_000 } else { 150_000 },
                answers: if quick { 20_000 } else { 300_000 },
            },
        }
    }
}

impl Experiment for Positions {
    fn name(&self) -> &'static str {
        "speculative-positions"
    }

    fn title(&self) -> &'static str {
        "Lost positions for speculative play"
    }

    fn question(&self) -> &'static str {
        "Where in games is the side to move being mated, or without defence and without a mate of its own? Every such \
         position is kept with the mate after each move; the experiment `speculative` reads them."
    }

    fn japanese(&self) -> [&'static str; 2] {
        [
            "勝負手の実験のための負けの局面",
            "棋譜のどこで、手番側が詰まされるか、受けも詰みもない局面になるか。",
        ]
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        let settings: MiningSettings = run.settings()?;
        let file = run.games().unwrap_or_else(|| settings.games_file.clone());
        let games = games::draw(run, &file, settings.games, 40)?;
        let mut found: Vec<Lost> = Vec::new();
        let first = &games[..settings.mated_games.min(games.len())];
        for (stage, kind, games) in [
            ("mated", ProgramRole::Defender, first),
            ("without defence", ProgramRole::Attacker, &games),
        ] {
            let work = |game: &LabGame| {
                let all = game.positions(1, 1);
                let last = &all[all.len().saturating_sub(settings.plies)..];
                mine(kind, game.line, last, &settings.effort)
            };
            let mined = run.measure(stage, games, |game| game.line.to_string(), work)?;
            found.extend(mined.into_iter().flatten());
        }
        let text = positions::write(&header(run, &settings, &file), &found);
        let packed = zstd::encode_all(text.as_bytes(), 19).map_err(|error| LabError::Data {
            name: "positions".into(),
            fault: error.to_string(),
        })?;
        run.write("positions.jsonl.zst", &packed)?;
        Results::new(&Mined { games: games.len(), overview: overview(&found) })
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        let Mined { games, overview } = stored.results()?;
        let mut page = Page::new();
        page.table("positions", format!("Positions found in {games} games"), &overview);
        Ok(page)
    }
}

/// What the page reports; the positions themselves are in a file of their own.
#[derive(Serialize, Deserialize)]
struct Mined {
    games: usize,
    overview: Table,
}

/// What made the file, for its first line.
fn header(run: &Run<'_>, settings: &MiningSettings, file: &std::path::Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!(
        "lost positions of {name}, made by: yomikiri lab run speculative-positions, seed {}, settings {}",
        run.seed(),
        serde_json::to_string(settings).expect("plain data is JSON")
    )
}

fn overview(found: &[Lost]) -> Table {
    let mut table = Table::new([
        "kind",
        "positions",
        "moves that get mated (median)",
        "checks (median)",
        "longest mate (median plies)",
        "most nodes (median)",
        "checks proven not to save",
    ]);
    for kind in [ProgramRole::Defender, ProgramRole::Attacker] {
        let all: Vec<&Lost> = found.iter().filter(|lost| lost.kind == kind).collect();
        let median = |of: &dyn Fn(&Lost) -> u64| {
            let mut values: Vec<u64> = all.iter().map(|lost| of(lost)).collect();
            values.sort_unstable();
            values.get(values.len() / 2).map_or("–".to_string(), u64::to_string)
        };
        let hunted = all.iter().filter(|lost| lost.hunted == Some(true)).count();
        table.row([
            format!("{kind:?}").to_lowercase(),
            all.len().to_string(),
            median(&|lost| lost.mated.len() as u64),
            median(&|lost| lost.checks.len() as u64),
            median(&|lost| lost.mated.iter().map(|one| one.length.into()).max().unwrap_or(0)),
            median(&|lost| lost.mated.iter().map(|one| one.nodes).max().unwrap_or(0)),
            if kind == ProgramRole::Attacker { hunted.to_string() } else { "–".to_string() },
        ]);
    }
    table
}
