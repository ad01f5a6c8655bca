//! Claims that are written down before a run, and the rule by which its results decide them.
//!
//! An experiment's `claims.toml` names what a paper says (or what we expect beyond it), the
//! statistic that tests it, the threshold, the fewest units that may decide it, and what we
//! predict. The tests stand in the order of the file. Over all of them Holm's step-down rule keeps
//! the chance of one wrong decision below `level`. A test that passes in the claimed direction:
//! holds. One that passes the other way: does not hold. Any other: not decided, with the number of
//! units that would decide it if the effect is as large as it was seen.

use serde::{Deserialize, Serialize};
use yomikiri_arena::rating::likelihood_below;
use yomikiri_arena::stats::{holm, sign_test};
use yomikiri_base::checksum::sha256_hex;

use super::run::{LabError, fault};
use super::words::Words;
use yomikiri_text::Language;

/// The name of the file beside the results.
pub const CLAIMS_FILE: &str = "claims.toml";
/// The two-sided 95 % point of the normal distribution, by which intervals were made.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;
/// A test of the size that is named would pass with a chance of 80 %.
const POWER: f64 = 0.841_621_233_572_914;
/// More units than this nobody plays.
const OUT_OF_REACH: f64 = 1e8;

/// Whether a claim is borne out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingVerdict {
    /// It is.
    Holds,
    /// It is not.
    Fails,
    /// The run is too small to say. Reports of older builds knew findings that hold in part.
    #[serde(alias = "partly")]
    Open,
}

impl FindingVerdict {
    /// One word, in both languages.
    pub fn word(self) -> Words {
        let (en, ja) = match self {
            FindingVerdict::Holds => ("holds", "成り立つ"),
            FindingVerdict::Fails => ("does not hold", "成り立たない"),
            FindingVerdict::Open => ("not decided", "未決"),
        };
        Words::from((en, ja))
    }
}

/// The claims of an experiment.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// The chance of one wrong decision or more.
    pub level: f64,
    /// In the order of the tests.
    pub claim: Vec<Claim>,
    /// SHA-256 of the whole file, comments and translations too.
    #[serde(skip)]
    pub digest: String,
}

/// One claim.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// What is claimed.
    pub text: String,
    /// The same in Japanese.
    #[serde(default)]
    pub ja: String,
    /// The published figures, where they are not read from `published.json`.
    #[serde(default)]
    pub published: String,
    /// What we expect to see.
    pub predicted: FindingVerdict,
    /// Why.
    #[serde(default)]
    pub because: String,
    /// The statistic and its rule in words.
    pub test: String,
    /// The number that the statistic is compared with.
    #[serde(default)]
    pub threshold: f64,
    /// The depth at which it is tested, where there are several.
    #[serde(default)]
    pub depth: i32,
    /// The two variants that are compared; the first is claimed to be above.
    #[serde(default)]
    pub compare: Vec<String>,
    /// Fewer units than this decide nothing.
    pub least: usize,
    /// What is counted: games, positions, problems.
    pub unit: String,
}

impl Claims {
    /// Reads a file of claims.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn read(text: &str) -> Result<Claims, LabError> {
        let mut claims: Claims =
            toml::from_str(text).map_err(|error| fault(CLAIMS_FILE, &error))?;
        claims.digest = sha256_hex(text.as_bytes());
        Ok(claims)
    }

    /// Decides all claims; `evidence` says what was seen of each.
    pub fn judge(&self, mut evidence: impl FnMut(&Claim) -> Evidence) -> Vec<Finding> {
        let seen: Vec<Evidence> = self.claim.iter().map(&mut evidence).collect();
        let tested = |(claim, seen): (&Claim, &Evidence)| match seen.outcome {
            Outcome::Test { chance, count, .. } if count >= claim.least => chance,
            _ => 1.0,
        };
        let chances: Vec<f64> = self.claim.iter().zip(&seen).map(tested).collect();
        let passes = holm(&chances, self.level);
        let strictest = self.level / self.claim.len().max(1) as f64;
        let all = self.claim.iter().zip(seen).zip(passes);
        all.map(|((claim, seen), passes)| seen.finding(claim, passes, strictest)).collect()
    }
}

/// A claim beside what was seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What is claimed.
    pub claim: String,
    /// The same in Japanese.
    #[serde(default)]
    pub claim_ja: String,
    /// The published figures.
    pub published: String,
    /// What we predicted before the run, and why.
    #[serde(default)]
    pub predicted: String,
    /// The same in Japanese; the reason as it stands in the claims.
    #[serde(default)]
    pub predicted_ja: String,
    /// Ours, with error bars where there are any.
    pub ours: String,
    /// The verdict.
    pub verdict: FindingVerdict,
    /// Why.
    pub words: String,
    /// The same in Japanese.
    #[serde(default)]
    pub words_ja: String,
    /// How likely so clear a result is by chance alone, if it was tested.
    #[serde(default)]
    pub chance: Option<f64>,
}

/// What was seen of one claim.
#[derive(Clone, Debug)]
pub struct Evidence {
    ours: String,
    words: Words,
    published: Option<String>,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug)]
enum Outcome {
    /// Nothing was measured.
    Missing,
    /// There is no chance in it.
    Fact { holds: bool, count: usize },
    /// A test: its two-sided chance, whether the claimed side is ahead, how many standard errors
    /// lie between the statistic and the threshold, and how many units it rests on.
    Test { chance: f64, favours: bool, distance: f64, count: usize },
}

/// A number with its 95 % interval and how many units it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Units.
    pub count: usize,
}

impl Estimate {
    /// An estimate from its interval.
    pub fn new(value: f64, (low, high): (f64, f64), count: usize) -> Estimate {
        Estimate { value, low, high, count }
    }

    /// The standard error that the interval stands for.
    fn error(self) -> f64 {
        (self.high - self.low) / (2.0 * NORMAL_95)
    }

    /// As text with this many digits.
    pub fn text(self, digits: usize) -> String {
        let Estimate { value, low, high, .. } = self;
        format!("{value:.digits$} [{low:.digits$}, {high:.digits$}]")
    }

    /// The same with its sign.
    pub fn signed(self, digits: usize) -> String {
        let Estimate { value, low, high, .. } = self;
        format!("{value:+.digits$} [{low:+.digits$}, {high:+.digits$}]")
    }
}

/// On which side of the threshold a number is claimed to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimDirection {
    /// Above.
    Above,
    /// Below.
    Below,
}

impl Evidence {
    /// Nothing was measured.
    pub fn missing(words: impl Into<Words>) -> Evidence {
        Evidence::of(Outcome::Missing, "not measured".into()).saying(words)
    }

    /// A count in which there is no chance.
    pub fn fact(holds: bool, count: usize, ours: String) -> Evidence {
        Evidence::of(Outcome::Fact { holds, count }, ours)
    }

    /// The sign test: units for the claim, units against it, and all units.
    pub fn sign(for_it: usize, against: usize, count: usize, ours: String) -> Evidence {
        let changed = (for_it + against).max(1) as f64;
        let distance = (for_it as f64 - against as f64).abs() / changed.sqrt();
        let chance = sign_test(for_it, against);
        Evidence::of(Outcome::Test { chance, favours: for_it > against, distance, count }, ours)
    }

    /// An estimate against a threshold.
    pub fn estimate(
        seen: Estimate,
        direction: ClaimDirection,
        threshold: f64,
        ours: String,
    ) -> Evidence {
        let ahead = match direction {
            ClaimDirection::Above => seen.value > threshold,
            ClaimDirection::Below => seen.value < threshold,
        };
        Evidence::distance((seen.value - threshold).abs(), seen, ahead, ours)
    }

    /// An estimate that is claimed to lie within two bounds.
    pub fn within(seen: Estimate, (low, high): (f64, f64), ours: String) -> Evidence {
        let inside = (low..=high).contains(&seen.value);
        let distance = (seen.value - low).abs().min((seen.value - high).abs());
        Evidence::distance(distance, seen, inside, ours)
    }

    fn distance(from_bound: f64, seen: Estimate, favours: bool, ours: String) -> Evidence {
        let error = seen.error();
        let distance = match error > 0.0 {
            true => from_bound / error,
            // Every sample gave the same number.
            false if from_bound > 0.0 => f64::INFINITY,
            false => 0.0,
        };
        let chance = 2.0 * likelihood_below(-distance, 0.0, 1.0);
        Evidence::of(Outcome::Test { chance, favours, distance, count: seen.count }, ours)
    }

    /// The best of several cases against 0: its chance counts once for each.
    pub fn best_of(best: Estimate, cases: usize, ours: String) -> Evidence {
        let mut evidence = Evidence::estimate(best, ClaimDirection::Above, 0.0, ours);
        if let Outcome::Test { chance, .. } = &mut evidence.outcome {
            *chance = (*chance * cases as f64).min(1.0);
        }
        evidence
    }

    /// A claim about every one of several cases: it holds if each does (the weakest decides), and
    /// fails if one does, with the chance multiplied by the number of cases.
    pub fn every(cases: Vec<Evidence>, ours: String) -> Evidence {
        let parts = cases.iter().filter_map(|case| match case.outcome {
            Outcome::Test { chance, favours, distance, count } => {
                Some((chance, favours, distance, count))
            }
            _ => None,
        });
        let parts: Vec<(f64, bool, f64, usize)> = parts.collect();
        if parts.len() < cases.len() || parts.is_empty() {
            return Evidence::of(Outcome::Missing, ours);
        }
        let count = parts.iter().map(|part| part.3).min().unwrap_or(0);
        let against = parts.iter().filter(|part| !part.1).min_by(|a, b| a.0.total_cmp(&b.0));
        let outcome = match against {
            Some(&(chance, _, distance, _)) => {
                let chance = (chance * parts.len() as f64).min(1.0);
                Outcome::Test { chance, favours: false, distance, count }
            }
            None => {
                let weakest = parts.iter().max_by(|a, b| a.0.total_cmp(&b.0));
                let (chance, distance) = weakest.map_or((1.0, 0.0), |part| (part.0, part.2));
                Outcome::Test { chance, favours: true, distance, count }
            }
        };
        Evidence::of(outcome, ours)
    }

    fn of(outcome: Outcome, ours: String) -> Evidence {
        Evidence { ours, words: Words::default(), published: None, outcome }
    }

    /// Adds why.
    #[must_use]
    pub fn saying(mut self, words: impl Into<Words>) -> Evidence {
        self.words = words.into();
        self
    }

    /// Adds the published figures.
    #[must_use]
    pub fn beside(mut self, published: impl Into<String>) -> Evidence {
        self.published = Some(published.into());
        self
    }

    fn finding(self, claim: &Claim, passes: bool, strictest: f64) -> Finding {
        let side = |holds: bool| match holds {
            true => FindingVerdict::Holds,
            false => FindingVerdict::Fails,
        };
        let (verdict, why) = match self.outcome {
            Outcome::Missing => (FindingVerdict::Open, Words::default()),
            Outcome::Fact { count, .. } | Outcome::Test { count, .. } if count < claim.least => {
                (FindingVerdict::Open, too_few(claim, count))
            }
            Outcome::Fact { holds, .. } => (side(holds), Words::default()),
            Outcome::Test { favours, .. } if passes => (side(favours), Words::default()),
            Outcome::Test { distance, count, .. } => {
                (FindingVerdict::Open, would_decide(distance, count, strictest, &claim.unit))
            }
        };
        let chance = match self.outcome {
            Outcome::Test { chance, count, .. } if count >= claim.least => Some(chance),
            _ => None,
        };
        let join = |language| {
            let parts = [&self.words, &why].map(|words| words.of(language));
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let predicted = |language| {
            let word = claim.predicted.word().of(language).to_string();
            if claim.because.is_empty() { word } else { format!("{word}: {}", claim.because) }
        };
        Finding {
            claim: claim.text.clone(),
            claim_ja: claim.ja.clone(),
            published: self.published.unwrap_or_else(|| claim.published.clone()),
            predicted: predicted(Language::En),
            predicted_ja: predicted(Language::Ja),
            verdict,
            words: join(Language::En),
            words_ja: join(Language::Ja),
            ours: self.ours,
            chance,
        }
    }
}

/// What is counted, in Japanese.
fn unit_ja(unit: &str) -> &str {
    match unit {
        "games" => "局",
        "games learned from" => "局の棋譜",
        "positions" => "局面",
        "problems" | "questions" => "問",
        "answers" => "解答",
        "windows" => "個の窓",
        "squares" => "升",
        other => other,
    }
}

/// Fewer units than may decide.
fn too_few(claim: &Claim, count: usize) -> Words {
    let (unit, least) = (&claim.unit, claim.least);
    let japanese = unit_ja(unit);
    Words::from((
        format!("{count} {unit} are fewer than the {least} that may decide it."),
        format!("{count}{japanese}は判定に要る{least}{japanese}より少ない。"),
    ))
}

/// How many units would decide a test whose effect is as large as it was seen.
fn would_decide(distance: f64, count: usize, level: f64, unit: &str) -> Words {
    let wanted = normal_point(level) + POWER;
    let needed = count as f64 * (wanted / distance.max(1e-9)).powi(2);
    let japanese = unit_ja(unit);
    if needed > OUT_OF_REACH {
        return Words::from((
            format!("The effect seen is so small that no number of {unit} in reach would decide."),
            "見られた差は小さすぎ、現実的な数では決まらない。",
        ));
    }
    let needed = rounded(needed);
    Words::from((
        format!("About {needed} {unit} would decide an effect of this size."),
        format!("この大きさの差なら約{needed}{japanese}で決まる。"),
    ))
}

/// Up to two leading digits.
fn rounded(value: f64) -> u64 {
    let scale = 10f64.powf((value.max(1.0).log10().floor() - 1.0).max(0.0));
    ((value / scale).ceil() * scale) as u64
}

/// The two-sided point of the normal distribution beyond which lies `chance`.
fn normal_point(chance: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        match 2.0 * likelihood_below(-middle, 0.0, 1.0) > chance {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#"
level = 0.05
[[claim]]
name = "a"
text = "A"
predicted = "holds"
test = "sign"
least = 10
unit = "games"
[[claim]]
name = "b"
text = "B"
predicted = "fails"
because = "we think so"
test = "estimate"
threshold = 100.0
least = 10
unit = "positions"
"#;

    fn verdicts(evidence: [Evidence; 2]) -> [Finding; 2] {
        let claims = Claims::read(TWO).expect("claims");
        let mut evidence = evidence.into_iter();
        let found = claims.judge(|_| evidence.next().expect("two"));
        found.try_into().expect("two findings")
    }

    #[test]
    fn a_speed_up_of_two_and_a_half_is_no_part_of_a_hundred() {
        let seen = Estimate::new(2.6, (2.2, 3.1), 400);
        let slow = Evidence::estimate(seen, ClaimDirection::Above, 100.0, "2.6".into());
        let [sign, speed] = verdicts([Evidence::sign(30, 5, 100, "30:5".into()), slow]);
        assert_eq!((sign.verdict, speed.verdict), (FindingVerdict::Holds, FindingVerdict::Fails));
        assert_eq!(speed.predicted, "does not hold: we think so");
    }

    #[test]
    fn an_open_claim_says_how_many_would_decide() {
        let seen = Estimate::new(110.0, (90.0, 130.0), 50);
        let [few, open] = verdicts([
            Evidence::sign(5, 0, 5, String::new()),
            Evidence::estimate(seen, ClaimDirection::Above, 100.0, String::new()),
        ]);
        assert!(few.words.contains("fewer than the 10"), "{}", few.words);
        assert_eq!((few.verdict, open.verdict), (FindingVerdict::Open, FindingVerdict::Open));
        // z = 0.98; (2.2414 + 0.8416)^2 / 0.98^2 * 50 = 495.
        assert!(open.words.contains("About 500 positions"), "{}", open.words);
        let even = Evidence::sign(16, 16, 100, String::new());
        let [even, _] = verdicts([even, Evidence::missing("")]);
        assert!(even.words.contains("no number of games"), "{}", even.words);
    }

    #[test]
    fn a_claim_about_every_case_needs_every_case() {
        let case = |value: f64| {
            let seen = Estimate::new(value, (value - 1.0, value + 1.0), 100);
            Evidence::estimate(seen, ClaimDirection::Above, 0.0, String::new())
        };
        let of = |values: &[f64]| {
            let all = Evidence::every(values.iter().map(|&v| case(v)).collect(), String::new());
            verdicts([all, Evidence::missing("")])[0].verdict
        };
        assert_eq!(of(&[5.0, 6.0]), FindingVerdict::Holds);
        assert_eq!(of(&[5.0, 0.1]), FindingVerdict::Open);
        assert_eq!(of(&[5.0, -0.1]), FindingVerdict::Open);
        assert_eq!(of(&[5.0, -5.0]), FindingVerdict::Fails);
        assert_eq!(of(&[]), FindingVerdict::Open);
    }

    #[test]
    fn an_estimate_within_bounds() {
        let of = |value: f64, half: f64| {
            let seen = Estimate::new(value, (value - half, value + half), 100);
            let seen = Evidence::within(seen, (-35.0, -25.0), String::new());
            verdicts([seen, Evidence::missing("")])[0].verdict
        };
        assert_eq!(of(-30.0, 2.0), FindingVerdict::Holds);
        assert_eq!(of(-30.0, 20.0), FindingVerdict::Open);
        assert_eq!(of(-10.0, 2.0), FindingVerdict::Fails);
    }

    #[test]
    fn holm_is_stricter_than_each_test_alone() {
        // p = .039: alone it would pass, beside another test of the same size it does not.
        let near = || Evidence::sign(8, 1, 20, String::new());
        let [one, two] = verdicts([near(), near()]);
        assert_eq!((one.verdict, two.verdict), (FindingVerdict::Open, FindingVerdict::Open));
        let [one, two] = verdicts([near(), Evidence::sign(30, 0, 40, String::new())]);
        assert_eq!((one.verdict, two.verdict), (FindingVerdict::Holds, FindingVerdict::Holds));
    }

    #[test]
    fn every_claim_of_every_experiment_can_be_read_in_japanese() {
        let mut seen = 0;
        for experiment in crate::papers::ALL {
            assert!(
                experiment.japanese().iter().all(|text| is_japanese(text)),
                "{}",
                experiment.name()
            );
            let Some(file) = experiment.claims() else { continue };
            for claim in Claims::read(file).expect("claims").claim {
                assert!(
                    is_japanese(&claim.ja),
                    "{}: {}: {}",
                    experiment.name(),
                    claim.name,
                    claim.ja
                );
                seen += 1;
            }
        }
        assert!(seen >= 80, "{seen}");
    }

    fn is_japanese(text: &str) -> bool {
        text.chars().any(|c| ('\u{3041}'..='\u{30ff}').contains(&c))
    }

    #[test]
    fn points_of_the_normal_distribution() {
        assert!((normal_point(0.05) - NORMAL_95).abs() < 1e-6);
        assert_eq!((rounded(495.3), rounded(12.0), rounded(3.2)), (500, 12, 4));
    }
}
