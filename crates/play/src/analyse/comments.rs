//! Views as comments of a record.

use super::judge::{AnalysedGame, JudgedMove};
use super::summary::{hardest_remark, remark};
use super::view::View;
use crate::notation::Notation;
use yomikiri_shogi::record::{Node, NodeId, Record};
use yomikiri_shogi::{Move, Position};
use yomikiri_text::{Analyse, Language};

/// What other programs write beside a score, and what earlier versions of this one said.
const OLD_STARTS: [&str; 10] = [
    "*解析 ",
    "#読み筋=",
    "#深さ=",
    "#ノード数=",
    "#エンジン=",
    "#勝率=",
    "詰み逃し",
    "悪手 (-",
    "どの手も負け 勝負手 ",
    REMARK,
];

/// What a remark begins with, so that the next analysis can distinguish it from what people wrote.
const REMARK: &str = "【解析】";

/// Writes the views into a record's comments, in the forms of ShogiHome and of ShogiGUI. What an
/// earlier analysis wrote is replaced; what people wrote stays.
pub fn annotate(record: &mut Record, game: &AnalysedGame, language: Language) {
    for id in record.main_line().collect::<Vec<NodeId>>() {
        record.node_mut(id).comments.retain(|comment| !is_old(comment));
    }
    let line: Vec<NodeId> = record.main_line().collect();
    for ((mut position, before, mv, judged), id) in game.walk().into_iter().zip(line) {
        let mut comments = remarks(&position, before, judged, language);
        position.play(mv);
        comments.extend(forms(&position, &judged.after));
        record.node_mut(id).comments.extend(comments);
    }
}

/// Whether an analysis wrote a comment.
fn is_old(comment: &str) -> bool {
    let mut alone = Node::default();
    alone.comments.push(comment.to_string());
    alone.score().is_some() || OLD_STARTS.iter().any(|start| comment.starts_with(start))
}

/// What is said about the move, for people.
fn remarks(
    position: &Position,
    before: &View,
    judged: &JudgedMove,
    language: Language,
) -> Vec<String> {
    let (words, notation) = (Analyse(language), Notation::Kanji);
    let said = remark(words, notation, position, judged);
    let hardest = hardest_remark(words, notation, position, before);
    said.into_iter().chain(hardest).map(|text| format!("{REMARK}{text}")).collect()
}

/// The view in the forms that viewers read.
fn forms(position: &Position, view: &View) -> Vec<String> {
    let line: Vec<Move> = view.line.iter().map_while(|text| text.parse().ok()).collect();
    let reading = Notation::Kanji.line_text(position, &line);
    let depth = view.depth.map(|depth| format!(" 深さ {depth}")).unwrap_or_default();
    let nodes = view.nodes.map(|nodes| format!(" ノード数 {nodes}")).unwrap_or_default();
    let mut forms = vec![
        format!("*解析 0{depth}{nodes} 評価値 {} 読み筋 {reading}", view.score),
        format!("#評価値={}", view.score),
    ];
    if !reading.is_empty() {
        forms.push(format!("#読み筋={reading}"));
    }
    forms
}
