//! The Python package: a virtual environment in the target folder, the wheel, its types and tests.

use crate::tools::{command, output, root, run, target, works};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreters to try, the one that the variable `PYTHON` names first.
const INTERPRETERS: &[&str] = &["python3", "python3.13", "python3.12", "python3.11", "python3.10"];

const MISSING: &str = "\
no Python of version 3.10 or newer with `venv` was found; install one (Debian: `apt-get install
python3 python3-venv`), or name it by the variable PYTHON";

/// Builds the wheel, installs it into an environment of its own, runs mypy, stubtest and pytest.
pub fn check() -> Result<()> {
    let package = root()?.join("python");
    let environment = target()?.join("python-test");
    let python = environment_python(&environment)?;
    install_tools(&python, &package)?;
    install_wheel(&python, &package, &environment)?;
    let tool = |name: &str| python.with_file_name(name);
    let mut mypy = in_folder(&tool("mypy"), &package);
    run(mypy.args(["yomikiri", "tests", "benchmarks"]))?;
    // From elsewhere: the package that was installed is compared, not the folder of its sources.
    let mut stubtest = in_folder(&tool("stubtest"), &environment);
    run(stubtest
        .arg("yomikiri._yomikiri")
        .arg("--mypy-config-file")
        .arg(package.join("pyproject.toml")))?;
    let mut pytest = in_folder(&tool("pytest"), &package);
    run(pytest.args(["-q", "--durations=5", "tests"]))
}

fn in_folder(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    command
}

/// The interpreter of the environment, which is made if it is not there or does not work.
fn environment_python(environment: &Path) -> Result<PathBuf> {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = environment.join(folder).join("python");
    if works(in_folder(&python, &root()?).args(["-m", "pip", "--version"])) {
        return Ok(python);
    }
    let named = std::env::var("PYTHON").ok();
    let fits = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
    for interpreter in named.iter().map(String::as_str).chain(INTERPRETERS.iter().copied()) {
        if works(command(interpreter)?.args(["-c", fits])) {
            run(command(interpreter)?.args(["-m", "venv", "--clear"]).arg(environment))?;
            return Ok(python);
        }
    }
    bail!("{MISSING}")
}

/// Installs what the tests need, as `pyproject.toml` lists it.
fn install_tools(python: &Path, package: &Path) -> Result<()> {
    let list = "import sys, pathlib, re\n\
        text = pathlib.Path(sys.argv[1]).read_text(encoding='utf-8')\n\
        body = re.search(r'^test = \\[(.*?)^\\]', text, re.S | re.M).group(1)\n\
        print(*re.findall(r'\"([^\"]+)\"', body), sep='\\n')";
    let mut read = in_folder(python, package);
    let wanted = output(read.args(["-c", list]).arg(package.join("pyproject.toml")))?;
    let mut pip = in_folder(python, package);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "maturin>=1.9,<2",
        "numpy",
    ]);
    run(pip.args(wanted.lines())).context(
        "what the Python tests need could not be installed from PyPI; \
         install it by hand with the command above, then try again",
    )
}

/// Builds the wheel with the profile of the tests, and installs it.
fn install_wheel(python: &Path, package: &Path, environment: &Path) -> Result<()> {
    let wheels = environment.join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut maturin = in_folder(&python.with_file_name("maturin"), package);
    run(maturin.args(["build", "--profile", "dev", "--quiet", "--out"]).arg(&wheels))?;
    let wheel = std::fs::read_dir(&wheels)?.next().context("maturin made no wheel")??.path();
    let mut pip = in_folder(python, environment);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    run(pip.args(["--no-deps", "--force-reinstall"]).arg(wheel))
}
