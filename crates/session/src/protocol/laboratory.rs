//! The laboratory: experiments that are run again, and one whose subject is the user.

use super::board::{MoveView, PositionView};
use super::fault::Fault;
use serde::{Deserialize, Serialize};

/// The experiments, and what was measured on this computer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaboratoryView {
    /// Every experiment.
    pub experiments: Vec<ExperimentView>,
    /// Whether they can be run here: results need a folder.
    pub runs: bool,
    /// Everybody who was a subject, the players of the paper first.
    pub people: Vec<SubjectRow>,
}

/// An experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExperimentView {
    /// Its name in requests.
    pub name: String,
    /// Its title in English.
    pub title: String,
    /// The title in Japanese.
    pub title_ja: String,
    /// What it asks, in English.
    pub question: String,
    /// What it asks, in Japanese.
    pub question_ja: String,
    /// Seconds of work on one core that the short form took where it was measured.
    pub quick: Option<f64>,
    /// The same of the whole.
    pub whole: Option<f64>,
    /// What was measured on this computer.
    pub own: Option<ResultView>,
}

/// The results of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResultView {
    /// Whether it was the short form.
    pub quick: bool,
    /// Seconds of work.
    pub seconds: f64,
    /// When it was begun.
    pub started: String,
    /// The findings.
    pub findings: Vec<FindingView>,
}

/// A finding of a paper beside ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FindingView {
    /// What the paper says; in English, by which reports name it.
    pub claim: String,
    /// The same in Japanese; empty where there is none.
    pub claim_ja: String,
    /// Its figures.
    pub published: String,
    /// Ours.
    pub ours: String,
    /// The verdict.
    #[cfg_attr(test, ts(type = "\"holds\" | \"partly\" | \"fails\" | \"open\""))]
    pub verdict: String,
    /// Why.
    pub words: String,
    /// The same in Japanese; empty where there is none.
    pub words_ja: String,
}

/// Runs an experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunExperimentAsk {
    /// Which.
    pub experiment: String,
    /// Whether in the short form.
    pub quick: bool,
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunEvent {
    /// The experiment.
    pub experiment: String,
    /// Whether it is the short form.
    pub quick: bool,
    /// The stage; empty until it has begun.
    pub stage: String,
    /// Its units that are done.
    pub done: u32,
    /// All of them.
    pub total: u32,
    /// Milliseconds since the start.
    pub time: u64,
    /// Whether the run is over.
    pub finished: bool,
    /// What came out, of a run that is over.
    pub result: Option<ResultView>,
    /// What went wrong.
    pub trouble: Option<Fault>,
}

/// What the subject is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SubjectRole {
    /// Mates a losing side that defends.
    Mate,
    /// Withstands the checks of a losing side that attacks, and then mates it.
    Withstand,
}

/// The user is the subject.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BeSubjectAsk {
    /// Under which name the results are kept; positions that it has played are not asked again.
    pub name: String,
    /// What to do.
    pub role: SubjectRole,
    /// How many positions.
    pub positions: u32,
    /// Whether with the positions and the effort of the short form.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub quick: bool,
}

/// The subject's move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SubjectMoveAsk {
    /// The number of the question.
    pub turn: u32,
    /// The move in USI; null gives the position up.
    #[serde(rename = "move")]
    pub mv: Option<String>,
}

/// What happens in the experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SubjectEvent {
    /// What.
    pub what: SubjectNews,
    /// The number of the question that is open or comes next.
    pub turn: u32,
    /// The position's number, from 1.
    pub number: u32,
    /// Positions in all.
    pub of: u32,
    /// The position; null at the end.
    pub position: Option<PositionView>,
    /// The program's move, or the subject's that is repeated.
    #[serde(rename = "move")]
    pub mv: Option<MoveView>,
    /// Milliseconds for the answer.
    pub time: u64,
    /// The table, at the end.
    pub people: Vec<SubjectRow>,
    /// What went wrong.
    pub trouble: Option<Fault>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SubjectNews {
    /// A position is set up; the program is to move.
    Begins,
    /// The program has moved; the position is the one after it.
    Played,
    /// The subject is to move.
    Asked,
    /// This position was met before and is answered as it was then.
    Repeats,
    /// The trial is over: the mate was brought about.
    Found,
    /// The trial is over: it was not.
    Missed,
    /// All is done.
    Finished,
}

/// Somebody against one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SubjectRow {
    /// Who: a name, or a player of the paper.
    pub name: String,
    /// Whether the paper reports it.
    pub published: bool,
    /// In which role.
    pub role: SubjectRole,
    /// Against which program.
    pub program: String,
    /// Mates brought about.
    pub found: u32,
    /// Positions played.
    pub of: u32,
}
