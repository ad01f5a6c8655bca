//! What the page can choose from.

use crate::analysis::MOST_LINES;
use crate::protocol::{Choices, LevelView};
use crate::records::FORMATS;
use yomikiri_engine::strength::{FULL, Level};
use yomikiri_shogi::{EnteringKingRule, Handicap};

/// The ladder as it was measured.
const LADDER: &str = yomikiri_data::LEVELS;

/// Elo above the level below, from the table of the ladder: the number after the sign in the last
/// column.
fn elo_above(level: u8) -> Option<i32> {
    let row = LADDER.lines().find_map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        (cells.next()?.parse() == Ok(level)).then_some(line)
    })?;
    let cell = row.trim_end_matches('|').rsplit('|').next()?.trim();
    let digits: String = cell.strip_prefix('+')?.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Everything that can be chosen.
pub fn choices(server: bool) -> Choices {
    let level = |number: u8| {
        let restraint = Level { number, seed: 0 }.restraint();
        LevelView {
            number,
            candidates: restraint.map(|restraint| restraint.candidates as u32),
            nodes: restraint.map(|restraint| restraint.nodes),
            elo_above: elo_above(number),
        }
    };
    Choices {
        levels: (1..=FULL).map(level).collect(),
        handicaps: Handicap::ALL.iter().map(|handicap| handicap.name().to_string()).collect(),
        rules: EnteringKingRule::ALL.iter().map(|rule| rule.name().to_string()).collect(),
        formats: FORMATS.iter().map(|format| format.name().to_string()).collect(),
        most_lines: MOST_LINES,
        server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_is_read_from_its_page() {
        let levels = choices(true).levels;
        let elo: Vec<Option<i32>> = levels.iter().map(|level| level.elo_above).collect();
        assert_eq!((elo[0], elo[14]), (None, None));
        // Levels 13 and 14 are still to be measured.
        assert!(elo[1..12].iter().all(|elo| elo.is_some_and(|elo| elo > 0)), "{elo:?}");
        assert_eq!(levels[14].nodes, None);
    }
}
