//! Lines as programs and engines write them.

use yomikiri_shogi::Move;
use yomikiri_usi::{
    BestMove, Bound, Checkmate, Command, Go, MateLimit, MateScore, OptionKind, Reply, Start,
    UsiClock, UsiError, UsiScore, UsiValue,
};

fn command(line: &str) -> Command {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn go(line: &str) -> Go {
    match command(line) {
        Command::Go(go) => go,
        other => panic!("{other:?}"),
    }
}

fn reply(line: &str) -> Reply {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn moves(text: &str) -> Vec<Move> {
    text.split(' ').map(|word| word.parse().unwrap()).collect()
}

#[test]
fn options_may_hold_spaces() {
    let set = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.into(),
        value: value.map(str::to_string),
    };
    assert_eq!(
        command("setoption name Book File value my book.db"),
        set("Book File", Some("my book.db"))
    );
    assert_eq!(command("setoption name Clear Hash"), set("Clear Hash", None));
    assert_eq!(command("setoption USI_Hash value 256"), set("USI_Hash", Some("256")));
    assert_eq!(command("setoption name Text value"), set("Text", Some("")));
    assert_eq!(command("setoption name valued"), set("valued", None));
    assert!("setoption".parse::<Command>().is_err());
    assert!("setoption name".parse::<Command>().is_err());
}

#[test]
fn positions_are_read_in_every_form() {
    let Command::Position(setup) = command("position startpos moves 7g7f 3c3d 8h2b+") else {
        panic!()
    };
    assert_eq!(setup.start, Start::Startpos);
    assert_eq!(setup.moves, moves("7g7f 3c3d 8h2b+"));
    assert_eq!(setup.position().unwrap().move_number(), 4);
    let line = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P 1 moves P*5e";
    assert_eq!(command(line).to_string(), line);
    assert!("position".parse::<Command>().is_err());
    assert!("position startpos moves 7g7x".parse::<Command>().is_err());
}

#[test]
fn go_takes_its_words_in_any_order() {
    let clock =
        UsiClock { btime: Some(1), wtime: Some(2), byoyomi: Some(3), ..UsiClock::default() };
    assert_eq!(go("go byoyomi 3 wtime 2 btime 1"), Go::clock(clock));
    assert_eq!(go("go btime 1 wtime 2 byoyomi 3 ponder").clock, clock);
    assert!(go("go btime 1 wtime 2 byoyomi 3 ponder").ponder);
    assert_eq!(go("go"), Go::default());
    assert_eq!(go("go btime -5 binc 1000").clock.btime, Some(0));
    assert_eq!(go("go winc 7").clock, UsiClock { winc: Some(7), ..UsiClock::default() });
    assert_eq!(go("go nodes 99999999999999999999999").nodes, Some(u64::MAX));
    assert_eq!(go("go depth 99999999999").depth, Some(u32::MAX));
    assert_eq!(go("go movetime 100 rtime 5"), Go::movetime(100));
    assert_eq!(go("go infinite"), Go::infinite());
}

#[test]
fn go_mate_may_or_may_not_have_a_limit() {
    assert_eq!(go("go mate"), Go::mate(MateLimit::Infinite));
    assert_eq!(go("go mate infinite"), Go::mate(MateLimit::Infinite));
    assert_eq!(go("go mate 5000"), Go::mate(MateLimit::Milliseconds(5000)));
}

#[test]
fn search_moves_keep_their_case_and_end_at_the_next_word() {
    let go = go("go searchmoves P*5e 7g7f nodes 5 infinite");
    assert_eq!(go.searchmoves, moves("P*5e 7g7f"));
    assert_eq!(go.nodes, Some(5));
    assert!(go.infinite);
}

#[test]
fn search_moves_without_moves_restrict_nothing() {
    assert_eq!(go("go searchmoves"), Go::default());
    assert_eq!(go("go searchmoves nodes 5"), Go::nodes(5));
    assert_eq!(go("go searchmoves all nodes 5"), Go::nodes(5));
}

#[test]
fn times_beyond_every_number_are_the_greatest_and_below_zero_none() {
    let digits = "9".repeat(400);
    assert_eq!(go(&format!("go btime {digits}")).clock.btime, Some(u64::MAX));
    assert_eq!(go(&format!("go btime -{digits}")).clock.btime, Some(0));
    assert_eq!(go("go btime 18446744073709551616").clock.btime, Some(u64::MAX));
    assert_eq!(go("go btime 1e400 wtime -0.5").clock.wtime, Some(0));
    assert_eq!(go("go btime nan").clock, UsiClock::default());
}

#[test]
fn ponderhit_may_carry_the_clocks() {
    assert_eq!(command("ponderhit"), Command::PonderHit(UsiClock::default()));
    let Command::PonderHit(clock) = command("ponderhit btime 100 wtime 200") else { panic!() };
    assert_eq!((clock.btime, clock.wtime), (Some(100), Some(200)));
}

#[test]
fn unknown_and_empty_lines_are_told_apart() {
    assert_eq!("  \t".parse::<Command>(), Err(UsiError::Empty));
    assert_eq!("uci".parse::<Command>(), Err(UsiError::Unknown("uci".into())));
    assert_eq!("\n".parse::<Reply>(), Err(UsiError::Empty));
    assert_eq!("Fairy".parse::<Reply>(), Err(UsiError::Unknown("Fairy".into())));
}

#[test]
fn an_unknown_command_is_not_repeated_whole() {
    let long = "\u{1b}あ".repeat(250_000);
    for line in [long.clone(), format!("position startpos {long}"), format!("position {long}")] {
        if let Err(error) = line.parse::<Command>() {
            let text = error.to_string();
            assert!(text.chars().count() < 300 && !text.contains('\u{1b}'), "{text}");
        }
    }
    let Err(UsiError::Unknown(shown)) = long.parse::<Command>() else { panic!() };
    assert_eq!(shown, format!("{}...", "\u{fffd}あ".repeat(20)));
    assert!(long.parse::<Reply>().unwrap_err().to_string().len() < 300);
    assert_eq!(yomikiri_usi::excerpt("abc", 3), "abc");
    assert_eq!(yomikiri_usi::excerpt("abcd", 3), "abc...");
}

#[test]
fn option_lines_of_every_type() {
    let kind = |line: &str| match reply(line) {
        Reply::Option(option) => option.kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        kind("option name USI_Hash type spin default 256 min 1 max 33554432"),
        OptionKind::Spin { default: 256, min: 1, max: 33_554_432 }
    );
    assert_eq!(
        kind("option name USI_Ponder type check default true"),
        OptionKind::Check { default: true }
    );
    let combo = "option name Style type combo default Normal play var Solid var Normal play";
    assert_eq!(
        kind(combo),
        OptionKind::Combo {
            default: "Normal play".into(),
            choices: vec!["Solid".into(), "Normal play".into()]
        }
    );
    assert_eq!(kind("option name Clear Hash type button"), OptionKind::Button);
    assert_eq!(
        kind("option name Book type string default <empty>"),
        OptionKind::Text { default: String::new() }
    );
    assert_eq!(
        kind("option name Book type filename default my min book"),
        OptionKind::FileName { default: "my min book".into() }
    );
    for line in [combo, "option name Clear Hash type button"] {
        assert_eq!(reply(line).to_string(), line);
    }
    assert!("option name X type spin default y min 1 max 2".parse::<Reply>().is_err());
    assert!("option name X type".parse::<Reply>().is_err());
    assert!("option type check".parse::<Reply>().is_err());
}

#[test]
fn options_know_what_they_accept() {
    let spin = OptionKind::Spin { default: 1, min: 0, max: 8 };
    assert!(spin.accepts(Some("8")));
    assert!(!spin.accepts(Some("9")) && !spin.accepts(Some("x")) && !spin.accepts(None));
    assert!(OptionKind::Button.accepts(None));
    assert!(OptionKind::Check { default: true }.accepts(Some("false")));
}

#[test]
fn info_lines() {
    let line = "info depth 8 seldepth 12 multipv 1 score cp -31 lowerbound nodes 1000 nps 50000 \
                hashfull 3 time 20 currmove 7g7f pv 7g7f 3c3d";
    assert_eq!(reply(line).to_string(), line);
    let Reply::Info(info) = reply("info score mate +5 pv 7g7f win string hello  world") else {
        panic!()
    };
    assert_eq!(info.score, Some(UsiScore::mate(true, Some(5))));
    assert_eq!(info.pv, moves("7g7f"));
    assert_eq!(info.string.as_deref(), Some("hello  world"));
    let Reply::Info(info) = reply("info pv 7g7f rep_draw depth x nodes 7 score cp") else {
        panic!()
    };
    assert_eq!((info.depth, info.nodes, info.score), (None, Some(7), None));
}

#[test]
fn mate_scores_count_plies_or_do_not_know() {
    let mate = |text: &str| match reply(&format!("info score mate {text}")) {
        Reply::Info(info) => info.score.map(|score| score.value),
        _ => None,
    };
    let value = |winning, plies| Some(UsiValue::Mate(MateScore { winning, plies }));
    assert_eq!(mate("+"), value(true, None));
    assert_eq!(mate("-"), value(false, None));
    assert_eq!(mate("7"), value(true, Some(7)));
    assert_eq!(mate("-8"), value(false, Some(8)));
    assert_eq!(mate("0"), value(false, Some(0)));
    assert_eq!(UsiScore::mate(true, None).to_string(), "mate +");
    assert_eq!(UsiScore::mate(false, Some(8)).to_string(), "mate -8");
    let upper = UsiScore { value: UsiValue::Centipawns(5), bound: Bound::Upper };
    assert_eq!(upper.to_string(), "cp 5 upperbound");
}

#[test]
fn answers() {
    assert_eq!(reply("bestmove resign"), Reply::BestMove(BestMove::Resign));
    assert_eq!(reply("bestmove win"), Reply::BestMove(BestMove::Win));
    let best = "7g7f".parse().unwrap();
    let alone = Reply::BestMove(BestMove::Move { best, ponder: None });
    assert_eq!(reply("bestmove 7g7f ponder (none)"), alone);
    assert!("bestmove (none)".parse::<Reply>().is_err());
    assert!("bestmove".parse::<Reply>().is_err());
    assert_eq!(reply("checkmate nomate"), Reply::Checkmate(Checkmate::NoMate));
    assert_eq!(reply("checkmate timeout"), Reply::Checkmate(Checkmate::Timeout));
    let mate = Reply::Checkmate(Checkmate::Moves(moves("G*5b 5a4a")));
    assert_eq!(reply("checkmate G*5b 5a4a"), mate);
    assert!("checkmate none".parse::<Reply>().is_err());
}
