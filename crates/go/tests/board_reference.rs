//! The fast board against the slow one along seeded random games.

use fastrand::Rng;
use yomikiri_go::board::reference::ReferenceBoard;
use yomikiri_go::board::{Board, Colour, KoRule, Move, Point, RefusedMove};

fn points(size: usize) -> Vec<Point> {
    (0..size).flat_map(|row| (0..size).map(move |column| Point::new(column, row))).collect()
}

/// Everything that can be asked of both boards is the same.
fn assert_same(fast: &Board, slow: &ReferenceBoard) {
    assert_eq!(fast.ko(), slow.ko());
    for point in points(fast.size()) {
        assert_eq!(fast.stone(point), slow.stone(point), "{point}\n{fast}");
        assert_eq!(fast.empty().contains(point), slow.stone(point).is_none());
        let Some(colour) = slow.stone(point) else {
            assert!(fast.block(point).is_none());
            continue;
        };
        assert!(fast.stones(colour).contains(point));
        assert!(!fast.stones(colour.other()).contains(point));
        let (stones, liberties) = slow.block(point);
        let block = fast.block(point).expect("a stone has a block");
        assert_eq!(block.stones().iter().collect::<Vec<_>>(), stones);
        assert_eq!(block.liberties().iter().collect::<Vec<_>>(), liberties, "{point}\n{fast}");
        assert_eq!(block.liberty_count() as usize, liberties.len());
    }
}

fn key_from_scratch(board: &Board) -> u64 {
    let stones = points(board.size()).into_iter().filter_map(|p| Some((board.stone(p)?, p)));
    let copy = Board::from_stones(board.size(), board.rule(), stones).expect("a legal position");
    copy.stones_key()
}

/// Legality of every point, what it takes, and the key behind it. Returns how many points only
/// superko forbids.
fn assert_same_moves(fast: &mut Board, slow: &ReferenceBoard, colour: Colour) -> usize {
    let mut by_superko = 0;
    let legal = fast.legal_points(colour);
    for point in points(fast.size()) {
        let mut after = slow.clone();
        let expected = after.play(colour, point.into());
        assert_eq!(fast.check(colour, point.into()).err(), expected.as_ref().err().copied());
        assert_eq!(legal.contains(point), expected.is_ok(), "{point}\n{fast}");
        by_superko += usize::from(expected == Err(RefusedMove::Superko));
        let Ok(captured) = expected else { continue };
        assert_eq!(fast.captured_by(colour, point).iter().collect::<Vec<_>>(), captured);
        assert_eq!(fast.ko_capture(colour, point), after.ko());
        let key = fast.key_after(colour, point);
        fast.play_legal(colour, point.into());
        assert_eq!(fast.stones_key(), key);
        assert!(fast.undo());
    }
    by_superko
}

#[derive(Default)]
struct Seen {
    kos: usize,
    by_superko: usize,
}

fn random_game(size: usize, rule: KoRule, moves: usize, rng: &mut Rng, seen: &mut Seen) {
    let mut fast = Board::new(size, rule).expect("a size in range");
    let mut slow = ReferenceBoard::new(size, rule);
    let mut trail = vec![slow.clone()];
    for ply in 0..moves {
        let colour =
            if rng.u8(..8) == 0 { Colour::BOTH[rng.usize(..2)] } else { Colour::BOTH[ply % 2] };
        let legal: Vec<Point> = fast.legal_points(colour).iter().collect();
        let mv = match rng.choice(&legal) {
            Some(&point) if rng.u8(..30) != 0 => Move::from(point),
            _ => Move::PASS,
        };
        fast.play(colour, mv).expect("a legal move");
        slow.play(colour, mv).expect("a legal move");
        seen.kos += usize::from(fast.ko().is_some());
        if ply % 7 == 0 {
            assert_same(&fast, &slow);
            assert_eq!(fast.stones_key(), key_from_scratch(&fast));
        }
        if ply % (if size < 6 { 4 } else { 31 }) == 0 {
            seen.by_superko += assert_same_moves(&mut fast, &slow, colour.other());
        }
        trail.push(slow.clone());
        // Some games go back a little and on another way, as a search does.
        if rng.u8(..20) == 0 {
            for _ in 0..rng.usize(..trail.len().min(30)) {
                assert!(fast.undo());
                trail.pop();
            }
            slow = trail.last().expect("the start stays").clone();
            assert_same(&fast, &slow);
        }
    }
    while trail.len() > 1 {
        trail.pop();
        assert!(fast.undo());
        if trail.len() % 5 == 0 {
            assert_same(&fast, trail.last().expect("not empty"));
        }
    }
    assert_eq!(fast.played(), 0);
    assert_eq!(fast.stones_key(), 0);
}

#[test]
fn random_games_agree_with_the_reference() {
    let mut rng = Rng::with_seed(20_240_409);
    let mut seen = Seen::default();
    for (size, rule, games, moves) in [
        (3, KoRule::Simple, 40, 120),
        (3, KoRule::Superko, 400, 60),
        (5, KoRule::Superko, 40, 150),
        (9, KoRule::Simple, 30, 300),
        (9, KoRule::Superko, 10, 300),
        (13, KoRule::Simple, 6, 500),
        (19, KoRule::Simple, 4, 900),
    ] {
        for _ in 0..games {
            random_game(size, rule, moves, &mut rng, &mut seen);
        }
    }
    assert!(seen.kos > 50, "the games must contain kos, found {}", seen.kos);
    assert!(seen.by_superko > 5, "superko must matter, found {}", seen.by_superko);
}
