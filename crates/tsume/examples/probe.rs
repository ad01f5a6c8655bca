//! Development probe: solves each line of a file and prints figures.
use std::time::{Duration, Instant};
use yomikiri_proof::limits::Limits;
use yomikiri_proof::solver::{Options, Solver};
use yomikiri_proof::widening::*;
use yomikiri_shogi::Position;
use yomikiri_tsume::Tsume;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let node_limit: u64 = args[2].strip_suffix("n").map_or(u64::MAX, |n| n.parse().unwrap());
    let secs: f64 = args[2].parse().unwrap_or(600.0);
    let mode = args.get(3).map_or("total", String::as_str);
    let eps: u32 = args.get(4).map_or(25, |s| s.parse().unwrap());
    let shortest = args.get(5).is_some_and(|s| s == "short");
    let threads: usize = args.get(6).map_or(1, |s| s.parse().unwrap());
    let w = |g, s| Widening { groups: g, sum: s, width: Width::All };
    let (a, d) = match mode {
        "total" => (w(Groups::Independent, Sum::Total), w(Groups::Independent, Sum::Total)),
        "greatest" => (w(Groups::Greatest, Sum::Total), w(Groups::Greatest, Sum::Total)),
        "delayed" => (w(Groups::Independent, Sum::Total), w(Groups::Delayed, Sum::Total)),
        "greatdelayed" => (w(Groups::Greatest, Sum::Total), w(Groups::Delayed, Sum::Total)),
        "weak" => (w(Groups::Greatest, Sum::Weak), w(Groups::Greatest, Sum::Weak)),
        "weakdelayed" => (w(Groups::Greatest, Sum::Weak), w(Groups::Delayed, Sum::Weak)),
        "mixed" => (w(Groups::Greatest, Sum::Weak), w(Groups::Delayed, Sum::Total)),
        "mixed2" => (w(Groups::Greatest, Sum::Total), w(Groups::Delayed, Sum::Weak)),
        _ => panic!(),
    };
    let (mut total, mut mates, mut nomates, mut unknown, mut nodes) = (0, 0, 0, 0, 0_u64);
    let start = Instant::now();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let mut columns = line.split('\t');
        let sfen = columns.next().unwrap();
        let expect: Option<u16> = columns.next().and_then(|s| s.parse().ok());
        let id = columns.next().unwrap_or("");
        let position = match Position::from_problem_sfen(sfen) {
            Ok(p) => p,
            Err(e) => {
                println!("BAD {id} {e}");
                continue;
            }
        };
        let side = position.side_to_move();
        let attacker = if position.king(!side).is_some() { side } else { !side };
        let options = Options {
            attacker_nodes: a,
            defender_nodes: d,
            epsilon_percent: eps,
            threads,
            ..Options::default()
        };
        let limits = Limits {
            memory: 4 << 30,
            nodes: node_limit,
            ..Limits::time(Duration::from_secs_f64(secs))
        };
        let solver = Solver::new(options, limits);
        let game = Tsume::new(position, attacker);
        let first = solver.solve(&game);
        let mut length = first.length;
        let mut exact = false;
        let mut n = first.nodes;
        if first.number.is_proven() && shortest {
            while length >= 2 {
                let next = solver.solve_within(&game, length - 2, None);
                n += next.nodes;
                if next.number.is_proven() {
                    length = next.length;
                } else {
                    exact = next.number.is_disproven();
                    break;
                }
            }
            if length < 2 {
                exact = true;
            }
        }
        nodes += n;
        total += 1;
        if first.number.is_proven() {
            mates += 1;
        } else if first.number.is_disproven() {
            nomates += 1;
        } else {
            unknown += 1;
        }
        let verbose = secs >= 5.0;
        let off = expect.is_some_and(|e| e != length) && shortest && first.number.is_proven();
        if verbose || !first.number.is_proven() || off {
            println!(
                "{id} {sfen} first={:?}/{} len={length} exact={exact} expect={expect:?} nodes={n} ({} first) t={:.2}/{:.2} mem={}M coll={}",
                first.number,
                first.length,
                first.nodes,
                first.elapsed.as_secs_f64(),
                start.elapsed().as_secs_f64(),
                solver.table().bytes() >> 20,
                solver.table().collections()
            );
        }
    }
    let t = start.elapsed().as_secs_f64();
    println!(
        "{mode} eps={eps}: total {total} mates {mates} nomates {nomates} unknown {unknown} nodes {nodes} time {t:.2} nps {:.0}",
        nodes as f64 / t
    );
}
