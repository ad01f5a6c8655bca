//! What is sent while the engine searches.

use super::settings::FrontSettings;
use super::translate;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;
use yomikiri_engine::tt::Bound;
use yomikiri_engine::{EngineError, LineInfo, Observer, SearchEvent, SearchOutcome, value};
use yomikiri_shogi::Position;
use yomikiri_usi as usi;

/// Most characters of a note: some repeat what came in, which may be a megabyte.
const MOST_OF_NOTE: usize = 400;

/// Where replies go: whole lines, each call in one piece. Clones share it.
#[derive(Clone)]
pub struct Voice {
    send: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Voice {
    /// A voice that hands its lines to a function, which sends them off at once.
    pub fn new(send: impl Fn(&str) + Send + Sync + 'static) -> Voice {
        Voice { send: Arc::new(send) }
    }

    /// Says one line.
    pub fn say(&self, reply: &usi::Reply) {
        self.say_together(core::slice::from_ref(reply));
    }

    /// Says several lines in one piece, so that the reader wakes up once: in games of a
    /// millisecond a move that is a good part of a match runner's work.
    pub fn say_together(&self, replies: &[usi::Reply]) {
        let text: String = replies.iter().map(|reply| format!("{reply}\n")).collect();
        (self.send)(&text);
    }

    /// Shows the user a message.
    pub fn note(&self, text: impl Display) {
        let text = usi::excerpt(&text.to_string(), MOST_OF_NOTE);
        self.say(&usi::Reply::Info(usi::Info::string(text)));
    }

    /// An empty line, which the protocol allows while an engine prepares.
    pub fn sign_of_life(&self) {
        (self.send)("\n");
    }
}

/// Passes on what the search reports, at most once an interval that the user sets.
pub struct Talker {
    interval: Duration,
    show_bounds: bool,
    last: Duration,
    /// The newest lines that were not shown, one for each of several.
    held: Vec<LineInfo>,
    /// The newest exact first line, shown or not.
    newest: Option<LineInfo>,
    /// What the search is about.
    position: Position,
    voice: Voice,
}

impl Talker {
    /// A talker after the user's taste; analysis shows everything.
    pub fn new(front: &FrontSettings, position: &Position, infinite: bool, voice: Voice) -> Talker {
        let interval = if front.consideration || infinite { 0 } else { front.interval };
        Talker {
            interval: Duration::from_millis(interval.into()),
            show_bounds: front.show_bounds,
            last: Duration::ZERO,
            held: Vec::new(),
            newest: None,
            position: position.clone(),
            voice,
        }
    }

    /// The last lines, to be said before the answer.
    fn last_lines(&mut self, outcome: &SearchOutcome) -> Vec<usi::Reply> {
        self.catch_up(outcome);
        let reply = |info: LineInfo| usi::Reply::Info(info_line(&info, Some(outcome.nodes)));
        self.held.drain(..).map(reply).collect()
    }

    /// A level may play another move than that of the last line.
    fn catch_up(&mut self, outcome: &SearchOutcome) {
        let (Some(newest), Some(best)) = (self.newest.take(), outcome.lines.first()) else {
            return;
        };
        if outcome.best != Some(best.mv) || newest.pv.first() == outcome.best.as_ref() {
            return;
        }
        self.held.retain(|held| held.line != 1);
        let pv = best.line.clone();
        self.held.insert(0, LineInfo { value: outcome.value, pv, ..newest });
    }

    fn line(&mut self, info: &LineInfo) {
        if info.bound != Bound::Exact && !self.show_bounds {
            return;
        }
        if info.line == 1 && info.bound == Bound::Exact {
            self.newest = Some(info.clone());
        }
        // Further lines of an iteration go the way of its first.
        let shown = match info.line {
            1 => info.time >= self.last + self.interval,
            _ => self.held.is_empty(),
        };
        if shown {
            self.last = info.time;
            self.held.clear();
            self.voice.say(&usi::Reply::Info(info_line(info, None)));
        } else if info.bound == Bound::Exact {
            // A bound is news only at once; afterwards the last exact line says more.
            self.held.retain(|held| held.line != info.line);
            self.held.push(info.clone());
        }
    }
}

impl Observer for Talker {
    fn event(&mut self, event: &SearchEvent) {
        match event {
            SearchEvent::Line(info) | SearchEvent::Mate(info) => self.line(info),
            SearchEvent::Speculation(choice) => {
                self.voice.say(&usi::Reply::Info(usi::Info::string(choice.to_string())));
            }
            // The answer follows at once.
            SearchEvent::Book { .. } => {}
        }
    }

    /// Answers. Even a fault in the search leaves no GUI waiting.
    fn finished(&mut self, result: &Result<SearchOutcome, EngineError>) {
        let mut replies = Vec::new();
        let best = match result {
            Ok(outcome) => {
                replies.extend(self.last_lines(outcome));
                translate::answer(outcome)
            }
            Err(error) => {
                replies.push(usi::Reply::Info(usi::Info::string(error.to_string())));
                match self.position.legal_moves().first() {
                    Some(&best) => usi::BestMove::Move { best, ponder: None },
                    None => usi::BestMove::Resign,
                }
            }
        };
        replies.push(usi::Reply::BestMove(best));
        self.voice.say_together(&replies);
    }
}

/// The line as the protocol has it.
fn info_line(info: &LineInfo, nodes: Option<u64>) -> usi::Info {
    let nodes = nodes.unwrap_or(info.nodes);
    let milliseconds = info.time.as_millis() as u64;
    usi::Info {
        depth: Some(info.depth as u32),
        seldepth: Some(info.selective_depth as u32),
        multipv: Some(info.line as u32),
        score: Some(usi::UsiScore { value: score(info.value), bound: bound(info.bound) }),
        nodes: Some(nodes),
        nps: Some(info.nodes.saturating_mul(1000) / milliseconds.max(1)),
        hashfull: Some(info.fullness),
        time: Some(milliseconds),
        pv: info.pv.clone(),
        ..usi::Info::default()
    }
}

fn score(value: value::Value) -> usi::UsiValue {
    match value::Score::from(value) {
        value::Score::Centipawns(value) => usi::UsiValue::Centipawns(value),
        value::Score::Mate(plies) => usi::UsiValue::Mate(usi::MateScore {
            winning: value > 0,
            plies: Some(plies.unsigned_abs()),
        }),
    }
}

fn bound(bound: Bound) -> usi::Bound {
    match bound {
        Bound::Lower => usi::Bound::Lower,
        Bound::Upper => usi::Bound::Upper,
        _ => usi::Bound::Exact,
    }
}
