//! Texts with places for arguments.

/// A piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part<'t> {
    Plain(&'t str),
    /// The argument of this name.
    Argument(&'t str),
    /// One word if the argument is 1, else the other.
    Count(&'t str, [&'t str; 2]),
}

/// The next piece of a text and what follows it; `None` if a brace is not closed.
fn next(text: &str) -> Option<(Part<'_>, &str)> {
    let Some(inside) = text.strip_prefix('{') else {
        let end = text.find('{').unwrap_or(text.len());
        return Some((Part::Plain(&text[..end]), &text[end..]));
    };
    let (inside, rest) = inside.split_once('}')?;
    let mut words = inside.split('|');
    let part = match (words.next()?, words.next(), words.next(), words.next()) {
        (name, None, None, None) => Part::Argument(name),
        (name, Some(one), Some(many), None) => Part::Count(name, [one, many]),
        _ => return None,
    };
    Some((part, rest))
}

/// Puts arguments into their places. A place without its argument stays empty: the tests see to it
/// that there is none.
pub fn fill(mut text: &str, arguments: &[(&str, String)]) -> String {
    let value = |name: &str| {
        let found = arguments.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let mut filled = String::with_capacity(text.len());
    while !text.is_empty() {
        let Some((part, rest)) = next(text) else { break };
        filled.push_str(match part {
            Part::Plain(plain) => plain,
            Part::Argument(name) => value(name),
            Part::Count(name, [one, many]) => {
                if value(name) == "1" {
                    one
                } else {
                    many
                }
            }
        });
        text = rest;
    }
    filled
}

/// The names of the arguments that a text has places for; `None` if it cannot be read.
/// A number with its noun in English, in the plural but for one.
///
/// ```
/// assert_eq!(yomikiri_text::counted(1, "game"), "1 game");
/// assert_eq!(yomikiri_text::counted(0, "game"), "0 games");
/// ```
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
pub fn holes(mut text: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    while !text.is_empty() {
        let (part, rest) = next(text)?;
        if let Part::Argument(name) | Part::Count(name, _) = part {
            names.push(name);
        }
        text = rest;
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_find_their_places_in_any_order() {
        let arguments = [("a", "1".to_string()), ("b", "x".to_string())];
        assert_eq!(fill("{b} and {a}", &arguments), "x and 1");
        assert_eq!(fill("{a} {a|game|games}, {b|game|games}", &arguments), "1 game, games");
        assert_eq!(fill("plain", &arguments), "plain");
    }

    #[test]
    fn what_an_argument_holds_is_not_read_again() {
        assert_eq!(fill("{a}!", &[("a", "{a}{b|c|d}".to_string())]), "{a}{b|c|d}!");
    }

    #[test]
    fn broken_texts_are_found() {
        assert_eq!(holes("{a} {b|one|many}"), Some(vec!["a", "b"]));
        for broken in ["{a", "{a|b}", "{a|b|c|d}"] {
            assert_eq!(holes(broken), None, "{broken}");
        }
    }
}
