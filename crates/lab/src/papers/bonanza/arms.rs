//! What is learned: the paper's arms, those beyond it, and the sweeps of the constants.

use yomikiri_learn::Config;
use yomikiri_learn::config::{Constraint, LearnedVariant, Rule};

use super::BonanzaSettings;

pub(super) const SINGLE: &str = "single";
pub(super) const SPLIT: &str = "split";
pub(super) const HOKI: &str = "split, Hoki's constraint";
pub(super) const FREE: &str = "split, no constraint";
pub(super) const WITHOUT_M2: &str = "split, without M2";
pub(super) const SAFETY: &str = "split, king safety";
pub(super) const LEARNED: &str = "split, learned progress";
pub(super) const MIXED: &str = "mixed";
pub(super) const PLAIN: &str = "split, plain gradient";
pub(super) const SPLIT_SEARCH: &str = "split, search, M1";
pub(super) const SINGLE_SEARCH: &str = "single, search, Hoki";

/// The evaluations that are not learned.
pub(super) const MATERIAL: &str = "material";
pub(super) const KING_DANGER: &str = "king-danger";

/// The step of the plain gradient: that of Adam is in centipawns.
const PLAIN_STEP: f64 = 0.2;

/// One way to learn.
pub(super) struct Arm {
    pub(super) name: String,
    pub(super) config: Config,
    /// Whether progress is the paper's, and not the learned one of the weights in this program.
    pub(super) hand_made: bool,
    /// Whether it is the paper's own, which is learned from every file of games.
    pub(super) papers: bool,
    /// Whether it is learned with the first seed alone.
    pub(super) once: bool,
}

/// Every arm.
pub(super) fn all(settings: &BonanzaSettings) -> Vec<Arm> {
    let split = Config {
        variant: LearnedVariant::Split,
        k: settings.k,
        batch: settings.batch,
        passes: settings.passes,
        safety: false,
        ..Config::default()
    };
    let single = || Config { variant: LearnedVariant::Single, ..split.clone() };
    let hoki = || Config { constraint: Constraint::Hoki, ..split.clone() };
    let papers = |name: &str, config: Config| Arm {
        name: name.into(),
        config,
        hand_made: true,
        papers: true,
        once: false,
    };
    let mut arms = vec![
        papers(SINGLE, single()),
        papers(SPLIT, split.clone()),
        papers(HOKI, hoki()),
        papers(FREE, Config { constraint: Constraint::None, ..split.clone() }),
        papers(WITHOUT_M2, Config { m2: false, ..split.clone() }),
        papers(SAFETY, Config { safety: true, ..split.clone() }),
    ];
    if settings.beyond {
        let beyond = |name: &str, config: Config| Arm { papers: false, ..papers(name, config) };
        let searching = |config: Config| Config { search: true, ..config };
        let plain = Config { rule: Rule::Plain, step: PLAIN_STEP, ..split.clone() };
        arms.push(Arm { hand_made: false, ..beyond(LEARNED, split.clone()) });
        arms.push(beyond(MIXED, Config { variant: LearnedVariant::Mixed, ..split.clone() }));
        arms.push(beyond(PLAIN, plain));
        arms.push(beyond(SPLIT_SEARCH, searching(split.clone())));
        let single_hoki = Config { constraint: Constraint::Hoki, ..single() };
        arms.push(beyond(SINGLE_SEARCH, searching(single_hoki)));
    }
    let swept =
        |name: String, config: Config| Arm { once: true, papers: false, ..papers(&name, config) };
    let of = |values: &[f64], name: &str, with: &dyn Fn(f64) -> Config| -> Vec<Arm> {
        values.iter().map(|&value| swept(format!("split, {name} = {value}"), with(value))).collect()
    };
    arms.extend(of(&settings.sweep_p, "P", &|p| Config { p, ..split.clone() }));
    arms.extend(of(&settings.sweep_q, "Q", &|q| Config { q, ..split.clone() }));
    arms.extend(of(&settings.sweep_a, "A", &|a| Config { a, ..split.clone() }));
    arms.extend(of(&settings.sweep_b, "B", &|b| Config { b, ..split.clone() }));
    arms.extend(of(&settings.sweep_hoki, "Hoki", &|hoki| Config {
        hoki,
        constraint: Constraint::Hoki,
        ..split.clone()
    }));
    arms
}

/// Who plays whom from early openings; those whose arms were not learned are not played.
pub(super) const MATCHES: [(&str, &str); 13] = [
    (SPLIT, MATERIAL),
    (SPLIT, KING_DANGER),
    (SINGLE, KING_DANGER),
    (SPLIT, SINGLE),
    (SPLIT, FREE),
    (SPLIT, HOKI),
    (SPLIT, WITHOUT_M2),
    (SAFETY, SPLIT),
    (LEARNED, SPLIT),
    (MIXED, SPLIT),
    (SPLIT, PLAIN),
    (SPLIT_SEARCH, SPLIT),
    (SPLIT_SEARCH, SINGLE_SEARCH),
];

/// Who plays whom from the middle game, where the opening vector cannot show.
pub(super) const MIDDLE_MATCHES: [(&str, &str); 2] = [(SINGLE, KING_DANGER), (SPLIT, SINGLE)];

/// Whose agreement is compared with whose.
pub(super) const COMPARED: [(&str, &str); 9] = [
    (SPLIT, SINGLE),
    (SPLIT, FREE),
    (SPLIT, HOKI),
    (SPLIT, WITHOUT_M2),
    (SAFETY, SPLIT),
    (LEARNED, SPLIT),
    (MIXED, SPLIT),
    (SPLIT, PLAIN),
    (SPLIT_SEARCH, SINGLE_SEARCH),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::ExperimentSettings;

    #[test]
    fn arms_have_names_of_their_own_and_the_papers_have_no_safety_but_one() {
        let arms = all(&BonanzaSettings::standard(false));
        let mut names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), arms.len());
        for arm in &arms {
            assert_eq!(arm.config.safety, arm.name == SAFETY, "{}", arm.name);
            assert_eq!(arm.hand_made, arm.name != LEARNED, "{}", arm.name);
            assert!(arm.config.check().is_ok(), "{}", arm.name);
        }
        for (first, second) in MATCHES.into_iter().chain(MIDDLE_MATCHES) {
            for name in [first, second] {
                assert!(names.contains(&name) || [MATERIAL, KING_DANGER].contains(&name), "{name}");
            }
        }
    }
}
