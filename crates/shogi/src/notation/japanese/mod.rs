//! Japanese names of squares, pieces and moves: ▲７六歩, △同銀左成.
//!
//! The rules by which a name distinguishes pieces are those of the Japan Shogi Association: first
//! by the direction of the move (上, 寄, 引), then by the side it comes from (右, 左, 直), then by both.

mod read;
mod relation;

pub use read::{Reading, read_move};
pub(crate) use read::{Scanner, Written};
use relation::{Relation, relation};

use crate::position::Position;
use crate::types::{Bitboard, Color, Kind, Move, Origin, Square};

/// Full-width digits of files.
pub(crate) const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// Kanji numbers of ranks.
pub(crate) const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The name of a kind in a move.
pub const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "歩",
        Kind::Lance => "香",
        Kind::Knight => "桂",
        Kind::Silver => "銀",
        Kind::Gold => "金",
        Kind::Bishop => "角",
        Kind::Rook => "飛",
        Kind::King => "玉",
        Kind::ProPawn => "と",
        Kind::ProLance => "成香",
        Kind::ProKnight => "成桂",
        Kind::ProSilver => "成銀",
        Kind::Horse => "馬",
        Kind::Dragon => "龍",
    }
}

/// One character for a kind, as it stands on a printed board.
pub const fn kind_symbol(kind: Kind) -> char {
    match kind {
        Kind::Pawn => '歩',
        Kind::Lance => '香',
        Kind::Knight => '桂',
        Kind::Silver => '銀',
        Kind::Gold => '金',
        Kind::Bishop => '角',
        Kind::Rook => '飛',
        Kind::King => '玉',
        Kind::ProPawn => 'と',
        Kind::ProLance => '杏',
        Kind::ProKnight => '圭',
        Kind::ProSilver => '全',
        Kind::Horse => '馬',
        Kind::Dragon => '龍',
    }
}

/// ▲ for black, △ for white.
pub const fn side_mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// The name of a square: ７六.
pub fn square_name(square: Square) -> String {
    [FILES[usize::from(square.file())], RANKS[usize::from(square.rank())]].iter().collect()
}

/// What stands between the piece's name and the end: 右, 左上, 打, 成, 不成.
pub(crate) fn suffix(position: &Position, played: Move) -> String {
    let side = position.side_to_move();
    let Origin::Board(from) = played.origin() else {
        let Some(kind) = played.dropped() else { return String::new() };
        let rivals = movers(position, kind, played.to());
        return if rivals.is_any() { "打".to_string() } else { String::new() };
    };
    let Some(piece) = position.piece_on(from) else { return String::new() };
    let mut text = relation_name(position, piece.kind(), from, played.to());
    let zone = Bitboard::promotion_zone(side);
    if played.is_promotion() {
        text.push('成');
    } else if piece.kind().promoted().is_some() && (zone.has(from) || zone.has(played.to())) {
        text.push_str("不成");
    }
    text
}

/// The squares from which a piece of the kind, of the side to move, reaches a square.
fn movers(position: &Position, kind: Kind, to: Square) -> Bitboard {
    let side = position.side_to_move();
    position.attackers(to, side, position.occupied()) & position.pieces(kind, side)
}

fn relation_name(position: &Position, kind: Kind, from: Square, to: Square) -> String {
    let side = position.side_to_move();
    let rivals: Vec<Square> =
        movers(position, kind, to).iter().filter(|&other| other != from).collect();
    if rivals.is_empty() {
        return String::new();
    }
    let this = relation(kind, side, from, to, &rivals);
    let of = |other: &Square| {
        let others: Vec<Square> =
            rivals.iter().copied().chain([from]).filter(|square| square != other).collect();
        relation(kind, side, *other, to, &others)
    };
    this.tell_apart(&rivals.iter().map(of).collect::<Vec<Relation>>())
}

/// The official name of a legal move, with the mark of the side: `▲７六歩`, `△同銀左`.
///
/// ```
/// use yomikiri_shogi::{Position, notation::japanese};
///
/// let mut position = Position::start();
/// assert_eq!(japanese::move_name(&position, "7g7f".parse().unwrap()), "▲７六歩");
/// assert_eq!(japanese::move_name(&position, "4i5h".parse().unwrap()), "▲５八金右");
/// ```
pub fn move_name(position: &Position, played: Move) -> String {
    let mark = side_mark(position.side_to_move());
    format!("{mark}{}", plain_name(position, played, ""))
}

/// The name without the mark; `gap` follows 同 where the piece's name is one character.
pub(crate) fn plain_name(position: &Position, played: Move, gap: &str) -> String {
    let kind = match played.origin() {
        Origin::Hand(kind) => kind,
        Origin::Board(from) => match position.piece_on(from) {
            Some(piece) => piece.kind(),
            None => return played.to_string(),
        },
    };
    let name = kind_name(kind);
    let suffix = suffix(position, played);
    let same = position.last_move().is_some_and(|last| last.to() == played.to());
    if !same {
        return format!("{}{name}{suffix}", square_name(played.to()));
    }
    let gap = if name.chars().count() == 1 && suffix.is_empty() { gap } else { "" };
    format!("同{gap}{name}{suffix}")
}
