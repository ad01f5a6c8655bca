//! Solutions as records: what is written can be read, and every move in it can be played.

mod common;

use common::{game, set, settings};
use yomikiri_shogi::record::{Cursor, Format, NodeId, Record, read};
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::variations::record;
use yomikiri_tsume::{MateSolver, Tsume, Verdict, attacker_of};

/// The solution's record as read back from a file, and the line; nothing if no mate was found.
fn written_and_read(solver: &mut MateSolver, game: &Tsume) -> Option<(Record, Vec<Move>)> {
    let solution = solver.solve(game, &mut |_| {});
    if solution.verdict != Verdict::Mate {
        return None;
    }
    let tree = solution.proven.expect("it was proven").tree;
    let written = record(game, &tree, &solution.line);
    assert_playable(&written);
    let bytes = Format::Kifu.write(std::slice::from_ref(&written)).unwrap();
    let mut again = read(&bytes, Format::Kifu).unwrap_or_else(|error| {
        panic!("{}: {error}\n{}", game.position().to_sfen(), String::from_utf8_lossy(&bytes))
    });
    assert_eq!(again[0].len(), written.len(), "{}", game.position().to_sfen());
    Some((again.remove(0), solution.line))
}

/// Every node is a move that is legal where it stands.
fn assert_playable(record: &Record) {
    let mut cursor = Cursor::new(record);
    let mut waiting = vec![NodeId::ROOT];
    while let Some(id) = waiting.pop() {
        if let Some(parent) = record.node(id).parent() {
            while cursor.node() != parent {
                cursor.back(record);
            }
            let played = record.node(id).played().expect("a move");
            assert!(cursor.position().is_legal(played), "{}: {played}", record.start().to_sfen());
            cursor.forward(record, id);
        }
        waiting.extend(record.node(id).children());
    }
}

/// The moves of a line that can be played: with uncounted interpositions a line may know of a piece
/// that is not there.
fn playable(game: &Tsume, line: &[Move]) -> Vec<Move> {
    let mut position = game.position().clone();
    let legal = |played: &Move| {
        let legal = position.is_legal(*played);
        if legal {
            position.play(*played);
        }
        legal
    };
    line.iter().copied().take_while(legal).collect()
}

/// How many lines a record has.
fn leaves(record: &Record) -> usize {
    let mut waiting = vec![NodeId::ROOT];
    let mut count = 0;
    while let Some(id) = waiting.pop() {
        count += usize::from(record.node(id).children().is_empty());
        waiting.extend(record.node(id).children());
    }
    count
}

#[test]
fn solutions_of_mined_mates_are_written_whole_and_read_back() {
    let mut solver = MateSolver::new(settings(500_000));
    let (mut records, mut lines) = (0, 0);
    for row in set("mined.tsv").iter().filter(|row| row[1] == "mate") {
        let (read, line) = written_and_read(&mut solver, &game(&row[0])).expect("a mate");
        assert_eq!(line.len().to_string(), row[2], "{}", row[3]);
        assert_eq!(read.main_moves().collect::<Vec<_>>(), line, "{}", row[3]);
        records += 1;
        lines += leaves(&read);
    }
    assert!(records > 100 && lines > 2 * records, "{records} records with {lines} lines");
}

#[test]
fn solutions_with_interpositions_are_written_and_read_back() {
    let short = |row: &Vec<String>| row[1].parse::<u16>().unwrap() <= 19;
    let classics = ["zukou_odd.tsv", "musou_odd.tsv"].into_iter().flat_map(set).filter(short);
    let sfens = [
        "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1",
        "6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1",
        "5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1",
    ];
    let mut solver = MateSolver::new(settings(400_000));
    let mut records = 0;
    for sfen in sfens.map(str::to_owned).into_iter().chain(classics.map(|mut row| row.remove(0))) {
        let game = game(&sfen);
        let Some((read, line)) = written_and_read(&mut solver, &game) else { continue };
        assert_eq!(read.main_moves().collect::<Vec<_>>(), playable(&game, &line), "{sfen}");
        records += 1;
    }
    assert!(records >= 8, "{records} records");
}

#[test]
fn a_line_that_the_proof_does_not_hold_is_written_all_the_same() {
    // Both golds mate at once; the proof knows one of them.
    let game = game("8k/9/7PP/9/9/9/9/9/9 b G 1");
    let mut solver = MateSolver::new(settings(10_000));
    let solution = solver.solve(&game, &mut |_| {});
    assert_eq!(solution.high, 1);
    let tree = solution.proven.expect("it was proven").tree;
    let mates: [Move; 2] = ["G*2b", "G*1b"].map(|played| played.parse().unwrap());
    assert!(mates.contains(&solution.line[0]));
    for mate in mates {
        assert_eq!(record(&game, &tree, &[mate]).main_moves().collect::<Vec<_>>(), [mate]);
    }
}

#[test]
fn the_first_move_does_not_refer_to_a_move_before_the_record() {
    let mut position = Position::from_problem_sfen("7pk/9/7G1/6N2/9/9/9/9/9 w - 1").unwrap();
    let attacker = attacker_of(&position);
    // Both mates take on the square that the pawn has just gone to.
    position.play("2a2b".parse().unwrap());
    let game = Tsume::new(position, attacker);
    let (read, line) =
        written_and_read(&mut MateSolver::new(settings(10_000)), &game).expect("a mate");
    assert_eq!(line[0].to(), game.position().last_move().unwrap().to());
    assert_eq!(read.main_moves().collect::<Vec<_>>(), line);
    assert_eq!(read.start().to_sfen(), game.position().to_sfen());
}

#[test]
fn the_longest_line_of_a_proof_ends_where_only_useless_interpositions_are_left() {
    let mut solver = MateSolver::new(settings(100_000));
    let problem = game("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1");
    let solution = solver.solve(&problem, &mut |_| {});
    let line = solution.proven.expect("a mate").tree.longest_line();
    assert_eq!((line.len(), solution.high), (3, 3));
    assert!(solution.raw_length > 3);
}
