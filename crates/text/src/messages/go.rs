//! Readings of Go positions.

use super::{Display, Language, Message, fill};

messages! {
    /// Every block of a position: can it be captured, can it be saved?
    GoRead
    heading(blocks, liberties)
        "{blocks} {blocks|block|blocks} with fewer than {liberties} liberties"
        "呼吸点が{liberties}未満の石：{blocks}個"
    heading_all(blocks) "{blocks} {blocks|block|blocks}" "石：{blocks}個"
    safe() "safe: stands even if the attacker moves first" "安全：先に攻められても取られない"
    critical() "critical: who moves first decides" "急所：先に打ったほうが勝つ"
    by_ko() "critical: a ko decides" "急所：コウしだい"
    lost() "lost: falls even if it moves first" "取られている：先に打っても助からない"
    unknown() "unknown: a search met its limit" "不明：探索の上限に達した"
    black() "black" "黒"
    white() "white" "白"
    block(colour, point, stones, liberties)
        "{colour} {point}, {stones} {stones|stone|stones}, {liberties} {liberties|liberty|liberties}"
        "{colour} {point}（{stones}子、呼吸点{liberties}）"
    attack(code, line) "to capture, {code}: {line}" "取る側から {code}：{line}"
    defence(code, line) "to save, {code}: {line}" "逃げる側から {code}：{line}"
    none() "no line" "手順なし"
    checked(positions) "checked on the slow board: {positions} positions" "低速盤で検証済み：{positions}局面"
    not_checked() "not checked" "未検証"
    tally(safe, critical, lost, unknown)
        "{safe} safe, {critical} critical, {lost} lost, {unknown} unknown"
        "安全{safe}、急所{critical}、取られている{lost}、不明{unknown}"
    variant() "variant" "方式"
    answer() "captured" "取れるか"
    nodes() "nodes" "局面数"
    yes() "yes" "取れる"
    no() "no" "取れない"
    over() "over the limit" "上限超過"
}
