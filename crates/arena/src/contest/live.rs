//! The table while it grows: redrawn in a terminal, a line now and then elsewhere.

use super::Watch;
use super::text::{live_text, pace};
use crate::standings::{OrderedTest, Standings};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use yomikiri_base::process::processor_times;
use yomikiri_text::{Language, Match};

/// What is on the screen.
pub struct Live<W> {
    screen: W,
    language: Language,
    folder: PathBuf,
    terminal: bool,
    lines: usize,
    shown: Option<Instant>,
    begun: Instant,
    already: usize,
    finished: usize,
    total: usize,
}

impl<W: Write> Live<W> {
    /// Nothing yet, of the contest in this folder; a terminal is drawn anew.
    pub fn new(folder: &Path, screen: W, terminal: bool, language: Language) -> Live<W> {
        Live {
            screen,
            language,
            folder: folder.to_path_buf(),
            terminal,
            lines: 0,
            shown: None,
            begun: Instant::now(),
            already: 0,
            finished: 0,
            total: 0,
        }
    }

    fn words(&self) -> Match {
        Match(self.language)
    }

    /// A screen that is gone shows nothing; the games go on.
    fn write(&mut self, text: &str) {
        let _ = self.screen.write_all(text.as_bytes());
    }

    /// Back to where the last table began, and clear to the end of the screen.
    fn clear(&mut self) {
        if self.terminal && self.lines > 0 {
            self.write(&format!("\x1b[{}A\x1b[J", self.lines));
        }
    }

    fn status(&self) -> String {
        let (played, left) = (self.finished - self.already, self.total - self.finished);
        let (rate, left) = pace(self.words(), played, left, self.begun.elapsed());
        self.words().status(self.finished, self.total, rate, left)
    }

    /// The last table stays on the screen only if it is not followed by the final one.
    pub fn done(&mut self) {
        self.clear();
        let played = self.finished - self.already;
        if played > 0 {
            let seconds = self.begun.elapsed().as_secs_f64();
            let rate = played as f64 / (seconds / 60.0).max(1e-6);
            let (seconds, rate) = (format!("{seconds:.1}"), format!("{rate:.1}"));
            let text = self.words().played(played, seconds, rate) + "\n";
            self.write(&text);
            self.note_times();
        }
    }

    /// What the processors did, where the system reports it. Engines count when they have ended.
    fn note_times(&mut self) {
        let Some(times) = processor_times() else { return };
        let share = 100.0 * times.own / (times.own + times.children).max(0.01);
        let (engines, own) = (format!("{:.1}", times.children), format!("{:.2}", times.own));
        let text = self.words().processor_time(engines, own, format!("{share:.2}")) + "\n";
        self.write(&text);
    }
}

impl<W: Write + Send> Watch for Live<W> {
    fn begins(&mut self, finished: usize, missing: usize) {
        (self.already, self.finished) = (finished, finished);
        self.total = finished + missing;
        self.begun = Instant::now();
        if finished > 0 {
            let text = self.words().goes_on(self.folder.display(), finished, missing) + "\n";
            self.write(&text);
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
        let table = self.terminal;
        let text = live_text(self.language, standings, test, table) + &self.status() + "\n";
        self.clear();
        self.write(&text);
        self.lines = text.lines().count();
    }
}
