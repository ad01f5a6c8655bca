//! Pieces that a problem does not need (不要駒).

use yomikiri_shogi::{Color, Hand, Kind as PieceKind, Position, Square};

use super::inquiry::Inquiry;
use super::{Doubt, FaultKind, JudgeSettings, JudgedFault, Ruling, Work, judge};
use crate::game::node::Tsume;
use crate::solve::MateSettings;
use crate::verify::Certificate;

/// Takes the pieces off one after another; what leaves the problem sound with the same main line is
/// not needed.
pub(super) fn pieces(work: &mut Work<'_>, inquiry: &mut Inquiry<'_, '_>, settings: &JudgeSettings) {
    for square in Square::all() {
        let Some(less) = without(work.game, square) else { continue };
        if inquiry.is_over() {
            return work.doubt(0, None, Doubt::UselessPiece);
        }
        let limits = inquiry.run.limits_left();
        let settings = JudgeSettings {
            solve: MateSettings { limits, ..settings.solve.clone() },
            useless: false,
            ..settings.clone()
        };
        let judged = judge(&less, None, &settings, &mut |_| {});
        inquiry.run.charge(judged.solution.nodes);
        let same_line = judged.solution.line == work.line;
        match judged.judgement.verdict {
            Ruling::Sound if same_line => work.faults.push(JudgedFault {
                kind: FaultKind::UselessPiece,
                minor: work.customs.flaws.contains(&FaultKind::UselessPiece),
                ply: 0,
                play: None,
                sfen: less.position().to_sfen(),
                length: Some(judged.solution.high),
                proof: judged.solution.proven.map(|proven| Certificate::Mate(proven.proof)),
            }),
            Ruling::Undecided => work.doubt(0, None, Doubt::UselessPiece),
            _ => {}
        }
    }
}

/// The problem without the piece of a square, which goes to the defender's hand if nothing of the
/// set is missing. A king stays.
fn without(game: &Tsume, square: Square) -> Option<Tsume> {
    let mut position = game.position().clone();
    let piece = position.piece_on(square).filter(|piece| piece.kind() != PieceKind::King)?;
    let whole = is_whole_set(&position);
    position.put(square, None);
    if whole {
        let defender = !game.attacker();
        let kind = piece.kind().unpromoted();
        let hand = position.hand(defender);
        position.set_hand(defender, hand.with_count(kind, hand.count(kind) + 1)?);
    }
    // What remains has to be a position in which the defender is not in check already.
    let position = Position::from_problem_sfen(&position.to_sfen()).ok()?;
    Some(Tsume::new(position, game.attacker()))
}

/// Whether every piece but the kings is on the board or in a hand.
fn is_whole_set(position: &Position) -> bool {
    let count = |kind: PieceKind| {
        let on_board = Square::all()
            .filter_map(|square| position.piece_on(square))
            .filter(|piece| piece.kind().unpromoted() == kind)
            .count();
        let hands: Vec<Hand> = Color::ALL.map(|color| position.hand(color)).to_vec();
        on_board + hands.iter().map(|hand| usize::from(hand.count(kind))).sum::<usize>()
    };
    let full = [
        (PieceKind::Pawn, 18),
        (PieceKind::Lance, 4),
        (PieceKind::Knight, 4),
        (PieceKind::Silver, 4),
        (PieceKind::Gold, 4),
        (PieceKind::Bishop, 2),
        (PieceKind::Rook, 2),
    ];
    full.into_iter().all(|(kind, all)| count(kind) == all)
}
