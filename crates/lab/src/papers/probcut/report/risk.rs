//! What a cut by prediction saves and how often it is wrong: tables 3 to 6.
//!
//! A: both cut; B: only the deep search (false negative); C: only ProbCut, or on the other side
//! (false positive); D: neither.

use super::{ROUNDS, ReportContext, with_interval};
use crate::claims::Estimate;
use crate::page::{Page, Words};
use crate::papers::probcut::{
    MARGINS, OfGame, PHASES, Published, PublishedEfficiency, Tested, WindowKind, Windows,
};
use crate::plot::{Axis, Mark, Plot};
use crate::table::Table;
use yomikiri_arena::stats::{Parts, ratio_of_groups};

/// The four classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    A,
    B,
    C,
    D,
}

const CLASSES: [(Class, &str); 4] =
    [(Class::A, "A"), (Class::B, "B"), (Class::C, "C"), (Class::D, "D")];

impl Tested {
    pub(super) fn class(&self, margin: usize) -> Class {
        match (self.with[0][margin].0, self.deep) {
            (0, 0) => Class::D,
            (0, _) => Class::B,
            (cut, deep) if cut == deep => Class::A,
            _ => Class::C,
        }
    }
}

/// The name that the published tables have for an evaluation.
pub(super) fn published_name(evaluation: &str) -> Option<&'static str> {
    match evaluation {
        "material" => Some("material"),
        "king-danger" => Some("progress"),
        _ => None,
    }
}

/// Windows of one kind.
pub(super) fn of_kind(games: &[OfGame], kind: WindowKind) -> Vec<&Tested> {
    games.iter().flat_map(|game| &game.tested).filter(|tested| tested.kind == kind).collect()
}

fn in_phase(games: &[OfGame], kind: WindowKind, phase: usize) -> Vec<&Tested> {
    of_kind(games, kind).into_iter().filter(|t| t.phase == phase).collect()
}

fn share(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// What a window adds to the two sums of a ratio, by form and margin.
pub(super) type Aggregation = fn(&Tested, usize, usize) -> Parts;
pub(super) const AGGREGATIONS: [(&str, Aggregation); 2] = [("sums", by_sums), ("means", by_means)];

/// The ratio of the sums of nodes, with ProbCut to without.
pub(super) fn by_sums(t: &Tested, form: usize, margin: usize) -> Parts {
    (t.with[form][margin].1 as f64, t.deep_nodes as f64)
}

/// The mean of the ratios of the single windows.
pub(super) fn by_means(t: &Tested, form: usize, margin: usize) -> Parts {
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

/// A ratio of sums over the windows of a kind (of one phase, or all), with an interval from drawing
/// whole games anew.
pub(super) fn estimate(
    games: &[OfGame],
    kind: WindowKind,
    phase: Option<usize>,
    parts: impl Fn(&Tested) -> Parts,
) -> Option<Estimate> {
    let wanted = |t: &&Tested| t.kind == kind && phase.is_none_or(|phase| phase == t.phase);
    let of_game = |game: &OfGame| {
        let parts = game.tested.iter().filter(wanted).map(&parts);
        parts.fold((0.0, 0.0), |sum: Parts, part| (sum.0 + part.0, sum.1 + part.1))
    };
    let groups: Vec<Parts> = games.iter().map(of_game).collect();
    let count = games.iter().flat_map(|game| &game.tested).filter(wanted).count();
    let (value, ends) = ratio_of_groups(&groups, ROUNDS, 1)?;
    Some(Estimate::new(value, ends, count))
}

/// Class C in per cent at a margin.
pub(super) fn false_positives(
    games: &[OfGame],
    kind: WindowKind,
    margin: usize,
) -> Option<Estimate> {
    let wrong = |t: &Tested| f64::from(u8::from(t.class(margin) == Class::C));
    estimate(games, kind, None, |t| (100.0 * wrong(t), 1.0))
}

/// Writes the tables and plots.
pub(super) fn write(page: &mut Page, context: &ReportContext<'_>) {
    let breadth = context.breadth();
    page.heading((
        format!("What a cut by prediction saves, and how often it is wrong ({})", breadth.name()),
        format!("予測による枝刈りの節約と誤り（{}）", breadth.japanese()),
    ));
    page.paragraph(about(context));
    let windows = &context.of.windows[..];
    page.figure(
        &breadth.file("efficiency"),
        (
            "Efficiency by margin (ratio of sums, all phases, 95 % intervals): below the line 1 ProbCut saves nodes.",
            "余裕wごとの効率（和の比、全局面、95 %区間）。1より下ならProbCutは節点を節約する。",
        ),
        &efficiency_plot(context.published, windows),
    );
    page.figure(
        &breadth.file("false-positives"),
        (
            "False positives (class C) by margin, all phases, 95 % intervals.",
            "余裕wごとの偽陽性（クラスC）、全局面、95 %区間。",
        ),
        &risk_plot(context.published, windows),
    );
    write_tables(page, context);
}

fn write_tables(page: &mut Page, context: &ReportContext<'_>) {
    let (breadth, windows) = (context.breadth(), &context.of.windows[..]);
    page.table(
        &breadth.file("risk"),
        (
            "Tables 4 and 5: positions, rate in per cent, and nodes without / with ProbCut at the quiescence root, as shares of all nodes \
             without",
            "表4と表5: 局面数、割合（%）、静止探索の根でのProbCutなし・ありの節点数（なしの全節点に対する割合）",
        ),
        &risk_table(context.published, windows),
    );
    page.table(
        &breadth.file("efficiency"),
        (
            "Table 6: nodes with ProbCut / nodes without; below 1 is a gain. Sums: all nodes together; means: of each window's ratio. Both \
             searches begin with an empty transposition table. Intervals (95 %) are from drawing whole games anew",
            "表6: ProbCutありの節点数とない節点数の比。1より小さければ得。sumsは全節点の和の比、meansは窓ごとの比の平均。どちらも空の置換表から始める。区間（95 %）は棋譜を引き直して求める",
        ),
        &efficiency_table(context.published, windows),
    );
    page.table(
        &breadth.file("sizes"),
        (
            "Why means and sums differ: game windows in fifths by the nodes of depth 8, w = 1. A search of a few nodes costs no more than \
             the test that should save it; most nodes are in the largest fifth",
            "平均と和の比が違う理由: 深さ8の節点数で五等分した窓（w = 1）。数節点の探索は、それを省くための試しと同じだけかかる。節点の大半は最大の五分の一にある",
        ),
        &size_table(windows),
    );
    page.table(
        &breadth.file("every-node"),
        (
            "Ours: ProbCut at every quiescence node with depth to spare; nodes as shares of those without (here the tests and the search \
             share a table, as in play)",
            "独自の形: 深さの残る静止探索の全節点でのProbCut。節点数はない場合に対する割合（実戦と同じく置換表を共有する）",
        ),
        &every_table(windows),
    );
}

fn about(context: &ReportContext<'_>) -> Words {
    let count = |windows: &Windows| {
        let kinds = WindowKind::ALL
            .map(|kind| format!("{} {}", of_kind(&windows.games, kind).len(), kind.name()));
        let mates: usize = windows.games.iter().map(|game| game.mates).sum();
        format!("{}: {}; {mates} left out as mates", windows.evaluation, kinds.join(", "))
    };
    let counts: Vec<String> = context.of.windows.iter().map(count).collect();
    let counts = counts.join(". ");
    let english = format!(
        "Table 3 of the paper names the classes: A both cut, B ProbCut does not and depth 8 does (false negative), C ProbCut \
         cuts and depth 8 does not, or on the other side (false positive), D neither. The paper counts game positions; which windows they \
         had is not said. Ours: about every game position one window of {} pawns to either side of the static value two plies before \
         (`game`); and those with which the engine's own searches of the game positions reach quiescence, open windows with all four \
         classes (`open`) and null windows, which have no D (`null`). {counts}.",
        context.settings.game_window
    );
    let japanese = format!(
        "論文の表3の分類: Aはどちらも枝刈り、Bは深さ8だけ（偽陰性）、CはProbCutだけ、または逆側（偽陽性）、Dはどちらもしない。論文は棋譜の局面を数えるが、窓は述べて\
         いない。ここでは棋譜の各局面で二手前の静的評価値の上下に歩{}枚分の窓（`game`）、および実際の探索が静止探索に渡す窓（開いた窓`open`と、Dのない零窓`null`）\
         を使う。{counts}.",
        context.settings.game_window
    );
    Words::from((english, japanese))
}

fn risk_table(published: &Published, all: &[Windows]) -> Table {
    let mut headings: Vec<String> = [
        "evaluation",
        "w, pawns",
        "class",
        "published: positions; rate",
        "published: nodes without / with",
    ]
    .map(str::to_owned)
    .to_vec();
    for kind in WindowKind::ALL {
        headings.push(format!("{}: windows; rate", kind.name()));
        headings.push(format!("{}: nodes without / with", kind.name()));
    }
    let mut table = Table::new(headings);
    for windows in all {
        for (margin, pawns) in MARGINS.into_iter().enumerate() {
            for (class, name) in CLASSES {
                let theirs = |name| published_risk(published, &windows.evaluation, pawns, name);
                let total: f64 =
                    CLASSES.iter().filter_map(|(_, name)| theirs(name)).map(|row| row[2]).sum();
                let row = theirs(name);
                let mut cells =
                    vec![windows.evaluation.clone(), pawns.to_string(), name.to_string()];
                cells.push(row.map_or("–".into(), |r| format!("{}; {:.2}", r[0], r[1])));
                cells.push(row.map_or("–".into(), |r| {
                    format!("{:.3} / {:.3}", r[2] / total, r[3] / total)
                }));
                for kind in WindowKind::ALL {
                    let tested = of_kind(&windows.games, kind);
                    let nodes: u64 = tested.iter().map(|t| t.deep_nodes).sum();
                    let members: Vec<&&Tested> =
                        tested.iter().filter(|t| t.class(margin) == class).collect();
                    let part = |of: u64| of as f64 / nodes.max(1) as f64;
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

pub(super) fn published_risk(
    published: &Published,
    evaluation: &str,
    pawns: f64,
    class: &str,
) -> Option<[f64; 4]> {
    let row = published.risk.iter().find(|row| row.margin == pawns && row.class == class)?;
    match published_name(evaluation)? {
        "material" => Some(row.material),
        _ => Some(row.progress),
    }
}

fn efficiency_table(published: &Published, all: &[Windows]) -> Table {
    let columns = ["40-60", "60-80", "80-", "all"];
    let mut headings = vec!["aggregation".to_string(), "evaluation".into(), "w, pawns".into()];
    headings.extend(columns.map(|column| format!("published {column}")));
    for kind in WindowKind::ALL {
        headings.extend(columns.map(|column| format!("{} {column}", kind.name())));
    }
    let mut table = Table::new(headings);
    for (name, aggregate) in AGGREGATIONS {
        for windows in all {
            for (margin, pawns) in MARGINS.into_iter().enumerate() {
                let theirs = published_efficiency(published, name, &windows.evaluation, pawns);
                let mut cells =
                    vec![name.to_string(), windows.evaluation.clone(), pawns.to_string()];
                cells.extend(
                    (0..4).map(|at| theirs.map_or("–".into(), |v| format!("{:.3}", v[at]))),
                );
                for kind in WindowKind::ALL {
                    cells.extend((0..PHASES.len()).map(|at| {
                        text(ratio(&in_phase(&windows.games, kind, at), aggregate, 0, margin))
                    }));
                    let all = estimate(&windows.games, kind, None, |t| aggregate(t, 0, margin));
                    let (value, ends) = (all.map(|e| e.value), all.map(|e| (e.low, e.high)));
                    cells.push(with_interval(value, ends, 3));
                }
                table.row(cells);
            }
        }
    }
    table
}

fn text(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.3}"))
}

pub(super) fn published_efficiency(
    published: &Published,
    aggregation: &str,
    evaluation: &str,
    pawns: f64,
) -> Option<[f64; 4]> {
    let name = published_name(evaluation)?;
    let matches = |row: &&PublishedEfficiency| {
        row.aggregation == aggregation && row.evaluation == name && row.margin == pawns
    };
    published.efficiency.iter().find(matches).map(|row| row.values)
}

/// Efficiency by how much there is to save.
fn size_table(all: &[Windows]) -> Table {
    const PARTS: usize = 5;
    const MARGIN: usize = 1;
    let mut table = Table::new([
        "evaluation",
        "nodes of depth 8",
        "share of all nodes, %",
        "nodes with / without (sums)",
        "nodes with / without (means)",
    ]);
    for windows in all {
        let mut tested = of_kind(&windows.games, WindowKind::Game);
        tested.sort_by_key(|t| t.deep_nodes);
        let nodes = |part: &[&Tested]| part.iter().map(|t| t.deep_nodes).sum::<u64>();
        let total = nodes(&tested);
        for part in tested.chunks(tested.len().div_ceil(PARTS).max(1)) {
            let [Some(first), Some(last)] = [part.first(), part.last()] else { continue };
            table.row([
                windows.evaluation.clone(),
                format!("{} to {}", first.deep_nodes, last.deep_nodes),
                format!("{:.1}", 100.0 * nodes(part) as f64 / total.max(1) as f64),
                text(ratio(part, by_sums, 0, MARGIN)),
                text(ratio(part, by_means, 0, MARGIN)),
            ]);
        }
    }
    table
}

fn every_table(all: &[Windows]) -> Table {
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
    for windows in all {
        for (margin, pawns) in MARGINS.into_iter().enumerate() {
            for kind in [WindowKind::Open, WindowKind::Null] {
                let tested = of_kind(&windows.games, kind);
                let wrong = tested.iter().filter(|t| t.with[1][margin].0 != t.deep).count();
                table.row([
                    windows.evaluation.clone(),
                    pawns.to_string(),
                    kind.name().to_string(),
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

/// The paper's line, and one with error bars for each evaluation at game windows.
fn margin_plot(
    mut plot: Plot,
    theirs: impl Fn(f64) -> Option<f64>,
    all: &[Windows],
    ours: impl Fn(&Windows, usize) -> Option<Estimate>,
) -> Plot {
    let line = MARGINS.iter().filter_map(|&w| Some((w, theirs(w)?))).collect();
    plot = plot.series("published, Progress", Mark::Line, line);
    for windows in all {
        let found = MARGINS.iter().enumerate();
        let found: Vec<(f64, Estimate)> =
            found.filter_map(|(at, &w)| Some((w, ours(windows, at)?))).collect();
        let data = found.iter().map(|(w, e)| (*w, e.value)).collect();
        let bars = found.iter().map(|(_, e)| (e.low, e.high)).collect();
        plot = plot.with_joined_errors(&windows.evaluation, data, bars);
    }
    plot
}

fn efficiency_plot(published: &Published, all: &[Windows]) -> Plot {
    let plot = Plot::new(
        "Efficiency of ProbCut at the quiescence root, game positions",
        Axis::log("margin w, pawns"),
        Axis::linear("nodes with / nodes without"),
    );
    let theirs = |w| published_efficiency(published, "sums", "king-danger", w).map(|v| v[3]);
    margin_plot(plot, theirs, all, |windows, margin| {
        estimate(&windows.games, WindowKind::Game, None, |t| by_sums(t, 0, margin))
    })
}

fn risk_plot(published: &Published, all: &[Windows]) -> Plot {
    let plot = Plot::new(
        "False positives of ProbCut at the quiescence root, game positions",
        Axis::log("margin w, pawns"),
        Axis::linear("share of windows, per cent"),
    )
    .with_legend_right();
    let theirs = |w| published_risk(published, "king-danger", w, "C").map(|row| row[1]);
    margin_plot(plot, theirs, all, |windows, margin| {
        false_positives(&windows.games, WindowKind::Game, margin)
    })
}
