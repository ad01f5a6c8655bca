//! A game in the terminal.

use super::{Display, Language, Message, fill};

messages! {
    /// Names of the two sides, and what stands beside a board.
    Side
    black() "Black" "先手"
    white() "White" "後手"
    handicap_black() "Black (takes the handicap)" "下手"
    handicap_white() "White (gives the handicap)" "上手"
    hand() "in hand" "持駒"
    to_move(side) "{side} to move" "{side}番"
    last_move(number, name) "after move {number}, {name}" "手数＝{number} {name} まで"
    check() "check" "王手"
    mate() "mate" "詰み"
    empty_hand() "none" "なし"
}

messages! {
    /// What is said during a game.
    Play
    you() "you" "あなた"
    engine(level) "Yomikiri, level {level}" "読み切り レベル{level}"
    greeting(side, other, level, highest)
        "You are {side}. {other} is Yomikiri at level {level} of {highest}."
        "あなたは{side}、{other}は読み切り（レベル{level}／{highest}）です。"
    greeting_both()
        "Two people play; Yomikiri only gives hints."
        "対人対局です。読み切りはヒントだけ出します。"
    how_to_ask()
        "Type a move such as 7g7f or ７六歩, or help."
        "指し手（７六歩、76歩、7g7f）を入力してください。「ヘルプ」で説明。"
    prompt(side) "{side}> " "{side}> "
    check() "Check!" "王手！"
    thinking() "(thinking)" "（考慮中）"
    speculative()
        "(every move loses: the engine plays the one that is hardest to answer)"
        "（どの手も負けと読み切り、最も咎めにくい勝負手を選びました）"
    engine_played(name) "Yomikiri plays {name}" "読み切りの指し手：{name}"
    unknown()
        "That is neither a move nor a command. Moves: 7g7f, 8h2b+, P*5e, ７六歩, 同歩. Commands: type help."
        "指し手でもコマンドでもありません。指し手の例：７六歩、76歩、同歩、7g7f、8h2b+、P*5e。「ヘルプ」で説明。"
    illegal(why) "Not allowed: {why}." "その手は指せません：{why}。"
    no_such_move() "No legal move is written so." "その手は指せません。"
    near_moves(list) "Legal moves to that square: {list}" "そのマスに指せる手：{list}"
    promotion(promoted, plain)
        "Promote or not? Type {promoted} or {plain}."
        "成りますか。{promoted} または {plain} と入力してください。"
    nothing_to_take_back()
        "There is no move of yours to take back."
        "待ったできる手がありません。"
    taken_back(count) "{count} {count|move|moves} taken back." "{count}手戻しました。"
    hint(name, value, line)
        "Hint: {name}, {value}. Line: {line}"
        "ヒント：{name}、{value}。読み筋：{line}"
    hint_declare()
        "Hint: you can win by declaring: type declare."
        "ヒント：入玉宣言で勝てます。「宣言」と入力してください。"
    hint_none() "There is no move to be found." "指せる手がありません。"
    mate_for(plies) "mate in {plies}" "{plies}手で詰み"
    mate_against(plies) "mated in {plies}" "{plies}手で詰まされる"
    no_declaration(rule, points)
        "You cannot declare a win now (rule {rule}; you have {points} {points|point|points}). Under CSARule27 your king must stand in the far three ranks, not in check, with ten other pieces of yours there, and you need 28 points as Black or 27 as White, counting 5 for rooks and bishops and 1 for others, there and in hand."
        "いまは宣言できません（規則{rule}、現在{points}点）。27点法（CSARule27）では、玉が敵陣三段目以内にあり、王手がかかっておらず、敵陣に玉以外の駒が10枚以上、敵陣と持駒の点数（飛角は5点、ほかは1点）が先手は28点、後手は27点以上必要です。"
    no_moves_yet() "No move has been played." "まだ指し手がありません。"
    no_clock()
        "This game has no clock (start with --time or --byoyomi)."
        "時計のない対局です（--time や --byoyomi で付きます）。"
    clock(time) "{time}" "残り{time}"
    clock_byoyomi(time, seconds) "{time}, byoyomi {seconds} s" "残り{time} 秒読み{seconds}秒"
    byoyomi(seconds) "byoyomi {seconds} s" "秒読み{seconds}秒"
    level_is(level, lowest, highest)
        "The level is {level} (from {lowest} to {highest})."
        "レベルは{level}です（{lowest}～{highest}）。"
    level_range(lowest, highest)
        "A level is a number from {lowest} to {highest}."
        "レベルは{lowest}から{highest}までの数です。"
    file_name_needed()
        "Under what name? For example: save game.kif"
        "ファイル名が必要です。例：保存 game.kif"
    saved(file) "Saved as {file}." "{file} に保存しました。"
    not_saved(why) "Not saved: {why}." "保存できません：{why}。"
    is_over() "The game is over." "対局は終わっています。"
    after_game()
        "You can still type save FILE, record, undo or quit."
        "「保存 ファイル名」「棋譜」「待った」「終了」が使えます。"
    won(count, side, how)
        "After {count} {count|move|moves} {side} wins: {how}."
        "まで{count}手で{side}の勝ち（{how}）"
    drawn(count, how)
        "After {count} {count|move|moves} nobody wins: {how}."
        "まで{count}手で勝敗なし（{how}）"
    left() "The game stops here." "対局を中断しました。"
    not_yours()
        "there is no piece of yours on that square"
        "そのマスに自分の駒がありません"
    not_in_hand() "you do not hold such a piece" "その駒を持っていません"
    cannot_reach()
        "the piece does not move so, or something is in its way"
        "その駒はそこへ動けません"
    cannot_promote() "the piece cannot promote there" "そこでは成れません"
    dead_end() "the piece could never move again from there" "行き所のない駒になります"
    occupied() "the square is taken" "そのマスには駒があります"
    two_pawns() "two pawns on one file (nifu)" "二歩です"
    drop_mate() "a pawn drop may not give mate (uchifuzume)" "打ち歩詰めです"
    king_in_check() "your king would be taken" "玉が取られてしまいます"
    ending_resign() "resignation" "投了"
    ending_mate() "mate" "詰み"
    ending_timeout() "the time is up" "時間切れ"
    ending_repetition() "fourth repetition" "千日手"
    ending_perpetual() "perpetual check is forbidden" "連続王手の千日手"
    ending_declaration() "declaration" "入玉宣言"
    ending_impasse() "impasse" "持将棋"
    ending_interrupted() "broken off" "中断"
    ending_other() "the end" "終局"
    save_formats(file)
        "{file}: a game is saved as .kif, .kifu, .ki2, .csa or .jkf"
        "{file}：棋譜は .kif、.kifu、.ki2、.csa、.jkf のどれかで保存します"
    help()
"Moves
  7g7f  8h2b+  P*5e        as USI: from, to, + promotes; a drop is the piece's letter and *
  ７六歩  76歩  同歩  ５八金右   in Japanese; 成 or 不成 where a piece could promote; 打 for a drop
Commands
  undo    take your last move back          hint    what the engine would play
  board   show the board                    flip    turn the board
  moves   list all legal moves              record  list the moves played
  save FILE  save the game (.kif, .csa, ...) level N  change the engine's level
  clock   show the clocks                   resign  give up
  declare claim the win by entering king    quit    leave the game"
"指し手
  ７六歩  76歩  同歩  ５八金右   成れるときは「成」か「不成」を付ける。打つ手は「打」
  7g7f  8h2b+  P*5e        USI形式：元のマス、先のマス、+は成り。打つ手は駒の文字と *
コマンド
  待った (undo)    自分の手を戻す        ヒント (hint)   エンジンの推す手
  盤 (board)       盤を表示              反転 (flip)     盤の上下を入れ替える
  合法手 (moves)   指せる手の一覧        棋譜 (record)   指した手の一覧
  保存 FILE (save) 保存（.kif .csa など） レベル N (level) 強さを変える
  時計 (clock)     残り時間              投了 (resign)   負けを認める
  宣言 (declare)   入玉宣言              終了 (quit)     対局をやめる"
}
