//! Tables and verdicts as text.

use crate::rating::{self, RatingEstimate, Ratings};
use crate::sprt::SprtVerdict;
use crate::standings::{OrderedTest, Standings, StandingsRow};
use std::fmt::Write;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;
use yomikiri_play::End;
use yomikiri_text::Match;

pub use yomikiri_text::Language;

/// Everybody, best first, with ratings where results allow them; with or without what was measured
/// on a clock. In English, as files have it.
pub fn ratings_table(standings: &Standings, with_times: bool) -> String {
    ratings_table_in(Language::En, standings, with_times)
}

/// The same in a language.
pub fn ratings_table_in(language: Language, standings: &Standings, with_times: bool) -> String {
    let words = Match(language);
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
    let right = |word: String, columns: usize| {
        format!("{}{word}", " ".repeat(columns.saturating_sub(word.width())))
    };
    let mut text =
        format!("{:>3} {} {:>7} {:>6}", "#", padded(&words.name(), width), "Elo", "±95%");
    let heads = [words.games(), words.won(), words.drawn(), words.lost(), words.score()];
    for (head, columns) in heads.into_iter().zip([6, 5, 5, 5, 6]) {
        let _ = write!(text, " {}", right(head, columns));
    }
    let _ = write!(text, " {}", right(words.nodes_a_move(), 9));
    if with_times {
        let _ = write!(text, " {}", right(words.time_a_move(), 8));
    }
    let _ = writeln!(text, "  {}", words.faults());
    for (place, player) in (1..).zip(order) {
        let row = &standings.rows[player];
        let cells = row_cells(row, ratings.as_ref(), player, with_times, words);
        let _ = writeln!(text, "{place:>3} {} {cells}", padded(&row.name, width));
    }
    if drawn && ratings.is_some() {
        let _ = writeln!(text, "{}", words.draw_added());
    }
    text
}

/// What stands behind the name of a player.
fn row_cells(
    row: &StandingsRow,
    ratings: Option<&Ratings>,
    player: usize,
    with_times: bool,
    words: Match,
) -> String {
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
        faults(row, words)
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
    standings.rows.iter().map(|row| row.name.width()).max().unwrap_or(0).max(4)
}

/// What the pairs of two players say; empty with more players. In English, as files have it.
pub fn two_player_summary(standings: &Standings, test: Option<&OrderedTest>) -> String {
    two_player_summary_in(Language::En, standings, test)
}

/// The same in a language.
pub fn two_player_summary_in(
    language: Language,
    standings: &Standings,
    test: Option<&OrderedTest>,
) -> String {
    let words = Match(language);
    let [first, second] = &standings.rows[..] else { return String::new() };
    let mut text = String::new();
    if let Some(strength) = standings.pairs.strength() {
        let line = words.against(
            &first.name,
            &second.name,
            format!("{:.1}", 100.0 * strength.score.value),
            2 * standings.pairs.total(),
            interval(&strength.elo),
            interval(&strength.normalized_elo),
            format!("{:.1}", 100.0 * strength.superiority),
        );
        let [black, white] = standings.by_color;
        let pairs = format!("{:?}", standings.pairs.0);
        let ends = words.pairs(pairs, black, white, list(words, standings.ends.iter()));
        let _ = writeln!(text, "{line}\n{ends}");
    }
    if let Some(test) = test {
        let (lower, upper) = test.sprt().bounds();
        let verdict = match test.verdict() {
            SprtVerdict::Continue => words.undecided(),
            SprtVerdict::AcceptH0 => words.not_stronger(),
            SprtVerdict::AcceptH1 => words.stronger(),
        };
        let line = words.sprt(
            test.sprt().elo0,
            test.sprt().elo1,
            format!("{:.2}", test.ratio()),
            format!("{lower:.2}"),
            format!("{upper:.2}"),
            test.pairs_used(),
            verdict,
        );
        let _ = writeln!(text, "{line}");
    }
    text
}

fn interval(estimate: &RatingEstimate) -> String {
    format!("{:+.1} [{:+.1}, {:+.1}]", estimate.value, estimate.low, estimate.high)
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.digits$}"))
}

fn faults(row: &StandingsRow, words: Match) -> String {
    if row.faults.is_empty() { words.none() } else { list(words, row.faults.iter()) }
}

fn list<'a>(words: Match, counts: impl Iterator<Item = (&'a &'static str, &'a u64)>) -> String {
    let one = |(name, count): (&&'static str, &u64)| format!("{} {count}", end_text(words, name));
    counts.map(one).collect::<Vec<_>>().join(", ")
}

/// An end of games, by its word in files, in the language of the words.
fn end_text(words: Match, name: &str) -> String {
    let Some(end) = End::ALL.into_iter().find(|end| end.name() == name) else { return name.into() };
    match end {
        End::Mate => words.end_mate(),
        End::NoMoves => words.end_no_moves(),
        End::Resignation => words.end_resignation(),
        End::Repetition => words.end_repetition(),
        End::PerpetualCheck => words.end_perpetual_check(),
        End::Declaration => words.end_declaration(),
        End::WrongDeclaration => words.end_wrong_declaration(),
        End::MaximumMoves => words.end_maximum_moves(),
        End::ResignRule => words.end_resign_rule(),
        End::DrawRule => words.end_draw_rule(),
        End::Time => words.end_time(),
        End::Illegal => words.end_illegal(),
        End::Crash => words.end_crash(),
        End::Silence => words.end_silence(),
    }
}

/// A text with spaces behind it; Japanese letters take two columns.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// How a contest stands while it is played: the table, if it is wanted, and the summary.
#[must_use]
pub fn live_text(
    language: Language,
    standings: &Standings,
    test: Option<&OrderedTest>,
    table: bool,
) -> String {
    let table = table.then(|| ratings_table_in(language, standings, true));
    table.unwrap_or_default() + &two_player_summary_in(language, standings, test)
}

/// Games a minute, and how long those that are left will take.
pub(super) fn pace(
    words: Match,
    played: usize,
    left: usize,
    elapsed: Duration,
) -> (String, String) {
    let rate = played as f64 / (elapsed.as_secs_f64() / 60.0).max(1e-6);
    (format!("{rate:.1}"), duration(words, left as f64 / rate.max(1e-6)))
}

fn duration(words: Match, minutes: f64) -> String {
    if minutes < 1.0 {
        words.seconds(format!("{:.0}", minutes * 60.0))
    } else if minutes < 90.0 {
        words.minutes(format!("{minutes:.0}"))
    } else {
        words.hours(format!("{:.1}", minutes / 60.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_said_in_both_languages() {
        let left = |language| pace(Match(language), 10, 5, Duration::from_secs(60));
        assert_eq!(left(Language::En), ("10.0".into(), "30 s".into()));
        assert_eq!(left(Language::Ja), ("10.0".into(), "30秒".into()));
    }

    #[test]
    fn files_and_english_share_the_words_of_ends_and_japanese_has_its_own() {
        for end in End::ALL {
            assert_eq!(end_text(Match(Language::En), end.name()), end.name());
            assert!(!end_text(Match(Language::Ja), end.name()).is_ascii());
        }
    }
}
