//! How likely a move of each category is played: counts for realization-probability search.
//!
//! Paper: Tsuruoka, Yokoyama and Chikayama 2002; the categories are those of the engine.

use crate::dataset::TrainingGame;
use yomikiri_engine::category::CategoryCounts;

pub use yomikiri_engine::category::to_text;

/// Counts over games.
pub fn count(games: &[&TrainingGame], mut report: impl FnMut(usize)) -> CategoryCounts {
    let mut counts = CategoryCounts::default();
    for (index, game) in games.iter().enumerate() {
        let mut position = game.start.clone();
        for &played in &game.moves {
            counts.add(&position, played);
            position.play(played);
        }
        report(index + 1);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;
    use yomikiri_engine::category::from_text;

    #[test]
    fn every_position_has_one_played_category() {
        let mut dataset = Dataset::default();
        dataset.add_text("startpos moves 7g7f 3c3d 8h2b+ 3a2b\tB\nstartpos moves 2g2f 8c8d\tW\n");
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let counts = count(&games, |_| {});
        assert_eq!(counts.seen.iter().map(|&(_, played)| played).sum::<u64>(), 6);
        assert!(counts.seen.iter().all(|&(possible, played)| played <= possible && possible <= 6));
        assert_eq!(from_text(&to_text(&counts)), Ok(counts.probabilities()));
    }
}
