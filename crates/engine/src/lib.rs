//! The shogi engine: evaluation, the alpha-beta family of searches, time and book.
//!
//! ```
//! use yomikiri_engine::{Engine, Limits, Settings};
//! use yomikiri_shogi::Position;
//!
//! let mut engine = Engine::new(Settings { hash_megabytes: 1, ..Settings::default() });
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let thought = engine.think(&Position::start(), &limits, &mut |_: &_| {});
//! assert!(thought.best.is_some());
//! ```

pub mod bench;
pub mod book;
pub mod category;
pub mod engine;
pub mod level;
pub mod mate;
pub mod options;
mod prefetch;
mod root_mate;
pub mod search;
pub mod speculative;
pub mod time;
pub mod tt;

pub use engine::{Engine, FrontSettings, Settings, Thought};
pub use search::limits::{Control, Limits};
pub use search::params::SearchParams;
pub use search::report::{Info, Report};
pub use value::Score;
pub use yomikiri_eval as eval;
pub use yomikiri_eval::value;
