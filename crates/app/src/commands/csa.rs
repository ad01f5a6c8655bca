//! `yomikiri csa`: plays on a server that speaks the CSA protocol, such as floodgate.

use crate::input::read_text;
use crate::interrupt::stop_on_interrupt;
use crate::{language, output};
use anyhow::{Context, anyhow, bail};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use yomikiri_base::Clock;
use yomikiri_engine::Settings;
use yomikiri_play::csa::{
    CsaClient, CsaEvent, CsaOptions, GameReport, GameResult, OnlineEnd, Password, Verdict,
};
use yomikiri_shogi::Color;
use yomikiri_text::{Csa, Files, Side};

/// The variable that may hold the password.
const PASSWORD: &str = "YOMIKIRI_CSA_PASSWORD";

/// Which server, and how to play there.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    yomikiri csa wdoor.c.u-tokyo.ac.jp --user me --password-file trip.txt --game floodgate-300-10F --lines --ponder\n  \
    YOMIKIRI_CSA_PASSWORD=test-600-10,x yomikiri csa localhost:4081 --user me --games 1\n\n\
    Ctrl-C lets the game under way end, a second one leaves at once.")]
pub struct Args {
    /// The server: HOST or HOST:PORT, port 4081 if not given
    #[arg(value_name = "HOST")]
    host: String,
    /// The name to log in with
    #[arg(short, long)]
    user: String,
    /// A file whose first line is the password; else the variable YOMIKIRI_CSA_PASSWORD is taken
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The kind of game to ask for, which floodgate reads in front of the password
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// How many games to play; without end if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// The folder for the records, one CSA file a game
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Send value and line with each move, as floodgate takes them
    #[arg(long)]
    lines: bool,
    /// Think in the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Set an engine option, as NAME=VALUE; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Write every line of the conversation to this file, the password hidden
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Give up after so many attempts in a row that end without a login
    #[arg(long, value_name = "N", default_value_t = 20)]
    attempts: u32,
}

/// Plays.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let words = Csa(language::get());
    let password = args.password()?;
    let settings = args.settings()?;
    output::make_folder(&args.out)?;
    let mut log = args.log.as_deref().map(open_log).transpose()?;
    let options = CsaOptions {
        address: args.host.clone(),
        user: args.user.clone(),
        password,
        games: args.games,
        records: Some(args.out.clone()),
        remarks: args.lines,
        ponder: args.ponder,
        attempts: args.attempts,
        date: Some(date),
    };
    let clock = Clock::system();
    let mut client = CsaClient::new(options, settings, clock.clone())?;
    let stop = stop_on_interrupt(words.leaving().leak())?;
    let mut tally = Tally::default();
    let played = client.run(&stop, &mut |event| {
        if let Some(log) = &mut log {
            note(log, &clock, event);
        }
        tell(words, args, event);
        if let CsaEvent::Finished(report) = event {
            tally.count(&report.end);
        }
    });
    println!("{}", tally.text(words));
    played?;
    Ok(())
}

impl Args {
    /// The password, which stands on no command line: others could read it there.
    fn password(&self) -> anyhow::Result<Password> {
        let words = Csa(language::get());
        let text = match (&self.password_file, std::env::var(PASSWORD)) {
            (Some(path), _) => read_text(path)?,
            (None, Ok(text)) => text,
            (None, Err(_)) => bail!(words.no_password(PASSWORD)),
        };
        let password = Password::new(text.lines().next().unwrap_or_default().trim());
        let password = password.and_then(|password| match &self.game {
            Some(game) => password.for_game(game),
            None => Some(password),
        });
        password.ok_or_else(|| anyhow!(words.bad_password()))
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        for pair in &self.set {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| anyhow!("--set takes NAME=VALUE, not '{pair}'"))?;
            settings.set(name, value)?;
        }
        Ok(settings)
    }
}

fn open_log(path: &Path) -> anyhow::Result<File> {
    let opened = File::options().create(true).append(true).open(path);
    opened.with_context(|| Files(language::get()).cannot_write(path.display()))
}

/// Lines of the conversation with the seconds since the start. A log that cannot be written ends
/// no game.
fn note(log: &mut File, clock: &Clock, event: &CsaEvent<'_>) {
    let (sign, line) = match event {
        CsaEvent::Sent(line) => ('>', line),
        CsaEvent::Received(line) => ('<', line),
        _ => return,
    };
    let _ = writeln!(log, "{:10.3} {sign} {line}", clock.now().as_secs_f64());
}

/// The present time as records write it.
fn date() -> String {
    yomikiri_lab::frame::manifest::now().replace('-', "/").replace('T', " ").replace('Z', "")
}

fn tell(words: Csa, args: &Args, event: &CsaEvent<'_>) {
    match event {
        CsaEvent::LoggedIn => println!("{}", words.logged_in(&args.user)),
        CsaEvent::Started(summary) => {
            let sides = Side(language::get());
            let side = match summary.own {
                Color::Black => sides.black(),
                Color::White => sides.white(),
            };
            println!("{}", words.started(&summary.id, side, summary.opponent()));
        }
        CsaEvent::Finished(report) => tell_end(words, report),
        CsaEvent::Refused(error) => eprintln!("{}", words.refused(error)),
        CsaEvent::RecordNotWritten(error) => eprintln!("{}", words.no_record(error)),
        CsaEvent::Retry { reason, wait } => eprintln!("{}", words.retry(reason, wait.as_secs())),
        CsaEvent::Sent(_) | CsaEvent::Received(_) | CsaEvent::Moved { .. } => {}
    }
    output::flush();
}

fn tell_end(words: Csa, report: &GameReport) {
    let result = match &report.end {
        OnlineEnd::Ruled(result, verdict) => {
            let how = match (verdict, result) {
                (Some(verdict), _) => verdict_text(words, *verdict),
                (None, GameResult::Interrupted) => words.interrupted(),
                (None, _) => words.unexplained(),
            };
            match result {
                GameResult::Win => words.won(how),
                GameResult::Lose => words.lost(how),
                GameResult::Draw => words.drawn(how),
                GameResult::Censored | GameResult::Interrupted => words.without_result(how),
            }
        }
        OnlineEnd::Rejected(by) => words.rejected(by),
        OnlineEnd::ConnectionLost(why) => words.connection_lost(why),
        OnlineEnd::Fault(what) => words.fault(what),
    };
    let moves = report.record.main_moves().count();
    println!("{}", words.finished(&report.summary.id, result, moves));
    if let Some(path) = &report.path {
        println!("{}", words.record(path.display()));
    }
}

fn verdict_text(words: Csa, verdict: Verdict) -> String {
    match verdict {
        Verdict::Resign => words.resignation(),
        Verdict::Repetition => words.repetition(),
        Verdict::PerpetualCheck => words.perpetual_check(),
        Verdict::IllegalMove | Verdict::IllegalAction => words.illegal(),
        Verdict::TimeUp => words.time_up(),
        Verdict::Declaration => words.declaration(),
        Verdict::MaximumMoves => words.maximum_moves(),
    }
}

/// How the games ended: won, lost, drawn, otherwise.
#[derive(Default)]
struct Tally {
    counts: [u32; 4],
}

impl Tally {
    fn count(&mut self, end: &OnlineEnd) {
        let place = match end {
            OnlineEnd::Ruled(GameResult::Win, _) => 0,
            OnlineEnd::Ruled(GameResult::Lose, _) => 1,
            OnlineEnd::Ruled(GameResult::Draw, _) => 2,
            _ => 3,
        };
        self.counts[place] += 1;
    }

    fn text(&self, words: Csa) -> String {
        let [won, lost, drawn, others] = self.counts;
        words.total(won + lost + drawn + others, won, lost, drawn, others)
    }
}
