//! The Go board: blocks with their liberties kept up to date, captures, ko,
//! and play/undo that allocates nothing once its two stacks have grown.
//!
//! Each block keeps its stones and liberties as bit sets. A move saves the
//! blocks that it changes on a log; undo takes them back from there. Stones
//! carry the index of their block (the point of one of its stones), so the
//! liberties of the block of any stone are one array access away.

mod play;
mod point;
pub mod reference;
mod set;
mod zobrist;

use std::fmt;

use thiserror::Error;

pub use point::{Colour, MAX_SIZE, Move, POINTS, Point, PointError, STRIDE};
pub use set::PointSet;

/// What forbids a return to an earlier position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum KoRule {
    /// The stone that just captured a single stone in a ko is not retaken at once.
    #[default]
    Simple,
    /// Positional superko: no earlier whole-board position comes back, by either side.
    Superko,
}

/// Why a move or a set-up is refused.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum RefusedMove {
    /// A stone stands there.
    #[error("the point is occupied")]
    Occupied,
    /// The block would have no liberty.
    #[error("the move is suicide")]
    Suicide,
    /// The ko rule forbids it now.
    #[error("ko forbids the move")]
    Ko,
    /// An earlier position would come back.
    #[error("the position would repeat (superko)")]
    Superko,
    /// A set-up has a block without liberties.
    #[error("a block of the position has no liberty")]
    NoLiberty,
    /// Not 2 to 19 rows.
    #[error("the board size must be 2 to 19")]
    Size,
}

/// A maximal set of connected stones of one colour.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    stones: PointSet,
    liberties: PointSet,
    hash: u64,
    liberty_count: u16,
}

impl Block {
    const NONE: Block =
        Block { stones: PointSet::EMPTY, liberties: PointSet::EMPTY, hash: 0, liberty_count: 0 };

    /// The stones.
    pub fn stones(&self) -> &PointSet {
        &self.stones
    }

    /// The empty points next to the stones.
    pub fn liberties(&self) -> &PointSet {
        &self.liberties
    }

    /// A hash of the stones.
    pub(crate) fn key(&self) -> u64 {
        self.hash
    }

    /// The number of liberties.
    pub fn liberty_count(&self) -> u32 {
        u32::from(self.liberty_count)
    }
}

/// The colours as stored, border included, so that neighbours need no test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Black,
    White,
    Empty,
    Border,
}

impl Cell {
    fn of(colour: Colour) -> Cell {
        match colour {
            Colour::Black => Cell::Black,
            Colour::White => Cell::White,
        }
    }
}

/// A position with its history.
#[derive(Clone)]
pub struct Board {
    size: usize,
    rule: KoRule,
    cells: [Cell; POINTS],
    /// Index of the block of each stone; meaningless for empty points.
    heads: [u16; POINTS],
    blocks: Box<[Block; POINTS]>,
    empty: PointSet,
    stones: [PointSet; 2],
    key: u64,
    ko: Option<Point>,
    undo: Vec<play::Undo>,
    log: Vec<(u16, Block)>,
    /// Keys of all positions before the current one (superko only).
    history: Vec<u64>,
}

impl Board {
    /// An empty board.
    ///
    /// # Errors
    /// If the size is not 2 to 19.
    pub fn new(size: usize, rule: KoRule) -> Result<Board, RefusedMove> {
        if !(2..=MAX_SIZE).contains(&size) {
            return Err(RefusedMove::Size);
        }
        let mut cells = [Cell::Border; POINTS];
        let mut empty = PointSet::EMPTY;
        for row in 0..size {
            for column in 0..size {
                let point = Point::new(column, row);
                cells[point.index()] = Cell::Empty;
                empty.insert(point);
            }
        }
        Ok(Board {
            size,
            rule,
            cells,
            heads: [0; POINTS],
            blocks: Box::new([Block::NONE; POINTS]),
            empty,
            stones: [PointSet::EMPTY; 2],
            key: 0,
            ko: None,
            undo: Vec::with_capacity(512),
            log: Vec::with_capacity(4096),
            history: Vec::with_capacity(512),
        })
    }

    /// A position from lists of stones; nothing is captured.
    ///
    /// # Errors
    /// If two stones share a point or a block has no liberty.
    pub fn from_stones(
        size: usize,
        rule: KoRule,
        stones: impl IntoIterator<Item = (Colour, Point)>,
    ) -> Result<Board, RefusedMove> {
        let mut board = Board::new(size, rule)?;
        let mut placed = 0;
        for (colour, point) in stones {
            if board.cell(point) != Cell::Empty {
                return Err(RefusedMove::Occupied);
            }
            board.put(colour, point);
            placed += 1;
        }
        board.undo.clear();
        board.log.clear();
        let standing: u32 = board.stones.iter().map(PointSet::len).sum();
        let alive = |colour: &Colour| board.blocks_of(*colour).all(|block| block.liberty_count > 0);
        // What lost its last liberty on the way was taken by `put`.
        if standing < placed || !Colour::BOTH.iter().all(alive) {
            return Err(RefusedMove::NoLiberty);
        }
        Ok(board)
    }

    /// Points on a side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The ko rule in force.
    pub fn rule(&self) -> KoRule {
        self.rule
    }

    /// Changes the ko rule; positions before this moment count as forgotten.
    pub fn set_rule(&mut self, rule: KoRule) {
        self.rule = rule;
        self.history.clear();
        self.undo.clear();
        self.log.clear();
    }

    /// The stone on a point.
    pub fn stone(&self, point: Point) -> Option<Colour> {
        match self.cell(point) {
            Cell::Black => Some(Colour::Black),
            Cell::White => Some(Colour::White),
            Cell::Empty | Cell::Border => None,
        }
    }

    fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// The empty points.
    pub fn empty(&self) -> &PointSet {
        &self.empty
    }

    /// The stones of a colour.
    pub fn stones(&self, colour: Colour) -> &PointSet {
        &self.stones[colour.index()]
    }

    /// Whether the point has no stone.
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point) == Cell::Empty
    }

    /// The block of a stone, or nothing for an empty point.
    pub fn block(&self, point: Point) -> Option<&Block> {
        self.stone(point).map(|_| self.block_at(point))
    }

    fn block_at(&self, point: Point) -> &Block {
        &self.blocks[self.heads[point.index()] as usize]
    }

    /// All blocks of a colour.
    pub fn blocks_of(&self, colour: Colour) -> impl Iterator<Item = &Block> {
        self.blocks_touching(colour, *self.stones(colour))
    }

    /// The blocks of a colour that have a stone in `area`, each once.
    pub fn blocks_touching(&self, colour: Colour, area: PointSet) -> impl Iterator<Item = &Block> {
        let mut rest = area & self.stones[colour.index()];
        std::iter::from_fn(move || {
            let block = self.block_at(rest.first()?);
            rest = rest.minus(&block.stones);
            Some(block)
        })
    }

    /// Where the side to move may not retake now (simple ko).
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Forbids or allows a point as the ko rule would after a capture in a ko;
    /// for problems that begin in the middle of one.
    pub fn set_ko(&mut self, ko: Option<Point>) {
        self.ko = ko;
    }

    /// A hash of the stones alone.
    pub fn stones_key(&self) -> u64 {
        self.key
    }

    /// The part of a key that a point forbidden by ko makes.
    pub fn ko_key(ko: Option<Point>) -> u64 {
        zobrist::ko(ko)
    }

    /// A hash of the stones and the point that ko forbids.
    pub fn key(&self) -> u64 {
        self.key ^ zobrist::ko(self.ko)
    }

    /// Number of moves that can be undone.
    pub fn played(&self) -> usize {
        self.undo.len()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String =
            (0..self.size).flat_map(|column| [' ', name_of_column(column)]).collect();
        writeln!(f, "   {letters}")?;
        for row in (0..self.size).rev() {
            write!(f, "{:>3}", row + 1)?;
            for column in 0..self.size {
                f.write_str(match self.stone(Point::new(column, row)) {
                    Some(Colour::Black) => " X",
                    Some(Colour::White) => " O",
                    None => " .",
                })?;
            }
            writeln!(f, " {}", row + 1)?;
        }
        write!(f, "   {letters}")
    }
}

fn name_of_column(column: usize) -> char {
    let name = Point::new(column, 0).to_string();
    name.chars().next().unwrap_or('?')
}
