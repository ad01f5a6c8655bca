//! Contests of this program against itself, for `measure` and `tune`.

use super::args::openings_from;
use crate::commands::pool::player_from;
use anyhow::{Context, ensure};
use std::path::PathBuf;
use yomikiri_arena::contest::Contest;
use yomikiri_arena::contestant::Contestant;
use yomikiri_arena::runner::Match;
use yomikiri_arena::schedule::Format;
use yomikiri_base::Shard;
use yomikiri_lab::manifest::provenance;
use yomikiri_play::player::Timeouts;
use yomikiri_play::rules::ResignRule;
use yomikiri_play::{Rules, TimeControl};
use yomikiri_usi::Setup;

/// Options of games of this program against itself.
#[derive(clap::Args)]
pub struct OwnArgs {
    /// A setting of both sides, as NAME=VALUE; may be given several times
    #[arg(long = "common", value_name = "NAME=VALUE")]
    pub common: Vec<String>,

    /// A file of openings, as for `match`; if not given, the 1,200 that are built in
    #[arg(short, long, value_name = "FILE")]
    pub openings: Option<PathBuf>,

    /// How many games at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    pub concurrency: usize,

    /// Give a game up when both sides see it lost by this many centipawns for three moves each; 0
    /// for never
    #[arg(long, value_name = "CP", default_value_t = 1500)]
    pub resign: i32,

    /// The folder for the games; what was interrupted goes on from what is there
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
}

/// What else such a contest is made of.
pub struct OwnContest<'a> {
    /// The names of both sides, and the settings that only they have.
    pub sides: [(&'a str, &'a [String]); 2],
    /// Nodes a move.
    pub nodes: u64,
    /// Where games begin.
    pub openings: Vec<Setup>,
    /// Pairs of games.
    pub pairs: usize,
    /// Shuffles the openings.
    pub seed: u64,
}

impl OwnArgs {
    /// The openings that the options name.
    pub fn read_openings(&self) -> anyhow::Result<Vec<Setup>> {
        openings_from(self.openings.as_deref())
    }

    /// The contest.
    pub fn contest(&self, own: OwnContest<'_>) -> anyhow::Result<Contest> {
        ensure!(self.concurrency > 0, "--concurrency must be at least 1");
        ensure!(own.pairs > 0 && own.nodes > 0, "pairs and nodes must be at least 1");
        ensure!(!own.openings.is_empty(), "there are no openings");
        let [first, second] = own.sides;
        let players = vec![self.player(first)?, self.player(second)?];
        let resign = (self.resign > 0).then_some(ResignRule { score: self.resign, moves: 3 });
        let setting = Match {
            players,
            control: TimeControl { nodes: Some(own.nodes), ..TimeControl::default() },
            openings: own.openings,
            rules: Rules { maximum_moves: 512, resign, ..Rules::default() },
            timeouts: Timeouts::default(),
            concurrency: self.concurrency,
            affinity: false,
        };
        Ok(Contest {
            setting,
            format: Format::RoundRobin,
            rounds: own.pairs,
            seed: own.seed,
            sprt: None,
            records: false,
            shard: Shard::WHOLE,
            provenance: provenance(),
        })
    }

    fn player(&self, (name, settings): (&str, &[String])) -> anyhow::Result<Contestant> {
        let mut player = player_from(&format!("name={name}"))?;
        for pair in self.common.iter().chain(settings) {
            let (setting, value) =
                pair.split_once('=').with_context(|| format!("'{pair}' is not NAME=VALUE"))?;
            player.options.push((setting.to_string(), Some(value.to_string())));
        }
        player.engine_settings()?;
        Ok(player)
    }
}
