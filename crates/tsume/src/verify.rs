//! Proofs that anyone can check, and the check.
//!
//! A proof lists the attacker's move in every position that the defender can bring about. The check
//! walks all of them under the laws of shogi: the move must be legal and give check, every legal
//! answer must lead to a listed position, no position may come back, and where there is no answer
//! it is mate. The walk shares no code with the solver, knows nothing of numbers, tables or
//! conventions, and runs on the slow reference generator or on the fast one.
//!
//! Nothing that a proof states is believed. The walk finds the plies of every step, the hand with
//! which it is played and the length of the whole, and compares them with what is written; a step
//! that no defence leads to is refused. The length by convention has two sides. That nothing is
//! shorter is shown by a refutation that may come with the proof, and is walked through as well.
//! Where the moves of the proof take no longer, that is all; where they do, since convention leaves
//! interpositions out (`docs/decisions/0003`), the solver finds the length anew from the position.

mod convention;
mod document;
pub mod refutation;
mod text;
mod walk;

use serde::{Deserialize, Serialize};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_proof::limits::{ProofLimits, Stack};
use yomikiri_shogi::{Color, Move, Position};

use crate::game::node::Tsume;
use crate::guide::{Board, BoardMap, Guide};
use crate::solve::{MateSettings, MateSolver};
pub use document::{DocumentError, check_document};
pub use refutation::{Counting, Refutation, RefutationFlaw, verify_refutation};
pub(crate) use text::position_text;
pub use text::{PositionTextError, board_text, hand_text};
pub(crate) use walk::Use;
use walk::{Listed, Reference, Rules, Walk};

/// The format's name and version.
pub const FORMAT: &str = "yomikiri-mate-proof 4";

/// One position with the attacker to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofStep {
    /// The board as the first field of SFEN.
    pub board: String,
    /// The least that the attacker has in hand where this step is played, as SFEN writes hands; `-`
    /// for nothing. Of several steps that fit a position the first is played.
    pub hand: String,
    /// His move in USI.
    #[serde(rename = "move")]
    pub play: String,
    /// Plies until mate at most, useless interpositions included.
    pub plies: u32,
}

/// A complete proof of a mate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// [`FORMAT`].
    pub format: String,
    /// The position.
    pub sfen: String,
    /// `b` or `w`: who mates.
    pub attacker: String,
    /// The shortest length by convention, if it is known.
    pub length: Option<u16>,
    /// Plies at most by this proof, everything counted.
    pub raw_length: u32,
    /// The attacker's moves.
    pub steps: Vec<ProofStep>,
    /// That no mate by convention is shorter than `length`, if that was written down.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bound: Option<Box<Refutation>>,
    /// A checksum of the rest, see [`Proof::sealed`].
    pub digest: String,
}

impl Proof {
    /// The proof with its checksum. Another proof of the same mate may be as good, but it is not
    /// the one that was written: what was changed since then is refused.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.digest = String::new();
        self.digest = digest(&self);
        self
    }
}

/// The checksum of a certificate whose own is empty.
fn digest(certificate: &impl Serialize) -> String {
    sha256_hex(&serde_json::to_vec(certificate).expect("plain data is JSON"))
}

/// A certificate of either side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Certificate {
    /// That there is a mate.
    Mate(Proof),
    /// That there is none.
    NoMate(Refutation),
}

impl Certificate {
    /// The positions that it lists.
    #[must_use]
    pub fn positions(&self) -> usize {
        match self {
            Certificate::Mate(proof) => proof.steps.len(),
            Certificate::NoMate(refutation) => refutation.positions.len(),
        }
    }
}

/// What a proof was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Positions with the attacker to move that were walked through.
    pub positions: usize,
    /// Plies until mate at most.
    pub plies: u32,
}

/// Why a proof is none. The text begins with the field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
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
    #[error("attacker: the defender has no king to be mated (in {sfen})")]
    NoKing {
        /// Where.
        sfen: String,
    },
    /// The defender cannot move in the position of the proof, and is not in check.
    #[error("sfen: the defender has no move, but is not in check: that is no mate (in {sfen})")]
    Stalemate {
        /// Where.
        sfen: String,
    },
    /// The stack has no room for a mate of this length.
    #[error("steps: the mate is too long to be walked through here")]
    TooDeep,
    /// Not a board.
    #[error("steps[{step}].board: '{text}' is not a board")]
    Board {
        /// Its number.
        step: usize,
        /// What is written.
        text: String,
    },
    /// Not a hand.
    #[error("steps[{step}].hand: '{text}' is not a hand")]
    Hand {
        /// Its number.
        step: usize,
        /// What is written.
        text: String,
    },
    /// Not a move.
    #[error("steps[{step}].move: {why}")]
    Move {
        /// Its number.
        step: usize,
        /// Why not.
        why: String,
    },
    /// A move that cannot be made.
    #[error("steps[{step}].move: {play} is not legal (in {sfen})")]
    Illegal {
        /// Its number.
        step: usize,
        /// The move.
        play: Move,
        /// Where.
        sfen: String,
    },
    /// A move that lets the defender pass.
    #[error("steps[{step}].move: {play} gives no check (after it: {sfen})")]
    NoCheck {
        /// Its number.
        step: usize,
        /// The move.
        play: Move,
        /// Where.
        sfen: String,
    },
    /// A defence is not answered.
    #[error("steps: none fits {sfen}")]
    Missing {
        /// Where.
        sfen: String,
    },
    /// The defender can go round in a circle.
    #[error("steps: the moves lead back to {sfen}")]
    Loop {
        /// Where.
        sfen: String,
    },
    /// A step that belongs to no line.
    #[error("steps[{step}]: no defence leads there")]
    Unused {
        /// Its number.
        step: usize,
    },
    /// A step is played with another hand.
    #[error("steps[{step}].hand: {stated} is stated, but the attacker has {found} at least")]
    LeastHand {
        /// Its number.
        step: usize,
        /// What is written.
        stated: String,
        /// What is right.
        found: String,
    },
    /// A step takes longer or shorter.
    #[error("steps[{step}].plies: {stated} are stated, but it takes {found}")]
    Plies {
        /// Its number.
        step: usize,
        /// What is written.
        stated: u32,
        /// What is right.
        found: u32,
    },
    /// The whole takes longer or shorter.
    #[error("raw_length: {stated} plies are stated, but it takes {found}")]
    RawLength {
        /// What is written.
        stated: u32,
        /// What is right.
        found: u32,
    },
    /// The file was changed after it was written.
    #[error("digest: it is not that of the file, which was changed")]
    Digest,
    /// The shortest mate by convention is another.
    #[error("length: {stated} plies by convention are stated, but it takes {found}")]
    Length {
        /// What is written.
        stated: u16,
        /// What is right.
        found: u16,
    },
    /// The refutation of shorter mates is about another question.
    #[error("bound: it does not say that nothing shorter than `length` mates here")]
    OtherBound,
    /// The refutation of shorter mates is none.
    #[error("bound: {0}")]
    Bound(RefutationFlaw),
    /// The shortest mate by convention was not found within the limits.
    #[error("length: {stated} plies by convention are stated, which the limits left undecided")]
    LengthUnknown {
        /// What is written.
        stated: u16,
    },
}

/// Checks a proof and everything that it states. The moves are checked with the reference generator
/// alone, and so is the length by convention where the proof shows both sides of it; otherwise it
/// is searched anew within `limits`.
///
/// # Errors
/// The first flaw found.
pub fn verify(proof: &Proof, limits: &ProofLimits) -> Result<Verified, Flaw> {
    let walked = walk(proof, Reference::new, Stack::default())?;
    compare_steps(proof, &walked.uses)?;
    let found = walked.verified.plies;
    if proof.raw_length != found {
        return Err(Flaw::RawLength { stated: proof.raw_length, found });
    }
    if let Some(bound) = &proof.bound {
        check_bound(proof, bound)?;
    }
    if let Some(stated) = proof.length
        && (proof.bound.is_none() || u32::from(stated) != found)
    {
        compare_length(proof, stated, limits)?;
    }
    if proof.clone().sealed().digest != proof.digest {
        return Err(Flaw::Digest);
    }
    Ok(walked.verified)
}

/// Compares what the steps state with what they were found to be.
fn compare_steps(proof: &Proof, uses: &[Option<Use>]) -> Result<(), Flaw> {
    for (step, (stated, used)) in proof.steps.iter().zip(uses).enumerate() {
        let Some(found) = *used else { return Err(Flaw::Unused { step }) };
        if stated.plies != found.plies {
            return Err(Flaw::Plies { step, stated: stated.plies, found: found.plies });
        }
        let hand = hand_text(found.hand);
        if stated.hand != hand {
            return Err(Flaw::LeastHand { step, stated: stated.hand.clone(), found: hand });
        }
    }
    Ok(())
}

/// Checks that no mate by convention is shorter than the proof states.
fn check_bound(proof: &Proof, bound: &Refutation) -> Result<(), Flaw> {
    let same = bound.sfen == proof.sfen
        && bound.attacker == proof.attacker
        && bound.counting == Counting::Convention
        && bound.within.map(|plies| plies + 2) == proof.length.map(u32::from);
    if !same {
        return Err(Flaw::OtherBound);
    }
    verify_refutation(bound).map(drop).map_err(Flaw::Bound)
}

/// Solves the position of a proof and compares the length by convention.
fn compare_length(proof: &Proof, stated: u16, limits: &ProofLimits) -> Result<(), Flaw> {
    let (position, attacker) = problem(proof)?;
    let settings = MateSettings { limits: limits.clone(), ..MateSettings::default() };
    let solution = MateSolver::new(settings).solve(&Tsume::new(position, attacker), &mut |_| {});
    match solution.high {
        _ if !solution.is_exact() => Err(Flaw::LengthUnknown { stated }),
        found if found != stated => Err(Flaw::Length { stated, found }),
        _ => Ok(()),
    }
}

/// Checks the moves of a proof with the fast generator, whatever numbers it states.
///
/// # Errors
/// The first flaw found.
pub fn verify_fast(proof: &Proof) -> Result<Verified, Flaw> {
    verify_for_play(proof, Stack::default()).map(|(verified, _)| verified)
}

/// The same, with what to play in every position that was walked through.
///
/// # Errors
/// The first flaw found.
pub fn verify_for_play(proof: &Proof, stack: Stack) -> Result<(Verified, Guide), Flaw> {
    walk(proof, Position::clone, stack).map(|walked| (walked.verified, walked.guide))
}

/// Checks the moves of a proof with the fast generator and writes into it what they were found to
/// be; steps that no defence leads to are left out. Gives what to play in every position that was
/// walked through.
///
/// # Errors
/// The first flaw found.
pub(crate) fn complete(proof: &mut Proof, stack: Stack) -> Result<Guide, Flaw> {
    let walked = walk(proof, Position::clone, stack)?;
    proof.raw_length = walked.verified.plies;
    let steps = std::mem::take(&mut proof.steps).into_iter().zip(walked.uses);
    let used = steps.filter_map(|(step, used)| {
        used.map(|Use { hand, plies }| ProofStep { hand: hand_text(hand), plies, ..step })
    });
    proof.steps = used.collect();
    Ok(walked.guide)
}

/// What a walk through a proof found.
struct Walked {
    verified: Verified,
    guide: Guide,
    uses: Vec<Option<Use>>,
}

/// The position of a proof and who mates in it.
fn problem(proof: &Proof) -> Result<(Position, Color), Flaw> {
    let position = text::read_position(&proof.sfen).map_err(Flaw::Sfen)?;
    let attacker = match proof.attacker.as_str() {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(Flaw::Attacker(other.to_owned())),
    };
    match position.king(!attacker) {
        Some(_) => Ok((position, attacker)),
        None => Err(Flaw::NoKing { sfen: proof.sfen.clone() }),
    }
}

fn walk<R: Rules + Send>(
    proof: &Proof,
    rules: impl FnOnce(&Position) -> R + Send,
    stack: Stack,
) -> Result<Walked, Flaw> {
    if proof.format != FORMAT {
        return Err(Flaw::Format(proof.format.clone()));
    }
    let (position, attacker) = problem(proof)?;
    let listed = list(proof)?;
    let uses = vec![None; proof.steps.len()];
    let rules = rules(&position);
    // The walk is as deep as the mate is long.
    stack.run(256 << 20, || {
        let (walked, left) = (BoardMap::default(), stack.deepest());
        let mut walk = Walk { rules, attacker, listed: &listed, walked, uses, left };
        let plies = walk.root()?;
        let verified = Verified { positions: walk.walked.len(), plies };
        let guide = Guide { attacker, steps: walk.walked };
        Ok(Walked { verified, guide, uses: walk.uses })
    })
}

fn list(proof: &Proof) -> Result<BoardMap<Board, Vec<Listed>>, Flaw> {
    let mut listed: BoardMap<Board, Vec<Listed>> = BoardMap::default();
    for (step, written) in proof.steps.iter().enumerate() {
        let board = text::read_board(&written.board)
            .ok_or_else(|| Flaw::Board { step, text: written.board.clone() })?;
        let hand = text::read_hand(&written.hand)
            .ok_or_else(|| Flaw::Hand { step, text: written.hand.clone() })?;
        let play = written
            .play
            .parse::<Move>()
            .map_err(|error| Flaw::Move { step, why: error.to_string() })?;
        listed.entry(board).or_default().push(Listed { step, hand, play });
    }
    Ok(listed)
}
