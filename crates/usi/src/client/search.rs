//! One search: `position` and `go` up to the answer.

use super::{Client, ClientError};
use crate::go::Go;
use crate::info::Info;
use crate::reply::{BestMove, Checkmate, Reply};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// No position has more moves than this.
const MOST_LINES: u32 = 593;

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The answer.
    pub best: BestMove,
    /// The last thing the engine said about its best line, the line itself left aside.
    pub info: Option<Info>,
    /// From the question to the answer, as we saw it.
    pub elapsed: Duration,
}

/// A search with everything it said about its best lines.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The answer.
    pub best: BestMove,
    /// The last word on each of the best lines, the best first.
    pub lines: Vec<Info>,
    /// From the question to the answer, as we saw it.
    pub elapsed: Duration,
}

impl Client {
    /// Sends `go`, waits for the move, and keeps what the engine reports about each of its best
    /// lines (its option `MultiPV` says how many there are).
    ///
    /// # Errors
    /// If the engine is silent or gone, or its answer cannot be understood.
    pub fn analyse(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<Analysis, ClientError> {
        let since = self.ask(position, go)?;
        let mut lines: Vec<Info> = Vec::new();
        loop {
            let line = self.receive_until("bestmove", since, timeout)?;
            if line.starts_with("bestmove") {
                let elapsed = since.elapsed();
                let Ok(Reply::BestMove(best)) = line.parse() else {
                    return Err(ClientError::BadAnswer { line });
                };
                lines.retain(|info| !info.pv.is_empty());
                return Ok(Analysis { best, lines, elapsed });
            }
            if let Some(info) = read_info(&line)
                && info.score.is_some()
                && !info.pv.is_empty()
            {
                let place = info.multipv.unwrap_or(1).clamp(1, MOST_LINES) as usize - 1;
                if lines.len() <= place {
                    lines.resize(place + 1, Info::default());
                }
                lines[place] = info;
            }
        }
    }

    /// Sends `go` and waits for the move. `position` is what follows the word `position`.
    ///
    /// # Errors
    /// If the engine is silent or gone, or its answer cannot be understood.
    pub fn search(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<Searched, ClientError> {
        let since = self.ask(position, go)?;
        self.answer(since, timeout)
    }

    /// Sends `position` and `go` in one piece; returns when.
    ///
    /// # Errors
    /// If the engine no longer listens.
    pub fn ask(&mut self, position: &str, go: &Go) -> Result<Instant, ClientError> {
        let mut text = std::mem::take(&mut self.outgoing);
        text.clear();
        // Writing to a string cannot fail.
        let _ = write!(text, "position {position}\n{go}");
        let since = Instant::now();
        let sent = self.send_text(&text);
        self.outgoing = text;
        sent.map(|()| since)
    }

    /// Waits for `bestmove`, up to `timeout` after `since`.
    ///
    /// # Errors
    /// If the engine is silent or gone, or its answer cannot be understood.
    pub fn answer(&mut self, since: Instant, timeout: Duration) -> Result<Searched, ClientError> {
        let mut last_info = String::new();
        loop {
            let line = self.receive_until("bestmove", since, timeout)?;
            if is_best_line(&line) {
                last_info = line;
            } else if line.starts_with("bestmove") {
                let elapsed = since.elapsed();
                let Ok(Reply::BestMove(best)) = line.parse() else {
                    return Err(ClientError::BadAnswer { line });
                };
                return Ok(Searched { best, info: read_without_line(&last_info), elapsed });
            }
        }
    }

    /// Sends `go mate` and waits for the answer.
    ///
    /// # Errors
    /// If the engine is silent or gone, or its answer cannot be understood.
    pub fn solve(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<Checkmate, ClientError> {
        let since = self.ask(position, go)?;
        loop {
            let line = self.receive_until("checkmate", since, timeout)?;
            if line.starts_with("checkmate") {
                return match line.parse() {
                    Ok(Reply::Checkmate(answer)) => Ok(answer),
                    _ => Err(ClientError::BadAnswer { line }),
                };
            }
        }
    }
}

/// Whether the line has a score of the best line. Only the last one is worth reading in full.
fn is_best_line(line: &str) -> bool {
    line.starts_with("info ")
        && line.contains(" score ")
        && line.find(" multipv ").is_none_or(|at| {
            let after = &line[at + " multipv ".len()..];
            after == "1" || after.starts_with("1 ")
        })
}

/// Reads what stands before the moves: they take longer to read than all the rest. Engines that
/// put something behind them are read in full.
fn read_without_line(line: &str) -> Option<Info> {
    let head = line.split_once(" pv ").map_or(line, |(head, _)| head);
    read_info(head)
        .filter(|info| info.nodes.is_some() && info.score.is_some())
        .or_else(|| read_info(line))
}

fn read_info(line: &str) -> Option<Info> {
    match line.parse() {
        Ok(Reply::Info(info)) => Some(info),
        _ => None,
    }
}
