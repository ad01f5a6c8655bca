//! Next-move problems as long runs: trying a set, and making one from games.

use crate::data;
use crate::problems::{self, Attempt, NextMoveProblem, ProblemError, is_interesting};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_arena::contest::plan::{PlanError, engine};
use yomikiri_arena::contestant::Contestant;
use yomikiri_arena::{pool, signatures};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_derived;
use yomikiri_base::packed::{self, PackedError, UnpackLimits};
use yomikiri_base::stages::{
    PerThread, StageError, StageUnits, UnitFailure, UnitKeys, Unwatched, all_units, unit_value,
};
use yomikiri_base::{Identity, Stages};
use yomikiri_play::TimeControl;
use yomikiri_shogi::record::{RecordError, games};
use yomikiri_shogi::{Move, Position};
use yomikiri_usi::client::{Client, Launch};
use yomikiri_usi::{Go, Info, UsiValue};

/// Raised when the same settings would give other results.
const REVISION: u32 = 1;

/// A search without a time limit that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// The file of results of a tried set in the folder of a run.
pub const RESULTS_FILE: &str = "results.csv";

/// The same with the milliseconds that each took.
pub const TIMES_FILE: &str = "times.csv";

/// The file of a set that was made, in the folder of a run.
pub const SET_FILE: &str = "problems.tsv";

/// Why a run about problems failed.
#[derive(Debug, thiserror::Error)]
pub enum ProblemRunError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A packed file.
    #[error("{}: {error}", path.display())]
    Packed {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        error: PackedError,
    },
    /// A line of a set.
    #[error("{}: {error}", path.display())]
    Problem {
        /// The set.
        path: PathBuf,
        /// What is wrong.
        error: ProblemError,
    },
    /// A line of a file of games.
    #[error("{}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: RecordError,
    },
    /// Nothing to try, or to make problems of.
    #[error("{}: {what}", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// What is not in it.
        what: &'static str,
    },
    /// The engine.
    #[error(transparent)]
    Engine(#[from] PlanError),
    /// The units.
    #[error(transparent)]
    Stage(#[from] StageError),
}

/// A set to be tried by an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemsPlan {
    /// The set, a file or one that the program carries.
    pub set: PathBuf,
    /// The engine as words `cmd=.. option.NAME=VALUE`; without `cmd=` it is this program.
    #[serde(default)]
    pub engine: String,
    /// Nodes for each problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth for each problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds for each problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// How many of its best moves the engine names.
    #[serde(default = "five")]
    pub multipv: u32,
}

fn five() -> u32 {
    5
}

/// What an engine made of a set.
pub struct TriedSet {
    /// Each attempt, with the milliseconds that it took.
    pub attempts: Vec<Attempt>,
    /// The limits in USI.
    pub limits: String,
}

impl ProblemsPlan {
    /// Tries the set, or goes on with it; `stages` sees to the problems.
    ///
    /// # Errors
    /// See [`ProblemRunError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        program: &Launch,
        input: UnpackLimits,
    ) -> Result<TriedSet, ProblemRunError> {
        let bytes = data::read(&self.set).map_err(in_file(&self.set))?.into_owned();
        let bytes = packed::unpacked(bytes, input)
            .map_err(|error| ProblemRunError::Packed { path: self.set.clone(), error })?;
        let problems = problems::read(&String::from_utf8_lossy(&bytes))
            .map_err(|error| ProblemRunError::Problem { path: self.set.clone(), error })?;
        if problems.is_empty() {
            let (path, what) = (self.set.clone(), "no problem in it");
            return Err(ProblemRunError::Empty { path, what });
        }
        let go = self.control().go([0, 0]);
        let multipv = self.multipv.max(1).to_string();
        let defaults = [("MultiPV", multipv.as_str()), ("USI_Hash", "64")];
        let player = engine(&self.engine, program)?.with_defaults(&defaults);
        let settings = serde_json::json!({ "engine": player.describe(), "go": go.to_string() });
        let mut identity = identity("problems", settings, &player, self.movetime.is_some());
        identity.data.insert("set".into(), sha256_hex(&bytes));
        stages.begin(&out.join("log.jsonl"), &identity)?;
        let (clients, stop) = (PerThread::default(), stages.stop());
        let attempt = |at: usize| {
            let start = || -> Result<Client, UnitFailure> { Ok(pool::start(&player, &stop)?) };
            let attempt = clients.with(start, |client| try_one(client, &problems[at], &go))?;
            unit_value(&attempt)
        };
        let keys = problems.iter().map(|problem| problem.line.to_string()).collect();
        let (name, watch) = ("problems", &Unwatched);
        let keys = UnitKeys::List(keys);
        let units = StageUnits { name, keys, group: 1, work: &attempt, watch };
        let units = all_units::<Attempt>(name, stages.stage(&units)?)?;
        let timed = units.into_iter().map(|unit| {
            let millis = (unit.seconds * 1000.0).round() as u64;
            Attempt { millis, ..unit.value }
        });
        let attempts: Vec<Attempt> = timed.collect();
        if stages.writes() {
            for (name, times) in [(RESULTS_FILE, false), (TIMES_FILE, true)] {
                let path = out.join(name);
                let table = to_csv(&problems, &attempts, times);
                let written = table.and_then(|bytes| write_derived(&path, &bytes));
                written.map_err(in_file(&path))?;
            }
        }
        Ok(TriedSet { attempts, limits: go.to_string() })
    }

    fn control(&self) -> TimeControl {
        let (nodes, depth, movetime) = (self.nodes, self.depth, self.movetime);
        let control = TimeControl { nodes, depth, movetime, ..TimeControl::default() };
        match control.is_empty() {
            true => TimeControl { nodes: Some(100_000), ..control },
            false => control,
        }
    }
}

fn try_one(
    client: &mut Client,
    problem: &NextMoveProblem,
    go: &Go,
) -> Result<Attempt, UnitFailure> {
    pool::forget(client)?;
    let analysis = client.analyse(&problem.setup.to_string(), go, TIMEOUT)?;
    // Measured times are kept apart from results.
    Ok(Attempt { millis: 0, ..Attempt::of(problem, &analysis) })
}

fn identity(kind: &str, settings: serde_json::Value, player: &Contestant, timed: bool) -> Identity {
    let mut identity = Identity::new(kind, REVISION, settings);
    if player.own {
        identity.parts.insert("search".into(), signatures::of("search"));
    }
    if timed {
        identity.parts.insert("host".into(), crate::manifest::cpu());
    }
    identity
}

/// What came of each problem, a line each; with the milliseconds, or without.
fn to_csv(
    problems: &[NextMoveProblem],
    attempts: &[Attempt],
    times: bool,
) -> std::io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut head = vec!["line", "position", "right", "played", "solved", "rank", "nodes"];
    head.extend(times.then_some("milliseconds"));
    writer.write_record(head)?;
    for (problem, attempt) in problems.iter().zip(attempts) {
        let right: Vec<String> = problem.right.iter().map(ToString::to_string).collect();
        let mut row = vec![
            problem.line.to_string(),
            problem.setup.to_string(),
            right.join(" "),
            attempt.played.map_or(String::new(), |played| played.to_string()),
            attempt.solved.to_string(),
            attempt.rank.map_or(String::new(), |rank| rank.to_string()),
            attempt.nodes.map_or(String::new(), |nodes| nodes.to_string()),
        ];
        row.extend(times.then(|| attempt.millis.to_string()));
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

impl TriedSet {
    /// How many are right, and the effort.
    #[must_use]
    pub fn to_text(&self) -> String {
        let total = self.attempts.len();
        let share = |count: usize| 100.0 * count as f64 / total.max(1) as f64;
        let count =
            |wanted: &dyn Fn(&Attempt) -> bool| self.attempts.iter().filter(|a| wanted(a)).count();
        let solved = count(&|attempt| attempt.solved);
        let mut text =
            format!("{solved} of {total} right ({:.1} %) with '{}'\n", share(solved), self.limits);
        for place in 2..=10 {
            let within = count(&|attempt| attempt.rank.is_some_and(|rank| rank <= place));
            if count(&|attempt| attempt.rank == Some(place)) > 0 {
                let share = share(within);
                text += &format!("right move among the first {place}: {within} ({share:.1} %)\n");
            }
        }
        let nodes: u64 = self.attempts.iter().filter_map(|attempt| attempt.nodes).sum();
        let millis: u64 = self.attempts.iter().map(|attempt| attempt.millis).sum();
        let each = |sum: u64| sum as f64 / total.max(1) as f64;
        text + &format!("{:.0} nodes and {:.1} ms a problem\n", each(nodes), each(millis))
    }
}

/// A set to be made from games: positions in which a deep search agrees with the move played and no
/// other move comes near.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MakeProblemsPlan {
    /// The games, one a line, perhaps packed.
    pub games: PathBuf,
    /// The engine as words `cmd=.. option.NAME=VALUE`; without `cmd=` it is this program.
    #[serde(default)]
    pub engine: String,
    /// How many problems.
    pub count: usize,
    /// The best move must be this much better than the second, in centipawns.
    pub gap: i32,
    /// Nodes for a first look at a position.
    pub first_nodes: u64,
    /// Nodes for the search that must agree.
    pub deep_nodes: u64,
    /// Random seed.
    pub seed: u64,
}

/// Positions of a stage.
const BATCH: usize = 100;

/// A position of a game and the move that was played there.
struct Case {
    position: Position,
    played: Move,
}

impl MakeProblemsPlan {
    /// Makes the set, or goes on with it; `stages` sees to the positions. Returns how many problems
    /// came of how many positions.
    ///
    /// # Errors
    /// See [`ProblemRunError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        program: &Launch,
        input: UnpackLimits,
    ) -> Result<(usize, usize), ProblemRunError> {
        let bytes = data::read(&self.games).map_err(in_file(&self.games))?;
        let cases = self.cases(&bytes, input)?;
        let defaults = [("MultiPV", "2"), ("USI_Hash", "64")];
        let player = engine(&self.engine, program)?.with_defaults(&defaults);
        let settings = serde_json::json!({
            "engine": player.describe(), "count": self.count, "gap": self.gap,
            "first_nodes": self.first_nodes, "deep_nodes": self.deep_nodes,
        });
        let mut identity = identity("make-problems", settings, &player, false);
        identity.data.insert("games".into(), sha256_hex(&bytes));
        identity.seed = self.seed;
        stages.begin(&out.join("log.jsonl"), &identity)?;
        let (clients, stop) = (PerThread::default(), stages.stop());
        let (mut kept, mut tried) = (Vec::new(), 0);
        for batch in cases.chunks(BATCH) {
            if kept.len() >= self.count {
                break;
            }
            let name = format!("positions from {tried}");
            let judge = |at: usize| {
                let start = || -> Result<Client, UnitFailure> { Ok(pool::start(&player, &stop)?) };
                unit_value(&clients.with(start, |client| self.is_problem(client, &batch[at]))?)
            };
            let keys = (tried..tried + batch.len()).map(|number| number.to_string()).collect();
            let (keys, watch) = (UnitKeys::List(keys), &Unwatched);
            let units = StageUnits { name: &name, keys, group: 1, work: &judge, watch };
            let good = all_units::<bool>(&name, stages.stage(&units)?)?;
            tried += batch.len();
            let room = self.count - kept.len();
            let new = batch.iter().zip(good).filter(|(_, good)| good.value).take(room);
            kept.extend(new.map(|(it, _)| format!("{}\t{}\n", it.position.to_sfen(), it.played)));
        }
        if stages.writes() {
            let path = out.join(SET_FILE);
            let text = self.header() + &kept.concat();
            write_derived(&path, text.as_bytes()).map_err(in_file(&path))?;
        }
        Ok((kept.len(), tried))
    }

    fn header(&self) -> String {
        format!(
            "# next-move problems made from {} by: yomikiri problems SET --make-from GAMES --count \
             {} --gap {} --first-nodes {} --deep-nodes {} --seed {}\n",
            self.games.file_name().map(|name| name.to_string_lossy()).unwrap_or_default(),
            self.count,
            self.gap,
            self.first_nodes,
            self.deep_nodes,
            self.seed
        )
    }

    /// One position of each game, drawn by chance among those that a player would have to think
    /// about, in an order drawn by chance.
    fn cases(&self, bytes: &[u8], input: UnpackLimits) -> Result<Vec<Case>, ProblemRunError> {
        let wrong = |error| ProblemRunError::Game { path: self.games.clone(), error };
        let read = games::open(bytes, input).map_err(in_file(&self.games))?;
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut cases = Vec::new();
        for game in read {
            let game = game.map_err(wrong)?;
            let mut position = game.start.clone();
            let mut found = Vec::new();
            for (index, &played) in game.moves.iter().enumerate() {
                let recapture = position.last_move().is_some_and(|last| last.to() == played.to());
                let open = game.score(index).is_some_and(|score| score.abs() < 800);
                if index >= 30 && open && !recapture && is_interesting(&position) {
                    found.push((index, played));
                }
                position.play(played);
            }
            if let Some((index, played)) = random.choice(found) {
                let mut position = game.start.clone();
                for &earlier in &game.moves[..index] {
                    position.play(earlier);
                }
                cases.push(Case { position, played });
            }
        }
        random.shuffle(&mut cases);
        if cases.is_empty() {
            let (path, what) = (self.games.clone(), "no position worth a problem");
            return Err(ProblemRunError::Empty { path, what });
        }
        Ok(cases)
    }

    fn is_problem(&self, client: &mut Client, case: &Case) -> Result<bool, UnitFailure> {
        pool::forget(client)?;
        Ok(self.stands_out(client, case, self.first_nodes)?
            && self.stands_out(client, case, self.deep_nodes)?)
    }

    /// Whether the search finds the move played best, and far better than the second.
    fn stands_out(
        &self,
        client: &mut Client,
        case: &Case,
        nodes: u64,
    ) -> Result<bool, UnitFailure> {
        let position = format!("sfen {}", case.position.to_sfen());
        let analysis = client.analyse(&position, &Go::nodes(nodes), TIMEOUT)?;
        let [best, second, ..] = &analysis.lines[..] else { return Ok(false) };
        let score = |info: &Info| match info.score.map(|score| score.value) {
            Some(UsiValue::Centipawns(score)) => Some(score),
            _ => None,
        };
        Ok(best.pv.first() == Some(&case.played)
            && matches!((score(best), score(second)), (Some(a), Some(b)) if a - b >= self.gap))
    }
}

fn in_file(path: &Path) -> impl FnOnce(std::io::Error) -> ProblemRunError {
    let path = path.to_path_buf();
    move |error| ProblemRunError::File { path, error }
}
