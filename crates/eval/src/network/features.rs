//! The inputs of a network: which numbers stand for which pieces.
//!
//! Every piece on the board or in hand is one number, its BonaPiece, seen by one side: own pieces
//! and the enemy's have blocks of their own, and the second player looks at the board turned by
//! half. K+P uses these numbers and two blocks for the kings as they are; HalfKP has all of them
//! (without the kings) once for each square of the own king.

use yomikiri_shogi::{BoardChange, Color, Hand, Kind, Piece, Position, Square};

/// One more than the greatest number of a piece that is no king.
pub const PIECE_END: usize = 1548;

/// Where the squares of the own king begin in K+P; the enemy king's follow.
const KINGS: u16 = PIECE_END as u16;

/// Upper bound on the inputs that are set at once: 81 squares, and two hands of 38 pieces.
pub const MAX_ACTIVE: usize = 160;

/// How a position becomes inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FeatureSet {
    /// King squares and pieces, each for itself.
    Kp,
    /// Every piece together with the square of the own king.
    HalfKp,
}

impl FeatureSet {
    /// Both of them.
    pub const ALL: [FeatureSet; 2] = [FeatureSet::Kp, FeatureSet::HalfKp];

    /// The name that the field knows.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureSet::Kp => "K+P",
            FeatureSet::HalfKp => "HalfKP",
        }
    }

    /// How many inputs one side's half has.
    pub const fn inputs(self) -> usize {
        match self {
            FeatureSet::Kp => PIECE_END + 2 * Square::COUNT,
            FeatureSet::HalfKp => PIECE_END * Square::COUNT,
        }
    }

    /// What the first layer's hash in a file is made from.
    pub const fn hash(self) -> u32 {
        match self {
            FeatureSet::Kp => 0x3F57_17FF,
            FeatureSet::HalfKp => 0x5D69_D5B8,
        }
    }

    /// Whether a piece of this kind is an input of its own.
    #[inline]
    const fn has(self, kind: Kind) -> bool {
        matches!(self, FeatureSet::Kp) || !matches!(kind, Kind::King)
    }

    /// What is added to the number of a piece, for the own king's square.
    #[inline]
    const fn offset(self, perspective: Color, king: Option<Square>) -> u32 {
        match (self, king) {
            (FeatureSet::HalfKp, Some(king)) => {
                (PIECE_END * seen(king, perspective).index()) as u32
            }
            _ => 0,
        }
    }

    /// Whether a move makes every input of this side another one.
    #[inline]
    pub fn needs_refresh(self, change: &BoardChange, perspective: Color) -> bool {
        self == FeatureSet::HalfKp
            && change.after.kind() == Kind::King
            && change.mover() == perspective
    }
}

/// Where the numbers of pieces in hand begin, own and enemy's, by kind.
const HAND_BASES: [[u16; 2]; 8] = {
    let mut bases = [[0; 2]; 8];
    bases[Kind::Pawn.index()] = [1, 20];
    bases[Kind::Lance.index()] = [39, 44];
    bases[Kind::Knight.index()] = [49, 54];
    bases[Kind::Silver.index()] = [59, 64];
    bases[Kind::Gold.index()] = [69, 74];
    bases[Kind::Bishop.index()] = [79, 82];
    bases[Kind::Rook.index()] = [85, 88];
    bases
};

/// Where the numbers of pieces on the board begin, by perspective and piece.
const BOARD_BASES: [[u16; 32]; 2] = {
    let mut bases = [[0; 32]; 2];
    let mut index = 0;
    while index < Kind::ALL.len() {
        let kind = Kind::ALL[index];
        let own = match kind {
            Kind::King => KINGS,
            _ => 90 + 162 * block(kind),
        };
        let [black, white] = [Piece::new(kind, Color::Black), Piece::new(kind, Color::White)];
        bases[0][black.index()] = own;
        bases[0][white.index()] = own + 81;
        bases[1][black.index()] = own + 81;
        bases[1][white.index()] = own;
        index += 1;
    }
    bases
};

/// Which pair of blocks on the board a kind has; all that moves as gold shares one.
const fn block(kind: Kind) -> u16 {
    match kind {
        Kind::Pawn => 0,
        Kind::Lance => 1,
        Kind::Knight => 2,
        Kind::Silver => 3,
        Kind::Bishop => 5,
        Kind::Horse => 6,
        Kind::Rook => 7,
        Kind::Dragon => 8,
        _ => 4,
    }
}

/// A square as one side sees it.
#[inline]
const fn seen(square: Square, perspective: Color) -> Square {
    match perspective {
        Color::Black => square,
        Color::White => square.rotated(),
    }
}

/// The number of a piece on the board.
#[inline]
fn on_board(piece: Piece, square: Square, perspective: Color) -> u16 {
    BOARD_BASES[perspective.index()][piece.index()] + seen(square, perspective).index() as u16
}

/// The number of the piece that was the `nth` of its kind, from 0, to come into the hand.
#[inline]
fn in_hand(kind: Kind, owner: Color, nth: u8, perspective: Color) -> u16 {
    let enemy = usize::from(owner != perspective);
    HAND_BASES[kind.index() & 7][enemy] + u16::from(nth)
}

/// Writes the inputs that are set in one side's half into `indices`, in no particular order.
///
/// HalfKP has none for a side without a king.
pub fn active(
    features: FeatureSet,
    position: &Position,
    perspective: Color,
    indices: &mut Vec<u32>,
) {
    indices.clear();
    let king = position.king(perspective);
    if features == FeatureSet::HalfKp && king.is_none() {
        return;
    }
    let offset = features.offset(perspective, king);
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square).filter(|it| features.has(it.kind())) {
            indices.push(offset + u32::from(on_board(piece, square, perspective)));
        }
    }
    for owner in Color::ALL {
        for (kind, count) in position.hand(owner).iter() {
            let held = (0..count).map(|nth| in_hand(kind, owner, nth, perspective));
            indices.extend(held.map(|index| offset + u32::from(index)));
        }
    }
}

/// The inputs of one half that a move clears and sets: as many of one as of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    count: usize,
    removed: [u32; 2],
    added: [u32; 2],
}

impl Changes {
    /// What is no longer set.
    #[inline]
    pub fn removed(&self) -> &[u32] {
        &self.removed[..self.count & 3]
    }

    /// What is set now.
    #[inline]
    pub fn added(&self) -> &[u32] {
        &self.added[..self.count & 3]
    }

    #[inline]
    fn push(&mut self, removed: u32, added: u32) {
        self.removed[self.count] = removed;
        self.added[self.count] = added;
        self.count += 1;
    }
}

/// A move as the accumulators store it until its value is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    change: BoardChange,
    /// Which of the mover's pieces of its kind came into the hand or left it.
    nth: u8,
}

impl Played {
    /// From the mover's hand after the move.
    #[inline]
    pub fn new(change: &BoardChange, hand: Hand) -> Played {
        let nth = match (change.out_of_hand(), change.into_hand()) {
            (Some(kind), _) => hand.count(kind),
            (None, Some(kind)) => hand.count(kind).saturating_sub(1),
            (None, None) => 0,
        };
        Played { change: *change, nth }
    }

    /// What happened on the board.
    #[inline]
    pub const fn change(&self) -> &BoardChange {
        &self.change
    }

    /// The inputs that change in the half of a side whose king stands on `king` and did not move
    /// where the features ask for a [refresh](FeatureSet::needs_refresh).
    #[inline]
    pub fn changes(
        &self,
        features: FeatureSet,
        perspective: Color,
        king: Option<Square>,
    ) -> Changes {
        let BoardChange { before, from, after, to, captured } = self.change;
        if features == FeatureSet::HalfKp && king.is_none() {
            return Changes::default();
        }
        let offset = features.offset(perspective, king);
        let number = |index: u16| offset + u32::from(index);
        let mover = after.color();
        let mut changes = Changes::default();
        if features.has(after.kind()) {
            let removed = match from {
                Some(from) => on_board(before, from, perspective),
                None => in_hand(before.kind(), mover, self.nth, perspective),
            };
            changes.push(number(removed), number(on_board(after, to, perspective)));
        }
        // No legal move takes a king, and a king in hand has no number.
        if let Some(captured) = captured.filter(|it| it.kind() != Kind::King) {
            let kind = captured.kind().unpromoted();
            changes.push(
                number(on_board(captured, to, perspective)),
                number(in_hand(kind, mover, self.nth, perspective)),
            );
        }
        changes
    }
}
