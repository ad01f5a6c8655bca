//! Text as outlines, so that a picture looks the same wherever it is shown and needs no font.
//!
//! The outlines are those of M PLUS 1p (see `assets/m-plus-1p`): Latin letters, kana and the
//! words of shogi always, the common kanji, as they stand in names, with the feature `png`. Any
//! other character is left to a font of the system.

use crate::escape;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::OnceLock;

/// One character a line: the character, its advance, an SVG path; 1000 units an em, y downwards.
const LETTERS: &str = include_str!("../assets/m-plus-1p/letters.tsv");

/// The same for the kanji of JIS level 1 that are not among the letters.
#[cfg(feature = "png")]
const KANJI: &[u8] = include_bytes!("../assets/m-plus-1p/kanji.tsv.zst");

/// Units of an em, and where the baseline is.
const EM: f64 = 1000.0;
const BASELINE: f64 = 0.88;

struct Glyph {
    advance: f64,
    path: &'static str,
}

fn glyphs() -> &'static HashMap<char, Glyph> {
    static GLYPHS: OnceLock<HashMap<char, Glyph>> = OnceLock::new();
    GLYPHS.get_or_init(|| read(LETTERS).chain(read(kanji())).collect())
}

fn read(text: &'static str) -> impl Iterator<Item = (char, Glyph)> {
    text.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let character = fields.next()?.chars().next()?;
        let advance = fields.next()?.parse().ok()?;
        Some((character, Glyph { advance, path: fields.next()? }))
    })
}

/// The kanji, unpacked once.
#[cfg(feature = "png")]
fn kanji() -> &'static str {
    use std::io::Read;
    use yomikiri_base::packed::{PackedReader, UnpackLimits};
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut text = String::new();
        // Part of the program: a test sees to it that it can be read.
        let reader = PackedReader::new(KANJI, UnpackLimits::size(1 << 22));
        let _ = reader.and_then(|mut reader| reader.read_to_string(&mut text));
        text
    })
}

#[cfg(not(feature = "png"))]
fn kanji() -> &'static str {
    ""
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// The height of an em.
    pub size: f64,
    /// The colour.
    pub fill: &'a str,
    /// Where it stands.
    pub anchor: Anchor,
}

/// Writes texts into a picture, and knows which outlines they need.
#[derive(Default)]
pub struct Lettering {
    used: BTreeSet<char>,
}

impl Lettering {
    /// Writes a text with its baseline at a height; returns how wide it is.
    pub fn write(
        &mut self,
        svg: &mut String,
        (x, y): (f64, f64),
        text: &str,
        style: Style<'_>,
    ) -> f64 {
        let width = width(text, style.size);
        let left = match style.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let (scale, top) = (style.size / EM, y - BASELINE * style.size);
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<g transform=\"translate({left:.1} {top:.1}) scale({scale:.4})\" fill=\"{}\">",
            style.fill
        );
        let mut at = 0.0;
        for character in text.chars() {
            let advance = advance(character);
            match glyphs().get(&character) {
                Some(glyph) if glyph.path.is_empty() => {}
                Some(_) => {
                    self.used.insert(character);
                    let _ = write!(svg, "<use href=\"#l{:x}\" x=\"{at}\"/>", character as u32);
                }
                None => {
                    let letter = escape(character.encode_utf8(&mut [0; 4]));
                    let y = BASELINE * EM;
                    let _ = write!(
                        svg,
                        "<text x=\"{at}\" y=\"{y}\" font-size=\"{EM}\" \
                         font-family=\"sans-serif\">{letter}</text>"
                    );
                }
            }
            at += advance;
        }
        svg.push_str("</g>\n");
        width
    }

    /// The outlines that the texts so far need, to stand anywhere in the picture.
    pub fn definitions(&self) -> String {
        let mut text = String::from("<defs>\n");
        for character in &self.used {
            let Some(glyph) = glyphs().get(character) else { continue };
            let _ = writeln!(text, "<path id=\"l{:x}\" d=\"{}\"/>", *character as u32, glyph.path);
        }
        text + "</defs>\n"
    }
}

fn advance(character: char) -> f64 {
    let guess = || if character.is_ascii() { EM / 2.0 } else { EM };
    glyphs().get(&character).map_or_else(guess, |glyph| glyph.advance)
}

/// How wide a text is.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size / EM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_outlines_and_each_is_defined_once() {
        let mut lettering = Lettering::default();
        let mut svg = String::new();
        let style = Style { size: 20.0, fill: "#000", anchor: Anchor::Middle };
        let wide = lettering.write(&mut svg, (0.0, 0.0), "▲７六歩 ７六", style);
        assert!(wide > 100.0 && !svg.contains("<text"), "{svg}");
        assert_eq!(svg.matches(&format!("#l{:x}", '六' as u32)).count(), 2);
        let definitions = lettering.definitions();
        assert_eq!(definitions.matches("<path id").count(), 4);
    }

    #[test]
    fn what_has_no_outline_is_left_to_a_font_and_escaped() {
        let mut svg = String::new();
        let style = Style { size: 20.0, fill: "#000", anchor: Anchor::Start };
        Lettering::default().write(&mut svg, (0.0, 0.0), "한", style);
        assert!(svg.contains(">한</text>"), "{svg}");
    }

    #[cfg(feature = "png")]
    #[test]
    fn the_names_of_players_have_outlines() {
        for character in "羽生善治藤井聡太渡辺明豊島将之永瀬拓矢".chars() {
            assert!(glyphs().contains_key(&character), "{character}");
        }
    }
}
