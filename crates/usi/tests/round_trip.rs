//! Nothing that is read can make the reader panic, and what is written is read back as it was.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use yomikiri_shogi::{Kind, Move, Square};
use yomikiri_usi::{
    BestMove, Bound, Checkmate, Command, GameOverResult, Go, Id, Info, MateLimit, MateScore,
    OptionDecl, OptionKind, Reply, Setup, Start, UsiClock, UsiScore, UsiValue,
};

fn square() -> impl Strategy<Value = Square> {
    (0u8..9, 0u8..9).prop_map(|(file, rank)| Square::new(file, rank))
}

fn a_move() -> impl Strategy<Value = Move> {
    let hand: Vec<Kind> = "PLNSGBR".chars().filter_map(Kind::from_letter).collect();
    prop_oneof![
        (square(), square(), any::<bool>())
            .prop_filter("a move leads somewhere", |(from, to, _)| from != to)
            .prop_map(|(from, to, promote)| Move::board(from, to, promote)),
        (proptest::sample::select(hand), square()).prop_map(|(kind, to)| Move::drop(kind, to)),
    ]
}

fn clock() -> impl Strategy<Value = UsiClock> {
    any::<[Option<u64>; 5]>().prop_map(|[btime, wtime, byoyomi, binc, winc]| UsiClock {
        btime,
        wtime,
        byoyomi,
        binc,
        winc,
    })
}

fn go() -> impl Strategy<Value = Go> {
    let mate =
        prop_oneof![Just(MateLimit::Infinite), any::<u64>().prop_map(MateLimit::Milliseconds)];
    (
        any::<(bool, bool)>(),
        of(mate),
        clock(),
        any::<(Option<u64>, Option<u64>, Option<u32>, Option<u32>)>(),
        vec(a_move(), 0..4),
    )
        .prop_map(|((ponder, infinite), mate, clock, limits, searchmoves)| Go {
            ponder,
            infinite,
            mate,
            clock,
            movetime: limits.0,
            nodes: limits.1,
            depth: limits.2,
            movestogo: limits.3,
            searchmoves,
        })
}

/// A word that the protocol does not use itself.
const WORD: &str = "[A-Z][A-Za-z_.]{0,9}( [A-Z][A-Za-z0-9]{0,5}){0,2}";

fn a_command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![
        Just(Start::Startpos),
        Just(Start::Sfen("4k4/9/9/9/9/9/9/9/4K4 b 2P 1".to_string()))
    ];
    prop_oneof![
        Just(Command::Usi),
        Just(Command::IsReady),
        Just(Command::UsiNewGame),
        Just(Command::Stop),
        Just(Command::Quit),
        Just(Command::GameOver(GameOverResult::Win)),
        Just(Command::GameOver(GameOverResult::Lose)),
        Just(Command::GameOver(GameOverResult::Draw)),
        (WORD, of("[a-z0-9]{0,5}( [a-z0-9]{1,4}){0,2}").prop_map(|v| v.map(|v| v.trim().into())))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        (start, vec(a_move(), 0..6))
            .prop_map(|(start, moves)| Command::Position(Setup { start, moves })),
        go().prop_map(Command::Go),
        clock().prop_map(Command::PonderHit),
    ]
}

fn option_kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<(i64, i64, i64)>().prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        (WORD, vec(WORD, 0..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        "([a-z/.]{1,9})?".prop_map(|default| OptionKind::Text { default }),
        "([a-z/.]{1,9})?".prop_map(|default| OptionKind::FileName { default }),
    ]
}

fn score() -> impl Strategy<Value = UsiScore> {
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let value = prop_oneof![
        any::<i32>().prop_map(UsiValue::Centipawns),
        (any::<bool>(), of(any::<u32>()))
            .prop_map(|(winning, plies)| UsiValue::Mate(MateScore { winning, plies })),
    ];
    (value, bound).prop_map(|(value, bound)| UsiScore { value, bound })
}

fn info() -> impl Strategy<Value = Info> {
    (
        any::<(Option<u32>, Option<u32>, Option<u32>, Option<u32>, Option<u32>)>(),
        any::<(Option<u64>, Option<u64>, Option<u64>)>(),
        of(score()),
        of(a_move()),
        vec(a_move(), 0..9),
        of("[a-z]{1,5}( [a-z ]{0,9}[a-z])?"),
    )
        .prop_map(|(small, large, score, currmove, pv, string)| Info {
            depth: small.0,
            seldepth: small.1,
            multipv: small.2,
            hashfull: small.3,
            currmovenumber: small.4,
            nodes: large.0,
            nps: large.1,
            time: large.2,
            score,
            currmove,
            pv,
            string,
        })
}

fn a_reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        WORD.prop_map(|name| Reply::Id(Id::Name(name))),
        WORD.prop_map(|name| Reply::Id(Id::Author(name))),
        (WORD, option_kind()).prop_map(|(name, kind)| Reply::Option(OptionDecl { name, kind })),
        Just(Reply::UsiOk),
        Just(Reply::ReadyOk),
        Just(Reply::BestMove(BestMove::Resign)),
        Just(Reply::BestMove(BestMove::Win)),
        (a_move(), of(a_move()))
            .prop_map(|(best, ponder)| Reply::BestMove(BestMove::Move { best, ponder })),
        vec(a_move(), 1..9).prop_map(|moves| Reply::Checkmate(Checkmate::Moves(moves))),
        Just(Reply::Checkmate(Checkmate::NoMate)),
        Just(Reply::Checkmate(Checkmate::Timeout)),
        Just(Reply::Checkmate(Checkmate::NotImplemented)),
        info().prop_map(Reply::Info),
    ]
}

/// Lines made of the protocol's own words in any order, where readers go wrong most easily.
fn word_salad() -> impl Strategy<Value = String> {
    let words = "usi isready setoption name value position startpos sfen moves 7g7f P*5e go ponder \
        btime wtime byoyomi binc winc mate infinite nodes depth movetime searchmoves -1 0 5 \
        99999999999999999999 1e400 NaN id author option type check spin combo var default min max \
        string filename button info score cp lowerbound pv currmove bestmove resign win checkmate \
        nomate timeout ponderhit gameover + - 読み \u{3000} x";
    let words: Vec<&'static str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    vec(proptest::sample::select(words), 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn commands_are_read_back(command in a_command()) {
        prop_assert_eq!(command.to_string().parse(), Ok(command));
    }

    #[test]
    fn replies_are_read_back(reply in a_reply()) {
        prop_assert_eq!(reply.to_string().parse(), Ok(reply));
    }

    #[test]
    fn no_line_makes_the_reader_panic(line in "\\PC*") {
        let _ = line.parse::<Command>();
        let _ = line.parse::<Reply>();
    }

    #[test]
    fn no_order_of_words_makes_the_reader_panic(line in word_salad()) {
        // What was understood is written as one line that is understood again.
        if let Ok(command) = line.parse::<Command>() {
            prop_assert_eq!(command.to_string().parse(), Ok(command));
        }
        if let Ok(reply) = line.parse::<Reply>() {
            let written = reply.to_string();
            assert!(!written.contains('\n'));
            assert!(written.parse::<Reply>().is_ok(), "{written}");
        }
    }
}
