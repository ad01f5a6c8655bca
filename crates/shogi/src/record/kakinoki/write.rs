//! Writing KIF and KI2.

use super::line::keeps_header;
use super::read::is_ending_word;
use super::{clock, side_name};
use crate::notation::csa::square_digits;
use crate::notation::diagram;
use crate::notation::japanese::{kind_name, move_name, plain_name, side_mark, square_name};
use crate::position::{Handicap, Position};
use crate::record::headers::header;
use crate::record::text::Charset;
use crate::record::tree::{Node, NodeId, Record, RecordStep};
use crate::record::{Cursor, Ending};
use crate::types::{Color, Kind, Move};
use core::fmt::Write;
use core::time::Duration;
use unicode_width::UnicodeWidthStr;

/// Columns of a move in KIF, and in KI2 with its mark.
const KIF_COLUMNS: usize = 13;
const KI2_COLUMNS: usize = 12;
const KI2_MOVES_A_LINE: usize = 6;

/// Writes KIF; the charset is named in the first line.
///
/// ```
/// use yomikiri_shogi::record::{kakinoki, text::Charset, usi};
///
/// let record = usi::read_line("startpos moves 7g7f", 1).unwrap();
/// let kif = kakinoki::write_kif(&record, Charset::Utf8);
/// assert!(kif.contains("   1 ７六歩(77)"));
/// ```
pub fn write_kif(record: &Record, charset: Charset) -> String {
    let name = match charset {
        Charset::Utf8 => "UTF-8",
        Charset::ShiftJis => "Shift_JIS",
    };
    let mut text = format!("#KIF version=2.0 encoding={name}\n");
    write_start(record, &mut text);
    text.push_str("手数----指手---------消費時間--\n");
    let mut writer = Writer::new(record, text);
    writer.lines(Writer::kif_node, "変化：");
    writer.text
}

/// Writes KI2, which has neither times nor squares of origin.
pub fn write_ki2(record: &Record) -> String {
    let mut text = String::new();
    write_start(record, &mut text);
    text.push('\n');
    let mut writer = Writer::new(record, text);
    writer.lines(Writer::ki2_node, "変化：   ");
    writer.text
}

/// Headers, 手合割 or a board, and the comments before the first move.
fn write_start(record: &Record, text: &mut String) {
    let handicap = Handicap::of(record.start());
    let named = record.start().move_number() == 1;
    let given = is_handicap(record);
    for (key, value) in record.headers.iter() {
        // A key that would be read as something else is said in a comment.
        let mark = if keeps_header(key) { "" } else { "*" };
        let key = match key {
            header::BLACK => side_name(Color::Black, given),
            header::WHITE => side_name(Color::White, given),
            other => other,
        };
        let _ = writeln!(text, "{mark}{key}：{value}");
    }
    match handicap {
        Some(handicap) if named => {
            let _ = writeln!(text, "手合割：{}", handicap.name());
        }
        _ => {
            text.push_str("手合割：その他\n");
            write_board(record.start(), "", text);
        }
    }
}

/// A board, after which move it stands, and whose turn it is.
fn write_board(position: &Position, last: &str, text: &mut String) {
    text.push_str(&diagram::write(position));
    let played = position.move_number().saturating_sub(1);
    if played > 0 {
        let _ = writeln!(text, "手数＝{played}{last}");
        if position.side_to_move() == Color::Black {
            // 手数 alone would leave the turn to parity.
            text.push_str("先手番\n");
        }
    }
}

/// Writes BOD: the last position of the main line.
///
/// ```
/// use yomikiri_shogi::record::{kakinoki, usi};
///
/// let record = usi::read_line("startpos moves 7g7f", 1).unwrap();
/// let bod = kakinoki::write_bod(&record);
/// assert!(bod.contains("| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六"));
/// assert!(bod.ends_with("後手番\n手数＝1　▲７六歩　まで\n"));
/// ```
pub fn write_bod(record: &Record) -> String {
    let position = record.final_position();
    let last = position.last_move().map_or(String::new(), |last| {
        let mut before = position.clone();
        before.undo();
        format!("　{}　まで", move_name(&before, last))
    });
    let mut text = String::new();
    write_board(&position, &last, &mut text);
    text
}

/// Whether the players are called 下手 and 上手.
fn is_handicap(record: &Record) -> bool {
    Handicap::of(record.start()).is_some_and(|handicap| handicap != Handicap::Even)
}

struct Writer<'a> {
    record: &'a Record,
    cursor: Cursor,
    text: String,
    /// KI2 moves on the line so far.
    column: usize,
    /// What the player of each ply of the line has spent.
    totals: Vec<Duration>,
}

impl<'a> Writer<'a> {
    fn new(record: &'a Record, text: String) -> Writer<'a> {
        Writer { record, cursor: Cursor::new(record), text, column: 0, totals: Vec::new() }
    }

    fn lines(&mut self, node: fn(&mut Self, NodeId), variation: &str) {
        for line in self.record.lines() {
            let Some(&first) = line.first() else { continue };
            if first == NodeId::ROOT {
                self.comments(self.record.node(first));
            } else {
                let ply = self.record.node(first).ply();
                self.cursor.back_to_ply(self.record, ply - 1);
                self.new_line();
                let _ = write!(self.text, "\n{variation}{ply}手\n");
            }
            for id in line.into_iter().filter(|&id| id != NodeId::ROOT) {
                node(self, id);
                self.cursor.forward(self.record, id);
            }
            self.new_line();
        }
    }

    fn new_line(&mut self) {
        if self.column > 0 {
            let end = self.text.trim_end_matches(' ').len();
            self.text.truncate(end);
            self.text.push('\n');
            self.column = 0;
        }
    }

    fn comments(&mut self, node: &Node) {
        for comment in &node.comments {
            self.new_line();
            let _ = writeln!(self.text, "*{comment}");
        }
        for bookmark in &node.bookmarks {
            self.new_line();
            let _ = writeln!(self.text, "&{bookmark}");
        }
    }

    fn kif_node(&mut self, id: NodeId) {
        let node = self.record.node(id);
        let name = match node.step() {
            Some(&RecordStep::Move(played)) => {
                let kind = crate::notation::csa::kind_after(self.cursor.position(), played);
                self.kif_name(played, kind.unwrap_or(Kind::Pawn))
            }
            Some(&RecordStep::Illegal { played, kind }) => self.kif_name(played, kind),
            Some(RecordStep::End(ending)) => writable(ending).name().to_string(),
            None => return,
        };
        let _ = write!(self.text, "{:4} {name}", node.ply());
        let total = self.total(node.ply(), node.spent);
        if let Some(spent) = node.spent {
            let gap = KIF_COLUMNS.saturating_sub(width(&name)).max(1);
            let _ = write!(self.text, "{:gap$}{}", "", clock::write(spent, total));
        }
        if self.has_later_variation(id) {
            self.text.push_str(if node.spent.is_some() { "+" } else { " +" });
        }
        self.text.push('\n');
        self.comments(node);
        if let Some(ending) = node.ending() {
            self.unwritable(ending);
            self.summary(ending, node.ply() - 1);
        }
    }

    fn has_later_variation(&self, id: NodeId) -> bool {
        let parent = self.record.node(id).parent();
        parent.is_some_and(|parent| self.record.node(parent).children().last() != Some(&id))
    }

    /// The name of a KIF move: the piece before promotion and its origin.
    fn kif_name(&self, played: Move, kind_after: Kind) -> String {
        let same = self.cursor.last_square() == Some(played.to());
        let to = if same { "同　".to_string() } else { square_name(played.to()) };
        let promote = played.is_promotion();
        let kind = if promote { kind_after.unpromoted() } else { kind_after };
        let tail = match played.from() {
            None => "打".to_string(),
            Some(from) => format!("{}({})", if promote { "成" } else { "" }, square_digits(from)),
        };
        format!("{to}{}{tail}", kind_name(kind))
    }

    /// What the player has spent up to and with this node. The sums of the line so far are kept,
    /// since adding them up anew for each move would take quadratic time.
    fn total(&mut self, ply: u32, spent: Option<Duration>) -> Duration {
        let ply = ply as usize;
        self.totals.resize(ply, Duration::ZERO);
        let before = ply.checked_sub(2).map_or(Duration::ZERO, |ply| self.totals[ply]);
        let total = before.saturating_add(spent.unwrap_or_default());
        self.totals.push(total);
        total
    }

    fn ki2_node(&mut self, id: NodeId) {
        let node = self.record.node(id);
        match node.step() {
            Some(&RecordStep::Move(played)) => {
                let position = self.cursor.position();
                let name = format!(
                    "{}{}",
                    side_mark(position.side_to_move()),
                    plain_name(position, played, "　")
                );
                self.ki2_word(&name);
            }
            // KI2 identifies a move by what is legal: an illegal one needs its origin, as in KIF.
            Some(&RecordStep::Illegal { played, kind }) => {
                let mark = side_mark(self.cursor.position().side_to_move());
                let name = format!("{mark}{}", self.kif_name(played, kind));
                self.ki2_word(&name);
            }
            Some(RecordStep::End(ending)) => {
                self.new_line();
                self.summary(ending, node.ply() - 1);
                self.unwritable(ending);
            }
            None => {}
        }
        self.comments(node);
    }

    fn ki2_word(&mut self, name: &str) {
        if self.column == KI2_MOVES_A_LINE {
            self.new_line();
        }
        let gap = KI2_COLUMNS.saturating_sub(width(name)).max(1);
        let _ = write!(self.text, "{name}{:gap$}", "");
        self.column += 1;
    }

    fn summary(&mut self, ending: &Ending, plies: u32) {
        let handicap = is_handicap(self.record);
        let side = self.record.side_after(self.cursor.node());
        let name = |color| side_name(color, handicap);
        let _ = match ending {
            Ending::Resign => writeln!(self.text, "まで{plies}手で{}の勝ち", name(!side)),
            Ending::Timeout => {
                writeln!(self.text, "まで{plies}手で時間切れにより{}の勝ち", name(!side))
            }
            Ending::IllegalWin
            | Ending::IllegalLoss
            | Ending::EnteringKing
            | Ending::WinByDefault => {
                writeln!(self.text, "まで{plies}手で{}の{}", name(side), ending.name())
            }
            Ending::LossByDefault => {
                writeln!(self.text, "まで{plies}手で{}の不戦勝", name(!side))
            }
            other => writeln!(self.text, "まで{plies}手で{}", writable(other).name()),
        };
    }

    /// Says in a comment what the ending's place cannot.
    fn unwritable(&mut self, ending: &Ending) {
        if writable(ending) != ending {
            let _ = writeln!(self.text, "*{}", ending.name());
        }
    }
}

/// The ending that may stand in the file: words from other formats that a reader would take for
/// something else give way to 中断.
fn writable(ending: &Ending) -> &Ending {
    match ending {
        Ending::Other(word) if !is_ending_word(word) => &Ending::Interrupted,
        known => known,
    }
}

/// Columns on a terminal where Japanese characters take two.
fn width(text: &str) -> usize {
    UnicodeWidthStr::width_cjk(text)
}
