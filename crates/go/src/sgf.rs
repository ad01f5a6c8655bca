//! Positions from SGF files, through the crate `sgf-parse`.
//!
//! Real files are less tidy than FF\[4\]: lower-case letters in names, text before the first
//! bracket, repeated set-up stones, `HA[0]`, a `tt` for a pass, a last bracket that is missing. The
//! parser is asked strictly first and, if it refuses, leniently; values that it marks as invalid
//! are read again here. What had to be bent is listed in [`SgfPosition::notes`].

use sgf_parse::go::{Move as SgfMove, Point as SgfPoint, Prop};
use sgf_parse::{GameTree, ParseOptions, SgfNode, parse_with_options};
use thiserror::Error;

use crate::board::{Board, Colour, KoRule, Move, Point, RefusedMove};

/// Why a file gives no position.
#[derive(Debug, Error)]
pub enum SgfError {
    /// The parser found nothing to read.
    #[error("not an SGF file: {0}")]
    Syntax(String),
    /// More nodes one behind another than any game has.
    #[error("a line of {0} nodes is too long (at most {LONGEST})")]
    TooLong(usize),
    /// The game is not Go.
    #[error("the file holds no game of Go")]
    OtherGame,
    /// A board that we do not play on.
    #[error("board size {0} is not supported (2 to 19, square)")]
    Size(String),
    /// A stone off the board.
    #[error("`{value}` in {property} is not a point of the board")]
    OffBoard {
        /// The property.
        property: String,
        /// Its value.
        value: String,
    },
    /// A move that the rules forbid.
    #[error("move {number} ({colour} {point}): {why}")]
    Illegal {
        /// Its number, from 1.
        number: usize,
        /// Who moves.
        colour: Colour,
        /// Where.
        point: Point,
        /// What is wrong.
        why: RefusedMove,
    },
    /// Set-up stones that cannot stand.
    #[error("set-up: {0}")]
    SetUp(RefusedMove),
    /// Fewer moves than requested.
    #[error("the game has {has} moves, position after move {wanted} was asked for")]
    TooShort {
        /// Moves in the main line.
        has: usize,
        /// Moves requested.
        wanted: usize,
    },
}

/// Most nodes one behind another: the parser's tree is freed by recursion, one call a node.
const LONGEST: usize = 5_000;

/// A position out of a file.
#[derive(Clone)]
pub struct SgfPosition {
    /// The board, with the ko that the last move left.
    pub board: Board,
    /// Who is to move.
    pub to_move: Colour,
    /// The last move of the main line.
    pub last: Option<(Colour, Move)>,
    /// Moves played.
    pub moves: usize,
    /// What had to be bent to read the file.
    pub notes: Vec<String>,
}

/// Reads the first game of a file: its main line, to the end or to `until` moves.
///
/// # Errors
/// If there is no position to be had; see [`SgfError`].
pub fn read(text: &str, until: Option<usize>) -> Result<SgfPosition, SgfError> {
    let mut notes = Vec::new();
    let tree = parse(text, &mut notes)?;
    let root = match tree {
        GameTree::GoGame(root) => root,
        GameTree::Unknown(_) => return Err(SgfError::OtherGame),
    };
    let board = Board::new(size(&root)?, KoRule::Simple).map_err(SgfError::SetUp)?;
    let mut reader = Reader { board, last: None, to_move: None, moves: 0, notes };
    for node in root.main_variation() {
        if until.is_some_and(|until| reader.moves >= until && reader.has_move(node)) {
            break;
        }
        reader.node(node)?;
    }
    if let Some(wanted) = until.filter(|&wanted| wanted > reader.moves) {
        return Err(SgfError::TooShort { has: reader.moves, wanted });
    }
    Ok(reader.finish())
}

fn parse(text: &str, notes: &mut Vec<String>) -> Result<GameTree, SgfError> {
    // Mail headers and byte order marks come before the first bracket.
    let bracket = text.find("(;").or_else(|| text.find('('));
    let start = bracket.ok_or_else(|| SgfError::Syntax("no `(;` in it".into()))?;
    if !text[..start].trim_matches(['\u{feff}', ' ', '\n', '\r', '\t']).is_empty() {
        notes.push("text before the first bracket was skipped".into());
    }
    let text = &text[start..];
    let longest = longest_line(text);
    if longest > LONGEST {
        return Err(SgfError::TooLong(longest));
    }
    let strict = ParseOptions { lenient: false, ..ParseOptions::default() };
    let lenient = ParseOptions { lenient: true, ..ParseOptions::default() };
    let trees = match parse_with_options(text, &strict) {
        Ok(trees) => trees,
        Err(error) => {
            notes.push(format!("read up to a fault ({error})"));
            parse_with_options(text, &lenient)
                .map_err(|error| SgfError::Syntax(error.to_string()))?
        }
    };
    trees.into_iter().next().ok_or_else(|| SgfError::Syntax("no game in it".into()))
}

/// The nodes of the longest line of play, without building the tree.
fn longest_line(text: &str) -> usize {
    let (mut nodes, mut longest, mut branches) = (0, 0, Vec::new());
    let (mut in_value, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            b']' if !escaped => in_value = false,
            _ if in_value => escaped = byte == b'\\' && !escaped,
            b'[' => in_value = true,
            b'(' => branches.push(nodes),
            b')' => nodes = branches.pop().unwrap_or(0),
            b';' => nodes += 1,
            _ => {}
        }
        longest = longest.max(nodes);
    }
    longest
}

fn size(root: &SgfNode<Prop>) -> Result<usize, SgfError> {
    let named = |text: String| Err(SgfError::Size(text));
    match root.get_property("SZ") {
        None => Ok(19),
        Some(Prop::SZ((columns, rows))) if columns == rows && (2..=19).contains(columns) => {
            Ok(usize::from(*columns))
        }
        Some(Prop::Invalid(_, values)) => match values.first().map(|v| v.trim().parse::<usize>()) {
            Some(Ok(size)) if (2..=19).contains(&size) => Ok(size),
            _ => named(values.join(" ")),
        },
        Some(other) => named(other.to_string()),
    }
}

struct Reader {
    board: Board,
    last: Option<(Colour, Move)>,
    to_move: Option<Colour>,
    moves: usize,
    notes: Vec<String>,
}

impl Reader {
    fn has_move(&self, node: &SgfNode<Prop>) -> bool {
        node.properties().any(|property| matches!(identifier(property).as_str(), "B" | "W"))
    }

    fn node(&mut self, node: &SgfNode<Prop>) -> Result<(), SgfError> {
        self.set_up(node)?;
        for property in node.properties() {
            match property {
                Prop::B(mv) => self.play(Colour::Black, *mv)?,
                Prop::W(mv) => self.play(Colour::White, *mv)?,
                Prop::Invalid(name, values) if name == "B" || name == "W" => {
                    self.odd_move(name, values)?
                }
                Prop::PL(colour) => self.to_move = Some(colour_of(*colour)),
                Prop::Invalid(name, values) if name == "PL" => self.odd_player(values),
                _ => {}
            }
        }
        Ok(())
    }

    /// `PL[1]`, `PL[black]`: older programs.
    fn odd_player(&mut self, values: &[String]) {
        self.to_move = match values.first().map(|v| v.trim()) {
            Some("1") => Some(Colour::Black),
            Some("2") => Some(Colour::White),
            Some(text) => Colour::parse(text),
            None => None,
        };
    }

    fn odd_move(&mut self, name: &str, values: &[String]) -> Result<(), SgfError> {
        let colour = if name == "B" { Colour::Black } else { Colour::White };
        let value = values.first().map_or("", |v| v.trim());
        let mv = match value {
            "" | "tt" => SgfMove::Pass,
            _ => match letters(value) {
                Some(point) => SgfMove::Move(point),
                None => {
                    return Err(SgfError::OffBoard { property: name.into(), value: value.into() });
                }
            },
        };
        self.notes.push(format!(
            "{name}[{value}] was read as {}",
            if mv == SgfMove::Pass { "a pass" } else { "a move" }
        ));
        self.play(colour, mv)
    }

    fn play(&mut self, colour: Colour, mv: SgfMove) -> Result<(), SgfError> {
        self.moves += 1;
        let mv = match mv {
            SgfMove::Pass => Move::PASS,
            SgfMove::Move(SgfPoint { x: 19, y: 19 }) => Move::PASS,
            SgfMove::Move(point) => self.point(point, "a move")?.into(),
        };
        // The side that took may move again, and fill the ko.
        if self.last.is_some_and(|(before, _)| before == colour) {
            self.board.set_ko(None);
        }
        // A record shows what was played: a ko that players overlooked is reported, not refused.
        if self.board.check(colour, mv) == Err(RefusedMove::Ko) {
            self.notes.push(format!("move {} retakes a ko at once", self.moves));
            self.board.set_ko(None);
        }
        if let Err(why) = self.board.play(colour, mv) {
            let point = mv.point().unwrap_or(Point::new(0, 0));
            return Err(SgfError::Illegal { number: self.moves, colour, point, why });
        }
        self.last = Some((colour, mv));
        self.to_move = None;
        Ok(())
    }

    fn point(&self, point: SgfPoint, property: &str) -> Result<Point, SgfError> {
        let (column, from_top) = (usize::from(point.x), usize::from(point.y));
        if column >= self.board.size() || from_top >= self.board.size() {
            let value = format!("{},{}", column + 1, from_top + 1);
            return Err(SgfError::OffBoard { property: property.into(), value });
        }
        Ok(Point::new(column, self.board.size() - 1 - from_top))
    }

    /// AB, AW and AE of a node, together.
    fn set_up(&mut self, node: &SgfNode<Prop>) -> Result<(), SgfError> {
        let mut edits: Vec<(Option<Colour>, Point)> = Vec::new();
        for property in node.properties() {
            let name = identifier(property);
            let stone = match name.as_str() {
                "AB" => Some(Colour::Black),
                "AW" => Some(Colour::White),
                "AE" => None,
                _ => continue,
            };
            for point in set_up_points(property, &name)? {
                edits.push((stone, self.point(point, &name)?));
            }
        }
        if edits.is_empty() {
            return Ok(());
        }
        let mut stones: Vec<(Colour, Point)> = Vec::new();
        for colour in Colour::BOTH {
            stones.extend(self.board.stones(colour).iter().map(|point| (colour, point)));
        }
        for (stone, point) in edits {
            stones.retain(|(_, other)| *other != point);
            stones.extend(stone.map(|colour| (colour, point)));
        }
        self.board = Board::from_stones(self.board.size(), KoRule::Simple, stones)
            .map_err(SgfError::SetUp)?;
        Ok(())
    }

    fn finish(self) -> SgfPosition {
        let after_last = self.last.map(|(colour, _)| colour.other());
        SgfPosition {
            to_move: self.to_move.or(after_last).unwrap_or(Colour::Black),
            board: self.board,
            last: self.last,
            moves: self.moves,
            notes: self.notes,
        }
    }
}

fn identifier(property: &Prop) -> String {
    use sgf_parse::SgfProp;
    match property {
        Prop::Invalid(name, _) | Prop::Unknown(name, _) => name.clone(),
        other => other.identifier(),
    }
}

fn colour_of(colour: sgf_parse::Color) -> Colour {
    match colour {
        sgf_parse::Color::Black => Colour::Black,
        sgf_parse::Color::White => Colour::White,
    }
}

fn set_up_points(property: &Prop, name: &str) -> Result<Vec<SgfPoint>, SgfError> {
    let points = match property {
        Prop::AB(points) | Prop::AW(points) | Prop::AE(points) => points.iter().copied().collect(),
        // Points given twice and the like: the values as they stand.
        Prop::Invalid(_, values) => {
            let mut points = Vec::new();
            for value in values.iter().filter(|value| !value.trim().is_empty()) {
                let off = || SgfError::OffBoard { property: name.into(), value: value.clone() };
                points.extend(rectangle(value.trim()).ok_or_else(off)?);
            }
            points
        }
        _ => Vec::new(),
    };
    Ok(points)
}

/// `dd` or `aa:cc`, whichever corner comes first.
fn rectangle(value: &str) -> Option<Vec<SgfPoint>> {
    let (one, other) = value.split_once(':').unwrap_or((value, value));
    let (one, other) = (letters(one)?, letters(other)?);
    let (top, bottom) = (one.y.min(other.y), one.y.max(other.y));
    let (left, right) = (one.x.min(other.x), one.x.max(other.x));
    let rows = |x| (top..=bottom).map(move |y| SgfPoint { x, y });
    Some((left..=right).flat_map(rows).collect())
}

fn letters(value: &str) -> Option<SgfPoint> {
    let number = |byte: u8| byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase() - b'a');
    match value.as_bytes() {
        [x, y] => Some(SgfPoint { x: number(*x)?, y: number(*y)? }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, SgfError, SgfPosition, read};
    use crate::board::{Colour, Point};

    fn stone(position: &SgfPosition, name: &str) -> Option<Colour> {
        position.board.stone(Point::parse(name, position.board.size()).expect("a point"))
    }

    #[test]
    fn set_up_moves_and_captures() {
        let text = "(;FF[4]GM[1]SZ[9]AB[ba]AW[aa:aa]PL[W];W[ii];B[ab](;W[hh])(;W[gg]))";
        let position = read(text, None).expect("a position");
        assert_eq!(position.moves, 3);
        assert_eq!(stone(&position, "J1"), Some(Colour::White));
        assert_eq!(stone(&position, "A9"), None);
        assert_eq!(stone(&position, "H2"), Some(Colour::White));
        assert_eq!(position.to_move, Colour::Black);
        for dead in ["(;SZ[9]AB[ba][ab]AW[aa])", "(;SZ[9]AW[aa][ee]AB[ba][ab])"] {
            assert!(matches!(read(dead, None), Err(SgfError::SetUp(_))), "without liberties");
        }
        for corners in ["aa:cb", "cb:aa", "ab:ca", "ca:ab"] {
            let position = read(&format!("(;SZ[9]AB[{corners}])"), None).expect("a position");
            assert_eq!(position.board.stones(Colour::Black).len(), 6, "{corners}");
        }
    }

    #[test]
    fn a_side_that_moves_twice_may_fill_its_ko() {
        let text = "(;SZ[9]AB[ed][ef][fe]AW[ee][dd][df][ce];B[de];B[ee])";
        let position = read(text, None).expect("a position");
        assert_eq!(stone(&position, "E5"), Some(Colour::Black));
        assert!(position.notes.is_empty(), "{:?}", position.notes);
        let retaken = read("(;SZ[9]AB[ed][ef][fe]AW[ee][dd][df][ce];B[de];W[ee])", None);
        assert!(!retaken.expect("a position").notes.is_empty());
    }

    #[test]
    fn long_lines_are_refused_before_they_are_built() {
        let nodes = |count: usize| format!("(;SZ[9]AB[ee]C[(;\\];]{})", ";C[x]".repeat(count));
        assert!(read(&nodes(LONGEST - 1), None).is_ok());
        assert!(matches!(read(&nodes(200_000), None), Err(SgfError::TooLong(200_001))));
        // Many short variations are no long line.
        let wide = format!("(;SZ[9]{})", "(;B[aa];W[bb])".repeat(LONGEST));
        assert_eq!(read(&wide, None).expect("a position").moves, 2);
    }

    #[test]
    fn stops_where_asked() {
        let text = "(;SZ[13];B[dd];W[jj];B[dj])";
        assert_eq!(read(text, Some(2)).expect("a position").board.stones(Colour::Black).len(), 1);
        assert!(matches!(read(text, Some(9)), Err(SgfError::TooShort { has: 3, wanted: 9 })));
    }

    #[test]
    fn untidy_files_are_read_and_told() {
        let text =
            "From: someone\n\u{feff}(;GaMe[1]SiZe[9]HA[0]AB[cc][cc][dd]AW[ee]PL[1];W[];B[tt]";
        let position = read(text, None).expect("a position");
        assert_eq!(position.board.stones(Colour::Black).len(), 2);
        assert_eq!(position.moves, 2);
        assert!(!position.notes.is_empty());
        assert_eq!(read("(;AB[dd])", None).expect("19x19 without SZ").board.size(), 19);
    }

    #[test]
    fn faults_are_named() {
        assert!(matches!(read("hello", None), Err(SgfError::Syntax(_))));
        assert!(matches!(read("(;GM[2]SZ[8])", None), Err(SgfError::OtherGame)));
        assert!(matches!(read("(;SZ[37])", None), Err(SgfError::Size(_))));
        let error = read("(;SZ[9];B[dd];W[dd])", None).err().expect("an occupied point");
        assert!(error.to_string().contains("move 2 (white D6)"), "{error}");
        assert!(matches!(read("(;SZ[9];B[ss])", None), Err(SgfError::OffBoard { .. })));
    }
}
