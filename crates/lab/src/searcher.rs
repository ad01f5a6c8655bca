//! Searches for experiments: one thread, any evaluation, no book and no mate solver before it, so
//! that a result depends on nothing but the position and the settings.

use std::sync::Arc;

use yomikiri_engine::eval::linear::{Linear, LinearWeights};
use yomikiri_engine::eval::registry::Visitor;
use yomikiri_engine::eval::{Evaluation, EvaluationKind, Model};
use yomikiri_engine::search::driver::SearchJob;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::search::probes::Window;
use yomikiri_engine::search::{Counters, EndRules, Searcher};
use yomikiri_engine::settings::search::{Driver, Reduction, Singular};
use yomikiri_engine::time::{Schedule, TimeOptions};
use yomikiri_engine::tt::{Bound, TranspositionTable};
use yomikiri_engine::value::Value;
use yomikiri_engine::{Control, Limits, SearchEvent, SearchParams};
use yomikiri_shogi::{Move, Position};

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchFound {
    /// The best moves of the root, best first; as many as lines were searched.
    pub best: Vec<Move>,
    /// The value of the best.
    pub value: Value,
    /// The exact value of each iteration, by depth.
    pub by_depth: Vec<(i32, Value)>,
    /// Nodes searched.
    pub nodes: u64,
    /// What the techniques did.
    pub counters: Counters,
}

/// What quiescence by itself found.
#[derive(Clone, Copy, Debug)]
pub struct Quiet {
    /// The value within the window.
    pub value: Value,
    /// Nodes of quiescence, the first one included.
    pub nodes: u64,
    /// Whether ProbCut decided at least once.
    pub cut: bool,
}

/// A searcher whose evaluation was chosen by name.
pub trait LabSearcher {
    /// Takes other settings and forgets everything.
    fn configure(&mut self, params: &SearchParams, model: &QuiescenceModel);
    /// Forgets everything.
    fn forget(&mut self);
    /// Searches a position, with a number of lines.
    fn search(&mut self, position: &Position, limits: &Limits, lines: usize) -> SearchFound;
    /// Quiescence by itself, to a depth within a window.
    fn quiesce(&mut self, position: &Position, window: (Value, Value), depth: i32) -> Quiet;
    /// The nodes of quiescence to a depth with an open window; nothing if they are over the limit.
    fn quiescence_size(&mut self, position: &Position, depth: i32, most: u64) -> Option<u64>;
    /// Searches a position and keeps windows of its quiescence: every n-th null window and
    /// every m-th open one, with a limit for each.
    fn windows(
        &mut self,
        position: &Position,
        limits: &Limits,
        every: [u64; 2],
        most: usize,
    ) -> Vec<Window>;
}

struct Probe<E: Evaluation> {
    searcher: Searcher<E>,
    table: Arc<TranspositionTable>,
}

impl<E: Evaluation> Probe<E> {
    fn new(eval: E, megabytes: usize) -> Probe<E> {
        let table = Arc::new(TranspositionTable::new(megabytes));
        let searcher = Searcher::new(eval, Arc::clone(&table), 0);
        Probe { searcher, table }
    }
}

impl<E: Evaluation> LabSearcher for Probe<E> {
    fn configure(&mut self, params: &SearchParams, model: &QuiescenceModel) {
        self.searcher.configure(params, &EndRules::default(), model);
        self.forget();
    }

    fn forget(&mut self) {
        self.searcher.clear();
        self.table.clear();
    }

    fn search(&mut self, position: &Position, limits: &Limits, lines: usize) -> SearchFound {
        let control = Arc::new(Control::default());
        self.table.new_search();
        let (side, number) = (position.side_to_move(), position.move_number());
        let schedule = Schedule::new(limits, &TimeOptions::default(), side, number);
        let job = SearchJob::new(position, limits, &control).schedule(schedule).lines(lines);
        let mut by_depth: Vec<(i32, Value)> = Vec::new();
        let mut on_event = |event: &SearchEvent| {
            let SearchEvent::Line(info) = event else { return };
            if info.line == 1 && info.bound == Bound::Exact && info.whole {
                by_depth.retain(|&(depth, _)| depth != info.depth);
                by_depth.push((info.depth, info.value));
            }
        };
        let roots = self.searcher.run(&job, &mut on_event);
        let value = roots.first().map_or(0, |root| root.value);
        let best = roots.iter().take(lines).map(|root| root.mv).collect();
        let nodes = control.nodes();
        SearchFound { best, value, by_depth, nodes, counters: self.searcher.counters() }
    }

    fn quiesce(&mut self, position: &Position, (alpha, beta): (Value, Value), depth: i32) -> Quiet {
        let (value, _) = self.searcher.quiesce(position, alpha, beta, depth);
        let counters = self.searcher.counters();
        Quiet { value, nodes: counters.quiescence_nodes, cut: counters.quiescence_probcut[1] > 0 }
    }

    fn quiescence_size(&mut self, position: &Position, depth: i32, most: u64) -> Option<u64> {
        self.searcher.quiescence_size(position, depth, most)
    }

    fn windows(
        &mut self,
        position: &Position,
        limits: &Limits,
        every: [u64; 2],
        most: usize,
    ) -> Vec<Window> {
        self.searcher.record_windows(every, most);
        self.search(position, limits, 1);
        self.searcher.take_windows()
    }
}

/// The evaluations of the papers' tables, in the order of their columns.
pub const EVALUATIONS: [EvaluationKind; 3] =
    [EvaluationKind::Material, EvaluationKind::KingDanger, EvaluationKind::Linear];

/// Something for each evaluation of the papers' tables, found by the evaluation.
#[derive(Clone, Debug)]
pub struct ByEvaluation<T>(Vec<(EvaluationKind, T)>);

impl<T> ByEvaluation<T> {
    /// Makes one for each.
    ///
    /// # Errors
    /// The first of `make`.
    pub fn try_from_fn<E>(
        make: impl FnMut(EvaluationKind) -> Result<T, E>,
    ) -> Result<ByEvaluation<T>, E> {
        let mut make = make;
        let all = EVALUATIONS.into_iter().map(|kind| Ok((kind, make(kind)?)));
        Ok(ByEvaluation(all.collect::<Result<_, E>>()?))
    }

    /// Makes one for each.
    pub fn from_fn(mut make: impl FnMut(EvaluationKind) -> T) -> ByEvaluation<T> {
        ByEvaluation(EVALUATIONS.into_iter().map(|kind| (kind, make(kind))).collect())
    }

    /// That of an evaluation, if it is in the tables.
    pub fn get(&self, kind: EvaluationKind) -> Option<&T> {
        self.0.iter().find(|(known, _)| *known == kind).map(|(_, it)| it)
    }

    /// All, in the order of the tables' columns.
    pub fn iter(&self) -> impl Iterator<Item = (EvaluationKind, &T)> {
        self.0.iter().map(|(kind, it)| (*kind, it))
    }
}

/// Makes searchers; the weights are read once.
pub struct SearcherFactory {
    models: Vec<Model>,
}

impl Default for SearcherFactory {
    fn default() -> SearcherFactory {
        SearcherFactory { models: EvaluationKind::ALL.map(Model::embedded).into() }
    }
}

/// Makes a searcher with so large a table.
struct WithTable(usize);

impl Visitor for WithTable {
    type Output = Box<dyn LabSearcher>;

    fn visit<E: Evaluation>(self, eval: E) -> Box<dyn LabSearcher> {
        Box::new(Probe::new(eval, self.0))
    }
}

impl SearcherFactory {
    /// Searchers whose learned evaluation has these weights.
    pub fn with_linear(weights: &LinearWeights) -> SearcherFactory {
        let mut models = SearcherFactory::default().models;
        models.retain(|model| model.kind() != EvaluationKind::Linear);
        models.push(Model::Linear(Linear::new(weights)));
        SearcherFactory { models }
    }

    /// A searcher with this evaluation and so large a table.
    pub fn make(&self, kind: EvaluationKind, megabytes: usize) -> Box<dyn LabSearcher> {
        let model = self.models.iter().find(|model| model.kind() == kind);
        let model = model.cloned().unwrap_or_else(|| Model::embedded(kind));
        model.visit(WithTable(megabytes))
    }
}

/// No evaluation goes so far: all pieces on one side are worth less. Where a search half sees a
/// mate, pruning leaves values between it and the evaluation.
const BEYOND_EVALUATION: Value = 15_000;

/// Whether a value is a mate or a win by rule, or taken from one: it says nothing about errors of
/// evaluation.
pub fn is_decided(value: Value) -> bool {
    value.abs() > BEYOND_EVALUATION
}

/// Quiescence as the papers describe it: eight plies, each depth with entries of its own in the
/// table, no capture left out for its number, values as they are found.
pub fn papers_quiescence(params: &mut SearchParams) {
    params.quiescence.depth = 8;
    params.quiescence.checks = 1;
    params.quiescence.margin = 150;
    params.quiescence.moves = 0;
    params.quiescence.loss = 0;
    params.quiescence.any_entry = false;
    params.fail_high.soft = false;
}

/// The search without forward pruning and extensions, one ply a move, no quiescence left out.
pub fn plain() -> SearchParams {
    SearchParams::default().with(|params| {
        papers_quiescence(params);
        params.history_pruning.enabled = false;
        params.hindsight.enabled = false;
        params.research.enabled = false;
        params.probcut.table = false;
        params.null_move.enabled = false;
        params.razoring.enabled = false;
        params.reverse_futility.enabled = false;
        params.futility.enabled = false;
        params.lmp.enabled = false;
        params.see_pruning.enabled = false;
        params.internal_reduction.enabled = false;
        params.check_extension.enabled = false;
        params.probcut.enabled = false;
        params.reduction.method = Reduction::None;
        params.singular.form = Singular::Off;
    })
}

/// The normal search of the ProbCut paper, MTD(f) over realization probabilities, with the
/// engine's pruning: without it, depth 8 is out of reach (3 million nodes do not suffice).
pub fn realization() -> SearchParams {
    SearchParams::default().with(|params| {
        papers_quiescence(params);
        params.driver.method = Driver::Mtdf;
        params.driver.mtdf_step = 1;
        params.reduction.method = Reduction::Realization;
    })
}

#[cfg(test)]
mod tests {
    use super::{Limits, Position, QuiescenceModel, SearcherFactory, realization};
    use yomikiri_engine::eval::EvaluationKind;
    use yomikiri_engine::value::INFINITE;

    #[test]
    fn every_evaluation_thinks_and_repeats_itself() {
        let searchers = SearcherFactory::default();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        for evaluator in EvaluationKind::ALL {
            let think = || {
                let mut searcher = searchers.make(evaluator, 1);
                searcher.configure(&realization(), &QuiescenceModel::default());
                let found = searcher.search(&Position::start(), &limits, 2);
                let quiet = searcher.quiesce(&Position::start(), (-INFINITE, INFINITE), 4);
                (found.best, found.by_depth, found.nodes, quiet.value, quiet.nodes)
            };
            let first = think();
            assert_eq!(first.0.len(), 2);
            assert_eq!(first.1.len(), 3);
            assert!(first.2 > 0 && first.4 > 0);
            assert_eq!(think(), first);
        }
    }

    #[test]
    fn a_depth_that_was_broken_off_has_no_value() {
        let searchers = SearcherFactory::default();
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
        let position = Position::from_sfen(sfen).expect("a position");
        let search = |nodes: Option<u64>| {
            let mut searcher = searchers.make(EvaluationKind::KingDanger, 1);
            searcher.configure(&realization(), &QuiescenceModel::default());
            let limits = Limits { depth: Some(6), nodes, ..Limits::default() };
            searcher.search(&position, &limits, 1)
        };
        let whole = search(None);
        assert_eq!(whole.by_depth.len(), 6);
        for part in 1..40 {
            let broken = search(Some(whole.nodes * part / 40));
            assert!(whole.by_depth.starts_with(&broken.by_depth), "{part}: {:?}", broken.by_depth);
        }
    }
}
