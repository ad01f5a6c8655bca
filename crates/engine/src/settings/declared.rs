//! How a setting is declared, so that one declaration serves USI, the command line and the tuner.

use core::fmt;

/// What values a setting may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// On or off.
    Switch,
    /// A whole number.
    Number {
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
        /// How far a tuner moves it at first; 0 for what is not to be tuned.
        step: i32,
    },
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
}

/// A setting as front ends see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The name of the option.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The values it may take.
    pub range: Range,
    /// Its default value.
    pub default: String,
}

/// Why a setting was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetError {
    /// Not a name and a value.
    #[error("'{0}' is not NAME=VALUE")]
    NoPair(String),
    /// No setting has this name.
    #[error("there is no setting '{0}'")]
    UnknownName(String),
    /// The setting does not take this value.
    #[error("{name} takes {range}, not '{value}'")]
    BadValue {
        /// The setting.
        name: &'static str,
        /// The given value.
        value: String,
        /// What it takes.
        range: Range,
    },
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Switch => f.write_str("true or false"),
            Range::Number { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Range::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Range::Text => f.write_str("a text"),
        }
    }
}

/// The type of a setting's value.
pub(super) trait Setting: Copy {
    fn range(limits: Limits) -> Range;
    fn show(self) -> String;
    fn read(text: &str, limits: Limits) -> Option<Self>;
}

/// The least and the greatest number, and the step of a tuner; not used by switches and choices.
pub(super) type Limits = (i32, i32, i32);

impl Setting for bool {
    fn range(_: Limits) -> Range {
        Range::Switch
    }
    fn show(self) -> String {
        self.to_string()
    }
    fn read(text: &str, _: Limits) -> Option<bool> {
        text.parse().ok()
    }
}

impl Setting for i32 {
    fn range((min, max, step): Limits) -> Range {
        Range::Number { min, max, step }
    }
    fn show(self) -> String {
        self.to_string()
    }
    fn read(text: &str, (min, max, _): Limits) -> Option<i32> {
        text.parse().ok().filter(|number| (min..=max).contains(number))
    }
}

/// Declares an enum whose values are words of an option.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl Setting for $name {
            fn range(_: Limits) -> Range {
                Range::Choice(&[$($word),+])
            }
            fn show(self) -> String {
                match self { $($name::$value => $word.to_string()),+ }
            }
            fn read(text: &str, _: Limits) -> Option<$name> {
                match text { $($word => Some($name::$value),)+ _ => None }
            }
        }
    };
}
pub(super) use choice;
