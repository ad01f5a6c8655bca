//! Records as real programs write them: tolerant reading, strict writing, nothing lost.

use std::time::Duration;
use yomikiri_shogi::record::{Ending, Format, NodeId, Record, Step, header, jkf, read};
use yomikiri_shogi::{Color, Handicap, Position};

fn one(text: &str, format: Format) -> Record {
    let mut records = read(text.as_bytes(), format).unwrap();
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn fails(text: &str, format: Format) -> String {
    read(text.as_bytes(), format).unwrap_err().to_string()
}

fn contents(record: &Record) -> String {
    jkf::write(record).unwrap()
}

fn through(record: &Record, format: Format) -> Record {
    let bytes = format.write(std::slice::from_ref(record)).unwrap();
    read(&bytes, format).unwrap().remove(0)
}

/// Comments, times, variations in variations, a bookmark and endings.
const TREE: &str = "\
#KIF version=2.0 encoding=UTF-8
開始日時：2024/01/02 10:00:00
棋戦：練習 対局
先手の駒使用：歩1
手合割：平手　　
先手：甲
後手：乙
手数----指手---------消費時間--
*対局前のコメント
   1 ７六歩(77)   ( 0:12/00:00:12)
*一行目
*
*三行目
   2 ３四歩(33)   ( 1:05/00:01:05)+
   3 ２二角成(88) ( 0:03/00:00:15)
   4 同　銀(31)   ( 0:00/00:01:05)+
&しおり
   5 ４五角打(00) ( 0:01/00:00:16)
   6 投了         ( 0:09/00:01:14)
まで5手で先手の勝ち

変化：4手
   4 同 飛(82)
   5 千日手
まで4手で千日手

変化：2手
   2 ８四歩(83)
   3 ２六歩(27)+
   4 中断

変化：3手
 3 ７八金(69)
";

#[test]
fn a_tree_survives_every_format_that_has_trees() {
    let record = one(TREE, Format::Kif);
    assert_eq!(record.headers.get(header::BLACK), Some("甲"));
    assert_eq!(record.headers.get(header::EVENT), Some("練習 対局"));
    assert_eq!(through(&record, Format::Ki2).headers, record.headers);
    assert_eq!(record.main_moves().count(), 5);
    assert_eq!(record.ending(), Some((&Ending::Resign, Color::White)));
    assert_eq!(record.winner(), Some(Color::Black));
    let first = record.main_line().next().unwrap();
    assert_eq!(record.node(first).spent, Some(Duration::from_secs(12)));
    assert_eq!(record.node(first).comments, ["一行目", "", "三行目"]);
    assert_eq!(record.node(NodeId::ROOT).comments, ["対局前のコメント"]);
    assert_eq!(record.node(first).children().len(), 2);
    for format in [Format::Kif, Format::Kifu, Format::Jkf] {
        assert_eq!(contents(&through(&record, format)), contents(&record), "{format}");
    }
    // KI2 keeps all but the times, CSA all but the variations.
    let ki2 = through(&record, Format::Ki2u);
    assert_eq!(ki2.len(), record.len());
    assert_eq!(ki2.node(first).comments, record.node(first).comments);
    let csa = through(&record, Format::Csa);
    assert!(csa.main_moves().eq(record.main_moves()));
    assert_eq!(csa.node(first).spent, record.node(first).spent);
    assert_eq!(csa.headers.get(header::START), record.headers.get(header::START));
}

#[test]
fn written_kif_is_what_programs_expect() {
    let text = String::from_utf8(Format::Kifu.write(&[one(TREE, Format::Kif)]).unwrap()).unwrap();
    for line in [
        "#KIF version=2.0 encoding=UTF-8",
        "手合割：平手",
        "先手：甲",
        "   2 ３四歩(33)   ( 1:05/00:01:05)+",
        "   3 ２二角成(88) ( 0:03/00:00:15)",
        "   5 ４五角打     ( 0:01/00:00:16)",
        "まで5手で先手の勝ち",
        "変化：4手",
    ] {
        assert!(text.lines().any(|written| written == line), "{line}\n{text}");
    }
}

#[test]
fn every_ending_survives() {
    for ending in [
        Ending::Resign,
        Ending::Interrupted,
        Ending::Repetition,
        Ending::Impasse,
        Ending::Mate,
        Ending::NoMate,
        Ending::Timeout,
        Ending::IllegalWin,
        Ending::IllegalLoss,
        Ending::EnteringKing,
        Ending::Draw,
        Ending::MaximumMoves,
    ] {
        for plies in [1, 2] {
            let mut record = Record::new(Position::start());
            let mut at = NodeId::ROOT;
            for played in ["7g7f", "3c3d"].iter().take(plies) {
                at = record.add(at, Step::Move(played.parse().unwrap()));
            }
            record.add(at, Step::End(ending.clone()));
            for format in
                [Format::Csa, Format::Csa3, Format::Kif, Format::Kifu, Format::Ki2, Format::Jkf]
            {
                let back = through(&record, format);
                assert_eq!(back.ending(), record.ending(), "{format} after {plies}");
            }
        }
    }
}

#[test]
fn handicaps_and_boards_survive() {
    let mut starts: Vec<Position> =
        Handicap::ALL.iter().map(|handicap| handicap.position()).collect();
    for sfen in [
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "8k/9/9/9/9/9/9/9/K8 w 2R2B4G4S4N4L18P 1",
    ] {
        starts.push(Position::from_sfen(sfen).unwrap());
    }
    for start in starts {
        let mut record = Record::new(start.clone());
        record.headers.set(header::WHITE, "上");
        record.add(NodeId::ROOT, Step::Move(start.legal_moves()[0]));
        for format in [Format::Csa, Format::Kif, Format::Ki2, Format::Jkf, Format::Usi, Format::Tsv]
        {
            let back = through(&record, format);
            assert_eq!(*back.start(), start, "{format}");
            assert!(back.main_moves().eq(record.main_moves()), "{format}");
        }
    }
}

#[test]
fn a_record_from_the_middle_of_a_game_keeps_its_number() {
    let start = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w RB 58").unwrap();
    let record = Record::new(start.clone());
    assert_eq!(*through(&record, Format::Kif).start(), start);
    let black = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RB 58").unwrap();
    assert_eq!(*through(&Record::new(black.clone()), Format::Kif).start(), black);
}

#[test]
fn a_board_counts_for_more_than_the_handicap_beside_it() {
    let text = "手合割：平手\n後手の持駒：飛 角二　金四 銀四 桂四 香四 歩十七\n\
        ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
        | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
        | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n\
        先手の持駒：飛\n手数----指手---------消費時間--\n1 ５二飛打\n2 ４一玉(51)\n3 同 飛(52)\n";
    let error = fails(text, Format::Kif);
    assert!(error.starts_with("line 19: '同 飛'"), "{error}");
    let good = text.rsplit_once("3 ").unwrap().0;
    assert_eq!(one(good, Format::Kif).main_moves().count(), 2);
}

#[test]
fn an_illegal_last_move_is_kept_with_its_ending() {
    let kif =
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角(88)\n4 ２二角成(22)\n5 反則勝ち\n";
    assert!(fails(kif, Format::Kif).contains("line 5: '２二角成'"));
    let kif = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ５五飛(28)\n4 反則勝ち\n";
    let record = one(kif, Format::Kif);
    assert_eq!(record.main_moves().count(), 2);
    assert_eq!(record.winner(), Some(Color::White));
    for format in [Format::Csa, Format::Kif, Format::Jkf] {
        assert_eq!(contents(&through(&record, format)), contents(&record), "{format}");
    }
    let unexplained = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ５五飛(28)\n4 ８四歩(83)\n";
    assert_eq!(fails(unexplained, Format::Kif), "line 4: '５五飛' is not legal");
}

#[test]
fn nothing_follows_an_illegal_move_but_its_ending() {
    let kif = "手合割：平手\n1 ５五飛(28)\n2 反則勝ち\n変化：2手\n2 ３四歩(33)\n";
    assert_eq!(fails(kif, Format::Kif), "line 5: '３四歩' after the end of the game");
    let jkf = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":5,"y":6},"piece":"FU"}}]}"#;
    assert_eq!(fails(jkf, Format::Jkf), "move 1 is not legal");
}

#[test]
fn csa_as_servers_write_it() {
    let text = "V2\nN+black\nN-white\n'Max_Moves:256\n'Increment:10\n$EVENT:test\n\
        $START_TIME:2024/01/02 03:04:05\nPI\n+\n'開始\n+7776FU\nT10\n'** 130 -3334FU +2726FU\n\
        -3334FU,T0.5\n%TORYO,T3\n'summary:toryo:white win:black lose\n'$END_TIME:2024/01/02 04:00:00\n\
        /\nV3.0\nN+c\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * * * * * * * -KA *\n\
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \n\
        P6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n-\n-3334FU\n%-ILLEGAL_ACTION\n";
    let records = read(text.as_bytes(), Format::Csa).unwrap();
    assert_eq!(records.len(), 2);
    let first = &records[0];
    assert_eq!(first.headers.get("Max_Moves"), Some("256"));
    assert_eq!(first.headers.get(header::EVENT), Some("test"));
    assert_eq!(first.headers.get(header::END), Some("2024/01/02 04:00:00"));
    let ids: Vec<NodeId> = first.main_line().collect();
    assert_eq!(first.node(ids[0]).score(), Some(130));
    assert_eq!(first.node(ids[1]).spent, Some(Duration::from_millis(500)));
    assert_eq!(first.winner(), Some(Color::White));
    assert_eq!(Handicap::of(records[1].start()), Some(Handicap::Rook));
    assert_eq!(records[1].winner(), Some(Color::Black));
    let again = read(&Format::Csa3.write(&records).unwrap(), Format::Csa).unwrap();
    let all = |records: &[Record]| -> Vec<String> { records.iter().map(contents).collect() };
    assert_eq!(all(&again), all(&records));
}

#[test]
fn ki2_resolves_what_names_leave_open() {
    let text = "先手：a\n\n▲７六歩    △３四歩  ▲２二角成△同　銀\n▲６六角 △5二金右\n*comment\nまで6手で後手の勝ち\n";
    let record = one(text, Format::Ki2);
    let moves: Vec<String> = record.main_moves().map(|played| played.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h2b+", "3a2b", "B*6f", "6a5b"]);
    assert_eq!(record.ending().unwrap().0, &Ending::Resign);
}

#[test]
fn jkf_without_origins_and_with_forks() {
    let text = r#"{"header":{"先手":"a"},"moves":[{},
        {"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"color":1,"to":{"x":3,"y":4},"piece":"FU"},"time":{"now":{"m":1,"s":5}}},
        {"move":{"color":0,"to":{"x":5,"y":8},"piece":"KI","relative":"R"},"forks":[[
            {"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"UM"}},{"special":"CHUDAN"}]]}]}"#;
    let record = one(text, Format::Jkf);
    let moves: Vec<String> = record.main_moves().map(|played| played.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "4i5h"]);
    let second = record.main_line().nth(1).unwrap();
    assert_eq!(record.node(second).spent, Some(Duration::from_secs(65)));
    let fork = record.node(second).children()[1];
    assert_eq!(record.node(fork).played().unwrap().to_string(), "8h2b+");
    assert_eq!(contents(&through(&record, Format::Jkf)), contents(&record));
}

#[test]
fn the_charset_gives_way_to_what_the_text_needs() {
    let mut record = Record::new(Position::start());
    record.headers.set(header::BLACK, "髙橋");
    let sjis = Format::Kif.write(std::slice::from_ref(&record)).unwrap();
    assert!(std::str::from_utf8(&sjis).is_err());
    assert_eq!(read(&sjis, Format::Kif).unwrap()[0].headers.get(header::BLACK), Some("髙橋"));
    record.headers.set(header::WHITE, "😀");
    let utf8 = String::from_utf8(Format::Kif.write(&[record]).unwrap()).unwrap();
    assert!(utf8.starts_with("#KIF version=2.0 encoding=UTF-8"));
}

#[test]
fn errors_say_what_and_where() {
    for (text, format, message) in [
        (
            "手合割：平手\n   1 ７六歩(77)\n   2 ７六歩(77)\n",
            Format::Kif,
            "line 3: '７六歩': no piece stands on 7g",
        ),
        (
            "手合割：平手\n   1 ７六銀(77)\n",
            Format::Kif,
            "line 2: '７六銀': the piece on 7g is another one",
        ),
        (
            "手合割：平手\n変化：5手\n",
            Format::Kif,
            "line 2: a variation of move 5, but the line is shorter",
        ),
        ("hello\n", Format::Kif, "the file has no KIF or KI2 game in it"),
        ("PI\n+\n-3334FU\n", Format::Csa, "line 3: '-3334FU' is out of turn"),
        ("PI\n+\n+7776KI\n", Format::Csa, "line 3: '+7776KI': the piece on 7g is FU"),
        ("PI\n+\nhello\n", Format::Csa, "line 3: 'hello' is not a CSA statement"),
        (
            "startpos moves 7g7f 7g7f\n",
            Format::Usi,
            "line 1: move 2 (7g7f) is not legal (at character 21)",
        ),
        ("startpos\tX\n", Format::Tsv, "line 1: 'X' is not a result (B, W, D or ?)"),
        ("abc", Format::Psv, "3 bytes are no whole number of 40-byte entries"),
    ] {
        assert_eq!(fails(text, format), message);
    }
    assert!(fails("{", Format::Jkf).starts_with("line 1: not JKF"));
    let games = vec![Record::new(Position::start()); 2];
    let error = Format::Kif.write(&games).unwrap_err().to_string();
    assert_eq!(error, "a file of format kif holds one game, not 2");
}
