//! Defences off the main line that last as long as it (変同) or longer (変長).

use yomikiri_proof::game::Game;

use super::inquiry::Inquiry;
use super::{Doubt, Kind, Work};
use crate::game::node::{Ply, Sort, Tsume};

/// Looks at every move of the defender on the main line.
pub(super) fn look(work: &mut Work<'_>, inquiry: &mut Inquiry<'_, '_>) {
    let mut game = work.game.clone();
    for at in 0..work.line.len() {
        let left = (work.line.len() - at) as u16;
        if game.position().side_to_move() != game.attacker() {
            at_move(work, inquiry, &mut game, at, left);
        }
        game.play(Ply::new(work.line[at], Sort::Plain));
    }
}

fn at_move(
    work: &mut Work<'_>,
    inquiry: &mut Inquiry<'_, '_>,
    game: &mut Tsume,
    at: usize,
    left: u16,
) {
    let Some(defences) = inquiry.counted_defences(game, left) else {
        return work.doubt(at + 1, None, Doubt::Variation);
    };
    let main = work.line[at];
    for mv in defences.into_iter().filter(|&mv| mv != main) {
        let ply = Ply::new(mv, Sort::Plain);
        game.play(ply);
        let kind = variation(inquiry, game, left - 1, work.recorded);
        game.undo(ply);
        match kind {
            Some(Some((kind, length))) => work.fault(at + 1, Some(mv), kind, length, None),
            Some(None) => {}
            None => work.doubt(at + 1, Some(mv), Doubt::Variation),
        }
    }
}

/// What a defence is behind which the main line takes `left` plies, and how long it lasts, the move
/// counted: `None` if that is not known.
fn variation(
    inquiry: &mut Inquiry<'_, '_>,
    game: &Tsume,
    left: u16,
    recorded: bool,
) -> Option<Option<(Kind, Option<u16>)>> {
    if recorded && !inquiry.is_mate_within(game, left)? {
        return Some(Some((Kind::LongVariation, None)));
    }
    if left >= 2 && inquiry.is_mate_within(game, left - 2)? {
        return Some(None);
    }
    let bare = inquiry.bare_line(game, left)?;
    Some(bare.map(|_| (Kind::EqualVariation, Some(left + 1))))
}
