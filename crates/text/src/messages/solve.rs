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
    comma() ", " "、"
    left_in_hand(pieces) "{pieces} left in hand" "持駒{pieces}余り"
    no_mate_checked() "no mate (不詰), refutation verified" "不詰（証明を検証済み）"
    no_mate() "no mate (不詰), without a refutation" "不詰（証明は未作成）"
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
        "Defend. Moves as 5a4b, G*5b or ５二金; help lists what else can be typed."
        "玉方を持って受けてください。手は ５二金、5a4b、G*5b のように入力します。help で説明。"
    find_mate()
        "Find the mate. Moves as 5a4b, G*5b or ５二金; help lists what else can be typed."
        "詰みを見つけてください。手は ５二金、5a4b、G*5b のように入力します。help で説明。"
    attacker() "attacker" "攻方"
    defender() "defender" "玉方"
    no_check() "No check: every move of the attacker must give one." "王手ではありません。"
    refuted(reply) "{reply} refutes it: no mate. Try another move." "{reply} で詰みません。"
    practice_help()
        "moves, hint, undo, board, flip, help, quit"
        "moves（指せる手）、hint（ヒント）、undo（待った）、board（盤面）、flip（反転）、quit（終了）"
    mated() "Mate." "詰みです。"
    interrupted() "interrupted" "中断しました"
    capture_problem() "capture problem" "捕獲問題"
    captured() "can be taken" "取れる"
    not_captured() "cannot be taken" "取れない"
}

messages! {
    /// Answers to capture problems of Go.
    Capture
    black() "black" "黒"
    white() "white" "白"
    to_capture(colour, point)
        "{colour} to move, and to capture {point}"
        "{colour}番：{point} を取れるか"
    to_save(colour, point)
        "{colour} to move, and to save {point}"
        "{colour}番：{point} を助けられるか"
    captured() "1: can be captured, unconditionally" "1：無条件で取れる"
    saved() "1: can be saved, unconditionally" "1：無条件で助かる"
    not_captured() "0: cannot be captured" "0：取れない"
    not_saved() "0: cannot be saved" "0：助からない"
    captured_by_ko_other()
        "2: can be captured by ko; the defender must find the first threat"
        "2：コウで取れる（先にコウ材が要るのは守る側）"
    saved_by_ko_other()
        "2: can be saved by ko; the attacker must find the first threat"
        "2：コウで助かる（先にコウ材が要るのは攻める側）"
    captured_by_ko()
        "3: can be captured by ko; the side that moves first must find the first threat"
        "3：コウで取れる（先にコウ材が要るのは先に打つ側）"
    saved_by_ko()
        "3: can be saved by ko; the side that moves first must find the first threat"
        "3：コウで助かる（先にコウ材が要るのは先に打つ側）"
    unknown(why) "unknown ({why})" "不明（{why}）"
    no_reason() "no reason given" "理由不明"
    reaches(count)
        " (it reaches {count} liberties or lives)"
        "（呼吸点が{count}に達するか、生きる）"
    stays(count) " (not below {count} liberties)" "（呼吸点{count}未満では）"
    no_proof() " [heuristic moves: not a proof]" "［候補手のみ：証明ではない］"
    line(moves) "line: {moves}" "手順：{moves}"
    effort(nodes, seconds) "{nodes} {nodes|node|nodes}, {seconds} s" "{nodes}局面、{seconds}秒"
    checked(count)
        "checked on the slow board: {count} {count|position|positions}"
        "検算済み：{count}局面"
    not_checked() "not checked" "検算なし"
    too_many(count)
        "not checked: more than {count} positions"
        "検算なし：{count}局面を超える"
    forgotten()
        "not checked: the table no longer holds the whole proof"
        "検算なし：証明の一部が表から失われた"
    as_expected() "as expected" "一致"
    otherwise() "OTHERWISE" "不一致"
    open() "unknown" "不明"
    totals(done, total, agree, differ, unknown, unasked)
        "{done} of {total} {total|problem|problems}: {agree} as expected, {differ} otherwise, {unknown} unknown, {unasked} without expectation"
        "{total}題中{done}題：一致{agree}、不一致{differ}、不明{unknown}、正解なし{unasked}"
    checks(checked, unchecked, most)
        "{checked} {checked|answer|answers} checked on the slow board, {unchecked} not checked (more than {most} positions, or a proof no longer in the table)"
        "検算済み{checked}題、検算なし{unchecked}題（{most}局面を超えるか、証明が表から失われた）"
}

messages! {
    /// The verdict on a mate problem as a composition.
    Composition
    verdict(ruling) "verdict: {ruling}" "判定：{ruling}"
    open(what) "open: {what}" "未解決：{what}"
    flaw(what) "flaw: {what}" "キズ：{what}"
    at_ply(ply, name) "ply {ply}{name}: " "{ply}手目{name}："
    length(plies) ", {plies} {plies|ply|plies}" "、{plies}手"
    proof(count)
        ", proof of {count} {count|position|positions} checked"
        "、{count}局面の証明を検証済み"
    sound() "sound (完全作)" "完全作"
    faulty() "faulty (不完全作)" "不完全作"
    undecided() "undecided" "未確定"
    no_mate() "no mate (不詰)" "不詰"
    early_mate() "a shorter mate (早詰)" "早詰"
    other_mate() "another mate (余詰, 別詰)" "余詰（別詰）"
    transposition() "another order of moves (手順前後)" "手順前後"
    detour() "a detour that comes back (迂回手順)" "迂回手順"
    last_move() "another last move (最終手余詰)" "最終手余詰"
    free_distance() "the distance does not matter (非限定)" "非限定（距離）"
    free_promotion() "promotion does not matter (非限定)" "非限定（成・不成）"
    long_variation() "a variation that lasts longer (変長)" "変長"
    equal_variation() "a variation of the same length (変同)" "変同"
    leftover() "pieces are left over (駒余り)" "駒余り"
    useless_piece() "the same problem with one piece less (不要駒)" "不要駒"
    whether_mate() "whether there is a mate" "詰むかどうか"
    whether_shortest() "whether this is the shortest mate" "最短かどうか"
    whether_other_move() "whether this move mates too" "余詰の有無"
    whether_proof() "it mates, but the proof is not complete" "詰むが証明が未完"
    whether_kind() "it mates, but what kind of fault it is" "詰むが余詰の種類が不明"
    whether_variation() "how long this variation lasts" "変化の手数"
    whether_leftover() "whether pieces have to be left over" "駒余りの有無"
    whether_useless() "whether some piece is not needed" "不要駒の有無"
    pieces(count) "{count} {count|piece|pieces}" "使用駒{count}枚"
    both_kings() "both kings (双玉)" "双玉"
    pawn_drop_mates(plies)
        "a pawn dropped would mate (打歩詰): {plies}"
        "打歩詰の局面: {plies}"
    declined_promotions(plies) "declined promotions (不成): {plies}" "不成: {plies}"
    smoke() "smoke mate (煙詰)" "煙詰"
    naked_king() "naked king (裸玉)" "裸玉"
    no_attackers() "no attackers on the board (無仕掛)" "無仕掛"
    centre() "mate on the centre square (都詰)" "都詰"
    between() "; " "、"
}
