//! Statistics that several experiments need, as pure functions.

/// The geometric mean; nothing for an empty list or a value that is not positive.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() || values.iter().any(|&value| value <= 0.0) {
        return None;
    }
    Some((values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp())
}

/// The standard deviation of a sample.
pub fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// Wilson's 95 % interval of a share; nothing where nothing was counted.
pub fn wilson(successes: f64, count: f64) -> Option<(f64, f64)> {
    if count <= 0.0 {
        return None;
    }
    let z = 1.959_964;
    let share = successes / count;
    let centre = share + z * z / (2.0 * count);
    let spread =
        z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).max(0.0).sqrt();
    let scale = 1.0 + z * z / count;
    Some((((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0)))
}

/// A 95 % bootstrap interval of a statistic, from `rounds` samples drawn with the seed.
pub fn bootstrap(
    values: &[f64],
    rounds: usize,
    seed: u64,
    statistic: impl Fn(&[f64]) -> Option<f64>,
) -> Option<(f64, f64)> {
    if values.is_empty() || rounds < 40 {
        return None;
    }
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut sample = vec![0.0; values.len()];
    let mut found: Vec<f64> = (0..rounds)
        .filter_map(|_| {
            sample.iter_mut().for_each(|slot| *slot = values[rng.usize(..values.len())]);
            statistic(&sample)
        })
        .collect();
    found.sort_by(f64::total_cmp);
    let at =
        |share: f64| found.get((share * (found.len().max(1) - 1) as f64).round() as usize).copied();
    Some((at(0.025)?, at(0.975)?))
}

/// Sums of two quantities over the members of a group, for their ratio.
pub type Parts = (f64, f64);

/// The ratio of the sums over all groups, and its 95 % interval from drawing whole groups anew.
pub fn ratio_of_groups(groups: &[Parts], rounds: usize, seed: u64) -> Option<(f64, (f64, f64))> {
    let ratio = |places: &[f64]| {
        let add = |sum: Parts, &at: &f64| {
            let (above, below) = groups[at as usize];
            (sum.0 + above, sum.1 + below)
        };
        let (above, below) = places.iter().fold((0.0, 0.0), add);
        (below > 0.0).then(|| above / below)
    };
    let places: Vec<f64> = (0..groups.len()).map(|at| at as f64).collect();
    Some((ratio(&places)?, bootstrap(&places, rounds, seed, ratio)?))
}

/// How likely so uneven a split is by chance alone (the two-sided sign test): of `gained + lost`
/// changes, each as likely to be one as the other.
pub fn sign_test(gained: usize, lost: usize) -> f64 {
    let count = gained + lost;
    let mut term = 0.5f64.powi(count.try_into().unwrap_or(i32::MAX));
    let mut tail = 0.0;
    for k in 0..=gained.min(lost) {
        tail += term;
        term *= (count - k) as f64 / (k + 1) as f64;
    }
    (2.0 * tail).min(1.0)
}

/// Which of several tests pass together, by Holm's step-down rule: the chance that one passes where
/// nothing is to be found stays below `level`.
pub fn holm(chances: &[f64], level: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let mut passes = vec![false; chances.len()];
    for (rank, &at) in order.iter().enumerate() {
        if chances[at] > level / (chances.len() - rank) as f64 {
            break;
        }
        passes[at] = true;
    }
    passes
}

/// Spearman's rank correlation; ties share their mean rank. Nothing where one side does not vary.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let ranks = |of: &dyn Fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let values: Vec<f64> = pairs.iter().map(of).collect();
        let rank = |value: &f64| {
            let below = values.iter().filter(|other| *other < value).count() as f64;
            let same = values.iter().filter(|other| *other == value).count() as f64;
            below + (same + 1.0) / 2.0
        };
        values.iter().map(rank).collect()
    };
    let (x, y) = (ranks(&|pair| pair.0), ranks(&|pair| pair.1));
    let line = PairSums::of(x.into_iter().zip(y)).line()?;
    Some(line.r2.sqrt().copysign(line.a))
}

/// What a line fitted to pairs needs to know of them; sums of parts add up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairSums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

/// A line y = a x + b through pairs, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedLine {
    /// The slope.
    pub a: f64,
    /// The height at 0.
    pub b: f64,
    /// The standard deviation of what the line leaves unexplained.
    pub sigma: f64,
    /// The share of the variance that the line explains: the squared correlation.
    pub r2: f64,
}

impl PairSums {
    /// The sums of some pairs (x, y).
    pub fn of(pairs: impl IntoIterator<Item = (f64, f64)>) -> PairSums {
        pairs.into_iter().fold(PairSums::default(), |s, (x, y)| {
            let one = PairSums { n: 1.0, x, y, xx: x * x, xy: x * y, yy: y * y };
            s.plus(&one)
        })
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &PairSums) -> PairSums {
        PairSums {
            n: self.n + other.n,
            x: self.x + other.x,
            y: self.y + other.y,
            xx: self.xx + other.xx,
            xy: self.xy + other.xy,
            yy: self.yy + other.yy,
        }
    }

    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.n as usize
    }

    /// The line; nothing for fewer than three pairs or where x or y is always the same.
    pub fn line(&self) -> Option<FittedLine> {
        if self.n < 3.0 {
            return None;
        }
        let (mean_x, mean_y) = (self.x / self.n, self.y / self.n);
        let xx = self.xx - self.n * mean_x * mean_x;
        let xy = self.xy - self.n * mean_x * mean_y;
        let yy = self.yy - self.n * mean_y * mean_y;
        if xx <= 1e-9 || yy <= 1e-9 {
            return None;
        }
        let a = xy / xx;
        let left = (yy - a * xy).max(0.0);
        Some(FittedLine {
            a,
            b: mean_y - a * mean_x,
            sigma: (left / (self.n - 2.0)).sqrt(),
            r2: xy * xy / (xx * yy),
        })
    }
}

/// A 95 % bootstrap interval of a statistic of the line, where whole groups of pairs are drawn
/// (the positions of one game are alike).
pub fn bootstrap_line(
    groups: &[PairSums],
    rounds: usize,
    seed: u64,
    statistic: impl Fn(&FittedLine) -> f64,
) -> Option<(f64, f64)> {
    let places: Vec<f64> = (0..groups.len()).map(|at| at as f64).collect();
    bootstrap(&places, rounds, seed, |drawn| {
        let sums = drawn.iter().fold(PairSums::default(), |s, &at| s.plus(&groups[at as usize]));
        sums.line().map(|line| statistic(&line))
    })
}

#[cfg(test)]
mod tests {
    use super::{
        PairSums, bootstrap, bootstrap_line, deviation, geometric_mean, holm, rank_correlation,
        ratio_of_groups, sign_test, wilson,
    };

    #[test]
    fn golden_rank_correlation() {
        let of = |pairs: &[(f64, f64)]| rank_correlation(pairs);
        assert_eq!(of(&[(1.0, 10.0), (2.0, 100.0), (3.0, 1000.0)]), Some(1.0));
        assert_eq!(of(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), Some(-1.0));
        // Ranks 1 2 3 4 against 1.5 1.5 4 3: r = 0.7378.
        let tied = of(&[(1.0, 5.0), (2.0, 5.0), (3.0, 9.0), (4.0, 7.0)]).expect("it varies");
        assert!((tied - 0.737_864_787).abs() < 1e-6, "{tied}");
        assert_eq!(of(&[(1.0, 5.0), (2.0, 5.0), (3.0, 5.0)]), None);
    }

    #[test]
    fn golden_holm() {
        // Against .05 / 4, / 3, / 2: the third smallest fails, and with it all above.
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
        assert_eq!(holm(&[0.04], 0.05), [true]);
        assert!(holm(&[], 0.05).is_empty());
    }

    #[test]
    fn golden_sign_test() {
        // 9 of 10: (10 + 1) / 1024 on either side.
        assert!((sign_test(9, 1) - 22.0 / 1024.0).abs() < 1e-12);
        assert_eq!(sign_test(1, 9), sign_test(9, 1));
        assert_eq!(sign_test(5, 5), 1.0);
        assert_eq!(sign_test(0, 0), 1.0);
        assert!(sign_test(200, 100) < 1e-7);
    }

    #[test]
    fn the_ratio_of_groups_is_that_of_the_sums() {
        let groups = [(1.0, 2.0), (3.0, 2.0), (2.0, 4.0), (0.0, 0.0)];
        let (ratio, (low, high)) = ratio_of_groups(&groups, 400, 1).expect("a ratio");
        assert!((ratio - 0.75).abs() < 1e-12);
        assert!((0.5..0.75).contains(&low) && 0.75 < high && high <= 1.5, "{low} {high}");
        assert_eq!(ratio_of_groups(&[(1.0, 0.0)], 400, 1), None);
    }

    #[test]
    fn golden_interval_of_a_share() {
        // Half of ten: 0.5 plus or minus 0.2634, as tables of the interval have it.
        let (low, high) = wilson(5.0, 10.0).expect("an interval");
        assert!((low - 0.2366).abs() < 1e-4 && (high - 0.7634).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(0.0, 10.0).expect("an interval");
        assert!(low.abs() < 1e-12 && (high - 0.2775).abs() < 1e-4, "{high}");
        assert_eq!(wilson(0.0, 0.0), None);
    }

    #[test]
    fn golden_line() {
        // Worked by hand: means 2 and 3, xx 10, xy 8, yy 10.
        let pairs = [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0), (3.0, 5.0), (4.0, 4.0)];
        let line = PairSums::of(pairs).line().expect("a line");
        for (ours, golden) in
            [(line.a, 0.8), (line.b, 1.4), (line.sigma, (3.6f64 / 3.0).sqrt()), (line.r2, 0.64)]
        {
            assert!((ours - golden).abs() < 1e-9, "{ours} {golden}");
        }
        assert_eq!(PairSums::of([(1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]).line(), None);
    }

    #[test]
    fn the_interval_of_a_line_holds_its_slope() {
        let mut rng = fastrand::Rng::with_seed(5);
        let groups: Vec<PairSums> = (0..50)
            .map(|_| {
                PairSums::of((0..20).map(|_| {
                    let x = rng.f64() * 10.0;
                    (x, 0.5 * x + rng.f64())
                }))
            })
            .collect();
        let sums = groups.iter().fold(PairSums::default(), |all, group| all.plus(group));
        let slope = sums.line().expect("a line").a;
        let (low, high) = bootstrap_line(&groups, 200, 1, |line| line.a).expect("an interval");
        assert!(low < slope && slope < high && high - low < 0.05, "{low} {slope} {high}");
    }

    #[test]
    fn golden_numbers() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[1.0, 4.0, 16.0]).expect("positive") - 4.0).abs() < 1e-12);
        assert!(
            (deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).expect("a sample")
                - 2.138_089_935)
                .abs()
                < 1e-6
        );
    }

    #[test]
    fn the_interval_holds_the_mean_and_is_repeatable() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i % 17)).collect();
        let mean = |v: &[f64]| Some(v.iter().sum::<f64>() / v.len() as f64);
        let (low, high) = bootstrap(&values, 400, 1, mean).expect("an interval");
        let centre = mean(&values).expect("a mean");
        assert!(low < centre && centre < high && high - low < 3.0);
        assert_eq!(bootstrap(&values, 400, 1, mean), Some((low, high)));
    }
}
