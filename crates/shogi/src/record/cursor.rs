//! A place in a record, with the position that stands there.

use super::tree::{NodeId, Record, RecordStep};
use crate::position::Position;
use crate::types::Square;

/// Walks over a record and keeps the position in step.
///
/// ```
/// use yomikiri_shogi::{Position, record::{Cursor, Record, RecordStep}};
///
/// let mut record = Record::new(Position::start());
/// let mut cursor = Cursor::new(&record);
/// let id = cursor.add(&mut record, RecordStep::Move("7g7f".parse().unwrap()));
/// assert_eq!(record.node(id).ply(), 1);
/// assert_eq!(cursor.position().move_number(), 2);
/// ```
pub struct Cursor {
    position: Position,
    node: NodeId,
}

impl Cursor {
    /// At the start of the record.
    pub fn new(record: &Record) -> Cursor {
        Cursor { position: record.start().clone(), node: NodeId::ROOT }
    }

    /// The position at the node.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Where the last move went, for 同.
    pub fn last_square(&self) -> Option<Square> {
        self.position.last_move().map(|played| played.to())
    }

    /// Appends a step to the record after this place, and goes there.
    pub fn add(&mut self, record: &mut Record, step: RecordStep) -> NodeId {
        let id = record.add(self.node, step);
        self.forward(record, id);
        id
    }

    /// Goes to a child of the node.
    pub fn forward(&mut self, record: &Record, child: NodeId) {
        debug_assert_eq!(record.node(child).parent(), Some(self.node));
        if let Some(played) = record.node(child).played() {
            self.position.play(played);
        }
        self.node = child;
    }

    /// Goes back to the node before; stays at the root.
    pub fn back(&mut self, record: &Record) {
        if let Some(parent) = record.node(self.node).parent() {
            if record.node(self.node).played().is_some() {
                self.position.undo();
            }
            self.node = parent;
        }
    }

    /// Goes back until the given number of steps have been played.
    pub fn back_to_ply(&mut self, record: &Record, ply: u32) {
        while record.node(self.node).ply() > ply {
            self.back(record);
        }
    }
}
