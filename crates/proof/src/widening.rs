//! How the numbers of the children become the number of the node.
//!
//! The mover needs the best child only: minimum. The opponent has to answer every child: sum. The
//! sum is where searches drown: a flood of near-equal children (interpositions, all legal moves of
//! a 19x19 board) makes a good node look bad, and a position reached on two ways is counted twice.
//! Three remedies live here, as data, because they answer the same question, *which children count,
//! and how*:
//!
//! * **Width** ([`Width`]): dynamic widening (Yoshizoe 2008). Children are sorted by the mover's
//!   number and only the first `n`, or the best 1/n of them, count. Solved children fall out, so
//!   the answer stays exact; only the order of the search changes. Sums become non-monotone: a
//!   child that grows may leave the first `n`.
//! * **Sum** ([`Sum`]): weak proof numbers (Ueda et al. 2008) replace the sum by the maximum plus
//!   one for each further unsolved child.
//! * **Groups** ([`Groups`]): children that the game marks as variations of one idea count as the
//!   greatest of them only, or wait until the one before them is solved (delayed, chained
//!   generation).
//!
//! A fourth choice is of the same kind, [`Ties`]: which of equally good children is searched. On 15
//! problems of Shogi Zuko (81 to 546 thousand nodes each) with plain sums the soonest refuted first
//! took 3.46 M nodes in all, generation order 4.54 M.

mod text;

use crate::estimate::Initial;
use crate::game::{Candidate, Role};
use crate::number::{INFINITE, Number};
pub use text::NoWidth;

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
    /// The one with the opponent's least number: it is the soonest refuted, and the search learns
    /// most from it.
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

/// The numbers and groups (0 for none) of children, each kind in an array of its own: hundreds of
/// children are then combined by a few vector instructions. Go, all legal moves, with the look at
/// visited nodes before anything else: 1.6 times the nodes per second, same nodes.
#[derive(Clone, Debug, Default)]
pub struct Siblings {
    pn: Vec<u32>,
    dn: Vec<u32>,
    groups: Vec<u8>,
}

impl Siblings {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pn.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pn.is_empty()
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, number: Number, group: u8) {
        self.pn.push(number.pn);
        self.dn.push(number.dn);
        self.groups.push(group);
    }

    /// Adds the children behind moves, with their first numbers.
    #[inline]
    pub fn extend<M>(&mut self, candidates: &[Candidate<M>], initial: Initial) {
        self.pn.extend(candidates.iter().map(|candidate| initial.number(candidate).pn));
        self.dn.extend(candidates.iter().map(|candidate| initial.number(candidate).dn));
        self.groups.extend(candidates.iter().map(|candidate| candidate.group));
    }

    /// Forgets those from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.pn.truncate(len);
        self.dn.truncate(len);
        self.groups.truncate(len);
    }

    /// The numbers of one.
    #[inline]
    #[must_use]
    pub fn number(&self, at: usize) -> Number {
        Number { pn: self.pn[at], dn: self.dn[at] }
    }

    /// The group of one.
    #[inline]
    #[must_use]
    pub fn group(&self, at: usize) -> u8 {
        self.groups[at]
    }

    /// Changes the numbers of one.
    #[inline]
    pub fn set(&mut self, at: usize, number: Number) {
        (self.pn[at], self.dn[at]) = (number.pn, number.dn);
    }

    /// Those from `first` on, as `role` sees them who is to move.
    #[inline]
    fn family(&self, role: Role, first: usize) -> Family<'_> {
        let (pn, dn) = (&self.pn[first..], &self.dn[first..]);
        let (movers, others) = match role {
            Role::Attacker => (pn, dn),
            Role::Defender => (dn, pn),
        };
        Family { movers, others, groups: &self.groups[first..] }
    }
}

/// The children of one node: the mover's numbers, the opponent's, the groups.
#[derive(Clone, Copy)]
struct Family<'a> {
    movers: &'a [u32],
    others: &'a [u32],
    groups: &'a [u8],
}

impl Family<'_> {
    fn numbers(&self) -> impl Iterator<Item = (u32, u32)> {
        self.movers.iter().copied().zip(self.others.iter().copied())
    }
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

/// Working memory of [`Widening::combine`], kept by the caller so that nothing is allocated per
/// node.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    open: Vec<(u32, u32, usize, u8)>,
    movers: Vec<u32>,
}

/// More than this are picked by selection rather than by insertion.
const FEW: usize = 32;

impl Family<'_> {
    /// The first `count` unsolved children by the mover's number, ties by index.
    fn tally_first(&self, count: usize, ties: Ties, scratch: &mut Scratch) -> Tally {
        let mut tally = Tally::new(ties);
        if count <= FEW {
            self.insert_first(count, &mut scratch.open);
            for &(mover, other, index, _) in &scratch.open {
                tally.add(mover, other, index);
            }
            return tally;
        }
        scratch.movers.clear();
        scratch.movers.extend_from_slice(self.movers);
        let (below, &mut last, _) = scratch.movers.select_nth_unstable(count - 1);
        let mut at_last = count - below.iter().filter(|&&mover| mover < last).count();
        for (index, (mover, other)) in self.numbers().enumerate() {
            if mover < last {
                tally.add(mover, other, index);
            } else if mover == last && at_last > 0 {
                at_last -= 1;
                tally.add(mover, other, index);
            }
        }
        tally
    }

    /// The first few: children come best first from the game, so nearly all of them are turned
    /// away, a chunk at a time, by a comparison with the last one kept.
    fn insert_first(&self, count: usize, kept: &mut Vec<(u32, u32, usize, u8)>) {
        const CHUNK: usize = 16;
        kept.clear();
        let mut limit = u32::MAX;
        for start in (0..self.movers.len()).step_by(CHUNK) {
            let end = self.movers.len().min(start + CHUNK);
            if !self.movers[start..end].iter().any(|&mover| mover < limit) {
                continue;
            }
            for index in start..end {
                let (mover, other) = (self.movers[index], self.others[index]);
                if other == 0 || mover >= limit {
                    continue;
                }
                if kept.len() == count {
                    kept.pop();
                }
                let at = kept.partition_point(|entry| entry.0 <= mover);
                kept.insert(at, (mover, other, index, 0));
                if kept.len() == count {
                    limit = kept[count - 1].0;
                }
            }
        }
    }

    /// All unsolved children, if there is one and the mover has not won; `least` is the mover's
    /// least number.
    fn tally_all(&self, ties: Ties, least: u32, open: usize) -> Tally {
        let mut equal = 0_u32;
        let mut next = INFINITE;
        for &mover in self.movers {
            equal += u32::from(mover == least);
            next = next.min(if mover == least { INFINITE } else { mover });
        }
        let at_least = |ties: Ties| match ties {
            Ties::Order => self.movers.iter().position(|&mover| mover == least),
            Ties::SoonestRefuted => {
                let equals = self.numbers().enumerate().filter(|(_, (mover, _))| *mover == least);
                equals.min_by_key(|&(index, (_, other))| (other, index)).map(|(index, _)| index)
            }
        };
        let best = at_least(ties).unwrap_or(0);
        let (mut total, mut max) = (0_u64, 0);
        for &other in self.others {
            total += u64::from(other);
            max = max.max(other);
        }
        Tally {
            ties,
            open,
            best,
            mover: least,
            own: self.others[best],
            second: if equal > 1 { least } else { next },
            total,
            max,
        }
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
    /// Combines the children of a node in which `role` is to move: those of `siblings` from `first`
    /// on.
    ///
    /// A node without children is lost for the mover.
    pub fn combine(
        self,
        role: Role,
        siblings: &Siblings,
        first: usize,
        scratch: &mut Scratch,
    ) -> Combined {
        let family = siblings.family(role, first);
        let least = family.movers.iter().copied().min().unwrap_or(INFINITE);
        if least == 0 {
            let best = family.movers.iter().position(|&mover| mover == 0).unwrap_or(0);
            return Combined { number: Number::won_by(role), best, second: INFINITE, rest: 0 };
        }
        let open = family.others.iter().filter(|&&other| other != 0).count();
        if open == 0 {
            let number = Number::won_by(role.other());
            return Combined { number, best: 0, second: INFINITE, rest: 0 };
        }
        if self.groups != Groups::Independent {
            if let Some(tally) = self.tally_groups(family) {
                return tally.combined(role, self.sum);
            }
            return self.combine_groups(role, family, scratch);
        }
        let count = self.width.count(open);
        let tally = if count == open {
            family.tally_all(self.ties, least, open)
        } else {
            family.tally_first(count, self.ties, scratch)
        };
        tally.combined(role, self.sum)
    }

    /// The usual case of [`Self::combine_groups`] in one pass: all count, and no two share a term.
    fn tally_groups(self, family: Family<'_>) -> Option<Tally> {
        let delayed = self.groups == Groups::Delayed;
        if self.width != Width::All || !delayed && family.groups.iter().any(|&group| group != 0) {
            return None;
        }
        let mut tally = Tally::new(self.ties);
        let mut seen = 0_u32;
        for (index, (mover, other)) in family.numbers().enumerate() {
            let group = family.groups[index];
            let bit = u32::from(group != 0) << (group as usize % GROUPS);
            if other == 0 || seen & bit != 0 {
                continue;
            }
            seen |= bit;
            tally.add(mover, other, index);
        }
        Some(tally)
    }

    fn combine_groups(self, role: Role, family: Family<'_>, scratch: &mut Scratch) -> Combined {
        scratch.open.clear();
        let mut seen = 0_u32;
        for (index, (mover, other)) in family.numbers().enumerate() {
            if other == 0 {
                continue;
            }
            let group = family.groups[index];
            let bit = 1_u32 << (group as usize % GROUPS);
            if group != 0 && self.groups == Groups::Delayed {
                if seen & bit != 0 {
                    continue;
                }
                seen |= bit;
            }
            scratch.open.push((mover, other, index, group));
        }
        let count = self.width.count(scratch.open.len());
        if count < scratch.open.len() {
            // Only the first `count` matter, and their order only for ties: no full sort, no
            // allocation.
            let rank = |&(mover, _, index, _): &(u32, u32, usize, u8)| (mover, index);
            scratch.open.select_nth_unstable_by_key(count - 1, rank);
            scratch.open.truncate(count);
            scratch.open.sort_unstable_by_key(rank);
        }
        self.add_up(role, &scratch.open)
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
        let mut siblings = Siblings::default();
        for &(pn, dn, group) in children {
            siblings.push(Number { pn, dn }, group);
        }
        rule.combine(role, &siblings, 0, &mut Scratch::default())
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

    /// The rule for independent children in its most obvious form: sort, cut off, add up.
    fn obvious(rule: Widening, role: Role, children: &[(u32, u32, u8)]) -> Combined {
        let numbers = children.iter().map(|&(pn, dn, _)| Number { pn, dn });
        let mut open: Vec<(u32, u32, usize)> = Vec::new();
        for (index, number) in numbers.enumerate() {
            if number.of(role) == 0 {
                let won = Number::won_by(role);
                return Combined { number: won, best: index, second: INFINITE, rest: 0 };
            }
            if number.of(role.other()) != 0 {
                open.push((number.of(role), number.of(role.other()), index));
            }
        }
        if open.is_empty() {
            let number = Number::won_by(role.other());
            return Combined { number, best: 0, second: INFINITE, rest: 0 };
        }
        open.sort_by_key(|&(mover, _, index)| (mover, index));
        open.truncate(rule.width.count(open.len()));
        if rule.ties == Ties::SoonestRefuted {
            open.sort();
        }
        let (mover, own, best) = open[0];
        let second = open.get(1).map_or(INFINITE, |entry| entry.0);
        let sum: u32 = open.iter().map(|entry| entry.1).sum();
        let (total, rest) = match rule.sum {
            Sum::Total => (sum, sum - own),
            Sum::Weak => {
                let further = open.len() as u32 - 1;
                (open.iter().map(|entry| entry.1).max().unwrap_or(0) + further, further)
            }
        };
        Combined { number: Number::from_mover(role, mover, total), best, second, rest }
    }

    #[test]
    fn independent_children_combine_as_the_obvious_rule_says() {
        let mut state = 1_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32 % below
        };
        let widths = [Width::All, Width::Top(1), Width::Top(5), Width::Top(40), Width::Rate(2)];
        for round in 0..4000 {
            let (most, largest) = ([3, 20, 300][round % 3], [3, 40][round % 2]);
            let mut children = Vec::new();
            for _ in 0..random(most) {
                children.push(match random(40) {
                    0 if random(40) == 0 => (0, INFINITE, 0),
                    1 if random(40) == 0 => (INFINITE, 0, 0),
                    2..5 => [(0, INFINITE, 0), (INFINITE, 0, 0)][usize::from(round % 4 > 1)],
                    _ => (1 + random(largest), 1 + random(largest), 0),
                });
            }
            let role = [Role::Defender, Role::Attacker][usize::from(round % 4 > 1)];
            for width in widths {
                for sum in [Sum::Total, Sum::Weak] {
                    for ties in [Ties::Order, Ties::SoonestRefuted] {
                        let rule = Widening { width, sum, ties, groups: Groups::Independent };
                        let expected = obvious(rule, role, &children);
                        assert_eq!(combine(rule, role, &children), expected, "{rule:?}");
                    }
                }
            }
        }
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
