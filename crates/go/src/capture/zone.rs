//! Relevance zones: what a refutation rests on, and which moves it therefore answers.
//!
//! A zone of a solved position is a set of points: on every board that has the same stones there,
//! with the same side to move, the same side wins. A move that changes no point of the zone of the
//! position behind another move has the same refutation as that one. After Shih et al. (2022),
//! with rules of our own for captures, suicide, ko and the liberty limit; the argument is in
//! `docs/decisions/0006-relevance-zones.md`, and the rules below carry its numbers.
//!
//! In short, for the loser to move (Z is the zone under construction):
//!
//! * the defender's pass must be refuted; Z begins with the zone of that refutation. An attacker
//!   who plays where nothing changes is answered by a pass, and Z begins with the target;
//! * every block of the winner that meets Z lies in Z, with two of its liberties (one, if it has
//!   no more), so that no move outside takes it;
//! * for every empty point of Z: the zone of the refutation of a stone there, with all that it
//!   takes; if a stone there is not legal, what makes it illegal.
//!
//! For the winner to move: the zone behind its move, the neighbours of the point, and of every
//! block of the loser that touches it all (if it is taken) or one liberty that stays.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use yomikiri_proof::game::{Candidate, Coverage, Identity, ProofGame, Role};

use super::game::{CaptureGame, Ko};
use super::zone_table::{Ground, Pattern, ZoneTable};
use crate::board::{Block, Colour, Move, Point, PointSet};
use crate::candidates::{OUTSIDE, levels};

/// The zones that the copies of a game share.
#[derive(Clone, Debug, Default)]
pub(super) struct Zones {
    memory: Arc<Mutex<ZoneTable>>,
    /// The zones behind refuted moves that change nothing in them, at the node last asked about.
    idle: Vec<Ground>,
    /// Whether a look ahead is under way: its positions are soon read again, and are no patterns.
    reading: bool,
}

impl Zones {
    fn put(&self, key: u64, family: u64, pattern: Pattern) {
        if self.reading {
            self.memory().put_copy(key, pattern.winner, pattern.ground);
        } else {
            self.memory().put(key, family, pattern);
        }
    }

    fn memory(&self) -> MutexGuard<'_, ZoneTable> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: u64, winner: Role) -> Option<Ground> {
        self.memory().get(key, winner)
    }
}

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

/// Patterns that a new position is compared with, the newest first.
const LOOKED_AT: usize = 4_000;

type Refuted<'a> = &'a [(Move, Identity<()>)];

impl CaptureGame {
    /// The target's block with all its neighbours.
    fn target_and_neighbours(&self) -> PointSet {
        self.board().block(self.target()).map_or(PointSet::EMPTY, |block| self.around(block))
    }

    /// The points of the board.
    fn on_board(&self) -> PointSet {
        let board = self.board();
        *board.empty() | *board.stones(Colour::Black) | *board.stones(Colour::White)
    }

    fn around(&self, block: &Block) -> PointSet {
        block.stones().dilated() & self.on_board()
    }

    /// What every zone of a position that this side wins has: the attacker must know that the
    /// liberty limit is not reached.
    fn ground(&self, winner: Role) -> PointSet {
        match winner {
            Role::Attacker => self.target_and_neighbours(),
            Role::Defender => PointSet::of(self.target()),
        }
    }

    /// Notes what the present position, which `winner` wins, rests on.
    fn note(&self, winner: Role, ground: Ground) {
        if let Some(zones) = self.zones() {
            zones.put(self.board_key(), self.family(), self.pattern(winner, ground));
        }
    }

    /// The same for a position that needs no search: as a pattern it would help nobody.
    fn note_plain(&self, winner: Role, ground: Ground) {
        if let Some(zones) = self.zones() {
            zones.memory().put_copy(self.board_key(), winner, ground);
        }
    }

    fn pattern(&self, winner: Role, ground: Ground) -> Pattern {
        let stones = Colour::BOTH.map(|colour| *self.board().stones(colour) & ground.zone);
        Pattern { winner, stones, ground }
    }

    /// What positions have in common that are compared: the target's block, who is to move, and
    /// the point that ko forbids.
    fn family(&self) -> u64 {
        let block = self.board().block(self.target()).map_or(0, Block::key);
        self.family_key(block)
    }

    /// Whether a position solved before has the same stones in its zone: then it answers for this
    /// one. Says who wins, in how many plies, and by which move.
    pub(super) fn known_pattern(&self, most: usize) -> Option<(Role, Ground)> {
        let zones = self.zones()?;
        let stones = Colour::BOTH.map(|colour| *self.board().stones(colour));
        let memory = zones.memory();
        let found = memory.find(self.family(), &stones, most)?;
        Some((found.winner, found.ground))
    }

    /// What the search knows of the present position, by its key or by a pattern: the move of the
    /// side to move, if that side wins.
    pub(super) fn known_win(&self) -> Option<Move> {
        let by_key = self.zones()?.get(self.board_key(), self.role());
        let by_pattern = || {
            let found = self.known_pattern(usize::MAX);
            found.filter(|(winner, _)| *winner == self.role()).map(|(_, ground)| ground)
        };
        by_key.or_else(by_pattern)?.best
    }

    /// What the position with this key rests on, if it is known that this side wins it.
    pub(super) fn known(&self, key: u64, winner: Role) -> Option<Ground> {
        self.zones()?.get(key, winner)
    }

    /// Looks ahead, and keeps what it finds by key alone.
    pub(super) fn reading<T>(&mut self, read: impl FnOnce(&mut CaptureGame) -> T) -> T {
        let set = |game: &mut CaptureGame, reading: bool| {
            game.zones_mut().as_mut().map(|zones| std::mem::replace(&mut zones.reading, reading))
        };
        let before = set(self, true);
        let found = read(self);
        set(self, before.unwrap_or(false));
        found
    }

    /// Whether a ladder was found at a position where one was looked for.
    pub(super) fn ladder_read(&self, key: u64) -> Option<bool> {
        self.zones()?.memory().ladder(key)
    }

    pub(super) fn note_ladder(&self, key: u64, found: bool) {
        if let Some(zones) = self.zones() {
            zones.memory().note_ladder(key, found);
        }
    }

    /// Notes that a position behind a move rests on what another rests on: the move changes nothing
    /// there (rule 6).
    pub(super) fn note_behind(&mut self, m: Move, winner: Role, ground: Ground) {
        let child = self.peek(m).board;
        if let Some(zones) = self.zones() {
            zones.memory().put_copy(child, winner, ground);
        }
    }

    /// Settles the present position by a pattern, and notes that.
    pub(super) fn settle_by_pattern(&self) -> Option<(Role, u16)> {
        let (winner, ground) = self.known_pattern(LOOKED_AT)?;
        self.zones()?.memory().put_copy(self.board_key(), winner, ground);
        Some((winner, ground.length))
    }

    /// Notes the zone of a position that needs no search.
    pub(super) fn note_settled(&self, captured: bool) {
        if self.zones().is_none() {
            return;
        }
        let Some(block) = self.board().block(self.target()) else { return };
        if captured {
            let mut zone = self.target_and_neighbours();
            if self.rules().ko == Ko::AttackerYields
                && let Some(last) = block.liberties().first()
            {
                // Whether the capture is one in a ko rests on the points around, and on what else
                // is taken.
                zone |= PointSet::of(last).dilated() & self.on_board();
                self.add_effects(last, Role::Attacker, &mut zone);
            }
            self.note_plain(Role::Attacker, Ground { zone, length: 1, best: self.capture_now() });
        } else if let Some(ground) = self.given_up() {
            self.note_plain(Role::Defender, ground);
        }
    }

    /// What a target at the liberty limit rests on.
    fn given_up(&self) -> Option<Ground> {
        let block = self.board().block(self.target())?;
        let most = self.rules().give_up?;
        let enough: PointSet = block.liberties().iter().take(most as usize).collect();
        Some(Ground { zone: *block.stones() | enough, length: 0, best: None })
    }

    /// Notes the zone of a position in which the defender reaches the liberty limit by a stone.
    pub(super) fn note_escape(&mut self, point: Point) {
        self.play(point.into());
        let behind = self.given_up();
        self.undo(point.into());
        if let Some(behind) = behind {
            let ground = self.won_by(point.into(), behind);
            self.note_plain(Role::Defender, ground);
        }
    }

    /// Notes the zone of a position that the side to move wins by `m`.
    pub(super) fn note_win_by(&mut self, m: Move) {
        let (winner, child) = (self.role(), self.peek(m).board);
        let Some(zones) = self.zones() else { return };
        if let Some(behind) = zones.get(child, winner) {
            let ground = self.won_by(m, behind);
            self.note(winner, ground);
        }
    }

    /// What a position rests on that the side to move wins by `m`, after what the one behind it
    /// rests on.
    fn won_by(&self, m: Move, behind: Ground) -> Ground {
        let winner = self.role();
        let mut zone = behind.zone | self.ground(winner);
        if let Some(point) = m.point() {
            zone |= PointSet::of(point).dilated() & self.on_board();
            self.add_effects(point, winner, &mut zone);
        }
        Ground { zone, length: behind.length + 1, best: Some(m) }
    }

    /// Adds what decides the legality and the captures of the winner's stone on `point`.
    fn add_effects(&self, point: Point, winner: Role, zone: &mut PointSet) {
        let board = self.board();
        let own = self.colour_of(winner);
        let beside = PointSet::of(point).neighbours();
        let mut takes = false;
        for block in board.blocks_touching(own.other(), beside) {
            if block.liberty_count() == 1 {
                takes = true;
                *zone |= self.around(block);
            } else {
                keep_liberty(block, point, zone);
            }
        }
        if !takes && !beside.meets(board.empty()) {
            let alive = board.blocks_touching(own, beside).find(|block| block.liberty_count() > 1);
            if let Some(block) = alive {
                keep_liberty(block, point, zone);
            }
        }
    }

    /// See [`ProofGame::unanswered`].
    pub(super) fn close(
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
    pub(super) fn is_answered(&self, m: Move) -> bool {
        let answers = |ground: &Ground| !self.changes(m, &ground.zone);
        self.zones().is_some_and(|zones| zones.idle.iter().any(answers))
    }

    /// Whether the move changes a point of the zone.
    pub(super) fn changes(&self, m: Move, zone: &PointSet) -> bool {
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

/// Takes the block into the zone with a liberty other than `point`, one of the zone if there is.
fn keep_liberty(block: &Block, point: Point, zone: &mut PointSet) {
    let mut others = *block.liberties();
    others.remove(point);
    *zone |= *block.stones();
    if !others.meets(zone)
        && let Some(liberty) = others.first()
    {
        zone.insert(liberty);
    }
}
