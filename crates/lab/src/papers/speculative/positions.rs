//! Lost positions of games, with their proofs.
//!
//! Two kinds, as the paper has them. *Defender*: the side to move is in check and being mated,
//! every move is proven to be answered by mate. *Attacker*: mate is threatened, every move that
//! gives no check is proven to be mated, the side to move has no mate, and it has checks. A mate
//! counts once its proof was extracted and checked by the independent verifier; no mate once it was
//! disproven.

use serde::{Deserialize, Serialize};
use yomikiri_base::StopToken;
use yomikiri_engine::speculative::attacker::{self, CheckCandidate};
use yomikiri_engine::speculative::formula::{AnswersToCheck, Share};
use yomikiri_engine::speculative::{LossProof, ProofBudget, defender, hunt};
use yomikiri_shogi::{Move, ParseError, Position};

/// Which side of the paper a position belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProgramRole {
    /// The side to move is being mated.
    Defender,
    /// The side to move has no defence and no mate, only checks.
    Attacker,
}

/// A move that gets mated, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mated {
    /// The move in USI.
    #[serde(rename = "move")]
    pub played: String,
    /// Nodes of PDS from an empty table to prove the mate.
    pub nodes: u64,
    /// Plies of the proof at most.
    pub length: u32,
    /// A line of it, USI moves with spaces between.
    pub line: String,
}

/// A check and what the answers to it lead to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Check {
    /// The check in USI.
    #[serde(rename = "move")]
    pub played: String,
    /// Escapes: those that get mated, and all.
    pub escapes: [u32; 2],
    /// Recaptures.
    pub recaptures: [u32; 2],
    /// Blocks.
    pub blocks: [u32; 2],
    /// How likely an answer gets mated, by realization probability.
    pub likely: f64,
    /// Plies of the longest mate after an answer that loses.
    pub longest: u32,
    /// Nodes to disprove a mate by the check.
    pub disproof: u64,
}

/// A lost position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lost {
    /// Game and move number.
    pub id: String,
    /// Its kind.
    pub kind: ProgramRole,
    /// The position.
    pub sfen: String,
    /// Attacker: nodes and plies of the mate that is threatened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threat: Option<[u64; 2]>,
    /// Attacker: whether it is proven that checks do not save the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunted: Option<bool>,
    /// The moves that get mated: all of them, or all that give no check.
    pub mated: Vec<Mated>,
    /// Attacker: the checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
}

/// Nodes that may be spent on knowing a position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// For one question: does this move get mated, is there a threat of mate, a mate to be had?
    pub each: u64,
    /// For all moves of a position.
    pub all: u64,
    /// For the answers to all checks.
    pub answers: u64,
}

impl Effort {
    /// For questions that may cost `nodes` together.
    pub fn budget(&self, nodes: u64) -> ProofBudget {
        ProofBudget::new(nodes, None, StopToken::new(), false).with_most(self.each)
    }
}

/// What finds a position of one kind.
type Find = fn(&Position, &Effort) -> Option<Lost>;

/// The earliest position of a kind. `last` are the positions before the last moves of a game; who
/// made the last of them has won.
pub fn mine(
    kind: ProgramRole,
    game: usize,
    last: &[(u32, Position)],
    effort: &Effort,
) -> Option<Lost> {
    let without_past = |(number, position): &(u32, Position)| {
        Position::from_sfen(&position.to_sfen()).ok().map(|position| (*number, position))
    };
    let losers = last.iter().rev().skip(1).step_by(2);
    let losers: Vec<(u32, Position)> = losers.filter_map(without_past).collect();
    let named = |number: u32, lost: Lost| Lost { id: format!("{game}-{number}"), ..lost };
    let of = |&(number, ref position): &(u32, Position), find: Find| {
        find(position, effort).map(|lost| named(number, lost))
    };
    match kind {
        ProgramRole::Defender => {
            let in_check = losers.iter().filter(|(_, position)| position.in_check());
            in_check
                .map_while(|one| of(one, being_mated))
                .filter(|lost| lost.mated.len() > 1)
                .last()
        }
        ProgramRole::Attacker => losers.iter().rev().find_map(|one| of(one, only_checks)),
    }
}

/// Every move with its mate, if all get mated.
fn being_mated(position: &Position, effort: &Effort) -> Option<Lost> {
    let all = defender::candidates(position, &mut effort.budget(effort.all))?;
    Some(Lost {
        id: String::new(),
        kind: ProgramRole::Defender,
        sfen: position.to_sfen(),
        threat: None,
        hunted: None,
        mated: all.iter().map(Mated::of).collect(),
        checks: Vec::new(),
    })
}

/// What there is to choose from where only checks are left. Positions in which the checks are all
/// alike, or no answer loses, pose no question and are passed over.
fn only_checks(position: &Position, effort: &Effort) -> Option<Lost> {
    if position.in_check() || !effort.budget(effort.each).ask_threat(position).is_mate() {
        return None;
    }
    let (threat, quiet) = attacker::only_checks_are_left(position, &mut effort.budget(effort.all))?;
    let checks = attacker::compare(position, &mut effort.budget(effort.answers))?;
    let asks = checks.len() > 1 && checks.iter().any(|check| check.answers.likely_mated > 0.0);
    asks.then(|| Lost {
        id: String::new(),
        kind: ProgramRole::Attacker,
        sfen: position.to_sfen(),
        threat: Some([threat.nodes, threat.length.into()]),
        hunted: Some(hunt::is_lost(position, &mut effort.budget(effort.all).with_most(effort.all))),
        mated: quiet.iter().map(Mated::of).collect(),
        checks: checks.iter().map(Check::of).collect(),
    })
}

impl Mated {
    fn of(candidate: &defender::LosingMove) -> Mated {
        let line: Vec<String> = candidate.line.iter().map(Move::to_string).collect();
        Mated {
            played: candidate.mv.to_string(),
            nodes: candidate.nodes,
            length: candidate.length,
            line: line.join(" "),
        }
    }

    /// As the engine has it; `None` if the text is no move.
    pub fn candidate(&self) -> Option<defender::LosingMove> {
        let moves = self.line.split_whitespace().map(|word| word.parse().ok());
        Some(defender::LosingMove {
            mv: self.played.parse().ok()?,
            nodes: self.nodes,
            length: self.length,
            line: moves.collect::<Option<_>>()?,
        })
    }
}

impl Check {
    fn of(candidate: &CheckCandidate) -> Check {
        let CheckCandidate { mv, answers } = candidate;
        let pair = |share: Share| [share.mated, share.all];
        Check {
            played: mv.to_string(),
            escapes: pair(answers.escapes),
            recaptures: pair(answers.recaptures),
            blocks: pair(answers.blocks),
            likely: answers.likely_mated,
            longest: answers.longest_mate,
            disproof: answers.nodes_to_disprove,
        }
    }

    /// As the engine has it; `None` if the text is no move.
    pub fn candidate(&self) -> Option<CheckCandidate> {
        let share = |[mated, all]: [u32; 2]| Share { mated, all };
        let answers = AnswersToCheck {
            escapes: share(self.escapes),
            recaptures: share(self.recaptures),
            blocks: share(self.blocks),
            likely_mated: self.likely,
            longest_mate: self.longest,
            nodes_to_disprove: self.disproof,
            ..AnswersToCheck::default()
        };
        Some(CheckCandidate { mv: self.played.parse().ok()?, answers })
    }
}

impl Lost {
    /// What the engine's attacker knows of it.
    pub fn study(&self) -> Option<attacker::Study> {
        let [nodes, length] = self.threat?;
        Some(attacker::Study {
            threat: LossProof {
                verdict: yomikiri_engine::speculative::LossVerdict::Mate,
                nodes,
                length: length as u32,
                line: Vec::new(),
            },
            quiet: self.mated.iter().map(Mated::candidate).collect::<Option<_>>()?,
            checks: self.checks.iter().map(Check::candidate).collect::<Option<_>>()?,
        })
    }
}

/// A line that is no position of the experiment.
#[derive(Debug, thiserror::Error)]
pub enum LostError {
    /// Not JSON of this form.
    #[error("line {0}: {1}")]
    Json(usize, serde_json::Error),
    /// Not a position.
    #[error("line {0}: {1}")]
    Position(usize, ParseError),
    /// A move that cannot be played.
    #[error("line {0}: {1} is no legal move")]
    Move(usize, String),
}

/// Reads a file of positions: JSON, one a line; lines that begin with `#` are comments.
///
/// # Errors
/// The line and what is wrong with it.
pub fn read(text: &str) -> Result<Vec<Lost>, LostError> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.starts_with('#') && !line.is_empty())
        .map(|(number, line)| {
            let lost: Lost =
                serde_json::from_str(line).map_err(|error| LostError::Json(number, error))?;
            let position = Position::from_sfen(&lost.sfen)
                .map_err(|error| LostError::Position(number, error))?;
            let moves = lost.mated.iter().map(|one| &one.played);
            for text in moves.chain(lost.checks.iter().map(|one| &one.played)) {
                let legal = text.parse::<Move>().is_ok_and(|played| position.is_legal(played));
                if !legal {
                    return Err(LostError::Move(number, text.clone()));
                }
            }
            Ok(lost)
        })
        .collect()
}

/// The text of a file of positions.
pub fn write(header: &str, all: &[Lost]) -> String {
    let mut text = format!("# {header}\n");
    for lost in all {
        text += &serde_json::to_string(lost).expect("plain data is JSON");
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_base::packed::{self, UnpackLimits};

    const EFFORT: Effort = Effort { each: 10_000, all: 200_000, answers: 200_000 };

    #[test]
    fn the_file_of_the_project_holds_what_it_says() {
        let name = std::path::Path::new("data/speculative.jsonl.zst");
        let bytes = crate::data::carried(name).expect("it is carried");
        let text =
            packed::unpacked(bytes.to_vec(), UnpackLimits::default()).expect("packed by zstd");
        let all = read(&String::from_utf8(text).expect("text")).expect("positions");
        for (kind, every) in [(ProgramRole::Defender, 60), (ProgramRole::Attacker, 100)] {
            let of_kind: Vec<&Lost> = all.iter().filter(|lost| lost.kind == kind).collect();
            assert!(of_kind.len() >= 200, "{kind:?}: {}", of_kind.len());
            for lost in of_kind.iter().step_by(every) {
                let position = Position::from_sfen(&lost.sfen).expect("a position");
                let checks = |played: &Move| position.gives_check(*played);
                let mated = position
                    .legal_moves()
                    .iter()
                    .filter(|m| match kind {
                        ProgramRole::Defender => true,
                        ProgramRole::Attacker => !checks(m),
                    })
                    .count();
                assert_eq!(lost.mated.len(), mated, "{}", lost.id);
                for one in lost.mated.iter().step_by(5) {
                    let mut after = position.clone();
                    after.play(one.played.parse().expect("a move"));
                    let mut budget = EFFORT.budget(200_000).with_most(200_000);
                    assert!(
                        budget.ask(&after, after.side_to_move()).is_mate(),
                        "{} {}",
                        lost.id,
                        one.played
                    );
                }
            }
        }
    }

    #[test]
    fn both_kinds_are_recognised_and_survive_the_file() {
        let mated = Position::from_sfen("l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1").expect("a position");
        let mated = being_mated(&mated, &EFFORT).expect("every move gets mated");
        let start = being_mated(&Position::start(), &Effort { all: 1_000, ..EFFORT });
        assert_eq!(start, None);
        assert_eq!(only_checks(&Position::start(), &EFFORT), None);
        let text = write("made by hand", std::slice::from_ref(&mated));
        assert_eq!(read(&text).expect("the file"), vec![mated.clone()]);
        let broken =
            text.replace(&format!("\"move\":\"{}\"", mated.mated[0].played), "\"move\":\"5e5d\"");
        assert!(read(&broken).is_err_and(|fault| fault.to_string().contains("line 2")));
    }
}
