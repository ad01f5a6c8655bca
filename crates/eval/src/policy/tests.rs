use super::*;
use std::collections::BTreeSet;

fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start();
        for _ in 0..random.usize(0..160) {
            match random.choice(position.legal_moves()) {
                Some(mv) => {
                    position.play(mv);
                }
                None => break,
            }
        }
        if !position.legal_moves().is_empty() {
            found.push(position);
        }
    }
    found
}

#[test]
fn probabilities_are_those_of_the_legal_moves_and_sum_to_one() {
    let mut policy = Policy::embedded();
    for position in random_positions(1, 60) {
        let moves = policy.probabilities(&position, 1.0);
        let named: Vec<Move> = moves.iter().map(|one| one.0).collect();
        assert_eq!(named, position.legal_moves().to_vec());
        assert!(moves.iter().all(|one| one.1 > 0.0 || moves.len() > 1));
        let sum: f64 = moves.iter().map(|one| one.1).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        // The same again, also after other positions were looked at.
        assert_eq!(Policy::embedded().probabilities(&position, 1.0), moves);
    }
}

#[test]
fn both_sides_see_the_same_features() {
    let mut extractor = Extractor::new();
    let mut sorted = |position: &Position| -> BTreeSet<Vec<u32>> {
        let mut features = MoveFeatures::default();
        extractor.extract(position, &mut features);
        let sort = |(_, hashes): (Move, &[u32])| {
            let mut hashes = hashes.to_vec();
            hashes.sort_unstable();
            hashes
        };
        features.iter().map(sort).collect()
    };
    let (mut same, mut all) = (0, 0);
    for position in random_positions(2, 40) {
        // Without history: the turned position has none.
        let position = Position::from_sfen(&position.to_sfen()).unwrap();
        let (here, there) = (sorted(&position), sorted(&turned(&position)));
        same += here.intersection(&there).count();
        all += here.len();
        assert_eq!(here.len(), there.len(), "{}", position.to_sfen());
    }
    // Of two rooks, or two equal captors, the one on the lower square is looked at first, which is
    // not the same one for both sides: a few positions differ by that.
    assert!(same * 100 > all * 80, "{same} of {all}");
}

/// The position with the colours exchanged and the board turned round.
fn turned(position: &Position) -> Position {
    use yomikiri_shogi::{Color, Piece, Square};
    let mut turned = Position::empty();
    for square in Square::all() {
        let piece = position.piece_on(square).map(|it| Piece::new(it.kind(), !it.color()));
        turned.put(square.rotated(), piece);
    }
    for color in Color::ALL {
        turned.set_hand(!color, position.hand(color));
    }
    turned.set_side_to_move(!position.side_to_move());
    turned.set_move_number(position.move_number());
    turned
}

#[test]
fn people_take_back_and_begin_as_people_begin() {
    let mut policy = Policy::embedded();
    let mut likeliest = |text: &str| {
        let moves = policy.probabilities(&Position::from_usi(text).unwrap(), 1.0);
        let best = moves.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        best.0.to_string()
    };
    assert!(["7g7f", "2g2f"].contains(&likeliest("startpos").as_str()));
    let taken = likeliest("startpos moves 7g7f 3c3d 8h2b+");
    assert_eq!(taken, "3a2b");
}

#[test]
fn a_high_temperature_makes_moves_alike_and_a_low_one_decides() {
    let mut policy = Policy::embedded();
    let mut spread = |temperature: f64| {
        let moves = policy.probabilities(&Position::start(), temperature);
        entropy(moves.iter().map(|one| one.1))
    };
    let (low, people, high) = (spread(0.2), spread(1.0), spread(50.0));
    assert!(low < people && people < high, "{low} {people} {high}");
    assert!((high - libm::log2(30.0)).abs() < 0.05, "{high}");
}

#[test]
fn files_are_read_as_they_were_written_and_others_refused() {
    let mut random = fastrand::Rng::with_seed(3);
    let table: Vec<i8> = (0..1024).map(|_| random.i8(..)).collect();
    let weights = PolicyWeights::new("data: none".into(), table.clone()).unwrap();
    let bytes = weights.to_bytes().unwrap();
    assert_eq!(PolicyWeights::from_bytes(&bytes), Ok(weights));
    assert_eq!(PolicyWeights::from_bytes(b"startpos"), Err(PolicyError::Foreign));
    let mut newer = bytes.clone();
    newer[16] = 9;
    assert_eq!(PolicyWeights::from_bytes(&newer), Err(PolicyError::Version(9)));
    for place in [30, bytes.len() - 1] {
        let mut broken = bytes.clone();
        broken[place] ^= 1;
        assert!(matches!(PolicyWeights::from_bytes(&broken), Err(PolicyError::Damaged(_))));
    }
    assert!(PolicyWeights::new(String::new(), table[..1000].to_vec()).is_none());
}

#[test]
fn the_embedded_policy_says_where_it_comes_from() {
    let weights = PolicyWeights::embedded();
    assert!(weights.lineage.contains("data:") && weights.lineage.contains("config:"));
}
