//! The game as it goes: asks, shows, lets the engine answer, until somebody leaves.

use super::board::{View, draw};
use super::clock::Clock;
use super::game::Game;
use super::input::{Fault, Request, read};
use super::opponent::{Answer, Opponent, read_level};
use super::words::{Language, Words, fill};
use crate::output::write_file;
use anyhow::{Context, bail};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use yomikiri_engine::strength::FULL;
use yomikiri_engine::{Outcome, Score};
use yomikiri_shogi::notation::japanese::move_name;
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::record::{Ending, Format};
use yomikiri_shogi::{Color, EnteringKingRule, Move, Position};

/// A game between somebody at the terminal and the engine, or between two people there.
pub struct Session<W> {
    /// The game.
    pub game: Game,
    /// The engine.
    pub opponent: Opponent,
    /// Which sides people play.
    pub people: [bool; 2],
    /// The clocks, if there are any.
    pub clock: Option<Clock>,
    /// The entering-king rule.
    pub rule: EnteringKingRule,
    /// Who sits at the bottom of the board.
    pub bottom: Color,
    /// The language.
    pub language: Language,
    /// Whether the screen can show colours.
    pub colours: bool,
    /// Whether to repeat what was typed: a pipe does not show it.
    pub echo: bool,
    /// Where the game is saved after every move.
    pub file: Option<PathBuf>,
    /// The files that this session has written, which it may write again.
    pub written: BTreeSet<PathBuf>,
    /// Lines typed.
    pub lines: Receiver<String>,
    /// The screen.
    pub out: W,
}

/// What became of the wait for a line.
enum Heard {
    Line(String),
    TimeUp,
    End,
}

/// Whether the session goes on.
#[derive(PartialEq, Eq)]
enum Then {
    /// Another line of the same player, please.
    Ask,
    /// The board has changed.
    Next,
    Leave,
}

impl<W: Write> Session<W> {
    /// Plays until somebody leaves.
    pub fn run(&mut self) -> anyhow::Result<()> {
        self.greet()?;
        loop {
            self.keep();
            if self.game.ending().is_some() {
                self.show_board()?;
                self.show_result()?;
                if self.listen()? == Then::Leave {
                    return Ok(());
                }
            } else if self.people[self.side().index()] {
                self.show_board()?;
                if self.listen()? == Then::Leave {
                    writeln!(self.out, "{}", self.words().left)?;
                    self.keep();
                    return Ok(());
                }
            } else {
                self.engine_moves()?;
            }
        }
    }

    fn words(&self) -> &'static Words {
        self.language.words()
    }

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn side(&self) -> Color {
        self.position().side_to_move()
    }

    fn side_name(&self, side: Color) -> &'static str {
        self.words().side(side, self.game.is_handicap())
    }

    fn greet(&mut self) -> anyhow::Result<()> {
        let words = self.words();
        match self.people {
            [true, true] => writeln!(self.out, "{}", words.greeting_both)?,
            people => {
                let human = if people[0] { Color::Black } else { Color::White };
                let level = self.opponent.level().to_string();
                let names = [self.side_name(human), self.side_name(!human), &level];
                writeln!(self.out, "{}", fill(words.greeting, &names))?;
            }
        }
        writeln!(self.out, "{}\n", words.how_to_ask)?;
        Ok(())
    }

    fn show_board(&mut self) -> anyhow::Result<()> {
        let words = self.words();
        let level = fill(words.engine, &[&self.opponent.level().to_string()]);
        let names = Color::ALL.map(|side| {
            let who = match self.people {
                [true, true] => "",
                people if people[side.index()] => words.you,
                _ => &level,
            };
            let time = self.clock.as_ref().map(|clock| format!(" {}", clock.show(side)));
            format!("{} {who}{}", self.side_name(side), time.unwrap_or_default())
        });
        let text = draw(&View {
            position: self.game.position(),
            bottom: self.bottom,
            colours: self.colours,
            names: [names[0].trim_end(), names[1].trim_end()],
            hand: words.hand,
        });
        write!(self.out, "{text}")?;
        if self.position().in_check() && self.game.ending().is_none() {
            writeln!(self.out, "{}", words.check)?;
        }
        Ok(())
    }

    fn show_result(&mut self) -> anyhow::Result<()> {
        let words = self.words();
        let Some(ending) = self.game.ending() else { return Ok(()) };
        let (count, how) = (self.game.len().to_string(), words.ending(ending));
        let text = match self.game.winner() {
            Some(winner) => fill(words.won, &[&count, self.side_name(winner), how]),
            None => fill(words.drawn, &[&count, how]),
        };
        writeln!(self.out, "{text}\n{}", words.after_game)?;
        Ok(())
    }

    /// Asks until something happens.
    fn listen(&mut self) -> anyhow::Result<Then> {
        let begun = Instant::now();
        loop {
            let prompt = match self.game.ending() {
                Some(_) => "> ".to_string(),
                None => fill(self.words().prompt, &[self.side_name(self.side())]),
            };
            write!(self.out, "{prompt}")?;
            self.out.flush()?;
            let then = match self.hear(begun) {
                Heard::End => {
                    writeln!(self.out)?;
                    Then::Leave
                }
                Heard::TimeUp => {
                    writeln!(self.out)?;
                    self.game.end(Ending::Timeout);
                    Then::Next
                }
                Heard::Line(line) => self.take(&line, begun)?,
            };
            if then != Then::Ask {
                return Ok(then);
            }
        }
    }

    fn take(&mut self, line: &str, begun: Instant) -> anyhow::Result<Then> {
        if self.echo {
            writeln!(self.out, "{}", line.trim())?;
        }
        match read(line, self.position()) {
            Ok(request) => self.obey(request, begun),
            Err(fault) => {
                self.complain(&fault)?;
                Ok(Then::Ask)
            }
        }
    }

    /// Waits for a line, no longer than the clock allows.
    fn hear(&self, begun: Instant) -> Heard {
        let clock = self.clock.as_ref().filter(|_| self.game.ending().is_none());
        let Some(clock) = clock else {
            return self.lines.recv().map_or(Heard::End, Heard::Line);
        };
        let left = clock.allowance(self.side()).saturating_sub(begun.elapsed());
        match self.lines.recv_timeout(left) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::TimeUp,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    fn obey(&mut self, request: Request, begun: Instant) -> anyhow::Result<Then> {
        let words = self.words();
        let over = self.game.ending().is_some();
        match request {
            Request::Play(_) | Request::Resign | Request::Declare | Request::Hint if over => {
                writeln!(self.out, "{} {}", words.is_over, words.after_game)?;
            }
            Request::Play(played) => {
                self.play(played, begun.elapsed());
                return Ok(Then::Next);
            }
            Request::Resign => {
                self.game.end(Ending::Resign);
                return Ok(Then::Next);
            }
            Request::Declare => return self.declare(begun),
            Request::TakeBack => return self.take_back(),
            Request::Quit => return Ok(Then::Leave),
            Request::Flip => {
                self.bottom = !self.bottom;
                self.show_board()?;
            }
            Request::Board => self.show_board()?,
            Request::Hint => self.hint()?,
            Request::Save(name) => self.save_as(name)?,
            Request::Level(level) => self.level(level)?,
            Request::Moves => self.list_moves()?,
            Request::Record => self.list_record()?,
            Request::Clock => self.show_clock()?,
            Request::Help => writeln!(self.out, "{}", words.help)?,
            Request::Nothing => {}
        }
        Ok(Then::Ask)
    }

    fn complain(&mut self, fault: &Fault) -> anyhow::Result<()> {
        let words = self.words();
        let names = |moves: &[Move]| -> Vec<String> {
            moves.iter().map(|&played| both_names(self.game.position(), played)).collect()
        };
        let text = match fault {
            Fault::Unknown => words.unknown.to_string(),
            Fault::Illegal(why) => fill(words.illegal, &[words.why(*why)]),
            Fault::NoSuchMove(near) if near.is_empty() => words.no_such_move.to_string(),
            Fault::NoSuchMove(near) => {
                let list = fill(words.near_moves, &[&names(near).join(" ")]);
                format!("{} {list}", words.no_such_move)
            }
            Fault::Promotion(both) => {
                let names = names(both);
                fill(words.promotion, &[&names[0], &names[1]])
            }
        };
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    /// Plays a legal move of either side, if it came in time.
    fn play(&mut self, played: Move, used: Duration) {
        let side = self.side();
        if self.clock.as_mut().is_none_or(|clock| clock.spend(side, used)) {
            self.game.play(played, Some(used));
        } else {
            self.game.end(Ending::Timeout);
        }
    }

    fn engine_moves(&mut self) -> anyhow::Result<()> {
        let words = self.words();
        write!(self.out, "{}", words.thinking)?;
        self.out.flush()?;
        let begun = Instant::now();
        let clocks = self.clock.as_ref().map(Clock::for_engine);
        let Answer { thought, speculative } = self.opponent.answer(self.game.position(), clocks);
        match thought.best {
            _ if thought.declares => self.game.end(Ending::EnteringKing),
            None => self.game.end(Ending::Resign),
            Some(played) => {
                let name = both_names(self.game.position(), played);
                write!(self.out, " {}", fill(words.engine_played, &[&name]))?;
                if speculative {
                    write!(self.out, "\n{}", words.speculative)?;
                }
                self.play(played, begun.elapsed());
            }
        }
        writeln!(self.out)?;
        Ok(())
    }

    fn declare(&mut self, begun: Instant) -> anyhow::Result<Then> {
        match self.position().declaration(self.rule) {
            Some(Declaration::Win) => self.game.end(Ending::EnteringKing),
            Some(Declaration::NoContest) => self.game.end(Ending::Impasse),
            Some(Declaration::Try(played)) => self.play(played, begun.elapsed()),
            None => {
                let points = self.position().declaration_points(self.rule).to_string();
                let text = fill(self.words().no_declaration, &[self.rule.name(), &points]);
                writeln!(self.out, "{text}")?;
                return Ok(Then::Ask);
            }
        }
        Ok(Then::Next)
    }

    fn take_back(&mut self) -> anyhow::Result<Then> {
        let people = self.people;
        let taken = self.game.take_back(|side| people[side.index()]);
        if taken == 0 {
            writeln!(self.out, "{}", self.words().nothing_to_take_back)?;
            return Ok(Then::Ask);
        }
        writeln!(self.out, "{}", fill(self.words().taken_back, &[&taken.to_string()]))?;
        Ok(Then::Next)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let words = self.words();
        let thought = self.opponent.hint(self.game.position())?;
        let text = match thought.best {
            _ if thought.declares => words.hint_declare.to_string(),
            None => words.no_such_move.to_string(),
            Some(best) => {
                let name = both_names(self.game.position(), best);
                let line = line_names(self.game.position(), &thought);
                fill(words.hint, &[&name, &judgement(words, &thought), &line])
            }
        };
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    fn level(&mut self, asked: Option<String>) -> anyhow::Result<()> {
        let words = self.words();
        let range = ["1".to_string(), FULL.to_string()];
        let text = match asked.as_deref().map(read_level) {
            Some(None) => fill(words.level_range, &[&range[0], &range[1]]),
            asked => {
                if let Some(Some(number)) = asked {
                    self.opponent.set_level(number)?;
                }
                let level = self.opponent.level().to_string();
                fill(words.level_is, &[&level, &range[0], &range[1]])
            }
        };
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    fn list_moves(&mut self) -> anyhow::Result<()> {
        let position = self.game.position();
        let names: Vec<String> =
            position.legal_moves().iter().map(|&played| both_names(position, played)).collect();
        for row in names.chunks(4) {
            writeln!(self.out, "{}", row.join("  "))?;
        }
        Ok(())
    }

    fn list_record(&mut self) -> anyhow::Result<()> {
        if self.game.len() == 0 {
            writeln!(self.out, "{}", self.words().no_moves_yet)?;
        }
        for (before, played) in self.game.walk() {
            let name = both_names(&before, played);
            writeln!(self.out, "{:4} {name}", before.move_number())?;
        }
        Ok(())
    }

    fn show_clock(&mut self) -> anyhow::Result<()> {
        match &self.clock {
            None => writeln!(self.out, "{}", self.words().no_clock)?,
            Some(clock) => {
                for side in Color::ALL {
                    writeln!(self.out, "{} {}", self.side_name(side), clock.show(side))?;
                }
            }
        }
        Ok(())
    }

    fn save_as(&mut self, name: Option<String>) -> anyhow::Result<()> {
        let words = self.words();
        let Some(path) = name.map(PathBuf::from).or_else(|| self.file.clone()) else {
            writeln!(self.out, "{}", words.file_name_needed)?;
            return Ok(());
        };
        let path = match path.extension() {
            Some(_) => path,
            None => path.with_extension("kif"),
        };
        let own = self.file.as_deref() == Some(&path) || self.written.contains(&path);
        let text = match save(&self.game, &path, own) {
            Ok(()) => {
                let text = fill(words.saved, &[&path.display().to_string()]);
                self.written.insert(path);
                text
            }
            Err(error) => fill(words.not_saved, &[&format!("{error:#}")]),
        };
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    /// Keeps the file that the player asked for up to date, so that nothing is lost.
    fn keep(&mut self) {
        if let Some(path) = &self.file
            && let Err(error) = save(&self.game, path, true)
        {
            let text = fill(self.language.words().not_saved, &[&format!("{error:#}")]);
            // Without a screen there is nobody to tell.
            let _ = writeln!(self.out, "{text}");
        }
    }
}

/// Saves a game in the format that the file's name tells.
pub fn save(game: &Game, path: &Path, force: bool) -> anyhow::Result<()> {
    let format = Format::of_file_name(&path.to_string_lossy())
        .with_context(|| format!("{}: use .kif, .kifu, .ki2, .csa or .jkf", path.display()))?;
    if matches!(format, Format::Psv | Format::Hcpe) {
        bail!("{}: a game is saved as .kif, .kifu, .ki2, .csa or .jkf", path.display());
    }
    write_file(path, &format.write(&[game.record()])?, force)
}

/// `▲７六歩 (7g7f)`.
fn both_names(position: &Position, played: Move) -> String {
    format!("{} ({played})", move_name(position, played))
}

fn judgement(words: &Words, thought: &Outcome) -> String {
    match Score::from(thought.value) {
        Score::Centipawns(value) => format!("{value:+}"),
        Score::Mate(plies) if plies > 0 => fill(words.mate_for, &[&plies.to_string()]),
        Score::Mate(plies) => fill(words.mate_against, &[&plies.abs().to_string()]),
    }
}

/// The first moves of the best line.
fn line_names(position: &Position, thought: &Outcome) -> String {
    const SHOWN: usize = 6;
    let mut position = position.clone();
    let mut names = String::new();
    let line = thought.lines.first().map(|root| root.line.as_slice()).unwrap_or_default();
    for &played in line.iter().take(SHOWN) {
        if !position.is_legal(played) {
            break;
        }
        names.push_str(&move_name(&position, played));
        position.play(played);
    }
    names
}
