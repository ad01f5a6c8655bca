//! Japanese names of moves against the crate `shogi_official_kifu`, along random games.

use shogi_usi_parser::FromUsi;
use yomikiri_shogi::notation::japanese;
use yomikiri_shogi::{Move, Position};

/// Random games whose legal moves are all named by both, and read back.
const GAMES: u64 = 5;
const PLIES: usize = 160;

/// The move as the other crate has it; USI does not say whose piece is dropped.
fn theirs(position: &shogi_core::PartialPosition, played: Move) -> shogi_core::Move {
    match shogi_core::Move::from_usi(&played.to_string()).unwrap() {
        shogi_core::Move::Drop { piece, to } => {
            let own = shogi_core::Piece::new(piece.piece_kind(), position.side_to_move());
            shogi_core::Move::Drop { piece: own, to }
        }
        normal => normal,
    }
}

#[test]
fn names_equal_the_official_ones_and_are_read_back() {
    let mut compared = 0;
    for seed in 0..GAMES {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut position = Position::start();
        let mut other = shogi_core::PartialPosition::startpos();
        for _ in 0..PLIES {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            for &played in &legal {
                let name = japanese::move_name(&position, played);
                let named = theirs(&other, played);
                let official = shogi_official_kifu::display_single_move_kansuji(&other, named);
                let official = official.map(|name| name.replace('竜', "龍"));
                assert_eq!(Some(&name), official.as_ref(), "{played} in {position:?}");
                let reading = japanese::read_move(&position, &name).unwrap();
                assert_eq!(reading.played, played, "{name} in {position:?}");
                assert_eq!(reading.length, name.len());
                compared += 1;
            }
            let played = *random.choice(&legal).unwrap();
            other.make_move(theirs(&other, played)).unwrap();
            position.play(played);
        }
    }
    assert!(compared > 30_000, "{compared}");
}
