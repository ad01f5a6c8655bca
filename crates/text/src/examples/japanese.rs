//! The Japanese of examples in which something is said.

pub(super) const JAPANESE: &[(&str, &str)] = &[
    (
        "analyse",
        r#"対局ごとに、コメント付きの KIF（NAME.kifu）、形勢のグラフ（NAME.svg、NAME.png）、NAME.json を書きます。中断しても、同じコマンドでそのフォルダの log.jsonl の続きから行います。どの手も負けと証明された局面では、最も咎めにくい勝負手を示します。

例：
  yomikiri analyse game.kif                        # 一局面100,000ノード、結果は analysis/ に
  yomikiri analyse games/ --movetime 1000 -j 2 --out results
  yomikiri analyse --summary results               # 結果のまとめをもう一度
  yomikiri analyse game.csa --engine 'cmd=/usr/games/fairy-stockfish' --movetime 500"#,
    ),
    (
        "cluster",
        r#"例：
  yomikiri cluster --address ray://head:10001 --out null-move match -e name=a -e 'name=b option.NullMove=true' --nodes 5000

二段階に分けることもできます：`yomikiri COMMAND .. --plan plan.json` のあと
`python -m yomikiri.cluster plan.json --out FOLDER`。結果は一台で行ったものと一バイトも違いません。"#,
    ),
    (
        "convert",
        r#"形式：csa（2.2）、csa3（3.0）、kif と ki2（Shift-JIS）、kifu と ki2u（UTF-8）、jkf、
usi（局面の行）、sfen（すべての局面）、tsv（一行一局）、psv、hcpe（学習用の局面）、
bod（最後の局面の盤面図）。文字コードは名前によらず内容から判別します。末尾が .zst、.gz のファイルは
圧縮されたものとして扱います。書く形式で表せないものは、ファイルごとに標準エラー出力に示します。

例：
  yomikiri convert game.kif game.csa
  yomikiri convert games/ out/ --to kifu
  yomikiri convert --strict game.kif game.usi
  yomikiri convert - - --from kif --to csa < game.kif
  yomikiri convert data/games_engine.tsv.zst training.psv"#,
    ),
    (
        "csa",
        r#"例：
  yomikiri csa wdoor.c.u-tokyo.ac.jp --user me --password-file trip.txt --game floodgate-300-10F --lines --ponder
  YOMIKIRI_CSA_PASSWORD=test-600-10,x yomikiri csa localhost:4081 --user me --games 1

Ctrl-C で、対局中の一局を終えてから終了します。もう一度押すとすぐに終了します。"#,
    ),
    (
        "match",
        r#"例：
  yomikiri match -e name=new -e 'name=old option.CounterMoves=false' --nodes 10000 --sprt 0,10 -p 5000
  yomikiri match -e name=ours -e 'cmd=/usr/games/fairy-stockfish option.Threads=1' --byoyomi 1000 -p 20
  yomikiri match -e 'name=five option.Level=5' -e 'name=six option.Level=6' --nodes 1000000 -j 2

Ctrl-C で中断できます。同じコマンドで続きから行います。"#,
    ),
    (
        "measure",
        r#"例：
  yomikiri measure play --technique 'null move' --set null_move.enabled=true --results bench/results.json --out /tmp/null
  yomikiri measure table --results bench/results.json --document docs/algorithms.md

Ctrl-C で中断できます。同じコマンドで続きから行います。"#,
    ),
    (
        "merge",
        r#"例：
  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 0/2 --out part0
  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 1/2 --out part1
  yomikiri merge --out whole part0 part1

段階が複数ある計算（`lab run`、`tune`）は、段階ごとに分けて行います：部分をまとめ、それぞれを
--from FOLDER を付けて続け、別のフォルダにまとめます。"#,
    ),
    (
        "perft",
        r#"例：
  yomikiri perft 4                # 四手の手順は719731通り
  yomikiri perft 2 --divide --sfen '4k4/9/9/9/9/9/9/9/4K4 b RB 1'"#,
    ),
    (
        "play",
        r#"対局中は指し手（7g7f、７六歩、同歩、P*5e）かコマンドを入力します。help で一覧が出ます。

例：
  yomikiri play --level 3                     # 先手を持つ。エンジンは手加減する
  yomikiri play --side white --time 10 --byoyomi 30 --save game.kif
  yomikiri play --handicap 二枚落ち              # エンジンが飛車と角を落とす
  yomikiri play --file game.kif --ply 40      # 棋譜の40手目から指し継ぐ
  yomikiri play --lang ja"#,
    ),
    (
        "rate",
        r#"例：
  yomikiri rate -e 'name=a nodes=8000' -e 'name=b nodes=4000' -e 'name=c nodes=2000' -p 50
  yomikiri rate --gauntlet -e name=ours -e 'cmd=/usr/games/fairy-stockfish' -e 'cmd="/usr/games/gpsusi" option.Thread=1' --byoyomi 1000

Ctrl-C で中断できます。同じコマンドで続きから行います。"#,
    ),
    (
        "run",
        r#"例（二台の計算機で分ける）：
  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --plan plan.json
  yomikiri run plan.json --out part0 --shard 0/2
  yomikiri run plan.json --out part1 --shard 1/2
  yomikiri merge --out whole part0 part1"#,
    ),
    (
        "serve",
        r#"例：
  yomikiri serve                        # ブラウザが開く
  yomikiri serve --port 8080 --no-open
  yomikiri serve --listen 0.0.0.0 --token-file token.txt"#,
    ),
    (
        "show",
        r#"例：
  yomikiri show                                     # 平手の初期局面
  yomikiri show startpos moves 7g7f 3c3d
  yomikiri show '4k4/9/4P4/9/9/9/9/9/9 b 2G 1' -o mate.png
  yomikiri show --file game.kif --ply 40 -o move40.svg"#,
    ),
    (
        "tune",
        r#"例：
  yomikiri tune --parameter lmr.divisor --parameter lmr.history --nodes 5000 --steps 500 --pairs 8 -j 8 --out tuning

Ctrl-C で中断できます。同じコマンドで続きから行います。フォルダには log.jsonl、path.tsv
（ステップごとの値）、values.txt（最後の値をオプションとして）、各パラメータの推移の図ができます。
--shard では一ステップの一部だけを行います：`yomikiri merge` でまとめ、同じコマンドに --from を付けて
続けます。得られた値は、別の初期局面からの match で確かめてください。"#,
    ),
];
