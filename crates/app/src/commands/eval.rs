//! `yomikiri eval SFEN`: what an evaluation sees in a position.

use crate::input::read_bytes;
use anyhow::{Context, anyhow, bail};
use std::path::{Path, PathBuf};
use yomikiri_engine::eval::contribution::{contributions, value_for_black};
use yomikiri_engine::eval::linear::{Weights, explain};
use yomikiri_engine::eval::network::{DEFAULT_SCALE, NetworkEvaluation};
use yomikiri_engine::eval::{Evaluation, EvaluationKind, Model};
use yomikiri_shogi::{Color, Position};

/// Which position.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  yomikiri eval startpos moves 7g7f 3c3d\n  yomikiri eval \
    --weights nn.bin startpos moves 7g7f\n  yomikiri eval --weights nn.bin --raw - < sfens.txt")]
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
        (Model::Network(mut network), false) => {
            explain_network(&mut network, &position(text.trim())?);
            Ok(())
        }
        (Model::Linear(linear), false) => {
            explain_linear(linear.weights(), &position(text.trim())?);
            Ok(())
        }
        (Model::Material(_) | Model::KingDanger(_), false) => {
            bail!("only linear weights and networks are kept in files")
        }
    }
}

fn position(text: &str) -> anyhow::Result<Position> {
    let usi = if text.starts_with("startpos") || text.starts_with("sfen ") {
        text.to_string()
    } else {
        format!("sfen {text}")
    };
    Position::from_usi(&usi).map_err(|error| anyhow!("the position: {error}"))
}

fn raw(network: &mut NetworkEvaluation, text: &str) -> anyhow::Result<()> {
    for (number, line) in (1..).zip(text.lines()) {
        let position = position(line.trim()).with_context(|| format!("line {number}"))?;
        network.reset(&position);
        println!("{}", network.raw(&position));
    }
    Ok(())
}

fn explain_network(network: &mut NetworkEvaluation, position: &Position) {
    println!("centipawns, positive for black; {} to move", position.side_to_move());
    println!("what each piece is worth here: the value with it less the value without it");
    for row in contributions(network, position) {
        let place = row.square.map_or("hand".to_string(), |square| square.to_string());
        println!("{:<3} {place:<4} {:>7}", row.piece.to_string(), row.value);
    }
    let value = value_for_black(network, position);
    println!("total {value}");
    let own = if position.side_to_move() == Color::Black { value } else { -value };
    println!("value {own} for {}", position.side_to_move());
}

fn explain_linear(weights: &Weights, position: &Position) {
    let told = explain(position, weights);
    println!("centipawns, positive for black; {} to move", position.side_to_move());
    println!("{:<12} {:>9} {:>9} {:>9}", "", "opening", "endgame", "now");
    let line = |name: &str, opening: f64, endgame: f64, now: f64| {
        println!("{name:<12} {opening:>9.1} {endgame:>9.1} {now:>9.1}");
    };
    line("material", told.material, told.material, told.material);
    let mut sums = [told.material; 2];
    for &(group, pair) in &told.groups {
        line(group.name(), pair[0], pair[1], told.blended(pair));
        sums = [sums[0] + pair[0], sums[1] + pair[1]];
    }
    line("total", sums[0], sums[1], told.total());
    println!("progress {:.3}", told.progress);
    println!(
        "exchange {:.0} (what the side to move can win at once; search takes its place)",
        told.exchange
    );
    let own = if position.side_to_move() == Color::Black { told.total() } else { -told.total() };
    println!("value {own:.0} for {}", position.side_to_move());
}
