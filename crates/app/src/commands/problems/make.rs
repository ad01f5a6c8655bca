//! Making next-move problems from games: positions in which a deep search agrees with the move
//! played and no other move comes near.

use std::path::PathBuf;
use yomikiri_lab::problem_runs::MakeProblemsPlan;

/// How to make a set.
#[derive(clap::Args)]
pub struct MakeArgs {
    /// Make the set from these games (one a line, perhaps zstd) instead of trying it
    #[arg(long, value_name = "GAMES")]
    make_from: Option<PathBuf>,

    /// How many problems to make
    #[arg(long, value_name = "N", default_value_t = 300)]
    count: usize,

    /// The best move must be this much better than the second, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 200)]
    gap: i32,

    /// Nodes for a first look at a position
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    first_nodes: u64,

    /// Nodes for the search that must agree
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    deep_nodes: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl MakeArgs {
    /// The set to be made, if one is.
    pub fn plan(&self, engine: &str) -> Option<MakeProblemsPlan> {
        Some(MakeProblemsPlan {
            games: self.make_from.clone()?,
            engine: engine.to_string(),
            count: self.count,
            gap: self.gap,
            first_nodes: self.first_nodes,
            deep_nodes: self.deep_nodes,
            seed: self.seed,
        })
    }
}
