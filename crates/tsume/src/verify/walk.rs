//! The walk through every position that the defender can bring about against a proof.

use yomikiri_shogi::movegen::reference::PlainBoard;
use yomikiri_shogi::{Color, Hand, Kind, Move, Piece, Position, Square};

use super::Flaw;
use crate::guide::{Board, BoardMap, Place};

/// What the walk needs of the rules.
pub(super) trait Rules {
    fn side(&self) -> Color;
    fn hand(&self, color: Color) -> Hand;
    fn piece(&self, square: Square) -> Option<Piece>;
    fn legal_moves(&self) -> Vec<Move>;
    fn checked(&self) -> bool;
    fn play(&mut self, mv: Move);
    fn undo(&mut self);
    /// Moves one piece from `owner`'s hand to the other hand, as a part of the last move.
    fn hand_over(&mut self, kind: Kind, owner: Color);

    fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// The present position as a key.
    fn place(&self) -> Place {
        Place::new(|square| self.piece(square), |color| self.hand(color))
    }

    /// The present position.
    fn sfen(&self) -> String {
        let mut position = Position::empty();
        for square in Square::all() {
            if let Some(piece) = self.piece(square) {
                position.put(square, Some(piece));
            }
        }
        for color in Color::ALL {
            position.set_hand(color, self.hand(color));
        }
        position.set_side_to_move(self.side());
        position.to_sfen()
    }
}

/// The reference generator on a stack of boards.
#[derive(Clone)]
pub(super) struct Reference(Vec<PlainBoard>);

impl Reference {
    pub(super) fn new(position: &Position) -> Self {
        Self(vec![PlainBoard::new(position)])
    }

    fn now(&self) -> &PlainBoard {
        self.0.last().expect("never empty")
    }
}

impl Rules for Reference {
    fn side(&self) -> Color {
        self.now().side_to_move()
    }
    fn hand(&self, color: Color) -> Hand {
        self.now().hand(color)
    }
    fn piece(&self, square: Square) -> Option<Piece> {
        self.now().piece_on(square)
    }
    fn legal_moves(&self) -> Vec<Move> {
        self.now().legal_moves()
    }
    fn checked(&self) -> bool {
        self.now().in_check(self.side())
    }
    fn play(&mut self, mv: Move) {
        let mut next = self.now().clone();
        next.play(mv);
        self.0.push(next);
    }
    fn undo(&mut self) {
        self.0.pop();
    }
    fn hand_over(&mut self, kind: Kind, owner: Color) {
        self.0.last_mut().expect("never empty").hand_over(kind, owner);
    }
}

impl Rules for Position {
    fn side(&self) -> Color {
        self.side_to_move()
    }
    fn hand(&self, color: Color) -> Hand {
        Self::hand(self, color)
    }
    fn piece(&self, square: Square) -> Option<Piece> {
        self.piece_on(square)
    }
    fn legal_moves(&self) -> Vec<Move> {
        Self::legal_moves(self).into_iter().collect()
    }
    fn checked(&self) -> bool {
        self.in_check()
    }
    fn play(&mut self, mv: Move) {
        Self::play(self, mv);
    }
    fn undo(&mut self) {
        Self::undo(self);
    }
    fn hand_over(&mut self, kind: Kind, owner: Color) {
        Self::hand_over(self, kind, owner);
    }
    fn is_legal(&self, mv: Move) -> bool {
        Self::is_legal(self, mv)
    }
    fn place(&self) -> Place {
        Place::of(self)
    }
}

/// A step as the walk needs it: its number in the proof, the least hand and the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) step: usize,
    pub(super) hand: Hand,
    pub(super) play: Move,
}

/// What a step was found to be in the positions in which it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// The least that the attacker has in hand.
    pub(crate) hand: Hand,
    /// Plies until mate at most.
    pub(crate) plies: u32,
}

/// Plies of a position that the walk has entered and not left yet.
const ON_THE_PATH: u32 = 0;

/// The walk.
pub(super) struct Walk<'p, R> {
    pub(super) rules: R,
    pub(super) attacker: Color,
    /// The steps of a board in the order of the proof: the first that fits is played.
    pub(super) listed: &'p BoardMap<Board, Vec<Listed>>,
    /// Positions with the attacker to move, with the move and its plies.
    pub(super) walked: BoardMap<Place, (Move, u32)>,
    /// What became of every step of the proof.
    pub(super) uses: Vec<Option<Use>>,
    /// Plies that the stack has room for.
    pub(super) left: usize,
}

impl<R: Rules> Walk<'_, R> {
    /// The position of the proof. The defender need not be in check there if he is to move, but
    /// then he must be able to: who is not in check and cannot move is not mated.
    pub(super) fn root(&mut self) -> Result<u32, Flaw> {
        if self.rules.side() == self.attacker {
            return self.attack();
        }
        if !self.rules.checked() && self.rules.legal_moves().is_empty() {
            return Err(Flaw::Stalemate { sfen: self.sfen() });
        }
        self.answer_all()
    }

    /// Plies to mate with the attacker to move.
    fn attack(&mut self) -> Result<u32, Flaw> {
        let place = self.rules.place();
        match self.walked.get(&place) {
            Some(&(_, ON_THE_PATH)) => return Err(Flaw::Loop { sfen: self.sfen() }),
            Some(&(_, plies)) => return Ok(plies),
            None => {}
        }
        let hand = self.rules.hand(self.attacker);
        let fits = |all: &Vec<Listed>| all.iter().find(|l| hand.dominates(l.hand)).copied();
        let Some(Listed { step, play, .. }) = self.listed.get(&place.board).and_then(fits) else {
            return Err(Flaw::Missing { sfen: self.sfen() });
        };
        if !self.rules.is_legal(play) {
            return Err(Flaw::Illegal { step, play, sfen: self.sfen() });
        }
        // This ply and the answer to it.
        self.left = self.left.checked_sub(2).ok_or(Flaw::TooDeep)?;
        self.walked.insert(place, (play, ON_THE_PATH));
        self.rules.play(play);
        let answered = if self.rules.checked() {
            self.answer_all()
        } else {
            Err(Flaw::NoCheck { step, play, sfen: self.sfen() })
        };
        self.rules.undo();
        self.left += 2;
        let plies = answered? + 1;
        self.walked.insert(place, (play, plies));
        self.note(step, Use { hand, plies });
        Ok(plies)
    }

    fn note(&mut self, step: usize, here: Use) {
        let before = self.uses[step].unwrap_or(here);
        self.uses[step] =
            Some(Use { hand: before.hand.meet(here.hand), plies: before.plies.max(here.plies) });
    }

    /// Plies to mate with the defender to move, whatever he does.
    fn answer_all(&mut self) -> Result<u32, Flaw> {
        let mut longest = 0;
        for mv in self.rules.legal_moves() {
            self.rules.play(mv);
            let plies = self.attack();
            self.rules.undo();
            longest = longest.max(plies? + 1);
        }
        Ok(longest)
    }

    /// The present position.
    fn sfen(&self) -> String {
        self.rules.sfen()
    }
}
