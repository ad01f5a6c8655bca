//! Answers as text, in the user's language.

use std::sync::atomic::Ordering;

use crate::language;
use yomikiri_play::Notation;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_text::Solve;
use yomikiri_tsume::helpmate::{HelpVerdict, helpmate};
use yomikiri_tsume::problems::Problem;
use yomikiri_tsume::verify::hand_text;
use yomikiri_tsume::{Settings, Solution, Tsume, Verdict, attacker_of, cook, hisshi, japanese};

/// The messages about mates in the user's language.
pub fn words() -> Solve {
    Solve(language::get())
}

/// Moves of a line, each in the user's notation. Japanese names keep to the custom of problems.
pub fn names(position: &Position, line: &[Move]) -> Vec<String> {
    match language::notation() {
        Notation::Kanji => japanese::line(position, line),
        western => western.line(position, line),
    }
}

/// Prints a solution.
pub fn text(problem: &Problem, game: &Tsume, solution: &Solution) {
    let words = words();
    println!("{}: {}", problem.id, problem.sfen);
    match solution.verdict {
        Verdict::Mate => mate(game, solution),
        Verdict::NoMate if solution.verified => println!("  {}", words.no_mate_checked()),
        Verdict::NoMate => println!("  {}", words.no_mate()),
        Verdict::Unknown(why) => println!("  {}", words.unknown(why)),
    }
    let seconds = format!("{:.2}", solution.elapsed.as_secs_f64());
    let effort = words.effort(solution.nodes, seconds, solution.table_bytes >> 20);
    let verified = solution.verified && solution.verdict == Verdict::Mate;
    let proof = if verified { format!(", {}", words.proof_verified()) } else { String::new() };
    println!("  {effort}{proof}");
}

fn mate(game: &Tsume, solution: &Solution) {
    let words = words();
    let length = if solution.is_exact() {
        words.mate(solution.high)
    } else {
        words.mate_between(solution.low, solution.high)
    };
    let left = hand_text(solution.left_in_hand);
    let left = match left.as_str() {
        "-" => String::new(),
        pieces => format!(", {}", words.left_in_hand(pieces)),
    };
    println!("  {length}, {}{left}", words.with_interpositions(solution.raw_length));
    println!("  {}", names(game.position(), &solution.line).join(" "));
    println!("  {}", usi(&solution.line));
}

fn usi(line: &[Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Prints the cooks of a solution.
pub fn cooks(game: &Tsume, solution: &Solution, settings: &Settings) {
    let words = words();
    let found = cook::cooks(game, &solution.line, settings);
    if found.is_empty() {
        println!("  {}", words.no_cooks());
    }
    for cook in found {
        let length = cook.length.map_or_else(|| words.perhaps_mate(), |it| words.mate_at_most(it));
        let kind = if cook.is_shorter() {
            words.early_mate()
        } else if cook.is_minor() {
            words.another_last_move()
        } else {
            words.cook()
        };
        println!("  {}", words.cook_line(cook.ply, cook.played, kind, length, cook.intended));
    }
}

/// Prints the moves after which there is no defence.
pub fn hisshi(problems: &[Problem], settings: &Settings) -> anyhow::Result<()> {
    let words = words();
    for problem in problems {
        println!("{}: {}", problem.id, problem.sfen);
        let found = hisshi::hisshi_moves(&problem.position, settings);
        let stopped = settings.limits.stop.load(Ordering::Relaxed);
        if found.is_empty() && !stopped {
            println!("  {}", words.no_hisshi());
        }
        for bind in found {
            let name = names(&problem.position, &[bind.played]).join("");
            let what = if bind.sure { words.hisshi() } else { words.not_decided() };
            println!("  {name} {}: {what}", bind.played);
        }
        if stopped {
            anyhow::bail!("{}", words.interrupted());
        }
    }
    Ok(())
}

/// Longest helpmates that are looked for.
const LONGEST_HELPMATE: u16 = 999;

/// Prints the shortest helpmates and how many there are.
pub fn helpmates(problems: &[Problem], attacker: Option<Color>, settings: &Settings) {
    let words = words();
    for problem in problems {
        println!("{}: {}", problem.id, problem.sfen);
        let attacker = attacker.unwrap_or_else(|| attacker_of(&problem.position));
        let found = helpmate(&problem.position, attacker, LONGEST_HELPMATE, &settings.limits);
        match found.verdict {
            HelpVerdict::Mate(lines) => {
                let number = match lines {
                    Some(1) => words.helpmate_unique(),
                    Some(lines) => words.helpmate_solutions(lines),
                    None => words.helpmate_uncounted(),
                };
                println!("  {}, {number}", words.helpmate(found.line.len()));
                println!("  {}", names(&problem.position, &found.line).join(" "));
                println!("  {}", usi(&found.line));
            }
            HelpVerdict::NoMate => println!("  {}", words.no_helpmate()),
            HelpVerdict::NotWithin(plies) => println!("  {}", words.no_helpmate_within(plies)),
            HelpVerdict::Unknown(why, plies) => {
                println!("  {}: {why}", words.no_helpmate_within(plies));
            }
        }
        if settings.limits.stop.load(Ordering::Relaxed) {
            break;
        }
    }
}
