//! Infinite analysis of a position, and the analysis of a whole game.

use crate::protocol::{
    AnalyseAsk, AnalysedPoint, AnalysisEvent, AnalysisLine, Event, ExplanationView, Fault,
    FaultCode, FeatureGroup, GameAnalysisEvent, JudgementView, LimitsAsk, ValueView,
};
use crate::search::{settings, think, value_view};
use crate::task::{Context, TaskOutcome, Throttle};
use crate::view::{line_view, move_view};
use crate::{SessionResources, place};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use yomikiri_engine::eval::linear::{LinearWeights, explain as explain_weights};
use yomikiri_engine::tt::Bound;
use yomikiri_engine::{Engine, Limits, LineInfo, SearchEvent};
use yomikiri_shogi::record::Record;
use yomikiri_shogi::{Color, Move, Position};

/// Most lines of an analysis.
pub const MOST_LINES: u32 = 20;
/// Most moves of a line that the page gets.
const LONGEST_LINE: usize = 40;
/// Centipawns that decide a game: below, a move is no moment of it.
const MOMENT: i32 = 150;
/// How many moments there are.
const MOMENTS: usize = 3;

fn limits_of(ask: Option<LimitsAsk>, resources: &SessionResources) -> Limits {
    let asked = ask.unwrap_or_default();
    let time = asked.time.map(Duration::from_millis);
    let move_time = match (time, resources.longest) {
        (Some(time), Some(longest)) => Some(time.min(longest)),
        (time, longest) => time.or(longest),
    };
    let depth = asked.depth.map(|depth| depth.clamp(1, 127) as i32);
    let infinite = depth.is_none() && asked.nodes.is_none() && move_time.is_none();
    Limits { depth, nodes: asked.nodes, move_time, infinite, ..Limits::default() }
}

/// The lines of a search as they come.
struct Lines {
    position: Position,
    newest: BTreeMap<usize, LineInfo>,
}

impl Lines {
    /// Takes a line in. Whether the lines belong together now: a bound in the middle of an
    /// iteration, and the first line of one before the others, would stand beside values of the
    /// iteration before and upset their order.
    fn note(&mut self, info: &LineInfo) -> bool {
        if info.bound != Bound::Exact && self.newest.contains_key(&info.line) {
            return false;
        }
        self.newest.insert(info.line, info.clone());
        self.newest.last_key_value().is_some_and(|(&last, _)| last == info.line)
    }

    fn event(&self, finished: bool) -> AnalysisEvent {
        let side = self.position.side_to_move();
        let lines = self.newest.iter().map(|(&number, info)| AnalysisLine {
            number: number as u32,
            depth: info.depth.max(0) as u32,
            value: value_view(info.value, info.bound, side),
            moves: line_view(&self.position, &info.pv[..info.pv.len().min(LONGEST_LINE)]),
        });
        let lines: Vec<AnalysisLine> = lines.collect();
        let nodes = self.newest.values().map(|info| info.nodes).max().unwrap_or(0);
        let time = self.newest.values().map(|info| info.time).max().unwrap_or_default();
        let first = self.newest.values().next();
        AnalysisEvent {
            sfen: self.position.to_sfen(),
            depth: first.map_or(0, |info| info.depth.max(0) as u32),
            selective_depth: first.map_or(0, |info| info.selective_depth as u32),
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64,
            time: time.as_millis() as u64,
            fullness: first.map_or(0, |info| info.fullness),
            lines,
            finished,
        }
    }
}

/// The work of an analysis.
pub fn analyse(
    ask: &AnalyseAsk,
    resources: &SessionResources,
) -> Result<impl FnOnce(&Context) -> TaskOutcome + Send + use<>, Fault> {
    let position = place::position(ask.at.as_ref())?;
    if Color::ALL.iter().any(|&side| position.king(side).is_none()) {
        return Err(Fault::new(FaultCode::BadPosition, "the engine needs both kings"));
    }
    let limits = limits_of(ask.limits, resources);
    let mut settings = settings(resources);
    settings.game.lines = ask.lines.unwrap_or(1).clamp(1, MOST_LINES) as usize;
    settings.resources.book.own = false;
    Ok(move |context: &Context| {
        let throttle = context.throttle();
        let mut lines = Lines { position: position.clone(), newest: BTreeMap::new() };
        let Ok(mut engine) = Engine::new(settings) else { return TaskOutcome::Failed };
        let mut report = |event: &SearchEvent| {
            let Some(info) = event.info() else { return };
            if lines.note(info) && throttle.is_due() {
                (context.emit)(Event::Analysis(lines.event(false)));
            }
        };
        let thought = think(&mut engine, context, &position, &limits, &mut report);
        let mut event = lines.event(true);
        event.nodes = event.nodes.max(thought.nodes);
        TaskOutcome::Event(Box::new(Event::Analysis(event)))
    })
}

/// The view of one position.
struct Opinion {
    value: ValueView,
    line: Vec<Move>,
}

/// What a whole game's analysis is asked.
pub struct GameQuestion {
    /// The game, of which the main line counts.
    pub record: Record,
    /// Nodes for each position.
    pub nodes: u64,
    /// Centipawns that a blunder loses.
    pub blunder: i32,
}

/// The work of a whole game's analysis.
pub fn analyse_game(
    question: GameQuestion,
    resources: &SessionResources,
) -> impl FnOnce(&Context) -> TaskOutcome + Send + use<> {
    let mut settings = settings(resources);
    settings.resources.book.own = false;
    move |context| {
        let moves: Vec<Move> = question.record.main_moves().collect();
        let Ok(mut engine) = Engine::new(settings) else { return TaskOutcome::Failed };
        let mut position = question.record.start().clone();
        let mut progress = GameProgress {
            points: Vec::new(),
            total: moves.len() as u32 + 1,
            sent: 0,
            throttle: context.throttle(),
        };
        let mut before: Option<(Opinion, Position, Move)> = None;
        for ply in 0..=moves.len() {
            let opinion = opinion(&mut engine, context, &position, question.nodes);
            if context.stop.is_stopped() {
                return TaskOutcome::Stopped;
            }
            let point = judge(ply as u32, &position, &opinion, before.as_ref(), question.blunder);
            progress.points.push(point);
            progress.emit(context);
            if let Some(&mv) = moves.get(ply) {
                before = Some((opinion, position.clone(), mv));
                position.play(mv);
            }
        }
        TaskOutcome::Event(Box::new(Event::GameAnalysis(progress.last())))
    }
}

fn opinion(engine: &mut Engine, context: &Context, position: &Position, nodes: u64) -> Opinion {
    let side = position.side_to_move();
    if !position.has_legal_move() {
        let mated = yomikiri_engine::eval::value::mated_in(0);
        return Opinion { value: value_view(mated, Bound::Exact, side), line: Vec::new() };
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let thought = think(engine, context, position, &limits, &mut |_| {});
    let line = thought.lines.first().map(|root| root.line.clone());
    let line = line.or_else(|| thought.best.map(|mv| vec![mv])).unwrap_or_default();
    Opinion { value: value_view(thought.value, Bound::Exact, side), line }
}

/// Joins the views before and after a move.
fn judge(
    ply: u32,
    position: &Position,
    opinion: &Opinion,
    before: Option<&(Opinion, Position, Move)>,
    blunder: i32,
) -> AnalysedPoint {
    let line = &opinion.line[..opinion.line.len().min(LONGEST_LINE)];
    let mut point = AnalysedPoint {
        ply,
        mv: None,
        value: opinion.value,
        line: line_view(position, line),
        better: None,
        lost: 0,
        judgement: None,
    };
    let Some((earlier, place, mv)) = before else { return point };
    let sign = if place.side_to_move() == Color::Black { 1 } else { -1 };
    point.mv = Some(move_view(place, *mv));
    // After the engine's own move, a change of the value is its change of mind.
    if let Some(&best) = earlier.line.first().filter(|&best| best != mv) {
        let (was, is) = (sign * earlier.value.centipawns, sign * opinion.value.centipawns);
        let had_mate = was > 0 && earlier.value.mate.is_some();
        let has_mate = is > 0 && opinion.value.mate.is_some();
        point.better = Some(move_view(place, best));
        point.lost = (was - is).max(0);
        point.judgement = match point.lost >= blunder {
            _ if had_mate && !has_mate => Some(JudgementView::MissedMate),
            true => Some(JudgementView::Blunder),
            false => None,
        };
    }
    point
}

struct GameProgress {
    points: Vec<AnalysedPoint>,
    total: u32,
    sent: usize,
    throttle: Throttle,
}

impl GameProgress {
    /// Sends the points that are new, if the last event is long enough ago.
    fn emit(&mut self, context: &Context) {
        if self.points.len() as u32 == self.total || !self.throttle.is_due() {
            return;
        }
        (context.emit)(Event::GameAnalysis(GameAnalysisEvent {
            done: self.points.len() as u32,
            total: self.total,
            points: self.points[self.sent..].to_vec(),
            moments: Vec::new(),
            finished: false,
        }));
        self.sent = self.points.len();
    }

    fn last(self) -> GameAnalysisEvent {
        let mut moments: Vec<&AnalysedPoint> =
            self.points.iter().filter(|point| point.lost >= MOMENT).collect();
        moments.sort_by_key(|point| std::cmp::Reverse(point.lost));
        let mut moments: Vec<u32> = moments.iter().take(MOMENTS).map(|point| point.ply).collect();
        moments.sort_unstable();
        GameAnalysisEvent {
            done: self.total,
            total: self.total,
            points: self.points,
            moments,
            finished: true,
        }
    }
}

/// What each group of the linear evaluation gives.
pub fn explain(position: &Position) -> ExplanationView {
    static WEIGHTS: LazyLock<Arc<LinearWeights>> =
        LazyLock::new(|| Arc::new(LinearWeights::embedded()));
    let explained = explain_weights(position, &WEIGHTS);
    let groups = explained.groups.iter().map(|&(group, pair)| FeatureGroup {
        name: group.name().to_string(),
        value: explained.blended(pair),
        opening: pair[0],
        endgame: pair[1],
    });
    ExplanationView {
        sfen: position.to_sfen(),
        side: position.side_to_move().into(),
        material: explained.material,
        groups: groups.collect(),
        stage: explained.progress,
        total: explained.total(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_two_iterations_are_not_shown_in_one_list() {
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        let mut settings = yomikiri_engine::Settings::with_hash(4);
        settings.game.lines = 3;
        let mut engine = Engine::new(settings).expect("the settings are good");
        let position = Position::from_usi("startpos moves 7g7f 3c3d 2g2f").expect("a position");
        let mut lines = Lines { position: position.clone(), newest: BTreeMap::new() };
        let (mut shown, mut bounds) = (0, 0);
        engine.think(&position, &limits, &mut |info: &LineInfo| {
            bounds += usize::from(info.bound != Bound::Exact);
            // The last report is of the search that was broken off.
            if !lines.note(info) || !info.whole || lines.newest.len() < 3 {
                return;
            }
            shown += 1;
            let values: Vec<i32> = lines.newest.values().map(|info| info.value).collect();
            assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
        });
        assert!(shown > 3 && bounds > 0, "{shown} lists, {bounds} bounds");
    }
}
