//! The frame: a run that is stopped anywhere and begun again gives the same results as an unbroken
//! one; a config file with an unknown key is refused; the page stands alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use yomikiri_lab::experiments::find;
use yomikiri_lab::run::run;
use yomikiri_lab::{LabError, NoProgress, Progress, RunOptions};

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("yomikiri-lab-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// A run of a few small searches.
fn options(out: &Path, config: &Path) -> RunOptions {
    RunOptions {
        quick: true,
        out: out.to_path_buf(),
        seed: 7,
        threads: 2,
        config: Some(config.to_path_buf()),
        games: None,
        carry: None,
        command: "yomikiri lab run widening --quick".into(),
        stop: Arc::new(AtomicBool::new(false)),
    }
}

fn config(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("lab.toml");
    std::fs::write(&path, text).expect("written");
    path
}

/// Raises the stop flag after some units.
struct StopAfter {
    units: usize,
    seen: AtomicUsize,
    stop: Arc<AtomicBool>,
}

impl Progress for StopAfter {
    fn begin(&self, _stage: &str, _total: usize, _done: usize) {}
    fn advance(&self) {
        if self.seen.fetch_add(1, Ordering::Relaxed) + 1 >= self.units {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
    fn end(&self) {}
}

/// An experiment made small, how many findings it has, and files that must come out the same.
struct Case {
    name: &'static str,
    settings: &'static str,
    findings: usize,
    files: &'static [&'static str],
}

const WIDENING: Case = Case {
    name: "widening",
    settings: "node_limit = 150\nsuite_problems = 2\nderived_problems = 2\n",
    findings: 7,
    files: &["counts.csv", "searches.csv", "ratios.csv", "figure-05.svg", "figure-12.png"],
};

const PROBCUT: Case = Case {
    name: "probcut",
    settings: "games = 1\nnormal_every = 30\nnormal_nodes = 2000\nwindow_games = 1\nwindow_every = 40\n\
               window_nodes = 500\nproblems = 1\nproblem_depth = 2\nmatch_margins = [1.0]\n\
               match_pairs = 1\nleast_pairs = 1\nmatch_nodes = 50\ntimed_pairs = 0\n",
    findings: 12,
    files: &[
        "positions.csv",
        "correlation.csv",
        "risk.csv",
        "efficiency.csv",
        "problems.csv",
        "matches.csv",
        "narrow-risk.csv",
        "narrow-matches.csv",
        "figure-1.svg",
        "model-linear.txt",
    ],
};

const SINGULAR: Case = Case {
    name: "singular",
    settings: "depths = [1]\nquiet_depths = [1]\nform_nodes = 50\ntimed_pairs = 0\nproblems = 2\ngames = 1\n\
               every = 40\n",
    findings: 5,
    files: &["ratings.csv", "changes.csv", "problems.csv", "forms-nodes.csv", "rating-nodes.svg"],
};

const SPECULATIVE: Case = Case {
    name: "speculative",
    settings: "calibration = 6\ndefenders = 6\nattackers = 2\nown_nodes = 50\n",
    findings: 8,
    files: &[
        "mates-found.csv",
        "survived-defender.csv",
        "survived-attacker.csv",
        "agreement-attacker.csv",
        "checks.csv",
    ],
};

#[test]
fn a_broken_run_ends_like_an_unbroken_one() {
    for case in [WIDENING, PROBCUT, SINGULAR, SPECULATIVE] {
        check_broken_run(&case);
    }
}

fn check_broken_run(case: &Case) {
    let name = case.name;
    let experiment = find(name).expect("the experiment");
    let whole = folder(&format!("whole-{name}"));
    let settings = config(&whole, &format!("[{name}]\n{}", case.settings));
    let summary = run(experiment, &options(&whole, &settings), &NoProgress).expect("a run");
    assert_eq!(summary.findings.len(), case.findings, "{name}");

    let broken = folder(&format!("broken-{name}"));
    let mut breaks = 0;
    loop {
        let options = options(&broken, &settings);
        let progress =
            StopAfter { units: 5, seen: AtomicUsize::new(0), stop: Arc::clone(&options.stop) };
        match run(experiment, &options, &progress) {
            Ok(_) => break,
            Err(LabError::Interrupted { .. }) => breaks += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(breaks >= 3, "{name}: stopped {breaks} times only");
    for file in case.files {
        let read = |folder: &Path| std::fs::read(folder.join(name).join(file)).expect(file);
        assert_eq!(read(&whole), read(&broken), "{name}: {file}");
    }
    let page = std::fs::read_to_string(whole.join(name).join("index.html")).expect("a page");
    for part in ["<svg", "sha-256", "--quick", "Verdict"] {
        assert!(page.contains(part), "{name}: {part}");
    }
    for outside in ["src=\"http", "href=\"http", "<script", "@import"] {
        assert!(!page.contains(outside), "{name}: {outside}");
    }
    let index = std::fs::read_to_string(whole.join("index.html")).expect("an index");
    assert!(index.contains(&format!("{name}/index.html")), "{name}");
    let _ = std::fs::remove_dir_all(whole);
    let _ = std::fs::remove_dir_all(broken);
}

#[test]
fn unknown_keys_are_refused() {
    let experiment = find("widening").expect("the experiment");
    let out = folder("keys");
    for (text, part) in [
        ("[widening]\nnode_limt = 5\n", "node_limt"),
        ("[widenning]\nnode_limit = 5\n", "widenning"),
        ("[widening]\nnode_limit = \"many\"\n", "node_limit"),
    ] {
        let path = config(&out, text);
        let error =
            run(experiment, &options(&out, &path), &NoProgress).expect_err("refused").to_string();
        assert!(error.contains(part) && error.contains("lab.toml"), "{error}");
    }
    let _ = std::fs::remove_dir_all(out);
}
