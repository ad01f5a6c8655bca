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
use yomikiri_tsume::problems::{MateProblem, read_set};
use yomikiri_tsume::solve::default_options;

use crate::claims::{Claim, Evidence};
use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::stored::{Results, Stored};
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

/// What is claimed before the run.
const CLAIMS: &str = include_str!("claims.toml");

/// One set: its file, its problems, and the searches by problem and rule.
#[derive(Serialize, Deserialize)]
struct SetResults {
    file: String,
    problems: Vec<String>,
    searches: Vec<Vec<SolveOutcome>>,
}

/// Everything measured.
#[derive(Serialize, Deserialize)]
struct Measured {
    rules: Vec<String>,
    sets: Vec<SetResults>,
}

/// What one search gave, and the seconds that it took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct SolveOutcome {
    solved: bool,
    proven: bool,
    nodes: u64,
    /// Not a result: it differs from run to run.
    #[serde(default)]
    seconds: f64,
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

fn solve(
    problem: &MateProblem,
    options: Options,
    settings: &TsumeWideningSettings,
) -> SolveOutcome {
    let limits =
        ProofLimits { memory: settings.hash_mib << 20, ..ProofLimits::nodes(settings.nodes) };
    let outcome = Solver::new(options, limits).solve(&problem.game(None));
    SolveOutcome {
        solved: outcome.number.is_solved(),
        proven: outcome.number.is_proven(),
        nodes: outcome.nodes,
        seconds: 0.0,
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

    fn japanese(&self) -> [&'static str; 2] {
        ["詰将棋の動的ワイドニング", "合駒であふれる玉方の節点に、動的ワイドニングは効くか。"]
    }

    fn claims(&self) -> Option<&'static str> {
        Some(CLAIMS)
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
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
        let variants = variants();
        let mut measured = Measured {
            rules: variants.iter().map(|(name, _)| name.clone()).collect(),
            sets: Vec::new(),
        };
        for (file, problems) in sets {
            let searches = search_set(run, &file, &problems, &variants, &settings)?;
            let problems = problems.into_iter().map(|problem| problem.id).collect();
            measured.sets.push(SetResults { file, problems, searches });
        }
        Results::new(&measured)
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        let settings: TsumeWideningSettings = stored.settings()?;
        let measured: Measured = stored.results()?;
        let mut page = Page::new();
        page.add_findings(stored.claims(self)?.judge(|claim| measured.evidence(claim)));
        for set in &measured.sets {
            let file = set.file.rsplit('/').next().unwrap_or(&set.file).trim_end_matches(".tsv");
            page.heading(&set.file);
            let count = set.problems.len();
            let caption = format!("At most {} nodes a problem, {count} problems", settings.nodes);
            page.table(file, caption, &measured.table(set));
            page.csv(&format!("{file}-times"), &measured.times(set));
        }
        page.heading(("All sets", "全題集"));
        page.table(
            "all_sets",
            "The rules over all sets, most solved first, then fewest nodes",
            &measured.ranking(),
        );
        Ok(page)
    }
}

/// Keeps at most `most` problems, spread over the whole set.
fn thin_out(problems: &mut Vec<MateProblem>, most: usize) {
    let step = problems.len().div_ceil(most.max(1)).max(1);
    let mut at = 0;
    problems.retain(|_| {
        at += 1;
        (at - 1) % step == 0
    });
}

fn search_set(
    run: &mut Run<'_>,
    name: &str,
    problems: &[MateProblem],
    variants: &[(String, Options)],
    settings: &TsumeWideningSettings,
) -> Result<Vec<Vec<SolveOutcome>>, LabError> {
    let items: Vec<(usize, usize)> =
        (0..problems.len()).flat_map(|p| (0..variants.len()).map(move |v| (p, v))).collect();
    let key = |&(p, v): &(usize, usize)| format!("{}/{}", problems[p].id, variants[v].0);
    let work = |&(p, v): &(usize, usize)| solve(&problems[p], variants[v].1, settings);
    let units: Vec<Unit<SolveOutcome>> = run.measure_units(name, &items, key, work)?;
    let timed = |unit: &Unit<SolveOutcome>| SolveOutcome { seconds: unit.seconds, ..unit.value };
    let outcomes: Vec<SolveOutcome> = units.iter().map(timed).collect();
    Ok(outcomes.chunks(variants.len().max(1)).map(<[_]>::to_vec).collect())
}

impl Measured {
    /// All searches by one rule.
    fn by(&self, rule: usize) -> impl Iterator<Item = SolveOutcome> {
        self.sets.iter().flat_map(move |set| set.searches.iter().map(move |by| by[rule]))
    }

    fn place(&self, rule: &str) -> Option<usize> {
        self.rules.iter().position(|known| known == rule)
    }

    fn table(&self, set: &SetResults) -> Table {
        let mut table = Table::new(["rule", "solved", "mates", "nodes", "nodes where all solve"]);
        let common = || set.searches.iter().filter(|by| by.iter().all(|one| one.solved));
        for (at, rule) in self.rules.iter().enumerate() {
            let mine = || set.searches.iter().map(|by| by[at]);
            table.row([
                rule.clone(),
                mine().filter(|one| one.solved).count().to_string(),
                mine().filter(|one| one.proven).count().to_string(),
                mine().map(|one| one.nodes).sum::<u64>().to_string(),
                common().map(|by| by[at].nodes).sum::<u64>().to_string(),
            ]);
        }
        table
    }

    fn times(&self, set: &SetResults) -> Table {
        let mut table = Table::new(["rule", "seconds"]);
        for (at, rule) in self.rules.iter().enumerate() {
            let spent: f64 = set.searches.iter().map(|by| by[at].seconds).sum();
            table.row([rule.clone(), format!("{spent:.1}")]);
        }
        table
    }

    /// Problems solved and nodes spent by a rule over all sets.
    fn total(&self, rule: usize) -> (usize, u64) {
        let solved = self.by(rule).filter(|one| one.solved).count();
        (solved, self.by(rule).map(|one| one.nodes).sum())
    }

    /// The rules over all sets, the best first.
    fn ranking(&self) -> Table {
        let mut order: Vec<usize> = (0..self.rules.len()).collect();
        order.sort_by_key(|&rule| {
            let (solved, nodes) = self.total(rule);
            (std::cmp::Reverse(solved), nodes)
        });
        let mut table = Table::new(["rule", "solved", "nodes"]);
        for rule in order {
            let (solved, nodes) = self.total(rule);
            table.row([self.rules[rule].clone(), solved.to_string(), nodes.to_string()]);
        }
        table
    }

    /// Problems that exactly one of the two rules of a claim solves, and those that both solve by
    /// the fewer nodes.
    fn evidence(&self, claim: &Claim) -> Evidence {
        let [first, second] = &claim.compare[..] else { return Evidence::missing("") };
        let (Some(a), Some(b)) = (self.place(first), self.place(second)) else {
            return Evidence::missing("A rule of the claim was not run.");
        };
        let better = |a: usize, b: usize| {
            let pairs = self.by(a).zip(self.by(b));
            pairs.filter(|(a, b)| a.solved && (!b.solved || a.nodes < b.nodes)).count()
        };
        let (won, lost) = (better(a, b), better(b, a));
        let [(solved_a, nodes_a), (solved_b, nodes_b)] = [self.total(a), self.total(b)];
        let ours = format!(
            "{first} {solved_a} solved with {nodes_a} nodes, {second} {solved_b} with {nodes_b}; better on {won} \
             problems, worse on {lost}"
        );
        Evidence::sign(won, lost, self.by(a).count(), ours)
    }
}

#[cfg(test)]
mod tests {
    use super::{CLAIMS, variants};
    use crate::claims::Claims;

    #[test]
    fn every_claim_names_two_rules() {
        let names: Vec<String> = variants().into_iter().map(|(name, _)| name).collect();
        for claim in Claims::read(CLAIMS).expect("claims").claim {
            assert_eq!(claim.compare.len(), 2, "{}", claim.name);
            assert!(claim.compare.iter().all(|name| names.contains(name)), "{}", claim.name);
        }
    }
}
