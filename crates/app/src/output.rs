//! Writing without harm: nothing is overwritten unasked, nothing is left half-written, and output
//! that cannot be written is an error, never a panic.
//!
//! The macros `print!`, `println!` and `eprintln!` below take the place of the standard ones in
//! the whole program. The standard ones panic when the device is full, and they pass control
//! characters of a file on to the terminal.

use crate::language;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::exit;
use yomikiri_base::output_files::{self, OutputError};
use yomikiri_play::file_words::output_error;
use yomikiri_text::{Files, in_language, printable};

fn words() -> Files {
    Files(language::get())
}

/// Prints to standard output; see [`print_text`].
macro_rules! print {
    ($($text:tt)*) => { $crate::output::print_text(&format!($($text)*)) };
}

/// Prints a line to standard output; see [`print_text`].
macro_rules! println {
    ($($text:tt)*) => { $crate::output::print_text(&(format!($($text)*) + "\n")) };
}

/// Prints a line of what came of a command, in the reader's language; see [`in_language`].
macro_rules! say {
    ($($text:tt)*) => {
        println!("{}", yomikiri_text::in_language(&format!($($text)*), crate::language::get()))
    };
}

/// Prints a line to standard error; see [`print_note`].
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::output::print_note(&(format!($($text)*) + "\n")) };
}

/// Prints text that may come from a file. If it cannot be written, the program ends: quietly if
/// the reader has gone (`yomikiri … | head`), else with a message and an exit code.
pub fn print_text(text: &str) {
    print_bytes(printable(text).as_bytes());
}

/// Prints to standard error. There is nowhere left to report a failure of that.
pub fn print_note(text: &str) {
    let text = in_language(text, language::get());
    let _ = io::stderr().lock().write_all(printable(&text).as_bytes());
}

/// Writes the bytes of a record to standard output. On a terminal they are text.
pub fn print_record(bytes: &[u8]) {
    match io::stdout().is_terminal() {
        true => print_text(&String::from_utf8_lossy(bytes)),
        false => print_bytes(bytes),
    }
}

fn print_bytes(bytes: &[u8]) {
    ensure_printed(io::stdout().lock().write_all(bytes));
}

/// Sends off what was printed; to be called before the program ends.
pub fn flush() {
    ensure_printed(io::stdout().flush());
}

/// Ends the program if standard output could not be written.
pub fn ensure_printed(result: io::Result<()>) {
    if let Err(error) = result {
        leave(&error);
    }
}

/// The end of a program whose output cannot be written. The signal that ends other programs then
/// stays off: a crashed engine's pipe must not end a match.
fn leave(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        exit(0);
    }
    print_note(&format!("yomikiri: {}: {error}\n", words().cannot_write_output()));
    exit(1);
}

/// Standard output as a writer; ends the program as [`print_text`] does.
pub struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        print_bytes(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        flush();
        Ok(())
    }
}

/// A file that is not written, in the language of the user.
fn said(error: OutputError) -> anyhow::Error {
    anyhow::Error::msg(output_error(&error, words()))
}

/// See [`output_files::ensure_free`].
pub fn ensure_free(path: &Path, force: bool) -> anyhow::Result<()> {
    output_files::ensure_free(path, force).map_err(said)
}

/// See [`output_files::ensure_writable`].
pub fn ensure_writable(path: &Path, force: bool) -> anyhow::Result<()> {
    output_files::ensure_writable(path, force).map_err(said)
}

/// See [`output_files::make_folder`].
pub fn make_folder(folder: &Path) -> anyhow::Result<()> {
    output_files::make_folder(folder).map_err(said)
}

/// See [`output_files::write_file`].
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    output_files::write_file(path, bytes, force).map_err(said)
}
