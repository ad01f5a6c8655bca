//! Where the problems come from: positions, sets, records.

use std::fs;
use std::path::Path;

use crate::input::{format_of, is_standard, read_bytes, stem};
use anyhow::{Context, bail};
use yomikiri_shogi::record::{self, Format, Record};
use yomikiri_shogi::{Handicap, Move, Position};
use yomikiri_tsume::problems::{Problem, read_set};

/// The problems that the command line names. `ply` is the move of a game after which to solve.
pub fn read(input: &[String], ply: Option<usize>) -> anyhow::Result<Vec<Problem>> {
    let first = Path::new(&input[0]);
    if first.exists() || is_standard(first) {
        let mut problems = Vec::new();
        for path in input {
            read_path(Path::new(path), ply, &mut problems)?;
        }
        if problems.is_empty() {
            bail!("no problems in {}", input.join(" "));
        }
        return Ok(problems);
    }
    let text = input.join(" ");
    let position = read_position(&text, ply)
        .map_err(|error| anyhow::anyhow!("'{text}' is neither a file nor a position: {error}"))?;
    let mut problem = problem("1".to_owned(), position, Vec::new());
    let given = text.trim().trim_start_matches("position ").trim_start_matches("sfen ").trim();
    if Position::from_problem_sfen(given).is_ok() {
        given.clone_into(&mut problem.sfen);
    }
    Ok(vec![problem])
}

fn problem(id: String, position: Position, recorded: Vec<Move>) -> Problem {
    Problem { id, sfen: position.to_sfen(), position, recorded }
}

/// A position in SFEN, or as USI writes it: `startpos moves 7g7f ..`, `sfen .. moves ..`.
fn read_position(text: &str, ply: Option<usize>) -> Result<Position, String> {
    let text = text.trim().trim_start_matches("position ").trim();
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let start = start.trim_end_matches(" moves").trim();
    let mut position = match start {
        "startpos" => Position::start(),
        sfen => Position::from_problem_sfen(sfen.trim_start_matches("sfen ").trim())
            .map_err(|error| error.to_string())?,
    };
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let most = ply.unwrap_or(moves.len());
    if most > moves.len() {
        return Err(format!("--ply {most}, but there are {} moves", moves.len()));
    }
    for word in &moves[..most] {
        let mv: Move = word.parse().map_err(|error| format!("{error}"))?;
        if !position.is_legal(mv) {
            return Err(format!("{word} is not legal in {}", position.to_sfen()));
        }
        position.play(mv);
    }
    Ok(position)
}

fn read_path(path: &Path, ply: Option<usize>, problems: &mut Vec<Problem>) -> anyhow::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
        entries.sort();
        for entry in entries.iter().filter(|entry| entry.is_file()) {
            read_path(entry, ply, problems)?;
        }
        return Ok(());
    }
    use Format::{Bod, Csa, Jkf, Ki2, Ki2u, Kif, Kifu};
    let bytes = read_bytes(path)?;
    let games = [Kif, Kifu, Ki2, Ki2u, Csa, Jkf, Bod];
    if let Some(format) = format_of(path, &bytes).filter(|format| games.contains(format)) {
        let records = record::read(&bytes, format)
            .with_context(|| format!("{} (as {format})", path.display()))?;
        return problems_of_records(&stem(path), &records, ply, problems);
    }
    let text = String::from_utf8(bytes).with_context(|| path.display().to_string())?;
    if ply.is_some() {
        bail!("{}: --ply is for records of games, and this is a set of positions", path.display());
    }
    if is_standard(path) && text.trim_start().starts_with("position ")
        || text.trim_start().starts_with("startpos")
    {
        let position = read_position(&text, ply)
            .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        problems.push(problem(stem(path), position, Vec::new()));
        return Ok(());
    }
    let set = read_set(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    problems.extend(set);
    Ok(())
}

/// A record of a problem gives its starting position, with one king or two, and its moves; a record
/// of a game its last one. A game is what begins as games do. `ply` takes the position after so
/// many moves of either.
fn problems_of_records(
    name: &str,
    records: &[Record],
    ply: Option<usize>,
    problems: &mut Vec<Problem>,
) -> anyhow::Result<()> {
    for (number, record) in records.iter().enumerate() {
        let id = if records.len() > 1 { format!("{name}-{}", number + 1) } else { name.to_owned() };
        let moves: Vec<Move> =
            record.main_line().filter_map(|node| record.node(node).played()).collect();
        let mut position = record.start().clone();
        let is_game = position.move_number() == 1 && Handicap::of(&position).is_some();
        let plies = ply.unwrap_or(if is_game { moves.len() } else { 0 });
        if plies > moves.len() {
            bail!("{id}: --ply {plies}, but there are {} moves", moves.len());
        }
        for &mv in &moves[..plies] {
            position.play(mv);
        }
        problems.push(problem(id, position, moves[plies..].to_vec()));
    }
    Ok(())
}
