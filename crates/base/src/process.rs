//! What the system says about this process: processor time and memory. Only on Linux; elsewhere
//! there is no answer.

use std::time::{Duration, Instant};

/// Measures what this thread has worked, where the system reports it, or else the time that has
/// passed: on a busy machine only the first says how fast the program is.
pub struct CpuStopwatch {
    worked: Option<Duration>,
    began: Instant,
}

impl CpuStopwatch {
    /// Begins now.
    #[must_use]
    pub fn start() -> CpuStopwatch {
        CpuStopwatch { worked: thread_time(), began: Instant::now() }
    }

    /// The time since it began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        match (self.worked, thread_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.began.elapsed(),
        }
    }
}

/// The time that this thread has spent on a processor.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// How many processors there are to work with.
#[must_use]
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Seconds of processor time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProcessorTimes {
    /// Of this process.
    pub own: f64,
    /// Of the processes that it started and that have ended.
    pub children: f64,
}

/// The processor time so far.
#[must_use]
pub fn processor_times() -> Option<ProcessorTimes> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field, the program's name in parentheses, may hold spaces.
    let (_, fields) = text.rsplit_once(')')?;
    let fields = fields.split_whitespace().skip(11).take(4);
    let fields: Vec<f64> = fields.filter_map(|field| field.parse().ok()).collect();
    let [user, system, child_user, child_system] = fields[..] else { return None };
    // Linux counts in hundredths of a second for every program.
    let [own, children] = [user + system, child_user + child_system].map(|it| it / 100.0);
    Some(ProcessorTimes { own, children })
}

/// Lets the record of the most memory used begin anew, so that problems do not answer for one
/// another.
pub fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory used since [`forget_peak_memory`], in MiB.
#[must_use]
pub fn peak_memory_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()?.div_ceil(1024))
}
