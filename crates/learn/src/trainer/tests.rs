//! The learner against slow derivatives, hand-computed cases, and games of a known player.

use super::*;
use crate::bonanza::sigmoid;
use crate::checkpoint;
use crate::dataset::Dataset;
use crate::quiescence::{QuietLine, quiescence};
use yomikiri_engine::eval::Evaluation;
use yomikiri_engine::eval::linear::maximum_exchange;
use yomikiri_engine::eval::stage::Logistic;
use yomikiri_engine::value::{INFINITE, Value as Score};
use yomikiri_shogi::Position;

/// Random games, so that something is captured and dropped.
fn random_games(seed: u64, games: usize, plies: usize) -> Dataset {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut dataset = Dataset::default();
    for _ in 0..games {
        let mut position = Position::start();
        let mut text = String::from("startpos moves");
        for _ in 0..plies {
            let Some(played) = random.choice(position.legal_moves()) else { break };
            position.play(played);
            text += &format!(" {played}");
        }
        dataset.add_text(&text);
    }
    dataset
}

/// Weights with small random coefficients.
fn random_start(seed: u64) -> LinearWeights {
    let mut random = fastrand::Rng::with_seed(seed);
    let pair = |random: &mut fastrand::Rng| [random.i16(-80..80), random.i16(-80..80)];
    LinearWeights {
        pairs: (0..FEATURES).map(|_| pair(&mut random)).collect(),
        ..LinearWeights::default()
    }
}

/// The same, with a random progress of the learned kind.
fn random_start_with_progress(seed: u64) -> LinearWeights {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut logistic = Logistic::default();
    logistic.pieces.iter_mut().flatten().for_each(|one| *one = random.i16(-150..150));
    logistic.hands.iter_mut().for_each(|one| *one = random.i16(0..600));
    LinearWeights { progress: ProgressModel::Learned(Box::new(logistic)), ..random_start(seed) }
}

fn all(dataset: &Dataset) -> Vec<&TrainingGame> {
    dataset.games.iter().collect()
}

#[test]
fn the_gradient_equals_finite_differences() {
    let dataset = random_games(1, 3, 60);
    let games = all(&dataset);
    for variant in [LearnedVariant::Single, LearnedVariant::Split, LearnedVariant::Mixed] {
        let config = Config {
            variant,
            constraint: Constraint::None,
            q: 0.1,
            negligible: 0.0,
            k: 500.0,
            ..Config::default()
        };
        let mut trainer = LinearTrainer::new(config, &random_start_with_progress(2), &games, 1);
        let gradient = trainer.gradient(&games, 1);
        // Some material values, and the steepest coefficients of every group.
        let material = [Kind::Pawn, Kind::Lance, Kind::Bishop, Kind::Horse];
        let mut chosen: Vec<(usize, usize)> =
            material.map(|kind| (FEATURES + kind.index(), 0)).to_vec();
        for group in Group::ALL {
            for half in 0..2 {
                let steepest = group.range().max_by_key(|&i| gradient.sums[i][half].abs());
                chosen.extend(steepest.map(|feature| (feature, half)));
            }
        }
        let mut moved = 0;
        for (feature, half) in chosen {
            let slope = gradient.sums[feature][half] as f64 / ONE;
            let loss_at = |trainer: &mut LinearTrainer, change: f32| {
                let before = trainer.optimizer.weights[feature][half];
                trainer.optimizer.weights[feature][half] = before + change;
                let loss = trainer.gradient(&games, 1).loss as f64 / ONE;
                trainer.optimizer.weights[feature][half] = before;
                loss
            };
            let wide = loss_at(&mut trainer, 4.0) - loss_at(&mut trainer, -4.0);
            let difference = trainer.config.k * wide / 8.0;
            let room = 0.01 * slope.abs() + 0.02;
            assert!(
                (slope - difference).abs() < room,
                "{variant:?} {feature} {half}: {slope} {difference}"
            );
            moved += usize::from(slope.abs() > 0.1);
        }
        assert!(moved >= 8, "{variant:?}: only {moved} coefficients have a slope");
    }
}

#[test]
fn one_thread_and_two_agree_bit_for_bit() {
    let dataset = random_games(3, 12, 50);
    let games = all(&dataset);
    let config = Config { batch: 5, passes: 2, b: 20.0, ..Config::default() };
    let mut reports = Vec::new();
    let mut trained = Vec::new();
    for threads in [1, 2, 3] {
        let mut trainer = LinearTrainer::new(config.clone(), &random_start(4), &games, threads);
        let mut seen = Vec::new();
        let done = trainer.run(&games, threads, &mut |_, report| {
            seen.push(report.clone());
            ControlFlow::Continue(())
        });
        assert!(done);
        reports.push(seen);
        trained.push(trainer);
    }
    assert!(trained[0] == trained[1] && trained[0] == trained[2]);
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0].len(), 6);
    assert!(trained[0].weights(String::new()) != random_start(4), "something was learned");
}

#[test]
fn a_run_taken_up_again_ends_where_a_whole_one_does() {
    let dataset = random_games(5, 8, 40);
    let games = all(&dataset);
    let config = Config { batch: 2, ..Config::default() };
    let folder = std::env::temp_dir().join(format!("yomikiri-train-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("run.checkpoint");
    let mut whole = LinearTrainer::new(config.clone(), &LinearWeights::default(), &games, 1);
    whole.run(&games, 1, &mut |_, _| ControlFlow::Continue(()));
    let mut part = LinearTrainer::new(config.clone(), &LinearWeights::default(), &games, 1);
    let done = part.run(&games, 1, &mut |trainer, report| {
        if report.done == 2 {
            checkpoint::save(&file, trainer, "these games").unwrap();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    assert!(!done);
    let mut resumed = checkpoint::load(&file, &config, "these games").unwrap();
    assert_eq!(resumed, part);
    resumed.run(&games, 1, &mut |_, _| ControlFlow::Continue(()));
    assert!(resumed == whole);
    assert!(checkpoint::load(&file, &config, "other games").is_err());
    let other = Config { k: 1.0, ..config.clone() };
    assert!(checkpoint::load(&file, &other, "these games").is_err());
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&file, bytes).unwrap();
    assert!(checkpoint::load(&file, &config, "these games").is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A player who takes the move with the best static value by the given weights.
fn games_of_player(weights: &LinearWeights, games: usize, plies: usize) -> Dataset {
    let mut random = fastrand::Rng::with_seed(6);
    let mut dataset = Dataset::default();
    let mut eval = Linear::new(weights);
    for _ in 0..games {
        let mut position = Position::start();
        let mut text = String::from("startpos moves");
        for ply in 0..plies {
            let moves = position.legal_moves();
            eval.reset(&position);
            let mut value = |played| {
                let change = position.play(played);
                eval.push(&position, &change);
                let value = -(eval.evaluate(&position) + maximum_exchange(&position));
                eval.pop();
                position.undo();
                value
            };
            // Every game begins at random, so that games differ.
            let best = if ply < 8 {
                random.choice(moves)
            } else {
                moves.into_iter().max_by_key(|&played| value(played))
            };
            let Some(best) = best else { break };
            position.play(best);
            text += &format!(" {best}");
        }
        dataset.add_text(&text);
    }
    dataset
}

#[test]
fn planted_coefficients_are_found_again() {
    // A player who likes mobile bishops and rooks, a free king, and silvers far up.
    let mut planted = LinearWeights::default();
    let silver = 3;
    for square in 0..81usize {
        for king in 0..9 {
            let place = (king * 26 + silver) * 81 + square;
            let value = 60 * (8 - square % 9) as i16;
            planted.pairs[Group::KingFile.start() + place] = [value; 2];
        }
    }
    for (index, pair) in planted.pairs[Group::Mobility.range()].iter_mut().enumerate() {
        *pair = [40 * (index % 21) as i16; 2];
    }
    let dataset = games_of_player(&planted, 60, 50);
    let games = all(&dataset);
    let config = Config {
        variant: LearnedVariant::Single,
        constraint: Constraint::None,
        m2: false,
        k: 50.0,
        batch: 10,
        passes: 6,
        step: 3.0,
        ..Config::default()
    };
    let mut trainer = LinearTrainer::new(config, &LinearWeights::default(), &games, 2);
    let (mut agreements, mut losses) = (Vec::new(), Vec::new());
    trainer.run(&games, 2, &mut |_, report| {
        agreements.push(report.agreement);
        losses.push(report.loss);
        ControlFlow::Continue(())
    });
    // With material alone nearly everything ties, so only the end says something.
    let last = agreements[agreements.len() - 1];
    assert!(last > 40.0, "agreement {last}");
    assert!(losses[losses.len() - 1] < 0.5 * losses[0], "{losses:?}");
    // Rooks with ten squares more, silvers five ranks up: both must be worth more.
    let learned = &trainer.optimizer.weights;
    let rook = Group::Mobility.start() + 2 * 21;
    assert!(learned[rook + 12][0] > learned[rook + 2][0] + 10.0);
    let silvers = |rank: usize| -> f32 {
        let place =
            |file: usize| Group::KingFile.start() + (4 * 26 + silver) * 81 + file * 9 + rank;
        (0..9).map(|file| learned[place(file)][0]).sum()
    };
    assert!(silvers(4) > silvers(8), "{} {}", silvers(4), silvers(8));
}

#[test]
fn m1_and_m2_pull_towards_zero() {
    let dataset = random_games(7, 2, 40);
    let games = all(&dataset);
    let config = Config { b: 10.0, a: 0.0, negligible: 0.0, ..Config::default() };
    let with = LinearTrainer::new(config.clone(), &random_start(8), &games, 1);
    let without =
        LinearTrainer { config: Config { constraint: Constraint::None, ..config }, ..with.clone() };
    let (held, free) = (with.gradient(&games, 1), without.gradient(&games, 1));
    let mut pulled = 0;
    for (feature, (held, free)) in held.sums.iter().zip(&free.sums).enumerate() {
        for half in 0..2 {
            let pull = held[half] - free[half];
            if pull != 0 {
                let weight = with.optimizer.weights[feature][half];
                assert_eq!(pull > 0, weight > 0.0, "feature {feature} is pushed outwards");
                pulled += 1;
            }
        }
    }
    assert!(pulled > 500, "{pulled}");
    assert_eq!(held.loss, free.loss);
}

#[test]
fn coefficients_without_samples_stay_zero() {
    let dataset = random_games(9, 4, 30);
    let games = all(&dataset);
    let config = Config { batch: 1, safety: false, ..Config::default() };
    let mut trainer = LinearTrainer::new(config, &LinearWeights::default(), &games, 1);
    trainer.run(&games, 1, &mut |_, _| ControlFlow::Continue(()));
    for (feature, weights) in trainer.optimizer.weights[..FEATURES].iter().enumerate() {
        for (weight, samples) in weights.iter().zip(trainer.samples[feature]) {
            assert!(samples > 0 || *weight == 0.0);
        }
    }
    assert!(trainer.optimizer.weights[Group::Safety.range()].iter().all(|pair| *pair == [0.0; 2]));
    let material = LinearWeights::default().material;
    assert_eq!(trainer.weights(String::new()).material, material);
}

/// The mean of T over all pairs, by evaluations from scratch. The value is that of the position
/// after a move, for the side to move there; none if the position is not learned from.
fn slow_loss(
    games: &[&TrainingGame],
    weights: &LinearWeights,
    k: f64,
    value: impl Fn(&mut Position, &mut Linear) -> Option<Score>,
) -> f64 {
    let mut eval = Linear::new(weights);
    let (mut sum, mut pairs) = (0.0, 0u32);
    for game in games {
        let mut position = game.start.clone();
        for &played in &game.moves {
            if !position.in_check() && !position.gives_check(played) {
                let value_after = |next, eval: &mut Linear| {
                    let mut position = position.clone();
                    position.play(next);
                    eval.reset(&position);
                    value(&mut position, eval).map(|value| f64::from(-value))
                };
                let reference = value_after(played, &mut eval).expect("it gives no check");
                for other in position.legal_moves().into_iter().filter(|&other| other != played) {
                    let Some(value) = value_after(other, &mut eval) else { continue };
                    sum += sigmoid((value - reference) / k);
                    pairs += 1;
                }
            }
            position.play(played);
        }
    }
    sum / f64::from(pairs)
}

#[test]
fn moves_are_compared_by_static_value_and_exchange() {
    let dataset = random_games(13, 3, 80);
    let games = all(&dataset);
    for start in [random_start(14), random_start_with_progress(15)] {
        let config = Config { variant: LearnedVariant::Mixed, k: 100.0, ..Config::default() };
        let trainer = LinearTrainer::new(config, &start, &games, 1);
        let gradient = trainer.gradient(&games, 1);
        let loss = gradient.loss as f64 / ONE / gradient.siblings as f64;
        let slow = slow_loss(&games, &start, 100.0, |position, eval| {
            let value = eval.evaluate(position) + maximum_exchange(position);
            (!position.in_check()).then_some(value)
        });
        // Values in play are whole centipawns, and far-off moves are not measured exactly.
        assert!((loss - slow).abs() < 0.001, "{loss} {slow}");
    }
}

#[test]
fn with_search_moves_are_compared_at_the_ends_of_their_lines() {
    let dataset = random_games(11, 3, 50);
    let games = all(&dataset);
    let config = Config {
        variant: LearnedVariant::Mixed,
        constraint: Constraint::None,
        search: true,
        k: 100.0,
        ..Config::default()
    };
    let trainer = LinearTrainer::new(config, &random_start(12), &games, 1);
    let gradient = trainer.gradient(&games, 1);
    let loss = gradient.loss as f64 / ONE / gradient.siblings as f64;
    let slow = slow_loss(&games, &trainer.weights(String::new()), 100.0, |position, eval| {
        let mut line = QuietLine::EMPTY;
        Some(quiescence(position, eval, -INFINITE, INFINITE, 0, &mut line))
    });
    // Values in play are whole centipawns, and far-off moves are not measured exactly.
    assert!((loss - slow).abs() < 0.003, "{loss} {slow}");
    assert!(gradient == trainer.gradient(&games, 2));
    assert!(gradient.sums.iter().filter(|sums| sums[0] != 0).count() > 1_000);
}
