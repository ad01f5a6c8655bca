//! Networks made from a seed against slow, obvious arithmetic, on every SIMD level of the
//! machine. With `YOMIKIRI_NETWORKS` naming the folder of `nnue_suisho_petite.nn.bin` and
//! `nnue_kp256.nn.bin`, the same with these real files, and their golden values.

use super::features::active;
use super::*;
use fastrand::Rng;
use std::path::PathBuf;
use yomikiri_shogi::Piece;

const KP: Architecture =
    Architecture { features: FeatureSet::Kp, l1: 256, l2: 32, l3: 32, stages: 1 };

/// A network from a seed. `wild` ones use the whole range of every number, so that sums wrap and
/// activations saturate; the others stay where trained networks are.
fn random_parameters(architecture: Architecture, seed: u64, wild: bool) -> NetworkParameters {
    let mut random = Rng::with_seed(seed);
    let mut parameters = NetworkParameters::zero(architecture);
    let first = if wild { i16::MAX } else { 40 };
    parameters.first_bias.fill_with(|| random.i16(-first..=first));
    parameters.first_weights.fill_with(|| random.i16(-first..=first));
    for layer in parameters.layers.iter_mut().flatten() {
        let (bias, weight) = if wild { (i32::MAX, i8::MAX) } else { (4000, 30) };
        layer.bias.fill_with(|| random.i32(-bias..=bias));
        layer.weights.fill_with(|| random.i8(-weight - i8::from(wild)..=weight));
    }
    parameters
}

/// The output by the definition.
fn slow_raw(parameters: &NetworkParameters, position: &Position) -> i32 {
    let l1 = parameters.architecture.l1;
    let mut input = Vec::new();
    let side = position.side_to_move();
    for perspective in [side, !side] {
        let mut sums = parameters.first_bias.clone();
        let mut indices = Vec::new();
        active(parameters.architecture.features, position, perspective, &mut indices);
        for index in indices {
            let column = &parameters.first_weights[index as usize * l1..][..l1];
            sums.iter_mut().zip(column).for_each(|(sum, &it)| *sum = sum.wrapping_add(it));
        }
        input.extend(sums.iter().map(|&sum| i32::from(sum.clamp(0, 127))));
    }
    let mut sums = Vec::new();
    let stage = stage_of(position, parameters.layers.len());
    for layer in &parameters.layers[stage] {
        let rows = layer.bias.iter().zip(layer.weights.chunks_exact(input.len()));
        sums = rows
            .map(|(&bias, row)| {
                let products = row.iter().zip(&input).map(|(&w, &x)| i32::from(w) * x);
                products.fold(bias, i32::wrapping_add)
            })
            .collect();
        input = sums.iter().map(|&sum| (sum >> 6).clamp(0, 127)).collect();
    }
    sums[0]
}

fn evaluations(network: &Network) -> Vec<NetworkEvaluation> {
    SimdLevel::available()
        .map(|level| network.clone().with_level(level).expect("the machine has the level"))
        .map(|network| NetworkEvaluation::new(Arc::new(network)))
        .collect()
}

/// Plays random games of this many moves in all and compares every level, followed and fresh, with
/// the slow arithmetic. Returns the outputs that were seen.
fn compare_along_games(parameters: &NetworkParameters, moves: usize, seed: u64) -> Vec<i32> {
    let network = Network::new(parameters).expect("the parameters are whole");
    let mut random = Rng::with_seed(seed);
    let mut followed = evaluations(&network);
    let mut seen = Vec::new();
    let mut position = Position::start();
    let mut depth = 0;
    for number in 0..moves {
        let mv = if position.plies_played() < 300 {
            random.choice(position.legal_moves())
        } else {
            None
        };
        let Some(mv) = mv else {
            position = Position::start();
            followed.iter_mut().for_each(|it| it.reset(&position));
            depth = 0;
            continue;
        };
        if number == 0 {
            followed.iter_mut().for_each(|it| it.reset(&position));
        }
        let change = position.play(mv);
        depth += 1;
        followed.iter_mut().for_each(|it| it.push(&position, &change));
        // Some values are never computed, some moves taken back.
        if random.u8(..4) != 0 {
            let expected = slow_raw(parameters, &position);
            for followed in &mut followed {
                let level = followed.network().level();
                assert_eq!(followed.raw(&position), expected, "{level:?}: {position:?}");
                let mut fresh = followed.clone();
                fresh.reset(&position);
                assert_eq!(fresh.raw(&position), expected, "{level:?}, fresh: {position:?}");
            }
            seen.push(expected);
        }
        if random.u8(..4) == 0 {
            for _ in 0..random.usize(0..=depth.min(3)) {
                position.undo();
                depth -= 1;
                followed.iter_mut().for_each(NetworkEvaluation::pop);
            }
        }
    }
    seen
}

fn distinct(mut values: Vec<i32>) -> usize {
    values.sort_unstable();
    values.dedup();
    values.len()
}

#[test]
fn every_level_equals_slow_arithmetic_along_random_games() {
    let seen = compare_along_games(&random_parameters(KP, 1, false), 10_000, 2);
    assert!(distinct(seen) > 4000, "the network must tell positions apart");
    compare_along_games(&random_parameters(KP, 3, true), 1000, 4);
}

#[test]
fn every_level_equals_slow_arithmetic_in_other_shapes() {
    let shapes = [(320, 16, 64), (512, 1, 1), (768, 15, 33), (1024, 128, 127), (256, 48, 80)];
    for (seed, (l1, l2, l3)) in (10..).zip(shapes) {
        for wild in [false, true] {
            let architecture = Architecture { l1, l2, l3, ..KP };
            compare_along_games(&random_parameters(architecture, seed, wild), 200, seed);
        }
    }
}

#[test]
fn half_kp_equals_slow_arithmetic_along_random_games() {
    let architecture = Architecture { features: FeatureSet::HalfKp, ..KP };
    let seen = compare_along_games(&random_parameters(architecture, 5, false), 2000, 6);
    assert!(distinct(seen) > 800, "the network must tell positions apart");
}

#[test]
fn stages_have_layers_of_their_own() {
    let architecture = Architecture { stages: 5, ..KP };
    let parameters = random_parameters(architecture, 9, false);
    compare_along_games(&parameters, 2000, 10);
    let quiet = Position::start();
    let endgame = Position::from_sfen(
        "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    );
    assert_eq!(stage_of(&quiet, 5), 0);
    assert!(stage_of(&endgame.expect("a good position"), 5) >= 3);
}

#[test]
fn feature_sets_and_stages_conform() {
    for (features, stages) in FeatureSet::ALL.into_iter().flat_map(|it| [(it, 1), (it, 8)]) {
        let parameters = random_parameters(Architecture { features, stages, ..KP }, 7, false);
        let network = Network::new(&parameters).expect("the parameters are whole");
        crate::conformance::check(&NetworkEvaluation::new(Arc::new(network)));
    }
}

#[test]
fn positions_without_kings_are_worth_their_material() {
    for features in FeatureSet::ALL {
        let parameters = random_parameters(Architecture { features, ..KP }, 8, false);
        let network = Network::new(&parameters).expect("the parameters are whole");
        let mut evaluation = NetworkEvaluation::new(Arc::new(network));
        let problem = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
        for position in [problem.expect("a good position"), Position::empty()] {
            evaluation.reset(&position);
            let mut material = Material::default();
            material.reset(&position);
            assert_eq!(evaluation.evaluate(&position), material.evaluate(&position));
            // No kings, no output to speak of, but no panic and one answer.
            assert_eq!(evaluation.raw(&position), slow_raw(&parameters, &position));
        }
        let mut position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").expect("good");
        evaluation.reset(&position);
        for _ in 0..8 {
            let Some(mv) = position.legal_moves().into_iter().next() else { break };
            let change = position.play(mv);
            evaluation.push(&position, &change);
            assert_eq!(evaluation.raw(&position), slow_raw(&parameters, &position));
        }
    }
}

#[test]
fn a_board_of_impossible_pieces_does_not_panic() {
    let mut position = Position::empty();
    for square in yomikiri_shogi::Square::all() {
        let color = Color::ALL[square.index() % 2];
        position.put(square, Some(Piece::new(yomikiri_shogi::Kind::Gold, color)));
    }
    let parameters = random_parameters(KP, 9, false);
    let network = Network::new(&parameters).expect("the parameters are whole");
    let mut evaluation = NetworkEvaluation::new(Arc::new(network));
    evaluation.reset(&position);
    assert_eq!(evaluation.raw(&position), slow_raw(&parameters, &position));
}

#[test]
fn the_value_is_the_output_divided_by_the_scale() {
    let parameters = random_parameters(KP, 1, false);
    let network = Arc::new(Network::new(&parameters).expect("the parameters are whole"));
    let position = Position::start();
    for scale in [16, 24, 1] {
        let mut evaluation = NetworkEvaluation::new(network.clone()).with_scale(scale);
        evaluation.reset(&position);
        let expected = slow_raw(&parameters, &position) / scale;
        assert_eq!(evaluation.evaluate(&position), expected.clamp(-EVAL_LIMIT, EVAL_LIMIT));
    }
}

/// The folder of real networks, if there is one.
fn real_networks() -> Option<PathBuf> {
    std::env::var_os("YOMIKIRI_NETWORKS").map(PathBuf::from)
}

/// The files whose outputs are in the golden values, in the order of the columns.
const REAL: [&str; 2] = ["nnue_suisho_petite.nn.bin", "nnue_kp256.nn.bin"];

#[test]
fn real_networks_give_their_golden_values() {
    let Some(folder) = real_networks() else { return };
    let packed = include_bytes!("../../tests/data/network_golden.tsv.zst");
    let text = String::from_utf8(
        yomikiri_base::packed::unpack(&packed[..], Default::default()).expect("zstd"),
    )
    .expect("text");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(lines.len(), 2000);
    for (column, name) in (1..).zip(REAL) {
        let bytes = std::fs::read(folder.join(name)).expect("the network can be read");
        let network = Network::from_bytes(&bytes).expect("a classic network");
        assert_eq!(network.architecture(), KP);
        for mut evaluation in evaluations(&network) {
            let level = evaluation.network().level();
            for fields in &lines {
                let position = Position::from_sfen(fields[0]).expect("a good position");
                evaluation.reset(&position);
                let golden: i32 = fields[column].parse().expect("a number");
                assert_eq!(evaluation.raw(&position), golden, "{name}, {level:?}: {}", fields[0]);
            }
        }
    }
}

#[test]
fn real_networks_equal_slow_arithmetic_along_random_games() {
    let Some(folder) = real_networks() else { return };
    for name in REAL {
        let bytes = std::fs::read(folder.join(name)).expect("the network can be read");
        let parameters = NetworkParameters::from_bytes(&bytes).expect("a classic network");
        assert_eq!(parameters.to_bytes().as_deref(), Ok(&bytes[..]), "{name} is written again");
        compare_along_games(&parameters, 10_000, 11);
    }
}

#[test]
fn the_embedded_network_is_used_where_it_lies() {
    let network = Network::embedded();
    assert!(network.is_in_place(), "its description keeps the weights at a multiple of 64 bytes");
    assert!(Arc::ptr_eq(&network, &Network::embedded()));
}

#[test]
fn the_lineage_states_the_checksum_of_the_embedded_network() {
    let checksum = yomikiri_base::checksum::sha256_hex(&super::EMBEDDED.0);
    assert_eq!(super::embedded_checksum(), checksum);
}
