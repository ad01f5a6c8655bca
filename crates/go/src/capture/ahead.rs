//! A look at the node behind a move, before it is visited.
//!
//! Most children of a capture search end at once: the target can be taken, or it has, or gets by
//! one move of the defender, as many liberties as the limit. Others end soon: in a ladder
//! (`ladder.rs`), or because the attacker has no move that keeps the defender from the limit. With
//! zones such a child is settled when its parent is expanded, and never becomes a node.

use yomikiri_proof::game::{Ahead, Coverage, NodeIdentity, ProofGame, Role};
use yomikiri_proof::number::Number;

use super::game::CaptureGame;
use super::zone_table::Ground;
use crate::board::{Board, Move, Point, PointSet};
use crate::candidates::{Levels, OUTSIDE, levels};

/// The defender's extensions at one position.
#[derive(Clone, Debug, Default)]
pub(super) struct Extensions {
    /// The stones of the position.
    key: u64,
    /// Each liberty of the target, and the liberties that a stone of the defender leaves there.
    list: Vec<(Point, PointSet)>,
}

impl Extensions {
    /// The most liberties that one of them leaves if the attacker has a stone on `point` first.
    pub(super) fn best_without(&self, point: Option<Point>) -> u32 {
        let others = self.list.iter().filter(|(liberty, _)| Some(*liberty) != point);
        let left = others.map(|(_, left)| {
            left.len() - u32::from(point.is_some_and(|point| left.contains(point)))
        });
        left.max().unwrap_or(0)
    }

    /// The points on which a stone of the attacker takes away from one of them, each with what it
    /// leaves of the best.
    fn stoppers(&self) -> impl Iterator<Item = (Point, u32)> {
        let points = self.list.iter().map(|(point, left)| PointSet::of(*point) | *left);
        let all = points.fold(PointSet::EMPTY, |all, points| all | points);
        let points: Vec<Point> = all.iter().collect();
        points.into_iter().map(|point| (point, self.best_without(Some(point))))
    }
}

impl CaptureGame {
    /// See [`ProofGame::look_ahead`]: the result behind a move, if it is plain, a ladder or an
    /// escape that cannot be stopped; or better first numbers.
    pub(super) fn behind(&mut self, m: Move) -> Option<Ahead<()>> {
        if let Some(captured) = self.plain_result(m) {
            return Some(settled(captured, 0));
        }
        let liberties = self.liberties_after(m);
        match self.role() {
            Role::Attacker if liberties == 1 => self.ladder_after(m).map(captured_in),
            Role::Attacker if liberties == 2 => {
                let (threat, level) = (self.threatens_ladder(m), self.level(m));
                Some(Ahead { number: self.by_threat(threat, level), least: 0, stock: () })
            }
            Role::Defender if liberties == 2 => self.ladder_despite(m).map(captured_in),
            Role::Defender if liberties > 2 => self.escapes_after(m).then(|| settled(false, 0)),
            Role::Attacker | Role::Defender => None,
        }
    }

    /// Whether the attacker's move has a ladder behind it unless the defender does something.
    fn threatens_ladder(&mut self, m: Move) -> bool {
        let key = self.peek(m).board;
        self.ladder_read(key).unwrap_or_else(|| {
            self.play(m);
            let found = self.ladder_after(Move::PASS).is_some();
            self.undo(m);
            self.note_ladder(key, found);
            found
        })
    }

    /// The ladder behind a defender's move. What leaves alone the ladder behind a pass does not
    /// stop it (rule 6); and where there is none, a move rarely makes one.
    fn ladder_despite(&mut self, m: Move) -> Option<Ground> {
        let before = self.board().block(self.target())?.liberty_count();
        if before == 2 && m != Move::PASS {
            let passed = self.ladder_after(Move::PASS)?;
            if !self.changes(m, &passed.zone) {
                self.note_behind(m, Role::Attacker, passed);
                return Some(passed);
            }
        } else if before > 2 {
            return None;
        }
        self.ladder_after(m)
    }

    /// Whether the target escapes behind a defender's move, whatever the attacker does.
    fn escapes_after(&mut self, m: Move) -> bool {
        let key = self.peek(m).board;
        if let Some(read) = self.ladder_read(key) {
            return read;
        }
        self.play(m);
        let escapes = self.reading(CaptureGame::cannot_be_stopped);
        self.undo(m);
        self.note_ladder(key, escapes);
        escapes
    }

    /// With the attacker to move: whether after each of its moves the defender reaches the limit at
    /// once.
    fn cannot_be_stopped(&mut self) -> bool {
        let Some(limit) = self.rules().give_up else { return false };
        if self.extensions().stoppers().any(|(_, room)| room < limit) {
            return false;
        }
        let near: PointSet = self.extensions().stoppers().map(|(point, _)| point).collect();
        let mut next: Vec<Move> = self.legal(Some(near)).iter().map(Move::from).collect();
        let mut refuted: Vec<(Move, NodeIdentity<()>)> = Vec::new();
        loop {
            for m in next {
                if self.plain_result(m) != Some(false) {
                    return false;
                }
                refuted.push((m, self.peek(m)));
            }
            let mut left = Vec::new();
            match self.close(&refuted, &mut left) {
                Coverage::BySome => return true,
                Coverage::Open if !left.is_empty() => {}
                Coverage::Open | Coverage::ByAll => return false,
            }
            next = left.iter().map(|candidate| candidate.play).collect();
        }
    }

    /// The ladder behind a move, if there is one.
    fn ladder_after(&mut self, m: Move) -> Option<Ground> {
        let key = self.peek(m).board;
        let read = self.ladder_read(key);
        if read == Some(false) {
            return None;
        }
        if let Some(ground) = self.known(key, Role::Attacker).filter(|_| read.is_some()) {
            return Some(ground);
        }
        self.play(m);
        let found = self.ladder();
        self.undo(m);
        found
    }

    /// Whether the target is captured behind a move, if that is plain.
    fn plain_result(&mut self, m: Move) -> Option<bool> {
        let limit = self.rules().give_up;
        let reached = |liberties: u32| limit.is_some_and(|limit| liberties >= limit);
        let promising = match self.role() {
            Role::Attacker => reached(self.extensions().best_without(m.point())),
            Role::Defender => {
                let liberties = self.liberties_after(m);
                liberties == 1 || reached(liberties)
            }
        };
        if !promising {
            return None;
        }
        self.play(m);
        let captured = self.plainly_captured();
        self.undo(m);
        captured
    }

    /// Whether the present position ends at once, by the capture or by the liberty limit; notes its
    /// zone.
    pub(super) fn plainly_captured(&mut self) -> Option<bool> {
        let liberties = self.board().block(self.target())?.liberty_count();
        if self.role() == Role::Attacker && liberties == 1 && self.capture_now().is_some() {
            self.note_settled(true);
            return Some(true);
        }
        let limit = self.rules().give_up?;
        if liberties >= limit {
            self.note_settled(false);
            return Some(false);
        }
        if self.role() == Role::Defender && self.zones().is_some() {
            let escape = self.escape_to(limit)?;
            self.note_escape(escape);
            return Some(false);
        }
        None
    }

    /// A move by which the defender, who is to move, reaches the limit.
    fn escape_to(&mut self, limit: u32) -> Option<Point> {
        let block = self.board().block(self.target())?;
        let mut points = *block.liberties();
        for enemy in self
            .board()
            .blocks_touching(self.colour_of(Role::Attacker), block.stones().neighbours())
        {
            if enemy.liberty_count() == 1 {
                points |= *enemy.liberties();
            }
        }
        let reaches = |point: &Point| self.liberties_after((*point).into()) >= limit;
        let far: PointSet = points.iter().filter(reaches).collect();
        if far.is_empty() { None } else { self.legal(Some(far)).first() }
    }

    /// The defender's extensions in the present position.
    pub(super) fn extensions(&mut self) -> &Extensions {
        let key = self.board().stones_key();
        if self.extensions.key != key {
            let list = extensions(self.board(), self.target());
            self.extensions = Extensions { key, list };
        }
        &self.extensions
    }
}

/// The threat levels at one position.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelsAt {
    key: u64,
    levels: Option<Levels>,
}

impl CaptureGame {
    /// The threat level of a move in the present position.
    fn level(&mut self, m: Move) -> u32 {
        let key = self.board().stones_key();
        if self.levels_at.key != key || self.levels_at.levels.is_none() {
            self.levels_at = LevelsAt { key, levels: Some(levels(self.board(), self.target())) };
        }
        let of = |levels: &Levels| m.point().map_or(OUTSIDE, |point| levels.of(point));
        self.levels_at.levels.as_ref().map_or(OUTSIDE, of)
    }
}

fn settled(captured: bool, length: u16) -> Ahead<()> {
    let number = if captured { Number::PROVEN } else { Number::DISPROVEN };
    Ahead { number, least: length, stock: () }
}

fn captured_in(ground: Ground) -> Ahead<()> {
    settled(true, ground.length)
}

fn extensions(board: &Board, target: Point) -> Vec<(Point, PointSet)> {
    let (Some(owner), Some(block)) = (board.stone(target), board.block(target)) else {
        return Vec::new();
    };
    let left = |point: Point| {
        let mut stones = *block.stones();
        stones.insert(point);
        for friend in board.blocks_touching(owner, PointSet::of(point).neighbours()) {
            stones |= *friend.stones();
        }
        let open = *board.empty() | board.captured_by(owner, point);
        (point, (stones.neighbours() & open).minus(&stones))
    };
    block.liberties().iter().map(left).collect()
}
