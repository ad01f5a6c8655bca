//! Defences off the main line that last as long as it (変同) or longer (変長).

use yomikiri_proof::game::ProofGame;
use yomikiri_shogi::Move;

use super::inquiry::Inquiry;
use super::{Doubt, FaultKind, JudgedFault, Work};
use crate::game::node::{Ply, Sort, Tsume};
use crate::verify::Certificate;

/// A fault that is a variation, and what shows that it lasts.
pub(super) struct Lasting {
    ply: usize,
    mv: Move,
    /// There is no mate within this many plies behind the defence; nothing if every defence lasts
    /// so long.
    plies: Option<u16>,
}

/// Looks at every move of the defender on the main line.
pub(super) fn look(work: &mut Work<'_>, inquiry: &mut Inquiry<'_, '_>) -> Vec<Lasting> {
    let mut game = work.game.clone();
    let mut lasting = Vec::new();
    for at in 0..work.line.len() {
        let left = (work.line.len() - at) as u16;
        if game.position().side_to_move() != game.attacker() {
            at_move(work, inquiry, &mut game, (at, left), &mut lasting);
        }
        game.play(Ply::new(work.line[at], Sort::Plain));
    }
    lasting
}

fn at_move(
    work: &mut Work<'_>,
    inquiry: &mut Inquiry<'_, '_>,
    game: &mut Tsume,
    (at, left): (usize, u16),
    lasting: &mut Vec<Lasting>,
) {
    let ply = at + 1;
    let Some(defences) = inquiry.counted_defences(game, left) else {
        return work.doubt(ply, None, Doubt::Variation);
    };
    let main = work.line[at];
    for mv in defences.into_iter().filter(|&mv| mv != main) {
        let played = Ply::new(mv, Sort::Plain);
        game.play(played);
        let found = variation(inquiry, game, left - 1, work.recorded);
        game.undo(played);
        match found {
            Some(Some(Variation { kind, length, lasts: plies })) => {
                work.fault(ply, Some(mv), kind, length, None);
                lasting.push(Lasting { ply, mv, plies });
            }
            Some(None) => {}
            None => work.doubt(ply, Some(mv), Doubt::Variation),
        }
    }
}

/// Writes down that the variations last, as far as the limits allow. This comes last: what is still
/// open matters more.
pub(super) fn certify(work: &mut Work<'_>, inquiry: &mut Inquiry<'_, '_>, lasting: &[Lasting]) {
    for &Lasting { ply, mv, plies } in lasting {
        let Some(plies) = plies else { continue };
        let mut game = work.game.clone();
        for &played in work.line[..ply - 1].iter().chain([&mv]) {
            game.play(Ply::new(played, Sort::Plain));
        }
        let Some(refutation) = inquiry.refute(&game, plies) else { continue };
        let play = mv.to_string();
        let mut faults = work.faults.iter_mut();
        let own = |fault: &&mut JudgedFault| fault.ply == ply && fault.play.as_ref() == Some(&play);
        if let Some(fault) = faults.find(own) {
            fault.proof = Some(Certificate::NoMate(refutation));
        }
    }
}

/// What a variation is.
struct Variation {
    kind: FaultKind,
    /// How long it lasts, the defence counted; nothing if only that it is too long is known.
    length: Option<u16>,
    /// There is no mate within this many plies behind the defence.
    lasts: Option<u16>,
}

/// What a defence is behind which the main line takes `left` plies: `None` if that is not known.
fn variation(
    inquiry: &mut Inquiry<'_, '_>,
    game: &Tsume,
    left: u16,
    recorded: bool,
) -> Option<Option<Variation>> {
    if recorded && !inquiry.is_mate_within(game, left)? {
        let kind = FaultKind::LongVariation;
        return Some(Some(Variation { kind, length: None, lasts: Some(left) }));
    }
    if left >= 2 && inquiry.is_mate_within(game, left - 2)? {
        return Some(None);
    }
    let bare = inquiry.bare_line(game, left)?;
    let (kind, length) = (FaultKind::EqualVariation, Some(left + 1));
    Some(bare.map(|_| Variation { kind, length, lasts: left.checked_sub(2) }))
}
