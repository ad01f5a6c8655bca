//! `yomikiri convert IN OUT`: records from any format into any other.

use crate::input::source;
use crate::language;
use crate::output::{ensure_writable, make_folder, print_record};
use anyhow::{Context, bail};
use std::io::IsTerminal;
use std::path::PathBuf;
use yomikiri_base::Progress;
use yomikiri_base::packed::is_standard;
use yomikiri_runs::RecordFiles;
use yomikiri_shogi::record::Format;
use yomikiri_shogi::record::convert::Converter;
use yomikiri_text::counted;

/// What to convert, into what.
#[derive(clap::Args)]
pub struct Args {
    /// A record, a folder of records, or `-` for standard input
    input: PathBuf,
    /// The file or folder to write, or `-` for standard output
    output: PathBuf,
    /// The format of the input; taken from the file's ending if not given, or from its beginning if
    /// it has no name
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// The format to write; taken from the file's ending if not given
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Write nothing that would lose a part of the record: comments, variations, times, headers
    #[arg(long)]
    strict: bool,
}

/// Converts a file or every record of a folder.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let separator = args.output.to_string_lossy().ends_with(std::path::is_separator);
    let to_folder = !is_standard(&args.output) && args.output.is_dir() || separator;
    let whole = args.input.is_dir();
    let to = match args.to {
        Some(to) => to,
        None if whole || to_folder => {
            bail!("say with --to which format the folder is to get")
        }
        None => Format::of_file_name(&args.output.to_string_lossy()).with_context(|| {
            format!("{}: the ending names no format; say it with --to", args.output.display())
        })?,
    };
    let bar = if whole { Progress::new(0, 0) } else { Progress::silent() };
    let note = |text: &str| bar.suspend(|| eprintln!("yomikiri: {text}"));
    let mut files = RecordFiles::new(args.force, &note, language::get());
    let input = source([args.input.as_path()])?;
    let (from, strict) = (args.from, args.strict);
    let mut converter = Converter { from, to, strict, input, games: 0, bad: 0 };
    let done = match (whole, to_folder) {
        (true, _) => folder(args, &mut converter, &mut files, &bar),
        (false, true) => into_folder(args, &mut converter, &mut files),
        (false, false) => into_one_file(args, &mut converter, &mut files),
    };
    done?;
    eprintln!("{} converted", counted(converter.games, "game"));
    if converter.bad > 0 {
        bail!("{} could not be read", counted(converter.bad, "game"));
    }
    Ok(())
}

fn into_folder(
    args: &Args,
    converter: &mut Converter<'_>,
    files: &mut RecordFiles<'_>,
) -> anyhow::Result<()> {
    make_folder(&args.output)?;
    let name = match is_standard(&args.input) {
        true => "stdin".as_ref(),
        false => args.input.file_name().unwrap_or_default(),
    };
    Ok(converter.file(&args.input, &args.output.join(name), files)?)
}

fn into_one_file(
    args: &Args,
    converter: &mut Converter<'_>,
    files: &mut RecordFiles<'_>,
) -> anyhow::Result<()> {
    let to = converter.to;
    if !is_standard(&args.output) {
        ensure_writable(&args.output, args.force)?;
    } else if matches!(to, Format::Psv | Format::Hcpe) && std::io::stdout().is_terminal() {
        bail!("{to} is no text: send it to a file or a program, not to the terminal");
    }
    let bytes = converter.bytes(&args.input, files)?;
    match is_standard(&args.output) {
        true => print_record(&bytes),
        false => files.save(&args.output, bytes).map_err(anyhow::Error::msg)?,
    }
    Ok(())
}

/// Converts what can be converted, names what cannot, and fails at the end if there was any.
fn folder(
    args: &Args,
    converter: &mut Converter<'_>,
    files: &mut RecordFiles<'_>,
    bar: &Progress,
) -> anyhow::Result<()> {
    if is_standard(&args.output) {
        bail!("the records of a folder go into a folder, not to standard output");
    }
    make_folder(&args.output)?;
    let mut advance = |total: usize| {
        bar.set_total(total);
        bar.advance();
    };
    let done = converter.folder(&args.input, &args.output, files, &mut advance);
    bar.finish();
    let done = done.with_context(|| format!("cannot read the folder {}", args.input.display()))?;
    if done.skipped > 0 {
        eprintln!("{} of no known format left alone", counted(done.skipped, "file"));
    }
    if done.failed > 0 {
        let converted = counted(done.files - done.failed, "file");
        eprintln!("{} of {converted} converted", counted(converter.games, "game"));
        bail!("{} of {} could not be converted", done.failed, counted(done.files, "file"));
    }
    Ok(())
}
