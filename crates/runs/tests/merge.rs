//! What `merge` refuses, and that it leaves nothing behind then.

use std::path::{Path, PathBuf};
use yomikiri_base::{Shard, UnitLogError};
use yomikiri_runs::{Context, Front, Local, Plan, RunsError, merge, run_local};

const MATES: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1\n4k4/9/4P4/9/9/9/9/9/9 b S 1\n\
                     4k4/9/4P4/9/9/9/9/9/9 b 2G 1\n";

fn plan(folder: &Path, nodes: u64) -> Plan {
    let set = folder.join("mates.tsv");
    std::fs::write(&set, MATES).expect("written");
    let text = format!(
        r#"{{"kind": "solve", "sets": [{:?}], "settings": {{"seconds": null, "nodes": {nodes}, "memory_mib": 1}}}}"#,
        set
    );
    Plan::parse(&text).expect("a plan")
}

fn part(plan: &Plan, out: &Path, shard: &str) -> PathBuf {
    let local = Local { shard: shard.parse::<Shard>().expect("a shard"), ..Local::default() };
    run_local(plan, out, &local, &Context::here(), &mut Front::default()).expect("done");
    out.to_path_buf()
}

#[test]
fn holes_mixed_runs_and_folders_in_use_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let plan = plan(folder.path(), 1000);
    let parts = [part(&plan, &path("0"), "0/2"), part(&plan, &path("1"), "1/2")];
    let other = part(&self::plan(folder.path(), 999), &path("other"), "1/2");
    let context = Context::here();
    let out = path("out");
    assert!(matches!(merge(&out, &[], &context), Err(RunsError::NoParts)));
    let hole = merge(&out, &parts[..1], &context);
    assert!(matches!(hole, Err(RunsError::Log(UnitLogError::Hole { .. }))), "{hole:?}");
    let mixed = merge(&out, &[parts[0].clone(), other], &context);
    assert!(matches!(mixed, Err(RunsError::Log(UnitLogError::OtherRun { .. }))), "{mixed:?}");
    let empty = path("empty");
    std::fs::create_dir(&empty).expect("a folder");
    assert!(matches!(merge(&out, &[empty], &context), Err(RunsError::NoPlanFile(_))));
    let left = std::fs::read_dir(&out).expect("a folder").count();
    assert_eq!(left, 0, "what was refused leaves nothing behind");
    // The order of the parts does not matter, and the same unit twice counts once.
    let [first, second] = parts;
    let merged = merge(&out, &[second.clone(), first.clone(), second.clone()], &context);
    assert!(merged.expect("merged").complete);
    let whole = part(&plan, &path("whole"), "0/1");
    for file in ["results.jsonl", "table.tsv"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).expect("results");
        assert!(read(&out) == read(&whole), "{file}");
    }
    let again = merge(&out, &[first, second], &context);
    assert!(again.is_err() && out.join("results.jsonl").exists());
}

#[test]
fn two_results_of_one_unit_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(folder.path(), 1000);
    let parts = ["a", "b"].map(|name| part(&plan, &folder.path().join(name), "0/1"));
    let log = parts[1].join("log.jsonl");
    let text = std::fs::read_to_string(&log).expect("a log");
    let forged = text.replacen("\"result\":\"mate\"", "\"result\":\"nomate\"", 1);
    assert_ne!(text, forged);
    std::fs::write(&log, forged).expect("written");
    let merged = merge(&folder.path().join("out"), &parts, &Context::here());
    assert!(matches!(merged, Err(RunsError::Log(UnitLogError::Conflict { .. }))), "{merged:?}");
}
