//! `yomikiri learn`: everything that is learned from game records.

mod collect;
mod learner;
mod measure;
mod positions;
mod train;

use crate::input::limits;
use crate::output::{ensure_writable, write_file};
use std::path::{Path, PathBuf};
use yomikiri_learn::dataset::CARRIED_NAME;
use yomikiri_learn::{Dataset, TrainingGame};

/// What to learn.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Learn the coefficients of the evaluation: the moves played should look best
    Eval(train::EvalArgs),
    /// Make training positions by self-play, for networks
    Positions(positions::PositionsArgs),
    /// Learn a network from positions with scores and results
    Network(train::NetworkArgs),
    /// Learn how far a game has come from what stands where
    ///
    /// The result are weights with the learned progress and all coefficients 0; `learn eval --from`
    /// goes on from them.
    #[command(alias = "progress")]
    Stage(collect::StageArgs),
    /// Count how likely a move of each category is played
    ///
    /// The engine loads the table by its option MoveProbabilities.
    MoveProbability(collect::MoveProbabilityArgs),
    /// Learn which moves people play: a probability for every legal move
    Policy(train::PolicyArgs),
    /// Measure how well the policy predicts what was played, beside the categories of moves
    PolicyAgreement(measure::PolicyAgreementArgs),
    /// Measure how the levels of play err beside people, on the same positions
    LevelAgreement(measure::LevelAgreementArgs),
    /// Find frequent patterns of three pieces
    Mine(collect::MineArgs),
    /// Collect an opening book
    Book(collect::BookArgs),
    /// Measure how often an evaluation prefers the move that was played
    Agreement(measure::AgreementArgs),
}

/// Where games come from.
#[derive(clap::Args)]
struct GamesArgs {
    /// Files of games: one a line, tab-separated, `startpos moves ...` first; may be compressed
    /// with zstd [default: the games in this program]
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Use at most this many games
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// What is made of games at one go.
#[derive(clap::Args)]
struct MakeArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Where the result goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file that --out names if it exists
    #[arg(long)]
    force: bool,
}

impl MakeArgs {
    /// Makes the bytes of a file, and says what they are, from the games without the test set.
    fn make(
        &self,
        make: impl FnOnce(&Dataset, &[&TrainingGame]) -> anyhow::Result<(Vec<u8>, String)>,
    ) -> anyhow::Result<()> {
        ensure_writable(&self.out, self.force)?;
        let dataset = self.games.read()?;
        let (bytes, what) = make(&dataset, &dataset.to_learn(self.games.limit)?)?;
        write_file(&self.out, &bytes, self.force)?;
        say!("{what} written to {}", self.out.display());
        Ok(())
    }
}

impl GamesArgs {
    fn read(&self) -> anyhow::Result<Dataset> {
        let files = self.files();
        let dataset = Dataset::read_or_carried(&files, limits())?;
        if let Some(note) = dataset.skipped_note() {
            eprintln!("{note}");
        }
        Ok(dataset)
    }

    /// The files, none where those in the program are meant.
    fn files(&self) -> Vec<PathBuf> {
        let carried = self.games == [Path::new(CARRIED_NAME)] && !self.games[0].exists();
        if carried { Vec::new() } else { self.games.clone() }
    }
}

/// Learns what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Eval(args) => train::eval(args),
        Action::Positions(args) => positions::run(args),
        Action::Network(args) => train::network(args),
        Action::Stage(args) => collect::stage(args),
        Action::Mine(args) => collect::mine(args),
        Action::MoveProbability(args) => collect::move_probability(args),
        Action::Policy(args) => train::policy(args),
        Action::PolicyAgreement(args) => measure::policy_agreement(args),
        Action::LevelAgreement(args) => measure::level_agreement(args),
        Action::Book(args) => collect::book(args),
        Action::Agreement(args) => measure::agreement(args),
    }
}
