//! The options of `match` and `rate`, and the plan they make.

use crate::commands::long_run::{Job, LongRunArgs};
use anyhow::ensure;
use std::path::PathBuf;
use yomikiri_arena::contest::ContestPlan;
use yomikiri_arena::contest::plan::{PlannedLimits, PlannedRules, parse_numbers};
use yomikiri_arena::schedule::TournamentFormat;
use yomikiri_arena::sprt::Sprt;
use yomikiri_shogi::EnteringKingRule;

/// Options of every contest.
#[derive(clap::Args)]
pub struct ContestArgs {
    /// An engine: words such as name=A cmd="PROGRAM ARGS" dir=FOLDER option.NAME=VALUE, and its
    /// own nodes=, depth=, movetime=, time=, byoyomi=, increment=; restart=on starts it anew for
    /// every game. Without cmd= it is this program. Give it once for each engine
    #[arg(short, long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,
    /// A file of openings, one a line: "startpos moves ..." or SFEN, perhaps zstd; each is played
    /// twice with colours swapped. If not given, the 1,200 balanced ones that are built in
    #[arg(short, long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How many pairs of games any two engines play
    #[arg(short, long, value_name = "N", default_value_t = 50)]
    pairs: usize,
    /// How many games at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Keep each of the games at once on a core of its own, which spares switching; for engines
    /// with one thread
    #[arg(long)]
    affinity: bool,
    /// The folder for the games; a contest that was interrupted goes on from what is there
    #[arg(long, value_name = "FOLDER", default_value = "yomikiri-match")]
    out: PathBuf,
    #[command(flatten)]
    run: LongRunArgs,
    /// Do not write a CSA and a KIF file for each game; games.tsv has them all
    #[arg(long)]
    no_records: bool,
    /// Shuffles the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    limits: LimitArgs,
    /// A move that comes this much after its time loses
    #[arg(long, value_name = "MS", default_value_t = 200)]
    margin: u64,
    /// A move without a time limit may take this long
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    patience: u64,
    /// Games are drawn after this many moves; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 512)]
    max_moves: u32,
    /// The entering-king rule: NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H or
    /// TryRule
    #[arg(long, value_name = "RULE", default_value = "CSARule27")]
    entering_king: EnteringKingRule,
    /// An engine that could declare wins even if it does not
    #[arg(long)]
    auto_declare: bool,
    /// Give a game up when both engines see it lost by this many centipawns for this many moves
    /// each, as 2000,4
    #[arg(long, value_name = "CP,MOVES", value_parser = parse_numbers::<2>)]
    resign: Option<[i64; 2]>,
    /// Call a game drawn when, after this move, both engines see at most this many centipawns for
    /// this many moves each, as 160,20,8
    #[arg(long, value_name = "FROM,CP,MOVES", value_parser = parse_numbers::<3>)]
    draw: Option<[i64; 3]>,
}

/// How much engines may think that do not say so themselves.
#[derive(clap::Args)]
struct LimitArgs {
    /// Nodes for each move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Milliseconds for the game
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Milliseconds for each move after the time for the game
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// Milliseconds that each move adds
    #[arg(long, value_name = "MS")]
    increment: Option<u64>,
}

impl LimitArgs {
    fn planned(&self) -> PlannedLimits {
        PlannedLimits {
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
            time: self.time,
            byoyomi: self.byoyomi,
            increment: self.increment,
        }
    }
}

impl ContestArgs {
    /// How it is played here.
    pub fn job(&self) -> Job<'_> {
        let mut job = Job::new(&self.run, &self.out, self.concurrency);
        job.context.affinity = self.affinity;
        job
    }

    /// The contest that the options describe. Files are read when it is played.
    pub fn plan(
        &self,
        format: TournamentFormat,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<ContestPlan> {
        ensure!(self.pairs > 0, "--pairs must be at least 1");
        ensure!(self.concurrency > 0, "--concurrency must be at least 1");
        ensure!(
            self.engines.len() >= 2,
            "a contest needs two engines: give --engine twice or more"
        );
        Ok(ContestPlan {
            engines: self.engines.clone(),
            format,
            pairs: self.pairs,
            seed: self.seed,
            openings: self.openings.clone(),
            opening_range: None,
            limits: self.limits.planned(),
            rules: PlannedRules {
                margin: self.margin,
                patience: self.patience,
                max_moves: self.max_moves,
                entering_king: self.entering_king.to_string(),
                auto_declare: self.auto_declare,
                resign: self.resign,
                draw: self.draw,
            },
            sprt,
            records: !self.no_records,
        })
    }
}

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
    pub resign: i64,
    /// The folder for the games; what was interrupted goes on from what is there
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    #[command(flatten)]
    pub run: LongRunArgs,
}
