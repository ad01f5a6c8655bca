use super::*;
use crate::Shard;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

fn who(host: &str) -> Provenance {
    Provenance { host: host.into(), ..Provenance::default() }
}

/// A run of two stages, the second with as many units as the first has even squares; what it comes
/// to is the sum of the second, which is also written to a file.
fn toy(stages: &mut dyn Stages, out: &Path) -> Result<u64, StageError> {
    let identity = Identity::new("toy", 1, json!({"units": 7}));
    stages.begin(&out.join("log.jsonl"), &identity)?;
    let keys = |count: usize| UnitKeys::List((0..count).map(|at| format!("k{at}")).collect());
    let square = |at: usize| unit_value(&(at as u64 * at as u64));
    let first =
        StageUnits { name: "squares", keys: keys(7), group: 1, work: &square, watch: &Unwatched };
    let squares: Vec<Unit<u64>> = all_units("squares", stages.stage(&first)?)?;
    let even: Vec<u64> = squares.iter().map(|unit| unit.value).filter(|v| v % 2 == 0).collect();
    let add = |at: usize| unit_value(&(even[at] + 1));
    let second = StageUnits {
        name: "sums",
        keys: keys(even.len()),
        group: 1,
        work: &add,
        watch: &Unwatched,
    };
    let sums: Vec<Unit<u64>> = all_units("sums", stages.stage(&second)?)?;
    let sum = sums.iter().map(|unit| unit.value).sum();
    if stages.writes() {
        std::fs::write(out.join("sum.txt"), format!("{sum}")).expect("written");
    }
    Ok(sum)
}

/// 0, 4, 16, 36, each and one more.
const SUM: u64 = 60;

fn local(out: &Path, change: impl FnOnce(&mut LocalStages<'_>)) -> Result<u64, StageError> {
    let mut stages = LocalStages::new(2, who("one"));
    change(&mut stages);
    toy(&mut stages, out)
}

#[test]
fn shards_stage_by_stage_come_to_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    assert_eq!(local(&path("whole"), |_| {}).expect("a run"), SUM);
    let parts = [path("0"), path("1")];
    let mut merged: Option<PathBuf> = None;
    for round in ["first", "second"] {
        for (index, part) in parts.iter().enumerate() {
            let done = local(part, |stages| {
                stages.shard = Shard::new(index, 2).expect("a shard");
                stages.from = merged.clone();
            });
            assert!(matches!(done, Err(StageError::Incomplete { .. })), "{round}: {done:?}");
        }
        let logs = parts.each_ref().map(|part| part.join("log.jsonl"));
        let out = path(round).join("log.jsonl");
        crate::unit_log::merge(&out, &logs).expect("merged");
        merged = Some(out);
    }
    let done = local(&path("second"), |stages| stages.works = false);
    assert_eq!(done.expect("complete"), SUM);
    let log = |name: &str| std::fs::read_to_string(path(name).join("log.jsonl")).expect("a log");
    let lines = |text: String| text.lines().count();
    assert_eq!(lines(log("second")), lines(log("whole")));
    let early = local(&path("first"), |stages| stages.works = false);
    assert!(matches!(early, Err(StageError::Incomplete { done: 0, total: 4, .. })), "{early:?}");
}

/// Drives a run as a cluster does, with two workers; ends early after this many units.
fn drive(out: &Path, most: usize) -> Option<Result<u64, StageError>> {
    let folder = out.to_path_buf();
    let owner = Owner::start(who("owner"), move |stages: &mut dyn Stages| toy(stages, &folder));
    let owner = owner.expect("a thread");
    let elsewhere = PathBuf::from("nowhere");
    let run =
        move |stages: &mut dyn Stages| toy(stages, &elsewhere).map(|_| ()).map_err(Into::into);
    let mut workers = [UnitWorker::new(run.clone()), UnitWorker::new(run)];
    let identity = owner.identity().expect("it begins");
    assert_eq!(workers[0].identity().expect("it begins"), identity);
    let done = AtomicUsize::new(0);
    while let Some(AwaitedUnits::Stage(stage)) = owner.next_stage() {
        for &at in &stage.missing {
            let worker = &mut workers[at % 2];
            let key = &stage.keys[at];
            let (value, seconds) = worker.unit(&stage.before, &stage.name, key).expect("done");
            if done.fetch_add(1, Ordering::Relaxed) == most {
                return None;
            }
            let unit = (key.clone(), value, seconds);
            let twice = vec![unit.clone(), unit];
            assert_eq!(owner.put(&stage.name, twice, &who("worker")), Some(1));
        }
    }
    Some(owner.finish())
}

#[test]
fn an_owner_and_workers_come_to_the_whole_also_when_it_is_broken_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = drive(&folder.path().join("whole"), usize::MAX).expect("a whole run");
    assert_eq!(whole.expect("a sum"), SUM);
    assert!(!Path::new("nowhere").exists(), "a worker writes nothing");
    let broken = folder.path().join("broken");
    let mut breaks = 0;
    let sum = loop {
        // The log is free again as soon as the thread of the owner has ended.
        match drive(&broken, 3) {
            Some(done) => break done.expect("a sum"),
            None => breaks += 1,
        }
        while crate::append::AppendFile::open(&broken.join("log.jsonl")).is_err() {
            std::thread::yield_now();
        }
    };
    assert_eq!((sum, breaks), (SUM, 3));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(read("broken/sum.txt"), read("whole/sum.txt"));
}

#[test]
fn a_worker_says_what_it_cannot_do() {
    let run =
        |stages: &mut dyn Stages| toy(stages, Path::new("nowhere")).map(|_| ()).map_err(Into::into);
    let mut worker = UnitWorker::new(run);
    let error = worker.unit(&[], "sums", "k0").expect_err("results are missing").to_string();
    assert!(error.contains("`squares` comes first"), "{error}");
    let error = worker.unit(&[], "squares", "k9").expect_err("no such unit").to_string();
    assert!(error.contains("no unit `k9`"), "{error}");
    let values = (0..7).map(|at| json!(at * at)).collect();
    let before = [FinishedStage { name: "squares".into(), values }];
    assert_eq!(worker.unit(&before, "sums", "k3").expect("done").0, json!(37));
    // Back to an earlier stage.
    assert_eq!(worker.unit(&[], "squares", "k3").expect("done").0, json!(9));
    let sums = FinishedStage { name: "sums".into(), values: vec![json!(1); 4] };
    let all = [before[0].clone(), sums];
    assert!(matches!(worker.unit(&all, "none", "k0"), Err(WorkerError::NoStage(_))));
    let failing = UnitWorker::new(|_| Err("no data".into())).unit(&[], "a", "b");
    assert_eq!(failing.expect_err("it failed").to_string(), "no data");
}

/// A learner of three steps: the state is a sum, to which every step adds its units' squares; what
/// it comes to is the last sum.
fn learner(stages: &mut dyn Stages, out: &Path) -> Result<u64, StageError> {
    stages.begin(&out.join("log.jsonl"), &Identity::new("learner", 1, json!(3)))?;
    let number = |bytes: &[u8]| u64::from(bytes[0]);
    let square = |asked: StepUnit<'_>| {
        let unit = number(asked.unit);
        assert!(number(asked.state) < 100 && asked.number < 3);
        match unit {
            99 => Err("no such square".into()),
            unit => Ok(vec![(unit * unit) as u8]),
        }
    };
    if stages.step_role() == StepRole::Worker {
        stages.serve(&mut { square })?;
    }
    let mut sum = 0;
    for step in 0..3_u8 {
        let units: Vec<Vec<u8>> = (0..4).map(|unit| vec![unit + step]).collect();
        let (number, state) = (u64::from(step), vec![sum as u8]);
        let squares = stages.step(Step { number, state, units })?;
        sum += squares.iter().map(|square| u64::from(square[0])).sum::<u64>();
    }
    Ok(sum)
}

#[test]
fn the_steps_of_a_learner_are_done_by_workers() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_path_buf();
    let owner = Owner::start(who("owner"), move |stages: &mut dyn Stages| learner(stages, &out));
    let owner = owner.expect("a thread");
    let run = |stages: &mut dyn Stages| {
        learner(stages, Path::new("nowhere")).map(|_| ()).map_err(Into::into)
    };
    let mut workers = [UnitWorker::new(run), UnitWorker::new(run)];
    assert_eq!(owner.identity(), Some(workers[1].identity().expect("it begins")));
    let mut steps = 0;
    while let Some(AwaitedUnits::Step(step)) = owner.next_stage() {
        let state = std::sync::Arc::new(step.state.clone());
        let done = step.units.iter().enumerate().map(|(at, unit)| {
            let worker = &mut workers[at % 2];
            worker.step_unit(step.number, &state, unit.clone()).expect("a square")
        });
        let done: Vec<Vec<u8>> = done.collect();
        // Late results of another step, and too few of them, are passed over.
        owner.put_step(step.number + 1, done.clone());
        owner.put_step(step.number, done[1..].to_vec());
        owner.put_step(step.number, done);
        steps += 1;
    }
    let expected: u64 = (0..3).flat_map(|step| (step..step + 4).map(|unit| unit * unit)).sum();
    assert_eq!((owner.finish().expect("a sum"), steps), (expected, 3));
    let state = std::sync::Arc::new(vec![0]);
    let failed = workers[0].step_unit(0, &state, vec![99]).expect_err("it fails");
    assert_eq!(failed.to_string(), "no such square");
    assert_eq!(workers[0].step_unit(0, &state, vec![5]).expect("it goes on"), [25]);
    assert!(matches!(workers[1].unit(&[], "squares", "k0"), Err(WorkerError::NoStage(_))));
}
