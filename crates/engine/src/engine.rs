//! The engine as front ends use it: settings, a table, threads, one thought at a time.

mod workers;

use crate::eval::registry::Visitor;
use crate::eval::{Evaluation, EvaluationKind, LoadError, Model};
use crate::level::Level;
use crate::root_mate::RootMate;
use crate::search::driver::{Job, Worker};
use crate::search::limits::{Control, Limits};
use crate::search::params::SearchParams;
use crate::search::probcut::QuiescenceModel;
use crate::search::report::{FirstLines, Info, Report};
use crate::search::{RootMove, Rules, Searcher};
use crate::speculative::{self, Mode, Purse, Speculation};
use crate::time::{Planner, TimeOptions};
use crate::tt::Table;
use crate::value::{Value, mate_in, mated_in};
use crate::{book::Book, tt::Bound};
use std::sync::Arc;
use workers::{run_workers, wait_until_told};
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::{Move, Position};

/// Everything that can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The size of the transposition table, as far as memory has room for it.
    pub hash_megabytes: usize,
    /// Threads that search.
    pub threads: usize,
    /// Lines to give.
    pub lines: usize,
    /// The evaluation.
    pub evaluator: EvaluationKind,
    /// A file of weights for the learned evaluation; empty for those in the program.
    pub weights_file: String,
    /// The folder of the weights file; with no file named, of `nn.bin`.
    pub weights_folder: String,
    /// What a network's output is divided by to give centipawns (FV_SCALE).
    pub network_scale: i32,
    /// The techniques of the search.
    pub params: SearchParams,
    /// How ProbCut inside quiescence predicts: a file of three lines `a b sigma`, or nothing.
    pub model_file: String,
    /// The rules of the game and what a draw is worth.
    pub rules: Rules,
    /// Clocks and the way to the server.
    pub time: TimeOptions,
    /// Resign below minus this value.
    pub resign_value: Value,
    /// Greatest depth whatever is asked for; 0 for none.
    pub depth_limit: i32,
    /// Most nodes whatever is asked for; 0 for none.
    pub nodes_limit: u64,
    /// How strong to play.
    pub level: Level,
    /// What to do when every move loses.
    pub speculation: Speculation,
    /// The opening book.
    pub book: BookSettings,
    /// What concerns only the conversation with a GUI.
    pub front: FrontSettings,
}

/// Where the opening book comes from and how it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookSettings {
    /// Whether to use a book at all.
    pub own: bool,
    /// `embedded`, `no_book`, or a file in YaneuraOu's format.
    pub file: String,
    /// The folder of the file.
    pub folder: String,
    /// Whether positions match whatever their move number.
    pub ignore_ply: bool,
}

impl Default for BookSettings {
    fn default() -> BookSettings {
        BookSettings {
            own: true,
            file: "embedded".to_string(),
            folder: "book".to_string(),
            ignore_ply: true,
        }
    }
}

impl BookSettings {
    /// Reads the book; `None` if there is to be none.
    ///
    /// # Errors
    /// If the file cannot be read or is no book.
    pub fn load(&self) -> Result<Option<Book>, String> {
        match self.file.as_str() {
            "no_book" | "" => Ok(None),
            "embedded" => Ok(Some(Book::embedded())),
            file => {
                let path = std::path::Path::new(&self.folder).join(file);
                let fault = |what: String| format!("book {}: {what}", path.display());
                let text =
                    std::fs::read_to_string(&path).map_err(|error| fault(error.to_string()))?;
                text.parse().map(Some).map_err(fault)
            }
        }
    }
}

/// Settings that concern only the conversation with a GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrontSettings {
    /// Whether the GUI lets the engine think on the opponent's time.
    pub ponder: bool,
    /// Milliseconds between two lines shown.
    pub interval: u32,
    /// Show every line.
    pub consideration: bool,
    /// Show lines that failed low or high.
    pub show_bounds: bool,
}

impl Default for FrontSettings {
    fn default() -> FrontSettings {
        FrontSettings { ponder: false, interval: 300, consideration: false, show_bounds: true }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_megabytes: 256,
            threads: 1,
            lines: 1,
            evaluator: EvaluationKind::default(),
            params: SearchParams::default(),
            model_file: String::new(),
            weights_file: String::new(),
            weights_folder: String::new(),
            network_scale: crate::eval::network::DEFAULT_SCALE,
            rules: Rules::default(),
            time: TimeOptions::default(),
            resign_value: 99_999,
            depth_limit: 0,
            nodes_limit: 0,
            level: Level::default(),
            speculation: Speculation::default(),
            book: BookSettings::default(),
            front: FrontSettings::default(),
        }
    }
}

impl Settings {
    /// The model of ProbCut inside quiescence.
    ///
    /// # Errors
    /// If the file cannot be read or is no model.
    pub fn model(&self) -> Result<QuiescenceModel, String> {
        if self.model_file.is_empty() {
            return Ok(QuiescenceModel::default());
        }
        let fault = |what: String| format!("{}: {what}", self.model_file);
        let text = std::fs::read_to_string(&self.model_file).map_err(|e| fault(e.to_string()))?;
        text.parse().map_err(fault)
    }

    /// The evaluation, with the weights that the settings name.
    ///
    /// # Errors
    /// If the file cannot be read or holds no weights.
    pub fn evaluation(&self) -> Result<Model, LoadError> {
        let path = self.evaluation_file();
        Ok(Model::load(self.evaluator, path.as_deref())?.with_scale(self.network_scale))
    }

    /// The file that the evaluation is read from; `None` for the weights in the program.
    pub fn evaluation_file(&self) -> Option<std::path::PathBuf> {
        let folder = std::path::Path::new(&self.weights_folder);
        match (self.weights_folder.is_empty(), self.weights_file.is_empty()) {
            (true, true) => None,
            (false, true) => Some(folder.join("nn.bin")),
            _ => Some(folder.join(&self.weights_file)),
        }
    }

    /// What is wrong with the files that the settings name; the engine does without them.
    pub fn faults(&self) -> Vec<String> {
        let evaluation = self.evaluation().err().map(|error| error.to_string());
        let faults = [self.book.load().err(), self.model().err(), evaluation];
        faults.into_iter().flatten().collect()
    }
}

/// What the engine decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
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
}

impl Thought {
    fn without_moves() -> Thought {
        Thought {
            best: None,
            ponder: None,
            declares: false,
            value: mated_in(0),
            lines: Vec::new(),
            nodes: 0,
        }
    }
}

/// The engine.
pub struct Engine {
    settings: Settings,
    table: Arc<Table>,
    control: Arc<Control>,
    workers: Vec<Box<dyn Worker>>,
    book: Option<Book>,
    root_mate: RootMate,
    /// Whether nothing was searched since the last clearing.
    fresh: bool,
}

impl Engine {
    /// An engine with these settings.
    pub fn new(settings: Settings) -> Engine {
        let table = Arc::new(Table::new(settings.hash_megabytes));
        let control = Arc::new(Control::default());
        let workers = make_workers(&settings, &table, &control);
        let book = settings.book.load().ok().flatten();
        let root_mate = RootMate::default();
        Engine { settings, table, control, workers, book, root_mate, fresh: true }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The size of the transposition table in megabytes: less than the settings ask for where memory
    /// has no room for so much.
    pub fn hash_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Takes new settings, and makes anew only what they concern.
    pub fn configure(&mut self, settings: Settings) {
        if settings == self.settings {
            return;
        }
        if settings.hash_megabytes != self.settings.hash_megabytes {
            // Both tables at a time might be too much: the old one goes first.
            self.workers.clear();
            self.table = Arc::new(Table::new(1));
            self.table = Arc::new(Table::new(settings.hash_megabytes));
            // The workers are new as well.
            self.fresh = true;
        }
        if settings.book != self.settings.book {
            self.book = settings.book.load().ok().flatten();
        }
        self.workers = make_workers(&settings, &self.table, &self.control);
        self.settings = settings;
    }

    /// Forgets everything learned from earlier games; at once if there is nothing to forget.
    pub fn new_game(&mut self) {
        self.root_mate.forget();
        if self.fresh {
            return;
        }
        self.table.clear();
        for worker in &mut self.workers {
            worker.forget();
        }
        self.fresh = true;
    }

    /// Whether there is nothing to forget. Clearing a large table takes time.
    pub fn is_fresh(&self) -> bool {
        self.fresh && self.root_mate.is_empty()
    }

    /// Signals for a running thought; kept by whoever may want to stop it.
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    /// Thinks about a position. Call [`Control::prepare`] before if a stop may come at once from
    /// another thread; otherwise it is done here.
    pub fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Thought {
        self.control.prepare(limits.ponder);
        self.think_prepared(position, limits, report)
    }

    /// Thinks about a position; the control has been prepared by the caller.
    pub fn think_prepared(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Thought {
        let started = self.control.asked();
        if let Some(thought) =
            self.declaration(position).or_else(|| self.book_move(position, limits))
        {
            wait_until_told(limits, &self.control);
            return thought;
        }
        // A level names moves as well: only the caller's choice binds speculative play.
        let chosen_by_caller = !limits.search_moves.is_empty();
        let allowed = self.limited(limits);
        let planner = self.planner(position, limits);
        let (limits, schedule) = (&planner.limits, planner.schedule());
        let job = Job {
            position,
            limits,
            schedule,
            started,
            lines: self.settings.level.lines(self.settings.lines),
        };
        if let Some(thought) = self.mate(&job, report) {
            wait_until_told(limits, &self.control);
            return thought;
        }
        self.fresh = false;
        self.table.new_search();
        let mut asked_for = FirstLines { most: self.settings.lines.max(1), report };
        let (found, told_to_stop) =
            run_workers(&mut self.workers, &job, &self.control, &mut asked_for);
        let nodes = self.control.nodes();
        let thought = self.decide(self.settings.level.choose(position, found), nodes);
        let job = Job { schedule: self.control.schedule_of_hit().unwrap_or(schedule), ..job };
        if told_to_stop || chosen_by_caller {
            thought
        } else {
            self.speculate(&job, &allowed, thought, report)
        }
    }

    /// The time manager of a search about this position.
    pub fn planner(&self, position: &Position, limits: &Limits) -> Planner {
        Planner {
            limits: self.settings.level.narrow(position, self.limited(limits)),
            options: self.settings.time,
            side: position.side_to_move(),
            move_number: position.move_number(),
            speculates: self.settings.speculation.mode != Mode::Off,
        }
    }

    /// Where the search sees a loss and the solver proves it, the move that is hardest to answer
    /// takes the place of the one found. A level narrows the search, not the proof: it is paid from
    /// what the caller allows.
    fn speculate(
        &self,
        job: &Job<'_>,
        allowed: &Limits,
        thought: Thought,
        report: &mut dyn Report,
    ) -> Thought {
        let how = &self.settings.speculation;
        let lost = thought.value <= -speculative::NEARLY_CERTAIN;
        if how.mode == Mode::Off || !lost || thought.best.is_none() {
            return thought;
        }
        let stop = self.control.lower_flag();
        let mut purse = Purse::of_move(allowed, &job.schedule, stop, how.dfpn);
        let choice = speculative::choose(job.position, how, &mut purse);
        self.control.stop();
        let nodes = self.control.add_nodes(purse.spent);
        match choice {
            None => Thought { nodes, ..thought },
            Some(choice) => {
                report.speculates(&choice);
                Thought { best: Some(choice.played), ponder: None, nodes, ..thought }
            }
        }
    }

    /// The limits asked for, within those that the settings allow.
    fn limited(&self, limits: &Limits) -> Limits {
        let within = |asked: Option<u64>, most: u64| match (asked, most) {
            (asked, 0) => asked,
            (asked, most) => Some(asked.map_or(most, |asked| asked.min(most))),
        };
        Limits {
            depth: within(
                limits.depth.map(|depth| depth.max(1) as u64),
                self.settings.depth_limit as u64,
            )
            .map(|depth| depth as i32),
            nodes: within(limits.nodes, self.settings.nodes_limit),
            ..limits.clone()
        }
    }

    fn declaration(&self, position: &Position) -> Option<Thought> {
        match position.declaration(self.settings.rules.entering_king)? {
            Declaration::Win => {
                Some(Thought { declares: true, value: mate_in(1), ..Thought::without_moves() })
            }
            Declaration::Try(played) => {
                Some(Thought { best: Some(played), value: mate_in(1), ..Thought::without_moves() })
            }
            Declaration::NoContest => None,
        }
    }

    /// The book's move, in games on the clock.
    fn book_move(&self, position: &Position, limits: &Limits) -> Option<Thought> {
        let book = self.book.as_ref().filter(|_| self.settings.book.own)?;
        if limits.clocks.is_none()
            || self.settings.level.restraint().is_some()
            || limits.infinite
            || !limits.search_moves.is_empty()
        {
            return None;
        }
        let moves = book.moves(position, self.settings.book.ignore_ply);
        let best = moves.first()?;
        Some(Thought {
            best: Some(best.played),
            ponder: best.answer,
            value: best.value,
            ..Thought::without_moves()
        })
    }

    /// A mate at the root.
    fn mate(&mut self, job: &Job<'_>, report: &mut dyn Report) -> Option<Thought> {
        let Settings { params, rules, lines, .. } = &self.settings;
        if !params.root_mate || *lines > 1 || !job.limits.search_moves.is_empty() {
            return None;
        }
        let line = self.root_mate.find(job, rules, params.root_mate_share, &self.control)?;
        let total = self.control.nodes();
        let value = mate_in(line.len());
        report.info(&Info {
            depth: line.len() as i32,
            selective_depth: line.len(),
            line: 1,
            value,
            bound: Bound::Exact,
            whole: true,
            nodes: total,
            time: job.started.elapsed(),
            fullness: 0,
            pv: line.clone(),
        });
        Some(Thought {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
            declares: false,
            value,
            lines: vec![RootMove::of_line(line, value)],
            nodes: total,
        })
    }

    fn decide(&self, lines: Vec<RootMove>, nodes: u64) -> Thought {
        let Some(best) = lines.first() else {
            return Thought { nodes, ..Thought::without_moves() };
        };
        // A move that was never searched to the end has no value of its own.
        let value = if best.value.abs() <= crate::value::MATE { best.value } else { 0 };
        let resigns = value <= -self.settings.resign_value;
        Thought {
            best: Some(best.played).filter(|_| !resigns),
            ponder: best.line.get(1).copied(),
            declares: false,
            value,
            nodes,
            lines,
        }
    }
}

/// Makes the worker of each thread.
struct WorkerFactory<'a> {
    settings: &'a Settings,
    table: &'a Arc<Table>,
    control: &'a Arc<Control>,
}

impl Visitor for WorkerFactory<'_> {
    type Output = Vec<Box<dyn Worker>>;

    fn visit<E: Evaluation>(self, eval: E) -> Vec<Box<dyn Worker>> {
        let WorkerFactory { settings, table, control } = self;
        let model = settings.model().unwrap_or_default();
        let worker = |thread| {
            let mut searcher =
                Searcher::new(eval.clone(), Arc::clone(table), Arc::clone(control), thread);
            searcher.configure(&settings.params, &settings.rules, &model);
            Box::new(searcher) as Box<dyn Worker>
        };
        (0..settings.threads.max(1)).map(worker).collect()
    }
}

fn make_workers(
    settings: &Settings,
    table: &Arc<Table>,
    control: &Arc<Control>,
) -> Vec<Box<dyn Worker>> {
    let model = settings.evaluation().unwrap_or_else(|_| Model::embedded(settings.evaluator));
    model.visit(WorkerFactory { settings, table, control })
}
