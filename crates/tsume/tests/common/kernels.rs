//! Constructed positions and random variations of them, for what random positions hardly ever hold.

use yomikiri_shogi::{Color, Kind, Piece, Position, Square};

use super::generator::RandomProblem;

/// Mates of one to five plies that need a piece left unpromoted, for most of them because the pawn
/// that has to be dropped would mate otherwise, which is not allowed.
pub const NON_PROMOTION: [&str; 4] = [
    // R3a, and 2b stays open when the pawn is dropped on 1c.
    "8k/9/5N3/7P1/7N1/7N1/9/9/6R2 b P 1",
    // Bishop and rook; reported by users of another solver as answered wrongly.
    "5B1n1/8k/6Rpp/9/9/9/9/9/9 b - 1",
    // Only the lance itself gives check from a distance.
    "7lk/7p1/8p/9/8L/9/9/9/9 b - 1",
    "6llk/6pp1/8p/9/8L/9/9/9/9 b P 1",
];

/// A king on the edge and golds to bind him with.
pub const BINDS: [&str; 3] = [
    "8k/9/7P1/9/9/9/9/9/4K4 b 2G 1",
    "8k/9/7G1/9/9/9/9/9/4K4 b G 1",
    "8k/9/7S1/9/9/9/9/9/4K4 b G 1",
];

/// A random variation of one of the kernels, in which black is to move and mates: mirrored, with
/// exchanged colours, and with up to two small changes.
pub fn variation(kernels: &[&str], seed: u64) -> Option<RandomProblem> {
    let mut random = fastrand::Rng::with_seed(seed);
    let kernel = kernels[random.usize(..kernels.len())];
    let kernel = Position::from_problem_sfen(kernel).expect("a kernel");
    let (mirrored, exchanged) = (random.bool(), random.bool());
    let mut position = turned(&kernel, mirrored, exchanged);
    let attacker = position.side_to_move();
    for _ in 0..random.u8(..3) {
        change(&mut random, &mut position, !attacker)?;
    }
    let position = Position::from_problem_sfen(&position.to_sfen()).ok()?;
    Some(RandomProblem { position, attacker })
}

/// The position seen in a mirror and from the other side, as asked.
fn turned(position: &Position, mirrored: bool, exchanged: bool) -> Position {
    let color = |color: Color| if exchanged { !color } else { color };
    let mut turned = Position::empty();
    for square in Square::all() {
        let Some(piece) = position.piece_on(square) else { continue };
        let to = if mirrored { square.mirrored() } else { square };
        let to = if exchanged { to.rotated() } else { to };
        turned.put(to, Some(Piece::new(piece.kind(), color(piece.color()))));
    }
    for side in Color::ALL {
        turned.set_hand(color(side), position.hand(side));
    }
    turned.set_side_to_move(color(position.side_to_move()));
    turned
}

const KINDS: [Kind; 5] = [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold];

/// Adds a piece of the defender's on the board or in hand, moves a piece by a step, or takes one
/// away; nothing if it does not fit.
fn change(random: &mut fastrand::Rng, position: &mut Position, defender: Color) -> Option<()> {
    let pieces: Vec<(Square, Piece)> = Square::all()
        .filter_map(|square| Some((square, position.piece_on(square)?)))
        .filter(|(_, piece)| piece.kind() != Kind::King)
        .collect();
    let &(from, piece) = random.choice(&pieces)?;
    let kind = KINDS[random.usize(..KINDS.len())];
    let (files, ranks) = (random.i8(-1..=1), random.i8(-1..=1));
    let near = from.offset(files, ranks).filter(|&to| position.piece_on(to).is_none());
    match random.u8(..8) {
        0 => {
            let hand = position.hand(defender);
            position.set_hand(defender, hand.with_count(kind, hand.count(kind) + 1)?);
        }
        1 => position.put(from, None),
        2..=4 => {
            position.put(from, None);
            position.put(alive(near?, piece)?, Some(piece));
        }
        _ => {
            let piece = Piece::new(kind, defender);
            position.put(alive(near?, piece)?, Some(piece));
        }
    }
    Some(())
}

/// The square, if such a piece can live there.
fn alive(square: Square, piece: Piece) -> Option<Square> {
    (square.rank_for(piece.color()) >= piece.kind().dead_ranks()).then_some(square)
}
