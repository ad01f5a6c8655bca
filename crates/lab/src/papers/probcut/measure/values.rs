//! Values of shallow and deep searches of game positions, and the nodes of each set of moves.

use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::value::INFINITE;
use yomikiri_engine::{Limits, SearchParams};

use super::{Bench, Source};
use crate::games::LabGame;
use crate::papers::probcut::sets::{self, MoveSet, SETS};
use crate::papers::probcut::{FIRST, ProbcutSettings, Sample, SetNodes, Values};
use crate::run::{LabError, Run};
use crate::searcher::{SearcherFactory, realization};
use yomikiri_shogi::Position;

/// Depths of quiescence: static value, shallow, deep.
const DEPTHS: [i32; 3] = [0, 4, 8];
/// Depths of the normal search.
const NORMAL: [i32; 2] = [4, 8];
/// The evaluations with which the sets are tried: the paper's.
const TRIED: [EvaluationKind; 2] = [EvaluationKind::Material, EvaluationKind::KingDanger];

/// The nodes of depth 4 and 8 with every set of moves; where one is named, with it and the
/// engine's.
pub(super) fn try_sets(
    run: &mut Run<'_>,
    settings: &ProbcutSettings,
    searchers: &SearcherFactory,
    source: &Source,
) -> Result<Vec<SetNodes>, LabError> {
    let games = &source.games[..settings.set_games.min(source.games.len())];
    let asked = |set: &&MoveSet| {
        settings.set == sets::NEAREST || set.name == settings.set || set.name == SETS[0].name
    };
    let mut all = Vec::new();
    for set in SETS.iter().filter(asked) {
        for evaluation in TRIED {
            let params = set.of(SearchParams::default());
            let work = |game: &LabGame| -> Vec<[u64; 2]> {
                let mut searcher = searchers.make(evaluation, 1);
                searcher.configure(&params, &QuiescenceModel::default());
                let positions = game.positions(FIRST, settings.set_every);
                let size = |(_, position): &(u32, Position)| {
                    [DEPTHS[1], DEPTHS[2]].map(|depth| {
                        let most = settings.set_nodes;
                        searcher.quiescence_size(position, depth, most).unwrap_or(most)
                    })
                };
                positions.iter().map(size).collect()
            };
            let stage = format!("set `{}`, {evaluation}", set.name);
            let positions = run.measure(&stage, games, |game| game.line.to_string(), work)?;
            let positions = positions.concat();
            let over = positions.iter().filter(|nodes| nodes[1] >= settings.set_nodes).count();
            let (set, evaluation) = (set.name.to_string(), evaluation.to_string());
            all.push(SetNodes { set, evaluation, positions, over });
        }
    }
    Ok(all)
}

/// The set whose mean ratio over all evaluations is nearest to the paper's, among those whose
/// searches all ended.
pub(super) fn nearest(tried: &[SetNodes]) -> String {
    let ratio = |name: &str| {
        let of = tried.iter().filter(|nodes| nodes.set == name);
        let all: Vec<f64> = of.filter_map(|nodes| sets::mean_ratio(&nodes.positions)).collect();
        all.iter().sum::<f64>() / all.len().max(1) as f64
    };
    let ends = |set: &&MoveSet| tried.iter().all(|nodes| nodes.set != set.name || nodes.over == 0);
    let best = SETS
        .iter()
        .filter(ends)
        .min_by(|a, b| sets::distance(ratio(a.name)).total_cmp(&sets::distance(ratio(b.name))));
    best.unwrap_or(&SETS[0]).name.to_string()
}

/// Searches all positions of all games with every evaluation.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    sources: &[Source],
) -> Result<Vec<Values>, LabError> {
    let mut all = Vec::new();
    for source in sources {
        for &evaluation in bench.evaluations {
            let stage = format!("{}, values, {evaluation}, {}", bench.breadth.name(), source.name);
            let games = &source.games[..bench.settings.games.min(source.games.len())];
            let work = |game: &LabGame| measure_game(bench, evaluation, game);
            let games = run.measure(&stage, games, |game| game.line.to_string(), work)?;
            let (source, evaluation) = (source.name.clone(), evaluation.to_string());
            all.push(Values { source, evaluation, games });
        }
    }
    Ok(all)
}

fn measure_game(bench: &Bench<'_>, evaluation: EvaluationKind, game: &LabGame) -> Vec<Sample> {
    let Bench { settings, searchers, .. } = bench;
    let mut quiet = searchers.make(evaluation, 1);
    quiet.configure(&bench.params(SearchParams::default()), &QuiescenceModel::default());
    let mut normal = searchers.make(evaluation, 8);
    normal.configure(&bench.params(realization()), &QuiescenceModel::default());
    let nodes = Some(settings.normal_nodes).filter(|&nodes| nodes > 0);
    let limits = Limits { depth: Some(NORMAL[1]), nodes, ..Limits::default() };
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
        let found = DEPTHS.map(|depth| quiet.quiesce(&position, (-INFINITE, INFINITE), depth));
        samples.push(Sample {
            number,
            quiet: found.map(|quiet| quiet.value),
            nodes: found.map(|quiet| quiet.nodes),
            asked,
            normal: values.flatten(),
        });
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_set_is_chosen_over_all_evaluations() {
        let nodes = |set: &str, shallow: u64| SetNodes {
            set: set.into(),
            evaluation: "material".into(),
            positions: vec![[shallow, 100]; 3],
            over: usize::from(set == "captures"),
        };
        let of = |engine: u64, all: u64| {
            let tried: Vec<SetNodes> = SETS
                .iter()
                .map(|set| match set.name {
                    "engine" => nodes(set.name, engine),
                    "all" => nodes(set.name, all),
                    "captures" => nodes(set.name, 13),
                    other => nodes(other, 90),
                })
                .collect();
            nearest(&tried)
        };
        assert_eq!(of(60, 14), "all");
        assert_eq!(of(20, 1), "engine");
    }
}
