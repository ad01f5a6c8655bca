//! The options of `match` and `rate`, and the contest they make.

use crate::commands::pool::player_from;
use crate::input::read_text;
use anyhow::{Context, bail, ensure};
use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_arena::contest::Contest;
use yomikiri_arena::contestant::Contestant;
use yomikiri_arena::openings;
use yomikiri_arena::runner::Match;
use yomikiri_arena::schedule::Format;
use yomikiri_arena::sprt::Sprt;
use yomikiri_base::Shard;
use yomikiri_lab::manifest::provenance;
use yomikiri_play::player::Timeouts;
use yomikiri_play::rules::{DrawRule, ResignRule};
use yomikiri_play::{Rules, TimeControl};
use yomikiri_shogi::EnteringKingRule;
use yomikiri_usi::Setup;

/// Options of every contest.
#[derive(clap::Args)]
pub struct ContestArgs {
    /// An engine: words such as name=A cmd="PROGRAM ARGS" dir=FOLDER option.NAME=VALUE, and its
    /// own nodes=, depth=, movetime=, time=, byoyomi=, increment=; restart=on starts it anew for
    /// every game. Without cmd= it is this program. Give it once for each engine
    #[arg(short, long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,

    /// A file of openings, one a line: "startpos moves ..." or SFEN, perhaps zstd; each is played
    /// twice with colours swapped. If not given, the 1,200 balanced ones that are built in
    #[arg(short, long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// How many pairs of games any two engines play
    #[arg(short, long, value_name = "N", default_value_t = 50)]
    pairs: usize,

    /// How many games at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    /// Keep each of the games at once on a core of its own, which spares switching; for engines
    /// with one thread
    #[arg(long)]
    affinity: bool,

    /// The folder for the games; a contest that was interrupted goes on from what is there
    #[arg(long, value_name = "FOLDER", default_value = "yomikiri-match")]
    out: PathBuf,

    /// Play part I of N of the pairs, counted from 0; `yomikiri merge` joins the folders of all
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,

    /// Do not write a CSA and a KIF file for each game; games.tsv has them all
    #[arg(long)]
    no_records: bool,

    /// Shuffles the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    limits: LimitArgs,

    /// A move that comes this much after its time loses
    #[arg(long, value_name = "MS", default_value_t = 200)]
    margin: u64,

    /// A move without a time limit may take this long
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    patience: u64,

    /// Games are drawn after this many moves; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 512)]
    max_moves: u32,

    /// The entering-king rule: NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H or
    /// TryRule
    #[arg(long, value_name = "RULE", default_value = "CSARule27")]
    entering_king: EnteringKingRule,

    /// An engine that could declare wins even if it does not
    #[arg(long)]
    auto_declare: bool,

    /// Give a game up when both engines see it lost by this many centipawns for so many moves
    /// each, as 2000,4
    #[arg(long, value_name = "CP,MOVES", value_parser = numbers::<2>)]
    resign: Option<[i64; 2]>,

    /// Call a game drawn when, after this move, both engines see at most so many centipawns for so
    /// many moves each, as 160,20,8
    #[arg(long, value_name = "FROM,CP,MOVES", value_parser = numbers::<3>)]
    draw: Option<[i64; 3]>,
}

/// How much engines may think that do not say so themselves.
#[derive(clap::Args)]
struct LimitArgs {
    /// Nodes for each move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Depth for each move
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Milliseconds for each move
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,

    /// Milliseconds for the game
    #[arg(long, value_name = "MS")]
    time: Option<u64>,

    /// Milliseconds for each move after the time for the game
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,

    /// Milliseconds that each move adds
    #[arg(long, value_name = "MS")]
    increment: Option<u64>,
}

impl LimitArgs {
    fn control(&self) -> TimeControl {
        TimeControl {
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
            time: self.time,
            byoyomi: self.byoyomi,
            increment: self.increment,
        }
    }
}

fn numbers<const N: usize>(text: &str) -> Result<[i64; N], String> {
    let numbers: Vec<i64> = text
        .split(',')
        .map(|word| word.trim().parse().map_err(|_| format!("'{word}' is not a number")))
        .collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| format!("expected {N} numbers with commas between them"))
}

impl ContestArgs {
    /// The folder for the games.
    pub fn folder(&self) -> &Path {
        &self.out
    }

    /// The contest that the options describe.
    pub fn contest(&self, format: Format, sprt: Option<Sprt>) -> anyhow::Result<Contest> {
        ensure!(self.pairs > 0, "--pairs must be at least 1");
        ensure!(self.concurrency > 0, "--concurrency must be at least 1");
        let players = self.players()?;
        let openings = openings_from(self.openings.as_deref())?;
        let control = self.limits.control();
        if let Some(player) =
            players.iter().find(|player| player.control.is_empty() && control.is_empty())
        {
            bail!(
                "how much may {} think? Give --nodes, --depth, --movetime, --time, --byoyomi or \
                 --increment, or the same within --engine",
                player.name
            );
        }
        let setting = Match {
            players,
            control,
            openings,
            rules: self.rules()?,
            timeouts: Timeouts {
                margin: Duration::from_millis(self.margin),
                unlimited: Duration::from_secs(self.patience),
                ..Timeouts::default()
            },
            concurrency: self.concurrency,
            affinity: self.affinity,
        };
        Ok(Contest {
            setting,
            format,
            rounds: self.pairs,
            seed: self.seed,
            sprt,
            records: !self.no_records,
            shard: self.shard,
            provenance: provenance(),
        })
    }

    fn players(&self) -> anyhow::Result<Vec<Contestant>> {
        ensure!(
            self.engines.len() >= 2,
            "a contest needs two engines: give --engine twice or more"
        );
        let mut players = Vec::new();
        for text in &self.engines {
            let mut player = player_from(text)?;
            if player.name.is_empty() {
                player.name = "yomikiri".into();
            }
            players.push(player);
        }
        for (index, player) in players.iter().enumerate() {
            ensure!(
                players[..index].iter().all(|other| other.name != player.name),
                "two engines are called '{}': give them different name=",
                player.name
            );
        }
        Ok(players)
    }

    fn rules(&self) -> anyhow::Result<Rules> {
        let resign = match self.resign {
            Some([score, moves]) => {
                Some(ResignRule { score: positive(score)?, moves: positive(moves)? as usize })
            }
            None => None,
        };
        let draw = match self.draw {
            Some([from, score, moves]) => Some(DrawRule {
                from_move: positive(from)? as u32,
                score: positive(score)?,
                moves: positive(moves)? as usize,
            }),
            None => None,
        };
        Ok(Rules {
            entering_king: self.entering_king,
            declare_for_players: self.auto_declare,
            maximum_moves: self.max_moves,
            resign,
            draw,
            ..Rules::default()
        })
    }
}

fn positive(number: i64) -> anyhow::Result<i32> {
    match i32::try_from(number) {
        Ok(small) if small >= 0 => Ok(small),
        _ => bail!("{number} is out of range"),
    }
}

/// The openings in a file, or those that the program carries.
pub fn openings_from(path: Option<&Path>) -> anyhow::Result<Vec<Setup>> {
    let Some(path) = path else { return Ok(openings::read(openings::DEFAULT)?) };
    openings::read(&read_text(path)?).with_context(|| path.display().to_string())
}
