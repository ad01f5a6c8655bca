//! `yomikiri usi-check -- ENGINE`: does an engine keep to the protocol?

use crate::language;
use anyhow::{bail, ensure};
use std::path::PathBuf;
use std::time::Duration;
use yomikiri_arena::usi_check::{self, UsiCheckSettings, VerdictCounts, option_pair};
use yomikiri_usi::client::Launch;

/// What to check, and how.
#[derive(clap::Args)]
pub struct Args {
    /// An option to set first, as NAME=VALUE; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Milliseconds for a move in the tries
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    movetime: u64,
    /// An answer may come this many milliseconds late
    #[arg(long, value_name = "MS", default_value_t = 300)]
    margin: u64,
    /// Only the rules whose name holds this word; may be given several times
    #[arg(long, value_name = "WORD")]
    rule: Vec<String>,
    /// Print the transcript of every rule, not only of those that failed
    #[arg(short, long)]
    verbose: bool,
    /// List the rules and do nothing
    #[arg(long)]
    list: bool,
    /// The engine's program and its arguments, after --
    #[arg(last = true, value_name = "ENGINE", required_unless_present = "list")]
    engine: Vec<String>,
}

/// Checks the engine; an error if a rule failed.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.list {
        print!("{}", usi_check::list(language::get()));
        return Ok(());
    }
    let Some((program, rest)) = args.engine.split_first() else { bail!("which engine?") };
    let launch = Launch { program: PathBuf::from(program), args: rest.to_vec(), dir: None };
    let settings = UsiCheckSettings {
        options: args.options.iter().map(|option| option_pair(option)).collect(),
        move_time: Duration::from_millis(args.movetime),
        margin: Duration::from_millis(args.margin),
    };
    let wanted =
        |name: &str| args.rule.is_empty() || args.rule.iter().any(|word| name.contains(word));
    let counts = usi_check::check(&launch, &settings, &wanted, &mut |finding| {
        print!("{}", finding.to_text(args.verbose, language::get()));
    });
    ensure!(counts != VerdictCounts::default(), "no rule has such a name; see --list");
    say!("{counts}");
    ensure!(counts.failed == 0, "{} rules failed", counts.failed);
    Ok(())
}
