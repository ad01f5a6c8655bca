//! The command line: files, and what is wrong with what was typed.

use super::{Display, Language, Message, fill};

messages! {
    /// Reading and writing files.
    Files
    exists(file)
        "{file} exists already (--force replaces it)"
        "{file} はすでにあります（--force で上書き）"
    cannot_read(file) "cannot read {file}" "{file} を読めません"
    cannot_write(file) "cannot write {file}" "{file} に書き込めません"
    no_folder(file, folder)
        "cannot write {file}: there is no folder {folder}"
        "{file} に書き込めません：フォルダ {folder} がありません"
    cannot_make_folder(folder)
        "cannot make the folder {folder}"
        "フォルダ {folder} を作れません"
    written_twice(file)
        "{file} was just written from another record"
        "{file} には別の棋譜を書き込んだばかりです"
    cannot_write_into(folder)
        "cannot write into the folder {folder}"
        "フォルダ {folder} に書き込めません"
    standard_input() "standard input" "標準入力"
    cannot_write_output() "cannot write to standard output" "標準出力に書き込めません"
    not_utf8(file) "{file}: no UTF-8 text" "{file}：UTF-8 のテキストではありません"
    unknown_format(file)
        "{file}: the ending names no format of records"
        "{file}：拡張子から棋譜の形式がわかりません"
    unknown_beginning()
        "standard input: its beginning shows no format of records"
        "標準入力：先頭から棋譜の形式がわかりません"
    as_format(file, format) "{file} (as {format})" "{file}（{format} 形式として）"
    no_game(file) "{file}: no game in it" "{file}：対局がありません"
    no_such_game(file, count, number)
        "{file} has {count} {count|game|games}: there is no game {number}"
        "{file} は{count}局です。{number}局目はありません"
    no_such_ply(count, ply)
        "the game has {count} {count|move|moves}: there is no position after move {ply}"
        "この対局は{count}手です。{ply}手目の局面はありません"
    bad_position() "cannot read the position" "局面を読めません"
    picture_ending(file)
        "{file}: a picture must end in .svg or .png"
        "{file}：図の拡張子は .svg か .png にしてください"
}

messages! {
    /// What is wrong with a command line, and the words around help.
    CommandLine
    error(what) "error: {what}" "エラー：{what}"
    unknown_argument(argument) "unexpected argument '{argument}'" "「{argument}」という引数はありません"
    unknown_command(name) "unrecognized command '{name}'" "「{name}」というコマンドはありません"
    bad_value(value, option)
        "invalid value '{value}' for {option}"
        "{option} に「{value}」は指定できません"
    possible_values(list) "possible values: {list}" "指定できる値：{list}"
    missing_value(option) "{option} needs a value" "{option} には値が必要です"
    missing_argument(list) "missing: {list}" "必要な引数がありません：{list}"
    missing_command() "a command is missing" "コマンドを指定してください"
    conflict(one, other)
        "{one} cannot be used with {other}"
        "{one} と {other} は同時に使えません"
    given_twice(option) "{option} is given twice" "{option} が2回指定されています"
    suggestion(name) "did you mean '{name}'?" "「{name}」のことですか？"
    more_help() "For more information, try '--help'." "詳しくは --help をご覧ください。"
    usage() "Usage" "使い方"
    commands() "Commands" "コマンド"
    options() "Options" "オプション"
    arguments() "Arguments" "引数"
    default_value(value) "[default: {value}]" "［既定値：{value}］"
}
