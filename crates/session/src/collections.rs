//! The mate problems that the project carries.

use crate::protocol::{
    CollectionView, Collections, Fault, FaultCode, ProblemAsk, ProblemEntry, ProblemView,
};
use crate::view::position_view;
use std::sync::LazyLock;
use yomikiri_shogi::EnteringKingRule;
use yomikiri_tsume::attacker_of;
use yomikiri_tsume::problems::{MateProblem, read_set};

struct Collection {
    id: &'static str,
    english: &'static str,
    japanese: &'static str,
    problems: Vec<(MateProblem, Option<u32>)>,
}

/// (name, English, Japanese, text, column of the plies)
const SOURCES: [(&str, &str, &str, &str, usize); 3] = [
    ("mined", "Mates from engine games", "実戦の詰み", yomikiri_data::MINED, 2),
    ("musou", "Shogi Muso (1734), odd numbers", "将棋無双（奇数番）", yomikiri_data::MUSOU, 1),
    ("zukou", "Shogi Zuko (1755), odd numbers", "将棋図巧（奇数番）", yomikiri_data::ZUKOU, 1),
];

static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(|| {
    SOURCES
        .iter()
        .map(|&(id, english, japanese, text, column)| {
            let mut problems = read(text, column);
            if id == "mined" {
                // Near-misses are no problems to practise; the short ones come first.
                problems.retain(|(_, length)| length.is_some());
                problems.sort_by_key(|(_, length)| *length);
            }
            Collection { id, english, japanese, problems }
        })
        .collect()
});

/// The problems of a file with the plies given in a column.
fn read(text: &str, column: usize) -> Vec<(MateProblem, Option<u32>)> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let lengths = lines.map(|line| line.split('\t').nth(column)?.parse().ok());
    let problems = read_set(text).unwrap_or_default();
    problems.into_iter().zip(lengths).collect()
}

/// Names and lengths of everything.
pub fn list() -> Collections {
    let view = |collection: &Collection| CollectionView {
        id: collection.id.to_string(),
        english: collection.english.to_string(),
        japanese: collection.japanese.to_string(),
        problems: collection
            .problems
            .iter()
            .map(|(problem, length)| ProblemEntry { id: problem.id.clone(), length: *length })
            .collect(),
    };
    Collections { collections: COLLECTIONS.iter().map(view).collect() }
}

/// One problem.
pub fn problem(ask: &ProblemAsk) -> Result<ProblemView, Fault> {
    let missing = || {
        let message = format!("there is no problem {}/{}", ask.collection, ask.problem);
        Fault::new(FaultCode::NoProblem, message)
    };
    let collection = COLLECTIONS.iter().find(|one| one.id == ask.collection).ok_or_else(missing)?;
    let (problem, length) =
        collection.problems.iter().find(|(one, _)| one.id == ask.problem).ok_or_else(missing)?;
    Ok(ProblemView {
        collection: ask.collection.clone(),
        id: problem.id.clone(),
        position: position_view(&problem.position, EnteringKingRule::NoEnteringKing),
        attacker: attacker_of(&problem.position).into(),
        length: *length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_that_is_listed_can_be_had() {
        let list = list();
        assert_eq!(list.collections.len(), 3);
        for collection in list.collections {
            assert!(collection.problems.len() >= 48, "{}", collection.id);
            for entry in collection.problems {
                let ask =
                    ProblemAsk { collection: collection.id.clone(), problem: entry.id.clone() };
                let view = problem(&ask).unwrap();
                assert!(view.length.is_some_and(|length| length % 2 == 1), "{}", entry.id);
            }
        }
        let ask = ProblemAsk { collection: "musou".into(), problem: "none".into() };
        assert_eq!(problem(&ask).unwrap_err().code, FaultCode::NoProblem);
    }
}
