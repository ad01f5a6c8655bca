//! The stumbles of real users, one test each.

use super::*;
use crate::notation::Notation;
use yomikiri_shogi::record::{Format, NodeId, Record, read, usi};
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_text::{Analyse, Language};
use yomikiri_usi::{Info, UsiScore};

fn view(score: i32, line: &str) -> View {
    let line = line.split_whitespace().map(str::to_string).collect();
    View { score, mate: None, line, nodes: Some(10), depth: Some(3), hardest: None }
}

fn mate(winner: Color, plies: u32, line: &str) -> View {
    let score = if winner == Color::Black { MATE } else { -MATE };
    View { mate: Some(plies), ..view(score, line) }
}

fn record() -> Record {
    usi::read_line("startpos moves 7g7f 3c3d 8h2b+", 1).unwrap()
}

fn judged(views: &[View]) -> AnalysedGame {
    judge(&record(), views, Grading::default())
}

fn text_of(game: &AnalysedGame, language: Language) -> String {
    summary("game", game, language, Notation::Kanji)
}

#[test]
fn scores_are_blacks_and_lines_are_legal() {
    let mut position = Position::start();
    position.play("7g7f".parse().unwrap());
    let moves = |text: &str| text.split(' ').map(|m| m.parse().unwrap()).collect::<Vec<Move>>();
    let info = Info {
        score: Some(UsiScore::centipawns(30)),
        pv: moves("3c3d 8h2b+ 7g7f"),
        ..Info::default()
    };
    let seen = View::of(&position, Some(&info));
    assert_eq!((seen.score, seen.line.len()), (-30, 2));
    let mate = Info { score: Some(UsiScore::mate(true, Some(5))), ..Info::default() };
    assert_eq!(View::of(&position, Some(&mate)).mater(), Some(Color::White));
}

#[test]
fn walking_into_mate_is_said_in_words_and_never_in_centipawns() {
    let views = [view(0, "2g2f"), view(816, "8c8d"), mate(Color::Black, 7, "8h2b+"), view(0, "")];
    let game = judged(&views);
    assert_eq!(game.moves[1].mate, Some(MateRemark::Allowed(Some(7))));
    assert_eq!(game.moves[1].lost, None);
    let english = text_of(&game, Language::En);
    assert!(english.contains("walked into a mate in 7"), "{english}");
    let japanese = text_of(&game, Language::Ja);
    assert!(japanese.contains("7手詰に陥る"), "{japanese}");
    for text in [english, japanese, serde_json::to_string(&game).unwrap()] {
        assert!(!text.contains("29184") && !text.contains("lost 2"), "{text}");
    }
}

#[test]
fn a_missed_mate_is_named_where_it_is_listed_even_if_the_game_stays_won() {
    let views = [mate(Color::Black, 5, "2g2f"), view(4000, "8c8d"), view(4000, ""), view(4000, "")];
    let game = judged(&views);
    assert_eq!(game.moves[0].mate, Some(MateRemark::Missed(Some(5))));
    assert_eq!(game.moves[0].grade, None, "a game that stays won has no blunder");
    let english = text_of(&game, Language::En);
    assert!(english.contains("▲７六歩 missed a mate in 5, best was ▲２六歩"), "{english}");
    assert!(text_of(&game, Language::Ja).contains("▲７六歩 5手詰を逃す、最善手 ▲２六歩"));
    assert_eq!(game.side(Color::Black).missed_mates, 1);
}

#[test]
fn best_moves_are_written_as_played_ones() {
    let views = [view(0, "2g2f"), view(-400, "8c8d"), view(-400, ""), view(-400, "")];
    let game = judged(&views);
    assert!(text_of(&game, Language::En).contains("▲７六歩 mistake"));
    assert!(text_of(&game, Language::En).contains("best was ▲２六歩"));
    let western = summary("game", &game, Language::En, Notation::Western);
    assert!(western.contains("P-7f mistake") && western.contains("best was P-2f"), "{western}");
    assert_eq!(game.moves[0].best_name.as_deref(), Some("▲２六歩"));
}

#[test]
fn grades_go_by_winning_rate() {
    let grading = Grading::default();
    let grades = [4.9, 5.0, 10.0, 20.0, 50.0].map(|loss| grading.grade(loss));
    assert_eq!(grades[0], None);
    assert_eq!(grades[1..], Grade::ALL.map(Some));
    let names = |language| Grade::ALL.map(|grade| grade_name(Analyse(language), grade));
    assert_eq!(names(Language::Ja), ["緩手", "疑問手", "悪手", "大悪手"]);
    assert_eq!(names(Language::En)[..3], ["inaccuracy", "mistake", "blunder"]);
    // The same 800 centipawns cost much in an even game and little in a decided one.
    let even = judged(&[view(0, "2g2f"), view(-800, ""), view(-800, ""), view(-800, "")]);
    assert_eq!((even.moves[0].grade, even.moves[0].lost), (Some(Grade::Blunder), Some(800)));
    let won = judged(&[view(3800, "2g2f"), view(3000, ""), view(3000, ""), view(3000, "")]);
    assert_eq!((won.moves[0].grade, won.moves[0].lost), (None, Some(800)));
}

#[test]
fn agreement_and_average_loss_are_told_for_each_side() {
    let views = [view(0, "7g7f"), view(0, "8c8d"), view(200, "2g2f"), view(0, "")];
    let game = judged(&views);
    let black = game.side(Color::Black);
    assert_eq!((black.choices, black.agreed), (2, 1));
    let white = game.side(Color::White);
    assert_eq!((white.choices, white.agreed), (1, 0));
    assert_eq!(white.average_loss, 8.3);
    let text = text_of(&game, Language::En);
    assert!(text.contains("Black: agreement 50% (1/2), average loss 4."), "{text}");
    assert!(text.contains("White: agreement 0% (0/1), average loss 8.3 points"), "{text}");
    assert!(text_of(&game, Language::Ja).contains("先手：一致率50%（1/2）、平均損失勝率4."));
}

#[test]
fn a_summary_can_be_shown_again_from_its_json() {
    let game =
        judged(&[view(0, "2g2f"), view(-400, ""), view(-400, ""), mate(Color::White, 3, "")]);
    let again: AnalysedGame = serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap();
    for language in Language::ALL {
        assert_eq!(text_of(&again, language), text_of(&game, language));
    }
}

#[test]
fn one_move_is_one_move() {
    let record = usi::read_line("startpos moves 7g7f", 1).unwrap();
    let game = judge(&record, &[view(0, ""), view(0, "")], Grading::default());
    let text = text_of(&game, Language::En);
    assert!(text.starts_with("game: Black – White, 1 move\n"), "{text}");
}

#[test]
fn the_hardest_move_is_told_where_every_move_loses_and_there_is_a_choice() {
    let lost = Position::from_sfen("l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1").unwrap();
    let seen = view(MATE, "").with_hardest(&lost, 100_000);
    let hardest = seen.hardest.clone().unwrap();
    let mv: Move = hardest.played.parse().unwrap();
    assert!(lost.is_legal(mv) && hardest.reason.contains("all"), "{hardest:?}");
    // An even score is not looked into, and white's good position is not lost.
    assert_eq!(view(0, "").with_hardest(&lost, 100_000).hardest, None);
    assert_eq!(view(-MATE, "").with_hardest(&lost, 100_000).hardest, None);
    let line = format!("sfen {} moves {mv}", lost.to_sfen());
    let record = usi::read_line(&line, 1).unwrap();
    let game = judge(&record, &[seen, view(MATE, "")], Grading::default());
    let name = Notation::Kanji.mv(&lost, mv);
    assert!(text_of(&game, Language::Ja).contains(&format!("勝負手 {name}")));
    // In check with a single way out there is nothing to choose.
    let forced = Position::from_sfen("7rk/8G/7R1/9/9/9/9/9/8K w - 1").unwrap();
    assert_eq!(forced.legal_moves().len(), 1, "{:?}", forced.legal_moves());
    assert_eq!(view(MATE, "").with_hardest(&forced, 100_000).hardest, None);
}

#[test]
fn a_forced_move_is_neither_blamed_nor_counted() {
    let forced = Position::from_sfen("7rk/8G/7R1/9/9/9/9/9/8K w - 1").unwrap();
    let mv = forced.legal_moves()[0];
    let line = format!("sfen {} moves {mv}", forced.to_sfen());
    let record = usi::read_line(&line, 1).unwrap();
    let game = judge(&record, &[view(-900, ""), view(900, "")], Grading::default());
    assert!(!game.moves[0].choice && !game.moves[0].is_remarkable());
    assert_eq!(game.side(Color::White).choices, 0);
}

#[test]
fn comments_hold_the_scores_in_the_forms_of_viewers() {
    let views = [view(0, "7g7f"), view(10, "3c3d"), view(-20, "8h2b+ 3a2b"), view(900, "")];
    let mut record = record();
    annotate(&mut record, &judged(&views), Language::Ja);
    let bytes = Format::Kifu.write(&[record]).unwrap();
    let again = read(&bytes, Format::Kifu).unwrap();
    let scores: Vec<_> = again[0].main_line().filter_map(|id| again[0].node(id).score()).collect();
    assert_eq!(scores, [10, -20, 900]);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("*#読み筋=▲２二角成△同銀"), "{text}");
}

#[test]
fn old_evaluations_are_replaced_and_what_people_wrote_stays() {
    let mut record = record();
    let first: NodeId = record.main_line().next().unwrap();
    let old =
        ["よい手", "*解析 0 深さ 9 評価値 77 読み筋 ▲２六歩", "#評価値=77", "#読み筋=▲２六歩"];
    let older = ["悪手 (-300) 最善手 ▲２六歩", "* 77 +2726FU"];
    record.node_mut(first).comments = old.iter().chain(&older).map(ToString::to_string).collect();
    let views = [view(0, "2g2f"), view(-500, ""), view(-500, ""), view(-500, "")];
    let game = judged(&views);
    annotate(&mut record, &game, Language::Ja);
    let once = record.node(first).comments.clone();
    assert_eq!(record.node(first).score(), Some(-500));
    assert_eq!(once[0], "よい手");
    assert!(once.iter().all(|comment| !comment.contains("77")), "{once:?}");
    assert!(
        once[1].starts_with("【解析】疑問手") || once[1].starts_with("【解析】悪手"),
        "{once:?}"
    );
    // A second analysis, in the other language, replaces the first.
    annotate(&mut record, &game, Language::En);
    assert_eq!(record.node(first).comments.len(), once.len());
    annotate(&mut record, &game, Language::Ja);
    assert_eq!(record.node(first).comments, once);
}
