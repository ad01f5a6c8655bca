//! `learn eval`, `learn network`, `learn policy`.

use super::GamesArgs;
use super::learner::{LearnerArgs, config, learn};
use std::path::PathBuf;
use yomikiri_engine::eval::linear::LinearWeights;
use yomikiri_engine::eval::network::NetworkParameters;
use yomikiri_engine::eval::policy::PolicyWeights;
use yomikiri_learn::Config;
use yomikiri_learn::eval_run::EvalPlan;
use yomikiri_learn::network::{self, NetworkPlan};
use yomikiri_learn::policy::{PolicyConfig, PolicyPlan};
use yomikiri_runs::Plan;

/// Options of `learn eval`.
#[derive(clap::Args)]
pub struct EvalArgs {
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    learner: LearnerArgs,
    /// Weights to begin with, whose progress and patterns are kept [default: material alone]
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<PathBuf>,
    /// Three-piece patterns written by `learn mine`
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,
}

/// Learns the evaluation.
pub fn eval(args: &EvalArgs) -> anyhow::Result<()> {
    let plan = EvalPlan {
        games: args.games.files(),
        limit: args.games.limit,
        config: config(&args.learner, Config::from_toml)?,
        from: args.from.clone(),
        patterns: args.patterns.clone(),
    };
    learn(&args.learner, plan, Plan::LearnEval, |bytes| LinearWeights::from_bytes(bytes).is_ok())
}

/// Options of `learn network`.
#[derive(clap::Args)]
pub struct NetworkArgs {
    /// Files to learn from instead of those in the config: positions (.psv, .bin, .hcpe) or scored
    /// games; may be compressed with zstd
    #[arg(long, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    #[command(flatten)]
    learner: LearnerArgs,
}

/// Learns a network.
pub fn network(args: &NetworkArgs) -> anyhow::Result<()> {
    let mut config = config(&args.learner, network::NetworkConfig::from_toml)?;
    if !args.data.is_empty() {
        config.data.files.clone_from(&args.data);
    }
    let ours = |bytes: &[u8]| NetworkParameters::from_bytes(bytes).is_ok();
    learn(&args.learner, NetworkPlan { config }, Plan::LearnNetwork, ours)
}

/// Options of `learn policy`.
#[derive(clap::Args)]
pub struct PolicyArgs {
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    learner: LearnerArgs,
    /// Learn only from the I-th of N parts of the games, as 1/2; two policies of different parts
    /// share no game
    #[arg(long, value_name = "I/N")]
    part: Option<String>,
}

/// Learns the policy.
pub fn policy(args: &PolicyArgs) -> anyhow::Result<()> {
    let plan = PolicyPlan {
        games: args.games.files(),
        limit: args.games.limit,
        part: args.part.clone(),
        config: config(&args.learner, PolicyConfig::from_toml)?,
    };
    learn(&args.learner, plan, Plan::LearnPolicy, |bytes| PolicyWeights::from_bytes(bytes).is_ok())
}
