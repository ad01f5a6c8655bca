//! The outlines of the characters that boards need: Kaisei Tokumin Bold, SIL Open Font License 1.1
//! (see `assets/kaisei-tokumin`).

/// One character a line: the character, a tab, an SVG path in a box of 1000 by 1000.
const OUTLINES: &str = include_str!("../assets/kaisei-tokumin/outlines.tsv");

/// The side of the box that outlines are drawn in.
pub const BOX: f64 = 1000.0;

/// The outline of a character, if there is one.
pub fn outline(character: char) -> Option<&'static str> {
    OUTLINES.lines().find_map(|line| {
        let (name, path) = line.split_once('\t')?;
        name.starts_with(character).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_shogi::Kind;
    use yomikiri_shogi::notation::japanese::kind_name;

    #[test]
    fn every_piece_has_its_outlines() {
        for kind in Kind::ALL {
            for character in kind_name(kind).chars() {
                assert!(outline(character).is_some(), "{character}");
            }
        }
    }
}
