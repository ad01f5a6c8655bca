//! Matches between engines.

use super::{Display, Language, Message, fill};

messages! {
    /// Results of matches.
    Match
    score(name, wins, draws, losses)
        "{name}: {wins} won, {draws} drawn, {losses} lost"
        "{name}：{wins}勝{losses}敗{draws}分"
    games(count) "{count} {count|game|games}" "{count}局"
    elo(value, low, high) "Elo {value} [{low}, {high}]" "レート差 {value}［{low}, {high}］"
    byoyomi(seconds) "byoyomi {seconds} s" "秒読み{seconds}秒"
    stronger(name) "{name} is stronger" "{name} のほうが強い"
    undecided() "undecided" "判定できず"
    interrupted(count)
        "interrupted after {count} {count|game|games}; the same command goes on"
        "{count}局で中断しました。同じコマンドで続きから再開します"
}
