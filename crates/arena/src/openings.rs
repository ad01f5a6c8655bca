//! Openings files: a position a line, `startpos moves ...`, `sfen ... moves ...` or a bare SFEN;
//! `#` begins a comment, empty lines are passed over.

use yomikiri_shogi::Move;
use yomikiri_usi::{Setup, SetupError};

/// The openings that the project carries.
pub const DEFAULT: &str = yomikiri_data::OPENINGS;

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
        let opening: Setup =
            content.parse().map_err(|error: SetupError| wrong(error.to_string()))?;
        let position = opening.position().map_err(|error| wrong(error.to_string()))?;
        if !position.has_legal_move() {
            return Err(wrong("the game is over there".into()));
        }
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningsError::Empty) } else { Ok(openings) }
}

/// A move that an opening may go on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningCandidate {
    /// The move.
    pub played: Move,
    /// Its score for the side to move, in hundredths of a pawn.
    pub score: i32,
}

/// Draws one of the moves that are at most `spread` worse than the best, all alike.
pub fn choose(
    candidates: &[OpeningCandidate],
    spread: i32,
    random: &mut fastrand::Rng,
) -> Option<Move> {
    let best = candidates.iter().map(|candidate| candidate.score).max()?;
    let near: Vec<Move> = candidates
        .iter()
        .filter(|candidate| candidate.score >= best.saturating_sub(spread))
        .map(|candidate| candidate.played)
        .collect();
    random.choice(near)
}

#[cfg(test)]
mod tests {
    use super::{OpeningCandidate, OpeningsError, choose, read};

    #[test]
    fn the_openings_that_ship_are_many_and_different() {
        let openings = read(super::DEFAULT).unwrap();
        assert!(openings.len() >= 1000);
        let positions: std::collections::HashSet<String> =
            openings.iter().map(|opening| opening.position().unwrap().to_sfen()).collect();
        assert_eq!(positions.len(), openings.len());
    }

    #[test]
    fn only_moves_near_the_best_are_drawn() {
        let candidate =
            |text: &str, score| OpeningCandidate { played: text.parse().unwrap(), score };
        let candidates = [candidate("7g7f", 50), candidate("2g2f", 40), candidate("1g1f", -80)];
        let mut random = fastrand::Rng::with_seed(1);
        let drawn: std::collections::HashSet<_> =
            (0..100).filter_map(|_| choose(&candidates, 20, &mut random)).collect();
        assert_eq!(drawn, candidates[..2].iter().map(|c| c.played).collect());
        assert_eq!(choose(&[], 20, &mut random), None);
    }

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
