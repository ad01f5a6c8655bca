//! Where each feature of the linear evaluation has its coefficients.
//!
//! Paper: Matsui et al. 2008, section 2.4, thirteen groups. Every feature is seen by one side (its
//! owner, for whom the board is turned so that it plays up); the same coefficients serve both.
//! Mirror images share a feature where left and right mean the same: neighbours, attack balance,
//! pins. King-piece relations keep their side, because rook and bishop stand on one.

use core::ops::Range;
use yomikiri_shogi::{Kind, Square};

/// A group of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Pieces in hand, by kind and count.
    Hand,
    /// Every piece by the file of the owner's king.
    KingFile,
    /// Every piece by the rank of the owner's king.
    KingRank,
    /// Two pieces on neighbouring squares.
    Adjacent,
    /// How many squares lance, bishop, rook, horse, dragon and king can go to.
    Mobility,
    /// How many squares towards the enemy king bishop, rook, horse and dragon attack.
    Aim,
    /// Who attacks a square more often, by the place of the king.
    Balance,
    /// What lance, knight, bishop, rook, horse and dragon attack or protect.
    Target,
    /// The rank of the king.
    Rank,
    /// How many safe squares the king can go to.
    Freedom,
    /// Pinned pieces: kind, direction, attack balance.
    Pin,
    /// Three-piece patterns mined from games.
    Pattern,
    /// No pattern is present.
    NoPattern,
    /// Attacked and weak squares around the king, together (beyond the paper's list).
    Safety,
}

impl Group {
    /// Every group, in the order of the coefficients.
    pub const ALL: [Group; 14] = [
        Group::Hand,
        Group::KingFile,
        Group::KingRank,
        Group::Adjacent,
        Group::Mobility,
        Group::Aim,
        Group::Balance,
        Group::Target,
        Group::Rank,
        Group::Freedom,
        Group::Pin,
        Group::Pattern,
        Group::NoPattern,
        Group::Safety,
    ];

    /// How many features the group has.
    pub const fn size(self) -> usize {
        match self {
            Group::Hand => 38,
            Group::KingFile | Group::KingRank => 9 * 26 * 81,
            Group::Adjacent => 9 * 14 * 14 * 8,
            Group::Mobility => 6 * MOBILITY_STEPS,
            Group::Aim => 4 * AIM_STEPS,
            Group::Balance => 45 * 81 * BALANCES,
            Group::Target => TARGET_ROWS * 28,
            Group::Rank | Group::Freedom => 9,
            Group::Pin => 13 * 5 * 3,
            Group::Pattern => MAX_PATTERNS,
            Group::NoPattern => 1,
            Group::Safety => 72,
        }
    }

    /// The first feature of the group.
    #[inline]
    pub const fn start(self) -> usize {
        STARTS[self as usize]
    }

    /// The features of the group.
    pub const fn range(self) -> Range<usize> {
        self.start()..self.start() + self.size()
    }

    /// The group's name.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Hand => "hand",
            Group::KingFile => "king-file",
            Group::KingRank => "king-rank",
            Group::Adjacent => "adjacent",
            Group::Mobility => "mobility",
            Group::Aim => "aim",
            Group::Balance => "balance",
            Group::Target => "target",
            Group::Rank => "rank",
            Group::Freedom => "freedom",
            Group::Pin => "pin",
            Group::Pattern => "pattern",
            Group::NoPattern => "no-pattern",
            Group::Safety => "safety",
        }
    }

    /// The group of a feature.
    pub fn of(feature: usize) -> Option<Group> {
        Group::ALL.into_iter().find(|group| group.range().contains(&feature))
    }
}

/// The first feature of every group, added up once: look-ups ask for it all the time.
const STARTS: [usize; Group::ALL.len()] = {
    let mut starts = [0; Group::ALL.len()];
    let mut group = 1;
    while group < starts.len() {
        starts[group] = starts[group - 1] + Group::ALL[group - 1].size();
        group += 1;
    }
    starts
};

/// The largest number of three-piece patterns.
pub const MAX_PATTERNS: usize = 1024;
/// Counts of squares that mobility distinguishes.
const MOBILITY_STEPS: usize = 21;
/// Counts of squares that aim distinguishes.
const AIM_STEPS: usize = 17;
/// Own attacks (0, 1, 2 or more) against the enemy's, without 0 against 0.
const BALANCES: usize = 8;

/// How many features there are.
pub const FEATURES: usize = Group::Safety.start() + Group::Safety.size();

/// What the layout is, in words: two files with the same words have the same features.
pub fn description() -> String {
    let groups = Group::ALL.map(|group| format!("{} {}", group.name(), group.size()));
    groups.join(", ")
}

/// 0 to 12, the king left out.
pub(super) const fn without_king(kind: Kind) -> usize {
    let index = kind.index() - 1;
    if index > 7 { index - 1 } else { index }
}

/// The feature of holding `count` pieces of a kind, 1 at least.
pub(super) const fn hand(kind: Kind, count: usize) -> usize {
    const FIRST: [usize; 8] = [0, 0, 18, 22, 26, 34, 36, 30];
    Group::Hand.start() + FIRST[kind.index() & 7] + count - 1
}

/// The two features of a piece and the king of the owner of the view.
#[inline]
pub(super) const fn king_piece(king: usize, piece: usize, square: usize) -> [usize; 2] {
    let place = piece * 81 + square;
    let one = 26 * 81;
    [
        Group::KingFile.start() + king / 9 * one + place,
        Group::KingRank.start() + king % 9 * one + place,
    ]
}

/// Which way one piece of a neighbouring pair lies from the other, mirror images as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Straight ahead.
    Ahead = 0,
    /// Ahead and to one side.
    AheadAside = 1,
    /// Beside.
    Beside = 2,
    /// Back and to one side.
    BackAside = 3,
    /// Straight back.
    Back = 4,
}

/// The way of a step, as a side sees it that plays up.
pub(super) const fn way(files: i8, ranks: i8) -> Way {
    match (files, ranks) {
        (0, ..=-1) => Way::Ahead,
        (_, ..=-1) => Way::AheadAside,
        (_, 0) => Way::Beside,
        (0, _) => Way::Back,
        _ => Way::BackAside,
    }
}

/// An own piece with an own one ahead, ahead and aside, or beside it.
pub(super) const fn adjacent_own(rank: usize, kind: Kind, other: Kind, way: Way) -> usize {
    let pair = (kind.index() - 1) * 14 + other.index() - 1;
    Group::Adjacent.start() + (rank * 196 + pair) * 8 + way as usize
}

/// An own piece with an enemy one next to it.
pub(super) const fn adjacent_enemy(rank: usize, kind: Kind, other: Kind, way: Way) -> usize {
    let pair = (kind.index() - 1) * 14 + other.index() - 1;
    Group::Adjacent.start() + (rank * 196 + pair) * 8 + 3 + way as usize
}

/// How many squares a piece can go to; the kind has a mobility.
#[inline]
pub(super) const fn mobility(kind: Kind, squares: usize) -> usize {
    let row = match kind {
        Kind::Lance => 0,
        Kind::Bishop => 1,
        Kind::Rook => 2,
        Kind::Horse => 3,
        Kind::Dragon => 4,
        _ => 5,
    };
    let most = MOBILITY_STEPS - 1;
    Group::Mobility.start() + row * MOBILITY_STEPS + if squares > most { most } else { squares }
}

/// How many squares towards the enemy king a big piece attacks.
#[inline]
pub(super) const fn aim(kind: Kind, squares: usize) -> usize {
    let row = match kind {
        Kind::Bishop => 0,
        Kind::Rook => 1,
        Kind::Horse => 2,
        _ => 3,
    };
    let most = AIM_STEPS - 1;
    Group::Aim.start() + row * AIM_STEPS + if squares > most { most } else { squares }
}

/// The first balance feature of a king on the right half of the board (file 0 to 4).
#[inline]
pub(super) const fn balance(king: usize, square: usize, own: usize, enemy: usize) -> usize {
    Group::Balance.start() + (king * BALANCES + own * 3 + enemy - 1) * 81 + square
}

/// How many kinds have targets.
pub(super) const TARGET_ROWS: usize = 6;

/// The row of a kind among those that have targets.
#[inline]
pub(super) const fn target_row(kind: Kind) -> usize {
    match kind {
        Kind::Lance => 0,
        Kind::Knight => 1,
        Kind::Bishop => 2,
        Kind::Rook => 3,
        Kind::Horse => 4,
        _ => 5,
    }
}

/// What a piece attacks (an enemy's) or protects (an own).
#[inline]
pub(super) const fn target(kind: Kind, own: bool, other: Kind) -> usize {
    Group::Target.start() + target_row(kind) * 28 + if own { 0 } else { 14 } + other.index() - 1
}

/// The rank of the king as its owner counts.
#[inline]
pub(super) const fn rank(rank: usize) -> usize {
    Group::Rank.start() + rank
}

/// How many safe squares the king can go to.
#[inline]
pub(super) const fn freedom(squares: usize) -> usize {
    Group::Freedom.start() + squares
}

/// A pinned piece; balance 0 lost, 1 even, 2 won.
#[inline]
pub(super) const fn pin(kind: Kind, way: Way, balance: usize) -> usize {
    Group::Pin.start() + (without_king(kind) * 5 + way as usize) * 3 + balance
}

/// A pattern by its number.
#[inline]
pub(super) const fn pattern(number: usize) -> usize {
    Group::Pattern.start() + number
}

/// How many neighbours of the king are attacked, and how many of those only the king protects.
#[inline]
pub(super) const fn safety(attacked: usize, weak: usize) -> usize {
    Group::Safety.start() + attacked * 8 + if weak > 7 { 7 } else { weak }
}

/// A square as a side sees it.
#[inline]
pub(crate) const fn turned(square: Square, black: bool) -> usize {
    if black { square.index() } else { 80 - square.index() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other_and_hold_their_features() {
        let sizes: usize = Group::ALL.iter().map(|group| group.size()).sum();
        assert_eq!(sizes, FEATURES);
        assert_eq!(Group::of(0), Some(Group::Hand));
        assert_eq!(Group::of(FEATURES), None);
        assert_eq!(Group::of(hand(Kind::Rook, 2)), Some(Group::Hand));
        assert_eq!(hand(Kind::Gold, 4) + 5, Group::KingFile.start());
        assert_eq!(king_piece(80, 25, 80)[0] + 1, Group::KingRank.start());
        assert_eq!(king_piece(80, 25, 80)[1] + 1, Group::Adjacent.start());
        let last = adjacent_enemy(8, Kind::Dragon, Kind::Dragon, Way::Back);
        assert_eq!(last + 1, Group::Mobility.start());
        assert_eq!(mobility(Kind::King, 20) + 1, Group::Aim.start());
        assert_eq!(aim(Kind::Dragon, 16) + 1, Group::Balance.start());
        assert_eq!(balance(44, 80, 2, 2) + 1, Group::Target.start());
        assert_eq!(target(Kind::Dragon, false, Kind::Dragon) + 1, Group::Rank.start());
        assert_eq!(pin(Kind::Dragon, Way::Back, 2) + 1, Group::Pattern.start());
        assert_eq!(safety(8, 7) + 1, FEATURES);
    }
}
