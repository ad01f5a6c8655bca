//! Strength from results: Elo with error bars, and ratings of many players. Pure functions.
//!
//! Games come in pairs from the same opening with colours swapped. The two games of a pair are
//! not independent (an opening may favour black), so errors are taken from the scores of pairs,
//! the five-valued "pentanomial", and not from wins, draws and losses.

mod bradley_terry;
mod elo;
mod pairs;

pub use bradley_terry::{Encounter, RatingError, Ratings, rate};
pub use elo::{ELO_PER_LOGIT, elo_of_score, likelihood_below, normal_cdf, score_of_elo};
pub use pairs::{PairCounts, RatingEstimate, Strength};
