use std::fs;

use serde_json::json;

use super::*;

fn identity() -> Identity {
    let mut identity = Identity::new("test", 1, json!({"nodes": 100}));
    identity.data.insert("games".into(), "abc".into());
    identity
}

fn host(name: &str) -> Provenance {
    Provenance { program: "p".into(), version: "v".into(), host: name.into() }
}

fn open(path: &Path) -> Result<UnitLog, UnitLogError> {
    UnitLog::open(path, &identity(), &host("one"))
}

fn keys(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("k{at}")).collect()
}

/// The work: a stage of numbers, then one whose results follow from the first.
fn run(path: &Path, shard: Shard, stop_after: usize) -> Result<Vec<f64>, UnitLogError> {
    let log = open(path)?;
    let mut left = stop_after;
    let mut sum = 0.0;
    let mut results = Vec::new();
    for (name, units) in [("first", 5), ("second", 4)] {
        let stage = log.stage(name, keys(units))?;
        for at in stage.missing(shard) {
            if left == 0 {
                return Ok(results);
            }
            left -= 1;
            stage.put(at, &(sum + 0.1 + at as f64 / 3.0), 0.25)?;
        }
        for at in 0..units {
            results.extend(stage.get::<f64>(at)?.map(|unit| unit.value));
        }
        sum = results.iter().sum();
    }
    Ok(results)
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("readable")
}

#[test]
fn a_run_that_is_killed_after_any_append_ends_with_the_same_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.jsonl");
    let expected = run(&whole, Shard::WHOLE, usize::MAX).expect("a run");
    assert_eq!(expected.len(), 9);
    for steps in 0..=9 {
        let path = folder.path().join(format!("deep/broken-{steps}.jsonl"));
        run(&path, Shard::WHOLE, steps).expect("a part");
        assert_eq!(run(&path, Shard::WHOLE, usize::MAX).expect("the rest"), expected);
        assert_eq!(text(&path), text(&whole));
    }
}

#[test]
fn a_log_torn_at_any_byte_is_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, torn) = (folder.path().join("whole"), folder.path().join("torn"));
    let expected = run(&whole, Shard::WHOLE, usize::MAX).expect("a run");
    let bytes = fs::read(&whole).expect("readable");
    // Every byte of the last lines, and some of those before.
    let near_the_end = bytes.len() - 300;
    for length in (0..near_the_end).step_by(11).chain(near_the_end..bytes.len()) {
        fs::write(&torn, &bytes[..length]).expect("written");
        assert_eq!(run(&torn, Shard::WHOLE, usize::MAX).expect("resumed"), expected, "{length}");
        assert_eq!(fs::read(&torn).expect("readable"), bytes, "{length}");
        // A file system may fill up what was not written.
        fs::write(&torn, [&bytes[..length], &[0; 20]].concat()).expect("written");
        if length > 0 && length % 7 == 0 {
            assert_eq!(run(&torn, Shard::WHOLE, usize::MAX).expect("resumed"), expected);
        }
    }
}

#[test]
fn damage_before_the_last_line_is_refused_and_nothing_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    run(&path, Shard::WHOLE, usize::MAX).expect("a run");
    let lines: Vec<String> = text(&path).lines().map(str::to_string).collect();
    let refused = |lines: &[String]| {
        let damaged = lines.join("\n") + "\n";
        fs::write(&path, &damaged).expect("written");
        let error = open(&path).err().expect("refused").to_string();
        assert_eq!(text(&path), damaged);
        error
    };
    let mut broken = lines.clone();
    broken[3].truncate(20);
    assert!(refused(&broken).contains("line 4"), "the line is named");
    let mut twice = lines.clone();
    twice.insert(4, lines[3].clone());
    assert!(refused(&twice).contains("there twice"));
    assert!(refused(&["{\"id\":\"1\"}".to_string()]).contains("no log of this version"));
    assert!(refused(&lines[1..]).contains("no log of this version"));
    let next = lines[0].replacen("\"version\":1", "\"version\":2", 1);
    assert!(refused(&[next]).contains("no log of this version"));
}

#[test]
fn two_units_with_one_key_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = open(&folder.path().join("log")).expect("a new log");
    let twice = ["a", "b", "a"].map(str::to_string).to_vec();
    let error = log.stage("stage", twice).err().expect("refused").to_string();
    assert_eq!(error, "stage `stage` has two units with the key `a`");
    let stage = log.stage("stage", keys(2)).expect("a stage");
    stage.put(0, &1, 0.0).expect("written");
    assert!(matches!(stage.put(0, &1, 0.0), Err(UnitLogError::DuplicateKey { .. })));
    assert!(stage.put(2, &1, 0.0).is_err(), "there is no such unit");
}

#[test]
fn another_run_is_refused_with_the_field_that_differs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    run(&path, Shard::WHOLE, 3).expect("a part");
    let before = text(&path);
    let mut other = identity();
    other.settings["nodes"] = json!(200);
    let error = UnitLog::open(&path, &other, &host("one")).err().expect("refused").to_string();
    assert!(error.contains("settings.nodes is 100 there and 200 here"), "{error}");
    other = identity();
    other.parts.insert("search".into(), "123".into());
    let error = UnitLog::open(&path, &other, &host("one")).err().expect("refused").to_string();
    assert!(error.contains("parts.search is nothing there and \"123\" here"), "{error}");
    assert_eq!(text(&path), before);
    // Another machine may go on; the log says who did what.
    let log = UnitLog::open(&path, &identity(), &host("two")).expect("the same run");
    let stage = log.stage("first", keys(5)).expect("the stage");
    stage.put(3, &0.5, 0.0).expect("written");
    let by = |at| stage.get::<f64>(at).expect("readable").expect("finished").by;
    assert_eq!([by(0), by(3)], [0, 1]);
    assert_eq!(log.provenances(), [host("one"), host("two")]);
}

#[test]
fn a_stage_keeps_its_units_and_waits_for_those_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = open(&folder.path().join("log")).expect("a new log");
    let first = log.stage("first", keys(2)).expect("a stage");
    first.put(0, &1, 0.0).expect("written");
    assert!(matches!(log.stage("first", keys(3)), Err(UnitLogError::OtherStage(_))));
    let error = log.stage("second", keys(1)).err().expect("refused").to_string();
    assert!(error.contains("1 of 2 units"), "{error}");
    first.put(1, &2, 0.0).expect("written");
    log.stage("second", keys(1)).expect("now it can begin");
    assert_eq!(first.units(), 2);
}

#[test]
fn one_process_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let first = open(&path).expect("a new log");
    assert!(matches!(open(&path), Err(UnitLogError::Append(AppendError::InUse(_)))));
    assert_eq!(first.path(), path);
    drop(first);
    open(&path).expect("free again");
}

#[test]
fn shards_merge_into_the_log_of_an_unsharded_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let whole = path("whole");
    let expected = run(&whole, Shard::WHOLE, usize::MAX).expect("a run");
    let shards = [0, 1, 2].map(|at| Shard::new(at, 3).expect("a shard"));
    let parts = ["a", "b", "c"].map(path);
    for (shard, part) in shards.iter().zip(&parts) {
        let stopped = run(part, *shard, usize::MAX).expect_err("the second stage must wait");
        assert!(matches!(stopped, UnitLogError::Incomplete { .. }), "{stopped}");
    }
    let first = path("first");
    merge(&first, &parts).expect("the first stage");
    assert!(text(&whole).starts_with(&text(&first)));
    for (shard, part) in shards.iter().zip(&parts) {
        fs::copy(&first, part).expect("copied");
        run(part, *shard, usize::MAX).expect("its part of the second stage");
    }
    let merged = path("merged");
    merge(&merged, &parts).expect("all");
    assert_eq!(text(&merged), text(&whole));
    assert_eq!(run(&merged, Shard::WHOLE, 0).expect("nothing left to do"), expected);
}

#[test]
fn merge_refuses_holes_other_runs_and_results_that_differ() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let part = |name: &str, identity: &Identity, units: &[(usize, i32)]| {
        let log = UnitLog::open(&path(name), identity, &host(name)).expect("a new log");
        let stage = log.stage("stage", keys(3)).expect("a stage");
        for (at, value) in units {
            stage.put(*at, value, *at as f64).expect("written");
        }
        path(name)
    };
    let first = part("first", &identity(), &[(0, 10), (2, 12)]);
    let second = part("second", &identity(), &[(1, 11), (2, 12)]);
    let out = path("out");
    let error = |parts: &[&PathBuf]| {
        let parts: Vec<PathBuf> = parts.iter().map(|part| (*part).clone()).collect();
        let error = merge(&out, &parts).expect_err("refused");
        assert!(!out.exists());
        error.to_string()
    };
    assert!(error(&[&first]).contains("unit 1 of stage `stage`"));
    assert!(error(&[&second, &second]).contains("unit 0 of stage `stage`"));
    let conflict = part("conflict", &identity(), &[(1, 11), (2, 13)]);
    let message = error(&[&first, &conflict]);
    assert!(
        message.contains("unit `k2` of stage `stage`") && message.contains("conflict"),
        "{message}"
    );
    let mut other = identity();
    other.seed = 9;
    let other = part("other", &other, &[(1, 11)]);
    assert!(error(&[&first, &other]).contains("seed is 9 there and 0 here"));
    assert!(error(&[]).contains("no log"));
    assert!(error(&[&path("none")]).contains("none"));
    merge(&out, &[first, second]).expect("merged");
    assert!(matches!(merge(&out, &[]), Err(UnitLogError::Io { .. })), "never overwritten");
    let log = UnitLog::open(&out, &identity(), &host("first")).expect("readable");
    let stage = log.stage("stage", keys(3)).expect("the stage");
    let found: Vec<_> = (0..3).map(|at| stage.get::<i32>(at).expect("readable")).collect();
    let values: Vec<_> = found.iter().flatten().map(|unit| (unit.value, unit.by)).collect();
    assert_eq!(values, [(10, 0), (11, 1), (12, 0)]);
}

#[test]
fn units_of_another_run_are_taken_over_where_there_are_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let mut other = identity();
    other.seed = 5;
    let log = UnitLog::open(&old, &other, &host("old")).expect("a new log");
    let stage = log.stage("stage", keys(2)).expect("a stage");
    stage.put(0, &7, 1.0).expect("written");
    stage.put(1, &8, 2.0).expect("written");
    let own = open(&new).expect("a new log");
    let stage = own.stage("stage", ["k1", "k2", "k0"].map(str::to_string).to_vec());
    let stage = stage.expect("a stage");
    stage.put(2, &1, 0.5).expect("written");
    let foreign = UnitLog::read_foreign(&old).expect("readable");
    assert_eq!(stage.take_over(&foreign).expect("taken over"), 1);
    assert_eq!(stage.missing(Shard::WHOLE), [1]);
    let unit = |at| stage.get::<i32>(at).expect("readable").expect("finished");
    assert_eq!(unit(0), Unit { value: 8, seconds: 2.0, by: 1 });
    assert_eq!(unit(2), Unit { value: 1, seconds: 0.5, by: 0 });
    assert_eq!(own.provenances()[1], host("old"));
}

#[test]
fn a_fresh_result_is_what_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = open(&folder.path().join("log")).expect("a new log");
    let stage = log.stage("stage", keys(300)).expect("a stage");
    let mut bits = 0x3ff0_0000_0000_0001_u64;
    for at in 0..299 {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let value = f64::from_bits(bits >> 2);
        let fresh = stage.put(at, &(value, value as f32, bits), 0.0).expect("written");
        assert_eq!(Some(fresh.clone()), stage.get(at).expect("readable"));
        assert_eq!((fresh.value.0.to_bits(), fresh.value.2), (value.to_bits(), bits));
    }
    let error = stage.put(299, &f64::NAN, 0.0).expect_err("JSON has no such number").to_string();
    assert!(error.contains("cannot be kept"), "{error}");
    assert!(stage.get::<String>(0).is_err(), "not such a result");
}

#[test]
fn a_numbered_stage_can_grow_and_ends_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (name, units) in [("a", [0, 2]), ("b", [1, 3])] {
        let log = open(&path(name)).expect("a new log");
        let stage = log.numbered_stage("games", 3).expect("a stage");
        stage.put(units[0], &units[0], 0.0).expect("written");
        assert!(stage.put(3, &3, 0.0).is_err(), "no such game yet");
        let more = log.numbered_stage("games", 4).expect("the same stage");
        more.put(units[1], &units[1], 0.0).expect("written");
        assert!(log.stage("later", keys(1)).is_err());
        assert_eq!(more.missing(Shard::WHOLE).len(), 2);
    }
    merge(&path("whole"), &[path("a"), path("b")]).expect("merged");
    assert!(matches!(merge(&path("hole"), &[path("b")]), Err(UnitLogError::Hole { at: 0, .. })));
    let log = open(&path("whole")).expect("readable");
    let stage = log.numbered_stage("games", 4).expect("the stage");
    assert!(stage.missing(Shard::WHOLE).is_empty());
    assert_eq!(stage.get::<usize>(3).expect("readable").map(|unit| unit.value), Some(3));
    let all = log.units_of::<usize>("games").expect("readable");
    assert_eq!(all, [(0, 0), (1, 1), (2, 2), (3, 3)]);
}
