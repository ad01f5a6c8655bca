//! MTD(f): null-window searches close in on the value from a first guess.
//!
//! Paper: Plaat, Schaeffer, Pijls and de Bruin 1996. Ours steps by a grain that doubles while the
//! value keeps to one side, so that a bad guess costs few searches.

use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::{INFINITE, Value};

impl<E: Evaluation> Searcher<E> {
    /// The value of the root at this depth, starting from a guess.
    pub(super) fn mtdf(&mut self, guess: Value, depth: i32, line: usize) -> Value {
        let (mut low, mut high) = (-INFINITE, INFINITE);
        let mut value = guess;
        let mut step = self.params.driver.mtdf_step;
        let mut beta = guess.clamp(-INFINITE + 1, INFINITE);
        while low < high {
            let found = self.search_root(beta - 1, beta, depth, line);
            if self.stopped {
                return value;
            }
            value = found;
            let failed_high = value >= beta;
            if failed_high {
                low = value;
            } else {
                high = value;
            }
            // Closed in: the two bounds are within the grain.
            if low > -INFINITE && high < INFINITE && high - low <= self.params.driver.mtdf_step {
                break;
            }
            let both = low > -INFINITE && high < INFINITE;
            beta = if both {
                low + (high - low + 1) / 2 + i32::from(high - low <= 1)
            } else if failed_high {
                value + step
            } else {
                value - step + 1
            }
            // Every value there is closes the window at its ends.
            .clamp(-INFINITE + 1, INFINITE);
            // Halving a wide window takes many searches: the step must not grow beyond all values.
            step = (2 * step).min(INFINITE);
        }
        value
    }
}
