//! What only the conversation with a GUI needs, and every option of `yomikiri usi`.

use yomikiri_engine::Settings;
use yomikiri_engine::settings::declared::{Declared, Range, SetError};

/// What only the conversation with a GUI needs: how much is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrontSettings {
    /// Milliseconds between two lines shown.
    pub interval: u32,
    /// Show every line.
    pub consideration: bool,
    /// Show lines that failed low or high.
    pub show_bounds: bool,
}

impl Default for FrontSettings {
    fn default() -> FrontSettings {
        FrontSettings { interval: 300, consideration: false, show_bounds: true }
    }
}

/// Most milliseconds between two lines.
const LONGEST_INTERVAL: i32 = 100_000;

/// An option of the front end; `take` gives `None` for a value that does not fit.
struct FrontOption {
    name: &'static str,
    about: &'static str,
    range: Range,
    show: fn(&FrontSettings) -> String,
    take: fn(&mut FrontSettings, &str) -> Option<()>,
}

const OPTIONS: [FrontOption; 4] = [
    FrontOption {
        name: "USI_Ponder",
        about: "Whether the GUI lets the engine ponder",
        range: Range::Switch,
        // The protocol has it; whoever says `go ponder` has decided already.
        show: |_| "false".to_string(),
        take: |_, text| text.parse::<bool>().ok().map(|_| ()),
    },
    FrontOption {
        name: "PvInterval",
        about: "Milliseconds between lines shown",
        range: Range::Number { min: 0, max: LONGEST_INTERVAL, step: 0 },
        show: |front| front.interval.to_string(),
        take: |front, text| {
            front.interval = text.parse().ok().filter(|&ms| ms <= LONGEST_INTERVAL as u32)?;
            Some(())
        },
    },
    FrontOption {
        name: "ConsiderationMode",
        about: "Show every line, for analysis",
        range: Range::Switch,
        show: |front| front.consideration.to_string(),
        take: |front, text| {
            front.consideration = text.parse().ok()?;
            Some(())
        },
    },
    FrontOption {
        name: "OutputFailLHPV",
        about: "Show lines that fail low or high",
        range: Range::Switch,
        show: |front| front.show_bounds.to_string(),
        take: |front, text| {
            front.show_bounds = text.parse().ok()?;
            Some(())
        },
    },
];

/// Every option: of the engine and of the conversation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UsiSettings {
    /// What the engine is made of.
    pub engine: Settings,
    /// What is shown.
    pub front: FrontSettings,
}

impl UsiSettings {
    /// Every option, those of the conversation first.
    pub fn declared() -> Vec<Declared> {
        let defaults = FrontSettings::default();
        let front = OPTIONS.into_iter().map(|option| Declared {
            name: option.name,
            about: option.about,
            range: option.range,
            default: (option.show)(&defaults),
        });
        front.chain(Settings::declared()).collect()
    }

    /// Sets an option from text.
    ///
    /// # Errors
    /// If there is no such option, or if it does not take the value; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let Some(option) = OPTIONS.into_iter().find(|option| option.name == name) else {
            return self.engine.set(name, value);
        };
        (option.take)(&mut self.front, value).ok_or_else(|| SetError::BadValue {
            name: option.name,
            value: value.to_string(),
            range: option.range,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_default_and_has_a_name_of_its_own_without_spaces() {
        let mut settings = UsiSettings::default();
        let declared = UsiSettings::declared();
        for (index, one) in declared.iter().enumerate() {
            settings.set(one.name, &one.default).unwrap();
            assert!(!one.name.contains(' '), "{}", one.name);
            assert!(declared[index + 1..].iter().all(|other| other.name != one.name));
        }
        assert_eq!(settings, UsiSettings::default());
    }

    #[test]
    fn what_is_shown_is_no_business_of_the_engine() {
        let mut settings = UsiSettings::default();
        settings.set("PvInterval", "0").unwrap();
        settings.set("OutputFailLHPV", "false").unwrap();
        assert_eq!(settings.engine, Settings::default());
        assert!(settings.set("PvInterval", "100001").is_err());
        assert!(settings.set("USI_Ponder", "perhaps").is_err());
        assert_eq!(settings.front.interval, 0);
    }
}
