//! Between the protocol's words and the engine's.

use super::settings::UsiSettings;
use std::time::Duration;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_engine::settings::declared::{Declared, Range};
use yomikiri_engine::{Limits, SearchOutcome};
use yomikiri_usi::{BestMove, Go, OptionDecl, OptionKind, UsiClock};

/// Options that GUIs send without being asked, and that mean nothing here.
pub fn is_ignored(name: &str) -> bool {
    matches!(
        name,
        "USI_AnalyseMode"
            | "UCI_AnalyseMode"
            | "Stochastic_Ponder"
            | "USI_Variant"
            | "BookOnTheFly"
            | "FlippedBook"
    )
}

/// Every setting as an option line.
pub fn option_lines() -> Vec<OptionDecl> {
    UsiSettings::declared().into_iter().map(option_line).collect()
}

fn option_line(declared: Declared) -> OptionDecl {
    let kind = match declared.range {
        Range::Switch => OptionKind::Check { default: declared.default == "true" },
        Range::Number { min, max, .. } => OptionKind::Spin {
            default: declared.default.parse().unwrap_or(min.into()),
            min: min.into(),
            max: max.into(),
        },
        Range::Text => OptionKind::Text { default: declared.default },
        Range::Choice(words) => OptionKind::Combo {
            default: declared.default,
            choices: words.iter().map(ToString::to_string).collect(),
        },
    };
    OptionDecl { name: declared.name.to_string(), kind }
}

/// What `go` allows.
pub fn limits(go: &Go) -> Limits {
    Limits {
        depth: go.depth.map(|depth| depth.clamp(1, 120) as i32),
        nodes: go.nodes,
        move_time: go.movetime.map(Duration::from_millis),
        clocks: clocks(&go.clock),
        ponder: go.ponder,
        infinite: go.infinite,
        search_moves: go.searchmoves.clone(),
    }
}

/// The clocks that `go` or `ponderhit` gives, if any.
pub fn clocks(clock: &UsiClock) -> Option<Clocks> {
    if clock.is_empty() {
        return None;
    }
    let time = |milliseconds: Option<u64>| Duration::from_millis(milliseconds.unwrap_or(0));
    Some(Clocks {
        remaining: [time(clock.btime), time(clock.wtime)],
        increment: [time(clock.binc), time(clock.winc)],
        byoyomi: time(clock.byoyomi),
        delay: Duration::ZERO,
    })
}

/// The answer to `go`.
pub fn answer(outcome: &SearchOutcome) -> BestMove {
    match outcome.best {
        _ if outcome.declares => BestMove::Win,
        Some(best) => BestMove::Move { best, ponder: outcome.ponder },
        None => BestMove::Resign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_option_that_is_declared_is_ignored() {
        for option in UsiSettings::declared() {
            assert!(!is_ignored(option.name), "{}", option.name);
        }
    }
}
