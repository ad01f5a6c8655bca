//! The refutation of a mate, read out of the table; what is not in the table is searched again.
//!
//! The set grows from the root: at every position of it each check gets an answer, one that leads
//! into the set if there is one, else one whose position the table knows as no mate, else one that
//! a search of its own disproves. A position that is no mate has such answers, whatever path leads
//! to it, so the set closes; lines that go round in circles simply meet it again.

use std::collections::HashMap;

use yomikiri_proof::game::{Candidate, ProofGame, Role};
use yomikiri_proof::number::Number;
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::{Color, Hand};

use super::run::Run;
use crate::game::node::{Ply, Sort, Tsume};
use crate::verify::refutation::{self, Counting, Refutation, Refuted};
use crate::verify::{board_text, hand_text, position_text};

/// Most positions of a refutation that answers for a whole problem.
pub(crate) const MOST_POSITIONS: usize = 500_000;
/// Nodes for each answer in the rounds in which they are asked.
const QUOTAS: [u64; 4] = [1 << 10, 1 << 14, 1 << 18, u64::MAX];

struct Refuter<'a, 's> {
    run: &'a mut Run<'s>,
    counting: Counting,
    /// By board: the hands and plies of the set.
    set: HashMap<u64, Vec<(Hand, u16)>>,
    positions: Vec<Refuted>,
    /// How many there may be.
    most: usize,
    waiting: Vec<(Tsume, u16)>,
}

/// An answer of the defender.
#[derive(Clone, Copy)]
struct Defence {
    /// As the search knows it.
    known_as: Ply,
    /// As the refutation plays it.
    played: Ply,
    /// Plies left behind it.
    behind: u16,
}

/// The refutation of a mate within `length` plies ([`UNBOUNDED`] for any), of no more than `most`
/// positions, checked; `None` if the limits are not enough for it.
pub(crate) fn refute(
    run: &mut Run<'_>,
    game: &Tsume,
    (length, most): (u16, usize),
    counting: Counting,
) -> Option<Refutation> {
    // The laws know no useless interpositions; without a bound nothing is counted.
    let game = match counting {
        Counting::Laws if length != UNBOUNDED => game.counting_everything(),
        _ => game.by_convention(),
    };
    let (set, positions, waiting) = (HashMap::new(), Vec::new(), Vec::new());
    let mut refuter = Refuter { run, counting, set, positions, most, waiting };
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
        counting,
        positions: refuter.positions,
        digest: String::new(),
    };
    refutation::complete(&mut refutation).ok().map(|()| refutation.sealed())
}

/// What is left of a number of plies.
fn less(left: u16, plies: u8) -> Option<u16> {
    if left == UNBOUNDED { Some(UNBOUNDED) } else { left.checked_sub(u16::from(plies)) }
}

impl Refuter<'_, '_> {
    fn covers(&self, game: &Tsume, left: u16) -> bool {
        let hand = game.position().hand(game.attacker());
        let fits = |&(most, plies): &(Hand, u16)| most.dominates(hand) && plies >= left;
        self.set.get(&game.board_key()).is_some_and(|all| all.iter().any(fits))
    }

    /// Adds a position with the attacker to move.
    fn add(&mut self, game: &Tsume, left: u16) -> Option<()> {
        if self.positions.len() >= self.most {
            return None;
        }
        let position = game.position();
        let hand = position.hand(game.attacker());
        self.set.entry(game.board_key()).or_default().push((hand, left));
        let plies = (left != UNBOUNDED).then_some(u32::from(left));
        let checker = game.interposed().map(|square| square.to_string());
        let (board, hand) = (board_text(position), hand_text(hand));
        self.positions.push(Refuted { board, hand, plies, checker });
        self.waiting.push((game.clone(), left));
        Some(())
    }

    /// Answers every check.
    fn expand(&mut self, game: &mut Tsume, left: u16) -> Option<()> {
        let mut checks: Vec<Candidate<Ply>> = Vec::new();
        game.moves(&mut checks);
        for check in &checks {
            let Some(behind) = less(left, check.plies) else { continue };
            game.play(check.play);
            let answered = self.answer(game, behind);
            game.undo(check.play);
            answered?;
        }
        Some(())
    }

    /// Adds a position behind an answer of the defender that refutes the mate within `left`, unless
    /// the set has one or the answer outlasts the plies.
    fn answer(&mut self, game: &mut Tsume, left: u16) -> Option<()> {
        let mut answers: Vec<Candidate<Ply>> = Vec::new();
        game.moves(&mut answers);
        if answers.is_empty() {
            // Not in check at the root, or the whole is wrong, which the check will find.
            return Some(());
        }
        let mut defences = Vec::with_capacity(answers.len());
        for answer in &answers {
            let (played, plies) = self.as_played(game, answer.play);
            let Some(behind) = less(left, plies) else { return Some(()) };
            if behind == 0 && played.sort == Sort::Plain {
                return Some(());
            }
            game.play(played);
            let covered = self.covers(game, behind);
            game.undo(played);
            if covered {
                return Some(());
            }
            let counted = self.counting == Counting::Laws || played == answer.play;
            let known_as = if counted { answer.play } else { played };
            defences.push(Defence { known_as, played, behind });
        }
        let Defence { played, behind, .. } = self.refuting(game, &defences)?;
        game.play(played);
        let added = self.add(game, behind);
        game.undo(played);
        added
    }

    /// An answer as the refutation plays it, and the plies that it takes: an interposition is apart
    /// only by convention, and only if the checker can take it at all.
    fn as_played(&self, game: &mut Tsume, answer: Ply) -> (Ply, u8) {
        if answer.sort != Sort::Plain && self.counting == Counting::Convention {
            let mut takes: Vec<Candidate<Ply>> = Vec::new();
            game.play(answer);
            game.moves(&mut takes);
            game.undo(answer);
            if takes.iter().any(|take| take.play.sort == Sort::NotCounted) {
                return (answer, 0);
            }
        }
        (Ply::new(answer.played, Sort::Plain), 1)
    }

    /// An answer behind which there is no mate within the plies left.
    fn refuting(&mut self, game: &mut Tsume, defences: &[Defence]) -> Option<Defence> {
        let table = self.run.solver.table().handle();
        let known = |defence: &&Defence| {
            let node = game.peek(defence.known_as);
            table.look_up(node, defence.behind, Number::UNIT).number.is_disproven()
        };
        if let Some(&defence) = defences.iter().find(known) {
            return Some(defence);
        }
        drop(table);
        for quota in QUOTAS {
            for defence in defences {
                let epoch = if defence.behind == UNBOUNDED { 0 } else { defence.behind };
                let query = self.run.query().within(defence.behind).in_epoch(epoch);
                let query = query.at_most(quota);
                if query.limits.nodes == 0 {
                    return None;
                }
                game.play(defence.known_as);
                let outcome = self.run.ask(game, &query, &mut |_| {});
                game.undo(defence.known_as);
                if outcome.number.is_disproven() {
                    return Some(*defence);
                }
                if outcome.gave_up.is_some() && outcome.nodes < quota {
                    return None;
                }
            }
        }
        None
    }
}
