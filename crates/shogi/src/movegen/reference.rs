//! The slow, obvious generator that the fast one is compared with, and that proofs are checked
//! with. It walks the board square by square, plays each candidate on a copy of plain arrays, and
//! looks whether a king could then be taken. It shares nothing with the fast generator but the
//! types of squares, pieces and moves.

use crate::position::Position;
use crate::types::{Color, Hand, Kind, Move, Piece, Square};

/// A board of plain arrays.
#[derive(Clone)]
pub struct PlainBoard {
    squares: [[Option<Piece>; 9]; 9],
    hands: [Hand; 2],
    side: Color,
}

/// Steps of a kind as black plays it, in files (to the left) and ranks (down).
fn steps(kind: Kind) -> Vec<(i8, i8)> {
    let gold = vec![(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
    let diagonal = vec![(-1, -1), (1, -1), (-1, 1), (1, 1)];
    let orthogonal = vec![(0, -1), (-1, 0), (1, 0), (0, 1)];
    match kind {
        Kind::Pawn => vec![(0, -1)],
        Kind::Knight => vec![(-1, -2), (1, -2)],
        Kind::Silver => [diagonal, vec![(0, -1)]].concat(),
        Kind::King => [diagonal, orthogonal].concat(),
        Kind::Horse => orthogonal,
        Kind::Dragon => diagonal,
        Kind::Lance | Kind::Bishop | Kind::Rook => vec![],
        Kind::Gold | Kind::ProPawn | Kind::ProLance | Kind::ProKnight | Kind::ProSilver => gold,
    }
}

/// Directions in which a kind slides, as black plays it.
fn slides(kind: Kind) -> Vec<(i8, i8)> {
    match kind {
        Kind::Lance => vec![(0, -1)],
        Kind::Bishop | Kind::Horse => vec![(-1, -1), (1, -1), (-1, 1), (1, 1)],
        Kind::Rook | Kind::Dragon => vec![(0, -1), (-1, 0), (1, 0), (0, 1)],
        _ => vec![],
    }
}

fn forwards(color: Color, (files, ranks): (i8, i8)) -> (i8, i8) {
    if color == Color::Black { (files, ranks) } else { (-files, -ranks) }
}

impl PlainBoard {
    /// The board of a position.
    pub fn new(position: &Position) -> PlainBoard {
        let mut squares = [[None; 9]; 9];
        for square in Square::all() {
            squares[square.file() as usize][square.rank() as usize] = position.piece_on(square);
        }
        PlainBoard {
            squares,
            hands: Color::ALL.map(|color| position.hand(color)),
            side: position.side_to_move(),
        }
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// What a player holds.
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.file() as usize][square.rank() as usize]
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.file() as usize][square.rank() as usize] = piece;
    }

    fn king(&self, color: Color) -> Option<Square> {
        Square::all().find(|&square| self.piece_on(square) == Some(Piece::new(Kind::King, color)))
    }

    /// Where the piece on a square can go by its way of moving, captures of own pieces left out.
    fn reached(&self, from: Square, piece: Piece) -> Vec<Square> {
        let mut found = Vec::new();
        for step in steps(piece.kind()) {
            let (files, ranks) = forwards(piece.color(), step);
            found.extend(from.offset(files, ranks));
        }
        for direction in slides(piece.kind()) {
            let (files, ranks) = forwards(piece.color(), direction);
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                found.push(next);
                if self.piece_on(next).is_some() {
                    break;
                }
                at = next;
            }
        }
        found.retain(|&to| self.piece_on(to).is_none_or(|other| other.color() != piece.color()));
        found
    }

    /// Whether a side's king could be taken.
    pub fn in_check(&self, color: Color) -> bool {
        let Some(king) = self.king(color) else { return false };
        Square::all().any(|square| match self.piece_on(square) {
            Some(piece) if piece.color() != color => self.reached(square, piece).contains(&king),
            _ => false,
        })
    }

    /// Plays a move without asking whether it is legal.
    pub fn play(&mut self, mv: Move) {
        let hand = &mut self.hands[self.side.index()];
        let piece = match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let piece = self.piece_on(from).expect("a piece stands on the origin");
                if let Some(taken) = self.piece_on(mv.to()) {
                    self.hands[self.side.index()] =
                        self.hands[self.side.index()].with(taken.kind().unpromoted());
                }
                self.put(from, None);
                match piece.kind().promoted() {
                    Some(kind) if mv.is_promotion() => Piece::new(kind, self.side),
                    _ => piece,
                }
            }
            (None, Some(kind)) => {
                *hand = hand.without(kind);
                Piece::new(kind, self.side)
            }
            (None, None) => unreachable!("a move has an origin"),
        };
        self.put(mv.to(), Some(piece));
        self.side = !self.side;
    }

    /// Moves one piece from `owner`'s hand to the other hand.
    pub fn hand_over(&mut self, kind: Kind, owner: Color) {
        let hands = &mut self.hands;
        hands[owner.index()] = hands[owner.index()].without(kind);
        hands[owner.opponent().index()] = hands[owner.opponent().index()].with(kind);
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.candidates();
        moves.retain(|&mv| {
            let mut after = self.clone();
            after.play(mv);
            let drops_pawn = mv.dropped() == Some(Kind::Pawn);
            if after.in_check(self.side) {
                return false;
            }
            !drops_pawn || !after.is_mate()
        });
        moves
    }

    /// Whether the side to move is in check and cannot get out of it.
    pub fn is_mate(&self) -> bool {
        self.in_check(self.side) && self.legal_moves().is_empty()
    }

    /// Every move that follows the pieces' ways, checks and drop-pawn mates not yet looked at.
    fn candidates(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            match self.piece_on(from) {
                Some(piece) if piece.color() == self.side => {
                    for to in self.reached(from, piece) {
                        self.add_with_promotions(&mut moves, piece.kind(), from, to);
                    }
                }
                Some(_) => {}
                None => self.add_drops(&mut moves, from),
            }
        }
        moves
    }

    fn add_with_promotions(&self, moves: &mut Vec<Move>, kind: Kind, from: Square, to: Square) {
        let in_zone = |square: Square| square.rank_for(self.side) < 3;
        if kind.promoted().is_some() && (in_zone(from) || in_zone(to)) {
            moves.push(Move::board(from, to, true));
        }
        if to.rank_for(self.side) >= kind.dead_ranks() {
            moves.push(Move::board(from, to, false));
        }
    }

    fn add_drops(&self, moves: &mut Vec<Move>, to: Square) {
        for (kind, _) in self.hands[self.side.index()].iter() {
            let dead = to.rank_for(self.side) < kind.dead_ranks();
            let second_pawn = kind == Kind::Pawn && self.has_pawn_on_file(to.file());
            if !dead && !second_pawn {
                moves.push(Move::drop(kind, to));
            }
        }
    }

    fn has_pawn_on_file(&self, file: u8) -> bool {
        let pawn = Some(Piece::new(Kind::Pawn, self.side));
        (0..9).any(|rank| self.piece_on(Square::new(file, rank)) == pawn)
    }
}

/// Every legal move, found the slow way.
pub fn legal_moves(position: &Position) -> Vec<Move> {
    PlainBoard::new(position).legal_moves()
}
