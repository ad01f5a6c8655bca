//! `yomikiri eval SFEN`: what an evaluation sees in a position.

use crate::input::read_bytes;
use anyhow::{Context, anyhow, bail};
use std::path::{Path, PathBuf};
use yomikiri_engine::eval::explain::explain;
use yomikiri_engine::eval::network::{DEFAULT_SCALE, NetworkEvaluation};
use yomikiri_engine::eval::{Evaluation, EvaluationKind, Model};
use yomikiri_shogi::Position;
use yomikiri_usi::Setup;

/// Which position.
#[derive(clap::Args)]
pub struct Args {
    /// The position: an SFEN in quotes, or `startpos`, either with `moves ...` after it; `-` to
    /// read it from standard input, with --raw any number of positions, one a line
    #[arg(required = true, num_args = 1.., value_name = "SFEN")]
    position: Vec<String>,
    /// Linear weights or a network [default: the weights in this program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// What a network's output is divided by to give centipawns
    #[arg(long, value_name = "FV_SCALE", default_value_t = DEFAULT_SCALE)]
    scale: i32,
    /// Print only the raw output of a network for the side to move, before it is divided
    #[arg(long)]
    raw: bool,
}

/// Explains the value, or prints it raw.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let model = Model::load(EvaluationKind::Linear, args.weights.as_deref())?;
    let model = model.with_scale(args.scale);
    let text = match args.position.as_slice() {
        [name] if name == "-" => String::from_utf8(read_bytes(Path::new("-"))?)?,
        words => words.join(" "),
    };
    match (model, args.raw) {
        (Model::Network(mut network), true) => raw(&mut network, text.trim()),
        (_, true) => bail!("--raw is for networks: name one by --weights"),
        (model, false) => {
            let text = explain(model, &position(text.trim())?);
            print!("{}", text.context("only linear weights and networks are kept in files")?);
            Ok(())
        }
    }
}

fn position(text: &str) -> anyhow::Result<Position> {
    let read = || Ok(text.parse::<Setup>()?.position()?);
    read().map_err(|error: anyhow::Error| anyhow!("the position: {error}"))
}

fn raw(network: &mut NetworkEvaluation, text: &str) -> anyhow::Result<()> {
    for (number, line) in (1..).zip(text.lines()) {
        let position = position(line.trim()).with_context(|| format!("line {number}"))?;
        network.reset(&position);
        println!("{}", network.raw(&position));
    }
    Ok(())
}
