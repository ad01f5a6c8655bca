//! Single parts of the search for experiments: quiescence by itself, and the windows that reach
//! quiescence in real searches.

use super::Pv;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::Value;
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

/// Keeps every so-manieth window, up to a number.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    every: u64,
    most: usize,
    seen: u64,
    windows: Vec<Window>,
}

impl<E: Evaluation> Searcher<E> {
    /// The value of quiescence to a depth within a window, and the nodes it took. The table is
    /// neither asked nor trusted, so that nothing but the arguments counts.
    pub fn quiesce(
        &mut self,
        position: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
    ) -> (Value, u64) {
        let before = (self.params.quiescence_depth, self.params.table_cuts);
        (self.params.quiescence_depth, self.params.table_cuts) = (depth, false);
        self.table.clear();
        self.set_position(position);
        self.node_limit = None;
        self.control.prepare(false);
        let value = self.quiescence_root::<Pv>(alpha, beta, 0);
        (self.params.quiescence_depth, self.params.table_cuts) = before;
        (value, self.nodes)
    }

    /// From now on, keeps every `every`th call of quiescence, at most `most`.
    pub fn record_windows(&mut self, every: u64, most: usize) {
        self.recorder = Some(Recorder { every: every.max(1), most, seen: 0, windows: Vec::new() });
    }

    /// The windows kept so far; keeping ends.
    pub fn take_windows(&mut self) -> Vec<Window> {
        self.recorder.take().map(|recorder| recorder.windows).unwrap_or_default()
    }

    #[cold]
    pub(super) fn record(&mut self, alpha: Value, beta: Value) {
        let Some(recorder) = &mut self.recorder else { return };
        recorder.seen += 1;
        if recorder.seen.is_multiple_of(recorder.every) && recorder.windows.len() < recorder.most {
            recorder.windows.push(Window { position: self.position.clone(), alpha, beta });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::material::Material;
    use crate::search::driver::Job;
    use crate::search::limits::{Control, Limits};
    use crate::time::Schedule;
    use crate::tt::Table;
    use crate::value::INFINITE;
    use std::sync::Arc;
    use std::time::Instant;

    fn searcher() -> Searcher<Material> {
        let (table, control) = (Arc::new(Table::new(1)), Arc::new(Control::default()));
        Searcher::new(Material::default(), table, control, 0)
    }

    #[test]
    fn quiescence_by_itself_takes_what_hangs_and_repeats_itself() {
        let mut searcher = searcher();
        // A pawn stands in front of a rook that nothing protects.
        let position = Position::from_sfen("4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1").unwrap();
        let first = searcher.quiesce(&position, -INFINITE, INFINITE, 8);
        let standing = searcher.quiesce(&position, -INFINITE, INFINITE, 0);
        assert!(first.0 > standing.0 && first.1 > standing.1);
        assert_eq!(searcher.quiesce(&position, -INFINITE, INFINITE, 8), first);
    }

    #[test]
    fn windows_of_a_real_search_are_kept() {
        let mut searcher = searcher();
        searcher.record_windows(3, 20);
        let (position, limits) =
            (Position::start(), Limits { depth: Some(4), ..Limits::default() });
        let job = Job {
            position: &position,
            limits: &limits,
            schedule: Schedule::default(),
            started: Instant::now(),
            lines: 1,
        };
        searcher.run(&job, &mut |_: &_| {});
        let windows = searcher.take_windows();
        assert_eq!(windows.len(), 20);
        assert!(windows.iter().all(|window| window.alpha < window.beta));
        assert!(searcher.take_windows().is_empty());
    }
}
