//! What a player types: moves as USI or in Japanese, and words for everything else.

use yomikiri_shogi::notation::{japanese, western};
use yomikiri_shogi::{Color, Kind, Move, Origin, Position, Square};

/// What the player wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PersonRequest {
    /// Play a legal move.
    Play(Move),
    /// Take the last moves back.
    TakeBack,
    /// See what the engine would play.
    Hint,
    /// Give up.
    Resign,
    /// Claim the game by the entering-king rule.
    Declare,
    /// Save the game, perhaps under a name.
    Save(Option<String>),
    /// See the board again.
    Board,
    /// See all legal moves.
    Moves,
    /// See the moves played.
    Record,
    /// See or change the level.
    Level(Option<String>),
    /// Turn the board.
    Flip,
    /// See the clocks.
    Clock,
    /// See what can be typed.
    Help,
    /// Leave.
    Quit,
    /// Nothing was typed.
    Nothing,
}

/// What is wrong with what was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestFault {
    /// Neither a move nor a word.
    Unknown,
    /// A move that the rules forbid.
    Illegal(IllegalReason),
    /// No legal move is written so; these go to the same square.
    NoSuchMove(Vec<Move>),
    /// Promotion must be said or denied.
    Promotion([Move; 2]),
}

/// Why a move is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalReason {
    /// There is no piece of the player's on the square.
    NotYours,
    /// The player does not hold such a piece.
    NotInHand,
    /// The piece does not move so, or something is in its way.
    CannotReach,
    /// The piece cannot promote there.
    CannotPromote,
    /// The piece could never move again.
    DeadEnd,
    /// A drop on a square that is taken.
    Occupied,
    /// Two pawns on a file.
    TwoPawns,
    /// A pawn drop that gives mate.
    DropMate,
    /// The king would be taken.
    KingInCheck,
}

/// Words that stand alone.
const WORDS: [(&[&str], PersonRequest); 11] = [
    (&["undo", "u", "back", "takeback", "待った", "待"], PersonRequest::TakeBack),
    (&["hint", "h", "ヒント"], PersonRequest::Hint),
    (&["resign", "投了", "負けました"], PersonRequest::Resign),
    (&["declare", "win", "宣言", "入玉宣言"], PersonRequest::Declare),
    (&["board", "b", "盤", "盤面"], PersonRequest::Board),
    (&["moves", "m", "合法手"], PersonRequest::Moves),
    (&["record", "r", "棋譜"], PersonRequest::Record),
    (&["flip", "f", "反転"], PersonRequest::Flip),
    (&["clock", "c", "時計", "時間"], PersonRequest::Clock),
    (&["help", "?", "ヘルプ", "説明"], PersonRequest::Help),
    (&["quit", "q", "exit", "終了", "中断"], PersonRequest::Quit),
];

const SAVE: [&str; 3] = ["save", "s", "保存"];
const LEVEL: [&str; 3] = ["level", "l", "レベル"];

/// Reads a line.
///
/// # Errors
/// If it is neither a legal move nor a known word.
pub fn read(line: &str, position: &Position) -> Result<PersonRequest, RequestFault> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(PersonRequest::Nothing);
    }
    let plain = half_width(line);
    let lower = plain.to_lowercase();
    if let Some((_, request)) = WORDS.iter().find(|(words, _)| words.contains(&lower.as_str())) {
        return Ok(request.clone());
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = Some(rest.trim().to_string()).filter(|rest| !rest.is_empty());
    let word = half_width(word).to_lowercase();
    if SAVE.contains(&word.as_str()) {
        return Ok(PersonRequest::Save(rest));
    }
    if LEVEL.contains(&word.as_str()) {
        return Ok(PersonRequest::Level(rest.map(|rest| half_width(&rest))));
    }
    match usi_move(&plain) {
        Some(played) => match why_illegal(position, played) {
            None => Ok(PersonRequest::Play(played)),
            Some(why) => Err(RequestFault::Illegal(why)),
        },
        None => match western_move(&plain, position) {
            Some(mv) => Ok(PersonRequest::Play(mv)),
            None => japanese_move(line, position).map(PersonRequest::Play),
        },
    }
}

/// Full-width letters, digits and signs as ASCII, as a Japanese keyboard may give them.
fn half_width(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xff01 + 0x21).unwrap_or(letter),
        '\u{3000}' => ' ',
        other => other,
    };
    text.chars().map(plain).collect()
}

/// A USI move in any case: `7g7f`, `8H2B+`, `p*5e`.
fn usi_move(text: &str) -> Option<Move> {
    let lower = text.to_ascii_lowercase();
    match lower.split_once('*') {
        Some((kind, to)) => format!("{}*{to}", kind.to_ascii_uppercase()).parse().ok(),
        None => lower.parse().ok(),
    }
}

/// A legal move under its western name, in any case: `P-7f`, `Bx2b+`, `G4i-5h`.
fn western_move(text: &str, position: &Position) -> Option<Move> {
    let named = |mv: &Move| western::move_name(position, *mv).eq_ignore_ascii_case(text);
    position.legal_moves().into_iter().find(named)
}

/// A Japanese move, perhaps with the square of origin that KIF adds: `７六歩(77)`.
fn japanese_move(text: &str, position: &Position) -> Result<Move, RequestFault> {
    let (text, origin) = split_origin(text);
    let target = target(text, position).ok_or(RequestFault::Unknown)?;
    let denied = text.ends_with("不成") || text.ends_with('生');
    let played = match origin {
        Some(from) if from == target => return Err(RequestFault::Unknown),
        Some(from) => Move::board(from, target, text.ends_with('成') && !denied),
        None => named_move(text, position, target)?,
    };
    if let Some(why) = why_illegal(position, played) {
        return Err(RequestFault::Illegal(why));
    }
    match played.origin() {
        Origin::Board(from) if !played.is_promotion() && !denied => {
            let promoted = Move::board(from, target, true);
            match position.is_legal(promoted) {
                true => Err(RequestFault::Promotion([promoted, played])),
                false => Ok(played),
            }
        }
        _ => Ok(played),
    }
}

fn named_move(text: &str, position: &Position, target: Square) -> Result<Move, RequestFault> {
    match japanese::read_move(position, text) {
        Ok(reading) if reading.length == text.len() => Ok(reading.played),
        Ok(_) => Err(RequestFault::Unknown),
        Err(_) => {
            let moves = position.legal_moves().into_iter();
            Err(RequestFault::NoSuchMove(moves.filter(|played| played.to() == target).collect()))
        }
    }
}

/// The text before `(77)`, and the square in it.
fn split_origin(text: &str) -> (&str, Option<Square>) {
    let inside = text
        .strip_suffix([')', '）'])
        .and_then(|text| text.rsplit_once(['(', '（']))
        .and_then(|(before, digits)| Some((before, two_digits(digits)?)));
    match inside {
        Some((before, square)) => (before, Some(square)),
        None => (text, None),
    }
}

/// Where a Japanese move goes, marks of the side left aside.
fn target(text: &str, position: &Position) -> Option<Square> {
    let text = text.trim_start_matches(['▲', '△', '☗', '☖', '▽', '▼', ' ', '\u{3000}']);
    if text.starts_with('同') {
        return position.last_move().map(|last| last.to());
    }
    two_digits(&text.chars().take(2).collect::<String>())
}

fn two_digits(text: &str) -> Option<Square> {
    const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let mut digits =
        half_width(text).chars().collect::<Vec<_>>().into_iter().map(|symbol| match symbol {
            '1'..='9' => Some(symbol as u8 - b'1'),
            _ => KANJI.iter().position(|&kanji| kanji == symbol).map(|index| index as u8),
        });
    match (digits.next(), digits.next(), digits.next()) {
        (Some(Some(file)), Some(Some(rank)), None) => Some(Square::new(file, rank)),
        _ => None,
    }
}

/// Why the side to move may not play a move; nothing if it may.
fn why_illegal(position: &Position, played: Move) -> Option<IllegalReason> {
    if position.is_legal(played) {
        return None;
    }
    let us = position.side_to_move();
    Some(match played.origin() {
        Origin::Hand(kind) => why_no_drop(position, kind, played.to(), us),
        Origin::Board(from) => why_no_move(position, played, from, us),
    })
}

fn why_no_drop(position: &Position, kind: Kind, to: Square, us: Color) -> IllegalReason {
    let own_pawn_on_file = || {
        (0..9)
            .filter_map(|rank| position.piece_on(Square::new(to.file(), rank)))
            .any(|piece| piece.kind() == Kind::Pawn && piece.color() == us)
    };
    if !position.hand(us).has(kind) {
        IllegalReason::NotInHand
    } else if position.piece_on(to).is_some() {
        IllegalReason::Occupied
    } else if to.rank_for(us) < kind.dead_ranks() {
        IllegalReason::DeadEnd
    } else if kind == Kind::Pawn && own_pawn_on_file() {
        IllegalReason::TwoPawns
    } else if position.in_check() {
        IllegalReason::KingInCheck
    } else {
        // Nothing else forbids a drop.
        IllegalReason::DropMate
    }
}

fn why_no_move(position: &Position, played: Move, from: Square, us: Color) -> IllegalReason {
    let to = played.to();
    let Some(piece) = position.piece_on(from).filter(|piece| piece.color() == us) else {
        return IllegalReason::NotYours;
    };
    let own = position.piece_on(to).is_some_and(|piece| piece.color() == us);
    let reaches = !own && position.attackers(to, us, position.occupied()).has(from);
    if !reaches {
        return IllegalReason::CannotReach;
    }
    let in_zone = |square: Square| square.rank_for(us) < 3;
    if played.is_promotion()
        && (piece.kind().promoted().is_none() || !(in_zone(from) || in_zone(to)))
    {
        IllegalReason::CannotPromote
    } else if !played.is_promotion() && to.rank_for(us) < piece.kind().dead_ranks() {
        IllegalReason::DeadEnd
    } else {
        IllegalReason::KingInCheck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        Position::from_usi(text).unwrap()
    }

    fn played(text: &str, position: &Position) -> String {
        match read(text, position) {
            Ok(PersonRequest::Play(played)) => played.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_move_can_be_written_in_many_ways() {
        let start = Position::start();
        for text in [
            "7g7f",
            "7G7F",
            "７ｇ７ｆ",
            "７六歩",
            "76歩",
            "7六歩",
            "▲７六歩",
            "☗76歩",
            "７六歩(77)",
            " 76歩 ",
        ] {
            assert_eq!(played(text, &start), "7g7f", "{text}");
        }
        assert_eq!(played("P-7f", &start), "7g7f");
        assert_eq!(played("g4i-5h", &start), "4i5h");
        assert_eq!(played("５八金右", &start), "4i5h");
        assert_eq!(played("58金左", &start), "6i5h");
        assert_eq!(played("58金(49)", &start), "4i5h");
        assert!(
            matches!(read("５八金", &start), Err(RequestFault::NoSuchMove(near)) if near.len() == 4)
        );
        let taken = position("startpos moves 7g7f 3c3d 8h2b+");
        assert_eq!(played("同銀", &taken), "3a2b");
        assert_eq!(played("同　銀", &taken), "3a2b");
        let hands = position("startpos moves 7g7f 3c3d 8h2b+ 3a2b 9g9f 9c9d");
        assert_eq!(played("b*5e", &hands), "B*5e");
        assert_eq!(played("５五角", &hands), "B*5e");
        assert_eq!(played("５五角打", &hands), "B*5e");
    }

    #[test]
    fn promotion_must_be_said_in_japanese() {
        let open = position("startpos moves 7g7f 3c3d");
        assert_eq!(played("２二角成", &open), "8h2b+");
        assert_eq!(played("２二角不成", &open), "8h2b");
        assert_eq!(played("8h2b", &open), "8h2b");
        assert!(matches!(read("２二角", &open), Err(RequestFault::Promotion(_))));
    }

    #[test]
    fn words_are_known_in_both_languages() {
        let start = Position::start();
        for (text, request) in [
            ("undo", PersonRequest::TakeBack),
            ("待った", PersonRequest::TakeBack),
            ("ヒント", PersonRequest::Hint),
            ("投了", PersonRequest::Resign),
            ("宣言", PersonRequest::Declare),
            ("HELP", PersonRequest::Help),
            ("？", PersonRequest::Help),
            ("save my game.kif", PersonRequest::Save(Some("my game.kif".into()))),
            ("保存", PersonRequest::Save(None)),
            ("level ３", PersonRequest::Level(Some("3".into()))),
            ("  ", PersonRequest::Nothing),
            ("q", PersonRequest::Quit),
        ] {
            assert_eq!(read(text, &start), Ok(request), "{text}");
        }
        for text in ["castle", "7z7f", "７六", "７七", "歩", "76歩xyz"] {
            assert!(read(text, &start).is_err(), "{text}");
        }
    }

    #[test]
    fn no_word_means_two_things() {
        let all: Vec<&str> = WORDS
            .iter()
            .flat_map(|(words, _)| words.iter().copied())
            .chain(SAVE)
            .chain(LEVEL)
            .collect();
        for (index, word) in all.iter().enumerate() {
            assert!(!all[..index].contains(word), "{word}");
        }
    }

    #[test]
    fn forbidden_moves_are_explained() {
        let why = |text: &str, position: &Position| match read(text, position) {
            Err(RequestFault::Illegal(why)) => why,
            other => panic!("{text}: {other:?}"),
        };
        let start = Position::start();
        assert_eq!(why("3c3d", &start), IllegalReason::NotYours);
        assert_eq!(why("5e5d", &start), IllegalReason::NotYours);
        assert_eq!(why("8h5e", &start), IllegalReason::CannotReach);
        assert_eq!(why("7g7f+", &start), IllegalReason::CannotPromote);
        assert_eq!(why("p*5e", &start), IllegalReason::NotInHand);
        let hands = position("sfen 4k4/P8/9/9/4r4/9/9/9/4K4 b PN 1");
        assert_eq!(why("p*9e", &hands), IllegalReason::TwoPawns);
        assert_eq!(why("p*5a", &hands), IllegalReason::Occupied);
        assert_eq!(why("n*1b", &hands), IllegalReason::DeadEnd);
        assert_eq!(why("9b9a", &hands), IllegalReason::DeadEnd);
        assert_eq!(why("n*1e", &hands), IllegalReason::KingInCheck);
        let mating = position("sfen 7nk/7pl/9/8+B/9/9/9/9/4K4 b P 1");
        assert!(mating.is_legal("P*1c".parse().unwrap()));
        let mate = position("sfen 7nk/9/8G/9/9/9/9/9/4K4 b P 1");
        assert_eq!(why("p*1b", &mate), IllegalReason::DropMate);
    }
}
