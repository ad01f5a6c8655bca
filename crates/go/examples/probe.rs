//! Solves a set and prints a line for each problem: a tool for measurements.
use std::time::Instant;
use yomikiri_go::capture::{Moves, Settings, solve};
use yomikiri_proof::widening::Width;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let moves = if a[2] == "h" { Moves::Heuristic } else { Moves::All };
    let width = match &a[3][..1] {
        "t" => Width::Top(a[3][1..].parse().unwrap()),
        "r" => Width::Rate(a[3][1..].parse().unwrap()),
        _ => Width::All,
    };
    let nodes: u64 = a[4].parse().unwrap();
    let skip: usize = a.get(5).map_or(1, |s| s.parse().unwrap());
    let epsilon_percent = a.get(6).map_or(25, |s| s.parse().unwrap());
    let settings = Settings { moves, width, nodes, epsilon_percent, ..Settings::default() };
    let start = Instant::now();
    let (mut total, mut exp, mut cand, mut wrong, mut right, mut open) = (0, 0, 0, 0, 0, 0);
    for p in yomikiri_go::problem::read(&text).unwrap().iter().step_by(skip) {
        let s = solve(p, &settings).unwrap();
        total += s.nodes();
        for x in &s.searches {
            exp += x.counts.expanded;
            cand += x.counts.candidates;
        }
        let expected = p.expected.as_ref().or(p.gnugo.as_ref());
        let ok = match s.answer {
            None => {
                open += 1;
                "?"
            }
            Some(a) if expected.unwrap().answers.contains(&a) => {
                right += 1;
                "ok"
            }
            _ => {
                wrong += 1;
                "DIFF"
            }
        };
        let line: Vec<String> = s.line.iter().take(12).map(|m| m.to_string()).collect();
        println!(
            "{:22} {:?} {} {:4} got {:?} want {:?} {:?} gnugo {:?} nodes {} {:.2}s line {}",
            p.id,
            p.first,
            p.target,
            ok,
            s.answer.map(|a| a.code()),
            expected.unwrap().answers.iter().map(|a| a.code()).collect::<Vec<_>>(),
            expected.unwrap().moves,
            p.gnugo.as_ref().map(|g| g.answers[0].code()),
            s.nodes(),
            s.elapsed().as_secs_f64(),
            line.join(" ")
        );
    }
    let t = start.elapsed().as_secs_f64();
    println!(
        "right {right} wrong {wrong} open {open} nodes {total} expanded {exp} mean candidates {:.2} nodes/s {:.0} children/s {:.0} time {t:.1}",
        cand as f64 / exp as f64,
        total as f64 / t,
        cand as f64 / t
    );
}
