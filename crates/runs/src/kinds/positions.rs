//! `learn positions`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_arena::contest::plan::read_openings;
use yomikiri_base::{Stages, checksum};
use yomikiri_engine::Settings;
use yomikiri_learn::positions::{PositionRun, PositionSettings, RunState};
use yomikiri_shogi::Position;
use yomikiri_usi::Setup;

use crate::error::{file_error, other};
use crate::{Context, Front, RunReport, RunsError};

/// Training positions by self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionsPlan {
    /// Units of games in all.
    pub units: usize,
    /// How positions are made.
    #[serde(default)]
    pub settings: PositionSettings,
    /// Options of the engine that plays, each as `NAME=VALUE`; its evaluation is the teacher.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// A file of openings; without one, those in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
}

impl PositionsPlan {
    /// The files that it reads: openings, and the weights of the teacher.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let teacher = self.engine().ok().and_then(|engine| engine.resources.evaluation.path());
        self.openings.iter().cloned().chain(teacher).collect()
    }

    fn engine(&self) -> Result<Settings, RunsError> {
        let mut engine = Settings::default();
        for pair in &self.set {
            engine.set_pair(pair).map_err(other)?;
        }
        Ok(engine)
    }

    /// The run of it in a folder.
    ///
    /// # Errors
    /// If an option does not exist, or a file cannot be read or is something else.
    pub fn in_folder(&self, folder: &Path, context: &Context) -> Result<PositionRun, RunsError> {
        let engine = self.engine()?;
        let weights = match engine.resources.evaluation.path() {
            Some(path) => checksum::sha256_hex(&std::fs::read(&path).map_err(file_error(&path))?),
            None => String::new(),
        };
        let wrong = |error: &dyn std::fmt::Display| RunsError::Wrong(error.to_string());
        // A bad file is an error here, not a reason to play with something else.
        engine.resources.evaluation.load().map_err(|error| wrong(&error))?;
        let openings = read_openings(self.openings.as_deref(), context.input)?;
        let openings: Result<Vec<Position>, _> = openings.iter().map(Setup::position).collect();
        Ok(PositionRun {
            folder: folder.to_path_buf(),
            settings: self.settings.clone(),
            units: self.units,
            engine,
            teacher: format!("{} {weights}", self.set.join(" ")),
            openings: openings.map_err(|error| wrong(&error))?,
        })
    }
}

/// Brings the files of the units of all parts together.
pub(crate) fn bring_files(out: &Path, parts: &[PathBuf]) -> Result<(), RunsError> {
    let target = out.join("units");
    std::fs::create_dir_all(&target).map_err(file_error(&target))?;
    for part in parts {
        let units = part.join("units");
        for entry in std::fs::read_dir(&units).map_err(file_error(&units))? {
            let path = entry.map_err(file_error(&units))?.path();
            if path.extension().is_some_and(|ending| ending == "psv") {
                let to = target.join(path.file_name().unwrap_or_default());
                std::fs::copy(&path, &to).map_err(file_error(&to))?;
            }
        }
    }
    Ok(())
}

pub(crate) fn run(
    plan: &PositionsPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &mut Front<'_>,
) -> Result<RunReport, RunsError> {
    let run = plan.in_folder(out, context)?;
    let silent = |_: &RunState| {};
    let state = run.run(stages, front.positions.unwrap_or(&silent))?;
    let tally = &state.tally;
    let text = format!(
        "{} of {} units finished\n\
         {} games ({} drawn, {} starts unbalanced), {} positions searched\n\
         {} kept; left out: {} noisy, {} decided, {} repeated\n",
        state.finished,
        plan.units,
        tally.games,
        tally.draws,
        tally.unbalanced,
        tally.searched,
        tally.kept,
        tally.noisy,
        tally.decided,
        tally.repeated
    );
    Ok(RunReport { text, complete: state.finished == plan.units })
}
