//! Answers as text.

use std::sync::atomic::Ordering;

use yomikiri_shogi::Move;
use yomikiri_tsume::problems::Problem;
use yomikiri_tsume::verify::hand_text;
use yomikiri_tsume::{Settings, Solution, Tsume, Verdict, cook, hisshi, japanese};

/// Prints a solution.
pub fn text(problem: &Problem, game: &Tsume, solution: &Solution) {
    println!("{}: {}", problem.id, problem.sfen);
    match solution.verdict {
        Verdict::Mate => mate(game, solution),
        Verdict::NoMate if solution.verified => {
            println!("  no mate (不詰), refutation verified")
        }
        Verdict::NoMate => println!("  no mate (不詰), the limits left no time for a refutation"),
        Verdict::Unknown(why) => println!("  unknown: {why}"),
    }
    println!(
        "  {} nodes, {:.2} s, table {} MiB{}",
        solution.nodes,
        solution.elapsed.as_secs_f64(),
        solution.table_bytes >> 20,
        if solution.verified && solution.verdict == Verdict::Mate {
            ", proof verified"
        } else {
            ""
        }
    );
}

fn mate(game: &Tsume, solution: &Solution) {
    let length = if solution.is_exact() {
        format!("mate in {}", solution.high)
    } else {
        format!("mate in {} to {}", solution.low, solution.high)
    };
    let left = hand_text(solution.left_in_hand);
    let left = if left == "-" { String::new() } else { format!(", {left} left in hand") };
    println!(
        "  {length} ({}手詰), at most {} with every interposition{left}",
        solution.high, solution.raw_length
    );
    println!("  {}", japanese::line(game.position(), &solution.line).join(" "));
    println!("  {}", usi(&solution.line));
}

fn usi(line: &[Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Prints the cooks of a solution.
pub fn cooks(game: &Tsume, solution: &Solution, settings: &Settings) {
    let found = cook::cooks(game, &solution.line, settings);
    if found.is_empty() {
        println!("  no cooks (余詰なし)");
    }
    for cook in found {
        let length = cook
            .length
            .map_or("perhaps mate".to_owned(), |length| format!("mate in at most {length}"));
        let kind = if cook.is_shorter() {
            "early mate (早詰)"
        } else if cook.is_minor() {
            "another last move"
        } else {
            "cook (余詰)"
        };
        println!(
            "  ply {}: {} {kind}, {length}; the line takes {}",
            cook.ply, cook.played, cook.intended
        );
    }
}

/// Prints the moves after which there is no defence.
pub fn hisshi(problems: &[Problem], settings: &Settings) -> anyhow::Result<()> {
    for problem in problems {
        println!("{}: {}", problem.id, problem.sfen);
        let found = hisshi::hisshi_moves(&problem.position, settings);
        let stopped = settings.limits.stop.load(Ordering::Relaxed);
        if found.is_empty() && !stopped {
            println!("  no hisshi (必至) in one move");
        }
        for bind in found {
            println!(
                "  {} {}: {}",
                japanese::line(&problem.position, &[bind.played]).join(""),
                bind.played,
                if bind.sure { "hisshi (必至)" } else { "not decided within the limits" }
            );
        }
        if stopped {
            anyhow::bail!("interrupted");
        }
    }
    Ok(())
}
