//! What a game has to tell the solvers.
//!
//! The attacker wants to reach a goal (mate, a capture), the defender wants to prevent it for ever.
//! A node is an OR node when the attacker is to move and an AND node when the defender is. `proven`
//! always means that the attacker reaches the goal, `disproven` that the defender prevents it,
//! whoever is to move.
//!
//! # Implementing a game
//!
//! 1. Keep the position inside the game object; [`ProofGame::play`] and [`ProofGame::undo`] walk
//!    it. Cloning gives another thread its own copy.
//! 2. [`ProofGame::board_key`] hashes everything that decides the future of the node **except** the
//!    attacker's stock: the board, the side to move, a simple-ko point. Two nodes with equal key
//!    and equal stock must have the same legal continuations (superko excepted, see
//!    [`Repetition`]).
//! 3. [`ProofGame::Stock`] is the attacker's stock of means, of which more is never worse: the
//!    hand in shogi, `()` in Go.
//! 4. [`ProofGame::moves`] writes the moves to consider into the caller's buffer, with initial
//!    numbers. An OR node without moves is disproven, an AND node without moves is proven; a
//!    defender who may pass must generate the pass. The initial numbers have to be at least 1.
//! 5. [`ProofGame::settle`] may answer at once (the target is captured, mate in one, too many
//!    liberties).
//!
//! ```
//! use yomikiri_proof::game::{Candidate, ProofGame, Role, Settled};
//!
//! /// Players take one or two stones in turn; who takes the last one wins.
//! #[derive(Clone)]
//! struct LastStone { stones: u32, turn: Role }
//!
//! impl ProofGame for LastStone {
//!     type Move = u32;
//!     type Stock = ();
//!     fn role(&self) -> Role { self.turn }
//!     fn board_key(&self) -> u64 { u64::from(self.stones) * 2 + self.turn as u64 }
//!     fn stock(&self) {}
//!     fn settle(&mut self) -> Option<Settled<()>> {
//!         // The player to move finds nothing left: the other one has won.
//!         (self.stones == 0).then(|| match self.turn {
//!             Role::Attacker => Settled::disproven(()),
//!             Role::Defender => Settled::proven((), 0),
//!         })
//!     }
//!     fn moves(&mut self, out: &mut Vec<Candidate<u32>>) {
//!         out.extend((1..=self.stones.min(2)).map(Candidate::plain));
//!     }
//!     fn play(&mut self, taken: u32) { self.stones -= taken; self.turn = self.turn.other(); }
//!     fn undo(&mut self, taken: u32) { self.stones += taken; self.turn = self.turn.other(); }
//! }
//!
//! let mut game = LastStone { stones: 2, turn: Role::Attacker };
//! let mut buffer = Vec::new();
//! game.moves(&mut buffer);
//! assert_eq!(buffer.len(), 2);
//! game.play(2);
//! assert!(game.settle().unwrap().proven);
//! ```

use std::fmt::Debug;

use crate::number::Number;

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The player who wants to reach the goal: an OR node.
    Attacker,
    /// The player who prevents it: an AND node.
    Defender,
}

impl Role {
    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }
}

/// What a repetition on the current path means.
///
/// Results that rest on a repetition hold on this path only. The solvers keep them apart from
/// facts; see [`crate::dfpn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// A position that occurs again (or occurs with a smaller stock) is a failure of the attacker:
    /// tsume, and Go under simple ko, where going round in circles captures nothing.
    AttackerFails,
    /// The move that repeats is illegal (superko), which is the same as a loss for the player who
    /// makes it. Legality then depends on the path everywhere, so the solvers never share results
    /// between paths for such a game.
    MoverFails,
}

/// The attacker's means of which more is never worse.
///
/// Stocks form a lattice. The solvers store them as 32 bits.
pub trait Stock: Copy + Eq + Debug + Send {
    /// The stock as bits, one to one.
    fn to_bits(self) -> u32;
    /// The inverse of [`Stock::to_bits`].
    fn from_bits(bits: u32) -> Self;
    /// Whether `self` has at least everything that `other` has.
    fn covers(self, other: Self) -> bool;
    /// The least stock that covers both.
    #[must_use]
    fn join(self, other: Self) -> Self;
    /// The greatest stock covered by both.
    #[must_use]
    fn meet(self, other: Self) -> Self;
}

impl Stock for () {
    #[inline]
    fn to_bits(self) -> u32 {
        0
    }
    #[inline]
    fn from_bits(_bits: u32) -> Self {}
    #[inline]
    fn covers(self, _other: Self) -> bool {
        true
    }
    #[inline]
    fn join(self, _other: Self) -> Self {}
    #[inline]
    fn meet(self, _other: Self) -> Self {}
}

/// A move with what the game knows about the node behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<M> {
    /// The move.
    pub play: M,
    /// Initial proof number of the child, at least 1.
    pub pn: u32,
    /// Initial disproof number of the child, at least 1.
    pub dn: u32,
    /// 0 for an independent move. Moves of one node that share another value are variations of one
    /// idea (interpositions on one line, promotion and non-promotion); [`crate::widening`] decides
    /// what becomes of them.
    pub group: u8,
    /// What the move adds to the length of the solution: 1, but for moves that convention does not
    /// count.
    pub plies: u8,
}

impl<M> Candidate<M> {
    /// An independent move about whose child nothing is known.
    #[inline]
    pub const fn plain(play: M) -> Self {
        Self::estimated(play, 1, 1)
    }

    /// An independent move with initial numbers.
    #[inline]
    pub const fn estimated(play: M, pn: u32, dn: u32) -> Self {
        Self { play, pn, dn, group: 0, plies: 1 }
    }

    /// The same move as a member of `group`.
    #[inline]
    #[must_use]
    pub const fn in_group(mut self, group: u8) -> Self {
        self.group = group;
        self
    }
}

/// A node from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead<S> {
    /// Initial numbers, which take the place of those of the candidate; or the answer.
    pub number: Number,
    /// Every solution from there has at least this many plies. If it is proven: its length.
    pub least: u16,
    /// If it is proven or disproven: the stock of the answer, as in [`Settled`].
    pub stock: S,
}

/// An answer that needs no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled<S> {
    /// Whether the attacker reaches the goal.
    pub proven: bool,
    /// Proven: the least stock known to suffice. Disproven: the greatest stock known not to.
    pub stock: S,
    /// Proven: plies to the goal. Without meaning otherwise.
    pub length: u16,
}

impl<S> Settled<S> {
    /// The attacker reaches the goal in `length` plies and `stock` is enough for it.
    #[inline]
    pub const fn proven(stock: S, length: u16) -> Self {
        Self { proven: true, stock, length }
    }

    /// The attacker never reaches the goal, even with `stock`.
    #[inline]
    pub const fn disproven(stock: S) -> Self {
        Self { proven: false, stock, length: 0 }
    }
}

/// How far the refutations of some moves go, see [`ProofGame::unanswered`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Some move is not answered.
    Open,
    /// Every move is, and each has a refutation of its own.
    ByAll,
    /// Every move is, and none of the answers rests on the way to this node.
    BySome,
}

/// A node's identity: everything but the stock, and the stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeIdentity<S> {
    /// See [`ProofGame::board_key`].
    pub board: u64,
    /// See [`ProofGame::stock`].
    pub stock: S,
}

/// A two-player game with a goal for one side. The module text says how to implement it.
pub trait ProofGame: Clone + Send {
    /// A move, small and cheap to copy.
    type Move: Copy + Eq + Debug + Send;
    /// The attacker's stock.
    type Stock: Stock;

    /// Who is to move.
    fn role(&self) -> Role;

    /// Hash of the node without the attacker's stock, of good quality in all 64 bits (the table
    /// indexes with the high ones).
    fn board_key(&self) -> u64;

    /// The attacker's stock.
    fn stock(&self) -> Self::Stock;

    /// Appends the moves to consider, best first. `out` comes empty and keeps its capacity from
    /// call to call.
    fn moves(&mut self, out: &mut Vec<Candidate<Self::Move>>);

    /// Makes a move that [`ProofGame::moves`] gave for the present position.
    fn play(&mut self, m: Self::Move);

    /// Takes back `m`, the last move played.
    fn undo(&mut self, m: Self::Move);

    /// The identity of the child behind `m`, without leaving the node. Worth an implementation of
    /// its own where it is cheaper than playing the move: the solvers ask for every child of every
    /// node they visit.
    fn peek(&mut self, m: Self::Move) -> NodeIdentity<Self::Stock> {
        self.play(m);
        let child = NodeIdentity { board: self.board_key(), stock: self.stock() };
        self.undo(m);
        child
    }

    /// What the node behind `m` looks like, for games that can tell more there than before the
    /// move; it may be the answer. Asked only if nothing is known of that node. Once it is clear
    /// that `left` plies are too few, nothing else matters.
    fn look_ahead(&mut self, _m: Self::Move, _left: u16) -> Option<Ahead<Self::Stock>> {
        None
    }

    /// A static answer, asked once when a node is first visited.
    fn settle(&mut self) -> Option<Settled<Self::Stock>> {
        None
    }

    /// What a repetition means.
    fn repetition(&self) -> Repetition {
        Repetition::AttackerFails
    }

    /// Hash by which repetitions are recognised under [`Repetition::MoverFails`]: positional
    /// superko leaves out the side to move. Under [`Repetition::AttackerFails`] the board key and
    /// the stock decide.
    fn repetition_key(&self) -> u64 {
        self.board_key()
    }

    /// The least stock needed before `m` when `after` is needed once it is played, and for `m`
    /// itself.
    fn stock_before_proof(&self, _m: Self::Move, after: Self::Stock) -> Self::Stock {
        after
    }

    /// The greatest stock before `m` that leads to no more than `after`. If `m` is the defender's,
    /// it must stay possible with that stock: a piece that the attacker holds cannot be dropped by
    /// the defender.
    fn stock_before_disproof(&self, _m: Self::Move, after: Self::Stock) -> Self::Stock {
        after
    }

    /// Widens the joined needs of an AND node whose every move is proven so that they also hold for
    /// moves which the defender lacks only because of what the attacker owns. `needed` starts empty
    /// where there is no move at all. The result must be covered by the present stock.
    fn close_proof(&self, needed: Self::Stock) -> Self::Stock {
        needed
    }

    /// The same for an OR node whose every move is disproven: narrows `allowed` so that the
    /// attacker has no further move with it. `None` stands for a node without moves (no bound from
    /// a child). The result must cover the present stock; the present stock itself is always right.
    fn close_disproof(&self, allowed: Option<Self::Stock>) -> Self::Stock {
        let _ = allowed;
        self.stock()
    }

    /// Whether the game knows what its refutations rest on. Df-pn then asks
    /// [`ProofGame::unanswered`] whenever a move of a node turns out to be lost for the mover, and
    /// before it calls the node lost; so [`ProofGame::moves`] may hold back moves until then. The
    /// other solvers do not ask.
    fn carries_refutations(&self) -> bool {
        false
    }

    /// The moves in `refuted` are lost for the mover, with the nodes behind them: are thereby all
    /// moves of the node? If not, appends the moves to be searched beside those of
    /// [`ProofGame::moves`]; there must be one unless an open move of the node is not answered
    /// either.
    fn unanswered(
        &mut self,
        _refuted: &[(Self::Move, NodeIdentity<Self::Stock>)],
        _out: &mut Vec<Candidate<Self::Move>>,
    ) -> Coverage {
        Coverage::Open
    }

    /// Whether the refutations of the last call of [`ProofGame::unanswered`], at this node, answer
    /// `m`.
    fn answers(&self, _m: Self::Move) -> bool {
        false
    }

    /// The mover wins this node by `m`, and that is a fact.
    fn note_win(&mut self, _m: Self::Move) {}

    /// The empty stock, where joining the needs of children starts.
    fn empty_stock(&self) -> Self::Stock {
        Self::Stock::from_bits(0)
    }
}
