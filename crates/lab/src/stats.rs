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

#[cfg(test)]
mod tests {
    use super::{bootstrap, deviation, geometric_mean};

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
