//! Experiments, by a laboratory that has one position.

use super::*;
use crate::laboratory::Laboratory;
use crate::view::position_view;
use std::sync::mpsc::Receiver;
use yomikiri_base::StopToken;
use yomikiri_shogi::{EnteringKingRule, Position};

const MATE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";

struct One;

fn news(what: SubjectNews, turn: u32) -> SubjectEvent {
    let position = Position::from_problem_sfen(MATE).unwrap();
    SubjectEvent {
        what,
        turn,
        number: 1,
        of: 1,
        position: Some(position_view(&position, EnteringKingRule::NoEnteringKing)),
        mv: None,
        time: 30_000,
        people: Vec::new(),
        trouble: None,
    }
}

impl Laboratory for One {
    fn view(&self) -> LaboratoryView {
        LaboratoryView { runs: true, ..LaboratoryView::default() }
    }

    fn run(
        &self,
        ask: &RunExperimentAsk,
        stop: &StopToken,
        emit: &(dyn Fn(RunEvent) + Sync),
    ) -> RunEvent {
        let experiment = ask.experiment.clone();
        let event = RunEvent { experiment, total: 2, ..RunEvent::default() };
        emit(RunEvent { done: 1, ..event.clone() });
        RunEvent { done: 2, finished: !stop.is_stopped(), ..event }
    }

    fn seat(
        &self,
        _: &BeSubjectAsk,
        _: &StopToken,
        answers: &Receiver<SubjectMoveAsk>,
        emit: &dyn Fn(SubjectEvent),
    ) -> Option<SubjectEvent> {
        emit(news(SubjectNews::Asked, 1));
        let answer = answers.recv().ok()?;
        let found = answer.mv.as_deref() == Some("G*5b");
        Some(news(if found { SubjectNews::Found } else { SubjectNews::Missed }, 1))
    }
}

fn host() -> Host {
    let host = Host::new();
    Host { session: host.session.with_laboratory(Arc::new(One)), ..host }
}

#[test]
fn without_a_laboratory_there_is_none() {
    let mut host = Host::new();
    let run = json!({"kind": "run-experiment", "experiment": "widening", "quick": true});
    let sit = json!({"kind": "be-subject", "name": "me", "role": "mate", "positions": 1});
    for ask in [json!({"kind": "laboratory"}), run, sit] {
        assert_eq!(host.fault(ask)["code"], "no-laboratory");
    }
}

#[test]
fn an_experiment_tells_how_far_it_is() {
    let mut host = host();
    assert_eq!(host.answer(json!({"kind": "laboratory"}))["runs"], true);
    let ask = json!({"kind": "run-experiment", "experiment": "widening", "quick": true});
    let (_, events) = host.ask(ask);
    let done: Vec<&Value> = events.iter().map(|event| &event["event"]["done"]).collect();
    assert_eq!(done, [1, 2]);
    assert_eq!(events[1]["event"]["finished"], true);
}

#[test]
fn only_a_legal_answer_to_the_open_question_reaches_the_experiment() {
    let mut host = host();
    let ask = json!({"kind": "be-subject", "name": "me", "role": "mate", "positions": 1});
    let early = json!({"kind": "subject-move", "turn": 1, "move": "G*5b"});
    assert_eq!(host.fault(early.clone())["code"], "not-your-turn");
    let task = host.send(ask).tasks.pop().unwrap();
    let key = task.key();
    let (sender, heard) = std::sync::mpsc::channel();
    let emit: crate::Emitter = Arc::new(move |event| sender.send(event).unwrap());
    let thread = std::thread::spawn(|| task.run(emit));
    let asked = heard.recv().unwrap();
    assert!(host.session.observe(key, asked).is_some());
    let wrong = json!({"kind": "subject-move", "turn": 2, "move": "G*5b"});
    assert_eq!(host.fault(wrong)["code"], "not-your-turn");
    let illegal = json!({"kind": "subject-move", "turn": 1, "move": "P*5b"});
    assert_eq!(host.fault(illegal)["code"], "illegal-move");
    assert_eq!(host.answer(early)["kind"], "done");
    let finished = thread.join().unwrap();
    let last = host.session.finish(finished).messages;
    let last = serde_json::to_value(&last[0]).unwrap();
    assert_eq!(last["event"]["what"], "found");
    let late = json!({"kind": "subject-move", "turn": 1, "move": null});
    assert_eq!(host.fault(late)["code"], "not-your-turn");
}
