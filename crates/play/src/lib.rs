//! One game of shogi, whoever plays it and wherever.
//!
//! * [`game`]: the game as a state machine. It reads no clock: what a decision took is
//!   handed in with it.
//! * [`rules`]: what a game is played by; [`clock`] and [`time_control`]: how long players may
//!   think; [`ending`]: how games end, in every form of words.
//! * [`recorded`]: a game together with what its record says beside the moves.
//! * [`player`]: whoever decides (an engine in this process, a USI engine, a person), and the loop
//!   that lets them move in turn.
//! * [`person`]: somebody at a terminal; [`usi_front`]: the engine as GUIs know it.
//! * [`csa`]: games on a server.
//! * [`analyse`]: what an engine thinks of a finished game.
//! * [`mates`]: mate problems in words, and a person against a proof.
//! * [`notation`]: how moves are written for people.

pub mod analyse;
pub mod clock;
pub mod csa;
pub mod ending;
pub mod file_words;
pub mod game;
pub mod mates;
pub mod notation;
pub mod person;
pub mod player;
pub mod recorded;
pub mod rules;
pub mod time_control;
pub mod usi_front;

pub use clock::{ClockSettings, GameClock};
pub use ending::{End, GameOver};
pub use game::{Decision, Game, MoveInfo, PlayedPly};
pub use notation::Notation;
pub use player::{Interrupted, Player, TimedDecision, play};
pub use recorded::RecordedGame;
pub use rules::Rules;
pub use time_control::TimeControl;
