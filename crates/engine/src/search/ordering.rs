//! The order in which moves are tried: a staged picker.
//!
//! The move of the transposition table comes first, then captures and promotions that lose
//! nothing, killers and the counter move, quiet moves by history, and losing captures last. Each
//! stage is generated only when it is reached, since most cut-offs come early.
//!
//! A quiet check that loses little counts as a move with a good history; quiet moves with a bad
//! history come after the captures that lose.

use super::history::{CONTINUATIONS, Histories, PieceTo, QuietRows};
use crate::eval::material::{capture_value, promotion_gain};
use crate::value::Value;
use arrayvec::ArrayVec;
use yomikiri_shogi::movegen::{NonPromotions, Which};
use yomikiri_shogi::{CheckHints, Kind, Move, MoveList, Position, Square};

/// A move and its score in one word: the greater the better, and of equals the move with the
/// smaller code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(i64);

impl Scored {
    #[inline]
    fn new(mv: Move, score: i32) -> Scored {
        Scored(i64::from(score) << 16 | i64::from(!mv.bits()))
    }

    /// The move; there always is one.
    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_own_bits(!(self.0 as u16))
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }

    /// Whether the score is higher, whatever the moves.
    #[inline]
    fn beats(self, other: Scored) -> bool {
        self.0 > (other.0 | 0xffff)
    }
}

type ScoredList = ArrayVec<Scored, 600>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    Captures,
    Refutations,
    MakeQuiets,
    Quiets,
    BadCaptures,
    BadQuiets,
    MakeEvasions,
    Evasions,
    MakeForcing,
    Forcing,
    MakeChecks,
    Checks,
    MakeEscapes,
    Escapes,
    Done,
}

/// What a picker is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Every move.
    Search,
    /// Captures and promotions, and on request quiet checks and escapes of attacked pieces.
    Quiescence {
        /// Whether quiet checks are included.
        checks: bool,
        /// Whether quiet moves of attacked pieces are included.
        escapes: bool,
    },
    /// Captures and promotions with at least a given gain.
    ProbCut {
        /// The gain.
        threshold: Value,
    },
}

/// What the order of quiet moves depends on.
#[derive(Clone, Copy)]
pub struct OrderContext {
    /// Earlier moves that the continuation history knows.
    pub continuation_keys: [PieceTo; CONTINUATIONS],
    /// Killers and the counter move.
    pub refutations: [Option<Move>; 3],
    /// The ply, where the history of the plies next to the root counts.
    pub low_ply: Option<usize>,
    /// Whether the histories count.
    pub history: bool,
    /// Whether the continuation history counts.
    pub continuation: bool,
    /// What a quiet check that loses little counts beside them.
    pub check_bonus: i32,
    /// Quiet moves with a lower score come after the captures that lose.
    pub bad_quiet: i32,
    /// Which non-promotions are generated.
    pub non_promotions: NonPromotions,
}

/// Hands out the moves of a position, best first.
pub struct Picker {
    stage: Stage,
    purpose: Purpose,
    table_move: Option<Move>,
    context: OrderContext,
    moves: ScoredList,
    next: usize,
    /// How many of the quiet moves are in order.
    sorted: usize,
    /// The next capture that loses.
    next_bad: usize,
    bad_captures: ArrayVec<Move, 128>,
    skip_quiets: bool,
}

impl Picker {
    /// A picker for the position. The table's move must have been verified as legal.
    pub fn new(
        position: &Position,
        purpose: Purpose,
        table_move: Option<Move>,
        context: OrderContext,
    ) -> Picker {
        let mut picker = Picker {
            stage: Stage::Table,
            purpose,
            table_move: table_move.filter(|&mv| wanted(position, purpose, mv)),
            context,
            moves: ScoredList::new(),
            next: 0,
            sorted: 0,
            next_bad: 0,
            bad_captures: ArrayVec::new(),
            skip_quiets: false,
        };
        if picker.table_move.is_none() {
            picker.stage = picker.first_stage(position);
        }
        picker
    }

    fn first_stage(&self, position: &Position) -> Stage {
        match self.purpose {
            _ if position.in_check() => Stage::MakeEvasions,
            Purpose::Search => Stage::MakeCaptures,
            _ => Stage::MakeForcing,
        }
    }

    /// Leaves out the quiet moves that are still to come.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = self.first_stage(position);
                    return self.table_move;
                }
                Stage::MakeCaptures => self.make_captures(position, histories, Stage::Captures),
                Stage::MakeForcing => self.make_captures(position, histories, Stage::Forcing),
                Stage::Captures => match self.good_capture(position) {
                    Some(mv) => return Some(mv),
                    None => self.enter(Stage::Refutations),
                },
                Stage::Refutations => match self.refutation(position) {
                    Some(mv) => return Some(mv),
                    None => self.enter(Stage::MakeQuiets),
                },
                Stage::MakeQuiets if self.skip_quiets => {
                    self.moves.clear();
                    self.enter(Stage::BadCaptures);
                }
                Stage::MakeQuiets => self.make_quiets(position, histories),
                Stage::Quiets => match self.next_quiet(self.context.bad_quiet) {
                    Some(mv) if self.is_refutation(mv) => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => match self.bad_captures.get(self.next_bad).copied() {
                    Some(mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::BadQuiets,
                },
                Stage::BadQuiets => match self.next_quiet(i32::MIN) {
                    Some(mv) if self.is_refutation(mv) => {}
                    Some(mv) => return Some(mv),
                    None => self.enter(Stage::Done),
                },
                Stage::MakeEvasions => self.make_evasions(position, histories),
                Stage::Evasions | Stage::Escapes => match self.best_of_rest() {
                    Some(mv) => return Some(mv),
                    None => self.enter(Stage::Done),
                },
                Stage::Forcing => match self.best_of_rest() {
                    Some(mv) if self.is_good(position, mv) => return Some(mv),
                    Some(_) => {}
                    None => self.enter(Stage::MakeChecks),
                },
                Stage::MakeChecks => self.make_checks(position),
                Stage::Checks => match self.in_turn() {
                    Some(mv) => return Some(mv),
                    None => self.enter(Stage::MakeEscapes),
                },
                Stage::MakeEscapes => self.make_escapes(position),
                Stage::Done => return None,
            }
        }
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.next = 0;
    }

    /// The next capture that loses little by its score; the others wait.
    fn good_capture(&mut self, position: &Position) -> Option<Move> {
        while let Some((mv, score)) = self.best_scored() {
            if position.see_ge(mv, -score / CAPTURE_SLACK) {
                return Some(mv);
            }
            self.put_off(mv);
        }
        None
    }

    fn put_off(&mut self, mv: Move) {
        // A position has fewer losing captures than this has room for; a quiet end otherwise.
        let _ = self.bad_captures.try_push(mv);
    }

    fn is_good(&self, position: &Position, mv: Move) -> bool {
        match self.purpose {
            Purpose::ProbCut { threshold } => position.see_ge(mv, threshold),
            _ => true,
        }
    }

    fn is_refutation(&self, mv: Move) -> bool {
        self.context.refutations.contains(&Some(mv))
    }

    /// The next killer or counter move that is playable here and quiet.
    fn refutation(&mut self, position: &Position) -> Option<Move> {
        while let Some(&candidate) = self.context.refutations.get(self.next) {
            let earlier = &self.context.refutations[..self.next];
            let fresh = candidate != self.table_move && !earlier.contains(&candidate);
            self.next += 1;
            if let Some(mv) = candidate.filter(|_| fresh)
                && is_quiet(position, mv)
                && position.is_legal(mv)
            {
                return Some(mv);
            }
        }
        None
    }

    fn fill(&mut self, list: &MoveList, mut score: impl FnMut(Move) -> i32) {
        self.moves.clear();
        self.next = 0;
        for &mv in list {
            if Some(mv) != self.table_move {
                self.moves.push(Scored::new(mv, score(mv)));
            }
        }
    }

    fn make_captures(&mut self, position: &Position, histories: &Histories, then: Stage) {
        let mut list = MoveList::new();
        position.generate(Which::Captures, self.context.non_promotions, &mut list);
        self.fill(&list, |mv| capture_score(position, histories, mv));
        self.enter(then);
    }

    fn make_quiets(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        position.generate(Which::Quiets, self.context.non_promotions, &mut list);
        let order = QuietOrder::new(position, histories, &self.context);
        self.fill(&list, |mv| order.score(mv));
        self.sorted = 0;
        self.enter(Stage::Quiets);
    }

    fn make_evasions(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        position.generate_evasions(self.context.non_promotions, &mut list);
        let order = QuietOrder::new(position, histories, &self.context);
        self.fill(&list, |mv| {
            if is_quiet(position, mv) {
                order.score(mv)
            } else {
                (1 << 24) + capture_score(position, histories, mv)
            }
        });
        self.enter(Stage::Evasions);
    }

    fn make_checks(&mut self, position: &Position) {
        if !matches!(self.purpose, Purpose::Quiescence { checks: true, .. }) {
            return self.enter(Stage::MakeEscapes);
        }
        let mut list = MoveList::new();
        position.generate_checks(self.context.non_promotions, &mut list);
        list.retain(|mv| is_quiet(position, *mv));
        self.fill(&list, |_| 0);
        self.enter(Stage::Checks);
    }

    /// Quiet moves of attacked pieces, the dearest piece first; checks came before.
    fn make_escapes(&mut self, position: &Position) {
        let Purpose::Quiescence { checks, escapes: true } = self.purpose else {
            return self.enter(Stage::Done);
        };
        let mut list = MoveList::new();
        position.generate(Which::Quiets, self.context.non_promotions, &mut list);
        list.retain(|mv| is_escape(position, *mv) && !(checks && position.gives_check(*mv)));
        self.fill(&list, |mv| mv.from().map_or(0, |from| worth(position, from)));
        self.enter(Stage::Escapes);
    }

    fn in_turn(&mut self) -> Option<Move> {
        let scored = self.moves.get(self.next)?;
        self.next += 1;
        scored.mv()
    }

    /// The next quiet move by score, if it has at least this one. Most nodes need only the first
    /// few, so that they are put in order a few at a time.
    fn next_quiet(&mut self, least: i32) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        if self.next == self.sorted {
            let rest = self.moves.get_mut(self.sorted..)?;
            self.sorted +=
                bring_forward(rest, if self.sorted == 0 { FIRST_QUIETS } else { rest.len() });
        }
        let scored = self.moves.get(self.next)?;
        if scored.score() < least { None } else { self.in_turn() }
    }

    fn best_of_rest(&mut self) -> Option<Move> {
        self.best_scored().map(|(mv, _)| mv)
    }

    /// Selection sort, one step at a time: most nodes need only the first few.
    fn best_scored(&mut self) -> Option<(Move, i32)> {
        let rest = self.moves.get_mut(self.next..)?;
        let (first, others) = rest.split_first_mut()?;
        let (mut best, mut place) = (*first, None);
        for (index, &scored) in others.iter().enumerate() {
            if scored.beats(best) {
                (best, place) = (scored, Some(index));
            }
        }
        if let Some(other) = place.and_then(|index| others.get_mut(index)) {
            core::mem::swap(first, other);
        }
        self.next += 1;
        best.mv().map(|mv| (mv, best.score()))
    }
}

/// A capture may lose its score divided by this, and still comes before the quiet moves.
const CAPTURE_SLACK: i32 = 18;

/// A check that loses more than this is ordered like any other quiet move.
const CHECK_LOSS: Value = 75;

/// Quiet moves that are put in order at first.
const FIRST_QUIETS: usize = 8;

/// Puts the best `count` of the moves in front, in order, and says how many they are.
fn bring_forward(moves: &mut [Scored], count: usize) -> usize {
    if moves.len() <= 2 * count {
        moves.sort_unstable_by(|a, b| b.cmp(a));
        return moves.len();
    }
    let (best, rest) = moves.split_at_mut(count);
    best.sort_unstable_by(|a, b| b.cmp(a));
    for scored in rest {
        let last = &mut best[count - 1];
        if *scored > *last {
            // The last of the best gives its place away; the new one goes where it belongs.
            let new = core::mem::replace(scored, *last);
            let mut place = count - 1;
            while place > 0 && best[place - 1] < new {
                best[place] = best[place - 1];
                place -= 1;
            }
            best[place] = new;
        }
    }
    count
}

/// Neither captures nor promotes.
#[inline]
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !mv.is_promotion() && position.piece_on(mv.to()).is_none()
}

/// Whether a quiet move gives check and loses little.
fn is_good_check(position: &Position, mv: Move) -> bool {
    position.gives_check(mv) && position.see_ge(mv, -CHECK_LOSS)
}

/// Whether a quiet move takes an attacked piece away; the king's moves are no escapes.
fn is_escape(position: &Position, mv: Move) -> bool {
    let attacked = |from| position.is_attacked(from, position.side_to_move().opponent());
    mv.from().is_some_and(|from| {
        position.piece_on(from).is_some_and(|piece| piece.kind() != Kind::King) && attacked(from)
    })
}

/// What the piece on a square is worth to its captor.
fn worth(position: &Position, square: Square) -> i32 {
    position.piece_on(square).map_or(0, |piece| capture_value(piece.kind()))
}

/// Whether the table's move fits the picker's purpose.
fn wanted(position: &Position, purpose: Purpose, mv: Move) -> bool {
    match purpose {
        Purpose::Search => true,
        _ if position.in_check() => true,
        Purpose::Quiescence { checks, escapes } => {
            !is_quiet(position, mv)
                || (checks && position.gives_check(mv))
                || (escapes && is_escape(position, mv))
        }
        Purpose::ProbCut { threshold } => !is_quiet(position, mv) && position.see_ge(mv, threshold),
    }
}

/// What a capture or promotion changes on the board at once.
#[inline]
pub fn gain(position: &Position, mv: Move) -> Value {
    let taken = position.piece_on(mv.to()).map_or(0, |piece| capture_value(piece.kind()));
    let promoted = match mv.from().filter(|_| mv.is_promotion()) {
        Some(from) => position.piece_on(from).map_or(0, |piece| promotion_gain(piece.kind())),
        None => 0,
    };
    taken + promoted
}

fn capture_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let taken = position.piece_on(mv.to());
    let history = histories.capture(PieceTo::new(position, mv), taken);
    let mover = mv.from().and_then(|from| position.piece_on(from));
    let cost =
        mover.map_or(0, |piece| if piece.kind() == Kind::King { 0 } else { piece.kind().index() });
    4 * gain(position, mv) + history - cost as i32
}

/// What orders the quiet moves of one node.
struct QuietOrder<'a> {
    position: &'a Position,
    /// `None` where the histories do not count.
    rows: Option<QuietRows<'a>>,
    hints: CheckHints,
    check_bonus: i32,
}

impl<'a> QuietOrder<'a> {
    #[inline]
    fn new(position: &'a Position, histories: &'a Histories, context: &OrderContext) -> Self {
        let keys = context.continuation.then_some(context.continuation_keys);
        let rows = || histories.quiet_rows(position.side_to_move(), keys, context.low_ply);
        QuietOrder {
            position,
            rows: context.history.then(rows),
            hints: position.check_hints(),
            check_bonus: context.check_bonus,
        }
    }

    #[inline]
    fn score(&self, mv: Move) -> i32 {
        let Some(rows) = &self.rows else { return 0 };
        let good_check = self.hints.allow(mv) && is_good_check(self.position, mv);
        rows.score(self.position, mv) + if good_check { self.check_bonus } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn context() -> OrderContext {
        OrderContext {
            continuation_keys: [PieceTo::NONE; CONTINUATIONS],
            refutations: [None; 3],
            low_ply: None,
            history: true,
            continuation: true,
            check_bonus: 0,
            bad_quiet: 0,
            non_promotions: NonPromotions::All,
        }
    }

    fn picked(position: &Position, purpose: Purpose, table: Option<Move>) -> Vec<Move> {
        let mut picker = Picker::new(position, purpose, table, context());
        let histories = Histories::new();
        core::iter::from_fn(|| picker.next(position, &histories)).collect()
    }

    #[test]
    fn every_legal_move_comes_once() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..20 {
            let mut position = Position::start();
            for _ in 0..120 {
                let legal = position.legal_moves();
                let Some(&mv) = random.choice(&legal) else { break };
                let table = random.choice(&legal).copied();
                let mut order = context();
                order.refutations = [0; 3].map(|_| random.choice(&legal).copied());
                let mut picker = Picker::new(&position, Purpose::Search, table, order);
                let histories = Histories::new();
                let moves: Vec<Move> =
                    core::iter::from_fn(|| picker.next(&position, &histories)).collect();
                assert_eq!(moves.first().copied(), table);
                let unique: BTreeSet<Move> = moves.iter().copied().collect();
                assert_eq!(unique.len(), moves.len());
                assert_eq!(unique, legal.iter().copied().collect());
                position.play(mv);
            }
        }
    }

    #[test]
    fn the_best_come_forward_in_order() {
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..1_000 {
            let length = random.usize(0..60);
            let score = |_| Scored(random.i64(-40..40) << 16);
            let mut moves: Vec<Scored> = (0..length).map(score).collect();
            let mut sorted = moves.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let count = bring_forward(&mut moves, FIRST_QUIETS);
            assert_eq!(count, if length <= 2 * FIRST_QUIETS { length } else { FIRST_QUIETS });
            assert_eq!(
                moves[..count].iter().map(|m| m.0).collect::<Vec<_>>(),
                sorted[..count].iter().map(|m| m.0).collect::<Vec<_>>()
            );
            moves.sort_unstable_by(|a, b| b.cmp(a));
            assert!(moves == sorted);
        }
    }

    #[test]
    fn checks_that_lose_little_come_before_other_quiet_moves() {
        let position = Position::from_usi("sfen 4k4/9/9/9/9/9/9/9/4K4 b LN 1").unwrap();
        let order = OrderContext { check_bonus: 1, ..context() };
        let mut picker = Picker::new(&position, Purpose::Search, None, order);
        let histories = Histories::new();
        let moves: Vec<String> = core::iter::from_fn(|| picker.next(&position, &histories))
            .map(|mv| mv.to_string())
            .collect();
        // On 5b the lance would be taken for nothing.
        let checks = ["L*5c", "L*5d", "L*5e", "L*5f", "L*5g", "L*5h", "N*4c", "N*6c"];
        let first: BTreeSet<&str> = moves[..checks.len()].iter().map(String::as_str).collect();
        assert_eq!(first, BTreeSet::from(checks));
    }

    #[test]
    fn quiescence_gives_captures_then_checks() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let captures =
            picked(&position, Purpose::Quiescence { checks: false, escapes: false }, None);
        assert!(captures.iter().all(|&mv| !is_quiet(&position, mv)));
        assert_eq!(captures[0].to_string(), "8h2b+");
        let all = picked(&position, Purpose::Quiescence { checks: true, escapes: false }, None);
        assert!(all[captures.len()..].iter().all(|&mv| position.gives_check(mv)));
    }

    #[test]
    fn attacked_pieces_escape_where_that_is_asked_for() {
        let position = Position::from_usi("sfen 4k4/9/9/9/4p4/4R4/9/7S1/4K4 b - 1").unwrap();
        let with = |escapes| {
            let all = picked(&position, Purpose::Quiescence { checks: false, escapes }, None);
            all.into_iter().filter(|&mv| is_quiet(&position, mv)).collect::<Vec<Move>>()
        };
        assert!(with(false).is_empty());
        let escapes = with(true);
        assert!(!escapes.is_empty());
        assert!(escapes.iter().all(|mv| mv.to_string().starts_with("5f")), "{escapes:?}");
    }
}
