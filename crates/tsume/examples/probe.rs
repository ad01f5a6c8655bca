//! Solves every problem of a file and prints what differs from the file's own column of lengths.
#![allow(clippy::print_stdout, clippy::print_stderr)]
use std::time::{Duration, Instant};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::Position;
use yomikiri_tsume::{MateSettings, MateSolver, Tsume, Verdict, attacker_of};

// Long: a script: options, then one run.
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).expect("a file");
    let secs: f64 = args[2].parse().expect("seconds");
    let threads: usize = args.get(3).map_or(1, |s| s.parse().expect("threads"));
    let shortest = args.get(4).is_none_or(|s| s == "short");
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let mut settings = MateSettings {
        limits: limits(secs, number("MIB", 4096), number("NODES", u64::MAX)),
        shortest,
        raw: number("RAW", 1) == 1,
        refute: true,
        certify: number("CERTIFY", 0) == 1,
        ..MateSettings::default()
    };
    settings.options.threads = threads;
    let mut solver = MateSolver::new(settings);
    let (mut total, mut mates, mut nomates, mut unknown, mut nodes, mut off) =
        (0, 0, 0, 0, 0_u64, 0);
    let start = Instant::now();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let mut columns = line.split('\t');
        let sfen = columns.next().unwrap_or_default();
        let expect: Option<u16> = columns.next().and_then(|s| s.parse().ok());
        let id = columns.next().unwrap_or("");
        let position = Position::from_problem_sfen(sfen).expect("a position");
        let attacker = attacker_of(&position);
        let solution = solver.solve(&Tsume::new(position, attacker), &mut |_| {});
        nodes += solution.nodes;
        total += 1;
        match solution.verdict {
            Verdict::Mate => mates += 1,
            Verdict::NoMate => nomates += 1,
            Verdict::Unknown(_) => unknown += 1,
        }
        let differs = solution.verdict != Verdict::Mate
            || expect.is_some_and(|e| e != solution.high)
            || !solution.is_exact()
            || solution.line.len() != usize::from(solution.high);
        off += u32::from(differs);
        let bound = solution.proven.as_ref().and_then(|proven| proven.proof.bound.as_ref());
        if secs >= 5.0 || differs {
            println!(
                "{id} {:?} [{}, {}] raw {} bound {:?} line {} expect {expect:?} verified {} nodes {} time {:.2} mem {}M coll {}",
                solution.verdict,
                solution.low,
                solution.high,
                solution.raw_length,
                bound.map(|bound| bound.positions.len()),
                solution.line.len(),
                solution.verified,
                solution.nodes,
                solution.elapsed.as_secs_f64(),
                solution.table_bytes >> 20,
                solver.solver().table().collections()
            );
        }
    }
    let t = start.elapsed().as_secs_f64();
    println!(
        "total {total} mates {mates} nomates {nomates} unknown {unknown} differs {off} nodes {nodes} time {t:.2}"
    );
}

fn limits(seconds: f64, mebibytes: u64, nodes: u64) -> ProofLimits {
    let memory = (mebibytes as usize) << 20;
    ProofLimits { memory, nodes, ..ProofLimits::time(Duration::from_secs_f64(seconds)) }
}
