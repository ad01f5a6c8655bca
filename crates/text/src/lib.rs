//! What the program says to people, in Japanese and in English.
//!
//! A message has a name, arguments and a text in each language; messages come in groups, one a
//! topic. A call names the message and hands in its arguments, so that a misspelt name, a missing
//! argument or a language without the text does not compile:
//!
//! ```
//! use yomikiri_text::{Language, Play};
//!
//! assert_eq!(Play(Language::En).taken_back(1), "1 move taken back.");
//! assert_eq!(Play(Language::En).taken_back(2), "2 moves taken back.");
//! assert_eq!(Play(Language::Ja).taken_back(2), "2手戻しました。");
//! ```
//!
//! In a text `{name}` stands for an argument, and `{name|one|many}` for one of two words: the
//! first if the argument is 1. [`catalogue`] gives the same texts to a page that fills them in
//! itself.

mod examples;
mod help;
mod language;
mod messages;
mod printable;
mod sentences;
mod template;

pub use examples::examples;
pub use help::{help, option_help};
pub use language::{Language, UnknownLanguage};
pub use messages::{
    Analyse, Capture, CommandLine, Composition, Csa, Files, GoRead, Graph, Match, Message, Play,
    Side, Solve, groups,
};
pub use printable::printable;
pub use sentences::{in_language, with_reasons};
pub use template::counted;

use serde_json::{Map, Value};

/// All messages of a language as JSON: groups of texts by name.
pub fn catalogue(language: Language) -> Value {
    let group = |messages: &[Message]| -> Value {
        let entry = |message: &Message| {
            let text = language.pick(message.english, message.japanese);
            (message.id.to_string(), Value::from(text))
        };
        messages.iter().map(entry).collect::<Map<String, Value>>().into()
    };
    let groups = groups().into_iter().map(|(name, messages)| (name.to_string(), group(messages)));
    groups.collect::<Map<String, Value>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_use_exactly_the_arguments_that_a_message_has() {
        for (group, messages) in groups() {
            for message in messages {
                for text in [message.english, message.japanese] {
                    let name = format!("{group}.{}: {text}", message.id);
                    let mut holes = template::holes(text).unwrap_or_else(|| panic!("{name}"));
                    holes.sort_unstable();
                    holes.dedup();
                    let mut arguments = message.arguments.to_vec();
                    arguments.sort_unstable();
                    assert_eq!(holes, arguments, "{name}");
                }
            }
        }
    }

    #[test]
    fn every_english_count_of_things_has_its_singular() {
        for (group, messages) in groups() {
            for message in messages {
                for noun in ["moves", "games", "plies", "nodes", "files", "problems", "mates"] {
                    let counted = message.english.contains(&format!("}} {noun}"));
                    assert!(!counted, "{group}.{}: {}", message.id, message.english);
                }
            }
        }
    }

    #[test]
    fn the_catalogue_has_every_text_of_its_language() {
        let (english, japanese) = (catalogue(Language::En), catalogue(Language::Ja));
        assert_eq!(english["play"]["check"], "Check!");
        assert_eq!(japanese["play"]["check"], "王手！");
        for (group, messages) in groups() {
            assert_eq!(japanese[group].as_object().map(Map::len), Some(messages.len()));
        }
    }
}
