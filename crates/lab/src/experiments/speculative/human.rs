//! The person at the keyboard as the subject, as in the paper: lost positions are to be mated, once
//! against the engine's own choices (Non) and once against Spec, with half a minute a move. A
//! position met again is answered as before, so that knowing it does not help.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_base::append::AppendFile;
use yomikiri_play::{Decision, Game, Rules};
use yomikiri_shogi::{Move, Position};

use super::policies::{Policy, State};
use super::positions::{Kind, Lost};
use super::{Settings, Speculative, at_desk, load};
use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::thinker::Thinkers;

/// Time for each of the subject's moves. The program's moves are limited by nodes and take less
/// than the paper's 15 seconds.
pub const TIME: Duration = Duration::from_secs(30);

/// The file of all trials in the folder of results; the short form has other positions and a file
/// of its own.
fn file(run: &Run<'_>) -> PathBuf {
    run.directory().join(if run.is_quick() { "human-quick.jsonl" } else { "human.jsonl" })
}

/// What the subject is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A new position: its number, and how many there are.
    Begins(usize, usize),
    /// The program played.
    Played(Move),
    /// This position was met before, and is answered by the same move, or again by none.
    Repeats(Option<Move>),
    /// The trial is over: whether the mate was brought about.
    Over(bool),
}

/// What the subject does when asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Plays a legal move.
    Plays(Move),
    /// Lets the time run out or gives the position up.
    Fails,
    /// Ends the session; the trial does not count.
    Leaves,
}

/// The person, as the front end has it.
pub trait Subject: Send {
    /// Asks for a move within the time.
    fn ask(&mut self, position: &Position, time: Duration) -> Reply;
    /// Tells what happened; `position` is the one before it.
    fn hear(&mut self, position: &Position, notice: &Notice);
}

/// One position against one program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// The subject's name.
    pub name: String,
    /// The position.
    pub id: String,
    /// `Non` or `Spec`.
    pub program: String,
    /// Whether the mate was brought about.
    pub found: bool,
    /// The subject's moves: position and move, `-` where there was none.
    pub answers: Vec<(String, String)>,
}

/// A run of the experiment with a person in it.
pub struct Session {
    /// The subject's name.
    pub name: String,
    /// Positions to play, those played in earlier sessions included.
    pub positions: usize,
    /// The person.
    pub subject: Mutex<Box<dyn Subject>>,
}

impl Experiment for Session {
    fn name(&self) -> &'static str {
        Speculative.name()
    }

    fn title(&self) -> &'static str {
        Speculative.title()
    }

    fn question(&self) -> &'static str {
        Speculative.question()
    }

    fn run(&self, run: &mut Run<'_>) -> Result<Page, LabError> {
        let settings: Settings = run.settings()?;
        let all = load(run, &settings)?;
        let measured = all.into_iter().filter(|lost| lost.kind == Kind::Defender);
        let positions: Vec<Lost> =
            measured.skip(settings.calibration).take(self.positions).collect();
        let earlier = results(run)?;
        let path = file(run);
        let mut subject = self.subject.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = play(
            &self.name,
            &positions,
            &earlier,
            &settings,
            run.seed(),
            subject.as_mut(),
            &mut |trial| append(&path, trial),
        )
        .map_err(|error| LabError::File { path: path.display().to_string(), error })?;
        if !ended {
            let done = results(run)?.iter().filter(|trial| trial.name == self.name).count();
            let stage = format!("{} at the keyboard", self.name);
            return Err(LabError::Interrupted { stage, done, total: 2 * positions.len() });
        }
        Speculative.run(run)
    }
}

/// The trials of all sessions so far.
///
/// # Errors
/// If the file is there and cannot be read.
pub fn results(run: &Run<'_>) -> Result<Vec<Trial>, LabError> {
    let path = file(run);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| LabError::File { path: path.display().to_string(), error })?;
    let wrong = |error: serde_json::Error| LabError::Data {
        name: path.display().to_string(),
        fault: error.to_string(),
    };
    // A last line without its end was cut short: the trial counts as not played.
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    text[..whole].lines().map(|line| serde_json::from_str(line).map_err(wrong)).collect()
}

fn append(path: &Path, trial: &Trial) -> std::io::Result<()> {
    let (mut file, _) = AppendFile::open(path).map_err(std::io::Error::other)?;
    file.append(&format!("{}\n", serde_json::to_string(trial)?)).map_err(std::io::Error::other)
}

/// Plays what this subject has not played yet; `keep` takes each trial as it ends. Whether the
/// subject stayed to the end.
fn play(
    name: &str,
    positions: &[Lost],
    earlier: &[Trial],
    settings: &Settings,
    seed: u64,
    subject: &mut dyn Subject,
    keep: &mut dyn FnMut(&Trial) -> std::io::Result<()>,
) -> std::io::Result<bool> {
    let thinkers = Thinkers::default();
    let mine = || earlier.iter().filter(|trial| trial.name == name);
    let answers = mine().flat_map(|trial| trial.answers.iter().cloned());
    let mut known: HashMap<String, Option<Move>> =
        answers.map(|(sfen, played)| (sfen, played.parse().ok())).collect();
    let mut rng = fastrand::Rng::with_seed(seed);
    for (at, lost) in positions.iter().enumerate() {
        let mut programs = [Policy::Own, Policy::Spec];
        rng.shuffle(&mut programs);
        for program in programs {
            let done = mine().any(|trial| trial.id == lost.id && trial.program == program.name());
            let Some((start, scholar)) = at_desk(lost, settings, &thinkers, seed) else { continue };
            if done {
                continue;
            }
            subject.hear(&start, &Notice::Begins(at + 1, positions.len()));
            let most = settings.most_plies as usize;
            let mut sitting = Sitting { scholar, program, most, known: &mut known };
            let Some((found, answers)) = sitting.play(start, subject) else { return Ok(false) };
            keep(&Trial {
                name: name.to_string(),
                id: lost.id.clone(),
                program: program.name(),
                found,
                answers,
            })?;
        }
    }
    Ok(true)
}

struct Sitting<'a> {
    scholar: super::policies::Scholar<'a>,
    program: Policy,
    most: usize,
    /// Positions met before and the answers to them; none where the subject had none.
    known: &'a mut HashMap<String, Option<Move>>,
}

impl Sitting<'_> {
    /// Whether the mate was brought about, and the subject's moves; `None` if he left.
    fn play(
        &mut self,
        start: Position,
        subject: &mut dyn Subject,
    ) -> Option<(bool, Vec<(String, String)>)> {
        let program = start.side_to_move();
        let mut game = Game::new(start, &[], Rules::mate_only());
        let mut answers = Vec::new();
        let found = loop {
            let mv = match game.turn() {
                None => break game.winner() != Some(program),
                Some(side) if side == program => {
                    let mv = self.program_move(&game);
                    if let Some(mv) = mv {
                        subject.hear(game.position(), &Notice::Played(mv));
                    }
                    mv
                }
                Some(_) => self.answer(game.position(), subject, &mut answers)?,
            };
            let Some(mv) = mv else { break false };
            game.apply(Decision::play(mv), Duration::ZERO);
        };
        subject.hear(game.position(), &Notice::Over(found));
        Some((found, answers))
    }

    /// What the program plays; nothing once the mate was missed.
    fn program_move(&mut self, game: &Game) -> Option<Move> {
        let is_lost = match &*self.scholar.know(game.position()) {
            State::Mated(_) => game.plies().len() < self.most,
            State::Over | State::Winning | State::Checks(_) | State::Lost | State::Free => false,
        };
        if is_lost { self.scholar.choose(game.position(), self.program) } else { None }
    }

    /// The subject's answer, noted down; `Some(None)` for none, and `None` if he left.
    fn answer(
        &mut self,
        position: &Position,
        subject: &mut dyn Subject,
        answers: &mut Vec<(String, String)>,
    ) -> Option<Option<Move>> {
        // The move number is no part of the position.
        let sfen = position.to_sfen();
        let met = sfen.rsplit_once(' ').map_or(sfen.clone(), |(met, _)| met.to_string());
        let answer = match self.known.get(&met).copied() {
            Some(answer) => {
                subject.hear(position, &Notice::Repeats(answer));
                answer
            }
            None => match subject.ask(position, TIME) {
                Reply::Plays(answer) => Some(answer),
                Reply::Fails => None,
                Reply::Leaves => return None,
            },
        };
        let written = answer.map_or("-".to_string(), |answer| answer.to_string());
        answers.push((met.clone(), written));
        self.known.insert(met, answer);
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::opponents::{Opponent, Sight};
    use super::*;

    /// Mates if a solver does; counts how often it is asked.
    struct Solver {
        asked: usize,
        notices: Vec<Notice>,
    }

    impl Subject for Solver {
        fn ask(&mut self, position: &Position, _: Duration) -> Reply {
            self.asked += 1;
            let solver = Opponent { sight: Sight::Solver, nodes: 10_000 };
            solver.mate(position).map_or(Reply::Fails, Reply::Plays)
        }

        fn hear(&mut self, _: &Position, notice: &Notice) {
            self.notices.push(notice.clone());
        }
    }

    /// Leaves when asked.
    struct Deserter;

    impl Subject for Deserter {
        fn ask(&mut self, _: &Position, _: Duration) -> Reply {
            Reply::Leaves
        }

        fn hear(&mut self, _: &Position, _: &Notice) {}
    }

    #[test]
    fn every_position_is_played_twice_and_known_answers_are_repeated() {
        let settings = <Settings as crate::run::Settings>::standard(true);
        let sfen = "l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1";
        let position = Position::from_sfen(sfen).expect("a position");
        let mated: Vec<super::super::positions::Mated> = position
            .legal_moves()
            .iter()
            .map(|played| super::super::positions::Mated {
                played: played.to_string(),
                nodes: 1,
                length: 1,
                line: String::new(),
            })
            .collect();
        let lost = Lost {
            id: "1-1".into(),
            kind: Kind::Defender,
            sfen: sfen.into(),
            threat: None,
            hunted: None,
            mated,
            checks: Vec::new(),
        };
        let mut subject = Solver { asked: 0, notices: Vec::new() };
        let mut kept = Vec::new();
        let mut keep = |trial: &Trial| {
            kept.push(trial.clone());
            Ok(())
        };
        let ended =
            play("me", std::slice::from_ref(&lost), &[], &settings, 1, &mut subject, &mut keep);
        assert!(ended.expect("kept"));
        assert_eq!(kept.len(), 2);
        assert!(kept.iter().all(|trial| trial.found && !trial.answers.is_empty()), "{kept:?}");
        let asked = subject.asked;
        // All is done: nothing is asked again.
        let earlier = kept.clone();
        let mut none = |_: &Trial| -> std::io::Result<()> { panic!("nothing is left to play") };
        play("me", std::slice::from_ref(&lost), &earlier, &settings, 1, &mut subject, &mut none)
            .expect("nothing");
        assert_eq!(subject.asked, asked);
        // Another program, the same answers: they are repeated without asking.
        let other: Vec<Trial> = earlier
            .iter()
            .map(|trial| Trial { program: "other".into(), ..trial.clone() })
            .collect();
        let mut keep = |trial: &Trial| {
            kept.push(trial.clone());
            Ok(())
        };
        play("me", std::slice::from_ref(&lost), &other, &settings, 1, &mut subject, &mut keep)
            .expect("kept");
        assert_eq!(subject.asked, asked);
        assert!(subject.notices.iter().any(|notice| matches!(notice, Notice::Repeats(Some(_)))));
        // So is giving up.
        let given_up = |trial: &Trial| {
            let answers = trial.answers.iter().map(|(sfen, _)| (sfen.clone(), "-".to_string()));
            Trial { program: "other".into(), answers: answers.collect(), ..trial.clone() }
        };
        let other: Vec<Trial> = earlier.iter().map(given_up).collect();
        let mut keep = |trial: &Trial| {
            assert!(!trial.found);
            Ok(())
        };
        play("me", std::slice::from_ref(&lost), &other, &settings, 1, &mut subject, &mut keep)
            .expect("kept");
        assert_eq!(subject.asked, asked);
        // Who leaves ends the session, and the trial does not count.
        let mut none = |_: &Trial| -> std::io::Result<()> { panic!("nothing was played") };
        let ended =
            play("me", std::slice::from_ref(&lost), &[], &settings, 1, &mut Deserter, &mut none);
        assert!(!ended.expect("nothing to keep"));
    }
}
