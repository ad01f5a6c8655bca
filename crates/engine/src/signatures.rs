//! The sums by which the behaviour of the program's parts is known: a run depends on these, not on
//! which build did it.

/// As `yomikiri bench --signatures` prints them.
const TEXT: &str = yomikiri_data::SIGNATURES;

/// Every part and its sum.
pub fn all() -> Vec<(String, String)> {
    let pairs = TEXT.lines().filter(|line| !line.starts_with('#'));
    pairs
        .filter_map(|line| line.split_once(' '))
        .map(|(a, b)| (a.into(), b.trim().into()))
        .collect()
}

/// The sum of a part.
pub fn of(part: &str) -> String {
    let found = all().into_iter().find(|(name, _)| name == part);
    found.map_or_else(|| "unknown".to_string(), |(_, sum)| sum)
}

#[cfg(test)]
mod tests {
    use super::{all, of};

    #[test]
    fn every_part_has_a_sum() {
        assert!(all().len() >= 4);
        for part in ["search", "perft", "tsume", "go"] {
            assert!(of(part).parse::<u64>().is_ok_and(|sum| sum > 0), "{part}");
        }
    }
}
