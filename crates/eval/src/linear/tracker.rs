//! The features that follow single pieces: hands, king-piece, neighbours, patterns.
//!
//! A [`Tracker`] turns every change of the board into changes of features. What is done with them
//! is the business of a [`FeatureSink`]: the engine adds coefficients up, the learner writes the
//! features down. A move that is taken back is not reported again: see [`Tracker::rewind`].

use super::attacks::seen_way;
use super::layout::{self, Way};
use super::patterns::Patterns;
use std::sync::Arc;
use yomikiri_shogi::{Bitboard, BoardChange, Color, Hand, Kind, Piece, Position, Square};

/// Whether a feature comes or goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It is new.
    Comes,
    /// It is no longer there.
    Goes,
}

/// Takes the changes of features.
pub trait FeatureSink {
    /// A feature of the owner comes or goes.
    fn feature(&mut self, feature: usize, owner: Color, change: Change);
    /// The relation of the owner's king and a piece comes or goes; all as the owner sees it.
    fn king_piece(&mut self, relation: Relation, owner: Color, change: Change);
    /// A piece that is no king comes or goes, where the kings stand that there are.
    #[inline]
    fn relations(
        &mut self,
        kings: [Option<Square>; 2],
        piece: Piece,
        square: Square,
        change: Change,
    ) {
        for owner in Color::ALL {
            if let Some(king) = kings[owner.index()] {
                let relation = Relation::new(king, piece, square, owner);
                self.king_piece(relation, owner, change);
            }
        }
    }
    /// A king comes or goes, while the pieces stay.
    #[inline]
    fn king(
        &mut self,
        king: Square,
        owner: Color,
        pieces: impl Iterator<Item = (Piece, Square)>,
        change: Change,
    ) {
        for (piece, square) in pieces.filter(|(piece, _)| piece.kind() != Kind::King) {
            self.king_piece(Relation::new(king, piece, square, owner), owner, change);
        }
    }
    /// A piece comes between neighbours, or leaves them; one for each step.
    #[inline]
    fn neighbours(
        &mut self,
        piece: Piece,
        square: Square,
        others: [Option<Piece>; DIRECTIONS],
        change: Change,
    ) {
        for (direction, other) in others.into_iter().enumerate() {
            if let Some(other) = other {
                let pair = Neighbours { piece, square, direction, other };
                pair.features(|feature, owner| self.feature(feature, owner, change));
            }
        }
    }
    /// A piece comes or goes, for material and progress.
    fn piece(&mut self, piece: Piece, square: Square, change: Change);
    /// A hand is another.
    fn hand(&mut self, color: Color, before: Hand, after: Hand);
}

/// A king and a piece as the king's owner sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Where the king stands, 0 to 80.
    pub king: usize,
    /// 0 to 12 for own pieces, 13 to 25 for the enemy's.
    pub piece: usize,
    /// Where the piece stands, 0 to 80.
    pub square: usize,
}

impl Relation {
    /// The features of file and rank.
    #[inline]
    pub fn features(self) -> [usize; 2] {
        layout::king_piece(self.king, self.piece, self.square)
    }

    /// The relation as the king's owner sees it; the piece is no king.
    #[inline]
    pub fn new(king: Square, piece: Piece, square: Square, owner: Color) -> Relation {
        let black = owner == Color::Black;
        let enemy = if piece.color() == owner { 0 } else { 13 };
        Relation {
            king: layout::turned(king, black),
            piece: enemy + layout::without_king(piece.kind()),
            square: layout::turned(square, black),
        }
    }
}

/// The eight steps to neighbours.
const STEPS: [(i8, i8); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// How many steps there are.
pub(super) const DIRECTIONS: usize = STEPS.len();

/// A piece and one that stands next to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neighbours {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// Which of the eight neighbouring squares the other one is on, 0 to 7.
    pub direction: usize,
    /// The other piece.
    pub other: Piece,
}

impl Neighbours {
    /// Their features: one if they are of one side, else one for each side.
    #[inline]
    pub fn features(self, give: impl FnMut(usize, Color)) {
        let (files, ranks) = STEPS[self.direction];
        if let Some(place) = self.square.offset(files, ranks) {
            neighbours([(self.piece, self.square), (self.other, place)], give);
        }
    }
}

/// The board with a margin, so that every square has eight neighbours, and with room for any byte,
/// so that a place needs no check.
type Board = [Option<Piece>; 256];

/// Where the squares are on it.
static PLACES: [u8; 128] = {
    let mut places = [0; 128];
    let mut index = 0;
    while index < Square::COUNT {
        places[index] = (12 + 11 * (index / 9) + index % 9) as u8;
        index += 1;
    }
    places
};

/// The place of a square.
#[inline]
pub(super) fn on_board(square: Square) -> usize {
    usize::from(PLACES[square.index()])
}

/// Where the neighbours of a square are, relative to it.
const NEIGHBOURS: [isize; DIRECTIONS] = {
    let mut steps = [0; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let (files, ranks) = STEPS[direction];
        steps[direction] = 11 * files as isize + ranks as isize;
        direction += 1;
    }
    steps
};

/// Follows the board and reports what becomes of the features.
#[derive(Clone)]
pub struct Tracker<C> {
    patterns: Arc<Patterns>,
    board: Board,
    occupied: Bitboard,
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    /// How many patterns are complete, by owner.
    complete: [u32; 2],
    /// Where the changes go.
    pub changes: C,
}

impl<C: FeatureSink> Tracker<C> {
    /// A tracker of an empty board, for which every side lacks patterns.
    pub fn new(patterns: Arc<Patterns>, mut changes: C) -> Tracker<C> {
        for color in Color::ALL {
            changes.feature(layout::Group::NoPattern.start(), color, Change::Comes);
        }
        Tracker {
            patterns,
            board: [None; 256],
            occupied: Bitboard::EMPTY,
            hands: [Hand::EMPTY; 2],
            kings: [None; 2],
            complete: [0; 2],
            changes,
        }
    }

    /// The patterns that are looked for.
    pub fn patterns(&self) -> &Arc<Patterns> {
        &self.patterns
    }

    /// Takes over what another tracker has followed, but not its changes.
    pub fn follow<D>(&mut self, other: &Tracker<D>) {
        self.board = other.board;
        self.occupied = other.occupied;
        self.hands = other.hands;
        self.kings = other.kings;
        self.complete = other.complete;
    }

    /// How many patterns are complete, by owner: what [`rewind`](Self::rewind) needs.
    #[inline]
    pub fn complete(&self) -> [u32; 2] {
        self.complete
    }

    /// Follows a move and reports what it changes.
    #[inline]
    pub fn advance(&mut self, change: &BoardChange) {
        let mover = change.mover();
        match change.from {
            Some(from) => self.remove(change.before, from),
            None => {
                let kind = change.before.kind();
                self.change_hand(mover, kind, self.hands[mover.index()].without(kind));
            }
        }
        if let Some(captured) = change.captured {
            self.remove(captured, change.to);
            let kind = captured.kind().unpromoted();
            self.change_hand(mover, kind, self.hands[mover.index()].with(kind));
        }
        self.add(change.after, change.to);
    }

    /// Follows the last move being taken back without reporting what changes. The caller puts back
    /// its sums; `complete` is the number of complete patterns as it was before the move.
    #[inline]
    pub fn rewind(&mut self, change: &BoardChange, complete: [u32; 2]) {
        self.complete = complete;
        let hand = &mut self.hands[change.mover().index()];
        if let Some(kind) = change.into_hand() {
            *hand = hand.without(kind);
        }
        if let Some(kind) = change.out_of_hand() {
            *hand = hand.with(kind);
        }
        self.lift(change.after, change.to);
        if let Some(from) = change.from {
            self.put(change.before, from);
        }
        if let Some(captured) = change.captured {
            self.put(captured, change.to);
        }
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.board[on_board(square)] = Some(piece);
        self.occupied |= Bitboard::of(square);
        if piece.kind() == Kind::King {
            self.kings[piece.color().index()] = Some(square);
        }
    }

    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.board[on_board(square)] = None;
        self.occupied = self.occupied.without(Bitboard::of(square));
        if piece.kind() == Kind::King {
            self.kings[piece.color().index()] = None;
        }
    }

    /// Sets every piece of a position; the tracker must be new.
    pub fn set_up(&mut self, position: &Position) {
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                self.add(piece, square);
            }
        }
        for color in Color::ALL {
            for (kind, count) in position.hand(color).iter() {
                for held in 1..=count {
                    let hand = self.hands[color.index()].with_count(kind, held);
                    self.change_hand(color, kind, hand.unwrap_or(Hand::EMPTY));
                }
            }
        }
    }

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.change_piece(piece, square, Change::Comes);
        self.put(piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.lift(piece, square);
        self.change_piece(piece, square, Change::Goes);
    }

    #[inline]
    fn change_hand(&mut self, color: Color, kind: Kind, hand: Hand) {
        let before = self.hands[color.index()];
        for (held, change) in [(before, Change::Goes), (hand, Change::Comes)] {
            let count = usize::from(held.count(kind));
            if count > 0 {
                self.changes.feature(layout::hand(kind, count), color, change);
            }
        }
        self.hands[color.index()] = hand;
        self.changes.hand(color, before, hand);
    }

    #[inline]
    fn change_piece(&mut self, piece: Piece, square: Square, change: Change) {
        self.changes.piece(piece, square, change);
        if piece.kind() == Kind::King {
            self.change_king(piece.color(), square, change);
        } else {
            self.changes.relations(self.kings, piece, square, change);
        }
        let others = self.around(square);
        self.changes.neighbours(piece, square, others, change);
        self.change_patterns(piece, square, change);
    }

    /// The pieces around a square, in the order of the steps.
    #[inline]
    fn around(&self, square: Square) -> [Option<Piece>; DIRECTIONS] {
        // Twelve before the square and twelve behind it hold all its neighbours.
        let first = (on_board(square) - 12).min(self.board.len() - 25);
        match self.board[first..first + 25].first_chunk::<25>() {
            Some(near) => NEIGHBOURS.map(|step| near[12usize.wrapping_add_signed(step)]),
            None => [None; DIRECTIONS],
        }
    }

    /// All relations of a king come or go.
    #[cold]
    fn change_king(&mut self, owner: Color, king: Square, change: Change) {
        let board = &self.board;
        let pieces = self.occupied.iter();
        let pieces = pieces.filter_map(|square| Some((board[on_board(square)]?, square)));
        self.changes.king(king, owner, pieces, change);
    }

    #[inline]
    fn change_patterns(&mut self, piece: Piece, square: Square, change: Change) {
        let owner = piece.color();
        let side = owner.index();
        let before = self.complete[side];
        for member in self.patterns.with(piece, square) {
            let present =
                |&(other, place): &(Piece, u8)| self.board[usize::from(place)] == Some(other);
            if member.others.iter().all(present) {
                let feature = layout::pattern(usize::from(member.number));
                self.changes.feature(feature, owner, change);
                match change {
                    Change::Comes => self.complete[side] += 1,
                    Change::Goes => self.complete[side] -= 1,
                }
            }
        }
        if (before == 0) != (self.complete[side] == 0) {
            let opposite = if before == 0 { Change::Goes } else { Change::Comes };
            self.changes.feature(layout::Group::NoPattern.start(), owner, opposite);
        }
    }
}

/// The features of two neighbouring pieces: one if they are of one side, else one for each side.
#[inline]
pub(super) fn neighbours(pair: [(Piece, Square); 2], mut give: impl FnMut(usize, Color)) {
    let [(first, first_square), (second, second_square)] = pair;
    if first.color() != second.color() {
        give(mixed_pair((first, first_square), (second, second_square)), first.color());
        give(mixed_pair((second, second_square), (first, first_square)), second.color());
        return;
    }
    let owner = first.color();
    let ahead = seen_way(owner, first_square, second_square);
    let (a, b, at, way) = match ahead {
        Way::Ahead | Way::AheadAside => (first, second, first_square, ahead),
        Way::Back => (second, first, second_square, Way::Ahead),
        Way::BackAside => (second, first, second_square, Way::AheadAside),
        Way::Beside if first.kind() <= second.kind() => (first, second, first_square, ahead),
        Way::Beside => (second, first, second_square, ahead),
    };
    let rank = usize::from(at.rank_for(owner));
    give(layout::adjacent_own(rank, a.kind(), b.kind(), way), owner);
}

#[inline]
fn mixed_pair(own: (Piece, Square), enemy: (Piece, Square)) -> usize {
    let owner = own.0.color();
    let rank = usize::from(own.1.rank_for(owner));
    let way = seen_way(owner, own.1, enemy.1);
    layout::adjacent_enemy(rank, own.0.kind(), enemy.0.kind(), way)
}
