//! `yomikiri csa`: plays on a server of the CSA protocol, such as floodgate.

use crate::input::read_text;
use crate::interrupt::stop_on_interrupt;
use crate::{language, output};
use anyhow::{Context, anyhow, bail};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use yomikiri_base::Clock;
use yomikiri_engine::Settings;
use yomikiri_lab::manifest::record_date;
use yomikiri_play::csa::{
    CsaClient, CsaError, CsaEvent, CsaOptions, Notice, Password, ResultTally, log_line, login_text,
    notice,
};
use yomikiri_text::{Csa, Files};

/// The variable that may hold the password.
const PASSWORD: &str = "YOMIKIRI_CSA_PASSWORD";

/// Which server, and how to play there.
#[derive(clap::Args)]
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
    /// Give up after this many attempts in a row that end without a login
    #[arg(long, value_name = "N", default_value_t = 20)]
    attempts: u32,
}

/// Plays.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let words = Csa(language::get());
    let password = args.password()?;
    let settings = args.settings()?;
    output::make_folder(&args.out)?;
    let mut log = None;
    if let Some(path) = &args.log {
        let opened = File::options().create(true).append(true).open(path);
        log = Some(opened.with_context(|| Files(language::get()).cannot_write(path.display()))?);
    }
    let options = CsaOptions {
        address: args.host.clone(),
        user: args.user.clone(),
        password,
        games: args.games,
        records: Some(args.out.clone()),
        remarks: args.lines,
        ponder: args.ponder,
        attempts: args.attempts,
        date: Some(record_date),
    };
    let clock = Clock::system();
    let failed = |error: CsaError| anyhow!(login_text(&error, words));
    let mut client = CsaClient::new(options, settings, clock.clone()).map_err(failed)?;
    let stop = stop_on_interrupt(words.leaving().leak())?;
    let mut tally = ResultTally::default();
    let played = client.run(&stop, &mut |event| {
        if let (Some(log), Some(line)) = (&mut log, log_line(event, clock.now())) {
            // A log that cannot be written ends no game.
            let _ = writeln!(log, "{line}");
        }
        match notice(event, &args.user, language::get()) {
            Some(Notice::News(text)) => println!("{text}"),
            Some(Notice::Trouble(text)) => eprintln!("{text}"),
            None => {}
        }
        output::flush();
        if let CsaEvent::Finished(report) = event {
            tally.count(&report.end);
        }
    });
    println!("{}", tally.to_text(words));
    played.map(drop).map_err(failed)
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
        let password = Password::of_text(&text, self.game.as_deref());
        password.ok_or_else(|| anyhow!(words.bad_password()))
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        for pair in &self.set {
            settings.set_pair(pair)?;
        }
        Ok(settings)
    }
}
