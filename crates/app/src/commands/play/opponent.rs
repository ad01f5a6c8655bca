//! The engine as an opponent and as a helper.

use std::time::Duration;
use yomikiri_engine::level::{FULL, Level};
use yomikiri_engine::search::limits::Clocks;
use yomikiri_engine::speculative::Mode;
use yomikiri_engine::{Engine, Info, Limits, Report, Settings, Thought};
use yomikiri_shogi::{EnteringKingRule, Position};

/// How the opponent plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// How strong, and where chance begins.
    pub level: Level,
    /// How long the highest level thinks about a move without a clock, and a hint takes.
    pub think: Duration,
    /// The entering-king rule.
    pub rule: EnteringKingRule,
    /// Whether it gives up lost games.
    pub resigns: bool,
    /// Whether it sets problems in lost endgames.
    pub speculates: bool,
}

/// What it plays.
pub struct Answer {
    /// The engine's decision.
    pub thought: Thought,
    /// Whether every move is proven to lose, and this one is the hardest to answer.
    pub speculative: bool,
}

/// Hears whether the engine speculates.
#[derive(Default)]
struct Listener {
    speculative: bool,
}

impl Report for Listener {
    fn info(&mut self, _: &Info) {}

    fn say(&mut self, message: &str) {
        self.speculative |= message.starts_with("speculative");
    }
}

/// The engine at the other side of the board.
pub struct Opponent {
    style: Style,
    engine: Engine,
    /// At full strength, made when the first hint is asked for.
    helper: Option<Engine>,
}

/// Below this the game is given up; beginners play on to the end.
const RESIGN_VALUE: i32 = 3_000;
const FIRST_TO_RESIGN: u8 = 7;

const HASH_MEGABYTES: usize = 64;

impl Opponent {
    /// An opponent of that style.
    pub fn new(style: Style) -> Opponent {
        Opponent { style, engine: Engine::new(settings(&style)), helper: None }
    }

    /// The level in force.
    pub fn level(&self) -> u8 {
        self.style.level.number
    }

    /// Plays at another level from now on.
    pub fn set_level(&mut self, number: u8) {
        self.style.level.number = number;
        self.engine.configure(settings(&self.style));
    }

    /// What it plays.
    pub fn answer(&mut self, position: &Position, clocks: Option<Clocks>) -> Answer {
        let move_time = Some(self.style.think).filter(|_| clocks.is_none());
        think(&mut self.engine, position, Limits { clocks, move_time, ..Limits::default() })
    }

    /// What it would play in the player's place with all its strength.
    pub fn hint(&mut self, position: &Position) -> Thought {
        let best =
            Style { level: Level::default(), resigns: false, speculates: false, ..self.style };
        let helper = self.helper.get_or_insert_with(|| Engine::new(settings(&best)));
        let move_time = Some(self.style.think);
        think(helper, position, Limits { move_time, ..Limits::default() }).thought
    }
}

fn settings(style: &Style) -> Settings {
    let resigns = style.resigns && style.level.number >= FIRST_TO_RESIGN;
    let mut settings = Settings {
        hash_megabytes: HASH_MEGABYTES,
        level: style.level,
        resign_value: if resigns { RESIGN_VALUE } else { Settings::default().resign_value },
        ..Settings::default()
    };
    settings.rules.entering_king = style.rule;
    if style.speculates {
        settings.speculation.mode = Mode::Both;
    }
    // A person at the same machine needs no reserve for a network.
    settings.time.network_delay = Duration::ZERO;
    settings.time.network_delay2 = Duration::from_millis(50);
    settings
}

/// Thinks on a thread of its own, since searches need a deep stack.
fn think(engine: &mut Engine, position: &Position, limits: Limits) -> Answer {
    const STACK: usize = 64 << 20;
    std::thread::scope(|scope| {
        let work = || {
            let mut listener = Listener::default();
            let thought = engine.think(position, &limits, &mut listener);
            Answer { thought, speculative: listener.speculative }
        };
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault)),
            Err(error) => panic!("no thread to think with: {error}"),
        }
    })
}

/// Reads a level.
pub fn read_level(text: &str) -> Option<u8> {
    text.parse().ok().filter(|number| (1..=FULL).contains(number))
}
