//! Tables and verdicts as text.

use crate::rating::{self, Estimate, Ratings};
use crate::sprt::Verdict;
use crate::standings::{OrderedTest, Row, Standings};
use std::fmt::Write;

/// Everybody, best first, with ratings where results allow them; with or without what was measured
/// on a clock.
pub fn ratings_table(standings: &Standings, with_times: bool) -> String {
    let count = standings.rows.len();
    let pure = rating::rate(count, &standings.encounters, 0.0);
    let (ratings, drawn) = match pure {
        Ok(ratings) => (Some(ratings), false),
        Err(_) => (rating::rate(count, &standings.encounters, 1.0).ok(), true),
    };
    let mut order: Vec<usize> = (0..count).collect();
    let key = |&player: &usize| match &ratings {
        Some(ratings) => ratings.elo[player],
        None => standings.rows[player].score(),
    };
    order.sort_by(|a, b| key(b).total_cmp(&key(a)));
    let width = name_width(standings);
    let time = if with_times { format!(" {:>8}", "ms/mv") } else { String::new() };
    let mut text = format!(
        "{:>3} {} {:>7} {:>6} {:>6} {:>5} {:>5} {:>5} {:>6} {:>9}{time}  faults\n",
        "#",
        padded("name", width),
        "Elo",
        "±95%",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "nodes/mv",
    );
    for (place, player) in (1..).zip(order) {
        let row = &standings.rows[player];
        let cells = row_cells(row, ratings.as_ref(), player, with_times);
        let _ = writeln!(text, "{place:>3} {} {cells}", padded(&row.name, width));
    }
    if drawn && ratings.is_some() {
        text.push_str(
            "(not everybody has both won and lost: one drawn game is added to each pairing)\n",
        );
    }
    text
}

/// What stands behind the name of a player.
fn row_cells(row: &Row, ratings: Option<&Ratings>, player: usize, with_times: bool) -> String {
    let (elo, error) = match ratings {
        Some(ratings) => {
            (format!("{:+.0}", ratings.elo[player]), format!("{:.0}", ratings.error(player)))
        }
        None => ("-".into(), "-".into()),
    };
    let score = if row.games() == 0 { 0.0 } else { 100.0 * row.score() };
    let time = match with_times {
        true => format!(" {:>8}", number(row.millis_per_move(), 1)),
        false => String::new(),
    };
    format!(
        "{elo:>7} {error:>6} {:>6} {:>5} {:>5} {:>5} {score:>5.1}% {:>9}{time}  {}",
        row.games(),
        row.wins,
        row.draws,
        row.losses,
        number(row.nodes_per_move(), 0),
        faults(row)
    )
}

/// What the moves of everybody took, in the order of the players.
pub fn times_table(standings: &Standings) -> String {
    let width = name_width(standings);
    let mut text = format!("{} {:>8} {:>8}\n", padded("name", width), "moves", "ms/mv");
    for row in &standings.rows {
        let time = number(row.millis_per_move(), 1);
        let _ = writeln!(text, "{} {:>8} {time:>8}", padded(&row.name, width), row.moves);
    }
    text
}

fn name_width(standings: &Standings) -> usize {
    standings.rows.iter().map(|row| display_width(&row.name)).max().unwrap_or(0).max(4)
}

/// What the pairs of two players say; empty with more players.
pub fn two_player_summary(standings: &Standings, test: Option<&OrderedTest>) -> String {
    let [first, second] = &standings.rows[..] else { return String::new() };
    let mut text = String::new();
    if let Some(strength) = standings.pairs.strength() {
        let _ = writeln!(
            text,
            "{} against {}: {:.1} % of {} games, Elo {}, normalized Elo {}, superior with {:.1} %",
            first.name,
            second.name,
            100.0 * strength.score.value,
            2 * standings.pairs.total(),
            interval(&strength.elo),
            interval(&strength.normalized_elo),
            100.0 * strength.superiority
        );
        let _ = writeln!(
            text,
            "pairs with 0, ½, 1, 1½, 2 points: {:?}; black won {}, white {}; ends: {}",
            standings.pairs.0,
            standings.by_color[0],
            standings.by_color[1],
            list(standings.ends.iter())
        );
    }
    if let Some(test) = test {
        let (lower, upper) = test.sprt().bounds();
        let verdict = match test.verdict() {
            Verdict::Continue => "undecided",
            Verdict::AcceptH0 => "H0 accepted: not stronger by that much",
            Verdict::AcceptH1 => "H1 accepted: stronger",
        };
        let _ = writeln!(
            text,
            "SPRT of normalized Elo {} against {}: ratio {:.2} ({lower:.2} to {upper:.2}) after {} \
             pairs: {verdict}",
            test.sprt().elo0,
            test.sprt().elo1,
            test.ratio(),
            test.pairs_used()
        );
    }
    text
}

fn interval(estimate: &Estimate) -> String {
    format!("{:+.1} [{:+.1}, {:+.1}]", estimate.value, estimate.low, estimate.high)
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.digits$}"))
}

fn faults(row: &Row) -> String {
    if row.faults.is_empty() { "none".into() } else { list(row.faults.iter()) }
}

fn list<'a>(counts: impl Iterator<Item = (&'a &'static str, &'a u64)>) -> String {
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

/// How many columns a text takes: Japanese letters take two.
fn display_width(text: &str) -> usize {
    text.chars().map(|letter| if (letter as u32) < 0x1100 { 1 } else { 2 }).sum()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(display_width(text))))
}
