//! Simultaneous perturbation: the pure arithmetic of the tuner.
//!
//! Paper: Spall 1998. In step k every parameter moves up or down at once by `c_k`, by a coin of its
//! own; games between the two settings say which side was better, and every parameter moves towards
//! its place on that side by `a_k / c_k` times the surplus. As in the testing framework of
//! Stockfish, `c` ends at the step that a parameter declares, and `a` at `rate` times its square.

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// The least value it takes.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// How far the two settings of the last step lie from its value.
    pub step: f64,
}

/// How the moves shrink.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// How many steps there are.
    pub steps: usize,
    /// What a won pair of games moves at the end, as a share of the step.
    pub rate: f64,
}

/// Spall's exponents.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// So large a part of all steps is added to their number, so that the first are not too wild.
const STABILITY: f64 = 0.1;
/// Values are whole numbers: two settings closer than this would often be the same.
const LEAST_DISTANCE: f64 = 0.5;

impl Gains {
    /// How far both settings of a step (from 0) lie from a parameter's value.
    pub fn distance(&self, tunable: &Tunable, step: usize) -> f64 {
        let ratio = self.steps.max(1) as f64 / (step + 1) as f64;
        (tunable.step * ratio.powf(GAMMA)).max(LEAST_DISTANCE)
    }

    /// How far a surplus of one game moves a parameter in a step, as a share of the distance.
    fn pull(&self, tunable: &Tunable, step: usize) -> f64 {
        let stability = STABILITY * self.steps as f64;
        let ratio = (stability + self.steps as f64) / (stability + step as f64 + 1.0);
        let gain = self.rate * tunable.step.powi(2) * ratio.powf(ALPHA);
        gain / self.distance(tunable, step).powi(2)
    }
}

/// The two settings of a step.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbation {
    /// Which way each parameter went.
    pub signs: Vec<f64>,
    /// The whole numbers of the first setting.
    pub plus: Vec<i32>,
    /// And of the second.
    pub minus: Vec<i32>,
}

/// The settings of a step around the values; the same seed and step give the same.
pub fn perturb(
    tunables: &[Tunable],
    values: &[f64],
    gains: &Gains,
    step: usize,
    seed: u64,
) -> Perturbation {
    let mut random = fastrand::Rng::with_seed(seed ^ (step as u64).wrapping_mul(0x9e37_79b9));
    let signs: Vec<f64> = tunables.iter().map(|_| if random.bool() { 1.0 } else { -1.0 }).collect();
    let setting = |side: f64| {
        let parts = tunables.iter().zip(values).zip(&signs);
        parts
            .map(|((tunable, value), sign)| {
                let moved = value + side * sign * gains.distance(tunable, step);
                moved.clamp(tunable.min, tunable.max).round() as i32
            })
            .collect()
    };
    Perturbation { plus: setting(1.0), minus: setting(-1.0), signs }
}

/// Moves the values by the outcome of a step: games won less games lost by the first setting.
pub fn update(
    tunables: &[Tunable],
    values: &mut [f64],
    gains: &Gains,
    step: usize,
    perturbation: &Perturbation,
    surplus: i32,
) {
    for ((tunable, value), sign) in tunables.iter().zip(values).zip(&perturbation.signs) {
        let distance = gains.distance(tunable, step);
        let moved = *value + gains.pull(tunable, step) * distance * sign * f64::from(surplus);
        *value = moved.clamp(tunable.min, tunable.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunables() -> Vec<Tunable> {
        let tunable = |name: &str, start, min, max, step| Tunable {
            name: name.to_string(),
            start,
            min,
            max,
            step,
        };
        vec![tunable("a", 100.0, 0.0, 500.0, 10.0), tunable("b", 3.0, 0.0, 6.0, 1.0)]
    }

    #[test]
    fn both_settings_lie_around_the_values_and_within_the_range() {
        let tunables = tunables();
        let gains = Gains { steps: 50, rate: 0.02 };
        for step in 0..50 {
            let values = [100.0, 5.9];
            let Perturbation { plus, minus, signs } = perturb(&tunables, &values, &gains, step, 7);
            assert_eq!((plus[0] + minus[0]) / 2, 100);
            assert!((plus[0] - minus[0]).abs() >= 20 && (plus[0] > minus[0]) == (signs[0] > 0.0));
            assert!(plus[1] <= 6 && minus[1] <= 6 && plus[1] != minus[1]);
            assert_eq!(perturb(&tunables, &values, &gains, step, 7).plus, plus);
        }
    }

    #[test]
    fn a_lost_step_moves_the_other_way_and_never_out_of_the_range() {
        let tunables = tunables();
        let gains = Gains { steps: 50, rate: 0.02 };
        let perturbation = perturb(&tunables, &[100.0, 3.0], &gains, 4, 1);
        let moved = |surplus| {
            let mut values = vec![100.0, 3.0];
            update(&tunables, &mut values, &gains, 4, &perturbation, surplus);
            values
        };
        let (won, lost) = (moved(3), moved(-3));
        assert!((won[0] + lost[0] - 200.0).abs() < 1e-9 && won[0] != 100.0);
        assert_eq!(moved(0), [100.0, 3.0]);
        let far = moved(1_000_000);
        assert!((0.0..=500.0).contains(&far[0]) && (0.0..=6.0).contains(&far[1]));
    }

    #[test]
    fn distances_shrink_to_the_declared_step() {
        let gains = Gains { steps: 1000, rate: 0.002 };
        let [a, _] = &tunables()[..] else { panic!("two") };
        assert!(gains.distance(a, 0) > 19.0);
        assert!((gains.distance(a, 999) - 10.0).abs() < 1e-9);
        assert!(gains.pull(a, 0) > 0.0 && (gains.pull(a, 999) - 0.002).abs() < 1e-9);
    }
}
