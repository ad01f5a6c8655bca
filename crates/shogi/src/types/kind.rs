//! Kinds of pieces, without their owner.

use core::fmt;

/// What a piece is, promoted forms included. The promoted form of a kind is 8 above it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// 歩 fu.
    Pawn = 1,
    /// 香 kyosha.
    Lance = 2,
    /// 桂 keima.
    Knight = 3,
    /// 銀 gin.
    Silver = 4,
    /// 角 kaku.
    Bishop = 5,
    /// 飛 hisha.
    Rook = 6,
    /// 金 kin.
    Gold = 7,
    /// 玉 gyoku.
    King = 8,
    /// と tokin, a promoted pawn.
    ProPawn = 9,
    /// 成香 narikyo, a promoted lance.
    ProLance = 10,
    /// 成桂 narikei, a promoted knight.
    ProKnight = 11,
    /// 成銀 narigin, a promoted silver.
    ProSilver = 12,
    /// 馬 uma, a promoted bishop.
    Horse = 13,
    /// 龍 ryu, a promoted rook.
    Dragon = 14,
}

impl Kind {
    /// Every kind, unpromoted first.
    pub const ALL: [Kind; 14] = [
        Kind::Pawn,
        Kind::Lance,
        Kind::Knight,
        Kind::Silver,
        Kind::Bishop,
        Kind::Rook,
        Kind::Gold,
        Kind::King,
        Kind::ProPawn,
        Kind::ProLance,
        Kind::ProKnight,
        Kind::ProSilver,
        Kind::Horse,
        Kind::Dragon,
    ];

    /// The kinds that can be held in hand, smallest first.
    pub const HAND: [Kind; 7] =
        [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];

    /// 1 to 14; tables of kinds have 16 entries.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind of an index from 1 to 14.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Kind> {
        // Spelled out, so that the compiler sees that nothing has to be looked up.
        Some(match index {
            1 => Kind::Pawn,
            2 => Kind::Lance,
            3 => Kind::Knight,
            4 => Kind::Silver,
            5 => Kind::Bishop,
            6 => Kind::Rook,
            7 => Kind::Gold,
            8 => Kind::King,
            9 => Kind::ProPawn,
            10 => Kind::ProLance,
            11 => Kind::ProKnight,
            12 => Kind::ProSilver,
            13 => Kind::Horse,
            14 => Kind::Dragon,
            _ => return None,
        })
    }

    /// The promoted form, if there is one.
    #[inline]
    pub const fn promoted(self) -> Option<Kind> {
        match self {
            Kind::Pawn => Some(Kind::ProPawn),
            Kind::Lance => Some(Kind::ProLance),
            Kind::Knight => Some(Kind::ProKnight),
            Kind::Silver => Some(Kind::ProSilver),
            Kind::Bishop => Some(Kind::Horse),
            Kind::Rook => Some(Kind::Dragon),
            _ => None,
        }
    }

    /// The unpromoted form, which is what a captor takes in hand.
    #[inline]
    pub const fn unpromoted(self) -> Kind {
        match self {
            Kind::ProPawn => Kind::Pawn,
            Kind::ProLance => Kind::Lance,
            Kind::ProKnight => Kind::Knight,
            Kind::ProSilver => Kind::Silver,
            Kind::Horse => Kind::Bishop,
            Kind::Dragon => Kind::Rook,
            other => other,
        }
    }

    /// Whether this is a promoted form.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > Kind::King as u8
    }

    /// Whether a player can hold it in hand.
    #[inline]
    pub const fn is_hand(self) -> bool {
        (self as u8) < Kind::King as u8
    }

    /// How many of this unpromoted kind a full set has; 0 for promoted forms.
    pub const fn set_size(self) -> u8 {
        match self {
            Kind::Pawn => 18,
            Kind::Lance | Kind::Knight | Kind::Silver | Kind::Gold => 4,
            Kind::Bishop | Kind::Rook | Kind::King => 2,
            _ => 0,
        }
    }

    /// How many ranks at the far side this kind may not stand on, because it could never move
    /// again.
    pub const fn dead_ranks(self) -> u8 {
        match self {
            Kind::Pawn | Kind::Lance => 1,
            Kind::Knight => 2,
            _ => 0,
        }
    }

    /// The letter of SFEN and USI for the unpromoted form, in upper case.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Kind::Pawn => 'P',
            Kind::Lance => 'L',
            Kind::Knight => 'N',
            Kind::Silver => 'S',
            Kind::Gold => 'G',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            _ => 'K',
        }
    }

    /// The unpromoted kind that an upper-case SFEN letter stands for.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter {
            'P' => Kind::Pawn,
            'L' => Kind::Lance,
            'N' => Kind::Knight,
            'S' => Kind::Silver,
            'G' => Kind::Gold,
            'B' => Kind::Bishop,
            'R' => Kind::Rook,
            'K' => Kind::King,
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    /// As SFEN writes a black piece: `P`, `+R`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_promoted() {
            f.write_str("+")?;
        }
        write!(f, "{}", self.letter())
    }
}
