//! Any bytes as a network file. Random bytes hardly get past the hashes: where the input is short,
//! it is also laid over the front of a good file and over what decides on its layers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use yomikiri_eval::network::{Architecture, FeatureSet, Network, NetworkParameters};

const SMALL: Architecture =
    Architecture { features: FeatureSet::Kp, l1: 256, l2: 4, l3: 4, stages: 1 };

static GOOD: LazyLock<Vec<u8>> =
    LazyLock::new(|| NetworkParameters::zero(SMALL).to_bytes().expect("the parameters are whole"));

fn exercise(bytes: &[u8]) {
    let Ok(parameters) = NetworkParameters::from_bytes(bytes) else {
        assert!(Network::from_bytes(bytes).is_err());
        return;
    };
    let written = parameters.to_bytes().expect("what was read is whole");
    assert_eq!(written.len(), bytes.len());
    assert_eq!(NetworkParameters::from_bytes(&written), Ok(parameters));
}

fuzz_target!(|bytes: &[u8]| {
    exercise(bytes);
    let layers =
        SMALL.layers().map(|(inputs, outputs)| outputs * (4 + inputs.next_multiple_of(32)));
    let hash_of_layers = GOOD.len() - layers.iter().sum::<usize>() - 4;
    for start in [0, hash_of_layers] {
        let mut file = GOOD.clone();
        for (byte, &flip) in file[start..].iter_mut().zip(bytes) {
            *byte ^= flip;
        }
        exercise(&file);
    }
});
