//! Trains a network: config, checkpoint, output, threads, commit.

use core::ops::ControlFlow;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::{Duration, Instant};
use yomikiri_learn::network::lineage::Lineage;
use yomikiri_learn::network::{Config, Trainer, checkpoint};

fn write(trainer: &Trainer, out: &Path, commit: &str) {
    let bytes = trainer.parameters().to_bytes().unwrap();
    let digest = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    checkpoint::write_atomically(out, &bytes).unwrap();
    let lineage = Lineage::new(trainer, digest, Some(commit.to_string()));
    let json = lineage.to_json().unwrap();
    checkpoint::write_atomically(&out.with_extension("json"), json.as_bytes()).unwrap();
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [config, saved, out, threads, commit] = &args[..] else { panic!("five arguments") };
    let config = Config::from_toml(&std::fs::read_to_string(config).unwrap()).unwrap();
    let (saved, out, threads) = (Path::new(saved), Path::new(out), threads.parse().unwrap());
    let mut trainer = match saved.exists() {
        true => checkpoint::load(saved, config).unwrap(),
        false => Trainer::new(config).unwrap(),
    };
    println!("{} kept aside", trainer.validation().len());
    let (began, before) = (Instant::now(), trainer.positions());
    let mut last = Instant::now();
    let mut shown = Instant::now();
    let finished = trainer
        .run(threads, &mut |trainer, report| {
            let speed = (report.positions - before) as f64 / began.elapsed().as_secs_f64();
            if report.measurement.is_some() || shown.elapsed() > Duration::from_secs(10) {
                shown = Instant::now();
                let epoch = trainer.cursor().epoch;
                println!(
                    "{} epoch {epoch} loss {:.5} rate {:.6} {speed:.0}/s {:?}",
                    report.positions, report.loss, report.rate, report.measurement
                );
            }
            if last.elapsed() > Duration::from_secs(60) {
                last = Instant::now();
                checkpoint::save(saved, trainer).unwrap();
                write(trainer, out, commit);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    checkpoint::save(saved, &trainer).unwrap();
    write(&trainer, out, commit);
    println!("finished: {finished}");
}
