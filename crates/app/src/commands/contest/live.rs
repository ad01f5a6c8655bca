//! The table while it grows: redrawn in a terminal, a line now and then elsewhere.

use crate::language;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use yomikiri_arena::contest::Watch;
use yomikiri_arena::contest::text::{ratings_table_in, two_player_summary_in};
use yomikiri_arena::standings::{OrderedTest, Standings};
use yomikiri_text::Match;

fn words() -> Match {
    Match(language::get())
}

/// What is on the screen.
pub struct Live {
    folder: PathBuf,
    terminal: bool,
    lines: usize,
    shown: Option<Instant>,
    begun: Instant,
    already: usize,
    finished: usize,
    total: usize,
}

impl Live {
    /// Nothing yet, of the contest in this folder.
    pub fn new(folder: &Path) -> Live {
        Live {
            folder: folder.to_path_buf(),
            terminal: std::io::stderr().is_terminal(),
            lines: 0,
            shown: None,
            begun: Instant::now(),
            already: 0,
            finished: 0,
            total: 0,
        }
    }

    fn status(&self) -> String {
        let minutes = self.begun.elapsed().as_secs_f64() / 60.0;
        let rate = (self.finished - self.already) as f64 / minutes.max(1e-6);
        let left = (self.total - self.finished) as f64 / rate.max(1e-6);
        let rate = format!("{rate:.1}");
        words().status(self.finished, self.total, rate, duration(left))
    }

    /// The last table stays on the screen only if it is not followed by the final one.
    pub fn done(&self) {
        if self.terminal && self.lines > 0 {
            let _ = write!(std::io::stderr(), "\x1b[{}A\x1b[J", self.lines);
        }
        let played = self.finished - self.already;
        if played > 0 {
            let seconds = self.begun.elapsed().as_secs_f64();
            let rate = played as f64 / (seconds / 60.0).max(1e-6);
            let (seconds, rate) = (format!("{seconds:.1}"), format!("{rate:.1}"));
            eprintln!("{}", words().played(played, seconds, rate));
        }
    }
}

impl Watch for Live {
    fn begins(&mut self, finished: usize, missing: usize) {
        (self.already, self.finished) = (finished, finished);
        self.total = finished + missing;
        self.begun = Instant::now();
        if finished > 0 {
            eprintln!("{}", words().goes_on(self.folder.display(), finished, missing));
        }
    }

    /// Shows the table if the last time is long enough ago.
    fn game(&mut self, standings: &Standings, test: Option<&OrderedTest>) {
        self.finished += 1;
        let every = Duration::from_secs(if self.terminal { 1 } else { 30 });
        if self.shown.is_some_and(|shown| shown.elapsed() < every) {
            return;
        }
        self.shown = Some(Instant::now());
        let mut text = String::new();
        if self.terminal {
            text.push_str(&ratings_table_in(language::get(), standings, true));
        }
        text.push_str(&two_player_summary_in(language::get(), standings, test));
        text.push_str(&self.status());
        text.push('\n');
        let mut screen = std::io::stderr().lock();
        if self.terminal && self.lines > 0 {
            // Back to where the last table began, and clear to the end of the screen.
            let _ = write!(screen, "\x1b[{}A\x1b[J", self.lines);
        }
        // A screen that is gone shows nothing; the games go on.
        let _ = screen.write_all(text.as_bytes());
        self.lines = text.lines().count();
    }
}

fn duration(minutes: f64) -> String {
    if minutes < 1.0 {
        format!("{:.0} s", minutes * 60.0)
    } else if minutes < 90.0 {
        format!("{minutes:.0} min")
    } else {
        format!("{:.1} h", minutes / 60.0)
    }
}
