//! `cargo xtask soak`: the long forms of the tests, minutes to hours each. A new one is a row here.

use crate::python;
use crate::steps::{self, TestStep};
use crate::tools::{cargo, command, output, run};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

enum Work {
    /// `cargo test --release --package PACKAGE --test TEST -- ARGS..`
    Test { package: &'static str, test: &'static str, args: &'static [&'static str] },
    /// Tests of the Python package.
    Python { test: &'static str, args: &'static [&'static str] },
    /// A script of `bench/` with its arguments, which plays with the release binary.
    Script { script: &'static str, args: &'static [&'static str] },
}

struct Soak {
    name: &'static str,
    title: &'static str,
    variables: &'static [(&'static str, &'static str)],
    work: Work,
}

/// The argument that runs a test that is ignored by default.
const IGNORED: &[&str] = &["--ignored"];

const SOAKS: &[Soak] = &[
    Soak {
        name: "perft",
        title: "move counts of half a billion sequences",
        variables: &[],
        work: Work::Test { package: "yomikiri-shogi", test: "perft", args: IGNORED },
    },
    Soak {
        name: "rules",
        title: "move generation against brute force along 5,000 random games",
        variables: &[("YOMIKIRI_TEST_GAMES", "5000")],
        work: Work::Test { package: "yomikiri-shogi", test: "random_games", args: &[] },
    },
    Soak {
        name: "mates",
        title: "mate problems against brute force, 10,000 of every kind",
        variables: &[("YOMIKIRI_ORACLE", "10000")],
        work: Work::Test { package: "yomikiri-tsume", test: "oracle", args: &["--nocapture"] },
    },
    Soak {
        name: "captures",
        title: "10,000 capture problems of Go against brute force",
        variables: &[("YOMIKIRI_ORACLE", "10000")],
        work: Work::Test {
            package: "yomikiri-go",
            test: "capture_oracle",
            args: &["every_answer", "--nocapture"],
        },
    },
    Soak {
        name: "speculative",
        title: "500 games with speculative play and without",
        variables: &[("YOMIKIRI_SPECULATIVE_GAMES", "500"), ("YOMIKIRI_SPECULATIVE_NODES", "2000")],
        work: Work::Test { package: "yomikiri-engine", test: "speculative_games", args: &[] },
    },
    Soak {
        name: "selfplay",
        title: "1,000 games, and 100 with each technique turned the other way",
        variables: &[],
        work: Work::Test { package: "yomikiri-engine", test: "selfplay", args: IGNORED },
    },
    Soak {
        name: "settings",
        title: "10,000 games between settings drawn by lot",
        variables: &[("YOMIKIRI_RANDOM_GAMES", "10000")],
        work: Work::Test { package: "yomikiri-engine", test: "random_settings", args: &[] },
    },
    Soak {
        name: "load",
        title: "the server under 500 connections, and a move's answer while others search",
        variables: &[("YOMIKIRI_P99_MS", "20")],
        work: Work::Test {
            package: "yomikiri-web",
            test: "load",
            args: &["--ignored", "--nocapture", "--test-threads=1"],
        },
    },
    Soak {
        name: "cluster",
        title: "experiment, match and learners on Ray: two workers, three nodes, killed and resumed",
        variables: &[("YOMIKIRI_CLUSTER", "full")],
        work: Work::Python { test: "test_ray.py", args: &["--durations=0"] },
    },
    Soak {
        name: "two-builds",
        title: "shards done by a native and an x86-64-v2 build, merged: the bytes of one",
        variables: &[],
        work: Work::Script { script: "bench/two_builds.sh", args: &[] },
    },
    Soak {
        name: "robustness",
        title: "matches of the binary: no illegal move, crash or loss on time",
        variables: &[],
        work: Work::Script { script: "bench/robustness.sh", args: &[] },
    },
];

impl Soak {
    fn command(&self) -> Result<Command> {
        let mut command = match self.work {
            Work::Test { package, test, args } => {
                let mut cargo = cargo(&["test", "--release", "--package", package])?;
                cargo.args(["--test", test, "--"]).args(args);
                cargo
            }
            Work::Python { test, args } => python::pytest(test, args)?,
            Work::Script { script, args } => {
                let mut bash = command("bash")?;
                bash.arg(script).args(args).env("ENGINE", release_binary()?);
                bash
            }
        };
        command.envs(self.variables.iter().copied());
        Ok(command)
    }
}

/// Builds the release binary and says where it is.
fn release_binary() -> Result<PathBuf> {
    run(&mut cargo(&["build", "--release", "--package", "yomikiri-app"])?)?;
    let text = output(&mut cargo(&["metadata", "--no-deps", "--format-version", "1"])?)?;
    let metadata: serde_json::Value = serde_json::from_str(&text)?;
    let target = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    let name = format!("yomikiri{}", std::env::consts::EXE_SUFFIX);
    Ok(PathBuf::from(target).join("release").join(name))
}

/// The runs in their order.
pub fn steps() -> Vec<TestStep> {
    let step = |soak: &'static Soak| TestStep {
        name: soak.name,
        title: soak.title,
        work: Box::new(|| run(&mut soak.command()?)),
    };
    SOAKS.iter().map(step).collect()
}

pub fn list() -> String {
    steps::list("Soak runs", &steps())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::root;

    /// The file that a run needs.
    fn source(work: &Work) -> String {
        match work {
            Work::Test { package, test, .. } => {
                format!("crates/{}/tests/{test}.rs", package.trim_start_matches("yomikiri-"))
            }
            Work::Python { .. } => "python/tests/cluster_plans.py".into(),
            Work::Script { script, .. } => (*script).into(),
        }
    }

    #[test]
    fn every_run_names_a_test_or_script_that_exists_and_the_variables_it_reads() {
        for soak in SOAKS {
            let path = root().unwrap().join(source(&soak.work));
            let text = std::fs::read_to_string(&path).expect("the file exists");
            for (variable, _) in soak.variables {
                assert!(text.contains(variable), "{} does not read {variable}", path.display());
            }
            if let Work::Test { args: IGNORED, .. } = soak.work {
                assert!(text.contains("#[ignore"), "{} ignores nothing", path.display());
            }
        }
    }
}
