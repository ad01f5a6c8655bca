//! What every target does: read, and if that goes well, write in another format and read again.

use yomikiri_shogi::record::{Format, losses, read};

/// Games of one input that are written again; inputs with thousands of tiny games are slow and
/// find nothing new.
const MOST_GAMES: usize = 4;

/// Reads the bytes as the format. What was read must be written without error or with a reason,
/// and what was written must be read again. The bytes decide in which format: all of them for every
/// input would take most of the time.
pub fn exercise(bytes: &[u8], format: Format) {
    let _ = Format::of_content(bytes);
    let Ok(records) = read(bytes, format) else { return };
    let sum =
        bytes.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let other = Format::ALL[sum % Format::ALL.len()];
    for record in records.iter().take(MOST_GAMES) {
        let _ = losses(std::slice::from_ref(record), other);
        let Ok(written) = other.write(std::slice::from_ref(record)) else { continue };
        if let Err(error) = read(&written, other) {
            panic!("{format} to {other}: {error}");
        }
    }
}
