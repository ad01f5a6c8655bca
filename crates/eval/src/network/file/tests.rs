//! Files that are good, and many that are not.

use super::*;
use crate::network::Network;
use fastrand::Rng;

const KP: Architecture =
    Architecture { features: FeatureSet::Kp, l1: 256, l2: 32, l3: 32, stages: 1 };
const SMALL: Architecture = Architecture { l2: 9, l3: 40, ..KP };

fn parameters() -> NetworkParameters {
    let mut random = Rng::with_seed(1);
    let mut parameters = NetworkParameters::zero(SMALL);
    parameters.description = b"made for a test".to_vec();
    parameters.first_bias.fill_with(|| random.i16(..));
    parameters.first_weights.fill_with(|| random.i16(..));
    for layer in parameters.layers.iter_mut().flatten() {
        layer.bias.fill_with(|| random.i32(..));
        layer.weights.fill_with(|| random.i8(..));
    }
    parameters
}

#[test]
fn hashes_and_sizes_are_those_of_known_files() {
    assert_eq!(KP.first_hash(), 0x3F57_15FF);
    assert_eq!(KP.rest_hash(), 0x6333_7156);
    assert_eq!(KP.file_hash(), 0x5C64_64A9);
    assert_eq!(KP.file_size(165), 893_917);
    let half_kp = Architecture { features: FeatureSet::HalfKp, ..KP };
    assert_eq!(half_kp.file_hash(), 0x3E5A_A6EE);
}

#[test]
fn hash_and_size_together_tell_all_shapes_apart() {
    for features in FeatureSet::ALL {
        let shapes = SMALL_LAYER.flat_map(|l2| SMALL_LAYER.map(move |l3| (l2, l3)));
        for (l2, l3) in shapes.step_by(37) {
            for l1 in [256, 768, 1024] {
                let architecture = Architecture { features, l1, l2, l3, stages: 1 };
                let half = Architecture::of_first_hash(architecture.first_hash());
                let half = half.expect("a known first layer");
                let found = half.with_rest(architecture.rest_hash(), architecture.rest_size());
                assert_eq!(found, Some(architecture));
            }
        }
    }
}

#[test]
fn what_was_written_is_read_again() {
    let parameters = parameters();
    let bytes = parameters.to_bytes().expect("whole");
    assert_eq!(bytes.len(), SMALL.file_size(15));
    assert_eq!(NetworkParameters::from_bytes(&bytes), Ok(parameters));
}

#[test]
fn files_with_stages_are_read_again_and_bad_ones_refused() {
    let architecture = Architecture { stages: 3, ..SMALL };
    let mut parameters = NetworkParameters::zero(architecture);
    parameters.layers[2][0].bias[4] = 77;
    parameters.layers[1][2].weights[1] = -3;
    let bytes = parameters.to_bytes().expect("whole");
    assert_eq!(NetworkParameters::from_bytes(&bytes), Ok(parameters));
    let stages_at = bytes.len() - 3 * (4 + SMALL.rest_size()) - 4;
    for found in [0, 1, 17, u32::MAX] {
        let mut wrong = bytes.clone();
        wrong[stages_at..stages_at + 4].copy_from_slice(&found.to_le_bytes());
        let error = NetworkParameters::from_bytes(&wrong).expect_err("a wrong number of stages");
        assert_eq!(error, NetworkError::WrongStages { found });
    }
    let mut wrong = bytes.clone();
    wrong[stages_at..stages_at + 4].copy_from_slice(&4u32.to_le_bytes());
    assert!(matches!(NetworkParameters::from_bytes(&wrong), Err(NetworkError::WrongSize { .. })));
    let mut wrong = bytes.clone();
    wrong[stages_at + 8 + SMALL.rest_size()] ^= 1;
    assert!(matches!(NetworkParameters::from_bytes(&wrong), Err(NetworkError::WrongHash { .. })));
    for cut in [stages_at, stages_at + 2, stages_at + 5, stages_at + 9, bytes.len() - 1] {
        assert!(NetworkParameters::from_bytes(&bytes[..cut]).is_err());
    }
}

#[test]
fn an_embedded_file_with_an_aligned_description_is_used_in_place() {
    let mut parameters = parameters();
    parameters.set_description("aligned");
    let bytes = parameters.to_bytes().expect("whole");
    let leaked: &'static mut [u8] = Vec::leak(vec![0; bytes.len() + 64]);
    let start = leaked.as_ptr().align_offset(64);
    let aligned = &mut leaked[start..][..bytes.len()];
    aligned.copy_from_slice(&bytes);
    let network = Network::from_static(aligned).expect("a good file");
    assert!(network.is_in_place());
}

#[test]
fn a_file_that_is_not_aligned_is_copied() {
    let parameters = NetworkParameters { description: b"x".to_vec(), ..parameters() };
    let bytes: &'static [u8] = Vec::leak(parameters.to_bytes().expect("whole"));
    let network = Network::from_static(bytes).expect("a good file");
    // 12 + 1 + 4 + 512 bytes before the weights: odd in a list that begins evenly.
    assert_eq!(network.is_in_place(), bytes.as_ptr().addr() % 64 == 47);
}

#[test]
fn bad_files_are_refused_with_the_reason() {
    let good = parameters().to_bytes().expect("whole");
    let size = good.len();
    let error = |bytes: &[u8]| Network::from_bytes(bytes).expect_err("a bad file");
    let changed = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        error(&bytes)
    };
    assert_eq!(error(&[]), NetworkError::Truncated { needed: 4, size: 0 });
    assert_eq!(changed(0), NetworkError::WrongVersion { found: VERSION ^ 0x40 });
    let expected = SMALL.file_hash();
    assert_eq!(changed(4), NetworkError::WrongHash { found: expected ^ 0x40, expected });
    assert!(matches!(changed(11), NetworkError::Truncated { .. }));
    assert!(matches!(changed(12 + 15 + 3), NetworkError::UnknownFirstLayer { .. }));
    let rest = SMALL.file_size(15) - SMALL.rest_size() - 4;
    assert!(matches!(changed(rest + 2), NetworkError::UnknownLayers { .. }));
    let longer = [&good[..], &[0]].concat();
    let wrong = NetworkError::WrongSize { architecture: SMALL, expected: size, size: size + 1 };
    assert_eq!(error(&longer), wrong);
    assert!(matches!(error(&good[..size - 1]), NetworkError::WrongSize { .. }));
    assert!(matches!(error(&vec![0; MAX_SIZE + 1]), NetworkError::TooLarge { .. }));
    let text = wrong.to_string();
    assert!(text.contains("K+P 256x2-9-40-1") && text.contains(&size.to_string()), "{text}");
}

#[test]
fn damaged_files_never_panic() {
    let good = parameters().to_bytes().expect("whole");
    let mut random = Rng::with_seed(2);
    let rest = good.len() - SMALL.rest_size();
    for _ in 0..2000 {
        let mut bytes = good.clone();
        bytes.truncate(if random.bool() { random.usize(..good.len()) } else { good.len() });
        for _ in 0..random.usize(..4) {
            // Mostly where the numbers decide what is read.
            let at = if random.bool() { random.usize(..40) } else { rest - random.usize(..8) };
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.u8(..);
            }
        }
        if let Ok(parameters) = NetworkParameters::from_bytes(&bytes) {
            assert_eq!(bytes.len(), good.len());
            assert_eq!(parameters.architecture, SMALL);
        }
    }
}

#[test]
fn parameters_of_the_wrong_length_are_not_written() {
    let mut parameters = parameters();
    parameters.layers[0][1].weights.pop();
    let wrong = NetworkError::WrongShape { architecture: SMALL };
    assert_eq!(parameters.to_bytes(), Err(wrong));
    assert_eq!(Network::new(&parameters).err(), Some(wrong));
    let odd = NetworkParameters::zero(Architecture { l1: 250, ..KP });
    assert!(odd.to_bytes().is_err());
}
