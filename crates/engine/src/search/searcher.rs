//! One thread of search and what it keeps.

use super::PLY;
use super::correction::Corrections;
use super::history::{CONTINUATIONS, Histories, NOTHING, piece_to};
use super::laboratory::Recorder;
use super::limits::Control;
use super::ordering::Context;
use super::params::SearchParams;
use super::probcut::QuiescenceModel;
use super::reduction::Reductions;
use super::root::RootMove;
use super::rules::Rules;
use crate::eval::Evaluation;
use crate::time::Schedule;
use crate::tt::Table;
use crate::value::{MAX_PLY, Value};
use std::sync::Arc;
use std::time::Instant;
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Color, Move, Position};

/// What is kept about each ply of the line being searched.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The static value; `None` in check.
    pub eval: Option<Value>,
    /// The move played from here.
    pub played: Option<Move>,
    /// Its piece and square, for the histories.
    pub arrival: usize,
    /// Moves that cut here before.
    pub killers: [Option<Move>; 2],
    /// The move that a singular test leaves out.
    pub excluded: Option<Move>,
    /// Plies by which the line has been extended.
    pub extended: i32,
}

impl Frame {
    const EMPTY: Frame = Frame {
        eval: None,
        played: None,
        arrival: NOTHING,
        killers: [None; 2],
        excluded: None,
        extended: 0,
    };
}

/// Frames before the root, so that looking back needs no case.
pub(super) const BEFORE_ROOT: usize = 4;

/// How often each technique was tried and how often it decided; for experiments.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Nodes of quiescence.
    pub quiescence_nodes: u64,
    /// ProbCut tests inside quiescence, and those that cut.
    pub quiescence_probcut: [u64; 2],
    /// ProbCut tests in the normal search, and those that cut.
    pub probcut: [u64; 2],
    /// Null moves tried, and those that cut.
    pub null_move: [u64; 2],
    /// Singular tests, and those that extended.
    pub singular: [u64; 2],
    /// Nodes at the frontier in the frontier form of singular extension.
    pub frontier_nodes: u64,
    /// Those at which the extension changed the value, and the best move.
    pub frontier_changes: [u64; 2],
}

/// One thread of search.
pub struct Searcher<E: Evaluation> {
    pub(super) position: Position,
    pub(super) eval: E,
    pub(super) params: SearchParams,
    pub(super) rules: Rules,
    pub(super) model: QuiescenceModel,
    pub(super) reductions: Reductions,
    pub(super) table: Arc<Table>,
    pub(super) control: Arc<Control>,
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) frames: Vec<Frame>,
    /// The best line from each ply on.
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) root_side: Color,
    /// 0 for the main thread.
    pub(super) thread: usize,
    pub(super) nodes: u64,
    /// Nodes already told to the control.
    pub(super) told: u64,
    /// When to look at clock and control next.
    pub(super) next_look: u64,
    pub(super) node_limit: Option<u64>,
    pub(super) schedule: Schedule,
    pub(super) started: Instant,
    pub(super) stopped: bool,
    pub(super) deepest: usize,
    /// No null moves below this ply while one is being verified.
    pub(super) null_from: usize,
    pub(super) counters: Counters,
    /// For experiments.
    pub(super) recorder: Option<Recorder>,
}

/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 1024;

impl<E: Evaluation> Searcher<E> {
    /// A searcher with empty histories.
    pub fn new(eval: E, table: Arc<Table>, control: Arc<Control>, thread: usize) -> Searcher<E> {
        Searcher {
            position: Position::start(),
            eval,
            params: SearchParams::default(),
            rules: Rules::default(),
            model: QuiescenceModel::default(),
            reductions: Reductions::new(&SearchParams::default()),
            table,
            control,
            histories: Histories::new(),
            corrections: Corrections::new(),
            frames: vec![Frame::EMPTY; MAX_PLY + BEFORE_ROOT + 4],
            lines: vec![Vec::new(); MAX_PLY + 4],
            root_moves: Vec::new(),
            root_side: Color::Black,
            thread,
            nodes: 0,
            told: 0,
            next_look: LOOK_EVERY,
            node_limit: None,
            schedule: Schedule::default(),
            started: Instant::now(),
            stopped: false,
            deepest: 0,
            null_from: 0,
            counters: Counters::default(),
            recorder: None,
        }
    }

    /// Forgets what was learned in earlier games.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Takes new settings.
    pub fn configure(&mut self, params: &SearchParams, rules: &Rules, model: &QuiescenceModel) {
        self.params = params.clone();
        self.rules = rules.clone();
        self.model = *model;
        self.reductions = Reductions::new(params);
    }

    /// How often each technique was tried since the last search began.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Sets up a position to search from.
    pub(super) fn set_position(&mut self, position: &Position) {
        self.position = position.clone();
        self.eval.reset(position);
        self.root_side = position.side_to_move();
        self.frames.fill(Frame::EMPTY);
        self.nodes = 0;
        self.told = 0;
        self.next_look = 0;
        self.stopped = false;
        self.null_from = 0;
        self.counters = Counters::default();
    }

    #[inline]
    pub(super) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT]
    }

    #[inline]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// Plays a move `ply` plies from the root.
    #[inline]
    pub(super) fn play(&mut self, played: Move, ply: usize) {
        let arrival = piece_to(&self.position, played);
        let frame = self.frame_mut(ply);
        frame.played = Some(played);
        frame.arrival = arrival;
        let extended = frame.extended;
        self.frame_mut(ply + 1).extended = extended;
        self.nodes += 1;
        // Before the move is played: then the entry is there when it is looked up.
        self.table.expect(self.position.key_after(played));
        let change = self.position.play(played);
        self.eval.push(&self.position, &change);
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.eval.pop();
        self.position.undo();
    }

    /// The arrivals one, two and four plies before this ply.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> [usize; CONTINUATIONS] {
        let back = |plies: usize| self.frames[ply + BEFORE_ROOT - plies].arrival;
        [back(1), back(2), back(4)]
    }

    /// What the order of moves at this ply depends on.
    #[inline]
    pub(super) fn order_context(&self, ply: usize) -> Context {
        let before = self.before(ply);
        let [first, second] = self.frame(ply).killers;
        let killers = self.params.killers;
        let counter = if self.params.counter_moves && before[0] != NOTHING {
            self.histories.counter(before[0])
        } else {
            None
        };
        Context {
            before,
            refutations: [first.filter(|_| killers), second.filter(|_| killers), counter],
            history: self.params.history,
            continuation: self.params.continuation_history,
            check_bonus: self.params.check_bonus,
            non_promotions: self.non_promotions(),
        }
    }

    pub(super) fn non_promotions(&self) -> NonPromotions {
        if self.rules.all_moves { NonPromotions::All } else { NonPromotions::Useful }
    }

    /// Whether the search must end; looks at clock and signals now and then.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.look();
        }
        self.stopped
    }

    #[cold]
    fn look(&mut self) {
        let total = self.tell_nodes();
        self.next_look = self.nodes + LOOK_EVERY;
        if let Some(limit) = self.node_limit {
            if total >= limit {
                self.stopped = true;
            } else {
                self.next_look = self.next_look.min(self.nodes + limit - total);
            }
        }
        if self.control.is_stopped() {
            self.stopped = true;
        }
        if self.thread == 0
            && !self.control.is_pondering()
            && let Some(hard) = self.schedule_now().maximum
            && self.control.clock_start(self.started).elapsed() >= hard
        {
            self.stopped = true;
        }
    }

    /// What the time manager allows: with the clocks of the ponder hit if it brought any.
    pub(super) fn schedule_now(&self) -> Schedule {
        self.control.schedule_of_hit().unwrap_or(self.schedule)
    }

    /// Tells the control of the nodes searched since the last time, and gives the sum of all.
    pub(super) fn tell_nodes(&mut self) -> u64 {
        let fresh = self.nodes - self.told;
        self.told = self.nodes;
        self.control.add_nodes(fresh)
    }

    /// Whole plies in a depth.
    #[inline]
    pub(super) fn plies(depth: i32) -> i32 {
        depth / PLY
    }
}
