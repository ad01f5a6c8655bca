//! An independent check of an answer, on the slow board.
//!
//! The checker has its own rules (the reference board), its own list of replies (every legal move,
//! no narrowing) and its own idea of what the ko rule allows. From the solver it takes only the
//! winner's moves, and believes none of them.
//!
//! * *Captured*: the attacker's move at each position, and every reply of the defender, must lead
//!   on to the capture; a position that comes back on the way is a fault.
//! * *Not captured*: the defender's move at each position, and every move of the attacker, must
//!   stay within positions checked the same way. Coming back to one of them is no fault: going
//!   round in circles captures nothing.
//!
//! A defence that rests on a repetition (a double ko) is no fact about its positions, so the
//! solver's table does not hold its moves. There the checker tries the defender's moves one by one.
//! When one fails, every position taken in on the way is taken out again: it may rest on a position
//! that has just failed. What was taken in before rests only on what is older, and stays.
//!
//! A search with zones leaves out replies that change nothing on which a refutation rests. The
//! checker then works out on the slow board what its own check of a position rests on
//! (`rests.rs`), follows every legal reply that touches it, and plays all others on the slow board
//! to see that they leave it as it is. A position with the same stones on those points as one that
//! is confirmed is confirmed with it. The solver's zones are not asked.
//!
//! One such check establishes one game. An answer can rest on several: `Solution::check` makes
//! all of them.

use std::collections::{HashMap, HashSet};

use yomikiri_proof::game::{Candidate, ProofGame, Role};
use yomikiri_proof::number::Number;
use yomikiri_proof::table::{Handle, UNBOUNDED};

use super::game::{CaptureGame, CaptureRules, Ko};
use super::moves::Moves;
use super::rests::{agree, around, losers_stone, protect, winners_stone};
use crate::board::reference::ReferenceBoard;
use crate::board::{Board, Colour, KoRule, Move, Point, PointSet};

/// Why an answer could not be confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckFailure {
    /// More positions than allowed.
    TooLarge,
    /// The solver's table no longer holds the winner's move after these moves.
    Forgotten(Vec<Move>),
    /// The winner's move does not do what was claimed, after these moves.
    Refuted(Vec<Move>),
    /// The checker does not know this ko rule.
    Unsupported,
    /// The answer rests on the game with this ko rule too, and no search has settled it that way.
    Unsearched(Ko),
}

type State = (Vec<Option<Colour>>, Option<Point>, Role);

/// What confirmed positions have in common that can stand for one another: the target's block, the
/// point that ko forbids, who is to move.
type Kind = (Vec<Point>, Option<Point>, Role);

struct Checker<'a> {
    game: CaptureGame,
    table: &'a Handle<'a>,
    claim: Number,
    rules: CaptureRules,
    target: Point,
    attacker: Colour,
    points: Vec<Point>,
    /// Positions confirmed, and what they rest on; for "not captured" also those being checked,
    /// which rest on the whole board until they are.
    known: HashMap<State, PointSet>,
    /// Whether replies are left out that change nothing.
    zoned: bool,
    /// Boards of confirmed positions by kind, with what they rest on, if that is not the whole
    /// board: another board with the same stones there is confirmed with it.
    confirmed: HashMap<Kind, Vec<(PointSet, ReferenceBoard)>>,
    /// The same in the order of their coming.
    order: Vec<State>,
    path: HashSet<State>,
    line: Vec<Move>,
    /// Positions looked at, those taken out again included.
    looked_at: usize,
    most: usize,
}

/// Checks a solved search with the table that it left. Returns the number of positions looked at.
pub(super) fn verify(
    board: &Board,
    game: &CaptureGame,
    rules: CaptureRules,
    target: Point,
    claim: Number,
    table: &Handle<'_>,
    most: usize,
) -> Result<usize, CheckFailure> {
    if rules.ko == Ko::Superko {
        return Err(CheckFailure::Unsupported);
    }
    let size = board.size();
    let points: Vec<Point> =
        (0..size).flat_map(|row| (0..size).map(move |column| Point::new(column, row))).collect();
    let stones = points.iter().filter_map(|&point| Some((board.stone(point)?, point)));
    let mut slow = ReferenceBoard::from_stones(size, KoRule::Simple, stones);
    let Some(owner) = board.stone(target) else { return Err(CheckFailure::Refuted(Vec::new())) };
    let mover = if game.role() == Role::Attacker { owner.other() } else { owner };
    slow.set_ko(board.ko().filter(|&ko| takes(&slow, mover, ko)));
    let mut checker = Checker {
        game: game.with_all_moves(),
        table,
        claim,
        rules,
        target,
        attacker: owner.other(),
        points,
        known: HashMap::new(),
        zoned: rules.moves == Moves::Zones,
        confirmed: HashMap::new(),
        order: Vec::new(),
        path: HashSet::new(),
        line: Vec::new(),
        looked_at: 0,
        most,
    };
    checker.check(&slow, game.role())?;
    Ok(checker.known.len())
}

impl Checker<'_> {
    fn winner(&self) -> Role {
        if self.claim.is_proven() { Role::Attacker } else { Role::Defender }
    }

    /// Checks a position; returns what that rests on.
    fn check(&mut self, board: &ReferenceBoard, turn: Role) -> Result<PointSet, CheckFailure> {
        let board = self.freed(board, turn);
        if let Some(rests) = self.given_up(&board) {
            return if self.winner() == Role::Defender { Ok(rests) } else { self.refuted() };
        }
        let state = self.state(&board, turn);
        if let Some(rests) = self.known.get(&state) {
            return Ok(*rests);
        }
        let kind = self.kind(&board, turn);
        if let Some(rests) = self.confirmed_by(&kind, &board) {
            return Ok(rests);
        }
        if self.looked_at >= self.most {
            return Err(CheckFailure::TooLarge);
        }
        match self.winner() {
            Role::Attacker if !self.path.insert(state.clone()) => return self.refuted(),
            Role::Attacker => {}
            Role::Defender => self.take_in(state.clone()),
        }
        self.looked_at += 1;
        let rests = if turn == self.winner() {
            self.check_winner(&board, turn)?
        } else {
            self.check_loser(&board, turn)?
        };
        if self.winner() == Role::Attacker {
            self.path.remove(&state);
            self.take_in(state.clone());
        }
        let rests = rests | self.ground(&board);
        if self.zoned && rests != self.everywhere() {
            self.confirmed.entry(kind).or_default().push((rests, board));
        }
        self.known.insert(state, rests);
        Ok(rests)
    }

    fn kind(&self, board: &ReferenceBoard, turn: Role) -> Kind {
        let block = if self.zoned { board.block(self.target).0 } else { Vec::new() };
        (block, board.ko(), turn)
    }

    /// What the position rests on, if a confirmed one has the same stones there.
    fn confirmed_by(&self, kind: &Kind, board: &ReferenceBoard) -> Option<PointSet> {
        let alike = self.confirmed.get(kind)?.iter().rev();
        alike
            .map(|(rests, other)| (rests, agree(board, other, rests)))
            .find(|&(_, same)| same)
            .map(|(rests, _)| *rests)
    }

    /// What every position rests on: the target stands, and (captured) has no more liberties than
    /// it shows.
    fn ground(&self, board: &ReferenceBoard) -> PointSet {
        match self.winner() {
            Role::Attacker => around(board, self.target),
            Role::Defender => PointSet::of(self.target),
        }
    }

    /// The target with as many liberties as the limit, if it has them.
    fn given_up(&self, board: &ReferenceBoard) -> Option<PointSet> {
        let most = self.rules.give_up? as usize;
        let (stones, liberties) = board.block(self.target);
        let enough = liberties.len() >= most;
        enough.then(|| stones.into_iter().chain(liberties.into_iter().take(most)).collect())
    }

    fn everywhere(&self) -> PointSet {
        self.points.iter().copied().collect()
    }

    fn colour(&self, turn: Role) -> Colour {
        match turn {
            Role::Attacker => self.attacker,
            Role::Defender => self.attacker.other(),
        }
    }

    fn take_in(&mut self, state: State) {
        self.known.insert(state.clone(), self.everywhere());
        self.order.push(state);
    }

    /// Takes out all but the oldest `count` positions.
    fn take_out(&mut self, count: usize) {
        for state in self.order.drain(count..) {
            self.known.remove(&state);
        }
        // Which of them were confirmed by what is not on record.
        self.confirmed.clear();
    }

    /// A side with threats without end is bound by no ko.
    fn freed(&self, board: &ReferenceBoard, turn: Role) -> ReferenceBoard {
        let mut board = board.without_history();
        let free = match turn {
            Role::Attacker => self.rules.ko == Ko::DefenderYields,
            Role::Defender => self.rules.ko == Ko::AttackerYields,
        };
        if free {
            board.set_ko(None);
        }
        board
    }

    fn state(&self, board: &ReferenceBoard, turn: Role) -> State {
        (self.points.iter().map(|&point| board.stone(point)).collect(), board.ko(), turn)
    }

    fn refuted(&self) -> Result<PointSet, CheckFailure> {
        Err(CheckFailure::Refuted(self.line.clone()))
    }

    fn check_winner(
        &mut self,
        board: &ReferenceBoard,
        turn: Role,
    ) -> Result<PointSet, CheckFailure> {
        match self.winning_move(board, turn) {
            None if turn == Role::Defender => self.try_defences(board),
            None => Err(CheckFailure::Forgotten(self.line.clone())),
            Some(mv) => match self.after(board, turn, mv) {
                None => self.refuted(),
                Some(after) => {
                    let stone = |point| winners_stone(board, self.colour(turn), point);
                    let its_own = mv.point().map_or(PointSet::EMPTY, stone);
                    Ok(its_own | self.go_on(&after, turn, mv)?)
                }
            },
        }
    }

    /// Looks for a move of the defender that keeps the target, where the table holds none.
    fn try_defences(&mut self, board: &ReferenceBoard) -> Result<PointSet, CheckFailure> {
        let (known, line) = (self.order.len(), self.line.len());
        for mv in self.defences() {
            let Some(after) = self.after(board, Role::Defender, mv) else { continue };
            match self.go_on(&after, Role::Defender, mv) {
                Err(CheckFailure::Refuted(_)) => {
                    self.take_out(known);
                    self.line.truncate(line);
                }
                Err(doubt) => return Err(doubt),
                Ok(_) => return Ok(self.everywhere()),
            }
        }
        self.refuted()
    }

    /// All moves of the defender, those first that the search found nearest to a defence.
    fn defences(&mut self) -> Vec<Move> {
        let mut moves: Vec<Candidate<Move>> = Vec::new();
        self.game.moves(&mut moves);
        let mut ranked: Vec<(u32, Move)> = Vec::new();
        for Candidate { play, pn, dn, .. } in moves {
            let child = self.game.peek(play);
            let found = self.table.look_up(child, UNBOUNDED, Number::open(pn, dn));
            // Without an end of its own, a disproof that depends on the path counts least.
            let order = if found.number.is_proven() { u32::MAX } else { found.number.dn };
            ranked.push((order, play));
        }
        ranked.sort_by_key(|&(order, _)| order);
        let searched: Vec<Move> = ranked.into_iter().map(|(_, play)| play).collect();
        let mut others = self.all_moves(Role::Defender);
        others.retain(|mv| !searched.contains(mv));
        [searched, others].concat()
    }

    /// Every point, and the pass where there is one.
    fn all_moves(&self, turn: Role) -> Vec<Move> {
        let mut moves: Vec<Move> = self.points.iter().map(|&point| point.into()).collect();
        if turn == Role::Defender {
            moves.push(Move::PASS);
        }
        moves
    }

    /// Tries every legal reply: those that touch what the answers to the others rest on are
    /// followed, the rest must leave it as it is.
    fn check_loser(
        &mut self,
        board: &ReferenceBoard,
        turn: Role,
    ) -> Result<PointSet, CheckFailure> {
        if !self.zoned {
            return self.follow_all(board, turn);
        }
        let mut rests = self.ground(board);
        // An attacker who plays elsewhere is answered by a pass, a defender as if it had passed.
        let mut idle = None;
        if turn == Role::Defender {
            let passed = self.after(board, turn, Move::PASS);
            let Some(passed) = passed else { return self.refuted() };
            rests |= self.go_on(&passed, turn, Move::PASS)?;
            idle = Some(rests);
        }
        let (own, mut followed) = (self.colour(turn), PointSet::EMPTY);
        loop {
            protect(board, own.other(), &mut rests);
            let empty = |point: &Point| board.stone(*point).is_none() && !followed.contains(*point);
            let Some(point) = rests.iter().find(empty) else {
                match self.disturbance(board, turn, &rests) {
                    None => break,
                    Some(point) => rests.insert(point),
                };
                continue;
            };
            followed.insert(point);
            let after = self.after(board, turn, point.into());
            rests |= losers_stone(board, own, point, after.is_none());
            let Some(after) = after else { continue };
            if !idle.is_some_and(|idle| agree(board, &after, &idle)) {
                rests |= self.go_on(&after, turn, point.into())?;
            }
        }
        // A pass lifts a ko: then a stone elsewhere, answered by a pass, does change something.
        let lifted = turn == Role::Attacker && board.ko().is_some_and(|ko| rests.contains(ko));
        if lifted { self.follow_all(board, turn) } else { Ok(rests) }
    }

    /// A legal move elsewhere that would change one of these points.
    fn disturbance(&self, board: &ReferenceBoard, turn: Role, rests: &PointSet) -> Option<Point> {
        let elsewhere = self.points.iter().filter(|point| !rests.contains(**point));
        let changes = |point: &&Point| {
            let after = self.after(board, turn, (**point).into());
            after.is_some_and(|after| !agree(board, &after, rests))
        };
        elsewhere.copied().collect::<Vec<_>>().iter().find(changes).copied()
    }

    fn follow_all(&mut self, board: &ReferenceBoard, turn: Role) -> Result<PointSet, CheckFailure> {
        for mv in self.all_moves(turn) {
            if let Some(after) = self.after(board, turn, mv) {
                self.go_on(&after, turn, mv)?;
            }
        }
        Ok(self.everywhere())
    }

    /// Judges the position behind a move: the capture, or what follows.
    fn go_on(
        &mut self,
        after: &ReferenceBoard,
        turn: Role,
        mv: Move,
    ) -> Result<PointSet, CheckFailure> {
        self.line.push(mv);
        let result = if after.stone(self.target) != Some(self.attacker.other()) {
            if self.winner() == Role::Attacker { Ok(PointSet::EMPTY) } else { self.refuted() }
        } else {
            self.game.play(mv);
            let result = self.check(after, turn.other());
            self.game.undo(mv);
            result
        };
        if result.is_ok() {
            self.line.pop();
        }
        result
    }

    /// The board after a move, if the rules of this ko game allow it.
    fn after(&self, board: &ReferenceBoard, turn: Role, mv: Move) -> Option<ReferenceBoard> {
        let mut after = board.without_history();
        after.play(self.colour(turn), mv).ok()?;
        // The attacker takes a ko against endless threats: the defender retakes, and nothing has
        // changed.
        let in_vain = turn == Role::Attacker && self.rules.ko == Ko::AttackerYields;
        (!in_vain || after.ko().is_none()).then_some(after)
    }

    /// What the solver would play: the capture, else the move with the shortest proof, else any
    /// that is disproven or leads back to a position under check.
    fn winning_move(&mut self, board: &ReferenceBoard, turn: Role) -> Option<Move> {
        if let Some(capture) = self.game.capture_now() {
            return Some(capture);
        }
        if let Some(known) = self.game.known_win() {
            return Some(known);
        }
        // A position that a pattern settled may lead into a ladder that was read elsewhere.
        if self.winner() == Role::Attacker
            && let Some(atari) = self.game.ladder().and_then(|ground| ground.best)
        {
            return Some(atari);
        }
        let mut moves: Vec<Candidate<Move>> = Vec::new();
        self.game.moves(&mut moves);
        let mut best: Option<(Move, u16)> = None;
        for candidate in &moves {
            let child = self.game.peek(candidate.play);
            let found = self.table.look_up(child, UNBOUNDED, Number::UNIT);
            if found.number == self.claim && best.is_none_or(|(_, length)| found.length < length) {
                best = Some((candidate.play, found.length));
            }
        }
        let play = best.map(|(play, _)| play);
        play.or_else(|| self.returning_move(board, turn, &moves))
    }

    fn returning_move(
        &self,
        board: &ReferenceBoard,
        turn: Role,
        moves: &[Candidate<Move>],
    ) -> Option<Move> {
        if self.winner() == Role::Attacker {
            return None;
        }
        let returns = |candidate: &&Candidate<Move>| {
            let after = self.after(board, turn, candidate.play);
            after.is_some_and(|after| {
                let after = self.freed(&after, turn.other());
                let stands = after.stone(self.target) == Some(self.attacker.other());
                let given_up = stands && self.given_up(&after).is_some();
                given_up || stands && self.known.contains_key(&self.state(&after, turn.other()))
            })
        };
        moves.iter().find(returns).map(|candidate| candidate.play)
    }
}

/// Whether a stone there takes something: ko forbids a retake, and binds no side that would only
/// fill the point.
fn takes(board: &ReferenceBoard, colour: Colour, point: Point) -> bool {
    let mut after = board.without_history();
    after.play(colour, point.into()).is_ok_and(|taken| !taken.is_empty())
}
