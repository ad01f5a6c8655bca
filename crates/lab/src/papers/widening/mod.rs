//! Dynamic widening in Go capture search: the experiment of Yoshizoe (2008).
//!
//! **Question.** With all legal moves of a 19x19 board as candidates, does counting only the best
//! few children in the sums of df-pn+ make the search faster, and does it when the candidates are
//! chosen by knowledge of the game?
//!
//! **Data.** The paper's 434 problems of Thomsen's collection are not to be had. In their place:
//! the 76 19x19 problems of GNU Go's regression suite with an unconditional answer, and 434 drawn
//! by the seed from positions derived from the suite. Each is asked both ways, attacker first and
//! defender first, so that a solver that always says yes fails. Those sets are under the GPL and
//! are named by the setting `data`; quick runs use a small set of the project's own (`own.jsonl`).
//!
//! **Truth.** The result of a search with all legal moves is a proof, so any variant's is the truth
//! (they are checked against each other). Where no variant has one, GNU Go's answer is shown as
//! unverified and counts neither as right nor as wrong.
//!
//! **Ko.** Simple ko and no threats, as in the paper, whose problems are free of ko. See
//! `docs/go-capture.md`.

mod findings;
mod report;

use std::path::PathBuf;

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use yomikiri_go::capture::{self, Ko, PAPER_VARIANTS as VARIANTS, SearchVariant, search};
use yomikiri_go::problem::{self, CaptureProblem};
use yomikiri_proof::game::Role;

use crate::page::Page;
use crate::run::{Experiment, ExperimentSettings, LabError, Run, fault};
use crate::stored::{Results, Stored};

/// The experiment.
pub struct WideningExperiment;

/// What can be set in a config file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WideningSettings {
    /// Nodes after which a search gives up.
    pub node_limit: u64,
    /// Liberties at which the attacker gives up.
    pub give_up: u32,
    /// 1+epsilon in percent; 0 is df-pn as published.
    pub epsilon_percent: u32,
    /// At most this many problems of the regression suite.
    pub suite_problems: usize,
    /// This many of the derived problems.
    pub derived_problems: usize,
    /// Folder of the two sets; without one, the project's own set is used.
    pub data: Option<PathBuf>,
    /// At most this many problems of the project's own set.
    pub own_problems: usize,
}

/// The project's own set, made by the example `make_capture_set`.
const OWN: &str = include_str!("own.jsonl");

impl ExperimentSettings for WideningSettings {
    fn standard(quick: bool) -> WideningSettings {
        WideningSettings {
            node_limit: if quick { 2_000 } else { capture::NODE_LIMIT },
            give_up: capture::GIVE_UP,
            epsilon_percent: 0,
            suite_problems: if quick { 8 } else { 76 },
            derived_problems: if quick { 8 } else { 434 },
            data: (!quick).then(|| PathBuf::from("data/go")),
            own_problems: 16,
        }
    }
}

/// What is claimed before the run.
const CLAIMS: &str = include_str!("claims.toml");

/// Which set a question comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Set {
    Suite,
    Derived,
    Own,
}

/// A problem and its set.
struct Question {
    set: Set,
    problem: CaptureProblem,
}

/// A question as the report needs it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Asked {
    id: String,
    set: Set,
    attacker_first: bool,
    target: String,
    /// Whether the block is captured by what the set expects, and by GNU Go.
    expected: Option<bool>,
    gnugo: Option<bool>,
}

impl Asked {
    fn of(Question { set, problem }: &Question) -> Asked {
        let says = |answers: &Option<problem::Expected>| {
            answers
                .as_ref()
                .and_then(|expected| Some(expected.answers.first()?.captured(problem.first)))
        };
        Asked {
            id: problem.id.clone(),
            set: *set,
            attacker_first: problem.first == Role::Attacker,
            target: problem.target.to_string(),
            expected: says(&problem.expected),
            gnugo: says(&problem.gnugo),
        }
    }

    fn first(&self) -> Role {
        if self.attacker_first { Role::Attacker } else { Role::Defender }
    }
}

/// Everything measured: the questions, and the searches by variant.
#[derive(Debug, Serialize, Deserialize)]
struct Searches {
    questions: Vec<Asked>,
    by_variant: Vec<(String, Vec<Measured>)>,
}

/// What one search gave.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Measured {
    captured: Option<bool>,
    nodes: u64,
    expanded: u64,
    candidates: u64,
}

impl Experiment for WideningExperiment {
    fn name(&self) -> &'static str {
        "widening"
    }

    fn title(&self) -> &'static str {
        "Dynamic widening in Go capture search"
    }

    fn question(&self) -> &'static str {
        "Df-pn+ adds up the numbers of all children. Does it solve more capture problems if it adds up the best few only, \
         with all legal moves and with heuristic moves? After Yoshizoe (2008)."
    }

    fn parts(&self) -> &'static [&'static str] {
        &["go"]
    }

    fn paper(&self) -> Option<u8> {
        Some(4)
    }

    fn japanese(&self) -> [&'static str; 2] {
        [
            "囲碁の捕獲探索の動的ワイドニング",
            "df-pn+で上位の子だけを足し合わせると、より多くの問題が解けるか。（Yoshizoe 2008）",
        ]
    }

    fn claims(&self) -> Option<&'static str> {
        Some(CLAIMS)
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        let settings: WideningSettings = run.settings()?;
        let questions = load(run, &settings)?;
        let each = |variant| questions.iter().map(move |question| (variant, question));
        let searches: Vec<(SearchVariant, &Question)> =
            VARIANTS.into_iter().flat_map(each).collect();
        let key = |(variant, question): &(SearchVariant, &Question)| {
            format!("{}/{}", variant.name, question.problem.id)
        };
        let ask = |(variant, question): &(SearchVariant, &Question)| {
            measure(question, *variant, &settings)
        };
        let measured: Vec<Measured> = run.measure("searches", &searches, key, ask)?;
        let by_variant = measured.chunks(questions.len().max(1)).map(<[Measured]>::to_vec);
        let names = VARIANTS.into_iter().map(|variant| variant.name.to_string());
        Results::new(&Searches {
            questions: questions.iter().map(Asked::of).collect(),
            by_variant: names.zip(by_variant).collect(),
        })
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        report::page(self, stored)
    }
}

fn measure(question: &Question, variant: SearchVariant, settings: &WideningSettings) -> Measured {
    let how = variant.of(&capture::CaptureSettings {
        nodes: settings.node_limit,
        give_up: Some(settings.give_up),
        epsilon_percent: settings.epsilon_percent,
        ..capture::CaptureSettings::default()
    });
    let problem = &question.problem;
    match search(&problem.board, problem.target, problem.first, Ko::Simple, &how) {
        None => Measured { captured: None, nodes: 0, expanded: 0, candidates: 0 },
        Some(found) => Measured {
            captured: found.captured,
            nodes: found.nodes,
            expanded: found.counts.expanded,
            candidates: found.counts.candidates,
        },
    }
}

/// Both sets, each problem both ways.
fn load(run: &mut Run<'_>, settings: &WideningSettings) -> Result<Vec<Question>, LabError> {
    let Some(folder) = &settings.data else { return load_own(run, settings) };
    let suite = run.read_data(&folder.join("go_gnugo_capture.jsonl")).map_err(|error| {
        let hint = "name the folder of the sets with `data` in the table [widening] of --config, \
                    or take --quick";
        LabError::Data { name: "widening".into(), fault: format!("{error}; {hint}") }
    })?;
    let derived = run.read_packed(&folder.join("go_derived_capture_oracle.jsonl.zst"))?;
    let mut questions = Vec::new();
    let suite = parse("suite", &suite)?;
    let unconditional = |problem: &&CaptureProblem| {
        let certain =
            |expected: &problem::Expected| !expected.answers.iter().any(|answer| answer.is_ko());
        problem.board.size() == 19 && problem.expected.as_ref().is_some_and(certain)
    };
    for problem in suite.iter().filter(unconditional).take(settings.suite_problems) {
        for first in [Role::Attacker, Role::Defender] {
            let mut asked = problem.clone();
            asked.id = format!("{} {}", problem.id, role_name(first));
            asked.first = first;
            if first != problem.first {
                asked.expected = None;
                asked.gnugo = None;
            }
            questions.push(Question { set: Set::Suite, problem: asked });
        }
    }
    // The file holds each position twice, once for each side to begin.
    let derived = parse("derived", &derived)?;
    let mut pairs: Vec<&[CaptureProblem]> = derived.chunks(2).collect();
    Rng::with_seed(run.seed()).shuffle(&mut pairs);
    for pair in pairs.into_iter().take(settings.derived_problems) {
        questions.extend(
            pair.iter().map(|problem| Question { set: Set::Derived, problem: problem.clone() }),
        );
    }
    Ok(questions)
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Attacker => "attacker first",
        Role::Defender => "defender first",
    }
}

/// The project's own set, which holds each position twice, once for each side to begin.
fn load_own(run: &mut Run<'_>, settings: &WideningSettings) -> Result<Vec<Question>, LabError> {
    run.note_data("own.jsonl", OWN.as_bytes());
    let mut problems = parse("own", OWN.as_bytes())?;
    problems.truncate(2 * settings.own_problems);
    let question = |mut problem: CaptureProblem| {
        problem.id = format!("{} {}", problem.id, role_name(problem.first));
        Question { set: Set::Own, problem }
    };
    Ok(problems.into_iter().map(question).collect())
}

fn parse(name: &str, bytes: &[u8]) -> Result<Vec<CaptureProblem>, LabError> {
    let text = std::str::from_utf8(bytes).map_err(|error| fault(name, &error))?;
    problem::read(text).map_err(|error| fault(name, &error))
}
