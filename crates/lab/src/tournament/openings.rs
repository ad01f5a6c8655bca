//! Openings files: a position a line, `startpos moves ...`, `sfen ... moves ...` or a bare SFEN;
//! `#` begins a comment, empty lines are passed over.

use yomikiri_usi::Setup;

/// What is wrong in an openings file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningsError {
    /// A line that is no opening.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// No opening at all.
    #[error("no opening in it")]
    Empty,
}

/// Reads an openings file. Every line must be a position in which a game can go on.
///
/// # Errors
/// The first line that is wrong.
pub fn read(text: &str) -> Result<Vec<Setup>, OpeningsError> {
    let mut openings = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let wrong = |reason: String| OpeningsError::Line { line, reason };
        let opening: Setup = content.parse().map_err(wrong)?;
        let position = opening.position().map_err(|error| wrong(error.to_string()))?;
        if !position.has_legal_move() {
            return Err(wrong("the game is over there".into()));
        }
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningsError::Empty) } else { Ok(openings) }
}

#[cfg(test)]
mod tests {
    use super::{OpeningsError, read};

    #[test]
    fn every_form_is_read() {
        let text = "# openings\n\nstartpos moves 7g7f 3c3d\nstartpos # the start\n\
                    sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5h\n4k4/9/9/9/9/9/9/9/4K4 w - 1\n";
        assert_eq!(read(text).unwrap().len(), 4);
    }

    #[test]
    fn errors_name_the_line() {
        let wrong = |text: &str| match read(text).unwrap_err() {
            OpeningsError::Line { line, .. } => line,
            OpeningsError::Empty => 0,
        };
        assert_eq!(wrong("startpos\nstartpos moves 7g7e"), 2);
        assert_eq!(wrong("startpos\n\nnonsense"), 3);
        assert_eq!(wrong("# nothing\n"), 0);
        // Mated already.
        assert_eq!(wrong("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), 1);
    }
}
