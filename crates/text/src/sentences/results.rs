//! What came of a command, in a line.

pub(super) const SENTENCES: &[(&str, &str)] = &[
    ("{n} of {m} batch; the last: {figures}", "{m}バッチ中{n}、最後は {figures}"),
    ("{n} of {m} batches; the last: {figures}", "{m}バッチ中{n}、最後は {figures}"),
    ("written to {file}", "{file} に書きました"),
    ("{what} written to {file}", "{what}を {file} に書きました"),
    ("weights written to {file}", "重みを {file} に書きました"),
    ("probabilities of 1 game written to {file}", "1局の指し手の確率を {file} に書きました"),
    ("probabilities of {n} games written to {file}", "{n}局の指し手の確率を {file} に書きました"),
    ("{n} positions in {file}", "{n}局面を {file} に書きました"),
    ("{n} steps in {time} s on 1 thread", "{n}ステップ、{time}秒、1スレッド"),
    ("{n} steps in {time} s on {threads} threads", "{n}ステップ、{time}秒、{threads}スレッド"),
    ("1 step in {time} s on 1 thread", "1ステップ、{time}秒、1スレッド"),
    ("1 step in {time} s on {threads} threads", "1ステップ、{time}秒、{threads}スレッド"),
    ("results in {file}", "結果は {file} にあります"),
    ("1 experiment in {file}", "実験1件を {file} に表示しました"),
    ("{n} experiments in {file}", "実験{n}件を {file} に表示しました"),
    (
        "part {part} of stage `{stage}` is done: {done} of its {total} units are here; `yomikiri merge --out DIR PART..` joins the folders of all parts",
        "段階 `{stage}` の {part} の部分が終わりました（全{total}件中{done}件）。`yomikiri merge --out DIR PART..` で全体をまとめます",
    ),
    (
        "interrupted: the figures are of a part of the games",
        "中断しました。数値は一部の対局のものです",
    ),
];
