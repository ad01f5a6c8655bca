//! Size limits: lines of a function, a file and the command line, fields of a struct, columns of a
//! comment; and that the files named in the documents exist. What is still over a limit stands in a
//! list of exceptions that may only shrink.

mod exceptions;
mod measure;
mod paths;

use crate::tools::root;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The list of exceptions, from the root of the checkout.
const EXCEPTIONS: &str = "crates/xtask/style-exceptions.txt";

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Limit {
    /// Lines of a file outside its unit tests.
    File,
    /// Lines of a function from `fn` to its closing brace.
    Function,
    /// Fields of a struct.
    Struct,
    /// Comment lines of a file that are too wide.
    Comments,
}

/// The command line, which keeps its options and the terminal, in fewer lines than this.
const FACE: &str = "crates/app/src";
const FACE_LINES: usize = 4000;

/// The most columns of a comment line.
const COMMENT_COLUMNS: usize = 100;

impl Limit {
    const ALL: [Limit; 4] = [Limit::File, Limit::Function, Limit::Struct, Limit::Comments];

    fn most(self) -> usize {
        match self {
            Limit::File => 500,
            Limit::Function => 60,
            Limit::Struct => 20,
            Limit::Comments => 0,
        }
    }

    /// The word for it in the list of exceptions.
    fn word(self) -> &'static str {
        match self {
            Limit::File => "file",
            Limit::Function => "function",
            Limit::Struct => "struct",
            Limit::Comments => "comments",
        }
    }
}

/// What has a size: a file, or a function or struct in it (then with a name).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    limit: Limit,
    path: String,
    name: String,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.limit.word(), self.path)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}

/// Items over their limit, with their size.
type Sizes = BTreeMap<Item, usize>;

/// Fails if something is over its limit without an exception, an exception is not needed, or a
/// document names a file that is not there.
pub fn check() -> Result<()> {
    let root = root()?;
    let mut complaints = exceptions::compare(&measure::tree(&root)?, &exceptions::read(&root)?);
    let face = measure::lines_below(&root.join(FACE))?;
    if face >= FACE_LINES {
        complaints.push(format!(
            "{FACE} has {face} lines, and fewer than {FACE_LINES} are wanted: options and the \
             terminal stay, everything else belongs to a crate below"
        ));
    }
    complaints.extend(paths::missing(&root)?);
    if !complaints.is_empty() {
        bail!("{}", complaints.join("\n"));
    }
    Ok(())
}

/// Lowers the exceptions to the sizes of today and drops those that are not needed.
pub fn shrink() -> Result<()> {
    let root = root()?;
    let shrunk = exceptions::shrink(&measure::tree(&root)?, exceptions::read(&root)?);
    let path = root.join(EXCEPTIONS);
    std::fs::write(&path, exceptions::write(&shrunk))
        .with_context(|| format!("{} cannot be written", path.display()))?;
    check()
}

fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_checkout_keeps_to_the_limits() {
        super::check().unwrap();
    }
}
