//! Windows, each searched with and without ProbCut.
//!
//! The deep search says whether it would cut; ProbCut at the root says whether it does. Windows are
//! taken where real searches call quiescence; and, since the paper's tables count game positions,
//! one stands about each of these: a stated width about the static value two plies before, which is
//! what the side to move could expect.

use yomikiri_engine::eval::{EvaluationKind, phase};
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::search::probes::Window;
use yomikiri_engine::settings::search::QuiescenceProbCut;
use yomikiri_engine::value::{INFINITE, Value};
use yomikiri_engine::{Limits, SearchParams};

use super::{Bench, Models, Source};
use crate::games::LabGame;
use crate::papers::probcut::{
    FIRST, FORMS, MARGINS, OfGame, PAWN, Tested, WindowKind, WindowSide, Windows, with_probcut,
};
use crate::run::{LabError, Run};
use crate::searcher::{LabSearcher, is_decided};

const DEEP: i32 = 8;

/// A window, and where it comes from.
struct Taken {
    kind: WindowKind,
    window: Window,
}

/// Takes and searches the windows.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    source: &Source,
    models: &Models,
) -> Result<Vec<Windows>, LabError> {
    let mut all = Vec::new();
    for &evaluation in bench.evaluations {
        let games = &source.games[..bench.settings.window_games.min(source.games.len())];
        let model = models.get(evaluation);
        let work = |game: &LabGame| measure_game(bench, evaluation, game, &model);
        let stage = format!("{}, windows, {evaluation}", bench.breadth.name());
        let games = run.measure(&stage, games, |game| game.line.to_string(), work)?;
        all.push(Windows { evaluation: evaluation.to_string(), games });
    }
    Ok(all)
}

fn measure_game(
    bench: &Bench<'_>,
    evaluation: EvaluationKind,
    game: &LabGame,
    model: &QuiescenceModel,
) -> OfGame {
    let params = bench.params(SearchParams::default());
    let mut searcher = bench.searchers.make(evaluation, 1);
    searcher.configure(&params, model);
    let mut windows = about_positions(bench, game, searcher.as_mut());
    windows.extend(of_leaves(bench, evaluation, game, model));
    let mut of_game = OfGame::default();
    let mut kept = Vec::new();
    for taken in windows {
        let window = &taken.window;
        let deep = searcher.quiesce(&window.position, (window.alpha, window.beta), DEEP);
        if is_decided(deep.value) {
            of_game.mates += 1;
            continue;
        }
        of_game.tested.push(Tested {
            kind: taken.kind,
            phase: phase(&window.position) as usize,
            deep: side(window, deep.value),
            deep_nodes: deep.nodes,
            with: Default::default(),
        });
        kept.push(taken);
    }
    for (form_at, form) in FORMS.into_iter().enumerate() {
        for (margin_at, pawns) in MARGINS.into_iter().enumerate() {
            searcher.configure(&with_probcut(&params, form, pawns), model);
            for (taken, tested) in kept.iter().zip(&mut of_game.tested) {
                let at_every_node = form == QuiescenceProbCut::Every;
                if taken.kind == WindowKind::Game && at_every_node {
                    continue;
                }
                let window = &taken.window;
                let ends = (window.alpha, window.beta);
                let found = searcher.quiesce(&window.position, ends, DEEP);
                // At the root alone, what counts is whether the prediction decided.
                let decided = at_every_node || found.cut;
                let side = if decided { side(window, found.value) } else { 0 };
                tested.with[form_at][margin_at] = (side, found.nodes);
            }
        }
    }
    of_game
}

/// Windows about game positions.
fn about_positions(
    bench: &Bench<'_>,
    game: &LabGame,
    searcher: &mut dyn LabSearcher,
) -> Vec<Taken> {
    let settings = bench.settings;
    let half = (settings.game_window * PAWN).round() as Value;
    let positions = game.positions(FIRST - 2, 1);
    let taken = positions.windows(3).enumerate().filter_map(|(at, three)| {
        let [(_, before), _, (_, position)] = three else { return None };
        let wanted = (at + game.line).is_multiple_of(settings.game_window_every.max(1));
        let expected = wanted.then(|| searcher.quiesce(before, (-INFINITE, INFINITE), 0).value)?;
        let (alpha, beta) = (expected - half, expected + half);
        let window = Window { position: position.clone(), alpha, beta };
        (!is_decided(expected)).then_some(Taken { kind: WindowKind::Game, window })
    });
    taken.collect()
}

/// Windows with which real searches of game positions call quiescence.
fn of_leaves(
    bench: &Bench<'_>,
    evaluation: EvaluationKind,
    game: &LabGame,
    model: &QuiescenceModel,
) -> Vec<Taken> {
    let settings = bench.settings;
    let mut searcher = bench.searchers.make(evaluation, 4);
    searcher.configure(&bench.params(SearchParams::default()), model);
    let limits = Limits { nodes: Some(settings.window_nodes), ..Limits::default() };
    // About as many quiescence searches as nodes reach the leaves; the sample spreads over them.
    let every = settings.window_nodes / 40 / settings.windows.max(1) as u64;
    let every = [every, every / 16];
    let mut windows = Vec::new();
    for (_, position) in game.positions(FIRST, settings.window_every) {
        searcher.forget();
        windows.extend(searcher.windows(&position, &limits, every, settings.windows));
    }
    let kind = |open: bool| if open { WindowKind::Open } else { WindowKind::Null };
    windows.into_iter().map(|window| Taken { kind: kind(window.is_open()), window }).collect()
}

fn side(window: &Window, value: Value) -> WindowSide {
    if value >= window.beta {
        1
    } else if value <= window.alpha {
        -1
    } else {
        0
    }
}
