//! A conformance checker for USI engines.
//!
//! Each rule starts the engine anew, does one thing that programs do, and judges what comes
//! back. What the protocol demands is a pass or a failure; what it leaves to the engine may be
//! "not supported". Every verdict comes with the transcript that led to it.

mod answers;
mod robustness;
mod searches;
mod session;

pub use session::{TranscriptLine, UsiCheckSettings};

use session::RuleTrial;
use std::fmt;
use unicode_width::UnicodeWidthStr as _;
use yomikiri_text::{Language, in_language};
use yomikiri_usi::client::{ClientError, Direction, Launch};

/// Columns before the name of a rule.
const VERDICT_WIDTH: usize = 15;

/// What a rule found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleVerdict {
    /// The engine does what the protocol demands.
    Pass,
    /// It does not.
    Fail(String),
    /// It cannot, and need not.
    NotSupported(String),
}

/// An option from `NAME=VALUE`, or from `NAME` alone for a button.
#[must_use]
pub fn option_pair(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.to_string(), Some(value.to_string())),
        None => (text.to_string(), None),
    }
}

/// How many rules found what.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct VerdictCounts {
    /// Rules that the engine keeps.
    pub passed: usize,
    /// Rules that it breaks.
    pub failed: usize,
    /// Rules about what it does not have.
    pub not_supported: usize,
}

impl VerdictCounts {
    /// Counts one more.
    fn count(&mut self, verdict: &RuleVerdict) {
        *match verdict {
            RuleVerdict::Pass => &mut self.passed,
            RuleVerdict::Fail(_) => &mut self.failed,
            RuleVerdict::NotSupported(_) => &mut self.not_supported,
        } += 1;
    }
}

impl fmt::Display for VerdictCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerdictCounts { passed, failed, not_supported } = self;
        write!(f, "{passed} passed, {failed} failed, {not_supported} not supported")
    }
}

/// A rule with what it found.
#[derive(Clone, Debug)]
pub struct RuleFinding {
    /// The rule's short name.
    pub rule: &'static str,
    /// What the rule demands.
    pub demand: &'static str,
    /// What it found.
    pub verdict: RuleVerdict,
    /// What was said.
    pub transcript: Vec<TranscriptLine>,
}

impl RuleFinding {
    /// The verdict with its reason, and the transcript if it failed or with `verbose`.
    #[must_use]
    pub fn to_text(&self, verbose: bool, language: Language) -> String {
        let (word, reason) = match &self.verdict {
            RuleVerdict::Pass => (language.pick("pass", "合格"), None),
            RuleVerdict::Fail(reason) => (language.pick("FAIL", "違反"), Some(reason)),
            RuleVerdict::NotSupported(reason) => {
                (language.pick("not supported", "非対応"), Some(reason))
            }
        };
        let gap = " ".repeat(VERDICT_WIDTH.saturating_sub(word.width()));
        let demand = in_language(self.demand, language);
        let mut text = format!("{word}{gap}{:20} {demand}\n", self.rule);
        let indent = " ".repeat(VERDICT_WIDTH);
        if let Some(reason) = reason {
            text += &format!("{indent}{}\n", in_language(reason, language));
        }
        if verbose || matches!(self.verdict, RuleVerdict::Fail(_)) {
            for line in &self.transcript {
                let arrow = if line.direction == Direction::Sent { ">" } else { "<" };
                let at = line.at.as_secs_f64();
                text += &format!("{indent}{at:7.3} {arrow} {}\n", line.text);
            }
        }
        text
    }
}

/// Why a rule did not pass.
#[derive(Debug)]
enum RuleFault {
    Fail(String),
    NotSupported(String),
}

impl From<ClientError> for RuleFault {
    fn from(error: ClientError) -> RuleFault {
        RuleFault::Fail(error.to_string())
    }
}

fn fail<T>(reason: impl Into<String>) -> Result<T, RuleFault> {
    Err(RuleFault::Fail(reason.into()))
}

fn not_supported<T>(reason: impl Into<String>) -> Result<T, RuleFault> {
    Err(RuleFault::NotSupported(reason.into()))
}

/// A rule: its short name, what it demands, and how it is tried.
struct Rule {
    name: &'static str,
    demand: &'static str,
    check: fn(&mut RuleTrial) -> Result<(), RuleFault>,
}

/// The names of all rules and what they demand, in their order.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    all_rules().map(|rule| (rule.name, rule.demand))
}

/// The names of all rules and what they demand, a line each.
pub fn list(language: Language) -> String {
    rules().map(|(name, demand)| format!("{name:20} {}\n", in_language(demand, language))).collect()
}

fn all_rules() -> impl Iterator<Item = &'static Rule> {
    [answers::RULES, searches::RULES, robustness::RULES].into_iter().flatten()
}

/// Checks an engine by every rule whose name `wanted` accepts, and hands each finding on as soon
/// as it is there.
pub fn check(
    launch: &Launch,
    settings: &UsiCheckSettings,
    wanted: &dyn Fn(&str) -> bool,
    found: &mut dyn FnMut(RuleFinding),
) -> VerdictCounts {
    let mut counts = VerdictCounts::default();
    for rule in all_rules().filter(|rule| wanted(rule.name)) {
        let mut session = RuleTrial::new(launch, settings);
        let verdict = match (rule.check)(&mut session) {
            Ok(()) => RuleVerdict::Pass,
            Err(RuleFault::Fail(reason)) => RuleVerdict::Fail(reason),
            Err(RuleFault::NotSupported(reason)) => RuleVerdict::NotSupported(reason),
        };
        counts.count(&verdict);
        let transcript = session.transcript();
        found(RuleFinding { rule: rule.name, demand: rule.demand, verdict, transcript });
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_said_in_both_languages() {
        let (rule, demand) = rules().next().expect("there are rules");
        let verdict = RuleVerdict::Fail("no id name".to_string());
        let finding = RuleFinding { rule, demand, verdict, transcript: Vec::new() };
        let text = |language| finding.to_text(false, language);
        assert!(
            text(Language::En).starts_with("FAIL           introduction "),
            "{}",
            text(Language::En)
        );
        assert!(text(Language::En).ends_with("               no id name\n"));
        assert!(
            text(Language::Ja).starts_with("違反           introduction "),
            "{}",
            text(Language::Ja)
        );
        assert!(text(Language::Ja).ends_with("               id name がありません\n"));
        for (english, japanese) in list(Language::En).lines().zip(list(Language::Ja).lines()) {
            assert_ne!(english, japanese);
        }
    }
}
