//! The table of a match, from its games alone.

use crate::rating::{Encounter, PairCounts};
use crate::record::GameRecord;
use crate::sprt::{Sprt, SprtVerdict};
use std::collections::BTreeMap;
use yomikiri_shogi::Color;

/// What a player has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StandingsRow {
    /// Its name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by a fault, by what it was.
    pub faults: BTreeMap<&'static str, u64>,
    /// Moves made.
    pub moves: u64,
    /// Moves for which it reported its nodes, and their sum.
    pub nodes: (u64, u64),
    /// Microseconds for all moves.
    pub micros: u64,
}

impl StandingsRow {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Half points made.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points per game.
    pub fn score(&self) -> f64 {
        self.half_points() as f64 / (2 * self.games()) as f64
    }

    /// Nodes for a move, where it reported them.
    pub fn nodes_per_move(&self) -> Option<f64> {
        (self.nodes.0 > 0).then(|| self.nodes.1 as f64 / self.nodes.0 as f64)
    }

    /// Milliseconds for a move.
    pub fn millis_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.micros as f64 / 1000.0 / self.moves as f64)
    }
}

/// The table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standings {
    /// One row for each player, in their order.
    pub rows: Vec<StandingsRow>,
    /// The pairs between the first player and the second, as the first sees them.
    pub pairs: PairCounts,
    /// All whole pairs, for ratings.
    pub encounters: Vec<Encounter>,
    /// How many games ended how.
    pub ends: BTreeMap<&'static str, u64>,
    /// Games won by black and by white.
    pub by_color: [u64; 2],
    /// Games whose partner is not finished: black, white and black's half points.
    halves: BTreeMap<usize, (usize, usize, u8)>,
}

impl Standings {
    /// An empty table.
    pub fn new(names: &[String]) -> Standings {
        Standings {
            rows: names
                .iter()
                .map(|name| StandingsRow { name: name.clone(), ..StandingsRow::default() })
                .collect(),
            ..Standings::default()
        }
    }

    /// The table of these games.
    pub fn of<'a>(names: &[String], games: impl IntoIterator<Item = &'a GameRecord>) -> Standings {
        let mut table = Standings::new(names);
        games.into_iter().for_each(|game| table.add(game));
        table
    }

    /// Counts a game; one of players who are not in the table is passed over.
    pub fn add(&mut self, game: &GameRecord) {
        let find = |name: &String| self.rows.iter().position(|row| row.name == *name);
        let (Some(black), Some(white)) = (find(&game.black), find(&game.white)) else {
            return;
        };
        self.count(game, black, white);
        let half_points = match game.winner {
            Some(Color::Black) => 2,
            Some(Color::White) => 0,
            None => 1,
        };
        let this = (black, white, half_points);
        match self.halves.remove(&(game.number / 2)) {
            Some(partner) => self.count_pair([partner, this]),
            None => {
                self.halves.insert(game.number / 2, this);
            }
        }
    }

    fn count(&mut self, game: &GameRecord, black: usize, white: usize) {
        *self.ends.entry(game.end.name()).or_default() += 1;
        if let Some(winner) = game.winner {
            self.by_color[winner.index()] += 1;
        }
        for (player, color) in [(black, Color::Black), (white, Color::White)] {
            let row = &mut self.rows[player];
            match game.winner {
                None => row.draws += 1,
                Some(winner) if winner == color => row.wins += 1,
                Some(_) => {
                    row.losses += 1;
                    if game.end.is_fault() {
                        *row.faults.entry(game.end.name()).or_default() += 1;
                    }
                }
            }
        }
        // The opening may end with either side to move.
        let first_mover = first_mover(game);
        for (index, thought) in game.thoughts.iter().enumerate() {
            let color = if index % 2 == 0 { first_mover } else { !first_mover };
            let row = &mut self.rows[if color == Color::Black { black } else { white }];
            row.moves += 1;
            row.micros += thought.micros;
            if let Some(nodes) = thought.nodes {
                row.nodes = (row.nodes.0 + 1, row.nodes.1 + nodes);
            }
        }
    }

    fn count_pair(&mut self, pair: [(usize, usize, u8); 2]) {
        let (black, white, _) = pair[0];
        let (first, second) = (black.min(white), black.max(white));
        let of_first = |(black, _, half): (usize, usize, u8)| {
            if black == first { half } else { 2 - half }
        };
        let half_points: u8 = pair.into_iter().map(of_first).sum();
        let points = f64::from(half_points) / 2.0;
        self.encounters.push(Encounter { first, second, points, games: 2.0 });
        if (first, second) == (0, 1) {
            self.pairs.add(usize::from(half_points));
        }
    }

    /// Games lost by a fault.
    pub fn faults(&self) -> u64 {
        self.rows.iter().flat_map(|row| row.faults.values()).sum()
    }
}

/// Who made the first move after the opening.
fn first_mover(game: &GameRecord) -> Color {
    let start = game.moves.start_position().map_or(Color::Black, |start| start.side_to_move());
    if game.opening_plies.is_multiple_of(2) { start } else { !start }
}

/// The test over the pairs in the order of their numbers, up to the first that is missing. The
/// verdict then does not depend on which games happen to end sooner.
#[derive(Clone, Debug)]
pub struct OrderedTest {
    sprt: Sprt,
    first: String,
    /// The first player's half points in pairs that wait for those before them.
    waiting: BTreeMap<usize, [Option<u8>; 2]>,
    counts: PairCounts,
    verdict: SprtVerdict,
}

impl OrderedTest {
    /// A test from the view of the player named.
    pub fn new(sprt: Sprt, first: &str) -> OrderedTest {
        OrderedTest {
            sprt,
            first: first.to_string(),
            waiting: BTreeMap::new(),
            counts: PairCounts::default(),
            verdict: SprtVerdict::Continue,
        }
    }

    /// Receives a finished game. After the verdict nothing counts any more.
    pub fn add(&mut self, game: &GameRecord) {
        let half_points = match game.winner {
            None => 1,
            Some(Color::Black) => 2 * u8::from(game.black == self.first),
            Some(Color::White) => 2 * u8::from(game.white == self.first),
        };
        self.waiting.entry(game.number / 2).or_default()[game.number % 2] = Some(half_points);
        while self.verdict == SprtVerdict::Continue
            && let Some(&[Some(one), Some(other)]) = self.waiting.get(&self.pairs_used())
        {
            self.waiting.remove(&self.pairs_used());
            self.counts.add(usize::from(one + other));
            self.verdict = self.sprt.verdict(&self.counts);
        }
    }

    /// What the test has come to.
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }

    /// How many pairs, from the first on, it is based on.
    pub fn pairs_used(&self) -> usize {
        usize::try_from(self.counts.total()).unwrap_or(usize::MAX)
    }

    /// The log likelihood ratio so far.
    pub fn ratio(&self) -> f64 {
        self.sprt.log_likelihood_ratio(&self.counts)
    }

    /// What is tested.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }
}

#[cfg(test)]
mod tests {
    use super::{OrderedTest, Standings};
    use crate::rating::PairCounts;
    use crate::record::{GameRecord, Thought};
    use crate::sprt::{Sprt, SprtVerdict};
    use yomikiri_play::End;
    use yomikiri_shogi::Color;
    use yomikiri_usi::Setup;

    /// GameRecord `number` of a match between a and b; `points` are a's half points.
    fn game(number: usize, points: u8) -> GameRecord {
        let (black, white) = if number.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
        let a = if black == "a" { Color::Black } else { Color::White };
        GameRecord {
            number,
            black: black.into(),
            white: white.into(),
            moves: "startpos moves 7g7f 3c3d 2g2f".parse::<Setup>().unwrap(),
            opening_plies: 1,
            thoughts: vec![
                Thought { nodes: Some(10), micros: 1000, score: None },
                Thought { nodes: None, micros: 500, score: None },
            ],
            winner: match points {
                2 => Some(a),
                0 => Some(!a),
                _ => None,
            },
            end: if points == 0 { End::Crash } else { End::Mate },
            note: String::new(),
        }
    }

    #[test]
    fn pairs_are_counted_whatever_order_games_end_in() {
        let names = ["a".to_string(), "b".to_string()];
        let points = [2, 2, 2, 0, 1, 0, 1, 2, 0, 0];
        let mut games: Vec<GameRecord> = (0..).zip(points).map(|(n, p)| game(n, p)).collect();
        let table = Standings::of(&names, &games);
        assert_eq!(table.pairs, PairCounts([1, 1, 1, 1, 1]));
        assert_eq!((table.rows[0].wins, table.rows[0].draws, table.rows[0].losses), (4, 2, 4));
        assert_eq!(table.rows[0].faults.get("crash"), Some(&4));
        // Black has opened: white, the other player in even games, moves first.
        assert_eq!(table.rows[0].moves, 10);
        assert_eq!(table.rows[0].nodes, (5, 50));
        games.reverse();
        assert_eq!(Standings::of(&names, &games).pairs, table.pairs);
        assert_eq!(Standings::of(&names, &games[..1]).pairs.total(), 0);
    }

    #[test]
    fn the_test_waits_for_missing_pairs() {
        let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
        let mut test = OrderedTest::new(sprt, "a");
        (2..400).for_each(|number| test.add(&game(number, 2)));
        assert_eq!((test.verdict(), test.pairs_used()), (SprtVerdict::Continue, 0));
        test.add(&game(0, 0));
        test.add(&game(1, 0));
        assert_eq!(test.verdict(), SprtVerdict::AcceptH1);
        let used = test.pairs_used();
        assert!(used < 200);
        let mut in_order = OrderedTest::new(sprt, "a");
        [0, 0].into_iter().chain([2; 398]).zip(0..).for_each(|(p, n)| in_order.add(&game(n, p)));
        assert_eq!((in_order.verdict(), in_order.pairs_used()), (SprtVerdict::AcceptH1, used));
    }
}
