use super::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use yomikiri_base::{LocalStages, Provenance, Shard, unit_log};

const LOG: &str = "log.jsonl";

/// A game is won by the setting that lies nearer to (240, 12), mostly.
struct Toy {
    played: AtomicUsize,
    /// Pairs after which the run is stopped.
    most: usize,
}

fn distance(values: &[i32]) -> f64 {
    let [a, b] = values else { panic!("two parameters") };
    (f64::from(*a) - 240.0).powi(2) / 1e4 + (f64::from(*b) - 12.0).powi(2) / 25.0
}

impl Objective for Toy {
    fn step<'a>(&'a mut self, settings: [&[i32]; 2], _: &'a StopToken) -> Box<PlayPair<'a>> {
        let edge = distance(settings[1]) - distance(settings[0]);
        let won = 1.0 / (1.0 + (-4.0 * edge).exp());
        Box::new(move |pair| {
            if self.played.fetch_add(1, Ordering::Relaxed) >= self.most {
                return Ok(None);
            }
            let mut random = fastrand::Rng::with_seed(pair as u64);
            let game = |chance: f64| if chance < won { 1 } else { -1 };
            Ok(Some(game(random.f64()) + game(random.f64())))
        })
    }
}

fn tuning() -> Tuning {
    let tunable = |name: &str, start, max, step| Tunable {
        name: name.to_string(),
        start,
        min: 0.0,
        max,
        step,
    };
    Tuning {
        tunables: vec![tunable("far", 100.0, 1000.0, 20.0), tunable("near", 3.0, 40.0, 1.0)],
        gains: Gains { steps: 300, rate: 0.02 },
        pairs: 4,
        seed: 5,
    }
}

fn go_on(log: &Path, shard: Shard, most: usize) -> Result<TuningPath, TuneError> {
    let identity = Identity::new("tune", 1, serde_json::json!("toy"));
    let mut stages = LocalStages::new(1, Provenance::default());
    stages.shard = shard;
    let mut toy = Toy { played: AtomicUsize::new(0), most };
    tuning().run(&mut stages, (log, &identity), &mut toy, &mut |_, _| {})
}

#[test]
fn a_toy_is_tuned_to_its_optimum() {
    let folder = tempfile::tempdir().unwrap();
    let path = go_on(&folder.path().join("log"), Shard::WHOLE, usize::MAX).unwrap();
    assert!(path.is_complete() && path.values.len() == 301);
    let last = &path.values[300];
    assert!((last[0] - 240.0).abs() < 40.0, "{last:?}");
    assert!((last[1] - 12.0).abs() < 3.0, "{last:?}");
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let whole = go_on(&folder.path().join("whole"), Shard::WHOLE, usize::MAX).unwrap();
    let log = folder.path().join("broken");
    let mut calls = 0;
    let path = loop {
        calls += 1;
        let path = go_on(&log, Shard::WHOLE, 333).unwrap();
        if path.is_complete() {
            break path;
        }
    };
    assert!(calls == 4 && path == whole, "{calls}");
}

#[test]
fn shards_of_a_step_are_merged_and_lead_to_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let whole = go_on(&folder.path().join("whole"), Shard::WHOLE, 12).unwrap();
    let mut merged: Option<PathBuf> = None;
    for step in 0..3 {
        let part = |index: usize| {
            let part = folder.path().join(format!("{step}-{index}"));
            std::fs::create_dir(&part).unwrap();
            if let Some(merged) = &merged {
                std::fs::copy(merged.join(LOG), part.join(LOG)).unwrap();
            }
            let shard: Shard = format!("{index}/2").parse().unwrap();
            assert!(!go_on(&part.join(LOG), shard, usize::MAX).unwrap().is_complete());
            part
        };
        let parts = [part(0), part(1)];
        let out: PathBuf = folder.path().join(format!("{step}-merged"));
        std::fs::create_dir(&out).unwrap();
        unit_log::merge(&out.join(LOG), &parts.map(|part| part.join(LOG))).unwrap();
        merged = Some(out);
    }
    let last = go_on(&merged.unwrap().join(LOG), Shard::WHOLE, 0).unwrap();
    assert_eq!(last.values, whole.values);
    assert_eq!(last.values.len(), 4);
}

#[test]
fn another_run_and_an_empty_one_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    go_on(&log, Shard::WHOLE, 5).unwrap();
    let identity = Identity::new("tune", 1, serde_json::json!("other"));
    let run = |tuning: &Tuning, log: &Path| {
        let mut stages = LocalStages::new(1, Provenance::default());
        let mut toy = Toy { played: AtomicUsize::new(0), most: 1 };
        tuning.run(&mut stages, (log, &identity), &mut toy, &mut |_, _| {})
    };
    assert!(matches!(run(&tuning(), &log), Err(TuneError::Stage(StageError::Log(_)))));
    let nothing = Tuning { tunables: Vec::new(), ..tuning() };
    let elsewhere = folder.path().join("elsewhere");
    assert!(matches!(run(&nothing, &elsewhere), Err(TuneError::NoParameter)));
}
