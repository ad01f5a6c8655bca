//! Text of files on a terminal.

use core::fmt::Write as _;

/// The text with its control characters spelled out, line breaks and tabs left aside: what a file
/// holds must not move the cursor, change the title or turn the direction of writing.
pub fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for symbol in text.chars() {
        let directs = matches!(symbol, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if directs || symbol.is_control() && !matches!(symbol, '\n' | '\t') {
            let _ = write!(clean, "{}", symbol.escape_unicode());
        } else {
            clean.push(symbol);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(printable("a\x1b]0;x\x07\tb\n"), "a\\u{1b}]0;x\\u{7}\tb\n");
        assert_eq!(printable("歩\u{9b}31m\u{202e}\r"), "歩\\u{9b}31m\\u{202e}\\u{d}");
    }
}
