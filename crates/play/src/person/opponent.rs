//! The engine as an opponent and as a helper.

use std::time::Duration;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_engine::speculative::Mode;
use yomikiri_engine::strength::{FULL, Level};
use yomikiri_engine::{Engine, EngineError, Limits, Report, SearchEvent, SearchOutcome, Settings};
use yomikiri_shogi::{EnteringKingRule, Position};

/// How the opponent plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpponentStyle {
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
pub struct OpponentDecision {
    /// The engine's decision.
    pub thought: SearchOutcome,
    /// Whether every move is proven to lose, and this one is the hardest to answer.
    pub speculative: bool,
}

/// Notes whether the engine speculates.
#[derive(Default)]
struct Listener {
    speculative: bool,
}

impl Report for Listener {
    fn event(&mut self, event: &SearchEvent) {
        self.speculative |= matches!(event, SearchEvent::Speculation(_));
    }
}

/// The engine at the other side of the board.
pub struct Opponent {
    style: OpponentStyle,
    engine: Engine,
    /// At full strength, made for the first hint.
    helper: Option<Engine>,
}

/// Below this the game is given up; beginners play on to the end.
const RESIGN_VALUE: i32 = 3_000;
const FIRST_TO_RESIGN: u8 = 7;

const HASH_MEGABYTES: usize = 64;

impl Opponent {
    /// An opponent of that style.
    ///
    /// # Errors
    /// If a file of the engine is at fault.
    pub fn new(style: OpponentStyle) -> Result<Opponent, EngineError> {
        Ok(Opponent { style, engine: Engine::new(settings(&style))?, helper: None })
    }

    /// The level in force.
    pub fn level(&self) -> u8 {
        self.style.level.number
    }

    /// Plays at another level from now on.
    ///
    /// # Errors
    /// If a file of the engine is at fault.
    pub fn set_level(&mut self, number: u8) -> Result<(), EngineError> {
        self.style.level.number = number;
        self.engine.configure(settings(&self.style))
    }

    /// What it plays.
    pub fn answer(&mut self, position: &Position, clocks: Option<Clocks>) -> OpponentDecision {
        let move_time = Some(self.style.think).filter(|_| clocks.is_none());
        let limits = Limits { clocks, move_time, ..Limits::default() };
        let mut listener = Listener::default();
        let thought = self.engine.think(position, &limits, &mut listener);
        OpponentDecision { thought, speculative: listener.speculative }
    }

    /// What it would play in the player's place with all its strength.
    ///
    /// # Errors
    /// If the engine cannot be made.
    pub fn hint(&mut self, position: &Position) -> Result<SearchOutcome, EngineError> {
        let best = OpponentStyle {
            level: Level::default(),
            resigns: false,
            speculates: false,
            ..self.style
        };
        let mut helper = match self.helper.take() {
            Some(helper) => helper,
            None => Engine::new(settings(&best))?,
        };
        let limits = Limits { move_time: Some(self.style.think), ..Limits::default() };
        let outcome = helper.think(position, &limits, &mut Listener::default());
        self.helper = Some(helper);
        Ok(outcome)
    }
}

fn settings(style: &OpponentStyle) -> Settings {
    let resigns = style.resigns && style.level.number >= FIRST_TO_RESIGN;
    let mut settings = Settings::with_hash(HASH_MEGABYTES);
    let game = &mut settings.game;
    game.level = style.level;
    if resigns {
        game.resign_value = RESIGN_VALUE;
    }
    game.rules.entering_king = style.rule;
    if style.speculates {
        game.speculation.mode = Mode::Both;
    }
    // A person at the same machine needs no reserve for a network.
    game.time.network_delay = Duration::ZERO;
    game.time.network_delay2 = Duration::from_millis(50);
    settings
}

/// Reads a level.
pub fn read_level(text: &str) -> Option<u8> {
    text.parse().ok().filter(|number| (1..=FULL).contains(number))
}
