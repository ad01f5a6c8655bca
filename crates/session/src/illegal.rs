//! Why a move is illegal, with the squares that show it.

use crate::protocol::{Illegal, IllegalReason};
use crate::view::square_names;
use yomikiri_shogi::attacks;
use yomikiri_shogi::{Bitboard, Kind, Move, Origin, Piece, Position, Square};

/// Reads a move and makes sure that it is legal.
pub fn check(position: &Position, text: &str) -> Result<Move, Illegal> {
    let Ok(mv) = text.parse::<Move>() else {
        return Err(Illegal { reason: IllegalReason::NotAMove, squares: Vec::new() });
    };
    match position.is_legal(mv) {
        true => Ok(mv),
        false => Err(explain(position, mv)),
    }
}

/// Why an illegal move is illegal.
pub fn explain(position: &Position, mv: Move) -> Illegal {
    let (reason, squares) = match mv.origin() {
        Origin::Board(from) => on_board(position, mv, from),
        Origin::Hand(kind) => drop(position, kind, mv.to()),
    };
    Illegal { reason, squares: square_names(squares) }
}

type Why = (IllegalReason, Bitboard);

fn on_board(position: &Position, mv: Move, from: Square) -> Why {
    let us = position.side_to_move();
    let to = mv.to();
    let Some(piece) = position.piece_on(from) else {
        return (IllegalReason::NoPiece, Bitboard::of(from));
    };
    if piece.color() != us {
        return (IllegalReason::NotYourPiece, Bitboard::of(from));
    }
    if position.piece_on(to).is_some_and(|other| other.color() == us) {
        return (IllegalReason::Occupied, Bitboard::of(to));
    }
    if !attacks::attacks(piece, from, position.occupied()).has(to) {
        return (IllegalReason::CannotReach, Bitboard::of(from));
    }
    let zone = Bitboard::promotion_zone(us);
    let may_promote = piece.kind().promoted().is_some() && (zone.has(from) || zone.has(to));
    if mv.is_promotion() && !may_promote {
        return (IllegalReason::CannotPromote, Bitboard::of(to));
    }
    if !mv.is_promotion() && to.rank_for(us) < piece.kind().dead_ranks() {
        return (IllegalReason::NoMovesLeft, Bitboard::of(to));
    }
    king_in_danger(position, piece, from, to)
}

/// The move itself is possible, so the king stays in check, or comes into it.
fn king_in_danger(position: &Position, piece: Piece, from: Square, to: Square) -> Why {
    let us = position.side_to_move();
    let occupied = position.occupied().without(Bitboard::of(from)) | Bitboard::of(to);
    let king = match piece.kind() {
        Kind::King => Some(to),
        _ => position.king(us),
    };
    let taken = Bitboard::of(to);
    let attackers =
        king.map_or(Bitboard::EMPTY, |king| position.attackers(king, !us, occupied).without(taken));
    if position.in_check() && piece.kind() != Kind::King {
        let still = position.checkers() & attackers;
        if still.is_any() {
            return (IllegalReason::CheckIgnored, still);
        }
    }
    (IllegalReason::KingExposed, attackers)
}

fn drop(position: &Position, kind: Kind, to: Square) -> Why {
    let us = position.side_to_move();
    if !position.hand(us).has(kind) {
        return (IllegalReason::NotInHand, Bitboard::EMPTY);
    }
    if position.occupied().has(to) {
        return (IllegalReason::Occupied, Bitboard::of(to));
    }
    if to.rank_for(us) < kind.dead_ranks() {
        return (IllegalReason::NoMovesLeft, Bitboard::of(to));
    }
    let pawns = position.pieces(Kind::Pawn, us) & Bitboard::file(to.file());
    if kind == Kind::Pawn && pawns.is_any() {
        return (IllegalReason::TwoPawns, pawns);
    }
    let blocked = position.occupied() | Bitboard::of(to);
    let attackers =
        position.king(us).map_or(Bitboard::EMPTY, |king| position.attackers(king, !us, blocked));
    if attackers.is_any() {
        return (IllegalReason::CheckIgnored, attackers);
    }
    let king = position.king(!us).map_or(Bitboard::EMPTY, Bitboard::of);
    (IllegalReason::PawnDropMate, king)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(position: &str, mv: &str) -> (IllegalReason, Vec<String>) {
        let illegal = check(&Position::from_usi(position).unwrap(), mv).unwrap_err();
        (illegal.reason, illegal.squares)
    }

    #[test]
    fn every_rule_is_named_with_its_square() {
        use IllegalReason::*;
        let pawn_mate = "sfen 7lk/7p1/8P/7+R1/9/9/9/9/4K4 b P 1";
        assert!(Position::from_usi(pawn_mate).is_ok());
        for (position, mv, reason, squares) in [
            ("startpos", "nonsense", NotAMove, &[][..]),
            ("startpos", "5e5d", NoPiece, &["5e"]),
            ("startpos", "3c3d", NotYourPiece, &["3c"]),
            ("startpos", "P*5e", NotInHand, &[]),
            ("startpos", "2h7h+", CannotPromote, &["7h"]),
            ("startpos", "8h7g", Occupied, &["7g"]),
            ("startpos", "7g7e", CannotReach, &["7g"]),
            ("sfen 4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5d", TwoPawns, &["5g"]),
            ("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*4a", NoMovesLeft, &["4a"]),
            ("sfen 4k4/9/N8/9/9/9/9/9/4K4 b - 1", "9c8a", NoMovesLeft, &["8a"]),
            ("sfen 4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*1e", CheckIgnored, &["5e"]),
            ("sfen 4k4/9/9/9/4r4/9/9/8G/4K4 b - 1", "1h1g", CheckIgnored, &["5e"]),
            ("sfen 4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h4h", KingExposed, &["5e"]),
            ("sfen 4k4/9/9/9/3r5/9/9/9/4K4 b - 1", "5i6i", KingExposed, &["6e"]),
        ] {
            let squares: Vec<String> = squares.iter().map(|square| (*square).into()).collect();
            assert_eq!(why(position, mv), (reason, squares), "{position} {mv}");
        }
    }

    #[test]
    fn a_pawn_drop_that_mates_shows_the_king() {
        let text = include_str!("../../../data/rules_uchifuzume.tsv");
        let mut count = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let (sfen, mv) = (columns.next().unwrap(), columns.next().unwrap());
            let position = Position::from_sfen(sfen).unwrap();
            let illegal = check(&position, mv).unwrap_err();
            assert_eq!(illegal.reason, IllegalReason::PawnDropMate, "{line}");
            let king = position.king(!position.side_to_move()).unwrap();
            assert_eq!(illegal.squares, [king.to_string()]);
            count += 1;
        }
        assert_eq!(count, 167);
    }

    /// Every move that the rules forbid gets a reason that the position bears out.
    #[test]
    fn reasons_of_king_danger_come_with_a_square_along_random_games() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut seen = 0;
        for _ in 0..20 {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for _ in 0..400 {
                    let Some(mv) = Move::from_bits(random.u16(..)) else { continue };
                    if position.is_legal(mv) {
                        continue;
                    }
                    let illegal = explain(&position, mv);
                    let king = [IllegalReason::KingExposed, IllegalReason::CheckIgnored];
                    if king.contains(&illegal.reason) {
                        assert!(!illegal.squares.is_empty(), "{} {mv}", position.to_sfen());
                        seen += 1;
                    }
                    if illegal.reason == IllegalReason::PawnDropMate {
                        assert_eq!(mv.dropped(), Some(Kind::Pawn), "{} {mv}", position.to_sfen());
                    }
                }
                position.play(moves[random.usize(..moves.len())]);
            }
        }
        assert!(seen > 20, "{seen}");
    }
}
