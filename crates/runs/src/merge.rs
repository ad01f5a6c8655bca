//! Joining the folders of shards, by one path for every kind of run: the logs become one, and the
//! run is done again from it without working.

use std::path::{Path, PathBuf};

use yomikiri_base::stages::StageError;
use yomikiri_base::unit_log;

use crate::driver::log_folder;
use crate::error::file_error;
use crate::{Context, Front, Local, PLAN_FILE, Plan, RunReport, RunsError, run_local};

/// Joins the folders of the shards of a run into a new one, which is as if one process had done
/// them: its tables are the same to the byte. Where stages follow that none of the shards has
/// begun, the report is not complete: the shards go on from the new folder.
///
/// # Errors
/// If a part cannot be read, they are of different runs, a unit is missing or was done twice with
/// different results, or the folder holds a run already. Then nothing is left in it that was not
/// there before.
pub fn merge(out: &Path, parts: &[PathBuf], context: &Context) -> Result<RunReport, RunsError> {
    let Some(first) = parts.first() else { return Err(RunsError::NoParts) };
    let plan = find_plan(first)?;
    let target = log_folder(&plan, out);
    std::fs::create_dir_all(&target).map_err(file_error(&target))?;
    let before = entries(&target)?;
    let merged = join(&plan, out, parts, context);
    if merged.is_err() {
        for path in entries(&target)?.into_iter().filter(|path| !before.contains(path)) {
            let removed = match path.is_dir() {
                true => std::fs::remove_dir_all(&path),
                false => std::fs::remove_file(&path),
            };
            removed.map_err(file_error(&path))?;
        }
    }
    merged
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, RunsError> {
    let entries = std::fs::read_dir(folder).map_err(file_error(folder))?;
    entries.map(|entry| Ok(entry.map_err(file_error(folder))?.path())).collect()
}

fn join(
    plan: &Plan,
    out: &Path,
    parts: &[PathBuf],
    context: &Context,
) -> Result<RunReport, RunsError> {
    let folders: Vec<PathBuf> = parts.iter().map(|part| log_folder(plan, part)).collect();
    let name = log_name(&folders[0])?;
    let logs: Vec<PathBuf> = folders.iter().map(|folder| folder.join(&name)).collect();
    let target = log_folder(plan, out);
    unit_log::merge(&target.join(&name), &logs)?;
    plan.bring_files(&target, &folders)?;
    let local = Local { works: false, ..Local::default() };
    match run_local(plan, out, &local, context, &mut Front::default()) {
        Err(RunsError::Stage(StageError::Incomplete { stage, .. })) => {
            let text = format!(
                "merged; stage `{stage}` comes next: run each shard again with --from {}\n",
                out.display()
            );
            Ok(RunReport { text, complete: false })
        }
        // A stage whose units are numbered does not say in its log how many there are.
        Ok(report) if !report.complete => Err(RunsError::Hole),
        done => done,
    }
}

/// The plan of a folder; that of an experiment is one folder below.
fn find_plan(part: &Path) -> Result<Plan, RunsError> {
    if part.join(PLAN_FILE).exists() {
        return Plan::read(&part.join(PLAN_FILE));
    }
    let below = entries(part)?.into_iter().map(|path| path.join(PLAN_FILE));
    let found: Vec<PathBuf> = below.filter(|path| path.exists()).collect();
    match &found[..] {
        [path] => Plan::read(path),
        [] => Err(RunsError::NoPlanFile(part.to_path_buf())),
        _ => Err(RunsError::SeveralPlans(part.to_path_buf())),
    }
}

/// The name of the log in a folder.
fn log_name(folder: &Path) -> Result<std::ffi::OsString, RunsError> {
    let mut names = Vec::new();
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default();
        let text = name.to_string_lossy();
        if text == "log.jsonl" || text.starts_with("work-") && text.ends_with(".jsonl") {
            names.push(name.to_os_string());
        }
    }
    match <[_; 1]>::try_from(names) {
        Ok([name]) => Ok(name),
        Err(names) => Err(RunsError::Logs { folder: folder.to_path_buf(), count: names.len() }),
    }
}
