//! Fast code against slow, obvious code along random games.

use std::collections::BTreeSet;
use yomikiri_shogi::movegen::{NonPromotions, Which, reference};
use yomikiri_shogi::{Color, Handicap, Kind, Move, MoveList, Position};

const PLIES: usize = 250;

/// How many games each test plays: few by default, as many as wanted by `YOMIKIRI_TEST_GAMES`.
fn games() -> u64 {
    std::env::var("YOMIKIRI_TEST_GAMES").map_or(60, |text| text.parse().expect("a number"))
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    let count = moves.len();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), count, "a move was generated twice");
    moves
}

fn generated(position: &Position, which: Which, non_promotions: NonPromotions) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(which, non_promotions, &mut list);
    sorted(list)
}

/// Whether a player would leave this move out: it could promote and gains nothing by not doing so.
fn is_pointless(position: &Position, played: Move) -> bool {
    let us = position.side_to_move();
    let Some(from) = played.from() else { return false };
    let kind = position.piece_on(from).unwrap().kind();
    let could_promote = from.rank_for(us) < 3 || played.to().rank_for(us) < 3;
    if played.is_promotion() || !could_promote {
        return false;
    }
    match kind {
        Kind::Pawn | Kind::Bishop | Kind::Rook => true,
        Kind::Lance => played.to().rank_for(us) < 2,
        _ => false,
    }
}

fn compare_generators(position: &Position) {
    let sfen = position.to_sfen();
    let slow = sorted(reference::legal_moves(position));
    let all = generated(position, Which::All, NonPromotions::All);
    assert_eq!(all, slow, "{sfen}");
    assert_eq!(position.count_legal_moves(), slow.len(), "{sfen}");
    assert_eq!(position.has_legal_move(), !slow.is_empty(), "{sfen}");

    let useful: Vec<Move> =
        slow.iter().copied().filter(|&played| !is_pointless(position, played)).collect();
    assert_eq!(generated(position, Which::All, NonPromotions::Useful), useful, "{sfen}");

    for (policy, all) in [(NonPromotions::All, &slow), (NonPromotions::Useful, &useful)] {
        let forcing =
            |&played: &Move| played.is_promotion() || position.piece_on(played.to()).is_some();
        let (captures, quiets): (Vec<Move>, Vec<Move>) = all.iter().partition(|m| forcing(m));
        assert_eq!(generated(position, Which::Captures, policy), captures, "{sfen}");
        assert_eq!(generated(position, Which::Quiets, policy), quiets, "{sfen}");

        let mut checks = MoveList::new();
        position.generate_checks(policy, &mut checks);
        let board = reference::PlainBoard::new(position);
        let slow_checks: Vec<Move> = all
            .iter()
            .copied()
            .filter(|&played| {
                let mut after = board.clone();
                after.play(played);
                after.in_check(!position.side_to_move())
            })
            .collect();
        assert_eq!(sorted(checks), slow_checks, "{sfen}");
        let hints = position.check_hints();
        for &played in all {
            let checks = slow_checks.contains(&played);
            assert_eq!(position.gives_check(played), checks, "{sfen} {played}");
            assert!(hints.allow(played) || !checks, "{sfen} {played}");
        }
    }
}

/// Every move that can be written down is legal exactly if the slow generator has it.
fn compare_legality(position: &Position) {
    let slow: BTreeSet<Move> = reference::legal_moves(position).into_iter().collect();
    for bits in 0..=u16::MAX {
        if let Some(played) = Move::from_bits(bits) {
            let legal = slow.contains(&played);
            assert_eq!(position.is_legal(played), legal, "{} {played}", position.to_sfen());
        }
    }
}

fn compare_state(position: &Position) {
    let sfen = position.to_sfen();
    assert_eq!(position.board_key(), position.board_key_from_scratch(), "{sfen}");
    assert_eq!(position.checkers(), position.checkers_from_scratch(), "{sfen}");
    let board = reference::PlainBoard::new(position);
    assert_eq!(position.in_check(), board.in_check(position.side_to_move()), "{sfen}");
    position.validate().unwrap();
    let read = Position::from_sfen(&sfen).unwrap();
    assert_eq!(read, *position);
    assert_eq!((read.key(), read.checkers()), (position.key(), position.checkers()));
    for color in Color::ALL {
        assert_eq!(read.king(color), position.king(color));
        assert_eq!(read.color(color), position.color(color));
        assert_eq!(position.pinned(color), slow_pins(position, color), "{sfen}");
    }
    for kind in Kind::ALL {
        assert_eq!(read.kind(kind), position.kind(kind));
    }
}

/// A piece is pinned if its king can be taken once the piece is lifted off the board.
fn slow_pins(position: &Position, color: Color) -> yomikiri_shogi::Bitboard {
    let attackers = |position: &Position| {
        let king = position.king(color).unwrap();
        position.attackers(king, !color, position.occupied())
    };
    let before = attackers(position);
    position
        .color(color)
        .iter()
        .filter(|&square| {
            let mut without = position.clone();
            let piece = without.piece_on(square).unwrap();
            without.put(square, None);
            piece.kind() != Kind::King && attackers(&without) != before
        })
        .collect()
}

fn random_game(seed: u64, mut visit: impl FnMut(&Position)) {
    let mut random = fastrand::Rng::with_seed(seed);
    let handicap =
        if seed.is_multiple_of(4) { random.choice(Handicap::ALL).unwrap() } else { Handicap::Even };
    let mut position = handicap.position();
    let mut before = vec![];
    for _ in 0..PLIES {
        visit(&position);
        let moves = position.legal_moves();
        // Captures and checks more often than chance would have them: more happens.
        let forcing: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&m| position.gives_check(m) || position.piece_on(m.to()).is_some())
            .collect();
        let pool =
            if random.u8(0..4) == 0 && !forcing.is_empty() { &forcing[..] } else { &moves[..] };
        let Some(played) = random.choice(pool.iter().copied()) else { break };
        before.push((position.clone(), position.checkers(), position.key()));
        position.play(played);
    }
    // Undo restores every bit, all the way back.
    while let Some((earlier, checkers, key)) = before.pop() {
        position.undo();
        assert_eq!(position, earlier);
        assert_eq!((position.checkers(), position.key()), (checkers, key));
        for kind in Kind::ALL {
            assert_eq!(position.kind(kind), earlier.kind(kind));
        }
        for color in Color::ALL {
            assert_eq!(position.color(color), earlier.color(color));
            assert_eq!(position.king(color), earlier.king(color));
        }
    }
}

/// A mate in one exists exactly if some legal move leaves the opponent mated.
fn compare_mate_in_one(position: &Position) {
    let mut copy = position.clone();
    let found = copy.mate_in_one();
    assert_eq!(copy, *position);
    let mates: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|&played| {
            copy.play(played);
            let mate = copy.is_mate();
            copy.undo();
            mate
        })
        .collect();
    let sfen = position.to_sfen();
    assert_eq!(found.is_some(), !mates.is_empty(), "{sfen} {mates:?}");
    assert!(found.is_none_or(|found| mates.contains(&found)), "{sfen} {found:?}");
}

/// An independent implementation: the crate rsshogi. (haitaka 0.3.2, the other peer of the
/// benchmark, allows some drop-pawn mates, for one P*8f in `+P5G2/3+R1p1Pl/B1ppn4/lS1s4P/pk2p2S1/
/// 6P2/S1LgPN1Bn/L1+pP2KG1/1g1+n5 b R5Pp 241`, and so cannot serve.)
fn compare_with_rsshogi(position: &Position) {
    let sfen = position.to_sfen();
    let board = rsshogi::board::position_from_sfen(&sfen).unwrap();
    let mut list = rsshogi::board::Move32List::new();
    rsshogi::board::movegen::generate_legal_all_move32(&board, &mut list);
    let theirs: BTreeSet<String> = list.iter().map(|played| played.to_usi()).collect();
    let ours: BTreeSet<String> =
        position.legal_moves().iter().map(|played| played.to_string()).collect();
    assert_eq!(ours, theirs, "{sfen}");
}

#[test]
fn mates_in_one_equal_brute_force() {
    for seed in 0..games() {
        random_game(3000 + seed, compare_mate_in_one);
    }
}

#[test]
fn moves_equal_those_of_an_independent_crate() {
    for seed in 0..games() {
        random_game(4000 + seed, compare_with_rsshogi);
    }
}

#[test]
fn generators_equal_the_reference() {
    for seed in 0..games() {
        random_game(seed, compare_generators);
    }
}

#[test]
fn legality_equals_the_reference_for_every_move_there_is() {
    for seed in 0..games() {
        let mut ply = 0;
        random_game(1000 + seed, |position| {
            ply += 1;
            if ply % 10 == 0 {
                compare_legality(position);
            }
        });
    }
}

#[test]
fn incremental_state_equals_from_scratch() {
    for seed in 0..games() {
        random_game(2000 + seed, compare_state);
    }
}
