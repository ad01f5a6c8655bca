//! A game summed up in a few lines.

use super::judge::{AnalysedGame, Grade, JudgedMove, MateRemark, SideSummary};
use super::view::View;
use crate::notation::Notation;
use crate::person::words::side as side_name;
use yomikiri_shogi::{Color, Handicap, Move, Position};
use yomikiri_text::{Analyse, Language};

/// What a grade is called.
pub fn grade_name(words: Analyse, grade: Grade) -> String {
    match grade {
        Grade::Inaccuracy => words.inaccuracy(),
        Grade::Mistake => words.mistake(),
        Grade::Blunder => words.blunder(),
        Grade::GraveBlunder => words.grave_blunder(),
    }
}

/// A mate that came or went, in words.
pub fn mate_remark(words: Analyse, mate: MateRemark) -> String {
    match mate {
        MateRemark::Missed(Some(plies)) => words.missed_mate(plies),
        MateRemark::Missed(None) => words.missed_some_mate(),
        MateRemark::Allowed(Some(plies)) => words.allowed_mate(plies),
        MateRemark::Allowed(None) => words.allowed_some_mate(),
    }
}

/// What is to be said about a move, played or to be played in `position`; nothing about most.
pub fn remark(
    words: Analyse,
    notation: Notation,
    position: &Position,
    judged: &JudgedMove,
) -> Option<String> {
    if !judged.is_remarkable() {
        return None;
    }
    let black = position.side_to_move() == Color::Black;
    let after = if black { judged.rate } else { 100.0 - judged.rate };
    let rates =
        words.rate_change(format!("{:.0}", after + judged.lost_rate), format!("{after:.0}"));
    let best = judged.best.as_deref().and_then(|text| text.parse::<Move>().ok());
    let best = best.filter(|&best| position.is_legal(best));
    let parts = [
        judged.grade.map(|grade| grade_name(words, grade)),
        judged.mate.map(|mate| mate_remark(words, mate)),
        judged.grade.map(|_| rates),
        best.map(|best| words.best_was(notation.mv(position, best))),
    ];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(comma(words)))
}

/// The move that is hardest to answer where every move loses.
pub(super) fn hardest_remark(
    words: Analyse,
    notation: Notation,
    position: &Position,
    view: &View,
) -> Option<String> {
    let mv = view.hardest.as_ref()?.played.parse::<Move>().ok()?;
    position.is_legal(mv).then(|| words.every_move_loses(notation.mv(position, mv)))
}

fn comma(words: Analyse) -> &'static str {
    words.0.pick(", ", "、")
}

/// The game in a line, how both sides played, and what is to be said about single moves.
pub fn summary(name: &str, game: &AnalysedGame, language: Language, notation: Notation) -> String {
    let words = Analyse(language);
    let handicap = Handicap::of(&game.start_position());
    let handicap = handicap.is_some_and(|handicap| handicap != Handicap::Even);
    let called = Color::ALL.map(|color| side_name(language, color, handicap));
    let players = [(&game.black, 0), (&game.white, 1)].map(|(name, at)| match name.as_str() {
        "" => called[at].clone(),
        name => name.to_string(),
    });
    let title = words.title(name, &players[0], &players[1]);
    let mut lines = vec![format!("{title}{}{}", comma(words), words.game_moves(game.moves.len()))];
    for color in Color::ALL {
        let side = game.side(color);
        lines.push(format!("  {}", side_line(words, &called[color.index()], &side)));
    }
    for (position, before, mv, judged) in game.walk() {
        let number = judged.number;
        if let Some(text) = remark(words, notation, &position, judged) {
            lines.push(format!("  {number:3} {} {text}", notation.mv(&position, mv)));
        }
        if let Some(text) = hardest_remark(words, notation, &position, before) {
            lines.push(format!("  {number:3} {text}"));
        }
    }
    lines.join("\n")
}

fn side_line(words: Analyse, name: &str, side: &SideSummary) -> String {
    if side.choices == 0 {
        return words.side_summary(name, words.nothing_to_choose(), words.points("0.0"));
    }
    let percent = (100 * side.agreed + side.choices / 2) / side.choices;
    let share = words.share(percent, side.agreed, side.choices);
    let loss = words.points(format!("{:.1}", side.average_loss));
    let counted = Grade::ALL.into_iter().zip(side.grades).filter(|(_, count)| *count > 0);
    let grades: Vec<String> =
        counted.map(|(grade, count)| words.count_of(grade_name(words, grade), count)).collect();
    let mut line = words.side_summary(name, share, loss);
    if !grades.is_empty() {
        line += &format!("{}{}", comma(words), grades.join(comma(words)));
    }
    line
}
