//! `yomikiri bench`: how many nodes a fixed set of searches takes, and how fast they are.

use std::time::{Duration, Instant};
use yomikiri_base::Clock;
use yomikiri_engine::{Engine, Limits, Settings, bench, on_deep_stack};

/// What to search with.
#[derive(clap::Args)]
pub struct Args {
    /// Depth of each search, in plies
    #[arg(long, default_value_t = bench::DEPTH)]
    depth: i32,
    /// Set an engine option, as NAME=VALUE; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// Searches the positions, one thread, and sums up.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut settings = Settings::with_hash(64);
    for pair in &args.set {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| anyhow::anyhow!("--set takes NAME=VALUE, not '{pair}'"))?;
        settings.set(name, value)?;
    }
    let mut engine = Engine::new(settings)?;
    // On one thread with everything, since the time is that of a thread.
    on_deep_stack(|stack| {
        engine.set_stack(stack);
        measure(&mut engine, args.depth);
    });
    Ok(())
}

fn measure(engine: &mut Engine, depth: i32) {
    let clock = Clock::system();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (name, position) in bench::positions() {
        engine.new_game();
        let started = Stopwatch::start();
        let outcome = engine.run(&position, &limits, &clock, &mut |_| {});
        let spent = started.elapsed();
        println!(
            "{name:12} {:>6} {:>10} nodes {:>9} nps",
            outcome.best.map_or("-".to_string(), |best| best.to_string()),
            outcome.nodes,
            rate(outcome.nodes, spent),
        );
        nodes += outcome.nodes;
        time += spent;
    }
    println!("{nodes} nodes");
    println!("{} nps", rate(nodes, time));
}

/// Measures what this thread has worked, where the system tells (Linux), or else the time that
/// has passed: on a busy machine only the first says how fast the program is.
struct Stopwatch {
    worked: Option<Duration>,
    began: Instant,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { worked: worked(), began: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        match (self.worked, worked()) {
            (Some(before), Some(now)) => now - before,
            _ => self.began.elapsed(),
        }
    }
}

/// The time this thread has spent on a processor.
fn worked() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn rate(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64
}
