//! What each group of features gives, for people who want to know why.

use super::{
    Change, FULL, FeatureSink, Group, LinearWeights, Relation, SCALE, Tracker, attack_features,
    maximum_exchange,
};
use crate::material::signed;
use core::fmt;
use std::sync::Arc;
use yomikiri_shogi::{Color, Hand, Kind, Piece, Position, Square};

/// An evaluation taken apart; centipawns for black.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// Material.
    pub material: f64,
    /// Every group with its opening and endgame value.
    pub groups: Vec<(Group, [f64; 2])>,
    /// 0 to 1.
    pub progress: f64,
    /// What the side to move can win at once, which static use adds and play leaves to search.
    pub exchange: f64,
}

impl Explanation {
    /// A group's value at this progress.
    pub fn blended(&self, pair: [f64; 2]) -> f64 {
        (1.0 - self.progress) * pair[0] + self.progress * pair[1]
    }

    /// The whole value for black, without the exchange.
    pub fn total(&self) -> f64 {
        self.material + self.groups.iter().map(|&(_, pair)| self.blended(pair)).sum::<f64>()
    }
}

impl fmt::Display for Explanation {
    /// A table of the groups, and what else counts; centipawns for black.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<12} {:>9} {:>9} {:>9}", "", "opening", "endgame", "now")?;
        let mut line = |name: &str, opening: f64, endgame: f64, now: f64| {
            writeln!(f, "{name:<12} {opening:>9.1} {endgame:>9.1} {now:>9.1}")
        };
        line("material", self.material, self.material, self.material)?;
        let mut sums = [self.material; 2];
        for &(group, pair) in &self.groups {
            line(group.name(), pair[0], pair[1], self.blended(pair))?;
            sums = [sums[0] + pair[0], sums[1] + pair[1]];
        }
        line("total", sums[0], sums[1], self.total())?;
        writeln!(f, "progress {:.3}", self.progress)?;
        let exchange = self.exchange;
        writeln!(
            f,
            "exchange {exchange:.0} (what the side to move can win at once; search takes its place)"
        )
    }
}

struct Parts<'a> {
    weights: &'a LinearWeights,
    sums: [[i32; 2]; Group::ALL.len()],
    material: i32,
}

impl Parts<'_> {
    fn add(&mut self, feature: usize, positive: bool) {
        if let Some(group) = Group::of(feature) {
            let sign = if positive { 1 } else { -1 };
            let pair = self.weights.pairs[feature];
            let sum = &mut self.sums[group as usize];
            *sum = [sum[0] + sign * i32::from(pair[0]), sum[1] + sign * i32::from(pair[1])];
        }
    }
}

impl FeatureSink for Parts<'_> {
    fn feature(&mut self, feature: usize, owner: Color, change: Change) {
        self.add(feature, (owner == Color::Black) == (change == Change::Comes));
    }

    fn king_piece(&mut self, relation: Relation, owner: Color, change: Change) {
        for feature in relation.features() {
            self.feature(feature, owner, change);
        }
    }

    fn piece(&mut self, piece: Piece, _: Square, change: Change) {
        let value = i32::from(self.weights.material[piece.kind().index()]);
        let sign = if change == Change::Comes { 1 } else { -1 };
        self.material += sign * signed(piece.color(), value);
    }

    fn hand(&mut self, color: Color, before: Hand, after: Hand) {
        for kind in Kind::HAND {
            let more = i32::from(after.count(kind)) - i32::from(before.count(kind));
            let value = i32::from(self.weights.material[kind.index()]);
            self.material += signed(color, value * more);
        }
    }
}

/// Takes the evaluation of a position apart.
pub fn explain(position: &Position, weights: &LinearWeights) -> Explanation {
    let parts = Parts { weights, sums: [[0; 2]; Group::ALL.len()], material: 0 };
    let mut tracker = Tracker::new(Arc::clone(&weights.patterns), parts);
    tracker.set_up(position);
    let parts = &mut tracker.changes;
    attack_features(position, &mut |feature: usize, owner: Color| {
        parts.add(feature, owner == Color::Black);
    });
    let centipawns = |sum: i32| f64::from(sum) / f64::from(SCALE);
    let groups = Group::ALL.map(|group| (group, parts.sums[group as usize].map(centipawns)));
    Explanation {
        material: f64::from(parts.material),
        groups: groups.to_vec(),
        progress: f64::from(weights.progress.of(position)) / f64::from(FULL),
        exchange: f64::from(signed(position.side_to_move(), maximum_exchange(position))),
    }
}
