//! Units done by workers and appended by an owner come to the files of a local run, also when the
//! owner is started again in the middle.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use yomikiri_base::stages::{AwaitedUnits, OpenStep, UnitWorker};
use yomikiri_runs::{Context, Front, Local, Plan, RunReport, owner, run_local, worker};

const PLANS: [&str; 3] = [
    r#"{"kind": "lab", "experiment": "tsume-widening", "quick": true, "settings": {"most": 2,
        "nodes": 100, "hash_mib": 1, "sets": ["data/tsume/mined.tsv", "data/tsume/musou_odd.tsv"]}}"#,
    r#"{"kind": "learn-positions", "units": 4, "settings": {"games_per_unit": 1, "nodes": 20},
        "set": ["Evaluation=material"]}"#,
    r#"{"kind": "lab", "experiment": "widening", "quick": true,
        "settings": {"node_limit": 60, "own_problems": 1}}"#,
];

/// The results of a step, its units done by turns.
fn step_results(workers: &mut [UnitWorker; 2], step: &OpenStep) -> Vec<Vec<u8>> {
    let state = Arc::new(step.state.clone());
    let units = step.units.iter().enumerate();
    let done = units.map(|(at, unit)| workers[at % 2].step_unit(step.number, &state, unit.clone()));
    done.map(|result| result.expect("a result")).collect()
}

/// Tables, figures and positions.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below").display().to_string();
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if ["csv", "svg", "psv", "tsv", "bin", "nn"].contains(&&*ending)
                && !name.contains("times")
                && name != "checkpoint.bin"
            {
                found.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    assert!(!found.is_empty());
    found
}

/// Drives a run with two workers; breaks off before the unit of a number.
fn drive(plan: &Plan, out: &Path, most: usize) -> Option<RunReport> {
    let context = Context::here();
    let owner = owner(plan, out, &context).expect("an owner");
    let mut workers = [worker(plan, &context), worker(plan, &context)];
    let identity = owner.identity().expect("it begins");
    assert_eq!(workers[1].identity().expect("the same data"), identity);
    let mut done = 0;
    while let Some(opened) = owner.next_stage() {
        let stage = match opened {
            AwaitedUnits::Stage(stage) => stage,
            AwaitedUnits::Step(_) if done == most => {
                assert!(owner.finish().is_err());
                return None;
            }
            AwaitedUnits::Step(step) => {
                owner.put_step(step.number, step_results(&mut workers, &step));
                done += 1;
                continue;
            }
        };
        // In batches and not in order, as a cluster does.
        for batch in stage.missing.chunks(3) {
            let mut units = Vec::new();
            for &at in batch.iter().rev() {
                if done == most {
                    // The log is free when the thread of the owner has ended.
                    assert!(owner.finish().is_err());
                    return None;
                }
                let key = stage.keys[at].clone();
                let result = workers[at % 2].unit(&stage.before, &stage.name, &key);
                let (value, seconds) = result.expect("a result");
                units.push((key, value, seconds));
                done += 1;
            }
            let count = units.len();
            assert_eq!(owner.put(&stage.name, units.clone(), &context.provenance), Some(count));
            // A straggler's result counts no more.
            let late = owner.put(&stage.name, units, &context.provenance);
            assert!(late.is_none_or(|appended| appended == 0));
        }
    }
    Some(owner.finish().expect("a whole run"))
}

/// Plans that read what another run has made.
fn learners(folder: &Path) -> Vec<String> {
    let plan = Plan::parse(PLANS[1]).expect("a plan");
    let here = Local { threads: 2, ..Local::default() };
    let made = run_local(&plan, folder, &here, &Context::here(), &mut Front::default());
    assert!(made.expect("positions").complete);
    let files = [0, 1, 2, 3].map(|unit| folder.join(format!("units/{unit:06}.psv")));
    let network = serde_json::json!({"kind": "learn-network", "config": {
        "data": {"files": files, "shuffle": 100},
        "optimizer": {"batch": 600, "part": 256, "positions": 4200},
        "validation": {"share": 4, "block": 8, "every": 1200},
    }});
    let eval = r#"{"kind": "learn-eval", "limit": 20, "config": {"passes": 2, "batch": 9}}"#;
    vec![network.to_string(), eval.to_string()]
}

#[test]
fn they_come_to_the_files_of_a_local_run() {
    let positions = tempfile::tempdir().expect("a folder");
    let learners = learners(positions.path());
    for text in PLANS.into_iter().chain(learners.iter().map(String::as_str)) {
        let plan = Plan::parse(text).expect("a plan");
        assert_eq!(Plan::parse(&plan.to_text()).expect("a plan"), plan);
        let folder = tempfile::tempdir().expect("a folder");
        let (local, driven) = (folder.path().join("local"), folder.path().join("driven"));
        let here = Local { threads: 2, ..Local::default() };
        let report = run_local(&plan, &local, &here, &Context::here(), &mut Front::default());
        assert!(report.expect("a run").complete, "{}", plan.kind());
        let mut breaks = 0;
        let report = loop {
            match drive(&plan, &driven, 3) {
                None if breaks < 2 => breaks += 1,
                None => break drive(&plan, &driven, usize::MAX).expect("to the end"),
                Some(report) => break report,
            }
        };
        assert!(report.complete && breaks > 0, "{}", plan.kind());
        let (driven, local) = (results(&driven), results(&local));
        assert!(driven == local, "{}: {:?}, {:?}", plan.kind(), driven.keys(), local.keys());
    }
}
