//! All experiments. Adding one means a file here and a line in [`ALL`].

pub mod bonanza;
pub mod hex_widening;
pub mod probcut;
pub mod singular;
pub mod speculative;
pub mod tsume_widening;
pub mod widening;

use crate::run::{Experiment, LabError};
use yomikiri_text::Language;

/// Every experiment, in the order in which they are listed.
pub const ALL: &[&dyn Experiment] = &[
    &probcut::ProbCut,
    &singular::Singular,
    &speculative::Speculative,
    &widening::WideningExperiment,
    &tsume_widening::TsumeWidening,
    &hex_widening::HexWidening,
    &bonanza::Bonanza,
    &speculative::mining::Positions,
];

/// The experiment of a name, or of one that it had before.
pub fn find(name: &str) -> Option<&'static dyn Experiment> {
    let named = |experiment: &&dyn Experiment| {
        experiment.name() == name || experiment.old_names().contains(&name)
    };
    ALL.iter().copied().find(named)
}

/// The experiments of these names, `all` for every one.
///
/// # Errors
/// If there is no such experiment.
pub fn named(names: &[String]) -> Result<Vec<&'static str>, LabError> {
    if names.iter().any(|name| name == "all") {
        return Ok(ALL.iter().map(|experiment| experiment.name()).collect());
    }
    let known = |name: &String| match find(name) {
        Some(experiment) => Ok(experiment.name()),
        None => Err(LabError::Unknown(name.clone())),
    };
    names.iter().map(known).collect()
}

/// Every experiment with its question, in words.
pub fn list(language: Language) -> String {
    let row = |experiment: &&dyn Experiment| {
        let [title, question] = match language {
            Language::En => [experiment.title(), experiment.question()],
            Language::Ja => experiment.japanese(),
        };
        format!("{:<12} {title}\n{:<12} {question}\n\n", experiment.name(), "")
    };
    ALL.iter().map(row).collect()
}
