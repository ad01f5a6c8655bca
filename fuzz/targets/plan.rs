//! Any bytes as the plan of a long run.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomikiri_runs::Plan;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(plan) = Plan::parse(text) else { return };
    let _ = plan.files();
    let written = plan.to_text();
    let again = Plan::parse(&written).expect("what was written is a plan");
    assert_eq!(again.to_text(), written);
});
