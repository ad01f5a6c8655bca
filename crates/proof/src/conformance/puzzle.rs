//! Small games to test with.

use crate::game::{Ahead, Candidate, ProofGame, Repetition, Role, Settled, Stock};
use crate::number::Number;
use crate::path::mix;

/// Players take one or two stones in turn; who takes the last one wins. The attacker begins.
#[derive(Clone, Debug)]
pub struct LastStone {
    stones: u32,
    turn: Role,
}

impl LastStone {
    /// A heap of `stones`. The attacker wins unless their number is a multiple of three.
    #[must_use]
    pub fn new(stones: u32) -> Self {
        Self { stones, turn: Role::Attacker }
    }
}

impl ProofGame for LastStone {
    type Move = u32;
    type Stock = ();

    fn role(&self) -> Role {
        self.turn
    }
    fn board_key(&self) -> u64 {
        mix(u64::from(self.stones) * 2 + self.turn as u64 + 1)
    }
    fn stock(&self) {}
    fn settle(&mut self) -> Option<Settled<()>> {
        (self.stones == 0).then(|| match self.turn {
            Role::Attacker => Settled::disproven(()),
            Role::Defender => Settled::proven((), 0),
        })
    }
    fn moves(&mut self, out: &mut Vec<Candidate<u32>>) {
        out.extend((1..=self.stones.min(2)).map(Candidate::plain));
    }
    fn play(&mut self, taken: u32) {
        self.stones -= taken;
        self.turn = self.turn.other();
    }
    fn undo(&mut self, taken: u32) {
        self.stones += taken;
        self.turn = self.turn.other();
    }
}

/// A stock of up to seven coins of each of two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coins(pub [u8; 2]);

impl Coins {
    fn zip(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        Self([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }
}

impl Stock for Coins {
    fn to_bits(self) -> u32 {
        u32::from(self.0[0]) << 8 | u32::from(self.0[1])
    }
    fn from_bits(bits: u32) -> Self {
        Self([(bits >> 8) as u8, bits as u8])
    }
    fn covers(self, other: Self) -> bool {
        self.0[0] >= other.0[0] && self.0[1] >= other.0[1]
    }
    fn join(self, other: Self) -> Self {
        self.zip(other, u8::max)
    }
    fn meet(self, other: Self) -> Self {
        self.zip(other, u8::min)
    }
}

/// The shape of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every node has one parent.
    Tree,
    /// Edges lead to later nodes only.
    Dag,
    /// Edges lead anywhere.
    Cyclic,
}

/// What an edge asks of the coins and does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toll {
    Free,
    /// The attacker pays a coin.
    Pay(usize),
    /// The attacker gains a coin.
    Gain(usize),
    /// The defender may go here only while the attacker has at most this many coins (he needs one
    /// himself).
    Lack(usize, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    to: u16,
    toll: Toll,
    group: u8,
    pn: u8,
    dn: u8,
}

/// A move of [`Puzzle`]: the number of an edge, and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleMove {
    from: u16,
    edge: u16,
    coins: Coins,
}

/// A random game on a graph. The attacker wins where the defender cannot move.
#[derive(Clone, Debug)]
pub struct Puzzle {
    edges: std::sync::Arc<Vec<Vec<Edge>>>,
    roles: std::sync::Arc<Vec<Role>>,
    at: u16,
    coins: Coins,
    rule: Repetition,
}

const MOST_COINS: u8 = 7;

/// A small generator, so that the crate needs none from outside.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) % sides
    }
}

impl Puzzle {
    /// A random game with `size` nodes.
    #[must_use]
    pub fn random(shape: Shape, size: u16, seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mut roles = vec![Role::Attacker];
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); size as usize];
        for node in 1..size {
            // A spanning tree, so that everything can be reached; roles alternate along it.
            let low = if shape == Shape::Tree { node.saturating_sub(1) / 4 } else { 0 };
            let parent = low + dice.roll(u64::from(node - low)) as u16;
            roles.push(roles[parent as usize].other());
            let edge = random_edge(&mut dice, roles[parent as usize], node);
            edges[parent as usize].push(edge);
        }
        if shape != Shape::Tree {
            for from in 0..size {
                for _ in 0..dice.roll(4) {
                    let to = match shape {
                        Shape::Cyclic => dice.roll(u64::from(size)) as u16,
                        _ => from + dice.roll(u64::from(size - from)) as u16,
                    };
                    if roles[to as usize] != roles[from as usize] {
                        let edge = random_edge(&mut dice, roles[from as usize], to);
                        edges[from as usize].push(edge);
                    }
                }
            }
        }
        let coins = Coins([dice.roll(3) as u8, dice.roll(3) as u8]);
        Self {
            edges: std::sync::Arc::new(edges),
            roles: std::sync::Arc::new(roles),
            at: 0,
            coins,
            rule: Repetition::AttackerFails,
        }
    }

    /// The same game under another repetition rule.
    #[must_use]
    pub fn with_rule(mut self, rule: Repetition) -> Self {
        self.rule = rule;
        self
    }

    fn edge(&self, step: PuzzleMove) -> Edge {
        self.edges[step.from as usize][step.edge as usize]
    }

    fn open(&self, edge: &Edge) -> bool {
        match edge.toll {
            Toll::Free | Toll::Gain(_) => true,
            Toll::Pay(kind) => self.coins.0[kind] > 0,
            Toll::Lack(kind, most) => self.coins.0[kind] <= most,
        }
    }
}

fn random_edge(dice: &mut Dice, role: Role, to: u16) -> Edge {
    let kind = dice.roll(2) as usize;
    let toll = match (role, dice.roll(6)) {
        (Role::Attacker, 0) => Toll::Pay(kind),
        (Role::Attacker, 1) => Toll::Gain(kind),
        (Role::Defender, 0) => Toll::Lack(kind, dice.roll(3) as u8),
        _ => Toll::Free,
    };
    Edge {
        to,
        toll,
        group: dice.roll(3) as u8,
        pn: 1 + dice.roll(4) as u8,
        dn: 1 + dice.roll(4) as u8,
    }
}

impl ProofGame for Puzzle {
    type Move = PuzzleMove;
    type Stock = Coins;

    fn role(&self) -> Role {
        self.roles[self.at as usize]
    }

    fn board_key(&self) -> u64 {
        mix(u64::from(self.at) + 1)
    }

    fn stock(&self) -> Coins {
        self.coins
    }

    fn moves(&mut self, out: &mut Vec<Candidate<PuzzleMove>>) {
        for (number, edge) in self.edges[self.at as usize].iter().enumerate() {
            if self.open(edge) {
                let step = PuzzleMove { from: self.at, edge: number as u16, coins: self.coins };
                let candidate = Candidate::estimated(step, u32::from(edge.pn), u32::from(edge.dn));
                out.push(candidate.in_group(edge.group));
            }
        }
    }

    fn play(&mut self, step: PuzzleMove) {
        let edge = self.edge(step);
        match edge.toll {
            Toll::Pay(kind) => self.coins.0[kind] -= 1,
            // A full coins stays full, so that more is never worse.
            Toll::Gain(kind) => self.coins.0[kind] = MOST_COINS.min(self.coins.0[kind] + 1),
            _ => {}
        }
        self.at = edge.to;
    }

    fn undo(&mut self, step: PuzzleMove) {
        self.coins = step.coins;
        self.at = step.from;
    }

    /// Behind every other step: as many units as there are ways on, and at least one ply unless it
    /// is over.
    fn look_ahead(&mut self, step: PuzzleMove, _left: u16) -> Option<Ahead<Coins>> {
        if step.edge.is_multiple_of(2) {
            return None;
        }
        self.play(step);
        let role = self.role();
        let edges = &self.edges[self.at as usize];
        let ways = edges.iter().filter(|edge| self.open(edge)).count() as u32;
        self.undo(step);
        let over = role == Role::Defender && ways == 0;
        let number = Number::from_mover(role, 1, ways.max(1));
        Some(Ahead { number, least: u16::from(!over), stock: self.coins })
    }

    fn repetition(&self) -> Repetition {
        self.rule
    }

    fn stock_before_proof(&self, step: PuzzleMove, after: Coins) -> Coins {
        let mut before = after;
        match self.edge(step).toll {
            Toll::Pay(kind) => before.0[kind] += 1,
            Toll::Gain(kind) => before.0[kind] = before.0[kind].saturating_sub(1),
            _ => {}
        }
        before
    }

    fn stock_before_disproof(&self, step: PuzzleMove, after: Coins) -> Coins {
        let mut before = after;
        match self.edge(step).toll {
            Toll::Pay(kind) => before.0[kind] = MOST_COINS.min(before.0[kind] + 1),
            Toll::Gain(kind) if before.0[kind] < MOST_COINS => before.0[kind] -= 1,
            // With more the defender could not go this way.
            Toll::Lack(kind, most) => before.0[kind] = before.0[kind].min(most),
            _ => {}
        }
        before
    }

    fn close_proof(&self, mut needed: Coins) -> Coins {
        for edge in &self.edges[self.at as usize] {
            if let Toll::Lack(kind, most) = edge.toll
                && self.coins.0[kind] > most
            {
                needed.0[kind] = needed.0[kind].max(most + 1);
            }
        }
        needed
    }

    fn close_disproof(&self, allowed: Option<Coins>) -> Coins {
        let mut allowed = allowed.unwrap_or(Coins([MOST_COINS; 2]));
        for edge in &self.edges[self.at as usize] {
            if let Toll::Pay(kind) = edge.toll
                && self.coins.0[kind] == 0
            {
                allowed.0[kind] = 0;
            }
        }
        allowed
    }
}
