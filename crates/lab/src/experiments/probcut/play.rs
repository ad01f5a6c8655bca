//! What ProbCut inside quiescence does to problems and games: tables 7 and 8, and the margin.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::Evaluator;
use yomikiri_engine::search::params::QuiescenceProbCut;
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_usi::Setup;

use super::{Models, Published, Settings, fault, form_name, with_interval, with_probcut};
use crate::games::find_file;
use crate::page::{Finding, Page, Verdict};
use crate::plot::{Axis, Plot};
use crate::problems::{self, Problem};
use crate::rating::{Strength, elo_of_score};
use crate::run::{LabError, Run};
use crate::selfplay::{Pair, Player, games, pair_counts, play_pair};
use crate::sprt::{self, Sprt};
use crate::stats::bootstrap;
use crate::table::Table;
use crate::thinker::{Thinkers, realization};
use crate::tournament::openings;

/// Margins of table 7, in pawns.
const PROBLEM_MARGINS: [f64; 4] = [0.0, 1.0, 2.0, 3.0];
const BASE: &str = "no ProbCut, depth 8";

/// What a search made of a problem.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Answer {
    right: bool,
    nodes: u64,
}

/// The answers of one variant with one evaluation.
pub(super) struct Answers {
    evaluator: Evaluator,
    variant: String,
    answers: Vec<Answer>,
}

/// The problems.
pub(super) fn load(run: &mut Run<'_>, settings: &Settings) -> Result<Vec<Problem>, LabError> {
    let bytes = run.read_data(&find_file(&settings.problems_file))?;
    let text = String::from_utf8(bytes).map_err(|error| fault("problems", &error))?;
    let mut all = problems::read(&text).map_err(|error| fault("problems", &error))?;
    all.truncate(settings.problems);
    Ok(all)
}

fn problem_variants() -> Vec<(String, SearchParams)> {
    let base = realization();
    let shallow = SearchParams { quiescence_depth: 4, ..base.clone() };
    let mut all = vec![(BASE.to_string(), base.clone()), ("no ProbCut, depth 4".into(), shallow)];
    for form in [QuiescenceProbCut::Root, QuiescenceProbCut::Every] {
        for pawns in PROBLEM_MARGINS {
            let name = format!("{}, w = {pawns}", form_name(form));
            all.push((name, with_probcut(&base, form, pawns)));
        }
    }
    all
}

/// Asks every problem of every variant and evaluation.
pub(super) fn problems(
    run: &mut Run<'_>,
    settings: &Settings,
    problems: &[Problem],
    thinkers: &Thinkers,
    models: &Models,
) -> Result<Vec<Answers>, LabError> {
    let limits = Limits {
        depth: Some(settings.problem_depth),
        nodes: Some(settings.problem_nodes),
        ..Limits::default()
    };
    let mut all = Vec::new();
    for evaluator in Evaluator::ALL {
        for (variant, params) in problem_variants() {
            let ask = |problem: &Problem| {
                let mut thinker = thinkers.make(evaluator, 4);
                thinker.configure(&params, &models[evaluator as usize]);
                let Ok(position) = problem.setup.position() else {
                    return Answer { right: false, nodes: 0 };
                };
                let found = thinker.search(&position, &limits, 1);
                let right = found.best.first().is_some_and(|best| problem.right.contains(best));
                Answer { right, nodes: found.nodes }
            };
            let stage = format!("problems, {evaluator}, {variant}");
            let answers = run.measure(&stage, problems, |p| p.line.to_string(), ask)?;
            all.push(Answers { evaluator, variant, answers });
        }
    }
    Ok(all)
}

impl Answers {
    fn right(&self) -> usize {
        self.answers.iter().filter(|answer| answer.right).count()
    }

    /// Nodes as a share of those of another variant, with an interval over the problems.
    fn ratio(&self, base: &Answers) -> (Option<f64>, Option<(f64, f64)>) {
        let ratio = |places: &[f64]| {
            let sum = |of: &Answers| -> u64 {
                places.iter().map(|&at| of.answers[at as usize].nodes).sum()
            };
            let below = sum(base);
            (below > 0).then(|| sum(self) as f64 / below as f64)
        };
        let places: Vec<f64> = (0..self.answers.len()).map(|at| at as f64).collect();
        (ratio(&places), bootstrap(&places, 400, 1, ratio))
    }

    /// Problems right here and wrong there.
    fn gained(&self, other: &Answers) -> usize {
        let both = self.answers.iter().zip(&other.answers);
        both.filter(|(ours, theirs)| ours.right && !theirs.right).count()
    }
}

fn base_of(all: &[Answers], evaluator: Evaluator) -> Option<&Answers> {
    all.iter().find(|answers| answers.evaluator == evaluator && answers.variant == BASE)
}

/// Writes table 7 and finding 4.
pub(super) fn report_problems(
    run: &Run<'_>,
    page: &mut Page,
    published: &Published,
    all: &[Answers],
) -> Result<(), LabError> {
    page.heading("Next-move problems");
    page.paragraph(
        "The search is the paper's: MTD(f) over realization probabilities to a fixed depth, with our quiescence of depth 8 below. The \
         paper's problems are those of a book; ours are in data/next_moves.tsv. Its number of problems is not said.",
    );
    let mut table = Table::new([
        "evaluation",
        "variant",
        "published: right",
        "published: nodes",
        "right",
        "of",
        "gained / lost against depth 8",
        "nodes",
    ]);
    for answers in all {
        let Some(base) = base_of(all, answers.evaluator) else { continue };
        let theirs = published.problems.iter().find(|row| row.variant == answers.variant);
        let theirs = theirs.filter(|_| answers.evaluator == Evaluator::Progress);
        let (ratio, interval) = answers.ratio(base);
        table.row([
            answers.evaluator.to_string(),
            answers.variant.clone(),
            theirs.map_or("–".into(), |row| row.right.to_string()),
            theirs.map_or("–".into(), |row| format!("{:.3}", row.nodes)),
            answers.right().to_string(),
            answers.answers.len().to_string(),
            format!("{} / {}", answers.gained(base), base.gained(answers)),
            with_interval(ratio, interval, 3),
        ]);
    }
    run.write_table("problems", &table)?;
    page.table(
        "Table 7: right answers, and nodes as a share of depth 8 without ProbCut. The paper's program used ProgressEval",
        &table,
    );
    page.finding(problems_finding(all));
    Ok(())
}

fn problems_finding(all: &[Answers]) -> Finding {
    let (mut more, mut fewer, mut both, mut cases) = (0, 0, 0, 0);
    let mut shown = Vec::new();
    for answers in all.iter().filter(|answers| answers.variant.starts_with("root")) {
        let Some(base) = base_of(all, answers.evaluator) else { continue };
        let Some(ratio) = answers.ratio(base).0 else { continue };
        cases += 1;
        let (is_more, is_fewer) = (answers.right() > base.right(), ratio < 1.0);
        more += usize::from(is_more);
        fewer += usize::from(is_fewer);
        both += usize::from(is_more && is_fewer);
        shown.push(format!(
            "{}, {}: {} for {}, {ratio:.2}",
            answers.evaluator,
            answers.variant,
            answers.right(),
            base.right()
        ));
    }
    let asked = all.first().map_or(0, |answers| answers.answers.len());
    let verdict = match both {
        _ if asked < 50 => Verdict::Open,
        both if both == cases => Verdict::Holds,
        0 => Verdict::Fails,
        _ => Verdict::Partly,
    };
    Finding {
        claim: "ProbCut solves more problems in fewer nodes".into(),
        published: "w = 0, 1, 2, 3: 172, 174, 173, 180 for 169, nodes .620 .743 .837 .947".into(),
        ours: format!("right with ProbCut for right without, node ratio: {}", shown.join("; ")),
        verdict,
        words: format!(
            "More right answers in {more}, fewer nodes in {fewer}, both in {both} of {cases} cases (evaluation, margin) on {asked} problems."
        ),
    }
}

/// A match against the engine without ProbCut in quiescence.
pub(super) struct Match {
    name: String,
    margin: Option<f64>,
    timed: bool,
    pairs: Vec<Pair>,
}

impl Match {
    fn strength(&self) -> Option<Strength> {
        pair_counts(&self.pairs).strength()
    }

    fn elo(&self) -> Option<f64> {
        self.strength().map(|strength| strength.elo.value)
    }
}

/// Fewer pairs than this decide nothing.
const FEWEST_PAIRS: usize = 20;

/// Pairs played between two looks at the sequential test.
const BATCH: usize = 10;

/// Plays all matches: every margin at fixed nodes until the test ends, then w = 1, 3 and the best
/// on time.
pub(super) fn matches(
    run: &mut Run<'_>,
    settings: &Settings,
    thinkers: &Thinkers,
    models: &Models,
) -> Result<Vec<Match>, LabError> {
    let evaluator: Evaluator =
        settings.match_evaluation.parse().map_err(|error: String| fault("settings", &error))?;
    let mut starts =
        openings::read(openings::DEFAULT).map_err(|error| fault("openings", &error))?;
    fastrand::Rng::with_seed(run.seed()).shuffle(&mut starts);
    let player = |name: &str, params: SearchParams, limits: &Limits| Player {
        name: name.to_string(),
        evaluator,
        params,
        model: models[evaluator as usize],
        limits: limits.clone(),
    };
    let base = SearchParams::default();
    let margins = |form, margins: &[f64]| -> Vec<(String, Option<f64>, SearchParams)> {
        let of = |&w: &f64| {
            let margin = Some(w).filter(|_| form == QuiescenceProbCut::Root);
            (format!("{}, w = {w}", form_name(form)), margin, with_probcut(&base, form, w))
        };
        margins.iter().map(of).collect()
    };
    let mut candidates = margins(QuiescenceProbCut::Root, &settings.match_margins);
    candidates.extend(margins(QuiescenceProbCut::Every, &settings.every_margins));
    if !run.is_quick() {
        let without = SearchParams { probcut: false, ..base.clone() };
        candidates.push(("none in the normal search either".into(), None, without));
    }

    let nodes = Limits { nodes: Some(settings.match_nodes), ..Limits::default() };
    let test = sequential_test(settings);
    let opponent = player("without", base.clone(), &nodes);
    let mut all = Vec::new();
    for (name, margin, params) in &candidates {
        let ours = player(name, params.clone(), &nodes);
        let mut pairs = Vec::new();
        for batch in numbered(&starts, settings.match_pairs).chunks(BATCH) {
            let play =
                |(_, opening): &(usize, Setup)| play_pair(thinkers, [&ours, &opponent], opening);
            let stage = format!("match, {name}");
            pairs.extend(run.measure(&stage, batch, |(at, _)| at.to_string(), play)?);
            if test.verdict(&pair_counts(&pairs)) != sprt::Verdict::Continue {
                break;
            }
        }
        all.push(Match { name: name.clone(), margin: *margin, timed: false, pairs });
    }
    let best = best_of(&all).map(|best| best.name.clone());
    let time = Limits {
        move_time: Some(Duration::from_millis(settings.match_millis)),
        ..Limits::default()
    };
    let opponent = player("without", base.clone(), &time);
    for (name, margin, params) in candidates {
        if !(margin == Some(1.0) || margin == Some(3.0) || Some(&name) == best.as_ref()) {
            continue;
        }
        let ours = player(&name, params, &time);
        let play = |(_, opening): &(usize, Setup)| play_pair(thinkers, [&ours, &opponent], opening);
        let batch = numbered(&starts, settings.timed_pairs);
        let stage = format!("match on time, {name}");
        let pairs = run.measure(&stage, &batch, |(at, _)| at.to_string(), play)?;
        all.push(Match { name, margin, timed: true, pairs });
    }
    Ok(all)
}

/// The first openings with their numbers; they begin anew where there are not enough.
fn numbered(starts: &[Setup], count: usize) -> Vec<(usize, Setup)> {
    starts.iter().cycle().take(count).cloned().enumerate().collect()
}

fn sequential_test(settings: &Settings) -> Sprt {
    Sprt { elo0: 0.0, elo1: settings.sprt_elo, alpha: 0.05, beta: 0.05 }
}

/// The match with the best result, among those with ProbCut in quiescence.
fn best_of(all: &[Match]) -> Option<&Match> {
    let with = |m: &&Match| !m.timed && (m.name.starts_with("root") || m.name.starts_with("every"));
    all.iter()
        .filter(with)
        .max_by(|a, b| a.elo().unwrap_or(f64::NAN).total_cmp(&b.elo().unwrap_or(f64::NAN)))
}

/// Writes table 8, the sweep and finding 5.
pub(super) fn report_matches(
    run: &Run<'_>,
    page: &mut Page,
    published: &Published,
    settings: &Settings,
    all: &[Match],
) -> Result<(), LabError> {
    page.heading("Games against the engine without ProbCut in quiescence");
    let rules = crate::selfplay::rules();
    page.paragraph(&format!(
        "Both sides search with the engine's default settings and the evaluation `{}`; the games come in pairs from one opening with \
         colours swapped, and are drawn after {} moves. The sequential test asks at 5 % errors whether ProbCut is worth {} normalized \
         Elo or nothing; it stops the games of a margin when it is decided. Intervals are 95 %, from pairs.",
        settings.match_evaluation, rules.maximum_moves, settings.sprt_elo
    ));
    let test = sequential_test(settings);
    for (name, timed, caption) in [
        ("matches", false, format!("Table 8 and the sweep, {} nodes a move", settings.match_nodes)),
        ("matches-on-time", true, format!("Table 8, {} ms a move", settings.match_millis)),
    ] {
        let table = matches_table(published, all, timed, &test);
        run.write_table(name, &table)?;
        page.table(&caption, &table);
    }
    let plot = sweep_plot(all);
    run.write_plot("margins", &plot)?;
    page.figure("Elo against the engine without, by margin, with 95 % intervals.", &plot);
    page.finding(games_finding(published, all));
    page.finding(margin_finding(all, &test));
    Ok(())
}

fn matches_table(published: &Published, all: &[Match], timed: bool, test: &Sprt) -> Table {
    let mut table = Table::new([
        "ProbCut",
        "published: won-lost-drawn",
        "won-lost-drawn",
        "Elo",
        "likelihood of superiority, %",
        "log likelihood ratio",
        "test",
    ]);
    for m in all.iter().filter(|m| m.timed == timed) {
        let theirs = published.selfplay.iter().find(|row| Some(row.margin) == m.margin);
        let [won, drawn, lost] = games(&m.pairs);
        let counts = pair_counts(&m.pairs);
        let strength = m.strength();
        table.row([
            m.name.clone(),
            theirs.map_or("–".into(), |row| format!("{}-{}-{}", row.won, row.lost, row.drawn)),
            format!("{won}-{lost}-{drawn}"),
            strength.map_or("–".into(), |s| {
                with_interval(Some(s.elo.value), Some((s.elo.low, s.elo.high)), 0)
            }),
            strength.map_or("–".into(), |s| format!("{:.1}", 100.0 * s.superiority)),
            format!("{:.2}", test.log_likelihood_ratio(&counts)),
            match test.verdict(&counts) {
                sprt::Verdict::AcceptH0 => "no gain",
                sprt::Verdict::AcceptH1 => "gain",
                sprt::Verdict::Continue => "not decided",
            }
            .to_string(),
        ]);
    }
    table
}

fn sweep_plot(all: &[Match]) -> Plot {
    let mut plot = Plot::new(
        "Strength by margin, ProbCut at the quiescence root",
        Axis::linear("margin w, pawns"),
        Axis::linear("Elo"),
    );
    for (timed, label) in [(false, "fixed nodes"), (true, "fixed time")] {
        let points: Vec<(f64, Strength)> = all
            .iter()
            .filter(|m| m.timed == timed)
            .filter_map(|m| Some((m.margin?, m.strength()?)))
            .filter(|(_, s)| s.elo.low.is_finite() && s.elo.high.is_finite())
            .collect();
        let shift = if timed { 0.06 } else { 0.0 };
        let data = points.iter().map(|(w, s)| (w + shift, s.elo.value)).collect();
        let bars = points.iter().map(|(_, s)| (s.elo.low, s.elo.high)).collect();
        plot = plot.with_errors(label, data, bars);
    }
    plot
}

/// Finding 5: stronger in self-play with w = 1 and 3.
fn games_finding(published: &Published, all: &[Match]) -> Finding {
    let named = all.iter().filter(|m| m.margin == Some(1.0) || m.margin == Some(3.0));
    let results: Vec<(String, Strength)> = named
        .filter_map(|m| {
            let kind = if m.timed { "on time" } else { "fixed nodes" };
            Some((format!("{} {kind}, {} games", m.name, 2 * m.pairs.len()), m.strength()?))
        })
        .collect();
    let most = all.iter().map(|m| m.pairs.len()).max().unwrap_or(0);
    let verdict = match &results[..] {
        _ if most < FEWEST_PAIRS => Verdict::Open,
        [] => Verdict::Open,
        all if all.iter().all(|(_, s)| s.elo.low > 0.0) => Verdict::Holds,
        all if all.iter().any(|(_, s)| s.elo.low > 0.0) => Verdict::Partly,
        all if all.iter().any(|(_, s)| s.elo.high < 0.0) => Verdict::Fails,
        _ => Verdict::Open,
    };
    let words = match verdict {
        Verdict::Holds => "Every interval lies above 0.",
        Verdict::Partly => "Some intervals lie above 0.",
        Verdict::Fails => "No interval lies above 0, and some lie below.",
        Verdict::Open => {
            "The intervals hold 0: so many games do not tell a difference of this size."
        }
    };
    let shown: Vec<String> = results
        .iter()
        .map(|(name, s)| {
            let elo = with_interval(Some(s.elo.value), Some((s.elo.low, s.elo.high)), 0);
            format!("{name}: Elo {elo}")
        })
        .collect();
    Finding {
        claim: "The program with ProbCut is stronger in self-play".into(),
        published: published_games(published),
        ours: shown.join("; "),
        verdict,
        words: words.into(),
    }
}

/// The published results with the Elo that they mean, were the games independent.
fn published_games(published: &Published) -> String {
    let of = |row: &super::PublishedGames| {
        let count = f64::from(row.won + row.lost + row.drawn);
        let score = (f64::from(row.won) + 0.5 * f64::from(row.drawn)) / count;
        let squares = (f64::from(row.won) + 0.25 * f64::from(row.drawn)) / count;
        let error = 1.96 * ((squares - score * score) / count).sqrt();
        let ends = (elo_of_score(score - error), elo_of_score(score + error));
        let elo = with_interval(Some(elo_of_score(score)), Some(ends), 0);
        format!("w = {}: {}-{}-{}, Elo {elo}", row.margin, row.won, row.lost, row.drawn)
    };
    published.selfplay.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// The paper's open question: the right margin.
fn margin_finding(all: &[Match], test: &Sprt) -> Finding {
    let decided = |m: &&Match| test.verdict(&pair_counts(&m.pairs)) == sprt::Verdict::AcceptH1;
    let winners: Vec<&Match> = all
        .iter()
        .filter(|m| !m.timed && m.name != "none in the normal search either")
        .filter(decided)
        .collect();
    let best = best_of(all);
    let best_text = best.map_or("none was played".to_string(), |m| {
        format!("{} with Elo {:.0}", m.name, m.elo().unwrap_or(f64::NAN))
    });
    let (verdict, words) = match &winners[..] {
        [] => (
            Verdict::Open,
            "No margin passes the test, so ProbCut inside quiescence stays off in the engine."
                .to_string(),
        ),
        some => {
            let names: Vec<&str> = some.iter().map(|m| m.name.as_str()).collect();
            (Verdict::Holds, format!("The test accepts a gain for: {}.", names.join("; ")))
        }
    };
    Finding {
        claim:
            "There is a margin at which ProbCut inside quiescence gains (the paper's open question)"
                .into(),
        published: "left open; w = 3 was the better of two".into(),
        ours: format!("the best result: {best_text}"),
        verdict,
        words,
    }
}
