//! Who does a plan: this process, or an owner and its workers.

use std::path::{Path, PathBuf};

use yomikiri_base::files::write_atomic;
use yomikiri_base::stages::{NoProgress, Owner, StageProgress, UnitFailure, UnitWorker};
use yomikiri_base::{LocalStages, Shard, Stages, StopToken};

use crate::error::file_error;
use crate::{Context, Front, PLAN_FILE, Plan, RunReport, RunsError};

/// How this process does a run.
pub struct Local<'a> {
    /// Threads.
    pub threads: usize,
    /// Which part of each stage.
    pub shard: Shard,
    /// Ends it after the units in work.
    pub stop: StopToken,
    /// Receives its progress.
    pub progress: &'a dyn StageProgress,
    /// The folder of the merged shards of the stages before.
    pub from: Option<PathBuf>,
    /// The log of another run whose units are taken over, for changes known not to matter.
    pub carry: Option<PathBuf>,
    /// Whether missing units are done; otherwise tables are made of what is there.
    pub works: bool,
}

impl Default for Local<'_> {
    fn default() -> Self {
        Local {
            threads: 1,
            shard: Shard::WHOLE,
            stop: StopToken::new(),
            progress: &NoProgress,
            from: None,
            carry: None,
            works: true,
        }
    }
}

/// Does a plan in a folder, or goes on with it, on threads of this process.
///
/// # Errors
/// See [`RunsError`]; `Stage(Incomplete)` where it was stopped, or a shard has done its part of a
/// stage that others follow.
pub fn run_local(
    plan: &Plan,
    out: &Path,
    local: &Local<'_>,
    context: &Context,
    front: &mut Front<'_>,
) -> Result<RunReport, RunsError> {
    if let Plan::Match(contest) | Plan::Rate(contest) = plan
        && contest.sprt.is_some()
        && !local.shard.is_whole()
    {
        return Err(yomikiri_arena::contest::ContestError::SharedTest.into());
    }
    write_plan(plan, out)?;
    let mut stages = LocalStages::new(local.threads, context.provenance.clone());
    stages.shard = local.shard;
    stages.stop = local.stop.clone();
    stages.progress = local.progress;
    stages.works = local.works;
    stages.carry.clone_from(&local.carry);
    stages.from = local.from.as_deref().map(|folder| log_folder(plan, folder));
    if context.affinity {
        stages.on_thread = yomikiri_arena::stay_on_one_core;
    }
    let context = Context { threads: local.threads, ..context.clone() };
    plan.run(&mut stages, out, &context, front)
}

/// The folder in which the log of a plan is.
pub(crate) fn log_folder(plan: &Plan, out: &Path) -> PathBuf {
    match plan {
        Plan::Lab(plan) => plan.folder(out),
        _ => out.to_path_buf(),
    }
}

/// Notes in its folder what the run is.
pub(crate) fn write_plan(plan: &Plan, out: &Path) -> Result<(), RunsError> {
    let folder = log_folder(plan, out);
    std::fs::create_dir_all(&folder).map_err(file_error(&folder))?;
    let path = folder.join(PLAN_FILE);
    let text = plan.to_text();
    match std::fs::read_to_string(&path) {
        Ok(there) if there == text => Ok(()),
        _ => write_atomic(&path, text.as_bytes()).map_err(file_error(&path)),
    }
}

/// Starts, or goes on with, a plan whose units are done elsewhere.
///
/// # Errors
/// If the folder cannot be written or there is no thread for it. What is wrong with the plan comes
/// out of [`Owner::finish`].
pub fn owner(
    plan: &Plan,
    out: &Path,
    context: &Context,
) -> Result<Owner<Result<RunReport, RunsError>>, RunsError> {
    write_plan(plan, out)?;
    let (plan, out, context) = (plan.clone(), out.to_path_buf(), context.clone());
    let run =
        move |stages: &mut dyn Stages| plan.run(stages, &out, &context, &mut Front::default());
    Ok(Owner::start(run_provenance(), run)?)
}

fn run_provenance() -> yomikiri_base::Provenance {
    yomikiri_lab::manifest::provenance()
}

/// A worker for a plan. It writes nothing.
#[must_use]
pub fn worker(plan: &Plan, context: &Context) -> UnitWorker {
    let (plan, context) = (plan.clone(), context.clone());
    UnitWorker::new(move |stages: &mut dyn Stages| {
        let done = plan.run(stages, Path::new(""), &context, &mut Front::default());
        done.map(|_| ()).map_err(|error| Box::new(error) as UnitFailure)
    })
}

/// Makes the tables and pages of experiments in a folder again from the results stored in it,
/// without measuring, and the index over all of them; says how many that are. Where results of an
/// older build are stored the prose is new and the numbers are theirs. Folders that have a log and
/// no results yet are done from their log.
///
/// # Errors
/// If something cannot be read or written, or a log is of another version of the program.
pub fn report(folder: &Path, context: &Context) -> Result<usize, RunsError> {
    let local = Local { works: false, ..Local::default() };
    for &experiment in yomikiri_lab::papers::ALL {
        let has_results = |own: &Path| own.join(yomikiri_lab::stored::RESULTS_FILE).exists();
        // Results from before the experiment was renamed keep their folder.
        for earlier in experiment.old_names().iter().map(|name| folder.join(name)) {
            if has_results(&earlier) {
                yomikiri_lab::run::report(experiment, &earlier)?;
            }
        }
        let own = folder.join(experiment.name());
        let plan = own.join(PLAN_FILE);
        if has_results(&own) {
            yomikiri_lab::run::report(experiment, &own)?;
        } else if plan.exists() {
            run_local(&Plan::read(&plan)?, folder, &local, context, &mut Front::default())?;
        }
    }
    yomikiri_lab::write_index(folder).map_err(file_error(folder))
}
