//! An engine that takes part, and how much it may think.
//!
//! As text: words with `key=value`, for instance
//! `name=deep cmd="fairy-stockfish" option.Threads=1 nodes=2000`.

use core::str::FromStr;
use std::path::PathBuf;
use std::time::Duration;
use yomikiri_engine::Settings;
use yomikiri_engine::settings::declared::SetError;
use yomikiri_play::TimeControl;
use yomikiri_play::time_control::BadValue;
use yomikiri_usi::Command;
use yomikiri_usi::client::{Client, ClientError, Launch};

/// An engine that takes part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contestant {
    /// What it is called in tables and records; different for each player.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
    /// Whether it is the program that runs the contest: what it is then does not depend on where
    /// that lies or how it was built.
    pub own: bool,
    /// Its options.
    pub options: Vec<(String, Option<String>)>,
    /// How much it may think; empty for what the match says.
    pub control: TimeControl,
    /// Start it anew for every game, for engines that carry something over from the last one.
    pub restart: bool,
}

impl Contestant {
    /// Starts the engine and sets its options; `isready` is still to be said. Pondering is
    /// switched off where it can be, unless an option names it.
    ///
    /// # Errors
    /// If the engine cannot be started or is silent.
    pub fn start(&self, timeout: Duration) -> Result<Client, ClientError> {
        let mut client = Client::start(&self.launch)?;
        let introduction = client.introduce(timeout)?;
        let ponder = "USI_Ponder";
        if introduction.options.iter().any(|option| option.name == ponder)
            && self.options.iter().all(|(name, _)| name != ponder)
        {
            client
                .send(&Command::SetOption { name: ponder.into(), value: Some("false".into()) })?;
        }
        for (name, value) in &self.options {
            client.send(&Command::SetOption { name: name.clone(), value: value.clone() })?;
        }
        Ok(client)
    }

    /// The same, and where the line names no program, this one.
    #[must_use]
    pub fn or_program(mut self, own: &Launch) -> Contestant {
        if self.launch.program.as_os_str().is_empty() {
            self.launch.program.clone_from(&own.program);
            self.launch.args.clone_from(&own.args);
            self.own = true;
        }
        self
    }

    /// The same with options that hold where nobody said something else.
    #[must_use]
    pub fn with_defaults(mut self, options: &[(&str, &str)]) -> Contestant {
        for (name, value) in options {
            if self.options.iter().all(|(known, _)| known != name) {
                self.options.push((name.to_string(), Some(value.to_string())));
            }
        }
        self
    }

    /// The settings that its options make, if it is this program. It must know them all.
    ///
    /// # Errors
    /// The first option that does not exist or does not take the value.
    pub fn engine_settings(&self) -> Result<Settings, SetError> {
        let mut settings = Settings::default();
        for (name, value) in &self.options {
            settings.set(name, value.as_deref().unwrap_or_default())?;
        }
        Ok(settings)
    }

    /// The line that would make this player.
    pub fn describe(&self) -> String {
        let mut words = vec![format!("name={}", quoted(&self.name))];
        if !self.own {
            let mut command = vec![quoted(&self.launch.program.to_string_lossy())];
            command.extend(self.launch.args.iter().map(|arg| quoted(arg)));
            words.push(format!("cmd={}", quoted(&command.join(" "))));
        }
        if let Some(dir) = &self.launch.dir {
            words.push(format!("dir={}", quoted(&dir.to_string_lossy())));
        }
        words.extend(self.options.iter().map(|(name, value)| match value {
            Some(value) => format!("option.{}={}", quoted(name), quoted(value)),
            None => format!("option.{}", quoted(name)),
        }));
        if !self.control.is_empty() {
            words.push(self.control.to_string());
        }
        if self.restart {
            words.push("restart=on".into());
        }
        words.join(" ")
    }
}

/// Why a line describes no engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContestantError {
    /// A word that means nothing here.
    #[error(
        "'{0}': expected name=, cmd=, dir=, option.NAME=, nodes=, depth=, movetime=, time=, \
         byoyomi=, increment= or restart=on"
    )]
    Word(String),
    /// A limit that is no number.
    #[error(transparent)]
    Value(#[from] BadValue),
    /// A name that tables cannot hold.
    #[error("a name cannot hold a tab or a line break")]
    Name,
    /// No program after `cmd=`.
    #[error("cmd= is empty")]
    NoProgram,
    /// A quotation mark that is not closed.
    #[error("a {quote} is not closed in: {text}")]
    Quote {
        /// The mark.
        quote: char,
        /// Where it is.
        text: String,
    },
}

impl FromStr for Contestant {
    type Err = ContestantError;

    /// A word without `=` is the command. A player without a command has an empty program.
    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        let mut player = Contestant::default();
        for word in split_words(text)? {
            let (key, value) = match word.split_once('=') {
                Some((key, value)) => (key, Some(value)),
                None => (word.as_str(), None),
            };
            match (key, value) {
                ("name", Some(name)) => player.name = name.to_string(),
                ("cmd", Some(command)) => player.launch = launch_of(command, player.launch)?,
                ("dir", Some(dir)) => player.launch.dir = Some(PathBuf::from(dir)),
                ("restart", Some("on")) => player.restart = true,
                ("restart", Some("off")) => player.restart = false,
                _ if key.starts_with("option.") => {
                    let name = key["option.".len()..].to_string();
                    player.options.push((name, value.map(str::to_string)));
                }
                (_, Some(value)) if player.control.set(key, value)? => {}
                (command, None) if player.launch.program.as_os_str().is_empty() => {
                    player.launch = launch_of(command, player.launch)?;
                }
                _ => return Err(ContestantError::Word(word)),
            }
        }
        if player.name.is_empty() {
            player.name = player
                .launch
                .program
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default();
        }
        if player.name.contains(['\t', '\n', '\r']) {
            return Err(ContestantError::Name);
        }
        Ok(player)
    }
}

fn launch_of(command: &str, launch: Launch) -> Result<Launch, ContestantError> {
    let mut words = split_words(command)?.into_iter();
    let program = words.next().ok_or(ContestantError::NoProgram)?;
    Ok(Launch { program: PathBuf::from(program), args: words.collect(), dir: launch.dir })
}

/// Splits at spaces, except within double or single quotes, which are taken off; a quote of one
/// kind may stand within the other.
fn split_words(text: &str) -> Result<Vec<String>, ContestantError> {
    let mut words = Vec::new();
    let (mut word, mut begun, mut quote) = (String::new(), false, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => word.push(letter),
            (None, '"' | '\'') => (quote, begun) = (Some(letter), true),
            (None, _) if letter.is_whitespace() => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (None, _) => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if let Some(open) = quote {
        return Err(ContestantError::Quote { quote: open, text: text.to_string() });
    }
    if begun {
        words.push(word);
    }
    Ok(words)
}

/// A setting `NAME=VALUE` as a word of the line of an engine.
pub(crate) fn option_word(pair: &str) -> String {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    format!("option.{}={}", quoted(name), quoted(value))
}

fn quoted(text: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && c != '"' && c != '\'';
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else if text.contains('"') {
        format!("'{text}'")
    } else {
        format!("\"{text}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::{Contestant, Launch};

    #[test]
    fn players_are_read_from_a_line() {
        let player: Contestant =
            "name=\"Fairy one\" cmd='fairy -x \"a b\"' dir=/tmp option.Threads=1 \
             option.Book=\"my book\" option.Clear nodes=100 restart=on"
                .parse()
                .unwrap();
        assert_eq!(player.name, "Fairy one");
        assert_eq!(player.launch.program.to_str(), Some("fairy"));
        assert_eq!(player.launch.args, ["-x", "a b"]);
        assert_eq!(player.options[1], ("Book".to_string(), Some("my book".to_string())));
        assert_eq!(player.options[2], ("Clear".to_string(), None));
        assert_eq!(player.control.nodes, Some(100));
        assert!(player.restart);
        assert_eq!(player.describe().parse(), Ok(player));
        let bare: Contestant = "/usr/games/gpsusi byoyomi=1000".parse().unwrap();
        assert_eq!(bare.name, "gpsusi");
        for wrong in ["nodes=x", "cmd=a b", "wrong=1 cmd=x", "name=\"x"] {
            assert!(wrong.parse::<Contestant>().is_err(), "{wrong}");
        }
        let own: Contestant = "name=a nodes=5".parse().unwrap();
        let own = own.or_program(&Launch::program("/any/where"));
        assert!(own.own && own.launch.program.to_str() == Some("/any/where"));
        assert_eq!(own.describe(), "name=a nodes=5");
        assert!(!bare.or_program(&Launch::program("/any/where")).own);
    }
}
