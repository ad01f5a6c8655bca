//! Everything that is said during a game, in Japanese and in English.
//!
//! `{}` stands for what is filled in, in the same order in both languages.

use super::input::Why;
use yomikiri_shogi::Color;
use yomikiri_shogi::record::Ending;

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// Japanese.
    Ja,
    /// English.
    En,
}

impl Language {
    /// The language of the user's system.
    pub fn of_system() -> Language {
        let set = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        match ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set) {
            Some(locale) if locale.starts_with("ja") => Language::Ja,
            _ => Language::En,
        }
    }

    /// Its texts.
    pub fn words(self) -> &'static Words {
        match self {
            Language::Ja => &JAPANESE,
            Language::En => &ENGLISH,
        }
    }
}

/// Puts values where a text has `{}`.
pub fn fill(text: &str, values: &[&str]) -> String {
    let mut parts = text.split("{}");
    let mut filled = parts.next().unwrap_or_default().to_string();
    for (part, value) in parts.zip(values.iter().chain(core::iter::repeat(&""))) {
        filled.push_str(value);
        filled.push_str(part);
    }
    filled
}

/// The texts of a language.
pub struct Words {
    sides: [&'static str; 2],
    handicap_sides: [&'static str; 2],
    pub you: &'static str,
    pub hand: &'static str,
    /// Program's name and level.
    pub engine: &'static str,
    /// Side of the player, side of the engine, its level.
    pub greeting: &'static str,
    pub greeting_both: &'static str,
    pub how_to_ask: &'static str,
    /// Side to move.
    pub prompt: &'static str,
    pub check: &'static str,
    pub thinking: &'static str,
    /// Said after a speculative move.
    pub speculative: &'static str,
    /// Move in both notations.
    pub engine_played: &'static str,
    pub unknown: &'static str,
    /// Reason.
    pub illegal: &'static str,
    pub no_such_move: &'static str,
    /// List of moves.
    pub near_moves: &'static str,
    /// Two moves.
    pub promotion: &'static str,
    pub nothing_to_take_back: &'static str,
    /// How many moves.
    pub taken_back: &'static str,
    /// Move, judgement, line.
    pub hint: &'static str,
    pub hint_declare: &'static str,
    /// Plies.
    pub mate_for: &'static str,
    pub mate_against: &'static str,
    /// Rule, points.
    pub no_declaration: &'static str,
    pub no_moves_yet: &'static str,
    pub no_clock: &'static str,
    /// Level, lowest, highest.
    pub level_is: &'static str,
    pub level_range: &'static str,
    pub file_name_needed: &'static str,
    /// File.
    pub saved: &'static str,
    /// Reason.
    pub not_saved: &'static str,
    pub is_over: &'static str,
    pub after_game: &'static str,
    /// Number of moves, side, how.
    pub won: &'static str,
    /// Number of moves, how.
    pub drawn: &'static str,
    pub left: &'static str,
    pub help: &'static str,
    whys: [&'static str; 9],
    endings: [&'static str; 9],
}

impl Words {
    /// What a side is called.
    pub fn side(&self, side: Color, handicap: bool) -> &'static str {
        if handicap { self.handicap_sides[side.index()] } else { self.sides[side.index()] }
    }

    /// Why a move is forbidden.
    pub fn why(&self, why: Why) -> &'static str {
        let index = match why {
            Why::NotYours => 0,
            Why::NotInHand => 1,
            Why::CannotReach => 2,
            Why::CannotPromote => 3,
            Why::DeadEnd => 4,
            Why::Occupied => 5,
            Why::TwoPawns => 6,
            Why::DropMate => 7,
            Why::KingInCheck => 8,
        };
        self.whys[index]
    }

    /// How a game ended.
    pub fn ending(&self, ending: &Ending) -> &'static str {
        let index = match ending {
            Ending::Resign => 0,
            Ending::Mate => 1,
            Ending::Timeout => 2,
            Ending::Repetition => 3,
            Ending::IllegalWin | Ending::IllegalLoss => 4,
            Ending::EnteringKing => 5,
            Ending::Impasse => 6,
            Ending::Interrupted => 7,
            _ => 8,
        };
        self.endings[index]
    }
}

static ENGLISH: Words = Words {
    sides: ["Black", "White"],
    handicap_sides: ["Black (takes the handicap)", "White (gives the handicap)"],
    you: "you",
    hand: "in hand",
    engine: "Yomikiri, level {}",
    greeting: "You are {}. {} is Yomikiri at level {} of 15.",
    greeting_both: "Two people play; Yomikiri only gives hints.",
    how_to_ask: "Type a move such as 7g7f or ７六歩, or help.",
    prompt: "{}> ",
    check: "Check!",
    thinking: "(thinking)",
    speculative: "(every move loses: the engine plays the one that is hardest to answer)",
    engine_played: "Yomikiri plays {}",
    unknown: "That is neither a move nor a command. Moves: 7g7f, 8h2b+, P*5e, ７六歩, 同歩. Commands: type help.",
    illegal: "Not allowed: {}.",
    no_such_move: "No legal move is written so.",
    near_moves: "Legal moves to that square: {}",
    promotion: "Promote or not? Type {} or {}.",
    nothing_to_take_back: "There is no move of yours to take back.",
    taken_back: "Moves taken back: {}.",
    hint: "Hint: {}, {}. Line: {}",
    hint_declare: "Hint: you can win by declaring: type declare.",
    mate_for: "mate in {} plies",
    mate_against: "mated in {} plies",
    no_declaration: "You cannot declare a win now (rule {}; you have {} points). Under CSARule27 your king must stand in the far three ranks, not in check, with ten other pieces of yours there, and you need 28 points as Black or 27 as White, counting 5 for rooks and bishops and 1 for others, there and in hand.",
    no_moves_yet: "No move has been played.",
    no_clock: "This game has no clock (start with --time or --byoyomi).",
    level_is: "The level is {} (from {} to {}).",
    level_range: "A level is a number from {} to {}.",
    file_name_needed: "Under what name? For example: save game.kif",
    saved: "Saved as {}.",
    not_saved: "Not saved: {}.",
    is_over: "The game is over.",
    after_game: "You can still type save FILE, record, undo or quit.",
    won: "After {} moves {} wins: {}.",
    drawn: "After {} moves nobody wins: {}.",
    left: "The game stops here.",
    help: "Moves
  7g7f  8h2b+  P*5e        as USI: from, to, + promotes; a drop is the piece's letter and *
  ７六歩  76歩  同歩  ５八金右   in Japanese; 成 or 不成 where a piece could promote; 打 for a drop
Commands
  undo    take your last move back          hint    what the engine would play
  board   show the board                    flip    turn the board
  moves   list all legal moves              record  list the moves played
  save FILE  save the game (.kif, .csa, ...) level N  change the engine's level
  clock   show the clocks                   resign  give up
  declare claim the win by entering king    quit    leave the game",
    whys: [
        "there is no piece of yours on that square",
        "you do not hold such a piece",
        "the piece does not move so, or something is in its way",
        "the piece cannot promote there",
        "the piece could never move again from there",
        "the square is taken",
        "two pawns on one file (nifu)",
        "a pawn drop may not give mate (uchifuzume)",
        "your king would be taken",
    ],
    endings: [
        "resignation",
        "mate",
        "the time is up",
        "fourth repetition",
        "perpetual check is forbidden",
        "declaration",
        "impasse",
        "broken off",
        "the end",
    ],
};

static JAPANESE: Words = Words {
    sides: ["先手", "後手"],
    handicap_sides: ["下手", "上手"],
    you: "あなた",
    hand: "持駒",
    engine: "読み切り レベル{}",
    greeting: "あなたは{}、{}は読み切り（レベル{}／15）です。",
    greeting_both: "対人対局です。読み切りはヒントだけ出します。",
    how_to_ask: "指し手（７六歩、76歩、7g7f）を入力してください。「ヘルプ」で説明。",
    prompt: "{}> ",
    check: "王手！",
    thinking: "（考慮中）",
    speculative: "（どの手も負けと読み切り、最も咎めにくい勝負手を選びました）",
    engine_played: "読み切りの指し手：{}",
    unknown: "指し手でも命令でもありません。指し手の例：７六歩、76歩、同歩、7g7f、8h2b+、P*5e。「ヘルプ」で説明。",
    illegal: "指せません：{}。",
    no_such_move: "そう書ける合法手はありません。",
    near_moves: "そのマスへの合法手：{}",
    promotion: "成りますか。{} または {} と入力してください。",
    nothing_to_take_back: "待ったできる手がありません。",
    taken_back: "{}手戻しました。",
    hint: "ヒント：{}、{}。読み筋：{}",
    hint_declare: "ヒント：入玉宣言で勝てます。「宣言」と入力してください。",
    mate_for: "{}手で詰み",
    mate_against: "{}手で詰まされる",
    no_declaration: "いまは宣言できません（規則{}、現在{}点）。27点法（CSARule27）では、玉が敵陣三段目以内にあり、王手がかかっておらず、敵陣に玉以外の駒が10枚以上、敵陣と持駒の点数（飛角は5点、ほかは1点）が先手は28点、後手は27点以上必要です。",
    no_moves_yet: "まだ指し手がありません。",
    no_clock: "時計のない対局です（--time や --byoyomi で付きます）。",
    level_is: "レベルは{}です（{}～{}）。",
    level_range: "レベルは{}から{}までの数です。",
    file_name_needed: "ファイル名が必要です。例：保存 game.kif",
    saved: "{} に保存しました。",
    not_saved: "保存できません：{}。",
    is_over: "対局は終わっています。",
    after_game: "「保存 ファイル名」「棋譜」「待った」「終了」が使えます。",
    won: "まで{}手で{}の勝ち（{}）",
    drawn: "まで{}手で勝敗なし（{}）",
    left: "対局を中断しました。",
    help: "指し手
  ７六歩  76歩  同歩  ５八金右   成れるときは「成」か「不成」を付ける。打つ手は「打」
  7g7f  8h2b+  P*5e        USI形式：元のマス、先のマス、+は成り。打つ手は駒の文字と *
命令
  待った (undo)    自分の手を戻す        ヒント (hint)   エンジンの推す手
  盤 (board)       盤を表示              反転 (flip)     盤の上下を入れ替える
  合法手 (moves)   指せる手の一覧        棋譜 (record)   指した手の一覧
  保存 FILE (save) 保存（.kif .csa など） レベル N (level) 強さを変える
  時計 (clock)     残り時間              投了 (resign)   負けを認める
  宣言 (declare)   入玉宣言              終了 (quit)     対局をやめる",
    whys: [
        "そのマスに自分の駒がありません",
        "その駒を持っていません",
        "その駒はそこへ動けません",
        "そこでは成れません",
        "行き所のない駒になります",
        "そのマスには駒があります",
        "二歩です",
        "打ち歩詰めです",
        "玉が取られてしまいます",
    ],
    endings: [
        "投了",
        "詰み",
        "時間切れ",
        "千日手",
        "連続王手の千日手",
        "入玉宣言",
        "持将棋",
        "中断",
        "終局",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_in_order_and_surplus_ones_stay_empty() {
        assert_eq!(fill("a {} b {}.", &["1", "2"]), "a 1 b 2.");
        assert_eq!(fill("a {} b {}.", &["1"]), "a 1 b .");
        assert_eq!(fill("plain", &["1"]), "plain");
    }

    #[test]
    fn both_languages_have_the_same_holes() {
        let holes = |words: &Words| {
            let texts = [
                words.engine,
                words.greeting,
                words.prompt,
                words.engine_played,
                words.illegal,
                words.near_moves,
                words.promotion,
                words.taken_back,
                words.hint,
                words.mate_for,
                words.mate_against,
                words.no_declaration,
                words.level_is,
                words.level_range,
                words.saved,
                words.not_saved,
                words.won,
                words.drawn,
            ];
            texts.map(|text| text.matches("{}").count())
        };
        assert_eq!(holes(&ENGLISH), holes(&JAPANESE));
    }

    #[test]
    fn the_level_in_the_greeting_is_the_highest() {
        let highest = yomikiri_engine::strength::FULL.to_string();
        for words in [&ENGLISH, &JAPANESE] {
            assert!(words.greeting.contains(&highest));
        }
    }
}
