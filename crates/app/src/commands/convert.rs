//! `yomikiri convert IN OUT`: records from any format into any other.

use crate::input::{format_of, is_standard, read_bytes, stem, teller};
use crate::output::{ensure_writable, make_folder, print_record, write_file};
use anyhow::{Context, bail};
use std::collections::BTreeSet;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use yomikiri_base::Progress;
use yomikiri_shogi::record::{Format, Loss, Record, games, losses, read};

/// What to convert, into what.
#[derive(clap::Args)]
#[command(
    after_help = "Formats: csa (2.2), csa3 (3.0), kif and ki2 (Shift-JIS), kifu and ki2u (UTF-8), jkf, usi\n\
    (position lines), sfen (every position), tsv (games one a line), psv, hcpe (training\n\
    positions), bod (the last position as a board). The encoding of a file is found out, whatever\n\
    its name says; files that end in .zst or .gz are packed. What a format cannot hold is named on\n\
    standard error, file by file.\n\n\
    Examples:\n  yomikiri convert game.kif game.csa\n  yomikiri convert games/ out/ --to kifu\n  \
    yomikiri convert --strict game.kif game.usi\n  \
    yomikiri convert - - --from kif --to csa < game.kif\n  \
    yomikiri convert data/games_engine.tsv.zst training.psv"
)]
pub struct Args {
    /// A record, a folder of records, or `-` for standard input
    input: PathBuf,
    /// The file or folder to write, or `-` for standard output
    output: PathBuf,
    /// The format of the input; told by the file's ending if not given, or by its beginning if it
    /// has no name
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// The format to write; told by the file's ending if not given
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Write nothing that would lose a part of the record: comments, variations, times, headers
    #[arg(long)]
    strict: bool,
}

/// What was written so far, and how many games could not be.
#[derive(Default)]
struct Tally {
    games: usize,
    bad: usize,
    /// Two inputs must not end in one file.
    written: BTreeSet<PathBuf>,
}

/// Converts a file or every record of a folder.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut tally = Tally::default();
    let to_folder =
        !is_standard(&args.output) && args.output.is_dir() || ends_with_separator(&args.output);
    if args.input.is_dir() {
        convert_folder(args, &mut tally)?;
    } else if to_folder {
        let to = args.to.context("say with --to which format the folder is to get")?;
        make_folder(&args.output)?;
        let name = match is_standard(&args.input) {
            true => "stdin".as_ref(),
            false => args.input.file_name().unwrap_or_default(),
        };
        convert_file(&args.input, &args.output.join(name), to, args, &mut tally)?;
    } else {
        into_one_file(args, &mut tally)?;
    }
    let games = if tally.games == 1 { "game" } else { "games" };
    eprintln!("{} {games} converted", tally.games);
    if tally.bad > 0 {
        bail!("{} games could not be read and are left out", tally.bad);
    }
    Ok(())
}

fn into_one_file(args: &Args, tally: &mut Tally) -> anyhow::Result<()> {
    let to = args.to.or_else(|| Format::of_file_name(&args.output.to_string_lossy()));
    let to = to.with_context(|| {
        format!("{}: the ending tells no format; say it with --to", args.output.display())
    })?;
    if !is_standard(&args.output) {
        ensure_writable(&args.output, args.force)?;
    } else if matches!(to, Format::Psv | Format::Hcpe) && std::io::stdout().is_terminal() {
        bail!("{to} is no text: send it to a file or a program, not to the terminal");
    }
    let records = load(&args.input, args.from, tally)?;
    report_losses(&args.input, &records, to, args)?;
    let bytes = to.write(&records).map_err(|error| {
        let hint = if records.len() > 1 && !to.holds_many() {
            "; give a folder to get a file for each game"
        } else {
            ""
        };
        anyhow::anyhow!("{}: {error}{hint}", args.input.display())
    })?;
    match is_standard(&args.output) {
        true => print_record(&bytes),
        false => save(&args.output, bytes, args.force, tally)?,
    }
    tally.games += records.len();
    Ok(())
}

/// Says what of a file's records the format cannot hold; with `--strict` that is an error.
fn report_losses(path: &Path, records: &[Record], to: Format, args: &Args) -> anyhow::Result<()> {
    let lost: Vec<String> = losses(records, to).iter().map(Loss::to_string).collect();
    if lost.is_empty() {
        return Ok(());
    }
    let message = format!("{}: {to} cannot hold {}", path.display(), lost.join(", "));
    if args.strict {
        bail!("{message}");
    }
    eprintln!("yomikiri: {message}");
    Ok(())
}

fn ends_with_separator(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

/// Converts what can be converted, names what cannot, and fails at the end if there was any.
fn convert_folder(args: &Args, tally: &mut Tally) -> anyhow::Result<()> {
    let to = args.to.context("say with --to which format the folder is to get")?;
    if is_standard(&args.output) {
        bail!("the records of a folder go into a folder, not to standard output");
    }
    make_folder(&args.output)?;
    let mut files = Vec::new();
    collect(&args.input, &mut files)
        .with_context(|| format!("cannot read the folder {}", args.input.display()))?;
    let known = |path: &PathBuf| {
        args.from.is_some() || Format::of_file_name(&path.to_string_lossy()).is_some()
    };
    let (files, skipped): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(known);
    let bar = Progress::new(files.len(), 0);
    let mut failed = 0;
    for path in &files {
        let inside = path.strip_prefix(&args.input).unwrap_or(path);
        let target = args.output.join(inside);
        let converted = bar.suspend(|| convert_file(path, &target, to, args, tally));
        if let Err(error) = converted {
            failed += 1;
            bar.suspend(|| eprintln!("yomikiri: {error:#}"));
        }
        bar.advance();
    }
    bar.finish();
    if !skipped.is_empty() {
        eprintln!("{} files of no known format left alone", skipped.len());
    }
    if failed > 0 {
        eprintln!("{} games of {} files converted", tally.games, files.len() - failed);
        bail!("{failed} of {} files could not be converted", files.len());
    }
    Ok(())
}

/// All files under a folder, in order. Links to folders are not followed: they may lead in circles.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), files)?;
        } else if entry.path().is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Converts one file into a file beside `target` with the ending of the format, or into one file
/// for each game where the format holds one.
fn convert_file(
    path: &Path,
    target: &Path,
    to: Format,
    args: &Args,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let records = load(path, args.from, tally)?;
    report_losses(path, &records, to, args)?;
    if let Some(folder) = target.parent() {
        // A folder of the input has its like in the output.
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let stem = stem(target);
    let file = |number: Option<usize>| {
        let number = number.map_or(String::new(), |number| format!("-{number:04}"));
        target.with_file_name(format!("{stem}{number}.{}", to.extension()))
    };
    let parts: Vec<(PathBuf, &[Record])> = if to.holds_many() || records.len() == 1 {
        vec![(file(None), records.as_slice())]
    } else {
        records.iter().zip(1..).map(|(r, n)| (file(Some(n)), std::slice::from_ref(r))).collect()
    };
    for (file, records) in parts {
        let bytes = to.write(records).with_context(|| format!("{} as {to}", path.display()))?;
        save(&file, bytes, args.force, tally)?;
        tally.games += records.len();
    }
    Ok(())
}

/// The records of a file. In a file of games one a line, lines that cannot be read are named and
/// counted, and the others are kept.
fn load(path: &Path, from: Option<Format>, tally: &mut Tally) -> anyhow::Result<Vec<Record>> {
    let name = path.display();
    let unknown = || format!("{name}: {} tells no format; say it with --from", teller(path));
    if !is_standard(path) {
        from.or_else(|| format_of(path, &[])).with_context(unknown)?;
    }
    let bytes = read_bytes(path)?;
    let format = from.or_else(|| format_of(path, &bytes)).with_context(unknown)?;
    if format != Format::Tsv {
        return read(&bytes, format).with_context(|| format!("{name} (as {format})"));
    }
    let (mut records, before) = (Vec::new(), tally.bad);
    for game in games::Games::new(bytes.as_slice()) {
        match game {
            Ok(game) => records.push(game.to_record()),
            Err(error) => {
                tally.bad += 1;
                eprintln!("yomikiri: {name}: {error}");
            }
        }
    }
    if records.is_empty() {
        bail!(
            "{name}: {}",
            if tally.bad > before { "none of its games can be read" } else { "no game in it" }
        );
    }
    Ok(records)
}

fn save(path: &Path, bytes: Vec<u8>, force: bool, tally: &mut Tally) -> anyhow::Result<()> {
    if tally.written.contains(path) {
        bail!("{} was just written from another record", path.display());
    }
    let packed = match path.extension().and_then(|ending| ending.to_str()) {
        Some("zst") => zstd::encode_all(bytes.as_slice(), 0)?,
        Some("gz") => {
            let level = flate2::Compression::default();
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), level);
            packer.write_all(&bytes)?;
            packer.finish()?
        }
        _ => bytes,
    };
    write_file(path, &packed, force)?;
    tally.written.insert(path.to_owned());
    Ok(())
}
