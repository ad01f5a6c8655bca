//! Any bytes as a network file. Random bytes hardly get past the hashes: where the input is short,
//! it is also laid over the front of a good file and over what decides on its layers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use yomikiri_eval::network::{Architecture, FeatureSet, Network, NetworkParameters};

const SMALL: Architecture =
    Architecture { features: FeatureSet::Kp, l1: 256, l2: 4, l3: 4, stages: 1 };

thread_local! {
    /// A good file. What is laid over it is taken away again: a copy for each input would take
    /// most of the time.
    static GOOD: RefCell<Vec<u8>> =
        RefCell::new(NetworkParameters::zero(SMALL).to_bytes().expect("the parameters are whole"));
}

fn exercise(bytes: &[u8]) {
    let Ok(parameters) = NetworkParameters::from_bytes(bytes) else {
        assert!(Network::from_bytes(bytes).is_err());
        return;
    };
    let written = parameters.to_bytes().expect("what was read is whole");
    assert_eq!(written.len(), bytes.len());
    assert_eq!(NetworkParameters::from_bytes(&written), Ok(parameters));
}

/// Changes the bits of the front that are set in the pattern; a second time changes them back.
fn flip(front: &mut [u8], pattern: &[u8]) {
    front.iter_mut().zip(pattern).for_each(|(byte, flip)| *byte ^= flip);
}

fuzz_target!(|bytes: &[u8]| {
    exercise(bytes);
    let layers =
        SMALL.layers().map(|(inputs, outputs)| outputs * (4 + inputs.next_multiple_of(32)));
    let after_hash = layers.iter().sum::<usize>() + 4;
    GOOD.with_borrow_mut(|file| {
        for start in [0, file.len() - after_hash] {
            flip(&mut file[start..], bytes);
            exercise(file);
            flip(&mut file[start..], bytes);
        }
    });
});
