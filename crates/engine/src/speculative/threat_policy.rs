//! When the side whose king cannot be saved leaves the threat and goes for the other king.
//!
//! Paper: Kajihara et al. 2002 name three levels and tried the first. Lv0 goes for mate at once.
//! Lv1 parries for a while (with a check or a defence) and then goes for mate; Lv2 parries for a
//! while and then makes a threat of its own, in the hope that the mate is missed.
//!
//! What is a parry where every move loses, and when is the moment to leave? The paper does not say.
//! Ours: a parry is a move after which the mate takes at least [`GAIN`] times the nodes that the
//! threat takes as it stands, and the moment has come when there is none.

use super::attacker::{self, Study};
use super::defender;
use super::{Choice, ProofBudget, Speculation, SpeculationReason};
use std::fmt;
use std::str::FromStr;
use yomikiri_shogi::{Move, Position};

/// The levels of the paper: what is done about the threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThreatPolicy {
    /// Goes for mate at once.
    #[default]
    Lv0,
    /// Parries, then goes for mate.
    Lv1,
    /// Parries, then threatens mate.
    Lv2,
}

impl ThreatPolicy {
    /// Every level.
    pub const ALL: [ThreatPolicy; 3] = [ThreatPolicy::Lv0, ThreatPolicy::Lv1, ThreatPolicy::Lv2];
    /// Their names.
    pub const NAMES: &'static [&'static str] = &["Lv0", "Lv1", "Lv2"];
}

impl fmt::Display for ThreatPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ThreatPolicy::NAMES[*self as usize])
    }
}

impl FromStr for ThreatPolicy {
    type Err = ();

    fn from_str(text: &str) -> Result<ThreatPolicy, ()> {
        ThreatPolicy::ALL.into_iter().find(|policy| policy.to_string() == text).ok_or(())
    }
}

/// How many times harder to find a parry makes the mate.
pub const GAIN: u64 = 2;

/// The move of the side that has no defence; `None` where that is not proven, or where there is no
/// check to give: then all moves are alike to the levels, and the defender's rule is the better
/// one.
pub fn choose(position: &Position, how: &Speculation, budget: &mut ProofBudget) -> Option<Choice> {
    if !position.legal_moves().iter().any(|&mv| position.gives_check(mv)) {
        return None;
    }
    let study = attacker::study(position, budget)?;
    let threats = match how.threat_policy {
        ThreatPolicy::Lv2 if parry(&study).is_none() => threats(position, &study, budget),
        _ => Vec::new(),
    };
    pick(&study, &threats, how)
}

/// The choice among what was studied. `threats` are the places of the quiet moves that threaten
/// mate; only Lv2 uses them.
pub fn pick(study: &Study, threats: &[usize], how: &Speculation) -> Option<Choice> {
    let quiet = |place: usize, reason: fn(u64, u64) -> SpeculationReason| {
        let one = &study.quiet[place];
        Choice { mv: one.mv, reason: reason(one.nodes, study.threat.nodes) }
    };
    if how.threat_policy != ThreatPolicy::Lv0
        && let Some(place) = parry(study)
    {
        return Some(quiet(place, |nodes, threatened| SpeculationReason::Parry {
            nodes,
            threatened,
        }));
    }
    if how.threat_policy == ThreatPolicy::Lv2 {
        let nodes = |&place: &usize| study.quiet[place].nodes;
        // Of equals the earliest: `max_by_key` would take the last.
        if let Some(&place) = threats.iter().rev().max_by_key(|place| nodes(place)) {
            return Some(quiet(place, |nodes, threatened| SpeculationReason::CounterThreat {
                nodes,
                threatened,
            }));
        }
    }
    attacker::best_of(&study.checks, how.weighed())
}

/// The place of the quiet move that parries best, if one does.
pub fn parry(study: &Study) -> Option<usize> {
    let place = defender::hardest_of(&study.quiet)?;
    (study.quiet[place].nodes >= study.threat.nodes.saturating_mul(GAIN)).then_some(place)
}

/// Places of the quiet moves after which the side that played them threatens mate.
pub fn threats(position: &Position, study: &Study, budget: &mut ProofBudget) -> Vec<usize> {
    let threatens = |mv: Move, budget: &mut ProofBudget| {
        let mut after = position.clone();
        after.play(mv);
        budget.ask_threat(&after).is_mate()
    };
    let all = study.quiet.iter().enumerate();
    all.filter(|(_, one)| threatens(one.mv, budget)).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speculative::formula::{AnswersToCheck, Share};
    use crate::speculative::{LossProof, LossVerdict};

    fn how(policy: ThreatPolicy) -> Speculation {
        Speculation { threat_policy: policy, ..Speculation::default() }
    }

    /// Two quiet moves with these nodes, a threat of 10 nodes, one check.
    fn study(nodes: [u64; 2]) -> Study {
        let quiet = |text: &str, nodes: u64| defender::LosingMove {
            mv: text.parse().unwrap(),
            nodes,
            length: 3,
            line: Vec::new(),
        };
        let answers = AnswersToCheck {
            escapes: Share { mated: 1, all: 2 },
            likely_mated: 0.5,
            ..AnswersToCheck::default()
        };
        Study {
            threat: LossProof {
                verdict: LossVerdict::Mate,
                nodes: 10,
                length: 3,
                line: Vec::new(),
            },
            quiet: vec![quiet("1i1h", nodes[0]), quiet("9i9h", nodes[1])],
            checks: vec![attacker::CheckCandidate { mv: "L*5c".parse().unwrap(), answers }],
        }
    }

    #[test]
    fn the_levels_differ_in_what_they_do_at_the_moment() {
        let mv = |policy, nodes, threats: &[usize]| {
            pick(&study(nodes), threats, &how(policy)).unwrap().mv.to_string()
        };
        // A parry that doubles the nodes is taken by Lv1 and Lv2.
        assert_eq!(mv(ThreatPolicy::Lv0, [5, 20], &[0]), "L*5c");
        assert_eq!(mv(ThreatPolicy::Lv1, [5, 20], &[0]), "9i9h");
        assert_eq!(mv(ThreatPolicy::Lv2, [5, 20], &[0]), "9i9h");
        // Without one, Lv1 gives check and Lv2 makes a threat, the earliest of the hardest.
        assert_eq!(mv(ThreatPolicy::Lv1, [19, 19], &[0, 1]), "L*5c");
        assert_eq!(mv(ThreatPolicy::Lv2, [19, 19], &[0, 1]), "1i1h");
        assert_eq!(mv(ThreatPolicy::Lv2, [19, 19], &[]), "L*5c");
    }

    #[test]
    fn levels_have_names() {
        for name in ThreatPolicy::NAMES {
            assert_eq!(
                name.parse::<ThreatPolicy>().map(|policy| policy.to_string()),
                Ok(name.to_string())
            );
        }
        assert!("Lv3".parse::<ThreatPolicy>().is_err());
    }
}
