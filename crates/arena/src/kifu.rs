//! A finished game as a record, for CSA and KIF files.

use crate::record::GameRecord;
use std::time::Duration;
use yomikiri_shogi::Color;
use yomikiri_shogi::record::{NodeId, Record, RecordStep, header};

/// The game with clock times, evaluations as viewers show them, and its end.
pub fn to_record(game: &GameRecord, event: &str) -> Record {
    let start = game.moves.start_position().unwrap_or_else(|_| yomikiri_shogi::Position::start());
    let mut side = start.side_to_move();
    let mut record = Record::new(start);
    record.headers.set(header::EVENT, event);
    record.headers.set(header::BLACK, &game.black);
    record.headers.set(header::WHITE, &game.white);
    let mut node = NodeId::ROOT;
    for (index, &played) in game.moves.moves.iter().enumerate() {
        node = record.add(node, RecordStep::Move(played));
        if let Some(thought) =
            index.checked_sub(game.opening_plies).and_then(|index| game.thoughts.get(index))
        {
            let node = record.node_mut(node);
            node.spent = Some(Duration::from_micros(thought.micros));
            if let Some(score) = thought.score {
                let for_black = if side == Color::Black { score } else { -score };
                node.comments.push(format!("#評価値={for_black}"));
            }
        }
        side = !side;
    }
    let last = record.add(node, RecordStep::End(game.end.record_ending(game.winner, side)));
    let note = match game.note.as_str() {
        "" => game.end.to_string(),
        note => format!("{}: {note}", game.end),
    };
    record.node_mut(last).comments.push(note);
    record
}

#[cfg(test)]
mod tests {
    use super::to_record;
    use crate::record::{GameRecord, Thought};
    use yomikiri_play::End;
    use yomikiri_shogi::Color;
    use yomikiri_shogi::record::{Format, read};

    #[test]
    fn records_can_be_read_back_with_their_winner() {
        let game = GameRecord {
            number: 0,
            black: "先".into(),
            white: "後".into(),
            moves: "startpos moves 7g7f 3c3d 8h2b+".parse().unwrap(),
            opening_plies: 1,
            thoughts: vec![
                Thought { score: Some(30), nodes: Some(5), micros: 2_000_000 },
                Thought { score: Some(400), nodes: Some(5), micros: 0 },
            ],
            winner: Some(Color::Black),
            end: End::Resignation,
            note: String::new(),
        };
        for format in [Format::Csa, Format::Kif] {
            let record = to_record(&game, "test");
            let again =
                read(&format.write(std::slice::from_ref(&record)).unwrap(), format).unwrap();
            assert_eq!(again[0].winner(), Some(Color::Black));
            assert!(again[0].main_moves().eq(game.moves.moves.iter().copied()));
            // White saw 30 for itself.
            let scores: Vec<_> =
                again[0].main_line().filter_map(|id| again[0].node(id).score()).collect();
            assert_eq!(scores, [-30, 400], "{format:?}");
        }
    }
}
