//! Proof-number search over AND/OR trees and graphs of any game.
//!
//! | technique | paper | module |
//! |---|---|---|
//! | proof-number search, best first | Allis et al. 1994 | [`pn`] |
//! | PDS | Nagai 1998 | [`pds`] |
//! | df-pn | Nagai 2002 | [`dfpn`] |
//! | df-pn+ (initial numbers) | Nagai 2002 | [`estimate`] |
//! | 1+epsilon thresholds | Pawlewicz and Lew 2007 | [`dfpn`] |
//! | dynamic widening | Yoshizoe 2008 | [`widening`] |
//! | weak proof numbers | Ueda et al. 2008 | [`widening`] |
//! | threshold control against loops | Kishimoto 2010 | [`dfpn`] |
//! | graph-history interaction | Kishimoto and Müller 2004 | [`path`] |
//! | dominance, proof and disproof pieces | Nagai 2002 | [`table`], [`game`] |
//!
//! ```
//! use yomikiri_proof::solver::{Options, Solver};
//! use yomikiri_proof::limits::ProofLimits;
//! # use yomikiri_proof::conformance::LastStone;
//! let solver = Solver::new(Options::default(), ProofLimits::nodes(10_000));
//! let outcome = solver.solve(&LastStone::new(10));
//! assert!(outcome.number.is_proven());
//! ```

pub mod conformance;
pub mod dfpn;
pub mod estimate;
pub mod game;
pub mod limits;
pub mod number;
pub mod path;
pub mod pds;
pub mod pn;
mod virtual_numbers;

pub mod proof_tree;
pub mod solver;
pub mod table;
mod thresholds;
pub mod widening;
