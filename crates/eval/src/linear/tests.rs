//! The evaluation that follows the board against a slow one that looks at everything anew.

use super::layout::{self, Way};
use super::tables::{LOGISTIC_RANGE, LOGISTIC_STEP};
use super::*;
use crate::stage::{Logistic, logistic};
use std::collections::BTreeMap;
use yomikiri_shogi::attacks::attacks;

/// All features of a position, found square by square, as a reader of the layout would.
fn slow_features(position: &Position, patterns: &Patterns) -> Vec<(usize, Color)> {
    let mut found = Vec::new();
    for owner in Color::ALL {
        let seen = |square: Square| if owner == Color::Black { square } else { square.rotated() };
        let pieces: Vec<(Piece, Square)> = Square::all()
            .filter_map(|square| position.piece_on(square).map(|piece| (piece, square)))
            .collect();
        let mut add = |feature: usize| found.push((feature, owner));
        for (kind, count) in position.hand(owner).iter() {
            add(layout::hand(kind, usize::from(count)));
        }
        let king = position.king(owner).unwrap();
        for &(piece, square) in &pieces {
            if piece.kind() != Kind::King {
                let enemy = if piece.color() == owner { 0 } else { 13 };
                let place = enemy + layout::without_king(piece.kind());
                let both = layout::king_piece(seen(king).index(), place, seen(square).index());
                both.into_iter().for_each(&mut add);
            }
        }
        slow_neighbours(owner, &pieces, &mut add);
        slow_attacks(position, owner, &pieces, &mut add);
        let present = |pattern: &Pattern| {
            pattern.iter().all(|&(kind, square)| {
                let at = seen(Square::from_index(usize::from(square)));
                position.piece_on(at) == Some(Piece::new(kind, owner))
            })
        };
        let complete: Vec<usize> =
            (0..patterns.len()).filter(|&number| present(&patterns.list()[number])).collect();
        complete.iter().for_each(|&number| add(layout::pattern(number)));
        if complete.is_empty() {
            add(Group::NoPattern.start());
        }
    }
    found
}

fn add(sum: &mut Pair, pair: [i16; 2], positive: bool) {
    for (sum, value) in sum.iter_mut().zip(pair) {
        *sum += if positive { i32::from(value) } else { -i32::from(value) };
    }
}

/// The step from one square to another as the owner sees it, if they are neighbours.
fn step(owner: Color, from: Square, to: Square) -> Option<(i8, i8)> {
    let sign = if owner == Color::Black { 1 } else { -1 };
    let files = (to.file() as i8 - from.file() as i8) * sign;
    let ranks = (to.rank() as i8 - from.rank() as i8) * sign;
    (files.abs().max(ranks.abs()) == 1).then_some((files, ranks))
}

fn slow_neighbours(owner: Color, pieces: &[(Piece, Square)], add: &mut impl FnMut(usize)) {
    for &(piece, square) in pieces.iter().filter(|(piece, _)| piece.color() == owner) {
        let rank = usize::from(square.rank_for(owner));
        for &(other, place) in pieces {
            let Some((files, ranks)) = step(owner, square, place) else { continue };
            let way = layout::way(files, ranks);
            if other.color() != owner {
                add(layout::adjacent_enemy(rank, piece.kind(), other.kind(), way));
                continue;
            }
            // Each own pair once: seen from the piece behind, or the smaller of two abreast.
            let abreast = (piece.kind(), files) < (other.kind(), 0);
            let first =
                matches!(way, Way::Ahead | Way::AheadAside) || way == Way::Beside && abreast;
            if first {
                add(layout::adjacent_own(rank, piece.kind(), other.kind(), way));
            }
        }
    }
}

fn slow_attacks(
    position: &Position,
    owner: Color,
    pieces: &[(Piece, Square)],
    add: &mut impl FnMut(usize),
) {
    let occupied = position.occupied();
    let hits = |square: Square, color: Color| {
        let hit = |&&(piece, from): &&(Piece, Square)| {
            piece.color() == color && attacks(piece, from, occupied).has(square)
        };
        pieces.iter().filter(hit).count()
    };
    let distance =
        |a: Square, b: Square| a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()));
    let (king, enemy_king) = (position.king(owner).unwrap(), position.king(!owner).unwrap());
    let is_own = |square| position.piece_on(square).is_some_and(|piece| piece.color() == owner);
    for &(piece, from) in pieces.iter().filter(|(piece, _)| piece.color() == owner) {
        let set = attacks(piece, from, occupied);
        let goes = set.iter().filter(|&square| !is_own(square)).count();
        use Kind::{Bishop, Dragon, Horse, King, Knight, Lance, Rook};
        if matches!(piece.kind(), Lance | Bishop | Rook | Horse | Dragon | King) {
            add(layout::mobility(piece.kind(), goes));
        }
        if matches!(piece.kind(), Bishop | Rook | Horse | Dragon) {
            let nearer =
                |square: &Square| distance(*square, enemy_king) < distance(from, enemy_king);
            add(layout::aim(piece.kind(), set.iter().filter(nearer).count()));
        }
        if matches!(piece.kind(), Lance | Knight | Bishop | Rook | Horse | Dragon) {
            for other in set.iter().filter_map(|square| position.piece_on(square)) {
                add(layout::target(piece.kind(), other.color() == owner, other.kind()));
            }
        }
    }
    let seen = |square: Square| if owner == Color::Black { square } else { square.rotated() };
    let mirrored = seen(king).file() > 4;
    let mirror = |square: Square| if mirrored { square.mirrored() } else { square };
    for square in Square::all() {
        let (own, enemy) = (hits(square, owner).min(2), hits(square, !owner).min(2));
        if own + enemy > 0 {
            let (king, place) = (mirror(seen(king)).index(), mirror(seen(square)).index());
            add(layout::balance(king, place, own, enemy));
        }
    }
    add(layout::rank(usize::from(seen(king).rank())));
    let around: Vec<Square> = Square::all().filter(|&square| distance(square, king) == 1).collect();
    let count = |test: &dyn Fn(Square) -> bool| around.iter().filter(|&&at| test(at)).count();
    add(layout::freedom(count(&|at| !is_own(at) && hits(at, !owner) == 0)));
    let pressed = |at| hits(at, !owner) > 0;
    add(layout::safety(count(&pressed), count(&|at| pressed(at) && hits(at, owner) < 2)));
    for square in position.pinned(owner) {
        let kind = position.piece_on(square).unwrap().kind();
        let (own, enemy) = (hits(square, owner).min(2), hits(square, !owner).min(2));
        let sign = if owner == Color::Black { 1 } else { -1 };
        let files = (square.file() as i8 - king.file() as i8).signum() * sign;
        let ranks = (square.rank() as i8 - king.rank() as i8).signum() * sign;
        let balance = if own < enemy { 0 } else { 1 + usize::from(own > enemy) };
        add(layout::pin(kind, layout::way(files, ranks), balance));
    }
}

/// Writes down which features there are.
#[derive(Clone, Default)]
struct Count(std::collections::HashMap<(usize, Color), i32>);

impl FeatureSink for Count {
    fn feature(&mut self, feature: usize, owner: Color, change: Change) {
        let one = if change == Change::Comes { 1 } else { -1 };
        *self.0.entry((feature, owner)).or_default() += one;
    }

    fn king_piece(&mut self, relation: Relation, owner: Color, change: Change) {
        relation.features().into_iter().for_each(|feature| self.feature(feature, owner, change));
    }

    fn piece(&mut self, _: Piece, _: Square, _: Change) {}
    fn hand(&mut self, _: Color, _: Hand, _: Hand) {}
}

fn sorted(mut features: Vec<(usize, Color)>) -> Vec<(usize, Color)> {
    features.sort_unstable_by_key(|&(feature, color)| (feature, color.index()));
    features
}

fn tracked(tracker: &Tracker<Count>, position: &Position) -> Vec<(usize, Color)> {
    let mut found = Vec::new();
    for (&feature, &count) in &tracker.changes.0 {
        assert!(count >= 0, "a feature went that was not there: {feature:?}");
        found.extend((0..count).map(|_| feature));
    }
    attack_features(position, &mut |feature: usize, owner: Color| found.push((feature, owner)));
    sorted(found)
}

/// What follows a random game.
trait Follower {
    fn follow(&mut self, position: &Position, change: &BoardChange);
    fn try_and_take_back(&mut self, position: &Position, change: &BoardChange);
}

impl Follower for () {
    fn follow(&mut self, _: &Position, _: &BoardChange) {}
    fn try_and_take_back(&mut self, _: &Position, _: &BoardChange) {}
}

impl Follower for Linear {
    fn follow(&mut self, position: &Position, change: &BoardChange) {
        self.push(position, change);
    }

    fn try_and_take_back(&mut self, position: &Position, change: &BoardChange) {
        self.push(position, change);
        self.pop();
    }
}

impl Follower for Tracker<Count> {
    fn follow(&mut self, _: &Position, change: &BoardChange) {
        self.advance(change);
    }

    fn try_and_take_back(&mut self, _: &Position, change: &BoardChange) {
        let (counts, complete) = (self.changes.clone(), self.complete());
        self.advance(change);
        self.rewind(change, complete);
        self.changes = counts;
    }
}

/// Plays random games and shows each position twice: after a move, and after trying another.
fn along_random_games<F: Follower>(
    seed: u64,
    games: usize,
    mut begin: impl FnMut(&Position) -> F,
    mut look: impl FnMut(&mut F, &Position),
) {
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..games {
        let mut position = Position::start();
        let mut follower = begin(&position);
        for _ in 0..150 {
            let moves = position.legal_moves();
            let (Some(mv), Some(tried)) = (random.choice(moves.clone()), random.choice(moves))
            else {
                break;
            };
            let change = position.play(tried);
            follower.try_and_take_back(&position, &change);
            position.undo();
            let change = position.play(mv);
            follower.follow(&position, &change);
            look(&mut follower, &position);
        }
    }
}

#[test]
fn changed_balances_lead_from_one_position_to_the_next() {
    let of = |position: &Position| line_features(position, &mut |_: usize, _: Color| ());
    let mut last = Balances::default();
    let mut counts: BTreeMap<(usize, usize), i32> = BTreeMap::new();
    along_random_games(
        11,
        10,
        |_| (),
        |_, position| {
            let balances = of(position);
            last.changes(&balances, |feature, owner, change| {
                let step = if change == Change::Comes { 1 } else { -1 };
                *counts.entry((feature, owner.index())).or_default() += step;
            });
            last = balances;
            counts.retain(|_, count| *count != 0);
            let mut all: BTreeMap<(usize, usize), i32> = BTreeMap::new();
            balances.all(|feature, owner| {
                *all.entry((feature, owner.index())).or_default() += 1;
            });
            assert_eq!(counts, all, "{}", position.to_sfen());
        },
    );
}

fn test_weights(seed: u64) -> LinearWeights {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut learned = Logistic { bias: -700, ..Logistic::default() };
    learned.pieces.iter_mut().flatten().for_each(|weight| *weight = random.i16(-99..99));
    learned.hands = [0, 50, 60, 70, 80, 90, 100, 110];
    let patterns = vec![
        [(Kind::King, 44), (Kind::Gold, 35), (Kind::Gold, 53)],
        [(Kind::Pawn, 6), (Kind::Pawn, 15), (Kind::Pawn, 24)],
        [(Kind::Pawn, 15), (Kind::Lance, 8), (Kind::Rook, 16)],
    ];
    LinearWeights {
        progress: ProgressModel::Learned(Box::new(learned)),
        pairs: (0..FEATURES).map(|_| [random.i16(-300..300), random.i16(-300..300)]).collect(),
        patterns: Arc::new(Patterns::new(patterns).unwrap()),
        ..LinearWeights::default()
    }
}

#[test]
fn tracked_features_equal_those_from_scratch() {
    let patterns = test_weights(1).patterns;
    let begin = |position: &Position| {
        let mut tracker = Tracker::new(Arc::clone(&patterns), Count::default());
        tracker.set_up(position);
        tracker
    };
    let mut groups = std::collections::HashSet::new();
    along_random_games(21, 12, begin, |tracker, position| {
        let slow = sorted(slow_features(position, &patterns));
        assert_eq!(tracked(tracker, position), slow, "{}", position.to_sfen());
        groups.extend(slow.iter().map(|&(feature, _)| Group::of(feature).unwrap().name()));
    });
    assert_eq!(groups.len(), Group::ALL.len(), "every group appears: {groups:?}");
}

#[test]
fn the_running_value_equals_the_slow_sum() {
    let weights = test_weights(2);
    let value_of_slow = |position: &Position| {
        let mut pair = [0i32; 2];
        for (feature, owner) in slow_features(position, &weights.patterns) {
            add(&mut pair, weights.pairs[feature], owner == Color::Black);
        }
        let mut material = crate::material::Material::default();
        material.reset(position);
        let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
        let ProgressModel::Learned(learned) = &weights.progress else { unreachable!() };
        let sum = learned.sum(position).clamp(-LOGISTIC_RANGE, LOGISTIC_RANGE);
        let step = (sum + LOGISTIC_RANGE + LOGISTIC_STEP / 2) / LOGISTIC_STEP;
        let a = logistic(step * LOGISTIC_STEP - LOGISTIC_RANGE);
        let blend = ((FULL - a) * pair[0] + a * pair[1]) / (FULL * SCALE);
        (material.evaluate(position) + sign * blend).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    };
    let begin = |position: &Position| {
        let mut linear = Linear::new(&weights);
        linear.reset(position);
        linear
    };
    along_random_games(22, 8, begin, |linear, position| {
        assert_eq!(linear.evaluate(position), value_of_slow(position), "{}", position.to_sfen());
    });
}

#[test]
fn the_parts_of_an_explanation_add_up_to_the_value() {
    let weights = LinearWeights { progress: ProgressModel::HandMade, ..test_weights(5) };
    let mut linear = Linear::new(&weights);
    along_random_games(
        24,
        3,
        |_| (),
        |(), position| {
            linear.reset(position);
            let expected =
                signed(position.side_to_move(), 1) as f64 * explain(position, &weights).total();
            let clamped = expected.clamp(f64::from(-EVAL_LIMIT), f64::from(EVAL_LIMIT));
            let value = f64::from(linear.evaluate(position));
            assert!((clamped - value).abs() <= 1.0, "{clamped} {value} {}", position.to_sfen());
        },
    );
}

/// The same position with colours and sides of the board changed.
fn rotated(position: &Position) -> Position {
    let mut turned = Position::empty();
    for square in position.occupied() {
        let piece = position.piece_on(square).unwrap();
        turned.put(square.rotated(), Some(Piece::new(piece.kind(), !piece.color())));
    }
    for color in Color::ALL {
        turned.set_hand(!color, position.hand(color));
    }
    turned.set_side_to_move(!position.side_to_move());
    turned
}

#[test]
fn both_sides_are_judged_alike() {
    let weights = test_weights(3);
    let mut compared = 0;
    let mut linear = Linear::new(&weights);
    along_random_games(
        23,
        6,
        |_| (),
        |(), position| {
            linear.reset(position);
            let value = linear.evaluate(position);
            let turned = rotated(position);
            linear.reset(&turned);
            assert_eq!(linear.evaluate(&turned), value, "{}", position.to_sfen());
            compared += 1;
        },
    );
    assert!(compared > 300);
}

#[test]
fn a_mate_problem_with_one_king_has_a_value() {
    let position =
        Position::from_problem_sfen("4k4/9/4G4/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1").unwrap();
    let mut linear = Linear::new(&test_weights(4));
    linear.reset(&position);
    assert!(linear.evaluate(&position).abs() <= EVAL_LIMIT);
}

#[test]
fn moves_taken_back_leave_every_sum_as_it_was() {
    let weights = test_weights(6);
    let mut random = fastrand::Rng::with_seed(25);
    let mut position = Position::start();
    let mut linear = Linear::new(&weights);
    linear.reset(&position);
    let mut other = linear.clone();
    let mut fresh = |position: &Position| {
        other.reset(position);
        other.evaluate(position)
    };
    // Forward more often than back, and back to the start in the end.
    let mut depth = 0;
    for _ in 0..1_500 {
        let next = random.choice(position.legal_moves());
        match next.filter(|_| depth == 0 || random.u8(..5) < 3) {
            Some(mv) if depth < 200 => {
                let change = position.play(mv);
                linear.push(&position, &change);
                depth += 1;
            }
            _ => {
                linear.pop();
                position.undo();
                depth -= 1;
            }
        }
        assert_eq!(linear.evaluate(&position), fresh(&position), "{}", position.to_sfen());
    }
    for _ in 0..depth {
        linear.pop();
        position.undo();
    }
    assert_eq!(position.to_sfen(), Position::start().to_sfen());
    assert_eq!(linear.evaluate(&position), fresh(&position));
}

#[test]
fn two_sums_travel_in_one_word() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut sum, mut pair) = (0, [0; 2]);
    for _ in 0..1_000 {
        let value = [random.i16(..), random.i16(..)];
        let positive = random.bool();
        sum += if positive { packed(value) } else { -packed(value) };
        add(&mut pair, value, positive);
        assert_eq!(unpacked(sum), pair);
    }
}
