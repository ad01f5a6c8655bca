//! `option`: what an engine lets its users set.

use crate::error::UsiError;
use crate::words::OneLine;
use core::fmt;

/// What an empty text looks like on an option line.
const EMPTY: &str = "<empty>";

/// The kind of an option, with its default and its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The value without `setoption`.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value without `setoption`.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value without `setoption`.
        default: String,
        /// What may be chosen.
        choices: Vec<String>,
    },
    /// Something to do.
    Button,
    /// A text.
    Text {
        /// The value without `setoption`.
        default: String,
    },
    /// The path of a file.
    FileName {
        /// The value without `setoption`.
        default: String,
    },
}

/// An option line. Programs split it at spaces: a name or choice with a space in it is not
/// understood by all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDecl {
    /// The name, as `setoption` has it.
    pub name: String,
    /// Its kind.
    pub kind: OptionKind,
}

impl OptionKind {
    /// Whether `setoption` may give this value; `None` is the button's.
    pub fn accepts(&self, value: Option<&str>) -> bool {
        match (self, value) {
            (OptionKind::Button, value) => value.is_none(),
            (_, None) => false,
            (OptionKind::Check { .. }, Some(value)) => matches!(value, "true" | "false"),
            (OptionKind::Spin { min, max, .. }, Some(value)) => {
                value.parse().is_ok_and(|number| (*min..=*max).contains(&number))
            }
            (OptionKind::Combo { choices, .. }, Some(value)) => {
                choices.iter().any(|choice| choice == value)
            }
            (OptionKind::Text { .. } | OptionKind::FileName { .. }, Some(_)) => true,
        }
    }

    /// The default as `setoption` would give it; a button has none.
    pub fn default_value(&self) -> Option<String> {
        match self {
            OptionKind::Check { default } => Some(default.to_string()),
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Button => None,
            OptionKind::Combo { default, .. }
            | OptionKind::Text { default }
            | OptionKind::FileName { default } => Some(default.clone()),
        }
    }
}

impl OptionDecl {
    /// Reads what follows `option`.
    pub(crate) fn read(text: &str) -> Result<OptionDecl, UsiError> {
        let bad = |reason: String| UsiError::malformed("option", reason);
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(type_at) = words.iter().position(|&word| word == "type") else {
            return Err(bad(format!("'{text}' has no type")));
        };
        let name_at = usize::from(words.first() == Some(&"name"));
        let name = words[name_at.min(type_at)..type_at].join(" ");
        if name.is_empty() {
            return Err(bad(format!("'{text}' has no name")));
        }
        let fields = words.get(type_at + 2..).unwrap_or_default();
        let kind = match words.get(type_at + 1).copied().unwrap_or_default() {
            "check" => OptionKind::Check { default: value_of("default", fields) == "true" },
            "spin" => read_spin(&name, fields)?,
            "combo" => read_combo(fields),
            "button" => OptionKind::Button,
            "string" => OptionKind::Text { default: rest_of_default(fields) },
            "filename" => OptionKind::FileName { default: rest_of_default(fields) },
            other => return Err(bad(format!("'{name}' has the unknown type '{other}'"))),
        };
        Ok(OptionDecl { name, kind })
    }
}

fn read_spin(name: &str, fields: &[&str]) -> Result<OptionKind, UsiError> {
    let number = |field: &str, missing: i64| match value_of(field, fields).as_str() {
        "" => Ok(missing),
        value => value.parse().map_err(|_| {
            UsiError::malformed("option", format!("'{name}': {field} '{value}' is no number"))
        }),
    };
    let min = number("min", i64::MIN)?;
    let max = number("max", i64::MAX)?;
    Ok(OptionKind::Spin { default: number("default", 0)?, min, max })
}

fn read_combo(fields: &[&str]) -> OptionKind {
    let choices = fields
        .iter()
        .enumerate()
        .filter(|&(_, &word)| word == "var")
        .map(|(at, _)| words_until_field(&fields[at + 1..]))
        .filter(|choice| !choice.is_empty())
        .collect();
    OptionKind::Combo { default: value_of("default", fields), choices }
}

/// The words after a field's name, up to the next field.
fn value_of(field: &str, fields: &[&str]) -> String {
    match fields.iter().position(|&word| word == field) {
        Some(at) => words_until_field(&fields[at + 1..]),
        None => String::new(),
    }
}

fn words_until_field(words: &[&str]) -> String {
    let is_field = |word: &&str| matches!(*word, "default" | "min" | "max" | "var");
    let end = words.iter().position(is_field).unwrap_or(words.len());
    words[..end].join(" ")
}

/// A text's default is all that follows, whatever words it holds.
fn rest_of_default(fields: &[&str]) -> String {
    match fields.split_first() {
        Some((&"default", [EMPTY])) | None => String::new(),
        Some((&"default", rest)) => rest.join(" "),
        Some(_) => value_of("default", fields),
    }
}

impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", OneLine(&self.name))?;
        let or_empty = |f: &mut fmt::Formatter<'_>, text: &str| {
            write!(f, " default {}", OneLine(if text.is_empty() { EMPTY } else { text }))
        };
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", OneLine(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", OneLine(choice)))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } => {
                f.write_str("string")?;
                or_empty(f, default)
            }
            OptionKind::FileName { default } => {
                f.write_str("filename")?;
                or_empty(f, default)
            }
        }
    }
}
