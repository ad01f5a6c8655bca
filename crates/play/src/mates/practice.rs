//! A proven problem at the keyboard: the person defends against the proof, or looks for the mate.

use super::names;
use crate::Notation;
use crate::person::words::{both_names, fault};
use crate::person::{BoardView, PersonRequest, draw, read};
use core::fmt;
use std::io::{self, BufRead, Write};
use std::str::FromStr;
use std::time::Duration;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_text::{Language, Play, Solve};
use yomikiri_tsume::practice::{Practice, PracticeVerdict};
use yomikiri_tsume::{Guide, MateSettings, Tsume};

/// Whom the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PracticeRole {
    /// The proof attacks.
    Defend,
    /// The person looks for the mate.
    Solve,
}

/// Neither of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("defend or solve")]
pub struct UnknownRole;

impl FromStr for PracticeRole {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<PracticeRole, UnknownRole> {
        match text {
            "defend" => Ok(PracticeRole::Defend),
            "solve" => Ok(PracticeRole::Solve),
            _ => Err(UnknownRole),
        }
    }
}

/// What one search off the proof may use.
const NODES: u64 = 300_000;
const TIME: Duration = Duration::from_secs(3);

/// A problem that somebody plays through at a terminal.
pub struct MatePractice<'a, W> {
    practice: Practice<'a>,
    role: PracticeRole,
    position: Position,
    /// How many moves were played before each turn of the person.
    turns: Vec<usize>,
    played: usize,
    bottom: Color,
    language: Language,
    notation: Notation,
    screen: W,
}

impl<'a, W: Write> MatePractice<'a, W> {
    /// From the start of a proven mate.
    pub fn new(
        (game, guide): (&'a Tsume, &'a Guide),
        role: PracticeRole,
        (language, notation): (Language, Notation),
        screen: W,
    ) -> MatePractice<'a, W> {
        let settings = MateSettings {
            limits: ProofLimits { nodes: NODES, time: Some(TIME), ..ProofLimits::default() },
            shortest: false,
            checking: Some(TIME),
            ..MateSettings::default()
        };
        MatePractice {
            practice: Practice { game, guide, settings },
            role,
            position: game.position().clone(),
            turns: Vec::new(),
            played: 0,
            bottom: game.attacker(),
            language,
            notation,
            screen,
        }
    }

    fn words(&self) -> Solve {
        Solve(self.language)
    }

    fn print_line(&mut self, text: impl fmt::Display) -> io::Result<()> {
        writeln!(self.screen, "{text}")
    }

    /// Plays to the mate, or until the person leaves.
    ///
    /// # Errors
    /// If the screen or the keyboard is gone.
    pub fn run(&mut self, mut typed: impl BufRead) -> io::Result<()> {
        let words = self.words();
        self.print_line(match self.role {
            PracticeRole::Defend => words.defend(),
            PracticeRole::Solve => words.find_mate(),
        })?;
        if self.role == PracticeRole::Defend
            && let Some((mv, _)) = self.practice.mating_move(&self.position)
        {
            self.play(mv)?;
        }
        self.show_board()?;
        loop {
            write!(self.screen, "> ")?;
            self.screen.flush()?;
            let mut line = String::new();
            if typed.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match read(&line, &self.position) {
                Ok(PersonRequest::Quit | PersonRequest::Resign) => return Ok(()),
                Ok(PersonRequest::Play(mv)) => {
                    if self.answer(mv)? {
                        return Ok(());
                    }
                }
                Ok(request) => self.assist(&request)?,
                Err(what) => {
                    let text = fault(Play(self.language), self.notation, &self.position, &what);
                    self.print_line(text)?;
                }
            }
        }
    }

    /// Everything but moves.
    fn assist(&mut self, request: &PersonRequest) -> io::Result<()> {
        match request {
            PersonRequest::TakeBack => self.take_back(),
            PersonRequest::Hint => self.hint(),
            PersonRequest::Moves => self.list_moves(),
            PersonRequest::Board => self.show_board(),
            PersonRequest::Flip => {
                self.bottom = !self.bottom;
                self.show_board()
            }
            PersonRequest::Nothing => Ok(()),
            _ => self.print_line(self.words().practice_help()),
        }
    }

    fn play(&mut self, mv: Move) -> io::Result<()> {
        let name = names(self.notation, &self.position, &[mv]).join("");
        self.position.play(mv);
        self.played += 1;
        self.print_line(format_args!("{name} {mv}"))
    }

    /// Answers a legal move of the person. Whether the problem has come to its end.
    fn answer(&mut self, mv: Move) -> io::Result<bool> {
        let words = self.words();
        let answer = self.practice.answer(&self.position, mv);
        let reply = answer.reply.map(|reply| {
            let mut after = self.position.clone();
            after.play(mv);
            both_names(self.notation, &after, reply)
        });
        match (answer.verdict, reply) {
            (PracticeVerdict::NoCheck, _) => self.print_line(words.no_check())?,
            (PracticeVerdict::Refuted, Some(reply)) => self.print_line(words.refuted(reply))?,
            (PracticeVerdict::Solved | PracticeVerdict::MateGoesOn, _) => {
                self.turns.push(self.played);
                self.play(mv)?;
                if let Some(reply) = answer.reply {
                    self.play(reply)?;
                }
                if answer.verdict == PracticeVerdict::Solved {
                    self.show_board()?;
                    self.print_line(words.mated())?;
                    return Ok(true);
                }
                self.show_board()?;
            }
            _ => self.print_line(words.not_decided())?,
        }
        Ok(false)
    }

    fn take_back(&mut self) -> io::Result<()> {
        let Some(turn) = self.turns.pop() else {
            return self.print_line(Play(self.language).nothing_to_take_back());
        };
        for _ in turn..self.played {
            self.position.undo();
        }
        self.played = turn;
        self.show_board()
    }

    /// The move that mates, or the defence that lasts longest.
    fn hint(&mut self) -> io::Result<()> {
        let mv = match self.role {
            PracticeRole::Solve => self.practice.mating_move(&self.position).map(|(mv, _)| mv),
            PracticeRole::Defend => self.practice.guide.line(&self.position).first().copied(),
        };
        match mv {
            Some(mv) => self.print_line(both_names(self.notation, &self.position, mv)),
            None => self.print_line(self.words().not_decided()),
        }
    }

    /// The moves that come into question: checks for the attacker, all for the defender.
    fn list_moves(&mut self) -> io::Result<()> {
        let mut moves = self.position.legal_moves();
        if self.role == PracticeRole::Solve {
            moves.retain(|&mut mv| self.position.gives_check(mv));
        }
        let name = |&mv: &Move| both_names(self.notation, &self.position, mv);
        let list = moves.iter().map(name).collect::<Vec<_>>().join("  ");
        self.print_line(list)
    }

    fn show_board(&mut self) -> io::Result<()> {
        let words = self.words();
        let names = Color::ALL.map(|color| match color == self.practice.game.attacker() {
            true => words.attacker(),
            false => words.defender(),
        });
        let text = draw(&BoardView {
            position: &self.position,
            bottom: self.bottom,
            colours: false,
            names: [names[0].as_str(), names[1].as_str()],
            language: self.language,
            notation: self.notation,
        });
        write!(self.screen, "{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_tsume::MateSolver;

    /// Mate in three: the README's problem.
    const THREE: &str = "7p1/8k/9/7S1/9/9/9/9/9 b SN2r2b4g2s3n4l17p 1";

    fn shown(role: PracticeRole, typed: &str) -> (String, Vec<String>) {
        let game = Tsume::new(Position::from_problem_sfen(THREE).unwrap(), Color::Black);
        let solution = MateSolver::new(MateSettings::default()).solve(&game, &mut |_| {});
        let line: Vec<String> = solution.line.iter().map(ToString::to_string).collect();
        let typed = line
            .iter()
            .enumerate()
            .fold(typed.to_owned(), |text, (index, mv)| text.replace(&format!("#{index}"), mv));
        let guide = &solution.proven.as_ref().unwrap().guide;
        let mut screen = Vec::new();
        let voice = (Language::En, Notation::Western);
        MatePractice::new((&game, guide), role, voice, &mut screen).run(typed.as_bytes()).unwrap();
        (String::from_utf8(screen).unwrap(), line)
    }

    #[test]
    fn the_person_finds_the_mate_with_hints_and_takes_moves_back() {
        let (text, line) = shown(PracticeRole::Solve, "undo\nhint\n#0\nundo\n#0\n#2\n");
        assert!(text.contains(&format!("({})", line[0])), "the hint: {text}");
        assert!(text.contains(&Play(Language::En).nothing_to_take_back()), "{text}");
        assert!(text.trim_end().ends_with(&Solve(Language::En).mated()), "{text}");
    }

    #[test]
    fn wrong_tries_are_answered_and_change_nothing() {
        let words = Solve(Language::En);
        let (text, line) = shown(PracticeRole::Solve, "moves\n9i9a\nhelp\nq\n");
        assert!(text.contains(&line[0]) && text.contains(&words.practice_help()), "{text}");
        let checks: Vec<&str> =
            text.split(['(', ')']).filter(|word| word.parse::<Move>().is_ok()).collect();
        let wrong = checks.iter().find(|&&mv| mv != line[0]).expect("the problem has other checks");
        let (text, _) = shown(PracticeRole::Solve, &format!("{wrong}\nS*9i\n#0\n#2\n"));
        assert!(text.contains("refutes") && text.contains(&words.no_check()), "{text}");
        assert!(text.trim_end().ends_with(&words.mated()), "{text}");
    }

    #[test]
    fn the_proof_mates_whoever_defends() {
        let (text, line) = shown(PracticeRole::Defend, "9i9a\nhint\n#1\n");
        assert!(text.contains(&line[0]) && text.contains(&line[2]), "{text}");
        assert!(text.contains(&format!("({})", line[1])), "the hint: {text}");
        assert!(text.trim_end().ends_with(&Solve(Language::En).mated()), "{text}");
    }
}
