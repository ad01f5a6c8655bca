//! CSA records, versions 2.2 and 3.0: one or more games, without variations.

mod board;
mod read;
mod write;

pub use read::read;
pub use write::{Version, write};

use super::headers::header;

/// (CSA keyword, header)
const KEYWORDS: [(&str, &str); 12] = [
    ("EVENT", header::EVENT),
    ("SITE", header::SITE),
    ("START_TIME", header::START),
    ("END_TIME", header::END),
    ("TIME_LIMIT", header::TIME_LIMIT),
    ("TIME", header::TIME_LIMIT),
    ("TIME+", header::BLACK_TIME_LIMIT),
    ("TIME-", header::WHITE_TIME_LIMIT),
    ("OPENING", header::OPENING),
    ("MAX_MOVES", header::MAXIMUM_MOVES),
    ("JISHOGI", header::ENTERING_KING),
    ("NOTE", header::NOTE),
];
