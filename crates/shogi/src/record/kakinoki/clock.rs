//! Clock times: `( 0:02/00:00:02)`.

use core::time::Duration;

/// The time spent on a move, from what follows the opening bracket. `None` if it is no time.
pub(super) fn read(text: &str) -> Option<Duration> {
    let spent = text.split(['/', ')']).next()?.trim();
    let mut seconds: u64 = 0;
    let (whole, part) = spent.split_once('.').unwrap_or((spent, ""));
    if !whole.contains(':') {
        return None;
    }
    for field in whole.split(':') {
        let value: u64 = field.trim().parse().ok().filter(|&value| value < 1_000_000)?;
        seconds = seconds.checked_mul(60)?.checked_add(value)?;
    }
    if seconds > 366 * 86_400 || !part.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let millis: u64 = format!("{part:0<3}")[..3].parse().ok()?;
    Some(Duration::from_millis(1000 * seconds + millis))
}

/// The time of a move and the player's total so far.
pub(super) fn write(spent: Duration, total: Duration) -> String {
    let (spent, total) = (spent.as_secs(), total.as_secs());
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    format!("({:2}:{:02}/{hours:02}:{minutes:02}:{seconds:02})", spent / 60, spent % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        let spent = read(" 1:02/00:03:04)").unwrap();
        assert_eq!(spent, Duration::from_secs(62));
        assert_eq!(write(spent, Duration::from_secs(184)), "( 1:02/00:03:04)");
        assert_eq!(read("1:00:00)"), Some(Duration::from_secs(3600)));
        assert_eq!(read("0:01.5/)"), Some(Duration::from_millis(1500)));
        for bad in ["77)", "x:y)", "", "1:99999999999999999999)", "0:1.x)"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
