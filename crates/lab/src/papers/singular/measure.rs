//! What is measured: searches with and without, problems, and games.

use std::time::Duration;

use yomikiri_arena::openings;
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::eval::registry::UnknownEvaluation;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::settings::search::{Driver, Rewrite, Singular as Form};
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_shogi::Position;
use yomikiri_usi::Setup;

use super::{
    Attempt, Change, Changes, Entrant, Family, LINES, Played, ProblemSet, SingularResults,
    SingularSettings,
};
use crate::games::{self, LabGame};
use crate::problems::{self, LoadedSet, NextMoveProblem};
use crate::run::{LabError, Run, fault};
use crate::searcher::{SearcherFactory, plain};
use crate::selfplay::{SelfPlayer, play_pair};

/// A player of the round robin.
struct Contestant {
    entrant: Entrant,
    player: SelfPlayer,
}

/// Measures everything.
pub(super) fn all(run: &mut Run<'_>) -> Result<SingularResults, LabError> {
    let settings: SingularSettings = run.settings()?;
    if settings.timed_pairs > 0 {
        run.note_timed();
    }
    let sets = problems::load_sets(run, &settings.problems_file, settings.problems)?;
    let games = games::draw(run, &settings.games_file, settings.games, 60)?;
    let mut starts =
        openings::read(openings::DEFAULT).map_err(|error| fault("openings", &error))?;
    fastrand::Rng::with_seed(run.seed()).shuffle(&mut starts);
    let evaluator: EvaluationKind = settings
        .evaluation
        .parse()
        .map_err(|error: UnknownEvaluation| fault("settings", &error.to_string()))?;
    let searchers = SearcherFactory::default();

    let contestants = contestants(&settings, evaluator);
    let changes = measure_changes(run, &settings, evaluator, &games, &searchers)?;
    let mut problems = Vec::new();
    for set in &sets {
        problems.push(measure_problems(run, &contestants, set, &searchers)?);
    }
    let players: Vec<SelfPlayer> = contestants.iter().map(|one| one.player.clone()).collect();
    let entrants: Vec<Entrant> = contestants.into_iter().map(|one| one.entrant).collect();
    let pairs_of = |a: usize, b: usize| pairs_of(&settings, &entrants[a], &entrants[b]);
    let robin = Robin { stage: "round robin", players: &players };
    let games = robin.play(run, &starts, &searchers, pairs_of)?;
    let nodes = Limits { nodes: Some(settings.form_nodes), ..Limits::default() };
    let forms = forms(evaluator, &nodes);
    let robin = Robin { stage: "forms, nodes", players: &forms };
    let form_games = robin.play(run, &starts, &searchers, |_, _| settings.form_pairs)?;
    let time = Duration::from_millis(settings.form_millis);
    let on_time = self::forms(evaluator, &Limits { move_time: Some(time), ..Limits::default() });
    let robin = Robin { stage: "forms, time", players: &on_time };
    let timed_games = robin.play(run, &starts, &searchers, |_, _| settings.timed_pairs)?;
    let forms = forms.into_iter().map(|form| form.name).collect();
    Ok(SingularResults { entrants, games, forms, form_games, timed_games, problems, changes })
}

/// How many pairs two entrants play: none if their depths are too far apart, or if they differ in
/// depth and in having quiescence.
fn pairs_of(settings: &SingularSettings, a: &Entrant, b: &Entrant) -> usize {
    let same_series = a.family.has_quiescence() == b.family.has_quiescence();
    let apart = (a.depth - b.depth).abs();
    match () {
        () if apart > settings.apart || (apart > 0 && !same_series) => 0,
        () if a.depth.max(b.depth) >= settings.deep => settings.deep_pairs,
        () => settings.pairs,
    }
}

/// Plain alpha-beta as the paper has it: no tree kept, no quiescence, no mate search.
fn alpha_beta() -> SearchParams {
    plain().with(|params| {
        params.driver.method = Driver::AlphaBeta;
        params.table.cuts = false;
        params.mate.in_one = false;
        params.quiescence.enabled = false;
    })
}

/// The extension as the paper has it: the best leaf, two plies, the new value always written back.
/// The gap is not said; ours is three pawns.
fn frontier() -> SearchParams {
    alpha_beta().with(|params| {
        params.singular.form = Form::Frontier;
        params.singular.gap = 300;
        params.singular.extra = 2;
        params.singular.width = 1;
        params.singular.rewrite = Rewrite::Always;
    })
}

/// The rule to the letter: leaves are judged where two of them pass beta.
fn literal() -> SearchParams {
    frontier().with(|params| params.singular.past_beta = true)
}

/// Every variant at every depth.
fn contestants(settings: &SingularSettings, evaluator: EvaluationKind) -> Vec<Contestant> {
    let contestant = |family: Family, what: &str, depth: i32, params: SearchParams| {
        let name = format!("{what}, depth {depth}");
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let model = QuiescenceModel::default();
        Contestant {
            entrant: Entrant { name: name.clone(), family, depth },
            player: SelfPlayer { name, evaluator, params, model, limits },
        }
    };
    let mut all = Vec::new();
    for &depth in &settings.depths {
        for (family, params) in [
            (Family::Plain, alpha_beta()),
            (Family::Frontier, frontier()),
            (Family::Literal, literal()),
        ] {
            all.push(contestant(family, family.name(), depth, params));
        }
    }
    for &depth in &settings.quiet_depths {
        for (family, params) in
            [(Family::PlainQuiet, alpha_beta()), (Family::FrontierQuiet, frontier())]
        {
            let params = params.with(|params| params.quiescence.enabled = true);
            all.push(contestant(family, family.name(), depth, params));
        }
    }
    if settings.study {
        let depth = settings.study_depth;
        let varied = studied().into_iter();
        all.extend(varied.map(|(what, params)| contestant(Family::Varied, what, depth, params)));
        let original = alpha_beta().with(|params| {
            params.singular.form = Form::Original;
            params.singular.min_depth = 2;
        });
        all.push(contestant(Family::Original, "original", depth, original));
    }
    all
}

/// The extension with one setting changed.
fn studied() -> [(&'static str, SearchParams); 5] {
    [
        ("frontier, gap 1 pawn", frontier().with(|params| params.singular.gap = 100)),
        ("frontier, gap 10 pawns", frontier().with(|params| params.singular.gap = 1000)),
        ("frontier, width 3", frontier().with(|params| params.singular.width = 3)),
        ("frontier, one ply", frontier().with(|params| params.singular.extra = 1)),
        (
            "frontier, rewritten if clearly wrong",
            frontier().with(|params| params.singular.rewrite = Rewrite::IfWrong),
        ),
    ]
}

/// The engine with each form of singular extension.
fn forms(evaluator: EvaluationKind, limits: &Limits) -> Vec<SelfPlayer> {
    let form = |name: &str, singular: Form, least: i32| SelfPlayer {
        name: name.to_string(),
        evaluator,
        params: SearchParams::default().with(|params| {
            params.singular.form = singular;
            params.singular.min_depth = least;
        }),
        model: QuiescenceModel::default(),
        limits: limits.clone(),
    };
    // At so few nodes a search is not deeper than 7 plies: the forms begin earlier.
    vec![
        form("none", Form::Off, 7),
        form("frontier", Form::Frontier, 7),
        form("original", Form::Original, 5),
        form("table", Form::Table, 7),
        form("table from depth 5", Form::Table, 5),
    ]
}

/// Searches positions of games with and without the extension, by both readings of the rule.
fn measure_changes(
    run: &mut Run<'_>,
    settings: &SingularSettings,
    evaluator: EvaluationKind,
    games: &[LabGame],
    searchers: &SearcherFactory,
) -> Result<Vec<Changes>, LabError> {
    let mut all = Vec::new();
    for (family, params) in [(Family::Frontier, frontier()), (Family::Literal, literal())] {
        for &depth in &settings.depths {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let think = |params: &SearchParams, position: &Position| {
                let mut searcher = searchers.make(evaluator, 1);
                searcher.configure(params, &QuiescenceModel::default());
                searcher.search(position, &limits, 1)
            };
            let change = |(_, position): &(u32, Position)| {
                let (without, with) = (think(&alpha_beta(), position), think(&params, position));
                let [value, played] = with.counters.frontier_changes;
                let opened = with.counters.singular[0];
                Change {
                    frontier: [with.counters.frontier_nodes, opened, value, played],
                    root_move: with.best.first() != without.best.first(),
                    root_value: with.value != without.value,
                }
            };
            let work = |game: &LabGame| {
                game.positions(21, settings.every).iter().map(change).collect::<Vec<_>>()
            };
            let stage = format!("changes, {}, depth {depth}", family.name());
            let found = run.measure(&stage, games, |game| game.line.to_string(), work)?;
            let positions = found.into_iter().flatten().collect();
            all.push(Changes { family, depth, positions });
        }
    }
    Ok(all)
}

fn measure_problems(
    run: &mut Run<'_>,
    contestants: &[Contestant],
    LoadedSet { name, by_people, problems }: &LoadedSet,
    searchers: &SearcherFactory,
) -> Result<ProblemSet, LabError> {
    let mut attempts = Vec::new();
    for Contestant { player, .. } in contestants {
        let ask = |problem: &NextMoveProblem| {
            let Ok(position) = problem.setup.position() else {
                return Attempt { rank: None, nodes: 0 };
            };
            let mut searcher = searchers.make(player.evaluator, 1);
            searcher.configure(&player.params, &player.model);
            let found = searcher.search(&position, &player.limits, LINES);
            let place = found.best.iter().position(|best| problem.right.contains(best));
            Attempt { rank: place.map(|place| place + 1), nodes: found.nodes }
        };
        let stage = format!("problems, {name}, {}", player.name);
        attempts.push(run.measure(&stage, problems, |problem| problem.line.to_string(), ask)?);
    }
    Ok(ProblemSet { name: name.clone(), by_people: *by_people, attempts })
}

/// Players who meet.
struct Robin<'a> {
    stage: &'a str,
    players: &'a [SelfPlayer],
}

impl Robin<'_> {
    /// Plays all pairs; `pairs` says how many two players play.
    fn play(
        &self,
        run: &mut Run<'_>,
        starts: &[Setup],
        searchers: &SearcherFactory,
        pairs: impl Fn(usize, usize) -> usize,
    ) -> Result<Played, LabError> {
        let players = self.players;
        let meetings: Vec<(usize, usize)> = (0..players.len())
            .flat_map(|first| (first + 1..players.len()).map(move |second| (first, second)))
            .collect();
        let most = meetings.iter().map(|&(a, b)| pairs(a, b)).max().unwrap_or(0);
        let mut plan = Vec::new();
        for number in 0..most {
            let playing = meetings.iter().filter(|&&(a, b)| number < pairs(a, b));
            plan.extend(playing.map(|&(a, b)| (a, b, number)));
        }
        // An opening of its own for every pair: fixed depths repeat themselves.
        let plan: Vec<_> = plan.into_iter().enumerate().collect();
        let play = |&(at, (first, second, _)): &(usize, (usize, usize, usize))| {
            let opening = &starts[at % starts.len()];
            play_pair(searchers, [&players[first], &players[second]], opening)
        };
        let key = |&(_, (first, second, number)): &(usize, (usize, usize, usize))| {
            format!("{} / {} / {number}", players[first].name, players[second].name)
        };
        let played = run.measure(self.stage, &plan, key, play)?;
        Ok(plan.into_iter().zip(played).map(|((_, (a, b, _)), pair)| (a, b, pair)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If two leaves pass beta, rewriting the best cannot bring the node below beta.
    #[test]
    fn the_literal_rule_opens_leaves_and_leaves_the_root_alone() {
        let searchers = SearcherFactory::default();
        let sfen = "ln1g3nl/1ks1gr3/1ppppsbpp/p4pp2/9/P1PPP1PP1/1P1S1P2P/1BKGGS1R1/LN5NL b - 1";
        let position = Position::from_sfen(sfen).expect("a position");
        let think = |params: &SearchParams| {
            let mut searcher = searchers.make(EvaluationKind::KingDanger, 1);
            searcher.configure(params, &QuiescenceModel::default());
            let limits = Limits { depth: Some(3), ..Limits::default() };
            searcher.search(&position, &limits, 1)
        };
        let (plain, literal) = (think(&alpha_beta()), think(&literal()));
        assert!(literal.counters.singular[0] > 0, "nothing was opened");
        assert_eq!((plain.best, plain.value), (literal.best, literal.value));
    }
}
