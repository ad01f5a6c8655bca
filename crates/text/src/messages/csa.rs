//! Games on a server.

use super::{Display, Language, Message, fill};

messages! {
    /// What the client of CSA servers reports.
    Csa
    logged_in(user) "logged in as {user}: waiting for a game" "{user} でログインしました。対局を待っています"
    started(game, side, opponent)
        "{game}: you are {side}, against {opponent}"
        "{game}：{side}番、相手は {opponent}"
    finished(game, result, moves)
        "{game}: {result}, {moves} {moves|move|moves}"
        "{game}：{result}、{moves}手"
    record(file) "record: {file}" "棋譜：{file}"
    won(how) "won ({how})" "勝ち（{how}）"
    lost(how) "lost ({how})" "負け（{how}）"
    drawn(how) "drawn ({how})" "引き分け（{how}）"
    without_result(how) "no result ({how})" "結果なし（{how}）"
    resignation() "resignation" "投了"
    repetition() "repetition" "千日手"
    perpetual_check() "perpetual check" "連続王手の千日手"
    illegal() "illegal move" "反則"
    time_up() "time" "時間切れ"
    declaration() "declaration" "入玉宣言"
    maximum_moves() "maximum number of moves" "最大手数"
    interrupted() "broken off" "中断"
    unexplained() "the server gives no reason" "理由の通知なし"
    rejected(by) "not played: {by} did not agree" "不成立（{by} が拒否）"
    closed_by_server() "the server closed the connection" "サーバーが接続を切りました"
    no_answer() "the server does not answer" "サーバーから応答がありません"
    no_connection(address, why)
        "cannot connect to {address}: {why}"
        "{address} に接続できません：{why}"
    login_refused(user)
        "the server refuses the login of {user}"
        "{user} のログインがサーバーに拒否されました"
    no_login(why)
        "the connection ended during the login: {why}"
        "ログイン中に接続が切れました：{why}"
    bad_name(name)
        "'{name}' is no name for a login: letters, digits, _ and - are"
        "'{name}' はログイン名に使えません（英数字と _ - のみ）"
    connection_lost(why) "the connection was lost: {why}" "接続が切れました：{why}"
    fault(what) "given up: {what}" "続行できません：{what}"
    refused(why) "a game was refused: {why}" "対局を断りました：{why}"
    no_record(why) "the record cannot be written: {why}" "棋譜を書き込めません：{why}"
    retry(why, seconds)
        "{why}; next attempt in {seconds} s"
        "{why}。{seconds}秒後に再接続します"
    total(games, won, lost, drawn, others)
        "{games} {games|game|games}: {won} won, {lost} lost, {drawn} drawn, {others} without a result"
        "{games}局：{won}勝{lost}敗{drawn}分、結果なし{others}"
    leaving()
        "The game under way is played to its end; Ctrl-C again leaves at once."
        "対局中の一局は最後まで指します。もう一度 Ctrl-C で直ちに終了します。"
    no_password(variable)
        "no password: name a file with --password-file, or set {variable}"
        "パスワードがありません：--password-file でファイルを指定するか、{variable} を設定してください"
    bad_password()
        "the password must be printable ASCII without spaces"
        "パスワードは空白を含まない ASCII 文字にしてください"
}
