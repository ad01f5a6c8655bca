//! A part of a run for one of several machines.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of several equal parts of every stage: the units whose index leaves this remainder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Part `index` of `count`, counted from 0.
    #[must_use]
    pub fn new(index: usize, count: usize) -> Option<Shard> {
        (index < count).then_some(Shard { index, count })
    }

    /// Whether the unit of this index belongs to it.
    #[must_use]
    pub fn contains(self, index: usize) -> bool {
        index % self.count == self.index
    }

    /// Whether it is everything.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.count == 1
    }
}

/// A text that names no shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no shard: say I/N with I from 0 to N - 1, for instance 0/2 and 1/2")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let wrong = || ShardError(text.to_string());
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let (Ok(index), Ok(count)) = (index.parse(), count.parse()) else { return Err(wrong()) };
        Shard::new(index, count).ok_or_else(wrong)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shards_share_all_units_and_none_twice() {
        for count in 1..6 {
            let shards: Vec<Shard> = (0..count)
                .map(|index| format!("{index}/{count}").parse().expect("a shard"))
                .collect();
            for unit in 0..20 {
                assert_eq!(shards.iter().filter(|shard| shard.contains(unit)).count(), 1);
            }
            assert_eq!(shards[0].is_whole(), count == 1);
            assert_eq!(shards[0].to_string(), format!("0/{count}"));
        }
        for wrong in ["", "1", "2/2", "0/0", "-1/2", "a/b", "0/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
