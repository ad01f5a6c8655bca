//! A contest as it is written to a file: the arguments of `match` and `rate`.

use super::Contest;
use crate::contestant::{Contestant, ContestantError, option_word};
use crate::openings::{self, OpeningsError};
use crate::runner::Match;
use crate::schedule::TournamentFormat;
use crate::sprt::Sprt;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_base::packed::{self, PackedError, UnpackLimits};
use yomikiri_base::{Provenance, Shard};
use yomikiri_engine::settings::declared::SetError;
use yomikiri_play::player::Timeouts;
use yomikiri_play::rules::{DrawRule, ResignRule};
use yomikiri_play::{Rules, TimeControl};
use yomikiri_usi::Setup;
use yomikiri_usi::client::Launch;

/// Why a plan makes no contest.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Nobody to play, or nothing to play.
    #[error("a contest needs two engines and at least one pair of games")]
    TooFew,
    /// A line that describes no engine.
    #[error("--engine {text}: {reason}")]
    Engine {
        /// The line.
        text: String,
        /// What is wrong.
        reason: ContestantError,
    },
    /// An option that this program does not have: it would be measured as if it were set.
    #[error("--engine {text}: {reason}")]
    Option {
        /// The line of the engine.
        text: String,
        /// What is wrong.
        reason: SetError,
    },
    /// Two engines of one name.
    #[error("two engines are called '{0}': give them different name=")]
    SameName(String),
    /// An engine without limits.
    #[error(
        "how much may {0} think? Give --nodes, --depth, --movetime, --time, --byoyomi or \
         --increment, or the same within --engine"
    )]
    NoLimit(String),
    /// A test of more than two engines.
    #[error("a sequential test (--sprt) is about two engines")]
    TestOfMany,
    /// A range beyond the openings.
    #[error("openings up to number {wanted} are asked for, and there are {there}")]
    TooFewOpenings {
        /// Where the range ends.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
    /// A number that does not fit.
    #[error("{0} is out of range")]
    Range(i64),
    /// No such rule.
    #[error("there is no entering-king rule '{0}'")]
    EnteringKing(String),
    /// A file of openings that cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        reason: PackedError,
    },
    /// A file that holds no openings.
    #[error("{}: {reason}", path.display())]
    Openings {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        reason: OpeningsError,
    },
}

/// How much engines may think that do not say so themselves. Times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlannedLimits {
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Time for the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Time for each move after the time for the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byoyomi: Option<u64>,
    /// Time that each move adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment: Option<u64>,
}

/// What the games are played by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlannedRules {
    /// A move that comes this many milliseconds after its time loses.
    pub margin: u64,
    /// A move without a time limit may take this many seconds.
    pub patience: u64,
    /// Games are drawn after this many moves; 0 for no limit.
    pub max_moves: u32,
    /// The entering-king rule by its USI name.
    pub entering_king: String,
    /// An engine that could declare wins even if it does not.
    pub auto_declare: bool,
    /// A game is given up when both engines see it lost by this many centipawns for that many
    /// moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<[i64; 2]>,
    /// A game is drawn when after this move both engines see at most this many centipawns for
    /// this many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<[i64; 3]>,
}

impl Default for PlannedRules {
    fn default() -> PlannedRules {
        PlannedRules {
            margin: 200,
            patience: 120,
            max_moves: 512,
            entering_king: "CSARule27".into(),
            auto_declare: false,
            resign: None,
            draw: None,
        }
    }
}

/// A match or a rating tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestPlan {
    /// The engines, each as words `name=.. cmd=.. option.NAME=VALUE`; without `cmd=` it is this
    /// program.
    pub engines: Vec<String>,
    /// Who meets whom.
    #[serde(default)]
    pub format: TournamentFormat,
    /// Pairs of games that any two engines who meet play.
    pub pairs: usize,
    /// Shuffles the openings.
    #[serde(default = "one")]
    pub seed: u64,
    /// A file of openings; without one, those in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
    /// The first of the openings that are played from, and how many; without it, all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_range: Option<[usize; 2]>,
    /// How much engines may think.
    #[serde(default)]
    pub limits: PlannedLimits,
    /// What the games are played by.
    #[serde(default)]
    pub rules: PlannedRules,
    /// A test that ends it early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Whether each game is written as CSA and KIF too.
    #[serde(default)]
    pub records: bool,
}

fn one() -> u64 {
    1
}

/// Who plays a contest, and how: nothing of it decides a result but where time does.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The program that an engine without `cmd=` is.
    pub program: Launch,
    /// How many games at once.
    pub concurrency: usize,
    /// Whether each of them keeps to a core of its own.
    pub affinity: bool,
    /// Which pairs are played here.
    pub shard: Shard,
    /// Who plays.
    pub provenance: Provenance,
    /// Bounds of packed input.
    pub input: UnpackLimits,
}

impl ContestPlan {
    /// The files that it reads: openings, weights and networks of this program.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.openings.iter().cloned().collect();
        for text in &self.engines {
            let player = text.parse::<Contestant>().map(|it| it.or_program(&Launch::default()));
            let Ok(player) = player else { continue };
            let settings = player.engine_settings().ok().filter(|_| player.own);
            files.extend(settings.and_then(|settings| settings.resources.evaluation.path()));
        }
        files
    }

    /// The contest, ready to be played.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn contest(&self, how: &Conditions) -> Result<Contest, PlanError> {
        if self.engines.len() < 2 || self.pairs == 0 {
            return Err(PlanError::TooFew);
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return Err(PlanError::TestOfMany);
        }
        let players = self.players(&how.program)?;
        let control = self.limits.control();
        let silent = |player: &&Contestant| player.control.is_empty() && control.is_empty();
        if let Some(player) = players.iter().find(silent) {
            return Err(PlanError::NoLimit(player.name.clone()));
        }
        let setting = Match {
            players,
            control,
            openings: self.openings_played(how.input)?,
            rules: self.rules.rules()?,
            timeouts: Timeouts {
                margin: Duration::from_millis(self.rules.margin),
                unlimited: Duration::from_secs(self.rules.patience),
                ..Timeouts::default()
            },
            concurrency: how.concurrency.max(1),
            affinity: how.affinity,
        };
        Ok(Contest {
            setting,
            format: self.format,
            rounds: self.pairs,
            seed: self.seed,
            sprt: self.sprt,
            records: self.records,
            shard: how.shard,
            provenance: how.provenance.clone(),
        })
    }

    /// The openings that are played from.
    fn openings_played(&self, input: UnpackLimits) -> Result<Vec<Setup>, PlanError> {
        let all = read_openings(self.openings.as_deref(), input)?;
        let Some([first, count]) = self.opening_range else { return Ok(all) };
        let (there, wanted) = (all.len(), first.saturating_add(count));
        match count > 0 && wanted <= there {
            true => Ok(all[first..wanted].to_vec()),
            false => Err(PlanError::TooFewOpenings { wanted, there }),
        }
    }

    fn players(&self, program: &Launch) -> Result<Vec<Contestant>, PlanError> {
        let mut players: Vec<Contestant> = Vec::new();
        for text in &self.engines {
            let mut player = engine(text, program)?;
            if player.name.is_empty() {
                player.name = "yomikiri".into();
            }
            if players.iter().any(|other| other.name == player.name) {
                return Err(PlanError::SameName(player.name));
            }
            players.push(player);
        }
        Ok(players)
    }
}

/// The engine that a line describes: `program` where it names no other, and then only with options
/// that exist, since a misspelt one would be measured as if it were set.
///
/// # Errors
/// If it describes none.
pub fn engine(text: &str, program: &Launch) -> Result<Contestant, PlanError> {
    let own = || text.to_string();
    let player: Contestant =
        text.parse().map_err(|reason| PlanError::Engine { text: own(), reason })?;
    let player = player.or_program(program);
    if player.own {
        player.engine_settings().map_err(|reason| PlanError::Option { text: own(), reason })?;
    }
    Ok(player)
}

/// A contest of this program against itself: two sides by name and the settings that only they
/// have, each as `NAME=VALUE`, beside those that both have.
#[must_use]
pub fn own_contest(
    sides: [(&str, &[String]); 2],
    common: &[String],
    nodes: u64,
    resign: i64,
) -> ContestPlan {
    let engine = |(name, settings): (&str, &[String])| {
        let words = common.iter().chain(settings).map(|pair| option_word(pair));
        let words: Vec<String> = std::iter::once(format!("name={name}")).chain(words).collect();
        words.join(" ")
    };
    ContestPlan {
        engines: sides.map(engine).to_vec(),
        format: TournamentFormat::RoundRobin,
        pairs: 1,
        seed: 1,
        openings: None,
        opening_range: None,
        limits: PlannedLimits { nodes: Some(nodes), ..PlannedLimits::default() },
        rules: PlannedRules {
            resign: (resign > 0).then_some([resign, 3]),
            ..PlannedRules::default()
        },
        sprt: None,
        records: false,
    }
}

/// The openings in a file, which may be packed, or those that the program carries.
///
/// # Errors
/// If the file cannot be read or holds no openings.
pub fn read_openings(path: Option<&Path>, input: UnpackLimits) -> Result<Vec<Setup>, PlanError> {
    let wrong = |reason| PlanError::Openings { path: path.unwrap_or(Path::new("")).into(), reason };
    let Some(path) = path else { return openings::read(openings::DEFAULT).map_err(wrong) };
    let bytes = packed::read_file(path, input)
        .map_err(|reason| PlanError::File { path: path.into(), reason })?;
    openings::read(&String::from_utf8_lossy(&bytes)).map_err(wrong)
}

impl PlannedLimits {
    fn control(&self) -> TimeControl {
        let PlannedLimits { nodes, depth, movetime, time, byoyomi, increment } = *self;
        TimeControl { nodes, depth, movetime, time, byoyomi, increment }
    }
}

impl PlannedRules {
    fn rules(&self) -> Result<Rules, PlanError> {
        let resign = match self.resign {
            Some([score, moves]) => {
                Some(ResignRule { score: small(score)?, moves: small(moves)? as usize })
            }
            None => None,
        };
        let draw = match self.draw {
            Some([from, score, moves]) => Some(DrawRule {
                from_move: small(from)? as u32,
                score: small(score)?,
                moves: small(moves)? as usize,
            }),
            None => None,
        };
        let unknown = |_| PlanError::EnteringKing(self.entering_king.clone());
        Ok(Rules {
            entering_king: self.entering_king.parse().map_err(unknown)?,
            declare_for_players: self.auto_declare,
            maximum_moves: self.max_moves,
            resign,
            draw,
            ..Rules::default()
        })
    }
}

fn small(number: i64) -> Result<i32, PlanError> {
    i32::try_from(number).ok().filter(|it| *it >= 0).ok_or(PlanError::Range(number))
}

/// A text that is no list of numbers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumbersError {
    /// A word is no number.
    #[error("'{0}' is not a number")]
    Number(String),
    /// There are more or fewer numbers.
    #[error("expected {0} numbers with commas between them")]
    Count(usize),
}

/// A fixed count of whole numbers with commas between them, as limits of resigning and drawing are
/// written.
///
/// # Errors
/// See [`NumbersError`].
pub fn parse_numbers<const N: usize>(text: &str) -> Result<[i64; N], NumbersError> {
    let number = |word: &str| word.trim().parse().map_err(|_| NumbersError::Number(word.into()));
    let numbers: Vec<i64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| NumbersError::Count(N))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(engines: &[&str]) -> ContestPlan {
        let engines: Vec<String> = engines.iter().map(ToString::to_string).collect();
        let text = serde_json::json!({"engines": engines, "pairs": 2, "limits": {"nodes": 5}});
        serde_json::from_value(text).expect("a plan")
    }

    fn made(plan: &ContestPlan) -> Result<Contest, PlanError> {
        plan.contest(&Conditions {
            program: Launch::program("this"),
            concurrency: 1,
            affinity: false,
            shard: Shard::WHOLE,
            provenance: Provenance::default(),
            input: UnpackLimits::default(),
        })
    }

    #[test]
    fn a_plan_makes_a_contest_or_says_what_is_wrong() {
        let good = plan(&["name=a option.Evaluation=progress nodes=5", "cmd=other option.Odd=1"]);
        let contest = made(&good).expect("a contest");
        assert_eq!(contest.fixtures().len(), 4);
        let text = serde_json::to_string(&good).expect("JSON");
        assert_eq!(serde_json::from_str::<ContestPlan>(&text).expect("a plan"), good);
        let wrong = |engines: &[&str]| made(&plan(engines)).err().expect("refused").to_string();
        assert!(wrong(&["name=a"]).contains("two engines"));
        assert!(wrong(&["name=a", "name=a"]).contains("called 'a'"));
        assert!(wrong(&["option.Evaluatoin=progress", "name=b"]).contains("Evaluatoin"));
        assert!(wrong(&["option.Evaluation=guess", "name=b"]).contains("guess"));
        assert!(wrong(&["nonsense=1", "name=b"]).contains("nonsense"));
        let mut silent = plan(&["name=a", "name=b"]);
        silent.limits.nodes = None;
        assert!(made(&silent).err().expect("refused").to_string().contains("may a think"));
        silent.limits.nodes = Some(1);
        silent.rules.resign = Some([-1, 2]);
        assert!(matches!(made(&silent), Err(PlanError::Range(-1))));
        silent.rules = PlannedRules { entering_king: "Try".into(), ..PlannedRules::default() };
        assert!(matches!(made(&silent), Err(PlanError::EnteringKing(_))));
    }
}
