//! How the numbers of the children become the number of the node.
//!
//! The mover needs the best child only: minimum. The opponent has to answer every child: sum. The sum is where searches
//! drown: a flood of near-equal children (interpositions, all legal moves of a 19x19 board) makes a good node look bad,
//! and a position reached on two ways is counted twice. Three remedies live here, as data, because they answer the same
//! question, *which children count, and how*:
//!
//! * **Width** ([`Width`]): dynamic widening (Yoshizoe 2008). Children are sorted by the mover's number and only the
//!   first `n`, or the best 1/n of them, count. Solved children fall out, so the answer stays exact; only the order of
//!   the search changes. Sums become non-monotone: a child that grows may leave the first `n`.
//! * **Sum** ([`Sum`]): weak proof numbers (Ueda et al. 2008) replace the sum by the maximum plus one for each further
//!   unsolved child.
//! * **Groups** ([`Groups`]): children that the game marks as variations of one idea count as the greatest of them
//!   only, or wait until the one before them is solved (delayed, chained generation).
//!
//! A fourth choice is of the same kind, [`Ties`]: which of equally good children is searched. On 15 problems of Shogi
//! Zuko (81 to 546 thousand nodes each) with plain sums the soonest refuted first took 3.46 M nodes in all, generation order 4.54 M.

use crate::game::Role;
use crate::number::{INFINITE, Number};

/// Which children count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Width {
    /// All of them.
    #[default]
    All,
    /// The best `n`.
    Top(u32),
    /// The best `1/n`, rounded up.
    Rate(u32),
}

impl Ties {
    /// What is smaller for the child to be searched first.
    #[inline]
    fn rank(self, mover: u32, other: u32, index: usize) -> (u32, u32, usize) {
        match self {
            Self::Order => (mover, 0, index),
            Self::SoonestRefuted => (mover, other, index),
        }
    }
}

impl Width {
    /// How many of `open` unsolved children count: never none.
    #[inline]
    #[must_use]
    pub fn count(self, open: usize) -> usize {
        match self {
            Self::All => open,
            Self::Top(n) => open.min(n.max(1) as usize),
            Self::Rate(n) => open.div_ceil(n.max(1) as usize).max(1),
        }
    }
}

/// How the opponent's numbers are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sum {
    /// Plain sum.
    #[default]
    Total,
    /// Maximum plus the number of further children.
    Weak,
}

/// What becomes of children that share a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Groups {
    /// They count like any other.
    #[default]
    Independent,
    /// Only the greatest of a group counts.
    Greatest,
    /// Only the first unsolved of a group is seen.
    Delayed,
}

/// Which of several children with the mover's least number is searched first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The one that the game generated first.
    #[default]
    Order,
    /// The one with the opponent's least number: it is the soonest refuted, and the search learns most from it.
    SoonestRefuted,
}

/// The whole rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Widening {
    /// Which children count.
    pub width: Width,
    /// How they are added up.
    pub sum: Sum,
    /// How groups are treated.
    pub groups: Groups,
    /// Which of equals comes first.
    pub ties: Ties,
}

/// A child as this module sees it.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// Its numbers.
    pub number: Number,
    /// Its group, 0 for none.
    pub group: u8,
}

/// The outcome for the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combined {
    /// The node's numbers.
    pub number: Number,
    /// The child to search next. Where the mover has won: the child that wins.
    pub best: usize,
    /// The mover's number of the second best child that counts.
    pub second: u32,
    /// What the other children contribute to the opponent's number.
    pub rest: u32,
}

/// Working memory of [`Widening::combine`], kept by the caller so that nothing is allocated per node.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    open: Vec<(u32, u32, usize, u8)>,
}

/// More than this are picked by selection rather than by insertion.
const FEW: usize = 32;

/// Leaves the first `count` unsolved children by the mover's number in `kept`, ties by index, in any order.
fn keep_first<T>(
    count: usize,
    role: Role,
    children: &[T],
    branch: impl Fn(&T) -> Branch,
    kept: &mut Vec<(u32, u32, usize, u8)>,
) {
    kept.clear();
    if count <= FEW {
        return insert_first(count, role, children, branch, kept);
    }
    for (index, child) in children.iter().enumerate() {
        let Branch { number, group } = branch(child);
        if number.of(role.other()) != 0 {
            kept.push((number.of(role), number.of(role.other()), index, group));
        }
    }
    kept.select_nth_unstable_by_key(count - 1, |&(mover, _, index, _)| (mover, index));
    kept.truncate(count);
}

/// [`keep_first`] for a few: children come best first from the game, so nearly all of them are turned away by one
/// comparison with the last one kept.
fn insert_first<T>(
    count: usize,
    role: Role,
    children: &[T],
    branch: impl Fn(&T) -> Branch,
    kept: &mut Vec<(u32, u32, usize, u8)>,
) {
    for (index, child) in children.iter().enumerate() {
        let Branch { number, group } = branch(child);
        let (mover, other) = (number.of(role), number.of(role.other()));
        if other == 0 || kept.len() == count && kept.last().is_some_and(|last| mover >= last.0) {
            continue;
        }
        if kept.len() == count {
            kept.pop();
        }
        let at = kept.partition_point(|entry| entry.0 <= mover);
        kept.insert(at, (mover, other, index, group));
    }
}

/// Sums and extremes over children that count.
#[derive(Default)]
struct Tally {
    ties: Ties,
    open: usize,
    best: usize,
    mover: u32,
    own: u32,
    second: u32,
    total: u64,
    max: u32,
}

impl Tally {
    fn new(ties: Ties) -> Self {
        Self { ties, ..Self::default() }
    }

    #[inline]
    fn add(&mut self, mover: u32, other: u32, index: usize) {
        let rank = self.ties.rank(mover, other, index);
        if self.open == 0 {
            (self.best, self.mover, self.own, self.second) = (index, mover, other, INFINITE);
        } else if rank < self.ties.rank(self.mover, self.own, self.best) {
            (self.best, self.second, self.mover, self.own) = (index, self.mover, mover, other);
        } else {
            self.second = self.second.min(mover);
        }
        self.open += 1;
        self.total += u64::from(other);
        self.max = self.max.max(other);
    }

    fn combined(&self, role: Role, sum: Sum) -> Combined {
        let further = self.open as u64 - 1;
        let (total, rest) = match sum {
            Sum::Total => (self.total, self.total - u64::from(self.own)),
            Sum::Weak => (u64::from(self.max) + further, further),
        };
        let cap = u64::from(INFINITE - 1);
        let number = Number::from_mover(role, self.mover.min(INFINITE - 1), total.min(cap) as u32);
        Combined { number, best: self.best, second: self.second, rest: rest.min(cap) as u32 }
    }
}

/// Groups beyond this number are folded onto the smaller ones.
const GROUPS: usize = 32;

impl Widening {
    /// Combines the children of a node in which `role` is to move.
    ///
    /// A node without children is lost for the mover.
    pub fn combine<T>(
        self,
        role: Role,
        children: &[T],
        branch: impl Fn(&T) -> Branch,
        scratch: &mut Scratch,
    ) -> Combined {
        if self.groups == Groups::Independent {
            return self.combine_independent(role, children, branch, scratch);
        }
        let opponent = role.other();
        scratch.open.clear();
        let mut seen = 0_u32;
        for (index, child) in children.iter().enumerate() {
            let Branch { number, group } = branch(child);
            let mover = number.of(role);
            if mover == 0 {
                return Combined {
                    number: Number::won_by(role),
                    best: index,
                    second: INFINITE,
                    rest: 0,
                };
            }
            if number.of(opponent) == 0 {
                continue;
            }
            let bit = 1_u32 << (group as usize % GROUPS);
            if group != 0 && self.groups == Groups::Delayed {
                if seen & bit != 0 {
                    continue;
                }
                seen |= bit;
            }
            scratch.open.push((mover, number.of(opponent), index, group));
        }
        if scratch.open.is_empty() {
            return Combined {
                number: Number::won_by(opponent),
                best: 0,
                second: INFINITE,
                rest: 0,
            };
        }
        let count = self.width.count(scratch.open.len());
        if count < scratch.open.len() {
            // Only the first `count` matter, and their order only for ties: no full sort, no allocation.
            let rank = |&(mover, _, index, _): &(u32, u32, usize, u8)| (mover, index);
            scratch.open.select_nth_unstable_by_key(count - 1, rank);
            scratch.open.truncate(count);
            scratch.open.sort_unstable_by_key(rank);
        }
        self.add_up(role, &scratch.open)
    }

    /// The case without groups, in one pass over all children and one more where not all of them count.
    fn combine_independent<T>(
        self,
        role: Role,
        children: &[T],
        branch: impl Fn(&T) -> Branch,
        scratch: &mut Scratch,
    ) -> Combined {
        let opponent = role.other();
        let mut all = Tally::new(self.ties);
        for (index, child) in children.iter().enumerate() {
            let number = branch(child).number;
            let (mover, other) = (number.of(role), number.of(opponent));
            if mover == 0 {
                let number = Number::won_by(role);
                return Combined { number, best: index, second: INFINITE, rest: 0 };
            }
            if other != 0 {
                all.add(mover, other, index);
            }
        }
        let count = self.width.count(all.open);
        if all.open == 0 {
            let number = Number::won_by(opponent);
            return Combined { number, best: 0, second: INFINITE, rest: 0 };
        }
        if count == all.open {
            return all.combined(role, self.sum);
        }
        keep_first(count, role, children, branch, &mut scratch.open);
        let mut first = Tally::new(self.ties);
        for &(mover, other, index, _) in &scratch.open {
            first.add(mover, other, index);
        }
        first.combined(role, self.sum)
    }

    fn add_up(self, role: Role, open: &[(u32, u32, usize, u8)]) -> Combined {
        let rank =
            |&(mover, other, index, _): &(u32, u32, usize, u8)| self.ties.rank(mover, other, index);
        let (mut best, mut second) = (0, INFINITE);
        for (at, entry) in open.iter().enumerate().skip(1) {
            if rank(entry) < rank(&open[best]) {
                second = open[best].0;
                best = at;
            } else {
                second = second.min(entry.0);
            }
        }
        let (mover, own, index, own_group) = open[best];
        let mut greatest = [0_u32; GROUPS];
        let (mut sum, mut max, mut terms) = (0_u64, own, 0_u64);
        for (at, &(_, delta, _, group)) in open.iter().enumerate() {
            if at == best {
                continue;
            }
            max = max.max(delta);
            if group == 0 || self.groups != Groups::Greatest {
                sum += u64::from(delta);
                terms += 1;
            } else {
                let slot = &mut greatest[group as usize % GROUPS];
                terms += u64::from(*slot == 0);
                *slot = (*slot).max(delta);
            }
        }
        let mut own = own;
        if self.groups == Groups::Greatest {
            // The best child shares one term with its group.
            let shared = std::mem::take(&mut greatest[own_group as usize % GROUPS]);
            terms -= u64::from(shared != 0);
            own = own.max(shared);
            sum += greatest.iter().map(|&d| u64::from(d)).sum::<u64>();
        }
        let (total, rest) = match self.sum {
            Sum::Total => (sum + u64::from(own), sum),
            Sum::Weak => (u64::from(max) + terms, terms),
        };
        let cap = u64::from(INFINITE - 1);
        let number = Number::from_mover(role, mover.min(INFINITE - 1), total.min(cap) as u32);
        Combined { number, best: index, second, rest: rest.min(cap) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combine(rule: Widening, role: Role, children: &[(u32, u32, u8)]) -> Combined {
        let branch =
            |&(pn, dn, group): &(u32, u32, u8)| Branch { number: Number { pn, dn }, group };
        rule.combine(role, children, branch, &mut Scratch::default())
    }

    #[test]
    fn plain_minimum_and_sum() {
        let c = combine(Widening::default(), Role::Attacker, &[(3, 2, 0), (2, 5, 0), (4, 1, 0)]);
        assert_eq!(c, Combined { number: Number { pn: 2, dn: 8 }, best: 1, second: 3, rest: 3 });
        let c = combine(Widening::default(), Role::Defender, &[(3, 2, 0), (2, 5, 0), (4, 1, 0)]);
        assert_eq!(c, Combined { number: Number { pn: 9, dn: 1 }, best: 2, second: 2, rest: 5 });
    }

    #[test]
    fn no_child_left_is_a_loss_and_one_won_child_a_win() {
        for role in [Role::Attacker, Role::Defender] {
            let lost = Number::won_by(role.other());
            assert_eq!(combine(Widening::default(), role, &[]).number, lost);
            assert_eq!(combine(Widening::default(), role, &[(lost.pn, lost.dn, 0)]).number, lost);
            let won = Number::won_by(role);
            let c = combine(Widening::default(), role, &[(1, 1, 0), (won.pn, won.dn, 0)]);
            assert_eq!((c.number, c.best), (won, 1));
        }
    }

    #[test]
    fn widening_counts_the_first_only_and_solved_children_make_room() {
        let rule = Widening { width: Width::Top(2), ..Widening::default() };
        let c = combine(rule, Role::Attacker, &[(3, 2, 0), (2, 5, 0), (4, 1, 0)]);
        assert_eq!((c.number, c.best, c.second, c.rest), (Number { pn: 2, dn: 7 }, 1, 3, 2));
        let c = combine(rule, Role::Attacker, &[(3, 2, 0), (INFINITE, 0, 0), (4, 1, 0)]);
        assert_eq!(c.number, Number { pn: 3, dn: 3 });
        let rate = Width::Rate(5);
        assert_eq!((rate.count(1), rate.count(5), rate.count(6), rate.count(11)), (1, 1, 2, 3));
    }

    #[test]
    fn weak_numbers_take_the_maximum() {
        let rule = Widening { sum: Sum::Weak, ..Widening::default() };
        let c = combine(rule, Role::Defender, &[(3, 2, 0), (7, 5, 0), (4, 1, 0)]);
        assert_eq!((c.number, c.rest), (Number { pn: 9, dn: 1 }, 2));
    }

    #[test]
    fn ties_go_by_order_or_to_the_soonest_refuted() {
        for groups in [Groups::Independent, Groups::Greatest] {
            let children = [(4, 1, 0), (3, 7, 0), (3, 2, 0), (3, 2, 0)];
            let by_order = Widening { groups, ..Widening::default() };
            assert_eq!(combine(by_order, Role::Attacker, &children).best, 1);
            let refuted = Widening { ties: Ties::SoonestRefuted, ..by_order };
            let c = combine(refuted, Role::Attacker, &children);
            assert_eq!((c.best, c.number, c.second, c.rest), (2, Number { pn: 3, dn: 12 }, 3, 10));
        }
    }

    #[test]
    fn groups_count_once() {
        let children = [(3, 2, 1), (7, 5, 1), (4, 9, 0), (6, 9, 2)];
        let rule = Widening { groups: Groups::Greatest, ..Widening::default() };
        let c = combine(rule, Role::Defender, &children);
        assert_eq!((c.number, c.best, c.second, c.rest), (Number { pn: 17, dn: 2 }, 0, 5, 10));
        let rule = Widening { groups: Groups::Delayed, ..Widening::default() };
        let c = combine(rule, Role::Defender, &children);
        assert_eq!((c.number, c.best), (Number { pn: 13, dn: 2 }, 0));
        let solved_first = [(0, INFINITE, 1), (7, 5, 1), (4, 9, 0), (6, 9, 2)];
        let c = combine(rule, Role::Defender, &solved_first);
        assert_eq!((c.number, c.best), (Number { pn: 17, dn: 5 }, 1));
    }
}
