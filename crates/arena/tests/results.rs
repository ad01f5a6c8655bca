//! The table of `docs/algorithms.md` is the one that the results file makes.

use std::path::Path;
use yomikiri_arena::measure::MeasureResults;

#[test]
fn the_table_of_techniques_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect(path);
    let results = MeasureResults::parse(&read("bench/results.json")).expect("a results file");
    let document = read("docs/algorithms.md");
    let fresh = results.into_document(&document).expect("marks");
    assert!(
        fresh == document,
        "run: yomikiri measure table --results bench/results.json --document docs/algorithms.md"
    );
}
