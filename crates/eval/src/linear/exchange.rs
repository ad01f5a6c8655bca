//! The maximum exchange value: what the side to move can win by captures on one square.
//!
//! Paper: Matsui et al. 2008, section 2.5, add it to the evaluation while learning without
//! search, as YSS does. In play quiescence takes its place.

use yomikiri_shogi::see::{BY_VALUE, capture_value};
use yomikiri_shogi::{Bitboard, Color, Kind, Move, Position, Square};

/// The most that the side to move wins by one exchange; 0 if it wins nothing.
pub fn maximum_exchange(position: &Position) -> i32 {
    maximum_exchange_within(position, Bitboard::ALL)
}

/// [`maximum_exchange`] for a caller that knows which squares the side to move attacks.
pub fn maximum_exchange_within(position: &Position, attacked: Bitboard) -> i32 {
    let side = position.side_to_move();
    let mut best = 0;
    for square in position.color(!side) & attacked {
        let Some(piece) = position.piece_on(square) else { continue };
        // A capture never wins more than what it takes and what its own promotion adds.
        let most = capture_value(piece.kind()) + 520;
        if piece.kind() == Kind::King || most <= best {
            continue;
        }
        if let Some(capture) = cheapest_capture(position, square, side) {
            best = best.max(position.exchange_value(capture));
        }
    }
    best
}

/// The capture with the least valuable piece, promoting where that is allowed.
fn cheapest_capture(position: &Position, square: Square, side: Color) -> Option<Move> {
    let occupied = position.occupied();
    let captors = position.attackers(square, side, occupied);
    if captors.is_empty() {
        return None;
    }
    let kind = BY_VALUE.into_iter().find(|&kind| (position.kind(kind) & captors).is_any())?;
    if kind == Kind::King && position.is_attacked(square, !side) {
        return None;
    }
    let from = (position.kind(kind) & captors).first()?;
    let zone = Bitboard::promotion_zone(side);
    let promotes = kind.promoted().is_some() && (zone.has(from) || zone.has(square));
    Some(Move::board(from, square, promotes))
}

#[cfg(test)]
mod tests {
    use super::super::attack_features;
    use super::*;

    #[test]
    fn a_hanging_rook_is_worth_its_price_and_a_protected_pawn_nothing() {
        // Black's bishop looks at an unprotected rook; every white pawn is protected or safe.
        let hanging = "4k4/9/9/6r2/9/4B4/9/9/4K4 b - 1";
        let position = Position::from_sfen(hanging).unwrap();
        assert_eq!(maximum_exchange(&position), 2 * 1040);
        assert_eq!(maximum_exchange(&Position::start()), 0);
    }

    #[test]
    fn never_more_than_the_best_capture() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut equal, mut all) = (0, 0);
        for _ in 0..20 {
            let mut position = Position::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                let best = moves
                    .iter()
                    .filter(|played| position.piece_on(played.to()).is_some())
                    .map(|&played| position.exchange_value(played))
                    .max()
                    .unwrap_or(0)
                    .max(0);
                let found = maximum_exchange(&position);
                let attacked = attack_features(&position, &mut |_: usize, _: Color| ());
                let attacked = attacked[position.side_to_move().index()];
                assert_eq!(maximum_exchange_within(&position, attacked), found);
                // Pins and checks are not seen, so that both may differ, but rarely.
                equal += u32::from(found == best);
                all += 1;
                match random.choice(moves) {
                    Some(mv) => {
                        position.play(mv);
                    }
                    None => break,
                }
            }
        }
        assert!(equal * 10 > all * 8, "{equal} of {all}");
    }
}
