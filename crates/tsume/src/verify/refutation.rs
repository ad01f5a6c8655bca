//! Refutations that anyone can check: that there is no mate, or none within this many plies.
//!
//! A refutation is a closed set of positions with the attacker to move: whatever check he gives in
//! one of them, some answer leads to one of the set again. Nothing is said about the order in which
//! they come, so that lines that go round in circles need no special care, and no answers are
//! listed: the check looks for them. With a bound on the plies every position carries the plies
//! that the attacker has left there, and the answer leads to one with two plies less.
//!
//! A bound on the plies is one under the laws, which count everything, or one by convention: there
//! the attacker may also take an interposition that looks useless without counting it
//! (`convention`). Who cannot mate within n plies even so has no mate of n plies by
//! convention, so that such a refutation certifies the shortest length.
//!
//! The check walks the positions under the laws of shogi with a generator that shares no code with
//! the solver. It plays the first answer (in the order of the moves' codes) that leads into the
//! set, and refuses a file in which a position is never reached, or its hand or plies are not
//! exactly the greatest with which it is reached.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use yomikiri_shogi::{Color, Hand, Move, Position, Square};

use super::walk::{Reference, Rules};
use super::{PositionTextError, convention, text};
use crate::guide::{Board, BoardMap, Place};

/// The format's name and version.
pub const FORMAT: &str = "yomikiri-no-mate 2";

/// Which plies count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counting {
    /// All of them.
    #[default]
    Laws,
    /// Not those of an interposition that looks useless, if the attacker so chooses.
    Convention,
}

/// A position with the attacker to move that is no mate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refuted {
    /// The board as the first field of SFEN.
    pub board: String,
    /// The most that the attacker has in hand where the position is reached.
    pub hand: String,
    /// Plies that he has left there at most; nothing if they are not bounded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plies: Option<u32>,
    /// By convention: the square of the checker against which the last move interposed, if that
    /// looks useless. The attacker may take with it and have neither ply counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub checker: Option<String>,
}

/// A complete refutation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refutation {
    /// [`FORMAT`].
    pub format: String,
    /// The position.
    pub sfen: String,
    /// `b` or `w`: who does not mate.
    pub attacker: String,
    /// There is no mate within this many plies; nothing: there is none at all.
    pub within: Option<u32>,
    /// Which plies count. Without a bound there is nothing to count.
    pub counting: Counting,
    /// The positions with the attacker to move.
    pub positions: Vec<Refuted>,
    /// A checksum of the rest, see [`Refutation::sealed`].
    pub digest: String,
}

impl Refutation {
    /// The refutation with its checksum.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.digest = String::new();
        self.digest = super::digest(&self);
        self
    }
}

/// Why a refutation is none. The text begins with the field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefutationFlaw {
    /// Another format.
    #[error("format: '{0}' is not known")]
    Format(String),
    /// Not a position.
    #[error("sfen: {0}")]
    Sfen(PositionTextError),
    /// Neither side.
    #[error("attacker: '{0}' is neither b nor w")]
    Attacker(String),
    /// Nobody to be mated.
    #[error("attacker: the defender has no king to be mated")]
    NoKing,
    /// Not a board.
    #[error("positions[{at}].board: '{text}' is not a board")]
    Board {
        /// Its number.
        at: usize,
        /// What is written.
        text: String,
    },
    /// Not a hand.
    #[error("positions[{at}].hand: '{text}' is not a hand")]
    Hand {
        /// Its number.
        at: usize,
        /// What is written.
        text: String,
    },
    /// A bound where there is none, or none where there is one.
    #[error("positions[{at}].plies: bounded if and only if the whole is")]
    Bound {
        /// Its number.
        at: usize,
    },
    /// Not a square of the board, or one where everything counts.
    #[error("positions[{at}].checker: '{text}' is no square of a checker here")]
    Checker {
        /// Its number.
        at: usize,
        /// What is written.
        text: String,
    },
    /// Plies that are not bounded are not counted.
    #[error("counting: by convention only if the plies are bounded")]
    Counting,
    /// A move mates.
    #[error("positions: mate in {sfen}")]
    Mate {
        /// Where.
        sfen: String,
    },
    /// No answer leads to a position of the set.
    #[error("positions: no answer leads to one of them in {sfen}")]
    Missing {
        /// Where.
        sfen: String,
    },
    /// The file was changed after it was written.
    #[error("digest: it is not that of the file, which was changed")]
    Digest,
    /// A position is never reached.
    #[error("positions[{at}]: no move leads there")]
    Unused {
        /// Its number.
        at: usize,
    },
    /// A position is reached with another hand or other plies.
    #[error("positions[{at}]: {stated} is stated, but {found} is the most that is reached")]
    Most {
        /// Its number.
        at: usize,
        /// What is written.
        stated: String,
        /// What is right.
        found: String,
    },
}

/// Checks a refutation and everything that it states with the reference generator. Returns how many
/// positions were walked through.
///
/// # Errors
/// The first flaw found.
pub fn verify_refutation(refutation: &Refutation) -> Result<usize, RefutationFlaw> {
    let (uses, walked) = walk(refutation, Reference::new)?;
    for (at, (stated, used)) in refutation.positions.iter().zip(uses).enumerate() {
        let Some((hand, plies)) = used else { return Err(RefutationFlaw::Unused { at }) };
        if stated.hand != text::hand_text(hand) || stated.plies != plies {
            let show = |hand: &str, plies: Option<u32>| {
                plies.map_or_else(|| hand.to_owned(), |plies| format!("{hand} with {plies} plies"))
            };
            let stated = show(&stated.hand, stated.plies);
            let found = show(&text::hand_text(hand), plies);
            return Err(RefutationFlaw::Most { at, stated, found });
        }
    }
    if refutation.clone().sealed().digest != refutation.digest {
        return Err(RefutationFlaw::Digest);
    }
    Ok(walked)
}

/// Checks a refutation with the fast generator and writes into it what was found; positions that
/// are never reached are left out.
///
/// # Errors
/// The first flaw found.
pub(crate) fn complete(refutation: &mut Refutation) -> Result<(), RefutationFlaw> {
    let (uses, _) = walk(refutation, Position::clone)?;
    let positions = std::mem::take(&mut refutation.positions).into_iter().zip(uses);
    let used = positions.filter_map(|(position, used)| {
        used.map(|(hand, plies)| Refuted { hand: text::hand_text(hand), plies, ..position })
    });
    refutation.positions = used.collect();
    Ok(())
}

/// The most with which a position of the set is reached.
type Use = Option<(Hand, Option<u32>)>;

/// A listed position of a board.
struct Listed {
    at: usize,
    hand: Hand,
    plies: Option<u32>,
    checker: Option<Square>,
}

/// A position with the attacker to move: what he has left, and the checker of an interposition that
/// looks useless.
#[derive(Clone, Copy)]
struct Turn {
    left: Option<u32>,
    checker: Option<Square>,
}

struct Walk<R> {
    attacker: Color,
    counting: Counting,
    listed: BoardMap<Board, Vec<Listed>>,
    uses: Vec<Use>,
    /// Positions that were reached, with the plies left; without a bound any number will do.
    seen: BoardMap<(Place, Option<Square>), u32>,
    waiting: VecDeque<(R, Turn)>,
}

fn walk<R: Rules + Clone>(
    refutation: &Refutation,
    rules: impl FnOnce(&Position) -> R,
) -> Result<(Vec<Use>, usize), RefutationFlaw> {
    if refutation.format != FORMAT {
        return Err(RefutationFlaw::Format(refutation.format.clone()));
    }
    let position = text::read_position(&refutation.sfen).map_err(RefutationFlaw::Sfen)?;
    let attacker = match refutation.attacker.as_str() {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(RefutationFlaw::Attacker(other.to_owned())),
    };
    if position.king(!attacker).is_none() {
        return Err(RefutationFlaw::NoKing);
    }
    let counting = refutation.counting;
    if counting == Counting::Convention && refutation.within.is_none() {
        return Err(RefutationFlaw::Counting);
    }
    let mut walk = Walk {
        attacker,
        counting,
        listed: list(refutation)?,
        uses: vec![None; refutation.positions.len()],
        seen: BoardMap::default(),
        waiting: VecDeque::new(),
    };
    walk.root(rules(&position), refutation.within)?;
    while let Some((rules, turn)) = walk.waiting.pop_front() {
        walk.attack(rules, turn)?;
    }
    Ok((walk.uses, walk.seen.len()))
}

fn list(refutation: &Refutation) -> Result<BoardMap<Board, Vec<Listed>>, RefutationFlaw> {
    let mut listed: BoardMap<Board, Vec<Listed>> = BoardMap::default();
    for (at, position) in refutation.positions.iter().enumerate() {
        let board = text::read_board(&position.board)
            .ok_or_else(|| RefutationFlaw::Board { at, text: position.board.clone() })?;
        let hand = text::read_hand(&position.hand)
            .ok_or_else(|| RefutationFlaw::Hand { at, text: position.hand.clone() })?;
        if position.plies.is_some() != refutation.within.is_some() {
            return Err(RefutationFlaw::Bound { at });
        }
        let checker = read_checker(refutation.counting, at, position.checker.as_deref())?;
        let plies = position.plies;
        listed.entry(board).or_default().push(Listed { at, hand, plies, checker });
    }
    Ok(listed)
}

fn read_checker(
    counting: Counting,
    at: usize,
    written: Option<&str>,
) -> Result<Option<Square>, RefutationFlaw> {
    let Some(text) = written else { return Ok(None) };
    match text.parse::<Square>() {
        Ok(square) if counting == Counting::Convention && square.to_string() == text => {
            Ok(Some(square))
        }
        _ => Err(RefutationFlaw::Checker { at, text: text.to_owned() }),
    }
}

/// The plies left after `plies` more: `None` inside if they are not bounded, `None` if they are
/// used up.
fn after(left: Option<u32>, plies: u32) -> Option<Option<u32>> {
    match left {
        None => Some(None),
        Some(left) => left.checked_sub(plies).map(Some),
    }
}

impl<R: Rules + Clone> Walk<R> {
    fn root(&mut self, mut rules: R, within: Option<u32>) -> Result<(), RefutationFlaw> {
        if rules.side() == self.attacker {
            return match self.enter(&rules, Turn { left: within, checker: None }) {
                true => Ok(()),
                false => Err(RefutationFlaw::Missing { sfen: rules.sfen() }),
            };
        }
        let moves = sorted(rules.legal_moves());
        if moves.is_empty() {
            // Who is not in check and cannot move is not mated.
            return if rules.checked() {
                Err(RefutationFlaw::Mate { sfen: rules.sfen() })
            } else {
                Ok(())
            };
        }
        self.answer(&mut rules, &moves, within)
    }

    /// Takes a position with the attacker to move into the walk, if the set has it.
    fn enter(&mut self, rules: &R, turn: Turn) -> bool {
        let Turn { left, checker } = turn;
        if left == Some(0) && checker.is_none() {
            return true;
        }
        let place = rules.place();
        let hand = rules.hand(self.attacker);
        let covers = |listed: &&Listed| {
            listed.checker == checker
                && listed.hand.dominates(hand)
                && (left.is_none() || listed.plies >= left)
        };
        let found = self.listed.get(&place.board).and_then(|all| all.iter().find(covers));
        let Some(&Listed { at, .. }) = found else { return false };
        let used = self.uses[at];
        self.uses[at] =
            Some(used.map_or((hand, left), |(most, plies)| (most.join(hand), plies.max(left))));
        let plies = left.unwrap_or(0);
        if self.seen.get(&(place, checker)).is_none_or(|&seen| seen < plies) {
            self.seen.insert((place, checker), plies);
            self.waiting.push_back((rules.clone(), turn));
        }
        true
    }

    /// Every check of the attacker has an answer.
    fn attack(&mut self, mut rules: R, turn: Turn) -> Result<(), RefutationFlaw> {
        // The two plies of an interposition that counts are both counted at the answer to it.
        let plies = if turn.checker.is_some() { 2 } else { 1 };
        let moves = sorted(rules.legal_moves());
        if let Some(left) = after(turn.left, plies) {
            for &check in &moves {
                rules.play(check);
                self.answer_check(&mut rules, left)?;
                rules.undo();
            }
        }
        let Some(checker) = turn.checker else { return Ok(()) };
        let Some(blocker) = convention::blocker(&rules, !self.attacker, checker) else {
            return Ok(());
        };
        let takes = |mv: &&Move| mv.from() == Some(checker) && mv.to() == blocker;
        for &take in moves.iter().filter(takes) {
            let taken = rules.piece(blocker).map(|piece| piece.kind().unpromoted());
            rules.play(take);
            if let Some(kind) = taken {
                rules.hand_over(kind, self.attacker);
            }
            self.answer_check(&mut rules, turn.left)?;
            rules.undo();
        }
        Ok(())
    }

    /// If the move just played gives check, it has an answer with this many plies left.
    fn answer_check(&mut self, rules: &mut R, left: Option<u32>) -> Result<(), RefutationFlaw> {
        if !rules.checked() {
            return Ok(());
        }
        let answers = sorted(rules.legal_moves());
        if answers.is_empty() {
            return Err(RefutationFlaw::Mate { sfen: rules.sfen() });
        }
        self.answer(rules, &answers, left)
    }

    /// Some answer leads to a position of the set, or lasts longer than the plies left.
    fn answer(
        &mut self,
        rules: &mut R,
        answers: &[Move],
        left: Option<u32>,
    ) -> Result<(), RefutationFlaw> {
        for &answer in answers {
            let checker = match self.counting {
                Counting::Laws => None,
                Counting::Convention => convention::looks_useless(rules, answer),
            };
            let counted = if checker.is_some() { 0 } else { 1 };
            let Some(left) = after(left, counted) else { return Ok(()) };
            rules.play(answer);
            let entered = self.enter(rules, Turn { left, checker });
            rules.undo();
            if entered {
                return Ok(());
            }
        }
        Err(RefutationFlaw::Missing { sfen: rules.sfen() })
    }
}

/// Moves in the order of their codes, whatever generator they come from.
fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_by_key(|mv| mv.bits());
    moves
}
