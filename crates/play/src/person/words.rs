//! Rules and endings in words.

use super::request::{IllegalReason, RequestFault};
use crate::Notation;
use crate::clock::GameClock;
use yomikiri_shogi::record::Ending;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_text::{Language, Play, Side};

/// What a side is called.
pub fn side(language: Language, side: Color, handicap: bool) -> String {
    let words = Side(language);
    match (side, handicap) {
        (Color::Black, false) => words.black(),
        (Color::White, false) => words.white(),
        (Color::Black, true) => words.handicap_black(),
        (Color::White, true) => words.handicap_white(),
    }
}

/// Why a move is forbidden.
pub fn why(words: Play, why: IllegalReason) -> String {
    match why {
        IllegalReason::NotYours => words.not_yours(),
        IllegalReason::NotInHand => words.not_in_hand(),
        IllegalReason::CannotReach => words.cannot_reach(),
        IllegalReason::CannotPromote => words.cannot_promote(),
        IllegalReason::DeadEnd => words.dead_end(),
        IllegalReason::Occupied => words.occupied(),
        IllegalReason::TwoPawns => words.two_pawns(),
        IllegalReason::DropMate => words.drop_mate(),
        IllegalReason::KingInCheck => words.king_in_check(),
    }
}

/// `▲７六歩 (7g7f)`.
pub fn both_names(notation: Notation, position: &Position, mv: Move) -> String {
    format!("{} ({mv})", notation.mv(position, mv))
}

/// What is wrong with what was typed.
pub fn fault(words: Play, notation: Notation, position: &Position, fault: &RequestFault) -> String {
    let name = |&mv: &Move| both_names(notation, position, mv);
    match fault {
        RequestFault::Unknown => words.unknown(),
        RequestFault::Illegal(illegal) => words.illegal(why(words, *illegal)),
        RequestFault::NoSuchMove(near) if near.is_empty() => words.no_such_move(),
        RequestFault::NoSuchMove(near) => {
            let list = near.iter().map(name).collect::<Vec<_>>().join(" ");
            format!("{} {}", words.no_such_move(), words.near_moves(list))
        }
        RequestFault::Promotion([promoted, plain]) => words.promotion(name(promoted), name(plain)),
    }
}

/// How a game ended.
pub fn ending(words: Play, ending: &Ending) -> String {
    match ending {
        Ending::Resign => words.ending_resign(),
        Ending::Mate => words.ending_mate(),
        Ending::Timeout => words.ending_timeout(),
        Ending::Repetition => words.ending_repetition(),
        Ending::IllegalWin | Ending::IllegalLoss => words.ending_perpetual(),
        Ending::EnteringKing => words.ending_declaration(),
        Ending::Impasse => words.ending_impasse(),
        Ending::Interrupted => words.ending_interrupted(),
        _ => words.ending_other(),
    }
}

/// What a side has left; empty without a clock.
pub fn clock(words: Play, clock: &GameClock, side: Color) -> String {
    let Some((left, byoyomi)) = clock.left(side) else { return String::new() };
    let time = format!("{}:{:02}", left.as_secs() / 60, left.as_secs() % 60);
    match (left.as_secs(), byoyomi.as_secs()) {
        (_, 0) => words.clock(time),
        (0, byoyomi) => words.byoyomi(byoyomi),
        (_, byoyomi) => words.clock_byoyomi(time, byoyomi),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockSettings;
    use std::time::Duration;

    #[test]
    fn clocks_are_read_as_players_say_them() {
        let settings = |main, byoyomi| ClockSettings {
            main: Duration::from_secs(main),
            byoyomi: Duration::from_secs(byoyomi),
            ..ClockSettings::default()
        };
        let show = |main, byoyomi, language| {
            clock(Play(language), &GameClock::even(settings(main, byoyomi)), Color::Black)
        };
        assert_eq!(show(0, 10, Language::Ja), "秒読み10秒");
        assert_eq!(show(598, 30, Language::Ja), "残り9:58 秒読み30秒");
        assert_eq!(show(598, 30, Language::En), "9:58, byoyomi 30 s");
        assert_eq!(show(61, 0, Language::En), "1:01");
        let none = GameClock::new([None, Some(settings(1, 0))]);
        assert_eq!(clock(Play(Language::En), &none, Color::Black), "");
    }
}
