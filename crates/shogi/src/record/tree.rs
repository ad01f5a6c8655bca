//! The tree of moves.
//!
//! Nodes live in one vector and name each other by index: a record with a hundred thousand nested
//! variations costs no stack.

use super::ending::Ending;
use super::headers::Headers;
use crate::position::Position;
use crate::types::{Color, Kind, Move};
use core::time::Duration;

/// The index of a node in its record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game, before any move.
    pub const ROOT: NodeId = NodeId(0);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What happened at a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordStep {
    /// A legal move.
    Move(Move),
    /// A move that the rules forbid and that ended the game. The position stays as it was.
    Illegal {
        /// The move.
        played: Move,
        /// The kind of the piece, after a promotion if there was one.
        kind: Kind,
    },
    /// The end of the game.
    End(Ending),
}

/// A point of the record: what was played, what was said about it, and what followed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    ply: u32,
    step: Option<RecordStep>,
    /// Comments, one line each, as KIF writes them after `*`.
    pub comments: Vec<String>,
    /// Bookmarks (しおり), as KIF writes them after `&`.
    pub bookmarks: Vec<String>,
    /// The time that the player spent.
    pub spent: Option<Duration>,
}

impl Default for NodeId {
    fn default() -> NodeId {
        NodeId::ROOT
    }
}

impl Node {
    /// The node before it; none for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The nodes after it, the main line first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// How many steps from the start, counting endings.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// What happened; none for the root.
    pub fn step(&self) -> Option<&RecordStep> {
        self.step.as_ref()
    }

    /// The legal move played, if it was one.
    pub fn played(&self) -> Option<Move> {
        match self.step {
            Some(RecordStep::Move(played)) => Some(played),
            _ => None,
        }
    }

    /// The ending, if it is one.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.step {
            Some(RecordStep::End(ending)) => Some(ending),
            _ => None,
        }
    }
}

/// A game record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Names, dates, places: whatever stands above the moves.
    pub headers: Headers,
    start: Position,
    nodes: Vec<Node>,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Position) -> Record {
        Record { headers: Headers::default(), start, nodes: vec![Node::default()] }
    }

    /// The starting position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// A node.
    ///
    /// # Panics
    /// If the id is another record's.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node, to add comments and times to.
    ///
    /// # Panics
    /// If the id is another record's.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// How many nodes there are, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was recorded after the starting position.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Appends a step after a node: the main line if it is the first there, else a variation. The
    /// caller has made sure that a [`RecordStep::Move`] is legal.
    ///
    /// # Panics
    /// With more than four thousand million nodes.
    pub fn add(&mut self, parent: NodeId, step: RecordStep) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than fit a u32"));
        let ply = self.node(parent).ply + 1;
        self.node_mut(parent).children.push(id);
        self.nodes.push(Node { parent: Some(parent), ply, step: Some(step), ..Node::default() });
        id
    }

    /// The nodes of the main line after the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line_from(NodeId::ROOT).skip(1)
    }

    /// A node and its first children to the end.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(Some(id), |&id| self.node(id).children.first().copied())
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().map_while(|id| self.node(id).played())
    }

    /// The position after the main line, with its history.
    pub fn final_position(&self) -> Position {
        let mut position = self.start.clone();
        for played in self.main_moves() {
            position.play(played);
        }
        position
    }

    /// How the main line ended, and who was to move.
    pub fn ending(&self) -> Option<(&Ending, Color)> {
        let last = self.node(self.main_line().last()?);
        Some((last.ending()?, self.side_after(last.parent()?)))
    }

    /// Who is to move after a node; for an ending, after the ending's parent.
    pub fn side_after(&self, id: NodeId) -> Color {
        let node = self.node(id);
        let plies = node.ply - u32::from(node.ending().is_some());
        let first = self.start.side_to_move();
        if plies.is_multiple_of(2) { first } else { !first }
    }

    /// Who won by the main line's ending; `None` for a draw or no result.
    pub fn winner(&self) -> Option<Color> {
        self.ending().and_then(|(ending, side)| ending.winner(side))
    }

    /// Whether anything was played: a move, or an ending that is a known one.
    pub(super) fn has_play(&self) -> bool {
        self.nodes.iter().any(|node| match node.step() {
            Some(RecordStep::Move(_) | RecordStep::Illegal { .. }) => true,
            Some(RecordStep::End(ending)) => !matches!(ending, Ending::Other(_)),
            None => false,
        })
    }

    /// Every node, the root first.
    pub(super) fn all_nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Every line in the order in which KIF writes them: the main line from the root, then the
    /// variations, those of the latest branch first. A line's parent is on the way from the root
    /// to the line before it.
    pub(super) fn lines(&self) -> Vec<Vec<NodeId>> {
        let mut lines = Vec::new();
        let mut waiting = vec![NodeId::ROOT];
        while let Some(first) = waiting.pop() {
            let line: Vec<NodeId> = self.line_from(first).collect();
            for &id in &line {
                // Last in, first out: the deepest branch and its first variation come next.
                waiting.extend(self.node(id).children.iter().skip(1).rev());
            }
            lines.push(line);
        }
        lines
    }
}
