//! Matches between the variants, and against the evaluations that were not learned.

use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_usi::Setup;

use super::variants::{FREE, HOKI, Learned, MIXED, SEARCH, SINGLE, SPLIT, WITHOUT_SAFETY};
use super::{ProgressSettings, Published, fault};
use crate::page::{Finding, FindingVerdict, Page};
use crate::run::{LabError, Run};
use crate::searcher::SearcherFactory;
use crate::selfplay::{Pair, Player, games, pair_counts, play_pair_of};
use crate::table::Table;
use yomikiri_arena::openings as opening_files;

const MATERIAL: &str = "material";
const PROGRESS: &str = "progress";

/// Who plays whom.
const MATCHES: [(&str, &str); 10] = [
    (SPLIT, MATERIAL),
    (SPLIT, PROGRESS),
    (SINGLE, PROGRESS),
    (SPLIT, SINGLE),
    (MIXED, SINGLE),
    (MIXED, SPLIT),
    (SPLIT, FREE),
    (SPLIT, HOKI),
    (SPLIT, WITHOUT_SAFETY),
    (SEARCH, MIXED),
];

/// The openings of the matches.
pub(super) fn openings(
    run: &mut Run<'_>,
    settings: &ProgressSettings,
) -> Result<Vec<Setup>, LabError> {
    let bytes = run.read_data(&settings.openings_file)?;
    let text = String::from_utf8(bytes).map_err(|error| fault("openings", &error))?;
    let mut all = opening_files::read(&text).map_err(|error| fault("openings", &error))?;
    fastrand::Rng::with_seed(run.seed()).shuffle(&mut all);
    all.truncate(settings.match_pairs);
    Ok(all)
}

/// The result of a match from the first player's view.
struct Match {
    players: (&'static str, &'static str),
    pairs: Vec<Pair>,
}

impl Match {
    /// Score in per cent with its interval.
    fn score(&self) -> Option<(f64, f64, f64)> {
        let counts = pair_counts(&self.pairs);
        let (mean, variance) = counts.mean_and_variance();
        let error = 1.96 * (variance / counts.total().max(1) as f64).sqrt();
        (counts.total() > 0).then_some((
            100.0 * mean,
            100.0 * (mean - error),
            100.0 * (mean + error),
        ))
    }

    /// A handful of pairs can look certain by chance.
    fn is_enough(&self) -> bool {
        self.pairs.len() >= 20
    }

    fn told(&self) -> String {
        match self.score() {
            None => "not played".into(),
            Some((mean, low, high)) => format!("{mean:.1} % [{low:.1}, {high:.1}]"),
        }
    }
}

/// Plays all matches and judges what the paper says of strength.
// Long: the page from top to bottom.
pub(super) fn report(
    run: &mut Run<'_>,
    page: &mut Page,
    settings: &ProgressSettings,
    published: &Published,
    learned: &[Learned],
    openings: &[Setup],
) -> Result<(), LabError> {
    let mut matches = Vec::new();
    for players in MATCHES {
        matches.push(Match { players, pairs: play(run, settings, learned, players, openings)? });
    }
    page.heading("Strength");
    let mut table =
        Table::new(["first", "second", "won", "drawn", "lost", "score of the first, 95 %"]);
    for played in &matches {
        let [won, drawn, lost] = games(&played.pairs);
        let (first, second) = played.players;
        table.row([
            first.to_string(),
            second.to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            played.told(),
        ]);
    }
    let caption = format!(
        "{} openings, each with both colours, {} nodes a move, the engine's search as it is",
        openings.len(),
        settings.match_nodes
    );
    page.table(&caption, &table);
    run.write_table("matches", &table)?;
    let of = |first: &str, second: &str| matches.iter().find(|m| m.players == (first, second));
    let record = &published.against_earlier;
    page.finding(judge(
        "The learned evaluation beats the hand-made one",
        format!("{}-{} of {} games, one vector", record.won, record.lost, record.games),
        of(SINGLE, PROGRESS),
        "Ours plays from early openings against the evaluation `progress`.",
    ));
    page.finding(judge(
        "M1 matters: without it self-play falls (how far is the next finding)",
        format!("{:+.0} points without M1", published.without_m1_points),
        of(SPLIT, FREE),
        "The score of the split with M1 against the split without M1; M2 stays on in both.",
    ));
    page.finding(judge_fall(published.without_m1_points, of(SPLIT, FREE)));
    page.finding(judge(
        "M1 beats Hoki's constraint",
        "wins clearly (no figure)".into(),
        of(SPLIT, HOKI),
        "Learned without search, as in the paper.",
    ));
    page.finding(judge(
        "A king-safety term adds strength",
        format!("over {:+.0} points", published.safety_points),
        of(SPLIT, WITHOUT_SAFETY),
        "Ours is a group of learned features, the paper's the older program's term.",
    ));
    page.finding(judge(
        "The split is stronger in real play (the paper could not finish this)",
        "not measured".into(),
        of(SPLIT, SINGLE),
        "From early openings, where the opening vector counts.",
    ));
    page.finding(judge(
        "Learning with search is stronger (the paper's future work)",
        "not measured".into(),
        of(SEARCH, MIXED),
        "Moves compared at the ends of their quiescence lines.",
    ));
    Ok(())
}

/// Whether the published fall, in points of a hundred, lies in our interval.
fn judge_fall(points: f64, played: Option<&Match>) -> Finding {
    let ours = played.and_then(Match::score).map(|score| <[f64; 3]>::from(score).map(|s| 50.0 - s));
    let verdict = match ours.filter(|_| played.is_some_and(Match::is_enough)) {
        None => FindingVerdict::Open,
        Some([_, high, low]) if (low..=high).contains(&points) => FindingVerdict::Holds,
        Some(_) => FindingVerdict::Fails,
    };
    Finding {
        claim: "Without M1 self-play falls by about 30 points".into(),
        published: format!("{points:+.0} points"),
        ours: ours.map_or("not played".into(), |[mean, high, low]| {
            format!("{mean:+.1} points [{low:.1}, {high:.1}]")
        }),
        verdict,
        words: "Points are per cent of the score below one half; the verdict asks whether the published figure is in our interval."
            .into(),
    }
}

/// One match, pair by pair.
fn play(
    run: &mut Run<'_>,
    settings: &ProgressSettings,
    learned: &[Learned],
    (first, second): (&'static str, &'static str),
    openings: &[Setup],
) -> Result<Vec<Pair>, LabError> {
    let sides = [first, second].map(|name| {
        let weights = learned.iter().find(|variant| variant.name == name);
        let evaluator = match name {
            MATERIAL => EvaluationKind::Material,
            PROGRESS => EvaluationKind::KingDanger,
            _ => EvaluationKind::Linear,
        };
        let player = Player {
            name: name.to_string(),
            evaluator,
            params: SearchParams::default(),
            model: QuiescenceModel::default(),
            limits: Limits { nodes: Some(settings.match_nodes), ..Limits::default() },
        };
        let searchers = weights.map_or_else(SearcherFactory::default, |variant| {
            SearcherFactory::with_linear(&variant.weights)
        });
        (player, searchers)
    });
    let [(a, thinks_a), (b, thinks_b)] = &sides;
    let numbered: Vec<(usize, &Setup)> = openings.iter().enumerate().collect();
    run.measure(
        &format!("{first} against {second}"),
        &numbered,
        |(number, _)| number.to_string(),
        |(_, opening)| play_pair_of([thinks_a, thinks_b], [a, b], opening),
    )
}

fn judge(claim: &str, published: String, played: Option<&Match>, words: &str) -> Finding {
    let verdict = match played.filter(|played| played.is_enough()).and_then(Match::score) {
        Some((_, low, _)) if low > 50.0 => FindingVerdict::Holds,
        Some((_, _, high)) if high < 50.0 => FindingVerdict::Fails,
        _ => FindingVerdict::Open,
    };
    let ours = played.map_or_else(|| "not played".into(), Match::told);
    Finding { claim: claim.into(), published, ours, verdict, words: words.into() }
}
