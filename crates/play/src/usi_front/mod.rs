//! The engine as a GUI sees it: options, limits and lines in the words of USI. Who reads and writes
//! the lines is left to the program: `yomikiri usi` on threads, a browser's worker without.

mod settings;
mod talker;
mod translate;

pub use settings::{FrontSettings, UsiSettings};
pub use talker::Talker;
pub use translate::{clocks, is_ignored, limits, option_lines};

use yomikiri_engine::{Engine, EngineError, Settings};
use yomikiri_usi::{Id, OptionDecl, Reply};

/// Who the engine is and which options it has: the answer to `usi`.
#[must_use]
pub fn introduction(options: Vec<OptionDecl>) -> Vec<Reply> {
    let mut replies = vec![
        Reply::Id(Id::Name(format!("Yomikiri {}", env!("CARGO_PKG_VERSION")))),
        Reply::Id(Id::Author(env!("CARGO_PKG_AUTHORS").to_string())),
    ];
    replies.extend(options.into_iter().map(Reply::Option));
    replies.push(Reply::UsiOk);
    replies
}

/// Gives an engine new settings, or makes one. Files at fault are left out and told of: a GUI waits
/// for an answer.
#[must_use]
pub fn configure(
    engine: Option<Engine>,
    mut settings: Settings,
    finish: impl Fn(Engine) -> Engine,
) -> (Option<Engine>, Vec<EngineError>) {
    let (mut engine, mut faults) = (engine, Vec::new());
    loop {
        let made = match &mut engine {
            Some(engine) => engine.configure(settings.clone()),
            None => Engine::new(settings.clone()).map(|made| engine = Some(finish(made))),
        };
        let Err(fault) = made else { break };
        let before = settings.clone();
        fault.reset(&mut settings);
        faults.push(fault);
        if settings == before {
            break;
        }
    }
    (engine, faults)
}
