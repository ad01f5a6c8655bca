//! Which squares a piece attacks.
//!
//! Steps are table look-ups. For sliders, one multiplication gathers the occupancy of a whole
//! line: along a rank or a diagonal each file holds at most one square, the squares lie 9, 10 or
//! 8 bits apart, and multiplying by a sum of powers of two brings the seven inner files (the edge
//! files never block anything behind them) into the top seven bits without a carry. So the factors
//! have a closed form and need no search, and all three directions share one table of 18 KiB that
//! says which files can be reached. Nothing needs BMI2, and nothing is initialised at run time.

use crate::types::{Bitboard, Color, Kind, Piece, Square};

/// A line through a square: what blocks it, how to gather that, and what it consists of.
#[derive(Clone, Copy)]
struct Line {
    /// Squares of files 2 to 8 on the line, without the square itself.
    blockers: Bitboard,
    /// Gathers the blockers into the top seven bits.
    factor: u64,
    /// The whole line, without the square itself.
    squares: Bitboard,
}

const NO_LINE: Line = Line { blockers: Bitboard::EMPTY, factor: 0, squares: Bitboard::EMPTY };

/// Files that a slider on file `f` reaches, by the occupancy of files 2 to 8.
static REACHED_FILES: [[Bitboard; 128]; 16] = reached_files();
/// Squares of a file that a slider on rank `r` reaches, by the occupancy of ranks 2 to 8.
static REACHED_RANKS: [[u16; 128]; 16] = reached_ranks();

static RANKS: [Line; 128] = lines(0);
static DIAGONALS: [Line; 128] = lines(1);
static ANTIDIAGONALS: [Line; 128] = lines(-1);

/// Steps of each piece (by piece index); sliders have none, horse and dragon their short ones.
static STEPS: [[Bitboard; 128]; 32] = per_piece(false);
/// Attacks of each piece on an empty board.
static RAYS: [[Bitboard; 128]; 32] = per_piece(true);

/// From where a piece (by its index) can come to give check to a king in one move, promoting or
/// not, on an empty board.
#[allow(long_running_const_eval)]
static CHECK_ORIGINS: [[Bitboard; 32]; 128] = all_check_origins();

#[allow(long_running_const_eval)]
static BETWEEN: [[Bitboard; 128]; 128] = pairs(false);
#[allow(long_running_const_eval)]
static THROUGH: [[Bitboard; 128]; 128] = pairs(true);

/// Which squares must hold an enemy piece before it can attack a neighbour of a king.
pub(crate) struct KingSurroundings {
    /// For pieces by their steps, by the king's colour.
    pub steps: [[Bitboard; 128]; 2],
    /// For lances, by the king's colour.
    pub lances: [[Bitboard; 128]; 2],
    /// For bishops and horses, by their slides.
    pub diagonals: [Bitboard; 128],
    /// For rooks and dragons, by their slides.
    pub orthogonals: [Bitboard; 128],
}

pub(crate) static KING_SURROUNDINGS: KingSurroundings = king_surroundings();

/// What the piece attacks from the square, given the occupied squares.
#[inline]
pub fn attacks(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    // Most pieces only step: one well-predicted branch instead of a jump by kind.
    if piece.slides() { attacks_of(piece, from, occupied) } else { step_attacks(piece, from) }
}

/// [`attacks`] for a caller that names the kind: only its own case remains of the choice.
#[inline(always)]
pub fn attacks_of(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        Kind::Lance => lance_attacks(piece.color(), from, occupied),
        Kind::Bishop => bishop_attacks(from, occupied),
        Kind::Rook => rook_attacks(from, occupied),
        Kind::Horse => bishop_attacks(from, occupied) | step_attacks(piece, from),
        Kind::Dragon => rook_attacks(from, occupied) | step_attacks(piece, from),
        _ => step_attacks(piece, from),
    }
}

/// The short moves of the piece: everything but slides.
#[inline]
pub fn step_attacks(piece: Piece, from: Square) -> Bitboard {
    STEPS[piece.index()][from.index()]
}

/// What the piece would attack from the square on an empty board.
#[inline]
pub fn empty_board_attacks(piece: Piece, from: Square) -> Bitboard {
    RAYS[piece.index()][from.index()]
}

/// The squares outside which the piece cannot give check to a king by its own next move.
#[inline]
pub fn check_origins(piece: Piece, king: Square) -> Bitboard {
    CHECK_ORIGINS[king.index()][piece.index()]
}

/// The eight neighbours of a square.
#[inline]
pub fn king_attacks(from: Square) -> Bitboard {
    step_attacks(Piece::new(Kind::King, Color::Black), from)
}

/// Diagonal slides.
#[inline]
pub fn bishop_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    slide(&DIAGONALS[from.index()], from, occupied)
        | slide(&ANTIDIAGONALS[from.index()], from, occupied)
}

/// Slides along rank and file.
#[inline]
pub fn rook_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    slide(&RANKS[from.index()], from, occupied) | file_attacks(from, occupied)
}

/// The forward slide of a lance.
#[inline]
pub fn lance_attacks(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(from, occupied) & empty_board_attacks(Piece::new(Kind::Lance, color), from)
}

/// The squares strictly between two squares of one line; empty if they are not on one.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge; empty if they are not on one.
#[inline]
pub fn line_through(a: Square, b: Square) -> Bitboard {
    THROUGH[a.index()][b.index()]
}

#[inline]
fn slide(line: &Line, from: Square, occupied: Bitboard) -> Bitboard {
    // File 8 is the first of the high word and the edge file 1 the first of the low one, which
    // never blocks: the two words can be laid over each other.
    let blockers = (occupied.low & line.blockers.low) | (occupied.high & line.blockers.high);
    let index = (blockers.wrapping_mul(line.factor) >> 57) as usize;
    REACHED_FILES[from.file() as usize & 15][index] & line.squares
}

#[inline]
fn file_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    let reached = |word: u64, shift: u32| {
        let index = (word >> (shift + 1)) as usize & 127;
        (REACHED_RANKS[from.rank() as usize & 15][index] as u64) << shift
    };
    let first = (from.file() * 9) as u32;
    if first < 63 {
        Bitboard { low: reached(occupied.low, first), high: 0 }
    } else {
        Bitboard { low: 0, high: reached(occupied.high, first - 63) }
    }
}

// ---- The tables, all computed by the compiler -------------------------------------------------

const fn union(a: Bitboard, b: Bitboard) -> Bitboard {
    Bitboard { low: a.low | b.low, high: a.high | b.high }
}

const fn intersection(a: Bitboard, b: Bitboard) -> Bitboard {
    Bitboard { low: a.low & b.low, high: a.high & b.high }
}

/// What a slider at `place` reaches on a line of nine, by the occupancy of the inner seven.
const fn reach(place: usize, inner: usize) -> u16 {
    let occupied = inner << 1;
    let mut set = 0u16;
    let mut at = place;
    while at > 0 {
        at -= 1;
        set |= 1 << at;
        if occupied >> at & 1 == 1 {
            break;
        }
    }
    at = place;
    while at < 8 {
        at += 1;
        set |= 1 << at;
        if occupied >> at & 1 == 1 {
            break;
        }
    }
    set
}

const fn reached_ranks() -> [[u16; 128]; 16] {
    let mut table = [[0; 128]; 16];
    let mut rank = 0;
    while rank < 9 {
        let mut inner = 0;
        while inner < 128 {
            table[rank][inner] = reach(rank, inner);
            inner += 1;
        }
        rank += 1;
    }
    table
}

const fn reached_files() -> [[Bitboard; 128]; 16] {
    let mut table = [[Bitboard::EMPTY; 128]; 16];
    let mut file = 0;
    while file < 9 {
        let mut inner = 0;
        while inner < 128 {
            let reached = reach(file, inner);
            let mut other = 0;
            while other < 9 {
                if reached >> other & 1 == 1 {
                    table[file][inner] = union(table[file][inner], Bitboard::file(other));
                }
                other += 1;
            }
            inner += 1;
        }
        file += 1;
    }
    table
}

/// The lines that go `slope` ranks down for each file to the left.
const fn lines(slope: i8) -> [Line; 128] {
    let mut table = [NO_LINE; 128];
    let mut index = 0;
    while index < 81 {
        let square = Square::from_index(index);
        let mut line = NO_LINE;
        let mut file = 0;
        while file < 9 {
            let step = file - square.file() as i8;
            if step != 0
                && let Some(other) = square.offset(step, step * slope)
            {
                line.squares = union(line.squares, Bitboard::of(other));
                let on_edge = slope != 0 && (other.rank() == 0 || other.rank() == 8);
                if file > 0 && file < 8 && !on_edge {
                    line.blockers = union(line.blockers, Bitboard::of(other));
                    // The bit's place, once both words lie over each other, goes to 57 + (file -
                    // 1).
                    let place = if file < 7 { other.index() } else { other.index() - 63 };
                    line.factor |= 1 << (56 + file as usize - place);
                }
            }
            file += 1;
        }
        table[index] = line;
        index += 1;
    }
    table
}

/// The directions of each kind as black plays it: (files, ranks, slides?).
const fn directions(kind: Kind) -> &'static [(i8, i8, bool)] {
    const GOLD: &[(i8, i8, bool)] = &[
        (0, -1, false),
        (-1, -1, false),
        (1, -1, false),
        (-1, 0, false),
        (1, 0, false),
        (0, 1, false),
    ];
    match kind {
        Kind::Pawn => &[(0, -1, false)],
        Kind::Lance => &[(0, -1, true)],
        Kind::Knight => &[(-1, -2, false), (1, -2, false)],
        Kind::Silver => {
            &[(0, -1, false), (-1, -1, false), (1, -1, false), (-1, 1, false), (1, 1, false)]
        }
        Kind::Bishop => &[(-1, -1, true), (1, -1, true), (-1, 1, true), (1, 1, true)],
        Kind::Rook => &[(0, -1, true), (0, 1, true), (-1, 0, true), (1, 0, true)],
        Kind::Gold | Kind::ProPawn | Kind::ProLance | Kind::ProKnight | Kind::ProSilver => GOLD,
        Kind::King => &[
            (0, -1, false),
            (-1, -1, false),
            (1, -1, false),
            (-1, 0, false),
            (1, 0, false),
            (0, 1, false),
            (-1, 1, false),
            (1, 1, false),
        ],
        Kind::Horse => &[
            (-1, -1, true),
            (1, -1, true),
            (-1, 1, true),
            (1, 1, true),
            (0, -1, false),
            (-1, 0, false),
            (1, 0, false),
            (0, 1, false),
        ],
        Kind::Dragon => &[
            (0, -1, true),
            (0, 1, true),
            (-1, 0, true),
            (1, 0, true),
            (-1, -1, false),
            (1, -1, false),
            (-1, 1, false),
            (1, 1, false),
        ],
    }
}

/// The squares in one direction, one step or up to the edge.
const fn ray(from: Square, files: i8, ranks: i8, slides: bool) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut at = from;
    while let Some(next) = at.offset(files, ranks) {
        set = union(set, Bitboard::of(next));
        if !slides {
            break;
        }
        at = next;
    }
    set
}

const fn piece_attacks(kind: Kind, color: Color, from: Square, slides: bool) -> Bitboard {
    let sign = match color {
        Color::Black => 1,
        Color::White => -1,
    };
    let mut set = Bitboard::EMPTY;
    let all = directions(kind);
    let mut n = 0;
    while n < all.len() {
        let (files, ranks, sliding) = all[n];
        if slides || !sliding {
            set = union(set, ray(from, files * sign, ranks * sign, sliding));
        }
        n += 1;
    }
    set
}

const fn per_piece(slides: bool) -> [[Bitboard; 128]; 32] {
    let mut table = [[Bitboard::EMPTY; 128]; 32];
    let mut kind = 0;
    while kind < 14 {
        let mut color = 0;
        while color < 2 {
            let piece = Piece::new(Kind::ALL[kind], Color::ALL[color]);
            let mut index = 0;
            while index < 81 {
                let from = Square::from_index(index);
                table[piece.index()][index] =
                    piece_attacks(piece.kind(), piece.color(), from, slides);
                index += 1;
            }
            color += 1;
        }
        kind += 1;
    }
    table
}

const fn all_check_origins() -> [[Bitboard; 32]; 128] {
    let rays = &RAYS;
    let mut table = [[Bitboard::EMPTY; 32]; 128];
    let mut king = 0;
    while king < 81 {
        let mut kind = 0;
        while kind < 14 {
            let mut color = 0;
            while color < 2 {
                let (kind, us) = (Kind::ALL[kind], Color::ALL[color]);
                table[king][Piece::new(kind, us).index()] = origins_of_checks(rays, kind, us, king);
                color += 1;
            }
            kind += 1;
        }
        king += 1;
    }
    table
}

/// A piece reaches a square from where the other side's piece of its kind on that square would
/// reach it.
const fn origins_of_checks(
    rays: &[[Bitboard; 128]; 32],
    kind: Kind,
    us: Color,
    king: usize,
) -> Bitboard {
    let back = Piece::new(kind, us.opponent()).index();
    let mut origins = Bitboard::EMPTY;
    let mut staying = rays[back][king];
    while let Some(to) = staying.first() {
        origins = union(origins, rays[back][to.index()]);
        staying = staying.without(Bitboard::of(to));
    }
    let Some(promoted) = kind.promoted() else { return origins };
    let zone = Bitboard::promotion_zone(us);
    let mut promoting = rays[Piece::new(promoted, us.opponent()).index()][king];
    while let Some(to) = promoting.first() {
        let from = rays[back][to.index()];
        origins = union(origins, if zone.has(to) { from } else { intersection(from, zone) });
        promoting = promoting.without(Bitboard::of(to));
    }
    origins
}

/// For each pair of squares on one line: the squares between them, or the whole line.
const fn pairs(whole: bool) -> [[Bitboard; 128]; 128] {
    let mut table = [[Bitboard::EMPTY; 128]; 128];
    let queen = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];
    let mut index = 0;
    while index < 81 {
        let from = Square::from_index(index);
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = queen[direction];
            let line = union(
                union(ray(from, files, ranks, true), ray(from, -files, -ranks, true)),
                Bitboard::of(from),
            );
            let mut passed = Bitboard::EMPTY;
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                table[index][next.index()] = if whole { line } else { passed };
                passed = union(passed, Bitboard::of(next));
                at = next;
            }
            direction += 1;
        }
        index += 1;
    }
    table
}

const fn king_surroundings() -> KingSurroundings {
    let mut table = KingSurroundings {
        steps: [[Bitboard::EMPTY; 128]; 2],
        lances: [[Bitboard::EMPTY; 128]; 2],
        diagonals: [Bitboard::EMPTY; 128],
        orthogonals: [Bitboard::EMPTY; 128],
    };
    let mut index = 0;
    while index < 81 {
        let neighbours = directions(Kind::King);
        let mut n = 0;
        while n < neighbours.len() {
            let (files, ranks, _) = neighbours[n];
            if let Some(square) = Square::from_index(index).offset(files, ranks) {
                add_surroundings(&mut table, index, square);
            }
            n += 1;
        }
        index += 1;
    }
    table
}

/// An enemy piece attacks a square from where our own piece of that kind on the square would hit
/// it.
const fn add_surroundings(table: &mut KingSurroundings, king: usize, neighbour: Square) {
    let mut color = 0;
    while color < 2 {
        let own = Color::ALL[color];
        let mut steps = table.steps[color][king];
        let mut kind = 0;
        while kind < 14 {
            steps = union(steps, piece_attacks(Kind::ALL[kind], own, neighbour, false));
            kind += 1;
        }
        table.steps[color][king] = steps;
        let lances = piece_attacks(Kind::Lance, own, neighbour, true);
        table.lances[color][king] = union(table.lances[color][king], lances);
        color += 1;
    }
    let diagonals = piece_attacks(Kind::Bishop, Color::Black, neighbour, true);
    table.diagonals[king] = union(table.diagonals[king], diagonals);
    let orthogonals = piece_attacks(Kind::Rook, Color::Black, neighbour, true);
    table.orthogonals[king] = union(table.orthogonals[king], orthogonals);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks square by square, as one would with a finger.
    fn walked(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
        let sign = if piece.color() == Color::Black { 1 } else { -1 };
        let mut set = Bitboard::EMPTY;
        for &(files, ranks, slides) in directions(piece.kind()) {
            let mut at = from;
            while let Some(next) = at.offset(files * sign, ranks * sign) {
                set |= Bitboard::of(next);
                at = next;
                if !slides || occupied.has(next) {
                    break;
                }
            }
        }
        set
    }

    #[test]
    fn every_piece_attacks_what_a_finger_would_walk() {
        let mut random = fastrand::Rng::with_seed(2);
        for round in 0..300u32 {
            let density = (round % 9) as u8;
            let occupied: Bitboard = Square::all().filter(|_| random.u8(0..9) < density).collect();
            for from in Square::all() {
                for kind in Kind::ALL {
                    for color in Color::ALL {
                        let piece = Piece::new(kind, color);
                        let fast = attacks(piece, from, occupied);
                        assert_eq!(fast, walked(piece, from, occupied), "{piece} {from}");
                    }
                }
            }
        }
    }

    #[test]
    fn checks_come_only_from_their_origins() {
        for piece in
            Color::ALL.into_iter().flat_map(|us| Kind::ALL.map(|kind| Piece::new(kind, us)))
        {
            let zone = Bitboard::promotion_zone(piece.color());
            for king in Square::all() {
                let expected: Bitboard = Square::all()
                    .filter(|&from| {
                        empty_board_attacks(piece, from).iter().any(|to| {
                            let may = zone.has(from) || zone.has(to);
                            let after = piece.kind().promoted().filter(|_| may);
                            let after = after.map(|kind| Piece::new(kind, piece.color()));
                            let hits = |piece| empty_board_attacks(piece, to).has(king);
                            hits(piece) || after.is_some_and(hits)
                        })
                    })
                    .collect();
                assert_eq!(check_origins(piece, king), expected, "{piece} {king}");
            }
        }
    }

    #[test]
    fn lines_between_and_through() {
        for a in Square::all() {
            for b in Square::all() {
                let rook = rook_attacks(a, Bitboard::EMPTY).has(b);
                let bishop = bishop_attacks(a, Bitboard::EMPTY).has(b);
                if !rook && !bishop {
                    assert_eq!((between(a, b), line_through(a, b)), Default::default());
                    continue;
                }
                let ends = Bitboard::of(a) | Bitboard::of(b);
                let slide = if rook { rook_attacks } else { bishop_attacks };
                assert_eq!(between(a, b), slide(a, ends) & slide(b, ends) & line_through(a, b));
                let line = slide(a, Bitboard::EMPTY) & slide(b, Bitboard::EMPTY) | ends;
                assert_eq!(line_through(a, b), line);
            }
        }
    }
}
