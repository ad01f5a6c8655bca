//! Games between two settings of the search, inside this program: pairs from one opening with
//! colours swapped, each pair a unit of work that can be repeated.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_play::rules::ResignRule;
use yomikiri_play::{Decision, Game, MoveInfo, Rules};
use yomikiri_shogi::{Color, Position};
use yomikiri_usi::Setup;

use crate::searcher::{LabSearcher, SearcherFactory};
use yomikiri_arena::rating::{Encounter, PairCounts};

/// One side of a match.
#[derive(Clone, Debug)]
pub struct SelfPlayer {
    /// What tables call it.
    pub name: String,
    /// Its evaluation.
    pub evaluator: EvaluationKind,
    /// Its search.
    pub params: SearchParams,
    /// How ProbCut predicts.
    pub model: QuiescenceModel,
    /// How much it may search for a move.
    pub limits: Limits,
}

/// Two games from one opening.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GamePair {
    /// Half points of the first player, 0 to 4.
    pub half_points: usize,
    /// Games won, drawn and lost by the first player.
    pub games: [u64; 3],
    /// Moves of each player.
    pub moves: [u64; 2],
    /// Nodes of each player.
    pub nodes: [u64; 2],
    /// Microseconds of each player.
    pub micros: [u64; 2],
}

/// Megabytes of each player's table: searches here are short.
const TABLE: usize = 4;

/// Lost games are given up when both sides see it, long ones are drawn.
pub fn rules() -> Rules {
    Rules {
        maximum_moves: 320,
        resign: Some(ResignRule { score: 2500, moves: 3 }),
        ..Rules::default()
    }
}

/// Plays the opening twice, the first player first with black.
pub fn play_pair(
    searchers: &SearcherFactory,
    players: [&SelfPlayer; 2],
    opening: &Setup,
) -> GamePair {
    play_pair_of([searchers, searchers], players, opening)
}

/// The same for players whose learned evaluations have weights of their own.
pub fn play_pair_of(
    searchers: [&SearcherFactory; 2],
    players: [&SelfPlayer; 2],
    opening: &Setup,
) -> GamePair {
    let mut configured = [0, 1].map(|side| {
        let player = players[side];
        let mut searcher = searchers[side].make(player.evaluator, TABLE);
        searcher.configure(&player.params, &player.model);
        searcher
    });
    let mut pair =
        GamePair { half_points: 0, games: [0; 3], moves: [0; 2], nodes: [0; 2], micros: [0; 2] };
    for black in [0, 1] {
        configured.iter_mut().for_each(|searcher| searcher.forget());
        let winner = play_game(&mut configured, players, black, opening, &mut pair);
        let result = match winner {
            Some(0) => 0,
            None => 1,
            Some(_) => 2,
        };
        pair.games[result] += 1;
        pair.half_points += 2 - result;
    }
    pair
}

/// One game; the index of the winner.
fn play_game(
    configured: &mut [Box<dyn LabSearcher>; 2],
    players: [&SelfPlayer; 2],
    black: usize,
    opening: &Setup,
    pair: &mut GamePair,
) -> Option<usize> {
    let seat = |color: Color| if color == Color::Black { black } else { 1 - black };
    let start = opening.start_position().unwrap_or_else(|_| Position::start());
    let mut game = Game::new(start, &opening.moves, rules());
    while let Some(side) = game.turn() {
        let mover = seat(side);
        let started = Instant::now();
        let found = configured[mover].search(game.position(), &players[mover].limits, 1);
        let elapsed = started.elapsed();
        pair.micros[mover] += u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        pair.nodes[mover] += found.nodes;
        pair.moves[mover] += 1;
        let info = MoveInfo { score: Some(found.value), nodes: Some(found.nodes) };
        let decision = found.best.first().map_or(Decision::Resign, |&mv| Decision::Move(mv, info));
        game.apply(decision, elapsed);
    }
    game.winner().map(seat)
}

/// The counts of pairs, from the first player's view.
pub fn pair_counts(pairs: &[GamePair]) -> PairCounts {
    let mut counts = PairCounts::default();
    pairs.iter().for_each(|pair| counts.add(pair.half_points));
    counts
}

/// Games won, drawn and lost by the first player.
pub fn games(pairs: &[GamePair]) -> [u64; 3] {
    pairs.iter().fold([0; 3], |sum, pair| core::array::from_fn(|i| sum[i] + pair.games[i]))
}

/// A pair as the ratings take it.
pub fn encounter(first: usize, second: usize, pair: &GamePair) -> Encounter {
    Encounter { first, second, points: pair.half_points as f64 / 2.0, games: 2.0 }
}

#[cfg(test)]
mod tests {
    use super::{
        EvaluationKind, Limits, QuiescenceModel, SearcherFactory, SelfPlayer, games, play_pair,
    };
    use crate::searcher::plain;
    use yomikiri_engine::settings::search::Driver;

    #[test]
    fn two_plies_beat_one_and_games_repeat_themselves() {
        let searchers = SearcherFactory::default();
        let player = |depth| SelfPlayer {
            name: format!("depth {depth}"),
            evaluator: EvaluationKind::Material,
            params: plain().with(|params| params.driver.method = Driver::AlphaBeta),
            model: QuiescenceModel::default(),
            limits: Limits { depth: Some(depth), ..Limits::default() },
        };
        let (deep, shallow) = (player(2), player(1));
        let opening = "startpos moves 7g7f 3c3d".parse().expect("an opening");
        let play = || play_pair(&searchers, [&deep, &shallow], &opening);
        let first = play();
        assert_eq!(games(std::slice::from_ref(&first)).iter().sum::<u64>(), 2);
        assert!(first.half_points >= 2 && first.nodes[0] > first.nodes[1]);
        assert_eq!(play().nodes, first.nodes);
    }
}
