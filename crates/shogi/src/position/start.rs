//! The positions from which games begin.

use super::Position;
use crate::types::{Color, Kind, Piece, Square};
use core::fmt;
use core::str::FromStr;

/// A handicap (手合割): what the stronger player, white, leaves off the board. White moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Handicap {
    /// 平手: none; black moves first.
    Even,
    /// 香落ち: the left lance.
    Lance,
    /// 右香落ち: the right lance.
    RightLance,
    /// 角落ち: the bishop.
    Bishop,
    /// 飛車落ち: the rook.
    Rook,
    /// 飛香落ち: rook and left lance.
    RookLance,
    /// 二枚落ち: rook and bishop.
    Two,
    /// 三枚落ち: rook, bishop and right lance.
    Three,
    /// 四枚落ち: rook, bishop and both lances.
    Four,
    /// 五枚落ち: and the right knight.
    Five,
    /// 左五枚落ち: and the left knight.
    LeftFive,
    /// 六枚落ち: and both knights.
    Six,
    /// 左七枚落ち: and the left silver.
    LeftSeven,
    /// 右七枚落ち: and the right silver.
    RightSeven,
    /// 八枚落ち: and both silvers.
    Eight,
    /// 十枚落ち: and both golds.
    Ten,
}

/// A word that names no handicap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownHandicap(pub String);

impl fmt::Display for UnknownHandicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            Handicap::ALL.map(|known| format!("{} ({})", known.english_name(), known.name()));
        write!(f, "no such handicap as '{}'; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownHandicap {}

impl FromStr for Handicap {
    type Err = UnknownHandicap;

    /// By its Japanese name, or in English: `lance`, `two`, ...
    fn from_str(text: &str) -> Result<Handicap, UnknownHandicap> {
        let asked = text.to_lowercase();
        let is_it = |known: &Handicap| asked == known.name() || asked == known.english_name();
        let found = Handicap::ALL.into_iter().find(is_it);
        found.ok_or_else(|| UnknownHandicap(text.to_string()))
    }
}

/// The back rank, from file 1 to 9.
const BACK: [Kind; 9] = [
    Kind::Lance,
    Kind::Knight,
    Kind::Silver,
    Kind::Gold,
    Kind::King,
    Kind::Gold,
    Kind::Silver,
    Kind::Knight,
    Kind::Lance,
];

impl Handicap {
    /// Its name in English, in small letters.
    #[must_use]
    pub fn english_name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Every handicap, in the order of what is given.
    pub const ALL: [Handicap; 16] = [
        Handicap::Even,
        Handicap::Lance,
        Handicap::RightLance,
        Handicap::Bishop,
        Handicap::Rook,
        Handicap::RookLance,
        Handicap::Two,
        Handicap::Three,
        Handicap::Four,
        Handicap::Five,
        Handicap::LeftFive,
        Handicap::Six,
        Handicap::LeftSeven,
        Handicap::RightSeven,
        Handicap::Eight,
        Handicap::Ten,
    ];

    /// The Japanese name, as records write it after 手合割.
    pub const fn name(self) -> &'static str {
        match self {
            Handicap::Even => "平手",
            Handicap::Lance => "香落ち",
            Handicap::RightLance => "右香落ち",
            Handicap::Bishop => "角落ち",
            Handicap::Rook => "飛車落ち",
            Handicap::RookLance => "飛香落ち",
            Handicap::Two => "二枚落ち",
            Handicap::Three => "三枚落ち",
            Handicap::Four => "四枚落ち",
            Handicap::Five => "五枚落ち",
            Handicap::LeftFive => "左五枚落ち",
            Handicap::Six => "六枚落ち",
            Handicap::LeftSeven => "左七枚落ち",
            Handicap::RightSeven => "右七枚落ち",
            Handicap::Eight => "八枚落ち",
            Handicap::Ten => "十枚落ち",
        }
    }

    /// The squares that white leaves empty. White's left is file 1, the right file 9.
    pub const fn removed(self) -> &'static [Square] {
        const LEFT_LANCE: Square = Square::new(0, 0);
        const LEFT_KNIGHT: Square = Square::new(1, 0);
        const LEFT_SILVER: Square = Square::new(2, 0);
        const LEFT_GOLD: Square = Square::new(3, 0);
        const RIGHT_GOLD: Square = Square::new(5, 0);
        const RIGHT_SILVER: Square = Square::new(6, 0);
        const RIGHT_KNIGHT: Square = Square::new(7, 0);
        const RIGHT_LANCE: Square = Square::new(8, 0);
        const ROOK: Square = Square::new(7, 1);
        const BISHOP: Square = Square::new(1, 1);
        // Each longer handicap adds to the one before it.
        static TEN: [Square; 10] = [
            ROOK,
            BISHOP,
            RIGHT_LANCE,
            LEFT_LANCE,
            RIGHT_KNIGHT,
            LEFT_KNIGHT,
            RIGHT_SILVER,
            LEFT_SILVER,
            RIGHT_GOLD,
            LEFT_GOLD,
        ];
        match self {
            Handicap::Even => &[],
            Handicap::Lance => &[LEFT_LANCE],
            Handicap::RightLance => &[RIGHT_LANCE],
            Handicap::Bishop => &[BISHOP],
            Handicap::Rook => &[ROOK],
            Handicap::RookLance => &[ROOK, LEFT_LANCE],
            Handicap::Two => TEN.split_at(2).0,
            Handicap::Three => TEN.split_at(3).0,
            Handicap::Four => TEN.split_at(4).0,
            Handicap::Five => TEN.split_at(5).0,
            Handicap::LeftFive => &[ROOK, BISHOP, RIGHT_LANCE, LEFT_LANCE, LEFT_KNIGHT],
            Handicap::Six => TEN.split_at(6).0,
            Handicap::LeftSeven => {
                &[ROOK, BISHOP, RIGHT_LANCE, LEFT_LANCE, RIGHT_KNIGHT, LEFT_KNIGHT, LEFT_SILVER]
            }
            Handicap::RightSeven => TEN.split_at(7).0,
            Handicap::Eight => TEN.split_at(8).0,
            Handicap::Ten => &TEN,
        }
    }

    /// The position at the start of a game with this handicap.
    pub fn position(self) -> Position {
        let mut position = Position::empty();
        for (file, &kind) in (0u8..).zip(&BACK) {
            place_for_both(&mut position, Square::new(file, 8), kind);
            place_for_both(&mut position, Square::new(file, 6), Kind::Pawn);
        }
        place_for_both(&mut position, Square::new(7, 7), Kind::Bishop);
        place_for_both(&mut position, Square::new(1, 7), Kind::Rook);
        for &square in self.removed() {
            position.put(square, None);
        }
        if self != Handicap::Even {
            position.set_side_to_move(Color::White);
        }
        position
    }

    /// The handicap whose starting board and hands a position has, if any.
    pub fn of(position: &Position) -> Option<Handicap> {
        Handicap::ALL.into_iter().find(|handicap| {
            let start = handicap.position();
            start.key() == position.key()
                && Square::all().all(|s| start.piece_on(s) == position.piece_on(s))
        })
    }
}

/// Places black's piece, and white's on the square across the board.
fn place_for_both(position: &mut Position, square: Square, kind: Kind) {
    position.put(square, Some(Piece::new(kind, Color::Black)));
    position.put(square.rotated(), Some(Piece::new(kind, Color::White)));
}

impl Position {
    /// The starting position of an even game.
    pub fn start() -> Position {
        Handicap::Even.position()
    }
}
