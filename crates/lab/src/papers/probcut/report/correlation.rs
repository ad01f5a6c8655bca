//! How well shallow searches predict deep ones: tables 1 and 2, figures 1 to 3, and the fit that
//! the engine loads.

use super::{ROUNDS, ReportContext, with_interval};
use crate::page::Page;
use crate::papers::probcut::{
    Breadth, CorrelationKind, PHASES, Published, PublishedCorrelation, Rule, Sample, Values,
    phase_of,
};
use crate::plot::{Axis, Mark, Plot};
use crate::table::Table;
use yomikiri_arena::stats::{FittedLine, PairSums, bootstrap_line};

/// A fit with its intervals.
pub(super) struct Fitted {
    pub(super) count: usize,
    pub(super) line: Option<FittedLine>,
    r2: Option<(f64, f64)>,
    sigma: Option<(f64, f64)>,
    a: Option<(f64, f64)>,
    b: Option<(f64, f64)>,
}

/// The fit for a comparison and a phase (or all).
pub(super) fn fit(
    values: &Values,
    kind: CorrelationKind,
    phase: Option<usize>,
    rule: Rule,
) -> Fitted {
    let groups = values.sums(kind, phase, rule);
    let sums = groups.iter().fold(PairSums::default(), |all, group| all.plus(group));
    let interval = |of: fn(&FittedLine) -> f64| bootstrap_line(&groups, ROUNDS, 1, of);
    Fitted {
        count: sums.count(),
        line: sums.line(),
        r2: interval(|line| line.r2),
        sigma: interval(|line| line.sigma),
        a: interval(|line| line.a),
        b: interval(|line| line.b),
    }
}

/// Writes tables, figures and model files.
pub(super) fn write(page: &mut Page, context: &ReportContext<'_>) {
    let breadth = context.breadth();
    page.heading((
        format!("How well depth 4 predicts depth 8 ({})", breadth.name()),
        format!("深さ4はどれだけ深さ8を予測するか（{}）", breadth.japanese()),
    ));
    page.paragraph((
        "Values are in pawns here and in the units of their program in the paper, so sigma can be compared between rows, \
         not between columns. The normal search is MTD(f) over realization probabilities with the engine's pruning; its values \
         of depth 4 and 8 come from one iterative deepening. Intervals (95 %) are from drawing whole games anew.",
        "値の単位はここでは歩、論文ではそのプログラムの単位なので、σは行どうしでは比べられるが列どうしでは比べられない。通常の探索は実現確率によるMTD(f)で、\
         深さ4と8の値は一回の反復深化から取る。区間（95 %）は棋譜を一局ごとに引き直して求める。",
    ));
    page.table(
        &breadth.file("positions"),
        (
            "Table 1: positions, and those left out. The paper leaves out pairs that differ by a mate; beside it how many are decided by a mate \
             in one of the two values. The same for the normal search, and how many of its searches did not end within their nodes",
            "表1: 局面数と除いた数。論文は詰みの分だけ値が違う組を除く。並べて、どちらかの値が詰みで決まる組の数、通常の探索での同じ数、節点の限度内に終わらなかった数を示す",
        ),
        &positions_table(context),
    );
    page.table(
        &breadth.file("correlation"),
        (
            "Table 2: squared correlation and standard deviation of the error, by the paper's rule; beside it without the positions that a mate \
             decides",
            "表2: 論文の規則による相関の二乗と誤差の標準偏差。並べて、詰みで決まる局面を除いた値",
        ),
        &fits_table(context),
    );
    if breadth == Breadth::Paper {
        let other = other_games(context.published);
        let caption = (
            "Table 2, other work: as quoted in the paper",
            "表2のうち他の研究（論文の引用による）",
        );
        page.plain_table(caption, &other);
    }
    write_histograms(page, context);
    write_models(page, context);
    if breadth == Breadth::Paper {
        let notes = context.published.notes().join("; ");
        page.paragraph(format!("How the paper's print is read: {notes}."));
    }
}

fn write_histograms(page: &mut Page, context: &ReportContext<'_>) {
    let breadth = context.breadth();
    for (name, title, evaluation, kind) in [
        (
            "figure-1",
            "Figure 1: quiescence 8 minus 4, material",
            "material",
            CorrelationKind::Quiet84,
        ),
        (
            "figure-2",
            "Figure 2: quiescence 8 minus 4, progress",
            "king-danger",
            CorrelationKind::Quiet84,
        ),
        (
            "figure-3",
            "Figure 3: quiescence 8 minus 0, progress",
            "king-danger",
            CorrelationKind::Quiet80,
        ),
        ("figure-linear", "Ours: quiescence 8 minus 4, linear", "linear", CorrelationKind::Quiet84),
        (
            "figure-network",
            "Ours: quiescence 8 minus 4, network",
            "network",
            CorrelationKind::Quiet84,
        ),
    ] {
        let values: Vec<&Values> =
            context.of.values.iter().filter(|values| values.evaluation == evaluation).collect();
        if !values.is_empty() {
            let plot = histogram(&values, title, kind);
            page.figure(&breadth.file(name), histogram_caption(&values, title, kind), &plot);
        }
    }
}

fn write_models(page: &mut Page, context: &ReportContext<'_>) {
    let breadth = context.breadth();
    let Some(first) = context.of.values.first() else { return };
    let of_first = context.of.values.iter().filter(|values| values.source == first.source);
    let mut names = Vec::new();
    for values in of_first {
        let (evaluation, model) = (&values.evaluation, values.model());
        let text = format!(
            "# depth 8 from depth 4 of {}, evaluation {evaluation}: a (per mille), b, sigma (hundredths of a pawn)\n\
             # phases: moves to 60, 60 to 80, from 80 on\n{model}",
            breadth.name()
        );
        let name = breadth.file(&format!("model-{evaluation}.txt"));
        page.file(&name, text.as_bytes());
        names.push(name);
    }
    let names = names.join(", ");
    page.paragraph((
        format!(
            "The fits for quiescence 8 / 4 on the engine games (undecided positions) are in {names} beside this page; the engine loads one by \
             the option Quiescence.ProbCut.File."
        ),
        format!(
            "静止探索8 / 4の当てはめ（エンジンの棋譜、詰みで決まらない局面）は、このページと同じ場所の{names}にある。エンジンはQuiescence.ProbCut.Fileで読み込む。"
        ),
    ));
}

fn positions_table(context: &ReportContext<'_>) -> Table {
    let mut headings: Vec<String> =
        ["phase", "published", "left out Piece / Progress", "games", "evaluation"]
            .map(str::to_owned)
            .to_vec();
    headings.extend(
        [
            "positions",
            "left out by the paper's rule",
            "decided by a mate",
            "normal search asked",
            "not ended",
            "normal: left out by the paper's rule",
        ]
        .map(str::to_owned),
    );
    let mut table = Table::new(headings);
    for (row, theirs) in context.published.positions.iter().enumerate() {
        let phase = (row < PHASES.len()).then_some(row);
        for values in &context.of.values {
            let wanted = |sample: &&Sample| phase.is_none() || phase_of(sample.number) == phase;
            let count = |holds: &dyn Fn(&Sample) -> bool| {
                let all = values.games.iter().flatten().filter(wanted);
                all.filter(|sample| holds(sample)).count().to_string()
            };
            let kept = |kind: CorrelationKind, rule| {
                move |sample: &Sample| kind.pair(sample, rule).is_some()
            };
            table.row([
                theirs.phase.clone(),
                theirs.all.to_string(),
                format!("{} / {}", theirs.left_out[0], theirs.left_out[1]),
                values.source.clone(),
                values.evaluation.clone(),
                count(&|_| true),
                count(&|s| !kept(CorrelationKind::Quiet84, Rule::Paper)(s)),
                count(&|s| !kept(CorrelationKind::Quiet84, Rule::Undecided)(s)),
                count(&|s| s.asked),
                count(&|s| s.asked && s.normal.is_none()),
                count(&|s| s.normal.is_some() && !kept(CorrelationKind::Normal84, Rule::Paper)(s)),
            ]);
        }
    }
    table
}

fn fits_table(context: &ReportContext<'_>) -> Table {
    let mut table = Table::new([
        "search",
        "evaluation",
        "moves",
        "published r2",
        "published sigma",
        "games",
        "n",
        "r2",
        "sigma, pawns",
        "a",
        "b, pawns",
        "undecided: n",
        "undecided: r2",
        "undecided: sigma, pawns",
    ]);
    for kind in CorrelationKind::ALL {
        for values in &context.of.values {
            let theirs = find(context.published, kind, &values.evaluation);
            for place in 0..=PHASES.len() {
                let phase = place.checked_sub(1);
                let text = |value: Option<f64>| value.map_or("–".into(), |v| v.to_string());
                let ours = fit(values, kind, phase, Rule::Paper);
                let undecided = fit(values, kind, phase, Rule::Undecided);
                let part = |fit: &Fitted, of: fn(&FittedLine) -> f64| fit.line.as_ref().map(of);
                table.row([
                    kind.name().to_string(),
                    values.evaluation.clone(),
                    phase.map_or("all", |phase| PHASES[phase].0).to_string(),
                    text(theirs.map(|row| row.r2[place])),
                    text(theirs.map(|row| row.sigma[place])),
                    values.source.clone(),
                    ours.count.to_string(),
                    with_interval(part(&ours, |line| line.r2), ours.r2, 3),
                    with_interval(part(&ours, |line| line.sigma), ours.sigma, 2),
                    with_interval(part(&ours, |line| line.a), ours.a, 3),
                    with_interval(part(&ours, |line| line.b), ours.b, 2),
                    undecided.count.to_string(),
                    with_interval(part(&undecided, |line| line.r2), undecided.r2, 3),
                    with_interval(part(&undecided, |line| line.sigma), undecided.sigma, 2),
                ]);
            }
        }
    }
    table
}

/// The published row; the paper's ProgressEval is our `king-danger`.
pub(super) fn find<'a>(
    published: &'a Published,
    kind: CorrelationKind,
    evaluation: &str,
) -> Option<&'a PublishedCorrelation> {
    let same = |row: &&PublishedCorrelation| {
        row.search == kind.name()
            && super::risk::published_name(evaluation) == Some(&row.evaluation)
    };
    published.correlations.iter().find(same)
}

fn other_games(published: &Published) -> Table {
    let mut table = Table::new(["game", "depths", "phase", "r2", "sigma"]);
    for row in &published.other_games {
        let text = |value: Option<f64>| value.map_or("–".into(), |value| value.to_string());
        table.row([
            row.game.clone(),
            row.search.clone(),
            row.phase.clone(),
            text(row.r2),
            text(row.sigma),
        ]);
    }
    table
}

/// Half the width of the histograms, in pawns; and that of a column.
const REACH: f64 = 8.0;
const COLUMN: f64 = 0.5;

/// Deep minus shallow, undecided positions.
fn differences(values: &Values, kind: CorrelationKind) -> Vec<f64> {
    let samples = values.games.iter().flatten();
    let pairs = samples.filter_map(|sample| kind.pair(sample, Rule::Undecided));
    pairs.map(|(shallow, deep)| deep - shallow).collect()
}

fn histogram(all: &[&Values], title: &str, kind: CorrelationKind) -> Plot {
    let mut plot = Plot::new(
        title,
        Axis::linear("deep value minus shallow value, pawns").from_to(-REACH, REACH),
        Axis::linear("share of positions, per cent"),
    );
    for (source, values) in all.iter().enumerate() {
        let differences = differences(values, kind);
        let columns = (2.0 * REACH / COLUMN) as i32 + 1;
        let shares = (0..columns).map(|column| {
            let centre = f64::from(column) * COLUMN - REACH;
            let inside = |d: &&f64| (**d - centre + COLUMN / 2.0).div_euclid(COLUMN) == 0.0;
            let count = differences.iter().filter(inside).count();
            (centre, 100.0 * count as f64 / differences.len().max(1) as f64)
        });
        let mark = if source == 0 { Mark::Bars } else { Mark::Line };
        plot = plot.series(&values.source, mark, shares.collect());
    }
    plot
}

fn histogram_caption(all: &[&Values], title: &str, kind: CorrelationKind) -> String {
    let in_words = |values: &&Values| {
        let differences = differences(values, kind);
        let share = |holds: &dyn Fn(f64) -> bool| {
            let count = differences.iter().filter(|d| holds(**d)).count();
            100.0 * count as f64 / differences.len().max(1) as f64
        };
        format!(
            "{}: {} positions, {:.1} % without any difference, {:.1} % beyond {REACH:.0} pawns",
            values.source,
            differences.len(),
            share(&|d| d == 0.0),
            share(&|d| d.abs() > REACH)
        )
    };
    format!("{title}. {}.", all.iter().map(in_words).collect::<Vec<_>>().join("; "))
}
