//! The features that follow attacks: mobility, aim, balance, targets, king, pins.
//!
//! They are computed when a position is evaluated, from one map of attacks: which squares a side
//! attacks at least once, and at least twice. A listener could not follow them cheaply, since one
//! move opens and closes lines all over the board.

use super::layout::{self, Way};
use super::tracker::Change;
use yomikiri_shogi::{Bitboard, Color, Kind, Piece, Position, Square, attacks};

/// Takes the features that a position has, each with the side that sees it.
pub trait AttackFeatureSink {
    /// The owner has the feature; one and the same may come several times.
    fn has(&mut self, feature: usize, owner: Color);

    /// A long piece of the owner attacks or protects another piece.
    #[inline]
    fn target(&mut self, kind: Kind, owner: Color, other: Piece) {
        self.has(layout::target(kind, other.color() == owner, other.kind()), owner);
    }
}

impl<F: FnMut(usize, Color)> AttackFeatureSink for F {
    #[inline]
    fn has(&mut self, feature: usize, owner: Color) {
        self(feature, owner);
    }
}

/// The squares that each side attacks.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Map {
    once: [Bitboard; 2],
    twice: [Bitboard; 2],
}

impl Map {
    #[inline]
    fn add(&mut self, color: Color, set: Bitboard) {
        let side = color.index();
        self.twice[side] |= self.once[side] & set;
        self.once[side] |= set;
    }

    /// The squares with no, one, and more attacks of a side.
    #[inline]
    fn levels(&self, color: Color) -> [Bitboard; 3] {
        let (once, twice) = (self.once[color.index()], self.twice[color.index()]);
        [!once, once.without(twice), twice]
    }

    /// The squares that a side attacks.
    #[inline]
    fn any(&self) -> Bitboard {
        self.once[0] | self.once[1]
    }

    /// The squares with more or fewer attacks than in another map.
    #[inline]
    fn difference(&self, other: &Map) -> Bitboard {
        let of = |side: usize| {
            (self.once[side] ^ other.once[side]) | (self.twice[side] ^ other.twice[side])
        };
        of(0) | of(1)
    }

    /// 0, 1 or 2 attacks (or more) of a side on a square.
    #[inline]
    fn level(&self, color: Color, square: Square) -> usize {
        usize::from(self.once[color.index()].has(square))
            + usize::from(self.twice[color.index()].has(square))
    }
}

/// The squares nearer to a king than a distance, by king and distance.
static NEARER: [[Bitboard; 9]; 81] = {
    let mut table = [[Bitboard::EMPTY; 9]; 81];
    let mut king = 0;
    while king < 81 {
        let mut distance = 1;
        while distance < 9 {
            let mut set = Bitboard::EMPTY;
            let mut square = 0;
            while square < 81 {
                if apart(king, square) < distance {
                    let one = Bitboard::of(Square::from_index(square));
                    set = joined(set, one);
                }
                square += 1;
            }
            table[king][distance] = set;
            distance += 1;
        }
        king += 1;
    }
    table
};

const fn joined(set: Bitboard, one: Bitboard) -> Bitboard {
    // De Morgan with what is usable in constants.
    Bitboard::ALL.without(Bitboard::ALL.without(set).without(one))
}

/// King's steps between two squares.
pub(super) const fn apart(a: usize, b: usize) -> usize {
    let files = (a / 9).abs_diff(b / 9);
    let ranks = (a % 9).abs_diff(b % 9);
    if files > ranks { files } else { ranks }
}

/// The squares within `distance` steps of a king.
#[inline]
pub(crate) fn within(king: Square, distance: usize) -> Bitboard {
    NEARER[king.index()][distance + 1]
}

/// Gives every feature that follows attacks. Inlined with all its parts, so that sums stay in
/// registers: through memory each of a hundred additions would wait for the one before. Returns the
/// squares that each side attacks.
#[inline(always)]
pub fn attack_features<F: AttackFeatureSink>(
    position: &Position,
    features: &mut F,
) -> [Bitboard; 2] {
    let balances = line_features(position, features);
    balances.all(|feature, owner| features.has(feature, owner));
    balances.attacked()
}

/// Gives every feature that follows attacks but the balances, and what identifies those.
#[inline(always)]
pub fn line_features<F: AttackFeatureSink>(position: &Position, features: &mut F) -> Balances {
    let mut map = Map::default();
    // Each side by its name: signs and places are then known to the compiler.
    add_pieces(position, Color::Black, &mut map, features);
    add_pieces(position, Color::White, &mut map, features);
    around_king(position, Color::Black, &map, features);
    around_king(position, Color::White, &map, features);
    Balances { map, kings: Color::ALL.map(|color| position.king(color)) }
}

#[inline(always)]
fn add_pieces<F: AttackFeatureSink>(
    position: &Position,
    color: Color,
    map: &mut Map,
    features: &mut F,
) {
    add_short(position, color, map);
    add_long(position, color, map, features);
}

/// Pawns, silvers and golds have no features here beyond the map.
#[inline(always)]
fn add_short(position: &Position, color: Color, map: &mut Map) {
    map.add(color, position.pieces(Kind::Pawn, color).forward(color));
    for square in position.pieces(Kind::Silver, color) {
        map.add(color, attacks::step_attacks(Piece::new(Kind::Silver, color), square));
    }
    for square in position.gold_movers() & position.color(color) {
        map.add(color, attacks::step_attacks(Piece::new(Kind::Gold, color), square));
    }
    if let Some(king) = position.king(color) {
        map.add(color, attacks::king_attacks(king));
    }
}

/// The kinds that have features here.
pub(super) const LONG: [Kind; 6] =
    [Kind::Lance, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Horse, Kind::Dragon];

#[inline(always)]
fn add_long<F: AttackFeatureSink>(
    position: &Position,
    color: Color,
    map: &mut Map,
    features: &mut F,
) {
    // Each kind by its name, so that nothing is left to choose inside.
    add_kind(position, Kind::Lance, color, map, features);
    add_kind(position, Kind::Knight, color, map, features);
    add_kind(position, Kind::Bishop, color, map, features);
    add_kind(position, Kind::Rook, color, map, features);
    add_kind(position, Kind::Horse, color, map, features);
    add_kind(position, Kind::Dragon, color, map, features);
}

#[inline(always)]
fn add_kind<F: AttackFeatureSink>(
    position: &Position,
    kind: Kind,
    color: Color,
    map: &mut Map,
    features: &mut F,
) {
    let occupied = position.occupied();
    let own = position.color(color);
    for square in position.pieces(kind, color) {
        let set = attacks::attacks_of(Piece::new(kind, color), square, occupied);
        map.add(color, set);
        if kind != Kind::Knight {
            let squares = set.without(own).count() as usize;
            features.has(layout::mobility(kind, squares), color);
        }
        if !matches!(kind, Kind::Lance | Kind::Knight)
            && let Some(king) = position.king(!color)
        {
            let distance = apart(square.index(), king.index());
            let towards = set & NEARER[king.index()][distance];
            features.has(layout::aim(kind, towards.count() as usize), color);
        }
        for other in set & occupied {
            if let Some(piece) = position.piece_on(other) {
                features.target(kind, color, piece);
            }
        }
    }
}

#[inline(always)]
fn around_king<F: AttackFeatureSink>(
    position: &Position,
    color: Color,
    map: &Map,
    features: &mut F,
) {
    let Some(king) = position.king(color) else { return };
    let steps = attacks::king_attacks(king);
    let goes = steps.without(position.color(color));
    let attacked = map.once[(!color).index()];
    features.has(layout::rank(usize::from(king.rank_for(color))), color);
    features.has(layout::mobility(Kind::King, goes.count() as usize), color);
    features.has(layout::freedom(goes.without(attacked).count() as usize), color);
    let pressed = steps & attacked;
    let weak = pressed.without(map.twice[color.index()]);
    features.has(layout::safety(pressed.count() as usize, weak.count() as usize), color);
    for square in position.pinned(color) {
        if let Some(piece) = position.piece_on(square) {
            let (own, enemy) = (map.level(color, square), map.level(!color, square));
            let balance = match own.cmp(&enemy) {
                core::cmp::Ordering::Less => 0,
                core::cmp::Ordering::Equal => 1,
                core::cmp::Ordering::Greater => 2,
            };
            let way = seen_way(color, king, square);
            features.has(layout::pin(piece.kind(), way, balance), color);
        }
    }
}

/// Which way a square lies from another, as a side sees it.
pub(super) fn seen_way(color: Color, from: Square, to: Square) -> Way {
    let sign = if color == Color::Black { 1 } else { -1 };
    let files = (to.file() as i8 - from.file() as i8).signum();
    let ranks = (to.rank() as i8 - from.rank() as i8).signum();
    layout::way(sign * files, sign * ranks)
}

/// A square as the king's owner sees it, mirrored so that the king stands on the right half.
#[inline]
fn seen_from_king(color: Color, king: Square) -> (usize, &'static [u8; 81]) {
    let king = layout::turned(king, color == Color::Black);
    let mirrored = king >= 45;
    let king = if mirrored { MIRRORED[king] as usize } else { king };
    let table = match (color, mirrored) {
        (Color::Black, false) => &PLAIN,
        (Color::Black, true) => &MIRRORED,
        (Color::White, false) => &ROTATED,
        (Color::White, true) => &FLIPPED,
    };
    (king, table)
}

static PLAIN: [u8; 81] = seen(false, false);
static MIRRORED: [u8; 81] = seen(true, false);
static ROTATED: [u8; 81] = seen(false, true);
static FLIPPED: [u8; 81] = seen(true, true);

const fn seen(mirrored: bool, rotated: bool) -> [u8; 81] {
    let mut table = [0; 81];
    let mut square = 0;
    while square < 81 {
        let turned = if rotated { 80 - square } else { square };
        let file = if mirrored { 8 - turned / 9 } else { turned / 9 };
        table[square] = (file * 9 + turned % 9) as u8;
        square += 1;
    }
    table
}

/// The feature of a number of attacks (0, 1, 2 or more) by a king's owner and by the enemy on a
/// square.
pub fn balance_feature(
    owner: Color,
    king: Square,
    square: Square,
    own: usize,
    enemy: usize,
) -> usize {
    let (king, places) = seen_from_king(owner, king);
    layout::balance(king, places[square.index().min(80)] as usize, own, enemy)
}

/// The balance on every square, as the owner of each king sees it. There are more than a hundred in
/// a position, but a move changes few of them: the comparison of the moves of one position uses the
/// changes. (For a search, which comes from anywhere in the tree, `BalanceTables` adds up all of
/// them.) Learning: a fifth less time.
#[derive(Clone, Copy, Default, Debug)]
pub struct Balances {
    map: Map,
    kings: [Option<Square>; 2],
}

impl Balances {
    /// The squares that each side attacks.
    pub fn attacked(&self) -> [Bitboard; 2] {
        self.map.once
    }

    /// Where the kings stand.
    #[inline]
    pub(super) fn kings(&self) -> [Option<Square>; 2] {
        self.kings
    }

    /// For each side the squares attacked at least once and at least twice, as bits in a row.
    #[inline]
    pub(super) fn words(&self) -> [[[u64; 2]; 2]; 2] {
        let of = |side: usize| [self.map.once[side].words(), self.map.twice[side].words()];
        [of(0), of(1)]
    }

    /// Gives all features.
    #[inline(always)]
    pub fn all(&self, mut give: impl FnMut(usize, Color)) {
        let view = |color: Color| self.kings[color.index()].map(|king| seen_from_king(color, king));
        let (black, white) = (view(Color::Black), view(Color::White));
        let whites = self.map.levels(Color::White);
        for (blacks, black_set) in self.map.levels(Color::Black).into_iter().enumerate() {
            for (whites, white_set) in whites.into_iter().enumerate() {
                if blacks + whites == 0 {
                    continue;
                }
                for square in black_set & white_set {
                    let square = square.index().min(80);
                    if let Some((king, places)) = black {
                        let place = places[square] as usize;
                        give(layout::balance(king, place, blacks, whites), Color::Black);
                    }
                    if let Some((king, places)) = white {
                        let place = places[square] as usize;
                        give(layout::balance(king, place, whites, blacks), Color::White);
                    }
                }
            }
        }
    }

    /// Gives the features that come and go on the way to others.
    #[inline(always)]
    pub fn changes(&self, after: &Balances, mut give: impl FnMut(usize, Color, Change)) {
        let changed = self.map.difference(&after.map);
        for owner in Color::ALL {
            let kings = (self.kings[owner.index()], after.kings[owner.index()]);
            let (old, new) = if kings.0 == kings.1 {
                (changed, changed)
            } else {
                (self.map.any(), after.map.any())
            };
            self.features(owner, old, |feature| give(feature, owner, Change::Goes));
            after.features(owner, new, |feature| give(feature, owner, Change::Comes));
        }
    }

    #[inline(always)]
    fn features(&self, owner: Color, squares: Bitboard, mut give: impl FnMut(usize)) {
        let Some(king) = self.kings[owner.index()] else { return };
        let (king, places) = seen_from_king(owner, king);
        for square in squares & self.map.any() {
            let (own, enemy) = (self.map.level(owner, square), self.map.level(!owner, square));
            let place = places[square.index().min(80)] as usize;
            give(layout::balance(king, place, own, enemy));
        }
    }
}
