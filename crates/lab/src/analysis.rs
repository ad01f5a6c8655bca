//! What an engine thinks of a game: an evaluation and a best line for every position, what each
//! move lost by it, and the record with comments that viewers show.

use crate::plot::{Axis, Mark, Plot};
use serde::Serialize;
use yomikiri_base::StopToken;
use yomikiri_engine::speculative::{self, Mode, ProofBudget, Speculation};
use yomikiri_shogi::notation::japanese::move_name;
use yomikiri_shogi::record::{NodeId, Record};
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_usi::{Info, Value};

/// A mate in the scale of centipawns, as viewers expect it.
pub const MATE: i32 = 30_000;

/// From so many centipawns on a position is worth asking whether it is lost.
const WORTH_A_PROOF: i32 = 1_500;

/// An engine's view of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evaluation {
    /// Centipawns, good for black if positive; a mate is ±30000.
    pub score: i32,
    /// Plies to the mate, if it is one of known length.
    pub mate: Option<u32>,
    /// The best line as USI.
    pub line: Vec<String>,
    /// The nodes it says it searched.
    pub nodes: Option<u64>,
    /// The depth it reached.
    pub depth: Option<u32>,
    /// Where every move is proven to lose: the one that is hardest to answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hardest: Option<Hardest>,
}

/// What speculative play would do in a lost position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hardest {
    /// The move as USI.
    pub played: String,
    /// Its name in Japanese.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// What is to be said about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// It lost much.
    Blunder,
    /// There was a mate, and there is none now.
    MissedMate,
}

/// A move of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JudgedMove {
    /// Its number, from 1.
    pub number: usize,
    /// The move as USI.
    pub played: String,
    /// Its name in Japanese.
    pub name: String,
    /// The best move instead, as USI.
    pub best: Option<String>,
    /// What the mover lost by it, in centipawns; never negative.
    pub lost: i32,
    /// What is to be said about it.
    pub judgement: Option<Judgement>,
    /// The view of the position after it.
    pub after: Evaluation,
}

/// A game with its evaluations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AnalysedGame {
    /// The player with the black pieces.
    pub black: String,
    /// The player with the white pieces.
    pub white: String,
    /// The view of the start.
    pub start: Evaluation,
    /// The moves.
    pub moves: Vec<JudgedMove>,
}

impl Evaluation {
    /// From what an engine said with `side` to move; its line must be legal, and ends where it is
    /// not.
    pub fn of(position: &Position, info: Option<&Info>) -> Evaluation {
        let side = position.side_to_move();
        let (score, mate) = match info.and_then(|info| info.score).map(|score| score.value) {
            Some(Value::Centipawns(score)) => (score.clamp(1 - MATE, MATE - 1), None),
            Some(Value::Mate(mate)) => (if mate.winning { MATE } else { -MATE }, mate.plies),
            None => (0, None),
        };
        let mut after = position.clone();
        let mut line = Vec::new();
        for &played in info.map(|info| info.pv.as_slice()).unwrap_or_default() {
            if !after.is_legal(played) {
                break;
            }
            after.play(played);
            line.push(played.to_string());
        }
        Evaluation {
            score: if side == Color::Black { score } else { -score },
            mate,
            line,
            nodes: info.and_then(|info| info.nodes),
            depth: info.and_then(|info| info.depth),
            hardest: None,
        }
    }

    /// The same, with the move that is hardest to answer where the side to move has all but lost
    /// and so many nodes suffice to prove it.
    #[must_use]
    pub fn with_hardest(self, position: &Position, nodes: u64) -> Evaluation {
        let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
        if sign * self.score > -WORTH_A_PROOF {
            return self;
        }
        let how = Speculation { mode: Mode::Both, ..Speculation::default() };
        let mut budget = ProofBudget::new(nodes, None, StopToken::new(), how.dfpn);
        let choice = speculative::choose(position, &how, &mut budget);
        let hardest = choice.map(|choice| Hardest {
            played: choice.mv.to_string(),
            name: move_name(position, choice.mv),
            reason: choice.to_string(),
        });
        Evaluation { hardest, ..self }
    }

    /// The view of a game that is over: the side to move has lost, or nobody has.
    pub fn of_end(position: &Position) -> Evaluation {
        let lost = !position.has_legal_move();
        let score = match (lost, position.side_to_move()) {
            (false, _) => 0,
            (true, Color::Black) => -MATE,
            (true, Color::White) => MATE,
        };
        Evaluation {
            score,
            mate: lost.then_some(0),
            line: Vec::new(),
            nodes: None,
            depth: None,
            hardest: None,
        }
    }
}

/// Joins a record's main line with the views of all its positions, the start first.
pub fn judge(record: &Record, views: &[Evaluation], blunder: i32) -> AnalysedGame {
    let mut position = record.start().clone();
    let moves = record
        .main_moves()
        .zip(views.iter().zip(views.iter().skip(1)))
        .enumerate()
        .map(|(index, (played, (before, after)))| {
            let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
            let name = move_name(&position, played);
            position.play(played);
            let best = before.line.first().cloned();
            // After the engine's own move, a change of the score is its change of mind.
            let agreed = best.as_deref() == Some(played.to_string().as_str());
            let lost = if agreed { 0 } else { (sign * (before.score - after.score)).max(0) };
            let had_mate = sign * before.score == MATE && !agreed;
            let judgement = match lost >= blunder {
                _ if had_mate && sign * after.score < MATE => Some(Judgement::MissedMate),
                true => Some(Judgement::Blunder),
                false => None,
            };
            JudgedMove {
                number: index + 1,
                played: played.to_string(),
                name,
                best,
                lost,
                judgement,
                after: after.clone(),
            }
        })
        .collect();
    let header = |key: &str| record.headers.get(key).unwrap_or_default().to_string();
    AnalysedGame {
        black: header(yomikiri_shogi::record::header::BLACK),
        white: header(yomikiri_shogi::record::header::WHITE),
        start: views.first().cloned().unwrap_or_else(|| Evaluation::of_end(record.start())),
        moves,
    }
}

/// Writes the views into a record's comments, in the forms of ShogiHome and of ShogiGUI. Comments
/// that were there stay.
pub fn annotate(record: &mut Record, game: &AnalysedGame) {
    let line: Vec<NodeId> = record.main_line().collect();
    let mut position = record.start().clone();
    let before = |index: usize| match index {
        0 => &game.start,
        _ => &game.moves[index - 1].after,
    };
    for (index, judged) in game.moves.iter().enumerate() {
        let Ok(played) = judged.played.parse::<Move>() else { return };
        let best = names(&position, &before(index).line).into_iter().next();
        position.play(played);
        let Some(&id) = line.iter().find(|&&id| record.node(id).ply() as usize == index + 1) else {
            return;
        };
        let reading = names(&position, &judged.after.line).concat();
        let comments = &mut record.node_mut(id).comments;
        let said = match judged.judgement {
            Some(Judgement::MissedMate) => Some("詰み逃し".to_string()),
            Some(Judgement::Blunder) => Some(format!("悪手 (-{})", judged.lost)),
            None => None,
        };
        if let Some(said) = said {
            let best = best.map(|best| format!(" 最善手 {best}")).unwrap_or_default();
            comments.push(format!("{said}{best}"));
        }
        if let Some(hardest) = &before(index).hardest {
            comments.push(format!("どの手も負け 勝負手 {}", hardest.name));
        }
        let depth = judged.after.depth.map(|depth| format!(" 深さ {depth}")).unwrap_or_default();
        let nodes =
            judged.after.nodes.map(|nodes| format!(" ノード数 {nodes}")).unwrap_or_default();
        comments
            .push(format!("*解析 0{depth}{nodes} 評価値 {} 読み筋 {reading}", judged.after.score));
        comments.push(format!("#評価値={}", judged.after.score));
        if !reading.is_empty() {
            comments.push(format!("#読み筋={reading}"));
        }
    }
}

/// The moves of a line under their Japanese names.
fn names(position: &Position, line: &[String]) -> Vec<String> {
    let mut position = position.clone();
    line.iter()
        .map_while(|text| {
            let played = text.parse::<Move>().ok().filter(|&played| position.is_legal(played))?;
            let name = move_name(&position, played);
            position.play(played);
            Some(name)
        })
        .collect()
}

/// The evaluation over the game, drawn up to ±`limit` centipawns.
pub fn graph(game: &AnalysedGame, limit: i32) -> Plot {
    let point = |number: usize, score: i32| (number as f64, f64::from(score.clamp(-limit, limit)));
    let all = || {
        std::iter::once(point(0, game.start.score))
            .chain(game.moves.iter().map(|judged| point(judged.number, judged.after.score)))
    };
    let marked = |wanted: Judgement| {
        game.moves
            .iter()
            .filter(|judged| judged.judgement == Some(wanted))
            .map(|judged| point(judged.number, judged.after.score))
            .collect::<Vec<_>>()
    };
    let bound = f64::from(limit);
    let title = match (game.black.as_str(), game.white.as_str()) {
        ("", "") => "evaluation".to_string(),
        (black, white) => format!("{black} - {white}"),
    };
    let mut plot = Plot::new(
        &title,
        Axis::linear("move"),
        Axis::linear("centipawns for black").from_to(-bound, bound),
    )
    .series("evaluation", Mark::Line, all().collect());
    for (label, wanted) in [("blunder", Judgement::Blunder), ("missed mate", Judgement::MissedMate)]
    {
        let points = marked(wanted);
        if !points.is_empty() {
            plot = plot.series(label, Mark::Points, points);
        }
    }
    plot
}

#[cfg(test)]
mod tests {
    use super::{Evaluation, Judgement, MATE, annotate, graph, judge};
    use yomikiri_shogi::record::{Format, Record, read, usi};
    use yomikiri_shogi::{Move, Position};
    use yomikiri_usi::{Info, Score};

    fn view(score: i32, line: &str) -> Evaluation {
        let line = line.split_whitespace().map(str::to_string).collect();
        Evaluation { score, mate: None, line, nodes: Some(10), depth: Some(3), hardest: None }
    }

    fn record() -> Record {
        usi::read_line("startpos moves 7g7f 3c3d 8h2b+", 1).unwrap()
    }

    #[test]
    fn scores_are_blacks_and_lines_are_legal() {
        let mut position = Position::start();
        position.play("7g7f".parse().unwrap());
        let moves = |text: &str| text.split(' ').map(|m| m.parse().unwrap()).collect::<Vec<Move>>();
        let info = Info {
            score: Some(Score::centipawns(30)),
            pv: moves("3c3d 8h2b+ 7g7f"),
            ..Info::default()
        };
        let seen = Evaluation::of(&position, Some(&info));
        assert_eq!((seen.score, seen.line.len()), (-30, 2));
        let mate = Info { score: Some(Score::mate(true, Some(5))), ..Info::default() };
        assert_eq!(Evaluation::of(&position, Some(&mate)).score, -MATE);
    }

    #[test]
    fn the_hardest_move_is_told_where_every_move_loses() {
        let lost = Position::from_sfen("l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1").unwrap();
        let seen = view(MATE, "").with_hardest(&lost, 100_000);
        let hardest = seen.hardest.clone().unwrap();
        let played: Move = hardest.played.parse().unwrap();
        assert!(lost.is_legal(played) && hardest.reason.contains("all"), "{hardest:?}");
        // An even score is not looked into, and white's good position is not lost.
        assert_eq!(view(0, "").with_hardest(&lost, 100_000).hardest, None);
        assert_eq!(view(-MATE, "").with_hardest(&lost, 100_000).hardest, None);
        let line = format!("sfen {} moves {played}", lost.to_sfen());
        let mut record = usi::read_line(&line, 1).unwrap();
        let game = judge(&record, &[seen, view(MATE, "")], 300);
        annotate(&mut record, &game);
        let text = String::from_utf8(Format::Kifu.write(&[record]).unwrap()).unwrap();
        assert!(text.contains(&format!("勝負手 {}", hardest.name)), "{text}");
    }

    #[test]
    fn blunders_and_missed_mates_are_found() {
        let views = [view(20, "2g2f"), view(10, "8c8d"), view(400, "8h2b+"), view(MATE, "3a2b")];
        let game = judge(&record(), &views, 300);
        let lost: Vec<i32> = game.moves.iter().map(|judged| judged.lost).collect();
        assert_eq!(lost, [10, 390, 0]);
        assert_eq!(game.moves[0].judgement, None);
        assert_eq!(game.moves[1].judgement, Some(Judgement::Blunder));
        assert_eq!(game.moves[1].best.as_deref(), Some("8c8d"));
        let views = [view(MATE, ""), view(900, ""), view(900, "8h2b+"), view(100, "")];
        let game = judge(&record(), &views, 300);
        assert_eq!(game.moves[0].judgement, Some(Judgement::MissedMate));
        // The last move was the engine's own choice.
        assert_eq!((game.moves[2].judgement, game.moves[2].lost), (None, 0));
        assert!(graph(&game, 2000).to_svg().contains("<svg"));
    }

    #[test]
    fn comments_survive_in_kif_and_hold_the_scores() {
        let views = [view(0, "7g7f"), view(10, "3c3d"), view(-20, "8h2b+ 3a2b"), view(900, "")];
        let mut record = record();
        let game = judge(&record, &views, 500);
        annotate(&mut record, &game);
        let bytes = Format::Kifu.write(&[record]).unwrap();
        let again = read(&bytes, Format::Kifu).unwrap();
        let scores: Vec<_> =
            again[0].main_line().filter_map(|id| again[0].node(id).score()).collect();
        assert_eq!(scores, [10, -20, 900]);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("*#読み筋=▲２二角成△同銀"), "{text}");
    }
}
