//! The engine's settings by name, as USI and the command line know them.

use super::Settings;
use super::declared::{Declared, Range, SetError};
use super::search::SearchParams;
use crate::eval::EvaluationKind;
use crate::speculative::Mode;
use crate::speculative::formula::Formula;
use crate::speculative::threat_policy::ThreatPolicy;
use std::time::Duration;
use yomikiri_shogi::EnteringKingRule;

/// One named setting: how it is shown, and how a value is taken. `take` gives `None` for a value
/// that does not fit.
struct Named {
    name: &'static str,
    /// The name of earlier versions, which is still understood.
    alias: Option<&'static str>,
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
            alias: None,
            about: $about,
            range: Range::Number { min: $min, max: $max, step: 0 },
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
            alias: None,
            about: $about,
            range: Range::Number { min: $min, max: $max, step: 0 },
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
            alias: None,
            about: $about,
            range: Range::Number { min: 0, max: 1000, step: 0 },
            show: |settings| settings.game.speculation.weights[$class].to_string(),
            take: |settings, text| {
                settings.game.speculation.weights[$class] =
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
            alias: None,
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
            alias: None,
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

/// Every setting but the parameters of the search.
fn named() -> Vec<Named> {
    let parts = [of_resources(), of_strength(), of_speculation(), of_rules()];
    parts.into_iter().flatten().collect()
}

fn of_resources() -> Vec<Named> {
    vec![
        number!(
            "USI_Hash",
            "Megabytes of the transposition table",
            1..=65536,
            resources.hash_megabytes
        ),
        number!("Threads", "Threads that search", 1..=512, resources.threads),
        number!("MultiPV", "How many lines to give", 1..=600, game.lines),
        Named {
            name: "Evaluation",
            alias: None,
            about: "What positions are judged by",
            range: Range::Choice(&EvaluationKind::NAMES),
            show: |settings| settings.resources.evaluation.kind.to_string(),
            take: |settings, text| {
                settings.resources.evaluation.kind = text.parse::<EvaluationKind>().ok()?;
                Some(())
            },
        },
        text!(
            "EvalFile",
            "Weights or a network; empty for the evaluation's own",
            resources.evaluation.file
        ),
        text!("EvalDir", "The folder of EvalFile; alone, of nn.bin", resources.evaluation.folder),
        number!(
            "FV_SCALE",
            "What a network's output is divided by",
            1..=128,
            resources.evaluation.network_scale
        ),
        switch!("USI_OwnBook", "Use the opening book in games on the clock", resources.book.own),
        text!("BookFile", "embedded, no_book or a file of YaneuraOu's format", resources.book.file),
        text!("BookDir", "The folder of BookFile", resources.book.folder),
        switch!(
            "IgnoreBookPly",
            "Book positions match at any move number",
            resources.book.ignore_ply
        ),
        Named {
            alias: Some("Quiescence.ProbCut.File"),
            ..text!("quiescence.probcut_file", "Three lines: a, b, sigma", resources.probcut_model)
        },
        text!(
            "MoveProbabilities",
            "A table of learn move-probability for realization probability; empty for its own",
            resources.move_probabilities
        ),
    ]
}

fn of_strength() -> Vec<Named> {
    vec![
        number!("DepthLimit", "Greatest depth; 0 for none", 0..=120, game.depth_limit),
        number!(
            "NodesLimit",
            "Most nodes for a move; 0 for none",
            0..=2147483647,
            game.nodes_limit
        ),
        number!(
            "Level",
            "1 plays like a beginner, 15 as well as it can",
            1..=15,
            game.level.number
        ),
        number!("Level.Seed", "Another number, other games", 0..=2147483647, game.level.seed),
    ]
}

fn of_speculation() -> Vec<Named> {
    vec![
        Named {
            name: "Speculative",
            alias: None,
            about: "In lost endgames: who sets problems",
            range: Range::Choice(Mode::NAMES),
            show: |settings| settings.game.speculation.mode.to_string(),
            take: |settings, text| {
                settings.game.speculation.mode = text.parse().ok()?;
                Some(())
            },
        },
        Named {
            name: "Speculative.Formula",
            alias: None,
            about: "How checks are compared",
            range: Range::Choice(Formula::NAMES),
            show: |settings| settings.game.speculation.formula.to_string(),
            take: |settings, text| {
                settings.game.speculation.formula = text.parse().ok()?;
                Some(())
            },
        },
        Named {
            name: "Speculative.Level",
            alias: None,
            about: "Without defence: mate at once, or parry, then mate (Lv1) or threaten (Lv2)",
            range: Range::Choice(ThreatPolicy::NAMES),
            show: |settings| settings.game.speculation.threat_policy.to_string(),
            take: |settings, text| {
                settings.game.speculation.threat_policy = text.parse().ok()?;
                Some(())
            },
        },
        weight!("Speculative.Escapes", "Formula B: weight of escapes", 0),
        weight!("Speculative.Recaptures", "Formula B: weight of recaptures", 1),
        weight!("Speculative.Blocks", "Formula B: weight of blocks", 2),
        switch!("Speculative.DfPn", "Mates by df-pn instead of PDS", game.speculation.dfpn),
        switch!(
            "Speculative.Hides",
            "The defender's mate lies where people do not look, by the move policy",
            game.speculation.hides
        ),
    ]
}

fn of_rules() -> Vec<Named> {
    vec![
        switch!("GenerateAllLegalMoves", "Also useless non-promotions", game.rules.all_moves),
        number!(
            "DrawValueBlack",
            "Worth of a draw as black",
            -30000..=30000,
            game.rules.draw_value_black
        ),
        number!(
            "DrawValueWhite",
            "Worth of a draw as white",
            -30000..=30000,
            game.rules.draw_value_white
        ),
        number!("ResignValue", "Resign below minus this", 0..=99999, game.resign_value),
        number!(
            "MaxMovesToDraw",
            "Moves to a draw; 0 for none",
            0..=100000,
            game.rules.maximum_moves
        ),
        Named {
            name: "EnteringKingRule",
            alias: None,
            about: "The rule for kings that enter the enemy's camp",
            range: Range::Choice(RULES),
            show: |settings| settings.game.rules.entering_king.to_string(),
            take: |settings, text| {
                settings.game.rules.entering_king = text.parse::<EnteringKingRule>().ok()?;
                Some(())
            },
        },
        milliseconds!(
            "NetworkDelay",
            "The usual delay of a move",
            0..=10000,
            game.time.network_delay
        ),
        milliseconds!("NetworkDelay2", "The longest delay", 0..=10000, game.time.network_delay2),
        milliseconds!(
            "MinimumThinkingTime",
            "Least time for a move",
            0..=100000,
            game.time.minimum
        ),
        number!("SlowMover", "Use of the planned time, per cent", 1..=1000, game.time.slow_mover),
        switch!("RoundUpToFullSecond", "Clocks count full seconds", game.time.round_up),
    ]
}

/// The setting of this name, or of this name in earlier versions.
fn find(name: &str) -> Option<Named> {
    named().into_iter().find(|named| named.name == name || named.alias == Some(name))
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

    /// The value of a setting by its name, or by one that it had in earlier versions, as text.
    pub fn get(&self, name: &str) -> Option<String> {
        match find(name) {
            Some(named) => Some((named.show)(self)),
            None => self.search.get(name),
        }
    }

    /// Sets a setting from text.
    ///
    /// # Errors
    /// If there is no such setting, or if it does not take the value; nothing is changed then.
    pub fn set_pair(&mut self, pair: &str) -> Result<(), SetError> {
        let none = || SetError::NoPair(pair.to_string());
        let (name, value) = pair.split_once('=').ok_or_else(none)?;
        self.set(name, value)
    }

    /// Sets an option by its name.
    ///
    /// # Errors
    /// If there is none of this name, or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let Some(named) = find(name) else { return self.search.set(name, value) };
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
