//! `yomikiri play`: a game against the engine in the terminal.

use crate::input::{parse_position, read_game};
use crate::language;
use crate::output::ensure_free;
use anyhow::anyhow;
use std::collections::BTreeSet;
use std::io::{BufReader, ErrorKind, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;
use yomikiri_base::Clock;
use yomikiri_base::output_files::write_file;
use yomikiri_engine::strength::Level;
use yomikiri_play::person::{
    Opponent, OpponentStyle, PersonSession, SessionError, save, typed_lines,
};
use yomikiri_play::{ClockSettings, GameClock, RecordedGame, Rules};
use yomikiri_shogi::record::Record;
use yomikiri_shogi::{Color, EnteringKingRule, Handicap};
use yomikiri_text::Play;

/// Against whom, and from where.
#[derive(clap::Args)]
pub struct Args {
    /// How strong the engine plays: 1 is a beginner, 15 everything it can
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=15))]
    level: u8,
    /// Your side
    #[arg(short, long, value_enum, default_value_t = Side::Black)]
    side: Side,
    /// A handicap, given by White: lance, bishop, rook, two, four, six, eight, ten, ..., or a
    /// Japanese name such as 二枚落ち
    #[arg(long, conflicts_with_all = ["position", "file"])]
    handicap: Option<Handicap>,
    /// Begin from a position: SFEN, or "startpos moves ..." as USI has it
    #[arg(long, value_name = "SFEN", conflicts_with = "file")]
    position: Option<String>,
    /// Go on with a game from a record (KIF, KI2, CSA, JKF, ...)
    #[arg(long, value_name = "RECORD")]
    file: Option<PathBuf>,
    /// After this many moves of the record; after the last one if not given
    #[arg(long, value_name = "N", requires = "file")]
    ply: Option<usize>,
    /// Minutes for each player; no clock if neither this nor the next two are given
    #[arg(long, value_name = "MINUTES")]
    time: Option<u32>,
    /// Seconds for each move after that
    #[arg(long, value_name = "SECONDS")]
    byoyomi: Option<u32>,
    /// Seconds that each move adds
    #[arg(long, value_name = "SECONDS")]
    increment: Option<u32>,
    /// Seconds that a hint takes, and a move of level 15 without a clock
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    think: f64,
    /// Save the game to this file after every move: .kif, .kifu, .ki2, .csa or .jkf
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(long, requires = "save")]
    force: bool,
    /// The entering-king rule: NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H or
    /// TryRule
    #[arg(long, value_name = "RULE", default_value = "CSARule27")]
    entering_king: EnteringKingRule,
    /// The engine plays lost games to the end
    #[arg(long)]
    no_resign: bool,
    /// In a lost endgame the engine plays on with the move that is hardest to answer, and says so
    #[arg(long)]
    speculative: bool,
    /// Where the engine's chance begins; each number makes another game. Drawn if not given
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
}

/// Whom people play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Side {
    /// You move first (先手); in handicap games, you take the handicap
    #[value(alias = "先手", alias = "下手")]
    Black,
    /// You move second (後手); in handicap games, you give the handicap and move first
    #[value(alias = "後手", alias = "上手")]
    White,
    /// Drawn by lot
    Random,
    /// Two people play at this terminal
    Both,
}

impl Side {
    fn people(self) -> [bool; 2] {
        match self {
            Side::Black => [true, false],
            Side::White => [false, true],
            Side::Random if fastrand::bool() => [true, false],
            Side::Random => [false, true],
            Side::Both => [true, true],
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.01..=3600.0).contains(&number) => Ok(number),
        _ => Err("expected seconds from 0.01 to 3600".into()),
    }
}

/// Plays.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let record = args.record()?;
    let rules = Rules { entering_king: args.entering_king, maximum_moves: 0, ..Rules::default() };
    let clock = ClockSettings::of_seconds(
        args.time.map(|minutes| minutes * 60),
        args.byoyomi,
        args.increment,
    );
    let mut game =
        RecordedGame::new(&record, args.ply, rules).with_clock(clock.map(GameClock::even));
    if let Some(path) = &args.save {
        ensure_free(path, args.force)?;
    }
    let people = args.side.people();
    let words = Play(language::get());
    let names = people.map(|human| if human { words.you() } else { words.engine(args.level) });
    if people != [true, true] {
        game.name([&names[0], &names[1]]);
    }
    if let Some(path) = &args.save {
        let saved = save(&game, path, args.force, &write_file);
        saved.map_err(|error| anyhow!(error.text(language::get())))?;
    }
    let style = OpponentStyle {
        level: Level { number: args.level, seed: args.seed.unwrap_or_else(|| fastrand::u32(..)) },
        think: Duration::from_secs_f64(args.think),
        rule: args.entering_king,
        resigns: !args.no_resign && !args.speculative,
        speculates: args.speculative,
    };
    let terminal = std::io::stdout().is_terminal();
    let mut session = PersonSession {
        game,
        opponent: Opponent::new(style)?,
        people,
        bottom: if people[0] { Color::Black } else { Color::White },
        language: language::get(),
        notation: language::notation(),
        time: Clock::system(),
        write_file: &write_file,
        colours: terminal && std::env::var_os("NO_COLOR").is_none(),
        echo: !std::io::stdin().is_terminal(),
        file: args.save.clone(),
        written: BTreeSet::new(),
        lines: typed_lines(BufReader::new(std::io::stdin())),
        out: std::io::stdout().lock(),
    };
    match session.run() {
        // Whoever read our output has gone.
        Err(SessionError::Screen(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

impl Args {
    fn record(&self) -> anyhow::Result<Record> {
        match (&self.file, &self.position) {
            (Some(path), _) => Ok(read_game(path, (1, self.ply))?.0),
            (None, Some(text)) => parse_position(text),
            (None, None) => Ok(Record::new(self.handicap.unwrap_or(Handicap::Even).position())),
        }
    }
}
