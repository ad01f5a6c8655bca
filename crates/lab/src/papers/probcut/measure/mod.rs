//! What is measured, stage by stage.

mod matches;
mod problems;
mod values;
mod windows;

pub(super) use matches::{CONTROL, sequential_test};
pub(super) use problems::BASE;

use yomikiri_engine::SearchParams;
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::eval::registry::UnknownEvaluation;
use yomikiri_engine::search::probcut::QuiescenceModel;

use super::sets::{self, MoveSet, SETS};
use super::{Breadth, OfBreadth, ProbcutResults, ProbcutSettings, Values};
use crate::games::{LabGame, draw};
use crate::run::{LabError, Run, fault};
use crate::searcher::SearcherFactory;

/// Games of one file.
struct Source {
    name: String,
    games: Vec<LabGame>,
}

/// What every part of the experiment needs.
struct Bench<'a> {
    settings: &'a ProbcutSettings,
    searchers: &'a SearcherFactory,
    evaluations: &'a [EvaluationKind],
    breadth: Breadth,
    set: &'a MoveSet,
}

impl Bench<'_> {
    /// The search with this quiescence.
    fn params(&self, base: SearchParams) -> SearchParams {
        self.set.of(base)
    }
}

/// The models by evaluation.
struct Models(Vec<(EvaluationKind, QuiescenceModel)>);

impl Models {
    /// Those of the first file of games.
    fn of(values: &[Values]) -> Models {
        let mut models: Vec<(EvaluationKind, QuiescenceModel)> = Vec::new();
        for of in values {
            if let Ok(kind) = of.evaluation.parse()
                && !models.iter().any(|known| known.0 == kind)
            {
                models.push((kind, of.model()));
            }
        }
        Models(models)
    }

    /// The model of an evaluation; one that is not in the tables has none fitted.
    fn get(&self, kind: EvaluationKind) -> QuiescenceModel {
        self.0.iter().find(|known| known.0 == kind).map(|known| known.1).unwrap_or_default()
    }
}

/// Measures everything.
pub(super) fn all(run: &mut Run<'_>) -> Result<ProbcutResults, LabError> {
    let settings: ProbcutSettings = run.settings()?;
    if settings.matches.timed_pairs > 0 {
        run.note_timed();
    }
    if settings.set != sets::NEAREST && sets::find(&settings.set).is_none() {
        let names: Vec<&str> = SETS.iter().map(|set| set.name).collect();
        let known = format!("no set `{}`; there are {}", settings.set, names.join("; "));
        return Err(fault("settings", &known));
    }
    let evaluations = evaluations(&settings.evaluations)?;
    let sources = load(run, &settings)?;
    let problems = crate::problems::load_sets(run, &settings.problems_file, settings.problems)?;
    let searchers = SearcherFactory::default();
    let sets = values::try_sets(run, &settings, &searchers, &sources[0])?;
    let chosen = match settings.set.as_str() {
        sets::NEAREST => values::nearest(&sets),
        name => name.to_string(),
    };
    let mut parts = Vec::new();
    for breadth in Breadth::ALL {
        let bench = Bench {
            settings: &settings,
            searchers: &searchers,
            evaluations: &evaluations,
            breadth,
            set: breadth.set(&chosen),
        };
        let values = values::measure(run, &bench, &sources)?;
        let models = Models::of(&values);
        let windows = windows::measure(run, &bench, &sources[0], &models)?;
        let answers = problems::measure(run, &bench, &problems, &models)?;
        let matches = matches::measure(run, &bench, &models)?;
        parts.push(OfBreadth { breadth, values, windows, problems: answers, matches });
    }
    Ok(ProbcutResults { sets, chosen, parts })
}

/// Evaluations by their names.
fn evaluations(names: &[String]) -> Result<Vec<EvaluationKind>, LabError> {
    let wrong = |error: UnknownEvaluation| fault("settings", &error.to_string());
    names.iter().map(|name| name.parse().map_err(wrong)).collect()
}

fn load(run: &mut Run<'_>, settings: &ProbcutSettings) -> Result<Vec<Source>, LabError> {
    let mut files = vec![("engine games".to_string(), settings.games_file.clone())];
    if let Some(path) = run.games() {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        files.push((name.trim_end_matches(".tsv").to_string(), path));
    }
    let mut sources = Vec::new();
    for (name, path) in files {
        let count = settings.games.max(settings.window_games).max(settings.set_games);
        sources.push(Source { name, games: draw(run, &path, count, 60)? });
    }
    Ok(sources)
}
