//! All experiments. Adding one means a file here and a line in [`ALL`].

pub mod hex_widening;
pub mod probcut;
pub mod progress;
pub mod singular;
pub mod speculative;
pub mod tsume_widening;
pub mod widening;

use crate::run::Experiment;

/// Every experiment, in the order in which they are listed.
pub const ALL: &[&dyn Experiment] = &[
    &probcut::ProbCut,
    &singular::Singular,
    &speculative::Speculative,
    &widening::Widening,
    &tsume_widening::TsumeWidening,
    &hex_widening::HexWidening,
    &progress::Progress,
    &speculative::mining::Positions,
];

/// The experiment of a name.
pub fn find(name: &str) -> Option<&'static dyn Experiment> {
    ALL.iter().copied().find(|experiment| experiment.name() == name)
}

/// Every experiment with what it asks, in words.
pub fn list() -> String {
    let row = |experiment: &&dyn Experiment| {
        let (name, title, question) =
            (experiment.name(), experiment.title(), experiment.question());
        format!("{name:<12} {title}\n{:<12} {question}\n\n", "")
    };
    ALL.iter().map(row).collect()
}
