//! A number that changes only when the search behaves differently.

use yomikiri_proof::game::Role;
use yomikiri_proof::widening::Width;

use super::moves::Moves;
use super::solve::{CaptureSettings, solve};
use crate::board::Point;
use crate::problem::CaptureProblem;
use crate::sgf;

/// Positions, a stone of the target, who moves first: small boards with every answer, from a few
/// hundred to a few thousand nodes.
const QUESTIONS: [(&str, &str, Role); 20] = [
    (
        "(;SZ[6]AB[af][bf][ce][ac][dc][fc][cb][db][fb][ba]AW[cf][df][be][ee][dd][ec][ab][eb][ca][ea][fa])",
        "E2",
        Role::Attacker,
    ),
    ("(;SZ[4]AB[cd][dd][ac][bb][db][ca]AW[bd][bc][ab])", "C4", Role::Attacker),
    ("(;SZ[5]AB[de][bd][cc][eb][aa][ba][da][ea]AW[ae][be][ce][ad][ac])", "E5", Role::Attacker),
    ("(;SZ[4]AB[ad][bd][cc][ab][cb][ba]AW[dd][bb][ca])", "B3", Role::Defender),
    ("(;SZ[4]AB[ab][aa]AW[ac][cc][da])", "A3", Role::Defender),
    (
        "(;SZ[6]AB[bf][ff][be][bd][dd][fd][ec][cb][db][da]AW[cf][df][ef][de][ee][bb][aa][ca])",
        "E1",
        Role::Defender,
    ),
    ("(;SZ[4]AB[ad][cd][bc][cb][ba][da]AW[dd][cc][ab][db])", "C3", Role::Attacker),
    (
        "(;SZ[5]AB[be][ce][cd][ac][ec][bb][eb][aa][ca]AW[de][ee][ad][bd][ed][bc][cc][cb][db][da][ea])",
        "A2",
        Role::Attacker,
    ),
    (
        "(;SZ[5]AB[ee][ed][bc][ec][db][ea]AW[ae][be][ad][cd][ac][ab][bb][cb][aa][ba][da])",
        "B4",
        Role::Attacker,
    ),
    (
        "(;SZ[5]AB[ce][cd][dd][bc][cc][ec][ba][ea]AW[ae][de][ee][bd][ac][bb][cb][db][aa][da])",
        "B5",
        Role::Defender,
    ),
    ("(;SZ[4]AB[ad][bb][aa][ca]AW[bd][cd][bc][cc][dc][cb][db][da])", "A4", Role::Defender),
    ("(;SZ[4]AB[bd][cd][dd][ac][bc][cc][ab][bb][aa]AW[dc][cb][ca][da])", "D4", Role::Defender),
    (
        "(;SZ[6]AB[bf][df][be][ce][fe][bd][bc][dc][ec][fc][bb][db][aa]AW[af][ef][ff][ae][de][ee][ad][cd][ed][ac][cc][cb][eb][fb][ba][da][ea])",
        "E2",
        Role::Attacker,
    ),
    ("(;SZ[4]AB[bd][cd][cc][ca][da]AW[ad][bc][ab][ba])", "C2", Role::Attacker),
    ("(;SZ[4]AB[ac][dc][bb][aa][ba][ca][da]AW[ad][cd][dd][bc][cc])", "A4", Role::Defender),
    (
        "(;SZ[5]AB[ae][bd][dd][ed][ac][bc][dc][bb][aa][da][ea]AW[be][ce][cc][cb][eb][ba])",
        "C1",
        Role::Defender,
    ),
    (
        "(;SZ[6]AB[ff][ce][ee][bd][fd][bc][bb][ca]AW[ef][ae][be][ad][ed][ac][dc][fc][ab][ba][da][fa])",
        "B3",
        Role::Attacker,
    ),
    (
        "(;SZ[5]AB[be][de][ee][dd][ed][ac][ec][bb][cb][ea]AW[ae][ce][dc][db][eb][aa][ba][ca])",
        "B4",
        Role::Attacker,
    ),
    ("(;SZ[4]AB[cb][db][aa]AW[ad][bd][cd][dd][bc][dc][da])", "C1", Role::Defender),
    ("(;SZ[4]AB[bd][ac][ba][ca][da]AW[dd][cc][dc][bb])", "D2", Role::Defender),
];

/// The nodes of all searches about twenty fixed questions, with all legal moves and with heuristic
/// ones. A change that claims to leave the search as it is leaves this number as it is.
pub fn signature() -> u64 {
    let all = CaptureSettings { memory: 16 << 20, ..CaptureSettings::default() };
    let heuristic = CaptureSettings { moves: Moves::Heuristic, width: Width::All, ..all.clone() };
    let nodes = |settings| {
        let solutions = questions().filter_map(move |problem| solve(&problem, settings));
        solutions.map(|solution| solution.nodes()).sum::<u64>()
    };
    nodes(&all) + nodes(&heuristic)
}

fn questions() -> impl Iterator<Item = CaptureProblem> {
    QUESTIONS.into_iter().filter_map(|(text, target, first)| {
        let board = sgf::read(text, None).ok()?.board;
        let target = Point::parse(target, board.size()).ok()?;
        let id = text.to_string();
        Some(CaptureProblem { id, board, target, first, expected: None, gnugo: None })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::CaptureResult;

    /// On a change of behaviour that is meant, the new sum goes here.
    #[test]
    fn the_signature_is_the_one_on_record() {
        assert_eq!(signature(), 44_445);
    }

    #[test]
    fn the_questions_can_be_read_and_have_every_answer() {
        let answers: Vec<CaptureResult> = questions()
            .filter_map(|problem| solve(&problem, &CaptureSettings::default())?.answer)
            .collect();
        assert_eq!(answers.len(), QUESTIONS.len());
        for code in 0..4 {
            assert!(answers.iter().any(|answer| answer.code() == code), "{answers:?}");
        }
    }
}
