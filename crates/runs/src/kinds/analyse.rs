//! `analyse`: an engine's view of every move of games, as records with comments, graphs and JSON.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use yomikiri_arena::contest::plan::engine;
use yomikiri_arena::{contestant::Contestant, pool, signatures};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_atomic;
use yomikiri_base::packed::{Input, stem};
use yomikiri_base::stages::{
    PerThread, StageUnits, StageWatch, UnitFailure, UnitKeys, UnitResult, unit_value,
};
use yomikiri_base::unit_log::ForeignUnits;
use yomikiri_base::{Identity, Stages, UnitLog};
use yomikiri_lab::manifest::cpu;
use yomikiri_play::TimeControl;
use yomikiri_play::analyse::{AnalysedGame, Grade, Grading, View, annotate, grade_name, judge};
use yomikiri_play::analyse::{summary, views};
use yomikiri_play::file_words::record_file_error;
use yomikiri_render::game_graph::{GameGraph, GameMark};
use yomikiri_render::render_png;
use yomikiri_shogi::record::files::{RecordFileError, read_records, records_in};
use yomikiri_shogi::record::{Format, Record};
use yomikiri_text::{Analyse, Files, Graph, Language};
use yomikiri_usi::Go;
use yomikiri_usi::client::Client;

use crate::error::{file_error, other};
use crate::{Context, Front, RunReport, RunsError};

/// Raised when the same settings would give other views.
const REVISION: u32 = 2;

/// The endings of the results of a game.
const ENDINGS: [&str; 4] = ["kifu", "svg", "png", "json"];

/// The log of the run, and that of the analysis before it in the same folder, whose views of games
/// that are still there are taken over.
const LOG: &str = "log.jsonl";
const PREVIOUS: &str = "previous.jsonl";
const STAGE: &str = "views";

/// Games to be analysed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysePlan {
    /// A record, or a folder of them.
    pub games: PathBuf,
    /// The engine as words `cmd=.. option.NAME=VALUE`; without `cmd=` it is this program.
    #[serde(default)]
    pub engine: String,
    /// Nodes for each position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds for each position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// How moves are graded.
    #[serde(default)]
    pub grading: Grading,
    /// The language of comments and graphs: `en` or `ja`.
    #[serde(default = "english")]
    pub language: String,
    /// Whether files that are not results of an earlier analysis are replaced.
    #[serde(default)]
    pub force: bool,
}

fn english() -> String {
    Language::En.code().to_string()
}

/// A game to be analysed.
struct Task {
    /// The name of its results.
    name: String,
    /// The file that it stands in.
    source: PathBuf,
    record: Record,
}

/// Games, and what is wrong with the files that hold none.
struct Tasks {
    list: Vec<Task>,
    unreadable: Vec<RecordFileError>,
}

fn tasks_of_file(path: &Path, input: Input<'_>) -> Result<Vec<Task>, RecordFileError> {
    let records = read_records(path, input)?;
    let stem = stem(path);
    let many = records.len() > 1;
    let name = |index: usize| if many { format!("{stem}-{:04}", index + 1) } else { stem.clone() };
    let task = |(index, record)| Task { name: name(index), source: path.to_owned(), record };
    Ok(records.into_iter().enumerate().map(task).collect())
}

impl AnalysePlan {
    fn tasks(&self, context: &Context) -> Result<Tasks, RunsError> {
        let words = Analyse(context.language);
        let (path, input) = (&self.games, context.source());
        if !path.is_dir() {
            let unread = |error| record_file_error(&error, Files(context.language));
            let list =
                tasks_of_file(path, input).map_err(|error| RunsError::Wrong(unread(error)))?;
            if list.is_empty() {
                return Err(RunsError::Wrong(words.no_record(path.display())));
            }
            return Ok(Tasks { list, unreadable: Vec::new() });
        }
        let mut tasks = Tasks { list: Vec::new(), unreadable: Vec::new() };
        for file in records_in(path).map_err(file_error(path))? {
            match tasks_of_file(&file, input) {
                Ok(more) => tasks.list.extend(more),
                Err(error) => tasks.unreadable.push(error),
            }
        }
        if tasks.list.is_empty() && tasks.unreadable.is_empty() {
            return Err(RunsError::Wrong(words.no_record(path.display())));
        }
        let mut names = HashSet::new();
        match tasks.list.iter().find(|task| !names.insert(task.name.clone())) {
            Some(task) => Err(RunsError::Wrong(words.same_name(path.display(), &task.name))),
            None => Ok(tasks),
        }
    }

    fn go(&self) -> Go {
        let (nodes, movetime) = (self.nodes, self.movetime);
        let mut control = TimeControl { nodes, movetime, ..TimeControl::default() };
        if control.is_empty() {
            control.nodes = Some(100_000);
        }
        control.go([0, 0])
    }

    fn identity(&self, player: &Contestant, keys: &[String]) -> Identity {
        let settings = json!({"engine": player.describe(), "go": format!("{:?}", self.go())});
        let mut identity = Identity::new("analyse", REVISION, settings);
        identity.data.insert("games".into(), sha256_hex(keys.join("\n").as_bytes()));
        if player.own {
            identity.parts.insert("search".into(), signatures::of("search"));
        }
        if self.movetime.is_some() {
            identity.parts.insert("host".into(), cpu());
        }
        identity
    }
}

/// Everything that decides the views of a game, after its name.
fn key(task: &Task, settings: &str) -> Result<String, RunsError> {
    let record = Format::Kifu.write(std::slice::from_ref(&task.record)).map_err(other)?;
    let digest = sha256_hex(&[settings.as_bytes(), &record].concat());
    Ok(format!("{}/{}", task.name, &digest[..16]))
}

pub(crate) fn run(
    plan: &AnalysePlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<RunReport, RunsError> {
    let words = Analyse(context.language);
    let tasks = plan.tasks(context)?;
    let player = engine(&plan.engine, &context.program)?.with_defaults(&[("USI_Hash", "64")]);
    let settings =
        serde_json::to_string(&plan.identity(&player, &[])).map_err(RunsError::NoPlan)?;
    let keys: Result<Vec<String>, _> = tasks.list.iter().map(|it| key(it, &settings)).collect();
    let keys = keys?;
    let identity = plan.identity(&player, &keys);
    let mut known = None;
    if stages.writes() {
        ensure_free(plan, out, &tasks.list, words)?;
        known = known_views(out, &identity)?;
    }
    stages.begin(&out.join(LOG), &identity)?;
    let (go, clients, stop) = (plan.go(), PerThread::default(), stages.stop());
    let work = |at: usize| -> UnitResult {
        if let Some(views) = known.as_ref().and_then(|known| known.get(STAGE, &keys[at])) {
            return Ok(Some(views.clone()));
        }
        let task = &tasks.list[at];
        let start = || -> Result<Client, UnitFailure> { Ok(pool::start(&player, &stop)?) };
        clients.with(start, |client| {
            pool::forget(client)?;
            let views = views(client, &task.record, &go)
                .map_err(|error| RunsError::Game { name: task.name.clone(), error })?;
            unit_value(&views)
        })
    };
    let watch = Writer { plan, out, tasks: &tasks.list, context, on_line: front.line };
    let list = UnitKeys::List(keys.clone());
    let units = StageUnits { name: STAGE, keys: list, group: 1, work: &work, watch: &watch };
    let units = stages.stage(&units)?;
    let complete = units.iter().all(Option::is_some);
    if complete && !tasks.unreadable.is_empty() {
        let files = Files(context.language);
        let unread = |error| record_file_error(error, files) + "\n";
        let mut text: String = tasks.unreadable.iter().map(unread).collect();
        text += &words.left_out(tasks.unreadable.len());
        return Err(RunsError::Wrong(text));
    }
    let text = format!("{}\n", words.finished(out.display(), tasks.list.len()));
    Ok(RunReport { text, complete })
}

/// Puts the log of another analysis in this folder aside, and gives what it knows.
fn known_views(out: &Path, identity: &Identity) -> Result<Option<ForeignUnits>, RunsError> {
    let (log, previous) = (out.join(LOG), out.join(PREVIOUS));
    if log.exists() && UnitLog::identity_of(&log)? != *identity {
        std::fs::rename(&log, &previous).map_err(file_error(&log))?;
    }
    match previous.exists() {
        true => Ok(Some(UnitLog::read_foreign(&previous)?)),
        false => Ok(None),
    }
}

fn result(out: &Path, name: &str, ending: &str) -> PathBuf {
    out.join(format!("{name}.{ending}"))
}

/// Refuses, before the work begins, to write over a record that is to be analysed, over files that
/// no analysis has written, and over what cannot be written.
fn ensure_free(
    plan: &AnalysePlan,
    out: &Path,
    tasks: &[Task],
    words: Analyse,
) -> Result<(), RunsError> {
    let sources = tasks.iter().filter_map(|task| task.source.canonicalize().ok());
    let sources: HashSet<PathBuf> = sources.collect();
    let logs = [LOG, PREVIOUS].map(|log| std::fs::read_to_string(out.join(log)));
    for task in tasks {
        let key = format!("\"{}/", task.name);
        let logged = || logs.iter().flatten().any(|log| log.contains(&key));
        let ours = plan.force || logged() || is_analysis(&result(out, &task.name, "json"));
        for path in ENDINGS.map(|ending| result(out, &task.name, ending)) {
            if path.canonicalize().is_ok_and(|path| sources.contains(&path)) {
                return Err(RunsError::Wrong(words.would_replace_source(path.display())));
            }
            let files = Files(words.0);
            if path.is_dir() {
                return Err(RunsError::Wrong(files.cannot_write(path.display())));
            }
            if path.exists() && !ours {
                return Err(RunsError::Wrong(files.exists(path.display())));
            }
        }
    }
    Ok(())
}

/// Whether a file is the result of an analysis, of this version or an earlier one.
fn is_analysis(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str::<AnalysedGame>(&text).is_ok()
        || text.lines().take(3).any(|line| line.contains("\"origin\""))
}

/// Writes the results of every game that is finished, and prints them.
struct Writer<'a> {
    plan: &'a AnalysePlan,
    out: &'a Path,
    tasks: &'a [Task],
    context: &'a Context,
    on_line: Option<&'a (dyn Fn(&str) + Sync)>,
}

impl StageWatch for Writer<'_> {
    fn begins(
        &self,
        done: &[(usize, Value)],
        _missing: usize,
    ) -> Result<ControlFlow<()>, UnitFailure> {
        let mut done: Vec<&(usize, Value)> = done.iter().collect();
        done.sort_by_key(|(at, _)| *at);
        for (at, value) in done {
            self.write(*at, value)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finished(&self, at: usize, value: &Value) -> Result<ControlFlow<()>, UnitFailure> {
        self.write(at, value)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl Writer<'_> {
    /// Writes what follows from the views.
    fn write(&self, at: usize, views: &Value) -> Result<(), UnitFailure> {
        let task = &self.tasks[at];
        let views: Vec<View> = serde_json::from_value(views.clone())?;
        let language: Language = self.plan.language.parse()?;
        let game = judge(&task.record, &views, self.plan.grading);
        let mut record = task.record.clone();
        annotate(&mut record, &game, language);
        let svg = graph(&game, language).to_svg();
        let save = |ending: &str, bytes: &[u8]| {
            let path = result(self.out, &task.name, ending);
            write_atomic(&path, bytes).map_err(file_error(&path))
        };
        save("kifu", &Format::Kifu.write(&[record])?)?;
        save("svg", svg.as_bytes())?;
        save("png", &render_png(&svg, 2 * GameGraph::WIDTH)?)?;
        save("json", serde_json::to_string_pretty(&game)?.as_bytes())?;
        if let Some(on_line) = self.on_line {
            on_line(&summary(&task.name, &game, self.context.language, self.context.notation));
        }
        Ok(())
    }
}

/// The summaries of a folder of results.
///
/// # Errors
/// If it cannot be read.
pub fn summaries(folder: &Path, context: &Context) -> Result<Vec<String>, RunsError> {
    let entries = std::fs::read_dir(folder).map_err(file_error(folder))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(file_error(&path))?;
        // Other JSON lies there too.
        if let Ok(game) = serde_json::from_str::<AnalysedGame>(&text) {
            texts.push(summary(&stem(&path), &game, context.language, context.notation));
        }
    }
    Ok(texts)
}

/// The graph of a game: winning rates, and the moves that are remarkable.
fn graph(game: &AnalysedGame, language: Language) -> GameGraph {
    let (words, labels) = (Analyse(language), Graph(language));
    let rates = std::iter::once(game.start_rate).chain(game.moves.iter().map(|mv| mv.rate));
    let plies = |wanted: &dyn Fn(&yomikiri_play::analyse::JudgedMove) -> bool| -> Vec<_> {
        game.moves.iter().filter(|mv| wanted(mv)).map(|mv| mv.number).collect()
    };
    let mut marks: Vec<GameMark> = Vec::new();
    for grade in Grade::ALL {
        let plies = plies(&|mv| mv.grade == Some(grade));
        marks.push(GameMark { label: grade_name(words, grade), plies });
    }
    marks.push(GameMark { label: labels.mate_mark(), plies: plies(&|mv| mv.mate.is_some()) });
    let or = |name: &str, other: String| if name.is_empty() { other } else { name.to_string() };
    let title = match (game.black.as_str(), game.white.as_str()) {
        ("", "") => labels.unnamed(),
        (black, white) => {
            labels.versus(or(black, labels.black_area()), or(white, labels.white_area()))
        }
    };
    GameGraph {
        title,
        sides: [labels.black_area(), labels.white_area()],
        axes: [labels.axis_moves(), labels.axis_rate()],
        rates: rates.collect(),
        marks,
    }
}
