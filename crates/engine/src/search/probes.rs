//! Single parts of the search for experiments: quiescence by itself, and the windows that reach
//! quiescence in real searches.

use super::Pv;
use super::limits::Control;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::settings::search::QuiescenceProbCut;
use crate::value::{EVAL_LIMIT, INFINITE, Value};
use std::sync::Arc;
use yomikiri_shogi::Position;

/// A call of quiescence in a real search.
#[derive(Clone, Debug)]
pub struct Window {
    /// The position.
    pub position: Position,
    /// The lower end of the window.
    pub alpha: Value,
    /// The upper end of the window.
    pub beta: Value,
}

impl Window {
    /// Whether there is a value between the ends.
    pub fn is_open(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// Keeps every n-th window; null and open windows are counted apart, since open ones are few. Where
/// there are more than `most`, every second is dropped and half as many are taken from then on, so
/// that those kept are spread over the whole search.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    every: [u64; 2],
    most: usize,
    seen: [u64; 2],
    windows: [Vec<Window>; 2],
}

impl<E: Evaluation> Searcher<E> {
    /// The value of quiescence to a depth within a window, and the nodes it took. The table is
    /// empty at the start and gives no cuts, so that nothing but the arguments counts. It is empty
    /// again after a test of ProbCut at the root that decided nothing: the deep search then costs
    /// what it costs alone.
    pub fn quiesce(
        &mut self,
        position: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
    ) -> (Value, u64) {
        self.quiesce_within(position, (alpha, beta), depth, None)
    }

    /// The nodes of quiescence to a depth with an open window, if they are within a limit: wide
    /// sets of moves may take more than anyone can wait for.
    pub fn quiescence_size(&mut self, position: &Position, depth: i32, most: u64) -> Option<u64> {
        self.quiesce_within(position, (-INFINITE, INFINITE), depth, Some(most));
        (!self.stopped).then_some(self.instruments.counters.quiescence_nodes)
    }

    fn quiesce_within(
        &mut self,
        position: &Position,
        (alpha, beta): (Value, Value),
        depth: i32,
        most: Option<u64>,
    ) -> (Value, u64) {
        let before = self.params;
        self.params.quiescence.depth = depth;
        (self.params.table.cuts, self.params.history.correction) = (false, false);
        self.table.clear();
        self.set_position(position);
        self.effort.node_limit = most;
        self.control = Arc::new(Control::default());
        if self.params.quiescence.probcut == QuiescenceProbCut::Root {
            if let Some(value) = self.quiescence_probcut(alpha, beta, 0, depth, true) {
                self.params = before;
                return (value, self.nodes);
            }
            self.params.quiescence.probcut = QuiescenceProbCut::Off;
            self.table.clear();
        }
        let value = self.quiescence_root::<Pv>(alpha, beta, 0);
        self.params = before;
        (value, self.nodes)
    }

    /// From now on, keeps every n-th call of quiescence with a null window, and with an open
    /// one, at most `most` of each. Windows with an end beyond all evaluations are passed over.
    pub fn record_windows(&mut self, every: [u64; 2], most: usize) {
        let every = every.map(|every| every.max(1));
        self.instruments.recorder =
            Some(Recorder { every, most, seen: [0; 2], windows: Default::default() });
    }

    /// The windows kept so far; keeping ends.
    pub fn take_windows(&mut self) -> Vec<Window> {
        self.instruments
            .recorder
            .take()
            .map(|recorder| recorder.windows.concat())
            .unwrap_or_default()
    }

    #[cold]
    pub(super) fn record(&mut self, alpha: Value, beta: Value) {
        let Some(recorder) = &mut self.instruments.recorder else { return };
        if alpha < -EVAL_LIMIT || beta > EVAL_LIMIT {
            return;
        }
        let kind = usize::from(beta - alpha > 1);
        recorder.seen[kind] += 1;
        if !recorder.seen[kind].is_multiple_of(recorder.every[kind]) {
            return;
        }
        let windows = &mut recorder.windows[kind];
        windows.push(Window { position: self.position.clone(), alpha, beta });
        if windows.len() > recorder.most {
            let mut number = 0;
            windows.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            recorder.every[kind] *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::material::Material;
    use crate::search::driver::SearchJob;
    use crate::search::limits::Limits;
    use crate::tt::TranspositionTable;
    use crate::value::MATE_BOUND;

    fn searcher() -> Searcher<Material> {
        Searcher::new(Material::default(), Arc::new(TranspositionTable::new(1)), 0)
    }

    #[test]
    fn quiescence_by_itself_takes_what_hangs_and_repeats_itself() {
        let mut searcher = searcher();
        // A pawn stands in front of a rook that nothing protects.
        let position = Position::from_sfen("4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1").unwrap();
        let first = searcher.quiesce(&position, -INFINITE, INFINITE, 8);
        let stands = searcher.quiesce(&position, -INFINITE, INFINITE, 0);
        assert!(first.0 > stands.0 && first.1 > stands.1);
        assert_eq!(searcher.quiesce(&position, -INFINITE, INFINITE, 8), first);
        let size = searcher.counters().quiescence_nodes;
        assert_eq!(searcher.quiescence_size(&position, 8, size / 2), None);
        assert_eq!(searcher.quiescence_size(&position, 8, size + 1), Some(size));
        assert_eq!(searcher.quiesce(&position, -INFINITE, INFINITE, 8), first);
    }

    #[test]
    fn the_windows_kept_are_spread_over_the_search() {
        let mut searcher = searcher();
        searcher.record_windows([1, 1], 4);
        (1..=100).for_each(|number| searcher.record(number, number + 1));
        let kept: Vec<Value> = searcher.take_windows().iter().map(|window| window.alpha).collect();
        assert_eq!(kept, [32, 64, 96]);
    }

    #[test]
    fn a_mate_behind_a_stand_above_beta_is_seen_when_it_counts() {
        let mut searcher = searcher();
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        searcher.set_position(&position);
        // No ply is left to try checks in: nothing but the look for a mate in one sees it.
        let stands = searcher.quiescence::<Pv>(-INFINITE, -5000, 0, 0, true);
        assert!(-5000 < stands && stands < MATE_BOUND, "{stands}");
        assert!(searcher.quiescence::<Pv>(-INFINITE, INFINITE, 0, 0, true) >= MATE_BOUND);
    }

    #[test]
    fn windows_of_a_real_search_are_kept() {
        let mut searcher = searcher();
        searcher.record_windows([3, 1], 20);
        let (position, limits) =
            (Position::start(), Limits { depth: Some(5), ..Limits::default() });
        let control = Arc::new(Control::default());
        searcher.run(&SearchJob::new(&position, &limits, &control), &mut |_: &_| {});
        let windows = searcher.take_windows();
        for open in [false, true] {
            let kept = windows.iter().filter(|window| window.is_open() == open).count();
            assert!(0 < kept && kept <= 20, "{kept} windows, open: {open}");
        }
        assert!(windows.iter().all(|window| window.alpha < window.beta));
        assert!(searcher.take_windows().is_empty());
    }
}
