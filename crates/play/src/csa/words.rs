//! What the client reports, and the log of its conversation.

use super::client::{CsaError, CsaEvent, RetryReason};
use super::connection::ConnectionLoss;
use super::online::{GameReport, OnlineEnd};
use super::protocol::{CsaResult, ServerVerdict};
use std::time::Duration;
use yomikiri_shogi::Color;
use yomikiri_text::{Csa, Language, Side};

/// Something for a person to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// How the games go.
    News(String),
    /// What hinders them.
    Trouble(String),
}

/// What an event means to a person; nothing for single lines and moves.
pub fn notice(event: &CsaEvent<'_>, user: &str, language: Language) -> Option<Notice> {
    let words = Csa(language);
    Some(match event {
        CsaEvent::LoggedIn => Notice::News(words.logged_in(user)),
        CsaEvent::Started(summary) => {
            let sides = Side(language);
            let side = match summary.own {
                Color::Black => sides.black(),
                Color::White => sides.white(),
            };
            Notice::News(words.started(&summary.id, side, summary.opponent()))
        }
        CsaEvent::Finished(report) => Notice::News(report_text(report, words)),
        CsaEvent::Refused(error) => Notice::Trouble(words.refused(error)),
        CsaEvent::RecordNotWritten(error) => Notice::Trouble(words.no_record(error)),
        CsaEvent::Retry { reason, wait } => {
            Notice::Trouble(words.retry(reason_text(reason, words), wait.as_secs()))
        }
        CsaEvent::Sent(_) | CsaEvent::Received(_) | CsaEvent::Moved { .. } => return None,
    })
}

/// How a game ended, and where its record is.
fn report_text(report: &GameReport, words: Csa) -> String {
    let result = match &report.end {
        OnlineEnd::Ruled(result, verdict) => ruling_text(*result, *verdict, words),
        OnlineEnd::Rejected(by) => words.rejected(by),
        OnlineEnd::ConnectionLost(why) => words.connection_lost(loss_text(why, words)),
        OnlineEnd::Fault(what) => words.fault(what),
    };
    let moves = report.record.main_moves().count();
    let mut text = words.finished(&report.summary.id, result, moves);
    if let Some(path) = &report.path {
        text += &format!("\n{}", words.record(path.display()));
    }
    text
}

fn loss_text(loss: &ConnectionLoss, words: Csa) -> String {
    match loss {
        ConnectionLoss::Closed => words.closed_by_server(),
        ConnectionLoss::Unanswered => words.no_answer(),
        ConnectionLoss::Io(error) => error.to_string(),
    }
}

fn reason_text(reason: &RetryReason, words: Csa) -> String {
    match reason {
        RetryReason::Lost(loss) => loss_text(loss, words),
        RetryReason::Fault(fault) => fault.to_string(),
        RetryReason::Login(error) => login_text(error, words),
    }
}

/// Why there was no login.
pub fn login_text(error: &CsaError, words: Csa) -> String {
    match error {
        CsaError::Connect { address, source } => words.no_connection(address, source),
        CsaError::LoginRefused(user) => words.login_refused(user),
        CsaError::NoLogin(loss) => words.no_login(loss_text(loss, words)),
        CsaError::BadName(name) => words.bad_name(name),
        CsaError::Engine(error) => error.to_string(),
    }
}

fn ruling_text(result: CsaResult, verdict: Option<ServerVerdict>, words: Csa) -> String {
    let how = match (verdict, result) {
        (Some(verdict), _) => verdict_text(verdict, words),
        (None, CsaResult::Interrupted) => words.interrupted(),
        (None, _) => words.unexplained(),
    };
    match result {
        CsaResult::Win => words.won(how),
        CsaResult::Lose => words.lost(how),
        CsaResult::Draw => words.drawn(how),
        CsaResult::Censored | CsaResult::Interrupted => words.without_result(how),
    }
}

fn verdict_text(verdict: ServerVerdict, words: Csa) -> String {
    match verdict {
        ServerVerdict::Resign => words.resignation(),
        ServerVerdict::Repetition => words.repetition(),
        ServerVerdict::PerpetualCheck => words.perpetual_check(),
        ServerVerdict::IllegalMove | ServerVerdict::IllegalAction => words.illegal(),
        ServerVerdict::TimeUp => words.time_up(),
        ServerVerdict::Declaration => words.declaration(),
        ServerVerdict::MaximumMoves => words.maximum_moves(),
    }
}

/// A line of the conversation with the seconds since the start; nothing for other events.
pub fn log_line(event: &CsaEvent<'_>, now: Duration) -> Option<String> {
    let (sign, line) = match event {
        CsaEvent::Sent(line) => ('>', line),
        CsaEvent::Received(line) => ('<', line),
        _ => return None,
    };
    Some(format!("{:10.3} {sign} {line}", now.as_secs_f64()))
}

/// How the games ended: won, lost, drawn, otherwise.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ResultTally {
    counts: [u32; 4],
}

impl ResultTally {
    /// Counts one more.
    pub fn count(&mut self, end: &OnlineEnd) {
        let place = match end {
            OnlineEnd::Ruled(CsaResult::Win, _) => 0,
            OnlineEnd::Ruled(CsaResult::Lose, _) => 1,
            OnlineEnd::Ruled(CsaResult::Draw, _) => 2,
            _ => 3,
        };
        self.counts[place] += 1;
    }

    /// All of them in a line.
    #[must_use]
    pub fn to_text(&self, words: Csa) -> String {
        let [won, lost, drawn, others] = self.counts;
        words.total(won + lost + drawn + others, won, lost, drawn, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_by_how_they_ended() {
        let mut tally = ResultTally::default();
        let (won, drawn) = (CsaResult::Win, CsaResult::Draw);
        tally.count(&OnlineEnd::Ruled(won, Some(ServerVerdict::Resign)));
        tally.count(&OnlineEnd::Ruled(won, None));
        tally.count(&OnlineEnd::Ruled(drawn, Some(ServerVerdict::Repetition)));
        tally.count(&OnlineEnd::ConnectionLost(ConnectionLoss::Closed));
        let text = tally.to_text(Csa(Language::En));
        assert_eq!(text, "4 games: 2 won, 0 lost, 1 drawn, 1 without a result");
    }

    #[test]
    fn the_log_has_both_directions_and_people_neither() {
        let (sent, came) = (CsaEvent::Sent("%TORYO"), CsaEvent::Received("#LOSE"));
        let now = Duration::from_millis(1500);
        assert_eq!(log_line(&sent, now).as_deref(), Some("     1.500 > %TORYO"));
        assert_eq!(log_line(&came, now).as_deref(), Some("     1.500 < #LOSE"));
        assert_eq!(log_line(&CsaEvent::LoggedIn, now), None);
        assert_eq!(notice(&sent, "me", Language::En), None);
        let said = notice(&CsaEvent::LoggedIn, "me", Language::En);
        assert_eq!(said, Some(Notice::News("logged in as me: waiting for a game".into())));
    }
}
