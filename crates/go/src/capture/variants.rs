//! The paper's ways to search, by name.

use yomikiri_proof::widening::Width;

use super::moves::Moves;
use super::solve::CaptureSettings;

/// A way to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchVariant {
    /// As in the paper's tables: `all top 5`.
    pub name: &'static str,
    /// Which moves are tried.
    pub moves: Moves,
    /// Which children count.
    pub width: Width,
}

impl SearchVariant {
    /// The settings with this variant's moves, width and first numbers.
    pub fn of(&self, settings: &CaptureSettings) -> CaptureSettings {
        let SearchVariant { moves, width, .. } = *self;
        let CaptureSettings { numbers, sum, .. } = CaptureSettings::with_moves(moves);
        CaptureSettings { moves, width, numbers, sum, ..settings.clone() }
    }
}

const fn variant(name: &'static str, moves: Moves, width: Width) -> SearchVariant {
    SearchVariant { name, moves, width }
}

/// All variants that the paper's tables have.
pub const PAPER_VARIANTS: [SearchVariant; 14] = [
    variant("all", Moves::All, Width::All),
    variant("all top 20", Moves::All, Width::Top(20)),
    variant("all top 10", Moves::All, Width::Top(10)),
    variant("all top 5", Moves::All, Width::Top(5)),
    variant("all top 2", Moves::All, Width::Top(2)),
    variant("all rate 2", Moves::All, Width::Rate(2)),
    variant("all rate 5", Moves::All, Width::Rate(5)),
    variant("all rate 10", Moves::All, Width::Rate(10)),
    variant("all rate 20", Moves::All, Width::Rate(20)),
    variant("all rate 40", Moves::All, Width::Rate(40)),
    variant("heuristic", Moves::Heuristic, Width::All),
    variant("heuristic top 20", Moves::Heuristic, Width::Top(20)),
    variant("heuristic top 10", Moves::Heuristic, Width::Top(10)),
    variant("heuristic top 5", Moves::Heuristic, Width::Top(5)),
];
