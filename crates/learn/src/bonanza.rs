// Long: the objective and its gradient are checked against each other line by line.
//! The objective and its gradient: the move played should look better than every other.
//!
//! Paper: Matsui et al. 2008, section 2.2, after Hoki 2006: J is the sum of T(h(p_g) - h(p_0))
//! over record positions and their other legal moves, from the mover's view, and the gradient the
//! sum of (l(p_g) - l(p_0)) T(X) (1 - T(X)), X = (h(p_g) - h(p_0)) / K. No search: h is the
//! static value with the maximum exchange. Positions in check are not learned from, neither the
//! record's nor those after a move.
//!
//! Where ours differs: the progress of the record position, not that of each sibling, decides
//! which vector is trained, so that siblings are always compared by one and the same vector.
//! Features of the record position that a move leaves alone cancel out of l(p_g) - l(p_0); only
//! what changes is gone through, which makes a pass several times faster. Gradients are summed as
//! integers: the order in which threads add does not matter.
//!
//! Learning with search, the paper's future work and Hoki's original: each move is followed by
//! its quiescence line under the weights as they are, and the features are those of the line's
//! end. A line is as old as its batch, not several passes. Moves that mate or get mated, and those
//! so far off that they would not count, are not gone through.

use crate::config::{Config, Constraint, LearnedVariant};
use crate::constraints::{m1_concerns, m1_factor};
use crate::dataset::TrainingGame;
use crate::quiescence::{QuietLine, quiescence};
use core::ops::Range;
use std::sync::Arc;
use yomikiri_engine::eval::Evaluation;
use yomikiri_engine::eval::linear::{
    Balances, Change, FEATURES, FeatureSink, Linear, Patterns, Relation, Tracker, line_features,
    maximum_exchange_within,
};
use yomikiri_engine::eval::stage::{FULL, Logistic, ProgressModel, hand_made, logistic};
use yomikiri_engine::value::{EVAL_LIMIT, INFINITE, Value as Score};
use yomikiri_shogi::{Color, Hand, Kind, Move, Piece, Position, Square};

/// Every feature, and after them the material values by kind.
pub const COEFFICIENTS: usize = FEATURES + 16;

/// One in the fixed-point numbers of the gradient.
pub const ONE: f64 = (1u64 << 30) as f64;

#[inline]
fn fixed(number: f64) -> i64 {
    (number * ONE).round() as i64
}

/// A feature and the side that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry(u32);

impl Entry {
    #[inline]
    fn new(feature: usize, owner: Color) -> Entry {
        Entry((feature as u32) << 1 | owner.index() as u32)
    }

    #[inline]
    fn feature(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    fn is_white(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Black's pieces less white's, by kind, on the board and in hand.
type Pieces = [i8; 16];

/// Writes features down as they come and go, and what they do to material and a learned progress.
#[derive(Clone, Default, Debug)]
struct Recorder<'a> {
    comes: Vec<Entry>,
    goes: Vec<Entry>,
    pieces: Pieces,
    logistic: Option<&'a Logistic>,
    /// By how much the sum of the learned progress changes.
    progress: i32,
}

impl<'a> Recorder<'a> {
    fn new(progress: &'a ProgressModel) -> Recorder<'a> {
        let logistic = match progress {
            ProgressModel::HandMade => None,
            ProgressModel::Learned(logistic) => Some(&**logistic),
        };
        Recorder { logistic, ..Recorder::default() }
    }

    fn clear(&mut self) {
        self.comes.clear();
        self.goes.clear();
        self.pieces = Pieces::default();
        self.progress = 0;
    }

    #[inline]
    fn count(&mut self, kind: Kind, color: Color, more: i8) {
        self.pieces[kind.index()] += if color == Color::Black { more } else { -more };
    }

    #[inline]
    fn list(&mut self, change: Change) -> &mut Vec<Entry> {
        match change {
            Change::Comes => &mut self.comes,
            Change::Goes => &mut self.goes,
        }
    }
}

impl FeatureSink for Recorder<'_> {
    #[inline]
    fn feature(&mut self, feature: usize, owner: Color, change: Change) {
        self.list(change).push(Entry::new(feature, owner));
    }

    #[inline]
    fn king_piece(&mut self, relation: Relation, owner: Color, change: Change) {
        for feature in relation.features() {
            self.feature(feature, owner, change);
        }
    }

    #[inline]
    fn piece(&mut self, piece: Piece, square: Square, change: Change) {
        let sign = if change == Change::Comes { 1 } else { -1 };
        self.count(piece.kind(), piece.color(), sign);
        if let Some(logistic) = self.logistic {
            self.progress += i32::from(sign) * logistic.piece(piece, square);
        }
    }

    #[inline]
    fn hand(&mut self, color: Color, before: Hand, after: Hand) {
        for kind in Kind::HAND {
            self.count(kind, color, after.count(kind) as i8 - before.count(kind) as i8);
        }
        if let Some(logistic) = self.logistic {
            self.progress += logistic.hand(after) - logistic.hand(before);
        }
    }
}

/// What a gradient is taken of.
#[derive(Clone, Copy)]
pub struct GradientModel<'a> {
    /// The constants.
    pub config: &'a Config,
    /// The coefficients, [`COEFFICIENTS`] of them, in centipawns.
    pub weights: &'a [[f32; 2]],
    /// How progress is computed.
    pub progress: &'a ProgressModel,
    /// The three-piece patterns.
    pub patterns: &'a Arc<Patterns>,
    /// The same weights for play, where moves are compared after a search.
    pub leader: Option<&'a Linear>,
}

/// What was found over some games; sums of such sums do not depend on their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearGradient {
    /// By coefficient, in units of 1 / [`ONE`].
    pub sums: Vec<[i64; 2]>,
    /// The sum of T, in the same units.
    pub loss: i64,
    /// How many pairs of a move and the one played it has.
    pub siblings: u64,
    /// Record positions.
    pub positions: u64,
    /// Twice the positions where the move played looked best; ties count once.
    pub agreed: u64,
}

impl Default for LinearGradient {
    fn default() -> LinearGradient {
        let sums = vec![[0; 2]; COEFFICIENTS];
        LinearGradient { sums, loss: 0, siblings: 0, positions: 0, agreed: 0 }
    }
}

impl LinearGradient {
    /// Adds what was found over other games.
    pub fn add(&mut self, other: &LinearGradient) {
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            sum[0] += more[0];
            sum[1] += more[1];
        }
        self.loss += other.loss;
        self.siblings += other.siblings;
        self.positions += other.positions;
        self.agreed += other.agreed;
    }

    #[inline]
    fn spread(&mut self, entries: &[Entry], amounts: [i64; 2]) {
        for &entry in entries {
            let sum = &mut self.sums[entry.feature()];
            if entry.is_white() {
                sum[0] -= amounts[0];
                sum[1] -= amounts[1];
            } else {
                sum[0] += amounts[0];
                sum[1] += amounts[1];
            }
        }
    }

    /// Material counts in full, whatever the progress.
    #[inline]
    fn spread_material(&mut self, pieces: &Pieces, amount: i64) {
        for (sum, &count) in self.sums[FEATURES..].iter_mut().zip(pieces) {
            sum[0] += i64::from(count) * amount;
        }
    }
}

/// A position one move after a record position.
#[derive(Clone, Debug)]
struct Sibling {
    comes: Range<usize>,
    goes: Range<usize>,
    attacks: Range<usize>,
    /// What the move changes.
    pieces: Pieces,
    /// How much of the opening and of the endgame vector counts.
    factors: [f64; 2],
    /// Positional value for black.
    positional: f64,
    /// The whole value for the mover.
    value: f64,
    progress: f64,
    /// T (1 - T); 0 for the move played.
    share: f64,
}

impl Sibling {
    /// One too much better or worse than the move played for its features to matter.
    fn far(value: Score) -> Sibling {
        Sibling {
            comes: 0..0,
            goes: 0..0,
            attacks: 0..0,
            pieces: Pieces::default(),
            factors: [0.0; 2],
            positional: 0.0,
            value: f64::from(value),
            progress: 0.0,
            share: 0.0,
        }
    }
}

/// What all siblings have from the record position.
#[derive(Clone, Copy, Debug)]
struct Record {
    progress: f64,
    /// The sum that a learned progress is of.
    progress_sum: i32,
    common: Value,
    balances: Balances,
    /// 1 if black moves, else -1.
    mover: f64,
}

/// Material and positional value (opening, endgame) of some features, for black.
#[derive(Clone, Copy, Default, Debug)]
struct Value {
    material: f64,
    positional: [f64; 2],
}

impl Value {
    /// Adds features, in four chains that do not wait for one another.
    #[inline]
    fn add(&mut self, weights: &[[f32; 2]], entries: &[Entry], sign: f32) {
        let mut sums = [[0.0f32; 2]; 4];
        let one = |sum: &mut [f32; 2], entry: Entry| {
            let sign = if entry.is_white() { -sign } else { sign };
            let weight = weights[entry.feature()];
            *sum = [sum[0] + sign * weight[0], sum[1] + sign * weight[1]];
        };
        let fours = entries.chunks_exact(4);
        fours.remainder().iter().for_each(|&entry| one(&mut sums[0], entry));
        for four in fours {
            for (sum, &entry) in sums.iter_mut().zip(four) {
                one(sum, entry);
            }
        }
        for half in 0..2 {
            self.positional[half] += f64::from(sums.iter().map(|sum| sum[half]).sum::<f32>());
        }
    }

    #[inline]
    fn add_material(&mut self, weights: &[[f32; 2]], pieces: &Pieces) {
        for (weight, &count) in weights[FEATURES..].iter().zip(pieces) {
            self.material += f64::from(weight[0]) * f64::from(count);
        }
    }
}

/// Goes through games and sums up.
pub struct Collector<'a> {
    model: GradientModel<'a>,
    /// What was found.
    pub gradient: LinearGradient,
    probe: Tracker<Recorder<'a>>,
    base: Recorder<'a>,
    entries: Vec<Entry>,
    siblings: Vec<Sibling>,
    /// How far from the move played another may be and still count.
    reach: f64,
    /// Follows the record in learning with search.
    leader: Option<Linear>,
}

impl<'a> Collector<'a> {
    /// A collector that has seen nothing.
    pub fn new(model: GradientModel<'a>) -> Collector<'a> {
        Collector {
            model,
            gradient: LinearGradient::default(),
            probe: Tracker::new(Arc::clone(model.patterns), Recorder::new(model.progress)),
            base: Recorder::new(model.progress),
            entries: Vec::new(),
            siblings: Vec::new(),
            reach: reach(model.config),
            leader: model.leader.cloned(),
        }
    }

    /// Adds every position of a game.
    pub fn add_game(&mut self, game: &TrainingGame) {
        let mut position = game.start.clone();
        if let Some(leader) = &mut self.leader {
            leader.reset(&position);
        }
        for &played in &game.moves {
            if self.expand(&mut position, played, None) {
                self.weigh();
                self.differentiate(position.side_to_move());
                if self.model.config.constraint == Constraint::M1 {
                    self.hold_back();
                }
            }
            let change = position.play(played);
            if let Some(leader) = &mut self.leader {
                leader.push(&position, &change);
            }
        }
    }

    /// Counts how often each coefficient has a sample: the positions after the moves played.
    pub fn count_samples(&mut self, game: &TrainingGame, samples: &mut [[u64; 2]]) {
        let mut position = game.start.clone();
        for &played in &game.moves {
            if self.expand(&mut position, played, Some(1)) {
                let sibling = &self.siblings[0];
                let factors = sibling.factors;
                let mut count = |entries: &[Entry], comes: bool| {
                    for entry in entries {
                        for half in 0..2 {
                            if factors[half] > 0.0 {
                                let sample = &mut samples[entry.feature()][half];
                                *sample = if comes { *sample + 1 } else { *sample - 1 };
                            }
                        }
                    }
                };
                count(&self.base.comes, true);
                count(&self.base.goes, false);
                count(&self.entries[sibling.comes.clone()], true);
                count(&self.entries[sibling.attacks.clone()], true);
                count(&self.entries[sibling.goes.clone()], false);
                self.gradient.positions += 1;
            }
            position.play(played);
        }
    }

    /// Writes down the position after the move played, first, and up to `most` others. False if
    /// there is nothing to learn here.
    // Long: one pass over the moves of a position, which share what they look up.
    fn expand(&mut self, position: &mut Position, played: Move, most: Option<usize>) -> bool {
        if position.in_check() || position.gives_check(played) {
            return false;
        }
        let moves = position.legal_moves();
        if moves.len() < 2 {
            return false;
        }
        let GradientModel { weights, patterns, .. } = self.model;
        let mut recorder = core::mem::take(&mut self.base);
        recorder.clear();
        let mut base = Tracker::new(Arc::clone(patterns), recorder);
        base.set_up(position);
        let balances = line_features(position, &mut |_: usize, _: Color| ());
        balances.all(|feature, owner| base.changes.feature(feature, owner, Change::Comes));
        let mut common = Value::default();
        common.add(weights, &base.changes.comes, 1.0);
        common.add(weights, &base.changes.goes, -1.0);
        common.add_material(weights, &base.changes.pieces);
        let progress_sum = base.changes.progress;
        let record_progress = self.progress(position, progress_sum);
        let mover = if position.side_to_move() == Color::Black { 1.0 } else { -1.0 };
        self.entries.clear();
        self.siblings.clear();
        let others = moves.iter().copied().filter(|&other| other != played);
        let record = Record { progress: record_progress, progress_sum, common, balances, mover };
        let mut reference = None;
        for next in core::iter::once(played).chain(others).take(most.unwrap_or(usize::MAX)) {
            let line = match &mut self.leader {
                None => QuietLine::EMPTY,
                Some(leader) => match searched(position, leader, next, reference) {
                    (Some(line), value) => {
                        reference.get_or_insert((
                            value,
                            self.reach.min(f64::from(INFINITE)) as Score + 1,
                        ));
                        line
                    }
                    (None, _) if next == played => break,
                    (None, value) => {
                        self.siblings.push(Sibling::far(value));
                        continue;
                    }
                },
            };
            self.probe.follow(&base);
            self.probe.changes.clear();
            let mut plies = 0;
            for mv in core::iter::once(next).chain(line.moves()) {
                self.probe.advance(&position.play(mv));
                plies += 1;
            }
            if self.leader.is_some() || !position.in_check() {
                let sibling = self.write_down(position, record);
                self.siblings.push(sibling);
            }
            for _ in 0..plies {
                position.undo();
            }
        }
        self.base = base.changes;
        !self.siblings.is_empty()
    }

    /// The progress of the position on the board, 0 to 1. A learned one is given by its sum, which
    /// the recorders follow; to add it up anew for every sibling took a tenth of all the time.
    fn progress(&self, position: &Position, sum: i32) -> f64 {
        let progress = match self.model.progress {
            ProgressModel::HandMade => hand_made(position),
            ProgressModel::Learned(learned) => logistic(i32::from(learned.bias) + sum),
        };
        f64::from(progress) / f64::from(FULL)
    }

    /// The sibling on the board, its features at the end of the entries.
    fn write_down(&mut self, position: &Position, record: Record) -> Sibling {
        let GradientModel { config, weights, .. } = self.model;
        let Record { common, mover, .. } = record;
        let progress = self.progress(position, record.progress_sum + self.probe.changes.progress);
        let factors = factors(config, record.progress, progress);
        let Collector { entries, probe, .. } = self;
        let start = entries.len();
        let balances = line_features(position, &mut |feature: usize, owner: Color| {
            entries.push(Entry::new(feature, owner));
        });
        let attacks = start..entries.len();
        record.balances.changes(&balances, |feature, owner, change| {
            probe.changes.feature(feature, owner, change);
        });
        entries.extend_from_slice(&probe.changes.comes);
        let comes = attacks.end..entries.len();
        entries.extend_from_slice(&probe.changes.goes);
        let goes = comes.end..entries.len();
        let mut value = common;
        value.add(weights, &entries[comes.clone()], 1.0);
        value.add(weights, &entries[goes.clone()], -1.0);
        value.add(weights, &entries[attacks.clone()], 1.0);
        let pieces = probe.changes.pieces;
        value.add_material(weights, &pieces);
        let positional = factors[0] * value.positional[0] + factors[1] * value.positional[1];
        let mut value = mover * (value.material + positional);
        if self.leader.is_none() && !self.is_far_below(value) {
            let attacked = balances.attacked()[position.side_to_move().index()];
            value -= f64::from(maximum_exchange_within(position, attacked));
        }
        Sibling { comes, goes, attacks, pieces, factors, positional, value, progress, share: 0.0 }
    }

    /// Whether the value is so much worse than that of the move played that its share in the
    /// gradient is negligible; an exchange, which only takes away, need not be looked for then.
    fn is_far_below(&self, value: f64) -> bool {
        self.siblings.first().is_some_and(|played| value < played.value - self.reach)
    }

    /// Compares every sibling with the move played.
    fn weigh(&mut self) {
        let GradientModel { config, .. } = self.model;
        let Some((first, others)) = self.siblings.split_first_mut() else { return };
        let (mut better, mut equal) = (false, false);
        for sibling in others {
            let t = sigmoid((sibling.value - first.value) / config.k);
            sibling.share = t * (1.0 - t);
            if sibling.share < config.negligible {
                sibling.share = 0.0;
            }
            self.gradient.loss += fixed(t);
            self.gradient.siblings += 1;
            better |= sibling.value > first.value;
            equal |= sibling.value == first.value;
        }
        self.gradient.positions += 1;
        self.gradient.agreed += if better { 0 } else { 2 - u64::from(equal) };
    }

    /// Adds (l(p_g) - l(p_0)) T (1 - T).
    fn differentiate(&mut self, side: Color) {
        let mover = if side == Color::Black { 1.0 } else { -1.0 };
        let total: f64 = self.siblings.iter().map(|sibling| sibling.share).sum();
        let mut common = [0.0; 2];
        for (index, sibling) in self.siblings.iter().enumerate() {
            let share = if index == 0 { -total } else { sibling.share };
            if share == 0.0 {
                continue;
            }
            let amounts = sibling.factors.map(|factor| mover * share * factor);
            common = [common[0] + amounts[0], common[1] + amounts[1]];
            let amounts = amounts.map(fixed);
            self.gradient.spread(&self.entries[sibling.comes.clone()], amounts);
            self.gradient.spread(&self.entries[sibling.attacks.clone()], amounts);
            let goes = &self.entries[sibling.goes.clone()];
            self.gradient.spread(goes, amounts.map(core::ops::Neg::neg));
            self.gradient.spread_material(&sibling.pieces, fixed(mover * share));
        }
        // What all siblings have in common counts only where their factors differ.
        if self.model.config.variant == LearnedVariant::Mixed {
            let amounts = common.map(fixed);
            self.gradient.spread(&self.base.comes, amounts);
            self.gradient.spread(&self.base.goes, amounts.map(core::ops::Neg::neg));
        }
    }

    /// Adds M1 for the move played and every sibling that contributes.
    fn hold_back(&mut self) {
        let GradientModel { config, weights, .. } = self.model;
        // What the siblings' common features get, by the sign of the positional value.
        let mut common = [[0.0; 2]; 2];
        let Collector { gradient, entries, siblings, base, .. } = self;
        for (index, sibling) in siblings.iter().enumerate() {
            if index > 0 && sibling.share == 0.0 {
                continue;
            }
            let factor = m1_factor(config, sibling.positional, sibling.progress);
            if factor == 0.0 {
                continue;
            }
            let positive = sibling.positional > 0.0;
            let amounts = sibling.factors.map(|share| factor * share);
            let sum = &mut common[usize::from(positive)];
            *sum = [sum[0] + amounts[0], sum[1] + amounts[1]];
            for (range, sign) in
                [(&sibling.comes, 1.0), (&sibling.attacks, 1.0), (&sibling.goes, -1.0)]
            {
                let entries = &entries[range.clone()];
                shrink(gradient, weights, entries, amounts.map(|one| one * sign), positive);
            }
        }
        for positive in [false, true] {
            let amounts = common[usize::from(positive)];
            if amounts != [0.0; 2] {
                shrink(gradient, weights, &base.comes, amounts, positive);
                shrink(gradient, weights, &base.goes, amounts.map(|one| -one), positive);
            }
        }
    }
}

/// Pulls the coefficients that M1 concerns towards 0.
fn shrink(
    gradient: &mut LinearGradient,
    weights: &[[f32; 2]],
    entries: &[Entry],
    amounts: [f64; 2],
    positive: bool,
) {
    for &entry in entries {
        let feature = entry.feature();
        for half in 0..2 {
            let weight = f64::from(weights[feature][half]);
            let contribution = if entry.is_white() { -weight } else { weight };
            if m1_concerns(contribution, positive) {
                gradient.sums[feature][half] += fixed(amounts[half] * weight);
            }
        }
    }
}

/// The quiescence line after a move and its value for the mover; no line for a mate, or where the
/// value is further from the reference than it reaches.
fn searched(
    position: &mut Position,
    leader: &mut Linear,
    next: Move,
    reference: Option<(Score, Score)>,
) -> (Option<QuietLine>, Score) {
    let (low, high) = match reference {
        Some((value, reach)) => (-value - reach, -value + reach),
        None => (-INFINITE, INFINITE),
    };
    let mut line = QuietLine::EMPTY;
    let change = position.play(next);
    leader.push(position, &change);
    let value = quiescence(position, leader, low, high, 0, &mut line);
    leader.pop();
    position.undo();
    let counts = value.abs() <= EVAL_LIMIT && low < value && value < high;
    (counts.then_some(line), -value)
}

/// From this difference on, a move's share in the gradient is negligible.
fn reach(config: &Config) -> f64 {
    -config.k * libm::log(config.negligible.max(1e-12))
}

/// T.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// How much of either vector counts for a position.
fn factors(config: &Config, record_progress: f64, progress: f64) -> [f64; 2] {
    match config.variant {
        LearnedVariant::Single => [1.0, 0.0],
        LearnedVariant::Split if record_progress < config.q => [1.0, 0.0],
        LearnedVariant::Split => [0.0, 1.0],
        LearnedVariant::Mixed => [1.0 - progress, progress],
    }
}
