//! Other mates (余詰) at every move of the attacker on the main line, classified.

use std::collections::HashSet;

use yomikiri_proof::game::{Candidate, ProofGame};
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::{Kind as Piece, Move, Position, Square};

use super::inquiry::Inquiry;
use super::{Doubt, FaultKind, Work};
use crate::game::node::{Ply, Sort, Tsume};
use crate::verify::Certificate;

/// Nodes for each move at first; they grow with every round, so that the easy answers come first
/// and serve the hard ones.
const FIRST_QUOTA: u64 = 1 << 14;
const QUOTA_GROWTH: u64 = 4;
/// Nodes for the questions that distinguish the kinds, in parts of what is left.
const KIND_QUOTA: u64 = 2_000_000;

/// A check off the main line.
struct Departure {
    /// The ply of the main line, 1 for the first.
    ply: usize,
    mv: Move,
    /// The problem behind the move.
    after: Tsume,
    /// Plies of the main line from here.
    left: u16,
}

/// Looks for other mates and adds them to the faults.
pub(super) fn look(work: &mut Work<'_>, inquiry: &mut Inquiry<'_, '_>) {
    // At the last moves everything is near, so those are asked first.
    let waiting = departures(work);
    ask_all(work, inquiry, waiting, judge);
}

/// Looks for other first moves that mate where the main line is not known. Each is one of two that
/// mate, but which begins the main line, and what the other is then, stays open.
pub(super) fn look_at_first_move(work: &mut Work<'_>, inquiry: &mut Inquiry<'_, '_>) {
    let mut waiting = departures(work);
    waiting.retain(|departure| departure.ply == 1);
    ask_all(
        work,
        inquiry,
        waiting,
        |work, inquiry, &Departure { ply, mv, ref after, .. }, length| {
            let proven = inquiry.prove(after, length).is_some();
            work.doubt(ply, Some(mv), if proven { Doubt::Kind } else { Doubt::Proof });
        },
    );
}

/// Solves whether each departure mates; `mates` receives those that do, with the length found.
fn ask_all(
    work: &mut Work<'_>,
    inquiry: &mut Inquiry<'_, '_>,
    mut waiting: Vec<Departure>,
    mates: impl Fn(&mut Work<'_>, &mut Inquiry<'_, '_>, &Departure, u16),
) {
    let mut quota = FIRST_QUOTA;
    while !waiting.is_empty() && !inquiry.is_over() {
        waiting.retain(|departure| match inquiry.ask(&departure.after, UNBOUNDED, quota) {
            None => true,
            Some(None) => false,
            Some(Some(length)) => {
                mates(work, inquiry, departure, length);
                false
            }
        });
        quota = quota.saturating_mul(QUOTA_GROWTH);
    }
    for departure in waiting {
        work.doubt(departure.ply, Some(departure.mv), Doubt::OtherMove);
    }
}

/// The other checks at every move of the attacker, the last move first.
fn departures(work: &Work<'_>) -> Vec<Departure> {
    let mut game = work.game.clone();
    let mut found = Vec::new();
    for (at, &mv) in work.line.iter().enumerate() {
        if game.position().side_to_move() == game.attacker() {
            let left = (work.line.len() - at) as u16;
            let mut candidates: Vec<Candidate<Ply>> = Vec::new();
            game.moves(&mut candidates);
            for other in candidates.iter().map(|c| c.play).filter(|ply| ply.played != mv) {
                let mut after = game.clone();
                after.play(other);
                found.push(Departure { ply: at + 1, mv: other.played, after, left });
            }
        }
        game.play(Ply::new(mv, Sort::Plain));
    }
    found.reverse();
    found
}

/// Classifies what a mate by another move is, and adds it with its proof.
fn judge(work: &mut Work<'_>, inquiry: &mut Inquiry<'_, '_>, departure: &Departure, found: u16) {
    let &Departure { ply, mv, ref after, .. } = departure;
    let Some((kind, length)) = kind(work, inquiry, departure) else {
        return work.doubt(ply, Some(mv), Doubt::Kind);
    };
    let proven = match kind {
        FaultKind::OtherMate => {
            let closed = after.closing(main_boards(work));
            let own = inquiry.ask(&closed, UNBOUNDED, KIND_QUOTA).flatten();
            own.and_then(|own| inquiry.prove(&closed, own))
        }
        _ => inquiry.prove(after, length.unwrap_or(found)),
    };
    match proven {
        Some(proven) => work.fault(
            ply,
            Some(mv),
            kind,
            Some(length.unwrap_or(found) + 1),
            Some(Certificate::Mate(proven.proof.sealed())),
        ),
        None => work.doubt(ply, Some(mv), Doubt::Proof),
    }
}

/// What kind a mate by another move is, and its length if it is no longer than the main line;
/// `None` if the limits do not suffice to decide.
fn kind(
    work: &Work<'_>,
    inquiry: &mut Inquiry<'_, '_>,
    departure: &Departure,
) -> Option<(FaultKind, Option<u16>)> {
    let &Departure { ply, mv, left, ref after } = departure;
    // Nothing is sooner than a main line that is known to be the shortest.
    if work.recorded
        && let Some(less) = left.checked_sub(3)
        && let Some(length) = inquiry.ask(after, less, KIND_QUOTA)?
    {
        return Some((FaultKind::EarlyMate, Some(length)));
    }
    // Whether it is as soon matters for some kinds only: not known is no harm to the others.
    let soon = inquiry.ask(after, left - 1, KIND_QUOTA);
    let intended = work.line[ply - 1];
    let before = position_before(work, ply);
    let free = if is_free_promotion(intended, mv) {
        Some(FaultKind::FreePromotion)
    } else if is_free_distance(&before, work.game, intended, mv) {
        Some(FaultKind::FreeDistance)
    } else {
        None
    };
    if let Some(free) = free
        && let Some(length) = soon?
    {
        return Some((free, Some(length)));
    }
    if left == 1 {
        return Some((FaultKind::LastMove, soon.flatten()));
    }
    let closed = after.closing(main_boards(work));
    if inquiry.ask(&closed, UNBOUNDED, KIND_QUOTA)?.is_some() {
        return Some((FaultKind::OtherMate, soon.flatten()));
    }
    let length = soon?;
    Some((if length.is_some() { FaultKind::Transposition } else { FaultKind::Detour }, length))
}

fn position_before(work: &Work<'_>, ply: usize) -> Position {
    let mut position = work.game.position().clone();
    for &mv in &work.line[..ply - 1] {
        position.play(mv);
    }
    position
}

/// The boards of the main line with the attacker to move.
fn main_boards(work: &Work<'_>) -> HashSet<u64> {
    let mut position = work.game.position().clone();
    let mut boards = HashSet::new();
    for &mv in &work.line {
        if position.side_to_move() == work.game.attacker() {
            boards.insert(position.board_key());
        }
        position.play(mv);
    }
    boards
}

/// Whether two moves differ by promotion alone.
fn is_free_promotion(one: Move, other: Move) -> bool {
    one.from().is_some() && one.from() == other.from() && one.to() == other.to()
}

/// Whether two moves bring the same sliding piece to another square of the same line to the king.
fn is_free_distance(before: &Position, game: &Tsume, one: Move, other: Move) -> bool {
    let Some(king) = before.king(!game.attacker()) else { return false };
    let same_piece = one.from() == other.from()
        && one.dropped() == other.dropped()
        && one.is_promotion() == other.is_promotion();
    let kind =
        |mv: Move| mv.dropped().or_else(|| before.piece_on(mv.from()?).map(|piece| piece.kind()));
    let slides = matches!(
        kind(one).map(Piece::unpromoted),
        Some(Piece::Lance | Piece::Bishop | Piece::Rook)
    );
    let line = direction(king, one.to());
    same_piece && slides && line.is_some() && line == direction(king, other.to())
}

/// The direction from one square to another along a rank, a file or a diagonal.
fn direction(from: Square, to: Square) -> Option<(i8, i8)> {
    let difference = |to: u8, from: u8| to as i8 - from as i8;
    let file = difference(to.file(), from.file());
    let rank = difference(to.rank(), from.rank());
    let straight = file == 0 || rank == 0 || file.abs() == rank.abs();
    (straight && from != to).then_some((file.signum(), rank.signum()))
}
