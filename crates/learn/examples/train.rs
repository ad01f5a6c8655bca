//! From game records to weights, read top to bottom: games, patterns, progress, training, a look
//! at the games that were kept aside.
//!
//! `cargo run --release -p yomikiri-learn --example train -- GAMES OUT [CONFIG] [LIMIT] [MINUTES]`
#![allow(clippy::print_stdout, clippy::print_stderr)]

use core::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;
use yomikiri_engine::eval::linear::{LinearWeights, Patterns};
use yomikiri_engine::eval::stage::ProgressModel;
use yomikiri_learn::agreement::{Method, agreement};
use yomikiri_learn::mining::{MiningOptions, mine};
use yomikiri_learn::trainer::LinearTrainer;
use yomikiri_learn::{Config, Dataset, stage};

// Long: a script, read from top to bottom.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize| arguments.get(index).map(String::as_str);
    let (Some(games), Some(out)) = (word(0), word(1)) else {
        return Err("usage: train GAMES OUT [CONFIG] [LIMIT] [MINUTES]".into());
    };
    let config = match word(2) {
        Some(path) => Config::from_toml(&std::fs::read_to_string(path)?)?,
        None => Config::default(),
    };
    let limit: usize = word(3).map_or(Ok(usize::MAX), str::parse)?;
    let minutes: u64 = word(4).map_or(Ok(u64::MAX / 60), str::parse)?;

    let began = Instant::now();
    let dataset = Dataset::read(&[games], Default::default())?;
    let (mut train, test) = dataset.split();
    println!("{} games, {} kept aside, {:?}", train.len(), test.len(), began.elapsed());

    let few = train[..train.len().min(3_000)].to_vec();
    let mined = mine(&few, MiningOptions::default());
    let patterns = Patterns::new(mined.into_iter().map(|(pattern, _)| pattern).collect())?;
    let learned = ProgressModel::Learned(Box::new(stage::train(&few, 2)));
    for model in [&ProgressModel::HandMade, &learned] {
        println!("progress {:?}", stage::fit(&test, model));
    }
    println!("{} patterns, {:?}", patterns.len(), began.elapsed());

    train.truncate(limit);
    let start = LinearWeights {
        patterns: Arc::new(patterns),
        progress: learned,
        ..LinearWeights::default()
    };
    let text = config.to_toml();
    let mut trainer = LinearTrainer::new(config, &start, &train, 1);
    println!("{} positions, {:?}", trainer.positions, began.elapsed());
    let mut last = String::new();
    trainer.run(&train, 1, &mut |_, report| {
        last = format!(
            "{} of {} batches, loss {:.4}, agreement {:.2} %",
            report.done, report.total, report.loss, report.agreement
        );
        println!("{last} ({} siblings) {:?}", report.siblings, began.elapsed());
        if began.elapsed().as_secs() < 60 * minutes {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let sources: Vec<String> =
        dataset.sources.iter().map(|(name, digest)| format!("{name} sha256 {digest}")).collect();
    let lineage = format!(
        "data: {}; {} games trained on (those whose hash is not in the test set); patterns and \
         progress from the first {} of them\nresult: {last}\nconfig:\n{text}",
        sources.join(", "),
        train.len(),
        few.len()
    );
    let weights = trainer.weights(lineage);
    std::fs::write(out, weights.to_bytes()?)?;

    let test = &test[..test.len().min(40)];
    for method in [Method::Exchange, Method::Quiescence] {
        let found = agreement(test, &weights, method, &mut |_, _| ControlFlow::Continue(()));
        println!("{method:?} {:?} of {} positions", found.all.per_cent(), found.all.positions);
    }
    println!("{:?}", began.elapsed());
    Ok(())
}
