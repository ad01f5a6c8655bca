//! Singular extension, measured by rating (Nakayama, Iida, Inui, Kotani, 1990s).
//!
//! The question: if the best leaf stands far ahead of the second, its value is suspect, and it is
//! searched on. Does that make a plain alpha-beta program stronger for the nodes it costs? The
//! paper describes the measurement and gives no numbers, so the page has no published column.
//!
//! Measured: a round robin of every variant at every depth, rated together, with nodes and time
//! beside each rating; next-move problems with the rank of the solution; how often the extension
//! changes a value at the frontier and how often the move at the root. Then the forms that came
//! after it (the original definition, today's form with the transposition table) in the engine
//! itself, at equal nodes and at equal time.

mod report;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::eval::registry::UnknownEvaluation;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::settings::search::{Driver, Rewrite, Singular as Form};
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_shogi::Position;
use yomikiri_usi::Setup;

use crate::games::{self, LabGame};
use crate::page::Page;
use crate::problems::{self, Problem};
use crate::run::{Experiment, LabError, Run, fault};
use crate::searcher::{SearcherFactory, plain};
use crate::selfplay::{Pair, Player, play_pair};
use yomikiri_arena::openings;

/// The experiment.
pub struct Singular;

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SingularSettings {
    /// The evaluation of all players.
    pub evaluation: String,
    /// Depths of the searches without quiescence.
    pub depths: Vec<i32>,
    /// Depths of the searches with quiescence.
    pub quiet_depths: Vec<i32>,
    /// The depth at which gap, width, extra depth and rewrite rule are varied.
    pub study_depth: i32,
    /// Whether they are varied.
    pub study: bool,
    /// Pairs of games of every two players that meet.
    pub pairs: usize,
    /// Players meet whose depths differ by at most this: the outcome of the others is known, and
    /// dear.
    pub apart: i32,
    /// Nodes for a move in the match of the forms.
    pub form_nodes: u64,
    /// Pairs of every two forms at equal nodes.
    pub form_pairs: usize,
    /// Milliseconds for a move in the match of the forms on time.
    pub form_millis: u64,
    /// Pairs of every two forms at equal time.
    pub timed_pairs: usize,
    /// Next-move problems.
    pub problems_file: PathBuf,
    /// Most problems.
    pub problems: usize,
    /// Games whose positions show how often the extension changes something.
    pub games_file: PathBuf,
    /// How many games.
    pub games: usize,
    /// Every so-manieth position of them.
    pub every: u32,
}

impl crate::run::ExperimentSettings for SingularSettings {
    fn standard(quick: bool) -> SingularSettings {
        let of = |short: usize, full: usize| if quick { short } else { full };
        SingularSettings {
            evaluation: EvaluationKind::KingDanger.name().into(),
            depths: if quick { vec![2] } else { vec![2, 3, 4, 5] },
            quiet_depths: if quick { vec![2] } else { vec![2, 3, 4, 5] },
            study_depth: 3,
            study: !quick,
            pairs: of(1, 10),
            apart: 1,
            form_nodes: if quick { 300 } else { 10_000 },
            form_pairs: of(1, 100),
            form_millis: if quick { 2 } else { 50 },
            timed_pairs: of(0, 50),
            problems_file: "data/next_moves.tsv".into(),
            problems: of(10, usize::MAX >> 1),
            games_file: "data/games_engine.tsv.zst".into(),
            games: of(2, 100),
            every: if quick { 20 } else { 5 },
        }
    }
}

/// The families of players that make a line in the plot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    /// Plain alpha-beta.
    Plain,
    /// With the extension at the frontier.
    Frontier,
    /// Plain, with quiescence.
    PlainQuiet,
    /// With the extension, and quiescence.
    FrontierQuiet,
    /// The extension with one setting changed.
    Varied,
    /// The original definition, in plain alpha-beta.
    Original,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Family::Plain => "plain",
            Family::Frontier => "frontier",
            Family::PlainQuiet => "plain, quiescence",
            Family::FrontierQuiet => "frontier, quiescence",
            Family::Varied => "frontier, one setting changed",
            Family::Original => "original",
        }
    }
}

/// A player of the round robin.
#[derive(Clone, Debug)]
struct Entrant {
    family: Family,
    depth: i32,
    player: Player,
}

/// What a search made of a problem: the rank of the solution among the best lines, if it is there.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Attempt {
    rank: Option<usize>,
    nodes: u64,
}

/// What the extension changed in one position.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Change {
    /// Frontier nodes, those at which leaves were opened, those whose value and whose best move
    /// changed.
    frontier: [u64; 4],
    root_move: bool,
    root_value: bool,
}

/// Everything measured.
struct Measured {
    entrants: Vec<Entrant>,
    /// First, second, pair.
    games: Vec<(usize, usize, Pair)>,
    forms: Vec<Player>,
    form_games: Vec<(usize, usize, Pair)>,
    timed_games: Vec<(usize, usize, Pair)>,
    /// By entrant.
    attempts: Vec<Vec<Attempt>>,
    /// By depth.
    changes: Vec<(i32, Vec<Change>)>,
}

/// Lines asked for: a solution beyond them has no rank.
const LINES: usize = 5;

impl Experiment for Singular {
    fn name(&self) -> &'static str {
        "singular"
    }

    fn title(&self) -> &'static str {
        "Singular extension, measured by rating"
    }

    fn question(&self) -> &'static str {
        "The best leaf far ahead of the second is searched on. Does that make a plain alpha-beta program stronger for the nodes \
         it costs, and which form of singular extension is best today? After Nakayama, Iida, Inui and Kotani."
    }

    fn run(&self, run: &mut Run<'_>) -> Result<Page, LabError> {
        let settings: SingularSettings = run.settings()?;
        if settings.timed_pairs > 0 {
            run.note_timed();
        }
        let problems = problems::load(run, &settings.problems_file, settings.problems)?;
        let games = games::draw(run, &settings.games_file, settings.games, 60)?;
        let mut starts =
            openings::read(openings::DEFAULT).map_err(|error| fault("openings", &error))?;
        fastrand::Rng::with_seed(run.seed()).shuffle(&mut starts);
        let evaluator: EvaluationKind = settings
            .evaluation
            .parse()
            .map_err(|error: UnknownEvaluation| fault("settings", &error.to_string()))?;
        let searchers = SearcherFactory::default();

        let entrants = entrants(&settings, evaluator);
        let players: Vec<Player> = entrants.iter().map(|entrant| entrant.player.clone()).collect();
        let changes = measure_changes(run, &settings, evaluator, &games, &searchers)?;
        let attempts = measure_problems(run, &entrants, &problems, &searchers)?;
        let near = |first: usize, second: usize| {
            (entrants[first].depth - entrants[second].depth).abs() <= settings.apart
        };
        let robin = Robin { stage: "round robin", players: &players, pairs: settings.pairs };
        let robin = robin.play(run, &starts, &searchers, near)?;
        let nodes = Limits { nodes: Some(settings.form_nodes), ..Limits::default() };
        let forms = forms(evaluator, &nodes);
        let all = |_, _| true;
        let form_games =
            Robin { stage: "forms, nodes", players: &forms, pairs: settings.form_pairs };
        let form_games = form_games.play(run, &starts, &searchers, all)?;
        let time = Duration::from_millis(settings.form_millis);
        let time = Limits { move_time: Some(time), ..Limits::default() };
        let on_time = self::forms(evaluator, &time);
        let timed_games =
            Robin { stage: "forms, time", players: &on_time, pairs: settings.timed_pairs };
        let timed_games = timed_games.play(run, &starts, &searchers, all)?;
        let measured =
            Measured { entrants, games: robin, forms, form_games, timed_games, attempts, changes };
        report::write(run, &settings, &measured)
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

/// Every variant at every depth.
fn entrants(settings: &SingularSettings, evaluator: EvaluationKind) -> Vec<Entrant> {
    let entrant = |family: Family, what: &str, depth: i32, params: SearchParams| Entrant {
        family,
        depth,
        player: Player {
            name: format!("{what}, depth {depth}"),
            evaluator,
            params,
            model: QuiescenceModel::default(),
            limits: Limits { depth: Some(depth), ..Limits::default() },
        },
    };
    let mut all = Vec::new();
    for (depths, with, without, quiescence) in [
        (&settings.depths, Family::Frontier, Family::Plain, false),
        (&settings.quiet_depths, Family::FrontierQuiet, Family::PlainQuiet, true),
    ] {
        for &depth in depths {
            for (family, params) in [(without, alpha_beta()), (with, frontier())] {
                let params = params.with(|params| params.quiescence.enabled = quiescence);
                all.push(entrant(family, family.name(), depth, params));
            }
        }
    }
    if !settings.study {
        return all;
    }
    let depth = settings.study_depth;
    for (what, params) in [
        ("frontier, gap 1 pawn", frontier().with(|params| params.singular.gap = 100)),
        ("frontier, gap 10 pawns", frontier().with(|params| params.singular.gap = 1000)),
        ("frontier, width 3", frontier().with(|params| params.singular.width = 3)),
        ("frontier, one ply", frontier().with(|params| params.singular.extra = 1)),
        (
            "frontier, rewritten if clearly wrong",
            frontier().with(|params| params.singular.rewrite = Rewrite::IfWrong),
        ),
    ] {
        all.push(entrant(Family::Varied, what, depth, params));
    }
    let original = alpha_beta().with(|params| {
        params.singular.form = Form::Original;
        params.singular.min_depth = 2;
    });
    all.push(entrant(Family::Original, "original", depth, original));
    all
}

/// The engine with each form of singular extension.
fn forms(evaluator: EvaluationKind, limits: &Limits) -> Vec<Player> {
    let form = |name: &str, singular: Form, least: i32| Player {
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

/// Searches positions of games with and without the extension.
fn measure_changes(
    run: &mut Run<'_>,
    settings: &SingularSettings,
    evaluator: EvaluationKind,
    games: &[LabGame],
    searchers: &SearcherFactory,
) -> Result<Vec<(i32, Vec<Change>)>, LabError> {
    let mut all = Vec::new();
    for &depth in &settings.depths {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let work = |game: &LabGame| {
            let think = |params: &SearchParams, position: &Position| {
                let mut searcher = searchers.make(evaluator, 1);
                searcher.configure(params, &QuiescenceModel::default());
                searcher.search(position, &limits, 1)
            };
            let change = |(_, position): &(u32, Position)| {
                let without = think(&alpha_beta(), position);
                let with = think(&frontier(), position);
                let [value, played] = with.counters.frontier_changes;
                let opened = with.counters.singular[0];
                Change {
                    frontier: [with.counters.frontier_nodes, opened, value, played],
                    root_move: with.best.first() != without.best.first(),
                    root_value: with.value != without.value,
                }
            };
            game.positions(21, settings.every).iter().map(change).collect::<Vec<_>>()
        };
        let stage = format!("changes, depth {depth}");
        let found = run.measure(&stage, games, |game| game.line.to_string(), work)?;
        all.push((depth, found.into_iter().flatten().collect()));
    }
    Ok(all)
}

fn measure_problems(
    run: &mut Run<'_>,
    entrants: &[Entrant],
    problems: &[Problem],
    searchers: &SearcherFactory,
) -> Result<Vec<Vec<Attempt>>, LabError> {
    let mut all = Vec::new();
    for Entrant { player, .. } in entrants {
        let ask = |problem: &Problem| {
            let Ok(position) = problem.setup.position() else {
                return Attempt { rank: None, nodes: 0 };
            };
            let mut searcher = searchers.make(player.evaluator, 1);
            searcher.configure(&player.params, &player.model);
            let found = searcher.search(&position, &player.limits, LINES);
            let place = found.best.iter().position(|best| problem.right.contains(best));
            Attempt { rank: place.map(|place| place + 1), nodes: found.nodes }
        };
        let stage = format!("problems, {}", player.name);
        all.push(run.measure(&stage, problems, |problem| problem.line.to_string(), ask)?);
    }
    Ok(all)
}

/// Every player against every other.
struct Robin<'a> {
    stage: &'a str,
    players: &'a [Player],
    pairs: usize,
}

impl Robin<'_> {
    /// Plays all pairs of those who meet.
    fn play(
        &self,
        run: &mut Run<'_>,
        starts: &[Setup],
        searchers: &SearcherFactory,
        meet: impl Fn(usize, usize) -> bool,
    ) -> Result<Vec<(usize, usize, Pair)>, LabError> {
        let players = self.players;
        let mut plan = Vec::new();
        for number in 0..self.pairs {
            for first in 0..players.len() {
                let others = first + 1..players.len();
                plan.extend(others.filter(|&other| meet(first, other)).map(|o| (first, o, number)));
            }
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
