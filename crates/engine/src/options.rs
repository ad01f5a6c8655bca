//! The engine's settings by name, as USI and the command line know them.

use crate::engine::Settings;
use crate::eval::EvaluationKind;
use crate::search::params::{Declared, Range, SearchParams, SetError};
use crate::speculative::Mode;
use crate::speculative::formula::Formula;
use crate::speculative::level::Level;
use std::time::Duration;
use yomikiri_shogi::EnteringKingRule;

/// One named setting: how it is shown, and how a value is taken. `take` gives `None` for a value
/// that does not fit.
struct Named {
    name: &'static str,
    about: &'static str,
    range: Range,
    show: fn(&Settings) -> String,
    take: fn(&mut Settings, &str) -> Option<()>,
}

const RULES: &[&str] =
    &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

/// A number of a field, or milliseconds of a duration.
macro_rules! number {
    ($name:literal, $about:literal, $min:literal..=$max:literal, $($field:ident).+) => {
        Named {
            name: $name,
            about: $about,
            range: Range::Number { min: $min, max: $max },
            show: |settings| settings.$($field).+.to_string(),
            take: |settings, text| {
                let number: i32 = text.parse().ok().filter(|n| ($min..=$max).contains(n))?;
                settings.$($field).+ = number.try_into().ok()?;
                Some(())
            },
        }
    };
}

macro_rules! milliseconds {
    ($name:literal, $about:literal, $min:literal..=$max:literal, $($field:ident).+) => {
        Named {
            name: $name,
            about: $about,
            range: Range::Number { min: $min, max: $max },
            show: |settings| settings.$($field).+.as_millis().to_string(),
            take: |settings, text| {
                let number: u32 = text.parse().ok().filter(|n| ($min..=$max).contains(n))?;
                settings.$($field).+ = Duration::from_millis(number.into());
                Some(())
            },
        }
    };
}

/// A weight of formula B.
macro_rules! weight {
    ($name:literal, $about:literal, $class:literal) => {
        Named {
            name: $name,
            about: $about,
            range: Range::Number { min: 0, max: 1000 },
            show: |settings| settings.speculation.weights[$class].to_string(),
            take: |settings, text| {
                settings.speculation.weights[$class] =
                    text.parse().ok().filter(|weight| *weight <= 1000)?;
                Some(())
            },
        }
    };
}

macro_rules! switch {
    ($name:literal, $about:literal, $($field:ident).+) => {
        Named {
            name: $name,
            about: $about,
            range: Range::Switch,
            show: |settings| settings.$($field).+.to_string(),
            take: |settings, text| {
                settings.$($field).+ = text.parse().ok()?;
                Some(())
            },
        }
    };
}

macro_rules! text {
    ($name:literal, $about:literal, $($field:ident).+) => {
        Named {
            name: $name,
            about: $about,
            range: Range::Text,
            show: |settings| settings.$($field).+.clone(),
            take: |settings, text| {
                settings.$($field).+ = text.to_string();
                Some(())
            },
        }
    };
}

fn named() -> Vec<Named> {
    vec![
        number!("USI_Hash", "Megabytes of the transposition table", 1..=65536, hash_megabytes),
        number!("Threads", "Threads that search", 1..=512, threads),
        number!("MultiPV", "How many lines to give", 1..=600, lines),
        switch!("USI_Ponder", "Whether the GUI lets the engine ponder", front.ponder),
        Named {
            name: "Evaluation",
            about: "What positions are judged by",
            range: Range::Choice(&EvaluationKind::NAMES),
            show: |settings| settings.evaluator.to_string(),
            take: |settings, text| {
                settings.evaluator = text.parse::<EvaluationKind>().ok()?;
                Some(())
            },
        },
        text!("EvalFile", "Weights for the learned evaluation; empty for its own", weights_file),
        switch!("USI_OwnBook", "Use the opening book in games on the clock", book.own),
        text!("BookFile", "embedded, no_book or a file of YaneuraOu's format", book.file),
        text!("BookDir", "The folder of BookFile", book.folder),
        switch!("IgnoreBookPly", "Book positions match at any move number", book.ignore_ply),
        text!("Quiescence.ProbCut.File", "Three lines: a, b, sigma", model_file),
        number!("DepthLimit", "Greatest depth; 0 for none", 0..=120, depth_limit),
        number!("NodesLimit", "Most nodes for a move; 0 for none", 0..=2147483647, nodes_limit),
        number!("Level", "1 plays like a beginner, 15 as well as it can", 1..=15, level.number),
        number!("Level.Seed", "Another number, other games", 0..=2147483647, level.seed),
        Named {
            name: "Speculative",
            about: "In lost endgames: who sets problems",
            range: Range::Choice(Mode::NAMES),
            show: |settings| settings.speculation.mode.to_string(),
            take: |settings, text| {
                settings.speculation.mode = text.parse().ok()?;
                Some(())
            },
        },
        Named {
            name: "Speculative.Formula",
            about: "How checks are compared",
            range: Range::Choice(Formula::NAMES),
            show: |settings| settings.speculation.formula.to_string(),
            take: |settings, text| {
                settings.speculation.formula = text.parse().ok()?;
                Some(())
            },
        },
        Named {
            name: "Speculative.Level",
            about: "Without defence: mate at once, or parry, then mate (Lv1) or threaten (Lv2)",
            range: Range::Choice(Level::NAMES),
            show: |settings| settings.speculation.level.to_string(),
            take: |settings, text| {
                settings.speculation.level = text.parse().ok()?;
                Some(())
            },
        },
        weight!("Speculative.Escapes", "Formula B: weight of escapes", 0),
        weight!("Speculative.Recaptures", "Formula B: weight of recaptures", 1),
        weight!("Speculative.Blocks", "Formula B: weight of blocks", 2),
        switch!("Speculative.DfPn", "Mates by df-pn instead of PDS", speculation.dfpn),
        number!("PvInterval", "Milliseconds between lines shown", 0..=100000, front.interval),
        switch!("ConsiderationMode", "Show every line, for analysis", front.consideration),
        switch!("OutputFailLHPV", "Show lines that fail low or high", front.show_bounds),
        switch!("GenerateAllLegalMoves", "Also useless non-promotions", rules.all_moves),
        number!(
            "DrawValueBlack",
            "Worth of a draw as black",
            -30000..=30000,
            rules.draw_value_black
        ),
        number!(
            "DrawValueWhite",
            "Worth of a draw as white",
            -30000..=30000,
            rules.draw_value_white
        ),
        number!("ResignValue", "Resign below minus this", 0..=99999, resign_value),
        number!("MaxMovesToDraw", "Moves to a draw; 0 for none", 0..=100000, rules.maximum_moves),
        Named {
            name: "EnteringKingRule",
            about: "The rule for kings that enter the enemy's camp",
            range: Range::Choice(RULES),
            show: |settings| settings.rules.entering_king.to_string(),
            take: |settings, text| {
                settings.rules.entering_king = text.parse::<EnteringKingRule>().ok()?;
                Some(())
            },
        },
        milliseconds!("NetworkDelay", "The usual delay of a move", 0..=10000, time.network_delay),
        milliseconds!("NetworkDelay2", "The longest delay", 0..=10000, time.network_delay2),
        milliseconds!("MinimumThinkingTime", "Least time for a move", 0..=100000, time.minimum),
        number!("SlowMover", "Use of the planned time, per cent", 1..=1000, time.slow_mover),
        switch!("RoundUpToFullSecond", "Clocks count full seconds", time.round_up),
    ]
}

impl Settings {
    /// Every setting, the search's techniques last.
    pub fn declared() -> Vec<Declared> {
        let defaults = Settings::default();
        let general = named().into_iter().map(|named| Declared {
            name: named.name,
            about: named.about,
            range: named.range,
            default: (named.show)(&defaults),
        });
        general.chain(SearchParams::declared()).collect()
    }

    /// The value of a setting, as text.
    pub fn get(&self, name: &str) -> Option<String> {
        match named().into_iter().find(|named| named.name == name) {
            Some(named) => Some((named.show)(self)),
            None => self.params.get(name),
        }
    }

    /// Sets a setting from text.
    ///
    /// # Errors
    /// If there is no such setting, or if it does not take the value; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let Some(named) = named().into_iter().find(|named| named.name == name) else {
            return self.params.set(name, value);
        };
        (named.take)(self, value).ok_or_else(|| SetError::BadValue {
            name: named.name,
            value: value.to_string(),
            range: named.range,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_reads_back_its_default() {
        let mut settings = Settings::default();
        for declared in Settings::declared() {
            settings.set(declared.name, &declared.default).unwrap();
            assert_eq!(settings.get(declared.name), Some(declared.default));
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn names_have_no_spaces_and_are_unique() {
        let names: Vec<_> = Settings::declared().iter().map(|declared| declared.name).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!name.contains(' ') && !names[index + 1..].contains(name), "{name}");
        }
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("Threads", "0"),
            ("USI_Hash", "lots"),
            ("EnteringKingRule", "none"),
            ("Evaluation", "oracle"),
            ("NetworkDelay", "-1"),
        ] {
            assert!(settings.set(name, value).is_err());
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn the_choices_are_those_that_exist() {
        let rules = EnteringKingRule::ALL.map(EnteringKingRule::name);
        assert_eq!(RULES, rules);
    }
}
