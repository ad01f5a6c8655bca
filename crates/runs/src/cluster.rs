//! A long run on a Ray cluster, driven by the Python package: the command's plan is written by this
//! program and handed to `python -m yomikiri.cluster`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command and the cluster that does it.
#[derive(Clone, Debug)]
pub struct ClusterRun {
    /// The command with its options, as it would be without a cluster.
    pub command: Vec<String>,
    /// Where results go; if not given, `--out` of the command, or `yomikiri-run`.
    pub out: Option<PathBuf>,
    /// The cluster; one of this machine alone if not given.
    pub address: Option<String>,
    /// Workers; one for each processor of the cluster if not given.
    pub workers: Option<usize>,
    /// The Python package, for machines that do not have it.
    pub wheel: Option<PathBuf>,
    /// The Python that has the package `yomikiri`.
    pub python: PathBuf,
}

/// Why a cluster did not do a run.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// There is no such Python.
    #[error("{}: install Python 3.10 or newer, or name one with --python: {error}", python.display())]
    NoPython {
        /// Which.
        python: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The Python cannot say what it has.
    #[error("{}: {said}", python.display())]
    Python {
        /// Which.
        python: PathBuf,
        /// What it says instead.
        said: String,
    },
    /// The package is not installed.
    #[error("{0} does not have the package yomikiri; in a checkout: {0} -m pip install './python[ray]'", python.display())]
    NoPackage {
        /// Where.
        python: PathBuf,
    },
    /// Ray is not installed.
    #[error("{0} does not have Ray: {0} -m pip install 'yomikiri[ray]'", python.display())]
    NoRay {
        /// Where.
        python: PathBuf,
    },
    /// There is no room for the plan.
    #[error("no folder for the plan: {0}")]
    NoFolder(io::Error),
    /// The planner or the driver does not start.
    #[error("{}: {error}", program.display())]
    Start {
        /// Which program.
        program: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The command is no long run, or is wrong.
    #[error("the command has no plan that a cluster could do")]
    NoPlan,
    /// The driver gave up or was stopped.
    #[error("the run is not complete; its results so far are in {}", .0.display())]
    Incomplete(PathBuf),
}

/// Names the modules that are missing, one a line.
const MISSING: &str = "import importlib.util as u\n\
    print(*[name for name in ('yomikiri', 'ray') if u.find_spec(name) is None], sep='\\n')";

impl ClusterRun {
    /// Has `program`, which is this one, write the plan, and the cluster do it. Gives the folder of
    /// the results.
    ///
    /// # Errors
    /// If Python or its packages are missing, the command has no plan, or the run does not end.
    pub fn run(&self, program: &Path) -> Result<PathBuf, ClusterError> {
        self.ensure_python()?;
        let folder = tempfile::tempdir().map_err(ClusterError::NoFolder)?;
        let plan = folder.path().join("plan.json");
        let named = named_out(&self.command);
        let out = self.out.clone().or_else(|| named.clone());
        let out = out.unwrap_or_else(|| PathBuf::from("yomikiri-run"));
        let mut planner = Command::new(program);
        planner.args(&self.command).arg("--plan").arg(&plan).stdout(Stdio::null());
        if named.is_none() {
            planner.arg("--out").arg(&out);
        }
        if !succeeds(&mut planner, program)? || !plan.exists() {
            return Err(ClusterError::NoPlan);
        }
        match succeeds(&mut self.driver(&plan, &out), &self.python)? {
            true => Ok(out),
            false => Err(ClusterError::Incomplete(out)),
        }
    }

    fn driver(&self, plan: &Path, out: &Path) -> Command {
        let mut driver = Command::new(&self.python);
        driver.args(["-m", "yomikiri.cluster"]).arg(plan).arg("--out").arg(out);
        if let Some(address) = &self.address {
            driver.arg("--address").arg(address);
        }
        if let Some(workers) = self.workers {
            driver.arg("--workers").arg(workers.to_string());
        }
        if let Some(wheel) = &self.wheel {
            driver.arg("--wheel").arg(wheel);
        }
        driver
    }

    /// Says what to install where something is missing.
    fn ensure_python(&self) -> Result<(), ClusterError> {
        let python = self.python.clone();
        let found = match Command::new(&python).args(["-c", MISSING]).output() {
            Ok(found) => found,
            Err(error) => return Err(ClusterError::NoPython { python, error }),
        };
        if !found.status.success() {
            let said = String::from_utf8_lossy(&found.stderr).trim().to_string();
            return Err(ClusterError::Python { python, said });
        }
        match String::from_utf8_lossy(&found.stdout).lines().next() {
            None | Some("") => Ok(()),
            Some("yomikiri") => Err(ClusterError::NoPackage { python }),
            Some(_) => Err(ClusterError::NoRay { python }),
        }
    }
}

fn succeeds(command: &mut Command, program: &Path) -> Result<bool, ClusterError> {
    match command.status() {
        Ok(status) => Ok(status.success()),
        Err(error) => Err(ClusterError::Start { program: program.to_path_buf(), error }),
    }
}

/// Where the command itself would put its results.
fn named_out(words: &[String]) -> Option<PathBuf> {
    let after = words.iter().position(|word| word == "--out").and_then(|at| words.get(at + 1));
    let joined = || words.iter().find_map(|word| word.strip_prefix("--out="));
    after.map(String::as_str).or_else(joined).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::named_out;

    #[test]
    fn the_folder_of_the_command_is_found() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(named_out(&words("match --out a -e x")), Some("a".into()));
        assert_eq!(named_out(&words("lab run --out=b")), Some("b".into()));
        assert_eq!(named_out(&words("match -e x")), None);
    }
}
