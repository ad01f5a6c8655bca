//! A look at the node behind a move, before it is visited.
//!
//! Most children of a capture search end at once: the target can be taken, or it has, or gets by
//! one move of the defender, as many liberties as the limit. With zones such a child is settled
//! when its parent is expanded, and never becomes a node.

use yomikiri_proof::game::{Ahead, ProofGame, Role};
use yomikiri_proof::number::Number;

use super::game::CaptureGame;
use crate::board::{Board, Move, Point, PointSet};

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
}

impl CaptureGame {
    /// See [`ProofGame::look_ahead`]: the result behind a move, if it is plain.
    pub(super) fn plain_result(&mut self, m: Move) -> Option<Ahead<()>> {
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
        let number = if captured? { Number::PROVEN } else { Number::DISPROVEN };
        Some(Ahead { number, least: 0, stock: () })
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
