//! `yomikiri learn`: everything that is learned from game records.

mod collect;
mod learner;
mod measure;
mod positions;
mod train;

use crate::input::limits;
use std::path::{Path, PathBuf};
use yomikiri_learn::dataset::CARRIED_NAME;
use yomikiri_learn::{Dataset, Game};

/// What to learn.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Learn the coefficients of the evaluation: the moves played should look best
    ///
    /// A run can be stopped at any moment (Ctrl-C) and goes on where it was when the same command
    /// is given again with the same --checkpoint.
    Eval(train::EvalArgs),
    /// Make training positions by self-play, for networks
    Positions(positions::PositionsArgs),
    /// Learn a network from positions with scores and results
    ///
    /// A run can be stopped at any moment (Ctrl-C) and goes on where it was when the same command
    /// is given again with the same --checkpoint; the result is that of an unbroken run.
    Network(train::NetworkArgs),
    /// Learn how far a game has come from what stands where
    Progress(train::ProgressArgs),
    /// Count how likely a move of each category is played
    ///
    /// The engine loads the table by its option MoveProbabilities.
    MoveProbability(collect::MoveProbabilityArgs),
    /// Learn which moves people play: a probability for every legal move
    ///
    /// A run can be stopped at any moment (Ctrl-C) and goes on where it was when the same command
    /// is given again with the same --checkpoint; the result is that of an unbroken run.
    Policy(train::PolicyArgs),
    /// Measure how well the policy tells what was played, beside the categories of moves
    PolicyAgreement(measure::PolicyAgreementArgs),
    /// Measure how the levels of play err beside people, on the same positions
    LevelAgreement(measure::LevelAgreementArgs),
    /// Find frequent patterns of three pieces
    Mine(train::MineArgs),
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
    /// Use at most so many games
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Whether results may take the place of other files.
#[derive(clap::Args)]
struct ForceArgs {
    /// Replace the file that --out names if it exists
    #[arg(long)]
    force: bool,
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

    /// The games to compare with: all, or those of the test set, which learning leaves out.
    fn to_compare<'a>(&self, dataset: &'a Dataset, test: bool) -> anyhow::Result<Vec<&'a Game>> {
        Ok(dataset.to_compare(self.limit, test)?)
    }

    /// The games to learn from: those of the test set are left out.
    fn to_learn<'a>(&self, dataset: &'a Dataset) -> anyhow::Result<Vec<&'a Game>> {
        Ok(dataset.to_learn(self.limit)?)
    }
}

/// Learns what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Eval(args) => train::eval(args),
        Action::Positions(args) => positions::run(args),
        Action::Network(args) => train::network(args),
        Action::Progress(args) => train::progress(args),
        Action::Mine(args) => train::mine(args),
        Action::MoveProbability(args) => collect::move_probability(args),
        Action::Policy(args) => train::policy(args),
        Action::PolicyAgreement(args) => measure::policy_agreement(args),
        Action::LevelAgreement(args) => measure::level_agreement(args),
        Action::Book(args) => collect::book(args),
        Action::Agreement(args) => measure::agreement(args),
    }
}
