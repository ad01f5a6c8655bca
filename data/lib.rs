//! What the crates carry, so that they work away from the source tree. `README.md` beside this file
//! names the source and the licence of each.

/// Opening positions, in YaneuraOu's book format.
pub const BOOK: &str = include_str!("book.db");

/// Engine games with scores, one a line, packed by zstd.
pub const GAMES: &[u8] = include_bytes!("games_engine.tsv.zst");

/// Next-move problems, one a line.
pub const NEXT_MOVES: &str = include_str!("next_moves.tsv");

/// Balanced openings, one a line.
pub const OPENINGS: &str = include_str!("openings.sfen");

/// Lost positions for speculative play, one a line, packed by zstd.
pub const SPECULATIVE: &[u8] = include_bytes!("speculative.jsonl.zst");

/// Mates and near-misses from games.
pub const MINED: &str = include_str!("tsume/mined.tsv");

/// Mate problems of Shogi Muso.
pub const MUSOU: &str = include_str!("tsume/musou_odd.tsv");

/// Mate problems of Shogi Zuko.
pub const ZUKOU: &str = include_str!("tsume/zukou_odd.tsv");

/// The sums by which the behaviour of the program's parts is known.
pub const SIGNATURES: &str = include_str!("../bench/signature.txt");

/// What was measured of the levels.
pub const LEVELS: &str = include_str!("../docs/levels.md");
