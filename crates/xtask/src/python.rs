//! The Python package: a virtual environment in the target folder, the wheel, its types and tests.

use crate::tools::{command, output, root, run, target, works};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreters to try, the one that the variable `PYTHON` names first.
const INTERPRETERS: &[&str] =
    &["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"];

const MISSING: &str = "\
no Python of version 3.10 or newer with `venv` was found; install one (Debian: `apt-get install
python3 python3-venv`), or name it by the variable PYTHON";

/// Processors that a portable wheel runs on: all of the last fifteen years. The rest is what
/// `.cargo/config.toml` sets for PyO3.
const PORTABLE: &str = "-C target-cpu=x86-64-v2 --cfg pyo3_disable_reference_pool \
     --cfg pyo3_leak_on_drop_without_reference_pool";

/// Builds the wheel, installs it into an environment of its own, runs mypy, stubtest and pytest.
pub fn check() -> Result<()> {
    let package = root()?.join("python");
    let environment = target()?.join("python-test");
    let python = prepare(&environment, &package)?;
    let tool = |name: &str| python.with_file_name(name);
    let mut mypy = in_folder(&tool("mypy"), &package);
    run(mypy.args(["yomikiri", "tests", "benchmarks"]))?;
    // From elsewhere: the package that was installed is compared, not the folder of its sources.
    let mut stubtest = in_folder(&tool("stubtest"), &environment);
    run(stubtest
        .arg("yomikiri._yomikiri")
        .arg("--mypy-config-file")
        .arg(package.join("pyproject.toml")))?;
    run(tests(&python, &environment, &package).args(["--durations=5"]).arg(package.join("tests")))
}

/// The environment of the tests with the package as it is now: its interpreter.
fn prepare(environment: &Path, package: &Path) -> Result<PathBuf> {
    let python = environment_python(environment, None)?;
    install_tools(&python, package)?;
    let wheels = environment.join("wheels");
    let wheel = build_wheel(&python, package, &wheels, &["--profile", "dev"], None)?;
    install(&python, environment, &["--no-deps", "--force-reinstall"], &wheel)?;
    Ok(python)
}

/// `pytest`, from elsewhere than the package: the one that was installed is tested, also by
/// processes that look for modules in the folder they are started in.
fn tests(python: &Path, environment: &Path, package: &Path) -> Command {
    let mut pytest = in_folder(&python.with_file_name("pytest"), environment);
    pytest.args(["-q", "-c"]).arg(package.join("pyproject.toml"));
    pytest
}

/// A file of tests in the environment of the tests, for long forms.
pub fn pytest(test: &str, args: &[&str]) -> Result<Command> {
    let package = root()?.join("python");
    let environment = target()?.join("python-test");
    let python = prepare(&environment, &package)?;
    let mut pytest = tests(&python, &environment, &package);
    pytest.args(args).arg(package.join("tests").join(test));
    Ok(pytest)
}

/// Builds the portable wheel with the release profile, and tries it in an empty environment of
/// every Python that is here.
pub fn wheel(folder: Option<&Path>) -> Result<()> {
    let package = root()?.join("python");
    let environments = target()?.join("python-wheel");
    let tools = environment_python(&environments.join("tools"), None)?;
    run(&mut pip_install(&tools, &package, &["maturin>=1.9,<2"]))?;
    let wheels = folder.map_or_else(|| environments.join("wheels"), Path::to_path_buf);
    let wheels = std::path::absolute(wheels)?;
    let wheel = build_wheel(&tools, &package, &wheels, &["--release"], Some(PORTABLE))?;
    let mut tried = Vec::new();
    for interpreter in interpreters()? {
        let environment = environments.join(&interpreter);
        let python = environment_python(&environment, Some(&interpreter))?;
        install(&python, &environment, &["--force-reinstall"], &wheel)?;
        install_tools(&python, &package)?;
        run(tests(&python, &environment, &package).arg(package.join("tests")))?;
        tried.push(interpreter);
    }
    println!("{}: passed with {}", wheel.display(), tried.join(", "));
    Ok(())
}

/// The interpreters that are here, one of each version.
fn interpreters() -> Result<Vec<String>> {
    let named = INTERPRETERS.iter().filter(|name| name.contains('.'));
    let mut found = Vec::new();
    for name in named.rev() {
        if works(command(name)?.args(["-c", "import venv"])) {
            found.push((*name).to_string());
        }
    }
    if found.is_empty() { bail!("{MISSING}") } else { Ok(found) }
}

fn in_folder(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    command
}

/// The interpreter of an environment, which is made, of the interpreter that is named or any that
/// fits, if it is not there or does not work.
fn environment_python(environment: &Path, interpreter: Option<&str>) -> Result<PathBuf> {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = environment.join(folder).join("python");
    if works(in_folder(&python, &root()?).args(["-m", "pip", "--version"])) {
        return Ok(python);
    }
    if let Some(interpreter) = interpreter {
        run(command(interpreter)?.args(["-m", "venv", "--clear"]).arg(environment))?;
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
    let wanted: Vec<&str> =
        ["maturin>=1.9,<2", "numpy"].into_iter().chain(wanted.lines()).collect();
    run(&mut pip_install(python, package, &wanted)).context(
        "what the Python tests need could not be installed from PyPI; \
         install it by hand with the command above, then try again",
    )
}

fn pip_install(python: &Path, folder: &Path, wanted: &[&str]) -> Command {
    let mut pip = in_folder(python, folder);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(wanted);
    pip
}

/// Builds the wheel into a folder, which is emptied of others, and says where it is.
fn build_wheel(
    python: &Path,
    package: &Path,
    wheels: &Path,
    profile: &[&str],
    flags: Option<&str>,
) -> Result<PathBuf> {
    let is_wheel = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "whl");
    let list = || -> Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(wheels)?.map(|entry| Ok(entry?.path()));
        Ok(entries.collect::<Result<Vec<_>>>()?.into_iter().filter(is_wheel).collect())
    };
    if wheels.exists() {
        list()?.into_iter().try_for_each(std::fs::remove_file)?;
    }
    let mut maturin = in_folder(&python.with_file_name("maturin"), package);
    maturin.arg("build").args(profile).args(["--quiet", "--out"]).arg(wheels);
    if let Some(flags) = flags {
        maturin.env("RUSTFLAGS", flags);
    }
    run(&mut maturin)?;
    list()?.pop().context("maturin made no wheel")
}

fn install(python: &Path, folder: &Path, how: &[&str], wheel: &Path) -> Result<()> {
    run(pip_install(python, folder, how).arg(wheel))
}
