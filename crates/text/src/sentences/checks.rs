//! What `usi-check` demands of an engine, and what it finds.

pub(super) const SENTENCES: &[(&str, &str)] = &[
    (
        "{passed} passed, {failed} failed, {n} not supported",
        "合格{passed}、違反{failed}、非対応{n}",
    ),
    (
        "'usi' is answered with id name, id author and usiok within 10 seconds",
        "usi に対して10秒以内に id name、id author、usiok を返す",
    ),
    (
        "every option line can be read: one word as name, no name twice, default in range",
        "option の行がすべて読める（名前は一語、重複なし、既定値は範囲内）",
    ),
    ("every option can be set to its own default", "どのオプションも既定値のまま設定できる"),
    (
        "options that were not declared are passed over (programs always send USI_Hash)",
        "宣言していないオプションは読み飛ばす（USI_Hash は必ず送られてくる）",
    ),
    (
        "'isready' is answered before every game, not only the first",
        "isready に最初だけでなく毎局応える",
    ),
    (
        "info lines can be read, and pv holds nothing but legal moves",
        "info の行が読め、pv には合法手だけがある",
    ),
    (
        "'go btime 0 wtime 0 byoyomi N' brings one legal move within its time",
        "go btime 0 wtime 0 byoyomi N に時間内に合法手を一つ返す",
    ),
    (
        "'go btime wtime byoyomi' with time left brings one legal move",
        "go btime wtime byoyomi（持ち時間あり）に合法手を一つ返す",
    ),
    (
        "'go btime wtime binc winc' brings one legal move within the clock",
        "go btime wtime binc winc に時計の範囲で合法手を一つ返す",
    ),
    ("the words after 'go' come in any order", "go の後の語は順序を問わない"),
    (
        "'go movetime N' brings one legal move within its time",
        "go movetime N に時間内に合法手を一つ返す",
    ),
    ("'go nodes N' ends by itself", "go nodes N は自分で終わる"),
    ("'go depth N' ends by itself", "go depth N は自分で終わる"),
    (
        "'go infinite' holds its answer until 'stop', then gives it at once",
        "go infinite では stop まで答えず、stop にはすぐ答える",
    ),
    (
        "'go infinite' holds its answer even where there is nothing left to search",
        "go infinite では読み切っても stop まで答えない",
    ),
    (
        "'stop' right after 'go' brings one legal move at once",
        "go 直後の stop にすぐ合法手を一つ返す",
    ),
    (
        "'go ponder' holds its answer until 'ponderhit', then keeps its time",
        "go ponder では ponderhit まで答えず、その後は時間を守る",
    ),
    ("'stop' ends pondering with one bestmove", "先読み中の stop に bestmove を一つ返す"),
    (
        "'gameover' ends pondering, and the next game can begin",
        "gameover で先読みを終え、次の対局を始められる",
    ),
    ("'go searchmoves' plays one of the moves named", "go searchmoves では挙げられた手から選ぶ"),
    (
        "'go mate N' is answered with 'checkmate', never 'bestmove', and a mate is a mate",
        "go mate N に bestmove でなく checkmate で答え、詰み手順は本当に詰む",
    ),
    (
        "'go mate infinite' and 'stop' is answered with 'checkmate'",
        "go mate infinite と stop に checkmate で答える",
    ),
    ("a player that is mated resigns", "詰まされたら投了する"),
    (
        "a player that can declare by the 27-point rule says 'bestmove win'",
        "27点法で宣言できるとき bestmove win を返す",
    ),
    ("moves are legal in positions of every kind", "どのような局面でも合法手を返す"),
    (
        "'stop', 'ponderhit' and 'gameover' without a search bring no bestmove",
        "探索していないときの stop、ponderhit、gameover に bestmove を返さない",
    ),
    (
        "unknown words, half commands and empty lines are passed over",
        "知らない語、途中で切れたコマンド、空行を読み飛ばす",
    ),
    (
        "bytes that are no text, and a very long line, are passed over",
        "文字でないバイト列や非常に長い行を読み飛ばす",
    ),
    (
        "a position that cannot be does not end the process",
        "あり得ない局面でもプロセスが終わらない",
    ),
    ("'quit' ends the process within 5 seconds", "quit から5秒以内に終了する"),
    (
        "'quit' during a search ends the process within 5 seconds",
        "探索中の quit でも5秒以内に終了する",
    ),
    ("the end of its input ends the process within 5 seconds", "入力が終わると5秒以内に終了する"),
    (
        "the end of its input during a search ends the process within 5 seconds",
        "探索中に入力が終わっても5秒以内に終了する",
    ),
    ("no id name", "id name がありません"),
    ("no id author", "id author がありません"),
    ("the clock ran out: {n} ms", "時間切れです：{n} ms"),
    ("the move took {n} ms", "着手に {n} ms かかりました"),
    ("the move took {n} ms, it had {m} ms", "着手に {n} ms かかりました（制限 {m} ms）"),
    ("{n} ms after ponderhit", "ponderhit から {n} ms 後でした"),
    ("it answered '{line}'", "答えは「{line}」でした"),
    ("it answered '{line}' too early", "「{line}」と答えるのが早すぎます"),
    ("'{line}' cannot be read", "「{line}」を読めません"),
    ("'{line}', but G*5b is mate", "「{line}」と答えましたが、G*5b で詰みです"),
    ("'{line}', but there is no mate", "「{line}」と答えましたが、詰みはありません"),
    ("'{line}' without a legal move", "合法手がないのに「{line}」と答えました"),
    ("{move} is not legal in '{line}'", "「{line}」の {move} は合法手ではありません"),
    ("its moves do not end in mate", "手順の最後が詰みではありません"),
    (
        "programs cannot read a name with a space: '{name}'",
        "空白のある名前は読めません：「{name}」",
    ),
    ("'{name}' is declared twice", "「{name}」が二度宣言されています"),
    ("the default of '{name}' is not one of its values", "「{name}」の既定値が選択肢にありません"),
    (
        "'{word}' in the pv of '{line}' is no move",
        "「{line}」の pv の「{word}」は指し手ではありません",
    ),
    ("the process is still there after 5 seconds", "5秒たってもプロセスが終わっていません"),
    ("it sent a second bestmove", "bestmove を二度返しました"),
    ("the move to ponder on, {move}, is not legal", "先読みの手 {move} は合法手ではありません"),
];
