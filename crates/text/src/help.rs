//! The help of the command line in Japanese. English stands at the options themselves.

mod research;

use research::RESEARCH;

/// What a command (`learn.eval` for one below another) does; nothing where there is only English.
pub fn help(path: &str) -> Option<&'static str> {
    HELP.iter().chain(RESEARCH).find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// What an option or argument of a command means: as it stands at the command itself, at one above
/// it, or for all commands.
pub fn option_help(command: &str, id: &str) -> Option<&'static str> {
    let own = help(&format!("{command}.{id}"));
    let above = || option_help(command.rsplit_once('.').map_or("", |(above, _)| above), id);
    match command {
        "" => own,
        // The same contest, without a sequential test.
        "rate" => own.or_else(|| option_help("match", id)),
        // Games against oneself, as there.
        "tune" => own.or_else(|| option_help("measure", id)),
        _ => own.or_else(above),
    }
}

/// By the command and the option; the program itself has the empty name.
const HELP: &[(&str, &str)] = &[
    ("", "読み切り：将棋エンジン、詰将棋ソルバー、ゲーム探索の実験室"),
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
    ("go.solve", "捕獲問題を解く：その石は取れるか。証明は検証済み"),
    ("go.read", "局面のすべての石を読む：取れるか、助かるか"),
    ("go.read.sgf", "局面と手順を変化として書いた SGF ファイルを作る"),
    ("go.candidates", "石を取るための候補点と初期の数を盤上に示す（論文の図と同じ）"),
    ("go.compare", "自分の局面で、論文の各方式を比べる"),
    ("lab", "実験の一覧、実行、報告"),
    ("lab.list", "実験の名前と、それぞれが何を問うかを示す"),
    ("lab.run", "実験を行い、論文の数値と並べた報告を作る"),
    ("lab.rerun", "結果の manifest.json に書かれた実験をもう一度行い、比べる"),
    ("lab.compare", "同じ実験の二つの結果を比べる：設定、判定、表"),
    ("lab.report", "保存された結果から、測り直さずに表と報告を作り直す"),
    ("learn.eval", "棋譜から評価関数を学習する（ボナンザメソッド）"),
    ("learn.positions", "ニューラルネットワーク用の局面を自己対局で作る"),
    ("learn.network", "評価値と結果の付いた局面からニューラルネットワークを学習する"),
    ("learn.stage", "駒の配置から進行度を学習する"),
    ("learn.move-probability", "指し手の種類ごとに、指される確率を数える"),
    ("learn.policy", "人がどの手を指すか、合法手それぞれの確率を学習する"),
    ("learn.policy-agreement", "学習した確率が実際の指し手をどれだけ言い当てるか測る"),
    ("learn.level-agreement", "各レベルの間違え方を、同じ局面での人の間違え方と比べる"),
    ("learn.mine", "よく現れる三つの駒の組み合わせを探す"),
    ("learn.book", "定跡を集める"),
    ("learn.agreement", "評価関数が実際の指し手を選ぶ割合を測る"),
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
    (
        "solve.input",
        "局面（SFEN、または USI の startpos moves ..）、棋譜（KIF、CSA、KI2、JKF、BOD）、一行一局面のファイル、フォルダ、または - （標準入力）",
    ),
    ("solve.json", "文章のかわりに、一問を一行の JSON で書く"),
    ("solve.time", "一問にかける秒数（--hisshi と --cook では探索一回の秒数）。既定は 60"),
    ("solve.hash", "表に使うメモリ（MiB）"),
    ("solve.threads", "スレッド数（1 から 128）"),
    ("solve.nodes", "一問で調べる局面数の上限"),
    ("solve.any", "最短でなくても詰みがあればよい"),
    ("solve.attacker", "攻方：b または w。指定しなければ玉のない側、両方にあれば手番の側"),
    ("solve.proof", "証明（不詰なら反証）を JSON で書く。`yomikiri verify` で確かめられる"),
    ("solve.kif", "正解手順と玉方の応手すべてを変化として書く（kif、kifu、csa、jkf）"),
    ("solve.picture", "証明の初めの数手を図にする：.svg または .png"),
    ("solve.force", "ファイルがあれば上書きする"),
    ("solve.cook", "攻方のすべての手で余詰を探す"),
    ("solve.judge", "作品として判定する：完全作か、欠点のすべてとその証明。時間は判定全体の秒数"),
    ("solve.against", "作意：solution（見つけた手順）または record（棋譜の手順）"),
    ("solve.allow", "ここでは傷とみなす欠点の種類（leftover など）。何度でも指定できる"),
    ("solve.forbid", "ここでは不完全とみなす傷の種類（last-move など）。何度でも指定できる"),
    ("solve.useless", "不要駒も調べる"),
    ("solve.ply", "棋譜のこの手数の局面から"),
    ("solve.hisshi", "詰みのかわりに必至を探す"),
    ("solve.helpmate", "最短の協力詰と、その解の数を求める"),
    ("solve.play", "問題を盤上で指す：玉方を持って受ける。--play=solve なら自分で詰みを探す"),
    ("solve.resume", "答えをこのファイルに JSON で書き足し、すでにあるものは飛ばす"),
    ("solve.out", "答えをこのフォルダに保存して表にする。中断しても続きから行う"),
    (
        "match.engines",
        "エンジン：name=A cmd=\"プログラム\" dir=フォルダ option.NAME=VALUE などの語と、そのエンジンだけの nodes=、depth=、movetime=、time=、byoyomi=、increment=。restart=on なら一局ごとに起動し直す。cmd= がなければこのプログラム。エンジンごとに一度ずつ指定する",
    ),
    (
        "match.openings",
        "初期局面のファイル（一行に一つ、SFEN または startpos moves ...）。先後を替えて二局ずつ指す。指定しなければ内蔵の互角の1,200局面",
    ),
    ("match.pairs", "二つのエンジンの組ごとに、先後を替えた二局を何回指すか"),
    ("match.concurrency", "同時に行う対局の数"),
    ("match.affinity", "対局ごとに CPU のコアを一つずつ割り当てる（1スレッドのエンジン用）"),
    ("match.out", "棋譜のフォルダ。中断した対局は続きから行う"),
    ("match.no_records", "一局ごとの CSA と KIF のファイルを書かない（games.tsv に全局がある）"),
    ("match.seed", "初期局面の順番を決める乱数の種"),
    ("match.nodes", "一手の局面数"),
    ("match.depth", "一手の深さ"),
    ("match.movetime", "一手のミリ秒"),
    ("match.time", "持ち時間（ミリ秒）"),
    ("match.byoyomi", "秒読み（ミリ秒）"),
    ("match.increment", "一手ごとの加算（ミリ秒）"),
    ("match.margin", "これだけ（ミリ秒）遅れた手は時間切れ負けとする"),
    ("match.patience", "時間制限のない手を待つ秒数"),
    ("match.max_moves", "この手数で引き分けとする（0 は制限なし）"),
    (
        "match.entering_king",
        "入玉の規則：NoEnteringKing、CSARule24、CSARule24H、CSARule27、CSARule27H、TryRule",
    ),
    ("match.auto_declare", "宣言できる局面になれば、宣言しなくても勝ちとする"),
    (
        "match.resign",
        "両方のエンジンがこの評価値以上の負けと見た手がこれだけ続けば投了とする（例：2000,4）",
    ),
    (
        "match.draw",
        "この手数のあと、両方のエンジンの評価値がこの範囲にある手がこれだけ続けば引き分けとする（例：160,20,8）",
    ),
    (
        "match.sprt",
        "逐次検定で二つのレート差（正規化 Elo、例：0,10）のどちらかに決まれば終える。三つ目と四つ目の数は誤り率（既定は 0.05）",
    ),
    ("convert.input", "棋譜、棋譜のフォルダ、または - （標準入力）"),
    ("convert.output", "書き出すファイルかフォルダ、または - （標準出力）"),
    ("convert.from", "読む形式。指定しなければファイルの名前と内容から"),
    ("convert.to", "書く形式。指定しなければファイルの名前から"),
    ("convert.force", "ファイルがあれば上書きする"),
    ("convert.strict", "コメント、変化、時間、ヘッダのどれかが失われるなら書かない"),
    ("serve.port", "ポート。指定しなければ、空いていれば前回と同じもの"),
    ("serve.no_open", "ブラウザを開かない"),
    ("serve.listen", "ほかの計算機にも、このアドレスで開く"),
    ("serve.token_file", "接続に必要な合言葉（16文字以上の英数字）のファイル"),
    ("serve.data", "対局を保存するフォルダ。指定しなければ利用者のデータフォルダ"),
    ("serve.no_data", "対局をメモリだけに置く"),
    (
        "eval.position",
        "局面：引用符で囲んだ SFEN、または startpos。どちらも後に moves ... を付けられる。- は標準入力（--raw なら一行に一局面）",
    ),
    ("eval.weights", "線形の重み、またはニューラルネットワーク。指定しなければ内蔵のもの"),
    ("eval.scale", "ネットワークの出力を評価値にする除数"),
    ("eval.raw", "除算する前の、手番から見たネットワークの出力だけを書く"),
    ("bench.depth", "探索の深さ（手数）"),
    (
        "bench.long",
        "実戦での深さまで探索する（20倍ほどかかる）。--signatures と共に使えば、その値だけを書く",
    ),
    ("bench.set", "エンジンの設定（NAME=VALUE）。何度でも指定できる"),
    ("bench.signatures", "bench/signature.txt の値を一行に一つずつ書く"),
    ("perft.depth", "数える手数"),
    ("perft.sfen", "数え始める局面（SFEN）。指定しなければ平手の初期局面"),
    ("perft.no_bulk", "最後の手も数えるだけでなく指す（遅いが、より多くを検査する）"),
    ("perft.divide", "最初の手ごとの数を示す"),
    (
        "verify.proofs",
        "`yomikiri solve --proof` が書いたファイル、または `solve --judge --json` の答え（欠点の証明をすべて確かめる）。- は標準入力",
    ),
    ("verify.time", "慣例による手数を求め直す秒数（証明ごと）"),
    ("verify.hash", "そのためのメモリ（MiB）"),
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
    use super::{HELP, RESEARCH, option_help};

    #[test]
    fn nothing_is_explained_twice() {
        let all = [HELP, RESEARCH].concat();
        for (index, (path, text)) in all.iter().enumerate() {
            assert!(all[..index].iter().all(|(other, _)| other != path), "{path}");
            assert!(!text.is_empty() && !text.ends_with('。'), "{path}: one form for all");
        }
    }

    #[test]
    fn an_option_means_what_the_nearest_command_says() {
        assert_eq!(option_help("rate", "pairs"), option_help("match", "pairs"));
        assert_ne!(option_help("learn.eval", "from"), option_help("lab.run", "from"));
        assert_eq!(option_help("learn.agreement", "games"), option_help("learn.book", "games"));
        assert_eq!(option_help("lab.run", "seed"), option_help("", "seed"));
        assert_eq!(option_help("play", "no such option"), None);
    }
}
