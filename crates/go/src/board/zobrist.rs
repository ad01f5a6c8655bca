//! Random words for position keys, fixed at compile time.

use super::point::{Colour, POINTS, Point};

const fn splitmix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn words(seed: u64) -> [u64; POINTS] {
    let mut out = [0; POINTS];
    let mut i = 0;
    while i < POINTS {
        out[i] = splitmix(splitmix(seed).wrapping_add(i as u64));
        i += 1;
    }
    out
}

static STONES: [[u64; POINTS]; 2] = [words(1), words(2)];
static KO: [u64; POINTS] = words(3);

/// The word of a stone.
pub(super) fn stone(colour: Colour, point: Point) -> u64 {
    STONES[colour.index()][point.index()]
}

/// The word of a point that ko forbids.
pub(super) fn ko(point: Option<Point>) -> u64 {
    point.map_or(0, |point| KO[point.index()])
}
