//! Sets of points as bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::point::{Point, STRIDE};

const WORDS: usize = 8;

/// A set of points, one bit for each index of the padded board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// Words of a set.
    pub(crate) const WORDS: usize = WORDS;
    /// The set without points.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// The set of one point.
    pub fn of(point: Point) -> PointSet {
        let mut set = PointSet::EMPTY;
        set.insert(point);
        set
    }

    /// Whether the point is in the set.
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() >> 6] >> (point.index() & 63) & 1 != 0
    }

    /// Adds a point; true if it was not there.
    pub fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() >> 6, 1u64 << (point.index() & 63));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Takes a point away; true if it was there.
    pub fn remove(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() >> 6, 1u64 << (point.index() & 63));
        let present = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        present
    }

    /// One of its words, of [`PointSet::WORDS`].
    pub(crate) fn word(&self, at: usize) -> u64 {
        self.0[at]
    }

    /// Number of points.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether a point is in both sets.
    pub fn meets(&self, other: &PointSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The point with the lowest index.
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// These points without those of `other`.
    pub fn minus(&self, other: &PointSet) -> PointSet {
        *self & !*other
    }

    /// The points themselves and their neighbours, border included.
    pub fn dilated(&self) -> PointSet {
        *self | self.neighbours()
    }

    /// The points next to one of the set, border included.
    pub fn neighbours(&self) -> PointSet {
        let w = &self.0;
        let mut out = PointSet::EMPTY;
        for (i, slot) in out.0.iter_mut().enumerate() {
            let low = if i > 0 { w[i - 1] } else { 0 };
            let high = if i + 1 < WORDS { w[i + 1] } else { 0 };
            let here = w[i];
            *slot = (here << 1 | low >> 63)
                | (here >> 1 | high << 63)
                | (here << STRIDE | low >> (64 - STRIDE))
                | (here >> STRIDE | high << (64 - STRIDE));
        }
        out
    }

    /// The points in order of their index.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |word| Bits(words[word], word * 64))
    }
}

struct Bits(u64, usize);

impl Iterator for Bits {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Point::from_index(self.1 + bit))
    }
}

fn combine(a: &PointSet, b: &PointSet, op: impl Fn(u64, u64) -> u64) -> PointSet {
    PointSet(std::array::from_fn(|i| op(a.0[i], b.0[i])))
}

impl BitAnd for PointSet {
    type Output = PointSet;

    fn bitand(self, other: PointSet) -> PointSet {
        combine(&self, &other, |a, b| a & b)
    }
}

impl BitOr for PointSet {
    type Output = PointSet;

    fn bitor(self, other: PointSet) -> PointSet {
        combine(&self, &other, |a, b| a | b)
    }
}

impl BitAndAssign for PointSet {
    fn bitand_assign(&mut self, other: PointSet) {
        *self = *self & other;
    }
}

impl BitOrAssign for PointSet {
    fn bitor_assign(&mut self, other: PointSet) {
        *self = *self | other;
    }
}

impl Not for PointSet {
    type Output = PointSet;

    fn not(self) -> PointSet {
        PointSet(self.0.map(|word| !word))
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, PointSet};

    #[test]
    fn dilation_adds_the_four_neighbours() {
        for row in 1..18 {
            for column in 1..18 {
                let point = Point::new(column, row);
                let expected: PointSet = point.neighbours().into_iter().chain([point]).collect();
                assert_eq!(PointSet::of(point).dilated(), expected);
            }
        }
    }

    #[test]
    fn iteration_returns_what_was_inserted() {
        let points: Vec<Point> = (0..19).map(|i| Point::new(i, (i * 7) % 19)).collect();
        let set: PointSet = points.iter().copied().collect();
        let mut sorted = points.clone();
        sorted.sort();
        assert_eq!(set.iter().collect::<Vec<_>>(), sorted);
        assert_eq!(set.len() as usize, points.len());
    }
}
