//! Principal variations are whole: a search that is broken off keeps the last exact line.

use yomikiri_engine::value::is_mate;
use yomikiri_engine::{Engine, Limits, Settings, bench, on_deep_stack};
use yomikiri_shogi::Position;

fn is_playable(position: &Position, line: &[yomikiri_shogi::Move]) -> bool {
    let mut position = position.clone();
    line.iter().all(|&mv| {
        let legal = position.is_legal(mv);
        if legal {
            position.play(mv);
        }
        legal
    })
}

#[test]
fn nine_of_ten_lines_have_five_moves_or_more_and_all_an_answer_to_expect() {
    let mut settings = Settings::with_hash(16);
    settings.set("Evaluation", "material").expect("a kind of evaluation");
    let mut engine = Engine::new(settings).expect("no file is read");
    let (mut lines, mut long) = (0, 0);
    on_deep_stack(|stack| {
        engine.set_stack(stack);
        for (name, position) in bench::positions() {
            // Different limits break different iterations off.
            for nodes in [40_000, 70_000, 100_000] {
                engine.new_game();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let mut last = Vec::new();
                let clock = yomikiri_base::Clock::system();
                let outcome = engine.run(&position, &limits, &clock, &mut |event| {
                    last = event.info().map(|info| info.pv.clone()).unwrap_or_default();
                });
                assert!(is_playable(&position, &last), "{name} {nodes}");
                assert_eq!(last.first().copied(), outcome.best, "{name} {nodes}");
                assert_eq!(last.get(1).copied(), outcome.ponder, "{name} {nodes}");
                if !is_mate(outcome.value) {
                    lines += 1;
                    long += usize::from(last.len() >= 5);
                    assert!(last.len() >= 2, "{name} {nodes}: no answer to ponder on");
                }
            }
        }
    });
    assert!(lines >= 10 && long * 10 >= lines * 9, "{long} of {lines}");
}
