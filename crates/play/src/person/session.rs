//! The game as it goes: asks, shows, lets the engine answer, until somebody leaves.

use super::board::{BoardView, draw};
use super::errors::{SaveError, SessionError};
use super::opponent::{Opponent, OpponentDecision, read_level};
use super::request::{PersonRequest, RequestFault, read};
use super::words;
use crate::notation::Notation;
use crate::player::engine::decision;
use crate::{Decision, GameClock, RecordedGame};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use yomikiri_base::output_files::OutputError;
use yomikiri_base::{Clock, Stopwatch};
use yomikiri_engine::strength::FULL;
use yomikiri_engine::{Score, SearchOutcome};
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::record::Format;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_text::{Language, Play};

/// Writes a file; the last argument says whether an existing one may be replaced.
pub type WriteFile<'a> = &'a dyn Fn(&Path, &[u8], bool) -> Result<(), OutputError>;

/// A game between somebody at the terminal and the engine, or between two people there.
pub struct PersonSession<'a, W> {
    /// The game.
    pub game: RecordedGame,
    /// The engine.
    pub opponent: Opponent,
    /// Which sides people play.
    pub people: [bool; 2],
    /// Who sits at the bottom of the board.
    pub bottom: Color,
    /// The language.
    pub language: Language,
    /// How moves and pieces are written.
    pub notation: Notation,
    /// Where the time is read.
    pub time: Clock,
    /// How files are written.
    pub write_file: WriteFile<'a>,
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
enum Input {
    Line(String),
    TimeUp,
    End,
}

/// Whether the session goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    /// Another line of the same player, please.
    Ask,
    /// The board has changed.
    Next,
    Leave,
}

impl<W: Write> PersonSession<'_, W> {
    /// Plays until somebody leaves.
    pub fn run(&mut self) -> Result<(), SessionError> {
        self.greet()?;
        loop {
            self.keep();
            if self.is_over() {
                self.show_board()?;
                self.show_result()?;
                if self.listen()? == Flow::Leave {
                    return Ok(());
                }
            } else if self.people[self.side().index()] {
                self.show_board()?;
                if self.listen()? == Flow::Leave {
                    writeln!(self.out, "{}", self.words().left())?;
                    self.keep();
                    return Ok(());
                }
            } else {
                self.engine_moves()?;
            }
        }
    }

    fn words(&self) -> Play {
        Play(self.language)
    }

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn is_over(&self) -> bool {
        self.game.game().turn().is_none()
    }

    fn clock(&self) -> Option<&GameClock> {
        self.game.game().clock()
    }

    fn side(&self) -> Color {
        self.position().side_to_move()
    }

    fn side_name(&self, side: Color) -> String {
        words::side(self.language, side, self.game.is_handicap())
    }

    fn greet(&mut self) -> Result<(), SessionError> {
        let words = self.words();
        match self.people {
            [true, true] => writeln!(self.out, "{}", words.greeting_both())?,
            people => {
                let human = if people[0] { Color::Black } else { Color::White };
                let (side, other) = (self.side_name(human), self.side_name(!human));
                let text = words.greeting(side, other, self.opponent.level(), FULL);
                writeln!(self.out, "{text}")?;
            }
        }
        writeln!(self.out, "{}\n", words.how_to_ask())?;
        Ok(())
    }

    fn show_board(&mut self) -> Result<(), SessionError> {
        let words = self.words();
        let names = Color::ALL.map(|side| {
            let who = match self.people {
                [true, true] => String::new(),
                people if people[side.index()] => words.you(),
                _ => words.engine(self.opponent.level()),
            };
            let clock = self.clock();
            let time = clock.map(|clock| format!(" {}", words::clock(words, clock, side)));
            format!("{} {who}{}", self.side_name(side), time.unwrap_or_default())
        });
        let text = draw(&BoardView {
            position: self.game.position(),
            bottom: self.bottom,
            colours: self.colours,
            names: [names[0].trim_end(), names[1].trim_end()],
            language: self.language,
            notation: self.notation,
        });
        write!(self.out, "{text}")?;
        if self.position().in_check() && !self.is_over() {
            writeln!(self.out, "{}", words.check())?;
        }
        Ok(())
    }

    fn show_result(&mut self) -> Result<(), SessionError> {
        let words = self.words();
        let game = self.game.game();
        let how = words::ending(words, &game.record_ending());
        let count = game.plies().len();
        let text = match game.winner() {
            Some(winner) => words.won(count, self.side_name(winner), how),
            None => words.drawn(count, how),
        };
        writeln!(self.out, "{text}\n{}", words.after_game())?;
        Ok(())
    }

    /// Prompts until something happens.
    fn listen(&mut self) -> Result<Flow, SessionError> {
        let begun = self.time.stopwatch();
        loop {
            let prompt = match self.game.game().turn() {
                None => "> ".to_string(),
                Some(side) => self.words().prompt(self.side_name(side)),
            };
            write!(self.out, "{prompt}")?;
            self.out.flush()?;
            let flow = match self.next_input(&begun) {
                Input::End => {
                    writeln!(self.out)?;
                    Flow::Leave
                }
                Input::TimeUp => {
                    writeln!(self.out)?;
                    self.game.apply(Decision::time_up(), begun.elapsed());
                    Flow::Next
                }
                Input::Line(line) => self.handle_line(&line, &begun)?,
            };
            if flow != Flow::Ask {
                return Ok(flow);
            }
        }
    }

    fn handle_line(&mut self, line: &str, begun: &Stopwatch) -> Result<Flow, SessionError> {
        if self.echo {
            writeln!(self.out, "{}", line.trim())?;
        }
        match read(line, self.position()) {
            Ok(request) => self.dispatch(request, begun),
            Err(fault) => {
                self.complain(&fault)?;
                Ok(Flow::Ask)
            }
        }
    }

    /// Waits for a line, no longer than the clock allows.
    fn next_input(&self, begun: &Stopwatch) -> Input {
        let allowance = self.game.game().allowance().filter(|_| !self.is_over());
        let Some(allowance) = allowance else {
            return self.lines.recv().map_or(Input::End, Input::Line);
        };
        let left = allowance.saturating_sub(begun.elapsed());
        match self.lines.recv_timeout(left) {
            Ok(line) => Input::Line(line),
            Err(RecvTimeoutError::Timeout) => Input::TimeUp,
            Err(RecvTimeoutError::Disconnected) => Input::End,
        }
    }

    fn dispatch(
        &mut self,
        request: PersonRequest,
        begun: &Stopwatch,
    ) -> Result<Flow, SessionError> {
        let words = self.words();
        let over = self.is_over();
        match request {
            PersonRequest::Play(_)
            | PersonRequest::Resign
            | PersonRequest::Declare
            | PersonRequest::Hint
                if over =>
            {
                writeln!(self.out, "{} {}", words.is_over(), words.after_game())?;
            }
            PersonRequest::Play(mv) => {
                self.game.apply(Decision::play(mv), begun.elapsed());
                return Ok(Flow::Next);
            }
            PersonRequest::Resign => {
                self.game.apply(Decision::Resign, begun.elapsed());
                return Ok(Flow::Next);
            }
            PersonRequest::Declare => return self.declare(begun),
            PersonRequest::TakeBack => return self.take_back(),
            PersonRequest::Quit => return Ok(Flow::Leave),
            PersonRequest::Flip => {
                self.bottom = !self.bottom;
                self.show_board()?;
            }
            PersonRequest::Board => self.show_board()?,
            PersonRequest::Hint => self.hint()?,
            PersonRequest::Save(name) => self.save_as(name)?,
            PersonRequest::Level(level) => self.level(level)?,
            PersonRequest::Moves => self.list_moves()?,
            PersonRequest::Record => self.list_record()?,
            PersonRequest::Clock => self.show_clock()?,
            PersonRequest::Help => writeln!(self.out, "{}", words.help())?,
            PersonRequest::Nothing => {}
        }
        Ok(Flow::Ask)
    }

    fn complain(&mut self, fault: &RequestFault) -> Result<(), SessionError> {
        let position = self.game.position();
        let text = words::fault(self.words(), self.notation, position, fault);
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    fn engine_moves(&mut self) -> Result<(), SessionError> {
        let words = self.words();
        write!(self.out, "{}", words.thinking())?;
        self.out.flush()?;
        let begun = self.time.stopwatch();
        let clocks = self.clock().and_then(|clock| clock.for_engine(self.side()));
        let OpponentDecision { thought, speculative } =
            self.opponent.answer(self.game.position(), clocks);
        let decision = decision(&thought);
        if let Decision::Move(mv, _) = decision {
            let name = self.both_names(self.game.position(), mv);
            write!(self.out, " {}", words.engine_played(name))?;
            if speculative {
                write!(self.out, "\n{}", words.speculative())?;
            }
        }
        self.game.apply(decision, begun.elapsed());
        writeln!(self.out)?;
        Ok(())
    }

    fn declare(&mut self, begun: &Stopwatch) -> Result<Flow, SessionError> {
        let rule = self.game.game().rules().entering_king;
        let decision = match self.position().declaration(rule) {
            Some(Declaration::Win | Declaration::NoContest) => Decision::Declare,
            Some(Declaration::Try(mv)) => Decision::play(mv),
            None => {
                let points = self.position().declaration_points(rule);
                let text = self.words().no_declaration(rule.name(), points);
                writeln!(self.out, "{text}")?;
                return Ok(Flow::Ask);
            }
        };
        self.game.apply(decision, begun.elapsed());
        Ok(Flow::Next)
    }

    fn take_back(&mut self) -> Result<Flow, SessionError> {
        let people = self.people;
        let taken = self.game.take_back(|side| people[side.index()]);
        if taken == 0 {
            writeln!(self.out, "{}", self.words().nothing_to_take_back())?;
            return Ok(Flow::Ask);
        }
        writeln!(self.out, "{}", self.words().taken_back(taken))?;
        Ok(Flow::Next)
    }

    fn hint(&mut self) -> Result<(), SessionError> {
        let words = self.words();
        let thought = self.opponent.hint(self.game.position())?;
        let text = match thought.best {
            _ if thought.declares => words.hint_declare(),
            None => words.hint_none(),
            Some(best) => {
                let name = self.both_names(self.game.position(), best);
                words.hint(name, judgement(words, &thought), self.line_names(&thought))
            }
        };
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    fn level(&mut self, asked: Option<String>) -> Result<(), SessionError> {
        let words = self.words();
        let text = match asked.as_deref().map(read_level) {
            Some(None) => words.level_range(1, FULL),
            asked => {
                if let Some(Some(number)) = asked {
                    self.opponent.set_level(number)?;
                }
                words.level_is(self.opponent.level(), 1, FULL)
            }
        };
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    fn list_moves(&mut self) -> Result<(), SessionError> {
        let position = self.game.position();
        let moves = position.legal_moves();
        let names: Vec<String> = moves.iter().map(|&mv| self.both_names(position, mv)).collect();
        for row in names.chunks(4) {
            writeln!(self.out, "{}", row.join("  "))?;
        }
        Ok(())
    }

    fn list_record(&mut self) -> Result<(), SessionError> {
        if self.game.game().plies().is_empty() {
            writeln!(self.out, "{}", self.words().no_moves_yet())?;
        }
        for (before, mv) in self.game.walk() {
            let name = words::both_names(self.notation, &before, mv);
            writeln!(self.out, "{:4} {name}", before.move_number())?;
        }
        Ok(())
    }

    fn show_clock(&mut self) -> Result<(), SessionError> {
        match self.game.game().clock() {
            None => writeln!(self.out, "{}", self.words().no_clock())?,
            Some(clock) => {
                for side in Color::ALL {
                    let time = words::clock(self.words(), clock, side);
                    writeln!(self.out, "{} {time}", self.side_name(side))?;
                }
            }
        }
        Ok(())
    }

    fn save_as(&mut self, name: Option<String>) -> Result<(), SessionError> {
        let words = self.words();
        let Some(path) = name.map(PathBuf::from).or_else(|| self.file.clone()) else {
            writeln!(self.out, "{}", words.file_name_needed())?;
            return Ok(());
        };
        let path = match path.extension() {
            Some(_) => path,
            None => path.with_extension("kif"),
        };
        let own = self.file.as_deref() == Some(&path) || self.written.contains(&path);
        let text = match self.save(&path, own) {
            Ok(()) => {
                let text = words.saved(path.display());
                self.written.insert(path);
                text
            }
            Err(error) => words.not_saved(error.text(self.language)),
        };
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    /// Keeps the player's file up to date, so that nothing is lost.
    fn keep(&mut self) {
        if let Some(path) = &self.file
            && let Err(error) = self.save(path, true)
        {
            let text = self.words().not_saved(error.text(self.language));
            // Without a screen there is nobody to show it to.
            let _ = writeln!(self.out, "{text}");
        }
    }

    fn save(&self, path: &Path, force: bool) -> Result<(), SaveError> {
        save(&self.game, path, force, self.write_file)
    }

    /// `▲７六歩 (7g7f)`.
    fn both_names(&self, position: &Position, mv: Move) -> String {
        words::both_names(self.notation, position, mv)
    }

    /// The first moves of the best line.
    fn line_names(&self, thought: &SearchOutcome) -> String {
        const SHOWN: usize = 6;
        let line = thought.lines.first().map(|root| root.line.as_slice()).unwrap_or_default();
        let line = &line[..line.len().min(SHOWN)];
        self.notation.line_text(self.game.position(), line)
    }
}

/// Saves a game in the format of the file's ending.
///
/// # Errors
/// See [`SaveError`].
pub fn save(
    game: &RecordedGame,
    path: &Path,
    force: bool,
    write_file: WriteFile<'_>,
) -> Result<(), SaveError> {
    let holds_games = |format: &Format| !matches!(format, Format::Psv | Format::Hcpe | Format::Bod);
    let format = Format::of_file_name(&path.to_string_lossy()).filter(holds_games);
    let format = format.ok_or_else(|| SaveError::Format(path.to_path_buf()))?;
    let bytes = format.write(&[game.record()]).map_err(SaveError::Record)?;
    write_file(path, &bytes, force).map_err(SaveError::File)
}

fn judgement(words: Play, thought: &SearchOutcome) -> String {
    match Score::from(thought.value) {
        Score::Centipawns(value) => format!("{value:+}"),
        Score::Mate(plies) if plies > 0 => words.mate_for(plies),
        Score::Mate(plies) => words.mate_against(plies.abs()),
    }
}
