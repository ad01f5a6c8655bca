//! Everything that can be set, grouped by what a change invalidates.
//!
//! A change of [`SearchParams`] is handed to the searchers, which keep what they learned. A change
//! of [`Resources`] makes anew what it names, and nothing else. A change of [`GameSettings`] counts
//! from the next search on; only other rules empty the table, since its values rest on them.
//! [`Engine::configure`](crate::Engine::configure) does it.

pub mod declared;
pub mod game;
mod methods;
mod options;
pub mod resources;
pub mod search;

pub use game::GameSettings;
pub use resources::{BookSettings, EvaluationSettings, Resources};
pub use search::SearchParams;

/// Everything that can be set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The techniques of the search.
    pub search: SearchParams,
    /// Memory, threads and files.
    pub resources: Resources,
    /// The game and how it is played.
    pub game: GameSettings,
}

impl Settings {
    /// The defaults with a transposition table of this size.
    pub fn with_hash(megabytes: usize) -> Settings {
        let mut settings = Settings::default();
        settings.resources.hash_megabytes = megabytes;
        settings
    }
}
