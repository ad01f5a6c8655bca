//! The shogi engine: evaluation, the alpha-beta family of searches, time and book.
//!
//! ```
//! use yomikiri_engine::{Engine, EngineError, SearchEvent, Limits, Settings};
//! use yomikiri_shogi::Position;
//!
//! let mut engine = Engine::new(Settings::with_hash(1))?;
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let search = engine.start(&Position::start(), &limits)?;
//! for event in search.events() {
//!     if let SearchEvent::Line(info) = event {
//!         assert!(info.depth > 0);
//!     }
//! }
//! assert!(search.join()?.best.is_some());
//! # Ok::<(), EngineError>(())
//! ```
//!
//! [`Engine::start`] searches on a thread with a deep stack. Below it is [`Engine::run`], which
//! blocks, spawns nothing with one thread, and takes its time from a clock that is handed in.

pub mod bench;
pub mod book;
pub mod category;
pub mod events;
pub mod handle;
pub mod mate;
pub mod memory;
pub mod realization;
mod run;
pub mod search;
pub mod settings;
pub mod signatures;
pub mod speculative;
pub mod strength;
mod threads;
pub mod time;
pub mod tt;

pub use events::{LineInfo, Report, SearchEvent};
pub use handle::{Controller, Engine, EngineError, Observer, Search};
pub use run::SearchOutcome;
pub use search::limits::{Control, Limits};
pub use settings::{SearchParams, Settings};
pub use threads::on_deep_stack;
pub use value::Score;
pub use yomikiri_eval as eval;
pub use yomikiri_eval::value;
