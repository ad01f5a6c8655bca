//! A mate at the root is played to its end, and only where the rules of the game let it count.

use yomikiri_engine::search::EndRules;
use yomikiri_engine::{Engine, Limits, Score, SearchOutcome, Settings};
use yomikiri_shogi::position::EnteringKingRule;
use yomikiri_shogi::{Move, Position};

/// Several mates that lead through one another: asked anew on each move, the solver led in a
/// circle.
const CIRCLE: &str = "9/9/+N8/5S3/2B5k/9/9/9/3K3R1 b 2SLPrb4gs3n3l17p 1";
/// The checks of that circle, and its defences.
const CHECKS: [&str; 4] = ["L*1g", "1g1f", "R*1d", "1d1e"];
const ROUND: [&str; 4] = ["R*1f", "1e1f", "L*1e", "1f1e"];

fn engine(rules: EndRules) -> Engine {
    {
        let mut settings = Settings::with_hash(1);
        settings.game.rules = rules;
        Engine::new(settings).unwrap()
    }
}

fn think(engine: &mut Engine, position: &Position) -> SearchOutcome {
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    engine.think(position, &limits, &mut |_: &_| {})
}

fn mate_of(thought: &SearchOutcome) -> Option<i32> {
    match Score::from(thought.value) {
        Score::Mate(plies) => Some(plies),
        _ => None,
    }
}

/// Plays on from a position in which the engine mates, against the defences chosen. The mate must
/// come nearer with every move, in steps that leave no position behind to return to.
fn play_to_the_end(mut position: Position, mut defend: impl FnMut(&Position) -> Move) -> usize {
    let mut engine = engine(EndRules::default());
    let mut left = i32::MAX;
    let mut moves = 0;
    loop {
        let thought = think(&mut engine, &position);
        let plies = mate_of(&thought).unwrap_or_else(|| panic!("no mate: {}", position.to_sfen()));
        assert!(plies > 0 && plies <= left - 2, "{plies} after {left}: {}", position.to_sfen());
        left = plies;
        position.play(thought.best.expect("a move that mates"));
        moves += 1;
        match position.outcome(EnteringKingRule::NoEnteringKing, 0) {
            None => assert!(position.in_check()),
            Some(outcome) => {
                assert!(position.is_mate(), "{outcome:?} in {}", position.to_sfen());
                return moves;
            }
        }
        position.play(defend(&position));
        assert_eq!(position.outcome(EnteringKingRule::NoEnteringKing, 0), None);
    }
}

#[test]
fn a_mate_begun_is_not_led_in_a_circle() {
    let position = Position::from_sfen(CIRCLE).unwrap();
    let mut round = ROUND.iter().cycle();
    let moves = play_to_the_end(position, |position| {
        let wanted = round.next().and_then(|text| text.parse().ok());
        let legal = position.legal_moves();
        wanted.filter(|&wanted| position.is_legal(wanted)).unwrap_or(legal[0])
    });
    assert!(moves > 1);
}

#[test]
fn whatever_the_defender_does_the_mate_comes_nearer() {
    for seed in 0..12 {
        let mut random = fastrand::Rng::with_seed(seed);
        play_to_the_end(Position::from_sfen(CIRCLE).unwrap(), |position| {
            let legal = position.legal_moves();
            legal[random.usize(..legal.len())]
        });
    }
}

#[test]
fn the_line_is_legal_and_as_long_as_the_mate() {
    let position = Position::from_sfen(CIRCLE).unwrap();
    let thought = think(&mut engine(EndRules::default()), &position);
    let mut end = position.clone();
    for &mv in &thought.lines[0].line {
        assert!(end.is_legal(mv), "{mv} in {}", end.to_sfen());
        end.play(mv);
    }
    assert!(end.is_mate());
    assert_eq!(mate_of(&thought), i32::try_from(thought.lines[0].line.len()).ok());
}

#[test]
fn a_new_game_forgets_the_mate() {
    let position = Position::from_sfen(CIRCLE).unwrap();
    let mut engine = engine(EndRules::default());
    let first = think(&mut engine, &position);
    assert!(!engine.is_fresh());
    let known = think(&mut engine, &position);
    assert_eq!((known.best, known.nodes), (first.best, 0), "the mate is kept");
    engine.new_game();
    assert!(engine.is_fresh());
    assert_eq!(think(&mut engine, &position), first);
}

#[test]
fn a_mate_that_comes_after_the_last_move_is_none() {
    let number = 101;
    let mut position =
        Position::from_sfen("9/9/+N8/5S3/2B5k/8r/8L/9/3K3R1 b 2SPb4gs3n3l17p 1").unwrap();
    position.set_move_number(number);
    let thought = think(&mut engine(EndRules::default()), &position);
    let plies = mate_of(&thought).expect("a mate") as u32;
    let with_most = |maximum_moves| {
        let rules = EndRules { maximum_moves, ..EndRules::default() };
        think(&mut engine(rules), &position)
    };
    let last = number - 1 + plies;
    assert_eq!(mate_of(&with_most(last)), mate_of(&thought));
    assert_eq!(with_most(last).nodes, thought.nodes);
    let late = with_most(last - 1);
    assert!(late.nodes > thought.nodes, "the search decides");
    assert!(mate_of(&late).is_none_or(|sooner| (sooner as u32) < plies));
}

#[test]
fn a_king_that_may_try_is_not_mated_by_the_proof() {
    let position = Position::from_sfen("9/9/9/5K3/9/2+B6/3S1G3/1+R4+B2/3k5 b GSNP2l9p 1").unwrap();
    let mates = |entering_king| {
        let rules = EndRules { entering_king, ..EndRules::default() };
        let thought = think(&mut engine(rules), &position);
        (thought.nodes, mate_of(&thought))
    };
    let (nodes, mate) = mates(EnteringKingRule::CsaRule27);
    assert!(mate.is_some());
    let (searched, _) = mates(EnteringKingRule::TryRule);
    assert!(searched > nodes, "the search decides: {searched} nodes after {nodes}");
}

#[test]
fn a_mate_that_may_end_by_repetition_is_left_to_the_search() {
    // Three times round, up to the last check: the answer to it would bring about the fourth
    // occurrence.
    let mut before = Position::from_sfen(CIRCLE).unwrap();
    let circle = CHECKS.iter().zip(ROUND).flat_map(|(&check, defence)| [check, defence]);
    for text in circle.cycle().take(3 * 8 - 2) {
        let mv: Move = text.parse().unwrap();
        assert!(before.is_legal(mv), "{text} in {}", before.to_sfen());
        before.play(mv);
        assert_eq!(before.fourfold_repetition(), None);
    }
    let without_history = Position::from_sfen(&before.to_sfen()).unwrap();
    let proof = think(&mut engine(EndRules::default()), &without_history);
    assert_eq!(proof.best, CHECKS[3].parse().ok(), "the proof goes round once more");
    let mut after = before.clone();
    after.play(think(&mut engine(EndRules::default()), &before).best.expect("a move"));
    assert_eq!(after.fourfold_repetition(), None);
    for answer in after.legal_moves() {
        after.play(answer);
        assert_eq!(after.fourfold_repetition(), None, "after {answer}");
        after.undo();
    }
}
