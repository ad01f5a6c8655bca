//! Widths as command lines and plans write them.

use super::Width;
use std::fmt;
use std::str::FromStr;

/// A text that is no [`Width`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoWidth;

impl fmt::Display for NoWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected all, top:N or rate:N with N above 0")
    }
}

impl std::error::Error for NoWidth {}

impl FromStr for Width {
    type Err = NoWidth;

    fn from_str(text: &str) -> Result<Width, NoWidth> {
        if text == "all" {
            return Ok(Width::All);
        }
        let (kind, count) = text.split_once(':').ok_or(NoWidth)?;
        let count: u32 = count.parse().ok().filter(|&count| count > 0).ok_or(NoWidth)?;
        match kind {
            "top" => Ok(Width::Top(count)),
            "rate" => Ok(Width::Rate(count)),
            _ => Err(NoWidth),
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Width::All => f.write_str("all"),
            Width::Top(count) => write!(f, "top:{count}"),
            Width::Rate(count) => write!(f, "rate:{count}"),
        }
    }
}
