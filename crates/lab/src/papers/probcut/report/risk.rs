// Long: measuring, tables and plots of one section of the page.
//! What a cut by prediction saves and how often it is wrong: tables 3 to 6.
//!
//! Windows (position, alpha, beta) are taken where real searches call quiescence. The deep search
//! says whether it would cut; ProbCut at the root says whether it does. A: both; B: only the deep
//! search (false negative); C: only ProbCut, or on the other side (false positive); D: neither.

mod findings;

use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::{EvaluationKind, phase};
use yomikiri_engine::search::probes::Window;
use yomikiri_engine::settings::search::QuiescenceProbCut;
use yomikiri_engine::value::Value;
use yomikiri_engine::{Limits, SearchParams};

use super::{
    Bench, Breadth, FIRST, MARGINS, Models, PHASES, Published, Source, model_of, with_interval,
    with_probcut,
};
use crate::games::LabGame;
use crate::page::Page;
use crate::plot::{Axis, Mark, Plot};
use crate::run::{LabError, Run};
use crate::searcher::{ByEvaluation, is_decided};
use crate::table::Table;
use yomikiri_arena::stats::{Parts, ratio_of_groups};

const FORMS: [QuiescenceProbCut; 2] = [QuiescenceProbCut::Root, QuiescenceProbCut::Every];
const DEEP: i32 = 8;
/// Samples drawn for an interval.
const ROUNDS: usize = 400;

/// On which side of the window a search ends: above 1, below -1, inside 0.
type Side = i8;

/// One window, searched in every way.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tested {
    open: bool,
    phase: usize,
    deep: Side,
    deep_nodes: u64,
    /// By form and margin: the side that was decided, and all nodes.
    with: [[(Side, u64); 4]; 2],
}

/// The windows of one game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct OfGame {
    tested: Vec<Tested>,
    /// Windows left out because the deep value is a mate.
    mates: usize,
}

/// All windows, by evaluation and game.
pub(super) struct Windows(ByEvaluation<Vec<OfGame>>);

/// The four classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    A,
    B,
    C,
    D,
}

const CLASSES: [(Class, &str); 4] =
    [(Class::A, "A"), (Class::B, "B"), (Class::C, "C"), (Class::D, "D")];

/// Takes and searches the windows.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    source: &Source,
    models: &Models,
) -> Result<Windows, LabError> {
    let windows = ByEvaluation::try_from_fn(|evaluator| {
        let games = &source.games[..bench.settings.window_games.min(source.games.len())];
        let work = |game: &LabGame| measure_game(bench, evaluator, game, models);
        let key = |game: &LabGame| game.line.to_string();
        let stage = format!("{}, windows, {evaluator}", bench.breadth.name());
        run.measure(&stage, games, key, work)
    });
    windows.map(Windows)
}

fn measure_game(
    bench: &Bench<'_>,
    evaluator: EvaluationKind,
    game: &LabGame,
    models: &Models,
) -> OfGame {
    let Bench { settings, searchers, breadth } = bench;
    let params = breadth.of(SearchParams::default());
    let model = &model_of(models, evaluator);
    let mut searcher = searchers.make(evaluator, 4);
    searcher.configure(&params, model);
    let limits = Limits { nodes: Some(settings.window_nodes), ..Limits::default() };
    // About as many quiescence searches as nodes reach the leaves; the sample spreads over them.
    let every = settings.window_nodes / 40 / settings.windows.max(1) as u64;
    let every = [every, every / 16];
    let mut windows = Vec::new();
    for (_, position) in game.positions(FIRST, settings.window_every) {
        searcher.forget();
        windows.extend(searcher.windows(&position, &limits, every, settings.windows));
    }
    let mut of_game = OfGame::default();
    let mut searcher = searchers.make(evaluator, 1);
    searcher.configure(&params, model);
    let mut kept = Vec::new();
    for window in &windows {
        let deep = searcher.quiesce(&window.position, (window.alpha, window.beta), DEEP);
        if is_decided(deep.value) {
            of_game.mates += 1;
            continue;
        }
        kept.push(window);
        of_game.tested.push(Tested {
            open: window.is_open(),
            phase: phase(&window.position) as usize,
            deep: side(window, deep.value),
            deep_nodes: deep.nodes,
            with: Default::default(),
        });
    }
    for (form_at, form) in FORMS.into_iter().enumerate() {
        for (margin_at, pawns) in MARGINS.into_iter().enumerate() {
            searcher.configure(&with_probcut(&params, form, pawns), model);
            for (window, tested) in kept.iter().zip(&mut of_game.tested) {
                let ends = (window.alpha, window.beta);
                let found = searcher.quiesce(&window.position, ends, DEEP);
                // At the root alone, what counts is whether the prediction decided.
                let decided = form == QuiescenceProbCut::Every || found.cut;
                let side = if decided { side(window, found.value) } else { 0 };
                tested.with[form_at][margin_at] = (side, found.nodes);
            }
        }
    }
    of_game
}

fn side(window: &Window, value: Value) -> Side {
    if value >= window.beta {
        1
    } else if value <= window.alpha {
        -1
    } else {
        0
    }
}

impl Tested {
    fn class(&self, margin: usize) -> Class {
        match (self.with[0][margin].0, self.deep) {
            (0, 0) => Class::D,
            (0, _) => Class::B,
            (cut, deep) if cut == deep => Class::A,
            _ => Class::C,
        }
    }
}

/// Windows of one evaluation and kind.
fn of_kind(games: &[OfGame], open: bool) -> Vec<&Tested> {
    games.iter().flat_map(|game| &game.tested).filter(|tested| tested.open == open).collect()
}

fn share(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// What a window adds to the two sums of a ratio, by form and margin.
type Aggregation = fn(&Tested, usize, usize) -> Parts;
const AGGREGATIONS: [(&str, Aggregation); 2] = [("sums", by_sums), ("means", by_means)];

/// The ratio of the sums of nodes, with ProbCut to without.
fn by_sums(t: &Tested, form: usize, margin: usize) -> Parts {
    (t.with[form][margin].1 as f64, t.deep_nodes as f64)
}

/// The mean of the ratios of the single windows.
fn by_means(t: &Tested, form: usize, margin: usize) -> Parts {
    (t.with[form][margin].1 as f64 / t.deep_nodes.max(1) as f64, 1.0)
}

/// The ratio over some windows.
fn ratio(tested: &[&Tested], of: Aggregation, form: usize, margin: usize) -> Option<f64> {
    let add = |sum: Parts, t: &&Tested| {
        let (above, below) = of(t, form, margin);
        (sum.0 + above, sum.1 + below)
    };
    let (above, below) = tested.iter().fold((0.0, 0.0), add);
    (below > 0.0).then(|| above / below)
}

impl Windows {
    /// What ProbCut with a margin of one pawn takes of the nodes of depth 8 in the first phase.
    pub(super) fn early_cost(&self, evaluator: EvaluationKind) -> Option<f64> {
        ratio(&in_phase(self.0.get(evaluator)?, true, 0), by_sums, 0, 1)
    }
}

/// A figure with its interval.
type Estimate = Option<(f64, (f64, f64))>;

/// A ratio of sums over all windows of a kind, with an interval from drawing whole games anew.
fn estimate(games: &[OfGame], open: bool, parts: impl Fn(&Tested) -> Parts) -> Estimate {
    let of_game = |game: &OfGame| {
        let parts = game.tested.iter().filter(|t| t.open == open).map(&parts);
        parts.fold((0.0, 0.0), |sum: Parts, part| (sum.0 + part.0, sum.1 + part.1))
    };
    let groups: Vec<Parts> = games.iter().map(of_game).collect();
    ratio_of_groups(&groups, ROUNDS, 1)
}

/// Writes the tables, plots and findings 2 and 3.
// Long: the page from top to bottom.
pub(super) fn report(
    run: &Run<'_>,
    page: &mut Page,
    published: &Published,
    breadth: Breadth,
    windows: &Windows,
) -> Result<(), LabError> {
    page.heading(&format!(
        "What a cut by prediction saves, and how often it is wrong ({})",
        breadth.name()
    ));
    let counts: Vec<String> = windows
        .0
        .iter()
        .map(|(evaluator, of)| {
            format!(
                "{evaluator}: {} open, {} null; {} left out as mates",
                of_kind(of, true).len(),
                of_kind(of, false).len(),
                of.iter().map(|game| game.mates).sum::<usize>()
            )
        })
        .collect();
    page.paragraph(&format!(
        "Table 3 of the paper names the classes: A both cut, B ProbCut does not and depth 8 does (false negative), C ProbCut \
         cuts and depth 8 does not, or on the other side (false positive), D neither. Where the paper's windows come from is not \
         said; ours are those with which the engine's own searches of the game positions reach quiescence. Open windows (first \
         columns) have all four classes, null windows no D. {}.",
        counts.join("; ")
    ));
    let risk = risk_table(published, windows);
    run.write_table(&breadth.file("risk"), &risk)?;
    page.table(
        "Tables 4 and 5: positions, rate in per cent, and nodes without / with ProbCut at the quiescence root, as shares of all nodes \
         without",
        &risk,
    );
    let efficiency = efficiency_table(published, windows);
    run.write_table(&breadth.file("efficiency"), &efficiency)?;
    page.table(
        "Table 6: nodes with ProbCut / nodes without; below 1 is a gain. Sums: all nodes together; means: of each window's ratio. Both \
         searches begin with an empty transposition table. Intervals (95 %) are from drawing whole games anew",
        &efficiency,
    );
    let sizes = size_table(windows);
    run.write_table(&breadth.file("sizes"), &sizes)?;
    page.table(
        "Why means and sums differ: open windows in fifths by the nodes of depth 8, w = 1. A search of a few nodes costs no more than \
         the test that should save it, and most are such; most nodes are in the largest fifth",
        &sizes,
    );
    let every = every_table(windows);
    run.write_table(&breadth.file("every-node"), &every)?;
    page.table(
        "Ours: ProbCut at every quiescence node with depth to spare; nodes as shares of those without (here the tests and the search \
         share a table, as in play)",
        &every,
    );
    let plots = [
        ("efficiency", efficiency_plot(published, windows)),
        ("false-positives", risk_plot(published, windows)),
    ];
    let captions = [
        "Efficiency by margin (ratio of sums, all phases): below the line 1 ProbCut saves nodes.",
        "False positives (class C) by margin, all phases.",
    ];
    for ((name, plot), caption) in plots.iter().zip(captions) {
        run.write_plot(&breadth.file(name), plot)?;
        page.figure(caption, plot);
    }
    page.finding(findings::efficiency(published, breadth, windows));
    page.finding(findings::risk(published, breadth, windows));
    Ok(())
}

fn risk_table(published: &Published, windows: &Windows) -> Table {
    let mut table = Table::new([
        "evaluation",
        "w, pawns",
        "class",
        "published: positions; rate",
        "published: nodes without / with",
        "open: windows; rate",
        "open: nodes without / with",
        "null: windows; rate",
        "null: nodes without / with",
    ]);
    for (evaluator, of) in windows.0.iter() {
        for (margin, pawns) in MARGINS.into_iter().enumerate() {
            for (class, name) in CLASSES {
                let theirs = published_risk(published, evaluator, pawns, name);
                let total: f64 = CLASSES
                    .iter()
                    .filter_map(|(_, name)| published_risk(published, evaluator, pawns, name))
                    .map(|row| row[2])
                    .sum();
                let mut cells = vec![evaluator.to_string(), pawns.to_string(), name.to_string()];
                cells.push(theirs.map_or("–".into(), |r| format!("{}; {:.2}", r[0], r[1])));
                cells.push(theirs.map_or("–".into(), |r| {
                    format!("{:.3} / {:.3}", r[2] / total, r[3] / total)
                }));
                for open in [true, false] {
                    let tested = of_kind(of, open);
                    let all: u64 = tested.iter().map(|t| t.deep_nodes).sum();
                    let members: Vec<&&Tested> =
                        tested.iter().filter(|t| t.class(margin) == class).collect();
                    let part = |nodes: u64| nodes as f64 / all.max(1) as f64;
                    let rate = share(members.len(), tested.len());
                    cells.push(format!("{}; {rate:.2}", members.len()));
                    cells.push(format!(
                        "{:.3} / {:.3}",
                        part(members.iter().map(|t| t.deep_nodes).sum()),
                        part(members.iter().map(|t| t.with[0][margin].1).sum())
                    ));
                }
                table.row(cells);
            }
        }
    }
    table
}

fn published_risk(
    published: &Published,
    evaluator: EvaluationKind,
    pawns: f64,
    class: &str,
) -> Option<[f64; 4]> {
    let row = published.risk.iter().find(|row| row.margin == pawns && row.class == class)?;
    match evaluator {
        EvaluationKind::Material => Some(row.material),
        EvaluationKind::KingDanger => Some(row.progress),
        _ => None,
    }
}

fn efficiency_table(published: &Published, windows: &Windows) -> Table {
    let columns = ["40-60", "60-80", "80-", "all"];
    let mut headings = vec!["aggregation".to_string(), "evaluation".into(), "w, pawns".into()];
    for kind in ["published", "open", "null"] {
        headings.extend(columns.map(|column| format!("{kind} {column}")));
    }
    let mut table = Table::new(headings);
    for (name, aggregate) in AGGREGATIONS {
        for (evaluator, of) in windows.0.iter() {
            for (margin, pawns) in MARGINS.into_iter().enumerate() {
                let theirs = published_efficiency(published, name, evaluator, pawns);
                let mut cells = vec![name.to_string(), evaluator.to_string(), pawns.to_string()];
                cells.extend(
                    (0..4).map(|at| theirs.map_or("–".into(), |v| format!("{:.3}", v[at]))),
                );
                for open in [true, false] {
                    cells.extend(
                        (0..PHASES.len())
                            .map(|at| text(ratio(&in_phase(of, open, at), aggregate, 0, margin))),
                    );
                    let all = estimate(of, open, |t| aggregate(t, 0, margin));
                    cells.push(with_interval(all.map(|e| e.0), all.map(|e| e.1), 3));
                }
                table.row(cells);
            }
        }
    }
    table
}

/// Windows of a phase.
fn in_phase(games: &[OfGame], open: bool, phase: usize) -> Vec<&Tested> {
    of_kind(games, open).into_iter().filter(|t| t.phase == phase).collect()
}

fn text(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.3}"))
}

fn published_efficiency(
    published: &Published,
    aggregation: &str,
    evaluator: EvaluationKind,
    pawns: f64,
) -> Option<[f64; 4]> {
    let matches = |row: &&super::PublishedEfficiency| {
        row.aggregation == aggregation && row.evaluation == evaluator.name() && row.margin == pawns
    };
    published.efficiency.iter().find(matches).map(|row| row.values)
}

/// Efficiency by how much there is to save.
fn size_table(windows: &Windows) -> Table {
    const PARTS: usize = 5;
    const MARGIN: usize = 1;
    let mut table = Table::new([
        "evaluation",
        "nodes of depth 8",
        "share of all nodes, %",
        "nodes with / without (sums)",
        "nodes with / without (means)",
    ]);
    for (evaluator, of) in windows.0.iter() {
        let mut tested = of_kind(of, true);
        tested.sort_by_key(|t| t.deep_nodes);
        let nodes = |part: &[&Tested]| part.iter().map(|t| t.deep_nodes).sum::<u64>();
        let all = nodes(&tested);
        for part in tested.chunks(tested.len().div_ceil(PARTS).max(1)) {
            let [Some(first), Some(last)] = [part.first(), part.last()] else { continue };
            table.row([
                evaluator.to_string(),
                format!("{} to {}", first.deep_nodes, last.deep_nodes),
                format!("{:.1}", 100.0 * nodes(part) as f64 / all.max(1) as f64),
                text(ratio(part, by_sums, 0, MARGIN)),
                text(ratio(part, by_means, 0, MARGIN)),
            ]);
        }
    }
    table
}

fn every_table(windows: &Windows) -> Table {
    let mut table = Table::new([
        "evaluation",
        "w, pawns",
        "windows",
        "count",
        "other side than depth 8, %",
        "nodes (sums)",
        "nodes (means)",
        "at the root alone: nodes (sums)",
    ]);
    for (evaluator, of) in windows.0.iter() {
        for (margin, pawns) in MARGINS.into_iter().enumerate() {
            for open in [true, false] {
                let tested = of_kind(of, open);
                let wrong = tested.iter().filter(|t| t.with[1][margin].0 != t.deep).count();
                table.row([
                    evaluator.to_string(),
                    pawns.to_string(),
                    if open { "open" } else { "null" }.to_string(),
                    tested.len().to_string(),
                    format!("{:.2}", share(wrong, tested.len())),
                    text(ratio(&tested, by_sums, 1, margin)),
                    text(ratio(&tested, by_means, 1, margin)),
                    text(ratio(&tested, by_sums, 0, margin)),
                ]);
            }
        }
    }
    table
}

fn efficiency_plot(published: &Published, windows: &Windows) -> Plot {
    let mut plot = Plot::new(
        "Efficiency of ProbCut at the quiescence root",
        Axis::log("margin w, pawns"),
        Axis::linear("nodes with / nodes without"),
    );
    let theirs: Vec<(f64, f64)> = MARGINS
        .iter()
        .filter_map(|&w| {
            Some((w, published_efficiency(published, "sums", EvaluationKind::KingDanger, w)?[3]))
        })
        .collect();
    plot = plot.series("published, Progress", Mark::Line, theirs);
    for (evaluator, of) in windows.0.iter() {
        for open in [true, false] {
            let tested = of_kind(of, open);
            let points = MARGINS.into_iter().enumerate();
            let line =
                points.filter_map(|(at, w)| Some((w, ratio(&tested, by_sums, 0, at)?))).collect();
            let label = format!("{evaluator}, {}", if open { "open" } else { "null" });
            plot = plot.series(&label, if open { Mark::Line } else { Mark::Points }, line);
        }
    }
    plot
}

fn risk_plot(published: &Published, windows: &Windows) -> Plot {
    let mut plot = Plot::new(
        "False positives of ProbCut at the quiescence root",
        Axis::log("margin w, pawns"),
        Axis::linear("share of windows, per cent"),
    )
    .with_legend_right();
    let theirs: Vec<(f64, f64)> = MARGINS
        .iter()
        .filter_map(|&w| {
            Some((w, published_risk(published, EvaluationKind::KingDanger, w, "C")?[1]))
        })
        .collect();
    plot = plot.series("published, Progress", Mark::Line, theirs);
    for (evaluator, of) in windows.0.iter() {
        for open in [true, false] {
            let tested = of_kind(of, open);
            let line = MARGINS.into_iter().enumerate().map(|(at, w)| (w, wrong(&tested, at)));
            let label = format!("{evaluator}, {}", if open { "open" } else { "null" });
            let mark = if open { Mark::Line } else { Mark::Points };
            plot = plot.series(&label, mark, line.collect());
        }
    }
    plot
}

/// Class C in per cent.
fn wrong(tested: &[&Tested], margin: usize) -> f64 {
    share(tested.iter().filter(|t| t.class(margin) == Class::C).count(), tested.len())
}
