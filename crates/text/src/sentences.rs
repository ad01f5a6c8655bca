//! Errors and notes in Japanese. Libraries say in English what is wrong; what people meet is found
//! here by that sentence, as a catalogue of messages would have it.

mod checks;
mod results;
mod table;

use crate::Language;
use crate::template::fill;
use std::fmt::Display;

/// The blanks of a sentence by name, and what stands in them.
type Blanks = Vec<(&'static str, String)>;

/// What stands in front of a message of the program.
const PROGRAM: &str = "yomikiri: ";

/// An error and its reasons, each once.
pub fn with_reasons(chain: impl IntoIterator<Item = impl Display>) -> String {
    chain.into_iter().map(|part| part.to_string()).fold(String::new(), |text, part| {
        match text.is_empty() || text.ends_with(&part) {
            true if text.is_empty() => part,
            true => text,
            false => format!("{text}: {part}"),
        }
    })
}

/// Lines of English in a language, as far as they are known; the others as they are.
#[must_use]
pub fn in_language(text: &str, language: Language) -> String {
    if language == Language::En {
        return text.to_string();
    }
    let line = |line: &str| {
        let said = line.strip_prefix(PROGRAM).unwrap_or(line);
        match reason(said) {
            Some(japanese) => line.replacen(said, &japanese, 1),
            None => line.to_string(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A sentence of the catalogue in Japanese. A blank called `why` is another one, `list` several.
fn sentence(text: &str) -> Option<String> {
    let (_, japanese, mut blanks) = best(text)?;
    for (name, value) in &mut blanks {
        match *name {
            "why" => *value = reason(value).unwrap_or_else(|| std::mem::take(value)),
            "list" => *value = list(value),
            _ => {}
        }
    }
    Some(fill(japanese, &blanks))
}

/// Every sentence of the catalogue.
fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    [table::SENTENCES, checks::SENTENCES, results::SENTENCES].into_iter().flatten()
}

/// The template that says most of a text, in both languages, and what stands in its blanks.
fn best(text: &str) -> Option<(&'static str, &'static str, Blanks)> {
    let fitting = all()
        .filter_map(|&(english, japanese)| Some((english, japanese, blanks_of(english, text)?)));
    fitting.min_by_key(|(_, _, blanks)| blanks.iter().map(|(_, value)| value.len()).sum::<usize>())
}

/// A sentence, or one with a place (a file, a setting) in front of it.
fn reason(text: &str) -> Option<String> {
    sentence(text).or_else(|| {
        // What is in front may be Japanese already.
        let (place, why) = text.split_once(": ").or_else(|| text.split_once('：'))?;
        reason(why).map(|why| format!("{place}：{why}"))
    })
}

fn list(text: &str) -> String {
    let items = text.split(", ").map(|item| sentence(item).unwrap_or_else(|| item.to_string()));
    items.collect::<Vec<_>>().join("、")
}

/// What stands in the blanks of a template that fits the whole text.
fn blanks_of(template: &'static str, text: &str) -> Option<Blanks> {
    let (start, rest) = template.split_once('{').unwrap_or((template, ""));
    let mut text = text.strip_prefix(start)?;
    let mut blanks = Vec::new();
    for piece in rest.split('{').filter(|piece| !piece.is_empty()) {
        let (name, after) = piece.split_once('}')?;
        let is_last = rest.ends_with(piece);
        let length = match after {
            "" if is_last => text.len(),
            after if is_last => text.strip_suffix(after)?.len(),
            after => text.find(after)?,
        };
        let (value, behind) = text.split_at(length);
        if value.is_empty() || value.contains('\n') {
            return None;
        }
        blanks.push((name, value.to_string()));
        text = behind.strip_prefix(after)?;
    }
    text.is_empty().then_some(blanks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_by_their_sentence() {
        let japanese = |text: &str| in_language(text, Language::Ja);
        let missing = "No such file or directory (os error 2)";
        for (english, expected) in [
            (missing, "ファイルやフォルダが見つかりません"),
            (
                "yomikiri: rnd.kif (as kif): line 3: '99金' is not legal\n",
                "yomikiri: rnd.kif（kif 形式として）：3行目：「99金」は指せません\n",
            ),
            ("nn.bin: Is a directory (os error 21)", "nn.bin：フォルダです"),
            ("cannot read x: sealed", "x を読めません：sealed"),
            ("x を読めません: Is a directory (os error 21)", "x を読めません：フォルダです"),
            (
                "a:1 に接続できません：Connection refused (os error 111)",
                "a:1 に接続できません：接続を拒否されました",
            ),
            ("a.kif: csa cannot hold 3 variations", "a.kif：csa では表せません：変化3つ"),
            (
                "a.kif: usi cannot hold 1 clock time, the header 棋戦",
                "a.kif：usi では表せません：消費時間1手分、ヘッダ 棋戦",
            ),
            ("nobody has said this", "nobody has said this"),
            ("nor: this", "nor: this"),
        ] {
            assert_eq!(japanese(english), expected);
            assert_eq!(in_language(english, Language::En), english);
        }
    }

    #[test]
    fn reasons_are_said_once() {
        assert_eq!(with_reasons(["a: no such file", "no such file"]), "a: no such file");
        assert_eq!(with_reasons(["a", "b", "c"]), "a: b: c");
        assert_eq!(with_reasons([""; 0]), "");
    }

    #[test]
    fn blanks_are_in_both_languages() {
        for (english, japanese) in all() {
            let names = |text: &str| {
                let pieces = text.split('{').skip(1);
                let names = pieces.filter_map(|piece| piece.split_once('}'));
                names.map(|(name, _)| name.to_string()).collect::<Vec<_>>()
            };
            let known = names(english);
            assert!(names(japanese).iter().all(|name| known.contains(name)), "{english}");
            assert!(!known.contains(&"why".into()) || names(japanese).contains(&"why".into()));
        }
    }

    #[test]
    fn every_sentence_is_found_as_itself() {
        for (english, _) in all() {
            let text = english.replace(['{', '}'], "");
            assert_eq!(best(&text).map(|found| found.0), Some(*english));
        }
    }
}
