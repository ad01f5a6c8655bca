//! Mate scores are true: confirmed by a search of all moves without any pruning.

use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::{Engine, Limits, Score, Settings};
use yomikiri_shogi::Position;

/// Whether the side to move mates within `plies`, by trying everything.
fn mates(position: &mut Position, plies: i32) -> bool {
    plies > 0
        && position.legal_moves().into_iter().any(|mv| {
            position.play(mv);
            let mated = position.in_check() && is_mated(position, plies - 1);
            position.undo();
            mated
        })
}

/// Whether every move of the side to move lets itself be mated within `plies`.
fn is_mated(position: &mut Position, plies: i32) -> bool {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return true;
    }
    plies > 0
        && moves.into_iter().all(|mv| {
            position.play(mv);
            let mated = mates(position, plies - 1);
            position.undo();
            mated
        })
}

fn engine() -> Engine {
    Engine::new(Settings::with_hash(8)).unwrap()
}

fn value(engine: &mut Engine, position: &Position, nodes: u64) -> Score {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Score::from(engine.think(position, &limits, &mut |_: &_| {}).value)
}

#[test]
fn known_mates_are_found_with_their_length() {
    for (sfen, plies) in [
        // A gold dropped in front of the king.
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
        // The king is driven into the corner and mated there.
        ("8k/9/6+R2/9/9/9/9/9/K8 b S 1", 3),
    ] {
        let mut position = Position::from_sfen(sfen).unwrap();
        let shortest = (1..=plies).step_by(2).find(|&plies| mates(&mut position, plies));
        let found = value(&mut engine(), &position, 20_000);
        assert_eq!(
            found,
            Score::Mate(shortest.unwrap_or_else(|| panic!("no mate in {sfen}"))),
            "{sfen}"
        );
    }
}

#[test]
fn claimed_mates_of_self_play_are_true() {
    let mut checked = 0;
    for seed in 0..16 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut position = Position::start();
        let mut engine = engine();
        for _ in 0..150 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            if let Score::Mate(plies) = value(&mut engine, &position, 300) {
                let mut copy = position.clone();
                let history = copy.repetition_within(16).is_some();
                if plies.abs() <= 3 && !history {
                    let truth = if plies > 0 {
                        mates(&mut copy, plies)
                    } else {
                        is_mated(&mut copy, -plies)
                    };
                    assert!(truth, "mate {plies} in {}", position.to_sfen());
                    checked += 1;
                }
            }
            position.play(legal[random.usize(..legal.len())]);
        }
    }
    assert!(checked > 5, "only {checked} mates came up");
}

/// A mate in nine that begins with two sacrifices, by a side whose static value is below 0: seen
/// only where such captures and checks are not left out for what they lose.
#[test]
fn the_side_that_stands_worse_sees_its_mate_by_sacrifice() {
    let sfen = "l1+RpskgSl/3Gs2p1/p3pp2n/2B3pPp/4nP3/PPPP1nPR1/2p2G2P/2G3+b2/L2K4L b Psnp 115";
    let position = Position::from_sfen(sfen).unwrap();
    let seen = |behind: bool| {
        let mut settings = Settings::with_hash(16);
        settings.resources.evaluation.kind = EvaluationKind::Linear;
        settings.search.mate.root = false;
        settings.search.see_pruning.behind = behind;
        value(&mut Engine::new(settings).unwrap(), &position, 10_000)
    };
    assert_eq!(seen(false), Score::Mate(9));
    assert!(matches!(seen(true), Score::Centipawns(worse) if worse < 0));
}
