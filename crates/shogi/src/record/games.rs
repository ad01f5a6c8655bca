//! Games one a line, parted by tabs, as large collections keep them; plain or packed.
//!
//! The first column is a USI `position` line, the second the result (`B`, `W`, `D`, `?`). Then
//! follow date, black, rating, white, rating and source; or, in games that engines have played for
//! training, the number of opening plies and a score for every later move.
//!
//! ```
//! use yomikiri_shogi::record::games::Games;
//!
//! let file = b"startpos moves 7g7f 3c3d\tB\t2\t\n";
//! let game = Games::new(&file[..]).next().unwrap().unwrap();
//! assert_eq!(game.moves.len(), 2);
//! ```

use super::headers::header;
use super::score::comment_of;
use super::text::decode;
use super::tree::{NodeId, Record, RecordStep};
use super::usi::write_line;
use super::{Ending, RecordError};
use crate::position::{EnteringKingRule, Position, Repetition};
use crate::types::{Color, Move};
use std::io::{BufRead, BufReader, Read};
use yomikiri_base::packed;

/// The longest line that is read: a file without line breaks must not fill the memory.
const LONGEST_LINE: u64 = 1 << 20;

/// How a game ended, as the file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// One side won.
    Win(Color),
    /// A draw.
    Draw,
    /// Not known.
    Unknown,
}

/// One line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameLine {
    /// Where it began.
    pub start: Position,
    /// Its legal moves.
    pub moves: Vec<Move>,
    /// How it ended.
    pub result: GameResult,
    /// Of engine games: how many moves came from an opening collection.
    pub opening_plies: Option<usize>,
    /// Of engine games: centipawns of the side to move, for each move after the opening.
    pub scores: Vec<i32>,
    /// The other columns: header and value.
    pub headers: Vec<(&'static str, String)>,
}

/// The columns after the result in the longer form.
pub(super) const COLUMNS: [&str; 6] = [
    header::START,
    header::BLACK,
    header::BLACK_RATING,
    header::WHITE,
    header::WHITE_RATING,
    header::SOURCE,
];

impl GameLine {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it; the number of the line is given back.
    pub fn read(line: &str, number: usize) -> Result<GameLine, RecordError> {
        let mut columns = line.trim_end_matches(['\r', '\n']).split('\t');
        let moves = columns.next().unwrap_or("").trim();
        let mut position =
            Position::from_usi(moves).map_err(|error| RecordError::in_line(number, &error))?;
        let moves: Vec<Move> = position.moves_played().collect();
        moves.iter().for_each(|_| position.undo());
        let result = match columns.next().unwrap_or("?") {
            "B" => GameResult::Win(Color::Black),
            "W" => GameResult::Win(Color::White),
            "D" => GameResult::Draw,
            "?" | "" => GameResult::Unknown,
            other => {
                let message = format!("'{other}' is not a result (B, W, D or ?)");
                return Err(RecordError::at(number, message));
            }
        };
        let rest: Vec<&str> = columns.collect();
        let mut game = GameLine {
            start: position,
            moves,
            result,
            opening_plies: None,
            scores: Vec::new(),
            headers: Vec::new(),
        };
        match rest.as_slice() {
            [plies, scores] => game.read_scores(plies, scores, number)?,
            named => {
                let columns = COLUMNS.into_iter().zip(named).filter(|(_, value)| !value.is_empty());
                game.headers = columns.map(|(key, value)| (key, value.to_string())).collect();
            }
        }
        Ok(game)
    }

    fn read_scores(&mut self, plies: &str, scores: &str, line: usize) -> Result<(), RecordError> {
        let bad = |text: &str| RecordError::at(line, format!("'{text}' is not a number"));
        let opening: usize = plies.parse().map_err(|_| bad(plies))?;
        self.scores = scores
            .split(',')
            .filter(|text| !text.is_empty())
            .map(|text| text.parse().map_err(|_| bad(text)))
            .collect::<Result<_, _>>()?;
        if opening + self.scores.len() > self.moves.len() {
            let message = format!(
                "{} moves, but {opening} of the opening and {} scores",
                self.moves.len(),
                self.scores.len()
            );
            return Err(RecordError::at(line, message));
        }
        self.opening_plies = Some(opening);
        Ok(())
    }

    /// The score of a move, in centipawns of its player.
    pub fn score(&self, index: usize) -> Option<i32> {
        self.scores.get(index.checked_sub(self.opening_plies?)?).copied()
    }

    /// The game as a record; its ending follows from the position and the result.
    pub fn to_record(&self) -> Record {
        let mut record = Record::new(self.start.clone());
        for (key, value) in &self.headers {
            record.headers.set(key, value);
        }
        let mut position = self.start.clone();
        let mut at = NodeId::ROOT;
        for (index, &played) in self.moves.iter().enumerate() {
            at = record.add(at, RecordStep::Move(played));
            if let Some(score) = self.score(index) {
                let for_black =
                    if position.side_to_move() == Color::Black { score } else { -score };
                record.node_mut(at).comments.push(comment_of(for_black));
            }
            position.play(played);
        }
        match ending_of(&position, self.result) {
            Some(ending) => {
                record.add(at, RecordStep::End(ending));
            }
            None => record.headers.set(header::RESULT, result_code(self.result)),
        }
        record
    }

    /// The main line of a record.
    pub fn from_record(record: &Record) -> GameLine {
        let result = match record.ending() {
            Some((ending, _)) if ending.is_draw() => GameResult::Draw,
            Some((ending, side)) => {
                ending.winner(side).map_or(GameResult::Unknown, GameResult::Win)
            }
            None => match record.headers.get(header::RESULT) {
                Some("B") => GameResult::Win(Color::Black),
                Some("W") => GameResult::Win(Color::White),
                Some("D") => GameResult::Draw,
                _ => GameResult::Unknown,
            },
        };
        let headers = COLUMNS
            .into_iter()
            .filter_map(|key| Some((key, record.headers.get(key)?.to_string())))
            .collect();
        let (opening_plies, scores) = scores_of(record);
        GameLine {
            start: record.start().clone(),
            moves: record.main_moves().collect(),
            result,
            opening_plies,
            scores,
            headers,
        }
    }

    /// Writes the line, without its end: with scores if every move after some opening has one.
    pub fn write(&self) -> String {
        let mut record = Record::new(self.start.clone());
        let mut at = NodeId::ROOT;
        for &played in &self.moves {
            at = record.add(at, RecordStep::Move(played));
        }
        let mut line = format!("{}\t{}", write_line(&record), result_code(self.result));
        if let Some(plies) = self.opening_plies {
            let scores: Vec<String> = self.scores.iter().map(i32::to_string).collect();
            return format!("{line}\t{plies}\t{}", scores.join(","));
        }
        for column in COLUMNS {
            let value = self.headers.iter().find(|row| row.0 == column);
            line.push('\t');
            line.push_str(&value.map_or(String::new(), |row| row.1.replace(['\t', '\n'], " ")));
        }
        line
    }
}

pub(super) const fn result_code(result: GameResult) -> &'static str {
    match result {
        GameResult::Win(Color::Black) => "B",
        GameResult::Win(Color::White) => "W",
        GameResult::Draw => "D",
        GameResult::Unknown => "?",
    }
}

/// The scores of the moves after the last one without a score.
pub(super) fn scores_of(record: &Record) -> (Option<usize>, Vec<i32>) {
    let mut side = record.start().side_to_move();
    let mut opening = 0;
    let mut scores = Vec::new();
    for (ply, id) in record.main_line().enumerate() {
        if record.node(id).played().is_none() {
            break;
        }
        match record.node(id).score() {
            Some(score) => scores.push(if side == Color::Black { score } else { -score }),
            None => {
                scores.clear();
                opening = ply + 1;
            }
        }
        side = !side;
    }
    (Some(opening).filter(|_| !scores.is_empty()), scores)
}

/// The ending that explains a result, if one does.
pub(super) fn ending_of(position: &Position, result: GameResult) -> Option<Ending> {
    let side = position.side_to_move();
    let repetition = position.fourfold_repetition();
    match result {
        GameResult::Unknown => None,
        GameResult::Draw if repetition == Some(Repetition::Draw) => Some(Ending::Repetition),
        GameResult::Draw => Some(Ending::Draw),
        GameResult::Win(winner) if winner != side => Some(match position.is_mate() {
            true => Ending::Mate,
            false => Ending::Resign,
        }),
        GameResult::Win(_) if repetition == Some(Repetition::Win) => Some(Ending::IllegalWin),
        GameResult::Win(_) => {
            position.declaration(EnteringKingRule::CsaRule27).map(|_| Ending::EnteringKing)
        }
    }
}

/// Reads a file game by game, without holding more than one in memory.
pub struct Games<R> {
    reader: R,
    line: Vec<u8>,
    number: usize,
    /// The file ended, or cannot be read on.
    finished: bool,
}

impl<R: BufRead> Games<R> {
    /// Over an uncompressed file.
    pub fn new(reader: R) -> Games<R> {
        Games { reader, line: Vec::new(), number: 0, finished: false }
    }

    /// The number of the line last read.
    pub fn line_number(&self) -> usize {
        self.number
    }

    /// Takes the next line off the file. Of one that is too long no more than the beginning is
    /// kept, and `false` is returned.
    fn next_line(&mut self) -> std::io::Result<bool> {
        self.line.clear();
        self.number += 1;
        let length = self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line)?;
        let whole = (length as u64) < LONGEST_LINE || self.line.ends_with(b"\n");
        if !whole {
            self.reader.skip_until(b'\n')?;
        }
        Ok(whole)
    }
}

/// A stream of games that may be packed.
pub type PackedGames<R> = Games<BufReader<packed::PackedReader<BufReader<R>>>>;

/// Opens a file of games, which may be packed by zstd or gzip.
///
/// # Errors
/// If the file cannot be read.
pub fn open<R: Read>(reader: R, limits: packed::UnpackLimits) -> std::io::Result<PackedGames<R>> {
    let reader = packed::PackedReader::new(BufReader::new(reader), limits)?;
    Ok(Games::new(BufReader::new(reader)))
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<GameLine, RecordError>;

    /// The next game. After an error in the file itself (not in a line) there is no other. Each
    /// line may have an encoding of its own: collections are put together from many sources.
    fn next(&mut self) -> Option<Result<GameLine, RecordError>> {
        while !self.finished {
            let whole = match self.next_line() {
                Ok(whole) => whole,
                Err(error) => {
                    self.finished = true;
                    return Some(Err(RecordError::at(self.number, error.to_string())));
                }
            };
            if !whole {
                let message = "the line is too long for a game";
                return Some(Err(RecordError::at(self.number, message)));
            }
            self.finished = self.line.is_empty();
            let text = decode(&self.line);
            if !text.trim().is_empty() {
                return Some(GameLine::read(&text, self.number));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::SHIFT_JIS;

    #[test]
    fn a_bad_line_does_not_cost_the_games_after_it() {
        let game = "startpos moves 7g7f\tB\t2024/01/02\t羽生\t1500\t谷川\t1600\t順位戦\n";
        let mut file = b"\xef\xbb\xbf".to_vec();
        file.extend_from_slice(game.as_bytes());
        file.extend_from_slice(&SHIFT_JIS.encode(game).0);
        file.extend_from_slice(b"startpos moves 7g7f\xff 3c3d\tB\n\n");
        file.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE as usize));
        file.extend_from_slice(b"\n");
        file.extend_from_slice(game.trim_end().as_bytes());
        let read: Vec<Result<GameLine, RecordError>> = Games::new(file.as_slice()).collect();
        let lines: Vec<Option<usize>> =
            read.iter().map(|game| game.as_ref().err().and_then(|error| error.line)).collect();
        assert_eq!(lines, [None, None, Some(3), Some(5), None]);
        for game in read.into_iter().flatten() {
            assert_eq!(game.moves.len(), 1);
            assert!(game.headers.contains(&(header::BLACK, "羽生".to_string())), "{game:?}");
            assert!(game.headers.contains(&(header::WHITE, "谷川".to_string())), "{game:?}");
        }
    }

    #[test]
    fn the_longest_line_is_read_whole() {
        let mut file = b"startpos".to_vec();
        file.resize(LONGEST_LINE as usize - 1, b' ');
        file.extend_from_slice(b"\nstartpos moves 7g7f\n");
        let lengths: Vec<usize> =
            Games::new(file.as_slice()).map(|game| game.unwrap().moves.len()).collect();
        assert_eq!(lengths, [0, 1]);
    }
}
