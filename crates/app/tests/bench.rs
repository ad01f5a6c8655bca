//! `yomikiri bench --signatures` prints the sums that bench/signature.txt holds.

use std::process::Command;

const ON_RECORD: &str = include_str!("../../../bench/signature.txt");

fn bench(arguments: &[&str]) -> String {
    let yomikiri = env!("CARGO_BIN_EXE_yomikiri");
    let output = Command::new(yomikiri).arg("bench").args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_signatures_are_those_on_record() {
    let recorded: Vec<&str> = ON_RECORD
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("search-long "))
        .collect();
    let names: Vec<&str> = recorded.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["search", "perft", "tsume", "go"]);
    let printed = bench(&["--signatures"]);
    assert_eq!(printed.lines().collect::<Vec<_>>(), recorded);
    // The bench with its speed counts the same nodes.
    let nodes = format!("{} nodes", recorded[0].trim_start_matches("search "));
    let searched = bench(&[]);
    assert!(searched.lines().any(|line| line == nodes), "{searched}");
}

#[test]
#[ignore = "some ten million nodes: cargo test -p yomikiri-app --test bench -- --ignored"]
fn the_long_signature_is_the_one_on_record() {
    let recorded = ON_RECORD.lines().find(|line| line.starts_with("search-long "));
    assert_eq!(bench(&["--signatures", "--long"]).trim_end(), recorded.expect("a line"));
}
