//! JKF, the JSON form of records that web programs use.

mod read;
mod schema;
mod write;

pub use read::read;
pub(super) use read::{keeps_ending, keeps_header};
pub use write::write;

use crate::position::Handicap;

/// (handicap, its name in JKF)
const PRESETS: [(Handicap, &str); 16] = [
    (Handicap::Even, "HIRATE"),
    (Handicap::Lance, "KY"),
    (Handicap::RightLance, "KY_R"),
    (Handicap::Bishop, "KA"),
    (Handicap::Rook, "HI"),
    (Handicap::RookLance, "HIKY"),
    (Handicap::Two, "2"),
    (Handicap::Three, "3"),
    (Handicap::Four, "4"),
    (Handicap::Five, "5"),
    (Handicap::LeftFive, "5_L"),
    (Handicap::Six, "6"),
    (Handicap::LeftSeven, "7_L"),
    (Handicap::RightSeven, "7_R"),
    (Handicap::Eight, "8"),
    (Handicap::Ten, "10"),
];

/// (letter of `relative`, word of a Japanese move)
const RELATIVE: [(char, char); 7] =
    [('L', '左'), ('C', '直'), ('R', '右'), ('U', '上'), ('M', '寄'), ('D', '引'), ('H', '打')];
