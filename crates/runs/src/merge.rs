//! Joining the folders of shards.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use yomikiri_arena::contest;
use yomikiri_arena::contest::text::{ratings_table, two_player_summary};
use yomikiri_base::stages::StageError;
use yomikiri_base::unit_log;

use crate::driver::{log_folder, write_plan};
use crate::error::file_error;
use crate::{Context, Front, Local, PLAN_FILE, Plan, Report, RunsError, run_local};

/// Joins the folders of the shards of a run into a new one, which is as if one process had done
/// them: its tables are the same to the byte. Where stages follow that none of the shards has
/// begun, the report is not complete: the shards go on from the new folder.
///
/// # Errors
/// If a part cannot be read, they are of different runs, a unit is missing or was done twice with
/// different results, or the folder holds a run already.
pub fn merge(out: &Path, parts: &[PathBuf], context: &Context) -> Result<Report, RunsError> {
    let Some(first) = parts.first() else {
        return Err(RunsError::Wrong("there is nothing to merge".into()));
    };
    let Some(plan) = find_plan(first)? else { return merge_contests(out, parts) };
    if let Plan::Match(_) | Plan::Rate(_) = plan {
        let report = merge_contests(out, parts)?;
        write_plan(&plan, out)?;
        return Ok(report);
    }
    let folders: Vec<PathBuf> = parts.iter().map(|part| log_folder(&plan, part)).collect();
    let name = log_name(&folders[0])?;
    let logs: Vec<PathBuf> = folders.iter().map(|folder| folder.join(&name)).collect();
    let target = log_folder(&plan, out);
    std::fs::create_dir_all(&target).map_err(file_error(&target))?;
    unit_log::merge(&target.join(&name), &logs)?;
    if let Plan::LearnPositions(_) = plan {
        copy_units(&target, &folders)?;
    }
    let local = Local { works: false, ..Local::default() };
    match run_local(&plan, out, &local, context, &mut Front::default()) {
        Err(RunsError::Stage(StageError::Incomplete { stage, .. })) => {
            let text = format!(
                "merged; stage `{stage}` comes next: run each shard again with --from {}\n",
                out.display()
            );
            Ok(Report { text, complete: false })
        }
        done => done,
    }
}

/// Contests may also be of folders from before there were plans.
fn merge_contests(out: &Path, parts: &[PathBuf]) -> Result<Report, RunsError> {
    let standings = contest::merge(out, parts)?;
    let text = ratings_table(&standings, true) + &two_player_summary(&standings, None);
    Ok(Report { text, complete: true })
}

/// The plan of a folder; that of an experiment is one folder below.
fn find_plan(part: &Path) -> Result<Option<Plan>, RunsError> {
    if part.join(PLAN_FILE).exists() {
        return Plan::read(&part.join(PLAN_FILE)).map(Some);
    }
    let mut found = None;
    for entry in std::fs::read_dir(part).map_err(file_error(part))? {
        let path = entry.map_err(file_error(part))?.path().join(PLAN_FILE);
        if path.exists() {
            if found.is_some() {
                let error = "holds several experiments: merge folders of one each";
                return Err(RunsError::Wrong(format!("{}: {error}", part.display())));
            }
            found = Some(Plan::read(&path)?);
        }
    }
    Ok(found)
}

/// The name of the log in a folder.
fn log_name(folder: &Path) -> Result<std::ffi::OsString, RunsError> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(file_error(folder))? {
        let name = entry.map_err(file_error(folder))?.file_name();
        let text = name.to_string_lossy();
        if text == "log.jsonl" || text.starts_with("work-") && text.ends_with(".jsonl") {
            names.push(name);
        }
    }
    match <[_; 1]>::try_from(names) {
        Ok([name]) => Ok(name),
        Err(names) => Err(RunsError::Wrong(format!(
            "{} holds {} logs, and one is wanted",
            folder.display(),
            names.len()
        ))),
    }
}

/// Brings the files of the units together.
fn copy_units(out: &Path, parts: &[PathBuf]) -> Result<(), RunsError> {
    let target = out.join("units");
    std::fs::create_dir_all(&target).map_err(file_error(&target))?;
    for part in parts {
        let units = part.join("units");
        for entry in std::fs::read_dir(&units).map_err(file_error(&units))? {
            let path = entry.map_err(file_error(&units))?.path();
            if path.extension() == Some(OsStr::new("psv")) {
                let to = target.join(path.file_name().unwrap_or_default());
                std::fs::copy(&path, &to).map_err(file_error(&to))?;
            }
        }
    }
    Ok(())
}
