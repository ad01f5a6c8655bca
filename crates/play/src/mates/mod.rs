//! Mate problems for people, in either language: the solution, cooks, hisshi, the verdict on a
//! composition, and a problem played through.

mod practice;
mod verdict;

pub use practice::{MatePractice, PracticeRole};
pub use verdict::verdict_text;

use crate::Notation;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use yomikiri_proof::solver::SolverProgress;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_text::{Language, Solve};
use yomikiri_tsume::helpmate::{HelpVerdict, helpmate};
use yomikiri_tsume::hisshi::Bind;
use yomikiri_tsume::problems::MateProblem;
use yomikiri_tsume::verify::hand_text;
use yomikiri_tsume::{MateSettings, Solution, Tsume, Verdict, attacker_of, cook, hisshi, japanese};

/// A solution, some lines with their ends.
#[must_use]
pub fn solution_text(
    problem: &MateProblem,
    game: &Tsume,
    solution: &Solution,
    (language, notation): (Language, Notation),
) -> String {
    let words = Solve(language);
    let mut text = format!("{}: {}\n", problem.id, problem.sfen);
    match solution.verdict {
        Verdict::Mate => text += &mate_text(game, solution, words, notation),
        Verdict::NoMate if solution.verified => text += &line(&words.no_mate_checked()),
        Verdict::NoMate => text += &line(&words.no_mate()),
        Verdict::Unknown(why) => text += &line(&words.unknown(why)),
    }
    let seconds = format!("{:.2}", solution.elapsed.as_secs_f64());
    let effort = words.effort(solution.nodes, seconds, solution.table_bytes >> 20);
    let verified = solution.verified && solution.verdict == Verdict::Mate;
    let proof = if verified { words.comma() + &words.proof_verified() } else { String::new() };
    text + &line(&format!("{effort}{proof}"))
}

/// How the problems of a set came out: mates, no mates, unknown.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct VerdictTotals([usize; 3]);

impl VerdictTotals {
    /// Counts one more.
    pub fn count(&mut self, verdict: Verdict) {
        let place = match verdict {
            Verdict::Mate => 0,
            Verdict::NoMate => 1,
            Verdict::Unknown(_) => 2,
        };
        self.0[place] += 1;
    }

    /// All of them in a line.
    #[must_use]
    pub fn to_text(&self, language: Language) -> String {
        let [mates, no_mates, unknown] = self.0;
        Solve(language).totals(mates, no_mates, unknown)
    }
}

/// How the search of a problem stands.
#[must_use]
pub fn progress_text(id: &str, progress: &SolverProgress) -> String {
    let nodes = progress.nodes as f64 / 1e6;
    let rate = nodes / progress.elapsed.as_secs_f64().max(1e-3);
    let number = progress.number;
    format!("{id}: {nodes:.1} M nodes, {rate:.2} M/s, pn {} dn {}", number.pn, number.dn)
}

fn line(text: &str) -> String {
    format!("  {text}\n")
}

fn mate_text(game: &Tsume, solution: &Solution, words: Solve, notation: Notation) -> String {
    let length = if solution.is_exact() {
        words.mate(solution.high)
    } else {
        words.mate_between(solution.low, solution.high)
    };
    let left = match hand_text(solution.left_in_hand).as_str() {
        "-" => String::new(),
        pieces => words.comma() + &words.left_in_hand(pieces),
    };
    let longest = words.with_interpositions(solution.raw_length);
    let mut text = line(&format!("{length}{}{longest}{left}", words.comma()));
    text += &line(&names(notation, game.position(), &solution.line).join(" "));
    text + &line(&usi(&solution.line))
}

/// Moves of a line, each in the user's notation. Japanese names keep to the custom of problems.
fn names(notation: Notation, position: &Position, line: &[Move]) -> Vec<String> {
    match notation {
        Notation::Kanji => japanese::line(position, line),
        western => western.line(position, line),
    }
}

fn usi(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Looks for the cooks of a solution and prints them.
#[must_use]
pub fn cooks_text(
    game: &Tsume,
    solution: &Solution,
    settings: &MateSettings,
    language: Language,
) -> String {
    let words = Solve(language);
    let found = cook::cooks(game, &solution.line, settings);
    if found.is_empty() {
        return line(&words.no_cooks());
    }
    let mut text = String::new();
    for cook in found {
        let length = cook.length.map_or_else(|| words.perhaps_mate(), |it| words.mate_at_most(it));
        let kind = if cook.is_shorter() {
            words.early_mate()
        } else if cook.is_minor() {
            words.another_last_move()
        } else {
            words.cook()
        };
        text += &line(&words.cook_line(cook.ply, cook.played, kind, length, cook.intended));
    }
    text
}

/// Looks for moves after which there is no defence and prints them; the second value says whether
/// it was stopped before the end.
#[must_use]
pub fn hisshi_text(
    problem: &MateProblem,
    settings: &MateSettings,
    (language, notation): (Language, Notation),
) -> (String, bool) {
    let words = Solve(language);
    let mut text = format!("{}: {}\n", problem.id, problem.sfen);
    let found: Vec<Bind> = hisshi::hisshi_moves(&problem.position, settings);
    let stopped = settings.limits.stop.load(Ordering::Relaxed);
    if found.is_empty() && !stopped {
        text += &line(&words.no_hisshi());
    }
    for bind in found {
        let name = names(notation, &problem.position, &[bind.played]).join("");
        let what = if bind.sure { words.hisshi() } else { words.not_decided() };
        let _ = writeln!(text, "  {name} {}: {what}", bind.played);
    }
    (text, stopped)
}

/// Longest helpmates that are looked for.
const LONGEST_HELPMATE: u16 = 999;

/// Looks for the shortest helpmate and prints it and how many there are; the second value says
/// whether it was stopped before the end.
#[must_use]
pub fn helpmate_text(
    problem: &MateProblem,
    attacker: Option<Color>,
    settings: &MateSettings,
    (language, notation): (Language, Notation),
) -> (String, bool) {
    let words = Solve(language);
    let mut text = format!("{}: {}\n", problem.id, problem.sfen);
    let attacker = attacker.unwrap_or_else(|| attacker_of(&problem.position));
    let found = helpmate(&problem.position, attacker, LONGEST_HELPMATE, &settings.limits);
    match found.verdict {
        HelpVerdict::Mate(lines) => {
            let number = match lines {
                Some(1) => words.helpmate_unique(),
                Some(lines) => words.helpmate_solutions(lines),
                None => words.helpmate_uncounted(),
            };
            text += &line(&format!("{}, {number}", words.helpmate(found.line.len())));
            text += &line(&names(notation, &problem.position, &found.line).join(" "));
            text += &line(&usi(&found.line));
        }
        HelpVerdict::NoMate => text += &line(&words.no_helpmate()),
        HelpVerdict::NotWithin(plies) => text += &line(&words.no_helpmate_within(plies)),
        HelpVerdict::Unknown(why, plies) => {
            text += &line(&format!("{}: {why}", words.no_helpmate_within(plies)));
        }
    }
    (text, settings.limits.stop.load(Ordering::Relaxed))
}
