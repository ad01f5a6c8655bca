//! How hard a check is to answer: the paper's SpecA and SpecB and the form by king safety that it
//! mentions, and ours: SpecC, SpecD, and two by the move policy.

use std::fmt;
use std::str::FromStr;

/// Answers of one class: those after which one gets mated, of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Answers that lose.
    pub mated: u32,
    /// All answers.
    pub all: u32,
}

impl Share {
    /// Counts an answer.
    pub fn add(&mut self, mated: bool) {
        self.mated += u32::from(mated);
        self.all += 1;
    }

    fn ratio(self) -> f64 {
        if self.all == 0 { 0.0 } else { f64::from(self.mated) / f64::from(self.all) }
    }
}

/// The answers to a check.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AnswersToCheck {
    /// The king moves away.
    pub escapes: Share,
    /// The checking piece is taken.
    pub recaptures: Share,
    /// A piece comes between.
    pub blocks: Share,
    /// How likely an answer is one that loses by the categories of moves, 0 to 1.
    pub likely_mated: f64,
    /// The same by the move policy.
    pub policy_mated: f64,
    /// How undecided the policy is between the answers, in bits: 0 where there is only one.
    pub entropy: f64,
    /// Checks that do not lose the checking piece less squares that the king can go to, the mean
    /// over the answers.
    pub king_danger: f64,
    /// Plies of the longest mate after an answer that loses.
    pub longest_mate: u32,
    /// Nodes that it took to find out that the check does not mate by itself.
    pub nodes_to_disprove: u64,
}

/// Which formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Formula {
    /// The share of all answers that lose.
    A,
    /// Escapes, recaptures and blocks apart, with these weights.
    B([u32; 3]),
    /// The likelihood that an answer loses, by realization probability.
    #[default]
    C,
    /// Nodes to disprove.
    D,
    /// The likelihood that an answer loses, by the move policy.
    P,
    /// That likelihood times the entropy of the answers: several plausible answers are preferred,
    /// and a check that forces its answer is worth nothing.
    E,
    /// King safety: effective checks and the freedom of the king after the answers.
    K,
}

/// The paper's weights: people look at the recapture first.
pub const WEIGHTS: [u32; 3] = [100, 200, 100];

impl Formula {
    /// Every formula, by its name.
    pub const NAMES: &'static [&'static str] = &["A", "B", "C", "D", "P", "E", "K"];

    /// The value of a check: the higher, the harder to answer.
    pub fn value(self, answers: &AnswersToCheck) -> f64 {
        let classes = [answers.escapes, answers.recaptures, answers.blocks];
        match self {
            Formula::A => {
                let sum = |of: fn(&Share) -> u32| classes.iter().map(of).sum();
                Share { mated: sum(|share| share.mated), all: sum(|share| share.all) }.ratio()
            }
            Formula::B(weights) => {
                let weighed = classes.iter().zip(weights);
                weighed.map(|(share, weight)| f64::from(weight) * share.ratio()).sum()
            }
            Formula::C => answers.likely_mated,
            Formula::D => answers.nodes_to_disprove as f64,
            Formula::P => answers.policy_mated,
            Formula::E => answers.policy_mated * answers.entropy,
            Formula::K => answers.king_danger,
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Formula::A => "A",
            Formula::B(_) => "B",
            Formula::C => "C",
            Formula::D => "D",
            Formula::P => "P",
            Formula::E => "E",
            Formula::K => "K",
        })
    }
}

impl FromStr for Formula {
    type Err = ();

    fn from_str(text: &str) -> Result<Formula, ()> {
        match text {
            "A" => Ok(Formula::A),
            "B" => Ok(Formula::B(WEIGHTS)),
            "C" => Ok(Formula::C),
            "D" => Ok(Formula::D),
            "P" => Ok(Formula::P),
            "E" => Ok(Formula::E),
            "K" => Ok(Formula::K),
            _ => Err(()),
        }
    }
}

/// The place of the greatest value; of equals the earliest.
pub fn earliest_best(values: impl IntoIterator<Item = f64>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (place, value) in values.into_iter().enumerate() {
        if best.is_none_or(|(_, greatest)| value > greatest) {
            best = Some((place, value));
        }
    }
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of the paper's tables: escapes, recaptures and blocks as losing and all.
    type Row = (&'static str, [(u32, u32); 3]);

    fn choice(rows: &[Row], formula: Formula) -> &'static str {
        let values = rows.iter().map(|(_, classes)| {
            let [escapes, recaptures, blocks] = classes.map(|(mated, all)| Share { mated, all });
            formula.value(&AnswersToCheck {
                escapes,
                recaptures,
                blocks,
                ..AnswersToCheck::default()
            })
        });
        rows[earliest_best(values).unwrap()].0
    }

    #[test]
    fn table_1_the_defender_plays_the_mate_that_took_most_nodes() {
        let rows = [
            ("1三玉", 1),
            ("1二玉", 26),
            ("2二玉", 21),
            ("3四玉", 253),
            ("3三玉", 603),
            ("3二玉", 20),
        ];
        let best = earliest_best(rows.iter().map(|row| f64::from(row.1)));
        assert_eq!(best.map(|place| rows[place].0), Some("3三玉"));
    }

    #[test]
    fn table_5() {
        let rows: [Row; 9] = [
            ("2七角成", [(1, 1), (0, 1), (0, 0)]),
            ("3八竜", [(1, 1), (0, 2), (0, 0)]),
            ("3九銀", [(2, 2), (0, 2), (0, 0)]),
            ("1七銀", [(1, 1), (1, 3), (0, 0)]),
            ("3六桂", [(3, 3), (0, 1), (0, 0)]),
            ("1八金", [(1, 1), (0, 2), (0, 0)]),
            ("1七金", [(1, 1), (1, 3), (0, 0)]),
            ("1七角", [(1, 1), (1, 3), (0, 0)]),
            ("3九角", [(1, 1), (0, 2), (0, 0)]),
        ];
        assert_eq!(choice(&rows, Formula::A), "3六桂");
        assert_eq!(choice(&rows, Formula::B(WEIGHTS)), "1七銀");
    }

    #[test]
    fn table_7() {
        let rows: [Row; 7] = [
            ("7三銀成", [(1, 1), (0, 2), (0, 0)]),
            ("7三銀不成", [(2, 2), (0, 2), (0, 0)]),
            ("8三銀成", [(1, 2), (0, 1), (0, 0)]),
            ("8三銀不成", [(1, 2), (0, 1), (0, 0)]),
            ("8三角", [(1, 3), (0, 0), (0, 0)]),
            ("8三銀打", [(1, 2), (0, 0), (0, 0)]),
            ("5二竜", [(1, 1), (0, 2), (1, 1)]),
        ];
        assert_eq!(choice(&rows, Formula::A), "7三銀不成");
        assert_eq!(choice(&rows, Formula::B(WEIGHTS)), "5二竜");
    }

    #[test]
    fn names_and_ties() {
        for name in Formula::NAMES {
            assert_eq!(
                name.parse::<Formula>().map(|formula| formula.to_string()),
                Ok(name.to_string())
            );
        }
        assert_eq!(earliest_best([1.0, 3.0, 3.0]), Some(1));
        assert_eq!(earliest_best([]), None);
    }
}
