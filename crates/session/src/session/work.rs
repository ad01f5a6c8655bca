//! The game, and the tasks that requests start.

use super::{Entry, Session};
use crate::analysis::{self, GameQuestion};
use crate::game::SessionGame;
use crate::laboratory::Laboratory;
use crate::mate::ProvenMate;
use crate::protocol::{AnalyseGameAsk, Answer, Ask, Fault, FaultCode, GameView};
use crate::task::{Task, TaskClass, TaskKey, Work};
use crate::{capture, laboratory, mate, records, search};
use std::sync::Arc;
use std::sync::mpsc::channel;

/// One task a slot: a new one ends the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Slot {
    Engine,
    Hint,
    Analysis,
    GameAnalysis,
    Mate,
    MatePlay,
    MateCheck,
    Judge,
    Go,
    Experiment,
    Subject,
}

/// Nodes for each position of a game.
const NODES: u64 = 20_000;
const MOST_NODES: u64 = 10_000_000;
/// Most moves of a game to analyse.
const LONGEST_GAME: usize = 2_000;
/// Centipawns that a blunder loses.
const BLUNDER: i32 = 300;

impl Session {
    pub(super) fn game_view(&self, game: &SessionGame) -> GameView {
        let engine = self.slots.get(&Slot::Engine).filter(|entry| entry.running);
        game.view(engine.map(|entry| entry.key.task), self.now())
    }

    fn game(&mut self) -> Result<&mut SessionGame, Fault> {
        self.game.as_mut().ok_or_else(|| Fault::new(FaultCode::NoGame, "there is no game"))
    }

    pub(super) fn proof(&self) -> Result<&Arc<ProvenMate>, Fault> {
        let missing = || Fault::new(FaultCode::NoProof, "no mate has been proven");
        self.proven.as_ref().ok_or_else(missing)
    }

    pub(super) fn in_game(&mut self, ask: &Ask, tasks: &mut Vec<Task>) -> Result<Answer, Fault> {
        let now = self.now();
        match ask {
            Ask::NewGame(ask) => {
                let game = SessionGame::new(ask, self.games_begun, now)?;
                self.games_begun = self.games_begun.wrapping_add(1);
                self.game = Some(game);
                self.end(Slot::Engine);
            }
            Ask::Move(ask) => self.game()?.user_moves(&ask.mv, ask.ply, now)?,
            Ask::TakeBack => {
                self.game()?.take_back(now)?;
                self.end(Slot::Engine);
            }
            Ask::Resign => self.game()?.resign()?,
            Ask::Declare => self.game()?.declare()?,
            Ask::Claim => self.game()?.claim(now)?,
            Ask::WriteGame(ask) => {
                let record = self.game()?.record();
                return Ok(Answer::File(records::write(&record, &ask.format, "game")?));
            }
            _ => {}
        }
        if !self.game()?.engine_to_move() {
            self.end(Slot::Engine);
        } else if !self.slots.contains_key(&Slot::Engine) || !self.engine_thinks() {
            tasks.extend(self.engine_task(None));
        }
        let game = self.game()?.clone();
        Ok(Answer::Game(self.game_view(&game)))
    }

    fn engine_thinks(&self) -> bool {
        self.slots.get(&Slot::Engine).is_some_and(|entry| entry.running)
    }

    /// Ends what runs in a slot; its end is not reported.
    fn end(&mut self, slot: Slot) {
        if let Some(entry) = self.slots.remove(&slot) {
            entry.stop.stop();
        }
    }

    /// The engine thinks about its move, if it is to move.
    pub(super) fn engine_task(&mut self, number: Option<u32>) -> Option<Task> {
        let game = self.game.as_ref().filter(|game| game.engine_to_move())?;
        let work = Box::new(search::engine_move(game, &self.resources));
        Some(self.run(Slot::Engine, "engine-move", None, work, number))
    }

    /// Starts what a request asks for, under its old number if it had one.
    pub(super) fn start(&mut self, ask: Ask, number: Option<u32>) -> Result<Task, Fault> {
        let resources = &self.resources;
        let (slot, kind, work): (Slot, &'static str, Work) = match &ask {
            Ask::Hint => {
                let game = self.game.as_ref();
                let game = game.ok_or_else(|| Fault::new(FaultCode::NoGame, "there is no game"))?;
                (Slot::Hint, "hint", Box::new(search::hint(game, resources)))
            }
            Ask::Analyse(ask) => {
                (Slot::Analysis, "analyse", Box::new(analysis::analyse(ask, resources)?))
            }
            Ask::AnalyseGame(ask) => {
                let question = self.game_question(ask)?;
                let work = Box::new(analysis::analyse_game(question, resources));
                (Slot::GameAnalysis, "analyse-game", work)
            }
            Ask::SolveMate(ask) => {
                (Slot::Mate, "solve-mate", Box::new(mate::solve(ask, resources)?))
            }
            Ask::MatePlay(ask) => {
                let work = mate::reply(Arc::clone(self.proof()?), ask, resources)?;
                (Slot::MatePlay, "mate-play", Box::new(work))
            }
            Ask::VerifyMate => {
                let work = mate::check(Arc::clone(self.proof()?), resources);
                (Slot::MateCheck, "verify-mate", Box::new(work))
            }
            Ask::Judge(ask) => (Slot::Judge, "judge", Box::new(mate::judge(ask, resources)?)),
            Ask::RunExperiment(ask) => {
                let work = laboratory::run(self.laboratory()?, ask.clone());
                (Slot::Experiment, "run-experiment", Box::new(work))
            }
            Ask::BeSubject(ask) => {
                let (sender, answers) = channel();
                let work = laboratory::seat(self.laboratory()?, ask.clone(), answers);
                self.subject = Some(sender);
                (Slot::Subject, "be-subject", Box::new(work))
            }
            Ask::SolveGo(ask) => {
                (Slot::Go, "solve-go", Box::new(capture::question(ask, resources)?))
            }
            _ => return Err(Fault::new(FaultCode::Internal, "this is no task")),
        };
        Ok(self.run(slot, kind, Some(ask), work, number))
    }

    pub(super) fn laboratory(&self) -> Result<Arc<dyn Laboratory>, Fault> {
        let none = || Fault::new(FaultCode::NoLaboratory, "there is no laboratory here");
        self.laboratory.clone().ok_or_else(none)
    }

    fn game_question(&self, ask: &AnalyseGameAsk) -> Result<GameQuestion, Fault> {
        let record = match (&ask.record, &self.game) {
            (Some(record), _) => records::record_of(record)?,
            (None, Some(game)) => game.record(),
            (None, None) => return Err(Fault::new(FaultCode::NoGame, "there is no game")),
        };
        let moves = record.main_moves().count();
        if moves > LONGEST_GAME {
            return Err(Fault::new(FaultCode::TooLarge, format!("{moves} moves are too many")));
        }
        let kings = yomikiri_shogi::Color::ALL;
        if kings.iter().any(|&side| record.start().king(side).is_none()) {
            return Err(Fault::new(FaultCode::BadPosition, "the engine needs both kings"));
        }
        Ok(GameQuestion {
            record,
            nodes: ask.nodes.unwrap_or(NODES).clamp(1, MOST_NODES),
            blunder: ask.blunder.unwrap_or(BLUNDER).max(1),
        })
    }

    fn run(
        &mut self,
        slot: Slot,
        kind: &'static str,
        ask: Option<Ask>,
        work: Work,
        number: Option<u32>,
    ) -> Task {
        let key = TaskKey { task: number.unwrap_or(self.next.task), run: self.next.run };
        self.next.run += 1;
        self.next.task += u32::from(number.is_none());
        let class = match slot {
            Slot::Engine | Slot::Hint | Slot::MatePlay => TaskClass::Short,
            Slot::Experiment => TaskClass::Experiment,
            Slot::Subject => TaskClass::Subject,
            _ => TaskClass::Long,
        };
        let task = Task::new(key, class, self.clock.clone(), work);
        self.end(slot);
        let stop = task.stopper();
        let entry = Entry { key, kind, ask, stop, running: true, suspended: false, last: None };
        self.slots.insert(slot, entry);
        task
    }
}
