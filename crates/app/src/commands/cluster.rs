//! `yomikiri cluster COMMAND ..`: a long run on a Ray cluster, by the Python package.

use anyhow::{Context, bail, ensure};
use std::path::PathBuf;
use std::process::Command;

/// Where, and what.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  yomikiri cluster --address ray://head:10001 --out null-move match -e name=a -e 'name=b option.NullMove=true' --nodes 5000\n\n\
    The same in two steps: `yomikiri COMMAND .. --plan plan.json`, then `python -m yomikiri.cluster\n\
    plan.json --out FOLDER`. What comes out is, byte for byte, what one machine makes of it."
)]
pub struct Args {
    /// Where results go; the same command goes on from what is there [default: --out of the
    /// command, or yomikiri-run]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The cluster [default: one of this machine alone]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,

    /// Workers [default: one for each processor of the cluster]
    #[arg(long, value_name = "N")]
    workers: Option<usize>,

    /// The Python package, for machines that do not have it
    #[arg(long, value_name = "FILE")]
    wheel: Option<PathBuf>,

    /// The Python that has the package `yomikiri`
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,

    /// The command with its options, as it would be without `cluster`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Names the modules that are missing, one a line.
const MISSING: &str = "import importlib.util as u\n\
    print(*[name for name in ('yomikiri', 'ray') if u.find_spec(name) is None], sep='\\n')";

/// Writes the plan of the command and has it done.
pub fn run(args: &Args) -> anyhow::Result<()> {
    ensure_python(args)?;
    let folder = tempfile::tempdir().context("no folder for the plan")?;
    let plan = folder.path().join("plan.json");
    let named = named_out(&args.command);
    let out = args.out.clone().or_else(|| named.clone());
    let out = out.unwrap_or_else(|| PathBuf::from("yomikiri-run"));
    let mut planner = Command::new(std::env::current_exe().context("where is this program?")?);
    planner.args(&args.command).arg("--plan").arg(&plan);
    if named.is_none() {
        planner.arg("--out").arg(&out);
    }
    let planned = planner.stdout(std::process::Stdio::null()).status();
    let planned = planned.context("this program could not be started again")?;
    ensure!(planned.success() && plan.exists(), "the command has no plan that a cluster could do");
    let mut driver = Command::new(&args.python);
    driver.args(["-m", "yomikiri.cluster"]).arg(&plan).arg("--out").arg(&out);
    if let Some(address) = &args.address {
        driver.arg("--address").arg(address);
    }
    if let Some(workers) = args.workers {
        driver.arg("--workers").arg(workers.to_string());
    }
    if let Some(wheel) = &args.wheel {
        driver.arg("--wheel").arg(wheel);
    }
    let done = driver.status().with_context(|| args.python.display().to_string())?;
    ensure!(done.success(), "the run is not complete; its results so far are in {}", out.display());
    println!("results in {}", out.display());
    Ok(())
}

/// Where the command itself would put its results.
fn named_out(words: &[String]) -> Option<PathBuf> {
    let after = words.iter().position(|word| word == "--out").and_then(|at| words.get(at + 1));
    let joined = || words.iter().find_map(|word| word.strip_prefix("--out="));
    after.map(String::as_str).or_else(joined).map(PathBuf::from)
}

/// Says what to install where something is missing.
fn ensure_python(args: &Args) -> anyhow::Result<()> {
    let python = args.python.display();
    let found = Command::new(&args.python).args(["-c", MISSING]).output().with_context(|| {
        format!("{python}: install Python 3.10 or newer, or name one with --python")
    })?;
    ensure!(found.status.success(), "{python}: {}", String::from_utf8_lossy(&found.stderr).trim());
    let missing = String::from_utf8_lossy(&found.stdout);
    match missing.lines().next() {
        None | Some("") => Ok(()),
        Some("yomikiri") => bail!(
            "{python} does not have the package yomikiri; in a checkout: {python} -m pip install './python[ray]'"
        ),
        Some(_) => bail!("{python} does not have Ray: {python} -m pip install 'yomikiri[ray]'"),
    }
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
