//! Mate problems and captures.

use super::{Display, Language, Message, fill};

messages! {
    /// Answers to mate problems.
    Solve
    mate(plies) "mate in {plies} ({plies}手詰)" "{plies}手詰"
    mate_between(low, high) "mate in {low} to {high} ({high}手詰)" "{low}～{high}手詰"
    with_interpositions(plies)
        "at most {plies} with every interposition"
        "無駄合を含めて最長{plies}手"
    left_in_hand(pieces) "{pieces} left in hand" "持駒{pieces}余り"
    no_mate_checked() "no mate (不詰), refutation verified" "不詰（反駁を検証済み）"
    no_mate() "no mate (不詰), without a refutation" "不詰（反駁は未作成）"
    unknown(why) "unknown: {why}" "不明：{why}"
    effort(nodes, seconds, memory)
        "{nodes} {nodes|node|nodes}, {seconds} s, table {memory} MiB"
        "{nodes}局面、{seconds}秒、表{memory} MiB"
    proof_verified() "proof verified" "証明を検証済み"
    totals(mates, none, unknown)
        "{mates} {mates|mate|mates}, {none} without mate, {unknown} unknown"
        "詰み{mates}題、不詰{none}題、不明{unknown}題"
    no_cooks() "no cooks (余詰なし)" "余詰なし"
    cook() "cook (余詰)" "余詰"
    early_mate() "early mate (早詰)" "早詰"
    another_last_move() "another last move" "最終手余詰"
    perhaps_mate() "perhaps mate" "詰む可能性あり"
    mate_at_most(plies) "mate in at most {plies}" "{plies}手以内の詰み"
    cook_line(ply, name, kind, length, intended)
        "ply {ply}: {name} {kind}, {length}; the line takes {intended}"
        "{ply}手目 {name} {kind}、{length}（作意は{intended}手）"
    hisshi() "hisshi (必至)" "必至"
    no_hisshi() "no hisshi (必至) in one move" "一手必至なし"
    helpmate(plies) "helpmate in {plies} (協力詰{plies}手)" "協力詰{plies}手"
    helpmate_solutions(lines) "{lines} {lines|solution|solutions}" "解{lines}通り"
    helpmate_unique() "one solution, sound" "唯一解（完全）"
    helpmate_uncounted() "solutions not counted within the limits" "解の数は制限内では不明"
    no_helpmate() "no helpmate of any length" "協力詰なし"
    no_helpmate_within(plies)
        "no helpmate within {plies} {plies|ply|plies}; longer ones are not known"
        "{plies}手以内の協力詰なし（それより長いものは不明）"
    not_decided() "not decided within the limits" "制限内では判定できず"
    defend()
        "Defend: type a move such as 5a4b or G*5b, or q to stop."
        "玉方の手を入力してください（例：5a4b、G*5b）。q で終了。"
    mated() "Mate." "詰みです。"
    not_legal(list) "Not legal here. Legal: {list}" "その手は指せません。指せる手：{list}"
    interrupted() "interrupted" "中断しました"
    capture_problem() "capture problem" "捕獲問題"
    captured() "can be taken" "取れる"
    not_captured() "cannot be taken" "取れない"
}
