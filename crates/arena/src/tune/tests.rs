use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use yomikiri_base::{LocalStages, Provenance, Shard, unit_log};

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
    fn between(
        &mut self,
        settings: [&[i32]; 2],
        _: &StopToken,
        go: &mut dyn FnMut(&PairWork<'_>) -> Result<(), StageError>,
    ) -> Result<(), StageError> {
        let edge = distance(settings[1]) - distance(settings[0]);
        let won = 1.0 / (1.0 + (-4.0 * edge).exp());
        let (played, most) = (&self.played, self.most);
        go(&|pair| {
            if played.fetch_add(1, Ordering::Relaxed) >= most {
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
    assert_eq!(path.len(), 301);
    let last = &path[300];
    assert!((last[0] - 240.0).abs() < 40.0, "{last:?}");
    assert!((last[1] - 12.0).abs() < 3.0, "{last:?}");
}

fn incomplete<T: std::fmt::Debug>(run: Result<T, TuneError>) {
    let expected = matches!(run, Err(TuneError::Stage(StageError::Incomplete { .. })));
    assert!(expected, "{run:?}");
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let whole = go_on(&folder.path().join("whole"), Shard::WHOLE, usize::MAX).unwrap();
    let log = folder.path().join("broken");
    for _ in 0..3 {
        incomplete(go_on(&log, Shard::WHOLE, 333));
    }
    assert_eq!(go_on(&log, Shard::WHOLE, 333).unwrap(), whole);
}

#[test]
fn shards_of_a_step_are_merged_and_lead_to_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str| folder.path().join(name);
    incomplete(go_on(&log("whole"), Shard::WHOLE, 12));
    let mut merged: Option<PathBuf> = None;
    for step in 0..3 {
        let parts = [0, 1].map(|index| {
            let part = log(&format!("{step}-{index}"));
            if let Some(merged) = &merged {
                std::fs::copy(merged, &part).unwrap();
            }
            let shard: Shard = format!("{index}/2").parse().unwrap();
            incomplete(go_on(&part, shard, usize::MAX));
            part
        });
        let out = log(&format!("{step}-merged"));
        unit_log::merge(&out, &parts).unwrap();
        merged = Some(out);
    }
    // All pairs of the first three steps are there, and the fourth step of both runs is the same.
    let lines = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().filter(|line| line.contains("\"unit\"")).count()
    };
    assert_eq!(lines(&merged.clone().unwrap()), 12);
    let all = |path: &Path| go_on(path, Shard::WHOLE, usize::MAX).unwrap();
    assert_eq!(all(&merged.unwrap()), all(&log("whole")));
}

#[test]
fn another_run_and_an_empty_one_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    incomplete(go_on(&log, Shard::WHOLE, 5));
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

#[test]
fn a_plan_says_what_cannot_be_tuned() {
    let plan = |words: &[&str]| TunePlan {
        parameters: words.iter().map(ToString::to_string).collect(),
        ..TunePlan::default()
    };
    let wrong = |plan: &TunePlan| plan.tunables().expect_err("refused").to_string();
    let declared = plan(&["lmr.divisor:20"]).tunables().expect("a number");
    assert_eq!((declared.len(), declared[0].step), (1, 20.0));
    assert!(plan(&["all"]).tunables().expect("numbers").len() > 10);
    assert!(wrong(&plan(&["lmr.divisr"])).contains("lmr.divisr"));
    assert!(wrong(&plan(&["null_move.enabled"])).contains("only numbers"));
    assert!(wrong(&plan(&["lmr.divisor:-1"])).contains("positive"));
    assert!(wrong(&plan(&["lmr.divisor", "lmr.divisor"])).contains("twice"));
    let odd = TunePlan { common: vec!["Evaluatoin=material".into()], ..plan(&["all"]) };
    assert!(wrong(&odd).contains("Evaluatoin"));
}
