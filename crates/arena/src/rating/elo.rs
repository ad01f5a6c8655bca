//! The Elo scale and the normal distribution.

/// Elo points for each natural-logarithm unit of the odds: 400 / ln 10.
pub const ELO_PER_LOGIT: f64 = 400.0 / core::f64::consts::LN_10;

/// The Elo difference of a score from 0 to 1 a game; infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    ELO_PER_LOGIT * (score / (1.0 - score)).ln()
}

/// The expected score of a player who is this many Elo points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// The probability that a standard normal variable is less than `x`.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2)
}

/// The probability that something estimated as `value` with a standard error lies below `limit`.
/// With no error at all it is 0, 1/2 or 1.
pub fn likelihood_below(limit: f64, value: f64, error: f64) -> f64 {
    let distance = limit - value;
    if error > 0.0 {
        normal_cdf(distance / error)
    } else if distance == 0.0 {
        0.5
    } else {
        f64::from(u8::from(distance > 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{elo_of_score, likelihood_below, normal_cdf, score_of_elo};

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
    }

    #[test]
    fn golden_elo() {
        close(elo_of_score(0.5), 0.0, 1e-12);
        close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
        close(elo_of_score(0.75), 190.848_501_887_864_97, 1e-9);
        close(score_of_elo(-200.0), 0.240_253_073_352_041_5, 1e-12);
        for elo in [-700.0, -3.5, 0.0, 12.0, 800.0] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-8);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn golden_normal() {
        close(normal_cdf(0.0), 0.5, 1e-15);
        close(normal_cdf(1.959_963_984_540_054), 0.975, 1e-12);
        close(normal_cdf(-3.0), 0.001_349_898_031_630_094_6, 1e-15);
        close(likelihood_below(0.0, 1.0, 0.0), 0.0, 1e-15);
        close(likelihood_below(0.0, 0.0, 0.0), 0.5, 1e-15);
    }
}
