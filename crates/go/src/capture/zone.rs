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

mod closure;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use yomikiri_proof::game::{ProofGame, Role};

use super::game::{CaptureGame, Ko};
use super::zone_table::{Ground, Pattern, ZoneTable};
use crate::board::{Block, Colour, Move, Point, PointSet};

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

/// Patterns that a new position is compared with, the newest first.
const LOOKED_AT: usize = 4_000;

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
