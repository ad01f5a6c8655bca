//! A slow, obvious board. Tests compare the fast one with it, and proofs are
//! checked on it, so it shares no code with the fast one but names of points.

use super::{Colour, KoRule, Move, Point, RefusedMove};

/// A position as a grid of stones; every question is answered by flooding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceBoard {
    size: usize,
    rule: KoRule,
    grid: Vec<Option<Colour>>,
    ko: Option<Point>,
    earlier: Vec<Vec<Option<Colour>>>,
}

impl ReferenceBoard {
    /// An empty board.
    pub fn new(size: usize, rule: KoRule) -> ReferenceBoard {
        ReferenceBoard { size, rule, grid: vec![None; size * size], ko: None, earlier: Vec::new() }
    }

    /// A position from lists of stones; nothing is captured.
    pub fn from_stones(
        size: usize,
        rule: KoRule,
        stones: impl IntoIterator<Item = (Colour, Point)>,
    ) -> ReferenceBoard {
        let mut board = ReferenceBoard::new(size, rule);
        for (colour, point) in stones {
            let at = board.at(point);
            board.grid[at] = Some(colour);
        }
        board
    }

    /// The same position as if nothing had been played before.
    #[must_use]
    pub fn without_history(&self) -> ReferenceBoard {
        ReferenceBoard { earlier: Vec::new(), ..self.clone() }
    }

    fn at(&self, point: Point) -> usize {
        point.row() * self.size + point.column()
    }

    /// The stone on a point.
    pub fn stone(&self, point: Point) -> Option<Colour> {
        self.grid[self.at(point)]
    }

    /// Where the side to move may not retake.
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Forbids or allows a point as after a capture in a ko.
    pub fn set_ko(&mut self, ko: Option<Point>) {
        self.ko = ko;
    }

    /// The neighbours on the board.
    pub fn neighbours(&self, point: Point) -> Vec<Point> {
        let (column, row) = (point.column(), point.row());
        let mut next = Vec::new();
        if column > 0 {
            next.push(Point::new(column - 1, row));
        }
        if column + 1 < self.size {
            next.push(Point::new(column + 1, row));
        }
        if row > 0 {
            next.push(Point::new(column, row - 1));
        }
        if row + 1 < self.size {
            next.push(Point::new(column, row + 1));
        }
        next
    }

    /// The stones and the liberties of the block at a point, each sorted.
    pub fn block(&self, point: Point) -> (Vec<Point>, Vec<Point>) {
        let colour = self.stone(point);
        let (mut stones, mut liberties) = (vec![point], Vec::new());
        let mut seen = 0;
        while seen < stones.len() {
            for next in self.neighbours(stones[seen]) {
                if self.stone(next) == colour && !stones.contains(&next) {
                    stones.push(next);
                } else if self.stone(next).is_none() && !liberties.contains(&next) {
                    liberties.push(next);
                }
            }
            seen += 1;
        }
        stones.sort();
        liberties.sort();
        (stones, liberties)
    }

    /// Plays a move and returns the captured stones, sorted.
    ///
    /// # Errors
    /// Why the move is illegal; the board is then unchanged.
    pub fn play(&mut self, colour: Colour, mv: Move) -> Result<Vec<Point>, RefusedMove> {
        let Some(point) = mv.point() else {
            self.earlier.push(self.grid.clone());
            self.ko = None;
            return Ok(Vec::new());
        };
        if self.stone(point).is_some() {
            return Err(RefusedMove::Occupied);
        }
        if self.ko == Some(point) {
            return Err(RefusedMove::Ko);
        }
        let mut after = self.clone();
        let captured = after.put(colour, point);
        let (stones, liberties) = after.block(point);
        if liberties.is_empty() {
            return Err(RefusedMove::Suicide);
        }
        let repeats = after.grid == self.grid || self.earlier.contains(&after.grid);
        if self.rule == KoRule::Superko && repeats {
            return Err(RefusedMove::Superko);
        }
        let in_ko = captured.len() == 1 && stones.len() == 1 && liberties.len() == 1;
        after.ko = if in_ko { captured.first().copied() } else { None };
        after.earlier.push(std::mem::take(&mut self.grid));
        *self = after;
        Ok(captured)
    }

    fn put(&mut self, colour: Colour, point: Point) -> Vec<Point> {
        let at = self.at(point);
        self.grid[at] = Some(colour);
        let mut captured = Vec::new();
        for next in self.neighbours(point) {
            if self.stone(next) != Some(colour.other()) {
                continue;
            }
            let (stones, liberties) = self.block(next);
            if liberties.is_empty() {
                for &stone in &stones {
                    let at = self.at(stone);
                    self.grid[at] = None;
                }
                captured.extend(stones);
            }
        }
        captured.sort();
        captured
    }
}
