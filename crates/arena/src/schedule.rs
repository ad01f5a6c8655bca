//! Who plays whom, from which opening, with which colour: a list made from the settings alone.

use serde::{Deserialize, Serialize};

/// Which players meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first player plays each of the others.
    Gauntlet,
}

/// One game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0. Games `2n` and `2n + 1` are a pair: the same opening and players,
    /// colours swapped.
    pub number: usize,
    /// The player with the black pieces.
    pub black: usize,
    /// The player with the white pieces.
    pub white: usize,
    /// The opening's index in the file.
    pub opening: usize,
}

/// The games of a match: in each round every two players that meet play a pair from the round's
/// opening. Openings come in an order shuffled by the seed, each once before any comes again.
pub fn schedule(
    format: TournamentFormat,
    players: usize,
    rounds: usize,
    openings: usize,
    seed: u64,
) -> Vec<Fixture> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut order: Vec<usize> = (0..openings).collect();
    let meetings: Vec<(usize, usize)> = match format {
        TournamentFormat::RoundRobin => {
            (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect()
        }
        TournamentFormat::Gauntlet => (1..players).map(|b| (0, b)).collect(),
    };
    let mut games = Vec::with_capacity(2 * rounds * meetings.len());
    for round in 0..rounds {
        if round % openings == 0 {
            random.shuffle(&mut order);
        }
        let opening = order[round % openings];
        for &(a, b) in &meetings {
            for (black, white) in [(a, b), (b, a)] {
                games.push(Fixture { number: games.len(), black, white, opening });
            }
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::{TournamentFormat, schedule};

    #[test]
    fn pairs_share_opening_and_players() {
        let games = schedule(TournamentFormat::RoundRobin, 4, 10, 3, 7);
        assert_eq!(games.len(), 10 * 6 * 2);
        for pair in games.chunks(2) {
            assert_eq!((pair[0].black, pair[0].white), (pair[1].white, pair[1].black));
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(pair[1].number, pair[0].number + 1);
        }
        assert_eq!(games, schedule(TournamentFormat::RoundRobin, 4, 10, 3, 7));
    }

    #[test]
    fn a_longer_match_begins_like_a_shorter_one() {
        let short = schedule(TournamentFormat::Gauntlet, 3, 4, 100, 1);
        let long = schedule(TournamentFormat::Gauntlet, 3, 40, 100, 1);
        assert_eq!(short[..], long[..short.len()]);
        assert!(short.iter().all(|game| game.black == 0 || game.white == 0));
    }

    #[test]
    fn every_opening_comes_before_any_comes_again() {
        let games = schedule(TournamentFormat::RoundRobin, 2, 10, 5, 3);
        let mut first: Vec<usize> = games[..10].iter().step_by(2).map(|g| g.opening).collect();
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2, 3, 4]);
    }
}
