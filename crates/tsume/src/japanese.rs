//! Lines as Japanese books print them.

use yomikiri_shogi::notation::japanese::move_name;
use yomikiri_shogi::{Move, Position};

/// The names of the moves of a line played from `position`.
#[must_use]
pub fn line(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut names = Vec::with_capacity(line.len());
    for &mv in line {
        names.push(move_name(&position, mv));
        position.play(mv);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_as_in_books() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let moves = ["8h2b+", "3a2b", "B*4e"].map(|m| m.parse().unwrap());
        assert_eq!(line(&position, &moves), ["▲２二角成", "△同銀", "▲４五角"]);
    }
}
