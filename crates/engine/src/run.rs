//! One search from the question to the answer: book, mate, search, speculation.

use crate::book::Book;
use crate::category::COUNT;
use crate::eval::registry::Visitor;
use crate::eval::{Evaluation, Model};
use crate::events::{LineInfo, OnEvent, SearchEvent};
use crate::handle::EngineError;
use crate::mate::root::RootMate;
use crate::search::driver::{SearchJob, SearchWorker};
use crate::search::limits::{Control, Limits};
use crate::search::probcut::QuiescenceModel;
use crate::search::{Counters, RootMove, Searcher};
use crate::settings::Settings;
use crate::speculative::{self, Mode, ProofBudget};
use crate::threads::{run_workers, wait_until_told};
use crate::time::Planner;
use crate::tt::{Bound, TranspositionTable};
use crate::value::{MATE, Value, mate_in, mated_in};
use std::sync::Arc;
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::{Move, Position};

/// What a search decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOutcome {
    /// The move to play; `None` if there is no legal move or the engine resigns.
    pub best: Option<Move>,
    /// The answer expected to it.
    pub ponder: Option<Move>,
    /// Whether the engine declares a win by the entering-king rule instead of moving.
    pub declares: bool,
    /// The value for the side to move.
    pub value: Value,
    /// The lines found, best first.
    pub lines: Vec<RootMove>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// How often each technique was tried and how often it decided, over all threads.
    pub counters: Counters,
}

impl SearchOutcome {
    fn without_moves() -> SearchOutcome {
        SearchOutcome {
            best: None,
            ponder: None,
            declares: false,
            value: mated_in(0),
            lines: Vec::new(),
            nodes: 0,
            counters: Counters::default(),
        }
    }
}

/// A requested search with its limits settled.
pub(crate) struct Request {
    position: Position,
    /// The caller's limits, within what the settings allow.
    allowed: Limits,
    /// Those limits within what the level sees, and the plan of the time.
    pub(crate) planner: Planner,
    pub(crate) control: Arc<Control>,
}

impl Request {
    pub(crate) fn new(
        settings: &Settings,
        position: &Position,
        limits: &Limits,
        control: Arc<Control>,
    ) -> Request {
        let game = &settings.game;
        let allowed = limited(limits, game.depth_limit, game.nodes_limit);
        let planner = Planner {
            limits: game.level.narrow(position, allowed.clone()),
            options: game.time,
            side: position.side_to_move(),
            move_number: position.move_number(),
            speculates: game.speculation.mode != Mode::Off,
        };
        Request { position: position.clone(), allowed, planner, control }
    }
}

/// The caller's limits, within those of the settings, where 0 means none.
fn limited(limits: &Limits, depth: i32, nodes: u64) -> Limits {
    let within = |asked: Option<u64>, most: u64| match (asked, most) {
        (asked, 0) => asked,
        (asked, most) => Some(asked.map_or(most, |asked| asked.min(most))),
    };
    let asked = limits.depth.map(|depth| depth.max(1) as u64);
    Limits {
        depth: within(asked, depth as u64).map(|depth| depth as i32),
        nodes: within(limits.nodes, nodes),
        ..limits.clone()
    }
}

/// What the engine keeps between searches.
pub(crate) struct Core {
    settings: Settings,
    model: Model,
    probcut_model: QuiescenceModel,
    move_probabilities: [u32; COUNT],
    table: Arc<TranspositionTable>,
    workers: Vec<Box<dyn SearchWorker>>,
    book: Option<Book>,
    root_mate: RootMate,
    /// Whether nothing was searched since the last clearing.
    fresh: bool,
}

impl Core {
    pub(crate) fn new(settings: Settings) -> Result<Core, EngineError> {
        let resources = &settings.resources;
        let model = resources.evaluation.load()?;
        let probcut_model = resources.load_probcut_model()?;
        let move_probabilities = resources.load_move_probabilities()?;
        let book = resources.book.load()?;
        let table = Arc::new(TranspositionTable::new(resources.hash_megabytes));
        let root_mate = RootMate::default();
        let workers = Vec::new();
        let mut core = Core {
            settings,
            model,
            probcut_model,
            move_probabilities,
            table,
            workers,
            book,
            root_mate,
            fresh: true,
        };
        core.make_workers();
        Ok(core)
    }

    pub(crate) fn table_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Takes new settings, and makes anew only what they concern. What can fail comes first: files
    /// that cannot be read leave everything as it was.
    pub(crate) fn configure(&mut self, settings: Settings) -> Result<(), EngineError> {
        let (new, old) = (&settings.resources, &self.settings.resources);
        let model =
            (new.evaluation != old.evaluation).then(|| new.evaluation.load()).transpose()?;
        let probcut_model = match new.probcut_model == old.probcut_model {
            true => self.probcut_model,
            false => new.load_probcut_model()?,
        };
        let move_probabilities = match new.move_probabilities == old.move_probabilities {
            true => self.move_probabilities,
            false => new.load_move_probabilities()?,
        };
        if !new.book.same_file(&old.book) {
            self.book = new.book.load()?;
        }
        self.probcut_model = probcut_model;
        self.move_probabilities = move_probabilities;
        let new_table = new.hash_megabytes != old.hash_megabytes;
        let new_rules = settings.game.rules != self.settings.game.rules;
        self.settings = settings;
        if new_table {
            self.replace_table();
        }
        if let Some(model) = model {
            self.model = model;
            self.rebuild();
            return Ok(());
        }
        if new_rules && !self.fresh {
            // Values of ended games are in the table.
            self.table.clear();
        }
        self.make_workers();
        Ok(())
    }

    /// Makes the workers anew, and forgets everything.
    pub(crate) fn rebuild(&mut self) {
        self.workers.clear();
        self.make_workers();
        self.table.clear();
        self.root_mate.forget();
        self.fresh = true;
    }

    /// Brings the workers to the number and the parameters of the settings; those that stay keep
    /// what they learned.
    fn make_workers(&mut self) {
        let count = self.settings.resources.threads.max(1);
        self.workers.truncate(count);
        for thread in self.workers.len()..count {
            let table = Arc::clone(&self.table);
            self.workers.push(self.model.visit(WorkerFactory { table, thread }));
        }
        for worker in &mut self.workers {
            worker.configure(&self.settings.search, &self.settings.game.rules, &self.probcut_model);
            worker.set_move_probabilities(&self.move_probabilities);
        }
    }

    /// Both tables at a time might be too much: the old one goes first.
    fn replace_table(&mut self) {
        for megabytes in [1, self.settings.resources.hash_megabytes] {
            self.table = Arc::new(TranspositionTable::new(megabytes));
            self.workers.iter_mut().for_each(|worker| worker.set_table(&self.table));
        }
    }

    pub(crate) fn new_game(&mut self) {
        self.root_mate.forget();
        if self.fresh {
            return;
        }
        self.table.clear();
        self.workers.iter_mut().for_each(|worker| worker.forget());
        self.fresh = true;
    }

    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh && self.root_mate.is_empty()
    }

    /// Searches; `stack` is how many bytes of the caller's stack it may use.
    pub(crate) fn run(
        &mut self,
        request: &Request,
        stack: usize,
        on_event: &mut OnEvent<'_>,
    ) -> SearchOutcome {
        let control = &request.control;
        let limits = &request.planner.limits;
        let known = self.declaration(&request.position);
        if let Some(outcome) = known.or_else(|| self.book_move(request, on_event)) {
            wait_until_told(limits, control);
            return outcome;
        }
        let game = &self.settings.game;
        let mut job = SearchJob::new(&request.position, limits, control)
            .lines(game.level.lines(game.lines))
            .schedule(request.planner.schedule())
            .stack(stack);
        if let Some(outcome) = self.mate(&job, stack, on_event) {
            wait_until_told(limits, control);
            return outcome;
        }
        self.fresh = false;
        self.table.new_search();
        let found = self.search(&job, on_event);
        let told_to_stop = control.is_stopped();
        let chosen = self.settings.game.level.choose(&request.position, found);
        let outcome = self.decide(chosen, control);
        // A level names moves as well: only the caller's choice binds speculative play.
        if told_to_stop || !request.allowed.search_moves.is_empty() {
            return outcome;
        }
        if let Some(schedule) = control.schedule_of_hit() {
            job = job.schedule(schedule);
        }
        self.speculate(&job, &request.allowed, stack, outcome, on_event)
    }

    /// The root moves, best first.
    fn search(&mut self, job: &SearchJob<'_>, on_event: &mut OnEvent<'_>) -> Vec<RootMove> {
        // A level searches more lines than `MultiPV`.
        let asked = self.settings.game.lines.max(1);
        let mut first_lines = |event: &SearchEvent| {
            if event.info().is_none_or(|info| info.line <= asked) {
                on_event(event);
            }
        };
        run_workers(&mut self.workers, job, &mut first_lines)
    }

    /// Where the search sees a loss and the solver proves it, the move that is hardest to answer
    /// takes the place of the one found. A level narrows the search, not the proof: it is paid from
    /// what the caller allows.
    fn speculate(
        &self,
        job: &SearchJob<'_>,
        allowed: &Limits,
        stack: usize,
        outcome: SearchOutcome,
        on_event: &mut OnEvent<'_>,
    ) -> SearchOutcome {
        let how = &self.settings.game.speculation;
        let lost = outcome.value <= -speculative::NEARLY_CERTAIN;
        if how.mode == Mode::Off || !lost || outcome.best.is_none() {
            return outcome;
        }
        let control = job.control;
        let mut budget = ProofBudget::of_move(allowed, &job.schedule, control, how.dfpn, stack);
        let choice = speculative::choose(job.position, how, &mut budget);
        let nodes = control.add_nodes(budget.spent);
        match choice {
            None => SearchOutcome { nodes, ..outcome },
            Some(choice) => {
                let best = Some(choice.mv);
                on_event(&SearchEvent::Speculation(choice));
                SearchOutcome { best, ponder: None, nodes, ..outcome }
            }
        }
    }

    fn declaration(&self, position: &Position) -> Option<SearchOutcome> {
        let won = SearchOutcome { value: mate_in(1), ..SearchOutcome::without_moves() };
        match position.declaration(self.settings.game.rules.entering_king)? {
            Declaration::Win => Some(SearchOutcome { declares: true, ..won }),
            Declaration::Try(mv) => Some(SearchOutcome { best: Some(mv), ..won }),
            Declaration::NoContest => None,
        }
    }

    /// The book's move, in games on the clock.
    fn book_move(&self, request: &Request, on_event: &mut OnEvent<'_>) -> Option<SearchOutcome> {
        let how = &self.settings.resources.book;
        let book = self.book.as_ref().filter(|_| how.own)?;
        let limits = &request.allowed;
        if limits.clocks.is_none()
            || self.settings.game.level.restraint().is_some()
            || limits.infinite
            || !limits.search_moves.is_empty()
        {
            return None;
        }
        let moves = book.moves(&request.position, how.ignore_ply);
        let best = moves.first()?;
        on_event(&SearchEvent::Book { mv: best.mv, answer: best.answer, value: best.value });
        Some(SearchOutcome {
            best: Some(best.mv),
            ponder: best.answer,
            value: best.value,
            ..SearchOutcome::without_moves()
        })
    }

    /// A mate at the root.
    fn mate(
        &mut self,
        job: &SearchJob<'_>,
        stack: usize,
        on_event: &mut OnEvent<'_>,
    ) -> Option<SearchOutcome> {
        let Settings { search, game, .. } = &self.settings;
        if !search.mate.root || game.lines > 1 || !job.limits.search_moves.is_empty() {
            return None;
        }
        let line = self.root_mate.find(job, &game.rules, search.mate.root_share, stack)?;
        let (nodes, value) = (job.control.nodes(), mate_in(line.len()));
        on_event(&SearchEvent::Mate(LineInfo {
            depth: line.len() as i32,
            selective_depth: line.len(),
            line: 1,
            value,
            bound: Bound::Exact,
            whole: true,
            nodes,
            time: job.control.elapsed(),
            fullness: 0,
            pv: line.clone(),
        }));
        Some(SearchOutcome {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
            declares: false,
            value,
            lines: vec![RootMove::of_line(line, value)],
            nodes,
            counters: Counters::default(),
        })
    }

    fn decide(&self, lines: Vec<RootMove>, control: &Control) -> SearchOutcome {
        let nodes = control.nodes();
        let Some(best) = lines.first() else {
            return SearchOutcome { nodes, ..SearchOutcome::without_moves() };
        };
        // A move that was never searched to the end has no value of its own.
        let value = if best.value.abs() <= MATE { best.value } else { 0 };
        let resigns = value <= -self.settings.game.resign_value;
        SearchOutcome {
            best: Some(best.mv).filter(|_| !resigns),
            ponder: best.line.get(1).copied(),
            declares: false,
            value,
            nodes,
            lines,
            counters: self.counters(),
        }
    }

    /// What the threads counted in the last search.
    fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.workers.iter().for_each(|worker| sum.add(&worker.counters()));
        sum
    }
}

/// Makes the worker of a thread.
struct WorkerFactory {
    table: Arc<TranspositionTable>,
    thread: usize,
}

impl Visitor for WorkerFactory {
    type Output = Box<dyn SearchWorker>;

    fn visit<E: Evaluation>(self, eval: E) -> Box<dyn SearchWorker> {
        Box::new(Searcher::new(eval, self.table, self.thread))
    }
}
