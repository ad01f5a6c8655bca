//! Every long run by name: a [`Plan`] says what is to be done and can be written to a file; a run
//! of it is a list of stages of units with keys, whose results go to one log; from the results the
//! tables and files of the run are made.
//!
//! A front end on one machine calls [`run_local`], perhaps for one [`Shard`](yomikiri_base::Shard)
//! of several, and [`merge()`] for the folders of all shards.
//!
//! A front end that has workers elsewhere keeps an owner, which has the log and the folder, and
//! gives the keys of units to workers, which have nothing but the plan and the files that it reads
//! ([`Plan::files`]). This is the whole loop of such a driver, here with one worker in the same
//! process:
//!
//! ```
//! use yomikiri_base::stages::AwaitedUnits;
//! use yomikiri_runs::{Context, Plan, owner, worker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let out = folder.path();
//! let plan = Plan::parse(r#"{"version": 1, "kind": "lab", "experiment": "widening", "quick": true,
//!     "settings": {"node_limit": 50, "own_problems": 1}}"#)?;
//! let context = Context::here();
//!
//! // Here: the owner. Going on with a folder that was begun before is the same call.
//! let owner = owner(&plan, out, &context)?;
//! let identity = owner.identity();
//! // In another process: `worker` from the text of the plan. Data and program must be the same.
//! let mut worker = worker(&plan, &context);
//! assert_eq!(identity, Some(worker.identity()?));
//!
//! while let Some(AwaitedUnits::Stage(stage)) = owner.next_stage() {
//!     for &at in &stage.missing {
//!         let key = &stage.keys[at];
//!         // To the worker go: the results of earlier stages (once), the stage, the key.
//!         let (value, seconds) = worker.unit(&stage.before, &stage.name, key)?;
//!         // Back comes JSON. Several results may be given at once; they are on the disk when it
//!         // returns. A unit that comes twice counts once, so stragglers can be given out again.
//!         owner.put(&stage.name, vec![(key.clone(), value, seconds)], &context.provenance);
//!     }
//! }
//! let report = owner.finish()?;
//! assert!(report.complete && out.join("widening/counts.csv").exists());
//! # Ok(())
//! # }
//! ```
//!
//! Learners (`learn-eval`, `learn-network`) have steps instead of stages, which follow each other
//! too fast to be logged (`learn-policy` is done whole by its owner): `next_stage` gives
//! `AwaitedUnits::Step`, whose units (bytes) workers do with
//! [`step_unit`](yomikiri_base::stages::UnitWorker::step_unit), and
//! [`put_step`](yomikiri_base::stages::Owner::put_step) takes all results of a step at once. The
//! owner keeps a checkpoint in its folder.

mod cluster;
mod context;
mod driver;
mod error;
pub mod go_read_text;
pub mod go_text;
mod kinds;
mod merge;
mod plan;
mod record_files;
mod solution_files;

pub use cluster::{ClusterError, ClusterRun};
pub use context::{Context, Front, OnLearnerStep, OnProblemProgress, RunReport};
pub use driver::{Local, owner, report, run_local, worker};
pub use error::RunsError;
pub use kinds::TIMES_FILE;
pub use kinds::analyse::{AnalysePlan, summaries};
pub use kinds::go_solve::{CaptureRow, GoSolvePlan};
pub use kinds::positions::PositionsPlan;
pub use kinds::solve::SolvePlan;
pub use merge::merge;
pub use plan::{PLAN_FILE, Plan};
pub use record_files::RecordFiles;
pub use solution_files::SolutionFiles;
