//! How a piece's way to a square is distinguished from another piece's.

use crate::types::{Color, Kind, Square};

/// The direction of a move, as its player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Motion {
    /// 上: forward.
    Up,
    /// 寄: sideways.
    Side,
    /// 引: back.
    Down,
}

/// Where a piece comes from, as its player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum From {
    /// 右.
    Right,
    /// 左.
    Left,
    /// 直: straight from below, for golds and silvers.
    Straight,
    /// On the same file, but not 直.
    Centre,
}

/// A piece's way to a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Relation {
    pub motion: Motion,
    pub from: From,
}

/// The way of a piece from a square to another, when `rivals` could go there too.
pub(super) fn relation(
    kind: Kind,
    side: Color,
    from: Square,
    to: Square,
    rivals: &[Square],
) -> Relation {
    // Black's right is the low files; for white everything is turned round.
    let rightness = |a: Square, b: Square| {
        let difference = b.file() as i8 - a.file() as i8;
        if side == Color::Black { difference } else { -difference }
    };
    let motion = match from.rank_for(side).cmp(&to.rank_for(side)) {
        core::cmp::Ordering::Greater => Motion::Up,
        core::cmp::Ordering::Equal => Motion::Side,
        core::cmp::Ordering::Less => Motion::Down,
    };
    // Rooks and bishops, promoted or not, come in twos: each is left or right of the other.
    let far = matches!(kind, Kind::Rook | Kind::Bishop | Kind::Dragon | Kind::Horse);
    let against = if far { rivals.first().copied().unwrap_or(to) } else { to };
    let from = match rightness(from, against) {
        1.. => From::Right,
        ..0 => From::Left,
        0 if motion == Motion::Up && !far => From::Straight,
        0 => From::Centre,
    };
    Relation { motion, from }
}

impl Motion {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Motion::Up => "上",
            Motion::Side => "寄",
            Motion::Down => "引",
        }
    }
}

impl From {
    pub(super) const fn name(self) -> &'static str {
        match self {
            From::Right => "右",
            From::Left => "左",
            From::Straight => "直",
            From::Centre => "",
        }
    }
}

impl Relation {
    /// The shortest official words that distinguish this way from all the others.
    pub(super) fn tell_apart(self, others: &[Relation]) -> String {
        if others.iter().all(|other| other.motion != self.motion) {
            return self.motion.name().to_string();
        }
        if self.from == From::Straight {
            return self.from.name().to_string();
        }
        if others.iter().all(|other| other.from != self.from) {
            return self.from.name().to_string();
        }
        format!("{}{}", self.from.name(), self.motion.name())
    }
}
