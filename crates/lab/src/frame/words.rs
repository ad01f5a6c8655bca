//! Text in both languages of the pages.

use serde::{Deserialize, Serialize};
use yomikiri_text::Language;

/// A text in English and in Japanese; where there is no Japanese the English stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// English.
    pub en: String,
    /// Japanese, if there is any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ja: String,
}

impl Words {
    /// The text in a language.
    pub fn of(&self, language: Language) -> &str {
        match language {
            Language::Ja if !self.ja.is_empty() => &self.ja,
            _ => &self.en,
        }
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.en.is_empty()
    }
}

impl From<&str> for Words {
    fn from(en: &str) -> Words {
        Words { en: en.to_string(), ja: String::new() }
    }
}

impl From<String> for Words {
    fn from(en: String) -> Words {
        Words { en, ja: String::new() }
    }
}

impl From<&String> for Words {
    fn from(en: &String) -> Words {
        Words::from(en.as_str())
    }
}

impl<E: Into<String>, J: Into<String>> From<(E, J)> for Words {
    fn from((en, ja): (E, J)) -> Words {
        Words { en: en.into(), ja: ja.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use yomikiri_text::Language;

    #[test]
    fn english_stands_where_there_is_no_japanese() {
        let both = Words::from(("move", "手"));
        assert_eq!((both.of(Language::En), both.of(Language::Ja)), ("move", "手"));
        assert_eq!(Words::from("move").of(Language::Ja), "move");
    }
}
