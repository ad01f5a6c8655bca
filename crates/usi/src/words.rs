//! Small helpers for lines that are words with spaces between them.

use core::fmt;

/// The first word and the rest of the line, both trimmed.
pub fn split_first(line: &str) -> (&str, &str) {
    let line = line.trim();
    match line.find(char::is_whitespace) {
        Some(end) => (&line[..end], line[end..].trim_start()),
        None => (line, ""),
    }
}

/// A number that may be negative, fractional or too large: what is meant is the nearest count.
pub fn count(word: &str) -> Option<u64> {
    if let Ok(number) = word.parse::<u64>() {
        return Some(number);
    }
    let number: f64 = word.parse().ok()?;
    // `as` saturates.
    (!number.is_nan()).then_some(number as u64)
}

/// Like [`count`], for fields of 32 bits.
pub fn small_count(word: &str) -> Option<u32> {
    count(word).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// The beginning of a text that came from outside, fit to be shown: at most `most` characters, and
/// none that control a terminal.
pub fn excerpt(text: &str, most: usize) -> String {
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut start: String = text.chars().take(most).map(shown).collect();
    if text.chars().nth(most).is_some() {
        start.push_str("...");
    }
    start
}

/// Free text on one line: line breaks become spaces.
pub struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.0.split(['\n', '\r']).filter(|part| !part.is_empty());
        if let Some(first) = words.next() {
            f.write_str(first)?;
        }
        words.try_for_each(|part| write!(f, " {part}"))
    }
}

/// Writes ` name value` if there is a value.
pub fn field<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<T>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {name} {value}"),
        None => Ok(()),
    }
}

/// Writes each item after a space.
pub fn each<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    items.iter().try_for_each(|item| write!(f, " {item}"))
}
