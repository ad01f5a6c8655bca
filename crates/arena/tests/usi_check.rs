//! The checker against engines whose faults are known.

use std::collections::BTreeMap;
use std::time::Duration;
use yomikiri_arena::usi_check::{RuleVerdict, UsiCheckSettings, check, rules};
use yomikiri_usi::client::Launch;

const MOCK: &str = env!("CARGO_BIN_EXE_mock-usi-engine");

/// The verdicts of the rules named, on a mock engine.
fn verdicts(behaviour: &str, names: &[&str]) -> BTreeMap<&'static str, RuleVerdict> {
    let args = behaviour.split(' ').map(str::to_string).collect();
    let launch = Launch { program: MOCK.into(), args, dir: None };
    // The mock answers at once; on a busy machine it must not be called late for it.
    let settings =
        UsiCheckSettings { margin: Duration::from_secs(60), ..UsiCheckSettings::default() };
    let mut verdicts = BTreeMap::new();
    check(&launch, &settings, &|name| names.contains(&name), &mut |finding| {
        assert!(!finding.transcript.is_empty(), "{}", finding.rule);
        verdicts.insert(finding.rule, finding.verdict);
    });
    assert_eq!(verdicts.len(), names.len());
    verdicts
}

#[test]
fn a_simple_engine_passes() {
    let passes = [
        "introduction",
        "option-lines",
        "set-defaults",
        "unknown-options",
        "ready-again",
        "info-lines",
        "go-byoyomi",
        "go-main-time",
        "go-increment",
        "go-any-order",
        "go-movetime",
        "go-nodes",
        "go-depth",
        "stop-early",
        "ponder-stop",
        "searchmoves",
        "no-moves",
        "many-positions",
        "idle-stop",
        "garbage",
        "bad-position",
        "quit",
        "quit-search",
        "end-of-input",
        "end-of-input-search",
    ];
    for (rule, verdict) in verdicts("random", &passes) {
        assert_eq!(verdict, RuleVerdict::Pass, "{rule}");
    }
    for (rule, verdict) in verdicts("random", &["go-mate", "mate-stop", "declaration"]) {
        assert!(matches!(verdict, RuleVerdict::NotSupported(_)), "{rule}: {verdict:?}");
    }
}

#[test]
fn faults_are_found() {
    for behaviour in ["illegal", "garbage", "crash"] {
        let found = verdicts(behaviour, &["introduction", "go-nodes", "go-byoyomi", "quit"]);
        assert_eq!(found["introduction"], RuleVerdict::Pass);
        assert_eq!(found["quit"], RuleVerdict::Pass);
        assert!(matches!(found["go-nodes"], RuleVerdict::Fail(_)), "{behaviour}");
        assert!(matches!(found["go-byoyomi"], RuleVerdict::Fail(_)), "{behaviour}");
    }
    // It plays what it likes, and stops reading at a byte that is no text.
    let greedy = verdicts("greedy", &["searchmoves", "bytes"]);
    assert!(matches!(greedy["searchmoves"], RuleVerdict::NotSupported(_)));
    assert!(matches!(greedy["bytes"], RuleVerdict::Fail(_)));
}

#[test]
fn every_rule_has_a_name_of_its_own() {
    let names: Vec<&str> = rules().map(|(name, _)| name).collect();
    let unique: std::collections::BTreeSet<&&str> = names.iter().collect();
    assert_eq!(unique.len(), names.len());
}
