//! `yomikiri bench`: how many nodes a fixed set of searches takes, and how fast they are.

use yomikiri_engine::bench::{self, DEPTH, LONG_DEPTH, searches};

/// What to search with.
#[derive(clap::Args)]
pub struct Args {
    /// Depth of each search, in plies
    #[arg(long, default_value_t = DEPTH)]
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
    let mut settings = bench::settings();
    for pair in &args.set {
        settings.set_pair(pair)?;
    }
    let depth = if args.long { LONG_DEPTH } else { args.depth };
    let searches = searches(settings, depth)?;
    let nodes: u64 = searches.iter().map(|search| search.nodes).sum();
    if args.signatures && args.long {
        println!("search-long {nodes}");
        return Ok(());
    }
    if args.signatures {
        println!("search {nodes}");
        println!("perft {}", bench::perft_signature());
        println!("tsume {}", yomikiri_tsume::bench::signature());
        println!("go {}", yomikiri_go::capture::signature());
        return Ok(());
    }
    print!("{}", bench::to_text(&searches));
    Ok(())
}
