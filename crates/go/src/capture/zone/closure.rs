//! The zone of a node where the mover has lost: closed under the rules for the loser to move, or
//! the moves that are still to be refuted.

use yomikiri_proof::game::{Candidate, Coverage, NodeIdentity, ProofGame, Role};

use super::{Ground, Zones};
use crate::board::{Colour, Move, Point, PointSet};
use crate::candidates::{OUTSIDE, levels};
use crate::capture::game::CaptureGame;

/// A zone under construction for a node where the mover has lost.
struct Closure {
    zone: PointSet,
    /// The longest of the refutations, in plies.
    length: u16,
    /// Empty points of the zone that have been looked at.
    done: PointSet,
    /// Moves in the zone that nothing answers yet.
    left: Vec<Point>,
    /// Whether a refutation rests on the whole board.
    whole: bool,
}

/// A length above that of every proof, for one whose length is forgotten.
const FORGOTTEN: u16 = 1_000;

type Refuted<'a> = &'a [(Move, NodeIdentity<()>)];

impl CaptureGame {
    /// See [`ProofGame::unanswered`].
    pub(in crate::capture) fn close(
        &mut self,
        refuted: Refuted<'_>,
        out: &mut Vec<Candidate<Move>>,
    ) -> Coverage {
        let winner = self.role().other();
        let Some(mut zones) = self.zones_mut().take() else { return Coverage::Open };
        zones.idle = self.idle_zones(refuted, winner, &zones);
        let coverage = match self.seed(&zones, refuted) {
            None => Coverage::Open,
            Some(seed) => {
                let closure = self.closure(seed, refuted, &zones);
                self.judge_closure(closure, refuted, &zones, out)
            }
        };
        *self.zones_mut() = Some(zones);
        coverage
    }

    /// Whether a refutation at hand answers a stone or a pass.
    pub(in crate::capture) fn is_answered(&self, m: Move) -> bool {
        let answers = |ground: &Ground| !self.changes(m, &ground.zone);
        self.zones().is_some_and(|zones| zones.idle.iter().any(answers))
    }

    /// Whether the move changes a point of the zone.
    pub(in crate::capture) fn changes(&self, m: Move, zone: &PointSet) -> bool {
        m.point().is_some_and(|point| {
            let taken = self.board().captured_by(self.colour_of(self.role()), point);
            zone.contains(point) || zone.meets(&taken)
        })
    }

    /// The zones behind refuted moves that do not touch them.
    fn idle_zones(&mut self, refuted: Refuted<'_>, winner: Role, zones: &Zones) -> Vec<Ground> {
        let behind = refuted.iter().filter_map(|&(m, node)| {
            let ground = zones.get(node.board, winner)?;
            (!self.changes(m, &ground.zone)).then_some(ground)
        });
        let mut idle: Vec<Ground> = behind.collect();
        idle.sort_by_key(|ground| ground.zone.len());
        idle
    }

    /// Where the zone of this node begins. `None`: the defender's pass is not refuted yet.
    fn seed(&self, zones: &Zones, refuted: Refuted<'_>) -> Option<(PointSet, u16)> {
        if self.role() == Role::Attacker {
            return Some((self.ground(Role::Defender), 0));
        }
        if self.narrowed().is_some() {
            return Some((self.ground(Role::Attacker), 1));
        }
        let pass = refuted.iter().find(|(m, _)| m.point().is_none());
        let behind = pass.and_then(|(_, node)| zones.get(node.board, Role::Attacker));
        let behind = behind.or_else(|| zones.idle.first().copied());
        let whole = || Ground { zone: self.on_board(), length: FORGOTTEN, best: None };
        let behind = behind.or_else(|| pass.map(|_| whole()))?;
        Some((behind.zone | self.ground(Role::Attacker), behind.length))
    }

    fn closure(&mut self, seed: (PointSet, u16), refuted: Refuted<'_>, zones: &Zones) -> Closure {
        let (zone, length) = seed;
        let (done, left) = (PointSet::EMPTY, Vec::new());
        let mut closure = Closure { zone, length, done, left, whole: false };
        let escapes = self.narrowed().map(|last| self.escapes(last));
        loop {
            self.protect(&mut closure.zone);
            let next = (closure.zone & *self.board().empty()).minus(&closure.done);
            if next.is_empty() || closure.whole {
                return closure;
            }
            for point in next.iter() {
                closure.done.insert(point);
                let pointless = escapes.is_some_and(|escapes| !escapes.contains(point));
                self.look_at(point, pointless, refuted, zones, &mut closure);
            }
        }
    }

    /// Takes the winner's blocks that meet the zone into it, with two liberties each.
    fn protect(&self, zone: &mut PointSet) {
        let winner = self.colour_of(self.role().other());
        for block in self.board().blocks_touching(winner, *zone) {
            *zone |= *block.stones();
            let inside = (*block.liberties() & *zone).len();
            let more = 2u32.min(block.liberty_count()).saturating_sub(inside);
            for liberty in block.liberties().minus(zone).iter().take(more as usize) {
                zone.insert(liberty);
            }
        }
    }

    /// Adds what a stone of the loser on a point of the zone rests on. `pointless`: it does not
    /// save a target in atari.
    fn look_at(
        &mut self,
        point: Point,
        pointless: bool,
        refuted: Refuted<'_>,
        zones: &Zones,
        closure: &mut Closure,
    ) {
        let colour = self.colour_of(self.role());
        let beside = PointSet::of(point).dilated() & self.on_board();
        if self.yields() && self.board().ko_capture(colour, point).is_some() {
            closure.zone |= beside | self.taken_with_neighbours(colour, point);
            return;
        }
        if self.board().ko() == Some(point) {
            return;
        }
        if !self.board().leaves_liberty(colour, point) {
            closure.zone |= beside;
            let own: Vec<PointSet> = self
                .board()
                .blocks_touching(colour, beside)
                .map(|block| self.around(block))
                .collect();
            own.iter().for_each(|around| closure.zone |= *around);
            return;
        }
        let taken = self.taken_with_neighbours(colour, point);
        if !taken.is_empty() {
            closure.zone |= taken | beside;
        }
        if !pointless {
            self.add_refutation(point, refuted, zones, closure);
        }
    }

    fn add_refutation(
        &mut self,
        point: Point,
        refuted: Refuted<'_>,
        zones: &Zones,
        closure: &mut Closure,
    ) {
        let m = Move::from(point);
        let child = refuted.iter().find(|(play, _)| *play == m);
        let winner = self.role().other();
        let its_own = child.and_then(|(_, node)| zones.get(node.board, winner));
        let answers = |ground: &&Ground| !self.changes(m, &ground.zone);
        let idle = || {
            let inside = |ground: &&Ground| ground.zone.minus(&closure.zone).is_empty();
            let mut fitting = zones.idle.iter().filter(answers);
            fitting.clone().find(inside).or_else(|| fitting.next()).copied()
        };
        match its_own.or_else(idle) {
            Some(ground) => {
                closure.zone |= ground.zone;
                closure.length = closure.length.max(ground.length);
            }
            None if child.is_some() => closure.whole = true,
            None => closure.left.push(point),
        }
    }

    /// The stones that a move takes, with all their neighbours.
    fn taken_with_neighbours(&self, colour: Colour, point: Point) -> PointSet {
        self.board().captured_by(colour, point).dilated() & self.on_board()
    }

    /// What the closure says of the node; notes its zone if it holds.
    fn judge_closure(
        &mut self,
        mut closure: Closure,
        refuted: Refuted<'_>,
        zones: &Zones,
        out: &mut Vec<Candidate<Move>>,
    ) -> Coverage {
        let winner = self.role().other();
        // A pass in answer to a stone elsewhere lifts a ko, so the point must not matter.
        let lifted = |game: &CaptureGame, zone: &PointSet| {
            game.role() == Role::Attacker
                && !game.yields()
                && game.board().ko().is_some_and(|ko| zone.contains(ko))
        };
        if !closure.whole && closure.left.is_empty() && lifted(self, &closure.zone) {
            match zones.idle.first() {
                Some(&idle) => {
                    let seed = idle.zone | self.ground(Role::Defender);
                    closure = self.closure((seed, idle.length), refuted, zones);
                }
                None => return self.ask_for_one_more(&closure.zone, refuted, out),
            }
        }
        if closure.whole {
            let legal = self.legal(None);
            let known: PointSet = refuted.iter().filter_map(|(m, _)| m.point()).collect();
            closure.left = legal.minus(&known).iter().collect();
            if closure.left.is_empty() {
                return Coverage::ByAll;
            }
        }
        if !closure.left.is_empty() {
            let levels = levels(self.board(), self.target());
            for &point in &closure.left {
                out.push(self.candidate(point.into(), levels.of(point)));
            }
            return Coverage::Open;
        }
        let ground = Ground {
            zone: closure.zone | self.ground(winner),
            length: closure.length + 1,
            best: None,
        };
        zones.put(self.board_key(), self.family(), self.pattern(winner, ground));
        Coverage::BySome
    }

    /// One more move, far from the zone, that may show what happens if the attacker waits.
    fn ask_for_one_more(
        &mut self,
        zone: &PointSet,
        refuted: Refuted<'_>,
        out: &mut Vec<Candidate<Move>>,
    ) -> Coverage {
        let known: PointSet = refuted.iter().filter_map(|(m, _)| m.point()).collect();
        let legal = self.legal(None).minus(&known);
        let target = self.target();
        let distance = |point: &Point| {
            let far = point.column().abs_diff(target.column()) + point.row().abs_diff(target.row());
            (!zone.contains(*point), far)
        };
        match legal.iter().max_by_key(distance) {
            None => Coverage::ByAll,
            Some(point) => {
                out.push(self.candidate(point.into(), OUTSIDE));
                Coverage::Open
            }
        }
    }
}
