//! The help of the command line in Japanese. English stands at the options themselves.

/// What a command, or an option of one (`play.level`), does; nothing where only English tells.
pub fn help(path: &str) -> Option<&'static str> {
    HELP.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// By the command and the option; the program itself has the empty name.
const HELP: &[(&str, &str)] = &[
    ("", "読み切り：将棋エンジン、詰将棋の解答、ゲーム探索の実験室"),
    (".lang", "表示の言語（en または ja）。指定しなければ環境変数 LANG に従う"),
    (".pieces", "駒と指し手の書き方：kanji（７六歩）または western（P-7f）"),
    (".max_input", "圧縮ファイルを展開したときの最大の大きさ（K、M、G、T も可）"),
    (".help", "ヘルプを表示する"),
    (".version", "バージョンを表示する"),
    ("usi", "GUI と USI プロトコルで通信する"),
    ("play", "端末でエンジンと対局する（入門者向けから全力まで）"),
    ("csa", "CSA サーバ（floodgate など）に接続して対局する"),
    ("serve", "ブラウザで盤を開く：対局、検討、詰将棋"),
    ("bench", "決まった局面を探索し、ノード数（動作の確認）と速さを測る"),
    ("analyse", "棋譜を解析する：一手ごとの形勢、最善手順、悪手、詰みの見逃し"),
    ("match", "エンジン同士を対局させ、レート差と誤差を出す"),
    ("rate", "総当たりなどで複数のエンジンのレートを測る"),
    ("run", "計画ファイル（match、rate、lab run などの --plan で作る）から計算を行う"),
    ("cluster", "長い計算（match、rate、tune、lab run、solve、learn）を Ray のクラスタで行う"),
    ("measure", "設定の違いがどれだけ強さを変えるか、短い持ち時間と長い持ち時間で測る"),
    ("tune", "探索の数値を短い対局を重ねて調整する（SPSA）"),
    ("merge", "--shard で分けた計算の結果をまとめる"),
    ("openings", "対局用の互角の初期局面を作る"),
    ("problems", "次の一手問題を解く、または棋譜から作る"),
    ("usi-check", "エンジンが USI プロトコルを守っているか調べる"),
    ("solve", "詰将棋を解く：検証済みの最短手順、余詰、必至"),
    ("verify", "solve --proof の証明を、すべての手順と数値について確かめる"),
    ("learn", "棋譜から学習する：評価関数、進行度、指し手の確率、定跡"),
    ("eval", "評価関数が局面をどう見ているか説明する"),
    ("go", "囲碁の捕獲問題を解く：その石は取れるか"),
    ("go.read", "局面のすべての石を読む：取れるか、助かるか"),
    ("go.read.sgf", "局面と手順を変化として書いた SGF ファイルを作る"),
    ("go.candidates", "石を取るための候補点と初期の数を盤上に示す（論文の図と同じ）"),
    ("go.compare", "自分の局面で、論文の各方式を比べる"),
    ("lab", "実験の一覧、実行、報告"),
    ("show", "局面を端末に表示する、または SVG・PNG の図にする"),
    ("convert", "棋譜をほかの形式に変換する（ファイルまたはフォルダごと）"),
    ("perft", "指し手の列を数える（合法手生成の検査）"),
    ("completions", "シェルの補完スクリプトを標準出力に書く"),
    ("help", "コマンドの説明を表示する"),
    ("play.level", "エンジンの強さ：1（入門者）から 15（全力）まで"),
    (
        "play.side",
        "自分の手番：black（先手・下手）、white（後手・上手）、random（振り駒）、both（二人で対局）",
    ),
    (
        "play.handicap",
        "駒落ち：lance、bishop、rook、two、four など、または「二枚落ち」などの名前。上手は後手側",
    ),
    ("play.position", "この局面から始める：SFEN、または USI の \"startpos moves ...\""),
    ("play.file", "棋譜（KIF、KI2、CSA、JKF など）の続きから指す"),
    ("play.ply", "棋譜のこの手数の局面から。指定しなければ最後の局面から"),
    ("play.time", "持ち時間（分）。秒読みと加算もなければ時計なし"),
    ("play.byoyomi", "持ち時間を使い切ったあとの秒読み（秒）"),
    ("play.increment", "一手ごとに加算する秒数"),
    ("play.think", "ヒントと、時計のないときのレベル15の一手にかける秒数"),
    ("play.save", "一手ごとにこのファイルに保存する：.kif、.kifu、.ki2、.csa、.jkf"),
    ("play.force", "そのファイルがあれば上書きする"),
    (
        "play.entering_king",
        "入玉の規則：NoEnteringKing、CSARule24、CSARule24H、CSARule27、CSARule27H、TryRule",
    ),
    ("play.no_resign", "エンジンは負けでも最後まで指す"),
    ("play.speculative", "エンジンは負けの終盤で、最も咎めにくい勝負手を選び、そう告げる"),
    ("play.seed", "乱数の種。数ごとに別の対局になる。指定しなければ毎回変わる"),
    ("csa.host", "サーバ：HOST または HOST:PORT（ポートの既定は 4081）"),
    ("csa.user", "ログイン名"),
    (
        "csa.password_file",
        "一行目がパスワードのファイル。なければ環境変数 YOMIKIRI_CSA_PASSWORD を使う",
    ),
    ("csa.game", "希望する対局の種類（floodgate ではパスワードの前に付く）"),
    ("csa.games", "対局数。指定しなければ続ける"),
    ("csa.out", "棋譜（一局一ファイルの CSA 形式）のフォルダ"),
    ("csa.lines", "指し手とともに評価値と読み筋を送る（floodgate の拡張）"),
    ("csa.ponder", "相手の手番でも考える"),
    ("csa.set", "エンジンの設定（NAME=VALUE、複数可）"),
    ("csa.log", "通信をすべてこのファイルに記録する（パスワードは伏せる）"),
    ("csa.attempts", "ログインできないまま続けてこの回数失敗したらあきらめる"),
    (
        "analyse.game",
        "棋譜（KIF、KI2、CSA、JKF、USI、TSV）、棋譜のフォルダ、または標準入力を表す -",
    ),
    (
        "analyse.engine",
        "エンジン：cmd=\"PROGRAM ARGS\" dir=FOLDER option.NAME=VALUE など。指定しなければこのプログラム",
    ),
    ("analyse.concurrency", "同時に解析する対局の数"),
    ("analyse.out", "結果のフォルダ。同じ条件で解析済みの対局は飛ばす"),
    ("analyse.nodes", "一局面あたりのノード数"),
    ("analyse.movetime", "一局面あたりの時間（ミリ秒）"),
    ("analyse.force", "解析結果ではないファイルも上書きする"),
    ("analyse.grades", "勝率が何ポイント下がれば緩手、疑問手、悪手、大悪手とするか"),
    ("analyse.scale", "勝率の計算に使う定数：勝率 = 1 / (1 + exp(-評価値 / 定数))"),
    ("analyse.summary", "解析はせず、フォルダにある結果のまとめをもう一度表示する"),
    (
        ".plan",
        "計画をこのファイルに書くだけで終わる。`yomikiri run FILE` がここでも別の計算機でも実行する",
    ),
    (
        ".shard",
        "全体を N 個に分けたうちの I 番目（0 から）だけを行う。`yomikiri merge` で結果をまとめる",
    ),
    (".from", "前の段階をまとめたフォルダから続ける"),
    ("show.position", "局面：SFEN、または USI の「startpos moves ...」。標準入力の棋譜は -"),
    ("show.file", "棋譜（KIF、KI2、CSA、JKF など）の局面を使う"),
    ("show.game", "棋譜の何局目か（1 から）"),
    ("show.ply", "何手目の局面か。指定しなければ最後の局面"),
    ("show.output", "図にして書き出す：.svg または .png"),
    ("show.width", "PNG の幅（ピクセル）"),
    ("show.flip", "図の上下を反転し、後手を手前にする"),
    ("show.force", "図のファイルがあれば上書きする"),
];

#[cfg(test)]
mod tests {
    use super::HELP;

    #[test]
    fn nothing_is_explained_twice() {
        for (index, (path, text)) in HELP.iter().enumerate() {
            assert!(HELP[..index].iter().all(|(other, _)| other != path), "{path}");
            assert!(!text.is_empty() && !text.ends_with('。'), "{path}: one form for all");
        }
    }
}
