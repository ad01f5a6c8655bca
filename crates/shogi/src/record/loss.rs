//! What a format cannot hold of a record.
//!
//! The capabilities of the formats stand in one table; what depends on a single header or ending
//! is asked of the format's own reader. What is not named here survives the way into the format
//! and back.
//!
//! ```
//! use yomikiri_shogi::record::{Format, Loss, losses, read};
//!
//! let kif = "手合割：平手\n1 ７六歩(77)\n*好手\n変化：1手\n1 ２六歩(27)\n";
//! let records = read(kif.as_bytes(), Format::Kif).unwrap();
//! assert_eq!(losses(&records, Format::Csa), [Loss::Variations(1)]);
//! assert_eq!(losses(&records, Format::Usi), [Loss::Variations(1), Loss::Comments(1)]);
//! ```

use super::games::{COLUMNS, GameLine, ending_of, result_code, scores_of};
use super::headers::header;
use super::score::comment_of;
use super::tree::{NodeId, Record, RecordStep};
use super::{Ending, Format, csa, jkf, kakinoki};
use crate::types::Color;
use core::fmt;
use core::time::Duration;
use std::collections::BTreeSet;

/// Something that a format cannot hold, and how much of it there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Games without a move, of which a file of packed positions keeps nothing.
    Games(usize),
    /// Moves, where only the last position is kept.
    Moves(usize),
    /// Positions that were one game and now stand alone.
    Sequence(usize),
    /// Lines beside the main line, with all that belongs to them.
    Variations(usize),
    /// Lines of comments.
    Comments(usize),
    /// Bookmarks.
    Bookmarks(usize),
    /// Clock times.
    Clocks(usize),
    /// Clock times that lose the parts of their seconds.
    Fractions(usize),
    /// Headers, by their keys.
    Headers(Vec<String>),
    /// Endings that are left out or become others.
    Endings(usize),
    /// Illegal moves that ended a game.
    IllegalMoves(usize),
    /// Games that no longer say with which number their moves begin.
    MoveNumbers(usize),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, one, many) = match self {
            Loss::Headers(keys) => {
                let word = if keys.len() == 1 { "header" } else { "headers" };
                return write!(f, "the {word} {}", keys.join(", "));
            }
            Loss::Games(n) => (n, "game without a move", "games without a move"),
            Loss::Moves(n) => (n, "move", "moves"),
            Loss::Sequence(n) => {
                (n, "position's place in its game", "positions' place in their games")
            }
            Loss::Variations(n) => (n, "variation", "variations"),
            Loss::Comments(n) => (n, "line of comments", "lines of comments"),
            Loss::Bookmarks(n) => (n, "bookmark", "bookmarks"),
            Loss::Clocks(n) => (n, "clock time", "clock times"),
            Loss::Fractions(n) => (n, "fraction of a second", "fractions of seconds"),
            Loss::Endings(n) => (n, "ending", "endings"),
            Loss::IllegalMoves(n) => (n, "illegal move", "illegal moves"),
            Loss::MoveNumbers(n) => (n, "number of the first move", "numbers of first moves"),
        };
        write!(f, "{count} {}", if *count == 1 { one } else { many })
    }
}

/// How much of the tree of moves a format holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Tree,
    MainLine,
    /// Every position, each for itself.
    Positions,
    /// Every position in which a move was played, with the move.
    Entries,
    /// The last position.
    Board,
}

/// Which comments a format holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    All,
    /// The evaluation of a move, as a number.
    Scores,
    None,
}

/// What a format can hold; headers and endings depend on their values.
struct Capabilities {
    shape: Shape,
    comments: Comments,
    /// The smallest part of a clock time.
    clocks: Option<Duration>,
    illegal_moves: bool,
    /// The largest number of a move.
    move_number: u32,
}

const SECONDS: Option<Duration> = Some(Duration::from_secs(1));
const MILLISECONDS: Option<Duration> = Some(Duration::from_millis(1));

/// The largest number of a move that readers take.
const MOST_MOVES: u32 = 100_000;

const fn capabilities(format: Format) -> Capabilities {
    let (shape, comments, clocks, illegal_moves, move_number) = match format {
        Format::Csa => (Shape::MainLine, Comments::All, SECONDS, true, 1),
        Format::Csa3 => (Shape::MainLine, Comments::All, MILLISECONDS, true, 1),
        Format::Kif | Format::Kifu => (Shape::Tree, Comments::All, SECONDS, true, MOST_MOVES),
        Format::Ki2 | Format::Ki2u => (Shape::Tree, Comments::All, None, true, MOST_MOVES),
        Format::Jkf => (Shape::Tree, Comments::All, MILLISECONDS, true, 1),
        Format::Usi => (Shape::MainLine, Comments::None, None, false, MOST_MOVES),
        Format::Sfen => (Shape::Positions, Comments::None, None, false, MOST_MOVES),
        Format::Tsv => (Shape::MainLine, Comments::Scores, None, false, MOST_MOVES),
        Format::Psv => (Shape::Entries, Comments::Scores, None, false, u16::MAX as u32),
        Format::Hcpe => (Shape::Entries, Comments::Scores, None, false, 1),
        Format::Bod => (Shape::Board, Comments::None, None, false, MOST_MOVES),
    };
    Capabilities { shape, comments, clocks, illegal_moves, move_number }
}

/// What the format cannot hold of the records, all of them together; nothing if it holds them
/// whole. Empty headers and spaces at the end of a comment count as nothing.
pub fn losses(records: &[Record], format: Format) -> Vec<Loss> {
    let mut tally = Tally::default();
    for record in records {
        tally.add(record, format);
    }
    tally.finish()
}

/// A loss, with how often it occurred.
type Counted = fn(usize) -> Loss;

#[derive(Default)]
struct Tally {
    games: usize,
    moves: usize,
    sequence: usize,
    variations: usize,
    comments: usize,
    bookmarks: usize,
    clocks: usize,
    fractions: usize,
    headers: BTreeSet<String>,
    endings: usize,
    illegal_moves: usize,
    move_numbers: usize,
}

impl Tally {
    fn add(&mut self, record: &Record, format: Format) {
        let can = capabilities(format);
        let moves = record.main_moves().count();
        match can.shape {
            Shape::Entries if moves == 0 => {
                self.games += 1;
                return;
            }
            Shape::Positions if moves > 0 => self.sequence += moves + 1,
            Shape::Entries if moves > 1 => self.sequence += moves,
            Shape::Board => self.moves += moves,
            _ => {}
        }
        let scope: Vec<NodeId> = match can.shape {
            Shape::Tree => record.all_nodes().collect(),
            _ => {
                let branches = |id| record.node(id).children().len().saturating_sub(1);
                self.variations += record.all_nodes().map(branches).sum::<usize>();
                record.line_from(NodeId::ROOT).collect()
            }
        };
        for &id in &scope {
            self.add_node(record, id, format, &can);
        }
        if can.comments == Comments::Scores {
            self.comments -= kept_scores(record, format);
        }
        for (key, value) in record.headers.iter().filter(|(_, value)| !value.is_empty()) {
            if !keeps_header(record, format, key, value) {
                self.headers.insert(key.to_string());
            }
        }
        let start = record.start().move_number();
        let last = if can.shape == Shape::Entries { moves.saturating_sub(1) as u32 } else { 0 };
        let lost =
            start > can.move_number || (can.move_number > 1 && start + last > can.move_number);
        self.move_numbers += usize::from(lost);
    }

    fn add_node(&mut self, record: &Record, id: NodeId, format: Format, can: &Capabilities) {
        let node = record.node(id);
        if can.comments != Comments::All {
            self.comments += node.comments.len();
            self.bookmarks += node.bookmarks.len();
        }
        if let Some(spent) = node.spent {
            match can.clocks {
                Some(unit) if id != NodeId::ROOT && spent < csa::LONGEST_CLOCK => {
                    let whole = spent.as_nanos().is_multiple_of(unit.as_nanos());
                    self.fractions += usize::from(!whole);
                }
                _ => self.clocks += 1,
            }
        }
        match (node.step(), node.parent()) {
            (Some(RecordStep::Illegal { .. }), _) => {
                self.illegal_moves += usize::from(!can.illegal_moves);
            }
            (Some(RecordStep::End(ending)), Some(parent)) => {
                let side = record.side_after(parent);
                self.endings += usize::from(!keeps_ending(record, format, ending, side));
            }
            _ => {}
        }
    }

    fn finish(self) -> Vec<Loss> {
        let counts: [(usize, Counted); 11] = [
            (self.games, Loss::Games),
            (self.moves, Loss::Moves),
            (self.sequence, Loss::Sequence),
            (self.variations, Loss::Variations),
            (self.comments, Loss::Comments),
            (self.bookmarks, Loss::Bookmarks),
            (self.clocks, Loss::Clocks),
            (self.fractions, Loss::Fractions),
            (self.endings, Loss::Endings),
            (self.illegal_moves, Loss::IllegalMoves),
            (self.move_numbers, Loss::MoveNumbers),
        ];
        let counted = counts.into_iter().filter(|row| row.0 > 0).map(|(count, loss)| loss(count));
        let headers =
            (!self.headers.is_empty()).then(|| Loss::Headers(self.headers.into_iter().collect()));
        counted.chain(headers).collect()
    }
}

/// How many comments come back because they hold a score and nothing else.
fn kept_scores(record: &Record, format: Format) -> usize {
    let first = match format {
        Format::Tsv => match scores_of(record) {
            (Some(opening), _) => opening,
            (None, _) => return 0,
        },
        _ => 0,
    };
    let white_first = usize::from(record.start().side_to_move() == Color::White);
    let is_kept = |(index, id): (usize, NodeId)| {
        let node = record.node(id);
        let Some(score) = node.score() else { return false };
        let own = if (index + white_first).is_multiple_of(2) { score } else { -score };
        let fits = format == Format::Tsv || i16::try_from(own).is_ok();
        fits && node.comments.contains(&comment_of(score))
    };
    let moves = record.main_moves().count();
    record.main_line().take(moves).enumerate().skip(first).filter(|&at| is_kept(at)).count()
}

fn keeps_header(record: &Record, format: Format, key: &str, value: &str) -> bool {
    match format {
        Format::Csa => csa::keeps_header(key, value, csa::Version::V2),
        Format::Csa3 => csa::keeps_header(key, value, csa::Version::V3),
        Format::Kif | Format::Kifu | Format::Ki2 | Format::Ki2u => kakinoki::keeps_header(key),
        Format::Jkf => jkf::keeps_header(key),
        Format::Usi | Format::Sfen | Format::Bod => false,
        // The result has a column of its own.
        _ if key == header::RESULT => {
            let result = result_code(GameLine::from_record(record).result);
            value == result && (result != "?" || format == Format::Tsv)
        }
        Format::Tsv => {
            COLUMNS.contains(&key) && !value.contains('\t') && scores_of(record).0.is_none()
        }
        Format::Psv | Format::Hcpe => false,
    }
}

fn keeps_ending(record: &Record, format: Format, ending: &Ending, side: Color) -> bool {
    match format {
        Format::Csa | Format::Csa3 => csa::keeps_ending(ending, side),
        Format::Kif | Format::Kifu => kakinoki::keeps_ending(ending),
        Format::Ki2 | Format::Ki2u => kakinoki::keeps_summary(ending, side),
        Format::Jkf => jkf::keeps_ending(ending, side),
        Format::Tsv => {
            let result = GameLine::from_record(record).result;
            ending_of(&record.final_position(), result).as_ref() == Some(ending)
        }
        Format::Usi | Format::Sfen | Format::Psv | Format::Hcpe | Format::Bod => false,
    }
}
