//! Speed of the capture search, and its node sums as a checksum of behaviour.
//!
//! `cargo bench -p yomikiri-go [-- NODES]` prints, for heuristic moves and for all legal moves on
//! the first 19x19 problems of the regression suite: nodes, expansions per second of processor time
//! of the search thread's clock, children per second. For instructions per expansion run the binary
//! under `valgrind --tool=callgrind` with two node limits and divide the difference.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::Path;
use std::time::Duration;

use yomikiri_go::capture::{CaptureSettings, Ko, Moves, search};
use yomikiri_go::problem::{self, CaptureProblem};
use yomikiri_proof::widening::Width;

const PROBLEMS: usize = 12;
const NODES: u64 = 20_000;

fn problems() -> Vec<CaptureProblem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/go/go_gnugo_capture.jsonl");
    let text = std::fs::read_to_string(path).expect("the problem set is in the tree");
    let all = problem::read(&text).expect("the problem set can be read");
    all.into_iter().filter(|problem| problem.board.size() == 19).take(PROBLEMS).collect()
}

fn main() {
    let wanted = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let nodes = wanted.unwrap_or(NODES);
    let problems = problems();
    println!("{PROBLEMS} problems, 19x19, at most {nodes} nodes each");
    for (name, moves, width) in [
        ("heuristic, plain", Moves::Heuristic, Width::All),
        ("all legal, plain", Moves::All, Width::All),
        ("all legal, top 5", Moves::All, Width::Top(5)),
        ("all legal, rate 2", Moves::All, Width::Rate(2)),
    ] {
        let settings = CaptureSettings { moves, width, nodes, ..CaptureSettings::default() };
        let (mut visited, mut expanded, mut children) = (0, 0, 0);
        let mut elapsed = Duration::ZERO;
        for problem in &problems {
            let found =
                search(&problem.board, problem.target, problem.first, Ko::Simple, &settings)
                    .expect("every problem has a target");
            visited += found.nodes;
            expanded += found.counts.expanded;
            children += found.counts.candidates;
            elapsed += found.elapsed;
        }
        let rate = |count: u64| count as f64 / elapsed.as_secs_f64();
        println!(
            "{name:<18} nodes {visited:>8}  expansions/s {:>9.0}  children/s {:>10.0}  children each {:>6.1}",
            rate(expanded),
            rate(children),
            children as f64 / expanded.max(1) as f64
        );
    }
}
