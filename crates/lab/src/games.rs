//! LabGame records as experiments use them: one a line, the moves in the first column, packed
//! or not.

use std::path::Path;

use yomikiri_shogi::Position;
use yomikiri_usi::{Setup, SetupError};

use crate::run::{LabError, Run};

/// A game.
#[derive(Clone, Debug)]
pub struct LabGame {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The start and all moves.
    pub moves: Setup,
}

impl LabGame {
    /// The positions before the moves of these numbers (1 is the first), with their numbers. The
    /// positions remember the game before them.
    pub fn positions(&self, from: u32, every: u32) -> Vec<(u32, Position)> {
        let start = Setup { moves: Vec::new(), ..self.moves.clone() };
        let Ok(mut position) = start.position() else { return Vec::new() };
        let mut found = Vec::new();
        for &played in &self.moves.moves {
            let number = position.move_number();
            if number >= from && (number - from).is_multiple_of(every.max(1)) {
                found.push((number, position.clone()));
            }
            position.play(played);
        }
        found
    }
}

/// Reads a file of games, and keeps a sample, drawn with the run's seed, that have at least
/// `plies` moves; all are legal.
///
/// # Errors
/// If the file cannot be read, is no text, or a line that was drawn is no game.
pub fn draw(
    run: &mut Run<'_>,
    path: &Path,
    count: usize,
    plies: usize,
) -> Result<Vec<LabGame>, LabError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let fault = |fault: String| LabError::Data { name: name.clone(), fault };
    let bytes = run.read_packed(path)?;
    let text = String::from_utf8(bytes).map_err(|error| fault(error.to_string()))?;
    let mut lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines())
        .map(|(line, content)| (line, content.split('\t').next().unwrap_or_default()))
        .filter(|(_, moves)| !moves.starts_with('#') && moves.split(' ').count() >= plies + 2)
        .collect();
    fastrand::Rng::with_seed(run.seed()).shuffle(&mut lines);
    lines.truncate(count);
    if lines.is_empty() {
        return Err(fault(format!("no game of at least {plies} moves")));
    }
    lines
        .into_iter()
        .map(|(line, content)| {
            let wrong = |what: String| fault(format!("line {line}: {what}"));
            let moves: Setup =
                content.parse().map_err(|error: SetupError| wrong(error.to_string()))?;
            moves.position().map_err(|error| wrong(error.to_string()))?;
            Ok(LabGame { line, moves })
        })
        .collect()
}
