//! Perft speed beside two peers, the crates `haitaka` and `rsshogi`, on the same positions in one
//! run, one thread: `cargo bench -p yomikiri-shogi --bench perft`.
//!
//! The three take turns, several rounds each, and the best round of each counts; times are CPU
//! time, so that other work on the machine disturbs little.
//!
//! `-- ROUNDS POSITION` sets the number of rounds and picks one position (start, matsuri, 593).
//! `-- --ours POSITION MODE` runs ours alone, once, for a profiler or an instruction counter.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![allow(missing_docs)]
// The peer's own perft takes moves back by an unsafe call; so must ours of it, to be fair.
#![allow(unsafe_code)]

use rsshogi::board::Move32List;
use yomikiri_shogi::Position;
use yomikiri_shogi::perft::{Leaves, perft};

struct Case {
    name: &'static str,
    sfen: &'static str,
    depth: u32,
    nodes: u64,
}

const CASES: [Case; 3] = [
    Case {
        name: "start",
        sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        depth: 5,
        nodes: 19_861_490,
    },
    Case {
        name: "matsuri",
        sfen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        depth: 4,
        nodes: 516_925_165,
    },
    Case {
        name: "593 moves",
        sfen: "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        depth: 3,
        nodes: 53_393_368,
    },
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [flag, name, mode] = &words[..]
        && flag == "--ours"
    {
        let case = CASES.iter().find(|case| case.name.starts_with(name.as_str()));
        let leaves = if mode == "bulk" { Leaves::Counted } else { Leaves::Played };
        let case = case.expect("a known position");
        println!("{}", ours(case, leaves));
        return;
    }
    let rounds: u32 = words.first().map_or(2, |word| word.parse().expect("a number of rounds"));
    println!("M nodes per CPU second, best of {rounds} rounds; in brackets ours / peer");
    let wanted = words.get(1).map_or("", String::as_str);
    for case in CASES.iter().filter(|case| case.name.starts_with(wanted)) {
        for leaves in [Leaves::Counted, Leaves::Played] {
            compare(case, leaves, rounds);
        }
    }
}

/// Counts the leaves of a case in one of the two modes.
type Run = fn(&Case, Leaves) -> u64;

fn compare(case: &Case, leaves: Leaves, rounds: u32) {
    let runs: [(&str, Run); 3] =
        [("yomikiri", ours), ("haitaka", of_haitaka), ("rsshogi", of_rsshogi)];
    let mut best = [f64::INFINITY; 3];
    for _ in 0..rounds {
        for (best, (name, run)) in best.iter_mut().zip(runs) {
            let before = cpu_seconds();
            let nodes = run(case, leaves);
            *best = best.min(cpu_seconds() - before);
            assert_eq!(nodes, case.nodes, "{name} on {}", case.name);
        }
    }
    let speed = best.map(|seconds| case.nodes as f64 / seconds / 1e6);
    let mode = if leaves == Leaves::Counted { "bulk" } else { "no bulk" };
    println!(
        "{:10} depth {} {mode:8} yomikiri {:7.1}   haitaka {:7.1} ({:.2})   rsshogi {:7.1} ({:.2})",
        case.name,
        case.depth,
        speed[0],
        speed[1],
        speed[0] / speed[1],
        speed[2],
        speed[0] / speed[2],
    );
}

/// CPU time of this thread where the system reports it, else the time of day.
fn cpu_seconds() -> f64 {
    let from_kernel = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next().and_then(|word| word.parse::<f64>().ok()));
    match from_kernel {
        Some(nanoseconds) => nanoseconds / 1e9,
        None => std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64()),
    }
}

fn ours(case: &Case, leaves: Leaves) -> u64 {
    perft(&mut Position::from_sfen(case.sfen).expect("valid"), case.depth, leaves)
}

fn of_haitaka(case: &Case, leaves: Leaves) -> u64 {
    let board = haitaka::Board::from_sfen(case.sfen).expect("valid");
    match leaves {
        Leaves::Counted => haitaka_bulk(&board, case.depth),
        Leaves::Played => haitaka_played(&board, case.depth),
    }
}

/// Board moves and drops are generated apart, which the peer's own example does and which is a
/// quarter faster than asking for both at once.
fn haitaka_bulk(board: &haitaka::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_board_moves(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        board.generate_drops(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        return nodes;
    }
    let mut descend = |moves: haitaka::PieceMoves| {
        for played in moves {
            let mut child = board.clone();
            child.play_unchecked(played);
            nodes += haitaka_bulk(&child, depth - 1);
        }
        false
    };
    board.generate_board_moves(&mut descend);
    board.generate_drops(&mut descend);
    nodes
}

fn haitaka_played(board: &haitaka::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    let mut descend = |moves: haitaka::PieceMoves| {
        for played in moves {
            let mut child = board.clone();
            child.play_unchecked(played);
            nodes += haitaka_played(&child, depth - 1);
        }
        false
    };
    board.generate_board_moves(&mut descend);
    board.generate_drops(&mut descend);
    nodes
}

fn of_rsshogi(case: &Case, leaves: Leaves) -> u64 {
    let mut position = rsshogi::board::position_from_sfen(case.sfen).expect("valid");
    position.init_stack();
    match leaves {
        Leaves::Counted => rsshogi::board::perft::compute_perft(&mut position, case.depth as u8),
        Leaves::Played => rsshogi_played(&mut position, case.depth),
    }
}

fn rsshogi_played(position: &mut rsshogi::board::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = Move32List::new();
    rsshogi::board::movegen::generate_legal_all_move32(position, &mut list);
    let mut nodes = 0;
    for &played in list.iter() {
        position.apply_move32(played);
        nodes += rsshogi_played(position, depth - 1);
        // SAFETY: this very move was applied just above.
        unsafe { position.undo_move32_unchecked(played) };
    }
    nodes
}
