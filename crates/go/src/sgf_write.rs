//! Answers as SGF: the position, and the lines as variations.

use yomikiri_proof::game::Role;

use crate::board::{Board, Colour, Move, Point};

/// A line of play from the position.
#[derive(Clone, Debug)]
pub struct Variation {
    /// What it shows, as the comment of its first node.
    pub comment: String,
    /// The block in question.
    pub target: Point,
    /// Who moves first.
    pub first: Colour,
    /// The moves, colours in turn.
    pub moves: Vec<Move>,
}

/// Who moves first when this side begins a question about a block of `owner`.
pub fn mover(owner: Colour, first: Role) -> Colour {
    match first {
        Role::Attacker => owner.other(),
        Role::Defender => owner,
    }
}

/// One game tree: the stones as set-up, `comment` on the root, and each line as a variation.
pub fn write(board: &Board, comment: &str, variations: &[Variation]) -> String {
    let size = board.size();
    let mut text = format!("(;FF[4]GM[1]CA[UTF-8]SZ[{size}]");
    for (property, colour) in [("AB", Colour::Black), ("AW", Colour::White)] {
        let stones: Vec<String> = board
            .stones(colour)
            .iter()
            .map(|point| format!("[{}]", letters(point, size)))
            .collect();
        if !stones.is_empty() {
            text += &format!("\n{property}{}", stones.concat());
        }
    }
    if !comment.is_empty() {
        text += &format!("\nC[{}]", escaped(comment));
    }
    for variation in variations {
        let Variation { comment, target, first, moves } = variation;
        let (player, target) = (letter(*first), letters(*target, size));
        text += &format!("\n(;PL[{player}]TR[{target}]C[{}]", escaped(comment));
        let mut colour = *first;
        for mv in moves {
            let point = mv.point().map_or(String::new(), |point| letters(point, size));
            text += &format!(";{}[{point}]", letter(colour));
            colour = colour.other();
        }
        text.push(')');
    }
    text + ")\n"
}

fn letter(colour: Colour) -> char {
    match colour {
        Colour::Black => 'B',
        Colour::White => 'W',
    }
}

/// SGF counts columns from the left and rows from the top, both by small letters.
fn letters(point: Point, size: usize) -> String {
    let letter = |at: usize| char::from(b'a' + at as u8);
    [letter(point.column()), letter(size - 1 - point.row())].iter().collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf;

    #[test]
    fn a_written_position_reads_back_with_its_first_variation_as_main_line() {
        let board = sgf::read("(;SZ[9]AB[ee]AW[de][fe][ed])", None).expect("a position").board;
        let point = |name| Point::parse(name, 9).expect("a point");
        let capture = Variation {
            comment: "1: taken [at once]".into(),
            target: point("E5"),
            first: Colour::White,
            moves: vec![point("E4").into(), Move::PASS],
        };
        let saved = Variation { first: Colour::Black, ..capture.clone() };
        let text = write(&board, "two lines", &[capture, saved]);
        let start = sgf::read(&text, Some(0)).expect("the position");
        assert_eq!(start.board.stones_key(), board.stones_key());
        let end = sgf::read(&text, Some(1)).expect("one move on");
        assert!(end.board.is_empty(point("E5")), "{text}");
        assert_eq!(sgf::read(&text, None).expect("the main line").moves, 2);
        assert!(text.contains("C[1: taken [at once\\]]"), "{text}");
    }
}
