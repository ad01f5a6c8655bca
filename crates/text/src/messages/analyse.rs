//! The analysis of games.

use super::{Display, Language, Message, fill};

messages! {
    /// What is said about the moves of a game.
    Analyse
    inaccuracy() "inaccuracy" "緩手"
    mistake() "mistake" "疑問手"
    blunder() "blunder" "悪手"
    grave_blunder() "grave blunder" "大悪手"
    missed_mate(plies) "missed a mate in {plies}" "{plies}手詰を逃す"
    missed_some_mate() "missed a mate" "詰みを逃す"
    allowed_mate(plies) "walked into a mate in {plies}" "{plies}手詰に陥る"
    allowed_some_mate() "walked into a mate" "詰まされる手"
    rate_change(before, after) "winning rate {before}% → {after}%" "勝率{before}%→{after}%"
    best_was(name) "best was {name}" "最善手 {name}"
    every_move_loses(name)
        "every move loses; hardest to answer: {name}"
        "どの手も負け、勝負手 {name}"
    title(name, black, white) "{name}: {black} – {white}" "{name}：{black} 対 {white}"
    game_moves(count) "{count} {count|move|moves}" "{count}手"
    side_summary(side, agreement, loss)
        "{side}: agreement {agreement}, average loss {loss}"
        "{side}：一致率{agreement}、平均損失{loss}"
    share(percent, agreed, count) "{percent}% ({agreed}/{count})" "{percent}%（{agreed}/{count}）"
    points(points) "{points} points of winning rate" "勝率{points}ポイント"
    count_of(grade, count) "{grade} {count}" "{grade}{count}"
    nothing_to_choose() "no choice" "選択の余地なし"
    done_already(done, total)
        "{done} of {total} {total|game|games} {done|is|are} analysed already"
        "{total}局のうち{done}局は解析済み"
    finished(folder, count) "{folder}: {count} {count|game|games}" "{folder}：{count}局"
    left_out(count)
        "{count} {count|file|files} could not be read"
        "{count}個のファイルを読めませんでした"
    no_summary(folder)
        "{folder}: no analysis in it"
        "{folder}：解析結果がありません"
    would_replace_source(file)
        "{file} would be replaced by a result: choose another folder with --out"
        "{file} が解析結果で上書きされてしまいます。--out で別のフォルダを指定してください"
    same_name(folder, name)
        "two files in {folder} are called {name}: their results would be, too"
        "{folder} に {name} という名前のファイルが2つあり、結果の名前が重なります"
    no_record(path) "{path}: no game record in it" "{path}：棋譜がありません"
    blunder_option()
        "--blunder is no longer used: moves are graded by winning rate, see --grades"
        "--blunder は使われなくなりました。指し手は勝率で分類します（--grades）"
}

messages! {
    /// The words of the graph.
    Graph
    axis_rate() "winning rate of Black, %" "先手の勝率（%）"
    axis_moves() "move" "手数"
    black_area() "Black" "先手"
    white_area() "White" "後手"
    versus(black, white) "{black} – {white}" "{black} 対 {white}"
    unnamed() "evaluation of the game" "形勢の推移"
    mate_mark() "mate missed or allowed" "詰み逃し・詰まされ"
}
