//! What keeps coefficients small: M1, M2 and Hoki's constraint, as pure functions.
//!
//! Paper: Matsui et al. 2008, section 2.3. M1 holds back positional value beyond a barrier that
//! rises with progress; M2 holds back features that have few samples. Settled where the paper is
//! silent: M1 is applied to every position that contributes, once for each feature it has; a
//! feature without samples has the coefficient 0.

use crate::config::Config;

/// M1's common factor for one position, tanh(Penalty / C) / Barrier, or 0 inside the barrier.
pub fn m1_factor(config: &Config, positional: f64, progress: f64) -> f64 {
    let barrier = config.a * progress + config.b;
    let penalty = positional.abs() - barrier;
    if penalty > 0.0 { libm::tanh(penalty / config.c) / barrier } else { 0.0 }
}

/// Whether a feature's contribution has the sign of the positional value, so that M1 concerns it.
#[inline]
pub fn m1_concerns(contribution: f64, positional_is_positive: bool) -> bool {
    if positional_is_positive { contribution > 0.0 } else { contribution < 0.0 }
}

/// M2: P * coefficient / samples. A feature without samples is not moved at all.
pub fn m2(config: &Config, coefficient: f64, samples: u64) -> f64 {
    if samples == 0 { 0.0 } else { config.p * coefficient / samples as f64 }
}

/// Hoki's pull for a number of record positions.
pub fn hoki(config: &Config, coefficient: f64, positions: u64) -> f64 {
    if coefficient == 0.0 { 0.0 } else { config.hoki * positions as f64 * coefficient.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config { a: 400.0, b: 100.0, c: 50.0, p: 3.0, hoki: 0.25, ..Config::default() }
    }

    #[test]
    fn m1_by_hand() {
        // Barrier 400 * 0.5 + 100 = 300; penalty 350 - 300 = 50; tanh(50 / 50) = 0.76159.
        let factor = m1_factor(&config(), -350.0, 0.5);
        assert!((factor - 0.761_594_155_955_764_9 / 300.0).abs() < 1e-15);
        assert_eq!(m1_factor(&config(), 300.0, 0.5), 0.0);
        assert_eq!(m1_factor(&config(), 120.0, 0.05), 0.0);
        assert!(m1_factor(&config(), 120.0, 0.0) > 0.0, "the opening is held tighter");
        assert!(m1_concerns(3.0, true) && m1_concerns(-3.0, false));
        assert!(!m1_concerns(-3.0, true) && !m1_concerns(0.0, true) && !m1_concerns(0.0, false));
    }

    #[test]
    fn m2_and_hoki_by_hand() {
        assert_eq!(m2(&config(), 20.0, 6), 10.0);
        assert_eq!(m2(&config(), -20.0, 60), -1.0);
        assert_eq!(m2(&config(), 20.0, 0), 0.0);
        assert_eq!(hoki(&config(), -7.0, 8), -2.0);
        assert_eq!(hoki(&config(), 0.0, 8), 0.0);
    }
}
