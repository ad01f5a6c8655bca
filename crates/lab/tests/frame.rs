//! The frame: a run that is stopped anywhere and begun again gives the same results as an unbroken
//! one; a config file with an unknown key is refused; the page stands alone.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use yomikiri_base::packed::UnpackLimits;
use yomikiri_base::{Shard, StopToken};
use yomikiri_lab::manifest::Manifest;
use yomikiri_lab::page::Page;
use yomikiri_lab::papers::{ALL, find};
use yomikiri_lab::run::{config_table, report, run};
use yomikiri_lab::stored::MANIFEST_FILE;
use yomikiri_lab::{
    Comparison, Experiment, LabError, LabPlan, NoProgress, Progress, Results, Run, RunOptions,
    Stored,
};

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
        settings: None,
        games: None,
        problems: None,
        carry: None,
        shard: Shard::WHOLE,
        from: None,
        measures: true,
        command: "yomikiri lab run widening --quick".into(),
        input: UnpackLimits::default(),
        stop: StopToken::new(),
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
    stop: StopToken,
}

impl Progress for StopAfter {
    fn begin(&self, _stage: &str, _total: usize, _done: usize) {}
    fn advance(&self) {
        if self.seen.fetch_add(1, Ordering::Relaxed) + 1 >= self.units {
            self.stop.stop();
        }
    }
    fn end(&self) {}
}

/// An experiment made small, after how many units it is stopped, how many findings it has, and
/// files that must come out the same.
struct Case {
    name: &'static str,
    settings: &'static str,
    units: usize,
    findings: usize,
    files: &'static [&'static str],
}

const WIDENING: Case = Case {
    name: "widening",
    settings: "node_limit = 150\nown_problems = 2\n",
    units: 5,
    findings: 10,
    files: &["counts.csv", "searches.csv", "ratios.csv", "figure-05.svg", "figure-12.png"],
};

const PROBCUT: Case = Case {
    name: "probcut",
    settings: "games = 1\nnormal_every = 30\nnormal_nodes = 2000\nwindow_games = 1\nwindow_every = 40\n\
               window_nodes = 500\ngame_window_every = 40\nset = \"checks\"\nset_games = 1\nset_every = 60\nset_nodes = 20000\n\
               evaluations = [\"material\", \"king-danger\", \"linear\"]\n\
               problems = 1\nproblem_depth = 2\nmatch_margins = [1.0]\nphase_margins = [[-1.0, 1.0, 0.5]]\n\
               match_pairs = 1\nleast_pairs = 1\nmatch_nodes = 50\ntimed_pairs = 0\n",
    units: 5,
    findings: 22,
    files: &[
        "sets.csv",
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
    units: 5,
    findings: 14,
    files: &["ratings.csv", "changes.csv", "problems.csv", "forms-nodes.csv", "rating-nodes.svg"],
};

const SPECULATIVE: Case = Case {
    name: "speculative",
    settings: "calibration = 6\ndefenders = 6\nattackers = 2\nown_nodes = 50\n",
    units: 5,
    findings: 16,
    files: &[
        "mates-found.csv",
        "survived-defender.csv",
        "survived-attacker.csv",
        "agreement-attacker.csv",
        "checks.csv",
    ],
};

const TSUME_WIDENING: Case = Case {
    name: "tsume-widening",
    settings: "sets = [\"data/tsume/mined.tsv\"]\nmost = 4\nnodes = 300\nhash_mib = 1\n",
    units: 9,
    findings: 4,
    files: &["mined.csv", "all_sets.csv"],
};

const HEX_WIDENING: Case = Case {
    name: "hex-widening",
    settings: "size = 4\npositions = 3\nstones = 2\nnodes = 300\nhash_mib = 1\n",
    units: 9,
    findings: 5,
    files: &["solved.csv"],
};

const BONANZA: Case = Case {
    name: "bonanza",
    settings: "train_games = 2\ntest_games = 1\nbatch = 1\nmatch_pairs = 1\nmiddle_pairs = 1\n\
               match_nodes = 20\nsweep_q = [0.3]\n",
    units: 2,
    findings: 18,
    files: &["agreement.csv", "matches.csv", "maps.csv", "figure-1-endgame.svg"],
};

/// Nine units: two threads may finish two of them before each stop.
const POSITIONS: Case = Case {
    name: "speculative-positions",
    settings: "games = 5\nmated_games = 4\nplies = 1\neffort = { each = 100, all = 300, answers = 300 }\n",
    units: 1,
    findings: 0,
    files: &["positions.csv", "positions.jsonl.zst"],
};

const CASES: [Case; 8] =
    [WIDENING, PROBCUT, SINGULAR, SPECULATIVE, TSUME_WIDENING, HEX_WIDENING, BONANZA, POSITIONS];

#[test]
fn every_experiment_that_is_broken_off_ends_like_an_unbroken_one() {
    let mut names: Vec<&str> = ALL.iter().map(|experiment| experiment.name()).collect();
    let mut tested: Vec<&str> = CASES.iter().map(|case| case.name).collect();
    names.sort_unstable();
    tested.sort_unstable();
    assert_eq!(tested, names);
    CASES.iter().for_each(check_broken_run);
}

/// The log of a run that was killed in the middle of a line.
fn tear(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let mut bytes = std::fs::read(&path).expect("readable");
            bytes.extend_from_slice(b"{\"unit\":{\"stage\":\"plain");
            std::fs::write(&path, bytes).expect("written");
        }
    }
}

/// The bytes of a result file; of a table without the columns of measured times.
fn result(folder: &Path, file: &str) -> Vec<u8> {
    let bytes = std::fs::read(folder.join(file)).expect(file);
    let Some(_) = file.strip_suffix(".csv") else { return bytes };
    let text = String::from_utf8(bytes).expect("a table");
    let heading: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
    let times = heading.iter().position(|name| *name == "seconds");
    let kept = |line: &str| {
        let cells = line.split(',').enumerate().filter(|(at, _)| Some(*at) != times);
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",")
    };
    text.lines().map(kept).collect::<Vec<_>>().join("\n").into_bytes()
}

/// All result files as they are; not those that say when they were made.
fn all_results(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "csv" || end == "svg"));
    files.sort();
    files.into_iter().map(|path| (path.clone(), std::fs::read(&path).expect("a file"))).collect()
}

fn check_broken_run(case: &Case) {
    let name = case.name;
    let experiment = find(name).expect("the experiment");
    let whole = folder(&format!("whole-{name}"));
    let settings = config(&whole, &format!("[{name}]\n{}", case.settings));
    let summary = run(experiment, &options(&whole, &settings), &NoProgress).expect("a run");
    assert_eq!(summary.findings.len(), case.findings, "{name}");
    let results = all_results(&whole.join(name));
    run(experiment, &options(&whole, &settings), &NoProgress).expect("nothing left to do");
    assert!(
        results == all_results(&whole.join(name)),
        "{name}: a finished run changes its results"
    );

    let broken = folder(&format!("broken-{name}"));
    let mut breaks = 0;
    loop {
        let options = options(&broken, &settings);
        let (units, seen) = (case.units, AtomicUsize::new(0));
        match run(experiment, &options, &StopAfter { units, seen, stop: options.stop.clone() }) {
            Ok(_) => break,
            Err(LabError::Interrupted { .. }) => breaks += 1,
            Err(other) => panic!("{name}: {other}"),
        }
        tear(&broken.join(name));
    }
    assert!(breaks >= 3, "{name}: stopped {breaks} times only");
    for file in case.files {
        let read = |folder: &Path| result(&folder.join(name), file);
        assert!(read(&whole) == read(&broken), "{name}: {file}");
    }
    check_pages(case, &whole);
    check_report(case, &whole, &broken);
    let _ = std::fs::remove_dir_all(whole);
    let _ = std::fs::remove_dir_all(broken);
}

/// The page is made of the stored results alone; two runs of the same settings compare as the same;
/// what a manifest describes is what was run.
fn check_report(case: &Case, whole: &Path, broken: &Path) {
    let name = case.name;
    let experiment = find(name).expect("the experiment");
    let (own, other) = (whole.join(name), broken.join(name));
    let results = all_results(&own);
    for (path, _) in &results {
        std::fs::remove_file(path).expect("removed");
    }
    for entry in std::fs::read_dir(&own).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("work-")) {
            std::fs::remove_file(path).expect("removed");
        }
    }
    let summary = report(experiment, &own).expect("a page");
    assert_eq!(summary.findings.len(), case.findings, "{name}");
    assert!(results == all_results(&own), "{name}: made again, the results differ");
    let comparison = Comparison::of(&own, &other).expect("two folders");
    let times = |table: &str| table.contains("times") || table.starts_with("node-rate");
    assert!(comparison.findings.is_empty(), "{name}: {comparison}");
    assert!(comparison.tables.iter().all(|(table, _)| times(table)), "{name}: {comparison}");
    let manifest = Manifest::read(&own.join(MANIFEST_FILE)).expect("a manifest");
    let plan = LabPlan::of_manifest(&manifest).expect("a plan");
    assert_eq!((plan.experiment.as_str(), plan.quick, plan.seed), (name, true, 7));
    let again = folder(&format!("again-{name}"));
    std::fs::create_dir_all(again.join(name)).expect("a folder");
    let log = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        let is_log = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("work-"))
        };
        entries.map(|entry| entry.path()).find(is_log).expect("a log")
    };
    let kept = log(&other);
    let carried = again.join(name).join(kept.file_name().expect("a name"));
    std::fs::copy(&kept, carried).expect("copied");
    // Nothing is measured: the log of the other run is that of this plan.
    let options = RunOptions { measures: false, ..plan.options(&again) };
    run(experiment, &options, &NoProgress).expect("the same run");
    let _ = std::fs::remove_dir_all(again);
}

#[test]
fn an_experiment_is_known_by_the_name_that_it_had() {
    for experiment in ALL {
        for name in experiment.old_names() {
            assert_eq!(find(name).map(|found| found.name()), Some(experiment.name()));
        }
    }
    assert_eq!(find("progress").map(|found| found.name()), Some("bonanza"));
    let folder = folder("old-name");
    let config = folder.join("config.toml");
    std::fs::write(&config, "[progress]\ntrain_games = 7\n").expect("written");
    let table = config_table(&config, "bonanza").expect("the table under its old name");
    assert_eq!(table.get("train_games").and_then(toml::Value::as_integer), Some(7));
    let text = r#"{"experiment": "progress", "settings": {}}"#;
    let plan: LabPlan = serde_json::from_str(text).expect("a plan");
    assert_eq!(plan.folder(Path::new("out")), Path::new("out/bonanza"));
}

fn check_pages(case: &Case, out: &Path) {
    let name = case.name;
    let page = std::fs::read_to_string(out.join(name).join("index.html")).expect("a page");
    let has_figures = case.files.iter().any(|file| file.ends_with("svg"));
    assert!(page.contains("--quick"), "{name}: no command");
    let data = Manifest::read(&out.join(name).join(MANIFEST_FILE)).expect("a manifest").data;
    // Hex makes its own positions.
    assert_eq!(data.is_empty(), name == "hex-widening", "{name}: {data:?}");
    for (file, sum) in data {
        assert!(page.contains(&format!("sha-256 {sum}")), "{name}: {file}");
    }
    assert!(page.contains("<svg") || !has_figures, "{name}: no figure");
    assert!(page.contains("Verdict") || case.findings == 0, "{name}: no verdict");
    let japanese = std::fs::read_to_string(out.join(name).join("index.ja.html")).expect("a page");
    assert!(japanese.contains("lang=\"ja\"") && page.contains("index.ja.html"), "{name}");
    assert!(page.contains("class=\"quick\""), "{name}: no banner on a quick run");
    for link in links(&page) {
        assert!(out.join(name).join(&link).exists(), "{name}: nothing at {link}");
    }
    if case.findings > 0 {
        let digest = find(name)
            .and_then(|experiment| experiment.claims())
            .map(|claims| yomikiri_base::checksum::sha256_hex(claims.as_bytes()));
        assert!(page.contains(&digest.expect("claims")), "{name}: the digest of the claims");
    }
    check_numbers(name, &page, &out.join(name));
    check_numbers(name, &japanese, &out.join(name));
    for outside in ["src=\"http", "href=\"http", "<script", "@import"] {
        assert!(!page.contains(outside), "{name}: {outside}");
    }
    let index = std::fs::read_to_string(out.join("index.html")).expect("an index");
    assert!(index.contains(&format!("{name}/index.html")), "{name}");
}

/// The files that a page links to.
fn links(page: &str) -> Vec<String> {
    let parts = page.split("href=\"").skip(1);
    let targets = parts.filter_map(|part| part.split('"').next());
    targets.filter(|target| !target.starts_with('#')).map(str::to_string).collect()
}

/// Every table on the page has the cells of its file.
fn check_numbers(name: &str, page: &str, folder: &Path) {
    let mut tables = 0;
    for part in page.split("<div class=\"table\">").skip(1) {
        let Some(file) = links(part.split("</p>").next().unwrap_or_default()).first().cloned()
        else {
            continue;
        };
        let html = part.split("</table>").next().unwrap_or_default();
        let cells = |html: &str| -> Vec<String> {
            let text = |cell: &str| cell.split_once('>').map_or("", |(_, rest)| rest).to_string();
            let cell = |part: &str| unescape(text(part).split("</").next().unwrap_or_default());
            html.split("<td").skip(1).map(cell).collect()
        };
        let text = std::fs::read_to_string(folder.join(&file)).expect(&file);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let rows: Vec<Vec<String>> = reader
            .records()
            .map(|row| row.expect("a row").iter().map(str::to_string).collect())
            .collect();
        let (_, body) = html.split_once("<tbody>").expect("a body");
        assert_eq!(rows[1..].concat(), cells(body), "{name}: {file}");
        tables += 1;
    }
    assert!(tables > 0, "{name}: no table with a file");
}

fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}

/// An experiment whose units share a key.
struct Careless;

impl Experiment for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }
    fn title(&self) -> &'static str {
        "Careless"
    }
    fn question(&self) -> &'static str {
        "Are two units told apart?"
    }
    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        let doubled = run.measure("stage", &[1, 2, 3], |_| "-".to_string(), |item| item * 2)?;
        Results::new(&doubled)
    }
    fn report(&self, _: &Stored) -> Result<Page, LabError> {
        Ok(Page::new())
    }
}

#[test]
fn two_units_with_one_key_are_refused() {
    let out = folder("one-key");
    let options = RunOptions { config: None, ..options(&out, Path::new("none")) };
    let error = run(&Careless, &options, &NoProgress).expect_err("refused").to_string();
    assert!(error.contains("stage `stage` has two units with the key `-`"), "{error}");
    let _ = std::fs::remove_dir_all(out);
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
