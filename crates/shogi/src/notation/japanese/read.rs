//! Reading Japanese moves as people and programs write them.

use super::relation::{From, Motion, Relation, relation};
use super::{FILES, RANKS, suffix};
use crate::notation::ParseError;
use crate::position::Position;
use crate::types::{Color, Kind, Move, Origin, Square};

/// A text taken apart from the left.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, rest: text }
    }

    pub fn rest(&self) -> &'a str {
        self.rest
    }

    pub fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    pub fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\u{3000}', '\t']);
    }

    pub fn eat(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    pub fn eat_any<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        words.iter().find(|(word, _)| self.eat(word)).map(|&(_, value)| value)
    }

    /// A digit from 1 to 9 in any script, as 0 to 8.
    fn digit(&mut self) -> Option<u8> {
        let symbol = self.rest.chars().next()?;
        let value = match symbol {
            '1'..='9' => symbol as u8 - b'1',
            _ => [FILES, RANKS]
                .iter()
                .find_map(|digits| digits.iter().position(|&digit| digit == symbol))?
                as u8,
        };
        self.rest = &self.rest[symbol.len_utf8()..];
        Some(value)
    }

    pub fn square(&mut self) -> Option<Square> {
        let before = self.rest;
        match (self.digit(), self.digit()) {
            (Some(file), Some(rank)) => Some(Square::new(file, rank)),
            _ => {
                self.rest = before;
                None
            }
        }
    }

    pub fn kind(&mut self) -> Option<Kind> {
        self.eat_any(&KINDS)
    }
}

/// Every name of a piece that records use; longer names first.
const KINDS: [(&str, Kind); 26] = [
    ("成香", Kind::ProLance),
    ("成桂", Kind::ProKnight),
    ("成銀", Kind::ProSilver),
    ("成歩", Kind::ProPawn),
    ("成角", Kind::Horse),
    ("成飛", Kind::Dragon),
    ("竜王", Kind::Dragon),
    ("龍王", Kind::Dragon),
    ("龍馬", Kind::Horse),
    ("竜馬", Kind::Horse),
    ("歩", Kind::Pawn),
    ("香", Kind::Lance),
    ("桂", Kind::Knight),
    ("銀", Kind::Silver),
    ("金", Kind::Gold),
    ("角", Kind::Bishop),
    ("飛", Kind::Rook),
    ("玉", Kind::King),
    ("王", Kind::King),
    ("と", Kind::ProPawn),
    ("杏", Kind::ProLance),
    ("圭", Kind::ProKnight),
    ("全", Kind::ProSilver),
    ("馬", Kind::Horse),
    ("龍", Kind::Dragon),
    ("竜", Kind::Dragon),
];

const RELATIONS: [(&str, Word); 8] = [
    ("右", Word::From(From::Right)),
    ("左", Word::From(From::Left)),
    ("直", Word::From(From::Straight)),
    ("上", Word::Motion(Motion::Up)),
    ("行", Word::Motion(Motion::Up)),
    ("寄", Word::Motion(Motion::Side)),
    ("引", Word::Motion(Motion::Down)),
    ("下", Word::Motion(Motion::Down)),
];

#[derive(Clone, Copy)]
enum Word {
    From(From),
    Motion(Motion),
}

/// Where a written move goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Square(Square),
    /// 同: where the last move went.
    Same,
}

/// A move as written, before the position decides which it is.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub side: Option<Color>,
    target: Target,
    pub kind: Kind,
    pub promote: Option<bool>,
    pub drop: bool,
    from: Option<From>,
    motion: Option<Motion>,
    /// The words between the piece and the end, as written.
    words: String,
}

impl Written {
    /// Takes a move off a text: mark, square, piece and disambiguation.
    pub fn read(scanner: &mut Scanner<'_>) -> Result<Written, ParseError> {
        let side = scanner.eat_any(&[
            ("▲", Color::Black),
            ("☗", Color::Black),
            ("▼", Color::Black),
            ("先手", Color::Black),
            ("下手", Color::Black),
            ("△", Color::White),
            ("☖", Color::White),
            ("▽", Color::White),
            ("後手", Color::White),
            ("上手", Color::White),
        ]);
        scanner.skip_space();
        let mut target = scanner.square().map(Target::Square);
        if scanner.eat("同") {
            target.get_or_insert(Target::Same);
        }
        let target = target.ok_or_else(|| {
            ParseError::new("expected a square such as ７六, or 同", scanner.offset())
        })?;
        scanner.skip_space();
        let kind = scanner
            .kind()
            .ok_or_else(|| ParseError::new("expected a piece such as 歩", scanner.offset()))?;
        let mut written = Written {
            side,
            target,
            kind,
            promote: None,
            drop: false,
            from: None,
            motion: None,
            words: String::new(),
        };
        let before = scanner.rest();
        written.read_words(scanner);
        written.words = before[..before.len() - scanner.rest().len()].to_string();
        Ok(written)
    }

    fn read_words(&mut self, scanner: &mut Scanner<'_>) {
        loop {
            if let Some(word) = scanner.eat_any(&RELATIONS) {
                match word {
                    Word::From(from) => self.from = Some(from),
                    Word::Motion(motion) => self.motion = Some(motion),
                }
            } else if scanner.eat("打") {
                self.drop = true;
            } else if scanner.eat("不成") || scanner.eat("生") {
                self.promote = Some(false);
            } else if scanner.eat("成") {
                self.promote = Some(true);
            } else {
                return;
            }
        }
    }

    /// Where it goes, given where the last move went.
    pub fn square(&self, last: Option<Square>) -> Option<Square> {
        match self.target {
            Target::Square(square) => Some(square),
            Target::Same => last,
        }
    }

    /// The one legal move that is meant.
    pub fn resolve(&self, position: &Position, last: Option<Square>) -> Result<Move, ParseError> {
        let to = self
            .square(last)
            .ok_or_else(|| ParseError::new("同, but there is no move before it", 0))?;
        let candidates: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|&played| played.to() == to && self.fits(position, played))
            .collect();
        match candidates.as_slice() {
            [] => return Err(ParseError::new("no legal move is written so", 0)),
            [only] => return Ok(*only),
            _ => {}
        }
        // Words that leave a choice: the official name decides, then a move before a drop.
        let named = candidates.iter().filter(|&&played| suffix(position, played) == self.words);
        let on_board = candidates.iter().filter(|played| !played.is_drop());
        only(named)
            .or_else(|| only(on_board))
            .ok_or_else(|| ParseError::new("several legal moves are written so", 0))
    }

    fn fits(&self, position: &Position, played: Move) -> bool {
        let from = match played.origin() {
            Origin::Hand(kind) => {
                return kind == self.kind
                    && self.promote != Some(true)
                    && self.from.is_none()
                    && self.motion.is_none();
            }
            Origin::Board(from) => from,
        };
        let kind = self.kind;
        if self.drop
            || position.piece_on(from).is_none_or(|piece| piece.kind() != kind)
            || played.is_promotion() != self.promote.unwrap_or(false)
        {
            return false;
        }
        let rivals: Vec<Square> = super::movers(position, kind, played.to())
            .iter()
            .filter(|&other| other != from)
            .collect();
        let way = relation(kind, position.side_to_move(), from, played.to(), &rivals);
        self.motion.is_none_or(|motion| motion == way.motion)
            && self.from.is_none_or(|from| from_fits(from, way, kind))
    }
}

/// Some writers say 直 of rooks' and bishops' heirs too.
fn from_fits(from: From, way: Relation, kind: Kind) -> bool {
    from == way.from
        || (from == From::Straight
            && way.from == From::Centre
            && way.motion == Motion::Up
            && matches!(kind, Kind::Dragon | Kind::Horse | Kind::Rook))
}

fn only<'a>(mut moves: impl Iterator<Item = &'a Move>) -> Option<Move> {
    let first = moves.next()?;
    moves.next().is_none().then_some(*first)
}

/// A move read from a text, and how many bytes it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The move.
    pub played: Move,
    /// The bytes that were read.
    pub length: usize,
}

/// Reads one legal move from the beginning of a text: `▲７六歩`, `同銀左成`, `5五角打`.
///
/// ```
/// use yomikiri_shogi::{Position, notation::japanese};
///
/// let reading = japanese::read_move(&Position::start(), "▲５八金右").unwrap();
/// assert_eq!(reading.played.to_string(), "4i5h");
/// ```
///
/// # Errors
/// If it is malformed, not legal, or leaves a choice.
pub fn read_move(position: &Position, text: &str) -> Result<Reading, ParseError> {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    let written = Written::read(&mut scanner)?;
    if written.side.is_some_and(|side| side != position.side_to_move()) {
        return Err(ParseError::new("the move is out of turn", 0));
    }
    let last = position.last_move().map(|played| played.to());
    let played = written.resolve(position, last)?;
    Ok(Reading { played, length: scanner.offset() })
}
