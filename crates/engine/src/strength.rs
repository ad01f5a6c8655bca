//! Levels: weaker play that loses like people lose.
//!
//! A level below the highest thinks about fewer moves, for fewer nodes, and does not always say
//! the best move from the nearly best. The moves it thinks about are drawn by how likely a person
//! plays them (the [`policy`](crate::eval::policy)), at a temperature: the weaker the level, the
//! more often something unlikely comes to mind instead of the move that fits. Among the best that
//! the search then leaves, likely moves are again preferred. So a weak level overlooks the quiet
//! drop and the sacrifice, as a beginner does, but takes back what was taken.
//!
//! Chance comes from the position and a seed alone: the same game is played the same way again.
//! The ladder as measured is in `docs/levels.md`.

use crate::eval::policy::Policy;
use crate::search::RootMove;
use crate::search::limits::Limits;
use crate::value::{INFINITE, Value};
use yomikiri_shogi::{Move, Position};

/// How strong to play, and where chance begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// From 1, a beginner, to [`FULL`], everything the engine can.
    pub number: u8,
    /// Other numbers make other games.
    pub seed: u32,
}

/// The highest level, which nothing restrains.
pub const FULL: u8 = 15;

impl Default for Level {
    fn default() -> Level {
        Level { number: FULL, seed: 0 }
    }
}

/// What restrains a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Restraint {
    /// How many moves are thought about.
    pub candidates: usize,
    /// Most nodes for a move.
    pub nodes: u64,
    /// Among how many of the best the choice is made.
    pub lines: usize,
    /// A move that looks worse by this many hundredths of a pawn is chosen 1/e times as often.
    pub blur: f64,
    /// At 1 moves come to mind as often as people play them; above 1 unlikely ones more often.
    pub temperature: f64,
}

/// Level 1 first.
const RESTRAINTS: [Restraint; FULL as usize - 1] = [
    restraint(3, 10, 3, 250.0, 2.5),
    restraint(4, 22, 3, 200.0, 2.2),
    restraint(5, 32, 3, 170.0, 2.0),
    restraint(6, 45, 3, 145.0, 1.8),
    restraint(8, 80, 3, 120.0, 1.6),
    restraint(10, 130, 3, 100.0, 1.4),
    restraint(13, 220, 3, 78.0, 1.3),
    restraint(15, 330, 3, 68.0, 1.2),
    restraint(18, 500, 3, 60.0, 1.1),
    restraint(24, 1_000, 3, 48.0, 1.0),
    restraint(32, 2_500, 2, 32.0, 1.0),
    restraint(45, 7_000, 2, 20.0, 1.0),
    restraint(60, 20_000, 2, 12.0, 1.0),
    restraint(90, 80_000, 2, 6.0, 1.0),
];

const fn restraint(
    candidates: usize,
    nodes: u64,
    lines: usize,
    blur: f64,
    temperature: f64,
) -> Restraint {
    Restraint { candidates, nodes, lines, blur, temperature }
}

impl Level {
    /// What restrains the level; nothing restrains the highest.
    pub fn restraint(self) -> Option<&'static Restraint> {
        usize::from(self.number).checked_sub(1).and_then(|index| RESTRAINTS.get(index))
    }

    /// The given limits, within what the level sees. Moves given by name (`searchmoves`) stay.
    pub fn narrow(self, position: &Position, limits: Limits) -> Limits {
        let Some(restraint) = self.restraint() else { return limits };
        let nodes = limits.nodes.map_or(restraint.nodes, |asked| asked.min(restraint.nodes));
        let search_moves = match limits.search_moves.is_empty() {
            true => self.candidates(position, restraint),
            false => limits.search_moves,
        };
        Limits { nodes: Some(nodes), search_moves, ..limits }
    }

    /// How many lines the search must give for the choice.
    pub fn lines(self, asked: usize) -> usize {
        self.restraint().map_or(asked, |restraint| asked.max(restraint.lines))
    }

    /// Puts the move that the level plays first.
    pub fn choose(self, position: &Position, mut lines: Vec<RootMove>) -> Vec<RootMove> {
        let Some(restraint) = self.restraint() else { return lines };
        let value = |root: &RootMove| root.value.max(root.previous);
        let searched: Vec<Value> = lines
            .iter()
            .take(restraint.lines)
            .map(value)
            .take_while(|&value| value > -INFINITE)
            .collect();
        let Some(&best) = searched.iter().max() else { return lines };
        let likely = Policy::embedded().probabilities(position, restraint.temperature);
        let chance_of = |mv: Move| likely.iter().find(|one| one.0 == mv).map_or(0.0, |one| one.1);
        let weights: Vec<f64> = searched
            .iter()
            .zip(&lines)
            .map(|(&value, line)| {
                libm::exp(f64::from(value - best) / restraint.blur) * chance_of(line.mv)
            })
            .collect();
        let mut point = self.chance(position, 1).unit() * weights.iter().sum::<f64>();
        let chosen = weights.iter().position(|&weight| {
            point -= weight;
            point <= 0.0
        });
        if let Some(chosen) = chosen {
            lines[..=chosen].rotate_right(1);
            // The last iteration may have been broken off before it came to this move.
            lines[0].value = value(&lines[0]);
        }
        lines
    }

    /// The moves that come to mind: drawn without putting back, likely moves more often.
    fn candidates(self, position: &Position, restraint: &Restraint) -> Vec<Move> {
        let likely = Policy::embedded().probabilities(position, restraint.temperature);
        if likely.len() <= restraint.candidates {
            return Vec::new();
        }
        let mut chance = self.chance(position, 0);
        // An exponential waiting time at a rate for each: the first to come are such a draw.
        let mut waiting: Vec<(f64, Move)> = likely
            .into_iter()
            .map(|(mv, rate)| (-libm::log(chance.unit()) / rate.max(f64::MIN_POSITIVE), mv))
            .collect();
        waiting.sort_by(|a, b| a.0.total_cmp(&b.0));
        waiting.into_iter().take(restraint.candidates).map(|(_, mv)| mv).collect()
    }

    fn chance(self, position: &Position, purpose: u64) -> Chance {
        let place = position.key() ^ u64::from(position.move_number()).rotate_left(32);
        Chance(place ^ u64::from(self.seed).rotate_left(16) ^ purpose)
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): ours, so that no other version of a library changes
/// the games.
struct Chance(u64);

impl Chance {
    /// Above 0, at most 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(number: u8, seed: u32) -> Level {
        Level { number, seed }
    }

    fn searched(moves: &[(&str, Value)]) -> Vec<RootMove> {
        moves
            .iter()
            .map(|(text, value)| RootMove::of_line(vec![text.parse().unwrap()], *value))
            .collect()
    }

    #[test]
    fn the_highest_level_is_not_restrained() {
        let limits = Limits { depth: Some(3), ..Limits::default() };
        assert_eq!(Level::default().narrow(&Position::start(), limits.clone()), limits);
        assert_eq!(Level::default().lines(1), 1);
    }

    #[test]
    fn each_level_sees_more_than_the_one_below() {
        for pair in RESTRAINTS.windows(2) {
            assert!(pair[0].candidates < pair[1].candidates && pair[0].nodes < pair[1].nodes);
            assert!(pair[0].blur > pair[1].blur);
            assert!(pair[0].temperature >= pair[1].temperature);
        }
    }

    #[test]
    fn candidates_are_legal_moves_drawn_by_likelihood_and_repeatable() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d 8h2b+").unwrap();
        let recapture: Move = "3a2b".parse().unwrap();
        let mut with_recapture = 0;
        for seed in 0..200 {
            let limits = level(3, seed).narrow(&position, Limits::default());
            assert_eq!(limits, level(3, seed).narrow(&position, Limits::default()));
            assert_eq!(limits.search_moves.len(), 5);
            assert!(limits.search_moves.iter().all(|&mv| position.is_legal(mv)));
            with_recapture += u32::from(limits.search_moves.contains(&recapture));
        }
        // Five of thirty moves by pure chance would find it 33 times.
        assert!(with_recapture > 120, "{with_recapture}");
    }

    #[test]
    fn a_clearly_best_move_is_chosen_and_near_ones_are_mixed() {
        let position = Position::start();
        let first = |values: [Value; 2], seed: u32| {
            let lines = searched(&[("7g7f", values[0]), ("2g2f", values[1])]);
            level(6, seed).choose(&position, lines)[0].mv.to_string()
        };
        let count = |values| (0..200).filter(|&seed| first(values, seed) == "7g7f").count();
        assert_eq!(count([0, -30_000]), 200);
        // Both are usual openings, so that each is chosen now and then.
        let mixed = count([0, 0]);
        assert!((30..170).contains(&mixed), "{mixed}");
        assert!(count([0, -80]) > mixed);
    }

    #[test]
    fn moves_that_were_not_searched_are_not_chosen() {
        let lines = searched(&[("7g7f", 10), ("2g2f", -INFINITE)]);
        for seed in 0..50 {
            let chosen = level(1, seed).choose(&Position::start(), lines.clone());
            assert_eq!(chosen[0].mv.to_string(), "7g7f");
        }
    }
}
