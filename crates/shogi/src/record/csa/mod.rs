//! CSA records, versions 2.2 and 3.0: one or more games, without variations.

mod board;
mod read;
mod write;

pub(super) use read::is_line;
pub use read::read;
pub use write::{Version, write};
pub(super) use write::{keeps_ending, keeps_header};

use super::headers::header;
use core::time::Duration;

/// From this on a clock time is taken for an error.
pub(super) const LONGEST_CLOCK: Duration = Duration::from_secs(366 * 86_400);

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
