//! What stands above the moves: players, event, dates.

use std::collections::HashMap;

/// The names under which the model keeps the headers that formats share: those of KIF.
pub mod header {
    /// 先手, the first player; 下手 in a handicap game.
    pub const BLACK: &str = "先手";
    /// 後手, the second player; 上手 in a handicap game.
    pub const WHITE: &str = "後手";
    /// 棋戦, the event.
    pub const EVENT: &str = "棋戦";
    /// 場所, the place.
    pub const SITE: &str = "場所";
    /// 開始日時, when the game began.
    pub const START: &str = "開始日時";
    /// 終了日時, when it ended.
    pub const END: &str = "終了日時";
    /// 持ち時間, the time limit.
    pub const TIME_LIMIT: &str = "持ち時間";
    /// 先手持ち時間, black's time limit where it differs.
    pub const BLACK_TIME_LIMIT: &str = "先手持ち時間";
    /// 後手持ち時間, white's time limit where it differs.
    pub const WHITE_TIME_LIMIT: &str = "後手持ち時間";
    /// 戦型, the opening.
    pub const OPENING: &str = "戦型";
    /// 最大手数, the greatest number of moves.
    pub const MAXIMUM_MOVES: &str = "最大手数";
    /// 持将棋, the entering-king rule.
    pub const ENTERING_KING: &str = "持将棋";
    /// 備考, a note.
    pub const NOTE: &str = "備考";
    /// 出典, where the record was taken from.
    pub const SOURCE: &str = "出典";
    /// 先手レート, black's rating.
    pub const BLACK_RATING: &str = "先手レート";
    /// 後手レート, white's rating.
    pub const WHITE_RATING: &str = "後手レート";
    /// 結果, the result, where no ending in the moves gives it.
    pub const RESULT: &str = "結果";
}

/// Other headers that programs write, beside those of [`header`] and those that name a player.
const WIDESPREAD: [&str; 22] = [
    "手合割",
    "表題",
    "対局日",
    "対局名",
    "対局ID",
    "消費時間",
    "秒読み",
    "掲載",
    "記録係",
    "観戦記",
    "作品番号",
    "作品名",
    "作者",
    "発表誌",
    "発表年月",
    "詰手数",
    "手数",
    "完全性",
    "分類",
    "受賞",
    "目安時間",
    "思考時間",
];

/// Whether a key is one that records have. A text without any, and without a move, is no record.
pub(super) fn is_known(key: &str) -> bool {
    let own = [
        header::EVENT,
        header::SITE,
        header::START,
        header::END,
        header::TIME_LIMIT,
        header::OPENING,
        header::MAXIMUM_MOVES,
        header::ENTERING_KING,
        header::NOTE,
        header::SOURCE,
        header::RESULT,
    ];
    let sides = ["先手", "後手", "上手", "下手"];
    own.contains(&key)
        || WIDESPREAD.contains(&key)
        || sides.iter().any(|side| key.starts_with(side))
}

/// Headers in the order in which they were found, each key once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Headers {
    entries: Vec<(String, String)>,
    /// Where each key's entry is: a file of a hundred thousand headers must not take minutes.
    places: HashMap<String, usize>,
}

impl Headers {
    /// The value of a header.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.places.get(key).map(|&place| self.entries[place].1.as_str())
    }

    /// Sets a header. Line breaks cannot be part of one and become spaces; a value that was there
    /// is replaced, an empty one is kept.
    pub fn set(&mut self, key: &str, value: &str) {
        let clean = |text: &str| text.replace(['\r', '\n'], " ").trim().to_string();
        let (key, value) = (clean(key), clean(value));
        match self.places.get(&key) {
            Some(&place) => self.entries[place].1 = value,
            None => {
                self.places.insert(key.clone(), self.entries.len());
                self.entries.push((key, value));
            }
        }
    }

    /// Every header.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
