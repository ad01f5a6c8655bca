//! `yomikiri measure`: what a change of settings is worth at a short and at a long control.

use super::contest::{self, OwnArgs, OwnContest};
use crate::output::write_file;
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use yomikiri_arena::contest::Outcome;
use yomikiri_arena::measure::{Measurement, Openings, Results};
use yomikiri_base::StopToken;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_usi::Setup;

/// What to do.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  yomikiri measure play --technique 'null move' --set null_move.enabled=true --results bench/results.json --out /tmp/null\n  \
    yomikiri measure table --results bench/results.json --document docs/algorithms.md\n\n\
    Stop with Ctrl-C; the same command goes on from there."
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Play the engine with a change against the engine without it, and note the outcome
    Play(PlayArgs),
    /// Print the table of a results file, or put it into a document
    Table(TableArgs),
}

#[derive(clap::Args)]
struct PlayArgs {
    /// What is measured, in a few words
    #[arg(long, value_name = "TEXT")]
    technique: String,

    /// A setting that is changed, as NAME=VALUE; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", required = true)]
    set: Vec<String>,

    /// A control, as nodes a move and pairs of games; may be given several times
    #[arg(long = "control", value_name = "NODESxPAIRS", value_parser = control, default_values = ["10000x500", "100000x200"])]
    controls: Vec<(u64, usize)>,

    /// The results file, which gets a row for each control
    #[arg(long, value_name = "FILE")]
    results: PathBuf,

    #[command(flatten)]
    own: OwnArgs,
}

#[derive(clap::Args)]
struct TableArgs {
    /// The results file
    #[arg(long, value_name = "FILE")]
    results: PathBuf,

    /// A document with marks where the table goes; if not given, it is printed
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
}

fn control(text: &str) -> Result<(u64, usize), String> {
    let numbers = text
        .split_once('x')
        .and_then(|(nodes, pairs)| Some((nodes.parse().ok()?, pairs.parse().ok()?)));
    numbers
        .filter(|&(nodes, pairs)| nodes > 0 && pairs > 0)
        .ok_or_else(|| format!("'{text}' is not NODESxPAIRS, as 10000x500"))
}

/// Plays or prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Play(args) => play(args),
        Action::Table(args) => table(args),
    }
}

fn read_results(path: &Path) -> anyhow::Result<Results> {
    if !path.exists() {
        return Ok(Results::default());
    }
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Results::parse(&text).with_context(|| path.display().to_string())
}

fn table(args: &TableArgs) -> anyhow::Result<()> {
    ensure!(args.results.exists(), "{}: no such file", args.results.display());
    let results = read_results(&args.results)?;
    let Some(path) = &args.document else {
        print!("{}", results.table());
        return Ok(());
    };
    let old = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let fresh = results.into_document(&old).with_context(|| path.display().to_string())?;
    write_file(path, fresh.as_bytes(), true)
}

fn play(args: &PlayArgs) -> anyhow::Result<()> {
    let all = args.own.read_openings()?;
    let text: Vec<String> = all.iter().map(ToString::to_string).collect();
    let checksum = sha256_hex(text.join("\n").as_bytes());
    let stop = contest::stop_token()?;
    for &(nodes, pairs) in &args.controls {
        let mut results = read_results(&args.results)?;
        let first = results.free_opening(&args.technique, &checksum, pairs);
        ensure!(
            first + pairs <= all.len(),
            "{} openings of {} are left that '{}' was not measured from: name another file",
            all.len().saturating_sub(first),
            all.len(),
            args.technique
        );
        let file = args.own.openings.as_deref().map_or("built in".to_string(), name_of);
        let openings = Openings { file, checksum: checksum.clone(), first, count: pairs };
        let row = measure(args, nodes, &all[first..first + pairs], openings, &stop)?;
        println!("{}", Results { rows: vec![row.clone()] }.table());
        results.rows.push(row);
        write_file(&args.results, results.to_text()?.as_bytes(), true)?;
    }
    Ok(())
}

fn measure(
    args: &PlayArgs,
    nodes: u64,
    openings: &[Setup],
    used: Openings,
    stop: &StopToken,
) -> anyhow::Result<Measurement> {
    let contest = args.own.contest(OwnContest {
        sides: [("changed", &args.set), ("default", &[])],
        nodes,
        openings: openings.to_vec(),
        pairs: openings.len(),
        seed: 1,
    })?;
    let search = contest.identity()?.parts.remove("search").unwrap_or_default();
    std::fs::create_dir_all(&args.own.out)
        .with_context(|| format!("cannot make the folder {}", args.own.out.display()))?;
    let folder = args.own.out.join(format!("{nodes}-{}", used.first));
    let Outcome { standings, .. } = contest::play_until(&contest, &folder, stop)?;
    let changed = &standings.rows[0];
    Ok(Measurement {
        technique: args.technique.clone(),
        changed: args.set.clone(),
        common: args.own.common.iter().map(|pair| without_folder(pair)).collect(),
        nodes,
        openings: used,
        games: [changed.wins, changed.draws, changed.losses],
        pairs: standings.pairs.0,
        faults: standings.faults(),
        search,
    })
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A setting whose value is a file, by the file's name alone.
fn without_folder(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, value)) if value.contains('/') => {
            format!("{name}={}", name_of(Path::new(value)))
        }
        _ => pair.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_settings_are_read() {
        assert_eq!(control("10000x500"), Ok((10_000, 500)));
        for wrong in ["", "10000", "x", "0x5", "5x0", "ax5"] {
            assert!(control(wrong).is_err(), "{wrong}");
        }
        assert_eq!(without_folder("EvalFile=/a/b/c.nn"), "EvalFile=c.nn");
        assert_eq!(without_folder("lmr.terms=true"), "lmr.terms=true");
    }
}
