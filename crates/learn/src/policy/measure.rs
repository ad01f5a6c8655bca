//! How well probabilities of moves predict what was played, on games that were not learned from.

use crate::agreement::phase;
use crate::dataset::TrainingGame;
use core::ops::ControlFlow;
use yomikiri_engine::category::{self, COUNT};
use yomikiri_eval::policy::Policy;
use yomikiri_eval::stage::hand_made;
use yomikiri_shogi::{Move, Position};

/// Sums over positions with two legal moves or more.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PolicyFit {
    /// Positions.
    pub positions: u64,
    /// Sum of the logarithmic losses, in nats.
    pub loss: f64,
    /// Positions where the move played was the likeliest, and among the five likeliest; moves that
    /// are equally likely share.
    pub hits: [f64; 2],
}

impl PolicyFit {
    /// Counts a position: the probabilities of its moves, and the place of the one played.
    pub fn add(&mut self, chances: &[f64], played: usize) {
        let chance = chances[played];
        let better = chances.iter().filter(|&&other| other > chance).count();
        let equal = chances.iter().filter(|&&other| other == chance).count();
        for (sum, places) in self.hits.iter_mut().zip([1, 5]) {
            let room = (places as f64 - better as f64) / equal as f64;
            *sum += room.clamp(0.0, 1.0);
        }
        self.loss -= libm::log(chance.max(1e-12));
        self.positions += 1;
    }

    fn join(&mut self, other: &PolicyFit) {
        self.positions += other.positions;
        self.loss += other.loss;
        for (sum, more) in self.hits.iter_mut().zip(other.hits) {
            *sum += more;
        }
    }

    /// Mean loss in nats.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }

    /// Per cent of the positions where the move played was the likeliest, and among five.
    pub fn per_cent(&self) -> [f64; 2] {
        self.hits.map(|sum| 100.0 * sum / self.positions.max(1) as f64)
    }
}

/// The policy and the categories on one game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PolicyPair {
    /// The policy.
    pub policy: PolicyFit,
    /// The categories of realization probability.
    pub categories: PolicyFit,
    /// The policy by thirds of the game.
    pub phases: [PolicyFit; 3],
}

/// Measures both on games, one result for each. The callback runs after each game; breaking off
/// ends the measurement with what there is.
pub fn measure(
    games: &[&TrainingGame],
    policy: &mut Policy,
    table: &[u32; COUNT],
    report: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Vec<PolicyPair> {
    let mut found = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let mut pair = PolicyPair::default();
        let mut position = game.start.clone();
        for &played in &game.moves {
            add(&mut pair, &position, played, policy, table);
            position.play(played);
        }
        found.push(pair);
        if report(index + 1).is_break() {
            break;
        }
    }
    found
}

fn add(
    pair: &mut PolicyPair,
    position: &Position,
    played: Move,
    policy: &mut Policy,
    table: &[u32; COUNT],
) {
    let moves = policy.probabilities(position, 1.0);
    let place = moves.iter().position(|one| one.0 == played);
    let Some(place) = place.filter(|_| moves.len() > 1) else { return };
    let chances: Vec<f64> = moves.iter().map(|one| one.1).collect();
    pair.policy.add(&chances, place);
    pair.phases[phase(hand_made(position)) as usize].add(&chances, place);
    let shares = category::shares(position, table);
    let sum: f64 = shares.iter().map(|one| one.1).sum();
    let chances: Vec<f64> = shares.iter().map(|one| one.1 / sum).collect();
    pair.categories.add(&chances, place);
}

/// All games together.
pub fn total(pairs: &[PolicyPair]) -> PolicyPair {
    let mut sum = PolicyPair::default();
    for pair in pairs {
        sum.policy.join(&pair.policy);
        sum.categories.join(&pair.categories);
        for (phase, more) in sum.phases.iter_mut().zip(&pair.phases) {
            phase.join(more);
        }
    }
    sum
}

/// A difference and where it lies with 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedDifference {
    /// As measured.
    pub mean: f64,
    /// The interval.
    pub low: f64,
    /// The interval.
    pub high: f64,
}

/// By how much the policy's mean loss is below that of the categories: games are drawn anew with
/// putting back (bootstrap of the paired games).
pub fn loss_difference(pairs: &[PolicyPair], resamples: usize, seed: u64) -> PairedDifference {
    let mut random = fastrand::Rng::with_seed(seed);
    let difference = |pairs: &mut dyn Iterator<Item = &PolicyPair>| {
        let mut sums = [0.0; 2];
        for pair in pairs {
            sums[0] += pair.categories.loss - pair.policy.loss;
            sums[1] += pair.policy.positions as f64;
        }
        sums[0] / f64::max(sums[1], 1.0)
    };
    let mean = difference(&mut pairs.iter());
    let mut drawn: Vec<f64> = (0..resamples)
        .map(|_| difference(&mut (0..pairs.len()).map(|_| &pairs[random.usize(..pairs.len())])))
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * drawn.len() as f64) as usize;
        drawn.get(place.min(drawn.len().saturating_sub(1))).copied().unwrap_or(mean)
    };
    PairedDifference { mean, low: at(0.025), high: at(0.975) }
}

/// Resamples of the bootstrap that the text reports.
const RESAMPLES: usize = 2_000;

/// The fit of the policy by phase of the game and in all, of the categories, and the difference.
#[must_use]
pub fn to_text(pairs: &[PolicyPair]) -> String {
    let all = total(pairs);
    let line = |name: &str, fit: &PolicyFit| {
        let [first, five] = fit.per_cent();
        let (loss, positions) = (fit.mean_loss(), fit.positions);
        format!("{name:<12} loss {loss:.4} top1 {first:.2} top5 {five:.2} positions {positions}\n")
    };
    let phases = ["opening", "middle game", "endgame"].iter().zip(&all.phases);
    let mut text: String = phases.map(|(name, fit)| line(name, fit)).collect();
    text += &line("policy", &all.policy);
    text += &line("categories", &all.categories);
    let found = loss_difference(pairs, RESAMPLES, 1);
    text + &format!(
        "loss of the categories less that of the policy: {:.4} [{:.4}, {:.4}] over {} games\n",
        found.mean,
        found.low,
        found.high,
        pairs.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    #[test]
    fn hits_are_shared_by_moves_that_are_equally_likely() {
        let mut fit = PolicyFit::default();
        fit.add(&[0.5, 0.25, 0.25], 0);
        fit.add(&[0.4, 0.4, 0.2], 1);
        fit.add(&[0.1; 10], 3);
        assert!((fit.hits[0] - 1.6).abs() < 1e-9, "{:?}", fit.hits);
        assert!((fit.hits[1] - 2.5).abs() < 1e-9, "{:?}", fit.hits);
        assert!((fit.loss + libm::log(0.5 * 0.4 * 0.1)).abs() < 1e-9);
    }

    #[test]
    fn both_are_measured_on_the_same_positions() {
        let mut dataset = Dataset::default();
        dataset.add_text("startpos moves 7g7f 3c3d 8h2b+ 3a2b\tB\nstartpos moves 2g2f 8c8d\tW\n");
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let pairs = measure(&games, &mut Policy::embedded(), &category::DEFAULT, &mut |_| {
            ControlFlow::Continue(())
        });
        let all = total(&pairs);
        assert_eq!((all.policy.positions, all.categories.positions), (6, 6));
        assert_eq!(all.phases.iter().map(|fit| fit.positions).sum::<u64>(), 6);
        let found = loss_difference(&pairs, 200, 1);
        assert!(found.low <= found.mean && found.mean <= found.high);
        assert!((found.mean * 6.0 - (all.categories.loss - all.policy.loss)).abs() < 1e-9);
    }
}
