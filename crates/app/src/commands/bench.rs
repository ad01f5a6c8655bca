//! `yomikiri bench`: how many nodes a fixed set of searches takes, and how fast they are.

use std::time::{Duration, Instant};
use yomikiri_base::Clock;
use yomikiri_engine::{Engine, EngineError, Limits, Settings, bench, on_deep_stack};
use yomikiri_shogi::perft::{Leaves, perft};

/// Depth to which the move sequences of the positions are counted.
const PERFT_DEPTH: u32 = 3;

/// What to search with.
#[derive(clap::Args)]
pub struct Args {
    /// Depth of each search, in plies
    #[arg(long, default_value_t = bench::DEPTH)]
    depth: i32,
    /// Search to the depth where the engine is used, which takes twenty times as long; with
    /// --signatures, print the checksum of that alone
    #[arg(long, conflicts_with = "depth")]
    long: bool,
    /// Set an engine option, as NAME=VALUE; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Print the behaviour checksums of bench/signature.txt instead, one a line
    #[arg(long, conflicts_with_all = ["depth", "set"])]
    signatures: bool,
}

/// Searches the positions, one thread, and sums up.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.signatures && args.long {
        let searches = searches(default_settings(), bench::LONG_DEPTH)?;
        println!("search-long {}", searches.iter().map(|search| search.nodes).sum::<u64>());
        return Ok(());
    }
    if args.signatures {
        return print_signatures();
    }
    let depth = if args.long { bench::LONG_DEPTH } else { args.depth };
    let mut settings = default_settings();
    for pair in &args.set {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| anyhow::anyhow!("--set takes NAME=VALUE, not '{pair}'"))?;
        settings.set(name, value)?;
    }
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for search in searches(settings, depth)? {
        println!(
            "{:12} {:>6} {:>10} nodes {:>9} nps",
            search.name,
            search.best,
            search.nodes,
            rate(search.nodes, search.time),
        );
        nodes += search.nodes;
        time += search.time;
    }
    println!("{nodes} nodes");
    println!("{} nps", rate(nodes, time));
    Ok(())
}

fn default_settings() -> Settings {
    Settings::with_hash(64)
}

/// The search of one position.
struct Search {
    name: &'static str,
    best: String,
    nodes: u64,
    time: Duration,
}

/// Searches one position after the other, each from an empty table.
fn searches(settings: Settings, depth: i32) -> Result<Vec<Search>, EngineError> {
    let mut engine = Engine::new(settings)?;
    let clock = Clock::system();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    // On one thread with everything, since the time is that of a thread.
    Ok(on_deep_stack(|stack| {
        engine.set_stack(stack);
        let search = |(name, position)| {
            engine.new_game();
            let started = Stopwatch::start();
            let outcome = engine.run(&position, &limits, &clock, &mut |_| {});
            let time = started.elapsed();
            let best = outcome.best.map_or("-".to_string(), |best| best.to_string());
            Search { name, best, nodes: outcome.nodes, time }
        };
        bench::positions().map(search).collect()
    }))
}

/// The sums that change only when behaviour does: searched nodes, move sequences, and the nodes of
/// fixed mate and capture problems.
fn print_signatures() -> anyhow::Result<()> {
    let searches = searches(default_settings(), bench::DEPTH)?;
    println!("search {}", searches.iter().map(|search| search.nodes).sum::<u64>());
    let sequences: u64 = bench::positions()
        .map(|(_, mut position)| perft(&mut position, PERFT_DEPTH, Leaves::Counted))
        .sum();
    println!("perft {sequences}");
    println!("tsume {}", yomikiri_tsume::bench::signature());
    println!("go {}", yomikiri_go::capture::signature());
    Ok(())
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
