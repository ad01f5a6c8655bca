//! What ProbCut inside quiescence does to games: table 8, and the margin.
//!
//! Wide quiescence plays inside the paper's program (MTD(f) over realization probabilities), narrow
//! quiescence inside the engine as it is.

use std::ops::Range;
use std::time::Duration;

use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::settings::search::QuiescenceProbCut;
use yomikiri_engine::value::Value;
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_usi::Setup;

use super::{
    Bench, Breadth, MatchSettings, Models, ProbcutSettings, Published, fault, form_name, model_of,
    with_interval, with_probcut,
};
use crate::page::{Finding, FindingVerdict, Page};
use crate::plot::{Axis, Plot};
use crate::run::{LabError, Run};
use crate::searcher::realization;
use crate::selfplay::{Pair, Player, games, pair_counts, play_pair};
use crate::table::Table;
use yomikiri_arena::openings;
use yomikiri_arena::rating::{Strength, elo_of_score};
use yomikiri_arena::sprt::{self, Sprt};

/// A match against the program without ProbCut in quiescence.
pub(super) struct Match {
    name: String,
    margin: Option<f64>,
    timed: bool,
    pairs: Vec<Pair>,
    /// None for a match on time, whose length is set beforehand.
    outcome: Option<SprtOutcome>,
}

impl Match {
    fn strength(&self) -> Option<Strength> {
        pair_counts(&self.pairs).strength()
    }

    fn elo(&self) -> Option<f64> {
        self.strength().map(|strength| strength.elo.value)
    }
}

/// The margins of table 8.
const PUBLISHED_MARGINS: [f64; 2] = [1.0, 3.0];
/// Fewer pairs than this decide nothing.
const FEWEST_PAIRS: usize = 20;
/// The engine's word for a margin in standard deviations.
const MARGIN_IN_SIGMAS: Value = -1;
/// Pairs played between two looks at the sequential test.
const BATCH: usize = 10;
/// The candidate that goes without any ProbCut.
const NONE_AT_ALL: &str = "none in the normal search either";

/// A setting that plays against the program without ProbCut in quiescence.
struct Candidate {
    name: String,
    /// The margin, if ProbCut is tried at the quiescence root.
    margin: Option<f64>,
    params: SearchParams,
}

/// The program and the openings of all matches.
struct Contest<'a> {
    bench: &'a Bench<'a>,
    evaluator: EvaluationKind,
    base: SearchParams,
    model: QuiescenceModel,
    starts: Vec<Setup>,
}

/// All matches of one breadth.
pub(super) struct Played {
    matches: Vec<Match>,
    /// The best when the sequential tests had ended: the one that plays on, and on time.
    best: Option<String>,
}

/// Plays all matches: every margin at fixed nodes until the test ends, those of table 8 and the
/// best at least so long as the settings say, then on time.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    models: &Models,
) -> Result<Played, LabError> {
    let contest = Contest::new(run.seed(), bench, models)?;
    let settings = bench.settings;
    let candidates = contest.candidates(run.is_quick());
    let nodes = Limits { nodes: Some(settings.matches.match_nodes), ..Limits::default() };
    let mut all = Vec::new();
    for candidate in &candidates {
        all.push(contest.until_decided(run, candidate, &nodes)?);
    }
    let best = best_of(&all).map(|best| best.name.clone());
    for (candidate, played) in candidates.iter().zip(&mut all) {
        let in_any_case = candidate.is_published() || Some(&candidate.name) == best.as_ref();
        let more = played.pairs.len()..settings.matches.least_pairs;
        if in_any_case && !more.is_empty() {
            played.pairs.extend(contest.play(run, candidate, &nodes, more)?);
        }
    }
    let time = Duration::from_millis(settings.matches.match_millis);
    let time = Limits { move_time: Some(time), ..Limits::default() };
    for candidate in &candidates {
        let published = candidate.is_published() && bench.breadth == Breadth::Wide;
        if published || Some(&candidate.name) == best.as_ref() {
            let pairs = contest.play(run, candidate, &time, 0..settings.matches.timed_pairs)?;
            all.push(candidate.played(None, pairs));
        }
    }
    Ok(Played { matches: all, best })
}

/// How the sequential test ended. Games that are played after it do not change it.
#[derive(Clone, Copy, Debug)]
struct SprtOutcome {
    pairs: usize,
    ratio: f64,
    verdict: sprt::SprtVerdict,
}

impl SprtOutcome {
    fn of(test: &Sprt, pairs: &[Pair]) -> SprtOutcome {
        let counts = pair_counts(pairs);
        let ratio = test.log_likelihood_ratio(&counts);
        SprtOutcome { pairs: pairs.len(), ratio, verdict: test.verdict(&counts) }
    }
}

impl core::fmt::Display for SprtOutcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let verdict = match self.verdict {
            sprt::SprtVerdict::AcceptH0 => "no gain",
            sprt::SprtVerdict::AcceptH1 => "gain",
            sprt::SprtVerdict::Continue => "not decided",
        };
        write!(f, "{}, {:.2}, {verdict}", self.pairs, self.ratio)
    }
}

impl Candidate {
    fn is_published(&self) -> bool {
        self.margin.is_some_and(|margin| PUBLISHED_MARGINS.contains(&margin))
    }

    fn played(&self, outcome: Option<SprtOutcome>, pairs: Vec<Pair>) -> Match {
        let (name, margin, timed) = (self.name.clone(), self.margin, outcome.is_none());
        Match { name, margin, timed, pairs, outcome }
    }
}

impl<'a> Contest<'a> {
    fn new(seed: u64, bench: &'a Bench<'a>, models: &Models) -> Result<Contest<'a>, LabError> {
        let base = match bench.breadth {
            Breadth::Wide => realization(),
            Breadth::Narrow => SearchParams::default(),
        };
        let evaluator = bench.match_evaluator()?;
        let mut starts =
            openings::read(openings::DEFAULT).map_err(|error| fault("openings", &error))?;
        fastrand::Rng::with_seed(seed).shuffle(&mut starts);
        let (base, model) = (bench.breadth.of(base), model_of(models, evaluator));
        Ok(Contest { bench, evaluator, base, model, starts })
    }

    fn candidates(&self, quick: bool) -> Vec<Candidate> {
        let MatchSettings { match_margins, match_sigmas, every_margins, .. } =
            &self.bench.settings.matches;
        let of = |form: QuiescenceProbCut, w: f64| Candidate {
            name: format!("{}, w = {w}", form_name(form)),
            margin: Some(w).filter(|_| form == QuiescenceProbCut::Root),
            params: with_probcut(&self.base, form, w),
        };
        let in_sigmas = |n: f64| Candidate {
            name: format!("root, w = {n} sigma of the phase"),
            margin: None,
            params: self.base.with(|params| {
                params.quiescence.probcut = QuiescenceProbCut::Root;
                params.quiescence.probcut_margin = MARGIN_IN_SIGMAS;
                params.quiescence.probcut_sigmas = (100.0 * n).round() as i32;
            }),
        };
        let root = match_margins.iter().map(|&w| of(QuiescenceProbCut::Root, w));
        let mut all: Vec<Candidate> =
            root.chain(match_sigmas.iter().map(|&n| in_sigmas(n))).collect();
        if self.bench.breadth == Breadth::Narrow {
            all.extend(every_margins.iter().map(|&w| of(QuiescenceProbCut::Every, w)));
            if !quick {
                let params = self.base.with(|params| params.probcut.enabled = false);
                all.push(Candidate { name: NONE_AT_ALL.into(), margin: None, params });
            }
        }
        all
    }

    /// Plays on until the sequential test is decided or the pairs are used up.
    fn until_decided(
        &self,
        run: &mut Run<'_>,
        candidate: &Candidate,
        limits: &Limits,
    ) -> Result<Match, LabError> {
        let (test, most) =
            (sequential_test(self.bench.settings), self.bench.settings.matches.match_pairs);
        let mut pairs = Vec::new();
        let mut outcome = SprtOutcome::of(&test, &pairs);
        while pairs.len() < most && outcome.verdict == sprt::SprtVerdict::Continue {
            let batch = pairs.len()..most.min(pairs.len() + BATCH);
            pairs.extend(self.play(run, candidate, limits, batch)?);
            outcome = SprtOutcome::of(&test, &pairs);
        }
        Ok(candidate.played(Some(outcome), pairs))
    }

    /// The pairs from these openings; they begin anew where there are not enough.
    fn play(
        &self,
        run: &mut Run<'_>,
        candidate: &Candidate,
        limits: &Limits,
        pairs: Range<usize>,
    ) -> Result<Vec<Pair>, LabError> {
        let player = |name: &str, params: &SearchParams| Player {
            name: name.to_string(),
            evaluator: self.evaluator,
            params: *params,
            model: self.model,
            limits: limits.clone(),
        };
        let players = [player(&candidate.name, &candidate.params), player("without", &self.base)];
        let play = |&number: &usize| {
            let opening = &self.starts[number % self.starts.len()];
            play_pair(self.bench.searchers, [&players[0], &players[1]], opening)
        };
        let kind = if limits.move_time.is_some() { "match on time" } else { "match" };
        let breadth = self.bench.breadth.name();
        // A sequential test plays batch after batch: each is a stage of its own.
        let stage = format!("{breadth}, {kind}, {}, pairs from {}", candidate.name, pairs.start);
        run.measure(&stage, &pairs.collect::<Vec<_>>(), usize::to_string, play)
    }
}

fn sequential_test(settings: &ProbcutSettings) -> Sprt {
    Sprt { elo0: 0.0, elo1: settings.matches.sprt_elo, alpha: 0.05, beta: 0.05 }
}

/// The match with the best result, among those with ProbCut in quiescence.
fn best_of(all: &[Match]) -> Option<&Match> {
    let with = |m: &&Match| !m.timed && (m.name.starts_with("root") || m.name.starts_with("every"));
    let rated = all.iter().filter(with).filter_map(|m| Some((m, m.elo()?)));
    rated.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(best, _)| best)
}

/// Writes table 8, the sweep and finding 5.
pub(super) fn report(
    run: &Run<'_>,
    page: &mut Page,
    published: &Published,
    bench: &Bench<'_>,
    played: &Played,
    early_cost: Option<f64>,
) -> Result<(), LabError> {
    let Bench { settings, breadth, .. } = bench;
    let all = &played.matches;
    page.heading(&format!(
        "Games against the program without ProbCut in quiescence ({})",
        breadth.name()
    ));
    let program = match breadth {
        Breadth::Wide => {
            format!(
                "as in the problems, with the evaluation `{}`",
                settings.matches.paper_evaluation
            )
        }
        Breadth::Narrow => format!(
            "with the engine's default settings and the evaluation `{}`",
            settings.matches.match_evaluation
        ),
    };
    page.paragraph(&format!(
        "Both sides search {program}; the games come in pairs from one opening with colours swapped, and are drawn after {} moves. \
         The sequential test asks at 5 % errors whether ProbCut is worth {} normalized Elo or nothing; it ends the games of a margin \
         when it is decided, but those of table 8 and the best then play {} pairs in any case. Intervals are 95 %, from pairs; where the \
         test ended the games, chance favours the side it ended them on. On time play the best and, with wide quiescence, table 8.",
        crate::selfplay::rules().maximum_moves,
        settings.matches.sprt_elo,
        settings.matches.least_pairs
    ));
    for (name, timed, caption) in [
        (
            "matches",
            false,
            format!("Table 8 and the sweep, {} nodes a move", settings.matches.match_nodes),
        ),
        ("matches-on-time", true, format!("Table 8, {} ms a move", settings.matches.match_millis)),
    ] {
        let table = matches_table(published, all, timed);
        run.write_table(&breadth.file(name), &table)?;
        page.table(&caption, &table);
    }
    let plot = sweep_plot(all);
    run.write_plot(&breadth.file("margins"), &plot)?;
    page.figure("Elo against the program without, by margin, with 95 % intervals.", &plot);
    page.finding(games_finding(published, *breadth, all, early_cost));
    page.finding(margin_finding(*breadth, played));
    Ok(())
}

fn matches_table(published: &Published, all: &[Match], timed: bool) -> Table {
    let mut table = Table::new([
        "ProbCut",
        "published: won-lost-drawn",
        "won-lost-drawn",
        "Elo",
        "likelihood of superiority, %",
        "test: pairs, log likelihood ratio, verdict",
    ]);
    for m in all.iter().filter(|m| m.timed == timed) {
        let theirs = published.selfplay.iter().find(|row| Some(row.margin) == m.margin);
        let [won, drawn, lost] = games(&m.pairs);
        let strength = m.strength();
        table.row([
            m.name.clone(),
            theirs.map_or("–".into(), |row| format!("{}-{}-{}", row.won, row.lost, row.drawn)),
            format!("{won}-{lost}-{drawn}"),
            strength.map_or("–".into(), |s| {
                with_interval(Some(s.elo.value), Some((s.elo.low, s.elo.high)), 0)
            }),
            strength.map_or("–".into(), |s| format!("{:.1}", 100.0 * s.superiority)),
            m.outcome.map_or("–".into(), |outcome| outcome.to_string()),
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
fn games_finding(
    published: &Published,
    breadth: Breadth,
    all: &[Match],
    early_cost: Option<f64>,
) -> Finding {
    let named = all.iter().filter(|m| m.margin.is_some_and(|w| PUBLISHED_MARGINS.contains(&w)));
    let results: Vec<(String, Strength)> = named
        .filter_map(|m| {
            let kind = if m.timed { "on time" } else { "fixed nodes" };
            Some((format!("{} {kind}, {} games", m.name, 2 * m.pairs.len()), m.strength()?))
        })
        .collect();
    let most = all.iter().map(|m| m.pairs.len()).max().unwrap_or(0);
    let verdict = match &results[..] {
        _ if most < FEWEST_PAIRS => FindingVerdict::Open,
        [] => FindingVerdict::Open,
        all if all.iter().all(|(_, s)| s.elo.low > 0.0) => FindingVerdict::Holds,
        all if all.iter().any(|(_, s)| s.elo.low > 0.0) => FindingVerdict::Partly,
        all if all.iter().any(|(_, s)| s.elo.high < 0.0) => FindingVerdict::Fails,
        _ => FindingVerdict::Open,
    };
    let why = match early_cost.filter(|&cost| cost > 1.0 && verdict != FindingVerdict::Holds) {
        Some(cost) => format!(
            " One reason is in table 6: before move 60, in which these games begin, ProbCut at w = 1 takes {cost:.2} of the nodes."
        ),
        None => String::new(),
    };
    let words = match verdict {
        FindingVerdict::Holds => "Every interval lies above 0.",
        FindingVerdict::Partly => "Some intervals lie above 0.",
        FindingVerdict::Fails => "No interval lies above 0, and some lie below.",
        FindingVerdict::Open => {
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
        claim: format!("The program with ProbCut is stronger in self-play ({})", breadth.name()),
        published: published_games(published),
        ours: shown.join("; "),
        verdict,
        words: format!("{words}{why}"),
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
fn margin_finding(breadth: Breadth, Played { matches: all, best }: &Played) -> Finding {
    let swept: Vec<&Match> = all.iter().filter(|m| !m.timed && m.name != NONE_AT_ALL).collect();
    let with_verdict = |wanted: sprt::SprtVerdict| {
        let is = |m: &&&Match| m.outcome.is_some_and(|outcome| outcome.verdict == wanted);
        swept.iter().filter(is).map(|m| m.name.as_str()).collect::<Vec<_>>()
    };
    let gains = with_verdict(sprt::SprtVerdict::AcceptH1);
    let without_gain = with_verdict(sprt::SprtVerdict::AcceptH0).len();
    let stays = match breadth {
        Breadth::Wide => "",
        Breadth::Narrow => " ProbCut inside quiescence stays off in the engine.",
    };
    let (verdict, words) = match &gains[..] {
        [] if without_gain == swept.len() => {
            (FindingVerdict::Fails, format!("The test denies the gain at every margin.{stays}"))
        }
        [] => (
            FindingVerdict::Open,
            format!(
                "The test denies the gain at {without_gain} of {} settings and accepts it nowhere.{stays}",
                swept.len()
            ),
        ),
        some => {
            let (names, tests) = (some.join("; "), swept.len());
            let words = format!(
                "The test accepts a gain for: {names}. Of {tests} tests each is wrong once in twenty times."
            );
            (FindingVerdict::Holds, words)
        }
    };
    let best = swept.iter().find(|m| Some(&m.name) == best.as_ref());
    let best = best.map_or("none was played".to_string(), |m| {
        format!("{} with Elo {:.0}", m.name, m.elo().unwrap_or(f64::NAN))
    });
    Finding {
        claim: format!(
            "There is a margin at which ProbCut inside quiescence gains: the paper's open question ({})",
            breadth.name()
        ),
        published: "left open; w = 3 was the better of two".into(),
        ours: format!("the best result: {best}"),
        verdict,
        words,
    }
}
