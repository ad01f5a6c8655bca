//! From bytes to text and back, for files that may lie about their encoding.

use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS, UTF_16BE, UTF_16LE};

/// How to write a text file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charset {
    /// UTF-8 without a mark.
    Utf8,
    /// Shift-JIS as Windows has it.
    ShiftJis,
}

/// Decodes a file. What it says of itself is not believed: bytes that are UTF-8 are UTF-8 (Japanese
/// in another encoding practically never is); of the other encodings the one counts in which words
/// of records show, then the one with the fewest odd characters. Nothing fails; broken bytes become
/// `U+FFFD`.
///
/// ```
/// use yomikiri_shogi::record::text::decode;
///
/// assert_eq!(decode("先手".as_bytes()), "先手");
/// assert_eq!(decode(&[0x90, 0xe6, 0x8e, 0xe8]), "先手");
/// ```
pub fn decode(bytes: &[u8]) -> String {
    for (mark, encoding) in [(&[0xff, 0xfe], UTF_16LE), (&[0xfe, 0xff], UTF_16BE)] {
        if let Some(rest) = bytes.strip_prefix(mark) {
            return encoding.decode_without_bom_handling(rest).0.into_owned();
        }
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        return text.to_string();
    }
    let decoded =
        |encoding: &'static Encoding| encoding.decode_without_bom_handling(bytes).0.into_owned();
    // A few broken bytes do not make a UTF-8 file another one: it is a candidate too.
    [decoded(SHIFT_JIS), decoded(EUC_JP), String::from_utf8_lossy(bytes).into_owned()]
        .into_iter()
        .min_by_key(|text| {
            (!has_record_words(text), text.chars().filter(|&symbol| is_odd(symbol)).count())
        })
        .unwrap_or_default()
}

/// Words that nearly every record in Japanese has.
const WORDS: [&str; 8] = ["手合割", "手数", "先手", "後手", "開始日時", "棋戦", "▲", "△"];

/// Whether a text shows that it is a record in Japanese.
pub(super) fn has_record_words(text: &str) -> bool {
    WORDS.iter().any(|word| text.contains(word))
}

/// Characters that a record hardly ever has but that a wrong encoding makes many of: broken ones
/// and the half-width forms of katakana.
fn is_odd(symbol: char) -> bool {
    matches!(symbol, '\u{fffd}' | '\u{ff61}'..='\u{ff9f}')
}

/// Encodes a text, or returns `None` if the charset lacks one of its characters or the bytes would
/// be taken for another encoding.
pub fn encode(text: &str, charset: Charset) -> Option<Vec<u8>> {
    match charset {
        Charset::Utf8 => Some(text.as_bytes().to_vec()),
        Charset::ShiftJis => {
            let (bytes, _, unmappable) = SHIFT_JIS.encode(text);
            (!unmappable && decode(&bytes) == text).then(|| bytes.into_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        let text = "手合割：平手\n先手：羽生\n   1 ７六歩(77)\n*コメント、半角ｶﾅ\n";
        assert_eq!(decode(text.as_bytes()), text);
        assert_eq!(decode(&SHIFT_JIS.encode(text).0), text);
        assert_eq!(decode(&EUC_JP.encode(text).0), text);
        let mut marked = vec![0xef, 0xbb, 0xbf];
        marked.extend_from_slice(text.as_bytes());
        assert_eq!(decode(&marked), text);
        let utf16: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16), text);
    }

    /// Many half-width katakana look like EUC-JP, but a record's own words do not.
    #[test]
    fn half_width_katakana_do_not_change_the_encoding() {
        let text = format!("手合割：平手\n*{}\n", "ｾ".repeat(60));
        assert_eq!(decode(&SHIFT_JIS.encode(&text).0), text);
        let nameless = "ｾ".repeat(60);
        let written = encode(&nameless, Charset::ShiftJis);
        assert!(written.is_none_or(|bytes| decode(&bytes) == nameless));
    }

    #[test]
    fn a_character_outside_shift_jis_is_noticed() {
        assert_eq!(encode("歩😀", Charset::ShiftJis), None);
        assert_eq!(decode(&encode("髙﨑", Charset::ShiftJis).unwrap()), "髙﨑");
    }
}
