//! Legality, play and undo.

use super::{Block, Board, Cell, Colour, KoRule, Move, Point, PointSet, RefusedMove, zobrist};

/// What play saves beside the block log.
#[derive(Clone, Copy)]
pub(super) struct Undo {
    mv: Move,
    colour: Colour,
    ko: Option<Point>,
    key: u64,
    log_start: usize,
    captured: Heads,
    merged: Heads,
}

/// Up to four block indices.
#[derive(Clone, Copy, Default)]
struct Heads {
    heads: [u16; 4],
    count: u8,
}

impl Heads {
    fn push_new(&mut self, head: u16) -> bool {
        if self.as_slice().contains(&head) {
            return false;
        }
        self.heads[self.count as usize] = head;
        self.count += 1;
        true
    }

    fn as_slice(&self) -> &[u16] {
        &self.heads[..self.count as usize]
    }
}

impl Board {
    /// Checks a move of `colour`.
    ///
    /// # Errors
    /// Why the move is illegal. A pass always is legal.
    pub fn check(&self, colour: Colour, mv: Move) -> Result<(), RefusedMove> {
        let Some(point) = mv.point() else { return Ok(()) };
        if self.cell(point) != Cell::Empty {
            return Err(RefusedMove::Occupied);
        }
        if self.ko == Some(point) {
            return Err(RefusedMove::Ko);
        }
        if !self.leaves_liberty(colour, point) {
            return Err(RefusedMove::Suicide);
        }
        if self.rule == KoRule::Superko {
            let key = self.key_after(colour, point);
            if key == self.key || self.history.contains(&key) {
                return Err(RefusedMove::Superko);
            }
        }
        Ok(())
    }

    /// Whether `colour` may play the move.
    pub fn is_legal(&self, colour: Colour, mv: Move) -> bool {
        self.check(colour, mv).is_ok()
    }

    /// The empty points where `colour` may play.
    pub fn legal_points(&self, colour: Colour) -> PointSet {
        self.legal_among(colour, self.empty)
    }

    /// Those of `points` where `colour` may play.
    pub fn legal_among(&self, colour: Colour, points: PointSet) -> PointSet {
        let points = points & self.empty;
        let mut legal = points & self.open_points();
        for point in points.minus(&legal).iter() {
            if self.leaves_liberty(colour, point) {
                legal.insert(point);
            }
        }
        if let Some(ko) = self.ko {
            legal.remove(ko);
        }
        if self.rule == KoRule::Superko {
            let all = legal;
            for point in all.iter().filter(|&p| !self.is_legal(colour, p.into())) {
                legal.remove(point);
            }
        }
        legal
    }

    /// The empty points with an empty neighbour: no suicide is possible there.
    pub fn open_points(&self) -> PointSet {
        self.empty & self.empty.neighbours()
    }

    /// Whether a stone on the empty point would have a liberty after captures.
    pub(crate) fn leaves_liberty(&self, colour: Colour, point: Point) -> bool {
        let own = Cell::of(colour);
        point.neighbours().into_iter().any(|next| match self.cell(next) {
            Cell::Empty => true,
            Cell::Border => false,
            cell => (cell == own) == (self.block_at(next).liberty_count > 1),
        })
    }

    /// The key of the stones with one more stone and nothing taken.
    pub fn key_with(&self, colour: Colour, point: Point) -> u64 {
        self.key ^ zobrist::stone(colour, point)
    }

    /// The key of the stones ([`Board::stones_key`]) after a legal move.
    pub fn key_after(&self, colour: Colour, point: Point) -> u64 {
        let mut key = self.key ^ zobrist::stone(colour, point);
        for head in self.atari_heads(colour.other(), point).as_slice() {
            key ^= self.blocks[*head as usize].hash;
        }
        key
    }

    /// The stones that a move of `colour` on the empty point takes.
    pub fn captured_by(&self, colour: Colour, point: Point) -> PointSet {
        let heads = self.atari_heads(colour.other(), point);
        let taken = |set: PointSet, head: &u16| set | self.blocks[*head as usize].stones;
        heads.as_slice().iter().fold(PointSet::EMPTY, taken)
    }

    /// The blocks of `colour` whose last liberty is the point.
    fn atari_heads(&self, colour: Colour, point: Point) -> Heads {
        let cell = Cell::of(colour);
        let mut heads = Heads::default();
        for next in point.neighbours() {
            if self.cell(next) == cell && self.block_at(next).liberty_count == 1 {
                heads.push_new(self.heads[next.index()]);
            }
        }
        heads
    }

    /// The stone that a legal move takes if it takes in a ko: a single stone,
    /// by a stone that can itself be retaken there at once.
    pub fn ko_capture(&self, colour: Colour, point: Point) -> Option<Point> {
        let surrounded = point.neighbours().into_iter().all(|next| {
            let cell = self.cell(next);
            cell == Cell::Border || cell == Cell::of(colour.other())
        });
        if !surrounded {
            return None;
        }
        let heads = self.atari_heads(colour.other(), point);
        match heads.as_slice() {
            [head] if self.blocks[*head as usize].stones.len() == 1 => {
                Some(Point::from_index(*head as usize))
            }
            _ => None,
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Why the move is illegal; the board is then unchanged.
    pub fn play(&mut self, colour: Colour, mv: Move) -> Result<(), RefusedMove> {
        self.check(colour, mv)?;
        self.play_legal(colour, mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    pub fn play_legal(&mut self, colour: Colour, mv: Move) {
        if self.rule == KoRule::Superko {
            self.history.push(self.key);
        }
        match mv.point() {
            Some(point) => self.put(colour, point),
            None => {
                let undo = self.undo_record(colour, mv);
                self.undo.push(undo);
                self.ko = None;
            }
        }
    }

    fn undo_record(&self, colour: Colour, mv: Move) -> Undo {
        Undo {
            mv,
            colour,
            ko: self.ko,
            key: self.key,
            log_start: self.log.len(),
            captured: Heads::default(),
            merged: Heads::default(),
        }
    }

    /// Puts a stone on an empty point and takes what has no liberty left.
    pub(super) fn put(&mut self, colour: Colour, point: Point) {
        let mut undo = self.undo_record(colour, point.into());
        let ko = self.ko_capture(colour, point);
        self.occupy(colour, point);
        self.join_own(colour, point, &mut undo);
        self.press_opponent(colour, point, &mut undo);
        self.ko = ko;
        self.undo.push(undo);
    }

    fn occupy(&mut self, colour: Colour, point: Point) {
        self.cells[point.index()] = Cell::of(colour);
        self.empty.remove(point);
        self.stones[colour.index()].insert(point);
        self.key ^= zobrist::stone(colour, point);
    }

    /// Makes the new stone part of the largest neighbouring own block, or a
    /// block of its own, and merges the other own neighbours into it.
    fn join_own(&mut self, colour: Colour, point: Point, undo: &mut Undo) {
        let own = Cell::of(colour);
        let mut liberties = PointSet::EMPTY;
        for next in point.neighbours() {
            let cell = self.cell(next);
            if cell == Cell::Empty {
                liberties.insert(next);
            } else if cell == own {
                undo.merged.push_new(self.heads[next.index()]);
            }
        }
        let mut joined = Block {
            stones: PointSet::of(point),
            liberties,
            hash: zobrist::stone(colour, point),
            liberty_count: 0,
        };
        let size_of = |head: &u16| self.blocks[*head as usize].stones.len();
        let kept = undo.merged.as_slice().iter().copied().max_by_key(size_of);
        let kept = kept.unwrap_or(point.0);
        self.log.push((kept, self.blocks[kept as usize]));
        self.heads[point.index()] = kept;
        for &head in undo.merged.as_slice() {
            let block = &self.blocks[head as usize];
            joined.stones |= block.stones;
            joined.liberties |= block.liberties;
            joined.hash ^= block.hash;
            if head != kept {
                for stone in block.stones.iter() {
                    self.heads[stone.index()] = kept;
                }
            }
        }
        joined.liberties.remove(point);
        joined.liberty_count = joined.liberties.len() as u16;
        self.blocks[kept as usize] = joined;
    }

    /// Takes the point from the liberties of the opponent's neighbours and
    /// removes those that have none left.
    fn press_opponent(&mut self, colour: Colour, point: Point, undo: &mut Undo) {
        let opponent = Cell::of(colour.other());
        let mut pressed = Heads::default();
        for next in point.neighbours() {
            if self.cell(next) == opponent {
                pressed.push_new(self.heads[next.index()]);
            }
        }
        for &head in pressed.as_slice() {
            self.log.push((head, self.blocks[head as usize]));
            let block = &mut self.blocks[head as usize];
            block.liberties.remove(point);
            block.liberty_count -= 1;
            if block.liberty_count == 0 {
                undo.captured.push_new(head);
                self.remove_block(colour, head);
            }
        }
    }

    fn remove_block(&mut self, capturer: Colour, head: u16) {
        let Block { stones, hash, .. } = self.blocks[head as usize];
        self.key ^= hash;
        self.empty |= stones;
        let owner = &mut self.stones[capturer.other().index()];
        *owner = owner.minus(&stones);
        for stone in stones.iter() {
            self.cells[stone.index()] = Cell::Empty;
        }
        let own = Cell::of(capturer);
        let mut freed = stones.dilated() & self.stones[capturer.index()];
        while let Some(next) = freed.first() {
            debug_assert!(self.cell(next) == own);
            let freed_head = self.heads[next.index()];
            let block = &mut self.blocks[freed_head as usize];
            self.log.push((freed_head, *block));
            freed = freed.minus(&block.stones);
            block.liberties |= stones & block.stones.dilated();
            block.liberty_count = block.liberties.len() as u16;
        }
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(undo) = self.undo.pop() else { return false };
        if self.rule == KoRule::Superko {
            self.history.pop();
        }
        self.ko = undo.ko;
        self.key = undo.key;
        let Some(point) = undo.mv.point() else { return true };
        while self.log.len() > undo.log_start {
            if let Some((head, block)) = self.log.pop() {
                self.blocks[head as usize] = block;
            }
        }
        self.cells[point.index()] = Cell::Empty;
        self.empty.insert(point);
        self.stones[undo.colour.index()].remove(point);
        self.restore_captured(undo.colour.other(), undo.captured);
        for &head in undo.merged.as_slice() {
            let stones = self.blocks[head as usize].stones;
            for stone in stones.iter() {
                self.heads[stone.index()] = head;
            }
        }
        true
    }

    fn restore_captured(&mut self, owner: Colour, captured: Heads) {
        for &head in captured.as_slice() {
            let stones = self.blocks[head as usize].stones;
            self.empty = self.empty.minus(&stones);
            self.stones[owner.index()] |= stones;
            for stone in stones.iter() {
                self.cells[stone.index()] = Cell::of(owner);
                self.heads[stone.index()] = head;
            }
        }
    }
}
