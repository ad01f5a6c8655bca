//! Mates by brute force, straight from the rules.
//!
//! The attacker may make any legal move that gives check, the defender any legal move. Mate is a
//! defender in check without a legal move; everything else, a line that goes round in a circle
//! included, is none. There is no dominance, no pruning, no convention and no order of moves: all
//! positions that can come about are listed, and the number of plies to mate spreads backwards from
//! the mates until nothing changes any more.

use std::collections::HashMap;

use yomikiri_shogi::movegen::reference::PlainBoard;
use yomikiri_shogi::{Color, Kind, Move, Position};

/// More positions than the oracle may list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A move and the number of the position behind it.
type Edge = (Move, usize);

/// The board, both hands and the side to move.
type Key = (u64, u32, u32, bool);

fn key(position: &Position) -> Key {
    let [black, white] = Color::ALL.map(|color| position.hand(color).bits());
    (position.board_key(), black, white, position.side_to_move() == Color::Black)
}

struct Node {
    position: Position,
    checked: bool,
    /// `None` until their first use.
    moves: Option<Vec<Edge>>,
}

/// The positions of one problem, for one attacker.
pub struct Oracle {
    attacker: Color,
    most: usize,
    reference: bool,
    must_promote: Vec<Kind>,
    numbers: HashMap<Key, usize>,
    nodes: Vec<Node>,
    /// Answers to "mate within n plies?".
    within: HashMap<(usize, u32), bool>,
    /// Plies to mate of all positions, once everything is listed.
    plies: Vec<Option<u32>>,
}

impl Oracle {
    /// An oracle that lists `most` positions at most.
    pub fn new(attacker: Color, most: usize) -> Self {
        Self {
            attacker,
            most,
            reference: false,
            must_promote: Vec::new(),
            numbers: HashMap::new(),
            nodes: Vec::new(),
            within: HashMap::new(),
            plies: Vec::new(),
        }
    }

    /// The same with the reference generator instead of the fast one.
    pub fn with_reference_generator(self) -> Self {
        Self { reference: true, ..self }
    }

    /// The same under another rule: where an attacker's piece of these kinds can promote, it must.
    pub fn with_forced_promotion(self, kinds: &[Kind]) -> Self {
        Self { must_promote: kinds.to_vec(), ..self }
    }

    /// How many positions are listed.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Plies to mate from `root`, if it is one; every position that can come about is listed.
    pub fn plies(&mut self, root: &Position) -> Result<Option<u32>, TooLarge> {
        let at = self.list_all(root)?;
        if self.plies.len() < self.nodes.len() {
            self.spread();
        }
        Ok(self.plies[at])
    }

    /// Plies to mate behind every move of the side to move at `root`.
    pub fn plies_behind(&mut self, root: &Position) -> Result<Vec<(Move, Option<u32>)>, TooLarge> {
        self.plies(root)?;
        let at = self.number(root)?;
        let moves = self.moves(at)?;
        Ok(moves.into_iter().map(|(mv, to)| (mv, self.plies[to])).collect())
    }

    /// Whether `root` is mate within `plies`; only positions as near as that are listed.
    pub fn within(&mut self, root: &Position, plies: u32) -> Result<bool, TooLarge> {
        let at = self.number(root)?;
        self.mate_within(at, plies)
    }

    /// Whether some listed position can come back.
    pub fn has_circle(&self) -> bool {
        // Positions without moves that are left are taken away until nothing changes.
        let mut left: Vec<usize> = self.nodes.iter().map(|node| self.listed(node).len()).collect();
        let mut behind: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            self.listed(node).iter().for_each(|&(_, to)| behind[to].push(at));
        }
        let mut waiting: Vec<usize> = (0..left.len()).filter(|&at| left[at] == 0).collect();
        let mut gone = 0;
        while let Some(at) = waiting.pop() {
            gone += 1;
            for &before in &behind[at] {
                left[before] -= 1;
                if left[before] == 0 {
                    waiting.push(before);
                }
            }
        }
        gone < self.nodes.len()
    }

    fn listed<'n>(&self, node: &'n Node) -> &'n [Edge] {
        node.moves.as_deref().unwrap_or_default()
    }

    /// The number of a position.
    fn number(&mut self, position: &Position) -> Result<usize, TooLarge> {
        let key = key(position);
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        if self.nodes.len() >= self.most {
            return Err(TooLarge);
        }
        let checked = self.is_checked(position);
        self.numbers.insert(key, self.nodes.len());
        self.nodes.push(Node { position: position.clone(), checked, moves: None });
        Ok(self.nodes.len() - 1)
    }

    /// The moves of a position: checks of the attacker, everything of the defender.
    fn moves(&mut self, at: usize) -> Result<Vec<Edge>, TooLarge> {
        if let Some(moves) = &self.nodes[at].moves {
            return Ok(moves.clone());
        }
        let mut position = self.nodes[at].position.clone();
        let attacks = position.side_to_move() == self.attacker;
        let legal: Vec<Move> = if self.reference {
            PlainBoard::new(&position).legal_moves()
        } else {
            position.legal_moves().into_iter().collect()
        };
        let mut moves = Vec::new();
        for &mv in &legal {
            if attacks && self.must_promote(&position, &legal, mv) {
                continue;
            }
            position.play(mv);
            if !attacks || self.is_checked(&position) {
                moves.push((mv, self.number(&position)?));
            }
            position.undo();
        }
        self.nodes[at].moves = Some(moves.clone());
        Ok(moves)
    }

    fn is_checked(&self, position: &Position) -> bool {
        if self.reference {
            PlainBoard::new(position).in_check(position.side_to_move())
        } else {
            position.in_check()
        }
    }

    /// Whether the move leaves a piece as it is which would have to promote.
    fn must_promote(&self, position: &Position, legal: &[Move], mv: Move) -> bool {
        let Some(from) = mv.from() else { return false };
        let piece = position.piece_on(from);
        let concerned = piece.is_some_and(|piece| self.must_promote.contains(&piece.kind()));
        let promoted = Move::board(from, mv.to(), true);
        concerned && !mv.is_promotion() && legal.contains(&promoted)
    }

    fn attacks(&self, at: usize) -> bool {
        self.nodes[at].position.side_to_move() == self.attacker
    }

    fn mate_within(&mut self, at: usize, plies: u32) -> Result<bool, TooLarge> {
        if let Some(&known) = self.within.get(&(at, plies)) {
            return Ok(known);
        }
        let attacks = self.attacks(at);
        let answer = if attacks && plies == 0 {
            false
        } else {
            let moves = self.moves(at)?;
            if moves.is_empty() {
                !attacks && self.nodes[at].checked
            } else if plies == 0 {
                false
            } else if attacks {
                self.any(&moves, plies - 1, true)?
            } else {
                !self.any(&moves, plies - 1, false)?
            }
        };
        self.within.insert((at, plies), answer);
        Ok(answer)
    }

    /// Whether behind some move the answer is `wanted`.
    fn any(&mut self, moves: &[Edge], plies: u32, wanted: bool) -> Result<bool, TooLarge> {
        for &(_, to) in moves {
            if self.mate_within(to, plies)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lists every position that can come about.
    fn list_all(&mut self, root: &Position) -> Result<usize, TooLarge> {
        let at = self.number(root)?;
        let mut waiting = vec![at];
        while let Some(next) = waiting.pop() {
            if self.nodes[next].moves.is_none() {
                waiting.extend(self.moves(next)?.into_iter().map(|(_, to)| to));
            }
        }
        Ok(at)
    }

    /// Plies to mate of everything that was listed since the last time, nearest first.
    fn spread(&mut self) {
        let new = self.plies.len()..self.nodes.len();
        let mut plies = std::mem::take(&mut self.plies);
        let farthest = plies.iter().flatten().max().copied().unwrap_or(0);
        plies.resize(self.nodes.len(), None);
        let mut quiet = 0;
        for round in 0.. {
            let nearer = |&(_, to): &Edge| plies[to].is_some_and(|plies| plies < round);
            let mated = |at: &usize| {
                let moves = self.listed(&self.nodes[*at]);
                if self.attacks(*at) {
                    moves.iter().any(nearer)
                } else {
                    moves.iter().all(nearer) && (self.nodes[*at].checked || !moves.is_empty())
                }
            };
            let found: Vec<usize> =
                new.clone().filter(|&at| plies[at].is_none()).filter(mated).collect();
            quiet = if found.is_empty() { quiet + 1 } else { 0 };
            found.into_iter().for_each(|at| plies[at] = Some(round));
            if quiet > 2 && round > farthest + 2 {
                break;
            }
        }
        self.plies = plies;
    }
}

/// Plies to which [`is_mate`] looks where it cannot list everything.
const NEAR_PLIES: u32 = 5;

/// Whether the attacker mates: yes within a few plies, or as the list of all positions says;
/// nothing if there are more than `most`.
pub fn is_mate(position: &Position, attacker: Color, most: usize) -> Option<bool> {
    let mut near = Oracle::new(attacker, most);
    for plies in 0..=NEAR_PLIES {
        match near.within(position, plies) {
            Ok(true) => return Some(true),
            Ok(false) => {}
            Err(TooLarge) => break,
        }
    }
    Oracle::new(attacker, most).plies(position).ok().map(|plies| plies.is_some())
}
