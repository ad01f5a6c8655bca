//! Every kind of long run, from its plan: killed at any append and resumed, or shared out in shards
//! and merged, it comes to the bytes of an unbroken run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use yomikiri_base::packed::{UnpackLimits, read_file};
use yomikiri_runs::Plan;
use yomikiri_shogi::Position;

const YOMIKIRI: &str = env!("CARGO_BIN_EXE_yomikiri");

/// A kind at a size that takes a second or two: its plan, how many units its log has in all, and
/// how many files it comes to that are compared.
struct Case {
    name: &'static str,
    plan: &'static str,
    units: u32,
    files: usize,
}

const ENGINES: &str =
    r#"["name=a nodes=60 option.USI_Hash=1", "name=b nodes=30 option.USI_Hash=1"]"#;

const CASES: [Case; 13] = [
    Case {
        name: "match",
        plan: r#"{"version": 1, "kind": "match", "engines": ENGINES, "pairs": 2,
                  "rules": {"max_moves": 30}}"#,
        units: 4,
        files: 3,
    },
    Case {
        name: "rate",
        plan: r#"{"version": 1, "kind": "rate", "engines": ENGINES, "pairs": 2, "format": "gauntlet",
                  "rules": {"max_moves": 20}}"#,
        units: 4,
        files: 3,
    },
    Case {
        name: "lab",
        plan: r#"{"version": 1, "kind": "lab", "experiment": "tsume-widening", "quick": true,
                  "settings": {"most": 2, "nodes": 200, "hash_mib": 1,
                  "sets": ["data/tsume/mined.tsv", "data/tsume/zukou_odd.tsv"]}}"#,
        units: 56,
        files: 3,
    },
    Case {
        name: "positions",
        plan: r#"{"version": 1, "kind": "learn-positions", "units": 4,
                  "settings": {"games_per_unit": 1, "nodes": 30}, "set": ["Evaluation=material"]}"#,
        units: 4,
        files: 4,
    },
    Case {
        name: "solve",
        plan: r#"{"version": 1, "kind": "solve", "sets": ["MATES"],
                  "settings": {"seconds": null, "nodes": 3000, "memory_mib": 4}}"#,
        units: 6,
        files: 2,
    },
    Case {
        name: "go-solve",
        plan: r#"{"version": 1, "kind": "go-solve", "set": "CAPTURES",
                  "settings": {"nodes": 500, "moves": "zones"}}"#,
        units: 6,
        files: 1,
    },
    Case {
        name: "problems",
        plan: r#"{"version": 1, "kind": "problems", "set": "NEXT", "nodes": 50,
                  "engine": "option.USI_Hash=1"}"#,
        units: 5,
        files: 1,
    },
    Case {
        name: "make-problems",
        plan: r#"{"version": 1, "kind": "make-problems", "games": "SCORED", "count": 9, "gap": 0,
                  "first_nodes": 200, "deep_nodes": 300, "seed": 1,
                  "engine": "option.USI_Hash=1"}"#,
        units: 12,
        files: 1,
    },
    Case {
        name: "openings",
        plan: r#"{"version": 1, "kind": "openings", "count": 2, "plies": 3, "nodes": 300,
                  "judge_nodes": 30, "even": 5000, "engine": "option.USI_Hash=1"}"#,
        units: 8,
        files: 1,
    },
    Case {
        name: "analyse",
        plan: r#"{"version": 1, "kind": "analyse", "games": "GAMES", "nodes": 60,
                  "engine": "option.USI_Hash=1"}"#,
        units: 4,
        files: 8,
    },
    Case {
        name: "book",
        plan: r#"{"version": 1, "kind": "learn-book", "games": ["SCORED"],
                  "options": {"plies": 3, "least": 2}, "nodes": 100}"#,
        units: 6,
        files: 1,
    },
    Case {
        name: "levels",
        plan: r#"{"version": 1, "kind": "learn-levels", "games": ["SCORED"], "limit": 4,
                  "options": {"levels": [1, 3], "judge_nodes": 100, "every": 20}}"#,
        units: 4,
        files: 1,
    },
    Case {
        name: "tune",
        plan: r#"{"version": 1, "kind": "tune", "parameters": ["lmr.divisor"], "nodes": 10,
                  "steps": 2, "pairs": 2, "rate": 0.01, "seed": 1, "resign": 300,
                  "common": ["Evaluation=material", "USI_Hash=1"]}"#,
        units: 4,
        files: 3,
    },
];

const GAMES: &str = "startpos moves 7g7f 3c3d 8h2b+\nstartpos moves 2g2f 8c8d\n\
                     startpos moves 7g7f 8c8d 7i6h\nstartpos moves 2g2f 3c3d\n";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long-runs").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The first lines of a file of the source tree, in a file of their own.
fn lines(folder: &Path, name: &str, source: &str, count: usize) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(source);
    let bytes = read_file(&source, UnpackLimits::default()).expect("the source tree");
    let text = String::from_utf8(bytes).expect("text");
    let kept = text.lines().filter(|line| !line.starts_with('#')).take(count);
    let path = folder.join(name);
    std::fs::write(&path, kept.map(|line| format!("{line}\n")).collect::<String>())
        .expect("written");
    path.display().to_string()
}

impl Case {
    fn write_plan(&self, folder: &Path) -> PathBuf {
        let mates = lines(folder, "mates.tsv", "data/tsume/mined.tsv", 6);
        let own = "crates/lab/src/papers/widening/own.jsonl";
        let captures = lines(folder, "captures.jsonl", own, 6);
        let plan = self.plan.replace("ENGINES", ENGINES);
        let next = lines(folder, "next.tsv", "data/next_moves.tsv", 5);
        let plan = plan.replace("MATES", &mates).replace("CAPTURES", &captures);
        let games = folder.join("games.usi");
        std::fs::write(&games, GAMES).expect("written");
        let plan = plan.replace("NEXT", &next).replace("GAMES", &games.display().to_string());
        let scored = lines(folder, "scored.tsv", "data/games_engine.tsv.zst", 12);
        let plan = plan.replace("SCORED", &scored);
        let path = folder.join("plan.json");
        std::fs::write(&path, plan).expect("written");
        path
    }

    fn run(&self, plan: &Path, out: &Path, more: &[&str], abort: Option<&str>) -> Output {
        let mut command = Command::new(YOMIKIRI);
        command.args(["run", "--threads", "2", "--out"]).arg(out).arg(plan).args(more);
        if let Some(moment) = abort {
            command.env("YOMIKIRI_ABORT_AFTER_APPENDS", moment);
        }
        let output = command.output().expect("the binary");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), abort.is_none(), "{} {abort:?}: {printed}", self.name);
        output
    }

    /// The results of a folder but logs, pages, what says when it was made, and times.
    fn results(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(folder, folder, &mut found);
        assert_eq!(found.len(), self.files, "{}: {:?}", self.name, found.keys());
        found
    }
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let result =
            ["csv", "tsv", "txt", "svg", "psv", "sfen", "kifu", "db"].contains(&ending.as_str());
        if path.is_dir() {
            collect(root, &path, found);
        } else if (result || name == "results.jsonl") && !name.contains("times") {
            let place = path.strip_prefix(root).expect("below").to_path_buf();
            found.insert(place, std::fs::read(&path).expect("a file"));
        }
    }
}

#[test]
fn killed_at_any_append_and_resumed() {
    for case in CASES {
        let root = folder(&format!("killed-{}", case.name));
        let plan = case.write_plan(&root);
        case.run(&plan, &root.join("whole"), &[], None);
        let expected = case.results(&root.join("whole"));
        let (half, last) = (case.units / 2, case.units);
        let moments = ["0".into(), "0.5".into(), "1".into(), half.to_string(), last.to_string()];
        for moment in &moments {
            let out = root.join(format!("after-{moment}"));
            case.run(&plan, &out, &[], Some(moment));
            case.run(&plan, &out, &[], None);
            assert!(case.results(&out) == expected, "{}, killed after {moment}", case.name);
        }
    }
}

#[test]
fn shards_merged_stage_by_stage() {
    for case in CASES {
        let root = folder(&format!("shards-{}", case.name));
        let plan = case.write_plan(&root);
        case.run(&plan, &root.join("whole"), &[], None);
        let parts = ["0", "1"].map(|part| root.join(part));
        let mut from: Option<PathBuf> = None;
        let merged = (1..).map(|round| root.join(format!("merged-{round}"))).find(|merged| {
            for (part, shard) in parts.iter().zip(["0/2", "1/2"]) {
                let mut more = vec!["--shard", shard];
                let from = from.as_ref().map(|from| from.to_str().expect("text"));
                more.extend(from.iter().flat_map(|from| ["--from", from]));
                case.run(&plan, part, &more, None);
            }
            let mut merge = Command::new(YOMIKIRI);
            let output = merge.arg("merge").arg("--out").arg(merged).args(&parts).output();
            let output = output.expect("the binary");
            let printed = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {printed}", case.name);
            from = Some(merged.clone());
            !String::from_utf8_lossy(&output.stdout).contains("comes next")
        });
        let merged = merged.expect("an end");
        assert!(case.results(&merged) == case.results(&root.join("whole")), "{}", case.name);
    }
}

/// Learners have no units: their checkpoints are what they are killed at.
const LEARNERS: [(&str, &str, &str); 3] = [
    (
        "eval",
        r#"{"version": 1, "kind": "learn-eval", "limit": 12, "config": {"passes": 1, "batch": 2}}"#,
        "weights.bin",
    ),
    (
        "policy",
        r#"{"version": 1, "kind": "learn-policy", "limit": 5, "part": "1/2",
            "config": {"positions": 500, "batch": 50, "bits": 10}}"#,
        "policy.bin",
    ),
    (
        "network",
        r#"{"version": 1, "kind": "learn-network", "config": {
            "data": {"files": ["SCORED"], "shuffle": 150},
            "architecture": {"l2": 8, "l3": 8}, "optimizer": {"positions": 320, "batch": 64},
            "validation": {"share": 5, "every": 200}}}"#,
        "network.nn",
    ),
];

/// Games by a fixed rule, with a score for every move.
fn scored_games(folder: &Path) -> String {
    let mut text = String::new();
    for game in 0..20 {
        let mut position = Position::start();
        text += "startpos moves";
        for ply in 0..40 {
            let moves = position.legal_moves();
            let mv = moves[(game * 7 + ply * 3) % moves.len()];
            text += &format!(" {mv}");
            position.play(mv);
        }
        let scores: Vec<String> = (0..36).map(|ply| (ply * 37 % 400 - 200).to_string()).collect();
        text += &format!("\tB\t4\t{}\n", scores.join(","));
    }
    let path = folder.join("scored.tsv");
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

fn learn(plan: &Path, out: &Path, threads: &str, abort: Option<u32>) -> bool {
    let mut command = Command::new(YOMIKIRI);
    command.arg("run").arg(plan).arg("--out").arg(out).args(["--threads", threads]);
    if let Some(checkpoints) = abort {
        command.env("YOMIKIRI_ABORT_AFTER_APPENDS", checkpoints.to_string());
    }
    let output = command.output().expect("the binary");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || abort.is_some(), "{printed}");
    output.status.success()
}

#[test]
fn learners_killed_at_any_checkpoint_and_on_any_threads_come_to_the_same_bytes() {
    for (name, text, file) in LEARNERS {
        let root = folder(&format!("learn-{name}"));
        let plan = root.join("plan.json");
        let text = text.replace("SCORED", &scored_games(&root));
        std::fs::write(&plan, text).expect("written");
        let read = |out: &Path| std::fs::read(out.join(file)).expect("what was learned");
        learn(&plan, &root.join("one"), "1", None);
        learn(&plan, &root.join("two"), "2", None);
        let whole = read(&root.join("one"));
        assert!(whole.len() > 500 && whole == read(&root.join("two")), "{name}");
        let killed = (0..).take_while(|&after| {
            let out = root.join(format!("after-{after}"));
            let ended = learn(&plan, &out, "2", Some(after));
            learn(&plan, &out, "1", None);
            assert!(read(&out) == whole, "{name}, killed after checkpoint {after}");
            !ended
        });
        assert!(killed.count() >= 4, "{name}");
    }
}

#[test]
fn every_kind_of_plan_is_killed_here() {
    // The error for a kind that there is not names all that there are.
    let error = Plan::parse(r#"{"kind": "none"}"#).expect_err("no kind").to_string();
    let (_, kinds) = error.split_once("expected one of ").expect("the kinds");
    let kinds: BTreeSet<&str> = kinds.split('`').skip(1).step_by(2).collect();
    let plans = CASES.iter().map(|case| case.plan).chain(LEARNERS.iter().map(|it| it.1));
    let kind = |plan: &'static str| plan.split("\"kind\": \"").nth(1)?.split('"').next();
    assert_eq!(plans.filter_map(kind).collect::<BTreeSet<_>>(), kinds);
}

#[test]
fn a_plan_is_written_by_the_command_and_wrong_ones_are_refused() {
    let root = folder("plans");
    let file = root.join("plan.json");
    let mut command = Command::new(YOMIKIRI);
    command.args(["match", "-e", "name=a nodes=5", "-e", "name=b nodes=6", "--plan"]).arg(&file);
    assert!(command.output().expect("the binary").status.success());
    let text = std::fs::read_to_string(&file).expect("a plan");
    assert!(text.contains("\"kind\": \"match\"") && text.contains("name=b nodes=6"), "{text}");
    for (plan, part) in [
        ("{}", "kind"),
        ("nonsense", "no plan"),
        (r#"{"version": 7, "kind": "match"}"#, "version 7"),
        (r#"{"kind": "lab", "experiment": "none"}"#, "no experiment `none`"),
        (r#"{"kind": "lab", "experiment": "widening", "qiuck": true}"#, "qiuck"),
        (r#"{"kind": "solve", "sets": ["nowhere.tsv"]}"#, "nowhere.tsv"),
    ] {
        std::fs::write(&file, plan).expect("written");
        let mut command = Command::new(YOMIKIRI);
        command.arg("run").arg(&file).arg("--out").arg(root.join("o"));
        let output = command.output().expect("the binary");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && printed.contains(part), "{plan}: {printed}");
    }
}
