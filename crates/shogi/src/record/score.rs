//! Evaluations that programs write into comments.

use super::tree::Node;

/// The name under which ShogiHome writes an evaluation into a comment.
const SHOGI_HOME: &str = "#評価値=";

/// The comment that holds a score, in centipawns and good for black if positive.
pub(super) fn comment_of(score: i32) -> String {
    format!("{SHOGI_HOME}{score}")
}

impl Node {
    /// The evaluation that a comment holds, in centipawns and good for black if positive. Known
    /// are the forms of floodgate (`'** 30 ...` in CSA), of ShogiHome (`#評価値=30`) and of
    /// ShogiGUI (`*解析 ... 評価値 30 ...`).
    pub fn score(&self) -> Option<i32> {
        self.comments.iter().find_map(|comment| {
            if let Some(rest) = comment.strip_prefix(SHOGI_HOME) {
                return first_number(rest);
            }
            if comment.starts_with("*解析") {
                return first_number(comment.split_once("評価値")?.1);
            }
            first_number(comment.strip_prefix("* ")?)
        })
    }
}

fn first_number(text: &str) -> Option<i32> {
    let word = text.split_ascii_whitespace().next()?;
    let number = word.trim_end_matches(|symbol: char| !symbol.is_ascii_digit()).parse().ok();
    // The other side's score is the negative one, which the least number lacks.
    number.filter(|&score| score != i32::MIN)
}
