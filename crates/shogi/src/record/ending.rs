//! How games end, under the names of each format.

use crate::types::Color;

/// The end of a game, said of the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// 投了: the side to move resigns.
    Resign,
    /// 中断: the game was broken off.
    Interrupted,
    /// 千日手: the fourth occurrence of a position.
    Repetition,
    /// 持将棋: both kings have entered.
    Impasse,
    /// 詰み: the side to move is mated.
    Mate,
    /// 不詰: there is no mate (in problems).
    NoMate,
    /// 切れ負け: the side to move has run out of time.
    Timeout,
    /// 反則勝ち: the side to move wins because the other broke a rule.
    IllegalWin,
    /// 反則負け: the side to move loses because it broke a rule.
    IllegalLoss,
    /// 入玉勝ち: the side to move declares and wins.
    EnteringKing,
    /// 引き分け: a draw by agreement or ruling.
    Draw,
    /// 最大手数: the greatest number of moves was reached.
    MaximumMoves,
    /// 不戦勝: the side to move wins without play.
    WinByDefault,
    /// 不戦敗: the side to move loses without play.
    LossByDefault,
    /// Another ending, as the record writes it.
    Other(String),
}

/// (ending, KIF name, CSA and JKF name)
const NAMES: [(Ending, &str, &str); 14] = [
    (Ending::Resign, "投了", "TORYO"),
    (Ending::Interrupted, "中断", "CHUDAN"),
    (Ending::Repetition, "千日手", "SENNICHITE"),
    (Ending::Impasse, "持将棋", "JISHOGI"),
    (Ending::Mate, "詰み", "TSUMI"),
    (Ending::NoMate, "不詰", "FUZUMI"),
    (Ending::Timeout, "切れ負け", "TIME_UP"),
    (Ending::IllegalWin, "反則勝ち", "ILLEGAL_ACTION"),
    (Ending::IllegalLoss, "反則負け", "ILLEGAL_MOVE"),
    (Ending::EnteringKing, "入玉勝ち", "KACHI"),
    (Ending::Draw, "引き分け", "HIKIWAKE"),
    (Ending::MaximumMoves, "最大手数", "MAX_MOVES"),
    (Ending::WinByDefault, "不戦勝", "FUSENSHO"),
    (Ending::LossByDefault, "不戦敗", "FUSENPAI"),
];

/// Other spellings that real files contain.
const ALIASES: [(&str, Ending); 10] = [
    ("詰", Ending::Mate),
    ("時間切れ", Ending::Timeout),
    ("切れ負", Ending::Timeout),
    ("引分", Ending::Draw),
    ("引分け", Ending::Draw),
    ("引き分", Ending::Draw),
    ("入玉", Ending::EnteringKing),
    ("宣言勝ち", Ending::EnteringKing),
    ("投了図", Ending::Resign),
    ("反則", Ending::IllegalLoss),
];

impl Ending {
    /// The name in KIF.
    pub fn name(&self) -> &str {
        match self {
            Ending::Other(text) => text,
            known => NAMES.iter().find(|row| row.0 == *known).map_or("", |row| row.1),
        }
    }

    /// The ending of a name in KIF, if it is a known one.
    pub fn from_name(name: &str) -> Option<Ending> {
        NAMES
            .iter()
            .find(|row| row.1 == name)
            .map(|row| row.0.clone())
            .or_else(|| ALIASES.iter().find(|row| row.0 == name).map(|row| row.1.clone()))
    }

    /// The name in JKF, and in CSA after `%` but for [`IllegalWin`](Self::IllegalWin), which CSA
    /// writes with a sign.
    pub fn code(&self) -> &str {
        match self {
            Ending::Other(text) => text,
            known => NAMES.iter().find(|row| row.0 == *known).map_or("", |row| row.2),
        }
    }

    /// The ending of a name in JKF or CSA (after `%`), with `side` to move.
    pub fn from_code(code: &str, side: Color) -> Ending {
        let by = |loser| if side == loser { Ending::IllegalLoss } else { Ending::IllegalWin };
        match code {
            "+ILLEGAL_ACTION" => by(Color::Black),
            "-ILLEGAL_ACTION" => by(Color::White),
            "MATTA" => Ending::Other(code.to_string()),
            _ => NAMES
                .iter()
                .find(|row| row.2 == code)
                .map_or_else(|| Ending::Other(code.to_string()), |row| row.0.clone()),
        }
    }

    /// Who wins if `side` is to move. `None` for draws and games without a result.
    pub fn winner(&self, side: Color) -> Option<Color> {
        match self {
            Ending::Resign
            | Ending::Mate
            | Ending::Timeout
            | Ending::IllegalLoss
            | Ending::LossByDefault => Some(!side),
            Ending::IllegalWin | Ending::EnteringKing | Ending::WinByDefault => Some(side),
            _ => None,
        }
    }

    /// Whether it is a draw.
    pub fn is_draw(&self) -> bool {
        matches!(self, Ending::Repetition | Ending::Impasse | Ending::Draw | Ending::MaximumMoves)
    }
}
