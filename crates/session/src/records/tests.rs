use super::*;

const KIF: &str = "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n\
*はじめ\n   1 ７六歩(77)   ( 0:05/00:00:05)\n*角道\n   2 ３四歩(33)   ( 0:03/00:00:03)\n   \
3 ２二角成(88)\n   4 同　銀(31)\n   5 投了\n\n変化：3手\n   3 ２六歩(27)\n   4 ８四歩(83)\n";

fn read_text(text: &str) -> Records {
    read_records(&ReadRecordAsk { text: Some(text.into()), ..ReadRecordAsk::default() }).unwrap()
}

#[test]
fn a_record_becomes_a_tree_with_comments_and_times() {
    let records = read_text(KIF);
    assert_eq!((records.format.as_str(), records.count), ("kifu", 1));
    let game = &records.games[0];
    assert_eq!(game.handicap.as_deref(), Some("平手"));
    assert_eq!(game.nodes[0].comments, ["はじめ"]);
    assert_eq!(game.nodes[1].comments, ["角道"]);
    assert_eq!(game.nodes[1].spent, Some(5_000));
    assert_eq!(game.nodes[2].children.len(), 2);
    let second = &game.nodes[game.nodes[2].children[1] as usize];
    assert_eq!(second.mv.as_ref().unwrap().japanese, "▲２六歩");
    assert_eq!(game.nodes[4].mv.as_ref().unwrap().japanese, "△同銀");
    assert_eq!(game.nodes[5].end.as_ref().unwrap().winner, Some(Side::White));
    assert_eq!(game.winner, Some(Side::White));
    for node in &game.nodes {
        Position::from_sfen(&node.sfen).unwrap();
    }
}

fn input(view: &RecordView) -> RecordInput {
    serde_json::from_str(&serde_json::to_string(view).unwrap()).unwrap()
}

#[test]
fn what_the_page_got_it_can_send_back_in_every_format() {
    let game = read_text(KIF).games.remove(0);
    assert_eq!(record_view(&record_of(&input(&game)).unwrap()), game);
    for format in FORMATS {
        let ask = WriteRecordAsk { record: input(&game), format: format.name().into() };
        let file = write_record(&ask).unwrap();
        let again = ReadRecordAsk {
            base64: Some(file.base64),
            name: Some(file.name.clone()),
            ..ReadRecordAsk::default()
        };
        let again = read_records(&again).unwrap();
        if format == Format::Sfen {
            assert_eq!(again.count, 5);
            continue;
        }
        let moves = |game: &RecordView| -> Vec<String> {
            game.nodes.iter().filter_map(|node| Some(node.mv.as_ref()?.usi.clone())).collect()
        };
        let main = moves(&game)[..4].to_vec();
        assert_eq!(moves(&again.games[0])[..4], main, "{}", file.name);
    }
}

#[test]
fn texts_without_a_name_are_known_by_their_looks() {
    for (text, format) in [
        ("position startpos moves 7g7f", "usi"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "usi"),
        ("V2.2\nPI\n+\n+7776FU\n%TORYO\n", "csa"),
        ("▲７六歩 △３四歩 ▲２六歩\n", "kifu"),
        (
            "{\"header\":{},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}}]}",
            "jkf",
        ),
    ] {
        let records = read_text(text);
        assert_eq!(records.format, format, "{text}");
    }
}

#[test]
fn faults_name_the_line_or_the_node() {
    let ask = |text: &str| ReadRecordAsk { text: Some(text.into()), ..ReadRecordAsk::default() };
    let fault = read_records(&ask("startpos moves 7g7f\nstartpos moves 7g7e")).unwrap_err();
    assert_eq!((fault.code, fault.line), (FaultCode::BadRecord, Some(2)));
    assert!(read_records(&ReadRecordAsk::default()).is_err());
    let mut game = input(&read_text(KIF).games[0]);
    game.nodes[2].mv = Some(MoveInput::Usi("7f7e".into()));
    let fault = record_of(&game).unwrap_err();
    assert!(fault.message.starts_with("node 2:") && fault.illegal.is_some(), "{fault:?}");
    game.nodes[2].parent = Some(7);
    assert!(record_of(&game).unwrap_err().message.contains("parent"));
}

#[test]
fn a_long_line_and_many_branches_take_no_time_to_speak_of() {
    let mut nodes = vec![NodeInput::default()];
    let circle = ["5i5h", "5a5b", "5h5i", "5b5a"];
    for number in 0..10_000_u32 {
        let mv = MoveInput::Usi(circle[number as usize % 4].into());
        nodes.push(NodeInput { parent: Some(number), mv: Some(mv), ..NodeInput::default() });
    }
    let record = RecordInput { nodes, ..RecordInput::default() };
    let view = record_view(&record_of(&record).unwrap());
    assert_eq!(view.nodes.len(), 10_001);
    // Nodes that jump between two long branches are refused before they cost minutes.
    let mut nodes = record.nodes;
    let branch = nodes.len() as u32;
    let mv = Some(MoveInput::Usi("7g7f".into()));
    nodes.push(NodeInput { parent: Some(0), mv: mv.clone(), ..NodeInput::default() });
    for _ in 0..2_000 {
        let side =
            |parent| NodeInput { parent: Some(parent), mv: mv.clone(), ..NodeInput::default() };
        nodes.push(side(branch - 1));
        nodes.push(NodeInput { mv: Some(MoveInput::Usi("3c3d".into())), ..side(branch) });
    }
    let fault = record_of(&RecordInput { nodes, ..RecordInput::default() }).unwrap_err();
    assert_eq!(fault.code, FaultCode::TooLarge);
}
