//! The files of `data/`: every engine game replays, and what they hold survives every format.

use std::fs::File;
use std::path::{Path, PathBuf};
use yomikiri_base::packed::UnpackLimits;
use yomikiri_shogi::record::games::{GameLine, GameResult, open};
use yomikiri_shogi::record::{Format, Record, jkf, read};
use yomikiri_shogi::{Kind, Move, Position};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

fn engine_games() -> impl Iterator<Item = GameLine> {
    let file = File::open(data("games_engine.tsv.zst")).unwrap();
    open(file, UnpackLimits::default()).unwrap().map(|game| game.unwrap())
}

#[test]
fn all_engine_games_replay() {
    let mut games = 0;
    let mut decided = 0;
    for game in engine_games() {
        // Reading has checked that every move is legal in its position.
        assert!(!game.moves.is_empty());
        let opening = game.opening_plies.unwrap();
        assert_eq!(opening + game.scores.len(), game.moves.len());
        decided += u32::from(matches!(game.result, GameResult::Win(_)));
        games += 1;
    }
    assert_eq!(games, 5_785);
    assert_eq!(decided, 5_712);
}

#[test]
fn every_drop_pawn_mate_is_illegal() {
    let file = std::fs::read_to_string(data("rules_uchifuzume.tsv")).unwrap();
    for line in file.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let mut position = Position::from_sfen(columns[0]).unwrap();
        let drop: Move = columns[1].parse().unwrap();
        assert_eq!(drop.dropped(), Some(Kind::Pawn));
        assert!(!position.is_legal(drop) && !position.legal_moves().contains(&drop), "{line}");
        position.play(drop);
        assert!(position.is_mate(), "{line}");
    }
    assert_eq!(file.lines().count(), 167);
}

/// Everything that JKF can hold, as text: trees compare by it whatever the order of their nodes.
fn contents(records: &[Record]) -> Vec<String> {
    records.iter().map(|record| jkf::write(record).unwrap()).collect()
}

#[test]
fn a_sample_of_games_survives_every_format() {
    for game in engine_games().step_by(97) {
        let record = game.to_record();
        for format in [
            Format::Csa,
            Format::Csa3,
            Format::Kif,
            Format::Kifu,
            Format::Ki2,
            Format::Ki2u,
            Format::Jkf,
            Format::Tsv,
        ] {
            let bytes = format.write(std::slice::from_ref(&record)).unwrap();
            let back = read(&bytes, format).unwrap();
            assert_eq!(contents(&back), contents(std::slice::from_ref(&record)), "{format}");
            assert_eq!(GameLine::from_record(&back[0]), game, "{format}");
        }
        let usi = read(&Format::Usi.write(std::slice::from_ref(&record)).unwrap(), Format::Usi);
        assert!(usi.unwrap()[0].main_moves().eq(game.moves.iter().copied()));
    }
}

#[test]
fn every_position_of_a_sample_survives_the_position_formats() {
    for game in engine_games().step_by(211) {
        let record = game.to_record();
        for format in [Format::Psv, Format::Hcpe] {
            let bytes = format.write(std::slice::from_ref(&record)).unwrap();
            let back = read(&bytes, format).unwrap();
            assert_eq!(back.len(), game.moves.len());
            let mut position = game.start.clone();
            for (index, (entry, &mv)) in back.iter().zip(&game.moves).enumerate() {
                let mut start = entry.start().clone();
                start.set_move_number(position.move_number());
                assert_eq!(start, position);
                assert!(entry.main_moves().eq([mv]));
                let score = game.score(index).unwrap_or(0).clamp(-32768, 32767);
                let black = if index % 2 == 0 { score } else { -score };
                assert_eq!(entry.node(entry.main_line().next().unwrap()).score(), Some(black));
                position.play(mv);
            }
        }
        let sfens = Format::Sfen.write(std::slice::from_ref(&record)).unwrap();
        let positions = read(&sfens, Format::Sfen).unwrap();
        assert_eq!(positions.len(), game.moves.len() + 1);
        assert_eq!(*positions.last().unwrap().start(), record.final_position());
    }
}
