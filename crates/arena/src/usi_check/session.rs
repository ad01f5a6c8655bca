//! One engine under test, with everything that was said.

use super::{RuleFault, fail, not_supported};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use yomikiri_shogi::Position;
use yomikiri_usi::client::{Client, ClientError, Direction, Introduction, Launch};
use yomikiri_usi::{BestMove, Command, Go, Reply};

/// How the engine is tried.
#[derive(Clone, Debug)]
pub struct UsiCheckSettings {
    /// Options set before everything else.
    pub options: Vec<(String, Option<String>)>,
    /// The time for a move in the tries, at which the engine must be able to keep time.
    pub move_time: Duration,
    /// By how much an answer may be late.
    pub margin: Duration,
}

impl Default for UsiCheckSettings {
    fn default() -> UsiCheckSettings {
        UsiCheckSettings {
            options: Vec::new(),
            move_time: Duration::from_secs(1),
            margin: Duration::from_millis(300),
        }
    }
}

/// A line of the transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranscriptLine {
    /// Since the rule began.
    pub at: Duration,
    /// Which way it went.
    pub direction: Direction,
    /// What it said.
    pub text: String,
}

/// The most of a transcript that is kept, and of each line.
const LONGEST_TRANSCRIPT: usize = 400;
const LONGEST_LINE: usize = 300;

/// Programs end an engine that has not introduced itself by then. Only the rule about it insists:
/// the others would find nothing out about an engine that is slow to start.
pub const INTRODUCTION: Duration = Duration::from_secs(10);
const SLOW_INTRODUCTION: Duration = Duration::from_secs(120);
/// Loading may take long, but not without a word.
const READY: Duration = Duration::from_secs(30);
/// An answer to `stop` may take so long.
pub const STOP: Duration = Duration::from_secs(2);
/// A second `bestmove` would come within this.
const AFTERMATH: Duration = Duration::from_millis(200);

/// A try of one rule.
pub struct RuleTrial<'a> {
    launch: &'a Launch,
    /// How the engine is tried.
    pub settings: &'a UsiCheckSettings,
    lines: Arc<Mutex<Vec<TranscriptLine>>>,
    begun: Instant,
}

/// An answer to `go`.
pub struct TimedBestMove {
    /// The `bestmove`.
    pub best: BestMove,
    /// From the question on.
    pub elapsed: Duration,
}

impl<'a> RuleTrial<'a> {
    pub fn new(launch: &'a Launch, settings: &'a UsiCheckSettings) -> RuleTrial<'a> {
        RuleTrial { launch, settings, lines: Arc::default(), begun: Instant::now() }
    }

    pub fn transcript(&self) -> Vec<TranscriptLine> {
        self.lines.lock().map(|lines| lines.clone()).unwrap_or_default()
    }

    /// Starts the engine and says nothing.
    pub fn start(&self) -> Result<Client, RuleFault> {
        let mut client = Client::start(self.launch)?;
        let (lines, begun) = (Arc::clone(&self.lines), self.begun);
        client.listen(Box::new(move |direction, text| {
            if let Ok(mut lines) = lines.lock()
                && lines.len() < LONGEST_TRANSCRIPT
            {
                let text = text.chars().take(LONGEST_LINE).collect();
                lines.push(TranscriptLine { at: begun.elapsed(), direction, text });
            }
        }));
        Ok(client)
    }

    /// Starts the engine and lets it introduce itself.
    pub fn introduced(&self) -> Result<(Client, Introduction), RuleFault> {
        let mut client = self.start()?;
        let introduction = client.introduce(SLOW_INTRODUCTION)?;
        for (name, value) in &self.settings.options {
            client.send(&Command::SetOption { name: name.clone(), value: value.clone() })?;
        }
        Ok((client, introduction))
    }

    /// Starts the engine and makes it ready for a game.
    pub fn ready(&self) -> Result<Client, RuleFault> {
        let (mut client, _) = self.introduced()?;
        new_game(&mut client)?;
        Ok(client)
    }

    /// The time for a move.
    pub fn move_time(&self) -> u64 {
        u64::try_from(self.settings.move_time.as_millis()).unwrap_or(u64::MAX)
    }

    /// `go btime 0 wtime 0 byoyomi N`, which every engine knows.
    pub fn byoyomi(&self) -> Go {
        let (zero, byoyomi) = (Some(0), Some(self.move_time()));
        Go::clock(yomikiri_usi::UsiClock {
            btime: zero,
            wtime: zero,
            byoyomi,
            ..Default::default()
        })
    }

    /// Searches with the time for a move; the answer must be legal, in time, and the only one.
    pub fn search_in_time(
        &self,
        client: &mut Client,
        position: &str,
        go: &Go,
    ) -> Result<TimedBestMove, RuleFault> {
        let limit = self.settings.move_time + self.settings.margin;
        let asked = client.ask(position, go)?;
        let answer = one_answer(client, asked, limit + Duration::from_secs(5))?;
        check_legal(position, &answer.best)?;
        if answer.elapsed > limit {
            let (took, had) = (answer.elapsed.as_millis(), self.move_time());
            return fail(format!("the move took {took} ms, it had {had} ms"));
        }
        Ok(answer)
    }

    /// Searches with a limit that is not a time. An engine that does not know the limit goes on
    /// until `stop`.
    pub fn search_with_limit(
        &self,
        client: &mut Client,
        position: &str,
        go: &Go,
    ) -> Result<TimedBestMove, RuleFault> {
        let asked = client.ask(position, go)?;
        let answer = match one_answer(client, asked, Duration::from_secs(10)) {
            Err(RuleFault::Fail(reason)) if reason.starts_with("no bestmove") => {
                client.send(&Command::Stop)?;
                let late = one_answer(client, Instant::now(), STOP)?;
                check_legal(position, &late.best)?;
                return not_supported("it searches on until 'stop'");
            }
            other => other?,
        };
        check_legal(position, &answer.best)?;
        Ok(answer)
    }
}

/// `isready`, `readyok`, `usinewgame`.
pub fn new_game(client: &mut Client) -> Result<(), RuleFault> {
    client.ready(READY)?;
    client.send(&Command::UsiNewGame)?;
    Ok(())
}

/// The engine still answers.
pub fn still_alive(client: &mut Client) -> Result<(), RuleFault> {
    client.ready(READY)?;
    Ok(())
}

/// Waits for `bestmove`, and a moment longer for a second one, which must not come.
pub fn one_answer(
    client: &mut Client,
    since: Instant,
    timeout: Duration,
) -> Result<TimedBestMove, RuleFault> {
    let searched = client.answer(since, timeout)?;
    no_answer(client, AFTERMATH).map_err(|fault| match fault {
        RuleFault::Fail(reason) if reason.starts_with("it answered") => {
            RuleFault::Fail("it sent a second bestmove".into())
        }
        other => other,
    })?;
    Ok(TimedBestMove { best: searched.best, elapsed: searched.elapsed })
}

/// No `bestmove` or `checkmate` may come for so long.
pub fn no_answer(client: &mut Client, wait: Duration) -> Result<(), RuleFault> {
    let deadline = Instant::now() + wait;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match client.receive("silence", left) {
            Ok(line) if line.starts_with("bestmove") || line.starts_with("checkmate") => {
                return fail(format!("it answered '{line}' too early"));
            }
            Ok(_) => {}
            Err(ClientError::Silent { .. }) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

/// A move that was sent must be legal; resignation and declaration are judged elsewhere.
pub fn check_legal(position: &str, best: &BestMove) -> Result<(), RuleFault> {
    let mut position = match Position::from_usi(position) {
        Ok(position) => position,
        Err(error) => return fail(format!("the checker's own position is wrong: {error}")),
    };
    let BestMove::Move { best, ponder } = *best else { return Ok(()) };
    if !position.is_legal(best) {
        return fail(format!("'{best}' is not legal"));
    }
    position.play(best);
    match ponder {
        Some(hint) if !position.is_legal(hint) => {
            fail(format!("the move to ponder on, {hint}, is not legal"))
        }
        _ => Ok(()),
    }
}

/// The replies in a transcript, with the lines that could not be read.
pub fn replies(
    lines: &[TranscriptLine],
) -> impl Iterator<Item = (&str, Result<Reply, yomikiri_usi::UsiError>)> {
    lines
        .iter()
        .filter(|line| line.direction == Direction::Received)
        .map(|line| (line.text.as_str(), line.text.parse()))
}
