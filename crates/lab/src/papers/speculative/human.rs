//! A person as the subject, as in the paper: lost positions are to be mated, once against the
//! engine's own choices (Non) and once against Spec, with half a minute a move. In the other role
//! the losing side attacks: its checks (by its own choice, or by formula C) are to be withstood
//! until it is mated. A position met again is answered as before, so that knowing it does not help.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_base::append::AppendFile;
use yomikiri_base::packed;
use yomikiri_engine::speculative::formula::Formula;
use yomikiri_play::{Decision, Game, Rules};
use yomikiri_shogi::{Move, Position};

use super::policies::{LosingPolicy, Prospect};
use super::positions::{Lost, ProgramRole};
use super::report::published;
use super::{Speculative, SpeculativeSettings, at_desk, load};
use crate::data;
use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::searcher::SearcherFactory;
use crate::stored::{Results, Stored};

/// Time for each of the subject's moves. The program's moves are limited by nodes and take less
/// than the paper's 15 seconds.
pub const TIME: Duration = Duration::from_secs(30);

/// The file of all trials in the folder of results; the short form has other positions and a file
/// of its own.
fn file(folder: &Path, quick: bool) -> PathBuf {
    folder.join(if quick { "human-quick.jsonl" } else { "human.jsonl" })
}

/// What the subject is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SubjectNotice {
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
pub enum SubjectReply {
    /// Plays a legal move.
    Plays(Move),
    /// Lets the time run out or gives the position up.
    Fails,
    /// Ends the session; the trial does not count.
    Leaves,
}

/// The person, as the front end has it.
pub trait Subject {
    /// Requests a move within the time.
    fn ask(&mut self, position: &Position, time: Duration) -> SubjectReply;
    /// Reports what happened; `position` is the one before it.
    fn notify(&mut self, position: &Position, notice: &SubjectNotice);
}

/// One position against one program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// The subject's name.
    pub name: String,
    /// The position.
    pub id: String,
    /// What the program is: a losing side that defends, or one that attacks.
    #[serde(default = "defender")]
    pub kind: ProgramRole,
    /// `Non`, `Spec` or, of one that attacks, `SpecC`.
    pub program: String,
    /// Whether the mate was brought about.
    pub found: bool,
    /// The subject's moves: position and move, `-` where there was none.
    pub answers: Vec<(String, String)>,
}

fn defender() -> ProgramRole {
    ProgramRole::Defender
}

/// The programs that a subject meets.
fn programs(kind: ProgramRole) -> [LosingPolicy; 2] {
    match kind {
        ProgramRole::Defender => [LosingPolicy::Own, LosingPolicy::Spec],
        ProgramRole::Attacker => [LosingPolicy::Own, LosingPolicy::By(Formula::C)],
    }
}

/// Somebody against one program, counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubjectScore {
    /// The subject, or the player of the paper.
    pub name: String,
    /// Whether the paper reports it.
    pub published: bool,
    /// What the program is.
    pub kind: ProgramRole,
    /// Its name.
    pub program: String,
    /// Mates brought about.
    pub found: u32,
    /// Positions played.
    pub of: u32,
}

/// The players of the paper, then everybody else by name.
#[must_use]
pub fn table(trials: &[Trial]) -> Vec<SubjectScore> {
    let paper = published();
    let players = paper.players.iter().flat_map(|player| {
        [(LosingPolicy::Own, player.non), (LosingPolicy::Spec, player.spec)].map(
            |(program, found)| SubjectScore {
                name: player.grade.clone(),
                published: true,
                kind: ProgramRole::Defender,
                program: program.name(),
                found,
                of: paper.positions,
            },
        )
    });
    let mut rows: Vec<SubjectScore> = players.collect();
    let names: BTreeSet<&str> = trials.iter().map(|trial| trial.name.as_str()).collect();
    for (name, kind) in names
        .iter()
        .flat_map(|&name| [ProgramRole::Defender, ProgramRole::Attacker].map(|kind| (name, kind)))
    {
        for program in programs(kind).map(LosingPolicy::name) {
            let mine = trials.iter().filter(|trial| {
                (trial.name.as_str(), trial.kind) == (name, kind) && trial.program == program
            });
            let (mut found, mut of) = (0, 0);
            mine.for_each(|trial| (found, of) = (found + u32::from(trial.found), of + 1));
            if of > 0 {
                rows.push(SubjectScore {
                    name: name.to_string(),
                    published: false,
                    kind,
                    program,
                    found,
                    of,
                });
            }
        }
    }
    rows
}

/// Where a person sits down.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The subject's name.
    pub name: String,
    /// What the program is.
    pub kind: ProgramRole,
    /// Positions to play, those played in earlier sessions included.
    pub positions: usize,
}

impl Seat {
    /// Plays what is left, by the standard settings; trials go to the file in the folder of the
    /// experiment's results as they end. Whether the subject stayed to the end.
    ///
    /// # Errors
    /// If the positions cannot be read, or the file cannot be.
    pub fn sit(
        &self,
        folder: &Path,
        quick: bool,
        seed: u64,
        subject: &mut dyn Subject,
    ) -> Result<bool, LabError> {
        let settings = <SpeculativeSettings as crate::run::ExperimentSettings>::standard(quick);
        let name = settings.positions.display().to_string();
        let error = |error| LabError::File { path: name.clone(), error };
        let bytes = data::read(&settings.positions).map_err(error)?.into_owned();
        let text = packed::unpacked(bytes, packed::UnpackLimits::default())
            .map_err(|fault| error(fault.into()))?;
        let fault = |fault: String| LabError::Data { name: name.clone(), fault };
        let text = String::from_utf8(text).map_err(|error| fault(error.to_string()))?;
        let all = super::positions::read(&text).map_err(|error| fault(error.to_string()))?;
        self.play(&settings, all, &file(folder, quick), seed, subject)
    }

    fn play(
        &self,
        settings: &SpeculativeSettings,
        all: Vec<Lost>,
        path: &Path,
        seed: u64,
        subject: &mut dyn Subject,
    ) -> Result<bool, LabError> {
        let positions = self.choose(settings, all);
        let earlier = read_trials(path)?;
        let mut keep = |trial: &Trial| append(path, trial);
        play(&self.name, &positions, &earlier, settings, seed, subject, &mut keep)
            .map_err(|error| LabError::File { path: path.display().to_string(), error })
    }

    /// Those that are measured, and not those by which grades are set.
    fn choose(&self, settings: &SpeculativeSettings, all: Vec<Lost>) -> Vec<Lost> {
        let passed = if self.kind == ProgramRole::Defender { settings.calibration } else { 0 };
        let proven = |lost: &Lost| lost.kind == ProgramRole::Defender || lost.hunted == Some(true);
        all.into_iter()
            .filter(|lost| lost.kind == self.kind && proven(lost))
            .skip(passed)
            .take(self.positions)
            .collect()
    }
}

/// A run of the experiment with a person in it.
pub struct HumanSession {
    /// Who plays what.
    pub seat: Seat,
    /// The person.
    pub subject: Mutex<Box<dyn Subject + Send>>,
}

impl HumanSession {
    /// A session in which the person mates and the program defends.
    pub fn of_attacker(
        name: &str,
        positions: usize,
        subject: Box<dyn Subject + Send>,
    ) -> HumanSession {
        let seat = Seat { name: name.to_string(), kind: ProgramRole::Defender, positions };
        HumanSession { seat, subject: Mutex::new(subject) }
    }
}

impl Experiment for HumanSession {
    fn name(&self) -> &'static str {
        Speculative.name()
    }

    fn title(&self) -> &'static str {
        Speculative.title()
    }

    fn question(&self) -> &'static str {
        Speculative.question()
    }

    fn claims(&self) -> Option<&'static str> {
        Speculative.claims()
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        let settings: SpeculativeSettings = run.settings()?;
        let all = load(run, &settings)?;
        let path = file(run.directory(), run.is_quick());
        let mut subject = self.subject.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = self.seat.play(&settings, all, &path, run.seed(), subject.as_mut())?;
        if !ended {
            let name = &self.seat.name;
            let done = read_trials(&path)?.iter().filter(|trial| &trial.name == name).count();
            let stage = format!("{name} at the keyboard");
            return Err(LabError::Interrupted { stage, done, total: 2 * self.seat.positions });
        }
        Speculative.measure(run)
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        Speculative.report(stored)
    }
}

/// The trials of all sessions so far, in the folder of the experiment's results.
///
/// # Errors
/// If the file is there and cannot be read.
pub fn results(folder: &Path, quick: bool) -> Result<Vec<Trial>, LabError> {
    read_trials(&file(folder, quick))
}

fn read_trials(path: &Path) -> Result<Vec<Trial>, LabError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path)
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
    settings: &SpeculativeSettings,
    seed: u64,
    subject: &mut dyn Subject,
    keep: &mut dyn FnMut(&Trial) -> std::io::Result<()>,
) -> std::io::Result<bool> {
    let searchers = SearcherFactory::default();
    let mine = || earlier.iter().filter(|trial| trial.name == name);
    let answers = mine().flat_map(|trial| trial.answers.iter().cloned());
    let mut known: HashMap<String, Option<Move>> =
        answers.map(|(sfen, played)| (sfen, played.parse().ok())).collect();
    let mut rng = fastrand::Rng::with_seed(seed);
    for (at, lost) in positions.iter().enumerate() {
        let mut programs = programs(lost.kind);
        rng.shuffle(&mut programs);
        for program in programs {
            let same = |trial: &&Trial| trial.id == lost.id && trial.kind == lost.kind;
            let done = mine().filter(same).any(|trial| trial.program == program.name());
            let Some((start, prospects)) = at_desk(lost, settings, &searchers, seed) else {
                continue;
            };
            if done {
                continue;
            }
            subject.notify(&start, &SubjectNotice::Begins(at + 1, positions.len()));
            let most = settings.most_plies as usize;
            let kind = lost.kind;
            let mut sitting = Sitting { kind, prospects, program, most, known: &mut known };
            let Some((found, answers)) = sitting.play(start, subject) else { return Ok(false) };
            keep(&Trial {
                name: name.to_string(),
                id: lost.id.clone(),
                kind: lost.kind,
                program: program.name(),
                found,
                answers,
            })?;
        }
    }
    Ok(true)
}

struct Sitting<'a> {
    kind: ProgramRole,
    prospects: super::policies::ProspectCache<'a>,
    program: LosingPolicy,
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
                        subject.notify(game.position(), &SubjectNotice::Played(mv));
                    }
                    mv
                }
                Some(_) => self.answer(game.position(), subject, &mut answers)?,
            };
            let Some(mv) = mv else { break false };
            game.apply(Decision::play(mv), Duration::ZERO);
        };
        subject.notify(game.position(), &SubjectNotice::Over(found));
        Some((found, answers))
    }

    /// What the program plays; nothing once the mate was missed.
    fn program_move(&mut self, game: &Game) -> Option<Move> {
        let attacks = self.kind == ProgramRole::Attacker;
        let is_lost = match &*self.prospects.prospect(game.position()) {
            Prospect::Mated(_) => game.plies().len() < self.most,
            Prospect::Checks(_) | Prospect::Lost => attacks && game.plies().len() < self.most,
            Prospect::Over | Prospect::Winning | Prospect::Free => false,
        };
        if is_lost { self.prospects.choose(game.position(), self.program) } else { None }
    }

    /// The subject's answer, noted down; `Some(None)` for none, and `None` if he left.
    fn answer(
        &mut self,
        position: &Position,
        subject: &mut dyn Subject,
        answers: &mut Vec<(String, String)>,
    ) -> Option<Option<Move>> {
        let met = position.to_sfen_without_number();
        let answer = match self.known.get(&met).copied() {
            Some(answer) => {
                subject.notify(position, &SubjectNotice::Repeats(answer));
                answer
            }
            None => match subject.ask(position, TIME) {
                SubjectReply::Plays(answer) => Some(answer),
                SubjectReply::Fails => None,
                SubjectReply::Leaves => return None,
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
    use super::super::opponents::{ModelOpponent, Sight};
    use super::*;

    /// Mates if a solver does; counts how often it is asked.
    struct Solver {
        asked: usize,
        notices: Vec<SubjectNotice>,
    }

    impl Subject for Solver {
        fn ask(&mut self, position: &Position, _: Duration) -> SubjectReply {
            self.asked += 1;
            let solver = ModelOpponent { sight: Sight::Solver, nodes: 10_000 };
            solver.mate(position).map_or(SubjectReply::Fails, SubjectReply::Plays)
        }

        fn notify(&mut self, _: &Position, notice: &SubjectNotice) {
            self.notices.push(notice.clone());
        }
    }

    /// Leaves when asked.
    struct Deserter;

    impl Subject for Deserter {
        fn ask(&mut self, _: &Position, _: Duration) -> SubjectReply {
            SubjectReply::Leaves
        }

        fn notify(&mut self, _: &Position, _: &SubjectNotice) {}
    }

    #[test]
    fn every_position_is_played_twice_and_known_answers_are_repeated() {
        let settings = <SpeculativeSettings as crate::run::ExperimentSettings>::standard(true);
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
            kind: ProgramRole::Defender,
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
        assert!(
            subject.notices.iter().any(|notice| matches!(notice, SubjectNotice::Repeats(Some(_))))
        );
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
