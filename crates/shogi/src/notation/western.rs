//! Western names of moves: `P-7f`, `Sx2b+`, `G6i-5h`, `N*3c`.
//!
//! The letter of the piece (`+` before it if promoted), the square it comes from where another
//! piece of the kind could go there too, `-` or `x` for a capture or `*` for a drop, the square it
//! goes to, then `+` where it promotes and `=` where it could and does not.

use crate::position::Position;
use crate::types::{Bitboard, Kind, Move, Origin};
use core::fmt::Write;

/// The western name of a legal move.
///
/// ```
/// use yomikiri_shogi::{Position, notation::western};
///
/// let mut position = Position::start();
/// assert_eq!(western::move_name(&position, "7g7f".parse().unwrap()), "P-7f");
/// assert_eq!(western::move_name(&position, "4i5h".parse().unwrap()), "G4i-5h");
/// ```
pub fn move_name(position: &Position, mv: Move) -> String {
    let to = mv.to();
    let mut name = String::new();
    // Writing to a string cannot fail.
    let mut write = |text: core::fmt::Arguments<'_>| {
        let _ = name.write_fmt(text);
    };
    let Origin::Board(from) = mv.origin() else {
        let kind = mv.dropped().map_or('?', Kind::letter);
        write(format_args!("{kind}*{to}"));
        return name;
    };
    let Some(piece) = position.piece_on(from) else { return mv.to_string() };
    let kind = piece.kind();
    if kind.is_promoted() {
        write(format_args!("+"));
    }
    write(format_args!("{}", kind.unpromoted().letter()));
    let rivals = position.attackers(to, piece.color(), position.occupied())
        & position.pieces(kind, piece.color());
    if rivals.without(Bitboard::of(from)).is_any() {
        write(format_args!("{from}"));
    }
    let takes = position.piece_on(to).is_some();
    write(format_args!("{}{to}", if takes { 'x' } else { '-' }));
    let zone = Bitboard::promotion_zone(piece.color());
    if mv.is_promotion() {
        write(format_args!("+"));
    } else if kind.promoted().is_some() && (zone.has(from) || zone.has(to)) {
        write(format_args!("="));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(position: &str, mv: &str) -> String {
        move_name(&Position::from_usi(position).unwrap(), mv.parse().unwrap())
    }

    #[test]
    fn captures_promotions_and_drops_are_marked() {
        assert_eq!(name("startpos moves 7g7f 3c3d", "8h2b+"), "Bx2b+");
        assert_eq!(name("startpos moves 7g7f 3c3d", "8h2b"), "Bx2b=");
        assert_eq!(name("startpos moves 7g7f 3c3d 8h2b+ 3a2b", "B*4e"), "B*4e");
        assert_eq!(name("startpos moves 7g7f 3c3d 8h2b+", "3a2b"), "Sx2b");
        assert_eq!(name("sfen 4k4/9/4+P4/9/9/9/9/9/4K4 b - 1", "5c5b"), "+P-5b");
    }

    #[test]
    fn names_are_unique_among_the_legal_moves_of_random_games() {
        let mut random = fastrand::Rng::with_seed(26);
        for _ in 0..20 {
            let mut position = Position::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut names: Vec<String> =
                    moves.iter().map(|&mv| move_name(&position, mv)).collect();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), moves.len(), "{}", position.to_sfen());
                position.play(moves[random.usize(..moves.len())]);
            }
        }
    }
}
