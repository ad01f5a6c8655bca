//! Reading KIF and KI2.

use super::setup::Setup;
use super::{clock, strip_side};
use crate::notation::csa::square_of;
use crate::notation::japanese::{Scanner, Written};
use crate::position::Position;
use crate::record::headers::{Headers, header, is_known};
use crate::record::tree::{NodeId, Record, Step};
use crate::record::{Cursor, Ending, RecordError};
use crate::types::{Color, Kind, Move};

/// Reads a file of one game.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut reader = Reader::default();
    let mut lines = 0;
    for (line, number) in text.lines().zip(1..) {
        reader.line(line.trim_end(), number)?;
        lines = number;
    }
    reader.finish(lines)
}

#[derive(Default)]
struct Reader {
    headers: Headers,
    setup: Setup,
    setup_line: usize,
    comments: Vec<String>,
    bookmarks: Vec<String>,
    /// Whether there was a header that records have.
    known: bool,
    game: Option<(Record, Cursor)>,
    /// An illegal move, which only an ending may follow, and its line.
    illegal: Option<(usize, String)>,
}

/// What a line is, told by how it begins.
enum Line<'a> {
    Nothing,
    Comment(&'a str),
    Bookmark(&'a str),
    Variation(&'a str),
    Summary(&'a str),
    Row(&'a str),
    Played(&'a str),
    Numbered(&'a str),
    Marked(&'a str),
    Header(&'a str, &'a str),
    Unknown,
}

fn classify(line: &str) -> Line<'_> {
    if let Some(comment) = line.strip_prefix('*') {
        return Line::Comment(comment);
    }
    let text = line.trim_start_matches([' ', '\u{3000}', '\t', '\u{feff}']);
    if text.is_empty() || text.starts_with('#') || text.starts_with("手数--") {
        return Line::Nothing;
    }
    if let Some(bookmark) = text.strip_prefix('&') {
        return Line::Bookmark(bookmark);
    }
    for (mark, kind) in [
        ("変化", Line::Variation as fn(_) -> _),
        ("まで", Line::Summary),
        ("手数＝", Line::Played),
        ("手数=", Line::Played),
        ("|", Line::Row),
    ] {
        if let Some(rest) = text.strip_prefix(mark) {
            return kind(if mark == "|" { text } else { rest });
        }
    }
    if text.starts_with(['▲', '△', '☗', '☖', '▼', '▽']) {
        return Line::Marked(text);
    }
    if let Some(rest) = strip_number(text) {
        return Line::Numbered(rest);
    }
    match text.split_once(['：', ':']) {
        Some((key, value)) if !key.trim().is_empty() => Line::Header(key.trim(), value.trim()),
        _ => Line::Unknown,
    }
}

/// Whose hand a key such as 先手の持駒 tells.
fn hand_key(key: &str) -> Option<Color> {
    let (color, rest) = strip_side(key)?;
    matches!(rest, "の持駒" | "の持ち駒" | "持駒").then_some(color)
}

/// Whether a line `key：value` is read as that header and as nothing else.
fn is_header_key(key: &str) -> bool {
    let line = format!("{key}：x");
    let side = matches!(strip_side(key), Some((_, "")));
    let reserved = side || key == "手合割" || hand_key(key).is_some();
    !reserved && matches!(classify(&line), Line::Header(read, "x") if read == key)
}

/// Whether a header comes back under its key.
pub(in crate::record) fn keeps_header(key: &str) -> bool {
    key == header::BLACK || key == header::WHITE || is_header_key(key)
}

/// Whether an ending comes back from its line in KIF.
pub(in crate::record) fn keeps_ending(ending: &Ending) -> bool {
    ending_of(ending.name()).as_ref() == Some(ending)
}

/// Whether an ending comes back from the summary that stands for it in KI2, with `side` to move.
pub(in crate::record) fn keeps_summary(ending: &Ending, side: Color) -> bool {
    match ending {
        Ending::Other(word) => summarised(word, side).as_ref() == Some(ending),
        _ => true,
    }
}

/// What follows the number of a move.
fn strip_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    // A date or a time is no move.
    let is_move = rest.len() < text.len() && !rest.starts_with([':', '：', '/', '-', '.']);
    is_move.then_some(rest)
}

impl Reader {
    fn line(&mut self, line: &str, number: usize) -> Result<(), RecordError> {
        match classify(line) {
            Line::Nothing => Ok(()),
            Line::Comment(text) => {
                self.comment(text);
                Ok(())
            }
            Line::Bookmark(text) => {
                self.bookmark(text);
                Ok(())
            }
            Line::Variation(text) => self.variation(text, number),
            Line::Summary(text) => self.summary(text, number),
            Line::Played(text) => {
                self.setup.set_played(text);
                Ok(())
            }
            Line::Row(row) => {
                self.refuse_setup_in_game(number)?;
                self.setup_line = number;
                self.setup.add_row(row).map_err(|error| RecordError::in_line(number, &error))
            }
            Line::Numbered(rest) => self.numbered(rest, number),
            Line::Marked(text) => self.marked(text, number),
            Line::Header(key, value) => self.header(key, value, number),
            Line::Unknown => self.unknown(line.trim(), number),
        }
    }

    fn refuse_setup_in_game(&self, number: usize) -> Result<(), RecordError> {
        match self.game {
            None => Ok(()),
            Some(_) => Err(RecordError::at(number, "a board after the first move")),
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.to_string();
        match &mut self.game {
            Some((record, cursor)) => record.node_mut(cursor.node()).comments.push(text),
            None => self.comments.push(text),
        }
    }

    fn bookmark(&mut self, text: &str) {
        let text = text.to_string();
        match &mut self.game {
            Some((record, cursor)) => record.node_mut(cursor.node()).bookmarks.push(text),
            None => self.bookmarks.push(text),
        }
    }

    fn header(&mut self, key: &str, value: &str, number: usize) -> Result<(), RecordError> {
        if let Some(color) = hand_key(key) {
            self.refuse_setup_in_game(number)?;
            self.setup_line = number;
            return self
                .setup
                .set_hand(color, value)
                .map_err(|error| RecordError::in_line(number, &error));
        }
        self.known |= is_known(key);
        match (key, strip_side(key)) {
            ("手合割", _) => self.setup.set_handicap(value),
            (_, Some((Color::Black, ""))) => self.headers.set(header::BLACK, value),
            (_, Some((Color::White, ""))) => self.headers.set(header::WHITE, value),
            _ => self.headers.set(key, value),
        }
        Ok(())
    }

    /// Lines that are nothing known: allowed above and below the moves, where titles stand.
    fn unknown(&mut self, text: &str, number: usize) -> Result<(), RecordError> {
        let ended =
            self.game.as_ref().is_none_or(|(game, at)| game.node(at.node()).ending().is_some());
        // No move begins with a Latin letter or is written in ASCII alone: such lines name programs
        // ("generated by …") or draw rules.
        let latin = text.is_ascii() || text.starts_with(|first: char| first.is_ascii_alphabetic());
        if self.setup.set_side(text) || ended || latin {
            return Ok(());
        }
        Err(RecordError::at(number, format!("cannot read '{}'", shorten(text))))
    }

    fn begin(&mut self) -> Result<(), RecordError> {
        let start = self
            .setup
            .position()
            .map_err(|reason| RecordError::at(self.setup_line.max(1), reason))?;
        let mut record = Record::new(start);
        let root = record.node_mut(NodeId::ROOT);
        root.comments = core::mem::take(&mut self.comments);
        root.bookmarks = core::mem::take(&mut self.bookmarks);
        let cursor = Cursor::new(&record);
        self.game = Some((record, cursor));
        Ok(())
    }

    fn game(&mut self, number: usize) -> Result<&mut (Record, Cursor), RecordError> {
        if self.game.is_none() {
            self.begin()?;
        }
        self.game.as_mut().ok_or_else(|| RecordError::at(number, "no game has begun"))
    }

    /// `変化：12手`: what follows is played instead of move 12 of the line so far.
    fn variation(&mut self, text: &str, number: usize) -> Result<(), RecordError> {
        self.refuse_after_illegal()?;
        let digits: String = text.chars().filter(char::is_ascii_digit).take(9).collect();
        let ply = digits
            .parse::<u32>()
            .ok()
            .filter(|&ply| ply > 0)
            .ok_or_else(|| RecordError::at(number, "変化 without the number of a move"))?;
        let (record, cursor) = self.game(number)?;
        if ply > record.node(cursor.node()).ply() + 1 {
            let message = format!("a variation of move {ply}, but the line is shorter");
            return Err(RecordError::at(number, message));
        }
        cursor.back_to_ply(record, ply - 1);
        Ok(())
    }

    /// A line of KIF after its number: a move or an ending, and perhaps the time.
    fn numbered(&mut self, rest: &str, number: usize) -> Result<(), RecordError> {
        let text = rest.trim_start_matches([' ', '\u{3000}', '\t']);
        let word = text.split([' ', '(', '+', '\u{3000}', '\t']).next().unwrap_or("");
        if let Some(ending) = ending_of(word) {
            let time = text[word.len()..].trim_start();
            let id = self.end(ending, number)?;
            return self.time(id, time.strip_prefix('('));
        }
        let mut scanner = Scanner::new(text);
        let written = Written::read(&mut scanner).map_err(|error| {
            RecordError::at(number, format!("'{}': {}", shorten(text), error.message))
        })?;
        let name = text[..scanner.offset()].to_string();
        scanner.skip_space();
        let from = read_origin(&mut scanner);
        scanner.skip_space();
        let time = scanner.rest().strip_prefix('(');
        let id = self.play(&written, from, &name, number)?;
        self.time(id, time)
    }

    fn time(&mut self, id: NodeId, text: Option<&str>) -> Result<(), RecordError> {
        if let (Some((record, _)), Some(text)) = (&mut self.game, text) {
            record.node_mut(id).spent = clock::read(text);
        }
        Ok(())
    }

    /// A line of KI2: moves one after another.
    fn marked(&mut self, text: &str, number: usize) -> Result<(), RecordError> {
        let mut scanner = Scanner::new(text);
        loop {
            scanner.skip_space();
            let before = scanner.rest();
            if before.is_empty() {
                return Ok(());
            }
            let unmarked = before.trim_start_matches(['▲', '△', '☗', '☖', '▼', '▽']);
            if let Some(ending) = Ending::from_name(first_word(unmarked)) {
                self.end(ending, number)?;
                return Ok(());
            }
            let written = Written::read(&mut scanner).map_err(|error| {
                RecordError::at(number, format!("'{}': {}", shorten(before), error.message))
            })?;
            let name = before[..before.len() - scanner.rest().len()].to_string();
            // Our own files tell an illegal move by its origin: no legal one helps to find it.
            let from = read_origin(&mut scanner);
            self.play(&written, from, &name, number)?;
        }
    }

    fn play(
        &mut self,
        written: &Written,
        from: Origin,
        name: &str,
        number: usize,
    ) -> Result<NodeId, RecordError> {
        self.refuse_after_illegal()?;
        let (record, cursor) = self.game(number)?;
        if matches!(record.node(cursor.node()).step(), Some(Step::End(_) | Step::Illegal { .. })) {
            return Err(RecordError::at(number, format!("'{name}' after the end of the game")));
        }
        if written.side.is_some_and(|side| side != cursor.position().side_to_move()) {
            return Err(RecordError::at(number, format!("'{name}' is out of turn")));
        }
        let (played, kind) = find_move(written, from, cursor, record)
            .map_err(|reason| RecordError::at(number, format!("'{name}': {reason}")))?;
        if cursor.position().is_legal(played) {
            return Ok(cursor.add(record, Step::Move(played)));
        }
        let id = cursor.add(record, Step::Illegal { played, kind });
        self.illegal = Some((number, name.to_string()));
        Ok(id)
    }

    fn refuse_after_illegal(&self) -> Result<(), RecordError> {
        match &self.illegal {
            None => Ok(()),
            Some((line, name)) => Err(RecordError::at(*line, format!("'{name}' is not legal"))),
        }
    }

    fn end(&mut self, ending: Ending, number: usize) -> Result<NodeId, RecordError> {
        self.illegal = None;
        let (record, cursor) = self.game(number)?;
        if record.node(cursor.node()).ending().is_some() {
            return Ok(cursor.node());
        }
        Ok(cursor.add(record, Step::End(ending)))
    }

    /// `まで95手で先手の勝ち`: the ending of KI2; in KIF it repeats the last line.
    fn summary(&mut self, text: &str, number: usize) -> Result<(), RecordError> {
        let (record, cursor) = self.game(number)?;
        if record.node(cursor.node()).ending().is_some() {
            return Ok(());
        }
        let side = record.side_after(cursor.node());
        let said = text.trim_start_matches(|symbol: char| {
            symbol.is_ascii_digit() || ('０'..='９').contains(&symbol) || symbol == ' '
        });
        let said = said.strip_prefix('手').unwrap_or(said);
        let said = said.strip_prefix('で').unwrap_or(said).trim();
        if let Some(ending) = summarised(said, side) {
            self.end(ending, number)?;
        }
        Ok(())
    }

    fn finish(mut self, lines: usize) -> Result<Record, RecordError> {
        self.refuse_after_illegal()?;
        let played = self.game.as_ref().is_some_and(|(record, _)| record.has_play());
        if !played && !self.known && !self.setup.is_given() {
            return Err(RecordError::whole("the file has no KIF or KI2 game in it"));
        }
        self.game(lines)?;
        let headers = self.headers;
        self.game
            .map(|(mut record, _)| {
                record.headers = headers;
                record
            })
            .ok_or_else(|| RecordError::whole("the file has no game in it"))
    }
}

/// Where KIF says that a piece comes from.
#[derive(Clone, Copy)]
enum Origin {
    Unsaid,
    Hand,
    Board(crate::types::Square),
}

/// `(77)`, or `(00)` as some programs write after 打.
fn read_origin(scanner: &mut Scanner<'_>) -> Origin {
    let bytes = scanner.rest().as_bytes();
    let Some([b'(', file, rank, b')']) = bytes.first_chunk::<4>() else {
        return Origin::Unsaid;
    };
    let digits = [*file, *rank];
    let origin = match square_of(&digits) {
        Some(square) => Origin::Board(square),
        None if digits == *b"00" => Origin::Hand,
        None => return Origin::Unsaid,
    };
    let group = &scanner.rest()[..4];
    scanner.eat(group);
    origin
}

/// The move that is written, legal or not, and the kind of its piece after it.
fn find_move(
    written: &Written,
    from: Origin,
    cursor: &Cursor,
    record: &Record,
) -> Result<(Move, Kind), String> {
    let position = cursor.position();
    let last = last_square(cursor, record);
    let to = written.square(last).ok_or("同, but there is no move before it")?;
    let from = match from {
        Origin::Board(from) if !written.drop => from,
        _ if (written.drop || matches!(from, Origin::Hand)) && written.kind.is_hand() => {
            return Ok((Move::drop(written.kind, to), written.kind));
        }
        _ => {
            let played = written.resolve(position, last).map_err(|error| error.message)?;
            let kind = kind_after(position, played).unwrap_or(written.kind);
            return Ok((played, kind));
        }
    };
    let standing = position.piece_on(from).ok_or_else(|| format!("no piece stands on {from}"))?;
    if from == to {
        return Err(format!("a move from {from} to {from}"));
    }
    let promote = written.promote == Some(true);
    let kind = standing.kind();
    // Some writers name the piece after its promotion: `２二馬(88)`.
    let renamed = !promote && kind.promoted() == Some(written.kind);
    if kind != written.kind && !renamed {
        return Err(format!("the piece on {from} is another one"));
    }
    let played = Move::board(from, to, promote || renamed);
    Ok((played, kind_after(position, played).unwrap_or(kind)))
}

fn kind_after(position: &Position, played: Move) -> Option<Kind> {
    crate::notation::csa::kind_after(position, played)
}

/// Where the last move went. A variation's first move looks back into the line it leaves.
fn last_square(cursor: &Cursor, record: &Record) -> Option<crate::types::Square> {
    match record.node(cursor.node()).step() {
        Some(Step::Move(played) | Step::Illegal { played, .. }) => Some(played.to()),
        _ => None,
    }
}

/// The characters of the longest ending.
const LONGEST_ENDING: usize = 12;

/// The text up to the first space, cut where it is too long for an ending: to look for the space in a long line without
/// any, before each of its moves, would take quadratic time.
fn first_word(text: &str) -> &str {
    let is_space = |symbol| matches!(symbol, ' ' | '\u{3000}');
    let end = text
        .char_indices()
        .zip(0..)
        .find(|&((_, symbol), count)| is_space(symbol) || count > LONGEST_ENDING);
    end.map_or(text, |((offset, _), _)| &text[..offset])
}

/// The ending that a word names. What is no move and no known ending, but Japanese, is one too.
fn ending_of(word: &str) -> Option<Ending> {
    Ending::from_name(word)
        .or_else(|| is_ending_word(word).then(|| Ending::Other(word.to_string())))
}

/// Whether a word can stand where an ending does, and is not taken for anything else.
pub(super) fn is_ending_word(word: &str) -> bool {
    !word.is_empty()
        && word.chars().count() <= LONGEST_ENDING
        && word.chars().all(|symbol| ('\u{3041}'..='\u{9fff}').contains(&symbol))
        && Written::read(&mut Scanner::new(word)).is_err()
        && !word.starts_with('同')
        && !word.starts_with("時間切れ")
}

/// What a summary says after まで95手で, with `side` to move.
fn summarised(said: &str, side: Color) -> Option<Ending> {
    let clean: String = said.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    if let Some(ending) = Ending::from_name(&clean) {
        return Some(ending);
    }
    if clean.starts_with("時間切れ") {
        return Some(Ending::Timeout);
    }
    let other = || is_ending_word(&clean).then(|| Ending::Other(clean.clone()));
    let Some((subject, rest)) = strip_side(&clean) else { return other() };
    let rest = rest.strip_prefix('の').unwrap_or(rest);
    match (rest, subject == side) {
        ("入玉勝ち" | "入玉宣言勝ち" | "宣言勝ち", true) => {
            Some(Ending::EnteringKing)
        }
        ("反則勝ち", true) | ("反則負け", false) => Some(Ending::IllegalWin),
        ("反則負け", true) | ("反則勝ち", false) => Some(Ending::IllegalLoss),
        ("不戦勝", true) => Some(Ending::WinByDefault),
        ("不戦勝", false) => Some(Ending::LossByDefault),
        ("勝ち" | "勝", false) => Some(Ending::Resign),
        _ => other(),
    }
}

/// The beginning of a line, for messages.
fn shorten(text: &str) -> String {
    let short: String = text.chars().take(20).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
