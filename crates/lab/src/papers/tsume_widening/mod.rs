//! Dynamic widening in tsume-shogi: which treatment of the flood of interpositions is best?
//!
//! The widening paper names other domains as future work. Mates are the nearest: a check from a
//! distance can be answered by dropping any piece on any square in between. Plain df-pn, delayed
//! interpositions, weak proof numbers and `top n`, `rate n` run on the same problems with the same
//! limits.

use serde::{Deserialize, Serialize};
use yomikiri_base::unit_log::Unit;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_proof::solver::{Options, Solver};
use yomikiri_proof::widening::{Groups, Sum, Widening, Width};
use yomikiri_tsume::problems::{Problem, read_set};
use yomikiri_tsume::solve::default_options;

use crate::page::{Finding, FindingVerdict, Page};
use crate::run::{Experiment, LabError, Run};
use crate::table::Table;

/// The experiment.
pub struct TsumeWidening;

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TsumeWideningSettings {
    /// Files of problems, one SFEN a line.
    pub sets: Vec<String>,
    /// Most problems of each set.
    pub most: usize,
    /// Most nodes for a problem.
    pub nodes: u64,
    /// Memory for each search in MiB.
    pub hash_mib: usize,
}

impl crate::run::ExperimentSettings for TsumeWideningSettings {
    fn standard(quick: bool) -> Self {
        let sets = ["data/tsume/mined.tsv", "data/tsume/zukou_odd.tsv", "data/tsume/musou_odd.tsv"];
        Self {
            sets: sets.map(str::to_owned).to_vec(),
            most: if quick { 12 } else { 1_000_000 },
            nodes: if quick { 50_000 } else { 3_000_000 },
            hash_mib: if quick { 32 } else { 512 },
        }
    }
}

/// What one search gave.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct SolveOutcome {
    solved: bool,
    proven: bool,
    nodes: u64,
}

/// The rules compared, by name.
fn variants() -> Vec<(String, Options)> {
    let plain =
        Options { epsilon_percent: default_options().epsilon_percent, ..Options::default() };
    let with = |widening| plain.with_widening(widening);
    let grouped = |groups| Widening { groups, ..Widening::default() };
    let delayed = Options { defender_nodes: grouped(Groups::Delayed), ..plain };
    let mut all = vec![
        ("plain".to_owned(), plain),
        ("delayed interpositions".to_owned(), delayed),
        ("greatest of a group".to_owned(), with(grouped(Groups::Greatest))),
        ("weak proof numbers".to_owned(), with(Widening { sum: Sum::Weak, ..Widening::default() })),
        (
            "weak, delayed".to_owned(),
            Options {
                defender_nodes: Widening { sum: Sum::Weak, ..grouped(Groups::Delayed) },
                ..delayed
            },
        ),
    ];
    for n in [20, 10, 5, 2] {
        all.push((
            format!("top {n}"),
            with(Widening { width: Width::Top(n), ..Widening::default() }),
        ));
    }
    for n in [2, 5, 10] {
        all.push((
            format!("rate {n}"),
            with(Widening { width: Width::Rate(n), ..Widening::default() }),
        ));
    }
    let default = default_options();
    let weakened = |rule| Widening { sum: Sum::Weak, ..rule };
    all.push((
        "default, but weak".to_owned(),
        Options {
            attacker_nodes: weakened(default.attacker_nodes),
            defender_nodes: weakened(default.defender_nodes),
            ..default
        },
    ));
    all.push(("default".to_owned(), default));
    all
}

fn solve(problem: &Problem, options: Options, settings: &TsumeWideningSettings) -> SolveOutcome {
    let limits =
        ProofLimits { memory: settings.hash_mib << 20, ..ProofLimits::nodes(settings.nodes) };
    let outcome = Solver::new(options, limits).solve(&problem.game(None));
    SolveOutcome {
        solved: outcome.number.is_solved(),
        proven: outcome.number.is_proven(),
        nodes: outcome.nodes,
    }
}

impl Experiment for TsumeWidening {
    fn name(&self) -> &'static str {
        "tsume-widening"
    }

    fn title(&self) -> &'static str {
        "Dynamic widening in tsume-shogi"
    }

    fn question(&self) -> &'static str {
        "Interpositions flood the defender's nodes of a mate search. Does dynamic widening help there, against plain \
         df-pn, delayed interpositions and weak proof numbers?"
    }

    fn parts(&self) -> &'static [&'static str] {
        &["perft", "tsume"]
    }

    fn run(&self, run: &mut Run<'_>) -> Result<Page, LabError> {
        let settings: TsumeWideningSettings = run.settings()?;
        let mut sets = Vec::new();
        for name in &settings.sets {
            let bytes = run.read_data(std::path::Path::new(name))?;
            let bad = |fault: String| LabError::Data { name: name.clone(), fault };
            let text = String::from_utf8(bytes).map_err(|error| bad(error.to_string()))?;
            let mut problems = read_set(&text).map_err(|error| bad(error.to_string()))?;
            thin_out(&mut problems, settings.most);
            sets.push((name.clone(), problems));
        }
        let mut page = Page::new();
        let mut totals = Vec::new();
        for (name, problems) in &sets {
            let (table, times) = measure_set(run, name, problems, &settings, &mut totals)?;
            page.heading(name);
            page.table(
                &format!("At most {} nodes a problem, {} problems", settings.nodes, problems.len()),
                &table,
            );
            let file = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".tsv").to_owned();
            run.write_table(&file, &table)?;
            run.write_table(&format!("{file}-times"), &times)?;
        }
        let ranking = ranking(&totals);
        page.heading("All sets");
        page.table("The rules over all sets, most solved first, then fewest nodes", &ranking);
        run.write_table("all_sets", &ranking)?;
        page.finding(judge(&totals));
        Ok(page)
    }
}

/// Keeps at most `most` problems, spread over the whole set.
fn thin_out(problems: &mut Vec<Problem>, most: usize) {
    let step = problems.len().div_ceil(most.max(1)).max(1);
    let mut at = 0;
    problems.retain(|_| {
        at += 1;
        (at - 1) % step == 0
    });
}

/// Name, problems solved and nodes spent of a variant over all sets.
type Total = (String, usize, u64);

fn measure_set(
    run: &mut Run<'_>,
    name: &str,
    problems: &[Problem],
    settings: &TsumeWideningSettings,
    totals: &mut Vec<Total>,
) -> Result<(Table, Table), LabError> {
    let variants = variants();
    let items: Vec<(usize, usize)> =
        (0..problems.len()).flat_map(|p| (0..variants.len()).map(move |v| (p, v))).collect();
    let key = |&(p, v): &(usize, usize)| format!("{}/{}", problems[p].id, variants[v].0);
    let work = |&(p, v): &(usize, usize)| solve(&problems[p], variants[v].1, settings);
    let units: Vec<Unit<SolveOutcome>> = run.measure_units(name, &items, key, work)?;
    let mut table = Table::new(["rule", "solved", "mates", "nodes", "nodes where all solve"]);
    let mut times = Table::new(["rule", "seconds"]);
    let by = |p: usize, v: usize| units[p * variants.len() + v].value;
    let seconds = |p: usize, v: usize| units[p * variants.len() + v].seconds;
    let common: Vec<usize> =
        (0..problems.len()).filter(|&p| (0..variants.len()).all(|v| by(p, v).solved)).collect();
    for (v, (rule, _)) in variants.iter().enumerate() {
        let mine = || (0..problems.len()).map(|p| by(p, v));
        let solved = mine().filter(|o| o.solved).count();
        let nodes: u64 = mine().map(|o| o.nodes).sum();
        let shared: u64 = common.iter().map(|&p| by(p, v).nodes).sum();
        table.row([
            rule.clone(),
            solved.to_string(),
            mine().filter(|o| o.proven).count().to_string(),
            nodes.to_string(),
            shared.to_string(),
        ]);
        let spent: f64 = (0..problems.len()).map(|p| seconds(p, v)).sum();
        times.row([rule.clone(), format!("{spent:.1}")]);
        match totals.iter_mut().find(|total| total.0 == *rule) {
            Some(total) => (total.1, total.2) = (total.1 + solved, total.2 + nodes),
            None => totals.push((rule.clone(), solved, nodes)),
        }
    }
    Ok((table, times))
}

/// The rules over all sets, the best first.
fn ranking(totals: &[Total]) -> Table {
    let mut order: Vec<&Total> = totals.iter().collect();
    order.sort_by_key(|total| (std::cmp::Reverse(total.1), total.2));
    let mut table = Table::new(["rule", "solved", "nodes"]);
    for (rule, solved, nodes) in order {
        table.row([rule.clone(), solved.to_string(), nodes.to_string()]);
    }
    table
}

/// The paper's finding beside ours.
fn judge(totals: &[Total]) -> Finding {
    let of = |name: &str| totals.iter().find(|t| t.0 == name).map_or((0, 0), |t| (t.1, t.2));
    let best = |start: &str| {
        totals.iter().filter(|t| t.0.starts_with(start)).max_by_key(|t| (t.1, u64::MAX - t.2))
    };
    let plain = of("plain");
    let widened = best("top").into_iter().chain(best("rate")).max_by_key(|t| (t.1, u64::MAX - t.2));
    let (name, solved, nodes) = widened.cloned().unwrap_or_default();
    let gains = |t: &Total| t.1 > plain.0 || t.1 == plain.0 && t.2 < plain.1;
    let widenings: Vec<&Total> =
        totals.iter().filter(|t| t.0.starts_with("top") || t.0.starts_with("rate")).collect();
    let better = widenings.iter().filter(|t| gains(t)).count();
    let verdict = match better {
        0 => FindingVerdict::Fails,
        _ if better == widenings.len() => FindingVerdict::Holds,
        _ => FindingVerdict::Partly,
    };
    let default = of("default");
    Finding {
        claim: "Widening helps where the moves are not already few and well chosen".to_owned(),
        published: "Go, all legal moves: 31 of 434 solved plain, 139 with top 5".to_owned(),
        ours: format!(
            "plain {} solved with {} nodes; the best widening, {name}, {solved} with {nodes}; {better} of {} widenings are \
             better than plain; default {} with {}",
            plain.0,
            plain.1,
            widenings.len(),
            default.0,
            default.1
        ),
        verdict,
        words: "Mates have few moves but for interpositions, so the gain is that of not counting those.".to_owned(),
    }
}
