//! Matches between engines.

use super::{Display, Language, Message, fill};

messages! {
    /// Tables and verdicts of matches.
    Match
    name() "name" "名前"
    games() "games" "対局"
    won() "won" "勝ち"
    drawn() "drawn" "引分"
    lost() "lost" "負け"
    score() "score" "勝率"
    nodes_a_move() "nodes/mv" "局面/手"
    time_a_move() "ms/mv" "ms/手"
    faults() "faults" "反則など"
    none() "none" "なし"
    end_mate() "mate" "詰み"
    end_no_moves() "no-moves" "指す手なし"
    end_resignation() "resignation" "投了"
    end_repetition() "repetition" "千日手"
    end_perpetual_check() "perpetual-check" "連続王手の千日手"
    end_declaration() "declaration" "入玉宣言"
    end_wrong_declaration() "wrong-declaration" "宣言失敗"
    end_maximum_moves() "maximum-moves" "手数制限"
    end_resign_rule() "resign-rule" "大差打ち切り"
    end_draw_rule() "draw-rule" "互角打ち切り"
    end_time() "time" "時間切れ"
    end_illegal() "illegal" "反則手"
    end_crash() "crash" "異常終了"
    end_silence() "silence" "応答なし"
    draw_added()
        "(not everybody has both won and lost: one drawn game is added to each pairing)"
        "（全勝または全敗の参加者がいるため、各組に引分1局を加えて計算）"
    against(first, second, percent, games, elo, normalized, superior)
        "{first} against {second}: {percent} % of {games} {games|game|games}, Elo {elo}, normalized Elo {normalized}, superior with {superior} %"
        "{first} 対 {second}：{games}局で勝率{percent}%、レート差 {elo}、正規化レート差 {normalized}、強い確率{superior}%"
    pairs(pairs, black, white, ends)
        "pairs with 0, ½, 1, 1½, 2 points: {pairs}; black won {black}, white {white}; ends: {ends}"
        "先後2局の得点 0、½、1、1½、2 の組数：{pairs}、先手{black}勝、後手{white}勝、終局：{ends}"
    undecided() "undecided" "未決"
    not_stronger()
        "H0 accepted: not stronger by that much"
        "H0 を採択：それほど強くはない"
    stronger() "H1 accepted: stronger" "H1 を採択：強い"
    sprt(low, high, ratio, lower, upper, pairs, verdict)
        "SPRT of normalized Elo {low} against {high}: ratio {ratio} ({lower} to {upper}) after {pairs} {pairs|pair|pairs}: {verdict}"
        "SPRT（正規化レート差 {low} 対 {high}）：対数尤度比 {ratio}（{lower}～{upper}）、{pairs}組で{verdict}"
    status(finished, total, rate, left)
        "{finished} of {total} {total|game|games}, {rate} a minute, about {left} left"
        "{total}局中{finished}局、毎分{rate}局、残り約{left}"
    seconds(count) "{count} s" "{count}秒"
    minutes(count) "{count} min" "{count}分"
    hours(count) "{count} h" "{count}時間"
    played(games, seconds, rate)
        "{games} {games|game|games} in {seconds} s, {rate} a minute"
        "{games}局、{seconds}秒、毎分{rate}局"
    processor_time(engines, runner, share)
        "processor time: engines {engines} s, this runner {runner} s ({share} %)"
        "CPU 時間：エンジン{engines}秒、対局の進行{runner}秒（{share}%）"
    goes_on(folder, finished, missing)
        "{folder}: {finished} {finished|game is|games are} finished, {missing} to play"
        "{folder}：{finished}局は終了、残り{missing}局"
}
