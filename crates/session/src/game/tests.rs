use super::*;
use crate::protocol::{ClockAsk, Place};

fn ask(side: Side) -> NewGameAsk {
    NewGameAsk {
        level: 3,
        side,
        handicap: None,
        from: None,
        clock: None,
        rule: None,
        speculative: None,
        think: None,
        seed: None,
    }
}

fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn engine(game: &mut SessionGame, mv: &str, now: Duration) {
    game.engine_decides(EngineDecision::Move(mv.parse().unwrap(), None), now);
}

#[test]
fn the_players_alternate_and_times_are_kept() {
    let clock = Some(ClockAsk { main: 60_000, byoyomi: 0, increment: 0 });
    let mut game = SessionGame::new(&NewGameAsk { clock, ..ask(Side::Black) }, 1, at(100)).unwrap();
    game.user_moves("7g7f", Some(0), at(105)).unwrap();
    assert_eq!(game.user_moves("2g2f", Some(1), at(106)).unwrap_err().code, FaultCode::NotYourTurn);
    game.user_moves("7g7f", Some(0), at(106)).expect("the same message again changes nothing");
    engine(&mut game, "3c3d", at(107));
    let view = game.view(None, at(110));
    let clock = view.clock.unwrap();
    assert_eq!((clock.left.black.main, clock.left.white.main), (52_000, 58_000));
    assert_eq!(view.moves[0].spent, 5_000);
    assert_eq!(view.moves[1].mv.japanese, "△３四歩");
    game.take_back(at(120)).unwrap();
    assert_eq!((game.len(), game.view(None, at(120)).clock.unwrap().left.black.main), (0, 60_000));
    assert_eq!(game.take_back(at(120)).unwrap_err().code, FaultCode::NothingToTakeBack);
}

#[test]
fn a_move_after_the_flag_loses_and_a_claim_needs_the_flag() {
    let clock = Some(ClockAsk { main: 5_000, byoyomi: 1_000, increment: 0 });
    let mut game = SessionGame::new(&NewGameAsk { clock, ..ask(Side::Black) }, 1, at(0)).unwrap();
    assert_eq!(game.claim(at(6)).unwrap_err().code, FaultCode::TimeLeft);
    let mut claimed = game.clone();
    claimed.claim(at(7)).unwrap();
    game.user_moves("7g7f", None, at(7)).unwrap();
    for game in [&game, &claimed] {
        let end = game.view(None, at(8)).end.unwrap();
        assert_eq!((end.end, end.winner), (EndKind::Timeout, Some(Side::White)));
        assert_eq!(game.len(), 0);
    }
    assert_eq!(game.user_moves("7g7f", None, at(8)).unwrap_err().code, FaultCode::GameOver);
}

#[test]
fn illegal_attempts_are_explained_and_change_nothing() {
    let mut game = SessionGame::new(&ask(Side::Black), 1, at(0)).unwrap();
    let before = game.clone();
    let fault = game.user_moves("7g7e", None, at(1)).unwrap_err();
    assert_eq!(fault.illegal.unwrap().squares, ["7g"]);
    assert_eq!(game, before);
}

#[test]
fn games_end_by_mate_resignation_and_declaration() {
    let from = |sfen: &str| Some(Place { sfen: Some(sfen.into()), moves: None });
    let mate = NewGameAsk {
        from: from("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"),
        ..ask(Side::Black)
    };
    let mut game = SessionGame::new(&mate, 1, at(0)).unwrap();
    game.user_moves("G*5b", None, at(1)).unwrap();
    assert_eq!(game.view(None, at(1)).end.unwrap().end, EndKind::Mate);
    assert_eq!(game.record().winner(), Some(Color::Black));

    let mut game = SessionGame::new(&ask(Side::White), 1, at(0)).unwrap();
    assert!(game.engine_to_move());
    game.resign().unwrap();
    assert_eq!(game.view(None, at(1)).end.unwrap().winner, Some(Side::Black));
    assert_eq!(game.record().winner(), Some(Color::Black));
    assert_eq!(game.declare().unwrap_err().code, FaultCode::GameOver);

    let mut game = SessionGame::new(&ask(Side::Black), 1, at(0)).unwrap();
    assert_eq!(game.declare().unwrap_err().code, FaultCode::NotDeclarable);
    let entered = "K1+R+R+B+B+P+P+P/GGGGSSSS1/9/9/9/9/9/9/8k b 2N2L9P 200";
    let mut game =
        SessionGame::new(&NewGameAsk { from: from(entered), ..ask(Side::Black) }, 1, at(0))
            .unwrap();
    game.declare().unwrap();
    let end = game.view(None, at(1)).end.unwrap();
    assert_eq!((end.end, end.winner), (EndKind::Declaration, Some(Side::Black)));
}

#[test]
fn what_is_saved_goes_on_with_the_clock_put_aside() {
    let clock = Some(ClockAsk { main: 60_000, byoyomi: 10_000, increment: 0 });
    let mut game = SessionGame::new(&NewGameAsk { clock, ..ask(Side::Black) }, 1, at(100)).unwrap();
    game.user_moves("7g7f", None, at(103)).unwrap();
    engine(&mut game, "3c3d", at(104));
    let text = serde_json::to_string(&game.save(at(110))).unwrap();
    let again = SessionGame::restore(serde_json::from_str(&text).unwrap(), at(5_000)).unwrap();
    let (mut old, new) = (game.view(None, at(110)), again.view(None, at(5_000)));
    assert_eq!(old, new);
    old.clock = None;
    assert_ne!(old, new, "the clock is part of what was compared");
    assert_eq!(new.clock.unwrap().left.black.main, 51_000);
}

#[test]
fn what_was_tampered_with_is_refused() {
    let game = SessionGame::new(&ask(Side::Black), 1, at(0)).unwrap();
    let saved = serde_json::to_value(game.save(at(0))).unwrap();
    for (field, value) in [
        ("level", serde_json::json!(99)),
        ("start", serde_json::json!("nonsense")),
        ("rule", serde_json::json!("none")),
        ("plies", serde_json::json!([{"move": "7g7e", "spent": 1}])),
    ] {
        let mut wrong = saved.clone();
        wrong[field] = value;
        let saved = serde_json::from_value(wrong).unwrap();
        assert!(SessionGame::restore(saved, at(0)).is_err(), "{field}");
    }
}

#[test]
fn handicap_games_begin_with_white_and_unknown_ones_do_not_begin() {
    let two = NewGameAsk { handicap: Some("二枚落ち".into()), ..ask(Side::Black) };
    assert!(SessionGame::new(&two, 1, at(0)).unwrap().engine_to_move());
    let none = NewGameAsk { handicap: Some("百枚落ち".into()), ..ask(Side::Black) };
    assert!(SessionGame::new(&none, 1, at(0)).is_err());
    assert!(SessionGame::new(&NewGameAsk { level: 0, ..ask(Side::Black) }, 1, at(0)).is_err());
}
