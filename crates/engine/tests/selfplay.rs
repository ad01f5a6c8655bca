//! The engine plays itself: every move legal, every search the same when repeated, whatever the
//! settings.

use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::settings::declared::Range;
use yomikiri_engine::{Engine, Limits, LineInfo, SearchParams, Settings};
use yomikiri_shogi::{EnteringKingRule, Position};

fn small(change: impl FnOnce(&mut Settings)) -> Settings {
    let mut settings = Settings::with_hash(1);
    change(&mut settings);
    settings
}

/// A start that differs from game to game.
fn opening(seed: u64) -> Position {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = Position::start();
    for _ in 0..6 {
        let legal = position.legal_moves();
        position.play(legal[random.usize(..legal.len())]);
    }
    position
}

/// Plays a game against itself and gives the nodes of every move.
fn play(settings: &Settings, seed: u64, nodes: u64, plies: usize) -> Vec<u64> {
    let mut engine = Engine::new(settings.clone()).unwrap();
    let mut position = opening(seed);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut spent = Vec::new();
    for _ in 0..plies {
        if position.outcome(EnteringKingRule::default(), 0).is_some() {
            break;
        }
        let before = position.to_sfen();
        let mut last = None;
        let thought = engine.think(&position, &limits, &mut |info: &LineInfo| {
            last = Some((info.pv[0], info.nodes));
        });
        if thought.declares {
            break;
        }
        let best = thought.best.unwrap_or_else(|| panic!("no move in {before}"));
        assert!(position.is_legal(best), "{best} in {before}");
        // The last that is reported is the move that is played, and all nodes.
        assert_eq!(last, Some((best, thought.nodes)), "in {before}");
        let mut line = position.clone();
        for &mv in &thought.lines[0].line {
            assert!(line.is_legal(mv), "{mv} of a line in {before}");
            line.play(mv);
        }
        assert!(thought.nodes <= nodes + 1, "{} nodes in {before}", thought.nodes);
        spent.push(thought.nodes);
        position.play(best);
    }
    spent
}

/// Every technique turned the other way, one at a time.
fn variations() -> Vec<(String, Settings)> {
    let mut list = Vec::new();
    for declared in SearchParams::declared() {
        let values: Vec<String> = match declared.range {
            Range::Switch => vec![(declared.default != "true").to_string()],
            Range::Choice(words) => words.iter().map(ToString::to_string).collect(),
            Range::Number { .. } | Range::Text => continue,
        };
        for value in values.into_iter().filter(|value| *value != declared.default) {
            let settings = small(|settings| settings.set(declared.name, &value).unwrap());
            list.push((format!("{}={value}", declared.name), settings));
        }
    }
    list
}

#[test]
fn games_are_legal_and_repeatable() {
    for evaluator in EvaluationKind::ALL {
        let settings = small(|settings| settings.resources.evaluation.kind = evaluator);
        for seed in 0..4 {
            let first = play(&settings, seed, 1_000, 300);
            assert_eq!(first, play(&settings, seed, 1_000, 300), "{evaluator} {seed}");
        }
    }
}

#[test]
fn every_technique_turned_the_other_way_plays_legal_games() {
    for (index, (name, settings)) in variations().into_iter().enumerate() {
        println!("{name}");
        for seed in 0..2 {
            play(&settings, 10 * index as u64 + seed, 500, 200);
        }
    }
}

#[test]
fn extreme_numbers_do_no_harm() {
    for declared in SearchParams::declared() {
        let Range::Number { min, max, .. } = declared.range else { continue };
        for value in [min, max] {
            println!("{}={value}", declared.name);
            let settings = small(|settings| {
                settings.set(declared.name, &value.to_string()).unwrap();
                settings.set("Quiescence.ProbCut", "every").unwrap();
                settings.set("NullMove", "true").unwrap();
            });
            play(&settings, 77, 300, 30);
        }
    }
}

/// The long form of the tests above; `GAMES` says how many of a thousand are played.
#[test]
#[ignore = "half an hour: cargo test --release -p yomikiri-engine --test selfplay -- --ignored"]
fn a_thousand_games_are_legal() {
    // Every technique is on, the one too that is off by default.
    let settings = small(|settings| settings.set("NullMove", "true").unwrap());
    for seed in 0..games_asked_for(1_000) {
        play(&settings, 1_000 + seed, 1_000, 400);
    }
}

#[test]
#[ignore = "an hour: cargo test --release -p yomikiri-engine --test selfplay -- --ignored"]
fn a_hundred_games_with_each_technique_turned_the_other_way_are_legal() {
    // `FROM` names the technique to begin with, to go on where a run was broken off.
    let from = std::env::var("FROM").unwrap_or_default();
    for (name, settings) in variations().into_iter().skip_while(|(name, _)| !name.contains(&from)) {
        println!("{name}");
        for seed in 0..games_asked_for(100) {
            play(&settings, 10_000 + seed, 1_000, 400);
        }
    }
}

fn games_asked_for(all: u64) -> u64 {
    std::env::var("GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(all)
}

#[test]
fn several_lines_differ_and_descend() {
    let mut engine = Engine::new(small(|settings| settings.game.lines = 4)).unwrap();
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let mut last = Vec::new();
    engine.think(&opening(3), &limits, &mut |info: &yomikiri_engine::LineInfo| {
        if info.depth == 4 && info.bound == yomikiri_engine::tt::Bound::Exact {
            last.push((info.line, info.value, info.pv[0]));
        }
    });
    let lines = &last[last.len() - 4..];
    assert!(lines.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{lines:?}");
    for (index, line) in lines.iter().enumerate() {
        assert!(lines[index + 1..].iter().all(|other| other.2 != line.2));
    }
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let mut engine = Engine::new(small(|_| {})).unwrap();
    let search_moves = vec!["9g9f".parse().unwrap(), "1i1h".parse().unwrap()];
    let limits = Limits { depth: Some(5), search_moves: search_moves.clone(), ..Limits::default() };
    let thought = engine.think(&Position::start(), &limits, &mut |_: &_| {});
    assert!(search_moves.contains(&thought.best.unwrap()));
}

#[test]
fn two_threads_play_legal_moves() {
    let settings = small(|settings| settings.resources.threads = 2);
    let mut engine = Engine::new(settings).unwrap();
    let mut position = opening(5);
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    for _ in 0..20 {
        let thought = engine.think(&position, &limits, &mut |_: &_| {});
        let Some(best) = thought.best else { break };
        assert!(position.is_legal(best));
        position.play(best);
    }
}
