//! A position of Go read block by block, in words and as SGF.

use crate::go_text::line;
use std::sync::atomic::Ordering;
use yomikiri_go::board::{Board, Colour, Point};
use yomikiri_go::capture::{CaptureSettings, CaptureSolution, Ko, PAPER_VARIANTS, search};
use yomikiri_go::read::{BlockReading, Status};
use yomikiri_go::sgf_write::{Variation, mover, write};
use yomikiri_proof::game::Role;
use yomikiri_text::GoRead;

/// What is asked about a position.
#[must_use]
pub fn heading(blocks: usize, give_up: Option<u32>, words: GoRead) -> String {
    match give_up {
        Some(limit) => words.heading(blocks, limit),
        None => words.heading_all(blocks),
    }
}

/// What the paper's variants say about a block, under simple ko as in the paper: a row for each as
/// it comes, after one of titles.
pub fn variants(
    (board, target, first): (&Board, Point, Role),
    settings: &CaptureSettings,
    words: GoRead,
    show: &mut dyn FnMut(String),
) {
    show(format!("{}\t{}\t{}", words.variant(), words.answer(), words.nodes()));
    let settings = CaptureSettings { verify: 0, epsilon_percent: 0, ..settings.clone() };
    for variant in PAPER_VARIANTS {
        let found = search(board, target, first, Ko::Simple, &variant.of(&settings));
        let Some(found) = found.filter(|_| !settings.stop.load(Ordering::Relaxed)) else { return };
        let captured = match found.captured {
            Some(true) => words.yes(),
            Some(false) => words.no(),
            None => words.over(),
        };
        show(format!("{}\t{captured}\t{}", variant.name, found.nodes));
    }
}

/// What was found about a block, some lines.
#[must_use]
pub fn block(reading: &BlockReading, words: GoRead) -> String {
    let mut lines = vec![format!("{}: {}", title(reading, words), status(reading, words))];
    for (first, found) in reading.questions() {
        let checked = match found.check(first) {
            Some(Ok(positions)) => words.checked(positions),
            _ if found.answer.is_none() => continue,
            _ => words.not_checked(),
        };
        lines.push(format!("    {} [{checked}]", answer(reading, first, found, words)));
    }
    lines.join("\n")
}

/// How many blocks are safe, critical, lost and unknown.
#[must_use]
pub fn tally(readings: &[BlockReading], words: GoRead) -> String {
    let count = |status| readings.iter().filter(|reading| reading.status() == status).count();
    let [safe, critical, lost, unknown] =
        [Status::Safe, Status::Critical, Status::Lost, Status::Unknown].map(count);
    words.tally(safe, critical, lost, unknown)
}

/// The position with every line that was found as a variation.
#[must_use]
pub fn sgf(board: &Board, readings: &[BlockReading], words: GoRead) -> String {
    let variations: Vec<Variation> =
        readings.iter().flat_map(|reading| variations(reading, words)).collect();
    write(board, &tally(readings, words), &variations)
}

fn status(reading: &BlockReading, words: GoRead) -> String {
    let ko = reading.questions().any(|(_, found)| found.answer.is_some_and(|a| a.is_ko()));
    match reading.status() {
        Status::Safe => words.safe(),
        Status::Critical if ko => words.by_ko(),
        Status::Critical => words.critical(),
        Status::Lost => words.lost(),
        Status::Unknown => words.unknown(),
    }
}

fn title(reading: &BlockReading, words: GoRead) -> String {
    let BlockReading { colour, target, stones, liberties, .. } = reading;
    let colour = match colour {
        Colour::Black => words.black(),
        Colour::White => words.white(),
    };
    words.block(colour, target, stones, liberties)
}

fn answer(reading: &BlockReading, first: Role, found: &CaptureSolution, words: GoRead) -> String {
    let code = found.answer.map_or("?".to_string(), |answer| answer.code().to_string());
    let line = line(mover(reading.colour, first), &found.line);
    let line = if line.is_empty() { words.none() } else { line };
    match first {
        Role::Attacker => words.attack(code, line),
        Role::Defender => words.defence(code, line),
    }
}

/// The lines of a block, each with what it shows.
fn variations(reading: &BlockReading, words: GoRead) -> Vec<Variation> {
    let shown = reading.questions().filter(|(_, found)| !found.line.is_empty());
    let variation = |(first, found): (Role, &CaptureSolution)| Variation {
        comment: format!("{}: {}", title(reading, words), answer(reading, first, found, words)),
        target: reading.target,
        first: mover(reading.colour, first),
        moves: found.line.clone(),
    };
    shown.map(variation).collect()
}
