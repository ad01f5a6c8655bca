//! An engine that takes part, and how much it may think.
//!
//! As text: words with `key=value`, for instance
//! `name=deep cmd="fairy-stockfish" option.Threads=1 nodes=2000`.

use core::fmt;
use core::str::FromStr;
use std::path::PathBuf;
use std::time::Duration;
use yomikiri_shogi::Color;
use yomikiri_usi::client::{Client, ClientError, Launch};
use yomikiri_usi::{Clock, Command, Go};

/// How much a player may think for a move. Times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Control {
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
    /// Time for each move.
    pub movetime: Option<u64>,
    /// Time for the game.
    pub time: Option<u64>,
    /// Time for each move when the time for the game has run out.
    pub byoyomi: Option<u64>,
    /// Time that is added before each move.
    pub increment: Option<u64>,
}

impl Control {
    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        *self == Control::default()
    }

    /// Whether there is a clock that runs through the game.
    pub fn has_clock(&self) -> bool {
        self.time.is_some() || self.byoyomi.is_some() || self.increment.is_some()
    }

    /// What to say to the player to move, with the time left to black and white; as in USI, the
    /// increment of the move is not part of it.
    pub fn go(&self, left: [u64; 2]) -> Go {
        let mut go =
            Go { nodes: self.nodes, depth: self.depth, movetime: self.movetime, ..Go::default() };
        if self.has_clock() {
            go.clock = Clock {
                btime: Some(left[Color::Black.index()]),
                wtime: Some(left[Color::White.index()]),
                byoyomi: self.byoyomi,
                ..Clock::default()
            };
            if self.increment.is_some() {
                (go.clock.binc, go.clock.winc) = (self.increment, self.increment);
            } else if self.byoyomi.is_none() {
                go.clock.byoyomi = Some(0);
            }
        }
        go
    }

    /// The most that a move may take with so much time left; `None` without any time limit.
    pub fn limit(&self, left: u64) -> Option<u64> {
        if let Some(movetime) = self.movetime {
            return Some(movetime);
        }
        self.has_clock().then(|| self.with_increment(left) + self.byoyomi.unwrap_or(0))
    }

    /// The time left after a move.
    pub fn after_move(&self, left: u64, used: u64) -> u64 {
        self.with_increment(left).saturating_sub(used)
    }

    fn with_increment(&self, left: u64) -> u64 {
        left + self.increment.unwrap_or(0)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        let number = || {
            value.parse::<u64>().map_err(|_| format!("{key}={value}: '{value}' is not a number"))
        };
        match key {
            "nodes" => self.nodes = Some(number()?),
            "depth" => {
                let depth = number()?;
                self.depth = Some(u32::try_from(depth).map_err(|_| format!("depth {depth}?"))?);
            }
            "movetime" => self.movetime = Some(number()?),
            "time" => self.time = Some(number()?),
            "byoyomi" => self.byoyomi = Some(number()?),
            "increment" => self.increment = Some(number()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = [
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("movetime", self.movetime),
            ("time", self.time),
            ("byoyomi", self.byoyomi),
            ("increment", self.increment),
        ];
        let mut first = true;
        for (name, value) in fields {
            if let Some(value) = value {
                write!(f, "{}{name}={value}", if first { "" } else { " " })?;
                first = false;
            }
        }
        Ok(())
    }
}

/// An engine that takes part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// What it is called in tables and records; different for each player.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
    /// Its options.
    pub options: Vec<(String, Option<String>)>,
    /// How much it may think; empty for what the match says.
    pub control: Control,
    /// Start it anew for every game, for engines that carry something over from the last one.
    pub restart: bool,
}

impl Player {
    /// Starts the engine and sets its options; `isready` is still to be said. Pondering is
    /// switched off where it can be and nobody asked for it.
    ///
    /// # Errors
    /// If the engine cannot be started or is silent.
    pub fn start(&self, patience: Duration) -> Result<Client, ClientError> {
        let mut client = Client::start(&self.launch)?;
        let introduction = client.introduce(patience)?;
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

    /// The line that would make this player.
    pub fn describe(&self) -> String {
        let mut words = vec![format!("name={}", quoted(&self.name))];
        let mut command = vec![quoted(&self.launch.program.to_string_lossy())];
        command.extend(self.launch.args.iter().map(|arg| quoted(arg)));
        words.push(format!("cmd={}", quoted(&command.join(" "))));
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

impl FromStr for Player {
    type Err = String;

    /// A word without `=` is the command. A player without a command has an empty program.
    fn from_str(text: &str) -> Result<Player, String> {
        let mut player = Player::default();
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
                _ => {
                    return Err(format!(
                        "'{word}': expected name=, cmd=, dir=, option.NAME=, nodes=, depth=, \
                         movetime=, time=, byoyomi=, increment= or restart=on"
                    ));
                }
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
            return Err("a name cannot hold a tab or a line break".into());
        }
        Ok(player)
    }
}

fn launch_of(command: &str, launch: Launch) -> Result<Launch, String> {
    let mut words = split_words(command)?.into_iter();
    let program = words.next().ok_or("cmd= is empty")?;
    Ok(Launch { program: PathBuf::from(program), args: words.collect(), dir: launch.dir })
}

/// Splits at spaces, except within double or single quotes, which are taken off; a quote of one
/// kind may stand within the other.
fn split_words(text: &str) -> Result<Vec<String>, String> {
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
        return Err(format!("a {open} is not closed in: {text}"));
    }
    if begun {
        words.push(word);
    }
    Ok(words)
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
    use super::{Control, Player};

    #[test]
    fn players_are_read_from_a_line() {
        let player: Player = "name=\"Fairy one\" cmd='fairy -x \"a b\"' dir=/tmp option.Threads=1 \
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
        let bare: Player = "/usr/games/gpsusi byoyomi=1000".parse().unwrap();
        assert_eq!(bare.name, "gpsusi");
        for wrong in ["nodes=x", "cmd=a b", "wrong=1 cmd=x", "name=\"x"] {
            assert!(wrong.parse::<Player>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn controls_say_what_engines_expect() {
        let go = |text: &str| {
            let player: Player = format!("x {text}").parse().unwrap();
            player.control.go([500, 600]).to_string()
        };
        assert_eq!(go("nodes=5 depth=3"), "go nodes 5 depth 3");
        assert_eq!(go("byoyomi=1000"), "go btime 500 wtime 600 byoyomi 1000");
        assert_eq!(go("time=9 increment=7"), "go btime 500 wtime 600 binc 7 winc 7");
        assert_eq!(go("time=9"), "go btime 500 wtime 600 byoyomi 0");
        assert_eq!(go("movetime=10"), "go movetime 10");
    }

    #[test]
    fn the_clock_runs() {
        let byoyomi = Control { time: Some(100), byoyomi: Some(50), ..Control::default() };
        assert_eq!(byoyomi.limit(100), Some(150));
        assert_eq!(byoyomi.after_move(100, 120), 0);
        let fischer = Control { time: Some(100), increment: Some(10), ..Control::default() };
        assert_eq!(fischer.limit(100), Some(110));
        assert_eq!(fischer.after_move(100, 30), 80);
        assert_eq!(fischer.after_move(100, 110), 0);
        assert_eq!(fischer.limit(0), Some(10), "the increment of every move can be used at once");
        assert_eq!(Control::default().limit(0), None);
    }
}
