//! Brute force for capture questions: the rules as written.
//!
//! Every legal move of both sides is tried, and the defender's pass; nothing is narrowed, and no
//! move is left out because it "cannot help". The three ko games differ only in whom ko binds:
//!
//! | game | bound by ko | a target taken in a ko |
//! |---|---|---|
//! | `Simple` | both | is captured |
//! | `AttackerYields` | the attacker | stands again: the defender retakes at once |
//! | `DefenderYields` | the defender | is captured |
//!
//! The capture is a least fixed point: the attacker wins a position if some move (the defender: if
//! every move) leads to one that is won, and positions that only lead to each other are not won.
//! The value belongs to the position and not to the way there, so one entry a position is sound. It
//! is found from the root on: a position counts as not won until a proof arrives, and a change is
//! passed on to the positions that asked (Liu and Smolka 1998).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use yomikiri_go::board::{Colour, Point};
use yomikiri_go::capture::Ko;
use yomikiri_go::problem::{CaptureProblem, CaptureResult};
use yomikiri_proof::game::Role;

pub mod grid;
use grid::{Grid, Position, bit};

/// All points of a board.
pub fn points(size: usize) -> Vec<Point> {
    (0..size).flat_map(|row| (0..size).map(move |column| Point::new(column, row))).collect()
}

/// The whole position: the stones of both sides, the ko, and (highest bit) whether the attacker is
/// to move.
type Key = (u64, u64, u64);

/// A quick hash; most of the time goes into looking positions up.
#[derive(Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

struct Node {
    position: Position,
    attack: bool,
    /// Moves tried so far.
    tried: usize,
    won: bool,
    /// The positions that took this one for not won.
    asked_by: Vec<usize>,
}

/// One ko game about one target.
struct Oracle {
    grid: Grid,
    target: u64,
    attacker: Colour,
    ko: Ko,
    give_up: Option<u32>,
    /// All points, then the pass.
    moves: Vec<Option<u64>>,
    nodes: Vec<Node>,
    numbers: HashMap<Key, usize, BuildHasherDefault<Fold>>,
    /// Positions to look at, the last first.
    open: Vec<usize>,
    /// Moves played.
    visits: usize,
}

impl Oracle {
    fn bound(&self, attack: bool) -> bool {
        match self.ko {
            Ko::Simple => true,
            Ko::AttackerYields => attack,
            Ko::DefenderYields => !attack,
            Ko::Superko => unreachable!("superko depends on the path"),
        }
    }

    /// The number of a position; a new one is put on top of those to look at.
    fn enter(&mut self, mut position: Position, attack: bool) -> usize {
        if !self.bound(attack) {
            position.ko = 0;
        }
        let number = self.nodes.len();
        let Position { stones: [black, white], ko } = position;
        let key = (black, white, ko | u64::from(attack) << 63);
        let known = *self.numbers.entry(key).or_insert(number);
        if known == number {
            self.nodes.push(Node { position, attack, tried: 0, won: false, asked_by: Vec::new() });
            self.open.push(number);
        }
        known
    }

    /// The root's value; `None` if it takes more than `limit` visits.
    fn value(&mut self, root: usize, limit: usize) -> Option<bool> {
        while let Some(at) = self.open.pop() {
            self.look(at);
            if self.visits > limit {
                return None;
            }
        }
        Some(self.nodes[root].won)
    }

    /// Tries further moves until the position is decided or waits for another.
    fn look(&mut self, at: usize) {
        let attack = self.nodes[at].attack;
        if self.nodes[at].won || self.given_up(at) {
            return;
        }
        loop {
            let tried = self.nodes[at].tried;
            let Some(&mv) = self.moves.get(tried).filter(|mv| !attack || mv.is_some()) else {
                if !attack {
                    self.win(at);
                }
                return;
            };
            self.nodes[at].tried += 1;
            let Some(after) = self.after(at, mv) else { continue };
            self.visits += 1;
            if !self.stands(&after) {
                return self.win(at);
            }
            if attack {
                // To be gone on with below what the child puts on top.
                self.open.push(at);
            }
            let child = self.enter(after, !attack);
            match (self.nodes[child].won, attack) {
                (true, true) => return self.win(at),
                (true, false) => {}
                (false, _) => {
                    self.nodes[child].asked_by.push(at);
                    return;
                }
            }
        }
    }

    fn stands(&self, position: &Position) -> bool {
        position.stones[self.attacker.other().index()] & self.target != 0
    }

    fn given_up(&self, at: usize) -> bool {
        let position = &self.nodes[at].position;
        let liberties = self.grid.liberties(position, self.attacker.other(), self.target);
        self.give_up.is_some_and(|most| liberties.count_ones() >= most)
    }

    /// The position behind a move of the side to move, if the game allows it.
    fn after(&self, at: usize, mv: Option<u64>) -> Option<Position> {
        let Node { position, attack, .. } = &self.nodes[at];
        let colour = if *attack { self.attacker } else { self.attacker.other() };
        let after = match mv {
            Some(stone) => self.grid.play(position, colour, stone)?,
            None => Position { ko: 0, ..*position },
        };
        let comes_back = !self.stands(&after) && after.ko != 0 && self.ko == Ko::AttackerYields;
        (!comes_back).then_some(after)
    }

    /// A position turns out to be won: so does an attacker's who asked, and a defender goes on.
    fn win(&mut self, at: usize) {
        let mut news = vec![at];
        while let Some(at) = news.pop() {
            if std::mem::replace(&mut self.nodes[at].won, true) {
                continue;
            }
            for asker in std::mem::take(&mut self.nodes[at].asked_by) {
                if self.nodes[asker].attack {
                    news.push(asker);
                } else {
                    self.open.push(asker);
                }
            }
        }
    }
}

/// All moves, near ones first and the pass last: an order, not a choice.
fn near_first(problem: &CaptureProblem) -> Vec<Option<u64>> {
    let mut near = points(problem.board.size());
    near.sort_by_key(|point| {
        point.column().abs_diff(problem.target.column())
            + point.row().abs_diff(problem.target.row())
    });
    near.into_iter().map(|point| Some(bit(point))).chain([None]).collect()
}

/// Whether the target falls in one ko game; `None` beyond `limit` nodes (moves played, repeated
/// positions included).
pub fn captured(
    problem: &CaptureProblem,
    ko: Ko,
    give_up: Option<u32>,
    limit: usize,
) -> Option<bool> {
    let owner = problem.board.stone(problem.target).expect("a stone on the target");
    let grid = Grid::new(problem.board.size());
    let mut oracle = Oracle {
        grid,
        target: bit(problem.target),
        attacker: owner.other(),
        ko,
        give_up,
        moves: near_first(problem),
        nodes: Vec::new(),
        numbers: HashMap::default(),
        open: Vec::new(),
        visits: 0,
    };
    let attack = problem.first == Role::Attacker;
    let mover = if attack { owner.other() } else { owner };
    let root = oracle.enter(grid.position(&problem.board, mover), attack);
    oracle.value(root, limit)
}

/// The answer by its definition; `None` if a game that it needs is too large.
pub fn answer(
    problem: &CaptureProblem,
    give_up: Option<u32>,
    limit: usize,
) -> Option<CaptureResult> {
    let attack = problem.first == Role::Attacker;
    let succeeds = |ko| Some(captured(problem, ko, give_up, limit)? == attack);
    let (worst, best) = match problem.first {
        Role::Attacker => (Ko::AttackerYields, Ko::DefenderYields),
        Role::Defender => (Ko::DefenderYields, Ko::AttackerYields),
    };
    if succeeds(worst)? {
        return Some(CaptureResult::Unconditional);
    }
    if !succeeds(best)? {
        return Some(CaptureResult::Cannot);
    }
    Some(match succeeds(Ko::Simple)? {
        true => CaptureResult::KoOpponentThreatens,
        false => CaptureResult::KoMustThreaten,
    })
}

/// One question under positional superko, where the value of a position depends on the way there:
/// nothing is remembered.
struct Superko {
    grid: Grid,
    target: u64,
    attacker: Colour,
    give_up: Option<u32>,
    moves: Vec<Option<u64>>,
    /// The stones of all positions up to the one at hand.
    history: Vec<[u64; 2]>,
    left: usize,
}

impl Superko {
    fn captured(&mut self, position: Position, attack: bool) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let owner = self.attacker.other();
        if position.stones[owner.index()] & self.target == 0 {
            return Some(true);
        }
        let liberties = self.grid.liberties(&position, owner, self.target).count_ones();
        if self.give_up.is_some_and(|most| liberties >= most) {
            return Some(false);
        }
        for index in 0..self.moves.len() {
            let after = match self.moves[index] {
                None if attack => continue,
                None => Position { ko: 0, ..position },
                Some(stone) => {
                    let colour = if attack { self.attacker } else { owner };
                    let after = self.grid.play(&position, colour, stone);
                    match after.filter(|after| !self.history.contains(&after.stones)) {
                        Some(after) => after,
                        None => continue,
                    }
                }
            };
            self.history.push(after.stones);
            let captured = self.captured(after, !attack);
            self.history.pop();
            if captured? == attack {
                return captured;
            }
        }
        Some(!attack)
    }
}

/// Whether the target falls under positional superko; `None` beyond `limit` positions.
pub fn captured_superko(
    problem: &CaptureProblem,
    give_up: Option<u32>,
    limit: usize,
) -> Option<bool> {
    let owner = problem.board.stone(problem.target).expect("a stone on the target");
    let grid = Grid::new(problem.board.size());
    let attack = problem.first == Role::Attacker;
    let root = grid.position(&problem.board, if attack { owner.other() } else { owner });
    let mut oracle = Superko {
        grid,
        target: bit(problem.target),
        attacker: owner.other(),
        give_up,
        moves: near_first(problem),
        history: vec![root.stones],
        left: limit,
    };
    oracle.captured(root, attack)
}
