//! One thread of search and what it keeps.

use super::PLY;
use super::correction::Corrections;
use super::game_end::EndRules;
use super::history::{CONTINUATIONS, Histories, PieceTo};
use super::limits::Control;
use super::ordering::OrderContext;
use super::probcut::QuiescenceModel;
use super::probes::Recorder;
use super::reduction::Reductions;
use super::root::RootMove;
use crate::category;
use crate::eval::Evaluation;
use crate::settings::search::SearchParams;
use crate::time::Schedule;
use crate::tt::TranspositionTable;
use crate::value::{MAX_PLY, Value};
use std::sync::Arc;
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Color, Move, Position};

/// What is kept about each ply of the line being searched.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The static value; `None` in check.
    pub eval: Option<Value>,
    /// The move played from here.
    pub mv: Option<Move>,
    /// Its piece and square, for the histories.
    pub piece_to: PieceTo,
    /// Moves that cut here before.
    pub killers: [Option<Move>; 2],
    /// The move that a singular test leaves out.
    pub excluded: Option<Move>,
    /// Plies by which the line has been extended.
    pub extended: i32,
    /// By how much the move played from here is reduced, in parts of a ply.
    pub reduction: i32,
    /// Cut-offs among the children of nodes here since their grandparent was entered.
    pub cutoffs: i32,
    /// What the correction history added to the static value.
    pub correction: Value,
    /// Which move is being searched from here, counted from 1.
    pub number: i32,
    /// How moves like it fared before.
    pub stat_score: i32,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Whether the table knew the position.
    pub hit: bool,
    /// Whether a principal variation goes through here, or once did.
    pub table_pv: bool,
    /// Whether the moves up to here are those of the last iteration's best line.
    pub follows_line: bool,
}

impl Frame {
    const EMPTY: Frame = Frame {
        eval: None,
        mv: None,
        piece_to: PieceTo::NONE,
        killers: [None; 2],
        excluded: None,
        extended: 0,
        reduction: 0,
        cutoffs: 0,
        correction: 0,
        number: 0,
        stat_score: 0,
        in_check: false,
        hit: false,
        table_pv: false,
        follows_line: false,
    };
}

/// Frames before the root, so that looking back needs no case.
pub(super) const BEFORE_ROOT: usize = 6;

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

impl Counters {
    /// Adds what another thread counted.
    pub(crate) fn add(&mut self, other: &Counters) {
        let pair = |sum: &mut [u64; 2], more: [u64; 2]| {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        self.quiescence_nodes += other.quiescence_nodes;
        pair(&mut self.quiescence_probcut, other.quiescence_probcut);
        pair(&mut self.probcut, other.probcut);
        pair(&mut self.null_move, other.null_move);
        pair(&mut self.singular, other.singular);
        self.frontier_nodes += other.frontier_nodes;
        pair(&mut self.frontier_changes, other.frontier_changes);
    }
}

/// One thread of search.
pub struct Searcher<E: Evaluation> {
    pub(super) position: Position,
    pub(super) eval: E,
    pub(super) params: SearchParams,
    pub(super) rules: EndRules,
    pub(super) model: QuiescenceModel,
    pub(super) reductions: Reductions,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) control: Arc<Control>,
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) frames: Vec<Frame>,
    /// The best line from each ply on.
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) root: Root,
    /// 0 for the main thread.
    pub(super) thread: usize,
    pub(super) nodes: u64,
    pub(super) effort: Effort,
    pub(super) stopped: bool,
    pub(super) deepest: usize,
    /// No null moves below this ply while one is being verified.
    pub(super) null_from: usize,
    pub(super) instruments: Instruments,
}

/// The root of the search.
pub(super) struct Root {
    /// Its moves, best first.
    pub moves: Vec<RootMove>,
    /// Who is to move there.
    pub side: Color,
    /// The width of its window.
    pub window: Value,
}

/// What the search may spend, and how far that was watched.
pub(super) struct Effort {
    /// Nodes already reported to the control.
    pub reported: u64,
    /// The number of nodes at which to look at clock and control next.
    pub next_look: u64,
    pub node_limit: Option<u64>,
    pub schedule: Schedule,
    /// Lines end here.
    pub max_ply: usize,
}

/// What experiments read off.
#[derive(Default)]
pub(super) struct Instruments {
    pub counters: Counters,
    pub recorder: Option<Recorder>,
}

/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 1024;

impl<E: Evaluation> Searcher<E> {
    /// A searcher with empty histories.
    pub fn new(eval: E, table: Arc<TranspositionTable>, thread: usize) -> Searcher<E> {
        let effort = Effort {
            reported: 0,
            next_look: LOOK_EVERY,
            node_limit: None,
            schedule: Schedule::default(),
            max_ply: MAX_PLY - 1,
        };
        Searcher {
            position: Position::start(),
            eval,
            params: SearchParams::default(),
            rules: EndRules::default(),
            model: QuiescenceModel::default(),
            reductions: Reductions::new(&SearchParams::default(), &category::DEFAULT),
            table,
            control: Arc::new(Control::default()),
            histories: Histories::new(),
            corrections: Corrections::new(),
            frames: vec![Frame::EMPTY; MAX_PLY + BEFORE_ROOT + 4],
            lines: vec![Vec::new(); MAX_PLY + 4],
            root: Root { moves: Vec::new(), side: Color::Black, window: 1 },
            thread,
            nodes: 0,
            effort,
            stopped: false,
            deepest: 0,
            null_from: 0,
            instruments: Instruments::default(),
        }
    }

    /// Forgets what was learned in earlier games.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Takes new settings.
    pub fn configure(&mut self, params: &SearchParams, rules: &EndRules, model: &QuiescenceModel) {
        self.params = *params;
        self.rules = rules.clone();
        self.model = *model;
        self.reductions = Reductions::new(params, self.reductions.probabilities.table());
    }

    /// Takes other probabilities of the categories of moves, in millionths.
    pub fn set_move_probabilities(&mut self, table: &[u32; category::COUNT]) {
        self.reductions = Reductions::new(&self.params, table);
    }

    /// How often each technique was tried since the last search began.
    pub fn counters(&self) -> Counters {
        self.instruments.counters
    }

    /// Sets up a position to search from.
    pub(super) fn set_position(&mut self, position: &Position) {
        self.position = position.clone();
        self.eval.reset(position);
        self.root.side = position.side_to_move();
        self.frames.fill(Frame::EMPTY);
        self.histories.forget_low_plies();
        self.nodes = 0;
        self.effort.reported = 0;
        self.effort.next_look = 0;
        self.stopped = false;
        self.null_from = 0;
        self.instruments.counters = Counters::default();
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
    pub(super) fn play(&mut self, mv: Move, ply: usize) {
        let piece_to = PieceTo::new(&self.position, mv);
        let frame = self.frame_mut(ply);
        frame.mv = Some(mv);
        frame.piece_to = piece_to;
        let extended = frame.extended;
        self.frame_mut(ply + 1).extended = extended;
        self.nodes += 1;
        // Before the move is played: then the entry is there when it is looked up.
        self.table.prefetch(self.position.key_after(mv));
        let change = self.position.play(mv);
        self.eval.push(&self.position, &change);
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.eval.pop();
        self.position.undo();
    }

    /// The moves one to six plies before this ply.
    #[inline]
    pub(super) fn continuation_keys(&self, ply: usize) -> [PieceTo; CONTINUATIONS] {
        core::array::from_fn(|back| self.frames[ply + BEFORE_ROOT - 1 - back].piece_to)
    }

    /// What the order of moves at this ply depends on.
    #[inline]
    pub(super) fn order_context(&self, ply: usize) -> OrderContext {
        let continuation_keys = self.continuation_keys(ply);
        let [first, second] = self.frame(ply).killers;
        let killers = self.params.ordering.killers;
        let counter = if self.params.ordering.counter_moves && continuation_keys[0] != PieceTo::NONE
        {
            self.histories.counter(continuation_keys[0])
        } else {
            None
        };
        OrderContext {
            continuation_keys,
            refutations: [first.filter(|_| killers), second.filter(|_| killers), counter],
            low_ply: Some(ply).filter(|_| self.params.history.low_ply),
            history: self.params.history.enabled,
            continuation: self.params.history.continuation,
            check_bonus: self.params.ordering.check_bonus,
            bad_quiet: self.params.ordering.bad_quiet,
            non_promotions: self.non_promotions(),
        }
    }

    pub(super) fn non_promotions(&self) -> NonPromotions {
        if self.rules.all_moves { NonPromotions::All } else { NonPromotions::Useful }
    }

    /// Whether the search must end; looks at clock and signals now and then.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.effort.next_look {
            self.look();
        }
        self.stopped
    }

    #[cold]
    fn look(&mut self) {
        let total = self.report_nodes();
        self.effort.next_look = self.nodes + LOOK_EVERY;
        if let Some(limit) = self.effort.node_limit {
            if total >= limit {
                self.stopped = true;
            } else {
                self.effort.next_look = self.effort.next_look.min(self.nodes + (limit - total));
            }
        }
        if self.control.workers_stopped() {
            self.stopped = true;
        }
        if self.thread == 0
            && !self.control.is_pondering()
            && let Some(hard) = self.schedule_now().maximum
            && self.control.used() >= hard
        {
            self.stopped = true;
        }
    }

    /// What the time manager allows: with the clocks of the ponder hit if it brought any.
    pub(super) fn schedule_now(&self) -> Schedule {
        self.control.schedule_of_hit().unwrap_or(self.effort.schedule)
    }

    /// Reports the nodes searched since the last time to the control, and gives the sum of all.
    pub(super) fn report_nodes(&mut self) -> u64 {
        let fresh = self.nodes - self.effort.reported;
        self.effort.reported = self.nodes;
        self.control.add_nodes(fresh)
    }

    /// Whole plies in a depth.
    #[inline]
    pub(super) fn plies(depth: i32) -> i32 {
        depth / PLY
    }
}
