//! The languages, and which one the user's system is set to.

use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// Japanese.
    Ja,
    /// English.
    #[default]
    En,
}

/// A word that names no language.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no language: say en or ja (en か ja を指定してください)")]
pub struct UnknownLanguage(String);

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::En, Language::Ja];

    /// The language of the user's system.
    pub fn of_system() -> Language {
        Language::of_locale(|name| std::env::var(name).ok())
    }

    /// The language that the variables of a system name; English if it is neither.
    pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Language {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        match ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set) {
            Some(locale) if locale.starts_with("ja") => Language::Ja,
            _ => Language::En,
        }
    }

    /// The language that a command line names (`--lang`), or else the system's. What is wrong
    /// with it is reported when the whole command line is read.
    pub fn asked_for(arguments: &[OsString]) -> Language {
        let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
        let words = words.split(|&word| word == "--").next().unwrap_or_default();
        let value = words.iter().enumerate().find_map(|(at, word)| match word.split_once('=') {
            Some(("--lang", value)) => Some(value),
            _ if *word == "--lang" => words.get(at + 1).copied(),
            _ => None,
        });
        value.and_then(|value| value.parse().ok()).unwrap_or_else(Language::of_system)
    }

    /// Its name in options and files.
    pub const fn code(self) -> &'static str {
        self.pick("en", "ja")
    }

    /// One of two texts.
    #[must_use]
    pub const fn pick<'t>(self, english: &'t str, japanese: &'t str) -> &'t str {
        match self {
            Language::En => english,
            Language::Ja => japanese,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Language, UnknownLanguage> {
        let found = Language::ALL.into_iter().find(|language| language.code() == text);
        found.ok_or_else(|| UnknownLanguage(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Language {
        Language::asked_for(&words.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn the_language_is_found_wherever_it_stands() {
        assert_eq!(asked(&["yomikiri", "--lang", "ja", "play"]), Language::Ja);
        assert_eq!(asked(&["yomikiri", "solve", "x", "--lang=ja"]), Language::Ja);
        assert_eq!(asked(&["yomikiri", "--lang=en", "--help"]), Language::En);
    }

    #[test]
    fn the_first_variable_that_says_something_decides() {
        let of = |set: &'static [(&str, &str)]| {
            Language::of_locale(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
            })
        };
        assert_eq!(of(&[]), Language::En);
        assert_eq!(of(&[("LANG", "ja_JP.UTF-8")]), Language::Ja);
        assert_eq!(of(&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C.UTF-8")]), Language::En);
        assert_eq!(of(&[("LANG", "de_DE"), ("LC_ALL", ""), ("LC_MESSAGES", "ja")]), Language::Ja);
    }

    #[test]
    fn languages_are_read_back_from_their_codes() {
        for language in Language::ALL {
            assert_eq!(language.to_string().parse(), Ok(language));
        }
        assert!("de".parse::<Language>().is_err());
    }
}
