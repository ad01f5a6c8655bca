//! The refutation of a mate, read out of the table; what the table does not tell is searched again.
//!
//! The set grows from the root: at every position of it each check gets an answer, one that leads
//! into the set if there is one, else one whose position the table knows as no mate, else one that
//! a search of its own disproves. A position that is no mate has such answers, whatever path leads
//! to it, so the set closes; lines that go round in circles simply meet it again.

use std::collections::HashMap;

use yomikiri_proof::game::{Candidate, Game, Role};
use yomikiri_proof::number::Number;
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::{Color, Hand};

use super::run::Run;
use crate::game::node::{Ply, Sort, Tsume};
use crate::verify::refutation::{self, Refutation, Refuted};
use crate::verify::{board_text, hand_text, position_text};

/// Most positions of a refutation.
const MOST_POSITIONS: usize = 500_000;
/// Nodes for each answer in the rounds in which they are asked.
const QUOTAS: [u64; 4] = [1 << 10, 1 << 14, 1 << 18, u64::MAX];

struct Refuter<'a, 's> {
    run: &'a mut Run<'s>,
    /// By board: the hands and plies of the set.
    set: HashMap<u64, Vec<(Hand, u16)>>,
    positions: Vec<Refuted>,
    waiting: Vec<(Tsume, u16)>,
}

/// The refutation of a mate within `length` plies ([`UNBOUNDED`] for any), checked; `None` if the
/// limits are not enough for it.
pub(crate) fn refute(run: &mut Run<'_>, game: &Tsume, length: u16) -> Option<Refutation> {
    // Every ply counts where plies are bounded: the laws know no useless interpositions.
    let game = if length == UNBOUNDED { game.clone() } else { game.counting_everything() };
    let mut refuter =
        Refuter { run, set: HashMap::new(), positions: Vec::new(), waiting: Vec::new() };
    match game.role() {
        Role::Attacker => refuter.add(&game, length)?,
        Role::Defender => refuter.answer(&mut game.clone(), length)?,
    }
    while let Some((mut at, left)) = refuter.waiting.pop() {
        refuter.expand(&mut at, left)?;
    }
    let bounded = |length: u16| (length != UNBOUNDED).then_some(u32::from(length));
    let mut refutation = Refutation {
        format: refutation::FORMAT.to_owned(),
        sfen: position_text(game.position()),
        attacker: if game.attacker() == Color::Black { "b" } else { "w" }.to_owned(),
        within: bounded(length),
        positions: refuter.positions,
        digest: String::new(),
    };
    refutation::complete(&mut refutation).ok().map(|()| refutation.sealed())
}

/// What is left of a number of plies.
fn less(left: u16, plies: u16) -> Option<u16> {
    if left == UNBOUNDED { Some(UNBOUNDED) } else { left.checked_sub(plies) }
}

impl Refuter<'_, '_> {
    fn covers(&self, game: &Tsume, left: u16) -> bool {
        let hand = game.position().hand(game.attacker());
        let fits = |&(most, plies): &(Hand, u16)| most.dominates(hand) && plies >= left;
        self.set.get(&game.position().board_key()).is_some_and(|all| all.iter().any(fits))
    }

    /// Adds a position with the attacker to move.
    fn add(&mut self, game: &Tsume, left: u16) -> Option<()> {
        if self.positions.len() >= MOST_POSITIONS {
            return None;
        }
        let position = game.position();
        let hand = position.hand(game.attacker());
        self.set.entry(position.board_key()).or_default().push((hand, left));
        let plies = (left != UNBOUNDED).then_some(u32::from(left));
        let (board, hand) = (board_text(position), hand_text(hand));
        self.positions.push(Refuted { board, hand, plies });
        self.waiting.push((game.clone(), left));
        Some(())
    }

    /// Answers every check.
    fn expand(&mut self, game: &mut Tsume, left: u16) -> Option<()> {
        let Some(behind) = less(left, 1) else { return Some(()) };
        let mut checks: Vec<Candidate<Ply>> = Vec::new();
        game.moves(&mut checks);
        for check in checks.iter().filter(|check| check.play.sort == Sort::Plain) {
            game.play(check.play);
            let answered = self.answer(game, behind);
            game.undo(check.play);
            answered?;
        }
        Some(())
    }

    /// Adds a position behind an answer of the defender that refutes the mate within `left`, unless
    /// the set has one.
    fn answer(&mut self, game: &mut Tsume, left: u16) -> Option<()> {
        let Some(behind) = less(left, 1) else { return Some(()) };
        if behind == 0 {
            return Some(());
        }
        let mut answers: Vec<Candidate<Ply>> = Vec::new();
        game.moves(&mut answers);
        if answers.is_empty() {
            // Not in check at the root, or the whole is wrong, which the check will find.
            return Some(());
        }
        for answer in &answers {
            let plain = Ply::new(answer.play.played, Sort::Plain);
            game.play(plain);
            let covered = self.covers(game, behind);
            game.undo(plain);
            if covered {
                return Some(());
            }
        }
        let refuting = self.refuting(game, &answers, behind)?;
        let plain = Ply::new(refuting.played, Sort::Plain);
        game.play(plain);
        let added = self.add(game, behind);
        game.undo(plain);
        added
    }

    /// An answer behind which there is no mate within `left`.
    fn refuting(&mut self, game: &mut Tsume, answers: &[Candidate<Ply>], left: u16) -> Option<Ply> {
        let table = self.run.solver.table().handle();
        let known = |answer: &&Candidate<Ply>| {
            table.look_up(game.peek(answer.play), left, Number::UNIT).number.is_disproven()
        };
        if let Some(answer) = answers.iter().find(known) {
            return Some(answer.play);
        }
        drop(table);
        let season = if left == UNBOUNDED { 0 } else { left };
        for quota in QUOTAS {
            for answer in answers {
                let query = self.run.query().within(left).in_season(season).at_most(quota);
                game.play(answer.play);
                let outcome = self.run.ask(game, &query, &mut |_| {});
                game.undo(answer.play);
                if outcome.number.is_disproven() {
                    return Some(answer.play);
                }
                if outcome.gave_up.is_some() && outcome.nodes < quota {
                    return None;
                }
            }
        }
        None
    }
}
