//! Mines mates of 1 to 15 plies and near-misses from game records, with verified answers.
//!
//! `zstd -dc data/games_engine.tsv.zst | cargo run --release -p yomikiri-tsume --example mine >
//! data/tsume/mined.tsv`
//!
//! A game a line: `startpos moves ...`, then tab-separated columns that are ignored. The last plies
//! of each game are searched for the side to move; a near-miss is a position without mate in which
//! the search had to look hard.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::HashSet;
use std::io::{BufRead, stdin};

use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::Position;
use yomikiri_tsume::{MateSettings, MateSolver, Tsume, Verdict};

/// Problems kept of each length, and of near-misses.
const OF_EACH: usize = 40;
/// Games looked at: enough for the shorter lengths.
const GAMES: usize = 185;
/// How far back from the end of a game to look.
const LAST_PLIES: usize = 16;
/// Fewest nodes of a near-miss.
const HARD: u64 = 300;

fn main() {
    let limits = ProofLimits { memory: 64 << 20, ..ProofLimits::nodes(200_000) };
    let mut solver = MateSolver::new(MateSettings { limits, ..MateSettings::default() });
    let mut kept = [0_usize; 16];
    let mut missed = 0;
    let mut seen = HashSet::new();
    println!("# Mined from data/games_engine.tsv.zst by the example `mine` of yomikiri-tsume.");
    println!("# sfen\tresult\tlength\tid\tline");
    for (number, line) in stdin().lock().lines().take(GAMES).enumerate() {
        let Ok(line) = line else { break };
        let game = line.split('\t').next().unwrap_or_default();
        let Ok(end) = Position::from_usi(game) else { continue };
        let moves: Vec<_> = end.moves_played().collect();
        let Ok(mut position) = Position::from_usi("startpos") else { return };
        for (ply, &mv) in moves.iter().enumerate() {
            if ply + LAST_PLIES >= moves.len() && seen.insert(position.key()) {
                let attacker = position.side_to_move();
                let sfen = position.to_sfen();
                let problem = Position::from_sfen(&sfen).expect("what is written can be read");
                let solution = solver.solve(&Tsume::new(problem, attacker), &mut |_| {});
                let id = format!("engine-{}-{}", number + 1, ply);
                match solution.verdict {
                    Verdict::Mate if solution.is_exact() && solution.high <= 15 => {
                        let length = usize::from(solution.high);
                        if kept[length] < OF_EACH {
                            kept[length] += 1;
                            let line: Vec<_> =
                                solution.line.iter().map(ToString::to_string).collect();
                            println!("{sfen}\tmate\t{length}\t{id}\t{}", line.join(" "));
                        }
                    }
                    Verdict::NoMate if solution.nodes >= HARD && missed < 4 * OF_EACH => {
                        missed += 1;
                        println!("{sfen}\tnomate\t-\t{id}\t");
                    }
                    _ => {}
                }
            }
            position.play(mv);
        }
        let full = (1..16).step_by(2).all(|length| kept[length] >= OF_EACH);
        if full && missed >= 4 * OF_EACH {
            return;
        }
    }
}
