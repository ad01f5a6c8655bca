//! The processors' time that this process and its engines took.

use core::fmt;
use yomikiri_text::Match;

/// Seconds of processor time.
pub struct Times {
    own: f64,
    engines: f64,
}

/// Asks the system; only Linux tells. Engines count when they have ended.
pub fn times() -> Option<Times> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field, the program's name in parentheses, may hold spaces.
    let fields: Vec<f64> = text
        .rsplit_once(')')?
        .1
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|field| field.parse().ok())
        .collect();
    let [user, system, child_user, child_system] = fields[..] else { return None };
    // Linux counts in hundredths of a second for every program.
    Some(Times { own: (user + system) / 100.0, engines: (child_user + child_system) / 100.0 })
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.own / (self.own + self.engines).max(0.01);
        let (engines, own) = (format!("{:.1}", self.engines), format!("{:.2}", self.own));
        let words = Match(crate::language::get());
        f.write_str(&words.processor_time(engines, own, format!("{share:.2}")))
    }
}
