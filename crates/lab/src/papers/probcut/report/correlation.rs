//! How well shallow searches predict deep ones: tables 1 and 2, figures 1 to 3, and the fit that
//! the engine loads.

mod finding;

use crate::searcher::{ByEvaluation, EVALUATIONS};
use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::probcut::{Prediction, QuiescenceModel};
use yomikiri_engine::value::{INFINITE, Value};
use yomikiri_engine::{Limits, SearchParams};

use super::{
    Bench, Breadth, FIRST, Models, PAWN, PHASES, Published, PublishedCorrelation, Source, phase_of,
    with_interval,
};
use crate::games::LabGame;
use crate::page::Page;
use crate::plot::{Axis, Mark, Plot};
use crate::run::{LabError, Run};
use crate::searcher::{is_decided, realization};
use crate::table::Table;
use finding::finding;
use yomikiri_arena::stats::{FittedLine, PairSums, bootstrap_line};

/// Depths of quiescence: static value, shallow, deep.
const DEPTHS: [i32; 3] = [0, 4, 8];
/// Depths of the normal search.
const NORMAL: [i32; 2] = [4, 8];
const ROUNDS: usize = 400;

/// The values of one position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    number: u32,
    quiet: [Value; 3],
    /// Whether the normal search ran, and its values if it ended within its nodes.
    asked: bool,
    normal: Option<[Value; 2]>,
}

/// All samples: by source, evaluation and game.
pub(super) struct Correlation {
    breadth: Breadth,
    names: Vec<String>,
    samples: Vec<ByEvaluation<Vec<Vec<Sample>>>>,
}

/// Which two searches are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CorrelationKind {
    Quiet84,
    Normal84,
    Quiet80,
}

impl CorrelationKind {
    const ALL: [CorrelationKind; 3] =
        [CorrelationKind::Quiet84, CorrelationKind::Normal84, CorrelationKind::Quiet80];

    fn name(self) -> &'static str {
        match self {
            CorrelationKind::Quiet84 => "quiescence 8 / 4",
            CorrelationKind::Normal84 => "normal 8 / 4",
            CorrelationKind::Quiet80 => "quiescence 8 / 0",
        }
    }

    /// Shallow and deep value in pawns; nothing if one is decided by mate or was not found.
    fn pair(self, sample: &Sample) -> Option<(f64, f64)> {
        let (shallow, deep) = match self {
            CorrelationKind::Quiet84 => (sample.quiet[1], sample.quiet[2]),
            CorrelationKind::Quiet80 => (sample.quiet[0], sample.quiet[2]),
            CorrelationKind::Normal84 => sample.normal.map(|[shallow, deep]| (shallow, deep))?,
        };
        let known = !is_decided(shallow) && !is_decided(deep);
        known.then(|| (f64::from(shallow) / PAWN, f64::from(deep) / PAWN))
    }
}

/// A fit with its intervals.
struct Fitted {
    count: usize,
    line: Option<FittedLine>,
    r2: Option<(f64, f64)>,
    sigma: Option<(f64, f64)>,
    a: Option<(f64, f64)>,
    b: Option<(f64, f64)>,
}

/// Searches all positions of all games with every evaluation.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    sources: &[Source],
) -> Result<Correlation, LabError> {
    let breadth = bench.breadth;
    let mut samples = Vec::new();
    for source in sources {
        samples.push(ByEvaluation::try_from_fn(|evaluator| {
            let stage = format!("{}, values, {evaluator}, {}", breadth.name(), source.name);
            let games = &source.games[..bench.settings.games.min(source.games.len())];
            let work = |game: &LabGame| measure_game(bench, evaluator, game);
            run.measure(&stage, games, |game| game.line.to_string(), work)
        })?);
    }
    let names = sources.iter().map(|source| source.name.clone()).collect();
    Ok(Correlation { breadth, names, samples })
}

fn measure_game(bench: &Bench<'_>, evaluator: EvaluationKind, game: &LabGame) -> Vec<Sample> {
    let Bench { settings, searchers, breadth } = bench;
    let mut quiet = searchers.make(evaluator, 1);
    quiet.configure(&breadth.of(SearchParams::default()), &QuiescenceModel::default());
    let mut normal = searchers.make(evaluator, 8);
    normal.configure(&breadth.of(realization()), &QuiescenceModel::default());
    let limits =
        Limits { depth: Some(NORMAL[1]), nodes: Some(settings.normal_nodes), ..Limits::default() };
    let window = (-INFINITE, INFINITE);
    let mut samples = Vec::new();
    for (at, (number, position)) in game.positions(FIRST, 1).into_iter().enumerate() {
        // Another part of each game, so that every phase is seen.
        let asked = (at + game.line).is_multiple_of(settings.normal_every.max(1));
        let values = asked.then(|| {
            normal.forget();
            let found = normal.search(&position, &limits, 1);
            let at_depth = |depth: i32| found.by_depth.iter().find(|known| known.0 == depth);
            Some([at_depth(NORMAL[0])?.1, at_depth(NORMAL[1])?.1])
        });
        samples.push(Sample {
            number,
            quiet: DEPTHS.map(|depth| quiet.quiesce(&position, window, depth).value),
            asked,
            normal: values.flatten(),
        });
    }
    samples
}

impl Correlation {
    /// What was measured on the games of a source with an evaluation.
    fn games(&self, source: usize, evaluation: EvaluationKind) -> &[Vec<Sample>] {
        self.samples[source].get(evaluation).map_or(&[], Vec::as_slice)
    }

    /// The fit for a source, an evaluation, a comparison and a phase (or all).
    fn fit(
        &self,
        source: usize,
        evaluation: EvaluationKind,
        kind: CorrelationKind,
        phase: Option<usize>,
    ) -> Fitted {
        let wanted = |sample: &&Sample| phase.is_none() || phase_of(sample.number) == phase;
        let groups: Vec<PairSums> = self
            .games(source, evaluation)
            .iter()
            .map(|game| {
                PairSums::of(game.iter().filter(wanted).filter_map(|sample| kind.pair(sample)))
            })
            .collect();
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

    /// The prediction of depth 8 from depth 4, fitted to the first source.
    pub(super) fn models(&self) -> Models {
        ByEvaluation::from_fn(|evaluation| {
            let mut model = QuiescenceModel::default();
            for (phase, prediction) in model.phases.iter_mut().enumerate() {
                if let Some(line) =
                    self.fit(0, evaluation, CorrelationKind::Quiet84, Some(phase)).line
                {
                    *prediction = Prediction {
                        a: ((line.a * 1000.0).round() as i32).max(100),
                        b: (line.b * PAWN).round() as i32,
                        sigma: (line.sigma * PAWN).round() as i32,
                    };
                }
            }
            model
        })
    }

    fn differences(
        &self,
        source: usize,
        evaluation: EvaluationKind,
        kind: CorrelationKind,
    ) -> Vec<f64> {
        let games = self.games(source, evaluation).iter();
        games.flatten().filter_map(|s| kind.pair(s)).map(|(shallow, deep)| deep - shallow).collect()
    }
}

/// Writes tables, figures, model files and the first finding.
// Long: the page from top to bottom.
pub(super) fn report(
    run: &Run<'_>,
    page: &mut Page,
    published: &Published,
    correlation: &Correlation,
) -> Result<(), LabError> {
    let breadth = correlation.breadth;
    page.heading(&format!("How well depth 4 predicts depth 8 ({})", breadth.name()));
    page.paragraph(
        "Values are in pawns here and in the units of their program in the paper, so sigma can be compared between rows, \
         not between columns. The normal search is MTD(f) over realization probabilities with the engine's pruning; its values \
         of depth 4 and 8 come from one iterative deepening. Intervals (95 %) are from drawing whole games anew.",
    );
    let positions = positions_table(published, correlation);
    run.write_table(&breadth.file("positions"), &positions)?;
    page.table(
        "Table 1: positions, and those left out because a value of quiescence was a mate; the same for the normal search, which was asked \
         of a part of them and left where it took too many nodes",
        &positions,
    );
    let fits = fits_table(published, correlation);
    run.write_table(&breadth.file("correlation"), &fits)?;
    page.table("Table 2: squared correlation and standard deviation of the error", &fits);
    if breadth == Breadth::Wide {
        page.table("Table 2, other work: as quoted in the paper", &other_games(published));
    }
    let figures = [
        (
            "figure-1",
            "Figure 1: quiescence 8 minus 4, material",
            EvaluationKind::Material,
            CorrelationKind::Quiet84,
        ),
        (
            "figure-2",
            "Figure 2: quiescence 8 minus 4, progress",
            EvaluationKind::KingDanger,
            CorrelationKind::Quiet84,
        ),
        (
            "figure-3",
            "Figure 3: quiescence 8 minus 0, progress",
            EvaluationKind::KingDanger,
            CorrelationKind::Quiet80,
        ),
        (
            "figure-linear",
            "Ours: quiescence 8 minus 4, linear",
            EvaluationKind::Linear,
            CorrelationKind::Quiet84,
        ),
    ];
    for (name, title, evaluation, kind) in figures {
        let plot = histogram(correlation, title, evaluation, kind);
        run.write_plot(&breadth.file(name), &plot)?;
        page.figure(&histogram_caption(correlation, title, evaluation, kind), &plot);
    }
    for (evaluator, model) in correlation.models().iter() {
        let text = format!(
            "# depth 8 from depth 4 of {}, evaluation {evaluator}: a (per mille), b, sigma (hundredths of a pawn)\n\
             # phases: moves to 60, 60 to 80, from 80 on\n{model}",
            breadth.name()
        );
        run.write(&breadth.file(&format!("model-{evaluator}.txt")), text.as_bytes())?;
    }
    page.paragraph(&format!(
        "The fits for quiescence 8 / 4 on the engine games are in {}, {} and {} beside this page; the engine loads one by \
         the option Quiescence.ProbCut.File.",
        breadth.file("model-material.txt"),
        breadth.file("model-progress.txt"),
        breadth.file("model-linear.txt")
    ));
    if breadth == Breadth::Wide {
        page.paragraph(&format!(
            "How the paper's print is read: {}.",
            published.notes().join("; ")
        ));
    }
    page.finding(finding(published, correlation));
    Ok(())
}

fn positions_table(published: &Published, correlation: &Correlation) -> Table {
    let mut headings: Vec<String> =
        ["phase", "published", "left out Piece / Progress"].map(str::to_owned).to_vec();
    for name in &correlation.names {
        headings.push(name.clone());
        headings.push(format!("{name}: left out material / progress / linear"));
        headings.push(format!("{name}: normal search asked"));
        headings.push(format!("{name}: not ended, material / progress / linear"));
        headings.push(format!("{name}: mates, material / progress / linear"));
    }
    let mut table = Table::new(headings);
    for (row, theirs) in published.positions.iter().enumerate() {
        let phase = (row < PHASES.len()).then_some(row);
        let mut cells = vec![
            theirs.phase.clone(),
            theirs.all.to_string(),
            format!("{} / {}", theirs.left_out[0], theirs.left_out[1]),
        ];
        for source in &correlation.samples {
            let of = |evaluation: EvaluationKind| {
                let wanted = move |s: &&Sample| phase.is_none() || phase_of(s.number) == phase;
                source.get(evaluation).into_iter().flatten().flatten().filter(wanted)
            };
            let counts = |wanted: &dyn Fn(&Sample) -> bool| {
                let count = |e| of(e).filter(|sample| wanted(sample)).count().to_string();
                EVALUATIONS.into_iter().map(count).collect::<Vec<_>>().join(" / ")
            };
            cells.push(of(EvaluationKind::Material).count().to_string());
            cells.push(counts(&|s| CorrelationKind::Quiet84.pair(s).is_none()));
            cells.push(of(EvaluationKind::Material).filter(|s| s.asked).count().to_string());
            cells.push(counts(&|s| s.asked && s.normal.is_none()));
            cells.push(counts(&|s| {
                s.normal.is_some() && CorrelationKind::Normal84.pair(s).is_none()
            }));
        }
        table.row(cells);
    }
    table
}

fn fits_table(published: &Published, correlation: &Correlation) -> Table {
    let mut headings: Vec<String> =
        ["search", "evaluation", "moves", "published r2", "published sigma"]
            .map(str::to_owned)
            .to_vec();
    for name in &correlation.names {
        let columns = ["n", "r2", "sigma, pawns", "a", "b, pawns"];
        headings.extend(columns.map(|column| format!("{name}: {column}")));
    }
    let mut table = Table::new(headings);
    for kind in CorrelationKind::ALL {
        for evaluator in EVALUATIONS {
            let theirs = find(published, kind, evaluator);
            for place in 0..=PHASES.len() {
                let phase = place.checked_sub(1);
                let text = |value: Option<f64>| value.map_or("–".into(), |v| v.to_string());
                let mut cells = vec![
                    kind.name().to_string(),
                    evaluator.to_string(),
                    phase.map_or("all", |phase| PHASES[phase].0).to_string(),
                    text(theirs.map(|row| row.r2[place])),
                    text(theirs.map(|row| row.sigma[place])),
                ];
                for source in 0..correlation.names.len() {
                    let fit = correlation.fit(source, evaluator, kind, phase);
                    let part = |of: fn(&FittedLine) -> f64| fit.line.as_ref().map(of);
                    cells.push(fit.count.to_string());
                    cells.push(with_interval(part(|line| line.r2), fit.r2, 3));
                    cells.push(with_interval(part(|line| line.sigma), fit.sigma, 2));
                    cells.push(with_interval(part(|line| line.a), fit.a, 3));
                    cells.push(with_interval(part(|line| line.b), fit.b, 2));
                }
                table.row(cells);
            }
        }
    }
    table
}

fn find(
    published: &Published,
    kind: CorrelationKind,
    evaluator: EvaluationKind,
) -> Option<&PublishedCorrelation> {
    published
        .correlations
        .iter()
        .find(|row| row.search == kind.name() && row.evaluation == evaluator.name())
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

fn histogram(
    correlation: &Correlation,
    title: &str,
    evaluation: EvaluationKind,
    kind: CorrelationKind,
) -> Plot {
    let mut plot = Plot::new(
        title,
        Axis::linear("deep value minus shallow value, pawns").from_to(-REACH, REACH),
        Axis::linear("share of positions, per cent"),
    );
    for (source, name) in correlation.names.iter().enumerate() {
        let differences = correlation.differences(source, evaluation, kind);
        let columns = (2.0 * REACH / COLUMN) as i32 + 1;
        let shares = (0..columns).map(|column| {
            let centre = f64::from(column) * COLUMN - REACH;
            let inside = |d: &&f64| (**d - centre + COLUMN / 2.0).div_euclid(COLUMN) == 0.0;
            let count = differences.iter().filter(inside).count();
            (centre, 100.0 * count as f64 / differences.len().max(1) as f64)
        });
        let mark = if source == 0 { Mark::Bars } else { Mark::Line };
        plot = plot.series(name, mark, shares.collect());
    }
    plot
}

fn histogram_caption(
    correlation: &Correlation,
    title: &str,
    evaluation: EvaluationKind,
    kind: CorrelationKind,
) -> String {
    let parts: Vec<String> = correlation
        .names
        .iter()
        .enumerate()
        .map(|(source, name)| {
            let differences = correlation.differences(source, evaluation, kind);
            let count = |holds: &dyn Fn(f64) -> bool| {
                let count = differences.iter().filter(|d| holds(**d)).count();
                100.0 * count as f64 / differences.len().max(1) as f64
            };
            format!(
                "{name}: {} positions, {:.1} % without any difference, {:.1} % beyond {REACH:.0} pawns",
                differences.len(),
                count(&|d| d == 0.0),
                count(&|d| d.abs() > REACH)
            )
        })
        .collect();
    format!("{title}. {}.", parts.join("; "))
}
